//! One game: two players, a referee, two clocks.

use super::adjudicate::{Adjudication, Adjudicator};
use super::fouls::{DrawOfferFouls, IllegalMoves};
use super::hall::Hall;
use super::under_way::{GameLog, SealedMove, UnderWay};
use super::watch::Watch;
use crate::chess::syzygy::Tables;
use crate::client::player::{Choice, EngineSpec, Fault, GameSetup, MoveRequest, Player, Reply, median};
use crate::game::Side;
use crate::games::game::{self, Start};
use crate::games::record::{Ending, GameKind, GameRecord, Opening, Ply, Reason, ReportedScore, Style};
use crate::games::referee::Rules;
use crate::games::time::{Control, GameClock, spend};
use crate::message;
use crate::util::message::Message;
use crossbeam::channel::{self, Receiver};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// What holds for all games of a match.
#[derive(Clone)]
pub struct Conditions {
    pub kind: GameKind,
    pub rules: Rules,
    /// The time control of players that have none of their own.
    pub control: Control,
    /// What a clock forgives a move.
    pub margin: Duration,
    pub illegal_moves: IllegalMoves,
    /// Seconds that a wrong claim brings the opponent; negative: that it costs the claimant.
    pub wrong_claim: i64,
    /// When the arbiter ends a game itself.
    pub adjudication: Adjudication,
    /// The endgame tables it asks.
    pub tables: Option<Arc<Tables>>,
    /// Xiangqi: how moves are written down.
    pub notation: Style,
    /// Where moves are reported to as they are played.
    pub watch: Option<Arc<dyn Watch>>,
    /// Where persons play, and the arbiter sees all boards.
    pub hall: Option<Arc<Hall>>,
    /// Where the moves of games under way are kept.
    pub under_way: Option<Arc<UnderWay>>,
}

impl Conditions {
    fn start(&self, opening: &Opening) -> Start {
        Start { kind: self.kind, rules: self.rules.clone(), fen: opening.fen.clone() }
    }
}

/// The place of a game among those that its match plays at the same time.
pub trait GamePlace {
    /// The game is adjourned: its place and its persons are free for others.
    fn leave(&self);
    /// It goes on as soon as its persons are free.
    fn take(&self);
}

pub struct Participant<'a> {
    pub player: &'a mut Player,
    pub spec: &'a EngineSpec,
    /// Its index in the match.
    pub index: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct Pairing<'a> {
    /// Number in the match, from 0.
    pub number: usize,
    /// Round, from 1.
    pub round: usize,
    /// The pair of games it belongs to.
    pub pair: usize,
    pub opening: &'a Opening,
    /// Whether a draw counts as a loss for the side that moves first.
    pub deciding: bool,
}

/// Plays one game. `seats` are in the order of [`Side`]; `third` settles disputes about dead stones.
/// Once `interrupted`, the game ends before its next move.
/// # Errors
/// When the opening cannot be set up; the game is not played then.
pub fn play(
    conditions: &Conditions,
    pairing: Pairing,
    mut seats: [Participant; 2],
    third: Option<&mut Player>,
    place: &dyn GamePlace,
    interrupted: &dyn Fn() -> bool,
) -> Result<GameRecord, Message> {
    let (mut date, started) = (seconds_since_1970(), Instant::now());
    let mut game = Game::new(conditions, pairing.opening, &seats, place)?;
    game.number = pairing.number;
    if let Some(under_way) = &conditions.under_way {
        date = game.go_on(under_way, &pairing, seats.each_ref().map(|seat| seat.index), date);
    }
    if let Some(watch) = &conditions.watch {
        let names = seats.each_ref().map(|seat| seat.spec.name.clone());
        watch.begun(pairing.number, &conditions.start(pairing.opening), names, &game.plies);
    }
    let ending = match game.enter(&seats, interrupted) {
        true => game.run(&mut seats, third, interrupted),
        false => interruption(),
    };
    if let Some(hall) = &conditions.hall {
        game.show_end(hall, &ending);
    }
    for seat in &mut seats {
        seat.player.rest(&ending);
    }
    let latency_us = seats.each_mut().map(|seat| seat.player.take_latency().as_micros() as u64);
    let specs = seats.each_ref().map(|seat| (seat.index, seat.spec));
    Ok(GameRecord {
        plies: game.plies,
        duration_ms: started.elapsed().as_millis() as u64,
        overhead_us: median(&mut game.overheads).as_micros() as u64,
        latency_us,
        ..record(conditions, pairing, specs, ending, date)
    })
}

/// The record of a game that is not played because a player never started: `absent` has the reason, by side
/// (XQ-10).
pub fn forfeit(
    conditions: &Conditions,
    pairing: Pairing,
    players: [(usize, &EngineSpec); 2],
    absent: [Option<&Message>; 2],
) -> GameRecord {
    let lost_by = |side: Side, why: &Message| {
        let name = conditions.kind.game().side(side);
        let detail = message!("{name} never started: {why}" | "{name}没有启动：{why}", name, why);
        Ending::won(side.other(), Reason::Forfeit, detail)
    };
    let ending = match absent {
        [Some(first), Some(_)] => {
            let why = message!("neither side started: {first}" | "双方都没有启动：{first}", first);
            Ending::drawn(Reason::Forfeit, why)
        }
        [Some(why), None] => lost_by(Side::First, why),
        [None, why] => lost_by(Side::Second, why.unwrap_or(&Message::default())),
    };
    record(conditions, pairing, players, ending, seconds_since_1970())
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// A record without moves and times.
fn record(
    conditions: &Conditions,
    pairing: Pairing,
    players: [(usize, &EngineSpec); 2],
    ending: Ending,
    started: u64,
) -> GameRecord {
    let is_deciding = pairing.deciding || conditions.rules.deciding_game;
    let ending = if is_deciding { decide(ending, conditions.kind) } else { ending };
    GameRecord {
        number: pairing.number,
        round: pairing.round,
        pair: pairing.pair,
        seats: players.map(|(index, _)| index),
        names: players.map(|(_, spec)| spec.name.clone()),
        controls: players
            .map(|(_, spec)| describe_limits(spec, spec.tc.as_ref().unwrap_or(&conditions.control))),
        opening: pairing.opening.clone(),
        ending,
        started,
        notation: conditions.notation,
        ..conditions.start(pairing.opening).record()
    }
}

/// A draw of a deciding game, however it came about, is won by the second side (XQ-8).
fn decide(ending: Ending, kind: GameKind) -> Ending {
    if ending.winner.is_some() || matches!(ending.reason, Reason::Interrupted | Reason::Forfeit) {
        return ending;
    }
    let (detail, side) = (ending.detail, kind.game().side(Side::Second));
    let detail = message!("{detail}; a draw wins for {side}" | "{detail}；和棋判{side}胜", detail, side);
    Ending::won(Side::Second, ending.reason, detail)
}

/// `8+0.08`, `nodes=5000`, `st=1 depth=9`.
fn describe_limits(spec: &EngineSpec, control: &Control) -> String {
    let mut parts = Vec::new();
    if control.is_timed() {
        parts.push(control.to_string());
    }
    parts.extend(spec.nodes.map(|n| format!("nodes={n}")));
    parts.extend(spec.depth.map(|d| format!("depth={d}")));
    if parts.is_empty() { "inf".to_owned() } else { parts.join(" ") }
}

/// A game in progress.
pub(super) struct Game<'a> {
    pub(super) conditions: &'a Conditions,
    pub(super) place: &'a dyn GamePlace,
    /// Its number in the match, from 0.
    pub(super) number: usize,
    opening: &'a Opening,
    pub(super) game: game::Game,
    pub(super) clocks: [GameClock; 2],
    /// What the move under way has taken already, in tries that were put back or before the clocks were
    /// stopped.
    pub(super) used: Duration,
    /// The clocks without that time.
    pub(super) reduced: Option<[GameClock; 2]>,
    pub(super) plies: Vec<Ply>,
    adjudicator: Adjudicator<'a>,
    pub(super) draw_offer: Option<Side>,
    fouls: DrawOfferFouls,
    /// Moves of each side that were not legal.
    illegal_moves: [u32; 2],
    /// What the record remarks on the next move.
    pub(super) remarks: Vec<String>,
    /// The ledger: what happened apart from moves.
    pub(super) notes: Vec<Message>,
    /// Rings when the arbiter orders something.
    pub(super) bell: Receiver<()>,
    /// The next move of a person is to be sealed.
    pub(super) is_adjourning: bool,
    pub(super) sealed: Option<SealedMove>,
    /// What the move after the sealed one has taken before the envelope was opened.
    pub(super) waited: Duration,
    /// Whether a line of play of the side had an illegal move, which is remarked once a game.
    showed_illegal_moves: [bool; 2],
    /// What each move took beyond the time on its player's clock.
    overheads: Vec<Duration>,
    /// Where its moves are kept.
    pub(super) log: Option<GameLog>,
    /// The moves before the match was interrupted are being played over.
    pub(super) is_replaying: bool,
    /// Go: moves before a dispute about dead stones is played out; every stone left then is alive.
    pub(super) resumed_at: Option<usize>,
    /// The end that the opening's last move brought about.
    pub(super) ended: Option<Ending>,
}

pub(super) fn interruption() -> Ending {
    Ending::drawn(Reason::Interrupted, message!("the match was interrupted" | "比赛被中断"))
}

impl<'a> Game<'a> {
    fn new(
        conditions: &'a Conditions,
        opening: &'a Opening,
        seats: &[Participant; 2],
        place: &'a dyn GamePlace,
    ) -> Result<Self, Message> {
        let start = conditions.start(opening);
        let (mut game, mut plies) = (game::Game::at(start)?, Vec::new());
        for mv in &opening.moves {
            let ply = game.ply(mv, conditions.notation);
            let number = opening.number;
            game.play(mv)
                .map_err(|why| message!("opening {number}: {why}" | "开局 {number}：{why}", number, why))?;
            plies.push(Ply { book: true, ..ply });
        }
        let ended = game.ending();
        let clock = |seat: &Participant| {
            let margin = seat.spec.timemargin.map_or(conditions.margin, Duration::from_millis);
            GameClock::new(seat.spec.tc.as_ref().unwrap_or(&conditions.control).clone(), margin)
        };
        Ok(Self {
            conditions,
            place,
            number: 0,
            opening,
            game,
            clocks: seats.each_ref().map(clock),
            used: Duration::ZERO,
            reduced: None,
            plies,
            adjudicator: Adjudicator::new(&conditions.adjudication, conditions.tables.as_deref()),
            draw_offer: None,
            fouls: DrawOfferFouls::default(),
            illegal_moves: [0; 2],
            remarks: Vec::new(),
            notes: Vec::new(),
            bell: channel::never(),
            is_adjourning: false,
            sealed: None,
            waited: Duration::ZERO,
            showed_illegal_moves: [false; 2],
            overheads: Vec::new(),
            log: None,
            is_replaying: false,
            resumed_at: None,
            ended,
        })
    }

    pub(super) fn setup(&self, side: Side) -> GameSetup<'_> {
        GameSetup {
            kind: self.conditions.kind,
            rules: &self.conditions.rules,
            fen: self.opening.fen.as_deref(),
            control: side.of(&self.clocks).control(),
        }
    }

    pub(super) fn request(&self, side: Side, spec: &EngineSpec) -> MoveRequest<'_> {
        MoveRequest {
            setup: self.setup(side),
            moves: self.game.moves(),
            side,
            clocks: self.reduced.as_ref().unwrap_or(&self.clocks),
            nodes: spec.nodes,
            depth: spec.depth,
            draw_offered: self.draw_offer == Some(side.other()),
            referee: &**self.game,
            bell: &self.bell,
            stopped: Duration::ZERO,
        }
    }

    fn run(
        &mut self,
        seats: &mut [Participant; 2],
        mut third: Option<&mut Player>,
        interrupted: &dyn Fn() -> bool,
    ) -> Ending {
        for side in [Side::First, Side::Second] {
            let seat = side.of_mut(seats);
            if !seat.spec.human
                && let Err(fault) = seat.player.new_game(&self.setup(side))
            {
                return self.faulted_unless(interrupted, side, &fault);
            }
        }
        if let Some(ending) = self.ended.take() {
            return ending;
        }
        if self.resumed_at.is_some() {
            for seat in seats.iter_mut() {
                seat.player.clean_up();
            }
        }
        // An interrupted match may have been counting.
        if self.both_passed()
            && self.game.moves().len() > self.opening.moves.len()
            && let Some(ending) = self.settle(seats, third.as_deref_mut(), interrupted)
        {
            return ending;
        }
        loop {
            if interrupted() {
                return interruption();
            }
            if let Some(ending) = self.attend(interrupted) {
                return ending;
            }
            let started = Instant::now();
            let side = self.game.side_to_move();
            let seat = side.of_mut(seats);
            let asked = match &self.conditions.hall {
                Some(hall) if seat.spec.human => self.ask_person(hall, side, interrupted),
                _ => self.ask_engine(seat, side, interrupted),
            };
            let mut reply = match asked {
                Ok(reply) => reply,
                Err(ending) => return ending,
            };
            if let Some(why) = reply.wrong_claim.take() {
                let (name, used) = (self.name(side), self.used.saturating_add(reply.time));
                self.penalize_claim(side, message!("{name}: {why}" | "{name}：{why}", name, why), used);
            }
            if !*side.of(&self.showed_illegal_moves)
                && let Some(mv) = self.game.first_illegal(&reply.line)
            {
                seat.player.remark(&message!(
                    "illegal move {mv} in its PV: {line}" | "主要变例中有违例着法 {mv}：{line}",
                    mv,
                    line = reply.line.join(" ")
                ));
                *side.of_mut(&mut self.showed_illegal_moves) = true;
            }
            let (expected, time, plies) = (reply.ponder.take(), reply.time, self.plies.len());
            if let Some(ending) = self.answer(side, reply) {
                if ending.reason.is_fault() {
                    seat.player.kill();
                }
                return ending;
            }
            // A move that was put back: the player is asked again.
            if self.plies.len() == plies {
                let remark = self.remarks.last().cloned().unwrap_or_default();
                seat.player.remark(&remark.into());
                continue;
            }
            if let Some(expected) = expected.filter(|_| seat.spec.ponders()) {
                self.let_ponder(side, seat, expected);
            }
            self.overheads.push(started.elapsed().saturating_sub(time));
            if self.both_passed()
                && let Some(ending) = self.settle(seats, third.as_deref_mut(), interrupted)
            {
                // A third engine that was cut short has settled nothing.
                if interrupted() {
                    return interruption();
                }
                return ending;
            }
        }
    }

    /// Lets a player think in the opponent's time, if the reply it expects can be played and leaves it a
    /// move.
    fn let_ponder(&mut self, side: Side, seat: &mut Participant, expected: String) {
        if self.game.goes_on_after(&expected) {
            // Every legal move that the game goes on after can be played.
            let _ = self.game.play(&expected);
            seat.player.ponder(&self.request(side, seat.spec));
            self.game.undo();
        }
    }

    pub(super) fn name(&self, side: Side) -> Message {
        self.conditions.kind.game().side(side)
    }

    /// What comes of a fault, unless the match is interrupted: then the engine may have had the same signal.
    pub(super) fn faulted_unless(&self, interrupted: &dyn Fn() -> bool, side: Side, fault: &Fault) -> Ending {
        if interrupted() { interruption() } else { self.faulted(side, fault) }
    }

    pub(super) fn faulted(&self, side: Side, fault: &Fault) -> Ending {
        if fault.reason == Reason::Interrupted {
            return Ending::drawn(Reason::Interrupted, fault.detail.clone());
        }
        if fault.reason == Reason::Time {
            return self.flag_falls(side);
        }
        let (side_name, why) = (self.name(side), &fault.detail);
        self.game.forfeit(
            side,
            fault.reason,
            message!("{side_name}: {why}" | "{side_name}：{why}", side_name, why),
        )
    }

    pub(super) fn flag_falls(&self, side: Side) -> Ending {
        let detail = message!("{name} oversteps the time" | "{name}超时", name = self.name(side));
        self.game.forfeit(side, Reason::Time, detail)
    }

    /// Takes a reply into the game. `Some`: the game is over. A move that is not legal may be put back.
    pub(super) fn answer(&mut self, side: Side, reply: Reply) -> Option<Ending> {
        let time = self.used.saturating_add(reply.time);
        let budget = side.of(&self.clocks).budget().filter(|_| !self.is_replaying);
        if budget.is_some_and(|budget| time > budget) {
            return Some(self.flag_falls(side));
        }
        let mv = match reply.choice {
            Choice::Move(mv) => mv,
            Choice::Algebraic(text) => self.game.read(&text).unwrap_or(text),
            Choice::Resign => {
                let detail = message!("{name} resigns" | "{name}认输", name = self.name(side));
                return Some(Ending::won(side.other(), Reason::Resignation, detail));
            }
            Choice::Draw(ending) => return Some(ending),
            Choice::NoMove => {
                let detail = message!(
                    "{name} finds no move where there is one" | "{name}有棋可走而不走",
                    name = self.name(side)
                );
                self.keep_move(None, time, reply.draw, &reply.thought);
                return self.put_back(side, "no move", detail, time);
            }
        };
        self.keep_move(Some(&mv), time, reply.draw, &reply.thought);
        let (ply, captures) = (self.game.ply(&mv, self.conditions.notation), self.game.captures(&mv));
        if let Err(why) = self.game.play(&mv) {
            let shown: String = mv.chars().take(40).collect();
            let name = self.name(side);
            let detail =
                message!("{name} plays {shown:?}: {why}" | "{name}走 {shown:?}：{why}", name, shown, why);
            return self.put_back(side, &shown, detail, time);
        }
        // There was time for it.
        let _ = spend(&mut self.clocks, side, time);
        (self.used, self.reduced) = (std::mem::take(&mut self.waited), None);
        let (clock_ms, overtime) = side.of(&self.clocks).recorded();
        let (time_us, thought) = (time.as_micros() as u64, reply.thought);
        self.plies.push(Ply { time_us, clock_ms, overtime, thought, ..ply });
        for remark in std::mem::take(&mut self.remarks) {
            self.comment(&remark);
        }
        let watch = self.conditions.watch.as_ref().filter(|_| !self.is_replaying);
        if let (Some(watch), Some(ply)) = (watch, self.plies.last()) {
            watch.moved(self.number, ply, self.clocks.each_ref().map(|clock| clock.recorded().0));
        }
        let ending = self.game.ending();
        if ending.is_some() {
            return ending;
        }
        let accepts = reply.draw && self.draw_offer == Some(side.other());
        let foul = self.note_conduct(side, captures, reply.draw && !accepts);
        if let Some(count) = foul.filter(|&count| count == self.conditions.rules.fouls) {
            let detail = message!(
                "{name}: offers a draw again, foul {count}" | "{name}再次提和，第 {count} 次犯规",
                name = self.name(side),
                count
            );
            return Some(Ending::won(side.other(), Reason::Fouls, detail));
        }
        if accepts {
            return Some(Ending::drawn(Reason::Agreement, message!("draw agreed" | "双方议和")));
        }
        self.draw_offer = (reply.draw && foul.is_none()).then_some(side);
        let score = self.plies.last().and_then(|p| p.thought.score);
        self.adjudicator.judge(self.conditions.kind, side, score, &self.plies, &**self.game)
    }

    /// A move that is not legal loses, or is put back, and the opponent's clock gets what the match has
    /// agreed (CH-14).
    fn put_back(&mut self, side: Side, shown: &str, detail: Message, time: Duration) -> Option<Ending> {
        let terms = self.conditions.illegal_moves;
        let count = side.of_mut(&mut self.illegal_moves);
        *count = count.saturating_add(1);
        let count = *count;
        if count >= terms.losing {
            let detail = match count {
                1 => detail,
                _ => message!(
                    "{detail}, illegal move {count}" | "{detail}，第 {count} 次违例着法",
                    detail,
                    count
                ),
            };
            return Some(self.game.forfeit(side, Reason::IllegalMove, detail));
        }
        let [own, other] = [side, side.other()].map(|side| side.of(&self.clocks).control());
        // A time per move is one for each try.
        self.used = if own.per_move.is_some() { Duration::ZERO } else { time };
        if other.is_timed() && other.per_move.is_none() {
            side.other().of_mut(&mut self.clocks).add(terms.bonus());
        }
        let mut reduced = self.clocks.clone();
        side.of_mut(&mut reduced).deduct(self.used);
        self.reduced = Some(reduced);
        self.note(message!("{detail}; put back" | "{detail}；退回原局面", detail));
        self.remarks.push(format!("illegal move {count} put back: {shown}"));
        None
    }

    /// Remarks on the last move in the record.
    fn comment(&mut self, remark: &str) {
        if let Some(last) = self.plies.last_mut() {
            last.thought.comment = Some(match last.thought.comment.take() {
                Some(comment) => format!("{comment}, {remark}"),
                None => remark.to_owned(),
            });
        }
    }

    /// Counts a foul, if the last move of `side` was one and the match counts them, and remarks on it in the
    /// record.
    fn note_conduct(&mut self, side: Side, captured: bool, offers: bool) -> Option<u32> {
        let score = self.plies.last()?.thought.score.map(ReportedScore::centipawns);
        let foul = self.fouls.moved(side, captured, score, offers);
        let foul = foul.filter(|_| self.conditions.rules.fouls > 0)?;
        self.comment(&format!("offers a draw again, foul {foul}"));
        let name = self.name(side);
        self.note(message!(
            "{name} offers a draw again, foul {foul}" | "{name}再次提和，第 {foul} 次犯规",
            name,
            foul
        ));
        Some(foul)
    }

    fn both_passed(&self) -> bool {
        let fresh = self.game.moves().get(self.resumed_at.unwrap_or(0)..).unwrap_or_default();
        self.conditions.kind == GameKind::GO
            && fresh.last_chunk::<2>().is_some_and(|last| last.iter().all(|m| m == "pass"))
    }
}

#[cfg(test)]
mod tests;
