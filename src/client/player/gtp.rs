//! Asking GTP engines.

use super::conversation::{GRACE, adopt, in_seconds, time_left};
use super::{Choice, Dialog, EngineSpec, Fault, Patience, Reply, Request, Setup, Wire, later};
use crate::clock::Overtime;
use crate::game::Side;
use crate::games::record::{GameKind, Reason, Thought};
use crate::games::referee::{Rules, fixed_handicap};
use crate::games::time::{Clock, Control};
use crate::go::{self, Board, Point, coords};
use std::collections::HashSet;
use std::time::{Duration, Instant};

fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

/// The state of a GTP conversation.
#[derive(Default)]
pub struct Gtp {
    commands: HashSet<String>,
    /// Moves the engine knows of.
    played: Vec<String>,
    /// Whether its last answer was a move, which is not among them yet.
    answered: bool,
    cleaning_up: bool,
    /// The number of the last command, where the engine gives numbers back.
    number: Option<u32>,
    /// A game begins: what is answered to older commands is of the game before.
    is_new_game: bool,
    /// It refuses fractions of a second in `time_left`.
    whole_seconds: bool,
}

/// A complete answer: its text, and when its first line came.
struct Answer {
    text: Result<String, String>,
    at: Instant,
}

impl Dialog for Gtp {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, _: GameKind) -> Result<String, Fault> {
        self.try_numbers(wire)?;
        let list = self.must(wire, "list_commands")?;
        self.commands = list.split_whitespace().map(str::to_owned).collect();
        let name = self.must(wire, "name")?;
        for (option, value) in &spec.options {
            self.set_option(wire, option, value)?;
        }
        if let Some(nodes) = spec.nodes {
            self.set_visits(wire, nodes)?;
        }
        for line in &spec.init {
            self.must(wire, line)?;
        }
        Ok(name)
    }

    fn new_game(&mut self, wire: &mut Wire, setup: &Setup) -> Result<(), Fault> {
        (self.played, self.answered, self.cleaning_up, self.is_new_game) = (Vec::new(), false, false, true);
        self.set_up(wire, setup.rules)?;
        if setup.control.is_timed() {
            self.time_settings(wire, setup.control)?;
        }
        Ok(())
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        self.catch_up(wire, request)?;
        self.tell_time(wire, request)?;
        let command = if self.cleaning_up { "kgs-genmove_cleanup" } else { "genmove" };
        let line = format!("{command} {}", letter(request.side));
        let budget = request.clock().budget();
        // An answer before it is to another question. The clock does not pay for the trace of the question.
        let asked = Instant::now();
        self.send(wire, &line);
        let sent = Instant::now();
        let deadline = match budget {
            Some(budget) => later(sent, budget.saturating_add(GRACE)),
            None => Patience::until(wire.patience.stall),
        };
        let Some(answer) = self.read(wire, asked, deadline)? else {
            return Err(match budget {
                Some(b) => Fault::new(Reason::Time, format!("no move within {:.3} s", b.as_secs_f64())),
                None => Fault::new(Reason::Stall, format!("no move within {} s", wire.patience.stall)),
            });
        };
        let text =
            answer.text.map_err(|e| Fault::new(Reason::IllegalMove, format!("{line} answered \"? {e}\"")))?;
        let mv = text.trim().to_uppercase();
        let choice = match mv.as_str() {
            "RESIGN" => Choice::Resign,
            "PASS" => Choice::Move("pass".to_owned()),
            _ => Choice::Move(mv),
        };
        self.answered = matches!(choice, Choice::Move(_));
        let time = answer.at.saturating_duration_since(sent);
        Ok(Reply { choice, ponder: None, draw: false, time, line: Vec::new(), thought: Thought::default() })
    }

    fn dead_stones(&mut self, wire: &mut Wire, request: &Request) -> Result<Option<Vec<String>>, Fault> {
        if !self.commands.contains("final_status_list") {
            return Ok(None);
        }
        self.catch_up(wire, request)?;
        let line = "final_status_list dead";
        let sent = Instant::now();
        self.send(wire, line);
        // Some engines think for long about it.
        let patience = wire.patience.ready.max(60.0);
        // An answer that comes later must not be taken for that to another question: the process is ended.
        let late = || Fault::new(Reason::Stall, format!("no answer to {line:?} within {patience} s"));
        let answer = self.read(wire, sent, Patience::until(patience))?.ok_or_else(late)?;
        Ok(answer.text.ok().map(|list| list.split_whitespace().map(str::to_uppercase).collect()))
    }

    fn clean_up(&mut self, _: &mut Wire) -> bool {
        self.cleaning_up = self.commands.contains("kgs-genmove_cleanup");
        self.cleaning_up
    }
}

impl Gtp {
    fn set_up(&mut self, wire: &mut Wire, rules: &Rules) -> Result<(), Fault> {
        self.must(wire, &format!("boardsize {}", rules.go.size))?;
        self.must(wire, "clear_board")?;
        self.must(wire, &format!("komi {}", rules.go.komi))?;
        // An engine without a choice of rules is taken to play by the right ones.
        if self.commands.contains("kata-set-rules") {
            self.must(wire, &format!("kata-set-rules {}", rules.go.rules))?;
        } else if self.commands.contains("kgs-rules") {
            let name = go::Rules::parse(&rules.go.rules).ok().and_then(|rules| rules.kgs_name());
            let is_told = match name {
                Some(name) => self.ask(wire, &format!("kgs-rules {name}"))?.is_ok(),
                None => false,
            };
            if !is_told {
                wire.remark(&format!("it cannot be told the rules {}", rules.go.rules));
            }
        }
        if rules.go.handicap > 1 {
            let placed = self.must(wire, &format!("fixed_handicap {}", rules.go.handicap))?;
            let points = fixed_handicap(rules.go.size, rules.go.handicap).unwrap_or_default();
            let board = Board::new(rules.go.size, rules.go.size);
            let mut wanted: Vec<String> = points
                .into_iter()
                .map(|(column, row)| coords::vertex(&board, Point::new(column, row)))
                .collect();
            let mut found: Vec<String> = placed.split_whitespace().map(str::to_uppercase).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            // Programs do not agree on the points of every size.
            if found != wanted {
                self.must(wire, "clear_board")?;
                self.must(wire, &format!("set_free_handicap {}", wanted.join(" ")))?;
            }
        }
        Ok(())
    }

    fn set_option(&mut self, wire: &mut Wire, option: &str, value: &str) -> Result<(), Fault> {
        self.must(wire, &option_line(&self.commands, option, value)).map(drop)
    }

    fn set_visits(&mut self, wire: &mut Wire, visits: u64) -> Result<(), Fault> {
        if self.commands.contains("kata-set-param") {
            return self.must(wire, &format!("kata-set-param maxVisits {visits}")).map(drop);
        }
        if self.commands.contains("lz-setoption") {
            return self.must(wire, &format!("lz-setoption name visits value {visits}")).map(drop);
        }
        Err(Fault::new(Reason::Crash, "this engine has no command that limits its visits"))
    }

    /// Plays what the engine has not seen; takes back what was not played after all.
    fn catch_up(&mut self, wire: &mut Wire, request: &Request) -> Result<(), Fault> {
        adopt(&mut self.played, &mut self.answered, request.moves);
        let common =
            self.played.iter().zip(request.moves).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        for _ in common..self.played.len() {
            self.must(wire, "undo")?;
        }
        self.played.truncate(common);
        let black_starts = request.setup.rules.go.handicap <= 1;
        for (i, mv) in request.moves.iter().enumerate().skip(common) {
            let side = if i.is_multiple_of(2) == black_starts { Side::First } else { Side::Second };
            self.must(wire, &format!("play {} {mv}", letter(side)))?;
            self.played.push(mv.clone());
        }
        Ok(())
    }

    fn time_settings(&mut self, wire: &mut Wire, control: &Control) -> Result<(), Fault> {
        if !self.has("kata-time_settings") {
            in_seconds(control)?;
        }
        let command = self.time_command(control);
        // A command that every engine may lack.
        if command.split(' ').next() == Some("time_settings") && !self.has("time_settings") {
            wire.remark("it cannot be told the time: it has no time_settings");
            return Ok(());
        }
        self.must(wire, &command).map(drop)
    }

    /// The most exact command this engine has for a time control.
    fn time_command(&self, control: &Control) -> String {
        let secs = Duration::as_secs_f64;
        let main = secs(&control.main);
        // Plain GTP counts in whole seconds. What is less than one cannot be said.
        let whole = |time: Duration| time.as_secs().max(1);
        let one_move = control.per_move.map(|length| Overtime::Canadian { length, stones: 1 });
        match one_move.or(control.overtime) {
            Some(Overtime::ByoYomi { length, periods }) if self.has("kata-time_settings") => {
                format!("kata-time_settings byoyomi {main} {} {periods}", secs(&length))
            }
            Some(Overtime::ByoYomi { length, periods }) if self.has("kgs-time_settings") => {
                format!("kgs-time_settings byoyomi {} {} {periods}", control.main.as_secs(), whole(length))
            }
            // The last period is all that a plain clock can say.
            Some(Overtime::ByoYomi { length, .. }) => {
                format!("time_settings {} {} 1", control.main.as_secs(), whole(length))
            }
            Some(Overtime::Canadian { length, stones }) if self.has("kata-time_settings") => {
                format!("kata-time_settings canadian {main} {} {stones}", secs(&length))
            }
            Some(Overtime::Canadian { length, stones }) => {
                format!("time_settings {} {} {stones}", control.main.as_secs(), whole(length))
            }
            None if self.has("kata-time_settings") && control.increment.is_zero() => {
                format!("kata-time_settings absolute {main}")
            }
            None if self.has("kata-time_settings") => {
                format!("kata-time_settings fischer {main} {}", secs(&control.increment))
            }
            None => format!("time_settings {} 0 0", whole(control.main)),
        }
    }

    fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn tell_time(&mut self, wire: &mut Wire, request: &Request) -> Result<(), Fault> {
        if !self.commands.contains("time_left") {
            return Ok(());
        }
        for side in [Side::First, Side::Second] {
            let clock = request.clock_of(side);
            if clock.control().is_timed() && clock.control().per_move.is_none() {
                let exact = self.has("kata-time_settings") && !self.whole_seconds;
                let counts_periods = self.has("kata-time_settings") || self.has("kgs-time_settings");
                let line =
                    |exact| format!("time_left {} {}", letter(side), left(clock, exact, counts_periods));
                if self.ask(wire, &line(exact))?.is_err() && exact {
                    self.whole_seconds = true;
                    let _ = self.ask(wire, &line(false))?;
                }
            }
        }
        Ok(())
    }

    /// Whether the engine gives back the number of a command, as it should: an answer is then never taken for that to
    /// another command. Those that do not are asked without numbers.
    fn try_numbers(&mut self, wire: &mut Wire) -> Result<(), Fault> {
        let sent = Instant::now();
        wire.send("1 protocol_version");
        let deadline = Patience::until(wire.patience.ready);
        let Some((number, _)) = read_any(wire, sent, deadline)? else {
            let why = format!("no answer to \"protocol_version\" within {} s", wire.patience.ready);
            return Err(Fault::new(Reason::Stall, why));
        };
        self.number = (number == "1").then_some(1);
        Ok(())
    }

    fn send(&mut self, wire: &Wire, line: &str) {
        match &mut self.number {
            Some(number) => {
                *number = number.wrapping_add(1) % 1_000_000;
                wire.send(&format!("{number} {line}"));
            }
            None => wire.send(line),
        }
    }

    /// Reads one answer. `None`: not in time.
    fn read(&mut self, wire: &mut Wire, sent: Instant, deadline: Instant) -> Result<Option<Answer>, Fault> {
        loop {
            let Some((number, answer)) = read_any(wire, sent, deadline)? else { return Ok(None) };
            if self.number.is_none_or(|expected| number == expected.to_string()) {
                self.is_new_game = false;
                return Ok(Some(answer));
            }
            let (Ok(text) | Err(text)) = answer.text;
            let fault = unasked(&text.chars().take(40).collect::<String>());
            if !self.is_new_game {
                return Err(fault);
            }
            wire.remark(&fault.detail);
        }
    }

    /// Sends a command whose failure is the engine's fault; gives the answer.
    fn must(&mut self, wire: &mut Wire, line: &str) -> Result<String, Fault> {
        let refused = |e| Fault::new(Reason::Stall, format!("{line:?} was answered \"? {e}\""));
        self.ask(wire, line)?.map_err(refused)
    }

    /// Sends a command; the inner error is the engine's refusal.
    fn ask(&mut self, wire: &mut Wire, line: &str) -> Result<Result<String, String>, Fault> {
        let sent = Instant::now();
        self.send(wire, line);
        let deadline = Patience::until(wire.patience.ready);
        match self.read(wire, sent, deadline)? {
            Some(answer) => {
                wire.latencies.push(answer.at.saturating_duration_since(sent));
                Ok(answer.text)
            }
            None => {
                let why = format!("no answer to {line:?} within {} s", wire.patience.ready);
                Err(Fault::new(Reason::Stall, why))
            }
        }
    }
}

/// How an engine with these commands is told an option.
pub fn option_line(commands: &HashSet<String>, option: &str, value: &str) -> String {
    let line = if commands.contains("kata-set-param") {
        format!("kata-set-param {option} {value}")
    } else if commands.contains("lz-setoption") {
        format!("lz-setoption name {option} value {value}")
    } else {
        format!("{option} {value}")
    };
    line.trim_end().to_owned()
}

fn unasked(text: &str) -> Fault {
    Fault::new(Reason::PrematureMove, format!("the answer {text:?} belongs to no command"))
}

/// Reads one answer, and its number: from a line that starts with `=` or `?` to the empty line. `None`: not in time.
/// # Errors
/// The process has ended, or the answer came before the question.
fn read_any(wire: &mut Wire, sent: Instant, deadline: Instant) -> Result<Option<(String, Answer)>, Fault> {
    let mut answer: Option<(String, Answer)> = None;
    loop {
        let Some(line) = wire.receive(deadline)?.filter(|line| line.at <= deadline) else { return Ok(None) };
        let text = line.text.trim();
        match &mut answer {
            None => {
                let Some(rest) = text.strip_prefix(['=', '?']) else { continue };
                if line.at < sent && !rest.starts_with(|c: char| c.is_ascii_digit()) {
                    return Err(unasked(text));
                }
                let said = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                let number = rest.strip_suffix(said).unwrap_or_default().to_owned();
                let said = said.trim().to_owned();
                let text = if text.starts_with('=') { Ok(said) } else { Err(said) };
                answer = Some((number, Answer { text, at: line.at }));
            }
            Some(_) if text.is_empty() => return Ok(answer),
            Some((_, Answer { text: Ok(so_far) | Err(so_far), .. })) => {
                so_far.push('\n');
                so_far.push_str(text);
            }
        }
    }
}

/// Seconds, and stones or periods when in overtime. GTP has whole seconds; KataGo's extensions have fractions, in `exact`.
/// Who does not count periods has one stone to play in each.
fn left(clock: &Clock, exact: bool, counts_periods: bool) -> String {
    let state = clock.state();
    let secs = |time: Duration| match exact {
        true => (time.as_millis() as f64 / 1000.0).to_string(),
        false => time.as_secs().to_string(),
    };
    match state.overtime {
        Some(Overtime::ByoYomi { length, periods }) if state.remaining.is_zero() => {
            format!("{} {}", secs(length), if counts_periods { periods } else { 1 })
        }
        Some(Overtime::Canadian { length, stones }) if state.remaining.is_zero() => {
            format!("{} {stones}", secs(length))
        }
        Some(_) => format!("{} 0", secs(state.remaining)),
        None => format!("{} 0", secs(time_left(clock).0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_told_the_time_in_the_most_exact_words_they_have() {
        let ask = |commands: &[&str], control: &str| {
            let gtp = Gtp { commands: commands.iter().map(|&c| c.to_owned()).collect(), ..Gtp::default() };
            gtp.time_command(&control.parse().unwrap())
        };
        assert_eq!(ask(&[], "st=0.5"), "time_settings 0 1 1");
        assert_eq!(ask(&[], "300+5x30"), "time_settings 300 30 1");
        assert_eq!(ask(&[], "300+25/60"), "time_settings 300 60 25");
        assert_eq!(ask(&[], "90.5"), "time_settings 90 0 0");
        assert_eq!(ask(&["kgs-time_settings"], "300+5x30"), "kgs-time_settings byoyomi 300 30 5");
        let kata = &["kata-time_settings", "kgs-time_settings"];
        assert_eq!(ask(kata, "st=0.5"), "kata-time_settings canadian 0 0.5 1");
        assert_eq!(ask(kata, "10+0.1"), "kata-time_settings fischer 10 0.1");
        assert_eq!(ask(kata, "1.5"), "kata-time_settings absolute 1.5");
        let told = |control: &str, exact, counts_periods| {
            left(&Clock::new(control.parse().unwrap(), Duration::ZERO), exact, counts_periods)
        };
        assert_eq!([told("1.25+0.1", true, true), told("1.25+0.1", false, true)], ["1.25 0", "1 0"]);
        assert_eq!([told("5x1.5", true, true), told("5x1.5", false, true)], ["1.5 5", "1 5"]);
        assert_eq!(told("5x30", false, false), "30 1", "a stone in 30 s");
    }
}
