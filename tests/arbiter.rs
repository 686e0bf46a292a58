//! `sanqi match` against engines that misbehave, and against its own sudden death.

use crate::support::{
    client_ran, client_skipped, engine, last_line, processes, program, run, signal, stderr, stdout,
};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

pub(crate) const BAD: &str = "tests/bad_engines/bad.py";

/// A folder of its own for one test, removed at its end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

pub(crate) fn has_python() -> bool {
    let found = program("python3").arg("--version").output().is_ok();
    match found {
        true => client_ran("bad engines"),
        false => client_skipped("bad engines", "Debian package python3"),
    }
    found
}

/// The finished games of a journal.
pub(crate) fn games(journal: &str) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    let entries = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    entries.filter_map(|entry| entry.get("game").cloned()).collect()
}

/// Every kind of bad engine loses to one that shuffles its knight, for the reason that is its own; the match
/// goes on to its end; and no process is left.
#[test]
fn bad_engines_lose_by_name_and_leave_nothing_behind() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let mark = format!("mark-{}", std::process::id());
    let expected: HashMap<&str, &str> = [
        ("never-answers", "time"),
        ("illegal-move", "illegal-move"),
        ("wrong-color", "illegal-move"),
        ("floods", "time"),
        ("closes-stdin", "time"),
        ("late-bestmove", "time"),
        ("garbage", "illegal-move"),
        ("slow-isready", "stall"),
        ("premature-bestmove", "premature-move"),
        ("crashes-in-game", "crash"),
        ("leaves-a-child", "crash"),
        ("no-move", "illegal-move"),
        ("answers-while-pondering", "premature-move"),
        // These two only disturb: the game is drawn by repetition.
        ("huge-lines", "repetition"),
        ("dies-on-quit", "repetition"),
        ("ignores-quit", "repetition"),
    ]
    .into();
    let command = |way: &str| format!("cmd = \"python3 {BAD} {way} {mark}\"");
    let mut config = format!(
        "openings = {{ file = \"none\" }}\nformat = \"gauntlet\"\nconcurrency = 4\ntc = \"st=0.4\"\njournal = \"{}\"\npgn = \"{}\"\n\
         [patience]\nready = 8.0\nquit = 0.5\n[[engines]]\nname = \"good\"\n{}\n",
        folder.file("journal.jsonl"),
        folder.file("games.pgn"),
        command("good")
    );
    for way in expected.keys() {
        let ponder = way.contains("ponder");
        config += &format!("[[engines]]\nname = \"{way}\"\nponder = {ponder}\n{}\n", command(way));
    }
    let file = folder.file("match.toml");
    fs::write(&file, config).unwrap();

    let output = run(&["match", "--config", &file]);
    assert!(output.status.success(), "{}", stderr(&output));
    let games = games(&folder.file("journal.jsonl"));
    assert_eq!(games.len(), 2 * expected.len());
    for game in &games {
        let names = game["names"].as_array().unwrap();
        let bad = names.iter().filter_map(Value::as_str).find(|n| *n != "good").unwrap();
        let (reason, detail) = (game["ending"]["reason"].as_str().unwrap(), &game["ending"]["detail"]);
        assert_eq!(reason, expected[bad], "{bad}: {detail}");
        let winner = game["ending"]["winner"].as_str().map(|side| usize::from(side == "second"));
        let winner = winner.map(|seat| names[seat].as_str().unwrap());
        assert_eq!(winner, (reason != "repetition").then_some("good"), "{bad}: {detail}");
    }
    let record = fs::read_to_string(folder.file("games.pgn")).unwrap();
    for termination in ["normal", "time forfeit", "rules infraction", "abandoned"] {
        assert!(record.contains(&format!("[Termination \"{termination}\"]")), "{termination}");
    }
    assert_eq!(processes(&mark), Vec::<String>::new(), "processes are left");
}

fn shuffle_match(folder: &Folder, games: usize) -> Vec<String> {
    let engine =
        |name: &str| vec!["--engine".to_owned(), format!("cmd=python3 {BAD} good"), format!("name={name}")];
    let mut args: Vec<String> =
        ["match", "--openings", "none", "--tc", "st=5", "--concurrency", "2"].map(str::to_owned).into();
    args.extend(["--games".to_owned(), games.to_string()]);
    args.extend(["--journal".to_owned(), folder.file("journal.jsonl")]);
    args.extend(["--pgnout".to_owned(), folder.file("games.pgn")]);
    args.extend(engine("A"));
    args.extend(engine("B"));
    args
}

/// Killed at twenty moments, the match still ends with every game once.
#[test]
fn a_killed_match_is_resumed_with_nothing_lost_and_nothing_twice() {
    if !has_python() {
        return;
    }
    const GAMES: usize = 60;
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let mut args = shuffle_match(&folder, GAMES);
    let mut kept = 0;
    for kill in 0..20 {
        let mut child =
            program(engine()).args(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Moments spread over the start, the middle of games, and their ends.
        std::thread::sleep(Duration::from_millis(60 + (kill * 37) % 170));
        child.kill().unwrap();
        child.wait().unwrap();
        if Path::new(&journal).exists() && fs::read_to_string(&journal).unwrap().contains('\n') {
            args = vec!["match".to_owned(), "--resume".to_owned(), journal.clone()];
            let now = games(&journal).len();
            assert!(now >= kept, "games were lost: {now} of {kept}");
            kept = now;
        } else {
            // Killed before the match had begun.
            let _ = fs::remove_file(&journal);
        }
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(last_line(&output).starts_with(&format!("A vs B: +0 ={GAMES} -0")), "{}", stdout(&output));
    let mut numbers: Vec<u64> = games(&journal).iter().map(|g| g["number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..GAMES as u64).collect::<Vec<_>>());
    let record = fs::read_to_string(folder.file("games.pgn")).unwrap();
    assert_eq!(record.matches("[Event ").count(), GAMES);
}

/// An engine that ponders gets `ponderhit` when it was right and is stopped when it was not, and
/// its clock stands still meanwhile.
/// Killed in the middle of games, the match goes on with their moves and clocks.
#[test]
fn a_killed_match_goes_on_in_the_middle_of_its_games() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (journal, pgn) = (folder.file("journal.jsonl"), folder.file("games.pgn"));
    let slow = format!("cmd=python3 {BAD} slow");
    let args = [
        "match",
        "--openings",
        "none",
        "--tc",
        "60",
        "--games",
        "2",
        "--concurrency",
        "2",
        "--journal",
        &journal,
        "--pgnout",
        &pgn,
        "--engine",
        &slow,
        "name=A",
        "--engine",
        &slow,
        "name=B",
    ];
    let mut child = program(engine()).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let kept = |number: usize| -> Vec<Value> {
        let text = fs::read_to_string(format!("{journal}.games/{number}.jsonl")).unwrap_or_default();
        let (whole, _) = text.rsplit_once('\n').unwrap_or_default();
        whole.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    while kept(1).len() < 4 || kept(2).len() < 4 {
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = [kept(1), kept(2)];
    assert!(games(&journal).is_empty() && before.iter().all(|steps| steps.len() < 8));
    // What is torn is one move less.
    let path = format!("{journal}.games/1.jsonl");
    fs::write(&path, fs::read_to_string(&path).unwrap() + "{\"step\":\"mo").unwrap();
    let output = run(&["match", "--resume", &journal]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut games = games(&journal);
    games.sort_by_key(|game| game["number"].as_u64());
    for (game, before) in games.iter().zip(&before) {
        assert_eq!(game["ending"]["reason"], "repetition", "{}", game["ending"]);
        let plies = game["plies"].as_array().unwrap();
        assert_eq!(plies.len(), 8);
        for (ply, step) in plies.iter().zip(before) {
            assert_eq!((&ply["mv"], &ply["time_us"]), (&step["mv"], &step["us"]));
        }
        for side in [0, 1] {
            let used: u64 =
                plies.iter().skip(side).step_by(2).map(|ply| ply["time_us"].as_u64().unwrap()).sum();
            let left = plies[6 + side]["clock_ms"].as_u64().unwrap();
            assert_eq!(left, (60_000_000 - used) / 1000, "{plies:?}");
        }
    }
    assert!(!Path::new(&format!("{journal}.games")).exists());
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[Event ").count(), 2);
}

#[test]
fn pondering_costs_nothing_until_the_expected_move_is_played() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (journal, trace) = (folder.file("journal.jsonl"), folder.file("trace.jsonl"));
    let (ponders, slow) = (format!("cmd=python3 {BAD} ponders"), format!("cmd=python3 {BAD} slow"));
    let output = run(&[
        "match",
        "--openings",
        "none",
        "--engine",
        &ponders,
        "name=A",
        "ponder",
        "--engine",
        &slow,
        "name=B",
        "--tc",
        "2+0.5",
        "--journal",
        &journal,
        "--trace",
        &trace,
    ]);
    assert!(last_line(&output).starts_with("A vs B: +0 =2 -0"), "{}", stderr(&output));
    for game in games(&journal) {
        let seat = usize::from(game["names"][0] != "A");
        let times = game["plies"].as_array().unwrap().iter().map(|ply| ply["time_us"].as_u64().unwrap());
        let slowest = |seat: usize| times.clone().skip(seat).step_by(2).max().unwrap();
        assert!(slowest(1 - seat) > 100_000 && slowest(seat) < 100_000, "{:?}", times.collect::<Vec<_>>());
    }
    let shown = stdout(&run(&["replay", &trace, "--game", "1", "--engine", "A"]));
    for line in [" A > go ponder wtime ", " A > ponderhit", " A > stop"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    // Every search, whether for one's own move or the opponent's, is answered once.
    let count = |what: &str| shown.matches(what).count();
    assert_eq!(count(" > go "), count(" < bestmove "), "{shown}");
}

/// The manager adds less than a millisecond to a move: to what an engine itself takes for it, and to the time
/// between two moves that is on neither clock.
#[test]
fn the_manager_costs_less_than_a_millisecond_a_move() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let good = format!("cmd=python3 {BAD} good");
    let output = run(&[
        "match",
        "--openings",
        "none",
        "--engine",
        &good,
        "name=A",
        "--engine",
        &good,
        "name=B",
        "--tc",
        "1+0.01",
        "--games",
        "20",
        "--journal",
        &journal,
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let (mut charged, mut between) = (Vec::new(), Vec::new());
    for game in games(&journal) {
        between.push(game["overhead_us"].as_u64().unwrap());
        for ply in game["plies"].as_array().unwrap() {
            let own: u64 = ply["comment"].as_str().unwrap().trim_end_matches(" us").parse().unwrap();
            charged.push(ply["time_us"].as_u64().unwrap().saturating_sub(own));
        }
    }
    // The machine may be busy: what the scheduler adds to most moves is not the manager's.
    let first_decile = |times: &mut Vec<u64>| {
        times.sort_unstable();
        times[times.len() / 10]
    };
    let (charged, between) = (first_decile(&mut charged), first_decile(&mut between));
    eprintln!("the manager adds {charged} us to a move, and {between} us between two");
    assert!(charged + between < 1000, "{charged} us, {between} us");
}

#[test]
fn a_journal_is_not_overwritten() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    fs::write(folder.file("journal.jsonl"), "precious").unwrap();
    let args = shuffle_match(&folder, 2);
    let output = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--resume"));
    assert_eq!(fs::read_to_string(folder.file("journal.jsonl")).unwrap(), "precious");
}

/// A trace shows every line of a game, and an engine sent them again answers the same.
#[test]
fn a_traced_game_can_be_replayed() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (trace, report) = (folder.file("trace.jsonl"), folder.file("report.html"));
    let mut args = shuffle_match(&folder, 2);
    args.extend(["--trace", &trace, "--report", &report].map(str::to_owned));
    let output = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = stdout(&run(&["replay", &trace, "--game", "1", "--engine", "A"]));
    assert!(shown.contains(" A > go movetime 5000") && shown.contains(" A < bestmove g1f3"), "{shown}");
    let again = ["replay", &trace, "--game", "1", "--engine", "A", "--cmd", &format!("python3 {BAD} good")];
    assert_eq!(last_line(&run(&again)), "0 answers differ");
    let other =
        ["replay", &trace, "--game", "1", "--engine", "A", "--cmd", &format!("python3 {BAD} illegal-move")];
    assert_ne!(last_line(&run(&other)), "0 answers differ");
    let page = fs::read_to_string(&report).unwrap();
    assert!(page.contains("third occurrence") && !page.contains("{{"));
    // The machine is named where the system knows its model.
    let printed = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = printed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    assert!(
        model.is_none_or(|(_, name)| page.contains(&name.split_whitespace().collect::<Vec<_>>().join(" ")))
    );
}

/// A UCI engine gets the game before its options: a net's file means nothing to an engine of another game.
#[test]
fn the_variant_is_set_before_other_options() {
    let folder = Folder::new();
    let trace = folder.file("trace.jsonl");
    let cmd = format!("cmd={}", engine().display());
    let mut args = vec!["match", "--game", "xiangqi", "--games", "2", "--maxmoves", "1", "--trace", &trace];
    args.extend(["--engine", &cmd, "args=uci", "name=A", "--engine", &cmd, "args=uci", "name=B"]);
    args.extend(["--each", "nodes=50", "option.Hash=4"]);
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = fs::read_to_string(&trace).unwrap();
    let [variant, hash] = ["UCI_Variant value", "Hash value"].map(|option| {
        printed.find(&format!("setoption name {option}")).unwrap_or_else(|| panic!("{option}: {printed}"))
    });
    assert!(variant < hash, "{printed}");
}

/// A UCI engine of xiangqi plays by the rules of the match, unless its user has chosen others for it.
#[test]
fn the_rules_of_repetition_are_announced() {
    let folder = Folder::new();
    let trace = folder.file("trace.jsonl");
    let cmd = format!("cmd={}", engine().display());
    let mut args = vec!["match", "--game", "xiangqi", "--games", "2", "--maxmoves", "1", "--trace", &trace];
    args.extend(["--rules", "asian", "--no-progress", "80", "--each", "nodes=50"]);
    args.extend(["--engine", &cmd, "args=uci", "name=A"]);
    args.extend(["--engine", &cmd, "args=uci", "name=B", "option.Repetition Rule=computer"]);
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = |engine| stdout(&run(&["replay", &trace, "--game", "1", "--engine", engine]));
    let (left_alone, chosen) = (printed("A"), printed("B"));
    assert!(left_alone.contains("setoption name Repetition Rule value asian"), "{left_alone}");
    assert!(left_alone.contains("setoption name No Progress Limit value 40"), "{left_alone}");
    assert!(chosen.contains("setoption name Repetition Rule value computer"), "{chosen}");
    assert!(!chosen.contains("value asian") && chosen.contains("No Progress Limit value 40"), "{chosen}");
}

/// What an engine refuses, and options it does not have, are reported once, whatever the number of processes.
#[test]
fn refused_options_are_reported() {
    let cmd = format!("cmd={}", engine().display());
    let mut args =
        vec!["match", "--games", "4", "--maxmoves", "1", "--concurrency", "2", "--each", "nodes=50"];
    args.extend(["--engine", &cmd, "args=uci", "name=A", "option.Hash=4", "option.EvalFile=/no/such/net"]);
    args.extend(["--engine", &cmd, "args=uci", "name=B", "option.Hash=0", "option.Foo=3", "restart=on"]);
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stderr(&output);
    for (remark, times) in [
        ("A remarks: cannot read '/no/such/net'", 1),
        ("B remarks: it declares no option Foo", 1),
        ("B remarks: Hash must be a whole number", 1),
        ("A remarks: ", 1),
    ] {
        assert_eq!(printed.matches(remark).count(), times, "{remark}: {printed}");
    }
}

/// Engines of XBoard's protocol play chess and xiangqi with a clock to a result, and do nothing wrong.
#[test]
fn engines_of_xboards_protocol_play_both_games() {
    for (program, game, ours) in
        [("hoichess", "chess", "args=uci"), ("hoixiangqi", "xiangqi", "args=uci --game xiangqi")]
    {
        let path = format!("/usr/games/{program}");
        if !Path::new(&path).exists() {
            client_skipped(program, "Debian package hoichess");
            continue;
        }
        let folder = Folder::new();
        let journal = folder.file("journal.jsonl");
        let cmds = [format!("cmd={}", engine().display()), format!("cmd={path} --xboard")];
        let mut args = vec![
            "match",
            "--openings",
            "none",
            "--game",
            game,
            "--games",
            "2",
            "--tc",
            "4+0.05",
            "--journal",
            &journal,
        ];
        args.extend(["--resign", "movecount=3", "score=600"]);
        args.extend(["--engine", &cmds[0], ours, "name=ours"]);
        args.extend(["--engine", &cmds[1], "proto=xboard", "name=theirs"]);
        let output = run(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        let played = games(&journal);
        assert_eq!(played.len(), 2, "{}", stdout(&output));
        for game in played {
            let reason = game["ending"]["reason"].as_str().unwrap_or_default().to_owned();
            // A flag may fall where other tests take the processor; that is not what this one is about.
            assert!(
                !["", "illegal-move", "premature-move", "crash", "stall"].contains(&reason.as_str()),
                "{game}"
            );
        }
        client_ran(program);
    }
}

/// A file that is given two parts, and one that somebody else wrote, stay as they are.
#[test]
fn no_file_of_a_match_takes_the_place_of_another() {
    let folder = Folder::new();
    let (file, journal) = (folder.file("file"), folder.file("journal.jsonl"));
    let cmd = format!("cmd={}", engine().display());
    let mut plays =
        vec!["match", "--each", "nodes=1", "--games", "1", "--maxmoves", "1", "--openings", "none"];
    plays.extend(["--engine", &cmd, "args=uci", "name=A", "--engine", &cmd, "args=uci", "name=B"]);
    let refused = |args: &[&str], why: &str| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
    };
    refused(
        &[&plays[..], &["--pgnout", &file, "--report", &file]].concat(),
        "cannot be both the games and the report",
    );
    assert!(!Path::new(&file).exists());
    assert!(run(&[&plays[..], &["--journal", &journal]].concat()).status.success());
    let kept = fs::read(&journal).unwrap();
    for part in ["--report", "--pgnout", "--trace"] {
        refused(&["match", "--resume", &journal, part, &journal], "cannot be both the journal");
        if part != "--trace" {
            refused(&["match", "--merge", &journal, part, &journal], "cannot be both");
        }
    }
    fs::write(&file, "precious without a line end").unwrap();
    refused(&[&plays[..], &["--trace", &file]].concat(), "did not write");
    refused(&[&plays[..], &["--pgnout", &file]].concat(), "not a file of games");
    assert_eq!((fs::read(&journal).unwrap(), fs::read(&file).unwrap().len()), (kept, 27));
    // A game begins a line of its own, and an empty journal is none yet.
    fs::write(&journal, "").unwrap();
    fs::write(&file, "[Event \"x\"]\n\n*").unwrap();
    assert!(run(&[&plays[..], &["--pgnout", &file, "--journal", &journal]].concat()).status.success());
    assert!(fs::read_to_string(&file).unwrap().starts_with("[Event \"x\"]\n\n*\n[Event "));
}

/// What cannot play is found out before the first game: exit code 1 and one line that names the engine.
#[test]
fn engines_that_cannot_start_are_refused_before_the_first_game() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let good = format!("cmd={}", engine().display());
    let mut bad =
        vec![("/no/such/engine".to_owned(), "cannot start /no/such/engine"), ("true".to_owned(), "gone")];
    if has_python() {
        bad.push((format!("python3 {BAD} crashes-at-start"), "gone"));
        bad.push((format!("python3 {BAD} silent-at-start"), "within 1 s"));
    }
    for (command, why) in bad {
        let cmd = format!("cmd={command}");
        let mut args = vec!["match", "--each", "depth=1", "--journal", &journal, "--patience", "1"];
        args.extend(["--engine", &good, "args=uci", "name=A", "--engine", &cmd, "name=B"]);
        let output = run(&args);
        assert_eq!(output.status.code(), Some(1), "{command}");
        let printed = stderr(&output);
        let last = printed.lines().last().unwrap();
        assert!(last.starts_with("sanqi: engine B: ") && last.contains(why), "{command}: {printed}");
        assert!(output.stdout.is_empty() && !Path::new(&journal).exists(), "{command}");
    }
}

/// What a resumed match finds in its files stays: games of others, and the trace.
#[test]
fn resuming_takes_nothing_away() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (pgn, trace) = (folder.file("games.pgn"), folder.file("trace.jsonl"));
    let (journal, report) = (folder.file("journal.jsonl"), folder.file("report.html"));
    let other = "[Event \"other\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
    fs::write(&pgn, other).unwrap();
    let mut args = shuffle_match(&folder, 12);
    args.extend(["--trace", &trace, "--report", &report].map(str::to_owned));
    let child = program(engine()).args(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let enough = || fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 3);
    while !enough() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // A signal: the standing, the report, and how to go on.
    signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap();
    let done = games(&journal).len();
    if output.status.code() == Some(1) {
        assert!(
            stderr(&output).contains(&format!("go on with: sanqi match --resume {journal}")),
            "{}",
            stderr(&output)
        );
        assert!(fs::read_to_string(&report).unwrap().contains("interrupted"));
    }
    assert!(last_line(&output).starts_with(&format!("A vs B: +0 ={done} -0, Elo ")), "{}", stdout(&output));
    // Half a game at the end of the record, half a line at the end of the trace.
    let text = fs::read_to_string(&pgn).unwrap();
    fs::write(&pgn, &text[..text.len() - 60]).unwrap();
    let lines = fs::read_to_string(&trace).unwrap();
    fs::write(&trace, format!("{lines}{{\"us\":12,\"gam")).unwrap();
    assert!(run(&["replay", &trace, "--game", "1"]).status.success());

    // What the match cannot go on by is not kept.
    for flag in ["--pgnout", "--tb"] {
        assert!(!run(&["match", "--resume", &journal, flag, "/no/such/folder/x"]).status.success(), "{flag}");
    }
    let output = run(&["match", "--resume", &journal]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.starts_with(other));
    assert_eq!(text.matches("[Event ").count(), 13);
    assert!(last_line(&output).starts_with("A vs B: +0 =12 -0, Elo "), "{}", stdout(&output));
    for game in ["1", "12"] {
        let replay = run(&["replay", &trace, "--game", game]);
        assert!(stdout(&replay).contains(" A > go movetime 5000"), "{game}: {replay:?}, {output:?}");
    }
}

/// A path that cannot be written is reported before the first game, and a small match has an interval.
#[test]
fn paths_are_tried_first_and_intervals_are_intervals() {
    let cmd = format!("cmd={}", engine().display());
    let mut args = vec!["match", "--games", "2", "--maxmoves", "1", "--each", "nodes=50"];
    args.extend(["--engine", &cmd, "args=uci", "name=A", "--engine", &cmd, "args=uci", "name=B"]);
    for flag in ["--report", "--pgnout", "--trace", "--journal"] {
        let output = run(&[&args[..], &[flag, "/no/such/folder/x"]].concat());
        assert_eq!(output.status.code(), Some(1), "{flag}");
        assert!(
            stderr(&output).ends_with("sanqi: /no/such/folder/x: No such file or directory (os error 2)\n")
        );
        assert!(!stderr(&output).contains("Started game"), "{flag}");
    }
    let output = run(&args);
    assert_eq!(last_line(&output), "A vs B: +0 =2 -0, Elo +0.0 ± 240.8");
    assert!(stderr(&output).starts_with("No --openings: 1000 balanced"), "{}", stderr(&output));
    let output = run(&[&args[..], &["--openings", "none"]].concat());
    assert!(!stderr(&output).contains("openings"), "{}", stderr(&output));
}

/// Without `--openings` those of the game are taken: both colors of each, and stderr says which they
/// are.
#[test]
fn games_start_from_the_openings_inside() {
    let folder = tempfile::tempdir().unwrap();
    let cmd = format!("cmd={}", engine().display());
    let play = |game: &[&str], proto: &str, out: &str| {
        let file = folder.path().join(out);
        let mut args =
            vec!["match", "--games", "2", "--rounds", "2", "--maxmoves", "3", "--each", "nodes=20"];
        args.extend(["--engine", &cmd, proto, "name=A", "--engine", &cmd, proto, "name=B"]);
        args.extend(["--pgnout", file.to_str().unwrap(), "--sgfout", file.to_str().unwrap(), "--game"]);
        args.extend(game);
        let output = run(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        (stderr(&output), std::fs::read_to_string(file).unwrap())
    };
    let pairs = |starts: Vec<&str>| {
        assert_eq!(starts.len(), 4, "{starts:?}");
        assert!(starts[0] == starts[1] && starts[2] == starts[3] && starts[0] != starts[2], "{starts:?}");
    };
    let (printed, games) = play(&["chess960"], "proto=uci", "960.pgn");
    assert!(printed.starts_with("No --openings: the 960 arrays"), "{printed}");
    pairs(games.lines().filter(|line| line.starts_with("[FEN ")).collect());
    let openings = |komi: &str| {
        let (printed, games) =
            play(&["go", "--size", "9", "--komi", komi], "proto=gtp", &format!("{komi}.sgf"));
        assert!(printed.starts_with("No --openings: 500 balanced"), "{printed}");
        assert_eq!(games.matches("ON[B ").count(), 4, "{games}");
        let starts: Vec<_> = games.split("(;FF[4]").skip(1).map(opening_of).collect();
        pairs(starts.clone());
        starts.concat()
    };
    // Those for the komi, or for the nearest that there are openings for.
    let [none, six, seven, usual, ten] = ["0", "6.5", "7", "7.5", "10"].map(openings);
    assert!(none == six && usual == ten && six != seven && seven != usual);
    let (printed, _) = play(&["go", "--size", "13"], "proto=gtp", "13.sgf");
    assert!(printed.starts_with("No --openings: every game starts from the usual position"), "{printed}");
}

/// The moves of a game of Go that neither player chose.
fn opening_of(game: &str) -> &str {
    let moves = game.find("\n;").unwrap_or(game.len());
    let end = game.rfind("C[book]").unwrap_or(moves);
    game.get(moves..end).unwrap_or("")
}

/// Sixty-four games at once at 1+0.01 between engines that sleep: what of a processor `match` needs for a
/// move.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "128 processes"]
fn a_crowd_of_games_costs_little_and_loses_no_time() {
    if !has_python() {
        return;
    }
    // In units of a hundredth of a second, as the system counts them: in the program, and for it in the
    // kernel.
    let spent = |id: u32| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let numbers: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some(numbers.get(11)?.parse::<u64>().ok()? + numbers.get(12)?.parse::<u64>().ok()?)
    };
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let command = format!("cmd=python3 {BAD} slow");
    let mut manager = program(engine())
        .args([
            "match",
            "--engine",
            &command,
            "name=a",
            "--engine",
            &command,
            "name=b",
            "--each",
            "tc=1+0.01",
        ])
        .args([
            "--openings",
            "none",
            "--games",
            "2",
            "--rounds",
            "320",
            "--concurrency",
            "64",
            "--journal",
            &journal,
        ])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut hundredths = 0;
    while manager.try_wait().unwrap().is_none() {
        hundredths = spent(manager.id()).map_or(hundredths, |now| now.max(hundredths));
        std::thread::sleep(Duration::from_millis(50));
    }
    let games = games(&journal);
    let moves: usize = games.iter().map(|game| game["plies"].as_array().unwrap().len()).sum();
    let each = Duration::from_millis(10 * hundredths) / moves as u32;
    println!("{} games, {moves} moves, {each:?} of a processor each", games.len());
    assert_eq!(games.len(), 640);
    assert!(games.iter().all(|game| game["ending"]["reason"] == "repetition"));
    assert!(each < Duration::from_millis(2));
}
