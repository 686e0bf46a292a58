//! Judging a game: find the cycle, look at its moves, class them by a rule set, decide.

use super::attack::{Classification, Depth, Forced, classify};
use super::chase::common_victims;
use super::check::Solver;
use super::cycle::{self, CycleMove, Span, Tracker, walk};
use super::report::{Forcing, Judgement, MoveReport, Victim};
use super::verdict::{self, Clause, CyclePattern, Ruling};
use super::{Class, idle};
use crate::errors;
use crate::game::{Game, Side};
use crate::xiangqi::{Board, Move, Piece, RuleSet};

/// Positions that may be visited for a move in the search for mate threats and forced gains.
const BUDGET: u64 = 1_000_000;

errors! {
    /// A move of the game that is not legal where it stands, and its number from 1.
    pub enum IllegalMove {
        At(ply: usize, mv: Move) = "move {ply} ({mv}) is illegal" | "第 {ply} 着（{mv}）不合规则",
    }
}

/// Judges the first third occurrence of a position in the game that `moves` make from `start`; failing
/// that, a repetition that the last move completes.
/// # Errors
/// [`IllegalMove`] names the first move that is not legal.
pub fn judge(start: &Board, moves: &[Move], rules: RuleSet) -> Result<Judgement, IllegalMove> {
    Ok(match Cycle::find(start, moves)? {
        Some(cycle) => cycle.judge(rules),
        None => Judgement::nothing(rules),
    })
}

/// Judges the cycle that the last move of a game has completed, by the rules of the game. `None`: the
/// position has not occurred before.
pub fn judge_here(board: &Board) -> Option<Judgement> {
    let earlier = board.earlier_occurrences()?;
    let (plies, occurrences) = earlier.first.map_or((earlier.last, 2), |first| (first, 3));
    let (start, moves) = board.cycle(plies);
    let end = board.plies_played();
    let span = Span { start: end - plies, end, occurrences };
    Some(Cycle { span, start, moves }.judge(board.rule_set()))
}

/// [`judge`] by every rule set, in the order of [`RuleSet::ALL`].
/// # Errors
/// [`IllegalMove`] names the first move that is not legal.
pub fn judge_all(start: &Board, moves: &[Move]) -> Result<Vec<Judgement>, IllegalMove> {
    let cycle = Cycle::find(start, moves)?;
    let judge = |rules| match &cycle {
        Some(cycle) => cycle.judge(rules),
        None => Judgement::nothing(rules),
    };
    Ok(RuleSet::ALL.into_iter().map(judge).collect())
}

/// Every third occurrence in the game, each judged by every rule set in the order of [`RuleSet::ALL`]. Once
/// one is judged, occurrences are counted anew. Where there is none, a repetition that the last move
/// completes is judged.
/// # Errors
/// [`IllegalMove`] names the first move that is not legal.
pub fn judge_every(start: &Board, moves: &[Move]) -> Result<Vec<Vec<Judgement>>, IllegalMove> {
    let (mut found, mut judged, mut board) = (Vec::new(), 0, start.without_history());
    while let Some(mut cycle) = Cycle::find(&board, &moves[judged..])? {
        let span = &mut cycle.span;
        if span.occurrences < 3 && !found.is_empty() {
            break;
        }
        let rest = &moves[judged..][..span.end];
        rest.iter().for_each(|&mv| board.do_move(mv, &mut ()));
        board = board.without_history();
        (span.start, span.end) = (span.start + judged, span.end + judged);
        judged = span.end;
        found.push(RuleSet::ALL.into_iter().map(|rules| cycle.judge(rules)).collect());
    }
    Ok(found)
}

struct Cycle {
    span: Span,
    start: Board,
    moves: Vec<Move>,
}

/// What one rule set sees in a move.
struct JudgedMove {
    side: Side,
    mv: Move,
    piece: Piece,
    class: Class,
    classification: Classification,
    /// Whether the search for threats gave up.
    incomplete: bool,
    /// Without history, to look at roots.
    before: Board,
}

impl Cycle {
    fn find(start: &Board, moves: &[Move]) -> Result<Option<Self>, IllegalMove> {
        let mut board = start.without_history();
        let mut keys = vec![board.key()];
        for (played, &mv) in moves.iter().enumerate() {
            if !board.is_pseudo_legal(mv) || !board.is_legal(mv) {
                return Err(IllegalMove::At(played + 1, mv));
            }
            board.do_move(mv, &mut ());
            keys.push(board.key());
        }
        let Some(span) = cycle::find(&keys) else { return Ok(None) };
        for _ in span.start..moves.len() {
            board.undo_move();
        }
        let moves = moves[span.start..span.end].to_vec();
        Ok(Some(Self { span, start: board.without_history(), moves }))
    }

    fn judge(&self, rules: RuleSet) -> Judgement {
        let mut judged = self.classify(rules);
        let [red, black] = match rules {
            RuleSet::Chinese => chinese_patterns(&mut judged),
            RuleSet::Asian | RuleSet::Computer => common_patterns(&judged, rules),
            RuleSet::None => [CyclePattern::Allowed; 2],
        };
        let (ruling, clause) = match rules {
            RuleSet::None => (Ruling::Draw, Clause::ThirdOccurrence),
            _ => verdict::decide(red, black),
        };
        let incomplete = judged.iter().any(|judged| judged.incomplete);
        let moves = judged
            .into_iter()
            .enumerate()
            .map(|(index, judged)| judged.report(self.span.start + index + 1, rules))
            .collect();
        Judgement {
            rules,
            ruling,
            clause: Some(clause),
            first_ply: self.span.start + 1,
            last_ply: self.span.end,
            occurrences: self.span.occurrences,
            red,
            black,
            moves,
            incomplete,
        }
    }

    /// Looks at every move through the eyes of a rule set.
    fn classify(&self, rules: RuleSet) -> Vec<JudgedMove> {
        let mut solver = Solver::new(BUDGET);
        let mut out = Vec::with_capacity(self.moves.len());
        walk(&self.start, &self.moves, |cycle_move| {
            out.push(JudgedMove::new(cycle_move, rules, &mut solver));
            true
        });
        out
    }
}

/// Every attack counts (XQ-R1); those of soldiers only if with them every move of both sides attacks (XQ-R8,
/// XQ-D11).
fn chinese_patterns(judged: &mut [JudgedMove]) -> [CyclePattern; 2] {
    if judged.iter().all(|judged| judged.class.is_attack() || judged.classification.is_soldiers_attack()) {
        for judged in judged.iter_mut().filter(|judged| !judged.class.is_attack()) {
            judged.class = Class::Chase;
        }
    }
    [Side::First, Side::Second].map(|side| CyclePattern::of(of_side(judged, side).map(|judged| judged.class)))
}

/// Perpetual check, or one piece chased by every move; under the servers' rules only if neither side checks.
fn common_patterns(judged: &[JudgedMove], rules: RuleSet) -> [CyclePattern; 2] {
    let any_check = judged.iter().any(|judged| judged.class == Class::Check);
    let chase_counts = rules == RuleSet::Asian || !any_check;
    [Side::First, Side::Second].map(|side| {
        let moves = of_side(judged, side);
        if moves.clone().all(|judged| judged.class == Class::Check) {
            CyclePattern::PerpetualCheck
        } else if chase_counts
            && !common_victims(moves.map(|judged| judged.classification.attacks.as_slice())).is_empty()
        {
            CyclePattern::PerpetualChase
        } else {
            CyclePattern::Allowed
        }
    })
}

fn of_side(judged: &[JudgedMove], side: Side) -> impl Iterator<Item = &JudgedMove> + Clone {
    judged.iter().filter(move |judged| judged.side == side)
}

impl JudgedMove {
    fn new(cycle_move: &mut CycleMove, rules: RuleSet, solver: &mut Solver) -> Self {
        let classification = classify(cycle_move, rules, solver, Depth::Names);
        let class = if classification.checks {
            Class::Check
        } else if classification.threatens_mate {
            Class::MateThreat
        } else if classification.is_attack() {
            Class::Chase
        } else {
            match idle::kind(cycle_move) {
                // A general or soldier that attacks by itself watches nothing that is protected.
                Class::Follow if !classification.attacks.is_empty() => Class::Idle,
                kind => kind,
            }
        };
        Self {
            side: cycle_move.board.side_to_move(),
            mv: cycle_move.mv,
            piece: cycle_move.board.piece_at(cycle_move.mv.from()),
            class,
            classification,
            incomplete: solver.is_exhausted(),
            before: cycle_move.board.without_history(),
        }
    }

    fn report(mut self, ply: usize, rules: RuleSet) -> MoveReport {
        let ids = Tracker::new();
        let mut cycle_move = CycleMove { board: &mut self.before, mv: self.mv, ids: &ids };
        let attacks = self.classification.attacks.iter().map(|new| &new.attack);
        let victims =
            cycle_move.afterwards(|board| attacks.map(|attack| Victim::of(board, attack, rules)).collect());
        MoveReport {
            text: None,
            ply,
            side: self.side,
            mv: self.mv,
            piece: self.piece,
            class: self.class,
            victims,
            forced: self.classification.forced.map(|Forced { now, before }| Forcing { now, before }),
        }
    }
}
