//! Moves judged by the chances they lose: a pawn less matters in an even position, and not in one that is
//! won.

mod lines;
mod material;
mod motifs;
mod nets;
mod reason;
mod stones;

pub use reason::reason;

use super::language::columns;
use super::seat::Seat;
use crate::engine::{Event, Limits, Score, Side};
use crate::games::game::Game;
use crate::games::record::{GameKind, Numbering, Reason};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;

/// Chances that a move loses, of 1, and the sign it gets, as annotators use them.
const SIGNS: [(f64, &str); 3] = [(0.26, "??"), (0.14, "?"), (0.07, "?!")];
/// Points of Go that a move loses, and its sign; the stricter of the two counts (the limits of KaTrain).
const POINT_SIGNS: [(f64, &str); 3] = [(12.0, "??"), (6.0, "?"), (3.0, "?!")];
/// Visits from which on owners are trusted.
const TRUSTED_VISITS: u64 = 150;
/// Standard error of a lead, in points, up to which it is trusted. By the net alone few visits do; with
/// playouts, whose results differ by 41 points on 9×9 and 83 on 19×19, it takes 230 and 950.
const TRUSTED_ERROR: f64 = 2.7;
/// Centipawns before a move that allows a forced mate, and its sign: the limits of lichess (scalachess,
/// `Advice.scala`).
const MATED: [(i32, &str); 3] = [(-700, "??"), (-999, "?"), (i32::MIN, "?!")];

/// The sign of a move that is not the best one, after which the opponent has a forced mate that was not there
/// before.
fn mated_sign(before: Option<Score>, after: Option<Score>) -> Option<&'static str> {
    let (Some(Score::Centipawns(cp)), Some(Score::Mate(1..))) = (before, after) else { return None };
    MATED.iter().find(|(min, _)| cp >= *min).map(|(_, sign)| *sign)
}

/// Centipawns of a game that is won by rule, as searches report it.
const KNOWN_WIN: i32 = 20_000;

/// The result of searching a position.
#[derive(Clone, Debug)]
pub struct Opinion {
    pub side: Side,
    /// From the side to move; `None` in Go.
    pub score: Option<Score>,
    /// Go: the lead in points, from the side to move.
    pub lead: f64,
    /// Go: the standard error of the lead.
    pub lead_error: f64,
    /// Go: the visits of the search.
    pub visits: u64,
    /// Expected points of the side to move, 0 to 1.
    pub chances: f64,
    /// The best move, in coordinates.
    pub best: Option<String>,
    /// The line expected, as people write it.
    pub line: Vec<String>,
    /// Go: whose each point will be, row by row from the top: 1 is the side's to move, -1 the opponent's.
    pub owner: Vec<f32>,
}

impl Default for Opinion {
    fn default() -> Self {
        let score = Some(Score::Centipawns(0));
        Self {
            side: Side::First,
            score,
            lead: 0.0,
            lead_error: 0.0,
            visits: 0,
            chances: 0.5,
            best: None,
            line: Vec::new(),
            owner: Vec::new(),
        }
    }
}

impl Opinion {
    /// Go: whether the search was long enough for its owners.
    fn knows_owners(&self) -> bool {
        self.visits >= TRUSTED_VISITS
    }

    /// Go: whether it was long enough for its lead, too.
    fn knows_lead(&self) -> bool {
        self.knows_owners() && self.lead_error <= TRUSTED_ERROR
    }

    /// Takes in what a search reports; the line stays in coordinates.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Info(info) if info.multipv == 1 => {
                self.score = Some(info.score);
                self.chances = chances(info.score, info.wdl);
                self.line.clone_from(&info.pv);
            }
            Event::Analysis(analysis) => {
                self.score = None;
                self.chances = analysis.winrate;
                self.lead = analysis.score_lead;
                self.lead_error = analysis.score_error;
                self.visits = analysis.visits;
                self.owner.clone_from(&analysis.ownership);
                self.line = analysis.moves.first().map_or_else(Vec::new, |mv| mv.pv.clone());
            }
            Event::BestMove(best) => self.best.clone_from(&best.mv),
            _ => {}
        }
    }
}

/// Expected points of the side to move: by the model of the game where there is one, else as a lead of a pawn
/// is worth a hundred Elo.
pub fn chances(score: Score, wdl: Option<[u32; 3]>) -> f64 {
    match (score, wdl) {
        (Score::Mate(n), _) => f64::from(u8::from(n > 0)),
        (_, Some([wins, draws, _])) => f64::from(2 * wins + draws) / 2000.0,
        (Score::Centipawns(cp), None) => 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0)),
    }
}

#[derive(Clone, Debug)]
pub struct Judged {
    pub ply: usize,
    /// The move as people write it.
    pub text: String,
    pub side: Side,
    /// The chances it lost, 0 to 1.
    pub loss: f64,
    /// `??`, `?`, `?!` or nothing.
    pub sign: &'static str,
    /// The score after it, from the first side.
    pub score: String,
    /// Centipawns after it, from the first side; none in Go and in mates.
    pub centipawns: Option<i32>,
    /// Expected points of the first side after it, 0 to 1.
    pub chances: f64,
    /// Go: Black's lead after it, in points; none where the search does not know it.
    pub lead: Option<f64>,
    /// Go: the points that it lost; none where little was searched.
    pub points: Option<f64>,
    /// Why it is a mistake, if it has a sign and the search shows why.
    pub reason: Option<Message>,
    /// Go: whose each point will be after it: 1 is Black's, -1 White's.
    pub owner: Vec<f32>,
    /// What was better, if it lost so much that it has a sign, or if the best lines are asked for.
    pub better: Vec<String>,
    /// The same in coordinates, if it has a sign.
    pub line: Vec<String>,
}

impl Judged {
    /// The move `mv` that is played at the end of `game`, as [`new`](Self::new) judges it, with the reason
    /// why it is a mistake.
    pub fn explained(game: &Game, ply: usize, mv: &str, before: Opinion, after: &Opinion) -> Self {
        let reason = reason(game, mv, &before, after);
        let judged = Self::new(ply, mv, before, after);
        Self { reason: reason.filter(|_| !judged.sign.is_empty()), ..judged }
    }

    /// The move `mv` of a game, from what was thought before it and after it.
    pub fn new(ply: usize, mv: &str, before: Opinion, after: &Opinion) -> Self {
        let is_best = before.best.as_deref() == Some(mv);
        // A game that is over is counted, not searched.
        let is_over = after.score.is_none() && after.best.is_none();
        let loss = if is_best || is_over { 0.0 } else { (before.chances - (1.0 - after.chances)).max(0.0) };
        let points = match before.knows_lead() && after.knows_lead() {
            true if is_best => Some(0.0),
            true => Some((before.lead + after.lead).max(0.0)),
            false => None,
        };
        let mated = if is_best { None } else { mated_sign(before.score, after.score) };
        let sign = mated.unwrap_or_else(|| {
            let limits = SIGNS.iter().zip(POINT_SIGNS);
            let reached = |(by_loss, by_points): &(&(f64, &str), (f64, &str))| {
                loss >= by_loss.0 || points.is_some_and(|points| points >= by_points.0)
            };
            limits.into_iter().find(reached).map_or("", |((_, sign), _)| sign)
        });
        let first = after.side == Side::First;
        let own = if first { 1 } else { -1 };
        let is_known = after.score.is_none() && !is_over && after.knows_lead();
        let lead = is_known.then(|| f64::from(own) * after.lead);
        let score = match after.score {
            Some(Score::Centipawns(cp)) => format!("{:+.2}", f64::from(own * cp) / 100.0),
            Some(Score::Mate(0)) => "mate".to_owned(),
            Some(Score::Mate(n)) => format!("#{}", own * n),
            None => {
                let chances = 100.0 * if first { after.chances } else { 1.0 - after.chances };
                match lead {
                    _ if is_over => "counted".to_owned(),
                    Some(lead) => format!("{chances:.1} % {lead:+.1}"),
                    None => format!("{chances:.1} %"),
                }
            }
        };
        Self {
            ply,
            text: String::new(),
            side: before.side,
            loss,
            sign,
            score,
            centipawns: match after.score {
                Some(Score::Centipawns(cp)) => Some(own * cp),
                _ => None,
            },
            chances: match (is_over, before.side == Side::First) {
                (true, true) => before.chances,
                (true, false) => 1.0 - before.chances,
                (false, _) if first => after.chances,
                (false, _) => 1.0 - after.chances,
            },
            owner: after.owner.iter().map(|owner| if first { *owner } else { -owner }).collect(),
            lead,
            points,
            reason: None,
            better: if sign.is_empty() { Vec::new() } else { before.line.clone() },
            line: if sign.is_empty() { Vec::new() } else { before.line },
        }
    }

    pub fn score_text(&self, language: Language) -> String {
        match self.score.as_str() {
            "mate" => words::mated(language),
            "counted" => words::counted(language),
            score => score.to_owned(),
        }
    }

    pub fn line(&self, text: &str, numbering: Numbering, language: Language) -> String {
        let better = self.better[..self.better.len().min(6)].join(" ");
        let better = if better.is_empty() { better } else { words::better(language, better) };
        let shown = format!("{text}{}", self.sign);
        let padding = " ".repeat(10usize.saturating_sub(columns(&shown)));
        format!("{:>7} {shown}{padding} {:>8}{better}", numbering.text(self.ply), self.score_text(language))
    }
}

/// All moves of a game.
#[derive(Default)]
pub struct Verdicts {
    pub moves: Vec<Judged>,
    /// The move that was played and is not judged yet.
    pub played: Vec<String>,
    /// Expected points of the first side before the first move, 0 to 1.
    pub start: f64,
}

impl Verdicts {
    /// How well a side played, in percent. `None`: it did not move.
    pub fn accuracy(&self, side: Side) -> Option<f64> {
        let own: Vec<f64> = self.moves.iter().filter(|mv| mv.side == side).map(|mv| mv.loss).collect();
        (!own.is_empty()).then(|| accuracy(own.into_iter()))
    }

    /// The same with the numbers of bad moves. `None`: it did not move.
    pub fn summary(&self, side: Side, language: Language) -> Option<String> {
        let own: Vec<&Judged> = self.moves.iter().filter(|mv| mv.side == side).collect();
        if own.is_empty() {
            return None;
        }
        let count = |sign: &str| own.iter().filter(|mv| mv.sign == sign).count();
        let accuracy = accuracy(own.iter().map(|mv| mv.loss));
        Some(words::accuracy(language, accuracy, count("??"), count("?"), count("?!")))
    }
}

/// The mean of what the moves are worth, in percent: one that loses nothing 100, one that loses a tenth of
/// all chances two thirds, and one that loses a half an eighth.
fn accuracy(losses: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = losses.len().max(1) as f64;
    100.0 * losses.map(|loss| (-4.0 * loss).exp()).sum::<f64>() / count
}

/// What the engine at a seat thinks of the position before it.
pub fn search(seat: &mut Seat, limits: Limits) -> Result<Opinion, Message> {
    let mut opinion = Opinion { side: seat.engine().side_to_move(), ..Opinion::default() };
    for event in seat.search(limits)? {
        opinion.hear(&event);
        if matches!(event, Event::BestMove(_)) {
            break;
        }
    }
    seat.engine().wait();
    Ok(opinion)
}

/// Visits of Go and nodes of the other games for each position, if nothing is asked for.
const VISITS: u64 = 400;
const NODES: u64 = 100_000;

/// How long a position is looked at: the nodes asked for, or the usual number.
pub fn limits(kind: GameKind, nodes: Option<u64>) -> Limits {
    let usual = if kind == GameKind::GO { VISITS } else { NODES };
    Limits { nodes: Some(nodes.unwrap_or(usual)), analysis: kind == GameKind::GO, ..Limits::default() }
}

/// The opinion on a last position where nothing is left to search: a rule ended the game, or both have
/// passed.
pub fn at_the_end(game: &Game) -> Option<Opinion> {
    let passed = || Opinion { side: game.side_to_move(), score: None, ..Opinion::default() };
    by_rule(game).or_else(|| game.both_passed().then(passed))
}

/// The opinion on the final position of chess or xiangqi where a rule ended the game (not a mate, which a
/// search sees): nothing comes after it.
pub fn by_rule(game: &Game) -> Option<Opinion> {
    let end = game.ending()?;
    if matches!(end.reason, Reason::Checkmate | Reason::Stalemate) {
        return None;
    }
    let side = game.side_to_move();
    let (cp, chances) = match end.winner {
        None => (0, 0.5),
        Some(winner) if winner == side => (KNOWN_WIN, 1.0),
        Some(_) => (-KNOWN_WIN, 0.0),
    };
    Some(Opinion { side, score: Some(Score::Centipawns(cp)), chances, ..Opinion::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(before: i32, after: i32) -> Judged {
        let opinion = |side, cp| {
            let score = Score::Centipawns(cp);
            Opinion { side, score: Some(score), chances: chances(score, None), ..Opinion::default() }
        };
        Judged::new(4, "e2e4", opinion(Side::First, before), &opinion(Side::Second, -after))
    }

    #[test]
    fn what_is_lost_anyway_is_no_mistake() {
        assert_eq!(judged(30, 20).sign, "");
        assert_eq!(judged(30, -20).sign, "?!");
        assert_eq!(judged(0, -110).sign, "?");
        assert_eq!(judged(0, -300).sign, "??");
        // Four pawns, but lost before and after; and still won.
        assert_eq!((judged(-860, -1270).sign, judged(1270, 860).sign), ("", ""));
        assert_eq!(judged(30, 20).score, "+0.20");
    }

    #[test]
    fn a_move_that_allows_mate_is_a_blunder_unless_the_game_was_lost() {
        let opinion = |side, score| Opinion {
            side,
            score: Some(score),
            chances: chances(score, None),
            best: Some("g1f3".to_owned()),
            ..Opinion::default()
        };
        use Score::{Centipawns, Mate};
        for (before, after, mv, sign) in [
            (Centipawns(-240), Mate(2), "e2e4", "??"),
            (Centipawns(-700), Mate(2), "e2e4", "??"),
            (Centipawns(-800), Mate(9), "e2e4", "?"),
            (Centipawns(-1500), Mate(9), "e2e4", "?!"),
            // The best move, a mate that was there before, and one that the move gives.
            (Centipawns(-240), Mate(2), "g1f3", ""),
            (Mate(-5), Mate(2), "e2e4", ""),
            (Centipawns(300), Mate(0), "e2e4", ""),
        ] {
            let (before, after) = (opinion(Side::First, before), opinion(Side::Second, after));
            assert_eq!(Judged::new(4, mv, before.clone(), &after).sign, sign, "{before:?} {after:?}");
        }
    }

    #[test]
    fn points_are_judged_where_the_search_knows_them() {
        let judged = |visits, lead_error| {
            let opinion =
                |side, lead| Opinion { side, score: None, visits, lead, lead_error, ..Opinion::default() };
            let judged = Judged::new(4, "K3", opinion(Side::First, 7.0), &opinion(Side::Second, 0.0));
            (judged.sign, judged.points)
        };
        assert_eq!(judged(400, 0.4), ("?", Some(7.0)));
        assert_eq!(judged(400, 4.2), ("", None));
        assert_eq!(judged(100, 0.4), ("", None));
    }

    #[test]
    fn accuracy_is_a_mean_of_moves() {
        assert!((accuracy([0.0, 0.0].into_iter()) - 100.0).abs() < 1e-9);
        assert!((accuracy([0.1].into_iter()) - 67.0).abs() < 0.1);
    }
}
