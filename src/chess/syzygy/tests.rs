//! The tables against the rules, and against damage.
//!
//! The tables themselves are not part of the project: tests that read them are ignored, and need
//! `SYZYGY_PATH`.

use super::*;
use crate::chess::types::{Color, Piece, Square};
use crate::util::rng::Rng;
use tempfile::tempdir;

/// The folder of tables of three and four pieces that `SYZYGY_PATH` names.
pub(super) fn folder() -> String {
    std::env::var("SYZYGY_PATH").expect("SYZYGY_PATH names a folder of Syzygy tables")
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

/// A random legal position of `pieces` pieces, kings included.
pub(super) fn random_position(rng: &mut Rng, pieces: usize) -> Board {
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

#[test]
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn known_endings_have_their_results() {
    let tables = Tables::open(&folder());
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
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn the_fifty_move_counter_changes_the_outcome() {
    let tables = Tables::open(&folder());
    let fresh = tables.best_move(&board("8/8/8/8/3k4/8/8/KBN5 w - - 0 1")).unwrap();
    assert_eq!(fresh.outcome, Wdl::Win);
    let late = tables.best_move(&board("8/8/8/8/3k4/8/8/KBN5 w - - 60 90")).unwrap();
    assert_eq!((late.mv, late.dtz, late.outcome), (fresh.mv, fresh.dtz, Wdl::CursedWin));
}

#[test]
fn what_is_missing_or_no_table_is_reported() {
    let missing = Tables::open("no such folder");
    assert_eq!(missing.max_pieces(), 0);
    assert!(missing.take_complaints()[0].to_string().starts_with("no such folder: "));
    assert!(missing.take_complaints().is_empty());

    let folder = tempdir().unwrap();
    for (name, bytes) in [("KQvK.rtbw", vec![0; 80]), ("KRvK.rtbw", vec![]), ("KXvK.rtbz", vec![0; 80])] {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    std::fs::create_dir(folder.path().join("KBvK.rtbw")).unwrap();
    let tables = Tables::open(folder.path().to_str().unwrap());
    assert_eq!((tables.max_pieces(), tables.take_complaints().len()), (0, 4));
    assert_eq!(tables.probe_wdl(board("8/8/8/4k3/8/4K3/4Q3/8 w - - 0 1").position()), None);
}

/// Damage of every kind, anywhere in the file, gives some answer or none, and never ends the program.
#[test]
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn damage_costs_answers_only() {
    let source = folder();
    let folder = tempdir().unwrap();
    let mut rng = Rng::new(3);
    let mut lost = 0;
    for name in ["KPvKP", "KRPvK", "KQvKQ", "KBBvK", "KQvK"] {
        for suffix in ["rtbw", "rtbz"] {
            let file = format!("{name}.{suffix}");
            let whole = std::fs::read(Path::new(&source).join(&file)).unwrap();
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
                std::fs::write(folder.path().join(&file), &bytes).unwrap();
                let tables = Tables::open(&format!("{}:{source}", folder.path().display()));
                for _ in 0..60 {
                    let board = random_position(&mut rng, Material::from_name(name).unwrap().count());
                    lost += usize::from(tables.probe_dtz(board.position()).is_none());
                }
            }
            std::fs::remove_file(folder.path().join(&file)).unwrap();
        }
    }
    assert!(lost > 0, "no damage was noticed");
}
