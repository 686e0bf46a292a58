//! Every kind of input that the engine reads, mutated: the same functions that `make fuzz` gives to
//! libFuzzer, with a fixed seed and a bound, so that a failure repeats. `SANQI_FUZZ_RUNS` sets how many
//! inputs the cheapest kind gets.

#[path = "../fuzz/src/lib.rs"]
pub mod bodies;

use bodies::{TARGETS, Target};
use sanqi::util::rng::Rng;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Inputs of the cheapest kind.
const RUNS: usize = 2000;
/// No input is longer.
const LONGEST: usize = 1 << 14;

/// Words that stand between the meaningful and the absurd in every text.
const EDGES: &[&[u8]] = &[
    b"0",
    b"1",
    b"-1",
    b"255",
    b"256",
    b"32767",
    b"65536",
    b"2147483648",
    b"-9223372036854775808",
    b"18446744073709551616",
    b"1e400",
    b"nan",
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"\xFF",
    b"\xC3",
    "\u{738B}".as_bytes(),
    b"[",
    b"]",
    b"(",
    b")",
    b"{",
    b"}",
    b"\"",
    b"\\",
    b";",
    b"/",
    b"-",
    b"",
];

/// All seeds of a kind; their order does not depend on the file system.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target.name);
    let listed = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = listed.flatten().map(|file| file.path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no seed", target.name);
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

fn mutated(seeds: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut input = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(8) {
        let at = random.below(input.len() + 1);
        let to = at + random.below((input.len() - at).min(64) + 1);
        match random.below(8) {
            0 if at < input.len() => input[at] ^= 1 << random.below(8),
            1 if at < input.len() => input[at] = random.below(256) as u8,
            2 => drop(input.drain(at..to)),
            3 => {
                let copy = input[at..to].to_vec();
                input.splice(at..at, copy);
            }
            // A piece of another seed.
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let end = from + random.below((other.len() - from).min(200) + 1);
                input.splice(at..to, other[from..end].iter().copied());
            }
            // A word of another seed, in place of one.
            5 => {
                let other = &seeds[random.below(seeds.len())];
                let words: Vec<&[u8]> = other.split(u8::is_ascii_whitespace).collect();
                let end =
                    input[at..].iter().position(u8::is_ascii_whitespace).map_or(input.len(), |n| at + n);
                input.splice(at..end, random.pick(&words).iter().copied());
            }
            _ => drop(input.splice(at..to, random.pick(EDGES).iter().copied())),
        }
    }
    input.truncate(LONGEST);
    input
}

/// Panics so far in threads of the engine, which end a release build. Threads of tests have the tests' names.
fn panics() -> usize {
    static HOOK: Once = Once::new();
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !std::thread::current().name().is_some_and(|name| name.contains("::")) {
                COUNT.fetch_add(1, Relaxed);
            }
            usual(info);
        }));
    });
    COUNT.load(Relaxed)
}

fn try_all(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    let wanted = std::env::var("SANQI_FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(RUNS);
    let (seeds, mut random) = (seeds(target), Rng::new(1));
    let before = panics();
    let runs = (wanted / target.cost).max(20);
    for run in 0..seeds.len() + runs {
        let input = seeds.get(run).cloned().unwrap_or_else(|| mutated(&seeds, &mut random));
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        if outcome.is_err() || panics() > before {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.input"));
            std::fs::write(&path, &input).expect("the input is kept");
            panic!(
                "input {run} of {name}, kept in {}: {:?}",
                path.display(),
                String::from_utf8_lossy(&input)
            );
        }
    }
}

/// `make fuzz` gets every word that the protocols have: each command of GTP, in a seed as well,
/// and each option.
#[test]
fn no_word_of_a_protocol_is_left_out() {
    let read =
        |path: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let heard = |name: &str, question: &str| {
        let mut session = crate::session::Session::start(&[name]);
        session.send(question);
        session.finish().0
    };
    let (words, target) =
        (read("fuzz/words/gtp"), TARGETS.iter().find(|target| target.name == "gtp").unwrap());
    let seeds = String::from_utf8(seeds(target).join(&b'\n')).unwrap();
    for command in heard("gtp", "list_commands").iter().map(|line| line.trim_start_matches("= ").trim()) {
        let is_seed = seeds.lines().any(|line| line.split(' ').any(|word| word == command));
        let is_known = words.contains(&format!("\"{command}\"")) && is_seed;
        assert!(is_known || ["", "quit"].contains(&command), "{command}");
    }
    for (name, prefix) in [("uci", "option name "), ("ucci", "option ")] {
        let words = read(&format!("fuzz/words/{name}"));
        for line in heard(name, name) {
            let Some((option, _)) = line.strip_prefix(prefix).and_then(|rest| rest.split_once(" type "))
            else {
                continue;
            };
            assert!(words.contains(&format!("set{prefix}{option} ")), "{name}: {option}");
        }
    }
}

/// A seed that no reader takes would try nothing but the first lines of a reader.
#[test]
fn every_seed_of_game_files_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/game_files");
    let mut forms = Vec::new();
    for file in std::fs::read_dir(&folder).expect("a folder").flatten() {
        let name = file.file_name().into_string().expect("a name");
        let games = bodies::files::games_in(&std::fs::read(file.path()).expect("a seed"), None);
        assert!(!games.is_empty(), "{name}");
        for game in games {
            let game = game.unwrap_or_else(|broken| panic!("{name}: {broken}"));
            assert!(!game.opening.moves.is_empty(), "{name}");
        }
        forms.push(name.rsplit('.').next().unwrap_or_default().to_owned());
    }
    for form in ["pgn", "xqf", "cbr", "cbl", "sgf", "dhtmlxq"] {
        assert!(forms.iter().any(|other| other == form), "{form}");
    }
}

/// A test for each target.
macro_rules! inputs {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            try_all(stringify!($name));
        })*

        #[test]
        fn every_target_is_tried_and_has_its_program() {
            let tried = [$(stringify!($name)),*];
            let targets: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(targets, tried);
            for name in targets {
                let program = format!("fuzz/fuzz_targets/{name}.rs");
                assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&program).exists(), "{program}");
            }
        }
    };
}

inputs! {
    uci ucci gtp any_protocol analysis serve
    chess_text xiangqi_text go_text
    chess_moves xiangqi_moves go_moves
    game_files sgf openings polyglot book_dat syzygy
    net go_net checkpoint strengths record go_record
    journal trace tuning match_config defaults kept_table kept_tree
}
