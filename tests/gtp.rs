//! GTP as a client meets it: the rules of Go over the protocol, and thousands of lines no client sends.

use crate::go_cases::{self, Case};
use crate::session::Session;
use sanqi::util::rng::Rng;

impl Case {
    fn check_over(&self, gtp: &mut Session) {
        if self.size < 2 {
            let refused = gtp.ask(&format!("boardsize {}", self.size));
            return assert_eq!(refused, Err("unacceptable size".to_owned()), "{}", self.name);
        }
        gtp.must(&format!("boardsize {}", self.size));
        gtp.must(&format!("komi {}", self.komi));
        let stones = [("AB", "b"), ("AW", "w")].into_iter().flat_map(|(key, color)| {
            self.setup.get(key).into_iter().flatten().map(move |vertex| format!(" {color} {vertex}"))
        });
        gtp.must(&format!("set_position{}", stones.collect::<String>()));
        for (i, vertex) in self.moves.iter().enumerate() {
            gtp.must(&format!("play {} {vertex}", ["b", "w"][i % 2]));
        }
        let board = gtp.must("gogui-rules_board").replace(' ', "");
        assert_eq!(board.lines().collect::<Vec<_>>(), self.board, "{}", self.name);
        if let Some(legal) = &self.legal {
            let found = gtp.must(&format!("all_legal {}", self.to_play));
            assert_eq!(sorted(found.split_whitespace()), sorted(legal.iter()), "{}", self.name);
        }
        if let Some(result) = &self.result {
            let score = gtp.must(&format!("sanqi-area_score {}", self.dead.join(" ")));
            assert_eq!(&score, result, "{}", self.name);
        }
    }
}

fn sorted(words: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    let mut words: Vec<String> = words.map(|word| word.as_ref().to_owned()).collect();
    words.sort();
    words
}

/// Games on 9x9 in which playouts took a fight for settled: a shared point cost the first, a pass the second.
const UNSETTLED: [&str; 2] = [
    "G5 F5 G4 F7 E3 D5 C4 C5 B4 E4 B5 F3 F4 D3 E2 D4 D2 C7 C3 G6 H5 H6 A8 G3 H3 J5 H4 J4 J3 J6 F2 B6 A6 B7 A7 E6 \
     B8",
    "E5 G5 C5 F4 E4 F6 D7 F3 E3 E8 D8 E2 D2 F2 F7 G7 F8 G8 E7 D1 C2 C1 B1 E1 B2 E9 F9 B6 G9 B8 B5 E6 H8 D6 C6 H7 D5 \
     C7 A6 C3 F5 G6 H9 J8 C8",
];

#[test]
fn a_fight_that_only_the_search_sees_is_not_left() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 9");
    for evaluator in ["net", "hybrid"] {
        for line in
            [format!("Evaluator value {evaluator}"), "Max Visits value 400".into(), "Seed value 1".into()]
        {
            gtp.must(&format!("lz-setoption name {line}"));
        }
        let [first, second] = UNSETTLED.map(|moves| {
            gtp.must("clear_board");
            gtp.must("komi 7.5");
            for (i, mv) in moves.split_whitespace().enumerate() {
                gtp.must(&format!("play {} {mv}", if i % 2 == 0 { "b" } else { "w" }));
            }
            gtp.must("genmove w")
        });
        assert_eq!(first, "C8", "{evaluator}");
        assert_ne!(second, "pass", "{evaluator}");
    }
}

/// A pass is answered by a pass when the board is settled, however few stones are on it, and by a stone
/// before.
#[test]
fn a_pass_ends_no_game_on_an_open_board() {
    let walls = |size: usize, columns: [char; 2]| -> String {
        (1..=size).map(|row| format!("b {}{row}, w {}{row}, ", columns[0], columns[1])).collect()
    };
    // Black's area lives without an answer and is more than half of the board.
    let alive = "b E1, w pass, b E2, w pass, b E3, w pass, b E4, w pass, b E5, w pass, b D1, w pass, b D3, w pass, b D5, \
                 w pass, b C1, w pass, b C2, w pass, b C3, w pass, b C4, w pass, b C5, w pass";
    let cases = [
        (9, 7.5, "b pass".to_owned(), "w", false),
        (9, 7.5, "b pass, w E5, b pass".to_owned(), "w", false),
        (9, 7.5, "b E5, w pass".to_owned(), "b", false),
        (19, 7.5, "b Q16, w D4, b pass".to_owned(), "w", false),
        (9, 0.5, walls(9, ['D', 'E']) + "b pass", "w", true),
        (7, 0.5, walls(7, ['C', 'D']) + "b pass", "w", true),
        (6, 0.5, alive.to_owned(), "b", true),
    ];
    for option in
        ["Evaluator=net", "Evaluator=hybrid", "Evaluator=playouts", "Level=1", "Rank=20k", "All Alive=true"]
    {
        let mut gtp =
            Session::start(&["gtp", "--option", "Max Visits=60", "--option", "Seed=1", "--option", option]);
        for (size, komi, moves, side, is_over) in &cases {
            gtp.must(&format!("boardsize {size}"));
            gtp.must(&format!("komi {komi}"));
            play(&mut gtp, moves);
            let answer = gtp.must(&format!("genmove {side}"));
            assert_eq!(answer == "pass", *is_over, "{option}, {size} lines, {moves}: {answer}");
        }
    }
}

/// Of symmetric moves the one to the upper right is searched and played, unless the client restricts the
/// moves.
#[test]
fn symmetric_moves_are_searched_as_one() {
    let mut gtp = Session::start(&["gtp", "--option", "Evaluator=net", "--option", "Max Visits=60"]);
    let mut searched = |moves: &[&str], command: &str| -> Vec<String> {
        gtp.must("clear_board");
        moves.iter().for_each(|mv| drop(gtp.must(&format!("play {mv}"))));
        gtp.send(command);
        let lines = gtp.response();
        let line = lines.iter().find(|line| line.starts_with("info")).unwrap_or_else(|| panic!("{lines:?}"));
        line.split("info move ")
            .skip(1)
            .filter_map(|printed| printed.split(' ').next().map(str::to_owned))
            .collect()
    };
    let is_upper_right = |mv: &String| mv.starts_with(['O', 'P', 'Q', 'R']) && mv.ends_with(['5', '6', '7']);
    for (moves, command) in [
        (&[][..], "kata-search_analyze b 100000"),
        (&["b K10"], "kata-search_analyze w 100000"),
        (&["b K10", "w pass"], "kata-search_analyze b 100000"),
    ] {
        let found = searched(moves, command);
        assert!(found.len() > 1 && found.iter().all(is_upper_right), "{moves:?}: {found:?}");
    }
    assert_eq!(searched(&[], "kata-search_analyze b 100000 allow b D4,Q16 1").len(), 2);
}

/// Records in legacy encodings, some of whose characters end in a byte that is syntax in SGF, and a record
/// that is cut.
#[test]
fn records_are_loaded_in_their_encoding() {
    use encoding_rs::{BIG5, GB18030, SHIFT_JIS};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let mut gtp = Session::start(&["gtp"]);
    for (encoding, text, komi, moves) in [
        (BIG5, "(;GM[1]CA[Big5]SZ[9]PB[林成功]KM[0.5];B[ee];W[cc];B[gg];W[cg])", "0.5", "e5 c7 g3 c3"),
        (BIG5, "(;GM[1]SZ[9]PW[功]KM[0.5];B[ee];W[cc])", "0.5", "e5 c7"),
        (GB18030, "(;CA[GB18030]PW[大黒]SZ[9];B[ee];W[cc])", "7.5", "e5 c7"),
        (GB18030, "(;CA[GB2312]SZ[9];B[ee];W[cc]C[黑棋此处为乗];B[gg];W[cg])", "7.5", "e5 c7 g3 c3"),
        (SHIFT_JIS, "(;CA[Shift_JIS]SZ[9]KM[5.5]C[表];B[cc];W[ee])", "5.5", "c7 e5"),
        (SHIFT_JIS, "(;CA[CP932]SZ[9]KM[5.5]PB[ソ];B[cc];W[ee]", "5.5", "c7 e5"),
    ] {
        std::fs::write(&path, encoding.encode(text).0).unwrap();
        gtp.must(&format!("loadsgf {}", path.display()));
        assert_eq!(
            (gtp.must("get_komi").as_str(), gtp.must("query_boardsize").as_str()),
            (komi, "9"),
            "{text}"
        );
        let played = gtp.must("move_history").to_lowercase();
        let mut played: Vec<&str> =
            played.lines().filter_map(|line| line.split_whitespace().last()).collect();
        played.reverse();
        assert_eq!(played.join(" "), moves, "{text}");
    }
}

#[test]
fn the_rule_cases_hold_over_the_protocol() {
    let cases = go_cases::load("go_rule_cases.json");
    let mut gtp = Session::start(&["gtp"]);
    for case in &cases {
        case.check_over(&mut gtp);
    }
    assert_eq!(cases.len(), 56);
}

const WORDS: &[&str] = &[
    "b",
    "w",
    "B",
    "white",
    "green",
    "e",
    "pass",
    "resign",
    "a1",
    "C3",
    "c3",
    "i5",
    "J9",
    "Z25",
    "t19",
    "A0",
    "a99",
    "0",
    "1",
    "2",
    "5",
    "9",
    "13",
    "25",
    "26",
    "-1",
    "7.5",
    "3.75zi",
    "1e300",
    "nan",
    "inf",
    "99999999999999999999",
    "dead",
    "seki",
    "alive",
    "none",
    "absolute",
    "byoyomi",
    "fischer",
    "canadian",
    "interval",
    "avoid",
    "allow",
    "A1,B2",
    "pass,C3",
    "rootInfo",
    "true",
    "ownership",
    "minmoves",
    "ko",
    "SIMPLE",
    "POSITIONAL",
    "japanese",
    "chinese",
    "{",
    "{}",
    "name",
    "value",
    "maxTime",
    "\u{FFFD}",
    "棋",
    "#",
    "\t",
];

/// Commands that take long, write files or change how long others take.
const LEFT_OUT: &[&str] = &[
    "quit",
    "printsgf",
    "kata-set-param",
    "kata-set-params",
    "lz-setoption",
    "sanqi-param",
    "final_score",
    "final_status_list",
    "final_status",
    "gogui-rules_final_result",
    "kgs-genmove_cleanup",
];

#[test]
fn every_command_is_answered_once_and_in_order() {
    // Trees are saved under any word.
    let folder = tempfile::tempdir().unwrap();
    let mut gtp = Session::start(&["gtp", "--sandbox", folder.path().to_str().unwrap()]);
    gtp.must("kata-set-param maxVisits 2");
    gtp.must("kata-set-param Hash 8");
    assert_eq!(gtp.must("kata-get-param hashMiB"), "8");
    gtp.must("kata-set-param Max Visits 3");
    assert_eq!(gtp.must("kata-get-param Max Visits"), "3");
    let commands = gtp.must("list_commands");
    let commands: Vec<&str> = commands.lines().filter(|name| !LEFT_OUT.contains(name)).collect();
    assert!(commands.len() > 80, "{commands:?}");
    let mut random = Rng::new(2026);
    for id in 0..2500 {
        // Small boards are searched fast.
        let name = if random.below(30) == 0 { "clear_board" } else { random.pick(&commands) };
        let words: Vec<&str> = (0..random.below(5)).map(|_| random.pick(WORDS)).collect();
        let line = if name == "boardsize" || name == "rectangular_boardsize" {
            format!("{id} {name} {} {}", 2 + random.below(6), 2 + random.below(6))
        } else {
            format!("{id} {name} {}", words.join(" "))
        };
        gtp.send(&line);
        // Ends an analysis, and is no command itself.
        gtp.send("");
        let lines = gtp.response();
        let first = lines.first().map_or("", String::as_str);
        let answered = [format!("={id}"), format!("?{id}")].iter().any(|start| {
            first.strip_prefix(start.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        assert!(answered, "{line}: {lines:?}");
    }
    assert_eq!(gtp.must("name"), "Sanqi");
}

/// Some programs show the greatest winrate of all variations: it must not be that of a move seen once or
/// twice.
#[test]
fn no_variation_claims_much_more_than_the_best_move() {
    let mut gtp = Session::start(&["gtp"]);
    for (command, style) in [("kata-analyze", 1.0), ("lz-analyze", 1e4), ("analyze", 1e4)] {
        gtp.send(&format!("{command} b 30"));
        let lines: Vec<String> = (0..4)
            .filter_map(|_| gtp.next())
            .map(|(_, line)| line)
            .filter(|l| l.starts_with("info "))
            .collect();
        gtp.send("");
        assert!(!lines.is_empty());
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let rates = words.windows(2).filter(|pair| pair[0] == "winrate");
            let rates: Vec<f64> = rates.map(|pair| pair[1].parse::<f64>().unwrap() / style).collect();
            let most = rates.iter().copied().fold(0.0, f64::max);
            assert!(most <= rates[0] + 0.05, "{command}: {most} beside {}", rates[0]);
        }
        while gtp.next().is_some_and(|(_, line)| !line.is_empty()) {}
    }
}

/// An analysis with a limit rests when it has got there, and its answer ends with the next line of input.
#[test]
fn an_analysis_keeps_to_the_visits_and_the_time_it_was_given() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 9");
    let visits_of =
        |line: &str| line.split_once(" rootInfo visits ")?.1.split(' ').next()?.parse::<u64>().ok();
    let last_visits = |gtp: &mut Session, command: &str, expected: u64| {
        gtp.send(command);
        let mut last = 0;
        while last < expected {
            let (_, line) = gtp.next().expect("an analysis");
            last = visits_of(&line).unwrap_or(last);
        }
        // A search without limit would do thousands in that time.
        std::thread::sleep(std::time::Duration::from_millis(1000));
        gtp.send("name");
        let lines = gtp.response();
        assert_eq!(gtp.response(), ["= Sanqi"], "{command}");
        lines.last().and_then(|line| visits_of(line)).unwrap_or(last)
    };
    assert_eq!(last_visits(&mut gtp, "kata-analyze b 10 rootInfo true maxVisits 120", 120), 120);
    gtp.must("kata-set-param analysisMaxVisits 150");
    assert_eq!(gtp.must("kata-get-param analysisMaxVisits"), "150");
    assert_eq!(last_visits(&mut gtp, "kata-analyze b 10 rootInfo true", 150), 150);
    gtp.must("kata-set-param analysisMaxVisits 0");
    gtp.must("kata-set-param analysisMaxTime 0.2");
    let first = last_visits(&mut gtp, "kata-analyze b 10 rootInfo true", 1);
    // What was found is remembered, and added to.
    let second = last_visits(&mut gtp, "kata-analyze b 10 rootInfo true maxTime 0.01", 1);
    assert!(second >= first && first > 16, "{first} {second}");
    for bad in ["maxVisits -1", "maxTime -1", "maxTime nan", "maxVisits"] {
        assert_eq!(gtp.ask(&format!("kata-analyze b {bad}")), Err("syntax error".to_owned()), "{bad}");
    }
    // The end of the input ends the answer.
    gtp.send("kata-analyze b maxVisits 1");
    let (lines, status, _) = gtp.finish();
    assert!(status.success() && lines.last().is_some_and(String::is_empty), "{lines:?}");
}

/// The same position analyzed again goes on from what was found: its lead and its deviation are those that
/// were, not those of the first visit of a new search.
#[test]
fn an_analysis_of_the_same_position_goes_on() {
    let mut gtp = Session::start(&["gtp"]);
    let root = |gtp: &mut Session, command: &str| {
        gtp.send(command);
        let lines = gtp.response();
        let line = lines
            .iter()
            .rev()
            .find(|line| line.contains(" rootInfo "))
            .unwrap_or_else(|| panic!("{lines:?}"));
        let words: Vec<&str> = line.split(" rootInfo ").nth(1).unwrap().split(' ').collect();
        let number = |name: &str| -> f64 {
            let pair =
                words.windows(2).find(|pair| pair[0] == name).unwrap_or_else(|| panic!("{name}: {line}"));
            pair[1].parse().unwrap()
        };
        [number("visits"), number("scoreLead"), number("scoreStdev")]
    };
    for (size, komi, moves) in [
        (9, "7", &[][..]),
        (9, "7", &["E5", "E3", "C4", "G4"]),
        (9, "-20.5", &["C3", "G7"]),
        (13, "6.5", &["D4", "K10", "K4", "D10", "G7"]),
        (19, "7.5", &["Q16", "D4", "D16", "Q4", "F3", "F4"]),
        (7, "0", &["D4", "pass"]),
    ] {
        gtp.must(&format!("boardsize {size}"));
        gtp.must("clear_board");
        gtp.must(&format!("komi {komi}"));
        for (i, mv) in moves.iter().enumerate() {
            gtp.must(&format!("play {} {mv}", ["b", "w"][i % 2]));
        }
        let color = ["b", "w"][moves.len() % 2];
        let search = format!("kata-search_analyze {color} 100000 rootInfo true maxVisits");
        let [visits, lead, deviation] = root(&mut gtp, &format!("{search} 300"));
        let [more, again, spread] = root(&mut gtp, &format!("{search} 301"));
        let range = visits..=visits + 16.0;
        assert!(visits >= 300.0 && range.contains(&more), "{size} {moves:?}: {visits}, {more}");
        // Sixteen more outcomes move it by a few standard errors of theirs; those of a new search by twenty
        // times as much.
        let step = 0.05 + 4.0 * 16_f64.sqrt() * deviation / more;
        assert!((again - lead).abs() <= step, "{size} {moves:?}: lead {lead}, then {again}");
        assert!(
            (spread - deviation).abs() < 0.2 * deviation + 0.1,
            "{size} {moves:?}: {deviation}, then {spread}"
        );
    }
}

/// Visits along a variation stand after the variation, a number for each of its moves.
#[test]
fn visits_along_a_variation_are_reported_if_asked_for() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 7");
    gtp.send("kata-search_analyze b 100000 pvVisits true pvEdgeVisits true maxVisits 200");
    let line = gtp.response().into_iter().find(|line| line.starts_with("info")).unwrap();
    let first = line.split("info move ").nth(1).unwrap();
    let (before, rest) = first.split_once(" pvVisits ").unwrap();
    let (after, edges) = rest.split_once(" pvEdgeVisits ").unwrap();
    let pv = before.split_once(" pv ").unwrap().1;
    let count = |text: &str| text.split_whitespace().count();
    assert_eq!((count(after), count(edges)), (count(pv), count(pv)), "{first}");
}

/// A move keeps to the visits and the time that its command names, whatever an analysis is given.
#[test]
fn a_move_keeps_to_the_visits_and_the_time_it_was_given() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 9");
    gtp.must("kata-set-param analysisMaxVisits 1");
    gtp.must("time_settings 0 100 1");
    let mut visits = |command: &str| {
        let begun = std::time::Instant::now();
        gtp.send(command);
        let lines = gtp.response();
        assert!(begun.elapsed().as_secs() < 20, "{command}");
        let last = lines.iter().rfind(|line| line.starts_with("info")).unwrap_or_else(|| panic!("{lines:?}"));
        let printed =
            last.split(" visits ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok());
        printed.max().unwrap_or(0)
    };
    for command in ["kata-genmove_analyze b 20 maxVisits 20", "lz-genmove_analyze w maxVisits 20"] {
        assert!((2..=60).contains(&visits(command)), "{command}");
    }
    assert!(visits("kata-search_analyze b 20 maxTime 0.2") > 0);
}

#[test]
fn owners_are_reported_for_every_move_that_was_searched() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 7");
    gtp.send("kata-analyze b 10 movesOwnership true movesOwnershipStdev true maxVisits 200");
    let line = std::iter::from_fn(|| gtp.next()).find(|(_, line)| line.matches("info move ").count() > 3);
    let (_, line) = line.expect("four moves are searched");
    gtp.send("");
    gtp.response();
    let moves: Vec<&str> = line.split("info move ").skip(1).collect();
    for printed in &moves {
        let words: Vec<&str> = printed.split_whitespace().collect();
        let numbers = |name: &str| -> Vec<f64> {
            let at = words.iter().position(|word| *word == name).unwrap_or_else(|| panic!("{printed}"));
            words[at + 1..].iter().map_while(|word| word.parse().ok()).collect()
        };
        let (owners, deviations) = (numbers("movesOwnership"), numbers("movesOwnershipStdev"));
        assert_eq!((owners.len(), deviations.len()), (49, 49), "{printed}");
        assert!(owners.iter().all(|x| x.abs() <= 1.0));
        // The variation still comes before.
        assert!(printed.find(" pv ") < printed.find(" movesOwnership "));
    }
    gtp.send("lz-analyze b 10 movesOwnership true maxVisits 300");
    std::thread::sleep(std::time::Duration::from_millis(500));
    gtp.send("");
    assert!(!gtp.response().join(" ").contains("movesOwnership"), "Leela Zero's form has none");
}

fn play(gtp: &mut Session, moves: &str) {
    for mv in moves.split(", ") {
        gtp.must(&format!("play {mv}"));
    }
}

/// Servers and older programs place handicap stones by plain moves; White is compensated for them as for any.
#[test]
fn black_stones_in_a_row_at_the_start_are_handicap() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 9");
    gtp.must("komi 0.5");
    gtp.must("play b C3");
    assert_eq!(gtp.must("get_handicap"), "0");
    play(&mut gtp, "b G7, b G3");
    assert_eq!(gtp.must("get_handicap"), "3");
    // Three points for three stones: 81 for Black, less 0.5 and 3.
    assert_eq!(gtp.must("sanqi-area_score"), "B+77.5");
    gtp.must("undo");
    assert_eq!(gtp.must("get_handicap"), "2");
    play(&mut gtp, "w E5, b E6, b E4");
    assert_eq!(gtp.must("get_handicap"), "2");
    gtp.must("clear_board");
    assert_eq!(gtp.must("get_handicap"), "0");
    play(&mut gtp, "w E5, b E6, b E4");
    assert_eq!(gtp.must("get_handicap"), "0");
    gtp.must("clear_board");
    gtp.must("fixed_handicap 4");
    gtp.must("play b E6");
    assert_eq!(gtp.must("get_handicap"), "4");
}

#[test]
fn katagos_questions_about_nets_and_speed_are_answered() {
    let mut gtp = Session::start(&["gtp"]);
    gtp.must("boardsize 7");
    assert!(gtp.must("kata-get-models").starts_with("[{"));
    for _ in 0..2 {
        let printed = gtp.must("kata-benchmark 50");
        let words: Vec<&str> = printed.split(' ').collect();
        assert!(words[0] == "50" && words.ends_with(&["visits/s"]), "{printed}");
    }
    assert_eq!(gtp.ask("kata-benchmark 0"), Err("syntax error".to_owned()));
    assert_eq!(gtp.ask("kata-benchmark many"), Err("syntax error".to_owned()));
}

/// A player of a rank varies its choice, unless a seed makes it repeat it.
#[test]
fn a_rank_is_a_player_that_varies() {
    let game = |seed: u32| -> Vec<String> {
        let mut gtp = Session::start(&["gtp", "--option", "Rank=12k"]);
        assert_eq!(gtp.must("kata-get-param rank"), "12k");
        gtp.must("boardsize 9");
        gtp.must(&format!("kata-set-param Seed {seed}"));
        (0..16).map(|ply| gtp.must(["genmove b", "genmove w"][ply % 2])).collect()
    };
    assert_eq!(game(7), game(7));
    assert_ne!(game(7), game(8));
    assert_ne!(game(0), game(0));
    let mut gtp = Session::start(&["gtp"]);
    for refused in ["kata-set-param rank 30k", "kata-set-param rank strong", "kata-set-param level 13"] {
        assert!(gtp.ask(refused).is_err(), "{refused}");
    }
    gtp.must("kata-set-param level 12");
    gtp.must("kata-set-param rank full");
}

/// Where a client has a field for arguments, but none for options. At every strength, by the best move and
/// not by the one that is chosen, at the third move and not at the third question.
#[test]
fn a_lost_game_is_given_up_and_no_other() {
    let start = |options: &[&str]| {
        let common = ["Evaluator=playouts", "Resign=true", "Seed=1", "Hash=16"];
        let args = common.iter().chain(options).flat_map(|option| ["--option", option]);
        let mut gtp = Session::start(&[&["gtp"], &args.collect::<Vec<_>>()[..]].concat());
        gtp.must("boardsize 9");
        gtp
    };
    let mut careless = start(&["Level=1"]);
    for side in ["b", "w"].iter().cycle().take(10) {
        assert_ne!(careless.must(&format!("genmove {side}")), "resign");
    }
    let mut lost = start(&["Level=5"]);
    lost.must("komi 300");
    for expected in [false, false, true] {
        assert_eq!(lost.must("genmove b") == "resign", expected);
        lost.must("play w pass");
    }
    let mut asked = start(&["Max Visits=250"]);
    asked.must("komi 300");
    for _ in 0..4 {
        assert_ne!(asked.must("kata-search b"), "resign");
    }
}

#[test]
fn options_can_be_given_on_the_command_line() {
    let mut gtp = Session::start(&["gtp", "--option", "maxVisits=80", "--option", "Max Time=700"]);
    assert_eq!(gtp.must("kata-get-param maxVisits"), "80");
    assert_eq!(gtp.must("kata-get-param maxTime"), "0.7");
    let mut uci = Session::start(&["uci", "--option", "Hash=3", "--option", "multipv=2"]);
    uci.send("go depth 1");
    let (_, lines) = uci.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:?}");
    for (protocol, option) in [("gtp", "speed=9"), ("uci", "Hash=many"), ("ucci", "Foo=1")] {
        let output = crate::support::run(&[protocol, "--option", option]);
        let printed = crate::support::stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{protocol} {option}: {printed}");
        assert!(printed.starts_with("sanqi: option ") && printed.lines().count() == 1, "{printed}");
    }
    assert_eq!(crate::support::run(&["uci", "--option", "Hash"]).status.code(), Some(2));
}

/// Where the client chooses the protocol, each protocol takes its own options, and those of none are refused
/// at once.
#[test]
fn options_are_those_of_the_protocol_that_is_spoken() {
    let with = |options: &[&str], lines: &str| {
        let args: Vec<&str> = options.iter().flat_map(|option| ["--option", *option]).collect();
        let output = crate::support::run_program(crate::support::engine(), &args, lines);
        (output.status.code(), crate::support::stdout(&output), crate::support::stderr(&output))
    };
    let options = ["maxVisits=3", "MultiPV=2", "usemillisec=true", "SixtyMoveRule=true", "Hash=8"];
    for (lines, answer) in [
        ("uci\nisready\nquit\n", "\nreadyok\n"),
        ("ucci\nisready\nquit\n", "\nreadyok\n"),
        ("name\nkata-get-param maxVisits\nquit\n", "\n= 3\n"),
    ] {
        let (code, printed, why) = with(&options, lines);
        assert!(code == Some(0) && printed.contains(answer), "{lines}: {printed}{why}");
    }
    let why = "sanqi: option speed: no such option: speed\n".to_owned();
    assert_eq!(with(&["Hash=8", "speed=9"], "uci\n"), (Some(1), String::new(), why));
    let (code, printed, why) = with(&["Hash=many"], "uci\n");
    assert_eq!((code, printed.as_str()), (Some(1), ""), "{why}");
    assert!(why.starts_with("sanqi: option Hash: "), "{why}");
}

/// By visits a game is the one of a new process; by the clock what is known of a position stays where the
/// board is cleared.
#[test]
fn a_game_by_visits_is_that_of_a_new_process() {
    let searched = |session: &mut crate::session::Session| -> String {
        session.send("kata-search_analyze b 100000");
        let mut text = String::new();
        loop {
            match session.next() {
                Some((_, line)) if !line.is_empty() => text += &line,
                _ => return text,
            }
        }
    };
    let start = || {
        let mut session = crate::session::Session::start(&["gtp", "--option", "Threads=1"]);
        session.send("kata-set-param maxVisits 60\nkata-set-param maxTime 100\nboardsize 7");
        (0..6).for_each(|_| drop(session.next()));
        session
    };
    for evaluator in ["net", "hybrid", "playouts"] {
        let with = |session: &mut crate::session::Session| {
            session.send(&format!("kata-set-param evaluator {evaluator}"));
            (0..2).for_each(|_| drop(session.next()));
        };
        let mut session = start();
        with(&mut session);
        let first = searched(&mut session);
        assert!(first.contains("visits"), "{first}");
        session.send("genmove b\ngenmove w\ngenmove b\nclear_board");
        (0..8).for_each(|_| drop(session.next()));
        assert_eq!(searched(&mut session), first, "{evaluator}");
        let mut other = start();
        with(&mut other);
        assert_eq!(searched(&mut other), first, "{evaluator}");
    }
}
