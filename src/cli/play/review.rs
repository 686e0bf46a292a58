//! `review`: the mistakes of the game so far, each with what was better and why.

use super::{PlaySession, Side};
use crate::app::console::{Outcome, say};
use crate::app::review::{self, Judged, Opinion, Verdicts};
use crate::games::game::Game;
use crate::games::record::Numbering;
use crate::util::words;
use std::io::Write;

impl PlaySession {
    /// Looks at every position of the game, and prints its mistakes.
    pub(super) fn review(&mut self) -> Outcome {
        let (language, kind) = (self.language, self.kind());
        let plies = self.game.table().plies().to_vec();
        if plies.is_empty() {
            say(words::nothing_to_review(language));
            return Ok(());
        }
        let start = self.game.table().agreement().start.clone();
        let notation = self.game.table().agreement().notation;
        let numbering = Numbering::of(kind, start.fen.as_deref());
        let mut at = Game::at(start)?;
        let mut former = at.clone();
        let mut verdicts = Verdicts::default();
        let mut before: Option<Opinion> = None;
        for ply in 0..=plies.len() {
            if self.input.is_terminal() {
                let text = words::reviewing(language, ply, plies.len());
                let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
            }
            let ended = if ply == plies.len() { review::at_the_end(&at) } else { None };
            let now = match ended {
                Some(ended) => ended,
                None => self.game.opinion_on(&at, review::limits(kind, None))?,
            };
            if let (Some(before), Some(played)) =
                (before.take(), ply.checked_sub(1).and_then(|i| plies.get(i)))
            {
                let line = former.write_line(&before.line, notation);
                let text = former.write(&played.mv, notation);
                let judged = Judged::explained(&former, ply - 1, &played.mv, before, &now);
                let better = if judged.better.is_empty() { Vec::new() } else { line };
                let judged = Judged { text, better, ..judged };
                if !judged.sign.is_empty() {
                    self.print_over_progress(&judged.line(&judged.text, numbering, language));
                    if let Some(reason) = &judged.reason {
                        say(format_args!("        {}", reason.text(language)));
                    }
                }
                verdicts.moves.push(judged);
            }
            before = Some(now);
            if let Some(ply) = plies.get(ply) {
                former.clone_from(&at);
                at.play(&ply.mv)?;
            }
        }
        self.game.sit_down_again()?;
        self.print_over_progress("");
        if verdicts.moves.iter().all(|mv| mv.sign.is_empty()) {
            say(words::no_mistakes(language));
        }
        for side in [Side::First, Side::Second] {
            if let Some(summary) = verdicts.summary(side, language) {
                say(words::review_of_side(language, self.game.name(side), summary));
            }
        }
        Ok(())
    }

    /// Prints a line in the place of the progress.
    fn print_over_progress(&self, text: &str) {
        if self.input.is_terminal() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        if !text.is_empty() {
            say(text);
        }
    }
}
