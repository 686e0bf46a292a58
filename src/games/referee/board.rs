//! Chess and xiangqi: moves from the rule modules, endings with their reasons.

use super::{Referee, Rules};
use crate::chess;
use crate::chess::draws::RULE_PLIES;
use crate::chess::position::Position;
use crate::chess::rules::{self, Claim};
use crate::game::{AlphaBetaGame, Game, MoveList, Side, Text, Verdict};
use crate::games::record::{Ending, GameKind, Reason, Style};
use crate::util::lang::Language;
use crate::xiangqi;
use crate::xiangqi::repetition::judge_here;

/// What the two games say differently.
pub trait Judged: AlphaBetaGame + Text {
    /// A repetition or a drawn position, with its reason; asked when there is a legal move.
    fn draw_or_repetition(&self) -> Option<Ending>;
    /// Whether `side` could still mate, as CH-12 asks when the opponent forfeits the game.
    fn can_win(&self, side: Side) -> bool;
    /// The draw that the side to move can claim with a move that it is about to make.
    fn claim(&self) -> Option<Ending> {
        None
    }
    /// Whether the last move was a capture, or in chess a pawn move.
    fn made_progress(&self) -> bool;
    /// What endgame tables can be asked about.
    fn endgame(&self) -> Option<&Position> {
        None
    }
    /// A legal move in the notation of records, of xiangqi in that of `style`.
    fn record_text(&self, mv: Self::Move, style: Style) -> String;
    /// The legal move that a text in a notation of people means.
    fn read(&self, text: &str) -> Option<Self::Move>;
}

/// A game on a board of pieces.
pub struct Board<G: Text> {
    pos: G,
    kind: GameKind,
    notation: G::Notation,
}

fn start<G: Text>(fen: Option<&str>) -> Result<G, String> {
    fen.map_or_else(|| Ok(G::start()), <G as Text>::from_fen)
}

/// A chess referee.
/// # Errors
/// What is wrong with the FEN.
pub fn chess(fen: Option<&str>, chess960: bool) -> Result<Board<chess::Board>, String> {
    let pos: chess::Board = start(fen)?;
    let (kind, notation) = match chess960 {
        true => (GameKind::CHESS960, chess::notation::Notation::Chess960),
        false => (GameKind::CHESS, chess::notation::Notation::Coordinate),
    };
    Ok(Board { pos, kind, notation })
}

/// A xiangqi referee.
/// # Errors
/// What is wrong with the FEN or the rule set's name.
pub fn xiangqi(fen: Option<&str>, rules: &Rules) -> Result<Board<xiangqi::Board>, String> {
    let mut pos: xiangqi::Board = start(fen)?;
    pos.set_rule_set(rules.repetition.rule_set()?);
    pos.set_no_progress(rules.repetition.limit());
    Ok(Board { pos, kind: GameKind::XIANGQI, notation: Default::default() })
}

impl<G: Judged> Board<G> {
    fn name(&self, side: Side) -> &'static str {
        self.kind.side_name(side)
    }
}

impl<G: Judged> Referee for Board<G> {
    fn side_to_move(&self) -> Side {
        self.pos.side_to_move()
    }

    fn make(&mut self, text: &str) -> Result<(), String> {
        let mv = self.pos.parse_move(text, self.notation)?;
        self.pos.do_move(mv, &mut ());
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        let (us, them) = (self.pos.side_to_move(), self.pos.side_to_move().other());
        let mut moves = MoveList::new();
        self.pos.legal_moves(&mut moves);
        if moves.is_empty() {
            let ending = if self.pos.in_check() {
                Ending::won(them, Reason::Checkmate, format!("{} mates", self.name(them)))
            } else if G::STALEMATE == Verdict::Draw {
                Ending::drawn(Reason::Stalemate, format!("{} is stalemated", self.name(us)))
            } else {
                Ending::won(them, Reason::Stalemate, format!("{} is stalemated", self.name(us)))
            };
            return Some(ending);
        }
        self.pos.draw_or_repetition()
    }

    fn goes_on_after(&self, text: &str) -> bool {
        let Ok(mv) = self.pos.parse_move(text, self.notation) else { return false };
        let mut after = Self { pos: self.pos.clone(), ..*self };
        after.pos.do_move(mv, &mut ());
        after.ending().is_none()
    }

    fn forfeit(&self, loser: Side, reason: Reason, detail: String) -> Ending {
        if self.pos.can_win(loser.other()) {
            Ending::won(loser.other(), reason, detail)
        } else {
            Ending::drawn(reason, format!("{detail}; {} cannot mate", self.name(loser.other())))
        }
    }

    fn claim(&self) -> Option<Ending> {
        self.pos.claim()
    }

    fn first_illegal<'l>(&self, line: &'l [String]) -> Option<&'l str> {
        let mut pos = self.pos.clone();
        let is_illegal = |mv: &&String| match pos.parse_move(mv, self.notation) {
            Ok(mv) => {
                pos.do_move(mv, &mut ());
                false
            }
            Err(_) => true,
        };
        line.iter().find(is_illegal).map(String::as_str)
    }

    fn made_progress(&self) -> bool {
        self.pos.made_progress()
    }

    fn captures(&self, text: &str) -> bool {
        self.pos.parse_move(text, self.notation).is_ok_and(|mv| self.pos.is_capture(mv))
    }

    fn coordinates(&self, text: &str) -> String {
        self.pos
            .parse_move(text, self.notation)
            .map_or_else(|_| text.to_owned(), |mv| self.pos.move_text(mv, self.notation))
    }

    fn read(&self, text: &str) -> Option<String> {
        self.pos.read(text).map(|mv| self.pos.move_text(mv, self.notation))
    }

    fn notation(&self, text: &str, style: Style) -> String {
        self.pos
            .parse_move(text, self.notation)
            .map_or_else(|_| text.to_owned(), |mv| self.pos.record_text(mv, style))
    }

    fn endgame(&self) -> Option<&Position> {
        self.pos.endgame()
    }
}

impl Judged for xiangqi::Board {
    fn draw_or_repetition(&self) -> Option<Ending> {
        if self.is_dead() {
            return Some(Ending::drawn(Reason::DeadPosition, "neither side can win"));
        }
        // A second occurrence is none of the judge's business.
        let judged = if self.is_third_occurrence() { judge_here(self) } else { None };
        match judged {
            Some(judged) => Some(Ending {
                winner: judged.ruling.loser().map(Side::other),
                reason: Reason::Repetition,
                detail: judged.summary(Language::English),
            }),
            None => self
                .is_without_progress()
                .then(|| Ending::drawn(Reason::NoProgress, "too many moves without a capture")),
        }
    }

    fn can_win(&self, _: Side) -> bool {
        // XQ-6 knows no exception.
        true
    }

    fn made_progress(&self) -> bool {
        self.plies_without_capture() == 0
    }

    fn record_text(&self, mv: Self::Move, style: Style) -> String {
        style.xiangqi(self, mv)
    }

    fn read(&self, text: &str) -> Option<Self::Move> {
        crate::xiangqi::notation::read_any(self, text).ok()
    }
}

impl Judged for chess::Board {
    fn draw_or_repetition(&self) -> Option<Ending> {
        if rules::is_dead(self.position()) {
            return Some(Ending::drawn(Reason::DeadPosition, "neither side can mate"));
        }
        if self.rule_counter() >= RULE_PLIES {
            return Some(Ending::drawn(Reason::NoProgress, "fifty moves without a capture or a pawn move"));
        }
        (self.repetitions() >= 2)
            .then(|| Ending::drawn(Reason::Repetition, "third occurrence of the position"))
    }

    fn endgame(&self) -> Option<&Position> {
        self.made_progress().then(|| self.position())
    }

    fn can_win(&self, side: Side) -> bool {
        rules::winner_by_forfeit(self, side.other()).is_some()
    }

    fn claim(&self) -> Option<Ending> {
        let name = GameKind::CHESS.side_name(self.side_to_move());
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.iter().find_map(|&mv| {
            let (reason, rule) = match rules::claim_with(self, mv)? {
                Claim::Threefold => (Reason::Repetition, "third occurrence of the position (FIDE 9.2)"),
                Claim::FiftyMoves => {
                    (Reason::NoProgress, "fifty moves without a capture or a pawn move (FIDE 9.3)")
                }
            };
            let detail = format!("{name} claims a draw with {}: {rule}", self.san(mv));
            Some(Ending::drawn(reason, detail))
        })
    }

    fn made_progress(&self) -> bool {
        self.rule_counter() == 0
    }

    fn record_text(&self, mv: Self::Move, _: Style) -> String {
        self.san(mv)
    }

    fn read(&self, text: &str) -> Option<Self::Move> {
        self.parse_san(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::referee::Repetition;

    #[test]
    fn every_spelling_of_a_move_has_one_form() {
        let castling = Some("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let usual = |chess960, text: &str| chess(castling, chess960).unwrap().coordinates(text);
        for (text, chess, chess960) in [
            ("e1h1", "e1g1", "e1h1"),
            ("e1g1", "e1g1", "e1h1"),
            ("e1a1", "e1c1", "e1a1"),
            ("a7b8Q", "a7b8Q", "a7b8Q"),
            ("e1e5", "e1e5", "e1e5"),
            ("castles", "castles", "castles"),
        ] {
            assert_eq!([usual(false, text), usual(true, text)], [chess, chess960], "{text}");
        }
        let promotes = chess(Some("8/4P3/8/8/8/k7/8/K7 w - - 0 1"), false).unwrap();
        assert_eq!(
            ["e7e8Q", "e7e8N", "e7e8q"].map(|mv| promotes.coordinates(mv)),
            ["e7e8q", "e7e8n", "e7e8q"]
        );
        let start = xiangqi(None, &Rules::default()).unwrap();
        assert_eq!(["H2-E2", "h2e2", "h2h2"].map(|mv| start.coordinates(mv)), ["h2e2", "h2e2", "h2h2"]);
    }

    #[test]
    fn a_position_in_which_nobody_can_mate_is_dead() {
        let blocked = Some("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1");
        assert_eq!(chess(blocked, false).unwrap().ending().unwrap().reason, Reason::DeadPosition);
        let open = Some("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1");
        assert_eq!(chess(open, false).unwrap().ending(), None);
        let lone_knight = chess(Some("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1"), false).unwrap();
        let fault = |side| lone_knight.forfeit(side, Reason::Crash, "gone".to_owned());
        assert_eq!(fault(Side::Second), Ending::drawn(Reason::Crash, "gone; White cannot mate"));
        assert_eq!(fault(Side::First), Ending::won(Side::Second, Reason::Crash, "gone"));
    }

    #[test]
    fn a_draw_is_claimed_with_the_move_that_is_about_to_be_made() {
        let mut game = chess(None, false).unwrap();
        assert_eq!(game.claim(), None);
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
            assert_eq!(game.claim(), None, "{mv}");
            assert_eq!(game.play(mv), Ok(None));
        }
        let claimed = game.claim().unwrap();
        assert_eq!((claimed.winner, claimed.reason), (None, Reason::Repetition));
        assert_eq!(
            claimed.detail,
            "Black claims a draw with Ng8: third occurrence of the position (FIDE 9.2)"
        );
        let quiet = chess(Some("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), false).unwrap();
        assert_eq!(quiet.claim().map(|ending| ending.reason), Some(Reason::NoProgress));
        assert_eq!(xiangqi(None, &Rules::default()).unwrap().claim(), None);
    }

    #[test]
    fn a_line_of_play_is_looked_at_to_its_first_illegal_move() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let start = chess(None, false).unwrap();
        assert_eq!(start.first_illegal(&words("e2e4 e7e5 g1f3")), None);
        assert_eq!(start.first_illegal(&words("e2e4 e2e4 a1a8")), Some("e2e4"));
        assert_eq!(start.first_illegal(&words("e2e4 0000")), Some("0000"));
        let castles = chess(Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), true).unwrap();
        assert_eq!(castles.first_illegal(&words("e1g1 e8a8 f1e1")), None);
        let red = xiangqi(None, &Rules::default()).unwrap();
        assert_eq!(red.first_illegal(&words("h2e2 h9g7 e2e7")), Some("e2e7"));
    }

    /// A game went on behind a perpetual check: what comes later is judged by itself.
    #[test]
    fn the_last_cycle_is_judged_and_no_earlier_one() {
        let mut game = xiangqi(Some("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1"), &Rules::default()).unwrap();
        let checks = ["a8a9", "d9d8", "a9a8", "d8d9"];
        let quiet = ["a8a5", "d9d8", "a5a4", "d8d9", "a4a5", "d9d8", "a5a4", "d8d9", "a4a5", "d9d8"];
        let ends: Vec<_> =
            checks.iter().chain(&checks).chain(&quiet).filter_map(|mv| game.play(mv).unwrap()).collect();
        let told: Vec<_> = ends.iter().map(|end| (end.reason, end.winner)).collect();
        assert_eq!(told.first(), Some(&(Reason::Repetition, Some(Side::Second))));
        assert_eq!(told.last(), Some(&(Reason::Repetition, None)), "{ends:?}");
    }

    /// Red checks without end.
    fn perpetual_check(no_progress: u16) -> Ending {
        let rules =
            Rules { repetition: Repetition { no_progress, ..Repetition::default() }, ..Rules::default() };
        let mut game = xiangqi(Some("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1"), &rules).unwrap();
        for mv in ["a8a9", "d9d8", "a9a8", "d8d9"].into_iter().cycle().take(40) {
            if let Some(ending) = game.play(mv).unwrap() {
                return ending;
            }
        }
        panic!("no end");
    }

    #[test]
    fn a_second_occurrence_is_not_judged_when_the_game_ends_without_progress() {
        assert_eq!(perpetual_check(4).reason, Reason::NoProgress);
        assert_eq!(perpetual_check(4).winner, None);
        assert_eq!(perpetual_check(120).reason, Reason::Repetition);
        assert_eq!(perpetual_check(120).winner, Some(Side::Second));
    }
}
