//! A game at a table on the page: clocks, offers, claims, adjournment (`crate::table`). The session drives
//! it, and the page shows what it hears. Its journal lies in the library's folder, so that it goes on after a
//! reload or a kill.

use super::guests::Pace;
use super::position::{Line, described, ending_json, merge, written};
use super::store::Store;
use crate::engine::{Limits, Side};
use crate::games::notation::Style;
use crate::games::record::Thought;
use crate::games::time::{Control, Reading, TimeCall};
use crate::games::typed::Refused;
use crate::message;
use crate::table::{
    Action, Actor, Agreement, Envelope, Objection, Preset, Standing, Table, TableEvent, TableJournal,
    Unsealing,
};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::{system, words};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What is agreed before the first move, as the page sends it.
#[derive(Deserialize)]
pub(super) struct Terms {
    line: Line,
    /// The clock of both sides, as `--tc` has it.
    control: String,
    /// `casual`, `match`, `rapid` or `blitz`.
    conduct: String,
    names: [String; 2],
    seats: Seats,
    /// The level of Sanqi; none: full strength.
    #[serde(default)]
    level: Option<u8>,
    /// How moves of xiangqi are written down.
    #[serde(default)]
    notation: String,
}

/// What the person at the page wants.
#[derive(Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub(super) enum Wish {
    Move {
        mv: String,
    },
    /// A move as people type it.
    Typed {
        text: String,
    },
    Offer,
    Accept,
    Decline,
    /// A draw, on the board or with a move that is announced.
    Claim {
        #[serde(default)]
        with: Option<String>,
    },
    Resign,
    Stop,
    Continue,
    /// Let Sanqi play on for the engine that is to move, which has failed.
    Substitute,
    TakeBack {
        plies: usize,
    },
    /// Adjourn with this move in the envelope.
    Seal {
        mv: String,
    },
    /// Open the envelope, or name the move again where it was lost.
    Unseal {
        #[serde(default)]
        envelope: Option<String>,
        #[serde(default)]
        lost: Option<String>,
    },
    /// Agree to the count with these stones dead.
    Count {
        dead: Vec<String>,
    },
}

/// Who plays each side: `None` a person, `""` Sanqi, else another engine by its name.
type Seats = [Option<String>; 2];

/// Who plays, as the journal keeps it.
#[derive(Serialize, Deserialize)]
struct Driver {
    #[serde(default)]
    seats: Seats,
    /// The side of Sanqi, as journals of earlier versions have it.
    #[serde(default, skip_serializing)]
    engine: Option<Side>,
    level: Option<u8>,
}

/// A table and who sits there.
pub(super) struct Sitting {
    table: Table,
    journal: Option<TableJournal>,
    name: String,
    driver: Driver,
    /// Where the table's time begins.
    origin: Instant,
    /// What the running clock showed last.
    last: Option<Reading>,
    /// Moves that the page has.
    sent: usize,
    /// Why the journal could not be written; until the page has it.
    trouble: Option<Message>,
}

impl Sitting {
    /// A new table with its clocks stopped.
    pub fn new(terms: Terms, store: Option<&Store>) -> Result<Self, Message> {
        let Terms { line, control, conduct, names, seats, level, notation } = terms;
        let control: Control = control.parse()?;
        let preset = Preset::from_str(&conduct, true).map_err(|_| {
            message!(
                "{conduct}: casual, match, rapid or blitz" | "{conduct}：应为 casual、match、rapid 或 blitz",
                conduct
            )
        })?;
        let agreement = Agreement {
            start: line.start(),
            controls: [control.clone(), control],
            conduct: preset.conduct(line.game.game()),
            names,
            notation: Style::from_name(&notation).unwrap_or_default(),
        };
        let (driver, mut name) = (Driver { seats, engine: None, level }, String::new());
        let table = Table::new(agreement)?;
        let journal = match store {
            Some(store) => {
                let kept = serde_json::to_value(&driver).map_err(|why| Message::from(why.to_string()))?;
                let (new, path) = store.new_table()?;
                name = new;
                Some(TableJournal::create(&path, table.agreement(), kept)?)
            }
            None => None,
        };
        Ok(Self::seated(table, journal, name, driver))
    }

    /// The table of a journal, with its clocks stopped.
    pub fn resume(name: String, store: &Store) -> Result<Self, Message> {
        let (journal, found) = TableJournal::resume(&store.table(&name)?)?;
        let mut driver: Driver =
            serde_json::from_value(found.driver).map_err(|why| Message::from(why.to_string()))?;
        if let Some(side) = driver.engine {
            *side.of_mut(&mut driver.seats) = Some(String::new());
        }
        Ok(Self::seated(found.table, Some(journal), name, driver))
    }

    fn seated(table: Table, journal: Option<TableJournal>, name: String, driver: Driver) -> Self {
        Self { table, journal, name, driver, origin: Instant::now(), last: None, sent: 0, trouble: None }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The engine's level; `None`: full strength.
    pub fn level(&self) -> Option<u8> {
        self.driver.level
    }

    /// The engine that plays a side; `""` is Sanqi.
    fn engine(&self, side: Side) -> Option<&str> {
        side.of(&self.driver.seats).as_deref()
    }

    /// Whether Sanqi plays a side, without a level.
    pub fn is_at_full_strength(&self, side: Side) -> bool {
        self.engine(side) == Some("") && self.level().is_none()
    }

    /// The other engine that is to move, and how long it may think.
    pub fn guest(&self) -> Option<(String, Pace)> {
        let sides = [Side::First, Side::Second];
        let name = self.engine(self.table.game().side_to_move()).filter(|name| !name.is_empty())?;
        let clocks = sides.map(|side| self.table.clock(side).clone());
        let is_timed = self.table.clock(self.table.game().side_to_move()).control().is_timed();
        Some((name.to_owned(), if is_timed { Pace::Clocks(Box::new(clocks)) } else { Pace::of(None) }))
    }

    fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    /// Whether the engine has to move.
    pub fn is_engines_turn(&self) -> bool {
        self.table.standing() == &Standing::Running && self.engine(self.table.game().side_to_move()).is_some()
    }

    /// Whether the page may ask the engine for its opinion.
    pub fn allow_advice(&self) -> Result<(), Message> {
        let is_open = self.table.ending().is_some() || self.table.agreement().conduct.take_backs;
        match (is_open, self.is_engines_turn()) {
            (false, _) => {
                Err(Message::new(words::no_advice(Language::English), words::no_advice(Language::Chinese)))
            }
            (true, true) => Err(message!("the engine is thinking about its move" | "引擎正在思考自己的着法")),
            (true, false) => Ok(()),
        }
    }

    pub fn limits(&self) -> Limits {
        let usual = Limits { movetime: Some(Duration::from_secs(3)), ..Limits::default() };
        crate::app::opponent::limits(&self.table, self.level().is_some(), usual)
    }

    /// Does what the person wants; what the page should know of it besides the state.
    /// # Errors
    /// Why it is refused. Nothing has changed then.
    pub fn wish(&mut self, wish: Wish) -> Result<(Vec<TableEvent>, Value), Message> {
        let turn = self.table.game().side_to_move();
        let mut persons = [Side::First, Side::Second].into_iter().filter(|side| self.engine(*side).is_none());
        let side = match (persons.next(), persons.next(), &wish) {
            (Some(person), None, _) => person,
            // At one board the player who was asked answers.
            (_, Some(_), Wish::Accept | Wish::Decline) => self.table.offer().map_or(turn, Side::other),
            (Some(_), ..)
            | (None, _, Wish::Stop | Wish::Continue | Wish::Count { .. } | Wish::Substitute) => turn,
            // Who watches engines plays for neither.
            (None, ..) => return Err(Objection::NotYourTurn.into()),
        };
        let (mut actor, mut envelope) = (Actor::Player(side), Value::Null);
        let action = match wish {
            Wish::Move { mv } => Action::Move { mv, thought: Thought::default() },
            Wish::Typed { text } => self.typed(text)?,
            Wish::Offer => Action::Offer,
            Wish::Accept => Action::Accept,
            Wish::Decline => Action::Decline,
            Wish::Claim { with } => Action::Claim { with },
            Wish::Resign => Action::Resign,
            Wish::Stop => Action::Stop,
            Wish::Continue => Action::Continue,
            Wish::Substitute if self.engine(turn).is_none() => return Err(Objection::NotYourTurn.into()),
            Wish::Substitute => {
                *turn.of_mut(&mut self.driver.seats) = Some(String::new());
                Action::Continue
            }
            Wish::TakeBack { plies } => {
                // Players who do not agree about the dead stones play on (GO-8).
                if self.table.is_counting() {
                    actor = Actor::Arbiter;
                }
                Action::TakeBack { plies }
            }
            Wish::Seal { mv } => {
                if self.journal.is_none() {
                    return Err(message!(
                        "this server keeps no games, so that none can be adjourned"
                            | "此服务器不保存对局，不能封棋"
                    ));
                }
                let mv = self.table.game().read(&mv)?;
                let sealed = Envelope::seal(&mv, system::random()?);
                envelope = json!({"envelope": sealed.to_string()});
                Action::Seal { hash: sealed.hash(self.table.game().moves()) }
            }
            Wish::Unseal { envelope: Some(envelope), .. } => {
                let envelope: Envelope = envelope.parse().map_err(Message::from)?;
                Action::Unseal { envelope: Unsealing::Envelope(envelope) }
            }
            Wish::Unseal { lost, .. } => {
                let mv = self.table.game().position().read_typed(&lost.unwrap_or_default())?;
                Action::Unseal { envelope: Unsealing::Lost { mv } }
            }
            Wish::Count { dead } => {
                // The engine takes the person's word, as the other player at one board does.
                let mut events =
                    self.act(Actor::Player(side.other()), Action::Count { dead: dead.clone() })?;
                events.extend(self.act(Actor::Player(side), Action::Count { dead })?);
                return Ok((events, Value::Null));
            }
        };
        Ok((self.act(actor, action)?, envelope))
    }

    fn typed(&self, text: String) -> Result<Action, Message> {
        match self.table.game().position().read_typed(&text) {
            Ok(mv) => Ok(Action::Move { mv, thought: Thought::default() }),
            // A text that is no move is a slip of the keyboard.
            Err(Refused { why, is_move: true, .. }) if self.table.agreement().conduct.illegal_moves > 0 => {
                Ok(Action::Illegal { mv: text, why })
            }
            Err(refused) => Err(refused.into()),
        }
    }

    /// Asks the table for something.
    /// # Errors
    /// Its objection; nothing has changed.
    pub fn act(&mut self, actor: Actor, action: Action) -> Result<Vec<TableEvent>, Objection> {
        let before = self.table.game().moves().len();
        let events = self.table.act(actor, action, self.now())?;
        self.sent = self.sent.min(self.table.game().moves().len());
        if self.table.game().moves().len() != before {
            self.last = None;
        }
        self.note(&events);
        Ok(events)
    }

    /// What time alone brings, and what has to be announced.
    pub fn tick(&mut self) -> (Vec<TableEvent>, Option<TimeCall>) {
        let events = self.table.tick(self.now());
        self.note(&events);
        let now = self.running();
        let call = now.zip(self.last).and_then(|(now, earlier)| now.call_since(&earlier));
        self.last = now;
        (events, call)
    }

    /// What the running clock shows.
    fn running(&self) -> Option<Reading> {
        let is_running = self.table.standing() == &Standing::Running;
        is_running.then(|| self.table.reading(self.table.game().side_to_move(), self.now())).flatten()
    }

    /// When a clock shows something else, or the flag falls.
    pub fn due(&self) -> Option<Instant> {
        let left = self.running()?.until_change();
        let step = if left < Duration::from_secs(10) { 100 } else { 1000 };
        let part = left.as_millis().checked_rem(step).unwrap_or(0);
        let until_flag = self.table.until_flag(self.now()).unwrap_or(Duration::MAX);
        let wait =
            Duration::from_millis(part.try_into().unwrap_or(0)).saturating_add(Duration::from_millis(1));
        Instant::now().checked_add(wait.min(until_flag))
    }

    fn note(&mut self, events: &[TableEvent]) {
        let written = self.journal.as_mut().map_or(Ok(()), |journal| journal.add(events));
        if let Err(why) = written {
            // The game matters more than its journal, and a journal that lacks a move is worth nothing.
            self.journal = None;
            self.trouble = Some(why.into());
        }
    }

    /// The clocks as events have them: what each shows, whose runs, and whether it is about to fall.
    pub fn clocks(&self) -> Value {
        let sides = [Side::First, Side::Second];
        let readings = sides.map(|side| self.table.reading(side, self.now()));
        let is_low = |reading: &Reading| reading.is_last && reading.until_change() < Duration::from_secs(10);
        json!({
            "clocks": readings.map(|reading| reading.map(|reading| reading.to_string())),
            "low": readings.map(|reading| reading.as_ref().is_some_and(is_low)),
            "runs": (self.table.standing() == &Standing::Running).then(|| self.table.game().side_to_move()),
        })
    }

    /// The state as the page shows it, with the moves that it does not have yet.
    pub fn state(&mut self, events: &[TableEvent], language: Language) -> Value {
        let table = &self.table;
        let conduct = &table.agreement().conduct;
        let mut game = table.game().clone();
        let ply = game.moves().len();
        game.truncate(self.sent);
        let plies = table.plies().get(self.sent..).unwrap_or_default().iter().map(|ply| {
            let text = written(&game, &ply.mv);
            // It was played before.
            let _ = game.play_recorded(&ply.mv);
            json!({"mv": ply.mv, "text": text, "clock": ply.clock_ms, "overtime": ply.overtime})
        });
        let plies: Vec<Value> = plies.collect();
        let trouble = self.trouble.take().map(|why| words::journal_failed(language, why.text(language)));
        let news: Vec<String> =
            events.iter().filter_map(|event| table.text_of(event, language)).chain(trouble).collect();
        let standing = match table.standing() {
            Standing::Running => "running",
            Standing::Stopped => "stopped",
            Standing::Adjourned(_) => "adjourned",
            Standing::Over(_) => "over",
        };
        let ledger = |side| {
            let ledger = table.ledger(side);
            json!({"fouls": ledger.fouls, "illegal": ledger.illegal_moves, "claims": ledger.wrong_claims})
        };
        let sides = [Side::First, Side::Second];
        let (declined, ledgers) = (sides.map(|side| table.has_declined(side)), sides.map(ledger));
        let mut state = json!({
            "table": self.name, "from": self.sent, "plies": plies, "node": described(table.game().clone()),
            "standing": standing, "offer": table.offer(), "ending": table.ending().map(ending_json),
            "declined": declined, "ledgers": ledgers,
            "isSerious": !conduct.take_backs, "claims": conduct.claims, "seats": self.driver.seats,
            "level": self.level(), "control": table.agreement().controls[0].to_string(), "news": news,
        });
        merge(&mut state, self.clocks());
        self.sent = ply;
        state
    }

    /// Has the page get all moves with the next state.
    pub fn show_again(&mut self) {
        self.sent = 0;
    }
}

impl Drop for Sitting {
    /// A page that is gone stops the clocks; its thinking time counts.
    fn drop(&mut self) {
        if self.table.standing() == &Standing::Running && self.journal.is_some() {
            let _ = self.act(Actor::Arbiter, Action::Stop);
        }
    }
}

/// What is called while a clock runs.
pub(super) fn call_text(call: TimeCall, language: Language) -> String {
    match call {
        TimeCall::Seconds(seconds) => words::seconds_left(language, seconds),
        TimeCall::Periods(periods) => words::periods_left(language, periods),
    }
}
