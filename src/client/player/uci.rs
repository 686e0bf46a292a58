//! Asking UCI engines, for chess and for both dialects of xiangqi.

use super::conversation::{Pondering, Search, greet, ready, ready_for_a_game, settled};
use super::{Dialog, EngineSpec, Fault, Link, Reply, Request, Setup};
use crate::client::grammar::uci::{self, DeclaredOption, shift_ranks};
use crate::client::request::Protocol;
use crate::games::record::{Ending, GameKind};
use crate::games::referee::Repetition;
use std::collections::{HashMap, HashSet};

/// The state of a UCI conversation.
#[derive(Default)]
pub struct Uci {
    /// Declared options, by their names in lower case.
    options: HashMap<String, DeclaredOption>,
    /// Those that the match's user has set.
    set_by_user: HashSet<String>,
    /// 1: xiangqi with ranks 1 to 10, as variant engines write them; 0: the ranks of the rules.
    first_rank: i32,
    pondering: Option<Pondering>,
}

impl Dialog for Uci {
    fn hello(&mut self, link: &mut Link, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        let mut name = String::new();
        let mut plays_xiangqi = false;
        let other =
            if kind == GameKind::Xiangqi { "UCCI: proto=ucci" } else { "XBoard's protocol: proto=xboard" };
        greet(link, "uci", other, |text| {
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some((option, _)) = uci::option(text, Protocol::Uci) {
                plays_xiangqi |= option.name == "UCI_Variant" && option.default.as_deref() == Some("xiangqi");
                self.options.insert(option.name.to_lowercase(), option);
            }
        })?;
        // First the game: other options, a net's file say, may depend on it.
        match kind {
            GameKind::Chess960 => self.set_if_declared(link, "UCI_Chess960", "true"),
            // An engine that was started for xiangqi keeps to the ranks it was started with, 0 to 9.
            GameKind::Xiangqi if plays_xiangqi => {}
            GameKind::Xiangqi => {
                self.first_rank = i32::from(self.options.contains_key("uci_variant"));
                self.set_if_declared(link, "UCI_Variant", "xiangqi");
            }
            _ => {}
        }
        for (option, value) in &spec.options {
            if !self.options.contains_key(&option.to_lowercase()) {
                link.remark(&format!("it declares no option {option}"));
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

    fn new_game(&mut self, link: &mut Link, setup: &Setup) -> Result<(), Fault> {
        if setup.kind == GameKind::Xiangqi {
            self.tell_rules(link, &setup.rules.repetition);
        }
        link.send("ucinewgame");
        ready_for_a_game(link)
    }

    fn think(&mut self, link: &mut Link, request: &Request) -> Result<Reply, Fault> {
        let search = match self.pondering.take() {
            Some(pondering) if pondering.is_about(request) => pondering.hit(link, "ponderhit")?,
            other => {
                other.map_or(Ok(()), |pondering| pondering.stop(link))?;
                link.send(&self.position(request));
                ready(link)?;
                Search::start(link, &uci::go("go", request))
            }
        };
        let mut reply = search.listen(link, request, |text, _, _| {
            Ok(uci::best_move(text).map(|best| best.shift_ranks(self.first_rank.saturating_neg())))
        })?;
        for mv in &mut reply.line {
            *mv = shift_ranks(mv, self.first_rank.saturating_neg());
        }
        Ok(reply)
    }

    fn ponder(&mut self, link: &Link, request: &Request) {
        link.send(&self.position(request));
        self.pondering = Some(Pondering::start(link, &uci::go("go ponder", request), request));
    }

    fn rest(&mut self, link: &mut Link, _: &Ending) -> Result<(), Fault> {
        self.pondering.take().map_or(Ok(()), |pondering| pondering.stop(link))
    }
}

impl Uci {
    fn set(&self, link: &Link, option: &str, value: &str) {
        let name = self.options.get(&option.to_lowercase()).map_or(option, |declared| &declared.name);
        link.send(&uci::set_option(Protocol::Uci, name, value));
    }

    fn set_if_declared(&self, link: &Link, option: &str, value: &str) {
        if self.options.contains_key(&option.to_lowercase()) {
            self.set(link, option, value);
        }
    }

    /// Sets the rules of repetition and the limit without captures to the match's, where the engine has options for them
    /// that the user has left alone. An engine that plays by other rules takes a lost cycle for a won one.
    fn tell_rules(&self, link: &Link, rules: &Repetition) {
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

    fn position(&self, request: &Request) -> String {
        uci::position(request.setup.fen, request.moves, self.first_rank)
    }
}

/// Whether an engine's word for rules of repetition, such as `AsianRule`, means those of the match, such as `asian`.
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
