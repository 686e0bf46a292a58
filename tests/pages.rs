//! The pages of the project that must agree with each other.

use crate::support::{engine, run_program, stdout};
use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// What a translation leaves as it is: levels of headings, first cells of tables that are code, blocks of code without
/// their comments, and where links lead.
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

/// Where a link leads in English. `None`: to a page that there is in Chinese alone.
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

/// A default or a range of the Chinese page in the words of the English one.
fn in_english(cell: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        (" 至 ", " to "),
        ("按钮", "button"),
        ("空", "empty"),
        ("由启动方式决定", "by how it was started"),
        ("（旧称 ", " (once "),
        ("）", ")"),
    ];
    WORDS.iter().fold(cell.to_owned(), |cell, (chinese, english)| cell.replace(chinese, english))
}

#[test]
fn the_chinese_options_are_the_english_ones() {
    let options = |name: &str| -> Vec<Vec<String>> {
        rows(&page(name)).into_iter().filter(|cells| cells[0].starts_with('`')).collect()
    };
    let (english, chinese) = (options("docs/OPTIONS.md"), options("docs/zh/OPTIONS.md"));
    assert!(english.len() > 45, "the tables were not understood");
    for (english, chinese) in english.iter().zip(&chinese) {
        let (said, facts) = english.split_last().unwrap();
        let (in_chinese, same) = chinese.split_last().unwrap();
        assert_eq!(facts, same.iter().map(|cell| in_english(cell)).collect::<Vec<_>>());
        assert_eq!(code(said), code(in_chinese), "{}", facts[0]);
        let kept = numbers(in_chinese);
        assert!(numbers(said).iter().all(|number| kept.contains(number)), "{said}\n{in_chinese}");
    }
    assert_eq!(english.len(), chinese.len());
}

/// What a listing line declares: name, default and range as the page writes them.
fn declared(line: &str) -> Option<[String; 3]> {
    let (name, rest) = line.split_once("option name ")?.1.split_once(" type ")?;
    let words: Vec<&str> = rest.split(' ').collect();
    let after = |word: &str| words.iter().position(|w| *w == word).and_then(|at| words.get(at + 1)).copied();
    let choices: Vec<&str> = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]).collect();
    let default = match (words[0], after("default")) {
        ("button", _) => "button".to_owned(),
        (_, Some("<empty>" | "") | None) => "empty".to_owned(),
        (_, Some(name)) if name.starts_with('<') => format!("`{name}`"),
        (_, Some(value)) => value.to_owned(),
    };
    let range = match (after("min"), after("max")) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        _ => choices.join(", "),
    };
    Some([format!("`{name}`"), default, range])
}

/// All that the engine declares stands on the page, with the same default and range, and nothing else does.
#[test]
fn the_options_are_those_that_the_engine_declares() {
    let listing = |protocol: &str, input: &str| -> Vec<[String; 3]> {
        stdout(&run_program(engine(), &[protocol], input)).lines().filter_map(declared).collect()
    };
    let page = page("docs/OPTIONS.md");
    let (boards, rest) = page.split_once("## Clients of xiangqi").unwrap();
    let (_, go) = rest.split_once("## Go").unwrap();
    let told = |text: &str| -> Vec<[String; 3]> {
        let cells = rows(text).into_iter().filter(|cells| cells[0].starts_with('`'));
        cells.map(|cells| [cells[0].clone(), cells[1].clone(), cells[2].clone()]).collect()
    };
    // Words and numbers alone: the page separates thousands.
    let plain = |[name, default, range]: &[String; 3]| {
        let range = range.replace([',', ' '], "");
        // UCI's variant is the game that it was started with.
        let default = if name == "`UCI_Variant`" { String::new() } else { default.clone() };
        (name.clone(), default, range)
    };
    let boards = told(boards);
    for (declared, told) in
        [(listing("uci", "uci\nquit\n"), &boards), (listing("gtp", "lz-setoption\nquit\n"), &told(go))]
    {
        assert!(declared.len() > 10, "the listing was not understood");
        for option in declared.iter().map(plain) {
            // Some options of every game stand in the first table alone.
            let known = told.iter().chain(&boards).map(plain).find(|other| other.0 == option.0);
            assert_eq!(known.as_ref(), Some(&option));
        }
        for option in told.iter().map(plain) {
            assert!(declared.iter().any(|other| plain(other).0 == option.0), "{} is not declared", option.0);
        }
    }
}

/// What a level is worth by the page is what the program says of it.
#[test]
fn the_levels_are_worth_what_the_program_says() {
    let page = page("docs/LEVELS.md");
    let (boards, go) = page.split_once("## Go").unwrap();
    // The last columns of a row, after the level and what its player does.
    let column = |text: &str, at: usize| -> Vec<String> {
        let is_level = |cells: &Vec<String>| cells.len() == 7 && cells[0].parse::<u8>().is_ok();
        rows(text).into_iter().filter(is_level).map(|cells| cells[at].clone()).collect()
    };
    let told = |args: &str| -> Vec<String> {
        let args: Vec<&str> = ["play"].into_iter().chain(args.split(' ')).collect();
        let text = stdout(&run_program(engine(), &args, "level\n"));
        let (_, table) = text.split_once("  level ").unwrap();
        let line =
            |line: &str| line.get(2..)?.trim().split_once(' ').map(|(_, worth)| worth.trim().to_owned());
        table.lines().skip(1).take(12).filter_map(line).collect()
    };
    for (args, column) in [
        ("chess", column(boards, 3)),
        ("xiangqi", column(boards, 5)),
        ("go --size 9", column(go, 4)),
        ("go --size 13", column(go, 5)),
        ("go --size 19", column(go, 6)),
    ] {
        assert_eq!(column.len(), 12, "{args}: the page was not understood");
        assert_eq!(told(args), column, "{args}");
    }
}

#[test]
fn the_chinese_pages_have_every_row_of_the_english_ones() {
    for (name, least) in [("MATCHES.md", 15), ("rules/xiangqi.md", 6), ("RECORDS.md", 4), ("CHECK.md", 80)] {
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
fn the_chinese_readme_says_what_the_english_one_says() {
    let (english, chinese) = (skeleton(&page("README.md")), skeleton(&page("README.zh.md")));
    for (i, (english, chinese)) in english.iter().zip(&chinese).enumerate() {
        assert_eq!(english, chinese, "part {i}");
    }
    assert_eq!(english.len(), chinese.len());
    assert_eq!(numbers(&page("README.md")), numbers(&page("README.zh.md")), "figures");
}
