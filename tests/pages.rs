//! The pages of the project that must agree with each other.

use crate::support::{engine, run_program, stdout};
use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// What a translation leaves as it is: levels of headings, first cells of tables that are code, blocks of
/// code without their comments, and where links lead.
fn skeleton(page: &str) -> Vec<String> {
    let (mut parts, mut in_code) = (Vec::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            parts.push(line.to_owned());
        } else if in_code {
            parts.push(line.split('#').next().unwrap_or_default().trim_end().to_owned());
        } else if let Some(level) = line.split_once(' ').filter(|(level, _)| level.starts_with('#')) {
            parts.push(level.0.to_owned());
        } else if line.starts_with('|') {
            parts.push("|".to_owned());
            parts.extend(line.split('|').nth(1).filter(|cell| cell.contains('`')).map(str::to_owned));
        }
    }
    let mut links: Vec<_> =
        links(page).filter(|link| !link.starts_with("README")).filter_map(original).collect();
    links.sort_unstable();
    parts.extend(links);
    parts
}

fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// Where a link leads in English. `None`: to a page that exists only in Chinese.
fn original(link: &str) -> Option<String> {
    let Some(chinese) = link.strip_prefix("docs/zh/") else { return Some(link.to_owned()) };
    let english = format!("docs/{chinese}");
    let file = english.split('#').next().unwrap_or_default();
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists().then_some(english)
}

/// The rows of a page's tables, cell by cell.
fn rows(page: &str) -> Vec<Vec<String>> {
    // A bar in a flag is written `\|`.
    let cells = |line: &str| {
        let line = line.replace("\\|", "\u{1}");
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
    };
    page.lines().filter(|line| line.starts_with('|')).map(cells).collect()
}

/// What stands between back quotes, sorted.
fn code(text: &str) -> Vec<&str> {
    let mut code: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    code.sort_unstable();
    code
}

/// The tables of options are printed from the declarations. What is written below them has the same facts in
/// both languages.
#[test]
fn the_pages_of_options_are_printed_from_the_declarations() {
    let printed = |file: &str, lang: &str| {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        let output = run_program(engine(), &["generate", "options", &path, "--lang", lang], "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(stdout(&output) == page(file), "{file} is not what is declared: make docs prints it anew");
        page(file)
    };
    for (name, least) in [("OPTIONS.md", 15), ("OPTIONS-GO.md", 5)] {
        let english = points(&printed(&format!("docs/{name}"), "en"));
        let chinese = points(&printed(&format!("docs/zh/{name}"), "zh"));
        assert!(english.len() > least, "the points of {name} were not understood");
        for (english, chinese) in english.iter().zip(&chinese) {
            assert_eq!(code(english), code(chinese));
            let kept = numbers(chinese);
            assert!(numbers(english).iter().all(|number| kept.contains(number)), "{english}\n{chinese}");
        }
        assert_eq!(english.len(), chinese.len());
    }
}

/// The points of a page's lists.
fn points(page: &str) -> Vec<String> {
    let mut points: Vec<String> = Vec::new();
    let mut in_point = false;
    for line in page.lines() {
        in_point = line.starts_with("* ") || in_point && line.starts_with("  ");
        if line.starts_with("* ") {
            points.push(String::new());
        }
        if let Some(point) = points.last_mut().filter(|_| in_point) {
            *point += line;
            point.push('\n');
        }
    }
    points
}

/// What a listing line declares: the name.
fn declared(line: &str) -> Option<String> {
    let (name, _) = line.split_once("option name ")?.1.split_once(" type ")?;
    Some(format!("`{name}`"))
}

/// All that the engine declares stands on the page.
#[test]
fn the_options_are_those_that_the_engine_declares() {
    for (protocol, name, input) in
        [("uci", "OPTIONS.md", "uci\nquit\n"), ("gtp", "OPTIONS-GO.md", "lz-setoption\nquit\n")]
    {
        let page = page(&format!("docs/{name}"));
        let (_, table) = page.split_once(&format!("<!-- printed: {protocol} -->\n")).unwrap();
        let (table, _) = table.split_once("\n\n").unwrap();
        let mut known: Vec<String> =
            rows(table).into_iter().map(|row| row[0].clone()).filter(|name| name.starts_with('`')).collect();
        let mut declared: Vec<String> =
            stdout(&run_program(engine(), &[protocol], input)).lines().filter_map(declared).collect();
        known.sort();
        declared.sort();
        assert!(declared.len() > 10, "the listing was not understood");
        assert_eq!(known, declared);
    }
}

/// The page and the program agree on what a level is worth.
#[test]
fn page_and_program_agree_on_the_levels() {
    let page = page("docs/LEVELS.md");
    let (boards, go) = page.split_once("## Go").unwrap();
    // The last columns of a row, after the level and what its player does.
    let column = |text: &str, at: usize| -> Vec<String> {
        let is_level = |cells: &Vec<String>| cells.len() == 7 && cells[0].parse::<u8>().is_ok();
        rows(text).into_iter().filter(is_level).map(|cells| cells[at].clone()).collect()
    };
    let printed = |args: &str| -> Vec<String> {
        let args: Vec<&str> = ["play"].into_iter().chain(args.split(' ')).collect();
        let text = stdout(&run_program(engine(), &args, "level\n"));
        let (_, table) = text.split_once("  level ").unwrap();
        let line =
            |line: &str| line.get(2..)?.trim().split_once(' ').map(|(_, worth)| worth.trim().to_owned());
        let levels = table
            .lines()
            .skip(1)
            .take_while(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        levels.filter_map(line).collect()
    };
    for (args, column) in [
        ("chess", column(boards, 3)),
        ("xiangqi", column(boards, 5)),
        ("go --size 9", column(go, 4)),
        ("go --size 13", column(go, 5)),
        ("go --size 19", column(go, 6)),
    ] {
        let count = if args.starts_with("go") { 12 } else { 16 };
        assert_eq!(column.len(), count, "{args}: the page was not understood");
        assert_eq!(printed(args), column, "{args}");
    }
}

#[test]
fn the_chinese_pages_have_every_row_of_the_english_ones() {
    for (name, least) in [
        ("MATCHES.md", 25),
        ("TOURNAMENTS.md", 10),
        ("PERSONS.md", 2),
        ("rules/xiangqi.md", 6),
        ("RECORDS.md", 4),
        ("PLAY.md", 10),
        ("CHECK.md", 20),
        ("FINDINGS.md", 80),
        ("OPTIONS.md", 40),
        ("OPTIONS-GO.md", 15),
    ] {
        // The code of the first cells, or clauses, and positions: `…`.
        let keys = |name: &str| -> Vec<String> {
            let is_key = |cells: &Vec<String>| cells[0].starts_with('`') || cells[0].starts_with("XQ-");
            let key = |cells: Vec<String>| {
                let first =
                    if cells[0].contains('`') { code(&cells[0]).join(", ") } else { cells[0].clone() };
                let position = cells.get(1).filter(|cell| cell.contains("/9/")).cloned();
                format!("{first} {}", position.unwrap_or_default())
            };
            rows(&page(name)).into_iter().filter(is_key).map(key).collect()
        };
        let (english, chinese) = (keys(&format!("docs/{name}")), keys(&format!("docs/zh/{name}")));
        assert!(english.len() > least, "{name} was not understood");
        let mut rest = chinese.iter();
        for row in &english {
            assert!(rest.any(|other| other == row), "docs/zh/{name} lacks, in its place: {row}");
        }
    }
}

#[test]
fn links_of_the_chinese_pages_and_the_rules_lead_to_files() {
    let folders = ["docs/zh", "docs/rules", "docs/zh/rules"];
    let folders = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().flatten());
    let mut pages = 0;
    for path in entries.map(|entry| entry.path()).filter(|path| path.is_file()) {
        pages += 1;
        let folder = path.parent().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text).filter(|link| !link.starts_with("https:")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            let linked = if place.is_empty() { String::new() } else { fs::read_to_string(target).unwrap() };
            let heading = |line: &str| {
                if line.contains(&format!("<a id=\"{place}\">")) {
                    return true;
                }
                let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
                line.starts_with('#') && title.replace(['：', '`', '（', '）'], "") == place
            };
            assert!(place.is_empty() || linked.lines().any(heading), "{}: {link}", path.display());
        }
    }
    assert!(pages > 4);
}

/// The figures of a text that have a point or more than two digits.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = text
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|number| number.trim_matches('.').to_owned())
        .filter(|number| number.contains('.') || number.len() > 2)
        .collect();
    numbers.sort();
    numbers
}

/// Installing is the same commands, and puts the same things into the same places.
#[test]
fn the_chinese_page_of_installing_has_the_same_commands() {
    let (english, chinese) = (page("docs/INSTALL.md"), page("docs/zh/INSTALL.md"));
    let blocks = |page: &str| -> Vec<String> {
        let blocks = page.split("```").skip(1).step_by(2).flat_map(str::lines);
        blocks.filter_map(|line| line.split('#').next()).map(|line| line.trim().to_owned()).collect()
    };
    let words = |page: &str| -> Vec<String> {
        let text: String = page.split("```").step_by(2).collect();
        let mut words: Vec<String> = code(&text).into_iter().map(str::to_owned).collect();
        words.dedup();
        words
    };
    assert!(blocks(&english).len() > 4, "the page was not understood");
    assert_eq!(blocks(&english), blocks(&chinese));
    assert_eq!(words(&english), words(&chinese));
}

#[test]
fn the_chinese_readme_agrees_with_the_english_one() {
    let (english, chinese) = (skeleton(&page("README.md")), skeleton(&page("README.zh.md")));
    for (i, (english, chinese)) in english.iter().zip(&chinese).enumerate() {
        assert_eq!(english, chinese, "part {i}");
    }
    assert_eq!(english.len(), chinese.len());
    assert_eq!(numbers(&page("README.md")), numbers(&page("README.zh.md")), "figures");
}

#[test]
fn the_first_page_is_short_and_every_page_is_in_the_index() {
    for name in ["README.md", "README.zh.md"] {
        assert!(page(name).lines().count() <= 90, "{name}");
    }
    for folder in ["docs", "docs/zh"] {
        let index = page(&format!("{folder}/README.md"));
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let is_listed =
                name == "README.md" || !name.ends_with(".md") || index.contains(&format!("({name})"));
            assert!(is_listed, "{folder}/README.md lacks {name}");
        }
    }
}

/// What the pictures of the pages show is what the pages are made of: `make pictures`.
#[test]
fn pictures_show_the_pages_as_they_are() {
    use sha2::{Digest, Sha256};
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut digest = Sha256::new();
    for folder in ["src/page", "src/serve/page"] {
        let files = fs::read_dir(root.join(folder)).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files
            .filter(|path| path.is_file() && path.extension().is_none_or(|extension| extension != "rs"))
            .collect();
        files.sort();
        for path in files {
            digest.update(format!("{}\n", path.file_name().unwrap().to_str().unwrap()));
            digest.update(fs::read(path).unwrap());
        }
    }
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(page("docs/images/pages.sum").trim(), digest, "the pages have changed: make pictures");
}
