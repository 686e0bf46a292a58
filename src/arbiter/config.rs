//! A match as it is set up: by a TOML file, by the command line, or by both.

use super::adjudicate::Adjudication;
use super::play::Conditions;
use super::schedule::{ADVANCING, Format, Plan, TieBreak};
use super::standings::Scoring;
use super::stats::Sprt;
use crate::chess::syzygy::Tables;
use crate::client::player::{EngineSpec, Patience, Protocol};
use crate::game::GameId;
use crate::games::game::{Position, Start};
use crate::games::openings::OpeningSource;
use crate::games::record::{GameKind, Style};
use crate::games::referee::Rules;
use crate::games::time::Control;
use crate::util::files;
use crate::util::shard::Shard;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Everything about a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchConfig {
    /// What is played.
    pub game: GameKind,
    /// Name of the match in records.
    pub event: String,
    /// Where it is played.
    pub site: String,
    /// How players are paired.
    pub format: Format,
    /// Games of an encounter.
    pub games: usize,
    /// Swiss rounds; elsewhere, how often the whole is played.
    pub rounds: usize,
    /// Groups of a group stage.
    pub groups: usize,
    /// What decides encounters of knockouts and play-offs that end level.
    pub tie_break: TieBreak,
    /// Players whom the table leaves level for a place that counts play for it.
    pub play_off: bool,
    /// How points are counted.
    pub scoring: Scoring,
    /// A player that cannot be started forfeits its games, and each brings its opponent so much. Without it the match
    /// ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// Games at the same time.
    pub concurrency: usize,
    /// The time control of engines without one of their own.
    pub tc: Control,
    /// What a clock forgives a move, in milliseconds.
    pub margin_ms: u64,
    /// Seed of the order of openings.
    pub seed: u64,
    /// Stops when the results decide between two hypotheses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Where games start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningSource>,
    /// The part of the match that is played here; the others are played elsewhere, and the journals of all are merged.
    #[serde(skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// Games are written here as they end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PathBuf>,
    /// Go: games are written here as they end, one after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sgf: Option<PathBuf>,
    /// The journal: one JSON object a line; an interrupted match is resumed from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<PathBuf>,
    /// Every line to and from every engine is written here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<PathBuf>,
    /// A page that shows the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// Xiangqi: how moves are written in records.
    pub notation: Style,
    /// Games between two lines about the score.
    pub ratinginterval: usize,
    /// What the rules leave open.
    pub rules: Rules,
    /// When the arbiter ends a game.
    pub adjudication: Adjudication,
    /// How long it waits where no clock runs.
    pub patience: Patience,
    /// Go: settles what the players cannot agree on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third: Option<EngineSpec>,
    /// Settings of all engines that do not have their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<EngineSpec>,
    /// The players.
    pub engines: Vec<EngineSpec>,
}

/// What a game brings that the opponent forfeits (XQ-10).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Forfeit {
    /// As much as a win.
    #[serde(rename = "win")]
    Win,
    /// Two points, where a win has three.
    #[serde(rename = "2")]
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
            scoring: Scoring::Half,
            forfeit: None,
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

/// One argument as a command line has it: in quotes where it is empty, or has blanks or quotes.
fn quoted(arg: &str) -> String {
    if !arg.is_empty() && !arg.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
        return arg.to_owned();
    }
    // A quote stands within quotes of the other kind.
    let parts: Vec<&str> = arg.split('"').collect();
    parts.iter().map(|part| format!("\"{part}\"")).collect::<Vec<_>>().join("'\"'")
}

impl MatchConfig {
    /// Reads a TOML file.
    /// # Errors
    /// Names the file and what is wrong in it.
    pub fn load(file: &Path) -> Result<Self, String> {
        let text = files::read_named_text(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let read: Result<Self, toml::de::Error> = toml::from_str(&text);
        let mut config = read.map_err(|e| {
            let line = e
                .span()
                .and_then(|span| text.get(..span.start))
                .map_or(1, |before| before.split('\n').count());
            format!("{}:{line}: {}", file.display(), e.message().replace('\n', " "))
        })?;
        let engines = config.engines.iter_mut().chain(&mut config.third).chain(&mut config.each);
        for arg in engines.flat_map(|engine| &mut engine.args) {
            *arg = quoted(arg);
        }
        Ok(config)
    }

    /// Completes what was left out, and checks that a match can be played.
    /// # Errors
    /// What is missing or wrong.
    pub fn complete(&mut self) -> Result<(), String> {
        self.check_players()?;
        if let Some(each) = self.each.take() {
            for engine in &mut self.engines {
                inherit(engine, &each);
            }
        }
        let mut names = HashSet::new();
        for engine in self.engines.iter_mut().chain(&mut self.third) {
            complete_command(engine, &mut names)?;
        }
        for engine in &self.engines {
            let protocol = engine.protocol(self.game);
            let fits = match self.game.game() {
                GameId::Chess if self.game == GameKind::CHESS960 => protocol == Protocol::Uci,
                GameId::Chess => matches!(protocol, Protocol::Uci | Protocol::Xboard),
                GameId::Xiangqi => protocol != Protocol::Gtp,
                GameId::Go => protocol == Protocol::Gtp,
            };
            if matches!(protocol, Protocol::Gtp | Protocol::Xboard) && engine.ponders() {
                return Err(format!(
                    "engine {}: {protocol:?} has no command to ponder; an engine's own option may switch it on",
                    engine.name
                ));
            }
            if protocol == Protocol::Xboard && engine.nodes.is_some() {
                return Err(format!(
                    "engine {}: XBoard's protocol has no command that limits nodes",
                    engine.name
                ));
            }
            let limit = engine.tc.as_ref().unwrap_or(&self.tc);
            if protocol == Protocol::Gtp && !limit.later.is_empty() {
                return Err(format!("engine {}: GTP has no command for several periods", engine.name));
            }
            if protocol == Protocol::Xboard
                && limit.per_move.is_some_and(|time| time < Duration::from_secs(1))
            {
                return Err(format!(
                    "engine {}: XBoard's protocol has no time per move below a second",
                    engine.name
                ));
            }
            if !fits {
                return Err(format!("engine {}: {protocol:?} is no protocol of {}", engine.name, self.game));
            }
            if protocol == Protocol::Gtp && engine.depth.is_some() {
                return Err(format!("engine {}: GTP has no command that limits depth", engine.name));
            }
            let limited = limit.is_timed() || engine.nodes.is_some() || engine.depth.is_some();
            if !limited && self.game != GameKind::GO {
                return Err(format!(
                    "engine {}: needs a time control (--tc 8+0.08), nodes=N or depth=N",
                    engine.name
                ));
            }
        }
        self.check()?;
        self.check_tables()
    }

    /// Checks that there are the tables that decide games.
    /// # Errors
    /// There are none.
    pub fn check_tables(&self) -> Result<(), String> {
        let Some(tb) = &self.adjudication.tb else { return Ok(()) };
        if !matches!(self.game, GameKind::CHESS | GameKind::CHESS960) {
            return Err(format!("there are no endgame tables of {}", self.game));
        }
        if Tables::open(&tb.path).counts().0 == 0 {
            return Err(format!("{}: no endgame tables are there", tb.path));
        }
        Ok(())
    }

    /// Checks that the engines can play such a match.
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.check_players()?;
        if self.rounds == 0 || self.games == 0 {
            return Err("a match needs games and rounds".to_owned());
        }
        let Patience { ready, stall, quit } = self.patience;
        // The journal has no words for what is no number.
        if let Some(wrong) = [ready, stall, quit].into_iter().find(|s| !s.is_finite() || *s < 0.0) {
            return Err(format!("patience is in seconds, not {wrong}"));
        }
        if !self.rules.go.komi.is_finite() {
            return Err(format!("komi {} is no number", self.rules.go.komi));
        }
        if self.rules.go.first.is_some() || !self.rules.go.stones.is_empty() {
            return Err("games of a match start from an empty board or a handicap".to_owned());
        }
        self.check_format()?;
        self.check_shard()?;
        // Rules that do not exist are refused now, not in the first game.
        Position::at(&Start { kind: self.game, rules: self.rules.clone(), fen: None })?;
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err("a sequential test is between two engines".to_owned());
        }
        self.sprt.as_ref().map_or(Ok(()), Sprt::check)?;
        if !(1..=1024).contains(&self.concurrency) {
            return Err(format!("concurrency must be from 1 to 1024, not {}", self.concurrency));
        }
        Ok(())
    }

    /// Checks that no two of its files are one, `others` among them: the second would take the place of the first.
    /// # Errors
    /// Names the two.
    pub fn check_files(&self, others: &[(&str, &Path)]) -> Result<(), String> {
        let records = if self.game == GameKind::GO { &self.sgf } else { &self.pgn };
        let own = [
            ("the journal", &self.journal),
            ("the games", records),
            ("the trace", &self.trace),
            ("the report", &self.report),
        ];
        let own = own.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?)));
        let openings = self.openings.as_ref().filter(|source| !source.is_none());
        let read = openings.map(|source| ("the openings", source.file.as_path()));
        let mut earlier: Vec<(&str, &Path)> = Vec::new();
        let own = own.chain(read).map(|file| (file, true));
        for ((what, path), is_own) in own.chain(others.iter().map(|&file| (file, false))) {
            if let Some((first, _)) = earlier.iter().find(|(_, other)| files::is_same(other, path)) {
                return Err(format!("{}: it cannot be both {first} and {what}", path.display()));
            }
            // Others are read alone, and may be read twice.
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

    fn check_players(&self) -> Result<(), String> {
        match self.engines.len() {
            2.. => Ok(()),
            few => Err(format!("a match needs two engines, not {few}")),
        }
    }

    fn check_format(&self) -> Result<(), String> {
        let (groups, players) = (self.groups, self.engines.len());
        if self.format == Format::Groups && (groups < 2 || !groups.is_power_of_two()) {
            return Err(format!(
                "groups must be 2, 4, 8 or so on, not {groups}: their first two meet crosswise"
            ));
        }
        let needed = groups.saturating_mul(ADVANCING);
        if self.format == Format::Groups && players < needed {
            return Err(format!(
                "{groups} groups need {needed} engines, not {players}: {ADVANCING} of each go on"
            ));
        }
        if self.format == Format::Knockout && self.rounds > 1 {
            return Err("a knockout is played once: --rounds is for other formats".to_owned());
        }
        if self.format == Format::Knockout && self.play_off {
            return Err(
                "a knockout leaves no ties to play off; what decides them is the tie-break".to_owned()
            );
        }
        if self.forfeit == Some(Forfeit::TwoPoints) && self.scoring != Scoring::Three {
            return Err("a forfeit can bring 2 points where a win brings 3: --scoring 3/1/0".to_owned());
        }
        Ok(())
    }

    fn check_shard(&self) -> Result<(), String> {
        if self.shard.is_whole() {
            return Ok(());
        }
        if !self.format.is_fixed() || self.play_off {
            return Err(
                "shards are of round robins and gauntlets without a play-off: elsewhere results decide who plays whom"
                    .to_owned(),
            );
        }
        if self.journal.is_none() {
            return Err("a shard needs a journal, from which the match is merged".to_owned());
        }
        Ok(())
    }

    /// How it is paired.
    pub const fn plan(&self) -> Plan {
        Plan {
            format: self.format,
            players: self.engines.len(),
            games: self.games,
            rounds: self.rounds,
            groups: self.groups,
            tie_break: self.tie_break,
            play_off: self.play_off,
            seed: self.seed,
            shard: self.shard,
        }
    }

    /// What holds for all games.
    pub fn conditions(&self) -> Conditions {
        Conditions {
            kind: self.game,
            rules: self.rules.clone(),
            control: self.tc.clone(),
            margin: Duration::from_millis(self.margin_ms),
            notation: self.notation,
            adjudication: self.adjudication.clone(),
            tables: self.adjudication.tb.as_ref().map(|tb| Arc::new(Tables::open(&tb.path))),
        }
    }
}

/// The command as a whole, and a name that no other engine has: the program's, unless it has one.
fn complete_command(engine: &mut EngineSpec, names: &mut HashSet<String>) -> Result<(), String> {
    if engine.cmd.is_empty() {
        return Err(format!("engine {:?} has no cmd", engine.name));
    }
    engine.join_args();
    if engine.name.is_empty() {
        let program = engine.cmd.split_whitespace().next().unwrap_or("engine");
        engine.name = Path::new(program).file_name().map_or(program.into(), |n| n.to_string_lossy()).into();
    }
    while !names.insert(engine.name.clone()) {
        engine.name.push('\'');
    }
    Ok(())
}

/// Takes from `each` what `engine` leaves open.
fn inherit(engine: &mut EngineSpec, each: &EngineSpec) {
    let inherited =
        each.options.iter().filter(|(name, _)| !engine.options.iter().any(|(own, _)| own == name));
    let mut options: Vec<_> = inherited.cloned().collect();
    options.append(&mut engine.options);
    engine.options = options;
    if engine.cmd.is_empty() {
        engine.cmd = each.cmd.clone();
    }
    engine.args.extend_from_slice(&each.args);
    let init = each.init.clone();
    engine.init.splice(0..0, init);
    engine.proto = engine.proto.or(each.proto);
    engine.tc = engine.tc.take().or_else(|| each.tc.clone());
    engine.nodes = engine.nodes.or(each.nodes);
    engine.depth = engine.depth.or(each.depth);
    engine.dir = engine.dir.take().or_else(|| each.dir.clone());
    engine.stderr = engine.stderr.take().or_else(|| each.stderr.clone());
    engine.restart = engine.restart.or(each.restart);
    engine.ponder = engine.ponder.or(each.ponder);
    engine.timemargin = engine.timemargin.or(each.timemargin);
}

/// Reads an engine as the command line gives it: words such as `cmd=./a`, `name=A`, `option.Hash=16`.
/// # Errors
/// Names the word that is wrong.
pub fn engine_from_words<S: AsRef<str>>(words: &[S]) -> Result<EngineSpec, String> {
    let mut spec = EngineSpec::default();
    for word in words.iter().map(AsRef::as_ref) {
        // cutechess has it without a value.
        let word = if word == "ponder" { "ponder=on" } else { word };
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("engine: {word:?} is not key=value; a program is cmd={word}"))?;
        let switch = || match value {
            "on" | "true" => Ok(true),
            "off" | "auto" | "false" => Ok(false),
            _ => Err(format!("engine: {word:?}: {value:?} is neither on nor off")),
        };
        let number =
            || value.parse::<u64>().map_err(|_| format!("engine: {word:?}: {value:?} is not a number"));
        match key {
            "name" => spec.name = value.to_owned(),
            "cmd" => spec.cmd = value.to_owned(),
            "arg" => spec.args.push(quoted(value)),
            "args" => spec.args.push(value.to_owned()),
            "dir" => spec.dir = Some(value.into()),
            "stderr" => spec.stderr = Some(value.into()),
            "init" | "initstr" => spec.init.push(value.to_owned()),
            "nodes" => spec.nodes = Some(number()?),
            "depth" | "plies" => spec.depth = Some(number()?.min(u64::from(u32::MAX)) as u32),
            "tc" => spec.limit(value)?,
            "st" => spec.tc = Some(format!("st={value}").parse()?),
            "restart" => spec.restart = Some(switch()?),
            "ponder" => spec.ponder = Some(switch()?),
            "timemargin" => spec.timemargin = Some(number()?),
            "proto" => {
                spec.proto = Some(match value {
                    "uci" => Protocol::Uci,
                    "ucci" => Protocol::Ucci,
                    "gtp" => Protocol::Gtp,
                    "xboard" => Protocol::Xboard,
                    _ => return Err(format!("engine: unknown protocol {value:?}: uci, ucci, gtp or xboard")),
                });
            }
            _ => match key.strip_prefix("option.") {
                Some(option) => spec.options.push((option.to_owned(), value.to_owned())),
                None => return Err(format!("engine: unknown key {key:?}")),
            },
        }
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::process::CommandLine;
    use crate::game::Side;
    use tempfile::tempdir;

    #[test]
    fn engines_are_read_from_words() {
        let spec = engine_from_words(&[
            "cmd=./a",
            "args=-x 1",
            "name=A",
            "proto=ucci",
            "option.Hash=16",
            "tc=8+0.08",
        ])
        .unwrap();
        assert_eq!((spec.cmd.as_str(), spec.name.as_str()), ("./a", "A"));
        assert_eq!(spec.args, ["-x 1"]);
        assert_eq!(spec.proto, Some(Protocol::Ucci));
        assert_eq!(spec.options, [("Hash".to_owned(), "16".to_owned())]);
        assert_eq!(spec.tc, Some("8+0.08".parse().unwrap()));
        for bad in ["x", "colour=blue", "proto=usi", "nodes=many", "tc=never"] {
            assert!(engine_from_words(&[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn engines_inherit_what_they_leave_open() {
        let mut config = MatchConfig {
            each: Some(
                engine_from_words(&[
                    "cmd=/usr/bin/a",
                    "args=-q",
                    "tc=1+0.1",
                    "option.Hash=1",
                    "option.Threads=2",
                    "ponder",
                ])
                .unwrap(),
            ),
            engines: vec![
                engine_from_words(&["args=-x 1", "cmd=/bin/a", "option.Hash=64", "ponder=off"]).unwrap(),
                engine_from_words(&["nodes=5"]).unwrap(),
            ],
            ..MatchConfig::default()
        };
        config.complete().unwrap();
        let [a, b] = &config.engines[..] else { panic!() };
        assert_eq!((a.name.as_str(), b.name.as_str()), ("a", "a'"));
        assert_eq!((a.cmd.as_str(), b.cmd.as_str()), ("/bin/a -x 1 -q", "/usr/bin/a -q"));
        assert_eq!(a.options.len(), 2);
        assert!(a.options.contains(&("Hash".to_owned(), "64".to_owned())));
        assert_eq!(b.tc, Some("1+0.1".parse().unwrap()));
        assert_eq!((a.ponders(), b.ponders()), (false, true));
    }

    #[test]
    fn an_argument_stays_as_it_is() {
        for arg in ["-x", "", "two words", "it's", "--x=\"a\"", "it's \"a b\"", "\""] {
            let mut spec = engine_from_words(&["cmd=a", &format!("arg={arg}")]).unwrap();
            spec.join_args();
            assert_eq!(CommandLine::parse(&spec.cmd).unwrap().words, ["a", arg], "{}", spec.cmd);
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let two = |words: &[&str]| MatchConfig {
            engines: vec![
                engine_from_words(words).unwrap(),
                engine_from_words(&["cmd=b", "depth=1"]).unwrap(),
            ],
            ..MatchConfig::default()
        };
        assert!(MatchConfig::default().complete().unwrap_err().contains("two engines"));
        assert!(two(&["cmd=a"]).complete().unwrap_err().contains("time control"));
        assert!(two(&["cmd=a", "depth=1", "proto=gtp"]).complete().unwrap_err().contains("protocol"));
        assert_eq!(two(&["cmd=a", "depth=1"]).complete(), Ok(()));
        let groups = 1 << (usize::BITS - 1);
        let mut many = MatchConfig { format: Format::Groups, groups, ..two(&["cmd=a", "depth=1"]) };
        assert!(many.complete().unwrap_err().contains(&format!("need {} engines", usize::MAX)));
        let refused = |change: &dyn Fn(&mut MatchConfig)| {
            let mut config = two(&["cmd=a", "depth=1"]);
            change(&mut config);
            config.complete().unwrap_err()
        };
        assert!(refused(&|config| config.patience.stall = f64::INFINITY).contains("patience"));
        assert!(refused(&|config| config.rules.go.komi = f32::NAN).contains("komi"));
        assert!(refused(&|config| config.rules.go.first = Some(Side::Second)).contains("empty board"));
        assert!(
            refused(&|config| (config.format, config.rounds) = (Format::Knockout, 3)).contains("--rounds")
        );
    }

    #[test]
    fn errors_in_a_file_name_the_line() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("match.toml");
        std::fs::write(&file, "game = \"chess\"\n\ngamez = 3\n").unwrap();
        let error = MatchConfig::load(&file).unwrap_err();
        assert!(error.contains(".toml:3:") && error.contains("gamez"), "{error}");
    }
}
