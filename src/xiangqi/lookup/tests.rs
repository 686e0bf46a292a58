use super::*;

fn sq(name: &str) -> Square {
    let bytes = name.as_bytes();
    Square::at((bytes[0] - b'a') as usize, (bytes[1] - b'0') as usize).unwrap()
}

fn set(names: &str) -> Bitboard {
    names.split_whitespace().map(sq).collect()
}

fn occupied(names: &str) -> Occupancy {
    let mut occ = Occupancy::default();
    set(names).for_each(|sq| occ.toggle(sq));
    occ
}

#[test]
fn chariots_stop_at_the_first_piece_and_cannons_aim_at_the_second() {
    let occ = occupied("e4 g4 h4 e6 e8 e2 a4");
    assert_eq!(occ.chariot(sq("e4")), set("d4 c4 b4 a4 f4 g4 e5 e6 e3 e2"));
    assert_eq!(occ.cannon(sq("e4")), set("h4 e8"));
}

#[test]
fn cannons_guard_what_lies_behind_a_screen() {
    let occ = occupied("e4 g4 i4 e6 e8 e2 a4");
    assert_eq!(occ.behind_screens(sq("e4")), set("h4 i4 e7 e8 e1 e0"));
    assert_eq!(occ.along_file(sq("e4")), set("e5 e6 e3 e2"));
    for from in Bitboard::ALL {
        assert_eq!(occ.behind_screens(from) & occ.all, occ.cannon(from));
    }
}

#[test]
fn soldiers_step_ahead_and_across_the_river_to_both_sides() {
    for side in [Side::First, Side::Second] {
        for from in Bitboard::ALL {
            let (ahead, [left, right]) = soldier_steps(side, Bitboard::of(from));
            assert_eq!(ahead | left | right, soldier(side, from), "{side:?} {from}");
        }
    }
}

#[test]
fn horses_need_their_leg() {
    let occ = occupied("e4 e5");
    assert_eq!(occ.horse(sq("e4")), set("c5 c3 g5 g3 d2 f2"));
    for from in (0..SQUARES).map(|n| Square::new(n).unwrap()) {
        for to in occ.horse(from) {
            assert!(occ.horse_to(to).has(from));
            assert!(horse_ring(to).has(from) && legs(to).meets(leg(from, to)));
        }
        for back in occ.horse_to(from) {
            assert!(occ.horse(back).has(from));
        }
    }
}

#[test]
fn elephants_stay_home_and_need_the_eye() {
    assert_eq!(occupied("f1").elephant(sq("g0")), set("i2"));
    assert_eq!(occupied("").elephant(sq("g4")), set("e2 i2"));
    assert_eq!(occupied("").elephant(sq("c5")), set("a7 e7"));
}

#[test]
fn soldiers_never_go_back() {
    assert_eq!(soldier(Side::First, sq("e4")), set("e5"));
    assert_eq!(soldier(Side::First, sq("e5")), set("e6 d5 f5"));
    assert_eq!(soldier(Side::Second, sq("a4")), set("a3 b4"));
    for side in [Side::First, Side::Second] {
        for from in Bitboard::ALL {
            for to in soldier(side, from) {
                assert!(soldier_to(side, to).has(from), "{from}{to}");
            }
        }
    }
}

#[test]
fn palaces_bound_generals_and_advisors() {
    assert_eq!(GENERAL[sq("e0").index()], set("d0 f0 e1"));
    assert_eq!(ADVISOR[sq("e1").index()], set("d0 f0 d2 f2"));
    assert_eq!(ADVISOR[sq("e0").index()], Bitboard::EMPTY);
    assert_eq!(between(sq("e0"), sq("e3")), set("e1 e2"));
    assert_eq!(between(sq("e0"), sq("d3")), Bitboard::EMPTY);
}
