use super::*;
use crate::app::review::chances;
use crate::game::Side;
use crate::games::game::Start;
use crate::games::record::GameKind;

fn opinion(side: Side, score: Score, line: &str) -> Opinion {
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let best = line.first().cloned();
    Opinion { side, score: Some(score), chances: chances(score, None), best, line, ..Opinion::default() }
}

/// The words for `mv` at a position: the best line and its score before it, the line and its score after it.
fn words(start: Start, mv: &str, before: (Score, &str), after: (Score, &str)) -> Option<[String; 2]> {
    words_after(start, &[], mv, before, after)
}

fn words_after(
    start: Start,
    moves: &[&str],
    mv: &str,
    before: (Score, &str),
    after: (Score, &str),
) -> Option<[String; 2]> {
    let moves: Vec<String> = moves.iter().map(|mv| (*mv).to_owned()).collect();
    let game = Game::after(start, &moves).unwrap();
    let side = game.side_to_move();
    let text =
        reason(&game, mv, &opinion(side, before.0, before.1), &opinion(side.other(), after.0, after.1))?;
    Some([text.to_string(), format!("{text:#}")])
}

fn chess(fen: &str) -> Start {
    Start::fen(GameKind::CHESS, fen)
}

fn xiangqi(fen: &str) -> Start {
    Start::fen(GameKind::XIANGQI, fen)
}

use Score::{Centipawns as Cp, Mate};

fn is(found: Option<[String; 2]>, english: &str, chinese: &str) {
    let found = found.unwrap_or_default();
    assert_eq!((found[0].as_str(), found[1].as_str()), (english, chinese));
}

const FOOLS: &str = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";

#[test]
fn a_mate_that_is_allowed() {
    is(
        words(chess(FOOLS), "g2g4", (Cp(-50), "b1c3 b8c6"), (Mate(1), "d8h4")),
        "allows Qh4#, which mates",
        "允许对方 Qh4# 杀",
    );
    let back_rank = "4r1k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1";
    is(
        words(chess(back_rank), "b1b8", (Cp(0), "g1f1 g8f8"), (Cp(500), "e8b8 g2g3 g8f8 g1g2")),
        "hangs a rook: Rxb8",
        "白丢一车：Rxb8",
    );
    is(
        words(chess(back_rank), "b1b7", (Cp(0), "g1f1 g8f8"), (Mate(1), "e8e1")),
        "allows Re1#, which mates (back-rank mate)",
        "允许对方 Re1# 杀（底线杀）",
    );
}

#[test]
fn a_mate_in_several_moves_is_counted_along_its_line() {
    // Légal's mate: Black took the queen.
    let taken = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";
    is(
        words(chess(taken), "g4d1", (Cp(-100), "d6e5 d1g4"), (Mate(2), "c4f7 e8e7 c3d5")),
        "allows mate in 2, beginning with Bxf7+",
        "Bxf7+ 后被 2 步杀",
    );
    // A line that breaks off proves nothing, so the search has to answer for it.
    is(
        words(chess(taken), "g4d1", (Cp(-100), "d6e5 d1g4"), (Mate(2), "c4f7")),
        "the search sees mate in 2 after Bxf7+",
        "引擎算出 Bxf7+ 后 2 步杀",
    );
}

#[test]
fn a_mate_that_is_missed() {
    let before = "rn1q1bnr/ppp1kB1p/3p2p1/4N3/4P3/2N5/PPPP1PPP/R1BbK2R w KQ - 1 7";
    is(
        words(chess(before), "e1d1", (Mate(1), "c3d5"), (Cp(300), "e7e5")),
        "misses mate in 1 with Nd5#",
        "错过 Nd5# 的 1 步杀",
    );
    // A mate that comes later is still one.
    assert_eq!(words(chess(before), "e1d1", (Mate(1), "c3d5"), (Mate(-4), "d8e8")), None);
    let smothered = "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1";
    is(
        words(chess(smothered), "g1f1", (Mate(1), "g5f7"), (Cp(500), "g8f8")),
        "misses mate in 1 with Nf7# (smothered mate)",
        "错过 Nf7# 的 1 步杀（闷杀）",
    );
}

#[test]
fn pieces_that_are_lost() {
    let open = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    is(
        words(chess(open), "f3g5", (Cp(30), "f1b5 a7a6 b5a4"), (Cp(300), "d8g5 b1c3 g5g6 h2h3 g8f6 a2a3")),
        "hangs a knight: Qxg5",
        "白丢一马：Qxg5",
    );
    // The pawn that comes back is counted.
    is(
        words(chess(open), "f3e5", (Cp(30), "f1b5 a7a6 b5a4"), (Cp(200), "c6e5 d2d4 e5c6 d4d5 c6e5 h2h3")),
        "loses a knight for a pawn after Nxe5",
        "Nxe5 后丢一马（换得一兵）",
    );
    let forked = "r5k1/5ppp/8/8/3n4/8/5PPP/R5K1 w - - 0 1";
    is(
        words(
            chess(forked),
            "a1c1",
            (Cp(-300), "a1d1 d4e2 g1f1 e2c3 d1e1 g8f8"),
            (Cp(900), "d4e2 g1f1 e2c1 f1e1 g8f8 e1d1"),
        ),
        "loses a rook to the fork Ne2+",
        "Ne2+ 双击，丢一车",
    );
    let guarded = "r5k1/5ppp/8/8/3n4/4B3/5PPP/R5K1 w - - 0 1";
    is(
        words(
            chess(guarded),
            "a1c1",
            (Cp(300), "g1f1 g8f8 h2h3"),
            (Cp(200), "d4e2 g1f1 e2c1 e3c1 g8f8 f1e2"),
        ),
        "loses the exchange to the fork Ne2+",
        "Ne2+ 双击，丢半子（车换轻子）",
    );
    let queen = "3rk3/8/8/8/8/3Q4/8/3RK3 w - - 0 1";
    is(
        words(
            chess(queen),
            "d3d7",
            (Cp(0), "d3b3 d8d1 e1d1 e8e7 d1d2 e7f6"),
            (Cp(600), "d8d7 d1d7 e8d7 e1e2 d7d6 e2e3"),
        ),
        "hangs a queen: Rxd7",
        "白丢一后：Rxd7",
    );
}

#[test]
fn what_was_lost_anyway_is_no_reason() {
    let forked = "r5k1/5ppp/8/8/8/8/4nPPP/2R2K2 w - - 0 1";
    let loss = (Cp(900), "e2c1 h2h3 g8f8 g2g3");
    assert_eq!(words(chess(forked), "f1e1", (Cp(-500), "f1g1 e2c1 h2h3 g8f8 g2g3"), loss), None);
}

#[test]
fn captures_that_are_missed() {
    let loose = "4k3/7p/8/3q4/8/2N5/P7/4K3 w - - 0 1";
    is(
        words(chess(loose), "e1e2", (Cp(500), "c3d5 e8d7 e1d2 d7d6"), (Cp(600), "d5a5 a2a3 a5b6 e2d2")),
        "misses Nxd5, which wins a queen",
        "错过 Nxd5，可得一后",
    );
    let pawn = "8/5P1k/8/8/8/8/r7/4K3 w - - 0 1";
    is(
        words(
            chess(pawn),
            "e1d1",
            (Cp(500), "f7f8q a2a1 e1d2 a1a2"),
            (Cp(100), "a2f2 d1c1 f2f7 c1c2 f7f2 c2c1"),
        ),
        "loses a pawn after Rf2",
        "Rf2 后丢一兵",
    );
    is(
        words(chess(pawn), "e1d1", (Cp(500), "f7f8q a2a1 e1d2 a1a2"), (Cp(-500), "a2b2 d1c1 b2b5 c1c2")),
        "misses f8=Q, after which a pawn promotes",
        "错过 f8=Q，兵可升变",
    );
    let race = "8/7k/8/8/8/K7/1p6/3R4 w - - 0 1";
    let after = (Cp(500), "b2b1q d1b1 h7g7 a4a5 g7f7");
    assert_eq!(words(chess(race), "a3a4", (Cp(500), "a3b2 h7g7 b2c3 g7f7"), after), None);
    let lost = "8/7k/8/8/8/K7/1p5P/3B4 w - - 0 1";
    is(
        words(
            chess(lost),
            "a3a4",
            (Cp(300), "a3b2 h7g7 b2c3 g7f7"),
            (Cp(600), "b2b1q d1c2 h7g7 c2d3 b1b6 a4a3"),
        ),
        "lets a pawn promote after b1=Q",
        "b1=Q 后兵升变",
    );
}

#[test]
fn a_line_that_breaks_off_shows_its_first_capture() {
    let loose = "4k3/7p/8/3q4/8/2N5/P7/4K3 w - - 0 1";
    let (short, quiet) = ((Cp(500), "c3d5"), "d5a5 a2a3 a5b6 e2d2");
    is(
        words(chess(loose), "e1e2", short, (Cp(600), quiet)),
        "misses Nxd5, which wins a queen",
        "错过 Nxd5，可得一后",
    );
    is(
        words(chess(loose), "c3e4", (Cp(0), "e1e2"), (Cp(900), "d5e4")),
        "hangs a knight: Qxe4+",
        "白丢一马：Qxe4+",
    );
    let taken = "4k3/7p/5p2/4p3/2N5/8/P7/4K3 w - - 0 1";
    is(
        words(chess(taken), "c4e5", (Cp(200), "e1e2"), (Cp(300), "f6e5")),
        "loses a knight for a pawn after fxe5",
        "fxe5 后丢一马（换得一兵）",
    );
    // A piece that is guarded, and one that is lost after the best move too.
    let guarded = "4k3/7p/8/3q4/8/2N2P2/P7/4K3 w - - 0 1";
    assert_eq!(words(chess(guarded), "c3e4", (Cp(0), "e1e2"), (Cp(300), "d5e4")), None);
    let lost = "4k3/7p/8/3q4/4N3/8/P7/4K3 w - - 0 1";
    assert_eq!(words(chess(lost), "a2a3", (Cp(-300), "e1f1"), (Cp(900), "d5e4")), None);
}

#[test]
fn draws_that_are_given_away() {
    let queen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    is(
        words(chess(queen), "f1f7", (Cp(900), "f1b1 h8g8 b1b8"), (Cp(0), "")),
        "stalemate, a draw",
        "对方无子可动，成和棋",
    );
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    let side = Cp(300);
    is(
        words_after(GameKind::CHESS.into(), &shuffle, "f6g8", (side, "d7d5 d2d4"), (Cp(0), "")),
        "the position is repeated, a draw",
        "局面循环重复，成和棋",
    );
    is(
        words_after(GameKind::CHESS.into(), &shuffle[..6], "f3g1", (side, "d2d4 d7d5"), (Cp(0), "f6g8")),
        "allows Ng8: the position is repeated, a draw",
        "允许对方 Ng8：局面循环重复，成和棋",
    );
    is(
        words_after(GameKind::CHESS.into(), &shuffle, "f6e4", (Cp(-300), "f6g8"), (Cp(500), "d2d3 e4f6")),
        "misses Ng8: the position is repeated, a draw",
        "错过 Ng8：局面循环重复，成和棋",
    );
}

#[test]
fn perpetual_check_loses_in_xiangqi() {
    let start = xiangqi("3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1");
    let moves = ["a1d1", "d9e9", "d1e1", "e9d9", "e1d1", "d9e9", "d1e1", "e9d9"];
    let found = words_after(start, &moves, "e1d1", (Cp(900), "e1e8 d9d8"), (Cp(20_000), "")).unwrap();
    assert!(found[0].starts_with("repeats the position and loses by the rules: "), "{found:?}");
    assert!(found[1].starts_with("重复局面，按棋例判负："), "{found:?}");
}

#[test]
fn mates_of_xiangqi_have_names() {
    let allowed = |fen, reply| words(xiangqi(fen), "i4i3", (Cp(-100), "e9e8"), (Mate(1), reply));
    is(
        allowed("3aka3/9/9/9/7C1/8p/4C4/9/9/3K5 b - - 0 1", "h5e5"),
        "allows H5-E5, which mates (double cannons)",
        "允许对方 炮二平五 杀（重炮）",
    );
    is(
        allowed("4k4/9/4N4/9/C8/8p/9/9/9/3K5 b - - 0 1", "a5e5"),
        "allows A5-E5, which mates (cannon behind the horse)",
        "允许对方 炮九平五 杀（马后炮）",
    );
    is(
        allowed("4ka3/4a4/N8/9/3R5/8p/9/9/9/4K4 b - - 0 1", "a7c8"),
        "allows A7-C8, which mates (horse at the trough)",
        "允许对方 马九进七 杀（卧槽马）",
    );
    is(
        words(
            xiangqi("4ka3/4a4/N8/9/3R5/8p/9/9/9/4K4 w - - 0 1"),
            "e0e1",
            (Mate(1), "a7c8"),
            (Cp(-300), "e9d9"),
        ),
        "misses mate in 1 with A7-C8 (horse at the trough)",
        "错过 马九进七 的 1 步杀（卧槽马）",
    );
}

#[test]
fn chariots_are_won_by_a_discovered_attack() {
    let fen = "4k4/9/7r1/9/4N4/9/4R4/9/9/5K3 w - - 0 1";
    is(
        words(
            xiangqi(fen),
            "f0f1",
            (Cp(900), "e5g6 e9d9 g6h8 d9d8 f0f1 d8d9"),
            (Cp(0), "h7h1 f1f0 h1h2 f0f1"),
        ),
        "",
        "",
    );
}

#[test]
fn what_wins_a_piece_has_a_name() {
    let missed = |start, mv, best, quiet| words(start, mv, (Cp(900), best), (Cp(0), quiet));
    is(
        missed(
            chess("4k3/8/2n5/8/8/8/P7/4KB2 w - - 0 1"),
            "e1e2",
            "f1b5 e8e7 b5c6 e7d6 c6e4 d6e6",
            "c6e5 e2e3 e8d7",
        ),
        "misses Bb5, a pin that wins a knight",
        "错过 Bb5 牵制，可得一马",
    );
    is(
        missed(
            chess("3q4/8/3k4/8/8/8/P7/K6R w - - 0 1"),
            "a1b1",
            "h1d1 d6e6 d1d8 e6e5 a1b1 e5e4",
            "d6e6 b1c1 e6f6",
        ),
        "misses Rd1+, a skewer that wins a queen",
        "错过 Rd1+ 串击，可得一后",
    );
    is(
        missed(
            chess("4k3/8/8/3q4/8/8/3N4/K2R4 w - - 0 1"),
            "a1b1",
            "d2f1 e8e7 d1d5 e7e6 d5d1 e6e5",
            "e8e7 b1c1 e7f7",
        ),
        "misses Nf1, a discovered attack that wins a queen",
        "错过 Nf1 闪击，可得一后",
    );
    is(
        missed(
            xiangqi("9/3k1c1r1/9/9/4N4/9/9/9/9/5K3 w - - 0 1"),
            "f0f1",
            "e5g6 h8h9 g6f8 d8e8 f0f1 e8e9",
            "h8h7 f1f0 h7h8",
        ),
        "misses E5-G6, a fork that wins a cannon",
        "错过 马五进三 捉双，可得一炮",
    );
    is(
        missed(
            xiangqi("4k4/7r1/9/9/4N4/9/4R4/9/9/5K3 w - - 0 1"),
            "f0f1",
            "e5g6 e9d9 g6h8 d9d8 f0f1 d8d9",
            "h8h7 f1f0 h7h8",
        ),
        "misses E5-G6, a discovered attack that wins a chariot",
        "错过 马五进三 抽将，可得一车",
    );
    // The first move makes no threat that the third carries out.
    is(
        missed(
            chess("3q4/8/3k4/8/8/8/P7/K6R w - - 0 1"),
            "a1b1",
            "h1h8 d6d7 h8d8 d7d8 a1b1 d8d7 b1c1",
            "d6e6 b1c1 e6f6",
        ),
        "misses Rh8, which wins a queen for a rook",
        "错过 Rh8，可得一后（付出一车）",
    );
}

#[test]
fn pieces_of_xiangqi_are_lost() {
    let fen = "3k5/9/9/9/r8/9/9/9/9/R3K4 w - - 0 1";
    is(
        words(xiangqi(fen), "e0e1", (Cp(900), "a0a5 d9d8 e0e1 d8d9"), (Cp(900), "a5a0 e1e2 d9d8 e2e1")),
        "hangs a chariot: A5-A0",
        "白丢一车：车１进５",
    );
    is(
        words(xiangqi(fen), "e0e1", (Cp(900), "a0a5 d9d8 e0e1 d8d9"), (Cp(0), "a5b5 a0a1 b5b6 a1a2")),
        "misses A0-A5, which wins a chariot",
        "错过 车九进五，可得一车",
    );
    let soldiers = "3k5/9/9/9/8p/8P/9/9/9/4K4 w - - 0 1";
    // A soldier is too little.
    assert_eq!(words(xiangqi(soldiers), "e0e1", (Cp(90), "i4i5 d9d8 e0e1"), (Cp(0), "i5i4 e1e2 d9d8")), None);
}

/// A board of 9 lines with these stones, White's to move or Black's.
fn go(black: &str, white: &str, first: Side) -> Start {
    let sides = [(Side::First, black), (Side::Second, white)];
    let stones = sides.iter().flat_map(|(side, all)| all.split_whitespace().map(|v| (*side, v.to_owned())));
    let go = crate::games::record::GoSetup {
        size: 9,
        stones: stones.collect(),
        first: Some(first),
        ..Default::default()
    };
    Start::go(go)
}

/// What is thought of a position of Go: the lead of the side to move, its line, and whose the points of
/// column A to C are for it; all others are nobody's.
fn thought(side: Side, lead: f64, line: &str, left: f32) -> Opinion {
    let owner = (0..81).map(|i| if i % 9 < 3 { left } else { 0.0 }).collect();
    Opinion { score: None, visits: 300, lead, owner, ..opinion(side, Cp(0), line) }
}

fn go_words(
    start: Start,
    mv: &str,
    before: (f64, &str, f32),
    after: (f64, &str, f32),
) -> Option<[String; 2]> {
    let game = Game::at(start).unwrap();
    let side = game.side_to_move();
    let [before, after] = [(side, before), (side.other(), after)]
        .map(|(side, (lead, line, left))| thought(side, lead, line, left));
    let text = reason(&game, mv, &before, &after)?;
    Some([text.to_string(), format!("{text:#}")])
}

const GROUP: &str = "A2 B2 B1 C1";

#[test]
fn groups_of_go_die_and_live() {
    is(
        go_words(go(GROUP, "C2 D1", Side::First), "G7", (5.0, "A1", 0.9), (4.2, "A1", 0.8)),
        "the black group at B1 dies (4 stones); loses about 9.2 points",
        "B1 一带的黑棋死了（4 子）；约亏 9.2 目",
    );
    is(
        go_words(go(GROUP, "C2 D1", Side::Second), "G7", (5.0, "A1", 0.9), (4.2, "A1", 0.8)),
        "lets the black group at B1 live (4 stones); loses about 9.2 points",
        "B1 一带的黑棋活了（4 子）；约亏 9.2 目",
    );
    // A group that is not sure either way is not spoken of.
    is(
        go_words(go(GROUP, "C2 D1", Side::First), "F5", (5.0, "E4", 0.3), (4.2, "A1", 0.8)),
        "loses about 9.2 points",
        "约亏 9.2 目",
    );
}

#[test]
fn stones_of_go_are_captured() {
    // Two black stones in atari.
    let start = |side| go("A1 B1", "A2 B2", side);
    is(
        go_words(start(Side::First), "E5", (0.0, "C1", 0.0), (3.0, "C1", 0.0)),
        "loses 2 stones after C1; loses about 3.0 points",
        "C1 后被提 2 子；约亏 3.0 目",
    );
    is(
        go_words(start(Side::Second), "E5", (0.0, "C1", 0.0), (3.0, "C1", 0.0)),
        "misses C1, which captures 2 stones; loses about 3.0 points",
        "错过 C1 提 2 子；约亏 3.0 目",
    );
    // Stones that fall anyway are no reason.
    assert_eq!(go_words(start(Side::First), "E5", (0.0, "F5 C1", 0.0), (0.2, "C1", 0.0)), None);
}

#[test]
fn the_larger_side_of_a_board_of_go() {
    is(
        go_words(go("", "", Side::First), "A1", (0.0, "G7", 0.0), (6.0, "G7", 0.0)),
        "G7, on another side of the board, was larger; loses about 6.0 points",
        "G7 方向更大；约亏 6.0 目",
    );
    is(
        go_words(go("", "", Side::First), "pass", (0.0, "G7", 0.0), (6.0, "G7", 0.0)),
        "passes, where G7 was to be played; loses about 6.0 points",
        "停一手，应走 G7；约亏 6.0 目",
    );
    assert_eq!(go_words(go("", "", Side::First), "E5", (0.0, "E4", 0.0), (0.5, "G7", 0.0)), None);
}

#[test]
fn moves_that_lose_nothing_have_no_words() {
    assert_eq!(words(GameKind::CHESS.into(), "g2g4", (Cp(30), "e2e4 e7e5"), (Cp(120), "d7d5 h2h3")), None);
    // Nothing is said of a line that cannot be played.
    assert_eq!(words(chess(FOOLS), "g2g4", (Cp(-50), "b1c3"), (Cp(900), "a1a8 h1h8")), None);
}
