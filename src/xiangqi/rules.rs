//! Which rules a game is played by.

use crate::message;
use crate::util::lang::named;
use crate::util::message::Message;
use std::str::FromStr;

named! {
    #[derive(Default, PartialOrd, Ord)]
    pub enum RuleSet {
        #[default]
        Chinese = "chinese": "Chinese rules" | "中国规则",
        /// The rules of the Asian federation: mate threats are idle, chasing different pieces in turn too.
        Asian = "asian": "Asian rules" | "亚洲规则",
        /// What most servers judge: perpetual check and perpetual chase only.
        Computer = "computer": "computer rules" | "网站通行规则",
        /// The third occurrence draws, whatever the moves were.
        None = "none": "not judged" | "不裁决",
    }
}

impl FromStr for RuleSet {
    type Err = Message;

    /// Reads the name, in any case.
    fn from_str(text: &str) -> Result<Self, Message> {
        let found = Self::ALL.into_iter().find(|rules| rules.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| {
            message!(
                "unknown rule set \"{text}\": chinese, asian, computer or none"
                    | "没有“{text}”这种规则：应为 chinese、asian、computer 或 none",
                text
            )
        })
    }
}

/// Plies without a capture that draw, unless something else is chosen.
pub(super) const USUAL_LIMIT: u16 = 120;

/// After how many plies without a capture the game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NoProgress {
    /// Drawn after this many plies.
    Plies(u16),
    Unlimited,
}

impl Default for NoProgress {
    /// 60 full moves.
    fn default() -> Self {
        Self::Plies(USUAL_LIMIT)
    }
}

/// The rules of a game that may be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    pub rules: RuleSet,
    pub no_progress: NoProgress,
}
