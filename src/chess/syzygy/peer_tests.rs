//! The tables as another reader understands them. pyrrhic-rs compiles where C's `char` has a sign: on x86-64.

use super::tests::{folder, random_position};
use super::*;
use crate::chess::types::{Color, Square};
use crate::chess::{attacks, magic};
use crate::util::rng::Rng;
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};

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
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn answers_are_those_of_another_reader() {
    let folder = folder();
    let tables = Tables::open(&folder);
    assert!(tables.take_complaints().is_empty());
    assert_eq!((tables.max_pieces(), tables.counts()), (4, (35, 35)));
    let other = TableBases::<Adapter>::new(&folder).unwrap();
    let mut rng = Rng::new(7);
    let mut seen = HashMap::new();
    for i in 0..20_000 {
        let board = random_position(&mut rng, if i % 8 == 0 { 3 } else { 4 });
        let pos = board.position();
        let kind = |kind: Kind| pos.kind(kind).0;
        let (white, black) = (pos.color(Color::First).0, pos.color(Color::Second).0);
        // Both questions begin with the same eight sets of squares.
        macro_rules! ask {
            ($question:ident; $($rest:expr),*) => {
                other.$question(
                    white, black, kind(Kind::King), kind(Kind::Queen), kind(Kind::Rook), kind(Kind::Bishop),
                    kind(Kind::Knight), kind(Kind::Pawn), $($rest),*
                )
            };
        }
        let turn = pos.side() == Color::First;
        let ours = tables.probe_wdl(pos).unwrap();
        let theirs = ask!(probe_wdl; 0, turn).unwrap();
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
        let root = ask!(probe_root; 0, 0, turn).unwrap();
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
