//! Leela Zero's options.

use super::args::Refusal;
use super::command::{GtpCommand, Reply, commands, done};
use super::kata;
use super::line::Request;
use super::session::Session;
use crate::engine::{OptionKind, OptionSpec};
use crate::protocol::options::PONDER;

pub const COMMANDS: &[GtpCommand] = commands! {
    "lz-setoption" "[name NAME value VALUE]" => set_option,
        "sets an option, by our name or Leela Zero's; without arguments: lists them";
    "lz-memory_report" "" => memory_report, "memory of the search tree";
};

/// Leela Zero's names, ours, and how many of our units are one of theirs.
const ALIASES: &[(&str, &str, u64)] = &[
    ("visits", "Max Visits", 1),
    ("playouts", "Max Visits", 1),
    ("lagbuffer", "Move Overhead", 10),
    ("resignpercent", "Resign Threshold", 1),
    ("maximum memory use (mib)", "Hash", 1),
];

fn set_option(s: &mut Session<'_>, request: &Request) -> Reply {
    s.engine();
    if request.args.is_empty() {
        let lines: Vec<String> = s.host.options().iter().map(declaration).collect();
        return Ok(lines.join("\n").into());
    }
    let text = request.rest.strip_prefix("name ").ok_or(Refusal::SYNTAX)?;
    let (name, value) = match text.split_once(" value ") {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (text.trim(), ""),
    };
    if ["pondering", PONDER].iter().any(|known| name.eq_ignore_ascii_case(known)) {
        s.state.ponder = super::args::boolean(value).ok_or(Refusal::SYNTAX)?;
        return done();
    }
    if kata::is_param(name) {
        kata::set(s, name, value)?;
        return done();
    }
    if name.eq_ignore_ascii_case("resign percentage") {
        let percent = value.parse::<i64>().map_err(|_| Refusal::SYNTAX)?;
        if percent >= 0 {
            s.host.set_option("Resign Threshold", &percent.to_string())?;
        }
        s.host.set_option("Resign", &(percent >= 0).to_string())?;
        return done();
    }
    let alias = ALIASES.iter().find(|(theirs, _, _)| name.eq_ignore_ascii_case(theirs));
    match alias {
        Some(&(_, ours, factor)) => {
            let value = value.parse::<u64>().map_err(|_| Refusal::SYNTAX)?.saturating_mul(factor);
            s.host.set_option(ours, &value.to_string())?;
        }
        None => s.host.set_option(name, value)?,
    }
    done()
}

/// An option as UCI and Leela Zero declare it.
fn declaration(spec: &OptionSpec) -> String {
    let kind = match &spec.kind {
        OptionKind::Check(default) => format!("check default {default}"),
        OptionKind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
        OptionKind::Combo { default, choices } => {
            let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("combo default {default}{choices}")
        }
        OptionKind::Text(default) => format!("string default {default}"),
        OptionKind::Button => "button".to_owned(),
    };
    format!("option name {} type {kind}", spec.name)
}

fn memory_report(s: &mut Session<'_>, _: &Request) -> Reply {
    let mib = s.engine().settings().hash_mib;
    Ok(format!("Estimated total memory consumption: {mib} MiB.").into())
}
