use super::*;
use crate::games::game::Start;
use crate::games::notation::Style;
use crate::games::record::GameKind;
use Side::{First, Second};
use proptest::prelude::*;

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn agreement(kind: GameKind, control: &str, preset: Preset) -> Agreement {
    Agreement {
        start: Start::from(kind),
        controls: [control, control].map(|text| text.parse().unwrap()),
        conduct: preset.conduct(kind.game()),
        names: ["One", "Two"].map(str::to_owned),
        notation: Style::Iccs,
    }
}

/// A table whose clocks run from 0 s on, with all its events.
struct Tried {
    table: Table,
    events: Vec<TableEvent>,
    now: f64,
}

impl Tried {
    fn new(agreement: Agreement) -> Self {
        let mut tried = Self { table: Table::new(agreement).unwrap(), events: Vec::new(), now: 0.0 };
        tried.act(Actor::Arbiter, Action::Continue).unwrap();
        tried
    }

    fn act(&mut self, actor: Actor, action: Action) -> Result<Vec<TableEvent>, Objection> {
        let events = self.table.act(actor, action, secs(self.now))?;
        self.events.extend(events.clone());
        Ok(events)
    }

    /// Plays moves, each of one second.
    fn play(&mut self, moves: &str) -> &mut Self {
        for mv in moves.split_whitespace() {
            self.now += 1.0;
            self.act(Actor::Arbiter, mv_of(mv)).unwrap();
        }
        self
    }

    fn player(&mut self, side: Side, action: Action) -> Result<Vec<TableEvent>, Objection> {
        self.act(Actor::Player(side), action)
    }

    fn ending(&self) -> (Option<Side>, Reason, String) {
        let ending = self.table.ending().expect("an ending");
        (ending.winner, ending.reason, ending.detail.to_string())
    }
}

fn mv_of(mv: &str) -> Action {
    Action::Move { mv: mv.to_owned(), thought: Thought::default() }
}

fn chess(control: &str, preset: Preset) -> Tried {
    Tried::new(agreement(GameKind::CHESS, control, preset))
}

/// What events bring about: all but the running clock.
fn state(table: &Table) -> String {
    let Table { game, plies, clocks, earlier, standing, used, offer, ledgers, counts, .. } = table;
    let standing = if *standing == Standing::Running { &Standing::Stopped } else { standing };
    // Where a game ended, the move under way had taken some time, which no event holds.
    let used = if matches!(standing, Standing::Over(_)) { &Duration::ZERO } else { used };
    format!(
        "{:?} {plies:?} {clocks:?} {earlier:?} {standing:?} {used:?} {offer:?} {ledgers:?} {counts:?}",
        game.moves()
    )
}

#[test]
fn the_flag_falls_by_itself() {
    let mut tried = chess("10+2", Preset::Casual);
    tried.play("e2e4 e7e5");
    assert_eq!(tried.table.until_flag(secs(2.0)), Some(secs(11.0)));
    assert_eq!(tried.table.reading(First, secs(5.0)).unwrap().to_string(), "0:08.0");
    assert!(tried.table.tick(secs(12.9)).is_empty());
    assert_eq!(tried.table.tick(secs(13.0)).len(), 1);
    assert_eq!(tried.ending(), (Some(Second), Reason::Time, "White oversteps the time".to_owned()));
    assert_eq!(tried.act(Actor::Arbiter, mv_of("g1f3")), Err(Objection::Over));
}

#[test]
fn a_late_move_is_not_made() {
    let mut tried = chess("10", Preset::Casual);
    tried.now = 10.0;
    let events = tried.act(Actor::Arbiter, mv_of("e2e4")).unwrap();
    assert!(matches!(events.as_slice(), [TableEvent::Ended { .. }]), "{events:?}");
    assert!(tried.table.plies().is_empty());
}

#[test]
fn an_offer_stands_until_it_is_answered_and_is_not_repeated() {
    let mut tried = chess("inf", Preset::Match);
    tried.player(First, Action::Offer).unwrap();
    assert_eq!(tried.player(First, Action::Offer), Err(Objection::OfferStands));
    assert_eq!(tried.player(First, Action::Accept), Err(Objection::NothingOffered));
    tried.play("g1f3 g8f6");
    assert_eq!(tried.table.offer(), None, "a move declines");
    assert_eq!(tried.player(Second, Action::Offer), Err(Objection::NotYourTurn));
    assert_eq!(tried.player(First, Action::Offer), Err(Objection::OfferAgain));
    tried.play("e2e4");
    tried.play("b8c6");
    tried.player(First, Action::Offer).unwrap();
    tried.play("d2d4");
    tried.player(Second, Action::Accept).unwrap();
    assert_eq!(tried.ending(), (None, Reason::Agreement, "draw agreed".to_owned()));
}

#[test]
fn a_third_foul_loses_in_xiangqi() {
    let mut tried = Tried::new(agreement(GameKind::XIANGQI, "inf", Preset::Match));
    tried.player(First, Action::Offer).unwrap();
    tried.play("h2e2 h9g7");
    for count in [1, 2, 3] {
        let events = tried.player(First, Action::Offer).unwrap();
        assert_eq!(events.first(), Some(&TableEvent::Fouled { by: First, count }));
    }
    assert_eq!(tried.ending().1, Reason::Fouls);
    assert_eq!(tried.ending().0, Some(Second));
}

#[test]
fn claims_are_examined() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    let mut tried = chess("600", Preset::Match);
    tried.play(shuffle);
    let wrong = tried.player(Second, Action::Claim { with: None }).unwrap();
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert_eq!(wrong[1], TableEvent::Adjusted { side: Second, seconds: -300 });
    assert_eq!(tried.table.clock(Second).state().remaining, secs(297.0));
    tried.player(Second, Action::Claim { with: Some("f6g8".to_owned()) }).unwrap();
    let (winner, reason, detail) = tried.ending();
    assert_eq!((winner, reason), (None, Reason::Repetition));
    assert_eq!(detail, "Black claims a draw with Ng8: third occurrence of the position (CH-8)");

    // An announced move is made although the claim is wrong.
    let mut tried = chess("60", Preset::Match);
    let events = tried.player(First, Action::Claim { with: Some("e2e4".to_owned()) }).unwrap();
    assert!(matches!(events.last(), Some(TableEvent::Moved { .. })), "{events:?}");
    assert_eq!(tried.table.clock(First).state().remaining, secs(1.0), "a claim takes no flag");
    assert_eq!(tried.table.ledger(First).wrong_claims, 1);

    // By hand only: the game goes on at the third occurrence, and ends at the fifth.
    let mut tried = chess("inf", Preset::Match);
    tried.play(shuffle).play("f6g8");
    assert_eq!(tried.table.ending(), None);
    tried.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(tried.ending().1, Reason::Repetition);
    let mut go = Tried::new(agreement(GameKind::GO, "inf", Preset::Match));
    assert_eq!(go.player(First, Action::Claim { with: None }), Err(Objection::NoClaims));
}

#[test]
fn a_second_illegal_move_loses_in_rapid_chess() {
    let mut tried = chess("600", Preset::Rapid);
    let events = tried.player(First, mv_of("e2e5")).unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(tried.table.clock(Second).state().remaining, secs(720.0));
    tried.player(First, mv_of("e1e3")).unwrap();
    let (winner, reason, detail) = tried.ending();
    assert_eq!((winner, reason), (Some(Second), Reason::IllegalMove));
    assert!(detail.starts_with("White plays illegal move 2, e1e3"), "{detail}");
    let mut casual = chess("600", Preset::Casual);
    assert!(matches!(casual.player(First, mv_of("e2e5")), Err(Objection::IllegalMove(_))));
}

#[test]
fn a_move_taken_back_gives_its_time_back() {
    let mut tried = chess("60", Preset::Casual);
    tried.play("e2e4 e7e5");
    tried.now = 7.0;
    tried.player(First, Action::TakeBack { plies: 2 }).unwrap();
    assert_eq!(tried.table.clock(First).state().remaining, secs(60.0));
    assert_eq!(tried.table.used_until(secs(8.0)), secs(1.0));
    assert_eq!(
        chess("60", Preset::Match).player(First, Action::TakeBack { plies: 1 }),
        Err(Objection::NoTakeBacks)
    );
    let mut late = chess("1", Preset::Casual);
    late.table.tick(secs(1.0));
    assert_eq!(
        late.player(First, Action::TakeBack { plies: 0 }),
        Err(Objection::Over),
        "a fallen flag stays so"
    );
    let mut resigned = chess("10", Preset::Casual);
    resigned.play("e2e4").player(Second, Action::Resign).unwrap();
    resigned.player(Second, Action::TakeBack { plies: 0 }).unwrap();
    assert_eq!(resigned.table.ending(), None);
}

#[test]
fn stopped_clocks_stand() {
    let mut tried = chess("60", Preset::Casual);
    tried.now = 5.0;
    tried.act(Actor::Arbiter, Action::Stop).unwrap();
    assert_eq!(tried.act(Actor::Arbiter, Action::Stop), Err(Objection::IsStopped));
    tried.now = 500.0;
    assert_eq!(tried.player(First, mv_of("e2e4")), Err(Objection::IsStopped));
    assert_eq!(tried.table.reading(First, secs(500.0)).unwrap().left, secs(55.0));
    tried.act(Actor::Arbiter, Action::Continue).unwrap();
    tried.play("e2e4");
    assert_eq!(tried.table.clock(First).state().remaining, secs(54.0));
    // A move taken back in a pause does not start a clock.
    tried.act(Actor::Arbiter, Action::Stop).unwrap();
    tried.player(First, Action::TakeBack { plies: 1 }).unwrap();
    assert_eq!(tried.table.until_flag(secs(5000.0)), None);
    assert_eq!(chess("60", Preset::Match).player(First, Action::Stop), Err(Objection::OnlyTheArbiter));
}

#[test]
fn a_sealed_move_is_made_when_its_envelope_is_opened() {
    let mut tried = chess("60", Preset::Match);
    tried.play("e2e4");
    tried.now = 11.0;
    let envelope = Envelope::seal("e7e5", [9; 16]);
    let hash = envelope.hash(tried.table.game().moves());
    tried.player(Second, Action::Seal { hash: hash.clone() }).unwrap();
    assert_eq!(tried.player(Second, mv_of("e7e5")), Err(Objection::IsAdjourned));
    for action in [Action::Continue, Action::TakeBack { plies: 1 }] {
        assert_eq!(tried.act(Actor::Arbiter, action), Err(Objection::IsAdjourned));
    }
    let resumed = Table::replay(tried.table.agreement().clone(), tried.events.clone()).unwrap();
    assert_eq!(resumed.standing(), &Standing::Adjourned(hash));
    let mut tried = Tried { table: resumed, events: Vec::new(), now: 1000.0 };
    let other = Unsealing::Envelope(Envelope::seal("d7d5", [9; 16]));
    assert_eq!(tried.act(Actor::Arbiter, Action::Unseal { envelope: other }), Err(Objection::WrongEnvelope));
    tried.act(Actor::Arbiter, Action::Unseal { envelope: Unsealing::Envelope(envelope) }).unwrap();
    assert_eq!(tried.table.clock(Second).state().remaining, secs(50.0), "what sealing took");
    assert_eq!(tried.table.until_flag(secs(1010.0)), Some(secs(49.0)));
}

#[test]
fn a_sealed_move_may_be_illegal_or_mate_or_be_lost() {
    let sealed = |moves: &str, mv: &str| {
        let mut tried = chess("inf", Preset::Match);
        tried.play(moves);
        let envelope = Envelope::seal(mv, [1; 16]);
        let hash = envelope.hash(tried.table.game().moves());
        tried.act(Actor::Arbiter, Action::Seal { hash }).unwrap();
        (tried, Unsealing::Envelope(envelope))
    };
    let (mut tried, envelope) = sealed("e2e4", "e7e4");
    tried.act(Actor::Arbiter, Action::Unseal { envelope }).unwrap();
    assert_eq!((tried.ending().0, tried.ending().1), (Some(First), Reason::IllegalMove));
    let (mut tried, envelope) = sealed("f2f3 e7e5 g2g4", "d8h4");
    tried.act(Actor::Arbiter, Action::Unseal { envelope }).unwrap();
    assert_eq!((tried.ending().0, tried.ending().1), (Some(Second), Reason::Checkmate));
    let (mut tried, _) = sealed("e2e4", "e7e5");
    let lost = |mv: &str| Action::Unseal { envelope: Unsealing::Lost { mv: mv.to_owned() } };
    assert!(matches!(tried.act(Actor::Arbiter, lost("e7e4")), Err(Objection::IllegalMove(_))));
    let events = tried.act(Actor::Arbiter, lost("e7e5")).unwrap();
    assert_eq!(events, [TableEvent::Unsealed { mv: "e7e5".to_owned(), lost: true }]);
}

#[test]
fn a_board_of_go_is_counted_when_both_agree() {
    let mut tried = Tried::new(agreement(GameKind::GO, "5+1x5", Preset::Casual));
    assert_eq!(tried.player(First, Action::Count { dead: Vec::new() }), Err(Objection::NotCounting));
    tried.play("D4 Q16 pass pass");
    assert!(tried.table.is_counting());
    assert!(tried.table.tick(secs(1000.0)).is_empty(), "counting takes no time");
    let list = |text: &str| Action::Count { dead: text.split_whitespace().map(str::to_owned).collect() };
    tried.player(First, list("Q16")).unwrap();
    tried.player(Second, list("D4")).unwrap();
    assert_eq!(tried.table.ending(), None);
    tried.player(First, list("D4")).unwrap();
    assert_eq!((tried.ending().0, tried.ending().1), (Some(Second), Reason::Counted));
}

#[test]
fn a_journal_is_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sanqi");
    let mut tried = chess("60+1", Preset::Casual);
    let driver = serde_json::json!({"level": 3});
    let mut journal = TableJournal::create(&path, tried.table.agreement(), driver.clone()).unwrap();
    tried.play("e2e4 e7e5 g1f3");
    tried.player(Second, Action::Offer).unwrap();
    journal.add(&tried.events).unwrap();
    assert!(TableJournal::resume(&path).is_err(), "it is in use");
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap();
    // Cut anywhere, it holds the events whose lines are whole.
    for length in text.find('\n').unwrap() + 1..=text.len() {
        std::fs::write(&path, &text[..length]).unwrap();
        let (_, found) = TableJournal::resume(&path).unwrap();
        let events = text[..length].matches('\n').count() - 1;
        let expected =
            Table::replay(tried.table.agreement().clone(), tried.events[..events].to_vec()).unwrap();
        assert_eq!((state(&found.table), &found.driver), (state(&expected), &driver));
    }
    for broken in ["", "{}\n", "not a game\n", "{\"sanqi_table\":1}\n"] {
        std::fs::write(&path, broken).unwrap();
        let why = TableJournal::resume(&path).unwrap_err().to_string();
        assert!(why.contains("not a game that can be resumed"), "{broken:?}: {why}");
    }
    let impossible = text.replace("\"e7e5\"", "\"e7e4\"");
    std::fs::write(&path, impossible).unwrap();
    let why = TableJournal::resume(&path).unwrap_err().to_string();
    assert!(why.contains("event 3 cannot have happened"), "{why}");
}

/// Something to ask of a table: an action by its number, and the time until then.
fn random_action(table: &Table, number: u16) -> (Actor, Action) {
    let choice = usize::from(number);
    let actor = match choice % 7 {
        0 => Actor::Arbiter,
        1 => Actor::Player(table.game().side_to_move().other()),
        _ => Actor::Player(table.game().side_to_move()),
    };
    let legal = table.game().legal();
    let mv = legal.get(choice % legal.len().max(1)).cloned().unwrap_or_else(|| "e2e4".to_owned());
    let sealed = Envelope::seal(&mv, [3; 16]);
    let action = match choice / 7 % 40 {
        0..20 => mv_of(&mv),
        20 => Action::Offer,
        21 => Action::Accept,
        22 => Action::Decline,
        23 => Action::Claim { with: None },
        24 => Action::Claim { with: Some(mv) },
        25 if choice.is_multiple_of(3) => Action::Resign,
        25 => mv_of("a1a9"),
        26 => Action::Stop,
        27..30 => Action::Continue,
        30 => Action::TakeBack { plies: choice % 3 },
        31 => Action::Seal { hash: sealed.hash(table.game().moves()) },
        32 => Action::Unseal { envelope: Unsealing::Envelope(sealed) },
        33 => Action::Unseal { envelope: Unsealing::Lost { mv } },
        34 => Action::Count { dead: vec!["D4".to_owned()] },
        35 => Action::Adjust { side: First, seconds: 30 - i64::from(number % 60) },
        36 => Action::Warn { side: Second, why: "talks".into() },
        _ => mv_of("pass"),
    };
    (actor, action)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A table is its events: whatever is asked of it, replaying them gives the same, at every prefix.
    #[test]
    fn a_table_is_its_events(
        kind in 0_usize..3,
        preset in 0_usize..4,
        control in 0_usize..5,
        steps in prop::collection::vec((any::<u16>(), 0_u16..400), 0..60),
    ) {
        let kind = [GameKind::CHESS, GameKind::XIANGQI, GameKind::GO][kind];
        let preset = [Preset::Casual, Preset::Match, Preset::Rapid, Preset::Blitz][preset];
        let control = ["60+2", "20h", "10+3x2", "5d2@3", "inf"][control];
        let mut tried = Tried::new(agreement(kind, control, preset));
        let mut states = vec![(tried.events.len(), state(&tried.table))];
        for (number, centis) in steps {
            tried.now += f64::from(centis) / 100.0;
            let before = state(&tried.table);
            let (actor, action) = random_action(&tried.table, number);
            if tried.act(actor, action).is_err() && tried.table.tick(secs(tried.now)).is_empty() {
                prop_assert_eq!(&before, &state(&tried.table), "a refusal changes nothing");
            }
            states.push((tried.events.len(), state(&tried.table)));
        }
        for (length, expected) in states {
            let text: Vec<String> = tried.events[..length].iter().map(|e| serde_json::to_string(e).unwrap()).collect();
            let read = text.iter().map(|line| serde_json::from_str(line).unwrap());
            let table = Table::replay(tried.table.agreement().clone(), read).unwrap();
            prop_assert_eq!(state(&table), expected);
        }
    }
}
