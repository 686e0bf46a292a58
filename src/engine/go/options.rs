//! The options of the Go engine.

use super::player;
use crate::convnet::{self, ConvNet};
use crate::engine::evalfile::{EMBEDDED, cannot_read, cannot_use};
use crate::engine::{OptionKind, OptionSpec, unknown_option};
use crate::eval::go::Mode;
use crate::eval::go::speed::{self, Speed};
use crate::message;
use crate::util::files;
use crate::util::lang::named;
use crate::util::message::Message;
use std::sync::Arc;
use std::time::Duration;

/// The value of `EvalFile` that leaves the engine without a net.
const NO_NET: &str = "<none>";

const MAX_NET_BYTES: u64 = 16 << 20;

named! {
    #[derive(Default)]
    pub enum EvaluatorKind {
        /// By the speed of the net on this machine; without a net playouts.
        #[default]
        Auto = "auto",
        Playouts = "playouts",
        Hybrid = "hybrid",
        Net = "net",
    }
}

/// The net an engine has, if any, and the value of `EvalFile` that it came by.
#[derive(Clone)]
pub struct NetFile {
    value: String,
    net: Option<Arc<ConvNet>>,
}

impl Default for NetFile {
    fn default() -> Self {
        Self::of(EMBEDDED, convnet::embedded())
    }
}

impl std::fmt::Debug for NetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NetFile").field("value", &self.value).finish_non_exhaustive()
    }
}

/// Equal when they are the same net and not merely the same numbers.
impl PartialEq for NetFile {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.is_same(other.get())
    }
}

impl NetFile {
    fn of(value: &str, net: Option<Arc<ConvNet>>) -> Self {
        Self { value: value.to_owned(), net }
    }

    /// A net that came by no file; `None`: no net.
    pub fn given(net: Option<Arc<ConvNet>>) -> Self {
        Self::of(NO_NET, net)
    }

    fn read(value: &str) -> Result<Self, Message> {
        match value {
            EMBEDDED => Ok(Self::default()),
            NO_NET => Ok(Self::given(None)),
            path => {
                let bytes = files::read(path, MAX_NET_BYTES).map_err(|error| cannot_read(path, &error))?;
                let net = ConvNet::from_bytes(&bytes).map_err(|error| cannot_use(path, &error))?;
                Ok(Self::of(path, Some(Arc::new(net))))
            }
        }
    }

    pub fn get(&self) -> Option<&Arc<ConvNet>> {
        self.net.as_ref()
    }

    pub fn value(&self) -> &str {
        &self.value
    }

    pub fn is_same(&self, other: Option<&Arc<ConvNet>>) -> bool {
        match (&self.net, other) {
            (Some(net), Some(other)) => Arc::ptr_eq(net, other),
            (net, other) => net.is_none() && other.is_none(),
        }
    }
}

/// What can be set, in the units of the options.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Memory of the search, in MiB.
    pub hash_mib: usize,
    pub threads: usize,
    /// Lost on every move between the two clocks.
    pub overhead: Duration,
    /// Visits at which a move is played at the latest; 0: no limit.
    pub max_visits: u64,
    /// Time of a move in a game without a clock.
    pub max_time: Duration,
    /// Whether the engine resigns lost games.
    pub resign: bool,
    /// Winrate below which a game is lost, 0 to 1.
    pub resign_below: f64,
    /// Whether every stone on the board counts as alive when the game ends (CGOS): dead stones are taken off
    /// before the last pass.
    pub all_alive: bool,
    pub net: NetFile,
    pub evaluator: EvaluatorKind,
    /// Descents that pass through a node before the net is asked about it; 0: by its speed.
    pub net_at: u32,
    /// Share of the net's value where playouts have the rest, 0 to 1.
    pub net_share: f32,
    /// The rank to play at, one of [`player::RANKS`].
    pub rank: &'static str,
    /// The level to play at where no rank is set, from 1; 0 is full strength.
    pub level: u8,
    /// Seed of all chance; one thread with one seed plays the same game again, below full strength only if it
    /// is not 0.
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
            net: NetFile::default(),
            evaluator: EvaluatorKind::default(),
            net_at: 0,
            net_share: speed::SHARE,
            rank: player::FULL,
            level: 0,
            seed: 0,
        }
    }
}

/// The declarations, in the order in which they are listed.
pub fn specs() -> Vec<OptionSpec> {
    // Nodes are numbered in 32 GiB; their index is a thirty-second of all.
    let max_hash = if cfg!(target_pointer_width = "64") { 33 << 10 } else { 2048 };
    option_specs! {
        "Hash", OptionKind::spin(256, 1, max_hash) => "Memory of the search tree, in MiB." | "搜索树的大小，单位 MiB。";
        "Threads", OptionKind::spin(1, 1, 1024) => "Threads that search." | "搜索的线程数。";
        "Move Overhead", OptionKind::spin(50, 0, 5000) =>
            "Milliseconds lost on every move between the two clocks; more is kept back where the clock of the game shows it."
            | "每一着在两个时钟之间损失的毫秒数；对局的时钟显示损失更多时，按实际多留。";
        "Max Visits", OptionKind::spin(0, 0, i32::MAX as i64) =>
            "Greatest number of visits for a move; 0 is no limit." | "每一着至多访问多少次；0 为不限。";
        "Max Time", OptionKind::spin(3000, 1, 86_400_000) =>
            "Milliseconds for a move when there is no clock." | "没有时钟时每一着的毫秒数。";
        "Resign", OptionKind::Check(false) => "Whether the engine resigns lost games." | "败局是否认输。";
        "Resign Threshold", OptionKind::spin(5, 0, 50) =>
            "Chance to win, in percent, below which a game counts as lost." | "胜率低于百分之几算败局。";
        "All Alive", OptionKind::Check(false) =>
            "Every stone left on the board counts as alive: dead ones are captured first."
            | "盘上剩下的子都算活棋：先把死子提掉。";
        "EvalFile", OptionKind::text(EMBEDDED) =>
            "A net file, <embedded>, or <none> for playouts only." | "网络文件；<embedded> 为内置网络，<none> 为只用随机对局。";
        "Evaluator", OptionKind::Combo { default: EvaluatorKind::Auto.name(), choices: &EvaluatorKind::NAMES } =>
            "What evaluates positions: playouts, the net, or both; auto decides by the speed of the net on this machine."
            | "由谁评估：随机对局（playouts）、网络（net）或两者（hybrid）；auto 按网络在这台机器上的速度决定。";
        "Net At", OptionKind::spin(0, 0, 1_000_000) =>
            "Hybrid: visits to a position before the net evaluates it; 0 decides by the net's speed."
            | "hybrid：一个局面被经过多少次后询问网络；0 为按网络的速度决定。";
        "Net Share", OptionKind::spin(60, 0, 100) =>
            "Hybrid: weight of the net's value in an outcome, in percent." | "hybrid：网络的估计在结果里占百分之几。";
        "Rank", OptionKind::Combo { default: player::FULL, choices: player::RANKS } =>
            "The rank to play at, by the size of the board; full is full strength."
            | "以什么级位下棋，依棋盘大小而定；full 为全力。";
        "Level", OptionKind::spin(0, 0, player::LEVELS.into()) =>
            "The level to play at where Rank is full; 0 is full strength." | "Rank 为 full 时以什么级别下棋；0 为全力。";
        "Seed", OptionKind::spin(0, 0, i32::MAX.into()) =>
            "Seed of all random choices; 0 is a new one for every move below full strength."
            | "一切随机的种子；不到全力时，0 是每一着都用新的种子。";
        "Clear Hash", OptionKind::Button => "Clears the search tree." | "清空搜索树。";
    }
    .into()
}

impl Options {
    /// Sets the option `name`, declared in [`specs`], to a checked value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let wrong = || message!("bad value '{value}' of {name}" | "{name} 的值“{value}”不对", value, name);
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
            "EvalFile" => self.net = NetFile::read(value)?,
            "Evaluator" => self.evaluator = EvaluatorKind::from_name(value).ok_or_else(wrong)?,
            "Net At" => self.net_at = u32::try_from(number()?).map_err(|_| wrong())?,
            "Net Share" => self.net_share = number()?.min(100) as f32 / 100.0,
            "Rank" => {
                self.rank = player::RANKS.iter().find(|&&rank| rank == value).copied().ok_or_else(wrong)?;
            }
            "Level" => self.level = number()?.min(player::LEVELS.into()) as u8,
            "Seed" => self.seed = number()?,
            "Clear Hash" => (),
            _ => return Err(unknown_option(name)),
        }
        if self.net.get().is_none() && matches!(self.evaluator, EvaluatorKind::Hybrid | EvaluatorKind::Net) {
            let kind = self.evaluator.name();
            return Err(message!(
                "Evaluator {kind} needs a net: EvalFile names none"
                    | "Evaluator {kind} 需要网络，而 EvalFile 没有给出",
                kind
            ));
        }
        Ok(())
    }

    /// Whether who evaluates depends on how fast the net is.
    pub fn asks_for_speed(&self) -> bool {
        self.net.get().is_some()
            && self.net_at == 0
            && matches!(self.evaluator, EvaluatorKind::Auto | EvaluatorKind::Hybrid)
    }

    /// Who evaluates, on a machine on which the net has this speed; `None`: whatever the machine.
    pub fn mode(&self, speed: Option<&Speed>) -> Mode {
        let by_speed = match speed {
            Some(speed) => speed.net_at(),
            None => Some(speed::NOMINAL_NET_AT),
        };
        let net_at = if self.net_at == 0 { by_speed } else { Some(self.net_at) };
        let share = self.net_share;
        match (self.evaluator, net_at) {
            (EvaluatorKind::Playouts, _) | (EvaluatorKind::Auto, None) => Mode::Playouts,
            _ if self.net.get().is_none() => Mode::Playouts,
            (EvaluatorKind::Net, _) => Mode::Net,
            (EvaluatorKind::Auto, _) if self.net_at == 0 && speed.is_some_and(Speed::is_enough) => Mode::Net,
            (_, net_at) => Mode::Hybrid { net_at: net_at.unwrap_or(speed::MAX_NET_AT), share },
        }
    }

    /// Whether what was found out about positions with `other` options holds with these.
    pub fn evaluates_as(&self, other: &Self) -> bool {
        let numbers = |options: &Self| (options.evaluator, options.net_at, options.net_share);
        self.net.is_same(other.net.get()) && numbers(self) == numbers(other)
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
                OptionKind::Combo { default, .. } => default.to_owned(),
                OptionKind::Text(default) => default.into_owned(),
                OptionKind::Button => String::new(),
            };
            options.set(spec.name, &value).unwrap();
        }
        assert_eq!(options, Options::default());
    }

    fn with_net() -> Options {
        Options { net: NetFile::given(Some(Arc::new(ConvNet::random(1, 1)))), ..Options::default() }
    }

    #[test]
    fn who_evaluates_goes_by_the_option_the_net_and_its_speed() {
        let speed =
            |micros| Speed { evaluation: Duration::from_micros(micros), visit: Duration::from_micros(100) };
        let mut options = with_net();
        let hybrid = |net_at| Mode::Hybrid { net_at, share: 0.6 };
        assert_eq!(options.mode(None), hybrid(2));
        assert_eq!(options.mode(Some(&speed(900))), hybrid(4));
        assert_eq!(options.mode(Some(&speed(90_000))), Mode::Playouts);
        assert_eq!(options.mode(Some(&speed(800))), Mode::Net);
        options.set("Net At", "2").unwrap();
        assert_eq!(options.mode(Some(&speed(800))), hybrid(2));
        options.set("Net At", "0").unwrap();
        options.set("Evaluator", "hybrid").unwrap();
        assert_eq!(options.mode(Some(&speed(800))), hybrid(2));
        assert_eq!(options.mode(Some(&speed(90_000))), hybrid(64));
        options.set("Net At", "3").unwrap();
        options.set("Net Share", "25").unwrap();
        assert!(!options.asks_for_speed());
        let set = Mode::Hybrid { net_at: 3, share: 0.25 };
        assert_eq!((options.mode(None), options.mode(Some(&speed(90_000)))), (set, set));
        options.set("Evaluator", "net").unwrap();
        assert_eq!(options.mode(Some(&speed(90_000))), Mode::Net);
        options.set("Evaluator", "playouts").unwrap();
        assert_eq!(options.mode(None), Mode::Playouts);
        options.net = NetFile::given(None);
        options.set("Evaluator", "auto").unwrap();
        assert_eq!(options.mode(None), Mode::Playouts);
    }

    #[test]
    fn a_net_that_is_not_there_cannot_be_asked_for() {
        let mut options = Options { net: NetFile::given(None), ..Options::default() };
        for kind in ["hybrid", "net"] {
            assert!(
                options.clone().set("Evaluator", kind).unwrap_err().to_string().contains("EvalFile"),
                "{kind}"
            );
        }
        options.set("Evaluator", "playouts").unwrap();
        let mut options = with_net();
        options.set("Evaluator", "net").unwrap();
        assert!(options.set("EvalFile", "<none>").is_err());
    }

    #[test]
    fn net_files_are_read_or_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.bin");
        let name = path.to_str().unwrap();
        let mut options = Options::default();
        let mut bytes = ConvNet::random(4, 2).to_bytes();
        std::fs::write(&path, &bytes).unwrap();
        options.set("EvalFile", name).unwrap();
        assert_eq!(options.net.get().map(|net| net.blocks()), Some(2));
        bytes[700] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let refused = options.clone().set("EvalFile", name).unwrap_err().to_string();
        assert!(refused.starts_with("cannot use '") && refused.contains(name), "{refused}");
        assert!(
            options
                .clone()
                .set("EvalFile", "/nowhere/net.bin")
                .unwrap_err()
                .to_string()
                .contains("cannot read")
        );
        options.set("EvalFile", "<none>").unwrap();
        assert!(options.net.get().is_none());
    }
}
