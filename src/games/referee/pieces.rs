//! Chess and xiangqi: moves from the rule modules, endings with their reasons.

use super::Referee;
use crate::chess;
use crate::chess::position::Position;
use crate::chess::rules::{self, Claim};
use crate::game::{AlphaBetaGame, Game, GameId, Side, Text, Verdict};
use crate::games::notation;
use crate::games::record::{Ending, Reason, Style};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::xiangqi;
use crate::xiangqi::notation::{Notation, read_with};
use crate::xiangqi::repetition::judge_here;
use std::ops::Deref;

/// What differs between the two games.
pub(super) trait Judged: AlphaBetaGame + Text {
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
    /// The legal move that a text in any notation names.
    fn read(&self, text: &str, notation: Self::Notation) -> Result<Self::Move, Message>;
    /// A legal move as people write it, of xiangqi in this style.
    fn write(&self, mv: Self::Move, style: Style) -> String;
}

#[derive(Clone)]
pub struct Pieces<G: Text> {
    board: G,
    notation: G::Notation,
}

impl<G: Text> Deref for Pieces<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.board
    }
}

impl<G: Text> Pieces<G> {
    pub(in crate::games) fn new(board: G, notation: G::Notation) -> Self {
        Self { board, notation }
    }

    fn parse(&self, mv: &str) -> Result<G::Move, Message> {
        self.board.parse_move(mv, self.notation)
    }

    fn make(&mut self, mv: G::Move) -> String {
        let text = self.board.move_text(mv, self.notation);
        self.board.do_move(mv, &mut ());
        text
    }
}

impl Pieces<chess::Board> {
    /// Plays the legal move that a text in any notation names, and gives it in coordinates.
    pub(in crate::games) fn play_text(&mut self, text: &str) -> Result<String, Message> {
        Ok(self.make(self.board.read(text, self.notation)?))
    }
}

impl Pieces<xiangqi::Board> {
    /// Plays the legal move that a text names in any notation whose ranks count like this, and gives it in
    /// coordinates.
    pub(in crate::games) fn play_with(&mut self, text: &str, ranks: Notation) -> Result<String, Message> {
        Ok(self.make(read_with(&self.board, text, ranks)?))
    }
}

impl<G: Judged> Referee for Pieces<G> {
    fn side_to_move(&self) -> Side {
        self.board.side_to_move()
    }

    fn legal(&self) -> Vec<String> {
        self.board.legal().iter().map(|&mv| self.board.move_text(mv, self.notation)).collect()
    }

    fn play(&mut self, mv: &str) -> Result<String, Message> {
        Ok(self.make(self.parse(mv)?))
    }

    fn undo(&mut self, count: usize) {
        (0..count).for_each(|_| self.board.undo_move());
    }

    fn read(&self, text: &str) -> Result<String, Message> {
        Ok(self.board.move_text(self.board.read(text, self.notation)?, self.notation))
    }

    fn write(&self, mv: &str, style: Style) -> String {
        self.parse(mv).map_or_else(|_| mv.to_owned(), |mv| self.board.write(mv, style))
    }

    fn coordinates(&self, mv: &str) -> String {
        self.parse(mv).map_or_else(|_| mv.to_owned(), |mv| self.board.move_text(mv, self.notation))
    }

    fn fen(&self) -> Option<String> {
        Some(self.board.fen())
    }

    fn ending(&self) -> Option<Ending> {
        let (us, them) = (self.board.side_to_move(), self.board.side_to_move().other());
        if self.board.count_legal() > 0 {
            return self.board.draw_or_repetition();
        }
        let stalemated = || message!("{side} is stalemated" | "{side}无子可动", side = G::ID.side(us));
        Some(if self.board.in_check() {
            let detail = message!("{side} mates" | "{side}将死对方", side = G::ID.side(them));
            Ending::won(them, Reason::Checkmate, detail)
        } else if G::STALEMATE == Verdict::Draw {
            Ending::drawn(Reason::Stalemate, stalemated())
        } else {
            Ending::won(them, Reason::Stalemate, stalemated())
        })
    }

    fn goes_on_after(&self, mv: &str) -> bool {
        let mut after = self.clone();
        after.play(mv).is_ok() && after.ending().is_none()
    }

    fn forfeit(&self, loser: Side, reason: Reason, detail: Message) -> Ending {
        let winner = loser.other();
        if self.board.can_win(winner) {
            Ending::won(winner, reason, detail)
        } else {
            let side = G::ID.side(winner);
            Ending::drawn(
                reason,
                message!("{detail}; {side} cannot mate" | "{detail}，但{side}无法将死", detail, side),
            )
        }
    }

    fn claim(&self) -> Option<Ending> {
        self.board.claim()
    }

    fn first_illegal<'l>(&self, line: &'l [String]) -> Option<&'l str> {
        let mut after = self.clone();
        line.iter().find(|mv| after.play(mv).is_err()).map(String::as_str)
    }

    fn made_progress(&self) -> bool {
        self.board.made_progress()
    }

    fn captures(&self, mv: &str) -> bool {
        self.parse(mv).is_ok_and(|mv| self.board.is_capture(mv))
    }

    fn endgame(&self) -> Option<&Position> {
        self.board.endgame()
    }
}

impl Judged for xiangqi::Board {
    fn draw_or_repetition(&self) -> Option<Ending> {
        if self.is_dead() {
            return Some(Ending::drawn(
                Reason::DeadPosition,
                message!("neither side can win" | "双方均无取胜可能"),
            ));
        }
        // A second occurrence is none of the judge's business.
        let judged = if self.is_third_occurrence() { judge_here(self) } else { None };
        match judged {
            Some(judged) => Some(Ending {
                winner: judged.ruling.loser().map(Side::other),
                reason: Reason::Repetition,
                detail: Message::new(judged.summary(Language::English), judged.summary(Language::Chinese)),
            }),
            None => self.is_without_progress().then(|| {
                let detail = message!("too many moves without a capture" | "自然限着：长时间没有吃子");
                Ending::drawn(Reason::NoProgress, detail)
            }),
        }
    }

    fn can_win(&self, _: Side) -> bool {
        // XQ-6 knows no exception.
        true
    }

    fn made_progress(&self) -> bool {
        self.plies_without_capture() == 0
    }

    fn read(&self, text: &str, _: Self::Notation) -> Result<Self::Move, Message> {
        notation::xiangqi_move(self, text)
    }

    fn write(&self, mv: Self::Move, style: Style) -> String {
        style.xiangqi(self, mv)
    }
}

/// Names a number of plies without a capture or a pawn move.
pub(crate) fn quiet_moves(plies: u16) -> Message {
    match plies / 2 {
        50 => message!("fifty moves without a capture or a pawn move" | "五十回合没有吃子，也没有走兵"),
        moves => message!(
            "{moves} moves without a capture or a pawn move" | "{moves} 回合没有吃子，也没有走兵",
            moves
        ),
    }
}

fn third_occurrence() -> Message {
    message!("third occurrence of the position" | "局面第三次出现")
}

impl Judged for chess::Board {
    fn draw_or_repetition(&self) -> Option<Ending> {
        let (reason, detail) = if rules::is_dead(self.position()) {
            (Reason::DeadPosition, message!("neither side can mate" | "双方均无法将死"))
        } else if self.rule_counter() >= self.claim_plies() {
            (Reason::NoProgress, quiet_moves(self.claim_plies()))
        } else if self.repetitions() >= 2 {
            (Reason::Repetition, third_occurrence())
        } else {
            return None;
        };
        Some(Ending::drawn(reason, detail))
    }

    fn endgame(&self) -> Option<&Position> {
        self.made_progress().then(|| self.position())
    }

    fn can_win(&self, side: Side) -> bool {
        rules::winner_by_forfeit(self, side.other()).is_some()
    }

    fn claim(&self) -> Option<Ending> {
        let side = GameId::Chess.side(self.side_to_move());
        self.legal().iter().find_map(|&mv| {
            let (reason, rule) = match rules::claim_with(self, mv)? {
                Claim::Threefold => (Reason::Repetition, third_occurrence()),
                Claim::FiftyMoves => (Reason::NoProgress, quiet_moves(self.claim_plies())),
            };
            let article = if reason == Reason::Repetition { "FIDE 9.2" } else { "FIDE 9.3" };
            let detail = message!(
                "{side} claims a draw with {mv}: {rule} ({article})"
                    | "{side}走 {mv}，要求判和：{rule}（{article}）",
                side,
                mv = self.san(mv),
                rule,
                article
            );
            Some(Ending::drawn(reason, detail))
        })
    }

    fn made_progress(&self) -> bool {
        self.rule_counter() == 0
    }

    fn read(&self, text: &str, notation: Self::Notation) -> Result<Self::Move, Message> {
        notation::chess_move(self, text, notation)
    }

    fn write(&self, mv: Self::Move, _: Style) -> String {
        self.san(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::{self, Start};
    use crate::games::record::GameKind;
    use crate::games::referee::{Repetition, Rules};

    fn chess(fen: Option<&str>, chess960: bool) -> game::Game {
        let kind = if chess960 { GameKind::CHESS960 } else { GameKind::CHESS };
        game::Game::at(Start { fen: fen.map(str::to_owned), ..kind.into() }).unwrap()
    }

    fn xiangqi(fen: Option<&str>, rules: Rules) -> game::Game {
        let fen = fen.map(str::to_owned);
        game::Game::at(Start { kind: GameKind::XIANGQI, rules, fen }).unwrap()
    }

    fn play(game: &mut game::Game, mv: &str) -> Option<Ending> {
        game.play(mv).unwrap();
        game.ending()
    }

    #[test]
    fn every_spelling_of_a_move_has_one_form() {
        let castling = Some("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let usual = |chess960, text: &str| chess(castling, chess960).coordinates(text);
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
        let promotes = chess(Some("8/4P3/8/8/8/k7/8/K7 w - - 0 1"), false);
        assert_eq!(
            ["e7e8Q", "e7e8N", "e7e8q"].map(|mv| promotes.coordinates(mv)),
            ["e7e8q", "e7e8n", "e7e8q"]
        );
        let start = xiangqi(None, Rules::default());
        assert_eq!(["H2-E2", "h2e2", "h2h2"].map(|mv| start.coordinates(mv)), ["h2e2", "h2e2", "h2h2"]);
    }

    #[test]
    fn a_position_in_which_no_side_can_mate_is_dead() {
        let blocked = Some("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1");
        assert_eq!(chess(blocked, false).ending().unwrap().reason, Reason::DeadPosition);
        let open = Some("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1");
        assert_eq!(chess(open, false).ending(), None);
        let lone_knight = chess(Some("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1"), false);
        let fault = |side| lone_knight.forfeit(side, Reason::Crash, "gone".into());
        let drawn = fault(Side::Second);
        assert_eq!((drawn.winner, drawn.detail.to_string().as_str()), (None, "gone; White cannot mate"));
        assert_eq!(fault(Side::First), Ending::won(Side::Second, Reason::Crash, "gone"));
    }

    #[test]
    fn a_draw_is_claimed_with_the_move_that_is_about_to_be_made() {
        let mut game = chess(None, false);
        assert_eq!(game.claim(), None);
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
            assert_eq!(game.claim(), None, "{mv}");
            assert_eq!(play(&mut game, mv), None);
        }
        let claimed = game.claim().unwrap();
        assert_eq!((claimed.winner, claimed.reason), (None, Reason::Repetition));
        assert_eq!(
            claimed.detail.to_string(),
            "Black claims a draw with Ng8: third occurrence of the position (FIDE 9.2)"
        );
        let quiet = chess(Some("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), false);
        assert_eq!(quiet.claim().map(|ending| ending.reason), Some(Reason::NoProgress));
        let rules = Rules { fifty_moves: "60:KRK".to_owned(), ..Rules::default() };
        let announced = |fen: &str| {
            let (kind, fen) = (GameKind::CHESS, Some(fen.to_owned()));
            game::Game::at(Start { kind, rules: rules.clone(), fen }).unwrap()
        };
        assert_eq!(announced("4k3/8/8/8/8/8/8/R3K3 w - - 110 80").ending(), None);
        let sixty = announced("4k3/8/8/8/8/8/8/R3K3 w - - 120 80").ending().unwrap();
        assert_eq!(sixty.detail.to_string(), "60 moves without a capture or a pawn move");
        assert!(announced("4k3/8/8/8/8/8/P7/R3K3 w - - 100 80").ending().is_some());
        assert_eq!(xiangqi(None, Rules::default()).claim(), None);
    }

    #[test]
    fn a_line_of_play_is_looked_at_to_its_first_illegal_move() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let start = chess(None, false);
        assert_eq!(start.first_illegal(&words("e2e4 e7e5 g1f3")), None);
        assert_eq!(start.first_illegal(&words("e2e4 e2e4 a1a8")), Some("e2e4"));
        assert_eq!(start.first_illegal(&words("e2e4 0000")), Some("0000"));
        let castles = chess(Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), true);
        assert_eq!(castles.first_illegal(&words("e1g1 e8a8 f1e1")), None);
        let red = xiangqi(None, Rules::default());
        assert_eq!(red.first_illegal(&words("h2e2 h9g7 e2e7")), Some("e2e7"));
    }

    /// A game went on behind a perpetual check: what comes later is judged by itself.
    #[test]
    fn the_last_cycle_is_judged_and_no_earlier_one() {
        let mut game = xiangqi(Some("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1"), Rules::default());
        let checks = ["a8a9", "d9d8", "a9a8", "d8d9"];
        let quiet = ["a8a5", "d9d8", "a5a4", "d8d9", "a4a5", "d9d8", "a5a4", "d8d9", "a4a5", "d9d8"];
        let ends: Vec<_> =
            checks.iter().chain(&checks).chain(&quiet).filter_map(|mv| play(&mut game, mv)).collect();
        let found: Vec<_> = ends.iter().map(|end| (end.reason, end.winner)).collect();
        assert_eq!(found.first(), Some(&(Reason::Repetition, Some(Side::Second))));
        assert_eq!(found.last(), Some(&(Reason::Repetition, None)), "{ends:?}");
    }

    fn perpetual_check(no_progress: u16) -> Ending {
        let rules =
            Rules { repetition: Repetition { no_progress, ..Repetition::default() }, ..Rules::default() };
        let mut game = xiangqi(Some("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1"), rules);
        for mv in ["a8a9", "d9d8", "a9a8", "d8d9"].into_iter().cycle().take(40) {
            if let Some(ending) = play(&mut game, mv) {
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
