//! From the classes of the moves to the verdict, and the clause that decides (XQ-R1 to XQ-R8).

use super::Class;
use crate::game::Side;
use crate::util::lang::{Language, named};
use crate::xiangqi::RuleSet;

named! {
    /// Who wins a judged repetition.
    pub enum Ruling {
        /// Black's cycle is forbidden.
        RedWins = "red_wins": "Red wins" | "红胜",
        /// Red's cycle is forbidden.
        BlackWins = "black_wins": "Black wins" | "黑胜",
        /// Neither side has to deviate.
        Draw = "draw": "draw" | "和棋",
        /// Nothing was repeated.
        None = "none": "none" | "无",
    }
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
}

named! {
    /// What a side's moves in the cycle amount to.
    pub enum CyclePattern {
        /// Every move gives check.
        PerpetualCheck = "perpetual_check": "perpetual check" | "长将",
        /// Every move threatens mate.
        PerpetualThreat = "perpetual_threat": "perpetual mate threat" | "长杀",
        PerpetualChase = "perpetual_chase": "perpetual chase" | "长捉",
        /// Every move attacks, in more than one way.
        PerpetualAttack = "perpetual_attack": "perpetual attack" | "长打",
        /// Some move is idle, or the rule set does not mind.
        Allowed = "allowed": "allowed" | "允许着法",
    }
}

impl CyclePattern {
    /// Whether the side must deviate.
    pub const fn is_forbidden(self) -> bool {
        !matches!(self, Self::Allowed)
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

named! {
    pub enum Clause {
        BothAllowed = "XQ-R3": "both cycles are allowed and neither side deviates: draw"
            | "双方均为允许着法，双方不变作和",
        BothForbidden = "XQ-R4":
            "both cycles are forbidden, and not exactly one of them is a perpetual check: draw"
            | "双方均为禁止着法，且不是仅有一方长将，双方不变作和",
        OneForbidden = "XQ-R5": "one cycle is forbidden, the other allowed: the forbidden side loses"
            | "一方为禁止着法，另一方为允许着法，前者须变着，不变判负",
        PerpetualCheck = "XQ-R6":
            "a perpetual check loses against any other forbidden cycle, and draws against another one"
            | "长将对其他禁止着法，长将方须变着，不变判负；双方长将，双方不变作和",
        /// The rule set knows no forbidden cycle.
        ThirdOccurrence = "none": "the position occurred again: draw" | "局面再次出现，作和",
    }
}

impl Clause {
    /// The article of the Chinese rules (棋例).
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
        cited(self.name(), self.article(), language, rules)
    }
}

/// A clause by its id; with its article where the Chinese rules apply and are read.
pub(super) fn cited(id: &str, article: Option<&str>, language: Language, rules: RuleSet) -> String {
    match (language, rules, article) {
        (Language::Chinese, RuleSet::Chinese, Some(article)) => format!("棋例 {article}（{id}）"),
        _ => id.to_owned(),
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
