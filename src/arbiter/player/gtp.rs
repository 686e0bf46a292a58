//! Asking GTP engines.

use super::conversation::{GRACE, adopt, time_left};
use super::{Choice, Dialog, EngineSpec, Fault, Patience, Reply, Request, Setup, Wire, later};
use crate::arbiter::record::{GameKind, Reason, Thought};
use crate::arbiter::referee::{Rules, fixed_handicap};
use crate::arbiter::time::{Clock, Control};
use crate::clock::Overtime;
use crate::game::Side;
use crate::go::{Board, Point, coords};
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
}

/// A complete answer: its text, and when its first line came.
struct Answer {
    text: Result<String, String>,
    at: Instant,
}

impl Dialog for Gtp {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, _: GameKind) -> Result<String, Fault> {
        let list = must(wire, "list_commands")?;
        self.commands = list.split_whitespace().map(str::to_owned).collect();
        let name = must(wire, "name")?;
        for (option, value) in &spec.options {
            self.set_option(wire, option, value)?;
        }
        if let Some(nodes) = spec.nodes {
            self.set_visits(wire, nodes)?;
        }
        for line in &spec.init {
            must(wire, line)?;
        }
        Ok(name)
    }

    fn new_game(&mut self, wire: &mut Wire, setup: &Setup) -> Result<(), Fault> {
        (self.played, self.answered, self.cleaning_up) = (Vec::new(), false, false);
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
        let sent = Instant::now();
        let deadline = match budget {
            Some(budget) => later(sent, budget.saturating_add(GRACE)),
            None => Patience::until(wire.patience.stall),
        };
        wire.send(&line);
        let Some(answer) = read(wire, deadline)? else {
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
        Ok(Reply { choice, ponder: None, draw: false, time, thought: Thought::default() })
    }

    fn dead_stones(&mut self, wire: &mut Wire, request: &Request) -> Result<Option<Vec<String>>, Fault> {
        if !self.commands.contains("final_status_list") {
            return Ok(None);
        }
        self.catch_up(wire, request)?;
        wire.send("final_status_list dead");
        // Some engines think for long about it.
        let answer = read(wire, Patience::until(wire.patience.ready.max(60.0)))?;
        Ok(answer
            .and_then(|a| a.text.ok())
            .map(|list| list.split_whitespace().map(str::to_uppercase).collect()))
    }

    fn clean_up(&mut self, _: &mut Wire) -> bool {
        self.cleaning_up = self.commands.contains("kgs-genmove_cleanup");
        self.cleaning_up
    }
}

impl Gtp {
    fn set_up(&self, wire: &mut Wire, rules: &Rules) -> Result<(), Fault> {
        must(wire, &format!("boardsize {}", rules.go.size))?;
        must(wire, "clear_board")?;
        must(wire, &format!("komi {}", rules.go.komi))?;
        // An engine without a choice of rules is taken to play by the right ones.
        if self.commands.contains("kata-set-rules") {
            must(wire, &format!("kata-set-rules {}", rules.go.rules))?;
        } else if self.commands.contains("kgs-rules") {
            // A refusal only means that it knows no other rules than its own.
            let _ = ask(wire, &format!("kgs-rules {}", rules.go.rules))?;
        }
        if rules.go.handicap > 1 {
            let placed = must(wire, &format!("fixed_handicap {}", rules.go.handicap))?;
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
                must(wire, "clear_board")?;
                must(wire, &format!("set_free_handicap {}", wanted.join(" ")))?;
            }
        }
        Ok(())
    }

    fn set_option(&self, wire: &mut Wire, option: &str, value: &str) -> Result<(), Fault> {
        for setter in ["kata-set-param", "lz-setoption name"] {
            let command = setter.split(' ').next().unwrap_or(setter);
            if self.commands.contains(command) {
                let line = if command == setter {
                    format!("{setter} {option} {value}")
                } else {
                    format!("{setter} {option} value {value}")
                };
                return must(wire, &line).map(drop);
            }
        }
        must(wire, format!("{option} {value}").trim_end()).map(drop)
    }

    fn set_visits(&self, wire: &mut Wire, visits: u64) -> Result<(), Fault> {
        if self.commands.contains("kata-set-param") {
            return must(wire, &format!("kata-set-param maxVisits {visits}")).map(drop);
        }
        if self.commands.contains("lz-setoption") {
            return must(wire, &format!("lz-setoption name visits value {visits}")).map(drop);
        }
        Err(Fault::new(Reason::Crash, "this engine has no command that limits its visits"))
    }

    /// Plays what the engine has not seen; takes back what was not played after all.
    fn catch_up(&mut self, wire: &mut Wire, request: &Request) -> Result<(), Fault> {
        adopt(&mut self.played, &mut self.answered, request.moves);
        let common =
            self.played.iter().zip(request.moves).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        for _ in common..self.played.len() {
            must(wire, "undo")?;
        }
        self.played.truncate(common);
        let black_starts = request.setup.rules.go.handicap <= 1;
        for (i, mv) in request.moves.iter().enumerate().skip(common) {
            let side = if i.is_multiple_of(2) == black_starts { Side::First } else { Side::Second };
            must(wire, &format!("play {} {mv}", letter(side)))?;
            self.played.push(mv.clone());
        }
        Ok(())
    }

    fn time_settings(&self, wire: &mut Wire, control: &Control) -> Result<(), Fault> {
        must(wire, &self.time_command(control)).map(drop)
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

    fn tell_time(&self, wire: &mut Wire, request: &Request) -> Result<(), Fault> {
        if !self.commands.contains("time_left") {
            return Ok(());
        }
        for side in [Side::First, Side::Second] {
            let clock = request.clock_of(side);
            if clock.control().is_timed() && clock.control().per_move.is_none() {
                let _ = ask(wire, &format!("time_left {} {}", letter(side), left(clock)))?;
            }
        }
        Ok(())
    }
}

/// Seconds, and stones or periods when in overtime.
fn left(clock: &Clock) -> String {
    let state = clock.state();
    match state.overtime {
        Some(Overtime::ByoYomi { length, periods }) if state.remaining.is_zero() => {
            format!("{} {periods}", length.as_secs())
        }
        Some(Overtime::Canadian { length, stones }) if state.remaining.is_zero() => {
            format!("{} {stones}", length.as_secs())
        }
        Some(_) => format!("{} 0", state.remaining.as_secs()),
        None => format!("{} 0", time_left(clock).0.as_secs()),
    }
}

/// Sends a command whose failure is the engine's fault; gives the answer.
fn must(wire: &mut Wire, line: &str) -> Result<String, Fault> {
    ask(wire, line)?.map_err(|e| Fault::new(Reason::Stall, format!("{line:?} was answered \"? {e}\"")))
}

/// Sends a command; the inner error is the engine's refusal.
fn ask(wire: &mut Wire, line: &str) -> Result<Result<String, String>, Fault> {
    wire.send(line);
    let sent = Instant::now();
    let deadline = Patience::until(wire.patience.ready);
    match read(wire, deadline)? {
        Some(answer) => {
            wire.latencies.push(answer.at.saturating_duration_since(sent));
            Ok(answer.text)
        }
        None => {
            Err(Fault::new(Reason::Stall, format!("no answer to {line:?} within {} s", wire.patience.ready)))
        }
    }
}

/// Reads one answer: from a line that starts with `=` or `?` to the empty line. `None`: not in time.
fn read(wire: &mut Wire, deadline: Instant) -> Result<Option<Answer>, Fault> {
    let mut answer: Option<Answer> = None;
    loop {
        let Some(line) = wire.receive(deadline)?.filter(|line| line.at <= deadline) else { return Ok(None) };
        let text = line.text.trim();
        match &mut answer {
            None => {
                let rest = |mark| {
                    text.strip_prefix(mark)
                        .map(|t: &str| t.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned())
                };
                if let Some(ok) = rest('=') {
                    answer = Some(Answer { text: Ok(ok), at: line.at });
                } else if let Some(error) = rest('?') {
                    answer = Some(Answer { text: Err(error), at: line.at });
                }
            }
            Some(_) if text.is_empty() => return Ok(answer),
            Some(Answer { text: Ok(so_far) | Err(so_far), .. }) => {
                so_far.push('\n');
                so_far.push_str(text);
            }
        }
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
    }
}
