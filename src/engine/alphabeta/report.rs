//! What a search found, as events.

use super::policy::Policy;
use super::{Chances, Position, Setup};
use crate::engine::{BestMove, Bound, Event, Info, Score};
use crate::game::{AlphaBetaGame, Game, Text, Verdict};
use crate::search::alphabeta::budget::SearchLimits;
use crate::search::alphabeta::endgames::{EndgameResult, EndgameTables};
use crate::search::alphabeta::iterate::Task;
use crate::search::alphabeta::score::{MATE, MAX_PLY, TABLE_WIN, is_decisive, is_mate};
use crate::search::alphabeta::vote::{self, Vote};
use crate::search::alphabeta::{Evaluator, RootMove, Shared, entry};
use crossbeam::channel::Sender;
use std::cell::RefCell;

/// A thread's completed depth and its best root move.
pub(super) type Found<G> = (i32, Option<RootMove<<G as Game>::Move>>);

/// A win that endgame tables prove, in centipawns; less one for each ply until it is reached.
const KNOWN_WIN: i32 = 20_000;

/// The thread whose move is played: of those that reached the depth asked for, if any did.
pub(super) fn thread_to_play<S: Setup>(found: &[Found<Position<S>>], asked: Option<i32>) -> usize {
    let deepest = found.iter().map(|&(depth, _)| depth).max();
    let min_depth = asked.filter(|&asked| deepest >= Some(asked)).unwrap_or(0);
    let vote = |(depth, root): &Found<Position<S>>| match root {
        Some(root) => Vote { mv: Position::<S>::pack(root.mv), score: root.score, depth: *depth },
        None => Vote { mv: 0, score: 0, depth: 0 },
    };
    let (threads, votes): (Vec<_>, Vec<_>) =
        found.iter().map(vote).enumerate().filter(|(_, vote)| vote.depth >= min_depth).unzip();
    threads[vote::choose(&votes)]
}

/// Turns what a search found into events.
pub(super) struct Reporter<'a, G: AlphaBetaGame + Text> {
    root: &'a G,
    shared: &'a Shared,
    bounds: &'a SearchLimits,
    notation: G::Notation,
    tables: Option<&'a dyn EndgameTables<G>>,
    chances: Option<Chances<G>>,
    known_moves: u64,
    /// The line that the tables play from the last root move asked about.
    known_line: RefCell<Vec<G::Move>>,
}

impl<'a, G: AlphaBetaGame + Text> Reporter<'a, G> {
    pub fn new<E: Evaluator<Game = G>>(
        task: &'a Task<E>,
        shared: &'a Shared,
        notation: G::Notation,
        tables: Option<&'a dyn EndgameTables<G>>,
        chances: Option<Chances<G>>,
    ) -> Self {
        Self {
            root: &task.root,
            shared,
            bounds: &task.limits,
            notation,
            tables,
            chances,
            known_moves: task.ranked.len() as u64,
            known_line: RefCell::default(),
        }
    }

    /// The line of a root move: as searched, or, where tables know who wins and no mate was found, as they
    /// play it to the end.
    fn line(&self, root: &RootMove<G::Move>) -> Vec<String> {
        match (root.outcome, self.tables) {
            (Some(EndgameResult::Win | EndgameResult::Loss), Some(tables)) if !is_mate(root.score) => {
                let mut line = self.known_line.borrow_mut();
                if line.first() != Some(&root.mv) {
                    *line = self.play_out(tables, root.mv);
                }
                self.texts(&line)
            }
            _ => self.texts(&root.pv),
        }
    }

    fn play_out(&self, tables: &dyn EndgameTables<G>, first: G::Move) -> Vec<G::Move> {
        let (mut pos, mut line) = (self.root.clone(), vec![first]);
        pos.do_move(first, &mut ());
        while line.len() < MAX_PLY
            && pos.verdict() == Verdict::Ongoing
            && let Some(mv) = tables.best_move(&pos)
        {
            line.push(mv);
            pos.do_move(mv, &mut ());
        }
        line
    }

    /// The moves as text, cut where one is not legal or the game is over.
    fn texts(&self, moves: &[G::Move]) -> Vec<String> {
        let mut pos = self.root.clone();
        let mut texts = Vec::with_capacity(moves.len());
        for (i, &mv) in moves.iter().enumerate() {
            if (i > 0 && pos.verdict() != Verdict::Ongoing) || !pos.is_pseudo_legal(mv) || !pos.is_legal(mv) {
                break;
            }
            texts.push(pos.move_text(mv, self.notation));
            pos.do_move(mv, &mut ());
        }
        texts
    }

    pub fn info(&self, depth: i32, root: &RootMove<G::Move>, line: usize) -> Info {
        let score = match root.outcome {
            Some(EndgameResult::Win) if !is_mate(root.score) => TABLE_WIN,
            Some(EndgameResult::Draw) => 0,
            Some(EndgameResult::Loss) if !is_mate(root.score) => -TABLE_WIN,
            _ => root.score,
        };
        Info {
            depth: depth.max(0) as u32,
            seldepth: root.seldepth as u32,
            multipv: line as u32 + 1,
            score: score_of(score),
            bound: match root.bound {
                _ if score != root.score => Bound::Exact,
                entry::Bound::Exact => Bound::Exact,
                entry::Bound::Lower => Bound::Lower,
                entry::Bound::Upper => Bound::Upper,
            },
            wdl: self.chances.map(|chances| match score {
                _ if !is_decisive(score) => chances(score, self.root),
                1.. => [1000, 0, 0],
                _ => [0, 0, 1000],
            }),
            nodes: self.shared.total_nodes(),
            time: self.bounds.elapsed(),
            hashfull: self.shared.table.permille_full(self.shared.generation()),
            tbhits: self.known_moves + self.shared.total_table_hits(),
            pv: self.line(root),
        }
    }

    /// The last events of a search, whose best thread is `chosen`; `most` is the best score that the first
    /// one has found.
    pub fn conclude(
        &self,
        found: &[Found<G>],
        chosen: usize,
        best_score: i32,
        policy: &Policy,
        events: &Sender<Event>,
    ) {
        for message in self.tables.iter().flat_map(|tables| tables.take_messages()) {
            let _ = events.send(Event::Message(message));
        }
        let (depth, Some(best)) = &found[chosen] else {
            let moves = self.root.legal();
            // Moves that may not be looked at end no game.
            if moves.is_empty() {
                let lost = self.root.in_check() || G::STALEMATE == Verdict::Loss;
                let score = if lost { Score::Mate(0) } else { Score::Centipawns(0) };
                let _ = events.send(Event::Info(Info::of_finished_game(score)));
            }
            let _ = events.send(Event::BestMove(BestMove::default()));
            return;
        };
        if chosen > 0 {
            let _ = events.send(Event::Info(self.info(*depth, best, 0)));
        }
        let mut pv = self.line(best);
        if pv.len() == 1 {
            pv.extend(self.reply(best.mv));
        }
        let mut pv = pv.into_iter();
        // Not by what a careless player has just chosen.
        let score = if chosen == 0 { best_score.max(best.score) } else { best.score };
        let _ = events.send(Event::BestMove(BestMove {
            mv: pv.next(),
            ponder: pv.next(),
            // What was only pondered is not sent.
            draw: !self.bounds.is_pondering() && policy.draws(self.root, score),
            resign: policy.resigns(score),
        }));
    }

    /// The answer to `mv` that the table holds; none where the game is over.
    fn reply(&self, mv: G::Move) -> Option<String> {
        let mut pos = self.root.clone();
        pos.do_move(mv, &mut ());
        if pos.verdict() != Verdict::Ongoing {
            return None;
        }
        let reply = G::unpack(self.shared.table.probe(pos.key())?.mv);
        (pos.is_pseudo_legal(reply) && pos.is_legal(reply)).then(|| pos.move_text(reply, self.notation))
    }
}

/// A score of the search as protocols show it.
pub(super) fn score_of(score: i32) -> Score {
    if !is_decisive(score) {
        Score::Centipawns(score)
    } else if !is_mate(score) {
        Score::Centipawns((KNOWN_WIN - (TABLE_WIN - score.abs())) * score.signum())
    } else if score > 0 {
        Score::Mate((MATE - score + 1) / 2)
    } else {
        Score::Mate(-(MATE + score) / 2)
    }
}
