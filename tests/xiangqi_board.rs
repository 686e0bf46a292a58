//! What the search asks of a xiangqi board, against plain answers: play the move and look.

use crate::support::{engine_at, search};
use sanqi::engine::{GameId, Limits, Score};
use sanqi::game::{AlphaBetaGame, Game, MoveList, Side, Verdict};
use sanqi::games::game::{Position, Start};
use sanqi::games::record::{GameKind, Reason};
use sanqi::util::rng::Rng;
use sanqi::xiangqi::{Board, Kind, Move, Piece, Square};
use std::collections::HashSet;

/// Endings and middle games with pins, screens and bare lines.
const SEEDS: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn4c1/p1p1p1p1p/4n4/2P3P2/P3P3P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
    "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 w - - 0 1",
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1",
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
    "3k5/4P4/4b4/3C5/4c4/9/9/9/9/5K3 w - - 0 1",
];

/// Calls `check` on the positions of random games from each seed.
fn on_random_positions(games: usize, plies: usize, mut check: impl FnMut(&mut Board)) {
    let mut rng = Rng::new(99);
    for game in 0..games {
        let mut board = Board::from_fen(SEEDS[game % SEEDS.len()]).unwrap();
        for _ in 0..plies {
            check(&mut board);
            let moves = legal(&board);
            if moves.is_empty() {
                break;
            }
            board.do_move(rng.pick(&moves), &mut ());
        }
    }
}

fn legal(board: &Board) -> MoveList<Move> {
    board.legal()
}

#[test]
fn every_bit_pattern_is_judged_like_the_generator() {
    on_random_positions(6, 25, |board| {
        let generated: HashSet<u16> = legal(board).iter().map(|mv| mv.bits()).collect();
        for bits in 0..=u16::MAX {
            let mv = Board::unpack(bits);
            let legal = board.is_pseudo_legal(mv) && board.is_legal(mv);
            assert_eq!(legal, generated.contains(&bits), "{mv} in {}", board.fen());
        }
    });
}

#[test]
fn captures_and_quiets_are_the_pseudo_legal_moves() {
    on_random_positions(60, 80, |board| {
        let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
        board.captures(&mut captures);
        board.quiets(&mut quiets);
        assert!(captures.iter().all(|&mv| board.is_capture(mv) && board.is_pseudo_legal(mv)));
        assert!(quiets.iter().all(|&mv| !board.is_capture(mv) && board.is_pseudo_legal(mv)));
        let both: HashSet<u16> = captures.iter().chain(&quiets).map(|mv| mv.bits()).collect();
        assert_eq!(both.len(), captures.len() + quiets.len(), "no move twice");
        let safe: HashSet<u16> =
            captures.iter().chain(&quiets).filter(|&&mv| board.is_legal(mv)).map(|mv| mv.bits()).collect();
        let all: HashSet<u16> = legal(board).iter().map(|mv| mv.bits()).collect();
        assert_eq!(safe, all, "{}", board.fen());
        assert_eq!(board.count_legal(), all.len() as u64);
        assert_eq!(board.has_legal_move(), !all.is_empty());
    });
}

#[test]
fn a_move_gives_check_if_the_opponent_is_in_check_after_it() {
    let mut checks = 0;
    on_random_positions(120, 80, |board| {
        for mv in legal(board) {
            let said = board.gives_check(mv);
            board.do_move(mv, &mut ());
            let check = board.in_check();
            board.undo_move();
            assert_eq!(said, check, "{mv} in {}", board.fen());
            checks += u32::from(check);
        }
    });
    assert!(checks > 1000);
}

#[test]
fn null_moves_come_back() {
    on_random_positions(30, 60, |board| {
        if !board.in_check() {
            let (key, fen) = (board.key(), board.fen());
            board.do_null_move();
            assert!(!board.in_check());
            assert_ne!(board.key(), key);
            board.undo_null_move();
            assert_eq!((board.key(), board.fen()), (key, fen));
        }
    });
}

/// A board of letters that knows how pieces capture, and nothing else.
struct Naive {
    cells: [Piece; 90],
}

impl Naive {
    fn of(board: &Board) -> Self {
        Self { cells: std::array::from_fn(|index| board.piece_at(Square::new(index).unwrap())) }
    }

    fn at(&self, file: i32, rank: i32) -> Option<usize> {
        ((0..9).contains(&file) && (0..10).contains(&rank)).then_some((rank * 9 + file) as usize)
    }

    fn is_free(&self, file: i32, rank: i32) -> bool {
        self.at(file, rank).is_some_and(|index| self.cells[index].is_none())
    }

    /// Whether the piece on `from` attacks the other point, by the rules as they are written.
    fn attacks(&self, from: usize, to: usize) -> bool {
        let (piece, (ff, fr), (tf, tr)) = (self.cells[from], split(from), split(to));
        let (df, dr) = (tf - ff, tr - fr);
        let home = |rank: i32| if piece.side() == Side::First { rank } else { 9 - rank };
        let palace = (3..=5).contains(&tf) && home(tr) <= 2;
        match piece.kind() {
            Kind::General => df.abs() + dr.abs() == 1 && palace,
            Kind::Advisor => df.abs() == 1 && dr.abs() == 1 && palace,
            Kind::Elephant => {
                df.abs() == 2 && dr.abs() == 2 && home(tr) <= 4 && self.is_free(ff + df / 2, fr + dr / 2)
            }
            Kind::Horse => match (df.abs(), dr.abs()) {
                (2, 1) => self.is_free(ff + df / 2, fr),
                (1, 2) => self.is_free(ff, fr + dr / 2),
                _ => false,
            },
            Kind::Chariot => self.screens(from, to) == Some(0),
            Kind::Cannon => self.screens(from, to) == Some(1),
            Kind::Soldier => {
                let ahead = if piece.side() == Side::First { 1 } else { -1 };
                (df == 0 && dr == ahead) || (dr == 0 && df.abs() == 1 && home(fr) >= 5)
            }
        }
    }

    /// Pieces between two points of a line.
    fn screens(&self, from: usize, to: usize) -> Option<usize> {
        let ((ff, fr), (tf, tr)) = (split(from), split(to));
        if from == to || (ff != tf && fr != tr) {
            return None;
        }
        let steps = (tf - ff).abs().max((tr - fr).abs());
        let (sf, sr) = ((tf - ff).signum(), (tr - fr).signum());
        Some((1..steps).filter(|step| !self.is_free(ff + sf * step, fr + sr * step)).count())
    }

    fn general(&self, side: Side) -> Option<usize> {
        self.cells.iter().position(|&piece| piece == Piece::new(side, Kind::General))
    }

    /// Whether the generals see each other.
    fn generals_face(&self) -> bool {
        match (self.general(Side::First), self.general(Side::Second)) {
            (Some(red), Some(black)) => red % 9 == black % 9 && self.screens(red, black) == Some(0),
            _ => false,
        }
    }

    /// Pieces of `side` that may capture on `target`: the least valuable kind, the lowest point first.
    fn next_attacker(&mut self, target: usize, side: Side) -> Option<usize> {
        let order = [
            Kind::Soldier,
            Kind::Advisor,
            Kind::Elephant,
            Kind::Horse,
            Kind::Cannon,
            Kind::Chariot,
            Kind::General,
        ];
        for kind in order {
            for from in 0..90 {
                if self.cells[from] != Piece::new(side, kind) || from == target || !self.attacks(from, target)
                {
                    continue;
                }
                let (mover, victim) = (self.cells[from], self.cells[target]);
                self.cells[target] = mover;
                self.cells[from] = Piece::NONE;
                let facing = kind != Kind::General && self.generals_face();
                self.cells[from] = mover;
                self.cells[target] = victim;
                if !facing {
                    return Some(from);
                }
            }
        }
        None
    }

    /// What `side` gains by capturing on `target`, each side free to stop.
    fn exchange(&mut self, target: usize, side: Side) -> i32 {
        let Some(from) = self.next_attacker(target, side) else { return 0 };
        let (mover, victim) = (self.cells[from], self.cells[target]);
        self.cells[target] = mover;
        self.cells[from] = Piece::NONE;
        let general = mover.kind() == Kind::General;
        let answered =
            general && (self.generals_face() || self.next_attacker(target, side.other()).is_some());
        let gain = if answered { 0 } else { value(victim) - self.exchange(target, side.other()) };
        self.cells[from] = mover;
        self.cells[target] = victim;
        gain.max(0)
    }

    fn see(&mut self, mv: Move) -> i32 {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (mover, victim) = (self.cells[from], self.cells[to]);
        self.cells[to] = mover;
        self.cells[from] = Piece::NONE;
        let gain = value(victim) - self.exchange(to, mover.side().other());
        self.cells[from] = mover;
        self.cells[to] = victim;
        gain
    }
}

fn split(index: usize) -> (i32, i32) {
    ((index % 9) as i32, (index / 9) as i32)
}

fn value(piece: Piece) -> i32 {
    piece.get().map_or(0, |(_, kind)| Board::piece_value(kind.index()))
}

#[test]
fn exchanges_end_as_when_they_are_played_out() {
    let mut asked = 0;
    on_random_positions(60, 60, |board| {
        let mut naive = Naive::of(board);
        for mv in legal(board) {
            let gain = naive.see(mv);
            for threshold in [gain - 1, gain, gain + 1, 0, -200, 150] {
                asked += 1;
                assert_eq!(
                    board.see_ge(mv, threshold),
                    gain >= threshold,
                    "{mv} gains {gain}, asked {threshold} in {}",
                    board.fen()
                );
            }
        }
    });
    assert!(asked > 100_000);
}

#[test]
fn attackers_are_those_that_a_naive_board_finds() {
    on_random_positions(30, 60, |board| {
        let naive = Naive::of(board);
        for side in [Side::First, Side::Second] {
            for to in 0..90 {
                let sq = Square::new(to).unwrap();
                let found: Vec<usize> = board
                    .attackers(sq, side, board.occupancy())
                    .map(Square::index)
                    .filter(|&from| from != to)
                    .collect();
                let wanted: Vec<usize> = (0..90)
                    .filter(|&from| naive.cells[from].get().is_some_and(|(own, _)| own == side))
                    .filter(|&from| from != to && naive.attacks(from, to))
                    .collect();
                assert_eq!(found, wanted, "{sq} in {}", board.fen());
            }
        }
    });
}

/// Rules, referee, search and both protocols agree on endings that theory calls drawn (XQ-D14).
#[test]
fn theoretical_draws_end_the_game() {
    let table = include_str!("data/xiangqi_draws.tsv");
    for line in table.lines().skip(1) {
        let [fen, drawn, what] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let drawn = drawn == "yes";
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(board.is_dead(), drawn, "{what}: {fen}");
        assert_eq!(
            board.verdict_in_tree(1, &mut Default::default()) == Verdict::Draw,
            drawn,
            "{what}: {fen}"
        );
        let position = Position::at(&Start::fen(GameKind::XIANGQI, fen)).unwrap();
        let reason = position.ending().map(|ending| (ending.reason, ending.winner));
        assert_eq!(reason, drawn.then_some((Reason::DeadPosition, None)), "{what}: {fen}");
        if drawn {
            let mut engine = engine_at(GameId::Xiangqi, fen, &[]);
            let limits = Limits { depth: Some(4), ..Limits::default() };
            let (infos, _) = search(&mut *engine, limits);
            let score = infos.last().map(|info| info.score);
            assert!(matches!(score, Some(Score::Centipawns(-1..=1))), "{what}: {score:?}");
        }
    }
}
