//! A person of a match at its terminal: another page of the hall, with words as in `play`.

use crate::app::console::say;
use crate::app::language::columns;
use crate::app::terminal;
use crate::app::terminal::boards::{self, Look};
use crate::app::terminal::count::dispute;
use crate::app::terminal::input::{Heard, LineInput, Waiting};
use crate::app::terminal::typed::{known, narrow};
use crate::arbiter::hall::{Hall, Phase, SeatAct, SeatRequest, SeatView};
use crate::client::cancel::CancelToken;
use crate::game::{GameId, Side};
use crate::games::record::Numbering;
use crate::games::time::{Reading, TimeCall};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::{system, words};
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// How often the seat looks what has become of its game.
const LOOK: Duration = Duration::from_millis(100);

/// The seat. The terminal is as it was when this has been dropped.
pub struct TerminalSeat;

impl Drop for TerminalSeat {
    fn drop(&mut self) {
        system::restore_terminal();
    }
}

/// Lines of the match that are printed above the prompt.
pub fn lines() -> (Sender<String>, Receiver<String>) {
    unbounded()
}

/// Seats a person of a hall at the terminal, if there is one, in a thread of its own. The end of its input
/// ends the match.
/// # Errors
/// When there is no thread for it.
pub fn sit(
    seat: Option<(usize, Arc<Hall>)>,
    lines: Receiver<String>,
    cancel: CancelToken,
    language: Language,
) -> io::Result<Option<TerminalSeat>> {
    let Some((person, hall)) = seat else { return Ok(None) };
    let play = move || {
        let mut input = LineInput::open();
        let is_terminal = input.is_terminal();
        let mut seat = Seat {
            hall,
            person,
            lines,
            language,
            is_terminal,
            look: terminal::look(false, Side::First),
            seen: 0,
            view: None,
            reading: None,
            offers: false,
            dead: Vec::new(),
        };
        while let Ok(heard) = input.hear(&mut || seat.look()) {
            match heard {
                Heard::Line(line) => seat.obey(line.trim(), &mut input, &cancel),
                Heard::Nothing => {
                    if is_terminal {
                        // The results follow behind the prompt.
                        system::restore_terminal();
                        let _ = writeln!(io::stderr());
                    }
                    return;
                }
                Heard::End => break,
            }
        }
        cancel.cancel();
    };
    std::thread::Builder::new().name("terminal".into()).spawn(play)?;
    Ok(Some(TerminalSeat))
}

struct Seat {
    hall: Arc<Hall>,
    person: usize,
    lines: Receiver<String>,
    language: Language,
    is_terminal: bool,
    look: Look,
    /// The version that was printed last, and what it showed.
    seen: u64,
    view: Option<SeatView>,
    /// What its clock showed last, while it runs.
    reading: Option<Reading>,
    /// A draw goes along with the next move.
    offers: bool,
    /// Go: the stones that the person takes for dead.
    dead: Vec<String>,
}

impl Seat {
    /// The prompt of the moment, with what has happened since the last one.
    fn look(&mut self) -> Waiting {
        let mut notices: Vec<String> = self.lines.try_iter().collect();
        let (version, is_over) = self.hall.version(self.person);
        if version != self.seen {
            self.seen = version;
            if let Some(view) = self.hall.view(self.person, self.language) {
                self.tell(&view, &mut notices);
                self.view = Some(view);
            }
        }
        let language = self.language;
        let name = self.view.as_ref().map_or_else(String::new, |view| self.side_name(view, view.side));
        let readings = self.hall.readings(self.person);
        let clocks =
            readings.map_or_else(String::new, |[own, other]| words::both_clocks(language, own, other));
        let is_running =
            |view: &SeatView| view.turn == view.side && matches!(view.phase, Phase::Playing | Phase::Sealing);
        let own = readings.map(|[own, _]| own).filter(|_| self.view.as_ref().is_some_and(is_running));
        let earlier = std::mem::replace(&mut self.reading, own);
        let call = own.zip(earlier).and_then(|(own, earlier)| own.call_since(&earlier));
        notices.extend(call.map(|call| match call {
            TimeCall::Seconds(seconds) => words::seconds_left(language, seconds),
            TimeCall::Periods(periods) => words::periods_left(language, periods),
        }));
        let prompt = format!("{name}{clocks}> ");
        if !self.is_terminal {
            notices.drain(..).for_each(say);
        }
        Waiting { prompt, reserve: 7, again: Some(LOOK), notices, is_over }
    }

    fn side_name(&self, view: &SeatView, side: Side) -> String {
        view.game.kind().side_text(side, self.language)
    }

    /// What is new since the last view.
    fn tell(&mut self, view: &SeatView, notices: &mut Vec<String>) {
        let language = self.language;
        let before = self.view.as_ref().filter(|before| before.number == view.number);
        let (is_new, had) = (before.is_none(), before.map_or(0, |before| before.texts.len()));
        let noted = before.map_or(0, |before| before.notes.len());
        let (phase, offer) = before.map_or((None, None), |before| (Some(&before.phase), before.offer));
        let is_other_phase = phase != Some(&view.phase);
        if is_new {
            let [first, second] = &view.names;
            let side = self.side_name(view, view.side);
            notices.push(words::game_at_terminal(language, view.number, first, second, side));
        }
        notices.extend(view.notes.iter().skip(noted).map(|note| note.text(language).to_owned()));
        if is_new || view.texts.len() != had {
            if let Some(text) = view.texts.last() {
                notices.push(format!("{}: {text}", self.side_name(view, view.game.side_to_move().other())));
            }
            if is_new {
                self.look.below = if view.game.kind().game() == GameId::Go { Side::First } else { view.side };
            }
            self.offers = false;
            self.print_board(view, notices);
        }
        if view.offer == Some(view.side.other()) && offer != view.offer {
            notices.push(words::draw_is_offered(language));
        }
        if !is_other_phase {
            return;
        }
        let is_mine = view.turn == view.side;
        match &view.phase {
            Phase::Seating => notices.push(words::press_enter_when_ready(language)),
            Phase::Paused => notices.push(words::clocks_are_stopped(language)),
            Phase::Sealing if is_mine => notices.push(words::seal_your_move(language)),
            Phase::Sealing => notices.push(words::opponent_seals(language)),
            Phase::Adjourned => notices.push(words::is_adjourned(language)),
            Phase::Counting(asked, named) if *asked == view.side => {
                self.dead.clone_from(named);
                self.print_count(view, notices);
            }
            Phase::Counting(..) => notices.push(words::opponent_counts(language)),
            Phase::Over(ending) => {
                notices.push(format!("{} {}", ending.result(), ending.text(language)));
            }
            Phase::Playing if is_mine => notices.push(words::your_move(language)),
            Phase::Playing => notices.push(words::opponents_move(language)),
        }
    }

    fn print_board(&self, view: &SeatView, notices: &mut Vec<String>) {
        let last = view.game.moves().last().map(String::as_str);
        notices.push(boards::draw(view.game.position(), last, self.look).trim_end().to_owned());
    }

    fn print_count(&self, view: &SeatView, notices: &mut Vec<String>) {
        let Some(stones) = view.game.stones() else { return };
        let dead = stones.dead_stones(&self.dead);
        notices.push(boards::draw_count(stones, &dead, self.look).trim_end().to_owned());
        notices.push(boards::count_legend(self.language, self.look));
        let list = if self.dead.is_empty() { words::none_dead(self.language) } else { self.dead.join(" ") };
        let ending = stones.count(&dead);
        notices.push(words::count_so_far(self.language, list, ending.text(self.language)));
        notices.push(words::agree_at_terminal(self.language));
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str, input: &mut LineInput, cancel: &CancelToken) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (known(word), narrow(rest.trim()));
        let Some(view) = self.view.take() else { return };
        let mut notices = Vec::new();
        let asked = match word.as_str() {
            "quit" | "exit" => {
                cancel.cancel();
                None
            }
            "help" | "?" => {
                notices.extend(self.help(view.game.kind().game()));
                None
            }
            "board" => {
                self.print_board(&view, &mut notices);
                None
            }
            "flip" => {
                self.look.below = self.look.below.other();
                self.print_board(&view, &mut notices);
                None
            }
            "moves" => {
                notices.push(numbered(&view));
                None
            }
            word => match self.read(word, line, &rest, &view, &mut notices) {
                Ok(asked) => asked,
                Err(why) => {
                    notices.push(why.text(self.language).to_owned());
                    None
                }
            },
        };
        if let Some(asked) = asked {
            let request = SeatRequest::new(view.number, view.texts.len(), asked);
            if let Err(why) = self.hall.act(self.person, request) {
                notices.push(why.text(self.language).to_owned());
            }
        }
        self.view = Some(view);
        notices.iter().for_each(|line| input.say(line));
    }

    /// What a line asks of the game.
    fn read(
        &mut self,
        word: &str,
        line: &str,
        rest: &str,
        view: &SeatView,
        notices: &mut Vec<String>,
    ) -> Result<Option<SeatAct>, Message> {
        let is_offered = view.offer == Some(view.side.other());
        let counts = matches!(&view.phase, Phase::Counting(asked, _) if *asked == view.side);
        Ok(match word {
            "" | "yes" | "y" | "ready" if view.phase == Phase::Seating => Some(SeatAct::Ready),
            "" | "yes" | "y" | "ok" if counts => Some(SeatAct::Count { dead: self.dead.clone() }),
            "" => None,
            "resign" => Some(SeatAct::Resign),
            "draw" | "yes" if is_offered => Some(SeatAct::Accept),
            "no" | "decline" => Some(SeatAct::Decline),
            "draw" if view.game.stones().is_none() && !rest.is_empty() => {
                Some(SeatAct::Move { mv: rest.to_owned(), draw: true })
            }
            "draw" if view.game.stones().is_none() => {
                self.offers = true;
                notices.push(words::offer_goes_along(self.language));
                None
            }
            "claim" => Some(SeatAct::Claim { mv: Some(rest.to_owned()).filter(|mv| !mv.is_empty()) }),
            "time" => {
                if self.hall.readings(self.person).is_none() {
                    notices.push(words::no_clock(self.language));
                }
                None
            }
            _ if counts => {
                let language = self.language;
                let missing = |vertex: &str| notices.push(words::no_stone_on(language, vertex));
                if dispute(view.game.position(), &narrow(line), &mut self.dead, missing) {
                    self.print_count(view, notices);
                }
                None
            }
            // A pass in Chinese is known by its word.
            "pass" => Some(SeatAct::Move { mv: word.to_owned(), draw: false }),
            _ => Some(SeatAct::Move { mv: narrow(line), draw: self.offers }),
        })
    }

    fn help(&self, game: GameId) -> Vec<String> {
        let language = self.language;
        let examples = match game {
            GameId::Chess => words::examples_of_chess(language),
            GameId::Xiangqi => words::examples_of_xiangqi(language),
            GameId::Go => words::examples_of_go(language),
        };
        let of_game = match game {
            GameId::Go => vec![(words::pass_word(language), words::pass_help(language))],
            _ => vec![
                (words::draw_word(language), words::draw_help(language)),
                (words::decline_word(language), words::decline_help(language)),
                (words::claim_word(language), words::claim_help(language)),
            ],
        };
        let general = [
            (words::resign_word(language), words::resign_help(language)),
            (words::moves_word(language), words::moves_help(language)),
            (words::board_word(language), words::board_help(language)),
            (words::quit_word(language), words::leave_match_help(language)),
        ];
        let line = |(word, meaning): (String, String)| {
            let gap = " ".repeat(language.pick(17usize, 25).saturating_sub(columns(&word)));
            format!("{word}{gap} {meaning}")
        };
        let first = words::a_move_is(language, examples);
        std::iter::once(first).chain(of_game.into_iter().chain(general).map(line)).collect()
    }
}

/// The moves so far, numbered: `1. e4 e5 2. Nf3`.
fn numbered(view: &SeatView) -> String {
    let numbering = Numbering::of(view.game.kind(), view.game.start().fen.as_deref());
    let number = |(i, text): (usize, &String)| {
        let number = numbering.text(i);
        if i == 0 || !number.ends_with("...") { format!("{number} {text}") } else { text.clone() }
    };
    view.texts.iter().enumerate().map(number).collect::<Vec<_>>().join(" ")
}
