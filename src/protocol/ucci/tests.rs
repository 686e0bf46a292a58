//! What UCCI clients send, as it is read, and what they are told.

use super::parse::{Request, parse};
use super::{BestMove, Score, Ucci, score};

#[test]
fn a_score_is_one_number() {
    let values = [Score::Mate(1), Score::Mate(2), Score::Mate(0), Score::Mate(-1), Score::Centipawns(20_000)];
    assert_eq!(values.map(score), [9999, 9997, -10_000, -9998, 9000]);
}

#[test]
fn a_draw_is_never_offered_twice_in_a_row() {
    let offer = BestMove { mv: Some("h2e2".into()), ponder: Some("h9g7".into()), draw: true, resign: false };
    let mut ucci = Ucci::default();
    assert_eq!(ucci.best_move(&offer), "bestmove h2e2 ponder h9g7 draw");
    assert_eq!(ucci.best_move(&offer), "bestmove h2e2 ponder h9g7");
    assert_eq!(ucci.best_move(&offer), "bestmove h2e2 ponder h9g7 draw");
    // The opponent offered: to agree is no offer.
    ucci.answers_offer = true;
    assert_eq!(ucci.best_move(&offer), "bestmove h2e2 ponder h9g7 draw");
    assert_eq!(ucci.best_move(&BestMove { resign: true, ..offer }), "bestmove h2e2 ponder h9g7 resign");
    assert_eq!(ucci.best_move(&BestMove::default()), "nobestmove");
}

#[test]
fn lines_are_read_as_the_text_has_them() {
    assert_eq!(parse("ponderhit"), Request::PonderHit { draw: false });
    assert_eq!(parse(" ponderhit\tdraw "), Request::PonderHit { draw: true });
    assert_eq!(parse("banmoves"), Request::BanMoves(vec![]));
    assert_eq!(parse("\u{FFFD}"), Request::Unknown);
    let Request::Go(go) = parse("go draw ponder depth time 5 nodes x 3 nodes 7") else { panic!() };
    assert_eq!((go.draw, go.ponder, go.time[0], go.nodes), (true, true, Some(5), Some(7)));
    assert_eq!(
        go.problems,
        [
            "go: depth without a number is ignored",
            "go: nodes without a number is ignored",
            "go: 'x' is ignored",
            "go: '3' is ignored"
        ]
    );
}
