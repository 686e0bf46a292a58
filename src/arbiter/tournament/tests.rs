use super::*;
use crate::arbiter::schedule::Format;
use crate::arbiter::standings::PointSystem;
use crate::arbiter::stats::{EloModel, Sprt};
use crate::arbiter::testing::unplayed;

/// Looks, whenever it is to keep a game, how many are counted.
struct Keeper<'a> {
    shared: &'a Shared<'a>,
    counted: Vec<usize>,
    disk_is_full: bool,
}

impl MatchObserver for Keeper<'_> {
    fn remarked(&mut self, _: &str, _: &Message) {}
    fn keep(&mut self, _: &GameRecord) -> Result<(), Message> {
        self.counted.push(self.shared.lock().finished.len());
        if self.disk_is_full { Err("no space".into()) } else { Ok(()) }
    }
    fn finished(&mut self, record: &GameRecord, _: &Standings) {
        assert!(self.shared.lock().finished.contains(&record.number));
    }
}

fn config(names: &[&str]) -> MatchConfig {
    let spec = |name: &&str| EngineSpec { name: (*name).to_owned(), ..EngineSpec::default() };
    MatchConfig { engines: names.iter().map(spec).collect(), ..MatchConfig::default() }
}

/// A game that the first or the second of its seats wins.
fn game(config: &MatchConfig, fixture: &Fixture, winner: Side) -> GameRecord {
    unplayed(config, fixture, [Side::First, Side::Second].map(|side| side != winner))
}

#[test]
fn who_sits_a_swiss_round_out_has_its_points_in_the_table() {
    let three =
        MatchConfig { format: Format::Swiss, scoring: PointSystem::Three, ..config(&["A", "B", "C"]) };
    let (mut state, mut games) = (State::new(&three), Vec::new());
    while let ScheduleStep::Play(fixture) = state.next() {
        assert_eq!(state.standings.half_points(2), 12, "known from the start of the round");
        games.push(game(&three, &fixture, Side::First));
        state.count(&three, &games[games.len() - 1]);
    }
    let (outcome, missing) = count(&three, &games);
    for standings in [&state.standings, &outcome.standings] {
        assert_eq!([0, 1, 2].map(|player| standings.half_points(player)), [6, 6, 12]);
        assert_eq!([0, 1, 2].map(|player| standings.games_of(player)), [2, 2, 0]);
        assert_eq!(standings.order(), [2, 0, 1]);
    }
    assert_eq!((missing, outcome.games), (0, 2));
}

#[test]
fn who_never_came_has_no_points_for_sitting_out() {
    let swiss = MatchConfig {
        format: Format::Swiss,
        rounds: 3,
        forfeit: Some(Forfeit::Win),
        ..config(&["A", "B", "C", "D", "E"])
    };
    let (mut state, mut games) = (State::new(&swiss), Vec::new());
    while let ScheduleStep::Play(fixture) = state.next() {
        let gone = fixture.seats.iter().position(|&player| player == 2);
        let winner = if gone == Some(0) { Side::Second } else { Side::First };
        let mut record = game(&swiss, &fixture, winner);
        if gone.is_some() {
            record.ending.reason = Reason::Forfeit;
        }
        games.push(record);
        state.count(&swiss, &games[games.len() - 1]);
    }
    assert_eq!(state.standings.half_points(2), 0);
    assert!(games.iter().filter(|game| game.seats.contains(&2)).count() < 6, "it sat out");
    assert_eq!(count(&swiss, &games).0.standings.half_points(2), 0);
}

#[test]
fn odd_games_count_in_the_statistics() {
    let three = MatchConfig { games: 3, rounds: 40, ..config(&["A", "B"]) };
    let mut state = State::new(&three);
    while let ScheduleStep::Play(fixture) = state.next() {
        // The first engine wins the first and the last of three.
        let winner = if fixture.number % 3 == 1 { 1 } else { 0 };
        let side = if fixture.seats[0] == winner { Side::First } else { Side::Second };
        state.count(&three, &game(&three, &fixture, side));
    }
    let tally = state.standings.tally(0, 1);
    assert_eq!((tally.wins, tally.losses), (80, 40));
    assert!(tally.distribution().elo().value > 100.0);
}

#[test]
fn the_first_decision_of_a_sequential_test_stays() {
    let sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
    let config = MatchConfig { games: 1000, sprt: Some(sprt), ..config(&["A", "B"]) };
    let (mut state, mut games) = (State::new(&config), Vec::new());
    let add = |state: &mut State, games: &mut Vec<GameRecord>, winner: usize| {
        let ScheduleStep::Play(fixture) = state.next() else { panic!("no game is left") };
        let side = if fixture.seats[0] == winner { Side::First } else { Side::Second };
        games.push(game(&config, &fixture, side));
        state.count(&config, &games[games.len() - 1]);
    };
    // Three of four games are won, until the first engine is the better one.
    while state.decision == Decision::Continue {
        for winner in [0, 0, 0, 1] {
            add(&mut state, &mut games, winner);
        }
    }
    assert_eq!(state.decision, Decision::Accept);
    while sprt.decide(&state.standings.tally(0, 1)) == Decision::Accept {
        add(&mut state, &mut games, 1);
        assert_eq!(state.decision, Decision::Accept);
    }
    // The same where the match goes on, and where its journals are merged.
    let mut resumed = State::new(&config);
    games.iter().for_each(|record| resumed.count(&config, record));
    assert_eq!((resumed.decision, count(&config, &games).0.decision), (Decision::Accept, Decision::Accept));
}

#[test]
fn games_of_another_schedule_are_strangers() {
    let played = |config: &MatchConfig, count: usize| {
        let (mut state, mut games) = (State::new(config), Vec::new());
        while let ScheduleStep::Play(fixture) = state.next()
            && games.len() < count
        {
            let winner = if fixture.number % 3 == 0 { Side::First } else { Side::Second };
            games.push(game(config, &fixture, winner));
            state.count(config, &games[games.len() - 1]);
        }
        games
    };
    for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss, Format::Knockout, Format::Groups] {
        let many = MatchConfig { format, ..config(&["A", "B", "C", "D", "E"]) };
        let games = played(&many, 5);
        let strange = |config: &MatchConfig, games: &[GameRecord]| {
            stranger(config, games, ExtraGame::Accept).map(|game| game.number)
        };
        for count in 0..=games.len() {
            assert_eq!(strange(&many, &games[..count]), None, "{format:?}");
        }
        assert_eq!(strange(&MatchConfig { rounds: 3, ..many.clone() }, &games), None, "{format:?}");
        assert_eq!(strange(&MatchConfig { games: 4, ..many.clone() }, &games), Some(2), "{format:?}");
        assert_eq!(strange(&MatchConfig { games: 1, ..many.clone() }, &games), Some(1), "{format:?}");
    }
    let two = MatchConfig { rounds: 2, ..config(&["A", "B"]) };
    let games = played(&two, 4);
    let strange = |games_of_two: usize, beyond| {
        let config = MatchConfig { games: games_of_two, ..two.clone() };
        stranger(&config, &games, beyond).map(|game| game.number)
    };
    assert_eq!([2, 4, 6].map(|n| strange(n, ExtraGame::Reject)), [None; 3]);
    assert_eq!(strange(1, ExtraGame::Accept), Some(1));
    let one_round = MatchConfig { rounds: 1, ..two.clone() };
    assert!(stranger(&one_round, &games, ExtraGame::Accept).is_none());
    assert_eq!(stranger(&one_round, &games, ExtraGame::Reject).map(|game| game.number), Some(2));
}

/// A game that could be lost with the process, or with the disk, does not count.
#[test]
fn a_game_is_kept_before_it_counts() {
    let config = config(&["A", "B"]);
    for disk_is_full in [false, true] {
        let halt = CancelToken::default();
        let state = Mutex::new(State::new(&config));
        let shared = Shared { state, changed: Condvar::new(), halt: &halt, places: 1 };
        let (sender, events) = unbounded();
        for number in 0..3 {
            let fixture = Fixture { number, round: 1, pair: 0, seats: [0, 1], deciding: false };
            let record = game(&config, &fixture, Side::Second);
            sender.send(Event::Finished(Box::new(record))).unwrap();
        }
        drop(sender);
        let mut keeper = Keeper { shared: &shared, counted: Vec::new(), disk_is_full };
        let outcome = keep(&config, &shared, &events, None, &mut keeper);
        let (counted, finished) = (std::mem::take(&mut keeper.counted), shared.lock().finished.len());
        match disk_is_full {
            false => assert_eq!((outcome, counted, finished), (Ok(()), vec![0, 1, 2], 3)),
            true => assert_eq!((outcome, counted, finished), (Err("no space".into()), vec![0], 0)),
        }
    }
}

#[test]
fn a_person_plays_one_game_at_a_time() {
    let config = MatchConfig { games: 2, ..config(&["A", "B", "C", "D", "engine", "other"]) };
    let (mut state, mut under_way) = (State::new(&config), Vec::<Fixture>::new());
    state.people = (0..4).collect();
    let (mut played, mut peak) = (HashSet::new(), 0);
    loop {
        match state.next_free() {
            ScheduleStep::Play(fixture) => {
                let is_person = |seat: &usize| *seat < 4;
                let busy: Vec<usize> =
                    under_way.iter().flat_map(|game| game.seats).filter(is_person).collect();
                assert!(fixture.seats.iter().all(|seat| !busy.contains(seat)), "{fixture:?} {under_way:?}");
                assert!(played.insert(fixture.number), "{fixture:?}");
                under_way.push(fixture);
                peak = peak.max(under_way.len());
            }
            _ if under_way.is_empty() => break,
            _ => {
                let done = under_way.remove(0);
                state.under_way.retain(|game| game.number != done.number);
                state.count(&config, &game(&config, &done, Side::First));
            }
        }
    }
    assert_eq!((played.len(), state.finished.len()), (30, 30));
    assert!(peak > 2, "an engine plays on while persons are waited for");
}
