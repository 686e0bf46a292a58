//! What the pages show: commands and flags that there are, matches that are played, files that are read.

use crate::guides::blocks;
use crate::session::Session;
use crate::support::{engine, program, run, stderr, stdout};
use sanqi::arbiter::config::MatchConfig;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All pages, by their path in the repository.
fn pages() -> BTreeMap<String, String> {
    let mut files: Vec<PathBuf> = ["README.md", "README.zh.md", "CONTRIBUTING.md", "nnue/README.md"]
        .map(|page| Path::new(ROOT).join(page))
        .into();
    let mut folders = vec![Path::new(ROOT).join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            // The lab shows what was run long ago.
            if path.is_dir() && !path.ends_with("lab") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                files.push(path);
            }
        }
    }
    let read = |path: PathBuf| {
        let name = path.strip_prefix(ROOT).unwrap().to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(path).unwrap())
    };
    files.into_iter().map(read).collect()
}

/// The commands of a page's shell blocks, each in one line, without comments.
fn shell_commands(page: &str) -> Vec<String> {
    let joined = |block: &str| block.replace("\\\n", " ").replace("|\n", "| ");
    let lines: Vec<String> = blocks(page, "sh")
        .into_iter()
        .flat_map(|block| joined(block).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let without_comment = |line: &String| line.split(" #").next().unwrap_or("").trim().to_owned();
    lines.iter().map(without_comment).filter(|line| !line.is_empty()).collect()
}

/// What a page shows between backquotes within its text.
fn inline_code(page: &str) -> Vec<String> {
    let text: String = page.split("```").step_by(2).collect();
    text.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ").replace("\\|", "|")).collect()
}

/// The words behind the program's name, where it is the program that is started; not those of other programs:
/// what stands in quotes, and behind `gnugo`.
fn arguments(command: &str) -> Option<Vec<&str>> {
    let mut words = command.split('"').step_by(2).flat_map(str::split_whitespace);
    let program = words.next()?;
    (program.rsplit('/').next() == Some("sanqi")).then(|| words.take_while(|word| *word != "gnugo").collect())
}

#[test]
fn every_command_and_flag_that_a_page_names_is_there() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut named = 0;
    for (page, text) in pages() {
        for code in inline_code(&text).into_iter().chain(shell_commands(&text)) {
            let Some(words) = code.split(" | ").find_map(arguments) else { continue };
            let subcommand =
                words.first().filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            let command = subcommand.filter(|word| !word.starts_with('-')).copied().unwrap_or("");
            let depth = match command {
                "data" if words.get(1) == Some(&"play") => 3,
                "book" | "data" | "generate" | "net" => 2,
                // Its topics are no commands.
                "help" => 0,
                _ => usize::from(!command.is_empty()),
            };
            // Of alternatives, `chess|xiangqi|go`, the first.
            let command: Vec<&str> =
                words.iter().take(depth).filter_map(|word| word.split('|').next()).collect();
            let help = helps.entry(command.join(" ")).or_insert_with(|| {
                let output = run(&[&command[..], &["--help"]].concat());
                assert!(
                    output.status.success(),
                    "{page}: there is no `sanqi {}`: {}",
                    command.join(" "),
                    stderr(&output)
                );
                stdout(&output)
            });
            for flag in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                let flag = flag.split(['=', ',', ';', ')']).next().unwrap_or(flag);
                let is_there =
                    help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|word| word == flag);
                assert!(is_there, "{page}: `{code}`: `sanqi {}` has no {flag}", command.join(" "));
                named += 1;
            }
        }
    }
    assert!(named > 60 && helps.len() > 15, "{named} flags of {} commands were found", helps.len());
}

/// A command as it is shown, in little: two games of 20 nodes a move, all engines this one. Nothing for what
/// waits for a person, or needs another program.
#[cfg(unix)]
fn rehearsed(command: &str) -> Option<String> {
    if let Some(task) = command.strip_prefix("sbatch ") {
        let (_, words) = task.split_once("packaging/cluster/slurm.sh ")?;
        let script = Path::new(ROOT).join("packaging/cluster/slurm.sh");
        let task = "SANQI=./sanqi SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=2";
        return Some(format!("{task} sh {} {}", script.display(), small(words)));
    }
    if let Some(work) = command.strip_prefix("packaging/cluster/cluster.py ") {
        let (kind, (options, words)) = (work.split_whitespace().next()?, work.split_once(" -- ")?);
        let out = options.split_once(" --out ")?.1.split_whitespace().next()?;
        // A match gives its journal to the script.
        let more = match kind {
            "match" => String::new(),
            "selfplay" => format!(" --out {out} --shard 0/2 --visits 8 --large-visits 8"),
            _ => format!(" --out {out} --shard 0/2"),
        };
        return Some(format!("./sanqi {kind} {}{more}", small(words)));
    }
    let words = command.split(" | ").last().and_then(arguments)?;
    // Parts of a run that a cluster made.
    let of_cluster = command.contains('*');
    match *words.first()? {
        _ if of_cluster => None,
        // They wait for persons.
        "match" if command.contains("--engine human") => None,
        "match" => Some(small(command)),
        "check" => Some(small(command).replace(" --quick", "").replace(" check ", " check --quick ")),
        "katago" => command.contains(" | ").then(|| command.to_owned()),
        "judge" => Some(command.to_owned()),
        "data" if words.get(1) == Some(&"learn-moves") => Some(command.to_owned()),
        _ => None,
    }
}

/// Arguments with little to do: a pair of games, 20 nodes a move, and this program in place of every other.
#[cfg(unix)]
fn small(command: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut before = String::new();
    // `"args=--mode gtp"`, `args="--mode gtp"`: other engines have arguments of their own.
    fn ours((i, part): (usize, &str)) -> &str {
        match part {
            _ if i % 2 == 0 => part,
            _ if part.starts_with("args=") => "args=gtp",
            _ => "gtp",
        }
    }
    let command: String = command.split('"').enumerate().map(ours).collect();
    for word in command.replace("gnugo --mode gtp", "./sanqi gtp").split_whitespace() {
        let shown = match word.split_once('=') {
            Some(("cmd", _)) => "cmd=./sanqi".to_owned(),
            Some(("tc", _)) => "nodes=20".to_owned(),
            _ if before == "--tc" => "nodes=20".to_owned(),
            _ if before == "--nodes" => "20".to_owned(),
            _ if before == "--games" => "2".to_owned(),
            _ if before == "--rounds" => "1".to_owned(),
            // More of the same.
            _ if word == "…" => "--engine cmd=./sanqi --engine cmd=./sanqi".to_owned(),
            _ => word.to_owned(),
        };
        words.push(shown);
        before = word.to_owned();
    }
    words.join(" ")
}

/// A folder with the program under the names that the pages give it, and with files of the names that they
/// read.
#[cfg(unix)]
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let link = |from: &Path, name: &str| std::os::unix::fs::symlink(from, at(name)).unwrap();
    for name in ["sanqi", "sanqi-old", "engine"] {
        link(&engine(), name);
    }
    link(&Path::new(ROOT).join("books"), "books");
    link(&Path::new(ROOT).join("books/xiangqi.epd"), "xiangqi.epd");
    link(&Path::new(ROOT).join("nnue/go-net.bin"), "go-net.bin");
    fs::copy(Path::new(ROOT).join("books/chess.epd"), at("openings_uho.epd")).unwrap();
    fs::write(at("random9.sgf"), "(;GM[1]FF[4]SZ[9];B[dd];W[ff])\n").unwrap();
    for size in ["13", "19"] {
        let moves = ";B[dd];W[kk];B[dk];W[kd];B[ff];W[gg];B[fg];W[gf]";
        fs::write(at(&format!("{size}.sgf")), format!("(;GM[1]FF[4]SZ[{size}]{moves})\n")).unwrap();
    }
    let start = "3k5/9/2c6/9/9/9/9/9/R8/5K3 w - - 0 1";
    let chase = "1. R9=7 C3=1 2. R7=9 C1=3 3. R9=7 C3=1 4. R7=9 C1=3";
    let tags = format!("[Game \"Chinese Chess\"]\n[FEN \"{start}\"]\n[Format \"WXF\"]\n");
    fs::write(at("game.pgn"), format!("{tags}\n{chase} *\n")).unwrap();
    fs::create_dir(at("nnue")).unwrap();
    folder
}

#[cfg(unix)]
#[test]
fn every_command_that_a_page_shows_runs() {
    let mut ran = std::collections::BTreeSet::new();
    for (page, text) in pages() {
        let folder = workplace();
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
        for command in shell_commands(&text) {
            let Some(shown) = rehearsed(&command) else { continue };
            // Translations show the same; but a command may need what those before it made.
            if page.starts_with("docs/zh/") && ran.contains(&shown) && shown.contains(" check ") {
                continue;
            }
            let output =
                program("sh").args(["-c", &shown]).current_dir(&folder).env("PATH", &path).output().unwrap();
            assert!(output.status.success(), "{page}: {shown}: {}{}", stdout(&output), stderr(&output));
            ran.insert(shown);
        }
    }
    for kind in
        ["match --", "check --", "judge ", "katago", "learn-moves", "datagen ", "selfplay ", "slurm.sh "]
    {
        assert!(ran.iter().any(|shown| shown.contains(kind)), "no {kind} among {ran:#?}");
    }
}

/// Analysis that is saved is gone on from in another session as the page shows.
#[test]
fn the_session_that_a_page_shows_goes_on_from_the_last_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = &pages()["docs/ANALYSIS.md"];
    let [block] = blocks(text, "uci")[..] else { panic!("one session is shown") };
    let file = folder.path().join("najdorf.table");
    let block = block.replace("/home/me/najdorf.table", &file.display().to_string());
    let block = block.replace("Hash value 1024", "Hash value 1");
    let (load, search) = ("setoption name Load Hash from File", "go infinite");
    assert!(block.contains(load) && block.contains(search), "{block}");
    let play = |loads: bool| {
        let mut session = Session::start(&["uci"]);
        let mut printed = String::new();
        for line in block.lines().filter(|line| loads || *line != load) {
            session.send(if line == search { "go depth 9" } else { line });
            if line == load {
                printed = session.until("info string").1.pop().unwrap();
            }
        }
        session.until("bestmove");
        session.send("setoption name Save Hash to File");
        session.until("info string");
        session.send("quit");
        assert!(session.finish().1.success());
        printed
    };
    play(false);
    assert!(file.exists());
    let printed = play(true);
    assert!(printed.contains(" positions were loaded from "), "{printed}");
}

/// The first lines of a verdict that the page of the rules shows.
#[test]
fn the_verdict_that_a_page_shows_is_the_judges() {
    let text = &pages()["docs/zh/rules/xiangqi.md"];
    let shown = blocks(text, "text");
    assert_eq!(shown.len(), 1, "one verdict is shown");
    let mut words = vec!["judge", "--lang", "zh", "--fen", "3k5/9/2c6/9/9/9/9/9/R8/5K3 w - - 0 1", "--moves"];
    words.extend(["a1c1", "c7a7", "c1a1", "a7c7"].repeat(2));
    let printed = stdout(&run(&words));
    assert!(printed.starts_with(shown[0]), "{printed}");
}

#[test]
fn the_files_that_pages_show_are_read() {
    let pages = pages();
    let folder = tempfile::tempdir().unwrap();
    for page in ["docs/TOURNAMENTS.md", "docs/zh/TOURNAMENTS.md"] {
        let file = folder.path().join("match.toml");
        for block in blocks(&pages[page], "toml") {
            fs::write(&file, block).unwrap();
            let mut config = MatchConfig::load(&file).unwrap_or_else(|why| panic!("{page}: {why}"));
            assert_eq!(config.complete(), Ok(()), "{page}");
        }
    }
    for page in ["docs/OPTIONS.md", "docs/zh/OPTIONS.md"] {
        let file = folder.path().join("sanqi.toml");
        for block in blocks(&pages[page], "toml") {
            fs::write(&file, block).unwrap();
            let output = run(&["--config", file.to_str().unwrap(), "--print-config"]);
            assert!(output.status.success(), "{page}: {}", stderr(&output));
            assert!(stdout(&output).contains("\nThreads = 4"), "{page}: {}", stdout(&output));
        }
    }
}
