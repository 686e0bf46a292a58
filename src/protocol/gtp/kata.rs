//! KataGo's commands that belong to no other family: parameters, memory, processor time.

use super::analyze::{seconds, show_for};
use super::args::{Refusal, boolean};
use super::command::{GtpCommand, Reply, commands, done};
use super::line::Request;
use super::session::Session;
use crate::protocol::options::{self, PONDER};
use crate::util::rate::per_second;
use crate::util::system;
use std::fmt::Write;

pub const COMMANDS: &[GtpCommand] = commands! {
    "kata-list-params" "" => |_, _| Ok(PARAMS.iter().map(|p| p.name).collect::<Vec<_>>().join(" ").into()),
        "names of the parameters";
    "kata-get-param" "NAME" => get_param, "value of a parameter";
    "kata-get-params" "" => get_params, "all parameters as JSON";
    "kata-set-param" "NAME VALUE" => set_param, "sets a parameter";
    "kata-set-params" "JSON" => set_params, "sets several parameters, as kata-get-params gives them";
    "kata-get-models" "" => |_, _| Ok(models().to_string().into()),
        "the nets as JSON; their version is that of the engine";
    "kata-benchmark" "[VISITS]" => benchmark,
        "searches the position afresh and reports the visits per second";
    "clear_cache" "" => clear_cache, "forgets the search tree";
    "cputime" "" => |_, _| cpu_time(), "seconds of processor time used so far";
    "gomill-cpu_time" "" => |_, _| cpu_time(), "seconds of processor time used so far";
};

/// The unit of a parameter: KataGo has times in seconds, options have them in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Whole,
    Seconds,
    /// A winrate as utility, -1 to 1, where the option has percent.
    Utility,
    Flag,
    Word,
}

/// A parameter of KataGo's that is an option of ours.
struct Param {
    name: &'static str,
    option: &'static str,
    unit: Unit,
}

/// When an analysis pauses without a limit in its command: visits, 0 for no limit.
const ANALYSIS_VISITS: &str = "analysisMaxVisits";
const ANALYSIS_TIME: &str = "analysisMaxTime";
/// Whether the engine thinks on the opponent's time.
const PONDERING: &str = "ponderingEnabled";

const PARAMS: &[Param] = &[
    Param { name: "maxVisits", option: "Max Visits", unit: Unit::Whole },
    Param { name: "maxTime", option: "Max Time", unit: Unit::Seconds },
    Param { name: "numSearchThreads", option: "Threads", unit: Unit::Whole },
    Param { name: "lagBuffer", option: "Move Overhead", unit: Unit::Seconds },
    Param { name: "allowResignation", option: "Resign", unit: Unit::Flag },
    Param { name: "resignThreshold", option: "Resign Threshold", unit: Unit::Utility },
    Param { name: "cleanupBeforePass", option: "All Alive", unit: Unit::Flag },
    Param { name: "searchRandSeed", option: "Seed", unit: Unit::Whole },
    Param { name: "hashMiB", option: "Hash", unit: Unit::Whole },
    Param { name: "modelFile", option: "EvalFile", unit: Unit::Word },
    Param { name: "evaluator", option: "Evaluator", unit: Unit::Word },
    Param { name: "netAt", option: "Net At", unit: Unit::Whole },
    Param { name: "netShare", option: "Net Share", unit: Unit::Whole },
    Param { name: "rank", option: "Rank", unit: Unit::Word },
    Param { name: "level", option: "Level", unit: Unit::Whole },
    Param { name: ANALYSIS_VISITS, option: "", unit: Unit::Whole },
    Param { name: ANALYSIS_TIME, option: "", unit: Unit::Seconds },
    Param { name: PONDERING, option: PONDER, unit: Unit::Flag },
];

fn find(name: &str) -> Result<&'static Param, Refusal> {
    PARAMS
        .iter()
        .find(|p| p.name == name || p.option == name)
        .ok_or_else(|| format!("unknown parameter '{name}'").into())
}

/// The option by KataGo's name.
pub fn option_named(name: &str) -> Option<&'static str> {
    PARAMS.iter().find(|p| p.name == name && !p.option.is_empty()).map(|p| p.option)
}

/// Whether KataGo has a parameter of this name.
pub fn is_param(name: &str) -> bool {
    PARAMS.iter().any(|p| p.name == name)
}

/// The option by its name in KataGo, and its value for KataGo's `text`. `None`: there is none.
pub fn as_option(name: &str, text: &str) -> Option<Result<(&'static str, String), Refusal>> {
    let param = PARAMS.iter().find(|p| p.name == name && !p.option.is_empty())?;
    Some(param.option_value(name, text).map(|value| (param.option, value)))
}

impl Param {
    /// The value of the option for the `text` of a client that calls the parameter `name`.
    fn option_value(&self, name: &str, text: &str) -> Result<String, Refusal> {
        let real = || text.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(Refusal::SYNTAX);
        Ok(match self.unit {
            Unit::Whole | Unit::Word => text.to_owned(),
            // Under its own name it is percent, as the option is.
            Unit::Utility if name != self.name => text.to_owned(),
            Unit::Seconds => (real()? * 1000.0).round().to_string(),
            Unit::Utility => ((real()? + 1.0) * 50.0).round().to_string(),
            Unit::Flag => boolean(text).ok_or(Refusal::SYNTAX)?.to_string(),
        })
    }
}

fn value(s: &mut Session<'_>, param: &Param) -> Result<String, Refusal> {
    let (ponder, bounds) = (s.state.ponder, s.state.bounds);
    let options = s.engine().settings();
    Ok(match param.name {
        "maxVisits" => options.max_visits.to_string(),
        "maxTime" => options.max_time.as_secs_f64().to_string(),
        "numSearchThreads" => options.threads.to_string(),
        "lagBuffer" => options.overhead.as_secs_f64().to_string(),
        "allowResignation" => options.resign.to_string(),
        "resignThreshold" => format!("{:.2}", 2.0 * options.resign_below - 1.0),
        "cleanupBeforePass" => options.all_alive.to_string(),
        "searchRandSeed" => options.seed.to_string(),
        "hashMiB" => options.hash_mib.to_string(),
        "modelFile" => options.net.value().to_owned(),
        "evaluator" => options.evaluator.name().to_owned(),
        "netAt" => options.net_at.to_string(),
        "netShare" => (100.0 * options.net_share).round().to_string(),
        "rank" => options.rank.to_owned(),
        "level" => options.level.to_string(),
        ANALYSIS_VISITS => bounds.visits.to_string(),
        ANALYSIS_TIME => bounds.seconds.to_string(),
        _ => ponder.to_string(),
    })
}

fn get_param(s: &mut Session<'_>, request: &Request) -> Reply {
    request.arg(0)?;
    let param = find(&request.args.join(" "))?;
    let value = match param.unit {
        // Under its own name it is percent, as the option is.
        Unit::Utility if request.args.join(" ") != param.name => {
            (100.0 * s.engine().settings().resign_below).round().to_string()
        }
        _ => value(s, param)?,
    };
    Ok(value.into())
}

fn get_params(s: &mut Session<'_>, _: &Request) -> Reply {
    let mut json = String::from("{");
    for param in PARAMS {
        let separator = if json.len() > 1 { "," } else { "" };
        let value = value(s, param)?;
        let value = if param.unit == Unit::Word { serde_json::Value::from(value).to_string() } else { value };
        let _ = write!(json, "{separator}\"{}\":{value}", param.name);
    }
    Ok((json + "}").into())
}

fn set_param(s: &mut Session<'_>, request: &Request) -> Reply {
    request.arg(1)?;
    // Some names have two words; the value is the last one.
    let (value, name) = request.args.split_last().ok_or(Refusal::SYNTAX)?;
    set(s, &name.join(" "), value)?;
    done()
}

fn set_params(s: &mut Session<'_>, request: &Request) -> Reply {
    let parsed: serde_json::Value = serde_json::from_str(&request.rest).map_err(|_| Refusal::SYNTAX)?;
    let params = parsed.as_object().ok_or(Refusal::SYNTAX)?;
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // All or none.
    for (name, value) in params {
        check(s, name, &text(value))?;
    }
    for (name, value) in params {
        set(s, name, &text(value))?;
    }
    done()
}

/// Whether a parameter accepts this value, as far as can be checked without setting it.
fn check(s: &mut Session<'_>, name: &str, text: &str) -> Result<(), Refusal> {
    let param = find(name)?;
    let value = param.option_value(name, text)?;
    match param.name {
        ANALYSIS_VISITS => value.parse::<u64>().map(drop).map_err(|_| Refusal::SYNTAX),
        ANALYSIS_TIME => seconds(text).map(drop),
        PONDERING => Ok(()),
        _ => {
            s.engine();
            let specs = s.host.options();
            let known = options::find(&specs, param.option).map_err(|e| e.to_string())?;
            options::check(known, &value).map_err(|e| e.to_string())?;
            Ok(())
        }
    }
}

/// Sets a parameter as KataGo names and measures it.
pub fn set(s: &mut Session<'_>, name: &str, text: &str) -> Result<(), Refusal> {
    let param = find(name)?;
    let value = param.option_value(name, text)?;
    match param.name {
        ANALYSIS_VISITS => s.state.bounds.visits = value.parse().map_err(|_| Refusal::SYNTAX)?,
        ANALYSIS_TIME => s.state.bounds.seconds = seconds(text)?,
        PONDERING => s.state.ponder = value == "true",
        _ => {
            s.engine();
            s.host.set_option(param.option, &value)?;
        }
    }
    Ok(())
}

const BENCHMARK_VISITS: u64 = 800;

/// The nets that answers come from, in the words of KataGo, whose clients ask before they choose among them.
pub fn models() -> serde_json::Value {
    serde_json::json!([{"name": "sanqi", "internalName": "sanqi", "maxBatchSize": 1,
        "usesHumanSLProfile": false, "version": 0, "usingFP16": "false"}])
}

fn benchmark(s: &mut Session<'_>, request: &Request) -> Reply {
    let visits = match request.args.first() {
        Some(text) => text.parse().ok().filter(|&visits| visits > 0).ok_or(Refusal::SYNTAX)?,
        None => BENCHMARK_VISITS,
    };
    // Visits from the cache count as visits, and cost nothing.
    clear_cache(s, request)?;
    show_for(s, None, visits, |analysis, _, _| {
        let (visits, time) = (analysis.visits, analysis.time);
        format!("{visits} visits in {:.3} s: {} visits/s", time.as_secs_f64(), per_second(visits, time))
    })
}

fn clear_cache(s: &mut Session<'_>, _: &Request) -> Reply {
    s.engine();
    s.host.set_option("Clear Hash", "")?;
    done()
}

fn cpu_time() -> Reply {
    match system::cpu_time() {
        Some(time) => Ok(format!("{:.2}", time.as_secs_f64()).into()),
        None => Err("processor time is not known here".into()),
    }
}
