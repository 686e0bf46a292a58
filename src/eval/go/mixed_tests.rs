//! The search with a net of random weights: whatever it returns, the search keeps the rules and its bounds.

use super::net::NetEvaluator;
use super::policy::tests::board;
use super::{Mixed, Mode, Playouts, bench, opening};
use crate::clock::manager::Timer;
use crate::convnet::{ConvNet, Kernel, embedded};
use crate::game::{Game, TreeGame};
use crate::go::coords::vertex;
use crate::go::testing::played;
use crate::go::{BLACK, Move, Point, Position, Rules, WHITE};
use crate::search::tree::gumbel::Gumbel;
use crate::search::tree::{
    LeafEvaluator, LeafOutcome, Restriction, RootChild, SearchReport, TreeLimits, TreeSearch,
};
use std::sync::Arc;

const HYBRID: Mode = Mode::Hybrid { net_at: 4, share: 0.5 };

fn net() -> Option<Arc<ConvNet>> {
    Some(Arc::new(ConvNet::random(11, 1)))
}

fn searcher<E: LeafEvaluator<Position>>(
    evaluator: E,
    threads: usize,
    hash_mib: usize,
) -> TreeSearch<Position, E> {
    TreeSearch::new(evaluator, threads, hash_mib).unwrap()
}

fn search<E: LeafEvaluator<Position>>(
    search: &mut TreeSearch<Position, E>,
    pos: &Position,
    visits: u64,
) -> SearchReport<Move> {
    let params = TreeLimits { visits: Some(visits), ..TreeLimits::default() };
    search.search(pos, params, &Arc::default(), &Arc::new(Timer::new(None)), &mut |_| ())
}

/// What distinguishes two searches.
fn print(report: &SearchReport<Move>) -> Vec<(Move, u64, u64, u64)> {
    report.moves.iter().map(|m| (m.mv, m.visits, m.winrate.to_bits(), m.prior.to_bits())).collect()
}

fn empty(width: usize, height: usize) -> Position {
    Position::new(width, height, Rules::CHINESE)
}

#[test]
fn every_mode_searches_boards_of_every_size() {
    for mode in [HYBRID, Mode::Net] {
        for (width, height) in [(2, 2), (5, 5), (5, 9), (13, 13), (25, 25)] {
            for threads in [1, 2] {
                let mut s = searcher(Mixed::new(net(), mode), threads, 1);
                let report = search(&mut s, &empty(width, height), 40);
                assert_eq!((report.visits, report.moves.len()), (40, width * height + 1), "{mode} {width}");
                assert!(report.moves.iter().all(|m| (0.0..=1.0).contains(&m.winrate)));
                assert!(report.permille_full <= 1000);
                assert_eq!(report.ownership.len(), empty(width, height).move_space());
            }
        }
    }
}

#[test]
fn one_thread_and_one_seed_repeat_exactly() {
    let pos = bench::positions().swap_remove(1);
    for mode in [HYBRID, Mode::Net] {
        let run = |seed| {
            let mut s = searcher(Mixed::new(net(), mode), 1, 4);
            s.set_seed(seed);
            print(&search(&mut s, &pos, 150))
        };
        assert_eq!(run(5), run(5));
        // Without playouts nothing is random.
        assert_eq!(run(5) == run(6), mode == Mode::Net);
    }
}

#[test]
fn without_a_net_and_on_boards_too_small_for_it_playouts_evaluate() {
    let small = empty(4, 4);
    let large = bench::positions().swap_remove(2);
    for (pos, net) in [(&small, net()), (&large, None)] {
        for mode in [Mode::Playouts, HYBRID, Mode::Net] {
            let mut playouts = searcher(Playouts::default(), 1, 2);
            let mut mixed = searcher(Mixed::new(net.clone(), mode), 1, 2);
            assert_eq!(print(&search(&mut playouts, pos, 300)), print(&search(&mut mixed, pos, 300)));
        }
    }
}

#[test]
fn the_net_counts_where_it_is_asked() {
    let pos = empty(7, 7);
    let mut by_playouts = searcher(Mixed::new(net(), Mode::Playouts), 1, 2);
    let patterns = search(&mut by_playouts, &pos, 10);
    let mut net_evaluator = NetEvaluator::new(net().unwrap());
    let output = net_evaluator.ask(&pos).clone();
    for mode in [HYBRID, Mode::Net] {
        let report = search(&mut searcher(Mixed::new(net(), mode), 1, 2), &pos, 10);
        let mut priors = vec![0.0; report.moves.len()];
        let moves: Vec<Move> = report.moves.iter().map(|m| m.mv).collect();
        output.fill_priors(pos.board(), &moves, &mut priors);
        for (mv, prior) in report.moves.iter().zip(priors) {
            // A prior has 8 bits.
            assert!((mv.prior - f64::from(prior)).abs() <= f64::from(prior) / 128.0, "{mode} {:?}", mv.mv);
        }
        assert_ne!(print(&report), print(&patterns));
    }
    assert!(patterns.moves.iter().any(|m| m.prior > 0.0));
}

#[test]
fn a_finished_game_is_counted_and_no_matter_of_opinion() {
    let rows = [
        ". X . X O . O",
        "X X X X O O .",
        ". X . X O . O",
        "X . X X O O .",
        ". X X X O O O",
        "X X X X O O .",
        ". X . X O . O",
    ];
    let mut pos = Position::from_board(board(&rows, WHITE), Rules::CHINESE);
    pos.set_komi(0.5);
    pos.do_move(Point::PASS, &mut ());
    assert_eq!(pos.side_to_move(), BLACK);
    for mode in [HYBRID, Mode::Net] {
        let pass = Restriction { side: BLACK, moves: vec![Point::PASS], allow: true, until_depth: 1 };
        let params = TreeLimits { visits: Some(50), restrictions: vec![pass], ..TreeLimits::default() };
        let mut s = searcher(Mixed::new(net(), mode), 1, 4);
        let report = s.search(&pos, params, &Arc::default(), &Arc::new(Timer::new(None)), &mut |_| ());
        assert_eq!((report.moves.len(), report.moves[0].visits), (1, 50));
        assert!(report.moves[0].winrate > 0.98 && report.score_lead > 3.0, "{mode}: {:?}", report.moves[0]);
    }
}

/// Small boards are full of kos: every move that is played must be legal.
#[test]
fn no_move_breaks_superko() {
    for mode in [HYBRID, Mode::Net] {
        let mut s = searcher(Mixed::new(net(), mode), 2, 1);
        let mut pos = empty(5, 5);
        while !pos.is_over() && pos.moves().len() < 80 {
            let report = search(&mut s, &pos, 60);
            let mv = report.moves[0].mv;
            assert!(pos.check(pos.side_to_move(), mv).is_ok(), "{mode} {mv:?}\n{pos:?}");
            pos.do_move(mv, &mut ());
        }
    }
}

#[test]
fn a_gumbel_root_gives_its_moves_their_turns_and_improves_the_policy() {
    let pos = empty(7, 7);
    let mut s = searcher(Mixed::new(net(), Mode::Net), 1, 4);
    let mut run = |seed| {
        let params = TreeLimits {
            visits: Some(64),
            stop_early: false,
            gumbel: Some(Gumbel { considered: 8, seed }),
            ..TreeLimits::default()
        };
        s.clear();
        s.search(&pos, params, &Arc::default(), &Arc::new(Timer::new(None)), &mut |_| ())
    };
    let report = run(1);
    let mut visits: Vec<_> = report.moves.iter().map(|m| m.visits).filter(|&n| n > 0).collect();
    visits.sort_unstable();
    // 64 visits in three phases: 8 moves 2, then 4 of them 5 more, then 2 of them the rest.
    assert_eq!(visits, [2, 2, 2, 2, 7, 7, 21, 21]);
    assert_eq!(report.moves[0].visits, 21);
    let policy: Vec<f64> = report.moves.iter().map(|m| m.policy.unwrap()).collect();
    assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-4);
    // What was looked at and found better than the rest is likelier than it was.
    let value = |improved: bool| -> f64 {
        let seen = report.moves.iter().filter(|m| m.visits > 0);
        let weight = |m: &RootChild<Move>| if improved { m.policy.unwrap() } else { m.prior };
        let all: f64 = seen.clone().map(weight).sum();
        seen.map(|m| weight(m) * m.winrate).sum::<f64>() / all
    };
    assert!(value(true) > value(false), "{} {}", value(true), value(false));
    assert_eq!(print(&run(1)), print(&report));
    assert_ne!(print(&run(2)), print(&report));
}

#[test]
fn every_kernel_searches_the_same_tree() {
    for mode in [HYBRID, Mode::Net] {
        let tree = |kernel| {
            let mut s = searcher(Mixed::new(embedded(), mode).with_kernel(kernel), 1, 8);
            [empty(9, 9), empty(7, 12)].map(|pos| print(&search(&mut s, &pos, 24)))
        };
        let expected = tree(Kernel::SCALAR);
        for kernel in Kernel::available() {
            assert_eq!(tree(kernel), expected, "{mode} by {}", kernel.name());
        }
    }
}

/// Lines from the two edges of the nearest corner, counted from 1, and the corner: right, top.
fn place(pos: &Position, v: Move) -> ((usize, usize), (bool, bool)) {
    let (size, (col, row)) = (pos.board().width(), v.col_row());
    let line = |at: usize| at.min(size - 1 - at) + 1;
    ((line(col), line(row)), (2 * col > size, 2 * row > size))
}

#[test]
fn the_priors_of_the_net_know_the_opening() {
    // Size, moves, the corners whose points have all priors between them, or a share; the net's own priors.
    enum Expected {
        Corners(usize),
        Sides,
        Share,
        Net,
    }
    use Expected::{Corners, Net, Share, Sides};
    let rows = [
        (19, "", Corners(4)),
        (19, "Q16", Corners(3)),
        (19, "K10 Q16 pass", Corners(3)),
        (19, "C3 Q16 Q4", Corners(1)),
        (13, "", Corners(4)),
        (13, "D4 K10", Corners(2)),
        (19, "Q16 D4 Q4 D16", Sides),
        (13, "D4 K10 K4 D10", Sides),
        (19, "Q16 R16", Share),
        (19, "Q16 O17 D4", Share),
        (19, "Q16 D4 Q4 D16 C6", Net),
        (12, "", Net),
        (9, "", Net),
    ];
    let evaluator = Mixed::new(embedded(), Mode::Net);
    let mut net_evaluator = NetEvaluator::new(embedded().unwrap());
    for (size, moves, expected) in rows {
        let pos = played(empty(size, size), moves);
        let mut all = Vec::new();
        pos.candidate_moves(&mut all);
        let (mut priors, mut by_net) = (vec![0.0; all.len()], vec![0.0; all.len()]);
        evaluator.clone().evaluate(&pos, &all, &mut priors, &mut LeafOutcome::default());
        net_evaluator.ask(&pos).fill_priors(pos.board(), &all, &mut by_net);
        let sum = |fits: &dyn Fn(Move) -> bool| {
            let fitting = all.iter().zip(&priors).filter(|(v, _)| v.is_stone() && fits(**v));
            fitting.map(|(_, prior)| prior).sum::<f32>() / priors.iter().sum::<f32>()
        };
        let in_corner = |v: Move| {
            let ((x, y), corner) = place(&pos, v);
            let taken = pos.board().points().filter(|&v| !pos.board().is_empty(v)).map(|v| place(&pos, v));
            let mut taken = taken.filter(|((x, y), _)| x.max(y) <= &6).map(|(_, corner)| corner);
            (3..=4).contains(&x.min(y)) && (3..=5).contains(&x.max(y)) && taken.all(|other| other != corner)
        };
        let case = format!("{size} {moves}");
        match expected {
            Corners(count) => {
                assert!((sum(&in_corner) - 1.0).abs() < 1e-4, "{case}");
                let mut corners: Vec<_> = all
                    .iter()
                    .filter(|v| v.is_stone() && in_corner(**v))
                    .map(|&v| place(&pos, v).1)
                    .collect();
                corners.sort_unstable();
                corners.dedup();
                assert_eq!(corners.len(), count, "{case}");
                let max = all.iter().zip(&priors).max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
                let (x, y) = place(&pos, *max).0;
                assert!(
                    (3..=4).contains(&x) && (3..=4).contains(&y),
                    "{case}: {}",
                    vertex(pos.board(), *max)
                );
            }
            Sides => {
                let on_side = |v: Move| {
                    let ((x, y), _) = place(&pos, v);
                    (3..=5).contains(&x.min(y)) && !super::features::is_touched(pos.board(), v)
                };
                assert!(priors.iter().sum::<f32>() > 0.0 && sum(&on_side) > 0.9999, "{case}");
            }
            Share => {
                assert!((0.25..0.5).contains(&sum(&in_corner)), "{case}: {}", sum(&in_corner));
                assert!(
                    all.iter().zip(&by_net).zip(&priors).all(|((_, net), prior)| *prior >= 0.74 * net),
                    "{case}"
                );
            }
            Net => assert_eq!(priors, by_net, "{case}"),
        }
    }
}

#[test]
fn the_first_moves_take_the_four_corners() {
    for mode in [Mode::Net, Mode::Hybrid { net_at: 1, share: 0.6 }] {
        for (size, first) in [(19, ""), (19, "Q16"), (19, "K10"), (19, "C3"), (13, ""), (13, "G7")] {
            let mut pos = played(empty(size, size), first);
            let mut s = searcher(Mixed::new(embedded(), mode), 1, 4);
            let is_center = |v: Move| place(&pos, v).0.0 > 5;
            let mut corners: Vec<_> =
                pos.moves().iter().map(|&(_, v)| v).filter(|&v| !is_center(v)).collect();
            while corners.len() < 4 {
                corners.push(search(&mut s, &pos, 24).moves[0].mv);
                pos.do_move(corners[corners.len() - 1], &mut ());
            }
            let (lines, mut taken): (Vec<_>, Vec<_>) = corners.iter().map(|&v| place(&pos, v)).unzip();
            assert!(lines.iter().all(|(x, y)| (3..=5).contains(x) && (3..=5).contains(y)), "{mode} {pos:?}");
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), 4, "{mode} {pos:?}");
        }
    }
}

/// From the first fight on the net decides.
#[test]
fn the_opening_ends_where_stones_have_met_and_corners_are_taken() {
    for pos in bench::positions() {
        let mut moves = Vec::new();
        pos.candidate_moves(&mut moves);
        let mut priors: Vec<f32> = (0..moves.len()).map(|i| i as f32).collect();
        let before = priors.clone();
        opening::guide(pos.board(), &moves, &mut priors);
        assert_eq!(priors, before);
    }
}
