//! The tables against the rules, against pyrrhic-rs, and against damage.
//!
//! The tables themselves are not part of the project: without them these tests say that they skip.

use super::*;
use crate::chess::types::{Color, Piece, Square};
use crate::chess::{attacks, magic};
use crate::util::rng::Rng;
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};

/// Where the tables of three and four pieces may be.
fn folder() -> Option<&'static str> {
    let here = ["../shared/data/chess/syzygy", "../../shared/data/chess/syzygy", "tests/data/syzygy"];
    let found = here.into_iter().find(|folder| Path::new(folder).join("KQvK.rtbw").exists());
    if found.is_none() {
        eprintln!("skipped: no Syzygy tables in {}", here[0]);
    }
    found
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

/// A random legal position of `pieces` pieces, kings included.
fn random_position(rng: &mut Rng, pieces: usize) -> Board {
    const KINDS: [Kind; 5] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
    loop {
        let mut squares = [None; 64];
        let mut put = |piece: Piece, rng: &mut Rng| {
            let (low, high) = if piece.kind() == Kind::Pawn { (8, 56) } else { (0, 64) };
            loop {
                let at = low + rng.below(high - low);
                if squares[at].is_none() {
                    squares[at] = Some(piece);
                    break;
                }
            }
        };
        put(Piece::new(Color::First, Kind::King), rng);
        put(Piece::new(Color::Second, Kind::King), rng);
        for _ in 2..pieces {
            let color = if rng.below(2) == 0 { Color::First } else { Color::Second };
            put(Piece::new(color, KINDS[rng.below(5)]), rng);
        }
        let mut pos = Position { side: [Color::First, Color::Second][rng.below(2)], ..Position::EMPTY };
        for (square, piece) in squares.iter().enumerate().filter_map(|(i, piece)| Some((i, (*piece)?))) {
            pos.kinds[piece.kind().index()] |= Square::new(square).bb();
            pos.colors[piece.color().index()] |= Square::new(square).bb();
        }
        // The side that has just moved is not in check.
        if !pos.is_attacked(pos.king(pos.side.other()), pos.side, pos.occupied()) {
            return Board::new(pos, 0, 0);
        }
    }
}

#[derive(Clone)]
struct Adapter;

impl EngineAdapter for Adapter {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = if color == pyrrhic_rs::Color::White { Color::First } else { Color::Second };
        attacks::pawn(color, Square::new(square as usize)).0
    }
    fn knight_attacks(square: u64) -> u64 {
        attacks::knight(Square::new(square as usize)).0
    }
    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        magic::bishop(Square::new(square as usize), crate::chess::bitboard::Bitboard(occupied)).0
    }
    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        magic::rook(Square::new(square as usize), crate::chess::bitboard::Bitboard(occupied)).0
    }
    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        magic::queen(Square::new(square as usize), crate::chess::bitboard::Bitboard(occupied)).0
    }
    fn king_attacks(square: u64) -> u64 {
        attacks::king(Square::new(square as usize)).0
    }
}

/// Every answer is that of pyrrhic-rs: who wins, and the DTZ of each move.
#[test]
fn answers_are_those_of_another_reader() {
    let Some(folder) = folder() else { return };
    let tables = Tables::open(folder);
    assert_eq!(tables.take_complaints(), Vec::<String>::new());
    assert_eq!((tables.max_pieces(), tables.counts()), (4, (35, 35)));
    let other = TableBases::<Adapter>::new(folder).unwrap();
    let mut rng = Rng::new(7);
    let mut seen = HashMap::new();
    for i in 0..20_000 {
        let board = random_position(&mut rng, if i % 8 == 0 { 3 } else { 4 });
        let pos = board.position();
        let kind = |kind: Kind| pos.kind(kind).0;
        let (white, black) = (pos.color(Color::First).0, pos.color(Color::Second).0);
        let turn = pos.side() == Color::First;
        let ours = tables.probe_wdl(pos).unwrap();
        let theirs = other
            .probe_wdl(
                white,
                black,
                kind(Kind::King),
                kind(Kind::Queen),
                kind(Kind::Rook),
                kind(Kind::Bishop),
                kind(Kind::Knight),
                kind(Kind::Pawn),
                0,
                turn,
            )
            .unwrap();
        let theirs = match theirs {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        };
        assert_eq!(ours, theirs, "{board:?}");
        *seen.entry(ours).or_insert(0) += 1;
        if !board.has_legal_move() {
            continue;
        }
        let root = other.probe_root(
            white,
            black,
            kind(Kind::King),
            kind(Kind::Queen),
            kind(Kind::Rook),
            kind(Kind::Bishop),
            kind(Kind::Knight),
            kind(Kind::Pawn),
            0,
            0,
            turn,
        );
        let root = root.unwrap();
        for ranked in tables.rank_moves(&board).unwrap() {
            let same = |m: &DtzProbeValue| match m {
                DtzProbeValue::DtzResult(r) => {
                    let promotes = ranked.mv.move_type() == MoveType::Promotion;
                    let to = match r.promotion {
                        pyrrhic_rs::Piece::Queen => Some(Kind::Queen),
                        pyrrhic_rs::Piece::Rook => Some(Kind::Rook),
                        pyrrhic_rs::Piece::Bishop => Some(Kind::Bishop),
                        pyrrhic_rs::Piece::Knight => Some(Kind::Knight),
                        _ => None,
                    };
                    usize::from(r.from_square) == ranked.mv.from().index()
                        && usize::from(r.to_square) == ranked.mv.to().index()
                        && to == promotes.then(|| ranked.mv.promotion_kind())
                }
                _ => false,
            };
            let Some(DtzProbeValue::DtzResult(theirs)) =
                root.moves[..root.num_moves].iter().find(|m| same(m))
            else {
                panic!("{board:?}: {ranked:?} is not among {root:?}");
            };
            assert_eq!(ranked.dtz.unsigned_abs(), u32::from(theirs.dtz), "{board:?} {ranked:?}");
        }
    }
    assert!(seen[&Wdl::Win] > 5000 && seen[&Wdl::Loss] > 2000 && seen[&Wdl::Draw] > 1000, "{seen:?}");
}

#[test]
fn known_endings_have_their_results() {
    let Some(folder) = folder() else { return };
    let tables = Tables::open(folder);
    let wdl = |fen: &str| tables.probe_wdl(board(fen).position());
    let dtz = |fen: &str| tables.probe_dtz(board(fen).position());
    // The opposition decides.
    assert_eq!(wdl("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), Some(Wdl::Draw));
    assert_eq!(wdl("8/8/4k3/8/4K3/8/4P3/8 b - - 0 1"), Some(Wdl::Loss));
    // Two knights win nothing; bare kings neither.
    assert_eq!(wdl("8/8/8/4k3/8/4K3/4NN2/8 w - - 0 1"), Some(Wdl::Draw));
    assert_eq!(wdl("8/8/8/4k3/8/4K3/8/8 w - - 0 1"), Some(Wdl::Draw));
    // The only capture is en passant, and wins.
    assert_eq!(wdl("8/8/8/8/2Pp4/k7/8/7K b - c3 0 1"), Some(Wdl::Win));
    assert_eq!(dtz("8/8/8/8/2Pp4/k7/8/7K b - c3 0 1"), Some(1));
    // Mated, and a mate at hand.
    assert_eq!(dtz("R5k1/8/6K1/8/8/8/8/8 b - - 0 1"), Some(-1));
    assert_eq!(dtz("6k1/8/6K1/8/8/8/8/R7 w - - 0 1"), Some(1));
    // Five pieces, and castling rights, are beyond the tables.
    assert_eq!(wdl("8/8/8/4k3/8/4K3/4NNN1/8 w - - 0 1"), None);
    assert_eq!(wdl("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None);
}

#[test]
fn the_fifty_move_counter_changes_the_outcome() {
    let Some(folder) = folder() else { return };
    let tables = Tables::open(folder);
    let fresh = tables.best_move(&board("8/8/8/8/3k4/8/8/KBN5 w - - 0 1")).unwrap();
    assert_eq!(fresh.outcome, Wdl::Win);
    let late = tables.best_move(&board("8/8/8/8/3k4/8/8/KBN5 w - - 60 90")).unwrap();
    assert_eq!((late.mv, late.dtz, late.outcome), (fresh.mv, fresh.dtz, Wdl::CursedWin));
}

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sanqi-syzygy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_missing_or_no_table_is_told() {
    let missing = Tables::open("no such folder");
    assert_eq!(missing.max_pieces(), 0);
    assert!(missing.take_complaints()[0].starts_with("no such folder: "));
    assert!(missing.take_complaints().is_empty());

    let folder = Folder::new("told");
    for (name, bytes) in [("KQvK.rtbw", vec![0; 80]), ("KRvK.rtbw", vec![]), ("KXvK.rtbz", vec![0; 80])] {
        std::fs::write(folder.0.join(name), bytes).unwrap();
    }
    std::fs::create_dir(folder.0.join("KBvK.rtbw")).unwrap();
    let tables = Tables::open(folder.0.to_str().unwrap());
    assert_eq!((tables.max_pieces(), tables.take_complaints().len()), (0, 4));
    assert_eq!(tables.probe_wdl(board("8/8/8/4k3/8/4K3/4Q3/8 w - - 0 1").position()), None);
}

/// Damage of every kind, anywhere in the file, gives some answer or none, and never ends the program.
#[test]
fn damage_costs_answers_only() {
    let Some(source) = folder() else { return };
    let folder = Folder::new("damage");
    let mut rng = Rng::new(3);
    let mut lost = 0;
    for name in ["KPvKP", "KRPvK", "KQvKQ", "KBBvK", "KQvK"] {
        for suffix in ["rtbw", "rtbz"] {
            let file = format!("{name}.{suffix}");
            let whole = std::fs::read(Path::new(source).join(&file)).unwrap();
            for round in 0..40 {
                let mut bytes = whole.clone();
                match round % 4 {
                    // The header, a byte.
                    0 => bytes[4 + rng.below(200.min(whole.len() - 4))] = rng.next_u64() as u8,
                    // The header, a run.
                    1 => bytes[4 + rng.below(100.min(whole.len() - 24))..]
                        .iter_mut()
                        .take(20)
                        .for_each(|b| *b = 0xFF),
                    // Anywhere.
                    2 => (0..50).for_each(|_| bytes[4 + rng.below(whole.len() - 4)] = rng.next_u64() as u8),
                    // Cut short, to a length that a table could have.
                    _ => bytes.truncate(rng.below(whole.len() / 64) * 64 + 16),
                }
                std::fs::write(folder.0.join(&file), &bytes).unwrap();
                let tables = Tables::open(&format!("{}:{source}", folder.0.display()));
                for _ in 0..60 {
                    let board = random_position(&mut rng, Material::from_name(name).unwrap().count());
                    lost += usize::from(tables.probe_dtz(board.position()).is_none());
                }
            }
            std::fs::remove_file(folder.0.join(&file)).unwrap();
        }
    }
    assert!(lost > 0, "no damage was noticed");
}
