//! Other engines of this machine, as opponents and for second opinions. The command line has their commands;
//! the page knows their names only.

use crate::client::cancel::CancelToken;
use crate::client::detect::detect;
use crate::client::player::{Choice, EngineSpec, GameSetup, MoveRequest, Patience, Player, Reply};
use crate::client::spec::{engine_from_words, is_setting, protocols};
use crate::games::game::{Game, Start};
use crate::games::record::GameKind;
use crate::games::time::{Control, GameClock};
use crate::message;
use crate::util::message::Message;
use crossbeam::channel::{Receiver, Sender, bounded, never, unbounded};
use std::time::Duration;

/// What may pass beyond the time for a move before the engine is given up.
const MARGIN: Duration = Duration::from_secs(20);
/// Seconds for a move, where the page names none, and at most.
const USUAL_SECONDS: f64 = 3.0;
const MAX_SECONDS: f64 = 600.0;
/// How long a protocol is waited for.
const GREETING: Duration = Duration::from_secs(10);

/// Reads engines: each begins with `NAME=COMMAND`, and may go on with words as `sanqi match --engine` has
/// them.
/// # Errors
/// Names the word that is wrong.
pub(super) fn read(words: &[String]) -> Result<Vec<EngineSpec>, Message> {
    let mut engines: Vec<EngineSpec> = Vec::new();
    let mut rest = words;
    while let Some((first, others)) = rest.split_first() {
        let (name, command) =
            first.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
                message!("--engine {first}: it is NAME=COMMAND" | "--engine {first}：应写作 名称=命令", first)
            })?;
        let count = others.iter().take_while(|word| is_setting(word)).count();
        let (own, next) = others.split_at_checked(count).unwrap_or_default();
        let mut spec = engine_from_words(own)?;
        spec.join_args();
        spec.cmd.insert_str(0, command);
        name.clone_into(&mut spec.name);
        spec.command()?;
        if engines.iter().any(|engine| engine.name == name) {
            return Err(message!("--engine: two are called {name}" | "--engine：有两个叫 {name}", name));
        }
        engines.push(spec);
        rest = next;
    }
    Ok(engines)
}

/// How long an engine may think.
#[derive(Clone)]
pub(super) enum Pace {
    /// For one move.
    Move(Duration),
    /// By the clocks of the game.
    Clocks(Box<[GameClock; 2]>),
}

impl Pace {
    /// A number of seconds for each move.
    pub fn of(seconds: Option<f64>) -> Self {
        let seconds = seconds.filter(|seconds| seconds.is_finite()).unwrap_or(USUAL_SECONDS);
        Self::Move(Duration::from_secs_f64(seconds.clamp(0.1, MAX_SECONDS)))
    }
}

/// A question to an engine: its move at the end of a game.
struct Question {
    game: Game,
    pace: Pace,
    answer: Sender<Result<GuestMove, Message>>,
}

/// What an engine answers.
pub(super) struct GuestMove {
    /// The move in coordinates, which is legal; none: it resigns, or claims a draw.
    pub mv: Option<String>,
    pub reply: Reply,
}

/// An engine that was asked, in a thread of its own with its process.
struct Guest {
    name: String,
    kind: GameKind,
    questions: Sender<Question>,
    cancel: CancelToken,
    is_thinking: bool,
}

/// The engines of a tab.
pub(super) struct Guests<'a> {
    specs: &'a [EngineSpec],
    guests: Vec<Guest>,
}

impl<'a> Guests<'a> {
    pub fn new(specs: &'a [EngineSpec]) -> Self {
        Self { specs, guests: Vec::new() }
    }

    pub fn names(&self) -> Vec<&str> {
        self.specs.iter().map(|spec| spec.name.as_str()).collect()
    }

    /// Asks an engine for its move; the answer comes by the channel.
    /// # Errors
    /// No engine has this name, or there is no thread for it.
    pub fn ask(
        &mut self,
        name: &str,
        game: &Game,
        pace: Pace,
    ) -> Result<Receiver<Result<GuestMove, Message>>, Message> {
        self.stop();
        let Some(spec) = self.specs.iter().find(|spec| spec.name == name) else {
            return Err(message!("no engine is called {name:?}" | "没有叫 {name:?} 的引擎", name));
        };
        let kind = game.kind();
        self.guests.retain(|guest| guest.name != name || guest.kind == kind);
        let (sender, answer) = bounded(1);
        let question = Question { game: game.clone(), pace, answer: sender };
        if let Some(guest) = self.guests.iter_mut().find(|guest| guest.name == name) {
            guest.is_thinking = true;
            // A thread that is gone drops the question, which ends the answer.
            drop(guest.questions.send(question));
            return Ok(answer);
        }
        let (questions, asked) = unbounded::<Question>();
        let cancel = CancelToken::default();
        let (spec, token) = (spec.clone(), cancel.clone());
        let think = move || {
            let mut table = GuestTable::new(spec, kind, token);
            for Question { game, pace, answer } in asked {
                // A page that no longer wants to know is no fault.
                drop(answer.send(table.answer(&game, &pace)));
            }
        };
        std::thread::Builder::new().name("guest".to_owned()).spawn(think)?;
        drop(questions.send(question));
        self.guests.push(Guest { name: name.to_owned(), kind, questions, cancel, is_thinking: true });
        Ok(answer)
    }

    /// An answer has come: every engine rests.
    pub fn rest(&mut self) {
        self.guests.iter_mut().for_each(|guest| guest.is_thinking = false);
    }

    /// Ends the engines that think; the next question starts them again.
    pub fn stop(&mut self) {
        self.guests.retain(|guest| {
            if guest.is_thinking {
                guest.cancel.cancel();
            }
            !guest.is_thinking
        });
    }
}

impl Drop for Guests<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An engine's process and the game that it knows.
struct GuestTable {
    spec: EngineSpec,
    kind: GameKind,
    cancel: CancelToken,
    player: Option<Player>,
    start: Start,
    moves: Vec<String>,
    control: Control,
}

impl GuestTable {
    fn new(spec: EngineSpec, kind: GameKind, cancel: CancelToken) -> Self {
        let (player, start, moves, control) = Default::default();
        Self { spec, kind, cancel, player, start, moves, control }
    }

    fn answer(&mut self, game: &Game, pace: &Pace) -> Result<GuestMove, Message> {
        let found = self.think(game, pace);
        if found.is_err() {
            // Its process is ended; the next question starts another.
            self.player = None;
        }
        found
    }

    /// The clocks of both sides, and how long the engine is waited for where it has none.
    fn clocks(&self, pace: &Pace) -> Result<([GameClock; 2], Duration), Message> {
        let has_limit = self.spec.nodes.or(self.spec.depth.map(u64::from)).is_some();
        let (control, time) = match pace {
            Pace::Clocks(clocks) if !has_limit => return Ok((clocks.as_ref().clone(), MARGIN)),
            Pace::Move(time) if !has_limit => (format!("st={}", time.as_secs_f64()).parse()?, *time),
            Pace::Move(time) => (Control::INFINITE, *time),
            Pace::Clocks(_) => (Control::INFINITE, Duration::from_secs_f64(MAX_SECONDS)),
        };
        Ok(([(); 2].map(|()| GameClock::new(control.clone(), MARGIN)), time))
    }

    fn think(&mut self, game: &Game, pace: &Pace) -> Result<GuestMove, Message> {
        let (clocks, time) = self.clocks(pace)?;
        let control = game.side_to_move().of(&clocks).control().clone();
        let start = game.start();
        let setup =
            GameSetup { kind: self.kind, rules: &start.rules, fen: start.fen.as_deref(), control: &control };
        let is_known =
            self.start == *start && self.control == control && game.moves().starts_with(&self.moves);
        let player = match &mut self.player {
            Some(player) => player,
            None => {
                if self.spec.proto.is_none() {
                    let found = detect(&self.spec.command()?, protocols(self.kind), GREETING)?;
                    self.spec.proto = Some(found);
                }
                let stall = time.saturating_add(MARGIN).as_secs_f64();
                let patience = Patience { ready: MARGIN.as_secs_f64(), stall, quit: 1.0 };
                let mut player = Player::new(self.spec.clone(), self.kind, patience);
                player.set_cancel(self.cancel.clone());
                self.player.insert(player)
            }
        };
        if !is_known || player.own_name().is_none() {
            player.new_game(&setup).map_err(|fault| fault.detail)?;
        }
        let request = MoveRequest {
            setup,
            moves: game.moves(),
            side: game.side_to_move(),
            clocks: &clocks,
            nodes: self.spec.nodes,
            depth: self.spec.depth,
            draw_offered: false,
            referee: &**game.position(),
            bell: &never(),
            stopped: Duration::ZERO,
        };
        let reply = player.think(&request).map_err(|fault| fault.detail)?;
        let reply = reply.ok_or_else(|| message!("it names no move" | "它没有给出着法"))?;
        let text = match &reply.choice {
            Choice::Move(mv) => mv.clone(),
            Choice::Algebraic(text) => game.read(text)?,
            Choice::Resign | Choice::Draw(_) => {
                self.moves.clear();
                return Ok(GuestMove { mv: None, reply });
            }
            Choice::NoMove => {
                return Err(message!("it names no move" | "它没有给出着法"));
            }
        };
        let mut after = game.clone();
        after.play(&text)?;
        // From here on it takes its own move for played.
        self.start = start.clone();
        self.control = control;
        self.moves = after.moves().to_vec();
        Ok(GuestMove { mv: after.moves().last().cloned(), reply })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_a_name_and_a_command() {
        let read = |text: &str| read(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let found = read("Fish=stockfish option.Hash=16 nodes=500 Gnu=gnugo args=--mode args=gtp").unwrap();
        let seen: Vec<_> =
            found.iter().map(|spec| (spec.name.as_str(), spec.cmd.as_str(), spec.nodes)).collect();
        assert_eq!(seen, [("Fish", "stockfish", Some(500)), ("Gnu", "gnugo --mode gtp", None)]);
        assert_eq!(found[0].options, [("Hash".to_owned(), "16".to_owned())]);
        for bad in ["stockfish", "A=", "=b", "A=b x", "A=b proto=usi", "A=b A=c"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
