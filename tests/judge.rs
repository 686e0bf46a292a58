//! The arbiter's desk: `sanqi judge` about games of all three kinds.

use crate::support::{run, stderr, stdout};
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

const SHUFFLE: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *";
/// Black takes a ko back at once with move 9, then both pass.
const KO: &str =
    "(;GM[1]FF[4]SZ[5]KM[0.5]RE[W+0.5];B[cb];W[db];B[bc];W[ec];B[cd];W[dd];B[dc];W[cc];B[dc];W[];B[])";

/// A folder with a record, and the path of this.
fn record(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The verdicts about a record, as JSON.
fn findings(text: &str, args: &[&str]) -> Vec<Value> {
    let (_folder, path) = record("game", text);
    of_line(&[&[path.as_str()], args].concat())
}

fn of_line(args: &[&str]) -> Vec<Value> {
    let output = run(&[&["judge", "--json"], args].concat());
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Verdict and clause of the only finding.
fn verdict(found: &[Value]) -> (&str, &str) {
    let [one] = found else { panic!("{found:?}") };
    (one["verdict"].as_str().unwrap(), one["clause"].as_str().unwrap_or(""))
}

/// Question, verdict and clause of each finding.
fn verdicts(found: &[Value]) -> Vec<[&str; 3]> {
    let text = |one: &Value, key: &str| match key {
        "question" => one[key].as_str().unwrap().to_owned(),
        _ => one[key].as_str().unwrap_or("").to_owned(),
    };
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    found.iter().map(|one| ["question", "verdict", "clause"].map(|key| leak(text(one, key)))).collect()
}

#[test]
fn claims_are_examined_where_they_are_made() {
    let claim = |args: &[&str]| findings(SHUFFLE, &[&["--ask", "claim"], args].concat());
    let all = claim(&[]);
    let places: Vec<_> = all.iter().map(|one| (one["move"].as_str().unwrap(), one["ply"].as_u64())).collect();
    assert_eq!(places, [("4. Ng1", Some(7)), ("4... Ng8", Some(8))], "{all:?}");
    assert!(all.iter().all(|one| one["verdict"] == "claimable" && one["clause"] == "CH-8"));
    assert_eq!(verdict(&claim(&["--at", "4..."])), ("right", "CH-8"));
    assert_eq!(verdict(&claim(&["--at", "4"])), ("wrong", "CH-15"));
    assert_eq!(verdict(&claim(&["--at", "4", "--with", "Ng8"])), ("right", "CH-8"));
    assert_eq!(verdict(&claim(&["--at", "4", "--with", "e5"])), ("wrong", "CH-15"));
    let fifty = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
    assert_eq!(verdict(&of_line(&["--fen", fifty, "--with", "Ra2", "--game", "chess"])), ("right", "CH-9"));
    assert_eq!(verdict(&findings("1. e4 e5 *", &["--ask", "claim"])), ("none", ""));
    let mate = findings("1. f3 e5 2. g4 Qh4# 0-1", &["--ask", "claim", "--at", "2..."]);
    assert_eq!(verdict(&mate), ("wrong", "CH-5"));

    // Xiangqi: the general is checked without end.
    let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
    let cycle = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";
    let claim = |at: &str| of_line(&["--fen", fen, "--moves", cycle, "--ask", "claim", "--at", at]);
    let perpetual = claim("4...");
    assert_eq!(verdict(&perpetual), ("right", "XQ-R5"));
    assert_eq!(perpetual[0]["winner"], "black");
    assert_eq!(verdict(&claim("3")), ("wrong", "XQ-D1"));
}

#[test]
fn a_flag_falls() {
    let flag = |args: &[&str]| of_line(&[&["--ask", "flag"], args].concat());
    let lost = flag(&["--game", "chess", "--moves", "e4"]);
    assert_eq!((verdict(&lost), &lost[0]["winner"]), (("win", "CH-12"), &json!("white")));
    let bare = ["--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"];
    let drawn = flag(&bare);
    assert_eq!((verdict(&drawn), &drawn[0]["winner"]), (("draw", "CH-12"), &Value::Null));
    let other = flag(&[&bare[..], &["--side", "black"]].concat());
    assert_eq!((verdict(&other), &other[0]["winner"]), (("win", "CH-12"), &json!("white")));
    assert_eq!(verdict(&flag(&["--moves", "炮二平五"])), ("win", "XQ-6"));
    let go = flag(&["--game", "go", "--moves", "D4", "Q16", "--at", "1"]);
    assert_eq!((verdict(&go), &go[0]["winner"]), (("win", "GO-12"), &json!("black")));
    // It falls too late behind a mate.
    assert_eq!(verdict(&findings("1. f3 e5 2. g4 Qh4# 0-1", &["--ask", "flag"])), ("checkmate", "CH-5"));
}

#[test]
fn positions_are_dead_or_not() {
    let dead = |fen: &str| of_line(&["--ask", "dead", "--fen", fen]);
    assert_eq!(verdict(&dead("7k/8/8/8/8/8/8/4KB2 w - - 0 1")), ("dead", "CH-7"));
    assert_eq!(verdict(&dead("7k/8/8/8/8/8/8/4KR2 w - - 0 1")), ("not-dead", "CH-7"));
    assert_eq!(verdict(&dead("4ka3/9/9/9/9/9/9/1C7/9/3K2B2 w")), ("dead", "XQ-D14"));
    assert_eq!(verdict(&dead("4ka3/9/9/9/9/9/9/1R7/9/3K2B2 w")), ("not-dead", "XQ-D14"));
}

#[test]
fn points_of_go_are_forbidden_by_their_clauses() {
    let point = |at: &str, point: &str| findings(KO, &["--point", point, "--at", at]);
    let ko = point("8", "D3");
    assert_eq!(verdict(&ko), ("forbidden", "GO-6"));
    assert_eq!(ko[0]["reason"]["en"], "Black may not play D3: ko: it repeats the position after move 7");
    assert_eq!(verdict(&point("8", "E5")), ("allowed", ""));
    assert_eq!(verdict(&point("8", "C3")), ("forbidden", "GO-1"));
    let corner = "(;GM[1]SZ[5];B[ba];W[ee];B[ab])";
    assert_eq!(verdict(&findings(corner, &["--point", "A5"])), ("forbidden", "GO-5"));
    assert_eq!(verdict(&findings(corner, &["--point", "A5", "--side", "black"])), ("allowed", ""));
}

#[test]
fn go_is_counted_in_stones() {
    let count = |args: &[&str]| findings(KO, &[&["--ask", "count"], args].concat());
    let counted = count(&[]);
    assert_eq!((verdict(&counted), &counted[0]["winner"]), (("counted", "GO-9"), &json!("black")));
    assert_eq!(
        counted[0]["reason"]["zh"],
        "黑 13½ 子，白 11½ 子，贴 ¼ 子；黑须超过 12¾ 子（13 子），白须超过 12¼ 子（13 子）：B+1.5（黑胜¾子）"
    );
    let dead = count(&["--dead", "D2,E3,D4"]);
    assert!(dead[0]["reason"]["en"].as_str().unwrap().starts_with("Black 25 子, White 0 子"), "{dead:?}");
    // 185 and 177 of the rule text.
    let usual = of_line(&["--game", "go", "--moves", "D4", "pass", "pass", "--ask", "count"]);
    let text = usual[0]["reason"]["en"].as_str().unwrap();
    assert!(text.contains("more than 184¼ (185), White more than 176¾ (177)"), "{text}");
    let even = "(;GM[1]SZ[5]KM[0];B[cc])";
    let even = findings(&even.replace("B[cc]", "B[];W[]"), &["--ask", "count"]);
    assert_eq!((verdict(&even), &even[0]["winner"]), (("draw", "GO-10"), &Value::Null));
}

#[test]
fn two_moves_in_a_row_are_found() {
    let twice = findings("(;GM[1]SZ[9];B[bb];W[cc];B[dd];B[ee];W[ff])", &["--ask", "turns"]);
    assert_eq!((verdict(&twice), &twice[0]["winner"]), (("two-in-a-row", "GO-13"), &json!("white")));
    assert_eq!(twice[0]["move"], "4. E5");
    assert_eq!(verdict(&findings(KO, &["--ask", "turns"])), ("none", ""));
    let handicap = findings("(;GM[1]SZ[9]HA[2];B[cc];B[gg];W[ee])", &["--ask", "turns"]);
    assert_eq!(verdict(&handicap), ("none", ""));
}

#[test]
fn the_first_illegal_move_is_a_verdict() {
    let illegal = |text: &str| findings(text, &["--ask", "illegal"]);
    let king = illegal("[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 d5 1-0");
    assert_eq!((verdict(&king), &king[0]["move"]), (("illegal", "CH-14"), &json!("2.")));
    assert_eq!(verdict(&illegal("1. e4 e5 2. -- d5 *")), ("damaged", ""));
    assert_eq!(verdict(&illegal(SHUFFLE)), ("none", ""));
    let horse = illegal("[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 2. 马二进四 *");
    assert_eq!(verdict(&horse), ("illegal", "XQ-15"));
    let ko = illegal(KO);
    assert_eq!((verdict(&ko), &ko[0]["move"]), (("illegal", "GO-6"), &json!("9. D3")));
    let suicide = illegal("(;GM[1]SZ[5];B[ba];W[ee];B[ab];W[aa])");
    assert_eq!(verdict(&suicide), ("illegal", "GO-5"));
    assert_eq!(verdict(&illegal("(;GM[1]SZ[5];B[ba];W[ba])")), ("illegal", "GO-1"));
    assert_eq!(verdict(&illegal("1. e5 e5 *")), ("illegal", "CH-14"));
    // The record cannot be read to its end.
    let (_folder, path) = record("game.pgn", "1. e4 e5 2. Ke3 d5 1-0");
    assert_eq!(run(&["judge", &path]).status.code(), Some(1));
}

#[test]
fn a_game_is_examined_as_a_whole() {
    let mate = "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0";
    let expected = [["illegal", "none", ""], ["end", "checkmate", "CH-5"], ["result", "contradicts", "CH-5"]];
    assert_eq!(verdicts(&findings(mate, &[])), expected);
    let right = findings(&mate.replace("1-0", "0-1"), &["--ask", "result"]);
    assert_eq!((verdict(&right), &right[0]["winner"]), (("agrees", "CH-5"), &json!("black")));
    let late = "[Result \"0-1\"]\n[Termination \"time forfeit\"]\n[FEN \"4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\"]\n\n1. Kd2 Kd7 0-1";
    assert_eq!(verdict(&findings(late, &["--ask", "result"])), ("contradicts", "CH-12"));
    let expected =
        [["illegal", "illegal", "GO-6"], ["end", "counted", "GO-9"], ["result", "contradicts", "GO-9"]];
    assert_eq!(verdicts(&findings(KO, &[])), expected);
    assert_eq!(verdict(&findings(&KO.replace("W+0.5", "B+1.5"), &["--ask", "result"])), ("agrees", "GO-9"));
    assert_eq!(verdict(&findings(&KO.replace("W+0.5", "B+R"), &["--ask", "result"])), ("open", ""));
    // The fifth occurrence draws without a claim, and so does a stalemate.
    let five = format!("{} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    assert_eq!(verdict(&findings(&five, &["--ask", "end"])), ("repetition", "CH-8"));
    let stalemate = of_line(&["--ask", "end", "--fen", "7k/5Q2/8/8/8/8/8/4K3 b - - 0 1"]);
    assert_eq!(verdict(&stalemate), ("stalemate", "CH-6"));
}

#[test]
fn repetitions_are_judged_as_of_a_move() {
    let game = "[Game \"Chinese Chess\"]\n[FEN \"3k5/9/2c6/9/9/9/9/9/R8/5K3 w - - 0 1\"]\n\n";
    let game = format!("{game}{}*\n", "a1c1 c7a7 c1a1 a7c7 ".repeat(3));
    let ruling = |args: &[&str]| findings(&game, args)[0]["ruling"].clone();
    assert_eq!(ruling(&[]), "black_wins");
    assert_eq!(ruling(&["--ask", "repetition", "--at", "4..."]), "black_wins");
    assert_eq!(ruling(&["--at", "1"]), "none");
}

#[test]
fn verdicts_have_keys_texts_and_a_page() {
    let (folder, path) = record("game.pgn", SHUFFLE);
    let claim = ["judge", &path, "--ask", "claim", "--at", "4..."];
    let json: Value = serde_json::from_str(&stdout(&run(&[&claim[..], &["--json"]].concat()))).unwrap();
    let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected =
        ["file", "game", "kind", "question", "move", "ply", "fen", "verdict", "clause", "reason", "winner"];
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!(json["reason"]["zh"], "白方要求判和：局面第三次出现（CH-8）");
    let chinese = stdout(&run(&[&claim[..], &["--lang", "zh"]].concat()));
    assert!(chinese.contains("4... Ng8 之后：要求成立：白方要求判和：局面第三次出现（CH-8）"), "{chinese}");
    assert!(chinese.contains("条款：sanqi rules CH-8"), "{chinese}");
    let english = stdout(&run(&claim));
    assert!(english.contains("after 4... Ng8: the claim is right: White claims a draw"), "{english}");

    fs::write(folder.path().join("game.sgf"), KO).unwrap();
    let [sgf, html] = ["game.sgf", "page.html"].map(|name| folder.path().join(name));
    let [sgf, html] = [&sgf, &html].map(|path| path.to_str().unwrap());
    assert!(run(&["judge", &path, sgf, "--html", html]).status.success());
    let page = fs::read_to_string(html).unwrap();
    assert!(!page.contains("{{"), "a blank of the page was left");
    let data = page.split_once("\nconst DATA = ").unwrap().1.split_once(";\n").unwrap().0;
    let cases: Value = serde_json::from_str(data).unwrap();
    assert_eq!(cases[0]["findings"][2]["command"], "sanqi rules CH-8");
    assert_eq!(cases[1]["kind"], "go");
    let ko = &cases[1]["findings"][0];
    assert_eq!((&ko["point"], &ko["board"]["last"]), (&json!("D3"), &json!(["C3"])));
    assert_eq!(ko["board"]["stones"].as_array().map(Vec::len), Some(25));
}

#[test]
fn questions_without_an_answer_are_refused_in_both_languages() {
    let refused = |args: &[&str], code: i32, english: &str, chinese: &str| {
        for (language, text) in [("en", english), ("zh", chinese)] {
            let output = run(&[&["judge", "--lang", language], args].concat());
            assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(text), "{args:?}: {}", stderr(&output));
        }
    };
    let chess = ["--game", "chess", "--moves", "e4", "e5"];
    let go = ["--game", "go", "--moves", "D4", "Q16"];
    let of = |line: &[&'static str], args: &[&'static str]| [line, args].concat();
    refused(&of(&chess, &["--ask", "repetition"]), 1, "is no question of chess", "国际象棋没有");
    refused(&of(&go, &["--ask", "claim"]), 1, "is no question of go", "围棋没有");
    refused(&of(&chess, &["--ask", "count"]), 1, "is no question of chess", "国际象棋没有");
    refused(
        &of(&chess, &["--ask", "claim", "--at", "9"]),
        1,
        "numbered from 1. to 1...",
        "编号是从 1. 到 1...",
    );
    refused(&of(&chess, &["--ask", "claim", "--at", "x"]), 1, "numbered from", "编号是从");
    refused(&of(&chess, &["--ask", "claim", "--at", "99999999999999999999"]), 1, "numbered", "编号");
    refused(&of(&chess, &["--with", "Ke5"]), 1, "Ke5", "Ke5");
    refused(&of(&chess, &["--ask", "flag", "--side", "red"]), 1, "White and Black", "白方和黑方");
    refused(&of(&go, &["--point", "Z9"]), 1, "is not a point of the board", "不是棋盘上的点");
    refused(&of(&go, &["--ask", "count", "--dead", "A1"]), 1, "no stone stands on A1", "A1 上没有棋子");
    refused(&of(&go, &["--fen", "x"]), 1, "--fen is not for Go", "--fen 不用于围棋");
    refused(&of(&go, &["--ask", "point"]), 2, "needs --point", "需要 --point");
    refused(&of(&go, &["--ask", "flag", "--point", "D4"]), 2, "--point belongs to", "--point 只用于");
    refused(&of(&chess, &["--side", "black"]), 2, "--side belongs to", "--side 只用于");
    refused(&["--game", "chess", "--fen", "x"], 1, "fen \"x\"", "FEN“x”");
    let (_folder, path) = record("game.pgn", SHUFFLE);
    refused(&[&path, "--ask", "turns"], 1, "question has no answer: 1", "无法回答所提问题的对局：1");
}

/// XQ-R9 is left to people; where it may apply, the judge says so.
#[test]
fn a_chase_of_elephants_is_remarked() {
    let chase = |fen: &str, rules: &str| {
        let moves = ["a2c2", "c9a7", "c2a2", "a7c9"].repeat(2);
        let args =
            [&["judge", "--lang", "en", "--rules", rules, "--fen", fen, "--moves"][..], &moves].concat();
        stdout(&run(&args))
    };
    let elephants = "2b2k3/9/9/9/9/9/9/R8/9/3K5 w";
    assert!(chase(elephants, "chinese").contains("XQ-R9 is for an arbiter to judge: if a2c2"));
    assert!(!chase(elephants, "asian").contains("XQ-R9"));
}
