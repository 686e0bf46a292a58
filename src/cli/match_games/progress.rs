//! The course of a match, printed on stderr: a live table on a terminal, lines anywhere else.

use crate::app::language::{columns, left, right};
use crate::app::remarks::Remarks;
use crate::arbiter::config::MatchConfig;
use crate::arbiter::fixture::Fixture;
use crate::arbiter::schedule::Schedule;
use crate::arbiter::standings::Standings;
use crate::arbiter::stats::{Sprt, Tally};
use crate::games::record::GameRecord;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::sync::lock;
use crate::util::system::remark;
use crate::util::words;
use crossbeam::channel::{SendError, Sender};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Prints the course of a match.
pub struct Progress {
    language: Language,
    names: Vec<String>,
    sprt: Option<Sprt>,
    interval: usize,
    finished: usize,
    /// How many games were finished when the score was reported last.
    reported: Option<usize>,
    /// Medians of each player's latency and of the manager's own time in each game, in microseconds.
    latencies: Vec<Vec<u64>>,
    overheads: Vec<u64>,
    live: Option<Live>,
    /// The person at the terminal, who has no table at its foot.
    seat: Option<Sender<String>>,
    remarks: Remarks,
}

impl Progress {
    /// Before the first game; `earlier` are those of an interrupted match.
    pub fn new(
        config: &MatchConfig,
        earlier: &[GameRecord],
        seat: Option<Sender<String>>,
        language: Language,
    ) -> Self {
        let mut progress = Self {
            language,
            names: config.engines.iter().map(|e| e.name.clone()).collect(),
            sprt: config.sprt,
            interval: config.ratinginterval.max(1),
            finished: earlier.len(),
            reported: None,
            latencies: vec![Vec::new(); config.engines.len()],
            overheads: Vec::new(),
            live: if seat.is_some() { None } else { Live::on_terminal(config, earlier.len(), language) },
            seat,
            remarks: Remarks::default(),
        };
        for game in earlier {
            progress.measure(game);
        }
        progress
    }

    pub fn started(&self, fixture: &Fixture) {
        let [first, second] = fixture.seats.map(|i| &self.names[i]);
        match &self.live {
            Some(live) => live.started(fixture.number, words::versus(self.language, first, second)),
            None => self.say(words::game_started(self.language, fixture.number + 1, first, second)),
        }
    }

    /// A game is played again, for the manager stood still.
    pub fn again(&self, number: usize) {
        self.print(words::game_again(self.language, number + 1));
    }

    /// Prints a line: above the prompt, where a person sits at the terminal.
    fn say(&self, line: String) {
        if let Err(SendError(line)) =
            self.seat.as_ref().map_or(Err(SendError(line.clone())), |seat| seat.send(line))
        {
            remark!("{line}");
        }
    }

    fn print(&self, line: String) {
        match &self.live {
            Some(live) => live.bar.println(line),
            None => remark!("{line}"),
        }
    }

    pub fn remarked(&mut self, engine: &str, remark: &Message) {
        if let Some(line) = self.remarks.news(self.language, engine, remark) {
            self.print(line);
        }
    }

    pub fn finished(&mut self, record: &GameRecord, standings: &Standings) {
        let ([first, second], ending) = (&record.names, &record.ending);
        let (result, why) = (ending.result(), ending.text(self.language));
        let line = words::game_finished(self.language, record.number + 1, first, second, result, why);
        self.finished += 1;
        self.measure(record);
        if let Some(live) = &self.live {
            live.finished(record.number, &line, &self.score(standings));
            return;
        }
        self.say(line);
        if self.finished.is_multiple_of(self.interval) {
            self.print_score(standings);
        }
    }

    /// Takes the live table off the terminal.
    pub fn clear(&mut self) {
        if let Some(live) = self.live.take() {
            live.bar.finish_and_clear();
        }
    }

    pub fn finish(&mut self, standings: &Standings) {
        self.clear();
        if self.reported != Some(self.finished) {
            self.print_score(standings);
        }
        if let Some(line) = self.latency() {
            self.say(line);
        }
    }

    fn measure(&mut self, record: &GameRecord) {
        for (&player, latency) in record.seats.iter().zip(record.latency_us) {
            // A journal of a match that was set up otherwise has been refused already.
            if let Some(all) = self.latencies.get_mut(player) {
                all.push(latency);
            }
        }
        self.overheads.push(record.overhead_us);
    }

    /// `Latency: A 0.05 ms, B 0.04 ms; 0.10 ms between two moves`: medians of all games.
    fn latency(&self) -> Option<String> {
        let milliseconds = |times: &[u64]| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times.get(times.len() / 2).map(|&us| us as f64 / 1e3)
        };
        let between = milliseconds(&self.overheads)?;
        let players = self.names.iter().zip(&self.latencies);
        let of = |(name, times): (&String, &Vec<u64>)| {
            Some(words::latency_of(self.language, name, format_args!("{:.2}", milliseconds(times)?)))
        };
        let each: Vec<String> = players.filter_map(of).collect();
        let each = each.join(self.language.pick(", ", "，"));
        Some(words::latencies(self.language, each, format_args!("{between:.2}")))
    }

    fn print_score(&mut self, standings: &Standings) {
        self.reported = Some(self.finished);
        for line in self.score(standings) {
            self.say(line);
        }
    }

    fn score(&self, standings: &Standings) -> Vec<String> {
        if self.names.len() > 2 {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            return table(&names, standings, self.language);
        }
        let tally = standings.tally(0, 1);
        let d = tally.distribution();
        let mut lines = vec![
            words::score_of(
                self.language,
                &self.names[0],
                &self.names[1],
                words::counted_results(self.language, tally.wins, tally.draws, tally.losses),
                format_args!("{:.3}", tally.score()),
                tally.games(),
                format_args!("{:?}", tally.pairs),
            ),
            words::elo_and_others(
                self.language,
                d.elo(),
                d.normalized_elo(),
                format_args!("{:.1}", 100.0 * d.superiority()),
                format_args!("{:.1}", 100.0 * tally.draws as f64 / tally.games().max(1) as f64),
            ),
        ];
        lines.extend(self.sprt.map(|sprt| sprt_line(&sprt, &tally)));
        lines
    }
}

/// The table that is drawn over and over at the foot of a terminal.
struct Live {
    bar: ProgressBar,
    running: Arc<Mutex<BTreeMap<usize, (String, Instant)>>>,
}

impl Live {
    /// `None` where stderr is not a terminal.
    fn on_terminal(config: &MatchConfig, finished: usize, language: Language) -> Option<Self> {
        let target = ProgressDrawTarget::stderr();
        if target.is_hidden() {
            return None;
        }
        let total = Schedule::new(config.plan()).expected_games();
        let running = Arc::new(Mutex::new(BTreeMap::<usize, (String, Instant)>::new()));
        let shared = Arc::clone(&running);
        let games = move |_: &ProgressState, out: &mut dyn Write| {
            for (number, (players, started)) in lock(&shared).iter() {
                let s = started.elapsed().as_secs();
                // Writing to a line of the terminal cannot fail.
                let _ = writeln!(out, "{:>6}  {players}  {}:{:02}", number + 1, s / 60, s % 60);
            }
        };
        let template = match total {
            Some(_) => words::games_left(language),
            None => words::games_so_far(language),
        };
        let style = ProgressStyle::with_template(&template).ok()?.with_key("running", games);
        let bar = ProgressBar::with_draw_target(total.map(|n| n as u64), target).with_style(style);
        bar.set_position(finished as u64);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        Some(Self { bar, running })
    }

    fn started(&self, number: usize, players: String) {
        let mut running = lock(&self.running);
        running.insert(number, (players, Instant::now()));
    }

    fn finished(&self, number: usize, line: &str, score: &[String]) {
        lock(&self.running).remove(&number);
        self.bar.println(line);
        self.bar.set_message(format!("{}\n", score.join("\n")));
        self.bar.inc(1);
    }
}

/// The players in order: rating, games, points.
pub fn table(names: &[&str], standings: &Standings, language: Language) -> Vec<String> {
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0).max(6);
    let line = |place: &str, name: &str, [rating, games, points, percent]: [&str; 4]| {
        let columns = [(rating, 16), (games, 6), (points, 7), (percent, 6)];
        let start = format!("{place:>3} {}", left(name, width));
        columns.iter().fold(start, |line, (text, width)| format!("{line} {}", right(text, *width)))
    };
    let heads =
        [words::rating_column(language), words::games_column(language), words::points_column(language)];
    let [rating, games, points] = heads.each_ref().map(String::as_str);
    let mut lines = vec![line("", &words::player_column(language), [rating, games, points, "%"])];
    let ratings = standings.ratings();
    for (place, player) in standings.order().into_iter().enumerate() {
        let total = standings.total(player);
        let points = standings.half_points(player) as f64 / 2.0;
        let cells = [
            if total.games() == 0 || standings.is_rated(player) {
                ratings[player].to_string()
            } else {
                "-".to_owned()
            },
            total.games().to_string(),
            format!("{points:.1}"),
            format!("{:.1}", 100.0 * total.score()),
        ];
        lines.push(line(&(place + 1).to_string(), names[player], cells.each_ref().map(String::as_str)));
    }
    lines
}

/// The results of all players against each other, `+W=D-L`, in the order of the standings.
pub fn crosstable(names: &[&str], standings: &Standings) -> Vec<String> {
    let order = standings.order();
    let cell = |a: usize, b: usize| match standings.tally(a, b) {
        tally if a == b || tally.games() == 0 => "·".to_owned(),
        tally => format!("+{}={}-{}", tally.wins, tally.draws, tally.losses),
    };
    let cells: Vec<Vec<String>> =
        order.iter().map(|&a| order.iter().map(|&b| cell(a, b)).collect()).collect();
    let longest = |texts: &mut dyn Iterator<Item = &str>| texts.map(columns).max().unwrap_or(0);
    let width = longest(&mut cells.iter().flatten().map(String::as_str));
    let name_width = longest(&mut names.iter().copied());
    let line = |start: String, columns: &mut dyn Iterator<Item = String>| {
        columns.fold(start, |line, column| format!("{line} {column:>width$}"))
    };
    let mut lines =
        vec![line(format!("{:>3} {:<name_width$}", "", ""), &mut (1..=order.len()).map(|n| n.to_string()))];
    for (place, (&player, row)) in order.iter().zip(cells).enumerate() {
        let start = format!("{:>3} {}", place + 1, left(names[player], name_width));
        lines.push(line(start, &mut row.into_iter()));
    }
    lines
}

/// Likelihood ratio, bounds and hypotheses.
pub fn sprt_line(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    format!("LLR {:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.llr(tally), sprt.elo0, sprt.elo1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crosstable_is_in_the_order_of_the_standings() {
        let mut standings = Standings::new(3);
        let game = |number, seats| Fixture { number, round: 1, pair: number / 2, seats, deciding: false };
        standings.add(&game(0, [0, 1]), 0);
        standings.add(&game(1, [1, 0]), 1);
        standings.add(&game(2, [1, 2]), 2);
        let lines = crosstable(&["A", "Bee", "C"], &standings);
        assert_eq!(
            lines,
            [
                "             1      2      3",
                "  1 Bee      · +1=1-0 +1=0-0",
                "  2 A   +0=1-1      ·      ·",
                "  3 C   +0=0-1      ·      ·",
            ]
        );
    }
}
