//! Asking engines of UCI, for chess and for both dialects of xiangqi, and of UCCI.

use super::conversation::{
    AwaitedMove, Pondering, greet, in_seconds, ready, ready_for_a_game, settled, stop,
};
use super::{Dialog, EngineSpec, Fault, GameSetup, Link, MoveRequest, Reply};
use crate::client::grammar::uci::{self, DeclaredOption, shift_ranks};
use crate::client::request::EngineProtocol;
use crate::games::record::{Ending, GameKind};
use crate::games::referee::Repetition;
use crate::message;
use std::collections::{HashMap, HashSet};

pub(super) struct Uci {
    protocol: EngineProtocol,
    /// Declared options, by their names in lower case.
    options: HashMap<String, DeclaredOption>,
    /// Those that the match's user has set.
    set_by_user: HashSet<String>,
    /// 1: xiangqi with ranks 1 to 10, as variant engines write them; 0: the ranks of the rules.
    first_rank: i32,
    pondering: Option<Pondering>,
    /// A search on its own time that goes on.
    searching: Option<AwaitedMove>,
}

impl Dialog for Uci {
    fn hello(&mut self, link: &mut Link, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        let mut name = String::new();
        let mut plays_xiangqi = false;
        let (greeting, other) = match (self.protocol, kind) {
            (EngineProtocol::Ucci, _) => ("ucci", ("UCI", "uci")),
            (_, GameKind::XIANGQI) => ("uci", ("UCCI", "ucci")),
            _ => ("uci", ("XBoard's protocol", "xboard")),
        };
        let protocol = self.protocol;
        greet(link, greeting, other, |text| {
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some((option, _)) = uci::option(text, protocol) {
                plays_xiangqi |= option.name == "UCI_Variant" && option.default.as_deref() == Some("xiangqi");
                self.options.insert(option.name.to_lowercase(), option);
            }
        })?;
        // First the game: other options, such as the net file, may depend on it.
        match kind {
            // Without this option an engine counts in seconds.
            _ if self.is_ucci() => self.set_if_declared(link, "usemillisec", "true"),
            GameKind::CHESS960 => self.set_if_declared(link, "UCI_Chess960", "true"),
            // An engine that was started for xiangqi keeps to the ranks it was started with, 0 to 9.
            GameKind::XIANGQI if !plays_xiangqi => {
                self.first_rank = i32::from(self.declares("uci_variant"));
                self.set_if_declared(link, "UCI_Variant", "xiangqi");
            }
            _ => {}
        }
        for (option, value) in &spec.options {
            if !self.declares(option) {
                link.remark(&message!("it declares no option {option}" | "它没有声明选项 {option}", option));
            }
            self.set(link, option, value);
            self.set_by_user.insert(option.to_lowercase());
        }
        if spec.ponders() {
            self.set_if_declared(link, "Ponder", "true");
        }
        for line in &spec.init {
            link.send(line);
        }
        settled(link)?;
        Ok(name)
    }

    fn new_game(&mut self, link: &mut Link, setup: &GameSetup) -> Result<(), Fault> {
        if !self.is_ucci() {
            if setup.kind == GameKind::XIANGQI {
                self.set_rules(link, &setup.rules.repetition);
            }
            link.send("ucinewgame");
            return ready_for_a_game(link);
        }
        if !self.declares("usemillisec") {
            in_seconds(setup.control)?;
            let mut times = setup.control.periods().flat_map(|period| [period.main, period.increment]);
            if times.any(|time| time.subsec_nanos() > 0) {
                link.remark(&message!(
                    "it counts in seconds: fractions are left out" | "它以秒计时，没有告诉它不足一秒的部分"
                ));
            }
        }
        if self.declares("newgame") {
            link.send("setoption newgame");
        }
        ready_for_a_game(link)
    }

    fn think(&mut self, link: &mut Link, request: &MoveRequest) -> Result<Option<Reply>, Fault> {
        let offer = if self.is_ucci() && request.draw_offered { " draw" } else { "" };
        let search = match (self.searching.take(), self.pondering.take()) {
            (Some(search), _) => search,
            (None, Some(pondering)) if pondering.is_about(request) => {
                pondering.hit(link, &format!("ponderhit{offer}"))?
            }
            (None, other) => {
                other.map_or(Ok(()), |pondering| pondering.stop(link))?;
                link.send(&self.position(request));
                ready(link)?;
                AwaitedMove::start(link, &self.go(&format!("go{offer}"), request))
            }
        };
        let ranks = self.first_rank.saturating_neg();
        let best_move = |text: &str| Some(uci::best_move(text)?.shift_ranks(ranks));
        let heard = search.listen(link, request, |text, _, _| Ok(best_move(text)))?;
        let mut reply = heard.or_keep(&mut self.searching);
        for mv in reply.iter_mut().flat_map(|reply| &mut reply.line) {
            *mv = shift_ranks(mv, ranks);
        }
        Ok(reply)
    }

    fn ponder(&mut self, link: &Link, request: &MoveRequest) {
        link.send(&self.position(request));
        self.pondering = Some(Pondering::start(link, &self.go("go ponder", request), request));
    }

    fn rest(&mut self, link: &mut Link, _: &Ending) -> Result<(), Fault> {
        if self.searching.take().is_some() {
            return stop(link);
        }
        self.pondering.take().map_or(Ok(()), |pondering| pondering.stop(link))
    }
}

impl Uci {
    pub fn new(protocol: EngineProtocol) -> Self {
        let (options, set_by_user, first_rank, pondering, searching) = Default::default();
        Self { protocol, options, set_by_user, first_rank, pondering, searching }
    }

    fn is_ucci(&self) -> bool {
        self.protocol == EngineProtocol::Ucci
    }

    fn declares(&self, option: &str) -> bool {
        self.options.contains_key(&option.to_lowercase())
    }

    fn set(&self, link: &Link, option: &str, value: &str) {
        let name = self.options.get(&option.to_lowercase()).map_or(option, |declared| &declared.name);
        link.send(&uci::set_option(self.protocol, name, value));
    }

    fn set_if_declared(&self, link: &Link, option: &str, value: &str) {
        if self.declares(option) {
            self.set(link, option, value);
        }
    }

    /// Sets the rules of repetition and the limit without captures to the match's, where the engine has
    /// options for them that the user has not set. An engine that plays by other rules takes a lost cycle
    /// for a won one.
    fn set_rules(&self, link: &Link, rules: &Repetition) {
        let left_alone = |name: &str| self.options.get(name).filter(|_| !self.set_by_user.contains(name));
        if let Some(option) = left_alone("repetition rule")
            && let Some(choice) = option.choices.iter().find(|choice| names_rules(choice, &rules.rules))
        {
            self.set(link, &option.name, choice);
        }
        // The option counts full moves.
        if let Some(option) = left_alone("no progress limit")
            && rules.no_progress.is_multiple_of(2)
        {
            self.set(link, &option.name, &(rules.no_progress / 2).to_string());
        }
    }

    fn position(&self, request: &MoveRequest) -> String {
        uci::position(request.setup.fen, request.moves, self.first_rank)
    }

    fn go(&self, verb: &str, request: &MoveRequest) -> String {
        match self.is_ucci() {
            true => uci::ucci_go(verb, request, self.declares("usemillisec")),
            false => uci::go(verb, request),
        }
    }
}

/// Whether an engine's word for rules of repetition, such as `AsianRule`, means those of the match, such as
/// `asian`.
fn names_rules(word: &str, rules: &str) -> bool {
    let word = word.to_lowercase();
    word.strip_suffix("rule").unwrap_or(&word) == rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_among_the_words_of_an_engine() {
        assert!(names_rules("AsianRule", "asian") && names_rules("asian", "asian"));
        assert!(!names_rules("SkyRule", "asian") && !names_rules("ChineseRule", "asian"));
    }
}
