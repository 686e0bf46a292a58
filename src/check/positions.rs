//! The positions that engines are asked about. The tests below check the claims about them.

use super::position::TestPosition;
use crate::games::record::GameKind;

fn of(kind: GameKind, fens: &[&str]) -> Vec<TestPosition> {
    fens.iter().map(|fen| TestPosition::of(kind, fen)).collect()
}

/// Positions with much to think about, the first side to move and the second.
pub fn middlegames(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::XIANGQI => of(
            kind,
            &[
                "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
                "2bakab1r/r8/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/NC2C1N2/9/R1BAKABR1 b - - 0 1",
            ],
        ),
        _ => of(
            kind,
            &[
                "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9",
                "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN1P/PP1N1PP1/R2Q1RK1 b - - 0 11",
            ],
        ),
    }
}

/// One position for each corner of the rules: castling, en passant, promotions, checks, pins.
pub fn corner_cases(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::XIANGQI => of(
            kind,
            &[
                // Generals that face each other with one piece between; checks by each kind; hobbled horses
                // and elephants.
                "3k5/9/9/9/9/9/9/3N5/9/3K5 w - - 0 1",
                "4k4/4a4/9/4c4/9/9/9/4C4/4A4/4K4 w - - 0 1",
                "3ak4/9/4b4/9/9/9/9/4B4/3p1p3/4K4 w - - 0 1",
                "4k4/3P1P3/4b4/9/9/9/9/4B4/9/4KA3 b - - 0 1",
                "2bak4/4a4/2n1b4/9/9/9/9/3nB4/4A4/2BAK4 w - - 0 1",
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b - - 0 1",
            ],
        ),
        _ => of(
            kind,
            &[
                // Castling on both sides, through and out of attacks.
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",
                "r3k2r/8/8/2b5/8/8/8/R3K2R w KQkq - 0 1",
                "4k2r/8/8/8/8/8/8/4K2R b Kk - 0 1",
                // En passant: pinned sideways, pinned diagonally, as the answer to a check.
                "8/8/8/KPp4r/8/8/8/7k w - c6 0 2",
                "8/8/1b6/2pP4/8/4K3/8/7k w - c6 0 2",
                "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
                // Promotions: by capture, under a pin, with check, to be blocked.
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
                "3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1",
                "8/1P6/8/8/8/8/k6p/6K1 w - - 0 1",
                // Double checks and pinned defenders.
                "4k3/8/8/8/1b6/8/3N4/r3K2R w K - 0 1",
                "4k3/4r3/8/8/8/5n2/4B3/4K3 w - - 0 1",
            ],
        ),
    }
}

pub fn only_moves(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::XIANGQI => of(kind, &["4k4/9/9/9/9/9/9/9/9/3Kr4 w - - 0 1"]),
        _ => of(kind, &["7k/8/8/8/8/8/5PP1/r5K1 w - - 0 1", "7k/8/8/8/8/8/r7/7K w - - 0 1"]),
    }
}

pub fn mates_in_one(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::XIANGQI => of(kind, &["3k5/9/1R7/9/9/9/9/R8/9/4K4 w - - 0 1"]),
        _ => of(kind, &["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"]),
    }
}

/// Positions in which the game is over: mated, and stalemated.
pub fn ended(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::XIANGQI => of(kind, &["R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1"]),
        _ => of(kind, &["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]),
    }
}

/// A first move, two replies to it, and a move that is not legal at the start.
pub fn first_moves(kind: GameKind) -> [&'static str; 4] {
    match kind {
        GameKind::XIANGQI => ["h2e2", "h9g7", "b9c7", "a0a5"],
        _ => ["e2e4", "e7e5", "d7d5", "e2e5"],
    }
}

/// A legal first move that no engine plays by itself.
pub fn poor_move(kind: GameKind) -> &'static str {
    if kind == GameKind::XIANGQI { "a0a2" } else { "f2f3" }
}

/// Positions in which one side is far ahead, and whether that is the side to move.
pub fn lopsided(kind: GameKind) -> Vec<(TestPosition, bool)> {
    let fens = match kind {
        GameKind::XIANGQI => [
            ("2bakab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R w - - 0 1", true),
            ("2bakab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R b - - 0 1", false),
            ("r1bakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/9/2BAKAB2 b - - 0 1", true),
            ("r1bakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/9/2BAKAB2 w - - 0 1", false),
        ],
        _ => [
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R w - - 0 1", true),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/R2QK2R b - - 0 1", false),
            ("r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", true),
            ("r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", false),
        ],
    };
    fens.map(|(fen, is_ahead)| (TestPosition::of(kind, fen), is_ahead)).into()
}

/// Mates, and in how many moves; negative where the side to move is mated.
pub fn mates(kind: GameKind) -> Vec<(TestPosition, i32)> {
    let fens: &[(&str, i32)] = match kind {
        GameKind::XIANGQI => {
            &[("3k5/9/1R7/9/9/9/9/R8/9/4K4 w - - 0 1", 1), ("4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1", 2)]
        }
        _ => &[
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
            ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
            ("7k/8/8/8/8/8/R7/6RK b - - 0 1", -1),
            ("8/8/6k1/8/8/8/R7/1R5K w - - 0 1", 3),
        ],
    };
    fens.iter().map(|&(fen, distance)| (TestPosition::of(kind, fen), distance)).collect()
}

/// Chess: the side to move is far ahead, and its only move makes the position occur for the third time.
pub fn forced_repetitions(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::CHESS => vec![
            TestPosition::of(kind, "6k1/RRQ2ppp/8/8/7q/8/6P1/6K1 b - - 0 1")
                .after("h4e1 g1h2 e1h4 h2g1 h4e1 g1h2 e1h4"),
        ],
        _ => Vec::new(),
    }
}

/// Xiangqi: the side to move has given check all the time, and loses if it goes on.
pub fn forbidden_repetitions(kind: GameKind) -> Vec<TestPosition> {
    match kind {
        GameKind::XIANGQI => vec![
            TestPosition::of(kind, "R2k5/9/9/9/9/9/9/9/4A4/4K4 b - - 0 1")
                .after("d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9"),
        ],
        _ => Vec::new(),
    }
}

/// Chess960, after castling by each side.
pub fn castled() -> Vec<TestPosition> {
    let kind = GameKind::CHESS960;
    vec![
        TestPosition::of(kind, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").after("e1h1 e8a8"),
        TestPosition::of(kind, "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1").after("e1a1 e8h8"),
        TestPosition::of(kind, "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1").after("c1b1 c8h8"),
    ]
}

/// Chess960: the only mate in one is castling, b1a1. The king's step from b1 to c1 is legal as well.
pub fn mate_by_castling() -> TestPosition {
    TestPosition::of(GameKind::CHESS960, "2rkr3/2p1p3/8/8/8/8/8/RK6 w Q - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AlphaBetaGame, Text, Verdict};
    use crate::{chess, xiangqi};

    const KINDS: [GameKind; 2] = [GameKind::CHESS, GameKind::XIANGQI];

    fn legal_moves(position: &TestPosition) -> Vec<String> {
        fn of<G: Text + AlphaBetaGame>(position: &TestPosition) -> Vec<String> {
            let fen = position.fen.as_deref();
            let mut board = fen.map_or_else(G::start, |fen| <G as Text>::from_fen(fen).unwrap());
            for mv in &position.moves {
                board.do_move(board.parse_move(mv, G::Notation::default()).unwrap(), &mut ());
            }
            board.legal().iter().map(|&mv| board.move_text(mv, G::Notation::default())).collect()
        }
        match position.kind {
            GameKind::XIANGQI => of::<xiangqi::Board>(position),
            _ => of::<chess::Board>(position),
        }
    }

    /// The shortest mate by the side to move, in moves, of at most `max`.
    fn shortest_mate(position: &TestPosition, max: i32) -> Option<i32> {
        (1..=max).find(|&moves| mates_in(position, moves))
    }

    fn mates_in(position: &TestPosition, moves: i32) -> bool {
        legal_moves(position).iter().any(|mv| {
            let after = position.clone().after(mv);
            position.is_won_by(mv) || moves > 1 && is_mated_in(&after, moves - 1)
        })
    }

    fn is_mated_in(position: &TestPosition, moves: i32) -> bool {
        let replies = legal_moves(position);
        !replies.is_empty()
            && replies.iter().all(|mv| shortest_mate(&position.clone().after(mv), moves).is_some())
    }

    #[test]
    fn every_position_is_one_and_the_game_goes_on() {
        for kind in KINDS {
            let all = [middlegames(kind), corner_cases(kind), mates_in_one(kind), forced_repetitions(kind)];
            let lopsided = lopsided(kind).into_iter().map(|(position, _)| position);
            for position in all.into_iter().flatten().chain(lopsided).chain(forbidden_repetitions(kind)) {
                assert!(!legal_moves(&position).is_empty(), "{position:?}");
                assert_eq!(position.check_line(&[]), Ok(()), "{position:?}");
            }
            assert!(legal_moves(&TestPosition::start(kind)).contains(&poor_move(kind).to_owned()));
            let [first, reply, other, illegal] = first_moves(kind);
            let start = TestPosition::start(kind);
            assert_eq!(start.check_move(first), Ok(()));
            assert!([reply, other].iter().all(|mv| start.clone().after(first).check_move(mv) == Ok(())));
            assert!(start.check_move(illegal).is_err());
            for position in ended(kind) {
                assert!(legal_moves(&position).is_empty(), "{position:?}");
            }
            for position in only_moves(kind) {
                assert_eq!(legal_moves(&position).len(), 1, "{position:?}");
            }
        }
    }

    #[test]
    fn mates_are_as_long_as_is_said() {
        for kind in KINDS {
            for position in mates_in_one(kind) {
                assert_eq!(shortest_mate(&position, 1), Some(1), "{position:?}");
            }
            for (position, distance) in mates(kind) {
                if distance > 0 {
                    assert_eq!(shortest_mate(&position, 3), Some(distance), "{position:?}");
                } else {
                    assert!(is_mated_in(&position, -distance), "{position:?}");
                    assert_eq!(distance, -1, "a longer one needs another test");
                }
            }
        }
        let castling = mate_by_castling();
        assert!(castling.is_won_by("b1a1") && !castling.is_won_by("b1c1"));
        assert_eq!(castling.check_move("b1c1"), Ok(()));
    }

    #[test]
    fn repetitions_end_the_game() {
        for position in forced_repetitions(GameKind::CHESS) {
            let moves = legal_moves(&position);
            assert_eq!(moves.len(), 1, "{position:?}");
            assert_eq!(position.ending_by(&moves[0]).unwrap().winner, None);
        }
        assert_eq!(xiangqi::Board::STALEMATE, Verdict::Loss);
        for position in forbidden_repetitions(GameKind::XIANGQI) {
            let lost = |mv: &String| position.ending_by(mv).is_some_and(|end| end.winner.is_some());
            assert!(legal_moves(&position).iter().any(lost), "{position:?}");
        }
    }
}
