//! What was found, as a table for the terminal, as a page, and as JSON.

use super::catalog::{self, Finding, Severity};
use super::chinese;
use super::engine::{Entry, Way};
use super::exam::{Exam, Found};
use crate::app::console::say;
use crate::app::language::left;
use crate::client::player::Protocol;
use crate::page::{LOOK, escape};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use serde_json::json;
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");

impl Exam {
    /// Whether there is no fault.
    pub fn is_fit(&self) -> bool {
        self.found.iter().all(|found| found.finding.severity < Severity::Fault)
    }

    fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|found| found.finding.severity == severity).count()
    }

    /// `fit for matches: no fault, 1 warning, 2 notes`.
    fn verdict(&self, language: Language) -> String {
        let counted = |severity: Severity| match (language, self.count(severity)) {
            (Language::Chinese, count) => format!("{} {count} 条", severity.text(language)),
            (_, 0) => format!("no {}", severity.name()),
            (_, 1) => format!("1 {}", severity.name()),
            (_, many) => format!("{many} {}s", severity.name()),
        };
        let fit = if self.is_fit() { words::fit_for_matches } else { words::not_fit_for_matches };
        let counts = [Severity::Fault, Severity::Warning, Severity::Note].map(counted);
        words::finding(language, fit(language), counts.join(language.pick(", ", "，")))
    }

    /// `Stockfish 15.1: UCI, chess`.
    fn subject(&self) -> String {
        let name = if self.name.is_empty() { self.command.words.join(" ") } else { self.name.clone() };
        format!("{name}: {}, {}", protocol_name(self.protocol), self.kind)
    }
}

fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Uci => "UCI",
        Protocol::Ucci => "UCCI",
        Protocol::Gtp => "GTP",
        Protocol::Xboard => "XBoard",
    }
}

fn line_of(entry: &Entry) -> String {
    let way = match entry.way {
        Way::Sent => '>',
        Way::Received => '<',
        Way::Remark => '=',
    };
    format!("{:9.1} ms {way} {}", entry.ms, entry.text)
}

/// What a finding means and why it matters.
fn texts(finding: &Finding, language: Language) -> [&'static str; 2] {
    match language {
        Language::English => [finding.meaning, finding.reason],
        Language::Chinese => chinese::texts(finding),
    }
}

/// How often something was found, if more than once.
fn often(times: u32, language: Language) -> String {
    if times > 1 { words::found_times(language, times) } else { String::new() }
}

/// Prints everything that can be found.
pub fn list(language: Language) {
    for finding in catalog::ALL {
        let (severity, [meaning, _]) = (left(&finding.severity.text(language), 8), texts(finding, language));
        say(format_args!("{severity} {:<10} {:<20} {meaning}", finding.group, finding.id));
    }
}

/// Prints the table and the traffic, in color if asked for.
pub fn print(exam: &Exam, in_color: bool, language: Language) {
    let paint = |severity: Severity, text: &str| {
        let code = match severity {
            Severity::Fault => "1;31",
            Severity::Warning => "33",
            Severity::Note => "36",
        };
        if in_color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    };
    say(exam.subject());
    for (name, value) in &exam.facts {
        say(format_args!("{}: {value}", words::reason(language, name)));
    }
    for Found { finding, detail, times, .. } in &exam.found {
        let severity = paint(finding.severity, &left(&finding.severity.text(language), 8));
        let detail = words::reason(language, detail);
        say(format_args!("{severity} {:<20} {detail}{}", finding.id, often(*times, language)));
    }
    for Found { finding, traffic, .. } in &exam.found {
        let [meaning, reason] = texts(finding, language);
        let id = paint(finding.severity, finding.id);
        say(format_args!("\n{}", words::finding(language, id, meaning)));
        say(words::why_it_matters(language, reason));
        traffic.iter().for_each(|entry| say(line_of(entry)));
    }
    let blank = if exam.found.is_empty() { "" } else { "\n" };
    say(format_args!("{blank}{}", exam.verdict(language)));
}

/// All of it for programs.
/// # Errors
/// It cannot be written as JSON.
pub fn json(exam: &Exam) -> Result<String, Message> {
    let findings = exam.found.iter().map(|found| {
        let finding = found.finding;
        json!({
            "id": finding.id,
            "severity": finding.severity,
            "group": finding.group,
            "meaning": finding.meaning,
            "reason": finding.reason,
            "detail": found.detail,
            "times": found.times,
            "traffic": found.traffic,
        })
    });
    let facts: serde_json::Map<String, serde_json::Value> =
        exam.facts.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let report = json!({
        "engine": exam.name,
        "command": exam.command.words,
        "protocol": exam.protocol,
        "game": exam.kind,
        "fit": exam.is_fit(),
        "facts": facts,
        "findings": findings.collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&report).map_err(|e| Message::from(e.to_string()))
}

/// A page that needs no other file.
pub fn page(exam: &Exam, language: Language) -> String {
    let mut findings = String::new();
    for Found { finding, detail, times, traffic } in &exam.found {
        let lines: Vec<String> = traffic.iter().map(|entry| escape(&line_of(entry))).collect();
        let [meaning, reason] = texts(finding, language);
        // Writing to a String cannot fail.
        let _ = writeln!(
            findings,
            "<details class=\"{0}\"><summary><b>{6}</b> <code>{1}</code> {2}{7}</summary>\
             <p>{3}<br>{4}</p><pre>{5}</pre></details>",
            finding.severity.name(),
            finding.id,
            escape(&words::reason(language, detail)),
            escape(meaning),
            escape(&words::why_it_matters(language, reason)),
            lines.join("\n"),
            finding.severity.text(language),
            often(*times, language)
        );
    }
    let facts: Vec<String> = exam
        .facts
        .iter()
        .map(|(name, value)| escape(&format!("{}: {value}", words::reason(language, name))))
        .collect();
    let (head, tail) = PAGE.split_once("{{findings}}").unwrap_or((PAGE, ""));
    // The engine's own words come last, so that nothing in them is taken for a place to fill.
    let head = head
        .replace("{{class}}", if exam.is_fit() { "fit" } else { "unfit" })
        .replace("{{language}}", language.name())
        .replace("{{look}}", LOOK)
        .replace("{{verdict}}", &exam.verdict(language))
        .replace("{{facts}}", &facts.join(" · "))
        .replace("{{subject}}", &escape(&exam.subject()));
    format!("{head}{findings}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::process::CommandLine;
    use crate::games::record::GameKind;
    use std::time::Duration;

    #[test]
    fn nothing_that_an_engine_says_is_taken_for_a_place_of_the_page() {
        let found = Found {
            finding: &catalog::CRASH,
            detail: "{{subject}} {{verdict}}".to_owned(),
            times: 1,
            traffic: Vec::new(),
        };
        let exam = Exam {
            command: CommandLine::default(),
            options: Vec::new(),
            protocol: Protocol::Uci,
            kind: GameKind::CHESS,
            patience: Duration::ZERO,
            features: Duration::ZERO,
            quick: false,
            name: "{{findings}}<b>".to_owned(),
            facts: Vec::new(),
            found: vec![found],
            unstarted: None,
        };
        let page = page(&exam, Language::English);
        assert!(page.contains("{{subject}} {{verdict}}") && page.contains("<h1>{{findings}}&lt;b&gt;: UCI"));
        assert_eq!(page.matches("<details").count(), 1);
    }
}
