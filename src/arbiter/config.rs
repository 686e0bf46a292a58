//! A match as it is set up: by a TOML file, by the command line, or by both.

mod difference;
mod engine;

pub use crate::client::spec::engine_from_words;

use super::adjudicate::Adjudication;
use super::fouls::IllegalMoves;
use super::hall::Hall;
use super::play::Conditions;
use super::schedule::{ADVANCING, Format, Plan, TieBreak};
use super::standings::PointSystem;
use super::stats::Sprt;
use crate::chess::syzygy::Tables;
use crate::client::player::{EngineSpec, Patience};
use crate::client::spec::quoted;
use crate::ensure;
use crate::game::GameId;
use crate::games::game::{Position, Start};
use crate::games::openings::OpeningSource;
use crate::games::record::{GameKind, Style};
use crate::games::referee::Rules;
use crate::games::time::Control;
use crate::message;
use crate::util::files;
use crate::util::message::Message;
use crate::util::shard::Shard;
use clap::ArgAction;
use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Headings of flags in the help.
pub mod heading {
    pub const ENGINES: &str = "Game and engines";
    pub const FORMAT: &str = "Format";
    pub const OPENINGS: &str = "Openings";
    pub const RULES: &str = "Rules";
    pub const ADJUDICATION: &str = "Adjudication";
    pub const OUTPUT: &str = "Output";
    pub const PARTS: &str = "Resuming and sharing";
}

/// Everything about a match: keys of a configuration file and of a journal. The fields with `arg` are flags
/// of `sanqi match` as well; the flags of the others are in `cli::match_games`.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchConfig {
    /// Game: chess, chess960, xiangqi or go
    #[arg(long, alias = "variant", hide_possible_values = true)]
    #[arg(help_heading = heading::ENGINES, display_order = 0)]
    pub game: GameKind,
    /// Name of the match in records
    #[arg(long, value_name = "TEXT", help_heading = heading::OUTPUT)]
    pub event: String,
    /// Place of the match in records
    #[arg(long, value_name = "TEXT", help_heading = heading::OUTPUT)]
    pub site: String,
    /// How players are paired: round-robin (the default), gauntlet (the first engine plays all others), swiss
    /// (players with similar scores meet, for --rounds rounds) or knockout
    #[arg(long, alias = "tournament", group = "pairing", hide_possible_values = true)]
    #[arg(help_heading = heading::FORMAT, display_order = 0)]
    pub format: Format,
    /// Games per encounter; each two in a row share an opening, with colors reversed
    #[arg(long, value_name = "N", help_heading = heading::FORMAT)]
    pub games: usize,
    /// Rounds of a Swiss tournament; otherwise, how often the whole schedule is played
    #[arg(long, value_name = "N", help_heading = heading::FORMAT)]
    pub rounds: usize,
    /// Round robins in N groups (2, 4, 8); the first two of each group go on to a knockout
    #[arg(long, value_name = "N", group = "pairing", help_heading = heading::FORMAT)]
    pub groups: usize,
    /// What decides a tied encounter of a knockout or a play-off: pairs (more pairs of games) or
    /// deciding-game (one game with colors by lot, which a draw loses for the side that moves first)
    #[arg(long, value_name = "HOW", hide_possible_values = true, help_heading = heading::FORMAT)]
    pub tie_break: TieBreak,
    /// Players tied for the first place, or for a place that advances, play it off
    #[arg(long, action = ArgAction::Set, num_args = 0, default_missing_value = "true")]
    #[arg(help_heading = heading::FORMAT)]
    pub play_off: bool,
    /// Games of an encounter of a play-off: 1 with --tie-break deciding-game, else --games
    #[arg(long, value_name = "N", help_heading = heading::FORMAT)]
    pub play_off_games: Option<usize>,
    /// Points for a win, a draw and a loss
    #[arg(long, help_heading = heading::FORMAT)]
    pub scoring: PointSystem,
    /// An engine that fails to start forfeits its games instead of ending the match; each brings its opponent
    /// a win, or 2 points of 3/1/0
    #[arg(long, value_name = "POINTS", help_heading = heading::FORMAT)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// The illegal move that loses: 1 (the default), 2 or 3. One before it is put back, and with 2+120 it
    /// brings the opponent 120 seconds
    #[arg(long, value_name = "N[+SECONDS]", help_heading = heading::RULES)]
    #[serde(skip_serializing_if = "IllegalMoves::is_usual")]
    pub illegal_moves: IllegalMoves,
    /// Chess: seconds that a wrong claim of a draw brings the opponent; negative: that it costs the claimant.
    /// 120 unless given where a person plays, else 0
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, help_heading = heading::RULES)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_claim: Option<i64>,
    /// Seconds that a game waits for its persons to say that they are ready; then the clock runs
    #[arg(long, value_name = "S", help_heading = heading::RULES)]
    #[serde(skip_serializing_if = "is_usual_seating")]
    pub seating: u64,
    /// A person who has not come this many minutes after its game began forfeits it
    #[arg(long, value_name = "MINUTES", help_heading = heading::RULES)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// Games played at the same time
    #[arg(long, value_name = "N", help_heading = heading::FORMAT)]
    pub concurrency: usize,
    /// The time control of engines without one of their own.
    #[arg(skip)]
    pub tc: Control,
    /// Milliseconds by which a move may overstep the clock; 50 unless given
    #[arg(long = "timemargin", value_name = "MS", help_heading = heading::ENGINES)]
    pub margin_ms: u64,
    /// Seed of the order of openings
    #[arg(long, visible_alias = "srand", value_name = "N", help_heading = heading::OPENINGS)]
    pub seed: u64,
    /// Stops when the results decide between two hypotheses.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// Play only part i of N, counted from 0, of a match that several machines share; needs --journal
    #[arg(long, value_name = "i/N", help_heading = heading::PARTS)]
    #[serde(skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// Append games to a PGN file
    #[arg(long = "pgnout", visible_alias = "pgn", value_name = "FILE", value_parser = path())]
    #[arg(help_heading = heading::OUTPUT)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PathBuf>,
    /// Go: append games to an SGF file
    #[arg(long = "sgfout", visible_alias = "sgf", value_name = "FILE", value_parser = path())]
    #[arg(help_heading = heading::OUTPUT)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sgf: Option<PathBuf>,
    /// Keep a journal, from which an interrupted match can be resumed
    #[arg(long, value_name = "FILE.jsonl", value_parser = path(), help_heading = heading::PARTS)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<PathBuf>,
    /// Record every line to and from the engines, for `sanqi replay`
    #[arg(long, value_name = "FILE.jsonl", value_parser = path(), help_heading = heading::OUTPUT)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<PathBuf>,
    /// Write an HTML page with results and all games
    #[arg(long, value_name = "FILE.html", value_parser = path(), help_heading = heading::OUTPUT)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// Xiangqi: notation of moves in records
    #[arg(long, help_heading = heading::OUTPUT)]
    pub notation: Style,
    /// Print the score every N games
    #[arg(long, value_name = "N", help_heading = heading::OUTPUT)]
    pub ratinginterval: usize,
    /// What the rules leave open.
    #[arg(skip)]
    pub rules: Rules,
    /// When the arbiter ends a game.
    #[arg(skip)]
    pub adjudication: Adjudication,
    /// How long it waits where no clock runs.
    #[arg(skip)]
    pub patience: Patience,
    /// Go: settles what the players cannot agree on.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third: Option<EngineSpec>,
    /// Settings of all engines that do not have their own.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<EngineSpec>,
    #[arg(skip)]
    pub engines: Vec<EngineSpec>,
}

/// Settings that `--resume` may change; `games` and `rounds` only as
/// [`JournaledMatch`](super::journal::JournaledMatch::goes_on_by) allows.
pub const RESUME_MAY_CHANGE: &[&str] = &[
    "games",
    "rounds",
    "concurrency",
    "margin_ms",
    "sprt",
    "forfeit",
    "illegal_moves",
    "wrong_claim",
    "seating",
    "late",
    "patience",
    "adjudication",
    "rules.repetition.no_progress",
    "rules.deciding_game",
    "rules.fouls",
    "notation",
    "ratinginterval",
    "pgn",
    "sgf",
    "trace",
    "report",
];

/// Settings that `--merge` may change.
pub const MERGE_MAY_CHANGE: &[&str] = &[
    "games",
    "rounds",
    "concurrency",
    "sprt",
    "forfeit",
    "event",
    "site",
    "notation",
    "ratinginterval",
    "journal",
    "pgn",
    "sgf",
    "report",
];

/// What a game brings that the opponent forfeits (XQ-10).
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Forfeit {
    // As much as a win.
    #[serde(rename = "win")]
    Win,
    // Two points, where a win has three.
    #[serde(rename = "2")]
    #[value(name = "2")]
    TwoPoints,
}

impl Default for MatchConfig {
    fn default() -> Self {
        Self {
            game: GameKind::CHESS,
            event: "Sanqi match".to_owned(),
            site: "?".to_owned(),
            format: Format::RoundRobin,
            games: 2,
            rounds: 1,
            groups: 2,
            tie_break: TieBreak::default(),
            play_off: false,
            play_off_games: None,
            scoring: PointSystem::Half,
            forfeit: None,
            illegal_moves: IllegalMoves::default(),
            wrong_claim: None,
            seating: SEATING,
            late: None,
            concurrency: 1,
            tc: Control::INFINITE,
            margin_ms: 50,
            seed: 1,
            sprt: None,
            openings: None,
            shard: Shard::WHOLE,
            pgn: None,
            sgf: None,
            journal: None,
            trace: None,
            report: None,
            notation: Style::default(),
            ratinginterval: 10,
            rules: Rules::default(),
            adjudication: Adjudication::default(),
            patience: Patience::default(),
            third: None,
            each: None,
            engines: Vec::new(),
        }
    }
}

/// Seconds that a wrong claim brings the opponent (FIDE 9.5.3).
const WRONG_CLAIM: i64 = 120;
/// Seconds that a game waits for its persons.
const SEATING: u64 = 60;

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde has it")]
const fn is_usual_seating(seconds: &u64) -> bool {
    *seconds == SEATING
}

/// The path, or that of `file=PATH` as other managers write it.
fn path() -> impl TypedValueParser<Value = PathBuf> {
    let bare = |path: &PathBuf| path.to_str()?.strip_prefix("file=").map(PathBuf::from);
    PathBufValueParser::new().map(move |path| bare(&path).unwrap_or(path))
}

impl MatchConfig {
    /// Reads a TOML file.
    pub fn load(file: &Path) -> Result<Self, Message> {
        let text = files::read_named_text(file).map_err(|why| files::at(file, why))?;
        let read: Result<Self, toml::de::Error> = toml::from_str(&text);
        let mut config = read.map_err(|e| {
            let line = e
                .span()
                .and_then(|span| text.get(..span.start))
                .map_or(1, |before| before.split('\n').count());
            Message::from(format!("{}:{line}: {}", file.display(), e.message().replace('\n', " ")))
        })?;
        let engines = config.engines.iter_mut().chain(&mut config.third).chain(&mut config.each);
        for arg in engines.flat_map(|engine| &mut engine.args) {
            *arg = quoted(arg);
        }
        Ok(config)
    }

    /// Completes what was left out, and checks that a match can be played.
    pub fn complete(&mut self) -> Result<(), Message> {
        self.check_players()?;
        if let Some(each) = self.each.take() {
            for engine in &mut self.engines {
                engine::inherit(engine, &each);
            }
        }
        let mut names = HashSet::new();
        for engine in self.engines.iter_mut().chain(&mut self.third) {
            engine::complete_command(engine, &mut names)?;
        }
        for spec in &self.engines {
            if let Some(why) = engine::unfit(spec, self.game, &self.tc) {
                return Err(message!("engine {name}: {why}" | "引擎 {name}：{why}", name = spec.name, why));
            }
        }
        self.check()?;
        self.check_tables()
    }

    /// Checks that there are the tables that decide games.
    pub fn check_tables(&self) -> Result<(), Message> {
        let Some(tb) = &self.adjudication.tb else { return Ok(()) };
        if !matches!(self.game, GameKind::CHESS | GameKind::CHESS960) {
            return Err(message!("{game} has no endgame tables" | "{game} 没有残局库", game = self.game));
        }
        if Tables::open(&tb.path).counts().0 == 0 {
            return Err(message!(
                "{path}: no endgame tables found" | "{path}：没有找到残局库",
                path = tb.path
            ));
        }
        Ok(())
    }

    /// Checks that the engines can play this match.
    pub fn check(&self) -> Result<(), Message> {
        self.check_players()?;
        if self.rounds == 0 || self.games == 0 {
            return Err(message!("a match needs games and rounds" | "比赛的局数和轮数不能是 0"));
        }
        let Patience { ready, stall, quit } = self.patience;
        // JSON, and so the journal, has no infinity.
        if let Some(wrong) = [ready, stall, quit].into_iter().find(|s| !s.is_finite() || *s < 0.0) {
            return Err(message!(
                "patience is in seconds, not {wrong}" | "patience 以秒计，不能是 {wrong}",
                wrong
            ));
        }
        let komi = self.rules.go.komi;
        ensure!(komi.is_finite(), "komi {komi} is not a number" | "贴目 {komi} 不是数", komi);
        ensure!(
            self.rules.go.first.is_none() && self.rules.go.stones.is_empty(),
            "games of a match start from an empty board or a handicap" | "比赛的对局从空棋盘或让子开始"
        );
        ensure!(
            self.engines.iter().filter(|player| player.terminal).count() <= 1,
            "one person can sit at the terminal: the others play in browsers"
                | "终端前只能坐一个人，其他人在浏览器里下棋"
        );
        if self.third.as_ref().is_some_and(|third| third.human) {
            return Err(message!("a person cannot be the third engine" | "第三方引擎不能是人"));
        }
        self.check_format()?;
        self.check_shard()?;
        // Rules that do not exist are refused now, not in the first game.
        Position::at(&Start { kind: self.game, rules: self.rules.clone(), fen: None })?;
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err(message!(
                "a sequential test needs exactly two engines" | "序贯检验只能在两个引擎之间进行"
            ));
        }
        self.sprt.as_ref().map_or(Ok(()), Sprt::check)?;
        ensure!(
            (1..=1024).contains(&self.concurrency),
            "concurrency must be from 1 to 1024, not {given}" | "concurrency 须为 1 至 1024，不能是 {given}",
            given = self.concurrency
        );
        Ok(())
    }

    /// Checks that no two of its files are the same, `others` included: one would overwrite the other.
    pub fn check_files(&self, others: &[(Message, &Path)]) -> Result<(), Message> {
        let records = if self.game == GameKind::GO { &self.sgf } else { &self.pgn };
        let own = [
            (message!("the journal" | "日志"), &self.journal),
            (message!("the games" | "棋谱"), records),
            (message!("the trace" | "追踪文件"), &self.trace),
            (message!("the report" | "报告"), &self.report),
        ];
        let own = own.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?)));
        let openings = self.openings.as_ref().filter(|source| !source.is_built_in());
        let read = openings.map(|source| (message!("the openings" | "开局"), source.file.as_path()));
        let mut earlier: Vec<(Message, &Path)> = Vec::new();
        let own = own.chain(read).map(|file| (file, true));
        for ((what, path), is_own) in own.chain(others.iter().map(|file| (file.clone(), false))) {
            if let Some((first, _)) = earlier.iter().find(|(_, other)| files::is_same(other, path)) {
                return Err(message!(
                    "{path}: it cannot be both {first} and {what}" | "{path}：它不能既是{first}，又是{what}",
                    path = path.display(),
                    first,
                    what
                ));
            }
            // Others are only read, and may be read twice.
            if is_own {
                earlier.push((what, path));
            }
        }
        Ok(())
    }

    /// Whether every game has a partner with colors reversed.
    pub const fn plays_in_pairs(&self) -> bool {
        let has_winners = matches!(self.format, Format::Knockout | Format::Groups) || self.play_off;
        let decides = has_winners && matches!(self.tie_break, TieBreak::DecidingGame);
        self.games.is_multiple_of(2) && !decides
    }

    /// The hall of the match, with the persons who play in it.
    pub fn hall(&self) -> Hall {
        let people = self.engines.iter().enumerate().filter(|(_, player)| player.human);
        let people = people.map(|(index, player)| (index, player.name.clone()));
        let late = self.late.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
        Hall::new(people, Duration::from_secs(self.seating), late)
    }

    /// The person at the terminal, if there is one.
    pub fn at_terminal(&self) -> Option<usize> {
        self.engines.iter().position(|player| player.terminal)
    }

    /// Whether a person plays.
    pub fn has_people(&self) -> bool {
        self.engines.iter().any(|player| player.human)
    }

    fn check_players(&self) -> Result<(), Message> {
        match self.engines.len() {
            2.. => Ok(()),
            few => {
                Err(message!("a match needs two engines, not {few}" | "比赛需要两个引擎，不是 {few} 个", few))
            }
        }
    }

    fn check_format(&self) -> Result<(), Message> {
        let (groups, players) = (self.groups, self.engines.len());
        if self.format == Format::Groups && (groups < 2 || !groups.is_power_of_two()) {
            return Err(message!(
                "groups must be 2, 4, 8 or so on, not {groups}: their first two meet crosswise"
                    | "组数须为 2、4、8 等，不能是 {groups}：每组前两名要交叉对阵",
                groups
            ));
        }
        let needed = groups.saturating_mul(ADVANCING);
        if self.format == Format::Groups && players < needed {
            return Err(message!(
                "{groups} groups need {needed} engines, not {players}: {ADVANCING} of each go on"
                    | "{groups} 组需要 {needed} 个引擎，不是 {players} 个：每组有 {ADVANCING} 个出线",
                groups,
                needed,
                players
            ));
        }
        if self.format == Format::Knockout && self.rounds > 1 {
            return Err(message!(
                "a knockout is played once: --rounds is for other formats"
                    | "淘汰赛只进行一次：--rounds 用于其他赛制"
            ));
        }
        if self.format == Format::Knockout && self.play_off {
            return Err(message!(
                "a knockout leaves no ties to play off: --tie-break decides them"
                    | "淘汰赛没有需要加赛的并列名次：由 --tie-break 决定"
            ));
        }
        if self.forfeit == Some(Forfeit::TwoPoints) && self.scoring != PointSystem::Three {
            return Err(message!(
                "a forfeit can bring 2 points where a win brings 3: --scoring 3/1/0"
                    | "胜一局得三分时，弃权才能记 2 分：--scoring 3/1/0"
            ));
        }
        Ok(())
    }

    fn check_shard(&self) -> Result<(), Message> {
        if self.shard.is_whole() {
            return Ok(());
        }
        ensure!(
            self.format.is_fixed() && !self.play_off,
            "shards are for round robins and gauntlets without a play-off: elsewhere results decide who plays whom"
                | "只有不加赛的循环赛和擂台赛才能分成几份：其他赛制由结果决定谁对谁"
        );
        ensure!(
            self.journal.is_some(),
            "a shard needs a journal, from which the match is merged"
                | "一份比赛需要日志，才能合并成整场比赛"
        );
        Ok(())
    }

    pub const fn plan(&self) -> Plan {
        Plan {
            format: self.format,
            players: self.engines.len(),
            games: self.games,
            rounds: self.rounds,
            groups: self.groups,
            tie_break: self.tie_break,
            play_off: self.play_off,
            play_off_games: match (self.play_off_games, self.tie_break) {
                (Some(games), _) => games,
                (None, TieBreak::DecidingGame) => 1,
                (None, TieBreak::Pairs) => self.games,
            },
            seed: self.seed,
            shard: self.shard,
        }
    }

    /// What holds for all games.
    pub fn conditions(&self) -> Conditions {
        let is_serious_chess = self.game.game() == GameId::Chess && self.has_people();
        Conditions {
            kind: self.game,
            rules: self.rules.clone(),
            control: self.tc.clone(),
            margin: Duration::from_millis(self.margin_ms),
            notation: self.notation,
            illegal_moves: self.illegal_moves,
            wrong_claim: self.wrong_claim.unwrap_or(if is_serious_chess { WRONG_CLAIM } else { 0 }),
            adjudication: self.adjudication.clone(),
            tables: self.adjudication.tb.as_ref().map(|tb| Arc::new(Tables::open(&tb.path))),
            watch: None,
            hall: None,
            under_way: None,
        }
    }
}

#[cfg(test)]
mod tests;
