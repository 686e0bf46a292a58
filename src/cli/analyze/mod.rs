//! `sanqi analyze FILE…`: judges each move of recorded games.

mod annotate;
mod desk;
mod output;
mod page;
mod suite;

use crate::app::args::encoding;
use crate::app::console::{Outcome, check_output, say};
use crate::app::language::{LanguageArg, usual_style};
use crate::app::review::{self, Judged, Opinion, Verdicts, search};
use crate::app::seat::{Seat, SeatOptions};
use crate::engine::{Limits, Side};
use crate::games::follow::{NULL_MOVE, passed};
use crate::games::formats::{self, Most, Recorded};
use crate::games::game::{Game, Start};
use crate::games::notation::Style;
use crate::games::record::{GameKind, Numbering};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::util::{files, words};
use desk::{Desk, TaskReport, Worker};
use encoding_rs::Encoding;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Say what the engine thinks of each move of recorded games
///
/// A game that cannot be read is named with its file and line; what stands before the fault and the other
/// games are analyzed, and the exit code is 1 then, and when there was no game at all.
#[derive(clap::Args)]
pub struct Args {
    /// Game records: PGN, XQF, CBR, CBL, DhtmlXQ, SGF, GIB or NGF; - is stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game, if neither the file nor its tags name it
    #[arg(long, value_parser = ["chess", "chess960", "xiangqi", "go"])]
    game: Option<String>,
    /// The encoding of the files, such as gb18030, big5 or windows-1251 [default: found out]
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<&'static Encoding>,
    /// Nodes for each position (Go: visits) [default: 100000, Go 400]
    #[arg(long, conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// How moves of xiangqi are written: iccs if left out, or chinese in Chinese
    #[arg(long, value_enum)]
    notation: Option<Style>,
    /// Analyze every variation as a game of its own, not only the main line
    #[arg(long, conflicts_with = "suite")]
    variations: bool,
    /// The files are suites in EPD: which positions are solved (bm, am), and after how many nodes
    #[arg(long, conflicts_with_all = ["out", "report", "game"])]
    suite: bool,
    /// Write the best line wherever another move was played, not only beside mistakes
    #[arg(long, conflicts_with = "suite")]
    lines: bool,
    /// Write the games with marks, scores and better lines: PGN, or SGF for Go
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a page with the course of every game beside a board that plays it over
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Games, or positions of a suite, at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Threads for each of them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// MiB of table for each of them
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    #[command(flatten)]
    language: LanguageArg,
}

impl Args {
    fn seat_options(&self) -> SeatOptions {
        SeatOptions { threads: self.threads.into(), hash: self.hash, ..SeatOptions::default() }
    }

    fn style(&self) -> Style {
        let usual = usual_style(self.language.language());
        self.notation.unwrap_or(usual)
    }
}

/// Its name, for threads.
const VERB: &str = "analyze";

/// Prints, for each game, a line for each move: number, move, score after it, and what was better.
pub fn run(args: &Args) -> Outcome {
    if args.suite {
        return suite::run(args);
    }
    let kind = args.game.as_deref().and_then(GameKind::from_name);
    let (style, language) = (args.style(), args.language.language());
    let tasks: Vec<Task> = args.files.iter().flat_map(|file| gather(file, kind, args)).collect();
    let mut out = match &args.out {
        Some(path) => {
            let are_go =
                |go| tasks.iter().flat_map(|task| &task.game).any(|game| (game.kind == GameKind::GO) == go);
            if are_go(true) && are_go(false) {
                return Err(message!(
                    "--out: games of Go are written as SGF, all others as PGN; analyze them apart"
                        | "--out：围棋写成 SGF，其他写成 PGN；请分开分析"
                ));
            }
            check_output("--out", path, args.files.iter().chain(&args.report))?;
            Some(output::Annotated::new(path)?)
        }
        None => None,
    };
    if let Some(path) = &args.report {
        check_output("--report", path, &args.files)?;
    }
    let mut page =
        args.report.as_deref().map(|path| page::Page::new(path, language, args.notation)).transpose()?;
    let (mut broken, mut whole) = (0, 0);
    let bar = words::games_to_analyze(language);
    let desk = Desk { concurrency: args.concurrency, bar, hire: &|| Analyst::new(args) };
    desk::share_out(&desk, &tasks, &mut |task, report| {
        let verdicts = match report {
            TaskReport::Line(line) => {
                say(line);
                return Ok(());
            }
            TaskReport::Done(Err(why)) => {
                broken += 1;
                remark!("sanqi: {}: {}", task.file, why.text(language));
                return Ok(());
            }
            TaskReport::Done(Ok(verdicts)) => verdicts,
        };
        whole += 1;
        let Ok(game) = &task.game else { return Ok(()) };
        if page.is_none() && out.is_none() {
            return Ok(());
        }
        let record = annotate::write(game, &verdicts, style, language)?;
        if let Some(page) = &mut page {
            page.add(&task.file, game, &verdicts, &record)?;
        }
        out.as_mut().map_or(Ok(()), |out| out.add(&record))
    })?;
    if let Some(out) = &out {
        out.save()?;
    }
    if let Some(page) = page.as_ref().filter(|_| whole > 0) {
        page.save()?;
    }
    match (whole, broken) {
        (0, _) => Err(Message::from(words::no_game_analyzed(language))),
        (_, 0) => Ok(()),
        _ => Err(Message::from(words::games_analyzed(language, whole, broken))),
    }
}

/// A game of a file, or the reason why there is none.
struct Task {
    file: String,
    game: Result<Recorded, Message>,
}

fn gather(file: &Path, kind: Option<GameKind>, args: &Args) -> Vec<Task> {
    let name = file.display().to_string();
    let task = |game| Task { file: name.clone(), game };
    let games = match read(file).map(|bytes| formats::recoded(bytes, args.encoding)) {
        Ok(bytes) if args.variations => formats::read_lines(&bytes, kind),
        Ok(bytes) => formats::read_most(&bytes, kind, Most { null_moves: true, ..Most::ALL }),
        Err(why) => return vec![task(Err(why.into()))],
    };
    if games.is_empty() {
        return vec![task(Err(message!("no game is in it" | "其中没有对局")))];
    }
    let checked = formats::with_parts(games).map(|game| match game {
        Ok(game) if game.opening.moves.is_empty() => {
            Err(formats::in_game(game.opening.number, &message!("no moves" | "没有着法")))
        }
        other => other.map_err(|broken| broken.message()),
    });
    checked.map(task).collect()
}

fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    files::read_named(file)
}

struct Analyst<'a> {
    args: &'a Args,
    style: Style,
    language: Language,
    /// The engine of the last game.
    seat: Option<Seat>,
    /// The last line of a game's variations: lines of one game have many positions in common.
    known: Known,
}

impl<'a> Analyst<'a> {
    fn new(args: &'a Args) -> Self {
        Self {
            args,
            style: args.style(),
            language: args.language.language(),
            seat: None,
            known: Known::default(),
        }
    }

    /// Analyzes a game, reporting line by line.
    fn analyze(
        &mut self,
        file: &str,
        game: &Recorded,
        print: &mut dyn FnMut(String),
    ) -> Result<Verdicts, Message> {
        let (style, language, kind) = (self.style, self.language, game.kind);
        let limits = match (self.args.movetime, self.args.nodes) {
            (Some(ms), _) => Limits { movetime: Some(Duration::from_millis(ms)), ..Limits::default() },
            (None, nodes) => review::limits(kind, nodes),
        };
        let (number, moves) = (game.opening.number, &game.opening.moves);
        let mut known = std::mem::take(&mut self.known);
        let is_new = game.line.is_none() || !known.is_of(file, number);
        if is_new {
            known = Known { file: file.to_owned(), number, ..Known::default() };
        }
        known.go_over_to(moves);
        let seat = Seat::keep(&mut self.seat, kind, &self.args.seat_options())?;
        if is_new {
            seat.engine().new_game();
        }
        let [first, second] = [Side::First, Side::Second].map(|side| player_name(game, side, language));
        let (heading, seen_by) = (game_name(file, game, language), kind.side_text(Side::First, language));
        print(words::game_heading(language, heading, first, second, game.result(), seen_by));
        let mut at = Game::at(game.start())?;
        let numbering = Numbering::of(kind, game.opening.fen.as_deref());
        let mut verdicts = Verdicts::default();
        let mut before: Option<Opinion> = None;
        // The game before the move that is judged.
        let mut former = at.clone();
        for ply in 0..=moves.len() {
            let ended = if ply == moves.len() { review::at_the_end(&at) } else { None };
            let now = match (ended, known.opinions.get(ply)) {
                (Some(ended), _) => ended,
                (None, Some(now)) => now.clone(),
                (None, None) => {
                    seat.set_up(&at)?;
                    search(seat, limits.clone())?
                }
            };
            if game.line.is_some() && ply == known.opinions.len() {
                known.opinions.push(now.clone());
            }
            if ply == 0 {
                verdicts.start = if now.side == Side::First { now.chances } else { 1.0 - now.chances };
            }
            // A null move is not judged.
            if let Some(before) = before.take().filter(|_| moves[ply - 1] != NULL_MOVE) {
                let mv = &game.opening.moves[ply - 1];
                let line = former.write_line(&before.line, style);
                let asked = self.args.lines && before.best.as_ref() != Some(mv);
                let mut judged = Judged::explained(&former, ply - 1, mv, before, &now);
                if asked || !judged.better.is_empty() {
                    judged.better = line;
                }
                let played = verdicts.played.pop().unwrap_or_default();
                print(judged.line(&played, numbering, language));
                verdicts.moves.push(Judged { text: played, ..judged });
            }
            before = Some(now);
            if let Some((_, start)) = game.restarts.iter().find(|(before, _)| *before == ply) {
                at = Game::at(start.clone())?;
                seat.set_up(&at)?;
                before = Some(search(seat, limits.clone())?);
            }
            if let Some(mv) = moves.get(ply) {
                verdicts.played.push(at.write(mv, style));
                former.clone_from(&at);
                play_on(&mut at, mv)?;
            }
        }
        for side in [Side::First, Side::Second] {
            if let Some(summary) = verdicts.summary(side, language) {
                let name = kind.side_text(side, language);
                let player = player_name(game, side, language);
                print(if player == name {
                    words::review_of_side(language, name, summary)
                } else {
                    words::side_summary(language, player, name, summary)
                });
            }
        }
        self.known = known;
        Ok(verdicts)
    }
}

/// Plies that are surely kept: more than any rule of a draw looks back.
const KEPT: usize = 256;

/// Plays a move of a record, and forgets what was long before it: to set up all of a game for each of its
/// moves takes a time that grows with the square of its length. In Go nothing is forgotten: superko looks
/// back to the start.
fn play_on(game: &mut Game, mv: &str) -> Result<(), Message> {
    if mv == NULL_MOVE {
        *game = passed(game)?;
        return Ok(());
    }
    game.play_recorded(mv)?;
    if game.moves().len() < 2 * KEPT || game.kind() == GameKind::GO {
        return Ok(());
    }
    let mut earlier = game.clone();
    earlier.truncate(game.moves().len() - KEPT);
    let start = Start { fen: earlier.fen(), ..game.start().clone() };
    // No FEN has a clock of five digits.
    if let Ok(recent) = Game::after(start, &game.moves()[earlier.moves().len()..]) {
        *game = recent;
    }
    Ok(())
}

/// The opinions on the positions of a line.
///
/// A record lists its lines as they branch off, so a line has more in common with the one before it than with
/// any other.
#[derive(Default)]
struct Known {
    file: String,
    /// Of the game in the file.
    number: usize,
    moves: Vec<String>,
    /// Before the first move, and after each.
    opinions: Vec<Opinion>,
}

impl Known {
    fn is_of(&self, file: &str, number: usize) -> bool {
        (self.file.as_str(), self.number) == (file, number)
    }

    /// Keeps the opinions on positions that another line goes through as well.
    fn go_over_to(&mut self, moves: &[String]) {
        let common = self.moves.iter().zip(moves).take_while(|(old, new)| old == new).count();
        self.moves.truncate(common);
        self.moves.extend_from_slice(&moves[common..]);
        self.opinions.truncate(common + 1);
    }
}

impl Worker for Analyst<'_> {
    type Task = Task;
    type Found = Verdicts;

    fn work(&mut self, task: &Task, print: &mut dyn FnMut(String)) -> Result<Verdicts, Message> {
        let game = task.game.as_ref().map_err(Message::clone)?;
        let found = self.analyze(&task.file, game, print);
        found.map_err(|why| formats::in_game(game.opening.number, &why))
    }
}

/// The label of a game: its file, its number in it, and the number of the line.
fn game_name(file: &str, game: &Recorded, language: Language) -> String {
    let name = words::game_of_file(language, file, game.opening.number);
    game.line.map_or_else(|| name.clone(), |line| words::line_of_game(language, &name, line))
}

/// The player of a side, or the name of the side if the record has none.
fn player_name(game: &Recorded, side: Side, language: Language) -> String {
    match game.player(side) {
        name if name == game.kind.side_name(side) => game.kind.side_text(side, language),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_ago_is_forgotten_and_changes_nothing() {
        let frc = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        for (start, shuffle) in [
            (GameKind::CHESS.into(), ["g1f3", "g8f6", "f3g1", "f6g8"]),
            (Start::fen(GameKind::CHESS960, frc), ["e1f3", "f6g4", "f3e1", "g4f6"]),
            (GameKind::XIANGQI.into(), ["h0g2", "h9g7", "g2h0", "g7h9"]),
        ] {
            let (mut all, mut last) = (Game::at(start.clone()).unwrap(), Game::at(start).unwrap());
            for mv in shuffle.iter().cycle().take(4 * KEPT + 1) {
                all.play(mv).unwrap();
                play_on(&mut last, mv).unwrap();
                assert!(last.moves().len() < 2 * KEPT);
                assert_eq!((last.fen(), last.legal(), last.ending()), (all.fen(), all.legal(), all.ending()));
            }
            assert_eq!(all.moves().len(), 4 * KEPT + 1);
        }
    }
}
