//! Tuning by simultaneous perturbation: all numbers at once are moved a little one way and the other, the two
//! engines play a pair of games, and every number takes a step towards the winner.
//!
//! Parameters, gains and their decay are OpenBench's, so that its parameter lines can be used as they are.
//! Source: J. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization"
//! (1998); <https://www.chessprogramming.org/SPSA>.

use crate::ensure;
use crate::message;
use crate::util::message::Message;
use crate::util::rng::Rng;
use std::fmt;

/// Decay of the step and of the perturbation, as Spall recommends them.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Iterations that the step's decay is held back by, as a share of all.
const A_RATIO: f64 = 0.1;

/// Starts the line that shows how far a run has come.
const ITERATION: &str = "# iteration";

#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: String,
    /// Whether the option takes whole numbers only.
    pub is_integer: bool,
    /// The value so far.
    pub value: f64,
    /// Minimum and maximum value.
    pub range: (f64, f64),
    /// Perturbation in the last iteration.
    pub c_end: f64,
    /// Step in the last iteration, in squares of the perturbation.
    pub r_end: f64,
}

impl Parameter {
    /// Reads `name, int|float, value, min, max, C_end, R_end`.
    pub fn parse(line: &str) -> Result<Self, Message> {
        let bad = || {
            message!(
                "\"{line}\" is not \"name, int|float, value, min, max, C_end, R_end\""
                    | "“{line}”不是“name, int|float, value, min, max, C_end, R_end”",
                line
            )
        };
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, value, min, max, c_end, r_end] = fields[..] else { return Err(bad()) };
        let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(bad);
        let parameter = Self {
            name: name.to_owned(),
            is_integer: match kind {
                "int" => true,
                "float" => false,
                _ => return Err(bad()),
            },
            value: number(value)?,
            range: (number(min)?, number(max)?),
            c_end: number(c_end)?,
            r_end: number(r_end)?,
        };
        let (low, high) = parameter.range;
        let fits = low < high && (low..=high).contains(&parameter.value);
        // A perturbation wider than the range has no meaning.
        let steps = 0.0 < parameter.c_end
            && parameter.c_end <= high - low
            && parameter.r_end > 0.0
            && (parameter.r_end * parameter.c_end.powi(2)).is_finite();
        ensure!(!name.is_empty() && fits && steps, bad());
        Ok(parameter)
    }

    /// The value in four digits, for people.
    pub fn brief(&self) -> String {
        let digits = self.value.abs().log10().floor();
        let decimals = if digits.is_finite() { (3.0 - digits).clamp(0.0, 12.0) } else { 0.0 };
        format!("{:.*}", decimals as usize, self.value)
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.range.0, self.range.1)
    }

    /// The value as the option takes it. Whole numbers are rounded up or down by chance, so that on average
    /// the engine plays with `value`.
    fn text(&self, value: f64, rng: &mut Rng) -> String {
        let value = self.clamp(value);
        if self.is_integer {
            let up = f64::from(rng.unit_f32()) < value - value.floor();
            return format!("{:.0}", self.clamp(value.floor() + f64::from(u8::from(up))));
        }
        value.to_string()
    }
}

impl fmt::Display for Parameter {
    /// The line [`parse`](Parameter::parse) reads, its value the present one: as the option takes it, or, in
    /// the alternate form, with the fraction that a whole number has while it is being tuned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, range: (low, high), c_end, r_end, .. } = self;
        let (kind, value) = match self.is_integer {
            true if f.alternate() => ("int", format!("{value:.4}")),
            true => ("int", format!("{value:.0}")),
            false => ("float", value.to_string()),
        };
        write!(f, "{name}, {kind}, {value}, {low}, {high}, {c_end}, {r_end}")
    }
}

#[derive(Clone, Debug)]
pub struct Spsa {
    pub parameters: Vec<Parameter>,
    iterations: u64,
    done: u64,
    rng: Rng,
}

/// Two sets of option values, to be played against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// Options of the first engine.
    pub plus: Vec<(String, String)>,
    pub minus: Vec<(String, String)>,
    /// Direction of each parameter in the first, and the perturbation.
    steps: Vec<(f64, f64)>,
    iteration: u64,
}

impl Spsa {
    pub fn new(parameters: Vec<Parameter>, iterations: u64, seed: u64) -> Self {
        Self { parameters, iterations: iterations.max(1), done: 0, rng: Rng::new(seed) }
    }

    /// Reads what [`state`](Self::state) wrote, or bare parameter lines: a run that has not begun. Empty
    /// lines and others that start with `#` are left out.
    pub fn parse(text: &str, iterations: u64, seed: u64) -> Result<Self, Message> {
        let (mut parameters, mut done) = (Vec::new(), 0);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(number) = line.strip_prefix(ITERATION) {
                done = number.trim().parse().map_err(|_| {
                    message!("\"{line}\" has no number of an iteration" | "“{line}”里没有迭代的次数", line)
                })?;
            } else if !line.starts_with('#') {
                let parameter = Parameter::parse(line)?;
                ensure!(
                    parameters.iter().all(|other: &Parameter| other.name != parameter.name),
                    "\"{line}\": {name} is there twice" | "“{line}”：{name} 出现两次",
                    line,
                    name = parameter.name
                );
                parameters.push(parameter);
            }
        }
        ensure!(!parameters.is_empty(), "no parameters" | "没有参数");
        // What was drawn before is not drawn again.
        let spsa = Self::new(parameters, iterations, seed.wrapping_add(done));
        Ok(Self { done: spsa.iterations.min(done), ..spsa })
    }

    pub fn done(&self) -> u64 {
        self.done
    }

    /// All that is needed to go on later.
    pub fn state(&self) -> String {
        let lines = self.parameters.iter().map(|parameter| format!("{parameter:#}\n"));
        format!("{ITERATION} {}\n{}", self.done, lines.collect::<String>())
    }

    /// The next trial. `None`: the run is over.
    pub fn next_trial(&mut self) -> Option<Perturbation> {
        if self.done >= self.iterations {
            return None;
        }
        self.done = self.done.saturating_add(1);
        let k = self.done as f64;
        let mut trial =
            Perturbation { plus: Vec::new(), minus: Vec::new(), steps: Vec::new(), iteration: self.done };
        for parameter in &self.parameters {
            let c = parameter.c_end * (self.iterations as f64 / k).powf(GAMMA);
            // Below a half both sides would mostly play the same whole number.
            let c = if parameter.is_integer { c.max(0.5) } else { c };
            let direction = if self.rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 };
            let text = |sign: f64, rng: &mut Rng| parameter.text(parameter.value + sign * direction * c, rng);
            trial.plus.push((parameter.name.clone(), text(1.0, &mut self.rng)));
            trial.minus.push((parameter.name.clone(), text(-1.0, &mut self.rng)));
            trial.steps.push((direction, c));
        }
        Some(trial)
    }

    /// Learns from a trial: `net_wins` are the first engine's wins less its losses, per pair of games.
    pub fn learn(&mut self, trial: &Perturbation, net_wins: f64) {
        let held_back = A_RATIO * self.iterations as f64;
        for (parameter, &(direction, c)) in self.parameters.iter_mut().zip(&trial.steps) {
            let a_end = parameter.r_end * parameter.c_end.powi(2);
            let decay = (held_back + self.iterations as f64) / (held_back + trial.iteration as f64);
            let a = a_end * decay.powf(ALPHA);
            parameter.value = parameter.clamp(parameter.value + a / c * net_wins * direction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::stats::expected_score;

    #[test]
    fn lines_are_read_and_written_alike() {
        for line in
            ["RazorMargin, int, 300, 100, 600, 25, 0.002", "Scale, float, 0.00012345, 0, 2, 0.1, 0.002"]
        {
            assert_eq!(Parameter::parse(line).unwrap().to_string(), line);
        }
        for bad in [
            "",
            "a, int, 1, 0, 2, 1",
            "a, real, 1, 0, 2, 1, 1",
            "a, int, 9, 0, 2, 1, 1",
            "a, int, 1, 0, 2, 0, 1",
            "a, int, 1, 0, 2, 1e300, 1",
            "a, float, 1, 0, 1e200, 1e199, 1",
        ] {
            assert!(Parameter::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_run_goes_on_from_what_it_wrote() {
        let mut spsa = Spsa::parse("a, int, 5, 0, 10, 1, 0.5\n", 10, 1).unwrap();
        for _ in 0..4 {
            let trial = spsa.next_trial().unwrap();
            spsa.learn(&trial, 1.0);
        }
        let later = Spsa::parse(&spsa.state(), 10, 1).unwrap();
        assert_eq!(later.done(), 4);
        assert!((later.parameters[0].value - spsa.parameters[0].value).abs() < 1e-4);
        assert_eq!(later.state(), spsa.state());
        assert!(Spsa::parse("# iteration x\n", 10, 1).is_err());
        assert!(Spsa::parse("# nothing\n", 10, 1).is_err());
        let twice = "a, int, 1, 0, 2, 1, 1\na, int, 1, 0, 2, 1, 1\n";
        assert!(Spsa::parse(twice, 10, 1).unwrap_err().to_string().ends_with("a is there twice"));
    }

    #[test]
    fn whole_numbers_are_right_on_average() {
        let p = Parameter::parse("a, int, 5, 0, 10, 1, 0.002").unwrap();
        let mut rng = Rng::new(3);
        let sum: f64 = (0..4000).map(|_| p.text(4.3, &mut rng).parse::<f64>().unwrap()).sum();
        assert!((sum / 4000.0 - 4.3).abs() < 0.05, "{}", sum / 4000.0);
    }

    /// Strength falls off with the square of the distance from the best values; games are drawn by lot.
    #[test]
    fn values_approach_the_best_ones() {
        let lines = ["a, float, 20, 0, 100, 5, 0.02", "b, float, 80, 0, 100, 5, 0.02"];
        let best = [60.0, 40.0];
        let mut spsa = Spsa::new(lines.iter().map(|l| Parameter::parse(l).unwrap()).collect(), 4000, 1);
        let strength = |options: &[(String, String)]| -> f64 {
            options
                .iter()
                .zip(best)
                .map(|((_, v), best)| -(v.parse::<f64>().unwrap() - best).powi(2) / 10.0)
                .sum()
        };
        let mut rng = Rng::new(2);
        while let Some(trial) = spsa.next_trial() {
            let p = expected_score(strength(&trial.plus) - strength(&trial.minus));
            let game = |rng: &mut Rng| if f64::from(rng.unit_f32()) < p { 1.0 } else { -1.0 };
            let net = game(&mut rng) + game(&mut rng);
            spsa.learn(&trial, net);
        }
        for (p, best) in spsa.parameters.iter().zip(best) {
            assert!((p.value - best).abs() < 6.0, "{p}");
        }
    }
}
