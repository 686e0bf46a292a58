//! GTP, the Go Text Protocol, version 2.
//!
//! [`line`] frames requests and responses, [`registry`] knows the commands, one file a family runs them on a
//! [`session`]. A command that searches is answered when the search ends: a `genmove` by nothing but its
//! own end, an analysis by the next line of input.
//!
//! Source: <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>; the extensions of KGS,
//! KataGo, Leela Zero, Sabaki and GoGui as their clients use them.

mod analyze;
mod args;
mod command;
mod genmove;
mod gogui;
mod kata;
mod kept;
mod kgs;
mod leela;
mod line;
mod query;
pub(super) mod registry;
mod report;
mod rules;
mod score;
mod session;
mod setup;
mod standard;
mod time;

use crate::ensure;
use crate::message;
use crate::util::message::Message;
pub use args::color;
pub use kata::{as_option as option_of_kata, models};

use super::io::FastAction;
use super::options::{self, PONDER};
use super::{Dialect, Host};
use crate::engine::go::SearchRequest;
use crate::engine::{Analysis, BestMove, Event, GameId, Limits, OptionKind};
use crate::util::lang::Language;
use crate::util::system::remark;
use args::boolean;
use command::{Answer, Reply};
use line::{Line, Request, response};
use session::{GtpState, PendingSearch, Purpose, Session};

#[derive(Default)]
pub(super) struct Gtp {
    state: GtpState,
}

pub fn create(_game: Option<GameId>, _: Language) -> Box<dyn Dialect> {
    Box::<Gtp>::default()
}

/// Whether a line is a command of GTP, with or without id. Words that people type
/// to find out about the program are not.
pub fn opens(text: &str) -> bool {
    let known = |name: &str| !matches!(name, "help" | "stop") && registry::find(name).is_some();
    matches!(line::parse(text), Line::Command(request) if known(&request.command))
}

/// Whether an option can be set, by its name or by KataGo's.
pub fn has_option(name: &str, _value: &str) -> bool {
    kata::is_param(name) || options::is_known(&[GameId::Go], name)
}

impl Dialect for Gtp {
    fn open(&mut self, host: &mut dyn Host) {
        host.select_game(GameId::Go);
        let specs = host.options();
        self.state.ponder =
            options::find(&specs, PONDER).is_ok_and(|spec| spec.kind == OptionKind::Check(true));
    }

    fn line(&mut self, text: &str, host: &mut dyn Host) {
        self.end_rest(host);
        let Line::Command(request) = line::parse(text) else { return };
        let result = self.run(&request, host);
        respond(&request.id, result, host);
    }

    /// Commands are answered in order as before; those that search or count refuse by themselves.
    fn dismiss(&mut self, text: &str, host: &mut dyn Host) {
        self.line(text, host);
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<(), Message> {
        let mut session = Session { host, state: &mut self.state, id: "" };
        if name.eq_ignore_ascii_case(PONDER) {
            self.state.ponder = boolean(value)
                .ok_or_else(|| message!("{PONDER} must be true or false" | "{PONDER} 须为 true 或 false"))?;
            return Ok(());
        }
        if kata::is_param(name) {
            return Ok(kata::set(&mut session, name, value)?);
        }
        host.set_option(name, value)
    }

    fn event(&mut self, event: &Event, host: &mut dyn Host) {
        match event {
            Event::Analysis(analysis) => self.report(analysis, host),
            Event::Message(message) => {
                remark!("{message}");
                self.state.last_message = Some(message.to_string());
            }
            Event::BestMove(best) => {
                if let Some(running) = self.state.running.take() {
                    self.answer(running, best, host);
                }
            }
            Event::Info(_) | Event::CurrentMove(..) => (),
        }
    }

    fn input_ended(&mut self, host: &mut dyn Host) {
        self.end_rest(host);
        host.stop();
    }

    fn remark_form(&self) -> fn(&str) -> Vec<String> {
        |text| vec![format!("? {text}"), String::new()]
    }

    fn waits_for_search(&self) -> bool {
        self.state.running.as_ref().is_some_and(|running| !running.purpose.yields_to_input())
    }

    fn fast_action(&self) -> fn(&str) -> FastAction {
        match &self.state.running {
            Some(running) if running.purpose.yields_to_input() => while_analyzing,
            _ => while_thinking,
        }
    }
}

/// The effect of a line on an analysis: any line ends it.
fn while_analyzing(text: &str) -> FastAction {
    match while_thinking(text) {
        FastAction::Quit => FastAction::Quit,
        _ => FastAction::Stop,
    }
}

/// The effect of a line on a `genmove`: `quit` and the comment `# interrupt` end it.
fn while_thinking(text: &str) -> FastAction {
    match line::parse(text) {
        Line::Interrupt => FastAction::Stop,
        Line::Command(request) if request.command == "quit" => FastAction::Quit,
        _ => FastAction::None,
    }
}

/// Writes a response and the empty line after it, unless it comes later.
fn respond(id: &str, result: Reply, host: &mut dyn Host) {
    match result {
        Ok(Answer::Text(text)) => write_lines(host, &response(id, Ok(&text))),
        Err(refusal) => write_lines(host, &response(id, Err(&refusal.0))),
        Ok(Answer::Later) => return,
    }
    host.send("");
}

fn write_lines(host: &mut dyn Host, text: &str) {
    for line in text.split('\n') {
        host.send(line);
    }
}

impl Gtp {
    fn run(&mut self, request: &Request, host: &mut dyn Host) -> Reply {
        let command = registry::find(&request.command).ok_or("unknown command")?;
        ensure!(request.args.len() >= command.required(), command.missing());
        let mut session = Session { host, state: &mut self.state, id: &request.id };
        let reply = (command.run)(&mut session, request);
        if let (Ok(Answer::Later), Some(PendingSearch { report: Some(_), .. })) =
            (&reply, &self.state.running)
        {
            // Reports follow the mark of success, line by line.
            host.send(&format!("={}", request.id));
        }
        reply
    }

    fn report(&mut self, analysis: &Analysis, host: &mut dyn Host) {
        let Some(running) = &self.state.running else { return };
        if let Some(report) = &running.report {
            let line = report.line(analysis);
            if !line.is_empty() {
                host.send(&line);
            }
        }
        if self.state.live_graphics && running.purpose.is_shown_live() {
            gogui::show_live(analysis, running.side, host.go_engine().game_state().size());
        }
        // Reports on the opponent's time are from the opponent's side.
        if !matches!(running.purpose, Purpose::Ponder) {
            self.state.last_analysis = Some(analysis.clone());
        }
    }

    /// Answers the request whose search has ended.
    fn answer(&mut self, running: PendingSearch, best: &BestMove, host: &mut dyn Host) {
        let PendingSearch { id, purpose, side, started, report } = running;
        // Only a move that was searched is answered.
        let mv = if best.resign { Some("resign") } else { best.mv.as_deref() };
        let text = match purpose {
            Purpose::Ponder => return,
            // The client waits for the end of the answer only after sending another line.
            Purpose::Analyze if !host.engine().stop_handle().is_set() => return self.state.resting = true,
            Purpose::Analyze => return host.send(""),
            Purpose::Show(picture) => {
                let size = host.go_engine().game_state().size();
                self.state.last_analysis.as_ref().map(|analysis| picture(analysis, side, size))
            }
            Purpose::ProposeUnlessCancelled if host.engine().stop_handle().is_set() => {
                Some("cancelled".to_owned())
            }
            Purpose::Play | Purpose::Propose | Purpose::ProposeUnlessCancelled => mv.map(str::to_owned),
        };
        let (Some(text), mv) = (text, mv.unwrap_or_default()) else {
            let reason = self.state.last_message.take().unwrap_or_else(|| "no reason is known".to_owned());
            if report.is_some() {
                // The mark of success is out already: no move follows it.
                return host.send("");
            }
            return respond(&id, Err(format!("nothing was searched: {reason}").into()), host);
        };
        if matches!(purpose, Purpose::Play) {
            self.state.clocks.spend(side, started.elapsed());
            if !best.resign && host.go_engine().game_state().play(side, mv).is_err() {
                return respond(&id, Err("the search proposed an illegal move".into()), host);
            }
        }
        if report.is_some() {
            host.send(&format!("play {text}"));
            host.send("");
        } else {
            respond(&id, Ok(text.into()), host);
        }
        if matches!(purpose, Purpose::Play) {
            self.start_pondering(host);
        }
    }

    fn end_rest(&mut self, host: &mut dyn Host) {
        if std::mem::take(&mut self.state.resting) {
            host.send("");
        }
    }

    /// Goes on searching on the opponent's time, after a move was played.
    fn start_pondering(&mut self, host: &mut dyn Host) {
        if !self.state.ponder {
            return;
        }
        if host.go_engine().game_state().passes() > 0 {
            return;
        }
        let limits = Limits { infinite: true, ponder: true, analysis: true, ..Limits::default() };
        let mut session = Session { host, state: &mut self.state, id: "" };
        // Without a search on the opponent's time the game goes on all the same.
        drop(session.search(None, Purpose::Ponder, SearchRequest::default(), limits, None));
    }
}
