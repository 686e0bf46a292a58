use super::*;
use crate::arbiter::config::MatchConfig;
use crate::arbiter::person;
use crate::client::player::Patience;

impl GamePlace for () {
    fn leave(&self) {}
    fn take(&self) {}
}

fn reply(mv: &str) -> Reply {
    person::reply(Choice::Move(mv.to_owned()), false, Duration::ZERO)
}

/// Has a game that begins with these moves.
fn with_game<T>(kind: GameKind, fen: Option<&str>, moves: &[&str], test: impl FnOnce(Game) -> T) -> T {
    let conditions = MatchConfig { game: kind, ..MatchConfig::default() }.conditions();
    let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
    let (opening, spec) = (
        Opening { fen: fen.map(str::to_owned), moves, number: 1, ..Opening::default() },
        EngineSpec::default(),
    );
    let mut players = [(); 2].map(|()| Player::new(spec.clone(), kind, Patience::default()));
    let [first, second] = &mut players;
    let seats = [(0, first), (1, second)].map(|(index, player)| Participant { player, spec: &spec, index });
    test(Game::new(&conditions, &opening, &seats, &()).unwrap())
}

/// What is kept and passed on of a game whose moves the engines write like this.
fn passed_on(kind: GameKind, fen: Option<&str>, written: &[&str]) -> Vec<String> {
    with_game(kind, fen, &written[..1], |mut game| {
        for mv in &written[1..] {
            assert_eq!(game.answer(game.game.side_to_move(), reply(mv)), None, "{mv}");
        }
        assert!(game.plies.iter().map(|ply| &ply.mv).eq(game.game.moves()));
        assert_eq!(game.request(Side::First, &EngineSpec::default()).moves, game.game.moves());
        game.game.into_moves()
    })
}

#[test]
fn moves_are_passed_on_in_their_usual_form() {
    let castling = Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(passed_on(GameKind::CHESS, castling, &["e1h1", "e8a8"]), ["e1g1", "e8c8"]);
    assert_eq!(passed_on(GameKind::CHESS960, castling, &["e1g1", "e8c8"]), ["e1h1", "e8a8"]);
    let promotes = Some("8/4P3/8/8/8/k7/p7/2K5 w - - 0 1");
    assert_eq!(passed_on(GameKind::CHESS, promotes, &["e7e8R", "a2a1Q"]), ["e7e8r", "a2a1q"]);
    assert_eq!(passed_on(GameKind::XIANGQI, None, &["H2-E2", "H9G7"]), ["h2e2", "h9g7"]);
    assert_eq!(passed_on(GameKind::GO, None, &["d4", "PASS", "q16"]), ["D4", "pass", "Q16"]);
}

/// The old laws of chess, 10.5; FIDE 6.9 and 7.5.5.
#[test]
fn no_fault_wins_for_a_side_that_cannot_mate() {
    let fen = Some("4k3/8/8/8/8/8/P7/4K2R w - - 0 1");
    with_game(GameKind::CHESS, fen, &[], |mut game| {
        for reason in [Reason::Crash, Reason::Stall, Reason::PrematureMove, Reason::IllegalMove, Reason::Time]
        {
            let fault = Fault { reason, detail: "why".into() };
            let ending = game.faulted(Side::First, &fault);
            assert_eq!((ending.winner, ending.reason), (None, reason));
            let detail = ending.detail.to_string();
            assert!(detail.starts_with("White") && detail.ends_with("; Black cannot mate"), "{detail}");
            assert_eq!(game.faulted(Side::Second, &fault).winner, Some(Side::First), "{reason:?}");
        }
        let no_move = Reply { choice: Choice::NoMove, ..reply("") };
        let resigns = Reply { choice: Choice::Resign, ..reply("") };
        for (reply, winner) in [(reply("e1e5"), None), (no_move, None), (resigns, Some(Side::Second))] {
            assert_eq!(game.answer(Side::First, reply).map(|ending| ending.winner), Some(winner));
        }
    });
}

#[test]
fn an_illegal_move_is_reported_as_it_was_written() {
    let ending = with_game(GameKind::CHESS, None, &[], |mut game| game.answer(Side::First, reply("E1G1")));
    let detail = ending.unwrap().detail.to_string();
    assert!(detail.contains("plays \"E1G1\""), "{detail}");
}
