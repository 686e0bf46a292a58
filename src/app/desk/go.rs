//! Go at the arbiter's desk: forbidden points, two moves in a row, the count.

use super::finding::{DeskFinding, DeskQuestion, DeskVerdict, Spot};
use crate::game::{GameId, Side};
use crate::games::formats::Recorded;
use crate::games::game::Start;
use crate::games::record::{GoSetup, Reason};
use crate::games::referee::Stones;
use crate::games::tree::{Item, Node, ROOT};
use crate::go::score::{self, Margin};
use crate::go::{IllegalMove, Point, PointSet, Position, coords};
use crate::message;
use crate::util::message::Message;

struct Step {
    side: Side,
    mv: Point,
    /// The position before it, where stones were set up.
    anew: Option<Box<Position>>,
}

/// A game of Go with all that its past forbids: a move out of turn does not begin it anew.
pub struct GoLine {
    start: Position,
    steps: Vec<Step>,
    /// Moves on occupied points, by the number of moves before them.
    occupied: Vec<(usize, Side, String)>,
    /// Handicap stones that Black may have placed move by move.
    handicap: usize,
}

fn set_up(setup: &GoSetup) -> Result<Position, Message> {
    Stones::new(setup).map(|stones| stones.position().clone())
}

fn name(side: Side) -> Message {
    GameId::Go.side(side)
}

impl GoLine {
    pub fn of_record(record: &Recorded) -> Result<Self, Message> {
        let mut line = Self::of_moves(&record.start(), &[])?;
        let stones = record.tree.node(ROOT).property("HA").and_then(<[String]>::first);
        line.handicap = stones.and_then(|count| count.trim().parse().ok()).unwrap_or(0);
        let mut is_set_up = false;
        for id in record.tree.main_line() {
            let node = record.tree.node(id);
            is_set_up |= node.items.iter().any(|item| matches!(item, Item::Place(..)));
            let Some((side, mv)) = node.played else { continue };
            let ply = line.steps.len();
            if record.nodes.get(ply) != Some(&id) {
                line.note_occupied(node, ply);
                is_set_up = true;
                continue;
            }
            let anew = record.restarts.iter().find(|(at, _)| *at == ply && is_set_up && ply > 0);
            let anew = anew.and_then(|(_, start)| set_up(&start.rules.go).ok()).map(Box::new);
            let mv = coords::parse_vertex(line.start.board(), &mv).unwrap_or(Point::PASS);
            line.steps.push(Step { side, mv, anew });
            is_set_up = false;
        }
        Ok(line)
    }

    fn note_occupied(&mut self, node: &Node, ply: usize) {
        self.occupied.extend(node.played.map(|(side, mv)| (ply, side, mv.to_string())));
    }

    pub fn of_moves(start: &Start, moves: &[String]) -> Result<Self, Message> {
        let start = set_up(&start.rules.go)?;
        let first = start.board().side_to_move();
        let sides = std::iter::successors(Some(first), |side| Some(side.other()));
        let step = |(side, mv): (Side, &String)| {
            let mv = coords::parse_vertex(start.board(), mv).unwrap_or(Point::PASS);
            Step { side, mv, anew: None }
        };
        let steps = sides.zip(moves).map(step).collect();
        Ok(Self { steps, start, occupied: Vec::new(), handicap: 0 })
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The moves as people write them.
    pub fn texts(&self) -> Vec<String> {
        let board = self.start.board();
        self.steps.iter().map(|step| coords::vertex(board, step.mv)).collect()
    }

    /// The vertex of the last of the first `plies` moves.
    pub fn last(&self, plies: usize) -> Option<String> {
        let step = self.steps.get(plies.checked_sub(1)?)?;
        step.mv.is_stone().then(|| coords::vertex(self.start.board(), step.mv))
    }

    /// Shows the position before each of the first `plies` moves, and the one after them.
    fn walk(&self, plies: usize, mut show: impl FnMut(usize, &Position)) -> Position {
        let mut position = self.start.clone();
        for (ply, step) in self.steps.iter().take(plies).enumerate() {
            if let Some(anew) = &step.anew {
                position = Position::clone(anew);
            }
            show(ply, &position);
            // What the reader has played is on the board.
            let _ = position.play_recorded(step.side, step.mv);
        }
        if let Some(anew) = self.steps.get(plies).and_then(|step| step.anew.as_ref()) {
            position = Position::clone(anew);
        }
        if let Some(step) = self.steps.get(plies) {
            position.set_side_to_move(step.side);
        }
        show(plies.min(self.len()), &position);
        position
    }

    pub fn position(&self, plies: usize) -> Position {
        self.walk(plies, |_, _| {})
    }

    /// The number of moves after which the board was as it will be once `side` plays on an empty point.
    fn repeated(&self, plies: usize, side: Side, mv: Point) -> Option<usize> {
        let key = self.position(plies).board().stones_key_after(mv, side);
        let (mut found, mut before) = (None, None);
        self.walk(plies, |ply, position| {
            let now = position.board().stones_key();
            // A pass leaves the board as it is.
            if now == key && before != Some(key) {
                found = Some(ply);
            }
            before = Some(now);
        });
        found
    }

    /// Why a move is forbidden, and by which clause.
    fn refusal(&self, plies: usize, side: Side, mv: Point, why: IllegalMove) -> (&'static str, Message) {
        match why {
            IllegalMove::OffBoard => ("GO-1", why.into()),
            IllegalMove::Occupied => ("GO-1", message!("a stone stands there" | "此处已有棋子")),
            IllegalMove::Suicide => (
                "GO-5",
                message!(
                    "suicide: it captures nothing and leaves its own stones without a liberty"
                        | "禁止自杀：没有提子，落子后己方棋子无气"
                ),
            ),
            IllegalMove::Ko | IllegalMove::Superko => {
                let why = match why {
                    IllegalMove::Ko => message!("ko" | "劫"),
                    _ => message!("superko" | "全局同形"),
                };
                let reason = match self.repeated(plies, side, mv) {
                    Some(0) => {
                        message!("{why}: it repeats the position at the start" | "{why}：重现开局的局面", why)
                    }
                    Some(number) => message!(
                        "{why}: it repeats the position after move {number}"
                            | "{why}：重现第 {number} 手之后的局面",
                        why,
                        number
                    ),
                    None => why,
                };
                ("GO-6", reason)
            }
        }
    }

    /// Every move that the rules forbid.
    pub fn illegal(&self, plies: usize) -> Vec<DeskFinding> {
        let mut found = Vec::new();
        let board = self.start.board();
        self.walk(plies, |ply, position| {
            for (_, side, mv) in self.occupied.iter().filter(|(at, ..)| *at == ply) {
                let reason = message!(
                    "{side} plays on {mv}, where a stone stands" | "{side}下在 {mv}，那里已有棋子",
                    side = name(*side),
                    mv
                );
                let found_it =
                    DeskFinding::new(DeskQuestion::Illegal, Spot::After(ply), DeskVerdict::Illegal, reason);
                found.push(found_it.by("GO-1"));
            }
            let Some(&Step { side, mv, .. }) = self.steps.get(ply).filter(|_| ply < plies) else { return };
            if let Err(why) = position.check(side, mv) {
                let (clause, reason) = self.refusal(ply, side, mv, why);
                let spot = Spot::Move(ply.saturating_add(1));
                let mut finding =
                    DeskFinding::new(DeskQuestion::Illegal, spot, DeskVerdict::Illegal, reason).by(clause);
                finding.point = Some(coords::vertex(board, mv));
                found.push(finding);
            }
        });
        found
    }

    /// Every move of the side that has just moved.
    pub fn turns(&self, plies: usize) -> Vec<DeskFinding> {
        let steps = self.steps.get(..plies).unwrap_or(&self.steps);
        let is_handicap =
            |at: usize| at < self.handicap && steps[..=at].iter().all(|s| s.side == Side::First);
        let pairs = steps.windows(2).enumerate().filter(|(before, pair)| {
            let [earlier, step] = pair else { return false };
            earlier.side == step.side && step.anew.is_none() && !is_handicap(before.saturating_add(1))
        });
        let finding = |(before, pair): (usize, &[Step])| {
            let side = pair.first().map_or(Side::First, |step| step.side);
            let reason = message!(
                "{side} moves twice in a row, and loses a match game" | "{side}连走两着，比赛中判负",
                side = name(side)
            );
            let spot = Spot::Move(before.saturating_add(2));
            let found = DeskFinding::new(DeskQuestion::Turns, spot, DeskVerdict::TwoInARow, reason);
            found.by("GO-13").won_by(Some(side.other()))
        };
        pairs.map(finding).collect()
    }

    /// Whether a point is forbidden to a side, or to the side to move.
    pub fn point(&self, plies: usize, side: Option<Side>, text: &str) -> Result<DeskFinding, Message> {
        let position = self.position(plies);
        let side = side.unwrap_or_else(|| position.board().side_to_move());
        let mv = vertex(&position, text)?;
        let spot = Spot::After(plies);
        let point = coords::vertex(position.board(), mv);
        let finding = match position.check(side, mv) {
            Ok(()) => {
                let reason =
                    message!("{side} may play {point}" | "{side}可以下 {point}", side = name(side), point);
                DeskFinding::new(DeskQuestion::Point, spot, DeskVerdict::Allowed, reason)
            }
            Err(why) => {
                let (clause, why) = self.refusal(plies, side, mv, why);
                let side = name(side);
                let reason = message!(
                    "{side} may not play {point}: {why}" | "{side}不能下 {point}：{why}",
                    side,
                    point,
                    why
                );
                DeskFinding::new(DeskQuestion::Point, spot, DeskVerdict::Forbidden, reason).by(clause)
            }
        };
        Ok(DeskFinding { point: Some(point), ..finding })
    }

    /// The count when these stones are dead, each with its chain.
    pub fn count(&self, plies: usize, dead: &[String]) -> Result<DeskFinding, Message> {
        let position = self.position(plies);
        let board = position.board();
        let mut points = PointSet::EMPTY;
        for text in dead {
            let v = vertex(&position, text)?;
            if !v.is_stone() || board.is_empty(v) {
                return Err(message!("no stone stands on {text}" | "{text} 上没有棋子", text));
            }
            board.chain(v).for_each(|v| _ = points.insert(v));
        }
        let margin = score::margin(&position, &points);
        let verdict =
            if margin.winner().is_some() { DeskVerdict::Ended(Reason::Counted) } else { DeskVerdict::Draw };
        let reason = count_text(&position, &points, margin);
        let finding = DeskFinding::new(DeskQuestion::Count, Spot::After(plies), verdict, reason);
        let dead = points.iter().map(|v| coords::vertex(board, v)).collect();
        let clause = if margin.winner().is_some() { "GO-9" } else { "GO-10" };
        Ok(DeskFinding { dead, ..finding.by(clause).won_by(margin.winner()) })
    }

    pub fn is_over(&self, plies: usize) -> bool {
        let last = self.steps.get(..plies).and_then(<[Step]>::last_chunk::<2>);
        last.is_some_and(|[a, b]| a.side != b.side && !a.mv.is_stone() && !b.mv.is_stone())
    }

    /// How the game ends: the count once both have passed.
    pub fn end(&self, plies: usize, dead: &[String]) -> Result<DeskFinding, Message> {
        if self.is_over(plies) {
            return Ok(DeskFinding { question: DeskQuestion::End, ..self.count(plies, dead)? });
        }
        let reason = message!("the game ends when both pass in turn" | "双方连续停一手才终局");
        Ok(DeskFinding::new(DeskQuestion::End, Spot::After(plies), DeskVerdict::GoesOn, reason).by("GO-7"))
    }

    /// Whether the result of a record is that of the count.
    pub fn result(&self, result: &str, dead: &[String]) -> Result<DeskFinding, Message> {
        let plies = self.len();
        let found =
            |verdict, reason| DeskFinding::new(DeskQuestion::Result, Spot::After(plies), verdict, reason);
        if !self.is_over(plies) || !is_count(result) {
            let reason = message!(
                "the record has {result}, which the board does not decide"
                    | "棋谱的结果是 {result}，盘面不能决定",
                result
            );
            return Ok(found(DeskVerdict::Open, reason));
        }
        let count = self.count(plies, dead)?;
        let position = self.position(plies);
        let margin = score::margin(&position, &dead_points(&position, &count.dead)).to_string();
        let counted = count.reason;
        if result.trim().eq_ignore_ascii_case(&margin) || (margin == "0" && is_draw(result)) {
            let reason = message!("the record has {result}" | "棋谱的结果是 {result}", result);
            return Ok(found(DeskVerdict::Agrees, reason).by("GO-9").won_by(count.winner));
        }
        let reason = message!(
            "the record has {result}, the board {counted}; name dead stones with --dead"
                | "棋谱的结果是 {result}，数子结果是：{counted}；死子可用 --dead 指明",
            result,
            counted
        );
        Ok(found(DeskVerdict::Contradicts, reason).by("GO-9").won_by(count.winner))
    }
}

fn dead_points(position: &Position, dead: &[String]) -> PointSet {
    dead.iter().filter_map(|text| coords::parse_vertex(position.board(), text)).collect()
}

fn is_draw(result: &str) -> bool {
    ["0", "draw", "jigo"].contains(&result.trim().to_lowercase().as_str())
}

/// Whether a result comes from a count: `B+3.5`, `0`.
fn is_count(result: &str) -> bool {
    let number = result.split_once('+').and_then(|(_, margin)| margin.trim().parse::<f64>().ok());
    number.is_some() || is_draw(result)
}

fn vertex(position: &Position, text: &str) -> Result<Point, Message> {
    coords::parse_vertex(position.board(), text.trim())
        .ok_or_else(|| message!("{text:?} is not a point of the board" | "“{text}”不是棋盘上的点", text))
}

/// A number of stones (子) in quarters: `184¼`.
fn zi(stones: f64) -> String {
    let quarters = stones * 4.0;
    if quarters.fract() != 0.0 {
        return format!("{:.2}", stones);
    }
    let part = ["", "¼", "½", "¾"][(quarters.abs() % 4.0) as usize];
    let sign = if stones < 0.0 { "-" } else { "" };
    match stones.abs().trunc() {
        0.0 if !part.is_empty() => format!("{sign}{part}"),
        whole => format!("{sign}{whole}{part}"),
    }
}

/// The count in words: where area counts, both sides' stones (子), the komi in stones, and what each side
/// needs.
fn count_text(position: &Position, dead: &PointSet, margin: Margin) -> Message {
    let result = margin.chinese(position.rules().scoring);
    let lead = Message::new(margin.to_string(), format!("{margin}（{result}）"));
    if score::count_in_stones(position, dead).is_none() {
        return lead;
    }
    let count = score::count(position.board(), dead);
    let [black, white] = [Side::First, Side::Second].map(|side| f64::from(count.area_halves(side)) / 2.0);
    let (all, bonus) = (black + white, f64::from(position.white_bonus()) / 2.0);
    let needed = [all / 2.0 + bonus, all / 2.0 - bonus];
    // With komi no count is a draw where all points are whole.
    let whole = needed.map(|stones| zi(stones.floor() + 1.0));
    let ([black, white, bonus], [for_black, for_white]) = ([black, white, bonus].map(zi), needed.map(zi));
    let [whole_black, whole_white] = whole;
    message!(
        "Black {black} 子, White {white} 子, komi {bonus} 子; Black needs more than {for_black} ({whole_black}), \
         White more than {for_white} ({whole_white}): {lead}"
            | "黑 {black} 子，白 {white} 子，贴 {bonus} 子；黑须超过 {for_black} 子（{whole_black} 子），白须超过 {for_white} \
               子（{whole_white} 子）：{lead}",
        black,
        white,
        bonus,
        for_black,
        whole_black,
        for_white,
        whole_white,
        lead
    )
}
