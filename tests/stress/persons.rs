//! What people type at the board and behind the commands for people, at random: every line has an answer,
//! what is refused changes nothing, and nothing ends in a panic.
//!
//! Each sequence is drawn from its number, so that a failure repeats. `SANQI_SEQUENCES` sets how many there
//! are.

use crate::support::{engine, program};
use sanqi::util::rng::Rng;
use std::io::Write;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Sequences, without a wish.
const SEQUENCES: usize = 24;
/// A sequence takes less.
const LONGEST: Duration = Duration::from_secs(100);

/// Lines that change no game: what is no word, words without what they need, questions.
const HARMLESS: &str = "zzz|e9e9|claim zz|claim e9|adjourn|adjourn zz|save|save /nowhere/at/all.pgn|level|level 99|\
    level -1|level x|time|moves|board|help|?|fen|炮九平十|判和|e2e4e5|0-0-0-0|\u{feff}|1/2|A26|I9|\
    resignn|undoo|quitt|sealed|lost e2e4|draw?!|99999999999999999999|-1|\t|\u{0}|\"|\\|$1|{|{}|\
    []|e|提和吗";
/// Lines that may change the game, or what is shown of it.
const ACTS: &str = "e2e4|d4|Nf3|nf3|O-O|h2e2|炮二平五|馬八进七|C3|G7|E5|pass|停一手|undo|悔棋|draw|提和|claim|claim e2e4|\
    resign|认输|pause|continue|hint|score|flip|level 1|level full|new|yes|no|y|n|adjourn e2e4|\
    adjourn h2e2|new game";

/// One of the parts between bars.
fn drawn<'a>(random: &mut Rng, from: &'a str) -> &'a str {
    let parts: Vec<&str> = from.split('|').collect();
    parts[random.below(parts.len())]
}

/// Runs the program with this input, in an empty folder for its data.
fn run(arguments: &[&str], input: &str) -> (Output, Duration) {
    let home = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let mut child = program(engine())
        .args(arguments)
        .current_dir(&home)
        .env("XDG_DATA_HOME", home.path())
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // It may have ended by then.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (output, began.elapsed())
}

/// Runs `one` with a generator for each of the numbers, on all processors.
fn in_parallel(one: impl Fn(&mut Rng) -> Result<(), String> + Sync) {
    let wanted = std::env::var("SANQI_SEQUENCES").ok().and_then(|n| n.parse().ok()).unwrap_or(SEQUENCES);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= wanted {
                        return;
                    }
                    if let Err(problem) = one(&mut Rng::new(number as u64)) {
                        panic!("sequence {number}: {problem}");
                    }
                }
            });
        }
    });
}

/// The last line before each mark.
fn before_marks(stdout: &str) -> Vec<&str> {
    let lines: Vec<&str> = stdout.lines().collect();
    let marks =
        (1..lines.len()).filter(|at| lines[*at].contains("\"mark\"") || lines[*at].contains("“mark”"));
    marks.map(|at| lines[at - 1]).collect()
}

#[test]
fn play_keeps_its_game_whatever_is_typed() {
    in_parallel(|random| {
        let game = drawn(random, "chess|xiangqi|go");
        let mut arguments = vec!["play", game, "--nodes", "1", "--hash", "1", "--ascii"];
        arguments.extend(["--lang", drawn(random, "en|zh")]);
        arguments.extend(["--conduct", drawn(random, "casual|match")]);
        let has_clock = random.below(2) == 0;
        if has_clock {
            arguments.extend(["--tc", drawn(random, "60+1|30d5|20b3|60h|1/60,30+1|60+2x30|300@60")]);
        }
        // Moves show what the game is; the mark is no word, and ends what they print.
        let look = "moves\nmark\n";
        let (mut input, mut harmless) = (look.to_owned(), Vec::new());
        for _ in 0..random.below(40) {
            let is_harmless = random.below(3) > 0;
            let line = match is_harmless {
                true if random.below(20) == 0 => "x".repeat(random.below(100_000) + 1),
                true => drawn(random, HARMLESS).to_owned(),
                false => drawn(random, ACTS).to_owned(),
            };
            input += &format!("{line}\n{look}");
            harmless.push((is_harmless, line));
        }
        let (output, took) = run(&arguments, &input);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let context = || {
            let lines: Vec<&str> = harmless.iter().map(|(_, line)| &line[..line.len().min(60)]).collect();
            format!("{arguments:?}\n{}\n{stdout}\n{stderr}", lines.join("\n"))
        };
        if !output.status.success() || stderr.contains("panicked") || took > LONGEST {
            return Err(format!("{:?} in {took:?}: {}", output.status, context()));
        }
        let looks = before_marks(&stdout);
        // A question of the program takes the lines behind it, and an adjourned game has ended.
        if looks.len() != harmless.len() + 1 {
            return Ok(());
        }
        for ((is_harmless, line), pair) in harmless.iter().zip(looks.windows(2)) {
            if *is_harmless && pair[0] != pair[1] {
                return Err(format!("{line:.60} changed {:?} to {:?}: {}", pair[0], pair[1], context()));
            }
        }
        Ok(())
    });
}

#[test]
fn flags_are_refused_in_words() {
    const FLAGS: &str = "--side|--level|--seconds|--nodes|--depth|--tc|--conduct|--resume|--fen|--variant|--size|\
        --komi|--handicap|--rules|--notation|--pgn|--sgf|--threads|--hash|--lang|--ask|--at|--moves|\
        --side|--html|--json|--engine|--each|--late|--illegal-moves|--seating|--listen|--serve|\
        --resume|--forfeit|--fouls|--draw|--resign|--openings|--groups|--play-off|--patience|\
        --timemargin|--format|--zzz|--|-|-x";
    const VALUES: &str = "|0|-1|1|2|99999999999999999999|1e99|nan|inf|-inf|0.0001|x|炮二平五|random|white|red|match|rapid|\
        5400:1800|40/90:00+30,30:00+30|60h|300d|d5|1+|+1|1/0|0/0|1+2x|x3|3.75zi|2又3/4子|9/4子|\
        4k3/8/8/8/8/8/8/4K3 w - - 0 1|8/8/8/8/8/8/8/8 w|/nowhere/at/all|.|/dev/null|claim|flag|e2e4|\
        human|human=|cmd=/nowhere|cmd=|name=a cmd=/nowhere proto=zzz|movenumber=1|2+10|127.0.0.1:0|\
        0.0.0.0|1,2,3|=";
    in_parallel(|random| {
        for _ in 0..20 {
            let command = drawn(random, "play|judge|rules|match");
            let mut arguments = vec![command];
            if command != "match" {
                arguments.push(drawn(random, "chess|xiangqi|go|shogi|"));
            }
            for _ in 0..1 + random.below(4) {
                arguments.push(drawn(random, FLAGS));
                if random.below(5) > 0 {
                    arguments.push(drawn(random, VALUES));
                }
            }
            let (output, took) = run(&arguments, "quit\nno\n");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let is_right = match output.status.code() {
                Some(0) => true,
                Some(1 | 2) => !stderr.trim().is_empty(),
                _ => false,
            };
            if !is_right || stderr.contains("panicked") || took > LONGEST {
                return Err(format!("{arguments:?}: {:?} in {took:?}: {stderr}", output.status));
            }
        }
        Ok(())
    });
}
