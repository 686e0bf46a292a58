//! Counting: area with shared points halved (GO-9), Tromp-Taylor, territory; results as text.

use super::board::Board;
use super::life::components;
use super::position::Position;
use super::rules::{Scoring, Tax};
use super::types::{BLACK, Color, Point, PointSet, WHITE};
use crate::game::Side;
use crate::message;
use crate::util::message::Message;
use std::fmt;

/// A board after dead stones were taken off: whose every point is.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// Live stones, by side.
    pub stones: [u32; 2],
    /// Empty points that only one side's live stones enclose, by side.
    pub enclosed: [u32; 2],
    /// Empty points that both sides or neither touches.
    pub shared: u32,
    /// Dead stones, by the side that lost them.
    pub dead: [u32; 2],
    /// Points of each side: live stones and enclosed points.
    pub owned: [PointSet; 2],
}

/// Counts the board as it is but for the stones in `dead`, which are taken off first.
pub fn count(board: &Board, dead: &PointSet) -> Count {
    let mut out =
        Count { stones: [0; 2], enclosed: [0; 2], shared: 0, dead: [0; 2], owned: [PointSet::EMPTY; 2] };
    let live = |v: Point| board.color(v).side().filter(|_| !dead.contains(v));
    let mut seen = PointSet::EMPTY;
    let mut region = Vec::new();
    for v in board.points() {
        if let Some(side) = live(v) {
            out.stones[side.index()] += 1;
            out.owned[side.index()].insert(v);
            continue;
        }
        if let Some(side) = board.color(v).side() {
            out.dead[side.index()] += 1;
        }
        if !seen.insert(v) {
            continue;
        }
        region.clear();
        region.push(v);
        let mut touches = [false; 2];
        let mut at = 0;
        while let Some(&u) = region.get(at) {
            at += 1;
            for n in u.neighbors() {
                if let Some(side) = live(n) {
                    touches[side.index()] = true;
                } else if board.color(n) != Color::Border && seen.insert(n) {
                    region.push(n);
                }
            }
        }
        let owner = match touches {
            [true, false] => BLACK,
            [false, true] => WHITE,
            _ => {
                out.shared += region.len() as u32;
                continue;
            }
        };
        out.enclosed[owner.index()] += region.len() as u32;
        for &u in &region {
            out.owned[owner.index()].insert(u);
        }
    }
    out
}

impl Count {
    /// Area of a side in half points: shared points count half for each.
    pub const fn area_halves(&self, side: Side) -> u32 {
        2 * (self.stones[side.index()] + self.enclosed[side.index()]) + self.shared
    }

    /// Black's area less White's, in points.
    pub const fn area_difference(&self) -> i32 {
        (self.stones[0] + self.enclosed[0]) as i32 - (self.stones[1] + self.enclosed[1]) as i32
    }
}

/// The outcome of a counted game: Black's lead in points after komi; negative when White leads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Margin(pub f32);

impl Margin {
    /// The winner; `None`: a draw.
    pub fn winner(self) -> Option<Side> {
        if self.0 > 0.0 {
            Some(BLACK)
        } else if self.0 < 0.0 {
            Some(WHITE)
        } else {
            None
        }
    }

    /// The result in Chinese: `和棋`; in 子, which are two points, where area counts (`黑胜3¾子`), else in 目
    /// (`白胜7½目`).
    pub fn chinese(self, scoring: Scoring) -> String {
        let (quarters, unit) = match scoring {
            Scoring::Area => (2.0, '子'),
            Scoring::Territory => (4.0, '目'),
        };
        let points = self.0.abs();
        let quarters = (points * quarters).round() as u32;
        if quarters == 0 && points > 0.0 {
            // Only a strange komi leaves so little.
            let amount = if unit == '子' { points / 2.0 } else { points };
            let winner = if self.0 > 0.0 { '黑' } else { '白' };
            return format!("{winner}胜{}{unit}", rounded(amount));
        }
        let whole = if quarters >= 4 { (quarters / 4).to_string() } else { String::new() };
        let part = ["", "¼", "½", "¾"][quarters as usize % 4];
        match self.winner() {
            Some(Side::First) => format!("黑胜{whole}{part}{unit}"),
            Some(Side::Second) => format!("白胜{whole}{part}{unit}"),
            None => "和棋".to_owned(),
        }
    }
}

impl fmt::Display for Margin {
    /// As GTP and SGF write it: `B+7.5`, `W+0.5`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            Some(Side::First) => write!(f, "B+{}", rounded(self.0)),
            Some(Side::Second) => write!(f, "W+{}", rounded(-self.0)),
            None => f.write_str("0"),
        }
    }
}

/// Points of a komi as people write it: `7.5`, or in stones (子), which are two points each: `3.75zi`,
/// `3.75子`, `3¾子`, `3又3/4子`.
pub fn read_komi(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix('子').or_else(|| text.strip_suffix("zi")) {
        Some(number) => (number.trim_end(), 2.0),
        None => (text, 1.0),
    };
    Some(unit * read_mixed(number)?)
}

/// `3.75`, `3又3/4`, `3/4` or `3¾`.
fn read_mixed(text: &str) -> Option<f64> {
    let digits = |text: &str| text.parse::<u16>().ok().map(f64::from);
    let fraction = |text: &str| match text {
        "¼" => Some(0.25),
        "½" => Some(0.5),
        "¾" => Some(0.75),
        _ => {
            let (above, below) = text.split_once('/')?;
            Some(digits(above)? / digits(below).filter(|&below| below > 0.0)?)
        }
    };
    if let Some((whole, part)) = text.split_once('又') {
        return Some(digits(whole)? + fraction(part)?);
    }
    match text.find(['¼', '½', '¾', '/']).map(|at| text.split_at(at)) {
        None => text.parse().ok(),
        Some((whole, part)) if !whole.is_empty() && !part.starts_with('/') => {
            Some(digits(whole)? + fraction(part)?)
        }
        Some(_) => fraction(text),
    }
}

/// Without the noise of 32 bits: 0.1, not 0.10000038.
fn rounded(points: f32) -> f64 {
    let points = f64::from(points);
    let round = (points * 1e4).round() / 1e4;
    if round == 0.0 { points } else { round }
}

/// The result of a game in which the stones of `dead` are dead, by the rules of the game, komi and handicap
/// compensation included.
pub fn margin(position: &Position, dead: &PointSet) -> Margin {
    let count = count(position.board(), dead);
    let taxed = |side: Side| tax(position, &count, side, dead) as i32;
    let taxes = taxed(BLACK) - taxed(WHITE);
    let lead = match position.rules().scoring {
        Scoring::Area => count.area_difference() - taxes,
        Scoring::Territory => {
            let points = |side: Side| {
                let (own, enemy) = (side.index(), side.other());
                let prisoners = position.board().lost(enemy) + count.dead[enemy.index()];
                (count.enclosed[own] + prisoners) as i32
            };
            points(BLACK) - points(WHITE) - taxes
        }
    };
    Margin(lead as f32 + button(position) - position.white_bonus())
}

/// The count in stones (子), two points each, as the Chinese rules have it (GO-9 to GO-11):
/// `黑 185 子，需 184¼ 子`. `None`: territory is counted, or something besides area and komi.
pub fn count_in_stones(position: &Position, dead: &PointSet) -> Option<Message> {
    let (rules, board) = (position.rules(), position.board());
    if rules.scoring != Scoring::Area || rules.tax != Tax::None || rules.has_button {
        return None;
    }
    let quarters = |quarters: u32| format!("{}{}", quarters / 4, ["", "¼", "½", "¾"][quarters as usize % 4]);
    let area = count(board, dead).area_halves(BLACK) * 2;
    // More than half the board, and half of what White gets.
    let needed = 2.0 * (board.points().count() as f32 + position.white_bonus());
    let is_usual = needed >= 0.0 && needed.fract() == 0.0;
    is_usual.then(|| {
        message!(
            "Black {area} stones, {needed} needed" | "黑 {area} 子，需 {needed} 子",
            area = quarters(area),
            needed = quarters(needed as u32)
        )
    })
}

/// What the button gives to Black: half a point of the first pass.
fn button(position: &Position) -> f32 {
    let mut passes = position.moves().iter().filter(|(_, mv)| !mv.is_stone());
    match passes.next() {
        Some(&(side, _)) if position.rules().has_button => {
            if side == BLACK {
                0.5
            } else {
                -0.5
            }
        }
        _ => 0.0,
    }
}

/// Maximum points of a group without two eyes: three in a row can be divided.
const ONE_EYE: usize = 2;

/// Live stones in seki: groups without two eyes that share an empty region with such a group of the other
/// side. `count` is that of the board without `dead`.
pub fn seki(board: &Board, dead: &PointSet, count: &Count) -> PointSet {
    let is_live = |v: Point| board.color(v).side().is_some() && !dead.contains(v);
    let weak = [BLACK, WHITE].map(|side| {
        let mut groups = components(count.owned[side.index()]);
        groups.retain(|group| {
            let points: PointSet = group.iter().copied().filter(|&v| !is_live(v)).collect();
            points.len() <= ONE_EYE && components(points).len() < 2
        });
        groups
    });
    let is_shared = |v: &Point| !is_live(*v) && !count.owned.iter().any(|owned| owned.contains(*v));
    let mut out = PointSet::EMPTY;
    for region in components(board.points().filter(is_shared).collect()) {
        let beside: PointSet = region.iter().flat_map(|v| v.neighbors()).filter(|&n| is_live(n)).collect();
        let around = weak.each_ref().map(|groups| {
            groups.iter().filter(|group| group.iter().any(|&v| beside.contains(v))).collect::<Vec<_>>()
        });
        if around.iter().all(|groups| !groups.is_empty()) {
            let stones =
                around.iter().flatten().flat_map(|group| group.iter().copied()).filter(|&v| is_live(v));
            stones.for_each(|v| _ = out.insert(v));
        }
    }
    out
}

/// Points of a side that the rules' tax takes away.
fn tax(position: &Position, count: &Count, side: Side, dead: &PointSet) -> u32 {
    let board = position.board();
    let in_seki = || {
        let seki = seki(board, dead, count);
        let owned = &count.owned[side.index()];
        let enclosed = owned.iter().filter(|&v| board.color(v).side() != Some(side) || dead.contains(v));
        components(enclosed.collect())
            .iter()
            .filter(|region| region.iter().any(|&v| v.neighbors().iter().any(|&n| seki.contains(n))))
            .map(|region| region.len() as u32)
            .sum::<u32>()
    };
    match position.rules().tax {
        Tax::None => 0,
        Tax::Seki => in_seki(),
        Tax::All => {
            let live = |v: Point| board.color(v).side() == Some(side) && !dead.contains(v);
            let groups = components(count.owned[side.index()]);
            let eyes = |group: &Vec<Point>| (group.iter().filter(|&&v| !live(v)).count() as u32).min(2);
            groups.iter().map(eyes).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Rules;
    use crate::go::testing::board;

    fn position(rows: &[&str], rules: Rules, komi: f32) -> Position {
        let mut position = Position::from_board(board(rows), rules);
        position.set_komi(komi);
        position
    }

    const SPLIT: [&str; 5] = [".X.O.", ".X.O.", ".X.OX", ".X.O.", ".X.O."];

    #[test]
    fn a_komi_is_read_in_points_and_in_stones() {
        for (text, points) in [
            ("7.5", 7.5),
            ("-3", -3.0),
            ("3.75zi", 7.5),
            ("3.75子", 7.5),
            ("2又3/4子", 5.5),
            ("2¾子", 5.5),
            ("¾ 子", 1.5),
            ("3/4zi", 1.5),
            ("15/2", 7.5),
        ] {
            assert_eq!(read_komi(text), Some(points), "{text}");
        }
        for text in ["", "子", "3又子", "又3/4子", "3/0子", "2又3子", "x", "3¾¾子", "1/2/3"] {
            assert_eq!(read_komi(text), None, "{text}");
        }
    }

    #[test]
    fn shared_points_count_half_for_each() {
        let count = count(&board(&SPLIT), &PointSet::EMPTY);
        assert_eq!((count.stones, count.enclosed, count.shared), ([6, 5], [5, 0], 9));
        assert_eq!(count.area_halves(BLACK) + count.area_halves(WHITE), 50);
    }

    #[test]
    fn results_are_written_in_points_and_in_chinese() {
        for (points, text, zi, mu) in [
            (7.5, "B+7.5", "黑胜3¾子", "黑胜7½目"),
            (-0.5, "W+0.5", "白胜¼子", "白胜½目"),
            (0.0, "0", "和棋", "和棋"),
            (-12.0, "W+12", "白胜6子", "白胜12目"),
            (1.0, "B+1", "黑胜½子", "黑胜1目"),
            (25.0 - 24.9, "B+0.1", "黑胜0.05子", "黑胜0.1目"),
        ] {
            let margin = Margin(points);
            let chinese = [Scoring::Area, Scoring::Territory].map(|scoring| margin.chinese(scoring));
            assert_eq!((margin.to_string().as_str(), chinese), (text, [zi, mu].map(str::to_owned)));
        }
    }

    #[test]
    fn dead_stones_are_prisoners_where_territory_counts() {
        let dead: PointSet = [Point::new(4, 2)].into_iter().collect();
        let area = position(&SPLIT, Rules::CHINESE, 0.5);
        assert_eq!(margin(&area, &dead), Margin(-0.5));
        // Five points each; the dead stone stands on one of White's and is a prisoner too.
        let territory = position(&SPLIT, Rules::JAPANESE, 0.5);
        assert_eq!(margin(&territory, &dead), Margin(-1.5));
    }

    #[test]
    fn points_in_seki_do_not_count_where_seki_is_taxed() {
        // An eye of two points, one of one point, and two liberties of both. That both live is given, not
        // searched.
        let rows = [".XX.OO.", ".XXXOOO", "XXX.OOO"];
        let of = |rules| margin(&position(&rows, rules, 0.0), &PointSet::EMPTY);
        assert_eq!(of(Rules::JAPANESE), Margin(0.0));
        assert_eq!(of(Rules { tax: Tax::None, ..Rules::JAPANESE }), Margin(1.0));
        // White lives by two eyes: what Black has beside the same liberties is not in seki.
        let lives = [".XX.OO.", ".XXXOOO", "XXX.OOO", "OOOOOO.", "......."];
        let lives = position(&lives, Rules::JAPANESE, 0.0);
        assert!(seki(lives.board(), &PointSet::EMPTY, &count(lives.board(), &PointSet::EMPTY)).is_empty());
    }

    #[test]
    fn handicap_is_compensated_by_the_rules() {
        let stones = [Point::new(2, 2), Point::new(6, 6), Point::new(2, 6)];
        for (rules, expected) in [
            (Rules::CHINESE, 81.0 - 3.0 - 0.5),
            (Rules::AGA, 81.0 - 2.0 - 0.5),
            (Rules::TROMP_TAYLOR, 81.0 - 0.5),
        ] {
            let mut position = Position::new(9, 9, rules);
            position.set_komi(0.5);
            position.set_handicap(&stones);
            assert_eq!(margin(&position, &PointSet::EMPTY), Margin(expected));
        }
    }

    #[test]
    fn stone_counting_takes_two_points_of_every_group() {
        let rows = [".X.X.", "XXXXX", "OOOOO", ".O.O."];
        let of = |rows: &[&str], rules| margin(&position(rows, rules, 0.0), &PointSet::EMPTY);
        assert_eq!(of(&rows, Rules::STONE), Margin(0.0));
        let apart = ["X.X.O", ".X.XO", "XXXXO", "OOOOO"];
        assert_eq!(of(&apart, Rules::CHINESE).0 - of(&apart, Rules::STONE).0, 2.0);
    }
}
