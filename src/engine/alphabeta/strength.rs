//! Playing below full strength: a weaker player sees less far, and is less careful in its choice.
//!
//! A game's ladder lists players whose rating was measured (docs/LEVELS.md). A rating between two rungs mixes both. How far
//! it sees is a number of nodes. How careless it is, is a spread in centipawns: of moves whose scores differ by so much,
//! the better one is played e times as often. So small mistakes are frequent and large ones rare, and the more so the
//! stronger the player.

use crate::engine::{OptionKind, OptionSpec};

pub(super) const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
pub(super) const ELO: &str = "UCI_Elo";
pub(super) const SKILL: &str = "Skill Level";

/// The skill that is full strength.
const FULL_SKILL: u8 = 20;
/// Best lines that the careless choose among.
pub(super) const SEEN: usize = 16;
/// Whoever has only a bare king to mate looks at so many nodes at least, and makes no mistake: a beginner can do that, too.
const TECHNIQUE_NODES: u64 = 20_000;

/// A player whose rating was measured.
pub struct Rung {
    /// Its rating.
    pub elo: i32,
    /// No deeper iteration is begun after so many nodes.
    pub nodes: u64,
    /// Of moves whose scores differ by so many centipawns, the better one is played e times as often.
    pub spread: f64,
}

/// How well a limited player plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Strength {
    pub nodes: u64,
    pub spread: f64,
}

impl Strength {
    /// A player of rating `elo` on `ladder`, whose ratings rise; beyond its ends the player at that end.
    pub fn of(ladder: &[Rung], elo: i32) -> Option<Self> {
        let above =
            ladder.iter().position(|rung| rung.elo > elo).unwrap_or(ladder.len().saturating_sub(1)).max(1);
        let (low, high) = (ladder.get(above - 1)?, ladder.get(above)?);
        let part = f64::from((elo - low.elo).clamp(0, high.elo - low.elo)) / f64::from(high.elo - low.elo);
        let mixed = |low: f64, high: f64| low + (high - low) * part;
        Some(Self {
            nodes: mixed((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
            spread: mixed(low.spread, high.spread),
        })
    }

    /// The same player with only a bare king to mate.
    pub fn technique(self) -> Self {
        Self { nodes: self.nodes.max(TECHNIQUE_NODES), spread: 0.0 }
    }
}

/// The three options that limit the strength.
#[derive(Clone, Copy)]
pub(super) struct Handicap {
    limited: bool,
    elo: Option<i32>,
    skill: u8,
}

impl Default for Handicap {
    fn default() -> Self {
        Self { limited: false, elo: None, skill: FULL_SKILL }
    }
}

impl Handicap {
    /// Sets an option. False: it is none of these.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let number = || value.parse::<i32>().map_err(|_| format!("'{value}' is not a whole number"));
        match name {
            LIMIT_STRENGTH => self.limited = value == "true",
            ELO => self.elo = Some(number()?),
            SKILL => self.skill = number()?.clamp(0, FULL_SKILL.into()) as u8,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The player asked for; `None` is full strength.
    pub fn strength(&self, ladder: &[Rung]) -> Option<Strength> {
        let (lowest, highest) = (ladder.first()?.elo, ladder.last()?.elo);
        let elo = if self.limited {
            self.elo.unwrap_or(highest)
        } else if self.skill < FULL_SKILL {
            lowest + (highest - lowest) * i32::from(self.skill) / i32::from(FULL_SKILL)
        } else {
            return None;
        };
        Strength::of(ladder, elo)
    }
}

/// How the options are declared.
pub(super) fn specs(ladder: &[Rung]) -> Vec<OptionSpec> {
    let (Some(lowest), Some(highest)) = (ladder.first(), ladder.last()) else { return Vec::new() };
    let elo =
        OptionKind::Spin { default: highest.elo.into(), min: lowest.elo.into(), max: highest.elo.into() };
    let skill = OptionKind::Spin { default: FULL_SKILL.into(), min: 0, max: FULL_SKILL.into() };
    vec![
        OptionSpec {
            name: LIMIT_STRENGTH,
            kind: OptionKind::Check(false),
            help: "Plays as strong as UCI_Elo says.",
        },
        OptionSpec { name: ELO, kind: elo, help: "The rating to play at while UCI_LimitStrength is on." },
        OptionSpec {
            name: SKILL,
            kind: skill,
            help: "20 is full strength, 0 the least UCI_Elo; UCI_LimitStrength goes before it.",
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: &[Rung] = &[
        Rung { elo: 1000, nodes: 100, spread: 200.0 },
        Rung { elo: 1200, nodes: 400, spread: 100.0 },
        Rung { elo: 1600, nodes: 6400, spread: 0.0 },
    ];

    #[test]
    fn ratings_between_rungs_mix_them() {
        let strength = |elo| Strength::of(LADDER, elo).unwrap();
        assert_eq!(strength(1000), Strength { nodes: 100, spread: 200.0 });
        assert_eq!(strength(1100), Strength { nodes: 200, spread: 150.0 });
        assert_eq!(strength(1200), Strength { nodes: 400, spread: 100.0 });
        assert_eq!(strength(1400), Strength { nodes: 1600, spread: 50.0 });
        assert_eq!(strength(1600), Strength { nodes: 6400, spread: 0.0 });
        assert_eq!((strength(5), strength(5000)), (strength(1000), strength(1600)));
        assert_eq!(Strength::of(&[], 1000), None);
    }

    #[test]
    fn a_rating_goes_before_a_skill() {
        let mut handicap = Handicap::default();
        assert_eq!(handicap.strength(LADDER), None, "full strength unless told");
        assert_eq!(handicap.set(SKILL, "0"), Ok(true));
        assert_eq!(handicap.strength(LADDER), Strength::of(LADDER, 1000));
        assert_eq!(handicap.set(SKILL, "10"), Ok(true));
        assert_eq!(handicap.strength(LADDER), Strength::of(LADDER, 1300));
        assert_eq!(handicap.set(ELO, "1200"), Ok(true));
        assert_eq!(handicap.strength(LADDER), Strength::of(LADDER, 1300), "not limited yet");
        assert_eq!(handicap.set(LIMIT_STRENGTH, "true"), Ok(true));
        assert_eq!(handicap.strength(LADDER), Strength::of(LADDER, 1200));
        assert_eq!(handicap.set("Hash", "1"), Ok(false));
        assert!(handicap.set(ELO, "strong").is_err());
    }
}
