//! What is kept of a game: enough to write its PGN or SGF, to count it, and to look at it again.

mod numbering;

pub use numbering::Numbering;

use crate::game::{GameId, Side, Text};
use crate::go::Rules;
use crate::message;
use crate::util::lang::{Language, named};
use crate::util::message::Message;
use crate::util::words;
use crate::xiangqi::{self, notation};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What is played: a game, and which variant of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct GameKind {
    game: GameId,
    /// Castling is king takes rook, and games start from other arrays.
    is_chess960: bool,
}

impl GameKind {
    pub const CHESS: Self = Self { game: GameId::Chess, is_chess960: false };
    /// Chess960: castling is king takes rook.
    pub const CHESS960: Self = Self { game: GameId::Chess, is_chess960: true };
    pub const XIANGQI: Self = Self { game: GameId::Xiangqi, is_chess960: false };
    pub const GO: Self = Self { game: GameId::Go, is_chess960: false };
    /// Every game in every variant.
    pub const ALL: [Self; 4] = [Self::CHESS, Self::CHESS960, Self::XIANGQI, Self::GO];

    pub const fn game(self) -> GameId {
        self.game
    }

    /// `chess`, `chess960`, `xiangqi` or `go`.
    pub const fn name(self) -> &'static str {
        if self.is_chess960 { "chess960" } else { self.game.name() }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What the side is called: White and Black, Red and Black, Black and White.
    pub const fn side_name(self, side: Side) -> &'static str {
        self.game.side_name(side)
    }

    /// The first letter of [`side_name`](Self::side_name).
    pub fn side_letter(self, side: Side) -> &'static str {
        let name = self.side_name(side);
        name.get(..1).unwrap_or(name)
    }

    pub fn side_text(self, side: Side, language: Language) -> String {
        self.game.side_text(side, language)
    }
}

impl clap::ValueEnum for GameKind {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let value = clap::builder::PossibleValue::new(self.name());
        Some(match *self {
            Self::CHESS => value.alias("standard"),
            Self::CHESS960 => value.alias("fischerandom"),
            _ => value,
        })
    }
}

impl From<GameId> for GameKind {
    fn from(game: GameId) -> Self {
        Self { game, is_chess960: false }
    }
}

impl From<GameKind> for &'static str {
    fn from(kind: GameKind) -> Self {
        kind.name()
    }
}

impl TryFrom<String> for GameKind {
    type Error = Message;

    fn try_from(name: String) -> Result<Self, Message> {
        Self::from_name(&name).ok_or_else(|| {
            message!(
                "unknown game `{name}`: chess, chess960, xiangqi or go"
                    | "未知的棋种“{name}”：应为 chess、chess960、xiangqi 或 go",
                name
            )
        })
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

named! {
    /// How moves of xiangqi are written.
    #[derive(clap::ValueEnum, Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Style {
        // `H2-E2`.
        #[default]
        Iccs = "iccs",
        // `炮二平五`.
        Chinese = "chinese",
        // `C2=5`.
        Wxf = "wxf",
    }
}

impl Style {
    /// Whether nothing else was asked for.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    pub fn xiangqi(self, board: &xiangqi::Board, mv: xiangqi::Move) -> String {
        match self {
            Self::Chinese => notation::chinese(board, mv),
            Self::Wxf => notation::wxf(board, mv),
            Self::Iccs => {
                let text = board.move_text(mv, Default::default()).to_uppercase();
                let (from, to) = text.split_at_checked(2).unwrap_or((&text, ""));
                format!("{from}-{to}")
            }
        }
    }

    /// The notation of pages where none was asked for.
    pub fn of_pages(language: Language) -> Self {
        language.pick(Self::Wxf, Self::Chinese)
    }

    pub const fn pgn_format(self) -> &'static str {
        match self {
            Self::Iccs => "ICCS",
            Self::Chinese => "Chinese",
            Self::Wxf => "WXF",
        }
    }
}

named! {
    /// Why a game ended.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reason {
        /// Checkmate (CH-5, XQ-4).
        Checkmate = "checkmate": "checkmate" | "将死",
        /// No legal move, and no check (CH-6, XQ-5).
        Stalemate = "stalemate": "stalemate" | "无子可动",
        /// Neither side can win (CH-7, XQ-7).
        DeadPosition = "dead-position": "neither side can win" | "双方均无取胜可能",
        /// The position occurred for the third time (CH-8; XQ-R1 to R9, the clause in the detail).
        Repetition = "repetition": "repetition" | "循环重复局面",
        /// Too long without progress (CH-9).
        NoProgress = "no-progress": "too many moves without progress" | "限着作和",
        /// Counted after two passes (GO-9).
        Counted = "counted": "counted" | "数子",
        /// Both agreed on a draw (CH-10, XQ-7).
        Agreement = "agreement": "agreed" | "双方议和",
        /// One side resigned (CH-11, XQ-6).
        Resignation = "resignation": "resignation" | "认输",
        /// The match rules decided by the scores that both engines reported, or by the length of the game.
        Adjudication = "adjudication": "adjudication" | "提前判定",
        /// An endgame table knew the result.
        Tablebase = "tablebase": "endgame tables" | "残局库判定",
        /// The flag fell (CH-12, XQ-6, GO-12).
        Time = "time": "time" | "超时",
        /// A move that is not legal, or not a move. The laws of chess let a person play another one (CH-14;
        /// FIDE 7.5); a match of programs has it lose.
        IllegalMove = "illegal-move": "an illegal move" | "着法违例",
        /// A move when it was the other's turn.
        PrematureMove = "premature-move": "a move out of turn" | "抢先走棋",
        /// The third foul (XQ-9), or whichever loses by the match's rules.
        Fouls = "fouls": "fouls" | "犯规",
        /// The engine could not be started, or its process ended.
        Crash = "crash": "crash" | "程序崩溃",
        /// The engine did not answer.
        Stall = "stall": "no answer" | "没有应答",
        /// A player never started, and forfeits its games (XQ-10). Neither side wins if neither started.
        Forfeit = "forfeit": "forfeit" | "弃权",
        /// The match was interrupted: the game does not count.
        Interrupted = "interrupted": "interrupted" | "中断",
    }
}

impl Reason {
    /// Whether the engine that lost behaved badly, rather than being beaten.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Time
                | Self::IllegalMove
                | Self::PrematureMove
                | Self::Fouls
                | Self::Crash
                | Self::Stall
                | Self::Forfeit
        )
    }

    pub const fn pgn_termination(self) -> &'static str {
        match self {
            Self::Adjudication | Self::Tablebase => "adjudication",
            Self::Time => "time forfeit",
            Self::IllegalMove | Self::PrematureMove | Self::Fouls => "rules infraction",
            Self::Crash | Self::Stall | Self::Forfeit => "abandoned",
            Self::Interrupted => "unterminated",
            _ => "normal",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "WrittenEnding", from = "WrittenEnding")]
pub struct Ending {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    pub reason: Reason,
    /// The reason in words, for people: `White mates`, `Black loses on time`.
    pub detail: Message,
}

#[derive(Serialize, Deserialize)]
struct WrittenEnding {
    winner: Option<Side>,
    reason: Reason,
    detail: String,
    /// In Chinese, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail_zh: Option<String>,
}

impl From<Ending> for WrittenEnding {
    fn from(Ending { winner, reason, detail }: Ending) -> Self {
        let [english, chinese] = [Language::English, Language::Chinese].map(|language| detail.text(language));
        let detail_zh = (english != chinese).then(|| chinese.to_owned());
        Self { winner, reason, detail: english.to_owned(), detail_zh }
    }
}

impl From<WrittenEnding> for Ending {
    fn from(WrittenEnding { winner, reason, detail, detail_zh }: WrittenEnding) -> Self {
        let detail = match detail_zh {
            Some(chinese) => Message::new(detail, chinese),
            None => detail.into(),
        };
        Self { winner, reason, detail }
    }
}

impl Ending {
    pub fn won(winner: Side, reason: Reason, detail: impl Into<Message>) -> Self {
        Self { winner: Some(winner), reason, detail: detail.into() }
    }

    pub fn drawn(reason: Reason, detail: impl Into<Message>) -> Self {
        Self { winner: None, reason, detail: detail.into() }
    }

    /// How the game ended, for people: the detail; in Chinese the name of the reason, where the detail has no
    /// Chinese. A count of Go is in points, and in Chinese in stones (子) too.
    pub fn text(&self, language: Language) -> String {
        let english = self.detail.text(Language::English);
        let text = self.detail.text(language);
        match (language, self.reason) {
            (Language::English, _) => in_points(english).to_owned(),
            (Language::Chinese, Reason::Counted | Reason::Adjudication) => text.to_owned(),
            (Language::Chinese, _) if text != english => text.to_owned(),
            (_, reason) if reason.is_fault() => words::fault_in_words(language, reason.text(language), text),
            (_, reason) => reason.text(language).to_owned(),
        }
    }

    /// Half points of `side`: 0, 1 or 2. `None`: the game counts for neither side, because neither has come.
    pub fn half_points(&self, side: Side) -> Option<u8> {
        match self.winner {
            None if self.reason == Reason::Forfeit => None,
            None => Some(1),
            Some(winner) if winner == side => Some(2),
            Some(_) => Some(0),
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2`; the first player's points come first, Black's in Go. `*` when interrupted,
    /// and when neither side has come.
    pub fn result(&self) -> &'static str {
        match self.winner {
            _ if self.reason == Reason::Interrupted => "*",
            None if self.reason == Reason::Forfeit => "*",
            Some(Side::First) => "1-0",
            Some(Side::Second) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// A result of Go without what follows it in Chinese: `B+3.5 (黑胜1¾子)`.
fn in_points(detail: &str) -> &str {
    match detail.split_once(" (") {
        Some((margin, count)) if count.contains(['子', '目', '和']) => margin,
        _ => detail,
    }
}

/// An engine's score of the position, from its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedScore {
    /// Centipawns.
    Cp(i32),
    /// Mate in this many moves; negative when being mated.
    Mate(i32),
}

impl ReportedScore {
    /// As centipawns, mates beyond all others.
    pub const fn centipawns(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(n) if n > 0 => 100_000_i32.saturating_sub(n),
            Self::Mate(n) => (-100_000_i32).saturating_sub(n),
        }
    }
}

impl fmt::Display for ReportedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "{:+.2}", f64::from(*cp) / 100.0),
            Self::Mate(n) => write!(f, "{}M{}", if *n > 0 { '+' } else { '-' }, n.unsigned_abs()),
        }
    }
}

/// What an engine reported about its search for a move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Thought {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ReportedScore>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// A remark to keep with the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ply {
    /// The move in coordinates: `e2e4`, `h2e2`, `D4`, `pass`.
    pub mv: String,
    /// The move as records write it: SAN in chess, ICCS in xiangqi; left out in Go.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether it comes from the opening, not from an engine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// Time used, in microseconds.
    #[serde(default)]
    pub time_us: u64,
    /// Main time left after it, in milliseconds; with a clock only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Overtime left after it, as SGF's OB and OW count: periods or stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overtime: Option<u32>,
    #[serde(default, flatten)]
    pub thought: Thought,
}

impl Ply {
    /// A move of which nothing else is known.
    pub fn plain(mv: &str) -> Self {
        Self {
            mv: mv.to_owned(),
            text: String::new(),
            book: false,
            time_us: 0,
            clock_ms: None,
            overtime: None,
            thought: Thought::default(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// FEN; `None`: the starting position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Its number in the file of openings, from 1; 0 when there is none.
    #[serde(default)]
    pub number: usize,
    /// What the file of openings calls it (SGF's `ON`), or nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the match, from 0.
    pub number: usize,
    /// Round, from 1.
    pub round: usize,
    /// The pair of games it belongs to, from 0.
    pub pair: usize,
    pub kind: GameKind,
    /// Indices of the players: who moves first in the starting position, and the other.
    pub seats: [usize; 2],
    pub names: [String; 2],
    pub controls: [String; 2],
    pub opening: Opening,
    /// All moves, those of the opening too.
    pub plies: Vec<Ply>,
    pub ending: Ending,
    /// When it started, in seconds since 1970.
    pub started: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Round trip of the engines between a question and its answer, in microseconds: the median.
    #[serde(default)]
    pub latency_us: [u64; 2],
    /// Time between two moves that was on neither clock, in microseconds: the median.
    #[serde(default)]
    pub overhead_us: u64,
    /// Xiangqi: how the texts of the moves are written.
    #[serde(default, skip_serializing_if = "Style::is_usual")]
    pub notation: Style,
    /// Go: board size, komi in points, rule set, handicap stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub go: Option<GoSetup>,
}

impl GameRecord {
    /// Its number in the match as people count, from 1.
    pub const fn ordinal(&self) -> usize {
        self.number.saturating_add(1)
    }

    /// Who makes each move of the record, without end.
    pub fn movers(&self) -> impl Iterator<Item = Side> + use<> {
        let first = if self.second_starts() { Side::Second } else { Side::First };
        std::iter::successors(Some(first), |side| Some(side.other()))
    }

    pub fn time_used(&self) -> [Duration; 2] {
        let mut used = [Duration::ZERO; 2];
        for (ply, side) in self.plies.iter().zip(self.movers()) {
            let time = side.of_mut(&mut used);
            *time = time.saturating_add(Duration::from_micros(ply.time_us));
        }
        used
    }

    /// Whether the second side makes the first move of the record.
    pub fn second_starts(&self) -> bool {
        match &self.go {
            Some(go) => go.handicap >= 2,
            None => self
                .opening
                .fen
                .as_deref()
                .is_some_and(|f| matches!(f.split_whitespace().nth(1), Some("b" | "B"))),
        }
    }
}

/// How a game of Go is set up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoSetup {
    /// Rows and columns, 2 to 25.
    pub size: usize,
    /// Rows, where there are not as many as columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    pub komi: f32,
    pub rules: String,
    /// Handicap stones; 0 for none.
    pub handicap: usize,
    /// The stones on the board at the start, where they are not those of a fixed handicap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stones: Vec<(Side, String)>,
    /// Who has the first move, where it is not Black, or White after handicap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Side>,
}

impl GoSetup {
    /// Columns and rows.
    pub fn board_size(&self) -> (usize, usize) {
        (self.size, self.rows.unwrap_or(self.size))
    }

    /// What is played, in a few words: `9×9, Chinese rules, komi 7.5`.
    pub fn text(&self, language: Language) -> String {
        let handicap = match self.handicap {
            0 | 1 => String::new(),
            count => words::handicap_stones(language, count),
        };
        words::go_conditions(language, self.size, Rules::text(&self.rules, language), self.komi) + &handicap
    }
}

impl Default for GoSetup {
    fn default() -> Self {
        Self {
            size: 19,
            rows: None,
            komi: 7.5,
            rules: "chinese".to_owned(),
            handicap: 0,
            stones: Vec::new(),
            first: None,
        }
    }
}

#[cfg(test)]
mod tests;
