//! A judgement as data and as text.

use super::Class;
use super::chase::Attack;
use super::exchange;
use super::verdict::{self, Clause, CyclePattern, Ruling};
use crate::game::Side;
use crate::util::lang::{Language, named};
use crate::util::words;
use crate::xiangqi::notation::piece_name;
use crate::xiangqi::{Board, Kind, Move, Piece, RuleSet, Square};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;

/// Who must deviate, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    pub rules: RuleSet,
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
    pub red: CyclePattern,
    /// What Black's moves amount to.
    pub black: CyclePattern,
    pub moves: Vec<MoveReport>,
    /// Whether the search for threats gave up somewhere, so that the verdict may be wrong.
    pub incomplete: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// Half-move of the game, from 1.
    pub ply: usize,
    #[serde(serialize_with = "side_name")]
    pub side: Side,
    #[serde(rename = "move", serialize_with = "as_text")]
    pub mv: Move,
    /// The move in another notation, where one is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What moves, as a letter of FEN.
    #[serde(serialize_with = "letter")]
    pub piece: Piece,
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
    #[serde(serialize_with = "as_text")]
    pub square: Square,
    #[serde(serialize_with = "letter")]
    pub attacker: Piece,
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

named! {
    /// Why an attacked piece can be won.
    pub enum Protection {
        Rootless = "rootless": "no root" | "无根",
        /// What seems to protect it cannot capture back.
        FalseRoot = "false_root": "false root" | "假根",
        /// More pieces attack it than protect it.
        TooFewRoots = "too_few_roots": "too few roots" | "少根",
        /// It is worth more than its attacker.
        Outweighed = "outweighed": "outweighs its attacker" | "比攻击者值钱",
        /// A piece that protects it protects another one too (XQ-D9).
        Overloaded = "overloaded": "its root has another piece to protect" | "根须兼顾他子",
    }
}

/// A piece that protects a victim, or seems to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Root {
    /// The piece, as a letter of FEN.
    #[serde(serialize_with = "letter")]
    pub piece: Piece,
    #[serde(serialize_with = "as_text")]
    pub square: Square,
    /// Whether it can legally capture back.
    pub real: bool,
}

/// Material that checks in a row win after a move, and what could be won before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Forcing {
    pub now: i32,
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
    pub(super) fn of(board: &mut Board, attack: &Attack, rules: RuleSet) -> Self {
        let mv = Move::new(attack.from, attack.to);
        let (mut real, mut seeming) = exchange::protectors(board, mv);
        if rules == RuleSet::Chinese {
            let mated = exchange::mated_roots(board, mv, real);
            (real, seeming) = (real.without(mated), seeming | mated);
        }
        let root = |real| move |sq: Square| (sq, real);
        let roots: Vec<(Square, bool)> = real.map(root(true)).chain(seeming.map(root(false))).collect();
        let (attacker, piece) = (board.piece_at(attack.from), board.piece_at(attack.to));
        let protection = match (real.is_empty(), seeming.is_empty()) {
            (true, true) => Protection::Rootless,
            (true, false) => Protection::FalseRoot,
            _ if exchange::worth(attacker, attack.from) < exchange::worth(piece, attack.to) => {
                Protection::Outweighed
            }
            _ if exchange::gain_on_one_point(board, mv, board.checkers()) <= 0 => Protection::Overloaded,
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
                Kind::General => Some(GENERALS),
                Kind::Soldier => Some(SOLDIERS),
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
            red: CyclePattern::Allowed,
            black: CyclePattern::Allowed,
            moves: Vec::new(),
            incomplete: false,
        }
    }

    /// The verdict in a sentence, without the table.
    pub fn summary(&self, language: Language) -> String {
        let rules = self.rules.text(language);
        let Some(clause) = self.clause else { return words::nothing_repeated(language, rules) };
        let (ruling, text) = (self.ruling.text(language), clause.text(language));
        let mut out = match clause {
            Clause::ThirdOccurrence => words::ruled_by_no_clause(language, rules, text),
            _ => words::ruled(language, rules, ruling, clause.cited(language, self.rules), text),
        };
        if self.rules != RuleSet::None {
            let [red, black] = [Side::First, Side::Second].map(|side| self.side_text(side, language));
            out += &words::both_sides(language, red, black);
        }
        if self.incomplete {
            out += &words::search_cut_short(language);
        }
        out
    }

    /// What a side's moves amount to, and what makes them allowed.
    pub fn side_text(&self, side: Side, language: Language) -> String {
        let pattern = if side == Side::First { self.red } else { self.black };
        let named = match language {
            Language::Chinese if self.rules == RuleSet::Chinese => self.pattern_in_chinese(side),
            _ => pattern.text(language).to_owned(),
        };
        let idle = self.moves.iter().find(|report| report.side == side && !report.class.is_attack());
        match (pattern, idle) {
            (CyclePattern::Allowed, Some(report)) => {
                words::allowed_since(language, named, report.name(), report.class.text(language))
            }
            (CyclePattern::Allowed, None) if self.rules == RuleSet::Chinese => named,
            (CyclePattern::Allowed, None) => words::nothing_chased_throughout(language, named),
            _ => named,
        }
    }

    /// What the rules call the moves of a side: 长捉, 一将一捉, 长跟, 数将一闲. English has no names for them.
    pub(super) fn pattern_in_chinese(&self, side: Side) -> String {
        let classes: Vec<Class> =
            self.moves.iter().filter(|report| report.side == side).map(|report| report.class).collect();
        let signs = |wanted: fn(Class) -> bool| {
            let found: BTreeSet<Class> = classes.iter().copied().filter(|class| wanted(*class)).collect();
            found.into_iter().map(|class| class.names().1).collect::<Vec<_>>()
        };
        let (attacks, idle) = (signs(Class::is_attack), signs(|class| !class.is_attack()));
        let attacking = classes.iter().filter(|class| class.is_attack()).count();
        match (&attacks[..], &idle[..]) {
            ([], ["闲"]) => "闲着".to_owned(),
            ([one], []) | ([], [one]) => format!("长{one}"),
            ([one, other], []) => format!("一{one}一{other}"),
            (_, []) => "长打".to_owned(),
            ([], _) => "允许着法".to_owned(),
            ([one], _) if 2 * attacking == classes.len() => format!("一{one}一闲"),
            ([one], _) if 2 * attacking > classes.len() => format!("数{one}一闲"),
            _ => "打与闲相间".to_owned(),
        }
    }

    /// The summary, then a line a move.
    pub fn text(&self, language: Language) -> String {
        let mut out = self.summary(language) + "\n";
        for report in &self.moves {
            out += &report.text(self.rules, language);
            out.push('\n');
        }
        if let Some(report) = self.in_defense() {
            out += &words::may_be_defense(language, report.name());
            out.push('\n');
        }
        out
    }

    /// A chase of the side that loses which an arbiter might find idle by XQ-R9: the piece that moves attacks
    /// advisors and elephants alone (XQ-D13).
    fn in_defense(&self) -> Option<&MoveReport> {
        let loser = self.ruling.loser().filter(|_| self.rules == RuleSet::Chinese)?;
        let is_guard = |victim: &Victim| matches!(victim.piece.kind(), Kind::Advisor | Kind::Elephant);
        self.moves.iter().filter(|report| report.side == loser).find(|report| {
            report.class == Class::Chase
                && report.forced.is_none()
                && report
                    .victims
                    .iter()
                    .all(|victim| is_guard(victim) && victim.attacker_square == report.mv.to())
        })
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

impl MoveReport {
    /// The move as people read it.
    pub fn name(&self) -> String {
        self.text.clone().unwrap_or_else(|| self.mv.to_string())
    }

    /// A line: number, side, piece, move, class, and what it attacks.
    fn text(&self, rules: RuleSet, language: Language) -> String {
        let side = match self.side {
            Side::First => words::red_side(language),
            Side::Second => words::black_side(language),
        };
        let class = language.pick(format!("{:<11}", self.class.names().0), self.class.names().1.to_owned());
        let piece = piece_text(self.piece, language);
        let mut out = words::judged_move(language, self.ply, side, piece, self.name(), class);
        for attack in self.attacks(rules, language) {
            out += "  ";
            out += &attack;
        }
        out
    }

    /// The clause of the Chinese rules for what the move counts as, and the definition for that of
    /// its attack. Nothing by other rules.
    pub fn cited(&self, rules: RuleSet, language: Language) -> String {
        if rules != RuleSet::Chinese {
            return String::new();
        }
        let exempt = self.victims.iter().find_map(|victim| victim.exempt_by);
        let is_overloaded = |victim: &Victim| victim.protection == Protection::Overloaded;
        let (clause, article, definition) = match (self.class, exempt) {
            (Class::Check, _) => ("XQ-R1", "7.1", ""),
            (Class::MateThreat, _) => ("XQ-R1", "7.1", " XQ-D7"),
            (Class::Chase, _) if self.forced.is_some() => ("XQ-R1", "7.1", " XQ-D8"),
            (Class::Chase, Some(id)) if self.counts_soldiers() => (id, article_of(id), " XQ-D11"),
            (Class::Chase, _) if self.victims.iter().all(is_overloaded) => ("XQ-R1", "7.1", " XQ-D9"),
            (Class::Chase, _) => ("XQ-R1", "7.1", " XQ-D4"),
            (_, Some(id)) => (id, article_of(id), ""),
            (Class::Exchange | Class::Offer | Class::Block | Class::Follow | Class::Idle, None) => {
                ("XQ-R2", "7.2", "")
            }
        };
        verdict::cited(clause, Some(article), language, rules) + definition
    }

    /// Whether it is the soldiers' own attacks that make the move a chase (XQ-D11).
    fn counts_soldiers(&self) -> bool {
        self.class == Class::Chase
            && self.forced.is_none()
            && self.victims.iter().all(|victim| victim.exempt_by.is_some())
    }

    /// What the move attacks, an item a victim, and what checks in a row win.
    pub fn attacks(&self, rules: RuleSet, language: Language) -> Vec<String> {
        let counts_soldiers = self.counts_soldiers();
        let victims = self.victims.iter().map(|victim| victim.text(rules, language, counts_soldiers));
        let mut texts: Vec<String> = victims.collect();
        texts.extend(self.forced.map(|Forcing { now, before }| words::forced_gain(language, now, before)));
        texts
    }
}

impl Victim {
    /// Who attacks what, what that wins, and why the roots do not hold.
    fn text(&self, rules: RuleSet, language: Language, counts_soldiers: bool) -> String {
        let mut why = self.protection.text(language).to_owned();
        for Root { piece, square, real } in &self.roots {
            let piece = piece_text(*piece, language);
            why += &match real {
                true => words::real_root(language, piece, square),
                false => words::seeming_root(language, piece, square),
            };
        }
        if let Some(id) = self.exempt_by {
            let clause = verdict::cited(id, Some(article_of(id)), language, rules);
            why += &match counts_soldiers && id == SOLDIERS {
                true => words::chase_by(language, clause),
                false => words::idle_by(language, clause),
            };
        }
        let [attacker, piece] = [self.attacker, self.piece].map(|piece| piece_text(piece, language));
        words::judged_victim(language, attacker, self.attacker_square, piece, self.square, self.gain, why)
    }
}

/// The clause that makes a general's own attack idle.
const GENERALS: &str = "XQ-R7";
/// The clause that makes a soldier's own attack idle.
const SOLDIERS: &str = "XQ-R8";

/// The article of the Chinese rules that is one of these clauses.
fn article_of(exemption: &str) -> &'static str {
    if exemption == GENERALS { "7.6" } else { "7.7" }
}

/// A piece as a letter of FEN, or by its character.
fn piece_text(piece: Piece, language: Language) -> String {
    match (language, piece.get()) {
        (Language::Chinese, Some((side, kind))) => piece_name(side, kind).to_string(),
        _ => piece.letter().to_string(),
    }
}
