//! Questions to the arbiter's desk, and what it finds.

use crate::game::Side;
use crate::games::record::{GameKind, Reason};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeskQuestion {
    /// Illegal moves: the first one; in Go every suicide and repetition of the whole board
    Illegal,
    /// How the rules end the game: mate, stalemate, dead position, repetition, limits; the count after two
    /// passes
    End,
    /// Whether a draw can be claimed, with --at or --with; every place where one could be claimed without
    Claim,
    /// Who wins when the flag of the side to move falls, or that of --side
    Flag,
    /// Whether the position is dead: no side can win any more
    Dead,
    /// Xiangqi: who must deviate from a repetition
    Repetition,
    /// Go: whether a point is forbidden (--point)
    Point,
    /// Go: two moves in a row by one side
    Turns,
    /// Go: the count by area, in stones (子) and points; --dead names dead stones
    Count,
    /// Whether the result in the record agrees with the board
    Result,
}

impl DeskQuestion {
    pub fn name(self) -> String {
        clap::ValueEnum::to_possible_value(&self)
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeskVerdict {
    Right,
    Wrong,
    Claimable,
    Win,
    Draw,
    Dead,
    NotDead,
    Ended(Reason),
    GoesOn,
    Allowed,
    Forbidden,
    Illegal,
    /// The record cannot be read any further.
    Damaged,
    TwoInARow,
    Nothing,
    Agrees,
    Contradicts,
    /// The board does not decide it.
    Open,
}

impl DeskVerdict {
    fn name(self) -> Value {
        json!(match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Claimable => "claimable",
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Dead => "dead",
            Self::NotDead => "not-dead",
            Self::Ended(reason) => return json!(reason),
            Self::GoesOn => "goes-on",
            Self::Allowed => "allowed",
            Self::Forbidden => "forbidden",
            Self::Illegal => "illegal",
            Self::Damaged => "damaged",
            Self::TwoInARow => "two-in-a-row",
            Self::Nothing => "none",
            Self::Agrees => "agrees",
            Self::Contradicts => "contradicts",
            Self::Open => "open",
        })
    }

    /// What people read; nothing where the reason is enough.
    fn text(self) -> Option<Message> {
        Some(match self {
            Self::Right => message!("the claim is right" | "要求成立"),
            Self::Wrong => message!("the claim is wrong" | "要求不成立"),
            Self::Claimable => message!("a draw can be claimed" | "可以要求判和"),
            Self::Draw => message!("drawn" | "和棋"),
            Self::Dead => message!("dead" | "死局"),
            Self::NotDead => message!("not dead" | "不是死局"),
            Self::Ended(reason) => Message::of(&reason.texts()),
            Self::GoesOn => message!("the game goes on" | "棋局继续"),
            Self::Allowed => message!("allowed" | "可以下"),
            Self::Forbidden => message!("forbidden" | "禁着点"),
            Self::Illegal => message!("illegal" | "违例"),
            Self::Damaged => message!("the record breaks off" | "棋谱到此中断"),
            Self::TwoInARow => message!("two moves in a row" | "连走两着"),
            Self::Agrees => message!("the result is right" | "结果相符"),
            Self::Contradicts => message!("the result is wrong" | "结果不符"),
            Self::Win | Self::Nothing | Self::Open => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// The position after this many moves.
    After(usize),
    /// The move after which this many have been played.
    Move(usize),
}

impl Spot {
    /// Half-moves of the game by then.
    pub fn plies(self) -> usize {
        match self {
            Self::After(plies) | Self::Move(plies) => plies,
        }
    }
}

#[derive(Clone, Debug)]
pub struct DeskFinding {
    pub question: DeskQuestion,
    pub spot: Spot,
    pub verdict: DeskVerdict,
    pub clause: Option<&'static str>,
    pub reason: Message,
    pub winner: Option<Side>,
    /// Go: the dead stones, and the point that is asked about.
    pub dead: Vec<String>,
    pub point: Option<String>,
}

impl DeskFinding {
    pub fn new(question: DeskQuestion, spot: Spot, verdict: DeskVerdict, reason: Message) -> Self {
        let (clause, winner, dead, point) = Default::default();
        Self { question, spot, verdict, clause, reason, winner, dead, point }
    }

    pub fn by(self, clause: &'static str) -> Self {
        Self { clause: Some(clause), ..self }
    }

    pub fn won_by(self, winner: Option<Side>) -> Self {
        Self { winner, ..self }
    }

    /// The spot in words; `mv` is its move with the number, if it has one.
    fn place(&self, mv: Option<&str>) -> Message {
        match (self.spot, mv) {
            (Spot::Move(_), Some(mv)) => message!("move {mv}" | "着法 {mv}", mv),
            (Spot::After(_), Some(mv)) => message!("after {mv}" | "{mv} 之后", mv),
            (_, None) => message!("at the start" | "开局"),
        }
    }

    /// Verdict and reason, without the spot and the clause.
    pub fn verdict_text(&self, language: Language) -> String {
        let reason = self.reason.text(language);
        match self.verdict.text() {
            Some(verdict) => {
                let verdict = verdict.text(language);
                language.pick(format!("{verdict}: {reason}"), format!("{verdict}：{reason}"))
            }
            None => reason.to_owned(),
        }
    }

    pub fn place_text(&self, mv: Option<&str>, language: Language) -> String {
        self.place(mv).text(language).to_owned()
    }

    pub fn text(&self, mv: Option<&str>, language: Language) -> String {
        let (place, verdict) = (self.place_text(mv, language), self.verdict_text(language));
        let cited = match self.clause.filter(|clause| !verdict.contains(clause)) {
            Some(clause) => language.pick(format!(" ({clause})"), format!("（{clause}）")),
            None => String::new(),
        };
        match self.verdict {
            DeskVerdict::Nothing => verdict,
            _ => language.pick(format!("{place}: {verdict}{cited}"), format!("{place}：{verdict}{cited}")),
        }
    }
}

/// A text in both languages, as JSON has it.
fn texts<S: Serializer>(text: &Message, to: S) -> Result<S::Ok, S::Error> {
    json!({"en": text.text(Language::English), "zh": text.text(Language::Chinese)}).serialize(to)
}

#[derive(Serialize)]
pub struct PrintedFinding<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    kind: GameKind,
    question: DeskQuestion,
    /// The move that the finding is about, or after which its position stands.
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    ply: usize,
    fen: Option<String>,
    verdict: Value,
    clause: Option<&'static str>,
    #[serde(serialize_with = "texts")]
    reason: &'a Message,
    winner: Option<String>,
}

impl<'a> PrintedFinding<'a> {
    pub fn new(
        place: Option<(&'a str, usize)>,
        kind: GameKind,
        finding: &'a DeskFinding,
        mv: Option<&'a str>,
        fen: Option<String>,
    ) -> Self {
        Self {
            file: place.map(|(file, _)| file),
            game: place.map(|(_, game)| game),
            kind,
            question: finding.question,
            mv,
            ply: finding.spot.plies(),
            fen,
            verdict: finding.verdict.name(),
            clause: finding.clause,
            reason: &finding.reason,
            winner: finding.winner.map(|side| kind.side_name(side).to_lowercase()),
        }
    }
}
