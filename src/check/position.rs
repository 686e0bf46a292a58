//! Positions to ask about, and what the rules say of the engine's moves in them.

use crate::game::{Game, MoveList, Side, Text};
use crate::games::notation;
use crate::games::record::{Ending, GameKind, Opening};
use crate::games::referee::{self, Referee, Rules};
use crate::util::rng::Rng;
use crate::{chess, xiangqi};

/// A position: where it starts, and the moves since. Moves are in the coordinates of the rules: ranks of xiangqi count
/// from zero, and castling is the king's squares but in Chess960.
#[derive(Clone, Debug)]
pub struct Position {
    /// The game.
    pub kind: GameKind,
    /// The FEN; `None`: the usual start.
    pub fen: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// What is wrong with a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadMove {
    /// It is not legal.
    Illegal(String),
    /// It is legal, and should be written so.
    Odd(String),
}

/// What is wrong with a line of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadLine {
    /// This move is not legal.
    Illegal(String),
    /// The game is over before this move.
    PastEnd(String),
}

impl Position {
    /// The usual start.
    pub fn start(kind: GameKind) -> Self {
        Self { kind, fen: None, moves: Vec::new() }
    }

    /// A FEN.
    pub fn of(kind: GameKind, fen: &str) -> Self {
        Self { fen: Some(fen.to_owned()), ..Self::start(kind) }
    }

    /// With these moves, in words.
    pub fn after(mut self, moves: &str) -> Self {
        self.moves.extend(moves.split_whitespace().map(str::to_owned));
        self
    }

    /// The rules at this position. Where the position itself ends the game, how.
    /// # Errors
    /// The FEN or a move is bad; those of the catalog's checks are not.
    fn referee(&self) -> Result<(Box<dyn Referee>, Option<Ending>), String> {
        let opening = Opening { fen: self.fen.clone(), ..Opening::default() };
        let mut referee = referee::create(self.kind, &Rules::default(), &opening)?;
        let ending = referee::replay(&mut *referee, &self.moves)?;
        Ok((referee, ending))
    }

    /// Who is to move.
    pub fn side_to_move(&self) -> Side {
        self.referee().map_or(Side::First, |(referee, _)| referee.side_to_move())
    }

    /// Whether the rules have ended the game here.
    pub fn is_over(&self) -> bool {
        self.referee().is_ok_and(|(_, ending)| ending.is_some())
    }

    /// Whether the move is legal and written as it should be.
    /// # Errors
    /// What is wrong with it.
    pub fn check_move(&self, mv: &str) -> Result<(), BadMove> {
        let illegal = |_| BadMove::Illegal(mv.to_owned());
        let (mut referee, _) = self.referee().map_err(illegal)?;
        let small = mv.to_ascii_lowercase();
        referee.play(&small).map_err(BadMove::Illegal)?;
        let usual = self.read(&small).map_err(illegal)?;
        if usual == mv { Ok(()) } else { Err(BadMove::Odd(usual)) }
    }

    /// The legal move that `text` names, in coordinates or as people write it, as the protocols write it.
    /// # Errors
    /// There is none.
    pub fn read(&self, text: &str) -> Result<String, String> {
        let opening = Opening { fen: self.fen.clone(), ..Opening::default() };
        let mut position = notation::Position::new(self.kind, &Rules::default(), &opening)?;
        for played in &self.moves {
            position.play(played)?;
        }
        position.read(text)
    }

    /// Whether the moves are legal one after the other, and none follows the end of the game.
    /// # Errors
    /// What is wrong with the line.
    pub fn check_line(&self, line: &[String]) -> Result<(), BadLine> {
        let illegal = |mv: &str, why: String| BadLine::Illegal(format!("{mv}: {why}"));
        let (mut referee, mut ending) = self.referee().map_err(|why| illegal("the position", why))?;
        for mv in line {
            let over = ending.take();
            ending = referee.play(mv).map_err(|why| illegal(mv, why))?;
            if over.is_some() {
                return Err(BadLine::PastEnd(mv.clone()));
            }
        }
        Ok(())
    }

    /// How the game ends by a move, if it does.
    pub fn ending_by(&self, mv: &str) -> Option<Ending> {
        let (mut referee, _) = self.referee().ok()?;
        referee.play(mv).ok().flatten()
    }

    /// Whether the move wins at once: by mate, or by stalemate in xiangqi.
    pub fn is_won_by(&self, mv: &str) -> bool {
        self.ending_by(mv).is_some_and(|ending| ending.winner == Some(self.side_to_move()))
    }
}

/// A game of so many legal moves, chosen by chance, that goes on after the last one.
pub fn random_game(kind: GameKind, plies: usize, seed: u64) -> Position {
    let mut position = Position::start(kind);
    position.moves = match kind {
        GameKind::XIANGQI => random_moves::<xiangqi::Board>(kind, Default::default(), plies, seed),
        GameKind::CHESS960 => {
            random_moves::<chess::Board>(kind, chess::notation::Notation::Chess960, plies, seed)
        }
        _ => random_moves::<chess::Board>(kind, Default::default(), plies, seed),
    };
    position
}

/// Captures are avoided, so that the game lasts.
fn random_moves<G>(kind: GameKind, notation: G::Notation, plies: usize, seed: u64) -> Vec<String>
where
    G: Text + Game<Moves = MoveList<<G as Game>::Move>> + crate::game::AlphaBetaGame,
{
    let mut rng = Rng::new(seed);
    loop {
        let (mut board, mut moves) = (G::start(), Vec::new());
        let Ok(mut referee) = referee::create(kind, &Rules::default(), &Opening::default()) else {
            return moves;
        };
        while moves.len() < plies {
            let mut legal = MoveList::new();
            board.legal_moves(&mut legal);
            let text = |mv| board.move_text(mv, notation);
            let goes_on: Vec<G::Move> =
                legal.iter().copied().filter(|&mv| referee.goes_on_after(&text(mv))).collect();
            let quiet: Vec<G::Move> = goes_on.iter().copied().filter(|&mv| !board.is_capture(mv)).collect();
            let choice = if quiet.is_empty() || moves.len() % 20 == 19 { &goes_on } else { &quiet };
            if choice.is_empty() {
                break;
            }
            let mv = rng.pick(choice);
            moves.push(text(mv));
            let _ = referee.play(&text(mv));
            board.do_move(mv, &mut ());
        }
        if moves.len() == plies {
            return moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_lines_are_judged() {
        let start = Position::start(GameKind::CHESS);
        assert_eq!(start.check_move("e2e4"), Ok(()));
        assert!(matches!(start.check_move("e2e5"), Err(BadMove::Illegal(_))));
        let promotion = Position::of(GameKind::CHESS, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promotion.check_move("e7e8Q"), Err(BadMove::Odd("e7e8q".to_owned())));
        assert_eq!(start.check_move("E2E4"), Err(BadMove::Odd("e2e4".to_owned())));
        assert!(matches!(start.check_move("E2E5"), Err(BadMove::Illegal(_))));
        let castling = Position::of(GameKind::CHESS960, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
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
            let (mut referee, _) = Position::start(kind).referee().unwrap();
            assert!(game.moves.iter().all(|mv| referee.play(mv) == Ok(None)));
            assert_eq!(game.moves.len(), 400);
        }
    }
}
