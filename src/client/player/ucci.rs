//! Asking UCCI engines.

use super::conversation::{Pondering, Search, greet, in_seconds, ready, ready_for_a_game, settled};
use super::{Dialog, EngineSpec, Fault, Link, Reply, Request, Setup};
use crate::client::grammar::uci;
use crate::client::request::Protocol;
use crate::games::record::{Ending, GameKind};
use std::collections::HashSet;

/// The state of a UCCI conversation.
#[derive(Default)]
pub struct Ucci {
    options: HashSet<String>,
    pondering: Option<Pondering>,
}

impl Dialog for Ucci {
    fn hello(&mut self, link: &mut Link, spec: &EngineSpec, _: GameKind) -> Result<String, Fault> {
        let mut name = String::new();
        greet(link, "ucci", "UCI: proto=uci", |text| {
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some((option, _)) = uci::option(text, Protocol::Ucci) {
                self.options.insert(option.name);
            }
        })?;
        // Without this option an engine counts in seconds.
        if self.counts_milliseconds() {
            link.send("setoption usemillisec true");
        }
        for (option, value) in &spec.options {
            if !self.options.contains(option) {
                link.remark(&format!("it declares no option {option}"));
            }
            link.send(&uci::set_option(Protocol::Ucci, option, value));
        }
        if spec.ponders() && self.options.contains("ponder") {
            link.send("setoption ponder true");
        }
        for line in &spec.init {
            link.send(line);
        }
        settled(link)?;
        Ok(name)
    }

    fn new_game(&mut self, link: &mut Link, setup: &Setup) -> Result<(), Fault> {
        if !self.counts_milliseconds() {
            in_seconds(setup.control)?;
            let mut times = setup.control.periods().flat_map(|period| [period.main, period.increment]);
            if times.any(|time| time.subsec_nanos() > 0) {
                link.remark("it counts in seconds and is not told fractions");
            }
        }
        if self.options.contains("newgame") {
            link.send("setoption newgame");
        }
        ready_for_a_game(link)
    }

    fn think(&mut self, link: &mut Link, request: &Request) -> Result<Reply, Fault> {
        let search = match self.pondering.take() {
            Some(pondering) if pondering.is_about(request) => {
                pondering.hit(link, if request.draw_offered { "ponderhit draw" } else { "ponderhit" })?
            }
            other => {
                other.map_or(Ok(()), |pondering| pondering.stop(link))?;
                link.send(&uci::position(request.setup.fen, request.moves, 0));
                ready(link)?;
                let verb = if request.draw_offered { "go draw" } else { "go" };
                Search::start(link, &self.go(verb, request))
            }
        };
        search.listen(link, request, |text, _, _| Ok(uci::best_move(text)))
    }

    fn ponder(&mut self, link: &Link, request: &Request) {
        link.send(&uci::position(request.setup.fen, request.moves, 0));
        self.pondering = Some(Pondering::start(link, &self.go("go ponder", request), request));
    }

    fn rest(&mut self, link: &mut Link, _: &Ending) -> Result<(), Fault> {
        self.pondering.take().map_or(Ok(()), |pondering| pondering.stop(link))
    }
}

impl Ucci {
    fn counts_milliseconds(&self) -> bool {
        self.options.contains("usemillisec")
    }

    fn go(&self, verb: &str, request: &Request) -> String {
        uci::ucci_go(verb, request, self.counts_milliseconds())
    }
}
