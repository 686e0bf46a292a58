//! The end of a game of Go: both passed; which stones are dead? (GO-8)
//!
//! By rules without an agreement (Tromp-Taylor, CGOS) every stone that is left counts. By others both engines
//! are asked. If they agree, their answer counts. If they do not, a third engine settles it; without one the
//! dispute is played out, until both pass again with every stone left on the board alive; and engines that
//! cannot do that have only those stones taken off that both call dead.

use super::play::{Game, Participant};
use super::under_way::Step;
use crate::client::player::{EngineSpec, Player};
use crate::game::Side;
use crate::games::record::Ending;
use crate::go::PointSet;

impl Game<'_> {
    /// Counts the game. `None`: it goes on, to play out a dispute.
    pub(super) fn settle(
        &mut self,
        seats: &mut [Participant; 2],
        third: Option<&mut Player>,
        interrupted: &dyn Fn() -> bool,
    ) -> Option<Ending> {
        if self.resumed_at.is_some() || !self.players_agree() {
            return Some(self.count(&PointSet::EMPTY));
        }
        let mut lists = [const { None }; 2];
        // A person is asked last, and shown what the other side names.
        let first = if seats[0].spec.human { Side::Second } else { Side::First };
        let mut named = Vec::new();
        for side in [first, first.other()] {
            let seat = side.of_mut(seats);
            if let Some(hall) = self.conditions.hall.as_ref().filter(|_| seat.spec.human) {
                match self.ask_person_for_the_dead(hall, side, named.clone(), interrupted) {
                    Ok(list) => {
                        *side.of_mut(&mut lists) = Some(self.dead(&list));
                        named = list;
                    }
                    Err(ending) => return Some(ending),
                }
                continue;
            }
            match seat.player.dead_stones(&self.request(side, seat.spec)) {
                Ok(list) => {
                    named = list.clone().unwrap_or_default();
                    *side.of_mut(&mut lists) = list.map(|vertices| self.dead(&vertices));
                }
                Err(fault) => return Some(self.faulted(side, &fault)),
            }
        }
        let agreed = match lists {
            [Some(a), Some(b)] if a.iter().eq(b.iter()) => Some(a),
            [Some(one), None] | [None, Some(one)] => Some(one),
            _ => None,
        };
        if let Some(dead) = agreed.or_else(|| self.ask_third(third?)) {
            return Some(self.count(&dead));
        }
        let [Some(a), Some(b)] = lists else { return Some(self.count(&PointSet::EMPTY)) };
        // Both must be asked, though one refusal is enough.
        let can = seats.each_mut().map(|seat| seat.spec.human || seat.player.clean_up());
        if can == [true, true] {
            self.resumed_at = Some(self.game.moves().len());
            self.keep(&Step::PlayedOut);
            return None;
        }
        let mut both = PointSet::EMPTY;
        for v in a.iter().filter(|&v| b.contains(v)) {
            both.insert(v);
        }
        Some(self.count(&both))
    }

    /// Whether the rules let the players agree on what is dead.
    fn players_agree(&self) -> bool {
        self.game.stones().is_some_and(|stones| stones.position().rules().friendly_pass_ok)
    }

    fn ask_third(&self, third: &mut Player) -> Option<PointSet> {
        // A faulty third engine settles nothing; the players are not to blame.
        third.new_game(&self.setup(Side::First)).ok()?;
        let list = third.dead_stones(&self.request(Side::First, &EngineSpec::default())).ok()??;
        Some(self.dead(&list))
    }

    fn dead(&self, vertices: &[String]) -> PointSet {
        self.game.stones().map_or(PointSet::EMPTY, |stones| stones.dead_stones(vertices))
    }

    fn count(&self, dead: &PointSet) -> Ending {
        match self.game.stones() {
            Some(stones) => stones.count(dead),
            None => unreachable!("only Go is counted"),
        }
    }
}
