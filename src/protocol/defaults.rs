//! `sanqi.toml`: values of options that hold until the command line or the client sets others.
//!
//! What the file may hold, and what [`Defaults::render`] prints, is read from the tables of options that the
//! dialects declare, so that neither can differ from what is declared. A value from the file becomes the
//! default that is declared: clients that send every option back with its default keep the file's values.

use super::gtp;
use super::options;
use crate::engine::{self, GameId, OptionKind, OptionSpec};
use crate::message;
use crate::util::message::Message;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::fmt::Write;
use toml::de::{DeTable, DeValue};

/// The name of the file, in any folder.
pub const FILE_NAME: &str = "sanqi.toml";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The game; `None`: the option is the controller's.
    pub game: Option<GameId>,
    pub name: &'static str,
    /// Its value, checked and normalized.
    pub value: String,
    /// Its origin: the file and the line.
    pub place: Message,
}

/// Mistakes of a file that are reported.
const MAX_PROBLEMS: usize = 100;

#[derive(Clone, Debug, Default)]
pub struct Defaults {
    settings: Vec<Setting>,
    problems: Vec<Message>,
}

/// A key of the file with its value, its line, and its place as messages name it.
struct Entry<'a> {
    key: &'a str,
    value: &'a DeValue<'a>,
    line: usize,
    place: Message,
}

/// Options that a part of the file has set, each with its line.
type Lines = BTreeMap<(Option<&'static str>, &'static str), usize>;

fn in_line(file: &str, line: usize) -> Message {
    message!("{file} line {line}" | "{file} 第 {line} 行", file, line)
}

impl Defaults {
    /// Reads the text of the file that messages call `file`. What is wrong is reported by
    /// [`problems`](Self::problems), and the rest holds.
    pub fn parse(text: &str, file: &str) -> Self {
        let mut this = Self::default();
        let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line = |at: usize| line_ends.partition_point(|&end| end < at).saturating_add(1);
        let place = |at: usize| in_line(file, line(at));
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let place = place(error.span().map_or(0, |span| span.start));
                this.problem(&place, &unused(error.message()));
                return this;
            }
        };
        // A setting for a game overrides one for all games, wherever it stands in the file.
        this.add_all(&GameId::ALL, &table, (file, &line));
        for (section, value) in &table {
            let Some(inner) = value.get_ref().as_table() else { continue };
            let Some(game) = GameId::from_name(section.get_ref()) else {
                let names = GameId::ALL.map(GameId::name).join(", ");
                let place = place(section.span().start);
                let section = section.get_ref();
                let why = message!(
                    "[{section}] is none of the sections {names}"
                        | "[{section}] 不是选项文件的节；有这些节：{names}",
                    section,
                    names
                );
                this.problem(&place, &why);
                continue;
            };
            this.add_all(&[game], inner, (file, &line));
        }
        this
    }

    /// A file that cannot be read, with the reason.
    pub fn unreadable(problem: Message) -> Self {
        Self { settings: Vec::new(), problems: vec![problem] }
    }

    /// The problems of the file, one per line.
    pub fn problems(&self) -> &[Message] {
        &self.problems
    }

    /// The settings of a game, or of the controller.
    pub fn of(&self, game: Option<GameId>) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(move |setting| setting.game == game)
    }

    /// Sets an option of a game, in place of the file's value.
    pub fn set_for(&mut self, game: GameId, name: &str, value: &str) -> Result<(), Message> {
        let specs = engine::declared(game);
        let spec = options::find(&specs, name)?;
        let value = settable(spec, value)?;
        self.set(Some(game), spec.name, value, &Message::default());
        Ok(())
    }

    /// Forgets a value that the engine refused.
    pub fn forget(&mut self, game: Option<GameId>, name: &str) {
        self.settings.retain(|setting| setting.game != game || setting.name != name);
    }

    /// An option of a game, or of the controller, with the file's value as its default.
    pub fn adapted(&self, game: Option<GameId>, mut spec: OptionSpec) -> OptionSpec {
        let Some(setting) = self.of(game).find(|setting| setting.name == spec.name) else { return spec };
        match &mut spec.kind {
            OptionKind::Check(default) => *default = setting.value == "true",
            // It was checked when it was read.
            OptionKind::Spin { default, .. } => *default = setting.value.parse().unwrap_or(*default),
            OptionKind::Combo { default, choices } => {
                *default = choices.iter().find(|choice| **choice == setting.value).unwrap_or(default);
            }
            OptionKind::Text(default) => *default = setting.value.clone().into(),
            OptionKind::Button => (),
        }
        spec
    }

    /// Takes over what stands before the first section, for all games, or in a section, for its game. `line`
    /// is that of a byte of the file.
    fn add_all(
        &mut self,
        games: &[GameId],
        table: &DeTable<'_>,
        (file, line): (&str, &dyn Fn(usize) -> usize),
    ) {
        let is_section = |value: &DeValue<'_>| games.len() > 1 && value.is_table();
        let mut all: Vec<_> = table.iter().filter(|(_, value)| !is_section(value.get_ref())).collect();
        all.sort_by_key(|(key, _)| key.span().start);
        let mut lines = Lines::new();
        for (key, value) in all {
            let line = line(key.span().start);
            let place = in_line(file, line);
            let entry = Entry { key: key.get_ref(), value: value.get_ref(), line, place };
            if let Err(why) = self.add(games, &entry, &mut lines) {
                self.problem(&entry.place, &why);
            }
        }
    }

    /// # Errors
    /// The entry is wrong for some game; games that accept it have it set.
    fn add(&mut self, games: &[GameId], entry: &Entry<'_>, lines: &mut Lines) -> Result<(), Message> {
        let key = entry.key;
        let Some(value) = plain_value(entry.value) else {
            return Err(message!(
                "{key} must be a text, a number, true or false" | "{key} 须为文字、数、true 或 false",
                key
            ));
        };
        let is_for_all = games.len() > 1;
        let plays_go = games.contains(&GameId::Go);
        if let Some(option) = gtp::option_of_kata(key, &value).filter(|_| plays_go) {
            let of_go = |(name, value): (&str, String)| {
                let specs = tables(&[GameId::Go]);
                self.set_where_known(name, &value, (entry, lines), (&specs, is_for_all))
            };
            let set = option.map_err(Message::from).and_then(of_go);
            return set.map(drop).map_err(|why| message!("{key}: {why}" | "{key}：{why}", key, why));
        }
        let specs = tables(games);
        if self.set_where_known(key, &value, (entry, lines), (&specs, is_for_all))? {
            return Ok(());
        }
        let there = specs.iter().filter(|(game, _)| is_for_all || game.is_some());
        let names = there.flat_map(|(_, specs)| specs).map(|spec| spec.name);
        let near = names.max_by(|a, b| strsim::jaro_winkler(a, key).total_cmp(&strsim::jaro_winkler(b, key)));
        let near = near.unwrap_or_default();
        Err(message!(
            "no such option: {key}; {near} is the nearest, --print-config lists all"
                | "没有选项 {key}；最接近的是 {near}，--print-config 列出全部",
            key,
            near
        ))
    }

    /// Sets an option in every game that has it. `false`: none has.
    fn set_where_known(
        &mut self,
        name: &str,
        value: &str,
        (entry, lines): (&Entry<'_>, &mut Lines),
        (tables, is_for_all): (&[Table], bool),
    ) -> Result<bool, Message> {
        let found: Vec<_> = tables
            .iter()
            .filter_map(|(game, specs)| Some((*game, options::find(specs, name).ok()?)))
            .collect();
        let mut wrong = None;
        for &(game, spec) in &found {
            let set = match (game, settable(spec, value)) {
                (None, _) if !is_for_all => Err(message!(
                    "{name} stands before the first section" | "{name} 写在第一节之前",
                    name = spec.name
                )),
                (_, Err(why)) => Err(why),
                (_, Ok(value)) => match lines.entry((game.map(GameId::name), spec.name)) {
                    Occupied(earlier) => Err(message!(
                        "{name} was set in line {line}" | "{name} 已在第 {line} 行设置",
                        name = spec.name,
                        line = earlier.get()
                    )),
                    Vacant(free) => {
                        free.insert(entry.line);
                        self.set(game, spec.name, value, &entry.place);
                        Ok(())
                    }
                },
            };
            wrong = wrong.or(set.err());
        }
        wrong.map_or(Ok(!found.is_empty()), Err)
    }

    fn set(&mut self, game: Option<GameId>, name: &'static str, value: String, place: &Message) {
        self.forget(game, name);
        self.settings.push(Setting { game, name, value, place: place.clone() });
    }

    fn problem(&mut self, place: &Message, why: &Message) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(message!("{place}: {why}" | "{place}：{why}", place, why));
        }
    }

    /// A file with the same settings: every option with its range and default, commented out unless set.
    pub fn render(&self) -> String {
        let mut text = HEADER.to_owned();
        let options = options::CONTROLLER.to_vec();
        self.render_section(None, &options, &mut text);
        for game in GameId::ALL {
            let _ = writeln!(text, "\n[{}]", game.name());
            self.render_section(Some(game), &engine::declared(game), &mut text);
        }
        text
    }

    fn render_section(&self, game: Option<GameId>, specs: &[OptionSpec], text: &mut String) {
        for spec in specs {
            let Some(default) = options::default_value(&spec.kind) else { continue };
            let set = self.of(game).find(|setting| setting.name == spec.name);
            let mark = if set.is_some() { "" } else { "# " };
            let value = written(&spec.kind, set.map_or(&default, |setting| &setting.value));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n# {}", options::about(spec, &Message::default()));
            let _ = writeln!(text, "{mark}{} = {value}", written_key(spec.name));
        }
    }
}

const HEADER: &str = "\
# Options of Sanqi: values that hold until the command line or a GUI sets others.
#
# It is looked for beside the program, then in the folder sanqi of the folder of your settings ($XDG_CONFIG_HOME or
# ~/.config; on Windows %APPDATA%). The first one found is used. --config FILE takes another, --no-config none.
#
# An option that stands before the first section is set in every game that has it.
";

type Table = (Option<GameId>, Vec<OptionSpec>);

/// The options of the controller and of these games.
fn tables(games: &[GameId]) -> Vec<Table> {
    let own = (None, options::CONTROLLER.to_vec());
    std::iter::once(own).chain(games.iter().map(|&game| (Some(game), engine::declared(game)))).collect()
}

/// The value as a client would send it. `None`: it is not a single value.
fn plain_value(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Some(number.to_string()),
            // Out of the range of all options: the message names what was written.
            Err(_) => Some(number.as_str().to_owned()),
        },
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// A file that cannot be read as a whole.
pub fn unused(why: impl std::fmt::Display) -> Message {
    message!("{why}; nothing of this file is used" | "{why}；这个文件完全不用", why)
}

fn settable(spec: &OptionSpec, value: &str) -> Result<String, Message> {
    match spec.kind {
        OptionKind::Button => Err(message!(
            "{name} is something to do, and has no value" | "{name} 是立即执行的操作，没有值",
            name = spec.name
        )),
        _ => Ok(options::check(spec, value)?),
    }
}

fn written_key(name: &str) -> String {
    let is_bare = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if is_bare { name.to_owned() } else { toml::Value::from(name).to_string() }
}

fn written(kind: &OptionKind, value: &str) -> String {
    match kind {
        OptionKind::Check(_) | OptionKind::Spin { .. } => value.to_owned(),
        _ => toml::Value::from(value).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<'a>(defaults: &'a Defaults, game: Option<GameId>, name: &str) -> Option<&'a str> {
        defaults.of(game).find(|setting| setting.name == name).map(|setting| setting.value.as_str())
    }

    #[test]
    fn what_is_set_for_a_game_goes_before_what_is_set_for_all() {
        let text = "Threads = 3\nhash = 0x40\n[go]\n\"Hash\" = 512\nevaluator = \"NET\"\n[chess]\n\"move overhead\" = \"77\"\n";
        let defaults = Defaults::parse(text, "f");
        assert_eq!(defaults.problems(), [""; 0]);
        let [chess, xiangqi, go] = GameId::ALL.map(Some);
        for (game, name, value) in [
            (chess, "Threads", Some("3")),
            (go, "Threads", Some("3")),
            (xiangqi, "Hash", Some("64")),
            (go, "Hash", Some("512")),
            (go, "Evaluator", Some("net")),
            (chess, "Move Overhead", Some("77")),
            (xiangqi, "Move Overhead", None),
            (None, "Threads", None),
        ] {
            assert_eq!(set(&defaults, game, name), value, "{game:?} {name}");
        }
        let log = Defaults::parse("\"Debug Log File\" = 'a b'", "f");
        assert_eq!(set(&log, None, options::DEBUG_LOG_FILE), Some("a b"));
        let spec = options::find(&engine::declared(GameId::Go), "hash").unwrap().clone();
        let spec = defaults.adapted(go, spec);
        assert_eq!(options::default_value(&spec.kind).as_deref(), Some("512"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_rest_holds() {
        for (text, problem) in [
            (
                "Thread = 2",
                "f line 1: no such option: Thread; Threads is the nearest, --print-config lists all",
            ),
            ("\n\nHash = 0", "f line 3: Hash must be a whole number from 1 to 1048576, not '0'"),
            (
                "Hash = 99999999999999999999",
                "f line 1: Hash must be a whole number from 1 to 1048576, not '9",
            ),
            ("MultiPV = 1.5", "f line 1: MultiPV must be a whole number from 1 to 256, not '1.5'"),
            ("[chess]\nHash = [1]", "f line 2: Hash must be a text, a number, true or false"),
            (
                "[go]\nEvaluator = 'luck'",
                "f line 2: Evaluator must be one of auto, playouts, hybrid, net, not 'luck'",
            ),
            ("[go]\nPonder = true", "f line 2: Ponder stands before the first section"),
            (
                "[go]\nponderingEnabled = true",
                "f line 2: ponderingEnabled: Ponder stands before the first section",
            ),
            ("[chess]\ndebuglogfile = 'x'", "f line 2: Debug Log File stands before the first section"),
            ("THREADS = 3\n\nthreads = 2", "f line 3: Threads was set in line 1"),
            ("[go]\n'Max Time' = 7000\nmaxTime = 5", "f line 3: maxTime: Max Time was set in line 2"),
            ("[checkers]\nHash = 1", "f line 1: [checkers] is none of the sections chess, xiangqi, go"),
            ("[go]\n'Clear Hash' = true", "f line 2: Clear Hash is something to do, and has no value"),
            ("Threads = 5\nHash =", "f line 2: "),
            ("Threads = 5\nThreads = 6", "f line 2: duplicate key"),
        ] {
            let defaults = Defaults::parse(text, "f");
            let problems = defaults.problems();
            assert!(
                problems.iter().any(|found| found.to_string().starts_with(problem)),
                "{text}: {problems:?}"
            );
            assert_eq!(problems.len(), 1, "{text}: {problems:?}");
        }
        let defaults = Defaults::parse("Thread = 2\nThreads = 4", "f");
        assert_eq!((defaults.problems().len(), set(&defaults, Some(GameId::Go), "Threads")), (1, Some("4")));
        // Of two spellings the first one holds, and KataGo's names are reported with their place as well.
        let defaults = Defaults::parse("[go]\n'Max Time' = 7000\nmaxTime = 5\nmaxVisits = 3", "f");
        let go: Vec<_> = defaults
            .of(Some(GameId::Go))
            .map(|one| (one.value.as_str(), one.place.text(crate::util::lang::Language::English)))
            .collect();
        assert_eq!(go, [("7000", "f line 2"), ("3", "f line 4")]);
        let defaults = Defaults::parse("ponderingEnabled = true\nthreads = 2\n[go]\nThreads = 3", "f");
        assert_eq!(defaults.problems(), [""; 0]);
        assert_eq!(set(&defaults, None, options::PONDER), Some("true"));
        assert_eq!(set(&defaults, Some(GameId::Go), "Threads"), Some("3"));
    }

    /// Any printed file can be read again without problems, and declares the same defaults.
    #[test]
    fn the_printed_file_holds_every_option_and_is_read_again() {
        let printed = Defaults::default().render();
        assert!(Defaults::parse(&printed, "f").settings.is_empty());
        let enabled: String = printed
            .lines()
            .map(|line| {
                line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line).to_owned() + "\n"
            })
            .collect();
        let read = Defaults::parse(&enabled, "f");
        assert_eq!(read.problems(), [""; 0]);
        let mut count = 0;
        for game in GameId::ALL {
            for spec in engine::declared(game) {
                let default = options::default_value(&spec.kind);
                count += usize::from(default.is_some());
                assert_eq!(set(&read, Some(game), spec.name), default.as_deref(), "{}", spec.name);
                assert!(default.is_none() || printed.contains(spec.help.0), "{}", spec.name);
            }
        }
        assert_eq!(read.settings.len(), count + options::CONTROLLER.len());
        let own = Defaults::parse("Threads = 7\n[go]\nSeed = 5\nEvalFile = \"a\\\\b\"", "f");
        let again = Defaults::parse(&own.render(), "f");
        let values = |d: &Defaults| {
            let mut all: Vec<_> =
                d.settings.iter().map(|s| (s.game.map(GameId::name), s.name, s.value.clone())).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(values(&own), values(&again));
    }
}
