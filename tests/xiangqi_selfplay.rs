//! Games of the search against itself: its verdict on a repetition is the referee's.

use sanqi::eval::Evaluation;
use sanqi::game::{AlphaBetaGame, Game, Side, Text, Verdict};
use sanqi::games::game::Start;
use sanqi::games::record::GameKind;
use sanqi::train::datagen::{MoveSearcher, NodeLimits, Searcher};
use sanqi::util::rng::Rng;
use sanqi::xiangqi::notation::Notation;
use sanqi::xiangqi::{Board, RuleSet};

/// Nodes of a move: so few that games are short of ideas, and repeat themselves.
const NODES: u64 = 30;
/// Random moves at the beginning.
const RANDOM_PLIES: usize = 8;
const LONGEST: usize = 400;

/// What the games met.
#[derive(Debug, Default)]
struct Met {
    plies: u64,
    third_occurrences: u64,
    /// Repetitions that the referee calls won.
    won: u64,
}

/// The search's verdict on the position, as the referee would give it; nothing while the game goes on.
fn verdict(board: &Board, ply: usize) -> Option<Option<Side>> {
    let moves = board.legal();
    let us = board.side_to_move();
    if moves.is_empty() {
        return Some(Some(us.other()));
    }
    match board.verdict_in_tree(ply, &mut Default::default()) {
        Verdict::Ongoing => None,
        Verdict::Draw => Some(None),
        Verdict::Win => Some(Some(us)),
        Verdict::Loss => Some(Some(us.other())),
        one_sided => panic!("{one_sided:?} after all the moves of the game: {}", board.fen()),
    }
}

fn game_by(rules: RuleSet) -> sanqi::games::game::Game {
    let mut start = Start::from(GameKind::XIANGQI);
    start.rules.repetition.rules = rules.name().to_owned();
    sanqi::games::game::Game::at(start).unwrap()
}

/// One game; each ply is asked about as the root of a search and as its child.
fn play(player: &mut Searcher<Evaluation<Board>>, rng: &mut Rng, rules: RuleSet, met: &mut Met) {
    let mut board = Board::start();
    board.set_rule_set(rules);
    let mut game = game_by(rules);
    player.new_game();
    for ply in 0..LONGEST {
        let mv = if ply < RANDOM_PLIES {
            rng.pick(&board.legal())
        } else {
            player.search(&board, NodeLimits { soft: NODES, hard: 8 * NODES }).mv
        };
        game.play(&board.move_text(mv, Notation::Coordinate)).unwrap();
        let said = game.ending();
        board.do_move(mv, &mut ());
        met.plies += 1;
        if board.is_third_occurrence() {
            met.third_occurrences += 1;
            met.won += u64::from(said.as_ref().is_some_and(|ending| ending.winner.is_some()));
        }
        let said = said.map(|ending| ending.winner);
        let at = || format!("{} after {:?}", board.fen(), board.moves_played());
        assert_eq!(verdict(&board, 0), said, "as the root, {rules}: {}", at());
        assert_eq!(verdict(&board, 1), said, "as the root's child, {rules}: {}", at());
        if said.is_some() {
            return;
        }
    }
}

fn agree(games: usize) {
    let mut player = Searcher::new(Evaluation::<Board>::default()).unwrap();
    let mut rng = Rng::new(5);
    let mut met = Met::default();
    for game in 0..games {
        // The default rules most of the time.
        let rules = RuleSet::ALL[[0, 0, 1, 0, 2, 0, 0, 3][game % 8]];
        play(&mut player, &mut rng, rules, &mut met);
        if (game + 1) % 1000 == 0 {
            eprintln!("{} games: {met:?}", game + 1);
        }
    }
    eprintln!("{games} games: {met:?}");
    assert!(met.third_occurrences as usize >= games / 20, "hardly a repetition: {met:?}");
}

#[test]
fn search_and_referee_agree() {
    agree(100);
}

#[test]
#[ignore = "minutes"]
fn search_and_referee_agree_in_ten_thousand_games() {
    agree(10_000);
}
