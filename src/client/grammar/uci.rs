//! The lines of UCI, for chess and for both dialects of xiangqi, and of UCCI.

use super::{BestMoveLine, Choice, moves_to_go, time_left};
use crate::client::request::{EngineProtocol, MoveRequest};
use crate::errors;
use crate::games::record::ReportedScore;
use crate::games::time::GameClock;
use std::fmt::Write;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

errors! {
    /// What is wrong with a line of an engine.
    pub enum Flaw {
        NoName = "it has no name" | "没有名称",
        NoType = "it has no type" | "没有类型",
        UnknownType(kind: String) = "there is no type {kind}" | "没有 {kind} 这种类型",
        CheckDefault = "a check has the default true or false" | "check 的默认值应是 true 或 false",
        SpinRange = "a spin has whole numbers as min and max" | "spin 的 min 和 max 应是整数",
        SpinDefault = "a spin has a whole number as default" | "spin 的默认值应是整数",
        NoChoices = "a combo has choices" | "combo 应有可选的值",
        OutOfRange(value: i128, min: i128, max: i128) =
            "{value} is not in {min} to {max}" | "{value} 不在 {min} 至 {max} 之内",
        NotAChoice(value: String) = "{value} is none of its choices" | "{value} 不在可选的值之中",
        WideRange = "its range needs more than 32 bits" | "范围超出 32 位",
        BlankInChoice = "a choice holds a blank" | "可选的值里有空格",
        Missing(word: String) = "nothing follows \"{word}\"" | "“{word}”之后没有内容",
        NotANumber(word: String, found: String) =
            "\"{word}\" is followed by \"{found}\", which is not such a number" | "“{word}”之后的“{found}”不是它的数",
        NotAScore(found: String) =
            "\"score\" is followed by \"{found}\", which is not a kind of score"
                | "“score”之后的“{found}”不是一种分数",
    }
}

/// The words that begin a part of an option's declaration.
const PARTS: [&str; 4] = ["default", "min", "max", "var"];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredOption {
    pub name: String,
    /// `check`, `spin`, `combo`, `string`, `button`, or what the engine takes for one.
    pub kind: String,
    pub default: Option<String>,
    pub min: Option<String>,
    pub max: Option<String>,
    /// The values of a combo option.
    pub choices: Vec<String>,
}

/// Reads `option name Hash type spin default 16 min 1 max 1024`; UCCI lacks the word `name`. `None`: it is
/// another line.
pub fn option(line: &str, protocol: EngineProtocol) -> Option<(DeclaredOption, Vec<Flaw>)> {
    let text = line.strip_prefix("option")?;
    if text.starts_with(|c: char| !c.is_whitespace()) {
        return None;
    }
    let mut words = text.split_ascii_whitespace().peekable();
    if protocol != EngineProtocol::Ucci {
        words.next_if_eq(&"name");
    }
    let mut option = DeclaredOption::default();
    let mut part = ("", Vec::new());
    for word in words {
        // A name may hold any of the words but "type", and the default of a string all of them.
        let begins = match part.0 {
            "" => word == "type",
            "default" => option.kind != "string" && PARTS.contains(&word),
            _ => PARTS.contains(&word),
        };
        if begins {
            option.set_part(part.0, part.1.join(" "));
            part = (word, Vec::new());
        } else {
            part.1.push(word);
        }
    }
    option.set_part(part.0, part.1.join(" "));
    let flaws = option.flaws();
    Some((option, flaws))
}

impl DeclaredOption {
    fn set_part(&mut self, part: &str, value: String) {
        match part {
            "" => self.name = value,
            "type" => self.kind = value,
            "default" => self.default = Some(value),
            "min" => self.min = Some(value),
            "max" => self.max = Some(value),
            _ => self.choices.push(value),
        }
    }

    /// The limits of a spin option that is well declared.
    pub fn range(&self) -> Option<(i128, i128)> {
        let number = |text: &Option<String>| text.as_deref()?.parse().ok();
        Some((number(&self.min)?, number(&self.max)?))
    }

    fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        if self.name.is_empty() {
            flaws.push(Flaw::NoName);
        }
        let default = self.default.as_deref();
        let number = default.and_then(|text| text.parse::<i128>().ok());
        flaws.extend(match self.kind.as_str() {
            "check" if !matches!(default, Some("true" | "false")) => Some(Flaw::CheckDefault),
            "spin" if self.range().is_none() => Some(Flaw::SpinRange),
            "spin" if number.is_none() => Some(Flaw::SpinDefault),
            "combo" if self.choices.is_empty() => Some(Flaw::NoChoices),
            "check" | "spin" | "combo" | "string" | "button" => None,
            "" => Some(Flaw::NoType),
            other => Some(Flaw::UnknownType(other.to_owned())),
        });
        match self.kind.as_str() {
            "spin" => {
                if let (Some((min, max)), Some(value)) = (self.range(), number)
                    && !(min..=max).contains(&value)
                {
                    flaws.push(Flaw::OutOfRange(value, min, max));
                }
                let is_wide = |limit: i128| i32::try_from(limit).is_err();
                if self.range().is_some_and(|(min, max)| is_wide(min) || is_wide(max)) {
                    flaws.push(Flaw::WideRange);
                }
            }
            "combo" => {
                let is_listed = |value| self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value));
                if let Some(value) = default.filter(|value| !self.choices.is_empty() && !is_listed(value)) {
                    flaws.push(Flaw::NotAChoice(value.to_owned()));
                }
                if self.choices.iter().any(|choice| choice.contains(' ')) {
                    flaws.push(Flaw::BlankInChoice);
                }
            }
            _ => {}
        }
        flaws
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct InfoLine {
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// The number of the variation, from 1.
    pub multipv: Option<u32>,
    pub score: Option<ReportedScore>,
    pub is_bound: bool,
    /// Moves expected, as the engine writes them.
    pub pv: Vec<String>,
    /// A comment for the game record, `string pgncomment …`: OpenBench archives these with the moves.
    pub comment: Option<String>,
}

impl InfoLine {
    /// Whether it is about the best variation.
    pub fn is_first(&self) -> bool {
        self.multipv.unwrap_or(1) == 1
    }
}

/// Reads what follows `info`. Scores without a kind are UCCI's centipawns, and a flaw in UCI.
pub fn info(text: &str, protocol: EngineProtocol) -> (InfoLine, Vec<Flaw>) {
    let mut words = text.split_ascii_whitespace();
    let (mut info, mut flaws) = (InfoLine::default(), Vec::new());
    while let Some(word) = words.next() {
        match word {
            "string" | "message" => {
                let text = words.collect::<Vec<_>>().join(" ");
                info.comment = text.strip_prefix("pgncomment ").map(str::to_owned);
                break;
            }
            "error" | "refutation" | "currline" => break,
            "depth" => info.depth = count(word, &mut words, &mut flaws),
            "seldepth" => info.seldepth = count(word, &mut words, &mut flaws),
            "nodes" => info.nodes = count(word, &mut words, &mut flaws),
            "nps" => info.nps = count(word, &mut words, &mut flaws),
            "time" => info.time = count(word, &mut words, &mut flaws),
            "multipv" => info.multipv = count(word, &mut words, &mut flaws),
            "hashfull" | "tbhits" | "cpuload" | "currmovenumber" | "sbhits" => {
                count::<u64>(word, &mut words, &mut flaws);
            }
            "wdl" => {
                for _ in 0..3 {
                    count::<u32>(word, &mut words, &mut flaws);
                }
            }
            "score" => info.score = score(&mut words, protocol, &mut flaws),
            "lowerbound" | "upperbound" => info.is_bound = true,
            "pv" => {
                info.pv = words.map(str::to_owned).collect();
                break;
            }
            // `currmove`, and unknown words with a value.
            _ => {}
        }
    }
    (info, flaws)
}

/// The number that follows `name`.
fn count<T: std::str::FromStr>(
    name: &str,
    words: &mut SplitAsciiWhitespace,
    flaws: &mut Vec<Flaw>,
) -> Option<T> {
    let Some(word) = words.next() else {
        flaws.push(Flaw::Missing(name.to_owned()));
        return None;
    };
    let number = word.parse().ok();
    if number.is_none() {
        flaws.push(Flaw::NotANumber(name.to_owned(), word.to_owned()));
    }
    number
}

/// `cp 31`, `mate -3`, or UCCI's bare `31`.
fn score(
    words: &mut SplitAsciiWhitespace,
    protocol: EngineProtocol,
    flaws: &mut Vec<Flaw>,
) -> Option<ReportedScore> {
    match words.next() {
        Some("cp") => count("cp", words, flaws).map(ReportedScore::Cp),
        Some("mate") => count("mate", words, flaws).map(ReportedScore::Mate),
        Some(word) => {
            let bare = word.parse().ok();
            if bare.is_none() || protocol != EngineProtocol::Ucci {
                flaws.push(Flaw::NotAScore(word.to_owned()));
            }
            bare.map(ReportedScore::Cp)
        }
        None => {
            flaws.push(Flaw::Missing("score".to_owned()));
            None
        }
    }
}

/// Whether a line ends a search.
pub fn is_best_move(text: &str) -> bool {
    matches!(text.split_ascii_whitespace().next(), Some("bestmove" | "nobestmove"))
}

/// Reads `bestmove e2e4 [ponder e7e5] [draw|resign]` or `nobestmove`. `None`: it is another line.
pub fn best_move(text: &str) -> Option<BestMoveLine> {
    const NONE: [&str; 3] = ["(none)", "0000", "NULL"];
    let mut words = text.split_ascii_whitespace();
    let verb = words.next().filter(|_| is_best_move(text))?;
    let mut choice = match words.next() {
        Some("resign") => Choice::Resign,
        Some(mv) if verb == "bestmove" && !NONE.contains(&mv) => Choice::Move(mv.to_owned()),
        _ => Choice::NoMove,
    };
    let (mut ponder, mut draw) = (None, false);
    while let Some(word) = words.next() {
        match word {
            "ponder" => ponder = words.next().filter(|mv| !NONE.contains(mv)).map(str::to_owned),
            "draw" => draw = true,
            "resign" => choice = Choice::Resign,
            _ => {}
        }
    }
    Some(BestMoveLine { choice, ponder, draw })
}

impl BestMoveLine {
    /// Shifts the ranks of its moves, as [`shift_ranks`] does.
    pub fn shift_ranks(self, by: i32) -> Self {
        let choice = match self.choice {
            Choice::Move(mv) => Choice::Move(shift_ranks(&mv, by)),
            other => other,
        };
        Self { choice, ponder: self.ponder.map(|mv| shift_ranks(&mv, by)), ..self }
    }
}

/// The line that sets up a position, with the ranks of its moves shifted by `ranks`.
pub fn position(fen: Option<&str>, moves: &[String], ranks: i32) -> String {
    let mut line = match fen {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".to_owned(),
    };
    if !moves.is_empty() {
        line.push_str(" moves");
    }
    for mv in moves {
        line.push(' ');
        line.push_str(&shift_ranks(mv, ranks));
    }
    line
}

pub fn set_option(protocol: EngineProtocol, name: &str, value: &str) -> String {
    match (protocol, value) {
        (EngineProtocol::Ucci, "") => format!("setoption {name}"),
        (EngineProtocol::Ucci, _) => format!("setoption {name} {value}"),
        (_, "") => format!("setoption name {name}"),
        _ => format!("setoption name {name} value {value}"),
    }
}

/// UCI's `verb`, with the clocks and limits of the request.
pub fn go(verb: &str, request: &MoveRequest) -> String {
    let mut line = verb.to_owned();
    // Writing to a String cannot fail.
    if let Some(per_move) = request.clock().control().per_move {
        let _ = write!(line, " movetime {}", per_move.as_millis());
    } else if request.clock().control().is_timed() {
        for (name, clock) in ["w", "b"].into_iter().zip(request.clocks) {
            if clock.control().is_timed() && clock.control().per_move.is_none() {
                let (time, increment) = time_left(clock);
                let _ = write!(line, " {name}time {} {name}inc {}", time.as_millis(), increment.as_millis());
            }
        }
        if let Some(moves) = moves_to_go(request.clock()) {
            let _ = write!(line, " movestogo {moves}");
        }
    }
    if let Some(nodes) = request.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = request.depth {
        let _ = write!(line, " depth {depth}");
    }
    line
}

/// UCCI's `verb`, with the clocks or the limit of the request, in milliseconds or in seconds.
pub fn ucci_go(verb: &str, request: &MoveRequest, in_milliseconds: bool) -> String {
    let units = |time: Duration| match in_milliseconds {
        true => time.as_millis(),
        false => u128::from(time.as_secs()),
    };
    let add_clock = |line: &mut String, whose: &str, clock: &GameClock| {
        let (time, increment) = time_left(clock);
        let _ = write!(line, " {whose}time {}", units(time));
        let _ = match moves_to_go(clock) {
            Some(moves) => write!(line, " {whose}movestogo {moves}"),
            None => write!(line, " {whose}increment {}", units(increment)),
        };
    };
    let mut line = verb.to_owned();
    let clock = request.clock();
    // UCCI has one mode a command.
    if let Some(nodes) = request.nodes {
        let _ = write!(line, " nodes {nodes}");
    } else if let Some(depth) = request.depth {
        let _ = write!(line, " depth {depth}");
    } else if let Some(per_move) = clock.control().per_move {
        let _ = write!(line, " time {} movestogo 1", units(per_move));
    } else {
        add_clock(&mut line, "", clock);
        let opponent = request.clock_of(request.side.other());
        if opponent.control().is_timed() && opponent.control().per_move.is_none() {
            add_clock(&mut line, "opp", opponent);
        }
    }
    line
}

/// Adds `by` to both ranks of a xiangqi move: `h2e2` and `h3e3`, `b9c7` and `b10c8`. A text that is not a
/// move stays as it is.
pub fn shift_ranks(mv: &str, by: i32) -> String {
    let shifted = || {
        let second = mv.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
        let (from, to) = mv.split_at(second);
        let square = |s: &str| {
            let rank: i32 = s.get(1..)?.parse().ok()?;
            Some(format!("{}{}", s.get(..1)?, rank.checked_add(by)?))
        };
        Some(square(from)? + &square(to)?)
    };
    if by == 0 { None } else { shifted() }.unwrap_or_else(|| mv.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> (DeclaredOption, Vec<Flaw>) {
        option(&format!("option {text}"), EngineProtocol::Uci).unwrap()
    }

    #[test]
    fn declarations_are_read() {
        let (option, _) = declared("name Move Overhead type spin default 10 min 0 max 5000");
        assert_eq!((option.name.as_str(), option.range()), ("Move Overhead", Some((0, 5000))));
        let (option, _) =
            super::option("option usemillisec type check default false", EngineProtocol::Ucci).unwrap();
        assert_eq!((option.name.as_str(), option.default.as_deref()), ("usemillisec", Some("false")));
        let (option, _) = declared("name Style type combo default Wild Cat var Calm var Wild Cat");
        assert_eq!(option.choices, ["Calm", "Wild Cat"]);
        let (option, _) = declared("name Motto type string default any type var max");
        assert_eq!(option.default.as_deref(), Some("any type var max"));
        assert!(super::option("options", EngineProtocol::Uci).is_none());
    }

    #[test]
    fn bad_declarations_have_flaws() {
        for good in [
            "name Hash type spin default 16 min 1 max 1024",
            "name Ponder type check default false",
            "name Book type string default <empty>",
            "name Clear Hash type button",
            "name Analyze type combo default Off var Off var White",
            "name max default type string default",
        ] {
            assert_eq!(declared(good).1, [], "{good}");
        }
        let text = str::to_owned;
        for (bad, flaw) in [
            ("type check default true", Flaw::NoName),
            ("name A", Flaw::NoType),
            ("name A type number default 1", Flaw::UnknownType(text("number"))),
            ("name A type check default yes", Flaw::CheckDefault),
            ("name A type spin default 1 min 0", Flaw::SpinRange),
            ("name A type spin min 0 max 1", Flaw::SpinDefault),
            ("name A type combo default x", Flaw::NoChoices),
            ("name A type spin default 5 min 0 max 4", Flaw::OutOfRange(5, 0, 4)),
            ("name A type combo default x var y", Flaw::NotAChoice(text("x"))),
            ("name A type spin default 0 min 0 max 4294967296", Flaw::WideRange),
            ("name A type spin default 0 min 0 max 18446744073709551615", Flaw::WideRange),
            ("name A type combo default x var x var y z", Flaw::BlankInChoice),
        ] {
            assert_eq!(declared(bad).1, [flaw], "{bad}");
        }
    }

    #[test]
    fn lines_about_a_search_are_read_strictly() {
        let text = "depth 9 seldepth 12 score cp -31 upperbound nodes 10 nps 5 time 2 pv e2e4 e7e5";
        let (found, flaws) = info(text, EngineProtocol::Uci);
        assert_eq!((found.depth, found.nodes, found.time), (Some(9), Some(10), Some(2)));
        assert_eq!((found.score, found.is_bound), (Some(ReportedScore::Cp(-31)), true));
        assert_eq!((&found.pv[..], flaws), (&["e2e4", "e7e5"].map(str::to_owned)[..], Vec::new()));
        let bare = InfoLine { score: Some(ReportedScore::Cp(17)), ..InfoLine::default() };
        assert_eq!(info("score 17", EngineProtocol::Ucci), (bare, Vec::new()));
        assert_eq!(info("string depth of despair", EngineProtocol::Uci), (InfoLine::default(), Vec::new()));
        for bad in
            ["depth", "depth x", "score", "score good", "score mate", "score 17", "nodes -1", "time 1.5"]
        {
            assert_eq!(info(bad, EngineProtocol::Uci).1.len(), 1, "{bad}");
        }
    }

    #[test]
    fn best_moves_are_read_in_every_form() {
        let mv = |mv: &str, ponder: Option<&str>, draw| {
            let choice = Choice::Move(mv.to_owned());
            Some(BestMoveLine { choice, ponder: ponder.map(str::to_owned), draw })
        };
        assert_eq!(best_move("bestmove e2e4"), mv("e2e4", None, false));
        assert_eq!(best_move("bestmove e2e4 ponder e7e5"), mv("e2e4", Some("e7e5"), false));
        assert_eq!(best_move("bestmove h2e2 draw"), mv("h2e2", None, true));
        assert_eq!(best_move("bestmove h2e2 ponder h9g7 draw"), mv("h2e2", Some("h9g7"), true));
        let variant = best_move("bestmove b10c8 ponder h3e3").map(|best| best.shift_ranks(-1));
        assert_eq!(variant, mv("b9c7", Some("h2e2"), false));
        for (text, choice) in [
            ("bestmove (none)", Choice::NoMove),
            ("bestmove", Choice::NoMove),
            ("nobestmove", Choice::NoMove),
            ("bestmove resign", Choice::Resign),
            ("bestmove h2e2 resign", Choice::Resign),
        ] {
            assert_eq!(best_move(text).map(|best| best.choice), Some(choice), "{text}");
        }
        assert_eq!((best_move("readyok"), best_move("info depth 1")), (None, None));
    }

    #[test]
    fn ranks_shift_between_dialects() {
        for (zero, one) in [("h2e2", "h3e3"), ("b9c7", "b10c8"), ("a8a9", "a9a10")] {
            assert_eq!(shift_ranks(zero, 1), one);
            assert_eq!(shift_ranks(one, -1), zero);
        }
        for odd in ["", "h", "hh", "h2", "é9é8", "0000", "(none)", "a2147483647a0"] {
            assert_eq!(shift_ranks(odd, 1), odd);
        }
    }
}
