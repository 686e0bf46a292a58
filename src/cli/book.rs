//! `sanqi book make`: an opening book of chess or xiangqi, from games.

use crate::app::console::{Outcome, at, check_output, say};
use crate::chess::polyglot;
use crate::ensure;
use crate::eval::GameEval;
use crate::game::book::{BookFormat, BookMaker};
use crate::game::{Game, Side, Text};
use crate::games::formats::{self, Most, Recorded};
use crate::games::record::{GameKind, Opening};
use crate::message;
use crate::train::record::{Reader, RecordError, game_of};
use crate::util::files;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::xiangqi::book;
use clap::ValueEnum;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A command of `sanqi book`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    Make(Args),
}

/// The games that have opening books.
#[derive(Clone, Copy, clap::ValueEnum)]
enum BookGame {
    Chess,
    Xiangqi,
}

/// Make an opening book of chess or xiangqi from games
///
/// The book has the format of Polyglot (chess) or BOOK.DAT (xiangqi); moves are weighed by their points, two
/// for a win and one for a draw. Of self-play records the random moves at the beginning are left out. A game
/// that cannot be read is named with its file and line, and the book is made of the others; the exit code is
/// 1 then.
#[derive(clap::Args)]
pub struct Args {
    /// Games: PGN, XQF, CBR, CBL or DhtmlXQ, or records of `sanqi data play` (*.rec)
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The game of the book [default: that of the first file]
    #[arg(long)]
    game: Option<BookGame>,
    /// The book to write
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Moves taken from a game, at most
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
    /// Games in which a move must have been played
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u32,
}

pub fn run(args: &Args) -> Outcome {
    match args.game.or_else(|| args.games.first().and_then(|file| game_in(file))) {
        Some(BookGame::Chess) => make::<polyglot::Book>(args),
        Some(BookGame::Xiangqi) | None => make::<book::Book>(args),
    }
}

/// The game of the first record in a file; nothing that can be read only once is read for this.
fn game_in(file: &Path) -> Option<BookGame> {
    let name = match is_of_records(file) {
        true => game_of(file).ok()?,
        false if file.is_file() => {
            let bytes = files::read_named(file).ok()?;
            let first = formats::read_most(&bytes, None, Most { games: 1, ..Most::ALL });
            first.into_iter().find_map(Result::ok)?.kind.game().name().to_owned()
        }
        false => return None,
    };
    BookGame::from_str(&name, false).ok()
}

fn is_of_records(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "rec")
}

fn make<F: BookFormat<Game: GameEval>>(args: &Args) -> Outcome {
    let mut maker = BookMaker::<F>::default();
    let (mut games, mut broken) = (0, Vec::new());
    check_output("--out", &args.out, &args.games)?;
    let at_out = |e: std::io::Error| at(&args.out, e);
    files::try_to_write(&args.out).map_err(at_out)?;
    for file in &args.games {
        games += match is_of_records(file) {
            true => add_records(file, args.plies, &mut maker, &mut broken),
            false => add_games(file, args.plies, &mut maker, &mut broken),
        }
        .map_err(|why| at(file, why))?;
    }
    let last = broken.pop();
    broken.iter().for_each(|why| remark!("sanqi: {why}"));
    if let Some(why) = last.as_ref().filter(|_| games == 0) {
        return Err(why.clone());
    }
    if games == 0 {
        let files: Vec<_> = args.games.iter().map(|file| file.display().to_string()).collect();
        return Err(message!(
            "{files}: no game has a result, so there is nothing to learn"
                | "{files}：没有一局有结果，无从学习",
            files = files.join(", ")
        ));
    }
    let book = maker.finish(args.min_games);
    ensure!(
        !book.is_empty(),
        "no move was played in {games} games (--min-games)" | "没有一着出现在 {games} 局里（--min-games）",
        games = args.min_games
    );
    files::write_at_once(&args.out, &book).map_err(at_out)?;
    say(format_args!("{} moves of {games} games", book.len() / F::ENTRY_BYTES));
    match last {
        None => Ok(()),
        Some(why) => Err(message!(
            "{why} (games that cannot be read: {broken})" | "{why}（无法读取的对局：{broken}）",
            why,
            broken = broken.len() + 1
        )),
    }
}

/// The points of `side` in a game; a win is 2.
fn points(winner: Option<Side>, side: Side) -> u32 {
    match winner {
        None => 1,
        Some(winner) => 2 * u32::from(winner == side),
    }
}

/// Adds the games of a file; those without a result are left out, and faults of broken ones go to
/// `broken`. Returns the number of games added.
fn add_games<F: BookFormat<Game: GameEval>>(
    file: &Path,
    plies: usize,
    maker: &mut BookMaker<F>,
    broken: &mut Vec<Message>,
) -> Result<usize, Message> {
    let bytes = files::read_named(file)?;
    let mut added = 0;
    for game in formats::with_parts(formats::read(&bytes, GameKind::from_name(F::Game::NAME))) {
        match game.map_err(|broken| broken.message()).and_then(|game| add_game(&game, plies, maker)) {
            Ok(is_added) => added += usize::from(is_added),
            Err(why) => broken.push(at(file, why)),
        }
    }
    Ok(added)
}

/// Adds a game, unless it has no result. Returns whether it was added.
fn add_game<F: BookFormat<Game: GameEval>>(
    game: &Recorded,
    plies: usize,
    maker: &mut BookMaker<F>,
) -> Result<bool, Message> {
    let Opening { moves, number, .. } = &game.opening;
    let in_game = |why: Message| formats::in_game(*number, &why);
    let mut board = formats::start::<F::Game>(game)?;
    let Some(winner) = game.winner() else { return Ok(false) };
    let mut played = Vec::new();
    for text in moves.iter().take(plies) {
        let mv = board.parse_move(text, Default::default()).map_err(in_game)?;
        played.push((board.clone(), mv));
        board.do_move(mv, &mut ());
    }
    maker.begin_game();
    for (board, mv) in played {
        maker.add(&board, mv, points(winner, board.side_to_move()));
    }
    Ok(true)
}

/// Adds the games of self-play records, from behind their random moves, and the faults of damaged ones
/// to `broken`. Returns the number of games added.
fn add_records<F: BookFormat<Game: GameEval>>(
    file: &Path,
    plies: usize,
    maker: &mut BookMaker<F>,
    broken: &mut Vec<Message>,
) -> Result<usize, Message> {
    let mut added = 0;
    for game in Reader::new(File::open(file)?, F::Game::NAME) {
        let mut game = match game {
            Ok(game) => game,
            Err(why @ RecordError::Damaged(..)) => {
                broken.push(at(file, why));
                continue;
            }
            Err(why) => return Err(why.into()),
        };
        let winner = game.result.winner();
        let mut random = game.result_counts_from();
        game.plies.truncate(plies.saturating_sub(game.opening.len()));
        // Nothing is learned of a game that does not replay.
        if let Err(why) = game.replay::<F::Game>(|_, _, _| ()) {
            broken.push(at(file, why));
            continue;
        }
        maker.begin_game();
        let replayed = game.replay::<F::Game>(|board, mv, _| match random {
            0 => maker.add(board, mv, points(winner, board.side_to_move())),
            _ => random -= 1,
        });
        debug_assert!(replayed.is_ok(), "it replayed before");
        added += 1;
    }
    Ok(added)
}
