use super::*;
use crate::games::game::{Game, Start};
use crate::games::record::GameKind;
use crate::games::time::GameClock;
use crate::util::rng::Rng;
use serde_json::Value;

/// A hall with two persons at a board of this game, whose clock runs.
fn hall(kind: GameKind) -> Hall {
    let people = [(0, "A".to_owned()), (1, "B".to_owned())];
    let hall = Hall::new(people, Duration::ZERO, None);
    let clock = GameClock::new("60".parse().unwrap(), Duration::ZERO);
    let game = Game::at(Start::from(kind)).unwrap();
    let board = Board::new(game, ["A".to_owned(), "B".to_owned()], [0, 1], [clock.clone(), clock]);
    assert!(hall.begin(board, &|| false));
    hall.update(0, |board| (board.phase, board.since) = (Phase::Playing, Some(Instant::now())));
    hall
}

fn refused(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).unwrap();
    answer["refused"].as_str().map(str::to_owned)
}

/// Whatever pages send, an answer comes, and only the side to move makes a move, once.
#[test]
fn pages_may_send_anything() {
    let words = [
        "act", "game", "ply", "mv", "draw", "dead", "move", "resign", "count", "accept", "e2e4", "h2e2",
        "pass",
    ];
    let rest =
        ["{", "}", "[", "]", ":", ",", "\"", "1", "0", "-1", "1e99", "null", "true", "\\u0000", "中", " "];
    let mut rng = Rng::new(7);
    for kind in [GameKind::CHESS, GameKind::XIANGQI, GameKind::GO] {
        let hall = hall(kind);
        for _ in 0..3000 {
            let mut text = String::new();
            for _ in 0..rng.below(24) {
                match rng.below(3) {
                    0 => text += &format!("\"{}\"", rng.pick(&words)),
                    _ => text += rng.pick(&rest),
                }
            }
            assert!(
                refused(&hall.act_on(rng.below(3), text.as_bytes(), Language::English)).is_some(),
                "{text}"
            );
            assert!(refused(&hall.order_by(text.as_bytes(), Language::English)).is_some(), "{text}");
        }
        // Well formed, of any kind, at any time.
        let mv = if kind == GameKind::XIANGQI {
            "h2e2"
        } else if kind == GameKind::GO {
            "D4"
        } else {
            "e2e4"
        };
        let mut moved = 0;
        for _ in 0..4000 {
            let act = rng.pick(&["move", "accept", "decline", "count", "dance"]);
            let (game, ply, person) = (rng.below(3), rng.below(2), rng.below(3));
            let text = format!(r#"{{"game":{game},"ply":{ply},"act":"{act}","mv":"{mv}","dead":["{mv}"]}}"#);
            if refused(&hall.act_on(person, text.as_bytes(), Language::English)).is_none() {
                assert_eq!((game, ply, act, person), (1, 0, "move", 0), "{text}");
                moved += 1;
            }
        }
        assert_eq!(moved, 1, "it has not been taken");
        let news = hall.update(0, |board| board.news(Side::First, None)).flatten();
        assert!(
            matches!(&news, Some(News::Act(Act::Move { mv: taken, draw: false, .. })) if taken == mv),
            "{news:?}"
        );
        let claim = br#"{"game":1,"ply":0,"act":"claim"}"#;
        assert!(refused(&hall.act_on(0, claim, Language::English)).is_some());
        // Taken, and not shown yet: nothing is sent twice.
        let again = format!(r#"{{"game":1,"ply":0,"act":"move","mv":"{mv}"}}"#);
        assert!(refused(&hall.act_on(0, again.as_bytes(), Language::English)).is_some());
    }
}
