//! A move from the opening book in place of a search.

use super::{AlphaBeta, Setup};
use crate::engine::{BestMove, Event};
use crate::game::{Game, Text, Verdict};
use crate::message;
use crate::search::limits::Limits;
use crossbeam::channel::Sender;

impl<S: Setup> AlphaBeta<S> {
    /// Answers from the opening book; false when it knows nothing, or its move would end the game by a
    /// repetition.
    pub(super) fn play_from_book(&mut self, events: &Sender<Event>) -> bool {
        let Some(mv) = self.common.library.choose(&self.root) else { return false };
        let mut after = self.root.clone();
        after.do_move(mv, &mut ());
        if after.verdict() != Verdict::Ongoing {
            return false;
        }
        self.stop.clear();
        self.timer = None;
        let mv = Some(self.root.move_text(mv, self.notation));
        let _ = events.send(Event::Message(message!("a move from the book" | "开局库着法")));
        let _ = events.send(Event::BestMove(BestMove { mv, ..BestMove::default() }));
        true
    }
}

/// Whether the client wants a move to play, not an opinion.
pub(super) fn may_use_book(limits: &Limits) -> bool {
    !limits.infinite
        && !limits.analysis
        && !limits.ponder
        && limits.mate.is_none()
        && limits.search_moves.is_empty()
        && limits.ban_moves.is_empty()
}
