//! The settings of a KataGo configuration that have a meaning here.

use std::time::Duration;

/// The side whose view values have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Perspective {
    #[default]
    SideToMove,
    Black,
    White,
}

/// The settings, and the names of those without a meaning here.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub searches: usize,
    pub threads: usize,
    /// Visits of a position, if the query names none.
    pub max_visits: Option<u64>,
    /// Playouts of a position, which are visits here.
    pub max_playouts: Option<u64>,
    pub max_time: Option<Duration>,
    /// Moves of a line that are reported.
    pub pv_length: usize,
    /// The side whose view values have.
    pub perspective: Perspective,
    /// Whether unknown fields of a query are reported.
    pub warns_of_unused: bool,
    /// Settings that mean nothing here: their names, and with the value where that is to blame.
    pub ignored: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            searches: 1,
            threads: 1,
            max_visits: None,
            max_playouts: None,
            max_time: None,
            pv_length: 15,
            perspective: Perspective::SideToMove,
            warns_of_unused: true,
            ignored: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    Yes,
    /// A setting without a meaning here.
    UnknownName,
    WrongValue,
}

/// Settings of the program as a whole, which no query changes.
pub const OF_PROGRAM: &[&str] =
    &["numAnalysisThreads", "numSearchThreads", "numSearchThreadsPerAnalysisThread"];

impl Settings {
    /// Takes over lines `name = value`; `#` begins a remark.
    pub fn read(&mut self, text: &str) {
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            let Some((name, value)) = line.split_once('=') else { continue };
            let (name, value) = (name.trim(), value.trim().trim_matches('"'));
            match self.set(name, value) {
                Taken::Yes => {}
                Taken::UnknownName => self.ignored.push(name.to_owned()),
                Taken::WrongValue => self.ignored.push(format!("{name} = {value}")),
            }
        }
    }

    /// Visits of a position at most: of two limits the smaller one.
    pub fn visits(&self) -> Option<u64> {
        self.max_visits.into_iter().chain(self.max_playouts).min()
    }

    /// Takes over one setting, in the place of an earlier one.
    pub fn set(&mut self, name: &str, value: &str) -> Taken {
        fn take<T: std::str::FromStr + PartialOrd>(slot: &mut T, value: &str, min: T, max: T) -> bool {
            match value.parse() {
                Ok(parsed) if parsed >= min && parsed <= max => {
                    *slot = parsed;
                    true
                }
                _ => false,
            }
        }
        fn limit(slot: &mut Option<u64>, value: &str) -> bool {
            let mut visits = 0;
            let is_known = take(&mut visits, value, 1, 1 << 50);
            if is_known {
                *slot = Some(visits);
            }
            is_known
        }
        let is_taken = match name {
            "numAnalysisThreads" => take(&mut self.searches, value, 1, 1024),
            "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => {
                take(&mut self.threads, value, 1, 1024)
            }
            "analysisPVLen" => take(&mut self.pv_length, value, 1, 1000),
            "warnUnusedFields" => take(&mut self.warns_of_unused, &value.to_lowercase(), false, true),
            "maxVisits" => limit(&mut self.max_visits, value),
            "maxPlayouts" => limit(&mut self.max_playouts, value),
            "maxTime" => {
                let mut seconds = 0.0;
                let is_known = take(&mut seconds, value, 0.0, 1e20);
                if is_known {
                    // KataGo's way to write "without limit" is a very long time.
                    self.max_time = (seconds < 1e6).then(|| Duration::from_secs_f64(seconds));
                }
                is_known
            }
            "reportAnalysisWinratesAs" => {
                let known = [
                    ("BLACK", Perspective::Black),
                    ("WHITE", Perspective::White),
                    ("RED", Perspective::White),
                    ("SIDETOMOVE", Perspective::SideToMove),
                ];
                let found = known.iter().find(|(word, _)| value.eq_ignore_ascii_case(word));
                self.perspective = found.map_or(self.perspective, |(_, perspective)| *perspective);
                found.is_some()
            }
            _ => return Taken::UnknownName,
        };
        if is_taken { Taken::Yes } else { Taken::WrongValue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_taken_and_the_rest_is_named() {
        let mut settings = Settings::default();
        settings.read("# a remark\nmaxVisits = 300 # of each\nnnCacheSizePowerOfTwo = 20\nmaxTime = 1e21\nnumAnalysisThreads = x\n\nreportAnalysisWinratesAs = BLACK\n");
        assert_eq!(
            (settings.max_visits, settings.max_time, settings.perspective),
            (Some(300), None, Perspective::Black)
        );
        assert_eq!(settings.ignored, ["nnCacheSizePowerOfTwo", "maxTime = 1e21", "numAnalysisThreads = x"]);
        settings.read("maxPlayouts = 500\nmaxVisits = 900");
        assert_eq!(settings.visits(), Some(500), "a later value counts, and the smaller one of both kinds");
        settings.read("maxTime = 2\nmaxTime = x");
        assert_eq!(settings.max_time, Some(Duration::from_secs(2)), "a wrong value leaves the one before");
        settings.read("maxTime = 1e20");
        assert_eq!(settings.max_time, None);
    }
}
