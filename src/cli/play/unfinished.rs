//! Games that are not over: each is kept in a journal from its first move on, and goes on from there with
//! both clocks.
//!
//! On a terminal a game is kept in the person's folder of states and taken away again when it is over;
//! `--resume FILE` names another file, which stays.

use super::args::{Args, Chosen};
use crate::app::console::at;
use crate::app::level::Level;
use crate::app::seat::any_chess960;
use crate::chess::Board;
use crate::engine::Side;
use crate::games::formats::pgn;
use crate::games::game::{Game, Start};
use crate::games::record::GameKind;
use crate::games::time::Control;
use crate::message;
use crate::table::{Agreement, Envelope, Table, TableJournal};
use crate::util::message::Message;
use crate::util::rng::Rng;
use crate::util::{files, system, words};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Where an unfinished game is kept.
pub(super) struct Unfinished {
    pub path: PathBuf,
    /// The file was not asked for: it is removed when the game is over.
    is_automatic: bool,
}

impl Unfinished {
    /// The file of the envelope beside the journal.
    pub fn envelope(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".envelope");
        name.into()
    }

    pub fn read_envelope(&self) -> Option<Envelope> {
        fs::read_to_string(self.envelope()).ok()?.parse().ok()
    }

    /// Removes the file if it was not asked for.
    pub fn remove(&self) {
        if self.is_automatic {
            // What cannot be removed is offered again the next time.
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_file(self.envelope());
        }
    }
}

/// What is kept beside the agreement of the table.
#[derive(Serialize, Deserialize)]
struct Driver {
    person: Side,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<String>,
}

/// A table at which the person may sit down.
pub(super) struct Opened {
    pub table: Table,
    pub journal: Option<TableJournal>,
    pub person: Side,
    pub level: Option<Level>,
    pub kept: Option<Unfinished>,
    /// What the person should know.
    pub preface: Vec<String>,
}

/// A new table, or the one that is resumed.
pub(super) fn open(args: &Args, is_terminal: bool) -> Result<Opened, Message> {
    let (language, game) = (args.language.language(), args.game.name());
    let resumed = match &args.resume {
        Some(None) => {
            let newest = newest(game).ok_or_else(|| {
                let name = args.game.texts();
                message!("there is no unfinished game of {name} to resume" | "没有可以续下的{name}对局", name)
            })?;
            Some(Unfinished { path: newest, is_automatic: true })
        }
        Some(Some(path)) => Some(Unfinished { path: path.clone(), is_automatic: false }),
        None => None,
    };
    let is_begun = |kept: &Unfinished| fs::metadata(&kept.path).is_ok_and(|found| found.len() > 0);
    let resumed = match resumed {
        Some(kept) if is_begun(&kept) => return resume(args, kept),
        other => other,
    };
    let mut preface = Vec::new();
    let kept = resumed.or_else(|| if is_terminal { automatic(game) } else { None });
    if kept.as_ref().is_some_and(|kept| kept.is_automatic) && newest(game).is_some() {
        preface.push(words::unfinished_game(language, game));
    }
    let (agreement, person, number) = agree(args)?;
    preface.extend(number.map(|number| words::start_of_chess960(language, number)));
    let table = Table::new(agreement)?;
    let (journal, kept) = journal(kept, &table, person, args.level)?;
    Ok(Opened { table, journal, person, level: args.level, kept, preface })
}

/// The game in a journal.
fn resume(args: &Args, kept: Unfinished) -> Result<Opened, Message> {
    let (journal, found) = TableJournal::resume(&kept.path)?;
    let fail = |why: Message| Err(files::at(&kept.path, why));
    let agreement = found.table.agreement();
    if agreement.start.kind.game() != args.game {
        let name = agreement.start.kind.game().texts();
        return fail(message!("it is a game of {name}" | "其中是一局{name}", name));
    }
    if let Some(flag) = args.fixed_flag() {
        return fail(message!(
            "{flag} is settled: the game in it goes on as it was agreed"
                | "{flag} 已定：对局按原来的约定续下",
            flag
        ));
    }
    let driver: Driver = serde_json::from_value(found.driver).map_err(|why| {
        files::at(
            &kept.path,
            message!("it names no player: {why}" | "其中没有写明对局者：{why}", why = why.to_string()),
        )
    })?;
    let level = args.level.or_else(|| driver.level.and_then(|level| level.parse().ok()));
    let text = words::resumed(args.language.language(), found.table.plies().len());
    Ok(Opened {
        table: found.table,
        journal: Some(journal),
        person: driver.person,
        level,
        kept: Some(kept),
        preface: vec![text],
    })
}

/// What the arguments agree on, the side of the person, and the number of a start of Chess960 by chance.
fn agree(args: &Args) -> Result<(Agreement, Side, Option<usize>), Message> {
    let kind = args.kind();
    let number = (kind == GameKind::CHESS960 && args.fen.is_none()).then(any_chess960);
    let fen = number.map_or_else(|| args.fen.clone(), |number| Some(Board::chess960(number).fen()));
    let start = Start { kind, rules: args.rules(), fen };
    let game = Game::at(start.clone()).map_err(|why| match &args.fen {
        Some(_) => message!("--fen: {why}" | "--fen：{why}", why),
        None => why,
    })?;
    let person = match args.person() {
        Chosen::Side(side) => side,
        Chosen::ToMove => game.side_to_move(),
        Chosen::Lot if Rng::of_the_moment().below(2) == 0 => Side::First,
        Chosen::Lot => Side::Second,
    };
    let mut names = [super::game::engine_name(), super::game::engine_name()];
    "Player".clone_into(&mut names[person.index()]);
    let control = args.tc.clone().unwrap_or(Control::INFINITE);
    let agreement = Agreement {
        start,
        controls: [control.clone(), control],
        conduct: args.conduct.conduct(args.game),
        names,
        notation: args.notation,
    };
    Ok((agreement, person, number))
}

/// Begins the journal of a table; where it is automatic and cannot be written, the game is played without.
pub(super) fn journal(
    kept: Option<Unfinished>,
    table: &Table,
    person: Side,
    level: Option<Level>,
) -> Result<(Option<TableJournal>, Option<Unfinished>), Message> {
    let Some(kept) = kept else { return Ok((None, None)) };
    let driver = Driver { person, level: level.map(|level| level.to_string()) };
    let driver = serde_json::to_value(driver).unwrap_or_default();
    match TableJournal::create(&kept.path, table.agreement(), driver) {
        Ok(journal) => Ok((Some(journal), Some(kept))),
        Err(_) if kept.is_automatic => Ok((None, None)),
        Err(why) => Err(why),
    }
}

/// A file for a game without a name.
pub(super) fn automatic(game: &str) -> Option<Unfinished> {
    let folder = folder()?;
    fs::create_dir_all(&folder).ok()?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let stamp = pgn::timestamp(now.as_secs()).replace(':', "");
    // Two games begun in one second have names of their own.
    let name = format!("{game}-{stamp}-{:06}.table", now.subsec_micros());
    Some(Unfinished { path: folder.join(name), is_automatic: true })
}

fn folder() -> Option<PathBuf> {
    Some(system::state_folder()?.join("sanqi").join("unfinished"))
}

/// The unfinished game that was begun last, with a move in it, and that no other program plays.
fn newest(game: &str) -> Option<PathBuf> {
    let prefix = format!("{game}-");
    let files = fs::read_dir(folder()?).ok()?.flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with(&prefix) || !name.ends_with(".table") {
            return false;
        }
        let has_moves = TableJournal::resume(path).map(|(_, found)| !found.table.plies().is_empty());
        if let Ok(false) = has_moves {
            // A program was killed before the first move.
            let _ = fs::remove_file(path);
        }
        has_moves.unwrap_or(false)
    };
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files.into_iter().rev().find(is_one)
}

/// Seals a move with a salt that cannot be guessed.
pub(super) fn seal(mv: &str) -> Result<Envelope, Message> {
    Ok(Envelope::seal(mv, system::random()?))
}

pub(super) fn write_envelope(path: &Path, envelope: &Envelope) -> Result<(), Message> {
    fs::write(path, format!("{envelope}\n")).map_err(|why| at(path, why))
}
