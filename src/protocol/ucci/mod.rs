//! UCCI 3.0: xiangqi.
//!
//! Times are in seconds until the client sets `usemillisec`. Moves are ICCS coordinates, files `a` to
//! `i`, ranks 0 to 9.
//!
//! Source: the protocol text 3.0 of December 2004, revised in November 2007.

pub(super) mod parse;
pub(super) mod settings;
#[cfg(test)]
mod tests;

use super::conversation::{Command, Conversation, Language};
use super::io::FastAction;
use super::words::{PositionCommand, shorten};
use super::{Dialect, Host, options};
use crate::engine::{BestMove, Bound, GameId, HashProbe, Info, OptionKind, OptionSpec, Score};
use crate::message;
use crate::util::lang;
use crate::util::message::Message;
use settings::{Effect, Setting};

/// The score of a mate on the board, one less for each ply until it. Other scores stay below
/// [`MAX_SCORE`].
const MATE: i32 = 10_000;
const MAX_SCORE: i32 = 9_000;

/// The engine's option for several variations.
const MULTI_PV: &str = "MultiPV";

pub fn opens(line: &str) -> bool {
    matches!(line.split_ascii_whitespace().next(), Some("ucci" | "banmoves" | "probe" | "setoption"))
}

/// Whether an option can be set, by its name here or by that of the engine.
pub fn has_option(name: &str, value: &str) -> bool {
    let specs = [options::CONTROLLER.to_vec(), crate::engine::declared(GameId::Xiangqi)].concat();
    settings::all(&specs).iter().any(|setting| settings::plain_name(&setting.spec).eq_ignore_ascii_case(name))
        || options::translate(name, value).is_some()
        || options::is_known(&[GameId::Xiangqi, GameId::Chess], name)
}

pub fn create(_: Option<GameId>, language: lang::Language) -> Box<dyn Dialect> {
    Box::new(Conversation::new(Ucci { language, ..Ucci::default() }))
}

#[derive(Default)]
pub struct Ucci {
    milliseconds: bool,
    batch: bool,
    debug: bool,
    /// Several variations are sent.
    multipv: bool,
    language: lang::Language,
}

impl Ucci {
    fn apply(&mut self, setting: &Setting, value: &str, host: &mut dyn Host) -> Result<bool, Message> {
        if let Some(name) =
            settings::target(setting.effect).filter(|name| options::translate(name, value).is_some())
        {
            return host.set_option(name, value).map(|()| false);
        }
        let value = options::check(&setting.spec, value)?;
        let on = value == "true";
        match (setting.effect, setting.spec.name) {
            (Effect::Dialect, settings::USEMILLISEC) => self.milliseconds = on,
            (Effect::Dialect, settings::BATCH) => self.batch = on,
            (Effect::Dialect, settings::DEBUG) => self.debug = on,
            (Effect::Dialect, _) if on => {
                return Err(message!("soldiers do not promote in these rules" | "这里的规则没有升变"));
            }
            (Effect::NewGame, _) => {
                return Ok(true);
            }
            (effect, _) => {
                let specs = host.options();
                let target = settings::target(effect).and_then(|name| options::find(&specs, name).ok());
                if let Some(spec) = target {
                    let value = engine_value(effect, &value, &spec.kind);
                    host.set_option(spec.name, &value)?;
                    self.multipv = if spec.name == MULTI_PV { value != "1" } else { self.multipv };
                }
            }
        }
        Ok(false)
    }
}

impl Language for Ucci {
    const NEW_GAME: &'static str = "newgame";
    const DEPTH_ZERO_EVALUATES: bool = true;
    const FAREWELL: Option<&'static str> = Some("bye");
    const REMARK: fn(&str) -> String = |text| format!("info message {}", shorten(text));
    const HELP: &[&str] = HELP;

    fn first_game(&self) -> GameId {
        GameId::Xiangqi
    }

    fn parse(&self, line: &str) -> Command {
        parse::parse(line)
    }

    fn fast_action(&self) -> fn(&str) -> FastAction {
        if self.batch { parse::fast_action_in_batch } else { parse::fast_action }
    }

    fn works_through_input(&self) -> bool {
        self.batch
    }

    fn debug(&mut self) -> &mut bool {
        &mut self.debug
    }

    fn begin(&mut self, host: &mut dyn Host) {
        let specs = host.options();
        let lines = options::find(&specs, MULTI_PV).ok().and_then(|spec| options::default_value(&spec.kind));
        self.multipv = lines.is_some_and(|lines| lines != "1");
    }

    fn declared(&self, host: &mut dyn Host) -> Vec<(String, OptionSpec)> {
        let all = settings::all(&host.options());
        all.into_iter().map(|setting| (settings::plain_name(&setting.spec), setting.spec)).collect()
    }

    fn help_option(&self, name: &str, host: &mut dyn Host) -> String {
        let Some(setting) = settings::find(&host.options(), name, "") else {
            return options::help(name, &self.declared(host));
        };
        let about = options::about(&setting.spec, &settings::meaning(setting.effect));
        let own = settings::plain_name(&setting.spec);
        message!("{own}: {about}" | "{own}：{about}", own, about).text(self.language).to_owned()
    }

    fn identify(&self, host: &mut dyn Host) {
        host.send("id name Sanqi");
        host.send(concat!("id version ", env!("CARGO_PKG_VERSION")));
        host.send("id copyright MIT OR Apache-2.0");
        host.send("id author the Sanqi authors");
        host.send("id user unknown");
        for line in settings::all(&host.options()).iter().filter_map(settings::line) {
            host.send(&line);
        }
        host.send("ucciok");
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<bool, Message> {
        let specs = host.options();
        match settings::find(&specs, name, value) {
            Some(setting) => self.apply(&setting, value, host),
            None if options::translate(name, value).is_some() => host.set_option(name, value).map(|()| false),
            // Unknown options are ignored, as the text demands.
            None if self.debug => Err(options::OptionError::Unknown(shorten(name)).into()),
            None => Ok(false),
        }
    }

    fn set_position(&mut self, position: &PositionCommand, host: &mut dyn Host) -> Result<(), Message> {
        host.set_position(&position.clone().spec())
    }

    fn clock(&self, _: usize) -> (usize, i64) {
        (0, if self.milliseconds { 1 } else { 1000 })
    }

    fn message(&self, remark: &Message) -> String {
        (Self::REMARK)(remark.text(self.language))
    }

    /// Two lines for an iteration, as the text has them. The second has what the first has as well, and the
    /// speed: some clients (TChess, xiangqi_tui) read all from one line. The text has no bounds: they are not
    /// sent. Several variations are numbered as in UCI. In debug mode a message has the
    /// other fields.
    fn info(&self, info: &Info) -> Vec<String> {
        if info.bound != Bound::Exact || (info.multipv > 1 && !self.multipv) {
            return Vec::new();
        }
        let (time, nodes, nps) = (info.time.as_millis(), info.nodes, info.nodes_per_second());
        let number = if self.multipv { format!(" multipv {}", info.multipv) } else { String::new() };
        let count = format!("time {time} nodes {nodes} nps {nps}");
        let mut line = format!("info depth {}{number} score {} {count}", info.depth, score(info.score));
        if let Some([win, draw, loss]) = info.wdl {
            line += &format!(" wdl {win} {draw} {loss}");
        }
        if !info.pv.is_empty() {
            line += " pv ";
            line += &info.pv.join(" ");
        }
        let mut lines = vec![format!("info {count}"), line];
        if self.debug {
            let more = message!(
                "seldepth {depth}, {permille} permille of the table"
                    | "选择深度 {depth}，置换表已用千分之 {permille}",
                depth = info.seldepth,
                permille = info.hashfull
            );
            lines.push(self.message(&more));
        }
        lines
    }

    fn current_move(&self, mv: &str, _: u32) -> String {
        format!("info currmove {mv}")
    }

    /// `bestmove .. [ponder ..] [draw|resign]`.
    fn best_move(&self, best: &BestMove) -> String {
        let Some(mv) = &best.mv else { return "nobestmove".to_owned() };
        let ponder = best.ponder.as_ref().map(|mv| format!(" ponder {mv}")).unwrap_or_default();
        let remark = if best.resign {
            " resign"
        } else if best.draw {
            " draw"
        } else {
            ""
        };
        format!("bestmove {mv}{ponder}{remark}")
    }

    fn static_evaluation(&self, score: i32) -> Vec<String> {
        let score = score.clamp(-MAX_SCORE, MAX_SCORE);
        vec![format!("info depth 0 score {score}"), "nobestmove".to_owned()]
    }

    fn pop_hash(&self, probe: &HashProbe) -> String {
        pop_hash(probe)
    }
}

fn engine_value(effect: Effect, value: &str, kind: &OptionKind) -> String {
    match (effect, kind) {
        (Effect::EngineOrDefault(_), OptionKind::Spin { default, .. }) if value == "0" => default.to_string(),
        (Effect::Threads(_), OptionKind::Spin { min, max, .. }) if value == "0" => {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            i64::try_from(processors).unwrap_or(*max).clamp(*min, *max).to_string()
        }
        (Effect::Words(_, words), _) => {
            let number = words.iter().find(|(word, _)| *word == value).map_or(value, |(_, number)| number);
            number.to_owned()
        }
        _ => value.to_owned(),
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "400 moves are far from the ends of the type")]
fn score(score: Score) -> i32 {
    match score {
        Score::Centipawns(cp) => cp.clamp(-MAX_SCORE, MAX_SCORE),
        Score::Mate(moves) if moves > 0 => MATE - moves.min(400) * 2 + 1,
        Score::Mate(moves) => -MATE - moves.max(-400) * 2,
    }
}

/// `pophash [bestmove m] [lowerbound b depth d] [upperbound a depth d]`.
fn pop_hash(probe: &HashProbe) -> String {
    let mut line = "pophash".to_owned();
    if let Some(mv) = &probe.best_move {
        line += &format!(" bestmove {mv}");
    }
    if let Some((bound, depth)) = probe.lower {
        line += &format!(" lowerbound {} depth {depth}", score(bound));
    }
    if let Some((bound, depth)) = probe.upper {
        line += &format!(" upperbound {} depth {depth}", score(bound));
    }
    line
}

const HELP: &[&str] = &[
    "ucci                              who this is, and its options",
    "isready                           answers readyok",
    "setoption N [V]                   sets an option",
    "help option N                     what an option does, its values and its default",
    "position startpos|fen F [moves M] sets up a position",
    "banmoves M                        forbids moves in it",
    "go [draw] [depth D] [nodes N] [movetime T] [time T increment T|movestogo N] [infinite] [ponder]",
    "   searches; T of a clock is in seconds, or after setoption usemillisec true in milliseconds",
    "stop | ponderhit [draw]           ends the search | the expected move was played",
    "probe startpos|fen F [moves M]    what the table knows of a position",
    "quit                              ends the program",
];
