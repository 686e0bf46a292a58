//! A game at the arbiter's desk, and what is asked about it.

use super::finding::DeskQuestion;
use super::go::GoLine;
use crate::game::{GameId, Side};
use crate::games::formats::Recorded;
use crate::games::game::{Game, Start};
use crate::games::record::{GameKind, Numbering, Style};
use crate::message;
use crate::util::message::Message;
use serde::Deserialize;

/// What is asked, as flags of `judge` or fields of the page's request.
#[derive(clap::Args, Deserialize, Default)]
#[serde(default)]
pub struct Inquiry {
    /// What to decide; if left out: repetitions in xiangqi, all of illegal, end, claim and result in chess
    /// and Go
    #[arg(long, value_name = "QUESTION", conflicts_with_all = ["batch", "gallery"])]
    ask: Option<DeskQuestion>,
    /// As the game stood after a move: 34 (in chess and xiangqi the first side's), 34... (the other's), 0
    /// (the start)
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["batch", "gallery"])]
    at: Option<String>,
    /// Claim a draw with this move, announced and not yet played
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["batch", "gallery"])]
    with: Option<String>,
    /// Whose flag fell, or who wants to play on the point: white, black, red [default: the side to move]
    #[arg(long, value_parser = ["white", "black", "red"], conflicts_with_all = ["batch", "gallery"])]
    side: Option<String>,
    /// Go: may this point be played?
    #[arg(long, value_name = "POINT", conflicts_with_all = ["batch", "gallery"])]
    pub point: Option<String>,
    /// Go: a stone of each dead chain, as D4,E5
    #[arg(long, value_name = "POINTS", value_delimiter = ',', conflicts_with_all = ["batch", "gallery"])]
    pub dead: Vec<String>,
}

impl Inquiry {
    /// What is asked, where a detail implies it too.
    pub fn question(&self) -> Option<DeskQuestion> {
        let implied = [
            (self.with.is_some(), DeskQuestion::Claim),
            (self.point.is_some(), DeskQuestion::Point),
            (!self.dead.is_empty(), DeskQuestion::Count),
        ];
        self.ask.or_else(|| implied.into_iter().find(|(is_given, _)| *is_given).map(|(_, question)| question))
    }

    pub fn check(&self) -> Result<(), Message> {
        let question = self.question();
        let is = |questions: &[DeskQuestion]| question.is_some_and(|question| questions.contains(&question));
        let foreign = [
            ("--with", self.with.is_some(), &[DeskQuestion::Claim][..]),
            ("--side", self.side.is_some(), &[DeskQuestion::Flag, DeskQuestion::Point]),
            ("--point", self.point.is_some(), &[DeskQuestion::Point]),
            (
                "--dead",
                !self.dead.is_empty(),
                &[DeskQuestion::Count, DeskQuestion::End, DeskQuestion::Result],
            ),
        ];
        if let Some((flag, _, questions)) = foreign.iter().find(|(_, is_given, own)| *is_given && !is(own)) {
            let names: Vec<String> = questions.iter().map(|question| question.name()).collect();
            return Err(message!(
                "{flag} belongs to --ask {names}" | "{flag} 只用于 --ask {names}",
                flag,
                names = names.join("|")
            ));
        }
        if is(&[DeskQuestion::Point]) && self.point.is_none() {
            return Err(message!("--ask point needs --point D4" | "--ask point 需要 --point D4"));
        }
        Ok(())
    }

    pub fn announced(&self) -> Option<&str> {
        self.with.as_deref()
    }

    /// Whether a position is named, rather than the whole game.
    pub fn has_place(&self) -> bool {
        self.at.is_some()
    }

    pub fn side(&self, game: GameId) -> Result<Option<Side>, Message> {
        let Some(name) = &self.side else { return Ok(None) };
        let sides = [Side::First, Side::Second];
        let found = sides.into_iter().find(|&side| game.side_name(side).eq_ignore_ascii_case(name));
        let [first, second] = sides.map(|side| game.side(side));
        let missing = || {
            message!(
                "--side {name}: the sides are {first} and {second}"
                    | "--side {name}：双方是{first}和{second}",
                name,
                first,
                second
            )
        };
        found.ok_or_else(missing).map(Some)
    }

    /// Half-moves of a game before the position that is asked about.
    pub fn plies(&self, kind: GameKind, numbering: Numbering, moves: usize) -> Result<usize, Message> {
        let Some(text) = self.at.as_deref().map(str::trim) else { return Ok(moves) };
        let digits = text.trim_end_matches(['.', '…']);
        let is_second = text.len() > digits.len().saturating_add(1);
        let plies = digits.parse::<usize>().ok().and_then(|number| match number {
            0 => Some(0),
            number if kind == GameKind::GO => Some(number),
            number => {
                let played = number.checked_mul(2)?.checked_sub(usize::from(!is_second))?;
                played.checked_sub(numbering.before)
            }
        });
        plies.filter(|plies| *plies <= moves).ok_or_else(|| match moves.checked_sub(1) {
            None => message!("--at {text}: the game has no moves" | "--at {text}：棋谱里没有着法", text),
            Some(last) => message!(
                "--at {text}: the moves are numbered from {first} to {last}"
                    | "--at {text}：着法的编号是从 {first} 到 {last}",
                text,
                first = numbering.text(0),
                last = numbering.text(last)
            ),
        })
    }
}

pub struct Case {
    /// All moves; in Go only the start.
    pub game: Game,
    pub go: Option<GoLine>,
    /// The moves with their numbers, as people write them.
    texts: Vec<String>,
    pub numbering: Numbering,
    /// What the record has for the result; `*`: nothing.
    pub result: String,
    /// Whether the record has the game lost on time.
    pub is_time_forfeit: bool,
    /// Why the record cannot be read behind these moves, and whether that is an illegal move.
    pub fault: Option<(Message, bool)>,
}

impl Case {
    pub fn of_record(
        record: &Recorded,
        start: Start,
        style: Style,
        fault: Option<(Message, bool)>,
    ) -> Result<Self, Message> {
        let (game, go) = match record.kind {
            GameKind::GO => (Game::at(start)?, Some(GoLine::of_record(record)?)),
            _ => (Game::after(start, &record.opening.moves)?, None),
        };
        let termination = record.tag("Termination").unwrap_or_default().to_lowercase();
        let result = record.result().to_owned();
        let case = Self::new(game, go, style);
        Ok(Self { result, is_time_forfeit: termination.contains("time"), fault, ..case })
    }

    /// A line of play; it ends before the first move that cannot be played.
    pub fn of_moves(start: Start, texts: &[&str], style: Style) -> Result<Self, Message> {
        let mut game = Game::at(start.clone())?;
        let played = match start.kind {
            // What superko and suicide forbid is played, and found later.
            GameKind::GO => texts
                .iter()
                .enumerate()
                .try_for_each(|(at, mv)| game.play_recorded(mv).map_err(|why| (at, why))),
            _ => game.play_texts(texts),
        };
        let fault = played.err().map(|(_, why)| (why, true));
        let go = match start.kind {
            GameKind::GO => Some(GoLine::of_moves(&start, game.moves())?),
            _ => None,
        };
        Ok(Self { fault, ..Self::new(game, go, style) })
    }

    fn new(game: Game, go: Option<GoLine>, style: Style) -> Self {
        let numbering = Numbering::of(game.kind(), game.start().fen.as_deref());
        let texts = match &go {
            Some(go) => go.texts(),
            None => {
                let mut start = game.clone();
                start.truncate(0);
                start.write_line(game.moves(), style)
            }
        };
        let number = |(ply, text)| format!("{} {text}", numbering.text(ply));
        let texts = texts.iter().enumerate().map(number).collect();
        let (is_time_forfeit, fault) = Default::default();
        Self { game, go, texts, numbering, result: "*".to_owned(), is_time_forfeit, fault }
    }

    pub fn kind(&self) -> GameKind {
        self.game.kind()
    }

    /// Half-moves.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The last of the first `plies` moves, with its number: `34... Nf6`; the number of the move where the
    /// record breaks off. `None`: the start.
    pub fn mv(&self, plies: usize) -> Option<String> {
        let ply = plies.checked_sub(1)?;
        Some(self.texts.get(ply).cloned().unwrap_or_else(|| self.numbering.text(ply)))
    }

    /// The game of chess or xiangqi after these half-moves.
    pub fn after(&self, plies: usize) -> Game {
        let mut game = self.game.clone();
        game.truncate(plies);
        game
    }
}
