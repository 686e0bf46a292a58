//! From the classes of the moves to the verdict, and the clause that decides (XQ-R1 to XQ-R8).

use super::Class;
use crate::game::Side;
use crate::util::lang::Language;
use crate::util::words;
use crate::xiangqi::RuleSet;
use serde::Serialize;
use std::fmt;

/// Who wins a judged repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Black's cycle is forbidden.
    RedWins,
    /// Red's cycle is forbidden.
    BlackWins,
    /// Neither side has to deviate.
    Draw,
    /// Nothing was repeated.
    None,
}

impl Ruling {
    /// The side that loses, if one does.
    pub const fn loser(self) -> Option<Side> {
        match self {
            Self::RedWins => Some(Side::Second),
            Self::BlackWins => Some(Side::First),
            Self::Draw | Self::None => None,
        }
    }

    /// `red_wins`, `black_wins`, `draw` or `none`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RedWins => "red_wins",
            Self::BlackWins => "black_wins",
            Self::Draw => "draw",
            Self::None => "none",
        }
    }

    pub fn text(self, language: Language) -> String {
        match self {
            Self::RedWins => words::red_wins(language),
            Self::BlackWins => words::black_wins(language),
            Self::Draw => words::drawn(language),
            Self::None => words::no_ruling(language),
        }
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a side's moves in the cycle amount to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CyclePattern {
    /// Every move gives check.
    PerpetualCheck,
    /// Every move threatens mate.
    PerpetualThreat,
    /// Every move chases.
    PerpetualChase,
    /// Every move attacks, in more than one way.
    PerpetualAttack,
    /// Some move is idle, or the rule set does not mind.
    Allowed,
}

impl CyclePattern {
    /// Whether the side must deviate.
    pub const fn is_forbidden(self) -> bool {
        !matches!(self, Self::Allowed)
    }

    pub fn text(self, language: Language) -> String {
        match self {
            Self::PerpetualCheck => words::perpetual_check(language),
            Self::PerpetualThreat => words::perpetual_threat(language),
            Self::PerpetualChase => words::perpetual_chase(language),
            Self::PerpetualAttack => words::perpetual_attack(language),
            Self::Allowed => words::allowed(language),
        }
    }

    /// Under rules by which every kind of attack counts (XQ-R1).
    pub(super) fn of(classes: impl Iterator<Item = Class> + Clone) -> Self {
        let every = |class: Class| classes.clone().all(|other| other == class);
        if every(Class::Check) {
            Self::PerpetualCheck
        } else if every(Class::MateThreat) {
            Self::PerpetualThreat
        } else if every(Class::Chase) {
            Self::PerpetualChase
        } else if classes.clone().all(Class::is_attack) {
            Self::PerpetualAttack
        } else {
            Self::Allowed
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
pub enum Clause {
    /// Both allowed: draw.
    #[serde(rename = "XQ-R3")]
    BothAllowed,
    /// Both forbidden, neither or both by perpetual check: draw.
    #[serde(rename = "XQ-R4")]
    BothForbidden,
    #[serde(rename = "XQ-R5")]
    OneForbidden,
    /// Perpetual check against another forbidden cycle loses; against perpetual check it draws.
    #[serde(rename = "XQ-R6")]
    PerpetualCheck,
    /// The rule set knows no forbidden cycle.
    #[serde(rename = "none")]
    ThirdOccurrence,
}

impl Clause {
    /// `XQ-R3` to `XQ-R6`, or `none`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::BothAllowed => "XQ-R3",
            Self::BothForbidden => "XQ-R4",
            Self::OneForbidden => "XQ-R5",
            Self::PerpetualCheck => "XQ-R6",
            Self::ThirdOccurrence => "none",
        }
    }

    /// The article of the Chinese rules (棋例) that says so.
    const fn article(self) -> Option<&'static str> {
        match self {
            Self::BothAllowed => Some("7.3"),
            // The same article excepts the perpetual check of one side.
            Self::BothForbidden | Self::PerpetualCheck => Some("7.4"),
            Self::OneForbidden => Some("7.5"),
            Self::ThirdOccurrence => None,
        }
    }

    /// The clause as it is cited: `XQ-R5`, or for readers of the Chinese rules `棋例 7.5（XQ-R5）`.
    pub fn cited(self, language: Language, rules: RuleSet) -> String {
        cited(self.id(), self.article(), language, rules)
    }

    pub fn text(self, language: Language) -> String {
        match self {
            Self::BothAllowed => words::both_allowed(language),
            Self::BothForbidden => words::both_forbidden(language),
            Self::OneForbidden => words::one_forbidden(language),
            Self::PerpetualCheck => words::perpetual_check_clause(language),
            Self::ThirdOccurrence => words::third_occurrence(language),
        }
    }
}

/// A clause by its id; with its article where the Chinese rules apply and are read.
pub(super) fn cited(id: &str, article: Option<&str>, language: Language, rules: RuleSet) -> String {
    match (language, rules, article) {
        (Language::Chinese, RuleSet::Chinese, Some(article)) => format!("棋例 {article}（{id}）"),
        _ => id.to_owned(),
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The verdict on the cycles of Red and Black, and the clause that decides.
pub(super) fn decide(red: CyclePattern, black: CyclePattern) -> (Ruling, Clause) {
    let checks = |pattern| pattern == CyclePattern::PerpetualCheck;
    match (red.is_forbidden(), black.is_forbidden()) {
        (false, false) => (Ruling::Draw, Clause::BothAllowed),
        (true, false) => (Ruling::BlackWins, Clause::OneForbidden),
        (false, true) => (Ruling::RedWins, Clause::OneForbidden),
        (true, true) => match (checks(red), checks(black)) {
            (true, false) => (Ruling::BlackWins, Clause::PerpetualCheck),
            (false, true) => (Ruling::RedWins, Clause::PerpetualCheck),
            (true, true) => (Ruling::Draw, Clause::PerpetualCheck),
            (false, false) => (Ruling::Draw, Clause::BothForbidden),
        },
    }
}
