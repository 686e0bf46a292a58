//! Positions to ask about, and the rules for the engine's moves in them.

use crate::ensure;
use crate::game::Side;
use crate::games::game::{Game, Start};
use crate::games::record::{Ending, GameKind};
use crate::message;
use crate::util::message::Message;
use crate::util::rng::Rng;

/// A position: where it starts, and the moves since. Moves are in the coordinates of the rules: ranks of
/// xiangqi count from zero, and castling is the king's squares but in Chess960.
#[derive(Clone, Debug)]
pub struct TestPosition {
    pub kind: GameKind,
    /// The FEN; `None`: the usual start.
    pub fen: Option<String>,
    pub moves: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadMove {
    Illegal(Message),
    /// It is legal, and should be written so.
    Odd(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadLine {
    Illegal(Message),
    /// The game is over before this move.
    PastEnd(String),
}

impl TestPosition {
    pub fn start(kind: GameKind) -> Self {
        Self { kind, fen: None, moves: Vec::new() }
    }

    pub fn of(kind: GameKind, fen: &str) -> Self {
        Self { fen: Some(fen.to_owned()), ..Self::start(kind) }
    }

    /// With these moves, in words.
    pub fn after(mut self, moves: &str) -> Self {
        self.moves.extend(moves.split_whitespace().map(str::to_owned));
        self
    }

    /// The game at this position.
    /// # Errors
    /// The FEN or a move is bad; those of the catalog's checks are not.
    fn game(&self) -> Result<Game, Message> {
        Game::after(Start { fen: self.fen.clone(), ..self.kind.into() }, &self.moves)
    }

    pub fn side_to_move(&self) -> Side {
        self.game().map_or(Side::First, |game| game.side_to_move())
    }

    /// Whether the rules have ended the game here.
    pub fn is_over(&self) -> bool {
        self.game().is_ok_and(|game| game.ending().is_some())
    }

    /// Whether the move is legal and written as it should be.
    pub fn check_move(&self, mv: &str) -> Result<(), BadMove> {
        let mut game = self.game().map_err(|_| BadMove::Illegal(mv.into()))?;
        game.play(&mv.to_ascii_lowercase()).map_err(BadMove::Illegal)?;
        match game.undo() {
            Some(usual) if usual != mv => Err(BadMove::Odd(usual)),
            _ => Ok(()),
        }
    }

    /// The legal move that `text` names, in coordinates or as people write it, as the protocols write it.
    pub fn read(&self, text: &str) -> Result<String, Message> {
        self.game()?.read(text)
    }

    /// Whether the moves are legal one after the other, and none follows the end of the game.
    pub fn check_line(&self, line: &[String]) -> Result<(), BadLine> {
        let mut game = self.game().map_err(BadLine::Illegal)?;
        for mv in line {
            let is_over = game.ending().is_some();
            game.play(mv)
                .map_err(|why| BadLine::Illegal(message!("{mv}: {why}" | "{mv}：{why}", mv, why)))?;
            ensure!(!is_over, BadLine::PastEnd(mv.clone()));
        }
        Ok(())
    }

    /// How the game ends by a move, if it does.
    pub fn ending_by(&self, mv: &str) -> Option<Ending> {
        let mut game = self.game().ok()?;
        game.play(mv).ok()?;
        game.ending()
    }

    /// Whether the move wins at once: by mate, or by stalemate in xiangqi.
    pub fn is_won_by(&self, mv: &str) -> bool {
        self.ending_by(mv).is_some_and(|ending| ending.winner == Some(self.side_to_move()))
    }
}

/// A random game of `plies` legal moves that is not over after the last one. Captures are avoided, so that it
/// lasts.
pub fn random_game(kind: GameKind, plies: usize, seed: u64) -> TestPosition {
    let mut rng = Rng::new(seed);
    loop {
        let mut moves = Vec::new();
        if let Ok(mut game) = Game::at(kind.into()) {
            while game.moves().len() < plies && play_at_random(&mut game, &mut rng) {}
            moves = game.into_moves();
        }
        if moves.len() == plies {
            return TestPosition { moves, ..TestPosition::start(kind) };
        }
    }
}

/// Plays a move after which the game goes on. `false`: there is none.
fn play_at_random(game: &mut Game, rng: &mut Rng) -> bool {
    let mut choice = game.legal();
    choice.retain(|mv| game.goes_on_after(mv));
    if game.moves().len() % 20 != 19 && choice.iter().any(|mv| !game.captures(mv)) {
        choice.retain(|mv| !game.captures(mv));
    }
    !choice.is_empty() && game.play(&choice.swap_remove(rng.below(choice.len()))).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_lines_are_judged() {
        let start = TestPosition::start(GameKind::CHESS);
        assert_eq!(start.check_move("e2e4"), Ok(()));
        assert!(matches!(start.check_move("e2e5"), Err(BadMove::Illegal(_))));
        let promotion = TestPosition::of(GameKind::CHESS, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promotion.check_move("e7e8Q"), Err(BadMove::Odd("e7e8q".to_owned())));
        assert_eq!(start.check_move("E2E4"), Err(BadMove::Odd("e2e4".to_owned())));
        assert!(matches!(start.check_move("E2E5"), Err(BadMove::Illegal(_))));
        let castling = TestPosition::of(GameKind::CHESS960, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(castling.check_move("e1g1"), Err(BadMove::Odd("e1h1".to_owned())));
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(start.check_line(&words("f2f3 e7e5 g2g4 d8h4")), Ok(()));
        assert!(matches!(start.check_line(&words("f2f3 f7f8")), Err(BadLine::Illegal(_))));
        let shuffle = words("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3");
        assert_eq!(start.check_line(&shuffle), Err(BadLine::PastEnd("g1f3".to_owned())));
    }

    #[test]
    fn random_games_last() {
        for kind in [GameKind::CHESS, GameKind::CHESS960, GameKind::XIANGQI] {
            let game = random_game(kind, 400, 1);
            let mut played = TestPosition::start(kind).game().unwrap();
            assert!(game.moves.iter().all(|mv| played.play(mv).is_ok() && played.ending().is_none()));
            assert_eq!(game.moves.len(), 400);
        }
    }
}
