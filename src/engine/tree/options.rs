//! The options of the Go engine.

use crate::engine::{OptionKind, OptionSpec};
use std::time::Duration;

/// What can be set, in the units of the options.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Memory of the search, in MiB.
    pub hash_mib: usize,
    /// Threads that search.
    pub threads: usize,
    /// Lost on every move between the two clocks.
    pub overhead: Duration,
    /// Visits at which a move is played at the latest; 0: no limit.
    pub max_visits: u64,
    /// Time of a move in a game without a clock.
    pub max_time: Duration,
    /// Whether lost games are given up.
    pub resign: bool,
    /// Winrate below which a game is lost, 0 to 1.
    pub resign_below: f64,
    /// Whether every stone on the board counts as alive when the game ends (CGOS): dead stones are taken off
    /// before the last pass.
    pub all_alive: bool,
    /// Seed of all chance; one thread with one seed plays the same game again.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash_mib: 256,
            threads: 1,
            overhead: Duration::from_millis(50),
            max_visits: 0,
            max_time: Duration::from_secs(3),
            resign: false,
            resign_below: 0.05,
            all_alive: false,
            seed: 0,
        }
    }
}

/// The declarations, in the order in which they are listed.
pub fn specs() -> Vec<OptionSpec> {
    let spin = |name, help, default, min, max| OptionSpec {
        name,
        kind: OptionKind::Spin { default, min, max },
        help,
    };
    let check = |name, help, default| OptionSpec { name, kind: OptionKind::Check(default), help };
    let max_hash = if cfg!(target_pointer_width = "64") { 1 << 25 } else { 2048 };
    vec![
        spin("Hash", "Memory of the search tree, in MiB.", 256, 1, max_hash),
        spin("Threads", "Threads that search.", 1, 1, 1024),
        spin("Move Overhead", "Milliseconds lost on every move between the two clocks.", 50, 0, 5000),
        spin(
            "Max Visits",
            "Visits at which a move is played at the latest; 0 is no limit.",
            0,
            0,
            i32::MAX.into(),
        ),
        spin("Max Time", "Milliseconds for a move when there is no clock.", 3000, 1, 86_400_000),
        check("Resign", "Whether lost games are given up.", false),
        spin("Resign Threshold", "Winrate, in percent, below which a game is lost.", 5, 0, 50),
        check(
            "All Alive",
            "Every stone left on the board counts as alive: dead ones are captured first.",
            false,
        ),
        spin("Seed", "Seed of all chance.", 0, 0, i32::MAX.into()),
        OptionSpec { name: "Clear Hash", kind: OptionKind::Button, help: "Forgets the search tree." },
    ]
}

impl Options {
    /// Sets the option `name`, declared in [`specs`], to a checked value.
    /// # Errors
    /// No such option, or a value that was not checked.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = || format!("bad value '{value}' of {name}");
        let number = || value.parse::<u64>().map_err(|_| wrong());
        let flag = || value.parse::<bool>().map_err(|_| wrong());
        match name {
            "Hash" => self.hash_mib = number()? as usize,
            "Threads" => self.threads = number()? as usize,
            "Move Overhead" => self.overhead = Duration::from_millis(number()?),
            "Max Visits" => self.max_visits = number()?,
            "Max Time" => self.max_time = Duration::from_millis(number()?),
            "Resign" => self.resign = flag()?,
            "Resign Threshold" => self.resign_below = number()? as f64 / 100.0,
            "All Alive" => self.all_alive = flag()?,
            "Seed" => self.seed = number()?,
            "Clear Hash" => (),
            _ => return Err(format!("no such option: {name}")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_default_is_the_default() {
        let mut options = Options::default();
        for spec in specs() {
            let value = match spec.kind {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Check(default) => default.to_string(),
                _ => String::new(),
            };
            options.set(spec.name, &value).unwrap();
        }
        assert_eq!(options, Options::default());
    }
}
