//! What a search must find, at small fixed depths, and that it finds the same again.

use crate::support::{engine_at, search};
use crossbeam::channel::unbounded;
use sanqi::engine::{self, Event, GameId, Limits, PositionSpec, Score};

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// At `depth` the score is `score`, and the line of a mate is as long as the mate.
fn finds(game: GameId, fen: &str, depth: u32, score: Score) {
    let (infos, _) = search(&mut *engine_at(game, fen, &[]), to_depth(depth));
    let last = infos.last().unwrap();
    assert_eq!(last.score, score, "{fen}");
    let plies = match score {
        Score::Mate(n) if n > 0 => 2 * n - 1,
        Score::Mate(n) => -2 * n,
        Score::Centipawns(_) => return,
    };
    assert_eq!(last.pv.len(), plies as usize, "{fen}: {:?}", last.pv);
}

#[test]
fn chess_mates_are_found_with_their_whole_line() {
    finds(GameId::Chess, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 4, Score::Mate(1));
    finds(GameId::Chess, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 6, Score::Mate(2));
    finds(GameId::Chess, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 8, Score::Mate(3));
    finds(GameId::Chess, "8/8/8/8/8/5k2/6q1/7K w - - 0 1", 1, Score::Mate(0));
}

#[test]
fn chess_draws_are_draws() {
    // Stalemate is the best that White has.
    finds(GameId::Chess, "7k/8/6Q1/8/8/8/8/K7 b - - 0 1", 1, Score::Centipawns(0));
    // Bare kings and a bishop.
    let (infos, _) =
        search(&mut *engine_at(GameId::Chess, "8/8/4k3/8/8/2BK4/8/8 w - - 0 1", &[]), to_depth(6));
    let Score::Centipawns(score) = infos.last().unwrap().score else { panic!("no mate here") };
    assert!(score.abs() <= 1, "dead position scored {score}");
}

#[test]
fn a_side_that_is_behind_takes_the_perpetual_check() {
    // Without the checks on e8 and h5 Black's rooks decide.
    let fen = "6k1/6p1/8/8/4Q3/8/1rr3PP/7K w - - 0 1";
    let (infos, _) = search(&mut *engine_at(GameId::Chess, fen, &[]), to_depth(14));
    let Score::Centipawns(score) = infos.last().unwrap().score else { panic!("neither side mates") };
    assert!(score.abs() <= 1, "a perpetual check scored {score}");
}

#[test]
fn xiangqi_mates_and_stalemates_both_lose() {
    finds(GameId::Xiangqi, "3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 0 1", 4, Score::Mate(1));
    // The bare general has no move left: stalemate.
    finds(GameId::Xiangqi, "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", 2, Score::Mate(0));
    // It wins on the last ply without a capture, too.
    finds(GameId::Xiangqi, "3k5/9/2P6/9/9/9/9/9/9/4K4 w - - 119 100", 4, Score::Mate(1));
}

/// The score and the move of a xiangqi search to `depth`.
fn xiangqi_search(options: &[(&str, &str)], fen: &str, moves: &str, depth: u32) -> (Score, Option<String>) {
    let mut engine = engine_at(GameId::Xiangqi, fen, &moves.split(' ').collect::<Vec<_>>());
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    let (infos, mv) = search(&mut *engine, to_depth(depth));
    (infos.last().unwrap().score, mv)
}

#[test]
fn a_mate_by_checks_is_one_by_the_rules() {
    let fen = "7nn/3k5/9/3P5/1N6r/9/R2p5/9/7rR/4K4 w - - 0 1";
    // The first check would make the position occur for the third time: a draw.
    let moves = "a3a8 d8d9 a8a2 d9d8 a2a8 d8d9 a8a2 d9d8";
    let (_, mv) = xiangqi_search(&[], fen, moves, 9);
    assert_ne!(mv.as_deref(), Some("a2a8"));
    // The limit of plies without a capture comes before the mate.
    let mut engine = engine::create(GameId::Xiangqi);
    engine.set_option("No Progress Limit", "10").unwrap();
    let fen = "7nn/3k5/9/3P5/1N6r/9/3p5/R8/7rR/4K4 w - - 18 10".to_owned();
    engine.set_position(&PositionSpec { fen: Some(fen), ..PositionSpec::default() }).unwrap();
    let (infos, _) = search(&mut *engine, to_depth(9));
    assert!(matches!(infos.last().unwrap().score, Score::Centipawns(_)));
}

#[test]
fn the_last_lines_of_a_stopped_search_are_different_moves() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for nodes in (1000..20_000).step_by(1000) {
        let mut engine = engine_at(GameId::Chess, fen, &[]);
        engine.set_option("MultiPV", "3").unwrap();
        let (infos, _) = search(&mut *engine, Limits { nodes: Some(nodes), ..Limits::default() });
        let last = |n| infos.iter().rfind(|info| info.multipv == n).unwrap().pv[0].clone();
        assert!(last(1) != last(2) && last(2) != last(3) && last(1) != last(3), "{nodes} nodes");
    }
}

#[test]
fn a_repetition_wins_less_than_a_mate_for_one_thread_as_for_eight() {
    // The opponent of a perpetual check, and of a perpetual chase, completes the cycle.
    let checked = ("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8", "d8d9");
    let chased = ("3k5/9/2c6/9/9/9/9/9/R8/5K3 w - - 0 1", "a1c1 c7a7 c1a1 a7c7 a1c1 c7a7 c1a1", "a7c7");
    for (fen, moves, wins) in [checked, chased] {
        for threads in ["1", "8"] {
            let found = xiangqi_search(&[("Threads", threads)], fen, moves, 5);
            assert_eq!(found, (Score::Centipawns(19_999), Some(wins.to_owned())), "{threads} threads, {fen}");
        }
    }
}

#[test]
fn several_lines_are_different_moves_in_falling_order() {
    let mut engine =
        engine_at(GameId::Chess, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", &[]);
    engine.set_option("MultiPV", "4").unwrap();
    let (infos, _) = search(&mut *engine, to_depth(7));
    let last = &infos[infos.len() - 4..];
    let mut firsts: Vec<_> = last.iter().map(|info| info.pv[0].clone()).collect();
    let scores: Vec<_> = last.iter().map(|info| info.score).collect();
    let centipawns = |s: &Score| if let Score::Centipawns(c) = s { *c } else { panic!("no mate here") };
    assert!(scores.windows(2).all(|w| centipawns(&w[0]) >= centipawns(&w[1])), "{scores:?}");
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn listed_root_moves_are_the_only_ones() {
    let mut engine = engine_at(GameId::Chess, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &[]);
    let limits = Limits { search_moves: vec!["e1e2".into(), "a1b1".into()], ..to_depth(4) };
    assert!(["e1e2", "a1b1"].contains(&search(&mut *engine, limits).1.unwrap().as_str()));
    let limits = Limits { ban_moves: vec!["a1a8".into()], ..to_depth(4) };
    assert_ne!(search(&mut *engine, limits).1.unwrap(), "a1a8");
}

#[test]
fn a_node_limit_is_kept_exactly_by_one_thread() {
    let mut engine =
        engine_at(GameId::Chess, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", &[]);
    for nodes in [500, 5_000, 20_000] {
        let (infos, best) = search(&mut *engine, Limits { nodes: Some(nodes), ..Limits::default() });
        assert!(best.is_some());
        assert!(infos.last().unwrap().nodes <= nodes);
    }
}

#[test]
fn the_benchmark_counts_the_same_nodes_twice() {
    for game in [GameId::Chess, GameId::Xiangqi] {
        let first = engine::create(game).bench(Some(6), &engine::StopFlag::default()).0;
        let mut engine = engine::create(game);
        assert_eq!(engine.bench(Some(6), &engine::StopFlag::default()).0, first);
        assert_eq!(
            engine.bench(Some(6), &engine::StopFlag::default()).0,
            first,
            "something is kept from search to search"
        );
    }
}

#[test]
fn many_threads_find_the_mate_too() {
    let mut engine = engine_at(GameId::Chess, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", &[]);
    engine.set_option("Threads", "4").unwrap();
    for _ in 0..20 {
        engine.new_game();
        let (infos, _) = search(&mut *engine, to_depth(8));
        assert_eq!(infos.last().unwrap().score, Score::Mate(3));
    }
}

/// The first thread to reach the depth ends the search.
#[test]
fn many_threads_end_at_the_depth_asked_for() {
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    engine.set_option("Threads", "3").unwrap();
    for depth in [1, 2, 5, 9, 9, 9] {
        engine.new_game();
        let (infos, best) = search(&mut *engine, to_depth(depth));
        assert_eq!(infos.last().unwrap().depth, depth);
        assert_eq!(infos.last().unwrap().pv.first(), best.as_ref());
    }
}

/// Where the system reports how much memory it has, a table beyond it is refused, and the old one stays.
#[test]
fn a_table_that_the_machine_cannot_hold_is_refused() {
    let Some(available) = sanqi::util::system::available_memory() else { return };
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    search(&mut *engine, to_depth(6));
    let full =
        |engine: &mut dyn engine::Engine| engine.probe(&engine::PositionSpec::default()).unwrap().is_some();
    assert!(full(&mut *engine));
    let too_much = (available >> 20) + (1 << 14);
    let error = engine.set_option("Hash", &too_much.to_string()).unwrap_err();
    assert!(error.to_string().starts_with(&format!("no memory for a table of {too_much} MiB")), "{error}");
    assert!(full(&mut *engine), "the old table is gone");
    engine.set_option("Hash", "1").unwrap();
    assert!(!full(&mut *engine));
}

#[test]
fn a_clock_in_nodes_gives_the_same_game_again() {
    let clock = sanqi::clock::TimeControl {
        remaining: std::time::Duration::from_secs(10),
        ..sanqi::clock::TimeControl::default()
    };
    let nodes = |rate: &str| {
        let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
        engine.set_option("nodestime", rate).unwrap();
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        [(); 3].map(|()| search(&mut *engine, limits.clone()).0.last().unwrap().nodes)
    };
    let (first, again, richer) = (nodes("10"), nodes("10"), nodes("50"));
    assert_eq!(first, again);
    assert!(first[2] < 100_000 && richer[0] > first[0], "{first:?} {richer:?}");
}

#[test]
fn the_current_move_is_reported_after_a_while() {
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    let (sender, events) = unbounded();
    engine.go(Limits { infinite: true, ..Limits::default() }, sender).unwrap();
    let found = events.into_iter().find_map(|event| match event {
        Event::CurrentMove(mv, number) => Some((mv, number)),
        Event::BestMove(_) => panic!("an endless search ended"),
        _ => None,
    });
    let (mv, number) = found.unwrap();
    assert!(mv.len() == 4 && (1..=20).contains(&number), "{mv} {number}");
    engine.stop_handle().set();
    engine.wait();
}

#[test]
fn a_stopped_search_still_answers() {
    let mut engine = engine_at(GameId::Xiangqi, sanqi::xiangqi::START_FEN, &[]);
    for _ in 0..50 {
        let (sender, events) = unbounded();
        engine.go(Limits { infinite: true, ..Limits::default() }, sender).unwrap();
        engine.stop_handle().set();
        let best =
            events.into_iter().find_map(|e| if let Event::BestMove(b) = e { Some(b.mv) } else { None });
        assert!(best.unwrap().is_some());
        engine.wait();
    }
}

/// What was searched before a new game leaves no trace in the next search.
#[test]
fn after_a_new_game_a_search_is_a_fresh_one() {
    for (game, first, second) in [
        (GameId::Chess, "4k3/4r3/8/8/4n3/8/3P1P2/R3K2R b KQ - 0 1", "1rk2r2/8/8/8/8/8/8/RR3KRR w - - 0 1"),
        (
            GameId::Xiangqi,
            "r1bakabr1/9/1cn4c1/p1p1p3p/5np2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        ),
    ] {
        let nodes = |engine: &mut dyn engine::Engine| search(engine, to_depth(7)).0.last().unwrap().nodes;
        let fresh = nodes(&mut *engine_at(game, second, &[]));
        let mut engine = engine_at(game, first, &[]);
        nodes(&mut *engine);
        engine.new_game();
        let spec = engine::PositionSpec { fen: Some(second.into()), ..Default::default() };
        engine.set_position(&spec).unwrap();
        assert_eq!(nodes(&mut *engine), fresh, "{game:?}");
    }
}

/// A mate further away than any search looks is none that was found.
#[test]
fn a_mate_in_a_billion_is_searched_for() {
    let limits = Limits { mate: Some(1 << 30), depth: Some(3), ..Limits::default() };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (infos, _) = search(&mut *engine_at(GameId::Chess, start, &[]), limits);
    assert_eq!(infos.last().unwrap().depth, 3);
}

/// A move is the same cell of a history whether it captures or not, and another row of answers to it.
#[test]
fn answers_to_captures_are_learned_apart() {
    use sanqi::chess::Board;
    use sanqi::eval::Evaluation;
    use sanqi::game::Text;
    type Histories = sanqi::search::alphabeta::history::Histories<Evaluation<Board>>;
    let e4d5 = |fen| {
        let board = <Board as Text>::from_fen(fen).unwrap();
        let mv = board.parse_move("e4d5", Default::default()).unwrap();
        (Histories::piece_to(&board, mv), Histories::played(&board, mv))
    };
    let (capture, quiet) =
        (e4d5("4k3/8/8/3p4/4B3/8/8/4K3 w - - 0 1"), e4d5("4k3/8/8/8/4B3/8/8/4K3 w - - 0 1"));
    assert_eq!(capture.0, quiet.0);
    assert_ne!(capture.1, quiet.1);
    assert_eq!(capture.1.piece_to::<Board>(), quiet.1.piece_to::<Board>());
    assert_eq!((capture.1.target::<Board>(), quiet.1.target::<Board>()), (35, 35));
}
