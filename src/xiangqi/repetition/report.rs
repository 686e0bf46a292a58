//! A judgement as data and as text.

use super::Class;
use super::chase::Attack;
use super::exchange;
use super::verdict::{Clause, Pattern, Ruling};
use crate::game::Side;
use crate::xiangqi::{Board, Kind, Move, Piece, RuleSet, Square};
use serde::{Serialize, Serializer};
use std::fmt;

/// Who must deviate, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The rules that were applied.
    pub rules: RuleSet,
    /// The verdict.
    pub ruling: Ruling,
    /// The clause that decides; none where nothing was repeated.
    pub clause: Option<Clause>,
    /// First half-move of the cycle; the first of the game is 1. 0 without a cycle.
    pub first_ply: usize,
    /// Last half-move of the cycle, after which it is judged.
    pub last_ply: usize,
    /// How often the position had occurred by then.
    pub occurrences: usize,
    /// What Red's moves amount to.
    pub red: Pattern,
    /// What Black's moves amount to.
    pub black: Pattern,
    /// The moves of the cycle.
    pub moves: Vec<MoveReport>,
    /// Whether the search for threats gave up somewhere, so that the verdict may be wrong.
    pub incomplete: bool,
}

/// A move of the cycle.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// Half-move of the game, from 1.
    pub ply: usize,
    /// Who moves.
    #[serde(serialize_with = "side_name")]
    pub side: Side,
    /// The move, in ICCS.
    #[serde(rename = "move", serialize_with = "as_text")]
    pub mv: Move,
    /// The move in another notation, where one is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What moves, as a letter of FEN.
    #[serde(serialize_with = "letter")]
    pub piece: Piece,
    /// What it is.
    pub class: Class,
    /// The attacks that it brings about.
    pub victims: Vec<Victim>,
    /// What checks in a row win, if that is what makes it a chase (XQ-D8).
    pub forced: Option<Forcing>,
}

/// A piece under an attack that the move brings about.
#[derive(Clone, Debug, Serialize)]
pub struct Victim {
    /// The attacked piece, as a letter of FEN.
    #[serde(serialize_with = "letter")]
    pub piece: Piece,
    /// Where it stands.
    #[serde(serialize_with = "as_text")]
    pub square: Square,
    /// The piece that would capture it.
    #[serde(serialize_with = "letter")]
    pub attacker: Piece,
    /// Where that stands.
    #[serde(serialize_with = "as_text")]
    pub attacker_square: Square,
    /// What the capture wins: chariot 8, horse and cannon 4, advisor and elephant 2, crossed soldier 1.
    pub gain: i32,
    /// Why its roots do not hold.
    pub protection: Protection,
    /// Pieces that protect it, or seem to.
    pub roots: Vec<Root>,
    /// `XQ-R7` or `XQ-R8` where the attack is the general's or a soldier's own, hence idle.
    pub exempt_by: Option<&'static str>,
}

/// Why an attacked piece can be won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// Nothing protects it.
    Rootless,
    /// What seems to protect it cannot capture back.
    FalseRoot,
    /// More pieces attack it than protect it.
    TooFewRoots,
    /// It is worth more than its attacker.
    Outweighed,
}

/// A piece that protects a victim, or seems to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Root {
    /// The piece, as a letter of FEN.
    #[serde(serialize_with = "letter")]
    pub piece: Piece,
    /// Where it stands.
    #[serde(serialize_with = "as_text")]
    pub square: Square,
    /// Whether it can legally capture back.
    pub real: bool,
}

/// Material that checks in a row win after a move, and what could be won before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Forcing {
    /// After the move.
    pub now: i32,
    /// Before it.
    pub before: i32,
}

fn side_name<S: Serializer>(side: &Side, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(name_of(*side))
}

fn as_text<S: Serializer, T: fmt::Display>(value: &T, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

fn letter<S: Serializer>(piece: &Piece, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_char(piece.letter())
}

const fn name_of(side: Side) -> &'static str {
    match side {
        Side::First => "red",
        Side::Second => "black",
    }
}

impl Victim {
    /// Looks at an attack on a board whose side to move is the attacker's.
    pub(super) fn of(board: &mut Board, attack: &Attack) -> Self {
        let (real, seeming) = exchange::protectors(board, Move::new(attack.from, attack.to));
        let root = |real| move |sq: Square| (sq, real);
        let roots: Vec<(Square, bool)> = real.map(root(true)).chain(seeming.map(root(false))).collect();
        let (attacker, piece) = (board.piece_at(attack.from), board.piece_at(attack.to));
        let protection = match (real.is_empty(), seeming.is_empty()) {
            (true, true) => Protection::Rootless,
            (true, false) => Protection::FalseRoot,
            _ if exchange::worth(attacker, attack.from) < exchange::worth(piece, attack.to) => {
                Protection::Outweighed
            }
            _ => Protection::TooFewRoots,
        };
        Self {
            piece,
            square: attack.to,
            attacker,
            attacker_square: attack.from,
            gain: attack.gain,
            protection,
            roots: roots
                .into_iter()
                .map(|(square, real)| Root { piece: board.piece_at(square), square, real })
                .collect(),
            exempt_by: match attack.by {
                Kind::General => Some("XQ-R7"),
                Kind::Soldier => Some("XQ-R8"),
                _ => None,
            },
        }
    }
}

impl Judgement {
    /// No position came back.
    pub(super) fn nothing(rules: RuleSet) -> Self {
        Self {
            rules,
            ruling: Ruling::None,
            clause: None,
            first_ply: 0,
            last_ply: 0,
            occurrences: 1,
            red: Pattern::Allowed,
            black: Pattern::Allowed,
            moves: Vec::new(),
            incomplete: false,
        }
    }

    /// The verdict in a sentence, without the table.
    pub fn summary(&self) -> String {
        let Some(clause) = self.clause else { return format!("{}: no position is repeated", self.rules) };
        let mut out = format!("{}: {} by {clause} ({})", self.rules, self.ruling, clause.text());
        if self.rules != RuleSet::None {
            out +=
                &format!("; red: {}, black: {}", self.side_text(Side::First), self.side_text(Side::Second));
        }
        if self.incomplete {
            out += "; the search for threats was cut short";
        }
        out
    }

    fn side_text(&self, side: Side) -> String {
        let pattern = if side == Side::First { self.red } else { self.black };
        let idle = self.moves.iter().find(|report| report.side == side && !report.class.is_attack());
        match (pattern, idle) {
            (Pattern::Allowed, Some(report)) => format!("{pattern}, {} is {}", report.name(), report.class),
            (Pattern::Allowed, None) if self.rules == RuleSet::Chinese => pattern.to_string(),
            (Pattern::Allowed, None) => format!("{pattern}, no piece is chased by every move"),
            _ => pattern.to_string(),
        }
    }
}

impl fmt::Display for Judgement {
    /// The summary, then a line a move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary())?;
        for report in &self.moves {
            writeln!(f, "{report}")?;
        }
        Ok(())
    }
}

impl MoveReport {
    /// The move as it is told to people.
    fn name(&self) -> String {
        self.text.clone().unwrap_or_else(|| self.mv.to_string())
    }
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ply, side, piece, class, .. } = self;
        write!(f, "{ply:>4}  {:<5}  {}  {}  ", name_of(*side), piece.letter(), self.name())?;
        write!(f, "{:<12}", class.names().0)?;
        write!(f, " {}", class.names().1)?;
        for victim in &self.victims {
            write!(f, "  {victim}")?;
        }
        if let Some(Forcing { now, before }) = self.forced {
            write!(f, "  checks in a row win {now}, before the move {before}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Victim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.protection {
            Protection::Rootless => "no root",
            Protection::FalseRoot => "false root",
            Protection::TooFewRoots => "too few roots",
            Protection::Outweighed => "outweighs its attacker",
        };
        let (attacker, piece) = (self.attacker.letter(), self.piece.letter());
        write!(f, "{attacker}{}x{piece}{} wins {} ({why}", self.attacker_square, self.square, self.gain)?;
        for root in &self.roots {
            write!(f, " {}{}{}", if root.real { "" } else { "!" }, root.piece.letter(), root.square)?;
        }
        match self.exempt_by {
            Some(clause) => write!(f, "; idle by {clause})"),
            None => f.write_str(")"),
        }
    }
}
