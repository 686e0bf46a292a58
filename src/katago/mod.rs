//! `sanqi katago`: KataGo's JSON protocol, a query a line and an answer a line, for Go and, by `"game"`, for
//! chess and xiangqi.
//!
//! The protocol is that of <https://github.com/lightvector/KataGo/blob/master/docs/Analysis_Engine.md>; its
//! words for errors are part of it, because programs show them. `docs/ANALYSIS.md` lists what is answered
//! differently.
//!
//! This thread reads queries and puts their positions into a [`queue`]; each of the [`worker`]s takes the
//! most urgent one, searches it with an engine of its own, and writes the answers.
// Queries are input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod answer;
mod bans;
mod fields;
mod query;
#[allow(clippy::arithmetic_side_effects, reason = "it counts what was put in")]
mod queue;
mod settings;
mod subject;
mod worker;

use crate::app::console::{Outcome, say};
use crate::engine::go::GameState;
use crate::protocol::gtp;
use crate::util::message::Message;
use crate::util::{files, stdout, system};
use answer::put;
use query::{Context, Query, Task};
use queue::Queue;
use serde_json::{Value, json};
use settings::Settings;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use subject::Subject;

/// Longest line that is read, in bytes: a game with every field has some ten thousand.
const MAX_LINE: u64 = 16 << 20;

/// Answer queries of KataGo's JSON analysis protocol: Go, and chess and xiangqi by "game"
#[derive(clap::Args)]
pub struct Args {
    /// A configuration of KataGo: what is known here is taken, the rest is named and left
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Settings KEY=VALUE,... that count more than the configuration
    #[arg(long, value_name = "SETTINGS")]
    override_config: Vec<String>,
    /// A net of KataGo's; it is named and left: the nets are in the program
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The same
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
    /// Positions that are searched at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    analysis_threads: Option<u16>,
    /// At the end of the input, end without finishing what waits
    #[arg(long)]
    quit_without_waiting: bool,
    /// MiB of memory of each of them
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

/// A client that has ended its input, and then reads nothing for this long, gets no more.
const UNREAD: Duration = Duration::from_secs(2);

const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// Answers queries until the input ends.
pub fn run(args: &Args) -> Outcome {
    let mut settings = Settings::default();
    for path in &args.config {
        match files::read(path, MAX_CONFIG_BYTES) {
            Ok(text) => settings.read(&String::from_utf8_lossy(&text)),
            Err(error) => note(&format!("{}: {error}; the usual settings count", path.display())),
        }
    }
    for list in &args.override_config {
        settings.read(&list.replace(',', "\n"));
    }
    for (flag, path) in [("-model", &args.model), ("-human-model", &args.human_model)] {
        if let Some(path) = path {
            note(&format!("{flag} {} is ignored: the nets are in the program", path.display()));
        }
    }
    if !settings.ignored.is_empty() {
        note(&format!("settings that are ignored: {}", settings.ignored.join(", ")));
    }
    let searches = args.analysis_threads.map_or(settings.searches, usize::from);
    let queue = Arc::new(Queue::default());
    let settings = Arc::new(settings);
    let mut workers = Vec::new();
    for number in 1..=searches {
        let (queue, settings, hash) = (Arc::clone(&queue), Arc::clone(&settings), args.hash);
        let thread = std::thread::Builder::new().name(format!("analysis {number}"));
        let worker = thread.spawn(move || worker::run(&queue, &settings, hash));
        workers.push(worker.map_err(|e| format!("no thread for search {number}: {e}"))?);
    }
    let ends_unread = || {
        system::wait_for_end_of_input();
        stdout::exit_when_unread(UNREAD);
    };
    // Without the thread a client that does not read is waited for.
    let _ = std::thread::Builder::new().name("end".into()).spawn(ends_unread);
    // Programs wait for these words.
    note("Started, ready to begin handling requests");
    let mut input = std::io::stdin().lock();
    while let Some(line) = next_line(&mut input)? {
        if !line.trim().is_empty() {
            answer(line.trim(), &queue, &settings);
        }
    }
    queue.close(args.quit_without_waiting);
    for worker in workers {
        // A worker that panicked has reported it.
        drop(worker.join());
    }
    Ok(())
}

fn note(text: &str) {
    // A closed stderr is not an error.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The next line; `None` at the end. A line that is too long, or is no text, is skipped and reported.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Message> {
    loop {
        let mut bytes = Vec::new();
        let mut limited = std::io::Read::take(&mut *input, MAX_LINE);
        if limited.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            say(json!({"error": format!("Request line is longer than {MAX_LINE} bytes")}));
            continue;
        }
        match String::from_utf8(bytes) {
            Ok(line) => return Ok(Some(line)),
            Err(_) => say(json!({"error": "Request line is not UTF-8"})),
        }
    }
}

fn answer(line: &str, queue: &Queue, settings: &Settings) {
    let (answers, query) = read(line, queue, settings);
    answers.into_iter().for_each(say);
    if let Some(query) = query {
        queue.add(query, line.len());
    }
}

/// The immediate answers to a line, and the query it contains.
fn read(line: &str, queue: &Queue, settings: &Settings) -> (Vec<Value>, Option<Query>) {
    let answers = |value: Value| (vec![value], None);
    let input: Value = match serde_json::from_str(line) {
        Ok(input) => input,
        Err(why) => {
            let hint = match crate::protocol::detect(line) {
                Some(_) => {
                    " (this is the JSON protocol; GTP, UCI and UCCI are spoken by sanqi without arguments)"
                }
                None => "",
            };
            return answers(
                json!({"error": format!("{why} - could not parse input line as json request: {line}{hint}")}),
            );
        }
    };
    if !input.is_object() {
        return answers(
            json!({"error": format!("Request line was valid json but was not an object, ignoring: {input}")}),
        );
    }
    let Some(id) = input.get("id").and_then(Value::as_str) else {
        return answers(json!({"error": "Request must have a string \"id\" field"}));
    };
    if let Some(action) = input.get("action").and_then(Value::as_str) {
        return (act(action, &input, queue).unwrap_or_else(|fault| vec![fault.to_json(id)]), None);
    }
    let mut context = Context::new(&input, settings);
    match Query::read(&mut context) {
        Ok(query) => (context.warnings.iter().map(|warning| warning.to_warning(id)).collect(), Some(query)),
        Err(fault) => answers(fault.to_json(id)),
    }
}

/// The answers to lines whose positions are set up but not searched. For tests with all kinds of input.
pub struct Unsearched {
    /// Of each line at once. The positions of the lines before it still wait then.
    pub at_once: Vec<Vec<Value>>,
    /// Of the positions that still wait at the end, the most urgent first.
    pub at_end: Vec<Value>,
}

/// Reads lines into one queue, and takes its positions out when the lines have ended.
pub fn without_search<'a>(lines: impl IntoIterator<Item = &'a str>) -> Unsearched {
    let (queue, mut state, settings) = (Queue::default(), GameState::default(), Settings::default());
    let (mut at_once, mut at_end) = (Vec::new(), Vec::new());
    for line in lines {
        let (answers, query) = read(line, &queue, &settings);
        at_once.push(answers);
        query.into_iter().for_each(|query| queue.add(query, line.len()));
    }
    queue.close(false);
    while let Some((number, task)) = queue.take() {
        if let Subject::Go(game) = &task.shared.subject
            && let Err(fault) = game.set_up(&mut state, task.turn)
        {
            at_end.push(fault.to_json(task.id()));
        }
        at_end.push(task.without_results());
        queue.end(number);
    }
    Unsearched { at_once, at_end }
}

/// A query that asks for no position.
fn act(action: &str, input: &Value, queue: &Queue) -> Result<Vec<Value>, fields::FieldError> {
    let (mut reply, mut answers) = (input.clone(), Vec::new());
    match action {
        "query_version" => {
            put(&mut reply, "version", env!("CARGO_PKG_VERSION"));
            put(&mut reply, "git_hash", "<omitted>");
        }
        "query_models" => {
            put(&mut reply, "models", gtp::models());
        }
        "clear_cache" => queue.forget(),
        "terminate" | "terminate_all" => {
            let of = match (action, input.get("terminateId").and_then(Value::as_str)) {
                ("terminate_all", _) => None,
                (_, Some(id)) => Some(id),
                _ => {
                    return Err(fields::FieldError::new(
                        "terminateId",
                        "Requests for a terminate action must have a string \"terminateId\" field",
                    ));
                }
            };
            let turns = fields::integers(
                input,
                "turnNumbers",
                "If provided, must be an array of integers indicating turns to terminate",
            )?;
            answers.extend(queue.terminate(of, turns.as_deref()).iter().map(Task::without_results));
        }
        _ => {
            let known = "'query_version', 'query_models', 'clear_cache', 'terminate' or 'terminate_all'";
            return Err(fields::FieldError::new("action", format!("'action' field must be {known}")));
        }
    }
    answers.push(reply);
    Ok(answers)
}
