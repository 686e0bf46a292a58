//! The option `EvalFile`: which evaluation an engine uses.

use super::{OptionKind, OptionSpec};
use crate::eval::{Evaluation, GameEval};
use crate::message;
use crate::nnue::{self, Net};
use crate::util::files;
use crate::util::message::Message;
use std::fmt::Display;
use std::io;
use std::sync::Arc;

pub const NAME: &str = "EvalFile";
/// Its value for the embedded net, and its default.
pub const EMBEDDED: &str = "<embedded>";
pub const HAND_MADE: &str = "<hand-made>";

const MAX_BYTES: u64 = 256 << 20;

pub const SPEC: OptionSpec = OptionSpec::new(
    NAME,
    OptionKind::text(EMBEDDED),
    "A net file; or <embedded>, or <hand-made> for the evaluation without a net.",
    "网络文件；<embedded> 为内置网络，<hand-made> 为不用网络的评估。",
);

pub fn cannot_read(path: &str, error: &io::Error) -> Message {
    let why = Message::from(error);
    message!("cannot read '{path}': {why}" | "读不了“{path}”：{why}", path, why)
}

pub fn cannot_use(path: &str, why: &impl Display) -> Message {
    message!("cannot use '{path}': {why}" | "用不了“{path}”：{why}", path, why)
}

pub struct EvalFile<G: GameEval>(Option<Arc<Net<G::Features>>>);

impl<G: GameEval> Default for EvalFile<G> {
    fn default() -> Self {
        Self(nnue::embedded().ok().flatten().map(Arc::new))
    }
}

impl<G: GameEval> EvalFile<G> {
    /// Chooses the evaluation.
    /// # Errors
    /// When the file cannot be read or is not a net of this game; the evaluation is then the one it was.
    pub fn set(&mut self, value: &str) -> Result<(), Message> {
        match value {
            EMBEDDED => *self = Self::default(),
            HAND_MADE => self.0 = None,
            path => {
                let bytes = files::read(path, MAX_BYTES).map_err(|error| cannot_read(path, &error))?;
                let net = Net::from_bytes(&bytes).map_err(|error| cannot_use(path, &error))?;
                self.0 = Some(Arc::new(net));
            }
        }
        Ok(())
    }

    /// The checksum of the net; 0: there is none.
    pub fn checksum(&self) -> u32 {
        self.0.as_ref().map_or(0, |net| net.checksum())
    }

    pub fn evaluation(&self) -> Evaluation<G> {
        Evaluation::new(self.0.clone())
    }

    /// The evaluation of `pos` for people: term by term, and the net's output.
    pub fn explain(&self, pos: &G) -> String {
        let text = pos.explain();
        let Some(net) = &self.0 else { return text };
        let mut evaluator = nnue::NnueEvaluator::new(Arc::clone(net));
        evaluator.reset(pos);
        let by_net = evaluator.evaluate(pos);
        format!(
            "{}\nNet: {by_net:+} centipawns for the side to move (crc {:08x})",
            text.trim_end(),
            net.checksum()
        )
    }
}
