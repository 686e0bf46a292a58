use super::*;
use crate::game::Game;
use crate::game::testing::play_at_random;
use crate::util::rng::Rng;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The same position with colors and ranks exchanged.
fn mirrored(pos: &Board) -> Board {
    let fen = pos.fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    fields[0] = fields[0].split('/').rev().map(swap).collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    fields[2] = swap(&fields[2]);
    fields[3] = fields[3].replace('6', "x").replace('3', "6").replace('x', "3");
    board(&fields.join(" "))
}

#[test]
fn colors_are_treated_alike() {
    let mut rng = Rng::new(5);
    for game in 0..60 {
        play_at_random(Board::start(), 41 + game, &mut rng, |pos, _| {
            assert_eq!(evaluate(pos), evaluate(&mirrored(pos)), "{pos:?}");
            assert!(evaluate(pos).abs() <= 6000, "{pos:?}");
        });
    }
}

#[test]
fn the_start_is_even() {
    assert_eq!(evaluate(&Board::start()), TEMPO);
}

#[test]
fn material_counts() {
    let odds = |fen| evaluate(&board(fen));
    assert!(odds("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1") < -700);
    assert!(odds("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 40);
}

#[test]
fn driving_the_king_to_the_right_corner_is_progress() {
    // The bishop is dark, so a1 and h8 are the corners of the mate.
    let right = board("7k/8/5K2/4N3/5B2/8/8/8 w - - 0 1");
    let wrong = board("k7/8/2K5/3N4/5B2/8/8/8 w - - 0 1");
    assert!(evaluate(&right) > evaluate(&wrong) + 100);
    let edge = board("k7/8/2K5/8/8/8/8/7R w - - 0 1");
    let center = board("8/8/8/3k4/8/2K5/8/7R w - - 0 1");
    assert!(evaluate(&edge) > evaluate(&center) + 60);
}

#[test]
fn leads_that_win_nothing_count_little() {
    for fen in [
        "8/8/4k3/8/8/3BK3/8/7r b - - 0 1",
        "4k3/8/8/8/8/3NN3/8/4K3 w - - 0 1",
        "k7/8/8/8/8/8/P7/2B1K3 w - - 0 1",
        "4k3/8/8/3n4/8/3RK3/8/8 w - - 0 1",
    ] {
        assert!(evaluate(&board(fen)).abs() < 80, "{fen}: {}", evaluate(&board(fen)));
    }
}

#[test]
fn a_runner_out_of_reach_wins() {
    let runs = evaluate(&board("8/8/8/P7/8/8/8/K6k w - - 0 1"));
    let caught = evaluate(&board("8/8/8/P2k4/8/8/8/K7 w - - 0 1"));
    assert!(runs > caught + 300, "{runs} {caught}");
}

#[test]
fn the_table_names_every_term() {
    let text = trace(&Board::start());
    for name in NAMES {
        assert!(text.contains(name));
    }
    assert!(text.contains(&format!("evaluation {}", evaluate(&Board::start()))));
}
