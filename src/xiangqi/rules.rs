//! Which rules a game is played by.

use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSet {
    #[default]
    Chinese,
    /// The rules of the Asian federation: mate threats are idle, chasing different pieces in turn too.
    Asian,
    /// What most servers judge: perpetual check and perpetual chase only.
    Computer,
    /// The third occurrence draws, whatever the moves were.
    None,
}

impl RuleSet {
    pub const ALL: [Self; 4] = [Self::Chinese, Self::Asian, Self::Computer, Self::None];

    /// The name in options and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chinese => "chinese",
            Self::Asian => "asian",
            Self::Computer => "computer",
            Self::None => "none",
        }
    }

    pub fn text(self, language: Language) -> String {
        match self {
            Self::Chinese => words::rules_chinese(language),
            Self::Asian => words::rules_asian(language),
            Self::Computer => words::rules_computer(language),
            Self::None => words::rules_none(language),
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
