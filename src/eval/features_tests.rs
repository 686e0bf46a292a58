//! The inputs of both games hold what [`FeatureSet`] promises.

use super::{Chess768, Xiangqi689};
use crate::game::Side;
use crate::nnue::features::{FeatureSet, KingMap};
use std::collections::HashSet;

fn mirror<F: FeatureSet>(square: usize) -> usize {
    F::turned(Side::First, true, square)
}

/// Every input is used by each side, and by the same relative piece and square of both.
fn inputs_cover<F: FeatureSet>(expected: usize) {
    for side in [Side::First, Side::Second] {
        let mut seen = HashSet::new();
        for piece in 0..2 * F::KINDS {
            for square in 0..F::SQUARES {
                let input = F::input(side, false, piece, square);
                assert!(input < F::INPUTS);
                seen.insert(input);
                assert_eq!(input, F::input(side, true, piece, mirror::<F>(square)));
                let flipped = F::turned(Side::Second, false, square);
                let swapped = F::relative(Side::Second, piece);
                assert_eq!(input, F::input(side.other(), false, swapped, flipped));
                assert_eq!(F::lateral(side, piece, square), -F::lateral(side, piece, mirror::<F>(square)));
                assert_eq!(F::lateral(side, piece, square), F::lateral(side.other(), swapped, flipped));
            }
        }
        assert_eq!(seen.len(), expected);
    }
}

#[test]
fn all_inputs_are_used_and_symmetric() {
    inputs_cover::<Chess768>(768);
    inputs_cover::<Xiangqi689>(690);
}

#[test]
fn king_maps_have_as_many_buckets_as_asked_for() {
    let count = |map: KingMap| map.into_iter().collect::<HashSet<_>>().len();
    for n in [1, 4] {
        assert_eq!(Chess768::king_map(n).map(count), Some(n));
    }
    for n in [1, 6] {
        assert_eq!(Xiangqi689::king_map(n).map(count), Some(n));
    }
    assert_eq!(Chess768::king_map(2), None);
}

#[test]
fn kings_end_up_on_the_left() {
    for king in 0..64 {
        let view = Chess768::view(Side::First, king, 0);
        assert!(view.king % 8 < 4);
        assert_eq!(view.mirrored, king % 8 > 3);
    }
    assert!(Xiangqi689::view(Side::Second, 85, -1).mirrored);
    assert!(!Xiangqi689::view(Side::Second, 85, 0).mirrored);
    assert!(Xiangqi689::view(Side::Second, 86, 5).mirrored);
    assert_eq!(Xiangqi689::view(Side::Second, 86, 5).king, 3);
}

#[test]
fn slow_pieces_decide_the_view_before_fast_ones() {
    // An own elephant on the right outweighs all that can stand on the left.
    let right = Xiangqi689::lateral(Side::First, 2, 8 + 18);
    let left = Xiangqi689::lateral(Side::First, 7 + 2, 63 + 18 - 18);
    assert!(right < 0 && left > 0 && right + left < 0);
    let fast = 2 * Xiangqi689::lateral(Side::First, 4, 0) + 2 * Xiangqi689::lateral(Side::First, 3, 9);
    assert!(fast > 0 && right + fast < 0);
}

#[test]
fn embedded_nets_are_good() {
    crate::nnue::embedded::<Chess768>().unwrap();
    crate::nnue::embedded::<Xiangqi689>().unwrap();
}
