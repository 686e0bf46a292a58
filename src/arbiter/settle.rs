//! The end of a game of Go: both passed; which stones are dead? (GO-8)
//!
//! By rules without an agreement (Tromp-Taylor, CGOS) every stone that is left counts. By others both engines are asked. If
//! they agree, their answer counts. If they do not, a third engine settles it;
//! without one the dispute is played out, until both pass again with every stone left on the board alive; and
//! engines that cannot do that have only those stones taken off that both call dead.

use super::play::{Game, Participant};
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
    ) -> Option<Ending> {
        if self.resumed_at.is_some() || !self.players_agree() {
            return Some(self.count(&PointSet::EMPTY));
        }
        let mut lists = [const { None }; 2];
        for side in [Side::First, Side::Second] {
            let seat = side.of_mut(seats);
            match seat.player.dead_stones(&self.request(side, seat.spec)) {
                Ok(list) => *side.of_mut(&mut lists) = list.map(|vertices| self.dead(&vertices)),
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
        let can = [seats[0].player.clean_up(), seats[1].player.clean_up()];
        if can == [true, true] {
            self.resumed_at = Some(self.game.moves().len());
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
