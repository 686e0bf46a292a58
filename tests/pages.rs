//! The pages of the project that must agree with each other.

use std::fs;

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
    let mut links: Vec<_> = page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    links.sort_unstable();
    parts.extend(links.into_iter().filter(|link| !link.starts_with("README")).map(str::to_owned));
    parts
}

#[test]
fn the_chinese_readme_says_what_the_english_one_says() {
    let (english, chinese) = (skeleton(&page("README.md")), skeleton(&page("README.zh.md")));
    for (i, (english, chinese)) in english.iter().zip(&chinese).enumerate() {
        assert_eq!(english, chinese, "part {i}");
    }
    assert_eq!(english.len(), chinese.len());
    let numbers = |page: &str| {
        let mut numbers: Vec<String> = page
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .map(|number| number.trim_matches('.').to_owned())
            .filter(|number| number.contains('.') || number.len() > 2)
            .collect();
        numbers.sort();
        numbers
    };
    assert_eq!(numbers(&page("README.md")), numbers(&page("README.zh.md")), "figures");
}
