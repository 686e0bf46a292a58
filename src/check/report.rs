//! What was found, as a table for the terminal, as a page, and as JSON.

use super::catalog::{self, Severity};
use super::engine::{TrafficLine, Way};
use super::run::{CheckRun, Reported};
use crate::app::console::say;
use crate::app::language::left;
use crate::page::{self, escape};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use serde_json::json;
use std::fmt::Write;

impl CheckRun {
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
        let counts: Vec<String> = Severity::ALL.into_iter().rev().map(counted).collect();
        words::finding(language, fit(language), counts.join(language.pick(", ", "，")))
    }

    /// `Stockfish 15.1: UCI, chess`.
    fn subject(&self) -> String {
        let name = if self.name.is_empty() { self.command.words.join(" ") } else { self.name.clone() };
        format!("{name}: {}, {}", self.protocol.text(Language::English), self.kind)
    }
}

fn line_of(entry: &TrafficLine) -> String {
    let way = match entry.way {
        Way::Sent => '>',
        Way::Received => '<',
        Way::Remark => '=',
    };
    format!("{:9.1} ms {way} {}", entry.ms, entry.text)
}

/// How often something was found, if more than once.
fn often(times: u32, language: Language) -> String {
    if times > 1 { words::found_times(language, times) } else { String::new() }
}

/// Prints everything that can be found.
pub fn list(language: Language) {
    for finding in catalog::ALL {
        let (severity, meaning) = (left(finding.severity.text(language), 8), finding.meaning.text(language));
        say(format_args!("{severity} {:<10} {:<20} {meaning}", finding.group, finding.id));
    }
}

/// Prints the table and the traffic, in color if asked for.
pub fn print(run: &CheckRun, in_color: bool, language: Language) {
    let paint = |severity: Severity, text: &str| {
        let code = match severity {
            Severity::Fault => "1;31",
            Severity::Warning => "33",
            Severity::Note => "36",
        };
        if in_color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    };
    say(run.subject());
    for (name, value) in &run.facts {
        say(format_args!("{}: {value}", name.text(language)));
    }
    for Reported { finding, detail, times, .. } in &run.found {
        let severity = paint(finding.severity, &left(finding.severity.text(language), 8));
        let detail = detail.text(language);
        say(format_args!("{severity} {:<20} {detail}{}", finding.id, often(*times, language)));
    }
    for Reported { finding, traffic, .. } in &run.found {
        let (meaning, reason) = (finding.meaning.text(language), finding.reason.text(language));
        let id = paint(finding.severity, finding.id);
        say(format_args!("\n{}", words::finding(language, id, meaning)));
        say(words::why_it_matters(language, reason));
        traffic.iter().for_each(|entry| say(line_of(entry)));
    }
    let blank = if run.found.is_empty() { "" } else { "\n" };
    say(format_args!("{blank}{}", run.verdict(language)));
}

pub fn json(run: &CheckRun) -> Result<String, Message> {
    let findings = run.found.iter().map(|found| {
        let finding = found.finding;
        json!({
            "id": finding.id,
            "severity": finding.severity,
            "group": finding.group,
            "meaning": finding.meaning.0,
            "reason": finding.reason.0,
            "detail": found.detail.text(Language::English),
            "times": found.times,
            "traffic": found.traffic,
        })
    });
    let facts: serde_json::Map<String, serde_json::Value> =
        run.facts.iter().map(|(name, value)| (name.0.to_owned(), json!(value))).collect();
    let report = json!({
        "engine": run.name,
        "command": run.command.words,
        "protocol": run.protocol,
        "game": run.kind,
        "fit": run.is_fit(),
        "facts": facts,
        "findings": findings.collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&report).map_err(|e| Message::from(e.to_string()))
}

/// A page that needs no other file.
pub fn page(run: &CheckRun, language: Language) -> String {
    let mut page = page::head(language, &run.subject());
    let (class, badge) = if run.is_fit() { ("fit", "✓") } else { ("unfit", "✗") };
    let facts: String = run
        .facts
        .iter()
        .map(|(name, value)| format!("<dt>{}<dd>{}", escape(name.text(language)), escape(value)))
        .collect();
    // Writing to a String cannot fail.
    let _ = writeln!(
        page,
        "<header class=\"page\"><h1>{}</h1><p class=\"faint\"><code>{}</code></p></header>\n\
         <p class=\"badge {class}\"><b>{badge}</b> {}</p>\n<dl class=\"panel facts\">{facts}</dl>",
        escape(&run.subject()),
        escape(&run.command.words.join(" ")),
        escape(&run.verdict(language)),
    );
    let _ = writeln!(page, "<section class=\"panel\"><h2>{}</h2>", words::found_heading(language));
    if run.found.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", words::nothing_found(language));
    }
    for Reported { finding, detail, times, traffic } in &run.found {
        let lines: Vec<String> = traffic.iter().map(|entry| escape(&line_of(entry))).collect();
        let (meaning, reason) = (finding.meaning.text(language), finding.reason.text(language));
        let _ = writeln!(
            page,
            "<details class=\"{0}\"{8}><summary><b>{6}</b> <code>{1}</code> {2}{7}</summary>\
             <p>{3}<br><span class=\"faint\">{4}</span></p><pre>{5}</pre></details>",
            finding.severity.name(),
            finding.id,
            escape(detail.text(language)),
            escape(meaning),
            escape(&words::why_it_matters(language, reason)),
            lines.join("\n"),
            finding.severity.text(language),
            often(*times, language),
            if finding.severity == Severity::Fault { " open" } else { "" },
        );
    }
    let _ = writeln!(page, "</section>\n{}</body>\n</html>", tried(run, language));
    page
}

/// The groups that were run: what each found, sent, and took.
fn tried(run: &CheckRun, language: Language) -> String {
    let heads = [
        words::checks_column(language),
        words::found_heading(language),
        words::processes_column(language),
        words::lines_column(language),
        words::seconds_column(language),
        words::commands_column(language),
    ];
    let rows = run.tried.iter().map(|group| {
        let found = run.found.iter().filter(|found| found.finding.group == group.name);
        let found: Vec<String> = found
            .map(|found| {
                format!("<span class=\"{}\">{}</span>", found.finding.severity.name(), found.finding.id)
            })
            .collect();
        let found =
            if found.is_empty() { "<span class=\"fit\">✓</span>".to_owned() } else { found.join(", ") };
        let commands: Vec<String> = group
            .commands
            .iter()
            .map(|(word, count)| match count {
                1 => format!("<code>{}</code>", escape(word)),
                count => format!("<code>{}</code> ×{count}", escape(word)),
            })
            .collect();
        format!(
            "<tr><td><code>{}</code><td>{found}<td>{}<td>{}<td>{:.2}<td>{}\n",
            group.name,
            group.starts,
            group.commands.values().sum::<usize>(),
            group.took.as_secs_f64(),
            commands.join(" ")
        )
    });
    format!(
        "<section class=\"panel\"><h2>{}</h2><div class=\"wide\"><table class=\"tried\"><tr><th>{}</tr>\n{}</table>\
         </div></section>\n",
        words::tried_heading(language),
        heads.join("<th>"),
        rows.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::run::Tried;
    use crate::client::player::EngineProtocol;
    use crate::client::process::CommandLine;
    use crate::games::record::GameKind;
    use std::collections::BTreeMap;
    use std::time::Duration;

    #[test]
    fn no_text_of_an_engine_is_taken_for_a_place_of_the_page() {
        let found = Reported {
            finding: &catalog::CRASH,
            detail: "{{subject}} {{verdict}}".into(),
            times: 1,
            traffic: Vec::new(),
        };
        let run = CheckRun {
            command: CommandLine::default(),
            options: Vec::new(),
            protocol: EngineProtocol::Uci,
            kind: GameKind::CHESS,
            patience: Duration::ZERO,
            features: Duration::ZERO,
            quick: false,
            name: "{{findings}}<b>".to_owned(),
            facts: Vec::new(),
            found: vec![found],
            tried: vec![Tried { name: "quit", took: Duration::ZERO, starts: 1, commands: BTreeMap::new() }],
            commands: Default::default(),
            starts: 0,
            unstarted: None,
        };
        let page = page(&run, Language::English);
        assert!(page.contains("{{subject}} {{verdict}}") && page.contains("<h1>{{findings}}&lt;b&gt;: UCI"));
        assert_eq!(page.matches("<details").count(), 1);
    }
}
