//! The search on a game small enough to know the truth.

mod rows;

use super::*;
use crate::game::{Game, Side};
use crate::util::rng::Rng;
use rows::Rows;
use std::collections::HashMap;

/// Equal priors and uniformly random playouts.
#[derive(Clone)]
struct Uniform;

impl LeafEvaluator<Rows> for Uniform {
    fn evaluate(&mut self, _: &Rows, _: &[u8], priors: &mut [f32], _: &mut LeafOutcome) -> Evaluated {
        priors.fill(1.0);
        Evaluated::Priors
    }
    fn playout(&mut self, pos: &mut Rows, rng: &mut Rng, result: &mut LeafOutcome) {
        let mut moves = Vec::new();
        while !pos.is_over() {
            pos.candidate_moves(&mut moves);
            let mv = rng.pick(&moves);
            result.played(mv.into(), pos.side_to_move());
            pos.do_move(mv, &mut ());
        }
        result.value = match pos.winner() {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        };
        result.score = 10.0 * result.value - 5.0;
        result.ownership.extend(pos.cells.iter().map(|&c| [0.0, 1.0, -1.0][usize::from(c)]));
    }
    fn tuning(&self, _: &Rows) -> Tuning {
        Tuning { rave_equivalence: 50.0, puct: 1.5, prior_value: 0.0, ..Tuning::default() }
    }
}

/// Values as a net would give them: no playouts, no AMAF.
#[derive(Clone)]
struct Knowing;

impl LeafEvaluator<Rows> for Knowing {
    fn evaluate(&mut self, pos: &Rows, _: &[u8], priors: &mut [f32], result: &mut LeafOutcome) -> Evaluated {
        priors.fill(1.0);
        result.value = if pos.moves.contains(&12) { 0.9 } else { 0.1 };
        Evaluated::PriorsAndOutcome
    }
    fn playout(&mut self, pos: &mut Rows, _: &mut Rng, result: &mut LeafOutcome) {
        result.value = if pos.winner() == Some(Side::First) { 1.0 } else { 0.0 };
    }
    fn tuning(&self, _: &Rows) -> Tuning {
        Tuning { rave_equivalence: 0.0, expand_at: 1, fpu_reduction: 0.1, ..Tuning::default() }
    }
}

/// Playouts that Second always wins, beside a net that likes the middle and is asked late. Counts what it is
/// asked.
#[derive(Clone)]
struct TwoMinds {
    net: f32,
    share: f32,
    salt: u64,
    asked: Arc<Mutex<HashMap<u64, u32>>>,
}

impl TwoMinds {
    const NET_AT: u32 = 5;

    fn new(net: f32, share: f32) -> Self {
        Self { net, share, salt: 0, asked: Arc::default() }
    }
}

impl LeafEvaluator<Rows> for TwoMinds {
    fn evaluate(&mut self, _: &Rows, _: &[u8], priors: &mut [f32], _: &mut LeafOutcome) -> Evaluated {
        priors.fill(1.0);
        Evaluated::Priors
    }
    fn playout(&mut self, pos: &mut Rows, _: &mut Rng, result: &mut LeafOutcome) {
        result.value = if pos.winner() == Some(Side::First) { 1.0 } else { 0.0 };
    }
    fn evaluate_by_net(&mut self, pos: &Rows, moves: &[u8], priors: &mut [f32]) -> f32 {
        *self.asked.lock().unwrap().entry(pos.graph_key()).or_default() += 1;
        assert_eq!(moves.len(), 25 - pos.moves.len());
        for (prior, &mv) in priors.iter_mut().zip(moves) {
            *prior = if mv == 12 { 12.0 } else { 1.0 };
        }
        self.net
    }
    fn tuning(&self, _: &Rows) -> Tuning {
        Tuning { net_at: Self::NET_AT, value_mix: self.share, ..Tuning::default() }
    }
    fn salt(&self) -> u64 {
        self.salt
    }
}

/// Gives a prior only to the last two moves.
#[derive(Clone)]
struct Narrow;

impl LeafEvaluator<Rows> for Narrow {
    fn evaluate(&mut self, _: &Rows, moves: &[u8], priors: &mut [f32], _: &mut LeafOutcome) -> Evaluated {
        priors.iter_mut().zip(moves).filter(|&(_, &mv)| mv >= 23).for_each(|(prior, _)| *prior = 1.0);
        Evaluated::Priors
    }
    fn playout(&mut self, pos: &mut Rows, rng: &mut Rng, result: &mut LeafOutcome) {
        Uniform.playout(pos, rng, result);
    }
    fn tuning(&self, _: &Rows) -> Tuning {
        Tuning::default()
    }
}

fn visits(n: u64) -> TreeLimits<u8> {
    TreeLimits { visits: Some(n), ..TreeLimits::default() }
}

fn no_clock() -> Arc<Timer> {
    Arc::new(Timer::new(None))
}

fn go<E: LeafEvaluator<Rows>>(search: &mut TreeSearch<Rows, E>, pos: &Rows, n: u64) -> SearchReport<u8> {
    search.search(pos, visits(n), &Arc::default(), &no_clock(), &mut |_| ())
}

fn searcher(threads: usize) -> TreeSearch<Rows, Uniform> {
    TreeSearch::new(Uniform, threads, 1).unwrap()
}

#[test]
fn wins_at_once_and_blocks_at_once() {
    // X at 0 and 1 wins at 2; with O to move, O must take 2.
    let win = go(&mut searcher(1), &Rows::new(3, 3, &[0, 3, 1, 6]), 500);
    assert_eq!(win.moves[0].mv, 2);
    assert!(win.moves[0].winrate > 0.95 && win.score_lead > 2.0, "{:?}", win.moves[0]);
    let block = go(&mut searcher(1), &Rows::new(3, 3, &[0, 4, 1]), 2000);
    assert_eq!(block.moves[0].mv, 2);
}

#[test]
fn tic_tac_toe_is_drawn() {
    let report = go(&mut searcher(1), &Rows::start(), 100_000);
    assert!((0.48..0.56).contains(&report.moves[0].winrate), "{:?}", report.moves[0]);
    assert_eq!(report.visits, 100_000);
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 100_000);
}

#[test]
fn one_thread_and_one_seed_give_one_result() {
    let run = |seed| {
        let mut search = searcher(1);
        search.set_seed(seed);
        let report = go(&mut search, &Rows::new(5, 4, &[12]), 3000);
        let moves = report.moves.iter().map(|m| (m.mv, m.visits, m.winrate.to_bits(), m.pv.clone()));
        (moves.collect::<Vec<_>>(), report.ownership)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).0, run(2).0);
}

#[test]
fn visits_along_a_line_are_those_of_moves_and_of_positions() {
    let report = go(&mut searcher(1), &Rows::new(5, 4, &[12]), 3000);
    for mv in &report.moves {
        assert_eq!((mv.pv[0].mv, mv.pv[0].edge_visits), (mv.mv, mv.visits));
        assert!(mv.pv.iter().all(|step| step.visits >= step.edge_visits), "{:?}", mv.pv);
    }
}

#[test]
fn the_next_search_goes_on_from_what_is_known() {
    let mut search = searcher(1);
    let first = go(&mut search, &Rows::new(5, 4, &[12]), 5000);
    let reply = first.moves[0].clone();
    let second = go(&mut search, &Rows::new(5, 4, &[12, reply.mv]), reply.visits);
    assert!(second.playouts <= MIN_FRESH, "{} of {} visits were made again", second.playouts, reply.visits);
    // What is known already is looked at all the same; the score goes on from that of the search before.
    let again = go(&mut search, &Rows::new(5, 4, &[12, reply.mv]), 10);
    assert_eq!((again.playouts, again.visits), (MIN_FRESH, second.visits + MIN_FRESH));
    // A move that was not played has the score of the root.
    let mut unplayed = again.moves.iter().filter(|mv| mv.score_count == 0);
    assert!(unplayed.all(|mv| mv.score_lead == again.score_lead));
    let outcomes = again.moves.iter().map(|mv| mv.score_count).sum::<u64>();
    assert_eq!(outcomes, second.playouts + MIN_FRESH);
    search.clear();
    let third = go(&mut search, &Rows::new(5, 4, &[12, reply.mv]), 1000);
    assert_eq!(third.playouts, 1000);
}

#[test]
fn transpositions_share_a_node() {
    let mut search = searcher(1);
    let report = go(&mut search, &Rows::new(5, 4, &[12]), 20_000);
    assert_eq!(report.visits, 20_000);
    let graph = &search.graph;
    let key = |moves: &[u8]| Rows::new(5, 4, moves).graph_key();
    assert_eq!(key(&[12, 11, 13, 6]), key(&[13, 6, 12, 11]));
    let root = graph.node(graph.find(key(&[12])).unwrap());
    let mut shared = 0;
    let children: Vec<_> = (0..root.len()).filter_map(|i| graph.child(root, i)).collect();
    let mut grandchildren = Vec::new();
    for child in children {
        let node = graph.node(child);
        for id in (0..node.len()).filter_map(|i| graph.child(node, i)) {
            let below = graph.node(id);
            grandchildren.extend((0..below.len()).filter_map(|i| graph.child(below, i)).map(|c| c.index()));
        }
    }
    grandchildren.sort_unstable();
    shared += grandchildren.windows(2).filter(|w| w[0] == w[1]).count();
    assert!(shared > 10, "{shared} of {} nodes three plies down are shared", grandchildren.len());
}

#[test]
fn full_memory_drops_rare_nodes_and_searches_on() {
    let mut search = TreeSearch::new(Uniform, 1, 0).unwrap();
    let start = Rows::new(5, 4, &[]);
    let mut fullest = 0;
    let params = TreeLimits { report_every: Some(Duration::from_micros(200)), ..visits(60_000) };
    let report = search.search(&start, params, &Arc::default(), &no_clock(), &mut |r| {
        fullest = fullest.max(r.permille_full);
    });
    assert_eq!(report.visits, 60_000);
    assert!(fullest > 700, "{fullest} permille: the memory was never short");
    let root = search.graph.find(start.graph_key()).expect("the root survives");
    assert_eq!(search.graph.node(root).total().visits, 60_000);
}

#[test]
fn a_collection_keeps_every_reachable_statistic() {
    let mut search = searcher(1);
    let start = Rows::new(5, 4, &[]);
    let before = go(&mut search, &start, 2000);
    let graph = &search.graph;
    let read = |graph: &Graph| {
        let mut out = Vec::new();
        let mut stack = vec![graph.find(start.graph_key()).unwrap()];
        while let Some(node) = stack.pop().map(|id| graph.node(id)) {
            out.push((node.total(), node.len()));
            out.extend((0..node.len()).map(|i| (stat::load(&node.edges()[i]), usize::from(node.mv(i)))));
            // Every third child is enough; all of them would be walked once per transposition.
            stack.extend((0..node.len()).step_by(3).filter_map(|i| graph.child(node, i)));
        }
        out
    };
    let (all, full) = (read(graph), graph.permille_full());
    let root = graph.shrink(graph.find(start.graph_key()).unwrap());
    assert_eq!(Some(root), graph.find(start.graph_key()));
    assert!(read(graph) == all && graph.permille_full() == full);

    let reply = Rows::new(5, 4, &[before.moves[0].mv]);
    let below = graph.shrink(graph.find(reply.graph_key()).unwrap());
    assert!(graph.permille_full() < full && graph.find(start.graph_key()).is_none());
    assert_eq!(graph.find(reply.graph_key()), Some(below));
    graph.clear();
    assert_eq!((graph.permille_full(), graph.find(reply.graph_key())), (0, None));
}

#[test]
fn many_threads_count_every_visit() {
    // A quarter of a MiB, so that nodes are made, dropped and moved all the time.
    for threads in [2, 4, 8] {
        let mut search = TreeSearch::new(Uniform, threads, 0).unwrap();
        let report = go(&mut search, &Rows::new(5, 4, &[12]), 40_000);
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), report.visits);
        assert_eq!(report.visits, 40_000);
        assert!(report.moves.iter().all(|m| (0.0..=1.0).contains(&m.winrate)));
    }
}

#[test]
fn values_without_playouts_steer_the_search() {
    let mut search = TreeSearch::new(Knowing, 1, 1).unwrap();
    let report = go(&mut search, &Rows::new(5, 4, &[]), 400);
    assert_eq!(report.moves[0].mv, 12);
    assert!(report.moves[0].winrate > 0.85);
}

/// All nodes below `key`, by their paths' order; shared ones once.
fn nodes(graph: &Graph, key: u64) -> Vec<arena::NodeId> {
    let mut found = vec![graph.find(key).expect("a root")];
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        let node = graph.node(id);
        let children: Vec<_> = (0..node.len()).filter_map(|i| graph.child(node, i)).collect();
        children.into_iter().for_each(|child| {
            if !found.contains(&child) {
                found.push(child);
            }
        });
        at += 1;
    }
    found
}

#[test]
fn a_net_is_asked_once_about_each_node_that_is_passed_often() {
    let (mut asked, mut unasked) = (0, 0);
    for (threads, visits) in [(1, 150), (1, 1500), (4, 1500)] {
        let minds = TwoMinds::new(0.75, 0.5);
        let mut search = TreeSearch::new(minds.clone(), threads, 4).unwrap();
        let start = Rows::new(5, 4, &[]);
        let report = go(&mut search, &start, visits);
        assert_eq!(report.moves[0].mv, 12, "the net's prior leads the search");
        assert!((report.moves.iter().map(|m| m.prior).sum::<f64>() - 1.0).abs() < 0.02);
        let mut answered = 0;
        for node in nodes(&search.graph, start.graph_key()).iter().map(|&id| search.graph.node(id)) {
            // The descents that brought a node to its number found it unasked.
            let passed = node.total().visits;
            match node.net_value() {
                Some(value) => {
                    assert!((value - 0.75).abs() < 1e-4);
                    answered += 1;
                }
                None => {
                    assert!(passed <= TwoMinds::NET_AT, "passed {passed} times");
                    unasked += 1;
                }
            }
        }
        asked += answered;
        let counts = minds.asked.lock().unwrap();
        assert!(counts.len() >= answered, "{} {answered}", counts.len());
        assert!(threads > 1 || counts.values().all(|&n| n == 1));
    }
    assert!(asked > 50 && unasked > 5, "{asked} {unasked}");
}

#[test]
fn outcomes_are_net_and_playout_in_their_shares() {
    for (share, expected) in [(0.0, 0.0), (0.25, 0.2), (1.0, 0.8)] {
        let mut search = TreeSearch::new(TwoMinds::new(0.8, share), 1, 1).unwrap();
        // So few visits that no line of four in a row is found.
        let report = go(&mut search, &Rows::new(5, 4, &[]), 30);
        assert!((report.winrate - expected).abs() < 0.002, "{share}: {}", report.winrate);
    }
    // Where the game is over there is nothing to have an opinion of: X wins at 2.
    let mut search = TreeSearch::new(TwoMinds::new(0.0, 0.5), 1, 1).unwrap();
    let win = go(&mut search, &Rows::new(5, 3, &[0, 5, 1, 6]), 400);
    assert_eq!((win.moves[0].mv, win.moves[0].winrate), (2, 1.0));
}

#[test]
fn evaluators_of_different_salt_share_no_nodes() {
    let start = Rows::new(5, 4, &[]);
    let mut search = TreeSearch::new(TwoMinds::new(0.5, 0.5), 1, 1).unwrap();
    let first = go(&mut search, &start, 300);
    search.set_evaluator(TwoMinds { salt: 99, ..TwoMinds::new(1.0, 1.0) });
    let second = go(&mut search, &start, 200);
    assert_eq!((second.playouts, second.visits), (200, 200));
    assert!(second.winrate > first.winrate + 0.2);
    search.set_evaluator(TwoMinds::new(0.5, 0.5));
    let third = go(&mut search, &start, 300);
    assert!((third.winrate - first.winrate).abs() < 0.01);
    assert_eq!((third.playouts, third.visits), (MIN_FRESH, 300 + MIN_FRESH), "what it knew was still there");
}

#[test]
fn what_a_net_said_survives_a_collection() {
    let mut search = TreeSearch::new(TwoMinds::new(0.3, 0.5), 1, 1).unwrap();
    let start = Rows::new(5, 4, &[]);
    go(&mut search, &start, 800);
    let contents = |graph: &Graph| -> Vec<_> {
        let of = |id| (graph.node(id).net_value(), graph.node(id).prior(0), graph.node(id).len());
        nodes(graph, start.graph_key()).into_iter().map(of).collect()
    };
    let before = contents(&search.graph);
    assert!(before.iter().filter(|(value, ..)| value.is_some()).count() > 10);
    search.graph.shrink(search.graph.find(start.graph_key()).unwrap());
    assert!(contents(&search.graph) == before);
}

#[test]
fn moves_without_a_prior_are_looked_at_where_no_others_are_allowed() {
    let looked_at = |restrictions| {
        let mut search = TreeSearch::new(Narrow, 1, 1).unwrap();
        let start = Rows::new(5, 4, &[]);
        let params = TreeLimits { restrictions, ..visits(400) };
        let report = search.search(&start, params, &Arc::default(), &no_clock(), &mut |_| ());
        let mut moves: Vec<_> = report.moves.iter().filter(|m| m.visits > 0).map(|m| m.mv).collect();
        moves.sort_unstable();
        moves
    };
    assert_eq!(looked_at(vec![]), [23, 24]);
    let only = Restriction { side: Side::First, moves: vec![3, 7], allow: true, until_depth: 1 };
    assert_eq!(looked_at(vec![only]), [3, 7]);
}

#[test]
fn restrictions_hold_at_the_root_and_below() {
    let all: Vec<u8> = (0..25).filter(|&m| m != 12).collect();
    let only = |allow: bool, moves: Vec<u8>, side, until_depth| {
        let restrictions = vec![Restriction { side, moves, allow, until_depth }];
        TreeLimits { restrictions, ..visits(600) }
    };
    let start = Rows::new(5, 4, &[]);
    let run = |params| searcher(1).search(&start, params, &Arc::default(), &no_clock(), &mut |_| ());
    assert_eq!(run(only(true, vec![7], Side::First, 1)).moves.len(), 1);
    let without = run(only(false, vec![12], Side::First, 1));
    assert!(without.moves.iter().all(|m| m.mv != 12) && without.moves.len() == 24);
    let replies = run(only(false, all, Side::Second, 2));
    assert_eq!(replies.moves.len(), 25);
    let answered = replies.moves.iter().filter(|m| m.pv.len() > 1);
    assert!(answered.clone().count() > 3 && answered.clone().all(|m| m.pv[1].mv == 12));
    // Where they leave nothing, a search without a limit ends all the same.
    let nothing = Restriction { side: Side::First, moves: (0..25).collect(), allow: false, until_depth: 1 };
    assert!(run(TreeLimits { restrictions: vec![nothing], ..TreeLimits::default() }).moves.is_empty());
    assert!(run(only(true, Vec::new(), Side::First, 1)).moves.is_empty());
}

#[test]
fn stop_and_clock_end_a_search() {
    let mut search = searcher(2);
    let stop = Arc::new(StopFlag::default());
    stop.set();
    let report = search.search(&Rows::start(), TreeLimits::default(), &stop, &no_clock(), &mut |_| ());
    // One playout a thread at most, and one in all at least: no move is proposed unseen.
    assert!((1..=2).contains(&report.playouts) && report.moves.len() == 9, "{report:?}");
    assert!(report.moves[0].visits > 0);

    let budget = crate::clock::manager::Budget::fixed(Duration::from_millis(60), Duration::ZERO);
    let timer = Arc::new(Timer::new(Some(budget)));
    let params = TreeLimits { stop_early: false, ..TreeLimits::default() };
    let report = search.search(&Rows::new(5, 4, &[]), params, &Arc::default(), &timer, &mut |_| ());
    assert!(report.playouts > 0 && (60..1000).contains(&report.elapsed.as_millis()), "{:?}", report.elapsed);
}

#[test]
fn a_choice_that_cannot_change_ends_the_search_early() {
    let budget = crate::clock::manager::Budget::fixed(Duration::from_secs(8), Duration::ZERO);
    let timer = Arc::new(Timer::new(Some(budget)));
    let single = Rows::new(3, 3, &[0, 1, 2, 3, 4, 6, 5, 8]);
    assert!(!single.is_over());
    let report = searcher(1).search(&single, TreeLimits::default(), &Arc::default(), &timer, &mut |_| ());
    assert_eq!(report.moves.len(), 1);
    assert!(report.elapsed < Duration::from_secs(1), "{:?}", report.elapsed);
    let timer = Arc::new(Timer::new(Some(budget)));
    let must_block = Rows::new(3, 3, &[0, 4, 1]);
    let report = searcher(1).search(&must_block, TreeLimits::default(), &Arc::default(), &timer, &mut |_| ());
    assert!(report.moves[0].mv == 2 && report.elapsed < Duration::from_secs(6), "{:?}", report.elapsed);
}

#[test]
fn reports_come_while_searching_and_a_finished_game_has_none() {
    let mut search = searcher(1);
    let mut seen = Vec::new();
    let params = TreeLimits { report_every: Some(Duration::from_millis(1)), ..visits(20_000) };
    let start = Rows::new(5, 4, &[]);
    search.search(&start, params, &Arc::default(), &no_clock(), &mut |r| seen.push(r.visits));
    assert!(seen.len() > 2 && seen.is_sorted(), "{seen:?}");
    let over = Rows::new(3, 3, &[0, 3, 1, 4, 2]);
    assert!(go(&mut search, &over, 10).moves.is_empty());
}

#[test]
fn setting_up_reports_what_the_system_refuses() {
    let mut search = searcher(1);
    assert!(matches!(search.set_hash(usize::MAX >> 20), Err(SetupError::Memory(_))));
    assert_eq!(go(&mut search, &Rows::start(), 100).visits, 100);
    search.set_threads(3).unwrap();
    search.set_hash(2).unwrap();
    assert_eq!((search.threads(), go(&mut search, &Rows::start(), 100).visits), (3, 100));
}

#[test]
fn the_benchmark_repeats_and_notices_changes() {
    let run = |positions: &[Rows]| bench::run(Uniform, positions, 300, 1, 1).unwrap().0;
    let positions = [Rows::start(), Rows::new(5, 4, &[12])];
    let visits = run(&positions);
    assert!(visits > 1200, "{visits}: the best moves by themselves have 600");
    assert_eq!(visits, run(&positions));
    assert_ne!(visits, run(&[Rows::start(), Rows::new(5, 4, &[6])]));
}

/// A position that was searched from another root too may have all the visits that its word can count: then
/// it is a leaf, and a search of it begins anew.
#[test]
fn a_node_that_can_count_no_more_counts_no_more() {
    let mut search = searcher(1);
    let pos = Rows::new(3, 3, &[]);
    let middle = Rows::new(3, 3, &[4]);
    go(&mut search, &middle, 50);
    let root = search.prepare_root(&middle).unwrap();
    let full = u64::from(stat::FULL_VISITS) << 37 | u64::from(stat::FULL_VISITS / 2) << 10;
    search.graph().node(root).own().store(full, std::sync::atomic::Ordering::Relaxed);
    let report = go(&mut search, &pos, 2000);
    assert!(report.moves.iter().all(|mv| mv.visits < 2100 && (0.0..=1.0).contains(&mv.winrate)));
    let same = search.prepare_root(&middle).unwrap();
    assert_eq!(search.graph().node(same).total().visits, stat::FULL_VISITS);
    let report = go(&mut search, &middle, 500);
    assert!((500..510).contains(&report.visits), "{}", report.visits);
}

/// The empty board has three moves that differ: corner, edge and middle.
#[test]
fn images_are_searched_as_one_move_and_leave_no_trace() {
    let images = vec![(2, 0), (6, 0), (8, 0), (3, 1), (5, 1), (7, 1)];
    let mut search = searcher(1);
    let start = Rows::start();
    let params = TreeLimits { images: images.clone(), ..visits(3000) };
    let report = search.search(&start, params, &Arc::default(), &no_clock(), &mut |_| ());
    let mut found: Vec<_> = report.moves.iter().map(|m| (m.mv, (9.0 * m.prior).round())).collect();
    found.sort_unstable_by_key(|(mv, _)| *mv);
    assert_eq!(found, [(0, 4.0), (1, 4.0), (4, 1.0)]);
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 3000);
    assert_eq!(report.barred.len(), images.len());
    let all = go(&mut search, &start, 6000);
    assert_eq!(all.moves.len(), 9);
    assert!(all.moves.iter().all(|m| m.visits > 0 && (m.prior - 1.0 / 9.0).abs() < 0.001), "{:?}", all.moves);
}
