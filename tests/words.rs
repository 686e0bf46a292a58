//! Texts for people in English and in Chinese.

use crate::layering::sources;
use crate::support::{engine, program, run, run_program, stderr, stdout};
use std::fs;

#[test]
fn every_message_is_used() {
    const TABLE: &str = "src/util/words.rs";
    let table = fs::read_to_string(TABLE).unwrap();
    let name = |line: &str| -> Option<String> {
        let (head, rest) = line.strip_prefix("    ")?.split_once('(')?;
        let is_name = head.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        (is_name && rest.contains(") = \"")).then(|| head.to_owned())
    };
    let names: Vec<String> = table.lines().filter_map(name).collect();
    assert!(names.len() > 100, "the table was not understood");
    let others = sources("src").into_iter().filter(|source| source.path.to_str() != Some(TABLE));
    let code: String = others.map(|source| fs::read_to_string(source.path).unwrap()).collect();
    for name in names {
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_used = code.split(&format!("words::{name}")).skip(1).any(is_whole);
        assert!(is_used, "{name} is not used");
    }
}

/// A chariot chases a cannon: Red has to deviate.
const CHASE: [&str; 2] = ["3k5/9/2c6/9/9/9/9/9/R8/5K3 w", "a1c1 c7a7 c1a1 a7c7 a1c1 c7a7 c1a1 a7c7"];

/// Runs the engine with a locale.
fn run_in(locale: &str, args: &[&str]) -> String {
    let output = program(engine()).args(args).env("LC_ALL", locale).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn verdicts_are_in_the_words_of_the_rules() {
    let [fen, moves] = CHASE;
    let judge = ["judge", "--fen", fen, "--moves", moves];
    let printed = stdout(&run(&[&judge[..], &["--lang", "zh"]].concat()));
    let first = "中国规则：黑胜，依据棋例 7.5（XQ-R5）：一方为禁止着法，另一方为允许着法，前者须变着，不变判负。红方：长捉；黑方：闲着";
    assert!(printed.starts_with(first), "{printed}");
    assert!(printed.contains("红方  车  车九平七  捉  车c1吃炮c7得 4（无根）"), "{printed}");
    // The locale decides where the flag is missing.
    assert_eq!(run_in("zh_CN.UTF-8", &judge), printed);
    let english = run_in("zh_CN.UTF-8", &[&judge[..], &["--lang", "en"]].concat());
    assert!(english.starts_with("Chinese rules: Black wins by XQ-R5"), "{english}");
    // What programs read is the same in every language.
    let json = |lang| stdout(&run(&[&judge[..], &["--json", "--lang", lang]].concat()));
    assert_eq!(json("zh"), json("en"));
    let wrong = run(&["judge", "--lang", "zh", "--moves", "a0a9"]);
    assert_eq!(stderr(&wrong), "sanqi: 第 1 着：这里不能走“a0a9”：中间有别的棋子\n");
}

#[test]
fn a_mixture_of_attacks_has_its_name() {
    // The rows of the table are those of the tests of the judge.
    let table = fs::read_to_string("src/xiangqi/repetition/cases.tsv").unwrap();
    let printed = |id: &str| {
        let row: Vec<&str> =
            table.lines().find(|row| row.starts_with(&format!("{id}\t"))).unwrap().split('\t').collect();
        stdout(&run(&["judge", "--lang", "zh", "--fen", row[1], "--moves", row[2]]))
    };
    assert!(printed("check").contains("红方：长将；"), "{}", printed("check"));
    assert!(printed("one-check-one-idle").contains("红方：一将一闲"), "{}", printed("one-check-one-idle"));
    assert!(printed("soldier").contains("依棋例 7.7（XQ-R8）按闲处理"), "{}", printed("soldier"));
    assert!(printed("NW005").contains("依棋例 7.6（XQ-R7）按闲处理"), "{}", printed("NW005"));
    assert!(printed("shuffle").contains("和棋，依据棋例 7.3（XQ-R3）"), "{}", printed("shuffle"));
}

#[test]
fn a_game_is_played_in_chinese() {
    let play = ["play", "xiangqi", "--nodes", "100", "--lang", "zh"];
    let output = run_program(engine(), &play, "帮助\n炮二平九\n炮二平五\n悔棋\n级别 3\n认输\n");
    let printed = stdout(&output);
    for words in [
        "着法：炮二平五、C2=5 或 h2e2",
        "悔棋 undo",
        "这里不能走“炮二平九”",
        "级别 3",
        "0-1 黑方胜：红方认输",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert!(stderr(&output).contains("红方> "), "{}", stderr(&output));
}

/// A match is reported in Chinese, except for the lines that scripts read.
#[test]
fn a_match_is_reported_in_chinese() {
    let engine = engine();
    let command = format!("cmd={}", engine.display());
    let play = |lang: &str, more: &[&str]| {
        let mut args = vec!["match", "--lang", lang, "--game", "xiangqi", "--each", "nodes=50"];
        args.extend(["--games", "2", "--engine", &command, "name=甲", "--engine", &command, "name=B"]);
        let output = run(&[&args[..], more].concat());
        (stdout(&output), stderr(&output))
    };
    let sprt = ["--openings", "none", "--sprt", "elo0=0", "elo1=5"];
    let (result, printed) = play("zh", &sprt);
    assert_eq!(result, play("en", &sprt).0, "what scripts read");
    for words in ["第 1 局开始（甲 对 B）", "第 2 局结束（B 对 甲）", "甲 对 B：胜 ", "延迟：甲 "]
    {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert!(!printed.contains("game"), "{printed}");
    let (table, _) = play("zh", &["--openings", "none", "--engine", &command, "name=C"]);
    assert!(table.contains("    棋手             等级分   局数    积分      %\n"), "{table}");
    let (_, failed) = play("zh", &["--openings", "file=nowhere.epd"]);
    assert!(failed.contains("nowhere.epd：没有这个文件或目录"), "{failed}");
    let (_, failed) = play("zh", &["--openings", "none", "--engine", "cmd=/nowhere/engine", "name=C"]);
    assert!(failed.contains("引擎 C：启动不了 /nowhere/engine：没有这个文件或目录"), "{failed}");
}

#[test]
fn check_speaks_chinese() {
    let list = stdout(&run(&["check", "--list", "--lang", "zh"]));
    assert!(list.starts_with("错误     handshake  no-handshake         引擎在限时内没有应答"), "{list}");
    let engine = engine();
    let check = |lang: &str| {
        let program = engine.to_str().unwrap();
        stdout(&run(&["check", "--lang", lang, "--only", "quit", "--protocol", "ucci", program, "ucci"]))
    };
    assert!(check("zh").ends_with("适合比赛：错误 0 条，警告 0 条，说明 0 条\n"), "{}", check("zh"));
    assert!(check("en").ends_with("fit for matches: no fault, no warning, no note\n"));
    // `cat` repeats its input: that is no greeting.
    let silent = run(&[
        "check",
        "--lang",
        "zh",
        "--timeout",
        "0.2",
        "--only",
        "handshake",
        "--protocol",
        "ucci",
        "cat",
    ]);
    assert!(
        stdout(&silent).contains("不适合比赛：错误 ") && stdout(&silent).contains("\n为什么要紧："),
        "{}",
        stdout(&silent)
    );
}

#[test]
fn doctor_speaks_both_languages() {
    for (lang, words) in [("zh", ["处理器：", "象棋：每秒 "]), ("en", ["processors: ", "xiangqi: "])]
    {
        let printed = stdout(&run(&["doctor", "--lang", lang]));
        assert!(words.iter().all(|word| printed.contains(word)), "{printed}");
    }
}

/// A game in which two positions come back has two verdicts, and a page draws the moves of both.
#[test]
fn a_game_is_searched_for_its_cycles_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let chase = "a1c1 c7a7 c1a1 a7c7 ".repeat(2);
    let idle = "a1a2 d9d8 a2a1 d8d9 ".repeat(2);
    let game = format!("[Game \"Chinese Chess\"]\n[FEN \"{} - - 0 1\"]\n\n{chase}{idle}*\n", CHASE[0]);
    std::fs::write(path("game.pgn"), game).unwrap();
    let printed = stdout(&run(&["judge", &path("game.pgn"), "--html", &path("page.html"), "--lang", "zh"]));
    assert!(printed.contains("棋例 7.5（XQ-R5）") && printed.contains("棋例 7.3（XQ-R3）"), "{printed}");
    assert!(printed.contains("\n   9  红方  车"), "plies are those of the game: {printed}");
    let page = fs::read_to_string(path("page.html")).unwrap();
    assert!(!page.contains("{{"), "a blank of the page was left");
    let data = page.split_once("\nconst DATA = ").unwrap().1.split_once(";\n").unwrap().0;
    let cases: serde_json::Value = serde_json::from_str(&data.replace("<\\/", "</")).unwrap();
    assert_eq!(cases.as_array().map(Vec::len), Some(2));
    let first = &cases[0]["moves"][0];
    assert_eq!(
        (first["class"].as_str(), first["clause"].as_str()),
        (Some("捉"), Some("棋例 7.1（XQ-R1） XQ-D4"))
    );
    assert_eq!(first["arrows"][0]["to"], "c7");
    assert_eq!(cases[1]["moves"].as_array().map(Vec::len), Some(8));
    // Typical repetitions have a page of this kind too, and so has every table.
    assert!(run(&["judge", "--gallery", &path("gallery.html")]).status.success());
    let table = "tests/data/xiangqi_repetition_diagrams.tsv";
    assert!(run(&["judge", "--batch", table, "--html", &path("table.html")]).status.success());
    for (name, cases) in [("gallery.html", 23), ("table.html", 159)] {
        let page = fs::read_to_string(path(name)).unwrap();
        assert_eq!(page.matches("\"ruling\":").count(), cases, "{name}");
    }
    assert!(run(&["judge", "--lang", "zh", "--gallery", &path("gallery.html")]).status.success());
    let page = fs::read_to_string(path("gallery.html")).unwrap();
    assert!(page.contains("车长捉无根的炮") && !page.contains("rootless"));
}

#[test]
fn help_and_wrong_usage_are_in_the_language_of_the_person() {
    let help = run_in("zh_CN.UTF-8", &["--help"]);
    assert!(help.contains("在终端里下棋") && !help.contains("Usage"), "{help}");
    let help = run_in("zh_CN.UTF-8", &["play", "--help"]);
    for words in ["用法：sanqi play [选项] <GAME>", "选项：", "引擎的级别", "[默认：1]", "显示帮助"]
    {
        assert!(help.contains(words), "{words}: {help}");
    }
    assert!(run_in("zh_CN.UTF-8", &["play", "--help", "--lang", "en"]).starts_with("Play a game"));
    let misuse = |args: &[&str]| {
        let output = program(engine()).args(args).env("LC_ALL", "zh_CN.UTF-8").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        stderr(&output)
    };
    for (args, why) in [
        (&["play", "chess", "--level", "99"][..], "错误：--level <N> 不能是“99”：级别是 1 到 16 的数字"),
        (&["play", "chess", "--levle", "9"], "错误：没有参数 --levle；是不是 --level？"),
        (&["play", "shogi"], "错误：<GAME> 没有“shogi”这个值；可选值：chess、xiangqi、go"),
        (&["play"], "错误：缺少 <GAME>"),
        (&["plya"], "错误：没有命令 plya；是不是 "),
        (
            &["play", "chess", "--seconds", "1", "--nodes", "1"],
            "错误：--seconds <SECONDS> 不能与 --nodes <NODES> 同用",
        ),
        (&["play", "chess", "--size", "9"], "错误："),
    ] {
        let text = misuse(args);
        assert!(text.starts_with(why) && text.ends_with("详见 --help。\n"), "{args:?}: {text}");
    }
    // The pages of the documentation are in the program.
    assert!(run_in("zh_CN.UTF-8", &["help", "级别"]).starts_with("# 级别"));
    assert!(run_in("C", &["help", "levels"]).starts_with("# Levels"));
    assert!(run_in("C", &["help", "topics"]).contains("sanqi help moving"));
}
