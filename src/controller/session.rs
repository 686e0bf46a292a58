//! The session that a dialect acts on: the engine, the running search, the options, the output.

use super::Factory;
use super::crash::Recorder;
use crate::engine::go::{GoEngine, SearchRequest};
use crate::engine::{
    AnyEngine, BestMove, Engine, Event, GameId, Limits, OptionKind, OptionSpec, PositionSpec, Side,
    StopHandle,
};
use crate::ensure;
use crate::message;
use crate::protocol::defaults::Defaults;
use crate::protocol::io::{DebugLog, FastAction, FastPath, Output, Running};
use crate::protocol::{self, GoSearch, Host, HostOptions, HostSearch as _, Io, State, options};
use crate::util::files::Sandbox;
use crate::util::message::Message;
use crossbeam::channel::{self, Receiver, Sender};
use std::time::Instant;

pub(super) struct Session {
    factory: Factory,
    /// Options of a game, whether it is played or not.
    declared: fn(GameId) -> Vec<OptionSpec>,
    game: GameId,
    /// Created on first use.
    player: Option<AnyEngine>,
    defaults: Defaults,
    /// Remarks for the client that no dialect has sent yet.
    remarks: Vec<Message>,
    /// Engine options that were set, for the next game's engine.
    settings: Vec<(String, String)>,
    search: Search,
    fast_path: FastPath,
    journal: DebugLog,
    output: Output,
    interactive: bool,
    /// When the line being dealt with arrived, and when the last search ended: lines may have waited for
    /// that.
    arrival: Instant,
    idle_since: Instant,
    over: bool,
    /// The end of the input leaves a search some time.
    patient: bool,
    /// Which files the client may name.
    sandbox: Sandbox,
    /// Recorder for the report of a crash.
    recorder: Recorder,
}

/// The running search, as seen from outside.
struct Search {
    state: State,
    /// Its events; none when idle.
    events: Receiver<Event>,
    /// Its end must not be reported before `stop` (or `ponderhit`, unless it is infinite).
    until_stop: bool,
    infinite: bool,
    /// Its end, when that has come.
    end: Option<BestMove>,
    /// A report not handed out yet.
    report: Option<Event>,
}

impl Search {
    fn none() -> Self {
        Self {
            state: State::Idle,
            events: channel::never(),
            until_stop: false,
            infinite: false,
            end: None,
            report: None,
        }
    }
}

impl Session {
    pub(super) fn new(
        (factory, declared): (Factory, fn(GameId) -> Vec<OptionSpec>),
        output: Output,
        fast_path: FastPath,
        journal: DebugLog,
        interactive: bool,
    ) -> Self {
        Self {
            factory,
            declared,
            game: GameId::Chess,
            player: None,
            defaults: Defaults::default(),
            remarks: Vec::new(),
            settings: Vec::new(),
            search: Search::none(),
            fast_path,
            journal,
            output,
            interactive,
            arrival: Instant::now(),
            idle_since: Instant::now(),
            over: false,
            patient: false,
            sandbox: Sandbox::default(),
            recorder: Recorder::default(),
        }
    }

    /// The same, with a recorder that others have, too.
    pub(super) fn with_recorder(self, recorder: Recorder) -> Self {
        Self { recorder, ..self }
    }

    /// Notes where the game of Go stands, for the report of a fault. Other games have their positions set up
    /// as a whole.
    pub(super) fn note_position(&mut self) {
        if self.search.state != State::Idle {
            return;
        }
        let Some(engine) = self.player.as_mut().and_then(AnyEngine::go) else { return };
        let game = engine.game_state();
        let color = |side: Side| if side == Side::First { 'b' } else { 'w' };
        let moves = game.moves().into_iter().map(|(side, vertex)| format!("{} {vertex}", color(side)));
        let moves = moves.collect::<Vec<_>>().join(" ");
        let (columns, rows) = game.size();
        self.recorder.position(format!("go, {columns} x {rows}, komi {}, moves {moves}", game.komi()));
    }

    pub(super) fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }

    /// Where the running search reports.
    pub(super) fn events(&self) -> &Receiver<Event> {
        &self.search.events
    }

    /// Takes an event of [`events`](Self::events); `None`: the search is gone.
    pub(super) fn accept(&mut self, event: Option<Event>) {
        match event {
            Some(Event::BestMove(end)) => self.end_with(end),
            Some(event) => self.search.report = Some(event),
            // Every search ends with a best move; a client must not wait for ever for one that broke.
            None => self.end_with(BestMove::default()),
        }
    }

    fn end_with(&mut self, end: BestMove) {
        self.search.end = Some(end);
        self.search.events = channel::never();
    }

    /// The event that the dialect is to handle now.
    pub(super) fn take_due(&mut self) -> Option<Event> {
        if let Some(event) = self.search.report.take() {
            return Some(event);
        }
        if self.search.until_stop { None } else { self.take_end() }
    }

    /// The end of the search, when it has come: idle from now on.
    fn take_end(&mut self) -> Option<Event> {
        let end = self.search.end.take()?;
        self.engine().wait();
        self.fast_path.set_running(None);
        self.search = Search::none();
        self.idle_since = Instant::now();
        Some(Event::BestMove(end))
    }

    /// Blocks until the search reports something. `None` once its `BestMove` has been handed out: no search
    /// runs.
    pub(super) fn next_event(&mut self) -> Option<Event> {
        if self.search.state == State::Idle {
            return None;
        }
        if self.search.report.is_none() && self.search.end.is_none() {
            let event = self.search.events.recv().ok();
            self.accept(event);
        }
        self.search.report.take().or_else(|| self.take_end())
    }

    pub(super) fn is_over(&self) -> bool {
        self.over || !self.output.is_open()
    }

    pub(super) fn set_sandbox(&mut self, sandbox: Sandbox) {
        self.sandbox = sandbox;
    }

    /// Takes over the file of options. Engines get their part when they are made.
    pub(super) fn set_defaults(&mut self, defaults: Defaults) {
        self.remarks.extend_from_slice(defaults.problems());
        let own: Vec<_> = defaults.of(None).cloned().collect();
        self.defaults = defaults;
        for setting in own {
            if let Err(why) = self.set_controller_option(setting.name, &setting.value) {
                self.defaults.forget(None, setting.name);
                let place = setting.place;
                self.remarks.push(message!("{place}: {why}" | "{place}：{why}", place, why));
            }
        }
    }

    /// The remarks that the client has not been sent.
    pub(super) fn take_remarks(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.remarks)
    }

    pub(super) fn set_arrival(&mut self, at: Instant) {
        self.arrival = at;
    }

    pub(super) fn set_fast_action(&self, fast_action: fn(&str) -> FastAction) {
        self.fast_path.set_fast_action(fast_action);
    }

    pub(super) fn set_patient(&mut self, patient: bool) {
        self.patient = patient;
    }

    /// A line of the input has been dealt with. After the last one no other is.
    pub(super) fn line_done(&self) {
        if !self.over {
            self.fast_path.done();
        }
    }

    fn set_controller_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        if name == options::DEBUG_LOG_FILE {
            self.journal.open(value).map_err(|error| {
                let why = Message::from(error);
                message!("cannot open {value}: {why}" | "打不开 {value}：{why}", value, why)
            })?;
        }
        Ok(())
    }

    fn set_engine_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let specs = self.engine().options();
        let others = self.other_options();
        let (spec, is_own) = match options::find(&specs, name) {
            Ok(spec) => (spec, true),
            // Not of this game: kept for the game that has it.
            Err(unknown) => (options::find(&others, name).map_err(|_| unknown)?, false),
        };
        let value = options::check(spec, value)?;
        let value = options::locate(spec, value, &self.sandbox)?;
        if is_own {
            let set = self.engine().set_option(spec.name, &value);
            // A file may be one of the other game: that game has it, once it is played.
            if set.is_err()
                && matches!(spec.kind, OptionKind::Text(_))
                && options::find(&others, spec.name).is_ok()
            {
                self.keep(spec.name, value.clone());
            }
            set?;
            let remarks = self.engine().take_remarks();
            self.remarks.extend(remarks);
        }
        if spec.kind != OptionKind::Button {
            self.keep(spec.name, value);
        }
        Ok(())
    }

    /// Keeps a setting for whatever game is played next.
    fn keep(&mut self, name: &str, value: String) {
        self.settings.retain(|(known, _)| known != name);
        self.settings.push((name.to_owned(), value));
    }
}

/// Sets the options that the file has for the engine's game. A refused value is forgotten, with a remark.
fn set_defaults(engine: &mut dyn Engine, defaults: &mut Defaults, remarks: &mut Vec<Message>) {
    let game = Some(engine.game());
    for setting in defaults.of(game).cloned().collect::<Vec<_>>() {
        if let Err(why) = engine.set_option(setting.name, &setting.value) {
            defaults.forget(game, setting.name);
            let (place, name) = (&setting.place, setting.name);
            remarks.push(message!("{place}: {name}: {why}" | "{place}：{name}：{why}", place, name, why));
        }
    }
}

/// A number within the range of the option: another game may have had another one.
fn within(kind: &OptionKind, value: &str) -> String {
    match (kind, value.parse::<i64>()) {
        (OptionKind::Spin { min, max, .. }, Ok(number)) => number.clamp(*min, *max).to_string(),
        _ => value.to_owned(),
    }
}

/// Sets the options that were set, where `engine` has them.
fn restore(engine: &mut dyn Engine, settings: &[(String, String)]) {
    let specs = engine.options();
    for (name, value) in settings {
        let checked =
            options::find(&specs, name).and_then(|spec| options::check(spec, &within(&spec.kind, value)));
        if let Ok(value) = checked {
            // Another engine may lack the option or the value: it keeps its default.
            drop(engine.set_option(name, &value));
        }
    }
}

impl Session {
    fn player(&mut self) -> &mut AnyEngine {
        let Self { player, factory, game, settings, defaults, remarks, .. } = self;
        player.get_or_insert_with(|| {
            let mut player = factory(*game);
            set_defaults(player.engine(), defaults, remarks);
            restore(player.engine(), settings);
            player
        })
    }

    /// Starts the search that `begin` begins.
    fn start(
        &mut self,
        mut limits: Limits,
        begin: impl FnOnce(&mut Self, Limits, Sender<Event>) -> Result<(), Message>,
    ) -> Result<(), Message> {
        ensure!(self.search.state == State::Idle, "a search is running" | "正在搜索");
        let (sender, events) = channel::unbounded();
        let (ponder, infinite) = (limits.ponder, limits.infinite);
        limits.received.get_or_insert(self.arrival.max(self.idle_since));
        begin(self, limits, sender)?;
        let stops = vec![self.engine().stop_handle()];
        self.fast_path.set_running(Some(Running { stops, patient: self.patient }));
        let state = if ponder { State::Pondering } else { State::Searching };
        self.search = Search { state, events, until_stop: ponder || infinite, infinite, ..Search::none() };
        Ok(())
    }
}

impl Host for Session {}

impl Io for Session {
    fn send(&mut self, line: &str) {
        self.output.line(line);
    }

    fn is_interactive(&self) -> bool {
        self.interactive
    }

    fn locate(&self, name: &str) -> std::io::Result<std::path::PathBuf> {
        self.sandbox.locate(name)
    }

    fn quit(&mut self) {
        self.over = true;
    }

    fn is_ending(&self) -> bool {
        self.fast_path.is_ending()
    }
}

impl protocol::HostSearch for Session {
    fn state(&self) -> State {
        self.search.state
    }

    fn game(&self) -> GameId {
        self.game
    }

    fn engine(&mut self) -> &mut dyn Engine {
        self.player().engine()
    }

    fn select_game(&mut self, game: GameId) {
        if game == self.game {
            return;
        }
        self.stop();
        while self.next_event().is_some() {}
        self.player = None;
        self.game = game;
    }

    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), Message> {
        let start = spec.fen.as_deref().unwrap_or("the start");
        self.recorder.position(format!("{}, {start}, moves {}", self.game.name(), spec.moves.join(" ")));
        self.engine().set_position(spec)
    }

    fn go(&mut self, limits: Limits) -> Result<(), Message> {
        self.start(limits, |session, limits, events| session.engine().go(limits, events))
    }

    fn is_endless(&self) -> bool {
        self.search.until_stop
    }

    fn stop(&mut self) {
        if self.search.state == State::Idle {
            return;
        }
        self.search.state = State::Stopping;
        self.search.until_stop = false;
        self.engine().stop_handle().set();
    }

    fn ponder_hit(&mut self, draw_offered: bool) {
        if self.search.state != State::Pondering {
            return;
        }
        self.search.state = State::Searching;
        self.search.until_stop = self.search.infinite;
        if self.search.end.is_none() {
            self.engine().ponder_hit(draw_offered);
        }
    }

    fn work(&mut self, job: &mut dyn FnMut(&mut AnyEngine, &StopHandle)) -> bool {
        let stop = StopHandle::default();
        // The engine's own flag ends the search that the work may be at; the other one, all that follow. They
        // are set in this order.
        let stops = vec![StopHandle::clone(&stop), self.engine().stop_handle()];
        self.fast_path.set_running(Some(Running { stops, patient: true }));
        job(self.player(), &stop);
        self.fast_path.set_running(None);
        stop.is_set()
    }
}

impl HostOptions for Session {
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let translated = match options::translate(name, value) {
            Some(None) => return Ok(()),
            found => found.flatten(),
        };
        let (name, value) =
            translated.as_ref().map_or((name, value), |(name, value)| (*name, value.as_str()));
        if let Ok(spec) = options::find(options::CONTROLLER, name) {
            let value = options::check(spec, value)?;
            let value = options::locate(spec, value, &self.sandbox)?;
            return self.set_controller_option(spec.name, &value);
        }
        ensure!(self.search.state == State::Idle, options::busy(name));
        self.set_engine_option(name, value)
    }

    fn options(&mut self) -> Vec<OptionSpec> {
        let own = options::CONTROLLER.iter().cloned();
        let engine = self.engine().options().into_iter();
        let not_own = |spec: &OptionSpec| options::find(options::CONTROLLER, spec.name).is_err();
        let own = own.map(|spec| (None, spec));
        let all = own.chain(engine.filter(not_own).map(|spec| (Some(self.game), spec)));
        all.map(|(game, spec)| self.defaults.adapted(game, spec)).collect()
    }

    fn other_options(&mut self) -> Vec<OptionSpec> {
        const BOARDS: [GameId; 2] = [GameId::Chess, GameId::Xiangqi];
        let present = self.options();
        let others = BOARDS.into_iter().filter(|&game| game != self.game && BOARDS.contains(&self.game));
        let declared =
            others.flat_map(|game| (self.declared)(game).into_iter().map(move |spec| (game, spec)));
        let new = declared.filter(|(_, spec)| options::find(&present, spec.name).is_err());
        new.map(|(game, spec)| self.defaults.adapted(Some(game), spec)).collect()
    }
}

impl GoSearch for Session {
    fn go_engine(&mut self) -> &mut GoEngine {
        match self.player() {
            AnyEngine::Go(engine) => engine,
            AnyEngine::Board(_) => unreachable!("the dialect has selected Go"),
        }
    }

    fn go_search(&mut self, request: SearchRequest, limits: Limits) -> Result<(), Message> {
        self.start(limits, |session, limits, events| session.go_engine().search(request, limits, events))
    }
}
