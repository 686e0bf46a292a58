//! The library on disk: every game in a file of its own, and the settings of the page.
//!
//! `games/NAME.json` are the games, `trash/NAME.json` the removed ones, and `settings.json` the settings that
//! all tabs share. A file is written beside its place and renamed, so the program may be killed at any
//! moment: either the old game is there or the new one. The index is kept in memory and built from the files,
//! which other processes may change; a writer locks the file `lock`. File names are generated here and never
//! taken from a request.

mod about;

use crate::ensure;
use crate::games::record::GameKind;
use crate::message;
use crate::util::files::{self, at};
use crate::util::message::Message;
use crate::util::sync::lock;
use crate::util::system;
use about::{About, Words};
use crossbeam::channel::{Receiver, Sender, bounded};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// Games of the library, and as many in the trash.
const MAX_GAMES: usize = 50_000;
/// Bytes of a game with its variations and what can be undone.
const MAX_GAME: usize = 4 << 20;
/// Bytes of all files together.
const MAX_BYTES: u64 = 8 << 30;
const MAX_SETTINGS: usize = 64 << 10;
/// The same of their file, which is indented.
const MAX_SETTINGS_FILE: u64 = 256 << 10;
/// Bytes of a file: what stands beside the game included.
const MAX_FILE: u64 = (MAX_GAME as u64) + (64 << 10);
/// Games of one answer.
const PAGE: usize = 24;
/// Characters of a search that count.
const MAX_QUERY: usize = 200;
/// How long the index stays valid before the folder is read again.
const FRESH: Duration = Duration::from_secs(2);
/// Events that may wait for a tab.
const MAX_NEWS: usize = 32;

/// The folder of the journals of games under way.
const TABLES: &str = "tables";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Games,
    Trash,
}

impl Place {
    const ALL: [Self; 2] = [Self::Games, Self::Trash];

    fn folder(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Trash => "trash",
        }
    }
}

/// The contents of a game's file. The kind comes first: a half-written file is recognized by its beginning.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    sanqi: String,
    version: u32,
    name: String,
    /// Counts the edits of the game.
    revision: u64,
    #[serde(flatten)]
    about: About,
    tree: T,
}

#[derive(Serialize, Deserialize)]
struct Settings {
    sanqi: String,
    values: Map<String, Value>,
}

#[derive(Clone)]
struct Entry {
    revision: u64,
    about: About,
    /// Of the file when it was read.
    stamp: Stamp,
}

/// Modification time and length: a changed file differs in one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp(Option<Duration>, u64);

#[derive(Default)]
struct Index {
    places: [BTreeMap<String, Entry>; 2],
    /// Errors of files that are damaged or not games.
    unreadable: Vec<String>,
    read: Option<Instant>,
}

impl Index {
    fn of(&self, place: Place) -> &BTreeMap<String, Entry> {
        let [games, trash] = &self.places;
        if place == Place::Games { games } else { trash }
    }

    fn of_mut(&mut self, place: Place) -> &mut BTreeMap<String, Entry> {
        let [games, trash] = &mut self.places;
        if place == Place::Games { games } else { trash }
    }
}

/// Which games a tab wants to see.
#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    query: String,
    #[serde(default)]
    game: Option<GameKind>,
    /// Those in the trash.
    #[serde(default)]
    trash: bool,
    /// Those with mistakes to practice on.
    #[serde(default)]
    unsolved: bool,
    /// How many of them the tab has.
    #[serde(default)]
    from: usize,
}

#[derive(Deserialize)]
pub(super) struct Stored {
    /// Of a game that was stored before.
    #[serde(default)]
    name: Option<String>,
    /// The one that was loaded or stored before.
    #[serde(default)]
    revision: u64,
    /// Whether more has changed than what is looked at, and how deeply.
    edited: bool,
    tree: Map<String, Value>,
}

impl Stored {
    /// The journal whose game is over and in this record.
    pub fn finished(&self) -> Option<&str> {
        self.tree.get("finished").and_then(Value::as_str)
    }
}

/// The library, and the tabs that look at it.
pub(super) struct Store {
    folder: PathBuf,
    index: Mutex<Index>,
    tabs: Mutex<BTreeMap<u64, Tab>>,
    next_tab: AtomicU64,
}

/// Where to send a tab its news, and the game that it shows.
struct Tab {
    sender: Sender<Value>,
    game: Option<String>,
}

/// A tab's access to the library, with news of what other tabs do.
pub(super) struct Subscription<'a> {
    store: &'a Store,
    tab: u64,
    pub news: Receiver<Value>,
}

impl Drop for Subscription<'_> {
    fn drop(&mut self) {
        lock(&self.store.tabs).remove(&self.tab);
    }
}

impl Subscription<'_> {
    /// The games that a search finds, the newest first.
    pub fn list(&self, search: &Search) -> Result<Value, Message> {
        // A tab on the first page shows no game.
        self.note_game("");
        self.store.list(search)
    }

    /// A game, from the trash too.
    pub fn load(&self, name: &str) -> Result<Value, Message> {
        let kept = Place::ALL.into_iter().find_map(|place| self.store.read::<Value>(place, name).transpose());
        let kept = kept.transpose()?.ok_or_else(unknown)?;
        let shared = self.note_game(name);
        Ok(json!({"name": kept.name, "revision": kept.revision, "tree": kept.tree, "shared": shared}))
    }

    /// Notes which game the tab shows. True: another tab shows it too.
    fn note_game(&self, name: &str) -> bool {
        let mut tabs = lock(&self.store.tabs);
        if let Some(tab) = tabs.get_mut(&self.tab) {
            tab.game = Some(name.to_owned());
        }
        tabs.iter().any(|(tab, other)| *tab != self.tab && other.game.as_deref() == Some(name))
    }

    /// Keeps a game. Where another tab has changed it meanwhile, it becomes a game of its own.
    pub fn store(&self, stored: Stored) -> Result<Value, Message> {
        let (answer, is_news) = self.store.store(stored)?;
        self.note_game(answer.get("name").and_then(Value::as_str).unwrap_or_default());
        if is_news {
            let (name, revision) = (answer.get("name"), answer.get("revision"));
            self.announce(&json!({"event": "library", "name": name, "revision": revision}));
        }
        Ok(answer)
    }

    /// Moves a game to the trash.
    pub fn remove(&self, name: &str) -> Result<Value, Message> {
        self.bring(Place::Games, Place::Trash, name)
    }

    /// Brings a game back from there.
    pub fn restore(&self, name: &str) -> Result<Value, Message> {
        self.bring(Place::Trash, Place::Games, name)
    }

    fn bring(&self, from: Place, to: Place, name: &str) -> Result<Value, Message> {
        self.store.bring(from, to, name)?;
        self.announce(&json!({"event": "library", "name": name, "revision": 0}));
        Ok(Value::Null)
    }

    /// The settings, after some were set; one that is set to null goes.
    pub fn settings(&self, set: Map<String, Value>) -> Result<Value, Message> {
        let is_news = !set.is_empty();
        let values = self.store.settings(set)?;
        if is_news {
            self.announce(&json!({"event": "settings", "settings": values}));
        }
        Ok(values.into())
    }

    /// Sends an event to all other tabs; a tab whose queue is full misses it.
    fn announce(&self, event: &Value) {
        for (_, tab) in lock(&self.store.tabs).iter().filter(|(tab, _)| **tab != self.tab) {
            let _ = tab.sender.try_send(event.clone());
        }
    }

    pub fn folder(&self) -> String {
        self.store.folder.display().to_string()
    }
}

impl Store {
    /// The library in `folder`, which is made where it is missing.
    pub fn open(folder: &Path) -> Result<Self, Message> {
        for name in Place::ALL.map(Place::folder).into_iter().chain([TABLES]) {
            let path = folder.join(name);
            system::make_private_folder(&path).map_err(|why| at(&path, why))?;
        }
        let folder = folder.canonicalize().map_err(|why| at(folder, why))?;
        let store =
            Self { folder, index: Mutex::default(), tabs: Mutex::default(), next_tab: AtomicU64::new(0) };
        // Half-written files of a killed process are useless. A running one would hold the lock.
        let _only = store.lock_folder()?;
        for place in Place::ALL {
            for path in store.files(place)? {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                if name.rsplit_once(".json.part").is_some_and(|(name, _)| is_name(name)) {
                    let _ = fs::remove_file(path);
                }
            }
        }
        Ok(store)
    }

    /// Builds the index ahead of the first request.
    pub fn warm(&self) {
        let _ = self.refresh(&mut lock(&self.index));
    }

    /// Registers a tab for news of the others, until the subscription is dropped.
    pub fn subscribe(&self) -> Subscription<'_> {
        let (sender, news) = bounded(MAX_NEWS);
        let tab = self.next_tab.fetch_add(1, Relaxed);
        lock(&self.tabs).insert(tab, Tab { sender, game: None });
        Subscription { store: self, tab, news }
    }

    /// The journal of a game at a table.
    /// # Errors
    /// The name is none of ours, or a link stands there.
    pub fn table(&self, name: &str) -> Result<PathBuf, Message> {
        ensure!(is_name(name), unknown());
        let path = self.folder.join(TABLES).join(format!("{name}.table"));
        check_place(&path)?;
        Ok(path)
    }

    /// A name for a new journal, and where it goes.
    pub fn new_table(&self) -> Result<(String, PathBuf), Message> {
        let name = new_name()?;
        let path = self.table(&name)?;
        Ok((name, path))
    }

    /// Removes the journal of a game that is over.
    pub fn remove_table(&self, name: &str) {
        // One that stays does no harm.
        let _ = self.table(name).map(fs::remove_file);
    }

    /// Keeps other processes from writing while the file is open.
    fn lock_folder(&self) -> Result<File, Message> {
        let path = self.folder.join("lock");
        let file = open_file(&path, File::options().write(true).create(true).truncate(false))?;
        match file.lock() {
            Err(why) if !system::has_no_locks(&why) => Err(at(&path, why)),
            _ => Ok(file),
        }
    }

    fn path(&self, place: Place, name: &str) -> Result<PathBuf, Message> {
        ensure!(is_name(name), unknown());
        Ok(self.folder.join(place.folder()).join(format!("{name}.json")))
    }

    fn files(&self, place: Place) -> Result<Vec<PathBuf>, Message> {
        let folder = self.folder.join(place.folder());
        let failure = |why| at(&folder, why);
        let all = fs::read_dir(&folder).map_err(failure)?.map(|file| Ok(file.map_err(failure)?.path()));
        all.collect()
    }

    /// The game in a file; `None`: there is none.
    fn read<T: DeserializeOwned>(&self, place: Place, name: &str) -> Result<Option<Kept<T>>, Message> {
        let path = self.path(place, name)?;
        let Some(bytes) = read_file(&path, MAX_FILE)? else { return Ok(None) };
        let kept: Kept<T> = serde_json::from_slice(&bytes).map_err(|why| damaged(&path, &why.to_string()))?;
        if kept.sanqi != "game" || kept.version != 1 || kept.name != name {
            return Err(damaged(&path, "of another kind or version"));
        }
        Ok(Some(kept))
    }

    /// The index entry of a game, read again if its file has changed; `None`: there is no such game.
    fn entry<'i>(
        &self,
        index: &'i mut Index,
        place: Place,
        name: &str,
    ) -> Result<Option<&'i Entry>, Message> {
        let stamp = stamp(&self.path(place, name)?);
        let entries = index.of_mut(place);
        if stamp.is_none() || entries.get(name).is_none_or(|entry| Some(entry.stamp) != stamp) {
            entries.remove(name);
            if let (Some(stamp), Some(kept)) = (stamp, self.read::<IgnoredAny>(place, name)?) {
                let entry = Entry { revision: kept.revision, about: kept.about, stamp };
                entries.insert(name.to_owned(), entry);
            }
        }
        Ok(entries.get(name))
    }

    /// Brings the index up to date, unless that was done just now.
    fn refresh(&self, index: &mut Index) -> Result<(), Message> {
        if index.read.is_some_and(|at| at.elapsed() < FRESH) {
            return Ok(());
        }
        index.unreadable.clear();
        for place in Place::ALL {
            let files = self.files(place)?;
            let names = files.iter().filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".json"));
            let names: std::collections::BTreeSet<&str> =
                names.filter(|name| is_name(name)).take(2 * MAX_GAMES).collect();
            index.of_mut(place).retain(|name, _| names.contains(name.as_str()));
            for name in names {
                if let Err(why) = self.entry(index, place, name) {
                    index.unreadable.push(why.to_string());
                }
            }
        }
        index.read = Some(Instant::now());
        Ok(())
    }

    fn list(&self, search: &Search) -> Result<Value, Message> {
        let Search { ref query, game, trash, unsolved, from } = *search;
        let place = if trash { Place::Trash } else { Place::Games };
        let mut index = lock(&self.index);
        self.refresh(&mut index)?;
        let words = Words::of(&query.chars().take(MAX_QUERY).collect::<String>());
        let is_wanted = |about: &About| {
            game.is_none_or(|game| about.is_of(game))
                && (!unsolved || about.unsolved > 0)
                && words.find(about)
        };
        let mut found: Vec<_> = index.of(place).iter().filter(|(_, entry)| is_wanted(&entry.about)).collect();
        found.sort_by_key(|(_, game)| std::cmp::Reverse(game.about.saved));
        let games = found.iter().skip(from).take(PAGE);
        let games: Vec<Value> = games
            .map(|(name, entry)| json!({"name": name, "revision": entry.revision, "about": entry.about}))
            .collect();
        Ok(json!({
            "games": games, "found": found.len(), "all": index.of(place).len(),
            "trash": index.of(Place::Trash).len(), "unreadable": index.unreadable,
            "unsolved": index.of(Place::Games).values().map(|entry| entry.about.unsolved).fold(0, usize::saturating_add),
        }))
    }

    /// Stores a game. True: other tabs should hear of it.
    fn store(&self, stored: Stored) -> Result<(Value, bool), Message> {
        let Stored { name, revision, edited, tree } = stored;
        let (about, tree) = About::of(tree)?;
        let mut index = lock(&self.index);
        let _only = self.lock_folder()?;
        let known = match &name {
            Some(name) => {
                self.entry(&mut index, Place::Games, name)?.cloned().map(|entry| (name.clone(), entry))
            }
            None => {
                let mut all = index.of(Place::Games).iter();
                all.find(|(_, entry)| entry.about.hash == about.hash)
                    .map(|(name, e)| (name.clone(), e.clone()))
            }
        };
        let answer = |name: &str, revision: u64, more: &str| match more {
            "" => json!({"name": name, "revision": revision}),
            _ => json!({"name": name, "revision": revision, more: true}),
        };
        let (name, revision, is_copy) = match known {
            Some((name, entry)) if entry.about.hash == about.hash => {
                return Ok((answer(&name, entry.revision, ""), false));
            }
            Some((name, entry)) if entry.revision == revision => {
                (name, revision.saturating_add(u64::from(edited)), false)
            }
            Some((name, entry)) if !edited => return Ok((answer(&name, entry.revision, "stale"), false)),
            Some(_) => (new_name()?, 1, true),
            None => (new_name()?, 1, false),
        };
        let path = self.path(Place::Games, &name)?;
        let is_new = !index.of(Place::Games).contains_key(&name);
        let bytes = index.places.iter().flat_map(BTreeMap::values).map(|entry| entry.stamp.1).sum::<u64>();
        if is_new && (index.of(Place::Games).len() >= MAX_GAMES || bytes >= MAX_BYTES) {
            return Err(message!(
                "the library is full: move games out of its folder"
                    | "棋谱库已满，请从其文件夹中移走一些对局"
            ));
        }
        let kept = Kept { sanqi: "game".into(), version: 1, name: name.clone(), revision, about, tree };
        write_file(&path, &kept)?;
        let stamp = stamp(&path).ok_or_else(unknown)?;
        index.of_mut(Place::Games).insert(name.clone(), Entry { revision, about: kept.about, stamp });
        Ok((answer(&name, revision, if is_copy { "copy" } else { "" }), edited || is_new))
    }

    /// Moves a game from one place to the other.
    fn bring(&self, from: Place, to: Place, name: &str) -> Result<(), Message> {
        let mut index = lock(&self.index);
        let _only = self.lock_folder()?;
        let (old, new) = (self.path(from, name)?, self.path(to, name)?);
        let entry = self.entry(&mut index, from, name)?.cloned().ok_or_else(unknown)?;
        if index.of(to).len() >= MAX_GAMES || new.symlink_metadata().is_ok() {
            return Err(message!("there is no room for it" | "没有空位"));
        }
        fs::rename(&old, &new).map_err(|why| at(&new, why))?;
        index.of_mut(from).remove(name);
        index.of_mut(to).insert(name.to_owned(), entry);
        Ok(())
    }

    /// The settings after some were set; one that is set to null goes.
    fn settings(&self, set: Map<String, Value>) -> Result<Map<String, Value>, Message> {
        let path = self.folder.join("settings.json");
        let _only = self.lock_folder()?;
        let bytes = read_file(&path, MAX_SETTINGS_FILE)?.unwrap_or_default();
        let read = serde_json::from_slice::<Settings>(&bytes).ok().filter(|read| read.sanqi == "settings");
        if read.is_none() && !bytes.is_empty() && !set.is_empty() {
            // Not written by this program, or damaged: keep it under another name.
            let aside = self.folder.join("settings.damaged.json");
            fs::rename(&path, &aside).map_err(|why| at(&aside, why))?;
        }
        let mut values = read.map(|read| read.values).unwrap_or_default();
        if set.is_empty() {
            return Ok(values);
        }
        values.extend(set);
        values.retain(|_, value| !value.is_null());
        ensure!(json!(values).to_string().len() <= MAX_SETTINGS, "the settings are too long" | "设置太长");
        write_file(&path, &Settings { sanqi: "settings".into(), values: values.clone() })?;
        Ok(values)
    }

    /// All games of Go as SGF, or all others as PGN, the oldest first.
    /// # Errors
    /// The folder cannot be read. A game that cannot be is left out.
    pub fn export(&self, is_go: bool) -> Result<String, Message> {
        let names = {
            let mut index = lock(&self.index);
            self.refresh(&mut index)?;
            let mut games: Vec<_> = index.of(Place::Games).iter().collect();
            games.retain(|(_, entry)| entry.about.is_of(GameKind::GO) == is_go);
            games.sort_by_key(|(_, entry)| entry.about.created);
            games.into_iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let mut all = String::new();
        for name in names {
            let game = self.read::<super::tree::SavedGame>(Place::Games, &name);
            if let Ok(Some(text)) = game.map(|kept| kept.and_then(|kept| kept.tree.save().ok())) {
                all += text.trim_end();
                all += "\n\n";
            }
        }
        Ok(all)
    }
}

fn unknown() -> Message {
    message!("the library has no such game" | "棋谱库中没有这局棋")
}

fn damaged(path: &Path, why: &str) -> Message {
    at(path, message!("not a game of the library: {why}" | "不是棋谱库的对局：{why}", why))
}

/// Whether a name has the form of generated ones.
fn is_name(name: &str) -> bool {
    let is_known = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
    (1..=40).contains(&name.len()) && name.bytes().all(is_known)
}

fn new_name() -> Result<String, Message> {
    super::token().map(|token| token.chars().take(16).collect())
}

/// Opens a file of the library; refuses links and what is not a regular file.
fn open_file(path: &Path, options: &fs::OpenOptions) -> Result<File, Message> {
    check_place(path)?;
    files::open_regular(path, options).map_err(|why| at(path, why))
}

fn read_file(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Message> {
    check_place(path)?;
    match files::read(path, limit) {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(|why| at(path, why)),
    }
}

fn write_file(path: &Path, content: &impl Serialize) -> Result<(), Message> {
    check_place(path)?;
    let text = serde_json::to_vec(content).map_err(|why| at(path, why.to_string()))?;
    files::write_at_once(path, &text).map_err(|why| at(path, why))
}

/// Refuses symbolic links: they could lead out of the library.
fn check_place(path: &Path) -> Result<(), Message> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => Err(at(path, message!("it is a link" | "它是链接"))),
        _ => Ok(()),
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = path.symlink_metadata().ok()?;
    let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Some(Stamp(changed, found.len()))
}

#[cfg(test)]
mod tests;
