//! What must hold of every position, tried on those of random games: standard, Chess960, and endings
//! where promotions and checks abound.

use super::board::State;
use super::{Board, Color, Kind, Move, START_FEN, Square, attacks, see, types::MoveType};
use crate::game::{AlphaBetaGame, Game, MoveList, Observer};
use crate::util::rng::Rng;

const STARTS: [&str; 8] = [
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "1rk2r2/8/8/8/8/8/8/RR3KRR w GB - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P2/1p1p1p2/8/2P1P1P1/4K3 w - - 0 1",
    "6k1/1q6/8/2Q5/1Q5Q/8/4Q3/K6Q w - - 0 1",
    "r1b1kbnr/pp1q1ppp/2n5/3pp3/2pP4/2N1PN2/PPP1BPPP/R1BQK2R w KQkq - 0 1",
];

/// Plays random games and shows every position to `look`.
fn random_games(seed: u64, games: usize, plies: usize, mut look: impl FnMut(&mut Board, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for game in 0..games {
        let mut board = Board::from_fen(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..plies {
            look(&mut board, &mut rng);
            let moves = board.legal();
            if moves.is_empty() {
                break;
            }
            board.do_move(rng.pick(&moves), &mut ());
        }
    }
}

/// Pieces by square, kept only from what the board reports.
#[derive(Clone, PartialEq, Debug)]
struct Watcher([Option<usize>; 64]);

impl Watcher {
    fn of(board: &Board) -> Self {
        let mut squares = [None; 64];
        board.for_each_piece(|piece, square| squares[square] = Some(piece));
        Self(squares)
    }
}

impl Observer for Watcher {
    fn added(&mut self, piece: usize, square: usize) {
        assert_eq!(self.0[square].replace(piece), None);
    }
    fn removed(&mut self, piece: usize, square: usize) {
        assert_eq!(self.0[square].take(), Some(piece));
    }
}

#[test]
fn what_moves_keep_up_to_date_is_what_scratch_gives() {
    random_games(1, 200, 120, |board, _| {
        let mut fresh = State::new(board.state.pos, board.state.rule50);
        fresh.since_null = board.state.since_null;
        assert_eq!(board.state, fresh, "{board:?}");
        let again = Board::from_fen(&board.fen()).unwrap();
        assert_eq!((again.state.key, again.fen()), (board.state.key, board.fen()));
    });
}

#[test]
fn the_key_after_a_plain_move_is_known_before_it() {
    random_games(3, 80, 100, |board, _| {
        let castling = board.state.pos.castling;
        for mv in board.legal().into_iter().filter(|mv| mv.move_type() == MoveType::Normal) {
            let likely = board.likely_key_after(mv);
            board.do_move(mv, &mut ());
            let plain = board.state.pos.castling == castling && board.state.pos.ep.is_empty();
            assert!(!plain || board.state.key == likely, "{board:?} {mv:?}");
            board.undo_move();
        }
    });
}

#[test]
fn undo_restores_everything_and_the_observer_sees_all() {
    random_games(2, 80, 100, |board, _| {
        let (fen, state, squares) = (board.fen(), board.state, Watcher::of(board));
        for mv in board.legal() {
            let mut watcher = squares.clone();
            board.do_move(mv, &mut watcher);
            assert_eq!(watcher, Watcher::of(board), "{fen} {mv:?}");
            assert_ne!(board.state.key, state.key);
            board.undo_move();
            assert_eq!((board.fen(), board.state), (fen.clone(), state), "{mv:?}");
            assert_eq!(Watcher::of(board), squares, "{fen} {mv:?}");
        }
        if !board.in_check() {
            board.do_null_move();
            assert_eq!(board.state.pos.masks(), board.state.masks);
            board.undo_null_move();
            assert_eq!((board.fen(), board.state), (fen, state));
        }
    });
}

#[test]
fn captures_and_quiets_make_up_the_legal_moves() {
    random_games(3, 200, 120, |board, _| {
        let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
        board.captures(&mut captures);
        board.quiets(&mut quiets);
        assert!(captures.iter().all(|&mv| board.is_capture(mv)), "{board:?} {captures:?}");
        assert!(!quiets.iter().any(|&mv| board.is_capture(mv)), "{board:?} {quiets:?}");
        let mut parts: Vec<u16> = captures.iter().chain(&quiets).map(|mv| mv.bits()).collect();
        let mut legal: Vec<u16> = board.legal().iter().map(|mv| mv.bits()).collect();
        parts.sort_unstable();
        legal.sort_unstable();
        assert_eq!(parts, legal, "{board:?}");
        assert_eq!(board.count_legal(), legal.len() as u64);
        assert!(!legal.contains(&0));
    });
}

#[test]
fn of_all_packed_moves_exactly_the_generated_are_legal() {
    random_games(4, 24, 90, |board, rng| {
        if rng.below(8) > 0 {
            return;
        }
        let mut legal = vec![false; 1 << 16];
        for mv in board.legal() {
            legal[usize::from(mv.bits())] = true;
        }
        for bits in 0..=u16::MAX {
            let mv = Board::unpack(bits);
            let accepted = board.is_pseudo_legal(mv) && board.is_legal(mv);
            assert_eq!(accepted, legal[usize::from(bits)], "{board:?} {mv:?} {:?}", mv.move_type());
        }
    });
}

#[test]
fn a_move_gives_check_when_the_king_is_attacked_after_it() {
    let mut checks = 0;
    random_games(5, 200, 120, |board, _| {
        for mv in board.legal() {
            let foretold = board.gives_check(mv);
            assert_eq!(board.check_test()(mv), foretold, "{mv:?} in {board:?}");
            board.do_move(mv, &mut ());
            assert_eq!(board.in_check(), foretold, "{mv:?} leads to {board:?}");
            board.undo_move();
            checks += usize::from(foretold);
        }
    });
    assert!(checks > 5_000, "{checks}");
}

#[test]
fn attacked_squares_are_those_with_attackers() {
    random_games(6, 40, 100, |board, _| {
        let pos = board.position();
        for color in [Color::First, Color::Second] {
            let all = pos.attacked_squares(color);
            for square in super::bitboard::Bitboard::ALL {
                let expected = (pos.attackers(square, pos.occupied()) & pos.color(color)).any();
                assert_eq!(all.has(square), expected, "{board:?} {square}");
                assert_eq!(pos.is_attacked(square, color, pos.occupied()), expected);
            }
        }
    });
}

/// An exchange on a plain array of pieces, played out move by move.
struct Exchange {
    squares: [Option<(Color, Kind)>; 64],
    target: Square,
}

impl Exchange {
    fn new(board: &Board, target: Square) -> Self {
        let mut squares = [None; 64];
        for (index, slot) in squares.iter_mut().enumerate() {
            *slot = board.piece_on(Square::new(index)).map(|piece| (piece.color(), piece.kind()));
        }
        Self { squares, target }
    }

    /// Whether the piece on `from` attacks `to`.
    fn attacks(&self, from: Square, to: Square) -> bool {
        let Some((color, kind)) = self.squares[from.index()] else { return false };
        let (df, dr) = (to.file() as i32 - from.file() as i32, to.rank() as i32 - from.rank() as i32);
        let free = || attacks::between(from, to).into_iter().all(|sq| self.squares[sq.index()].is_none());
        let (straight, diagonal) = (df == 0 || dr == 0, df.abs() == dr.abs());
        from != to
            && match kind {
                Kind::Pawn => df.abs() == 1 && dr == if color == Color::First { 1 } else { -1 },
                Kind::Knight => df.abs() + dr.abs() == 3 && df != 0 && dr != 0,
                Kind::King => df.abs().max(dr.abs()) == 1,
                Kind::Bishop => diagonal && free(),
                Kind::Rook => straight && free(),
                Kind::Queen => (straight || diagonal) && free(),
            }
    }

    fn attackers(&self, color: Color) -> Vec<Square> {
        (0..64)
            .map(Square::new)
            .filter(|&from| self.squares[from.index()].is_some_and(|(c, _)| c == color))
            .filter(|&from| self.attacks(from, self.target))
            .collect()
    }

    /// Whether the piece on `from`, if it left, would open a line to its own king. Pieces on the target
    /// square do not pin: they are about to be captured.
    fn is_pinned(&self, from: Square, color: Color) -> bool {
        let Some(king) =
            (0..64).map(Square::new).find(|sq| self.squares[sq.index()] == Some((color, Kind::King)))
        else {
            return false;
        };
        if king == from {
            return false;
        }
        let opened = |without: Option<Square>| {
            let mut copy = Self { squares: self.squares, target: self.target };
            if let Some(square) = without {
                copy.squares[square.index()] = None;
            }
            (0..64)
                .map(Square::new)
                .filter(|&sq| sq != self.target)
                .filter(|&sq| {
                    copy.squares[sq.index()].is_some_and(|(c, kind)| {
                        c != color && matches!(kind, Kind::Bishop | Kind::Rook | Kind::Queen)
                    })
                })
                .filter(|&sq| copy.attacks(sq, king) && !attacks::between(sq, king).has(self.target))
                .count()
        };
        opened(Some(from)) > opened(None)
    }

    /// What `color` gains by going on, at best: it may stop.
    fn gain(&mut self, color: Color) -> i32 {
        let attackers = self.attackers(color);
        let Some(&from) = attackers
            .iter()
            .filter(|&&from| !self.is_pinned(from, color))
            .min_by_key(|from| self.squares[from.index()].map(|(_, kind)| kind))
        else {
            return 0;
        };
        let kind = self.squares[from.index()].map_or(Kind::Pawn, |(_, kind)| kind);
        if kind == Kind::King && !self.attackers(color.other()).is_empty() {
            return 0;
        }
        let gained = self.squares[self.target.index()].map_or(0, |(_, kind)| see::VALUES[kind.index()]);
        self.squares[self.target.index()] = self.squares[from.index()].take();
        (gained - self.gain(color.other())).max(0)
    }
}

fn exchange_value(board: &Board, mv: Move) -> i32 {
    if mv.move_type() == MoveType::Castling {
        return 0;
    }
    let mut exchange = Exchange::new(board, mv.to());
    let us = board.side();
    let value = |slot: Option<(Color, Kind)>| slot.map_or(0, |(_, kind)| see::VALUES[kind.index()]);
    let mut gained = value(exchange.squares[mv.to().index()]);
    let mut moved = exchange.squares[mv.from().index()].take();
    if mv.move_type() == MoveType::EnPassant {
        gained += value(exchange.squares[mv.to().index() ^ 8].take());
    }
    if mv.move_type() == MoveType::Promotion {
        gained += see::VALUES[mv.promotion_kind().index()] - see::VALUES[0];
        moved = Some((us, mv.promotion_kind()));
    }
    exchange.squares[mv.to().index()] = moved;
    gained - exchange.gain(us.other())
}

#[test]
fn exchanges_are_worth_what_playing_them_gives() {
    let mut captures = 0;
    random_games(7, 120, 90, |board, _| {
        for mv in board.legal() {
            let value = exchange_value(board, mv);
            assert!(board.see_ge(mv, value), "{board:?} {mv:?} is worth {value}");
            assert!(!board.see_ge(mv, value + 1), "{board:?} {mv:?} is worth only {value}");
            captures += usize::from(board.is_capture(mv));
        }
    });
    assert!(captures > 10_000, "{captures}");
}

#[test]
fn exchanges_of_the_textbook() {
    for (fen, mv, value) in [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 980 - 100),
        ("4k3/8/4r3/4n3/8/3B4/4R3/4K3 b - - 0 1", "e5d3", 330),
    ] {
        let board = Board::from_fen(fen).unwrap();
        let mv = board.move_from_text(mv).unwrap();
        assert_eq!(exchange_value(&board, mv), value, "{fen}");
        assert!(board.see_ge(mv, value) && !board.see_ge(mv, value + 1), "{fen}");
    }
}

#[test]
fn threats_are_attacks_that_matter() {
    random_games(8, 60, 100, |board, _| {
        let pos = board.position();
        let (us, threats) = (board.side(), board.threatened());
        for square in super::bitboard::Bitboard::ALL {
            let attackers = pos.attackers(square, pos.occupied()) & pos.color(us.other());
            let rank = |kind: Kind| if kind == Kind::Bishop { Kind::Knight } else { kind };
            let is_defended = pos.attackers(square, pos.occupied()).meets(pos.color(us));
            let matters = |from: Square| match (board.piece_on(square), board.piece_on(from)) {
                (Some(piece), Some(_)) if piece.color() == us && piece.kind() == Kind::King => false,
                (Some(piece), Some(attacker)) if piece.color() == us => {
                    let hangs = !is_defended && piece.kind() != Kind::Pawn;
                    hangs || rank(attacker.kind()) < rank(piece.kind())
                }
                _ => true,
            };
            assert_eq!(threats.has(square), attackers.into_iter().any(matters), "{board:?} {square}");
        }
    });
}
