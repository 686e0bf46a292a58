use super::*;
use crate::chess::Board;
use crate::chess::types::Piece;
use crate::game::{AlphaBetaGame, Game};
use crate::util::rng::Rng;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

const SIDES: [Color; 2] = [Color::First, Color::Second];

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The verdict, after its mate has been played and agreed with what needs no search.
fn verdict(board: &Board, side: Color, budget: usize) -> Option<bool> {
    let pos = board.position();
    let found = can_win(pos, side, budget);
    let is_hopeless = is_hopeless(pos, &[side]);
    match found {
        Winnable::Yes(moves) => {
            assert!(!is_hopeless || moves.is_empty(), "{board:?} {side:?}: {moves:?}");
            let mut played = board.clone();
            for mv in moves {
                assert!(played.legal().contains(&mv), "{board:?} {side:?}: {mv:?}");
                played.do_move(mv, &mut ());
            }
            assert!(played.in_check() && played.legal().is_empty() && played.side() != side, "{board:?}");
            Some(true)
        }
        Winnable::No => Some(false),
        Winnable::Unknown => None,
    }
}

/// Whether White can mate, and whether Black can.
fn verdicts(fen: &str) -> [Option<bool>; 2] {
    SIDES.map(|side| verdict(&board(fen), side, 100_000))
}

#[test]
fn known_positions_are_decided() {
    for (fen, white, black) in [
        (crate::chess::START_FEN, true, true),
        // Walls: of pawns only; with bishops that can take nothing; with bishops on both sides.
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false, false),
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", false, false),
        ("8/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 w - - 0 1", false, false),
        // Every piece is stuck but a king.
        ("bqn1KN2/rrk1pB2/nb1pPp1p/p1pP1PpP/PpP3P1/1P2N1R1/4Q3/1R4B1 w - - 0 1", false, false),
        // A. Buchanan, StrateGems 2002: a pawn on a5 or on a4.
        ("Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1", true, false),
        ("Bb2kb2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 b - - 0 1", false, false),
        // Only one move, and it leaves nothing.
        ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", false, false),
        ("8/2kr4/K7/8/8/8/8/8 w - - 0 1", false, true),
        ("7k/6q1/p4PPK/6PP/8/8/8/8 w - - 0 1", false, false),
        // The pawn is stalemated for ever.
        ("7k/6pP/6P1/5K2/8/8/8/8 w - - 0 1", false, false),
        // Whatever Black does, White is stalemated.
        ("8/p6p/5kp1/5pP1/5P1K/1r5P/8/8 b - - 0 1", false, false),
        // Lone minor pieces, with and without something in the other king's way.
        ("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", false, true),
        ("4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", true, true),
        ("4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", true, true),
        ("4k2r/8/8/8/8/8/8/4KB2 w - - 0 1", false, true),
        ("3kb3/8/8/8/8/3KB3/8/8 w - - 0 1", true, true),
        ("3kb3/8/8/8/8/4KB2/8/8 w - - 0 1", false, false),
        // The bishop can be given for the pawn that holds the others.
        ("8/2p5/1pPp4/pP1Pp1k1/P3PpP1/5P2/4K3/B7 w - - 0 1", true, true),
    ] {
        assert_eq!(verdicts(fen), [Some(white), Some(black)], "{fen}");
    }
}

/// No arrangement of the pieces, with either side to move, is a mate by White. Captures and promotions lead
/// to material that is on the list or has less.
#[test]
#[ignore = "takes a minute"]
fn material_that_cannot_mate_mates_in_no_arrangement() {
    for men in ["KNk", "KBk", "KNkq", "KBkr", "KBkq", "KBkb", "KBBk"] {
        let mut checked = 0;
        each_arrangement(men.as_bytes(), &mut Vec::new(), &mut |pos| {
            if !has_mating_material(pos, Color::First) {
                checked += 1;
                assert!(!is_mate_by(pos, Color::First), "{:?}", Board::new(*pos, 0, 0));
            }
        });
        assert!(checked > 100_000, "{men}");
    }
}

/// Calls `each` with every position of these pieces, Black to move, in which the kings are apart.
fn each_arrangement(men: &[u8], placed: &mut Vec<(Piece, Square)>, each: &mut impl FnMut(&Position)) {
    let Some((&letter, rest)) = men.split_first() else {
        let mut pos = Position::of_pieces(placed.iter().copied());
        pos.side = Color::Second;
        if !attacks::king(pos.king(Color::First)).has(pos.king(Color::Second)) {
            each(&pos);
        }
        return;
    };
    let color = if letter.is_ascii_uppercase() { Color::First } else { Color::Second };
    let piece = Piece::new(color, Kind::from_letter(letter).unwrap());
    let taken = placed.iter().fold(Bitboard::EMPTY, |all, &(_, square)| all | square.bb());
    for square in !taken {
        placed.push((piece, square));
        each_arrangement(rest, placed, each);
        placed.pop();
    }
}

#[test]
fn a_search_that_is_given_up_decides_nothing() {
    let start = Board::start();
    assert_eq!(can_win(start.position(), Color::First, 10), Winnable::Unknown);
}

/// Decides by brute force, without any of the ideas above: breadth first, every position once. Remembers what
/// it has decided.
struct Brute {
    side: Color,
    /// Whether a mate can be reached from the position.
    known: HashMap<[u64; 5], bool>,
    limit: usize,
}

impl Brute {
    /// `None`: more positions than the limit.
    fn decide(&mut self, root: &Position) -> Option<bool> {
        let mut nodes = vec![(*root, 0)];
        let mut seen: HashMap<[u64; 5], u32> = HashMap::from([(packed(root), 0)]);
        let mut queue = VecDeque::from([0_usize]);
        let mut won = None;
        while let Some(index) = queue.pop_front() {
            let pos = nodes[index].0;
            match self.known.get(&packed(&pos)) {
                Some(true) => won = Some(index),
                Some(false) => continue,
                None => {}
            }
            let mut moves = MoveList::new();
            pos.generate::<All>(&pos.masks(), &mut moves);
            if moves.is_empty() && pos.masks().checkers.any() && pos.side() != self.side {
                won = Some(index);
            }
            if won.is_some() {
                break;
            }
            for &mv in &moves {
                let mut after = pos;
                after.play(mv, pos.find(mv.from()).unwrap().1);
                if let Entry::Vacant(entry) = seen.entry(packed(&after)) {
                    entry.insert(0);
                    queue.push_back(nodes.len());
                    nodes.push((after, index));
                }
            }
            if nodes.len() > self.limit {
                return None;
            }
        }
        let Some(mut index) = won else {
            self.known.extend(seen.into_keys().map(|key| (key, false)));
            return Some(false);
        };
        while self.known.insert(packed(&nodes[index].0), true).is_none() && index != 0 {
            index = nodes[index].1;
        }
        Some(true)
    }
}

/// Everything of a position, exactly: four bits a square, side and en passant.
fn packed(pos: &Position) -> [u64; 5] {
    let kinds = |which: &[usize]| which.iter().fold(0, |set, &kind| set | pos.kinds[kind].0);
    let last = pos.ep.0 << 1 | pos.side().index() as u64;
    assert!(pos.castling.is_empty());
    [pos.colors[0].0, kinds(&[0, 2, 4]), kinds(&[1, 2, 5]), kinds(&[3, 4, 5]), last]
}

/// Kings and `count` more pieces on random squares, half the time such that hardly a move is left.
fn few_pieces(rng: &mut Rng, count: usize) -> Option<Board> {
    let mut taken = Bitboard::EMPTY;
    let mut men = Vec::new();
    let kinds = [Kind::Pawn, Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
    for index in 0..count + 2 {
        let color = if index < 2 { SIDES[index] } else { rng.pick(&SIDES) };
        let kind = if index < 2 { Kind::King } else { rng.pick(&kinds) };
        // Corners, where kings get stuck, are what matters.
        let square = if rng.below(3) == 0 {
            rng.pick(&[0, 1, 6, 7, 8, 15, 48, 55, 56, 57, 62, 63])
        } else {
            rng.below(64)
        };
        let square = Square::new(square);
        if taken.has(square) || kind == Kind::Pawn && matches!(square.rank(), 0 | 7) {
            return None;
        }
        taken |= square.bb();
        men.push((Piece::new(color, kind), square));
    }
    let is_any = rng.below(2) == 0;
    legal(rng, men).filter(|board| is_any || board.count_legal() <= 2)
}

/// Rammed pawns on most files, kings and up to two bishops or knights.
fn wall(rng: &mut Rng) -> Option<Board> {
    let mut taken = Bitboard::EMPTY;
    let mut men = Vec::new();
    let mut put = |color, kind, square: Square| {
        men.push((Piece::new(color, kind), square));
        let is_free = !taken.has(square);
        taken |= square.bb();
        is_free
    };
    let mut rank = 1 + rng.below(5);
    for file in 0..8 {
        // Neighbors on the same rank could capture each other.
        rank = if rank == 1 || rank < 5 && rng.below(2) == 0 { rank + 1 } else { rank - 1 };
        if rng.below(12) > 0 {
            put(Color::First, Kind::Pawn, Square::at(file, rank));
            put(Color::Second, Kind::Pawn, Square::at(file, rank + 1));
        }
    }
    for color in SIDES {
        if !put(color, Kind::King, Square::new(rng.below(64))) {
            return None;
        }
    }
    for _ in 0..rng.below(3) {
        let kind = if rng.below(6) == 0 { Kind::Knight } else { Kind::Bishop };
        if !put(rng.pick(&SIDES), kind, Square::new(rng.below(64))) {
            return None;
        }
    }
    legal(rng, men)
}

/// The position of these pieces with a random side to move, if the rules allow it.
fn legal(rng: &mut Rng, men: Vec<(Piece, Square)>) -> Option<Board> {
    let mut pos = Position::of_pieces(men);
    pos.side = rng.pick(&SIDES);
    Board::from_fen(&Board::new(pos, 0, 0).fen()).ok()
}

/// Compares with brute force: how many verdicts were the same, how many the search gave up, how many brute
/// force did; and how many of the first were that there is no mate.
fn compare(count: usize, limit: usize, mut random: impl FnMut() -> Option<Board>) -> [usize; 4] {
    let [mut same, mut unknown, mut left_out, mut dead] = [0; 4];
    let mut brutes = SIDES.map(|side| Brute { side, known: HashMap::new(), limit });
    while same + unknown + left_out < count {
        let Some(board) = random() else { continue };
        for brute in &mut brutes {
            // What the material decides has a test of its own.
            if !has_mating_material(board.position(), brute.side) {
                continue;
            }
            match (verdict(&board, brute.side, 100_000), brute.decide(board.position())) {
                (_, None) => left_out += 1,
                (None, _) => unknown += 1,
                (found, exact) => {
                    assert_eq!(found, exact, "{board:?} {:?}", brute.side);
                    same += 1;
                    dead += usize::from(found == Some(false));
                }
            }
        }
    }
    [same, unknown, left_out, dead]
}

#[test]
fn brute_force_agrees() {
    let mut rng = Rng::new(63);
    let few = compare(100, 300_000, || few_pieces(&mut rng, 1));
    assert_eq!(few[1..3], [0, 0]);
    let walls = compare(40, 100_000, || wall(&mut rng));
    assert!(walls[0] > 0, "{few:?} {walls:?}");
}

#[test]
#[ignore = "takes minutes"]
fn brute_force_agrees_ten_thousand_times() {
    let mut rng = Rng::new(64);
    // What brute force itself cannot finish does not count.
    for (pieces, count, limit) in [(1, 10_000, 2_000_000), (2, 1_000, 300_000)] {
        println!("{pieces} pieces: {:?}", compare(count, limit, || few_pieces(&mut rng, pieces)));
    }
    println!("walls: {:?}", compare(2_000, 100_000, || wall(&mut rng)));
}
