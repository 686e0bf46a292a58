//! The course of a match, told on stderr; tables of the standings.

use crate::arbiter::config::MatchConfig;
use crate::arbiter::record::GameRecord;
use crate::arbiter::schedule::Fixture;
use crate::arbiter::standings::Standings;
use crate::arbiter::stats::{Sprt, Tally};

/// Lines on stderr.
pub struct Progress {
    names: Vec<String>,
    sprt: Option<Sprt>,
    interval: usize,
    finished: usize,
}

impl Progress {
    /// Before the first game.
    pub fn new(config: &MatchConfig) -> Self {
        Self {
            names: config.engines.iter().map(|e| e.name.clone()).collect(),
            sprt: config.sprt,
            interval: config.ratinginterval.max(1),
            finished: 0,
        }
    }

    /// A game has started.
    pub fn started(&self, fixture: &Fixture) {
        let [first, second] = fixture.seats.map(|i| &self.names[i]);
        eprintln!("Started game {} ({first} vs {second})", fixture.number + 1);
    }

    /// A game has ended.
    pub fn finished(&mut self, record: &GameRecord, standings: &Standings) {
        let [first, second] = &record.names;
        let ending = &record.ending;
        eprintln!(
            "Finished game {} ({first} vs {second}): {} {{{}}}",
            record.number + 1,
            ending.result(),
            ending.detail
        );
        self.finished += 1;
        if self.finished.is_multiple_of(self.interval) {
            self.score(standings);
        }
    }

    /// The match has ended.
    pub fn finish(&self, standings: &Standings) {
        if !self.finished.is_multiple_of(self.interval) {
            self.score(standings);
        }
    }

    fn score(&self, standings: &Standings) {
        if self.names.len() > 2 {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            for line in table(&names, standings) {
                eprintln!("{line}");
            }
            return;
        }
        let tally = standings.tally(0, 1);
        let d = tally.distribution();
        eprintln!(
            "Score of {} vs {}: +{} ={} -{} [{:.3}] {} games, pairs {:?}",
            self.names[0],
            self.names[1],
            tally.wins,
            tally.draws,
            tally.losses,
            tally.score(),
            tally.games(),
            tally.pairs
        );
        eprintln!(
            "Elo {}, nElo {}, LOS {:.1} %, draws {:.1} %",
            d.elo(),
            d.normalized_elo(),
            100.0 * d.superiority(),
            100.0 * tally.draws as f64 / tally.games().max(1) as f64
        );
        if let Some(sprt) = &self.sprt {
            eprintln!("{}", sprt_line(sprt, &tally));
        }
    }
}

/// The players in order: rating, games, points.
pub fn table(names: &[&str], standings: &Standings) -> Vec<String> {
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
    let ratings = standings.ratings();
    let mut lines = vec![format!(
        "{:>3} {:<width$} {:>16} {:>6} {:>7} {:>6}",
        "", "player", "rating", "games", "points", "%"
    )];
    for (place, player) in standings.order().into_iter().enumerate() {
        let total = standings.total(player);
        lines.push(format!(
            "{:>3} {:<width$} {:>16} {:>6} {:>7.1} {:>6.1}",
            place + 1,
            names[player],
            ratings[player].to_string(),
            total.games(),
            standings.scoring.half_points(&total) as f64 / 2.0,
            100.0 * total.score()
        ));
    }
    lines
}

/// Likelihood ratio, bounds and hypotheses.
pub fn sprt_line(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    format!("LLR {:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.llr(tally), sprt.elo0, sprt.elo1)
}
