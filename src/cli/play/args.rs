//! The command line of `sanqi play`: which flags belong to which game, and what they make of it.

use crate::app::args::{komi, seconds_above_0};
use crate::app::language::LanguageArg;
use crate::app::level::Level;
use crate::engine::{GameId, Side};
use crate::games::notation::Style;
use crate::games::record::GameKind;
use crate::games::referee::Rules;
use crate::games::time::Control;
use crate::go::MAX_KOMI;
use crate::table::Preset;
use crate::util::message::Message;
use crate::util::words;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The game
    pub game: GameId,
    /// The side that the person plays: white, black, red, or first, second; random: by lot; the side to move
    /// if left out
    #[arg(long, value_parser = ["white", "black", "red", "first", "second", "random"])]
    pub side: Option<String>,
    /// How strong the engine plays: 1 is a beginner, 16 the strongest below full strength, which is the
    /// default; in Go 1 to 12, or a rank, 20k to 1d
    #[arg(long, value_name = "N")]
    pub level: Option<Level>,
    /// Seconds that the engine takes for a move
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, conflicts_with = "level", value_parser = seconds_above_0)]
    pub seconds: f64,
    /// Nodes that the engine searches for a move (Go: visits), instead of a time
    #[arg(long, conflicts_with_all = ["seconds", "level"], value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies that the engine looks ahead, instead of a time (chess, xiangqi)
    #[arg(long, conflicts_with_all = ["seconds", "level"], value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// A clock for both: 300+3, 40/90:00+30,30:00+30, 600+5x30, 300d5, 60h
    #[arg(long, value_name = "CONTROL", conflicts_with = "seconds")]
    pub tc: Option<Control>,
    /// casual: take-backs and advice; match: a serious game by the rule text; rapid, blitz: FIDE's penalties
    /// (chess)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub conduct: Preset,
    /// Continue the game in FILE, with its clocks, or begin one that is kept there; without FILE the last
    /// unfinished one
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub resume: Option<Option<PathBuf>>,
    /// The position to start from (chess, xiangqi)
    #[arg(long)]
    pub fen: Option<String>,
    /// chess960: castling is king takes rook; from a start by chance without --fen (chess)
    #[arg(long, value_parser = ["standard", "chess960"])]
    pub variant: Option<String>,
    /// Rows and columns of the board, 9 if left out (Go)
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=25))]
    pub size: Option<u8>,
    /// Points given to White, or stones: 7.5, 3.75zi, 3又3/4子 (Go)
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = komi)]
    pub komi: Option<f32>,
    /// Handicap stones for Black (Go)
    #[arg(long, value_name = "N")]
    pub handicap: Option<usize>,
    /// Who judges repetitions (xiangqi): chinese, asian, computer, none; the rule set (Go): chinese,
    /// japanese, aga ...
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Chess: moves without a capture or a pawn move that draw, 50 or more; with endings, only in these:
    /// 100:KRBKR,KNNKP
    #[arg(long, value_name = "MOVES[:ENDINGS]", value_parser = crate::app::args::fifty_moves)]
    pub fifty_moves: Option<String>,
    /// How moves of xiangqi are written; they are read in every notation
    #[arg(long, value_enum, default_value_t = Style::Chinese)]
    pub notation: Style,
    /// The engine opens from this book, of Polyglot (chess) or BOOK.DAT (xiangqi), not from the embedded one
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Letters and no colors, as when the output is not a terminal
    #[arg(long)]
    pub ascii: bool,
    /// Add the game to this file when it is over or left (chess, xiangqi)
    #[arg(long, value_name = "FILE", conflicts_with = "sgf")]
    pub pgn: Option<PathBuf>,
    /// Add the game to this file when it is over or left (Go)
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// MiB of table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: u32,
    #[command(flatten)]
    pub language: LanguageArg,
}

impl Args {
    /// Says of a flag that does not fit the game, or of a komi that no game has, why not.
    pub fn check(&self) -> Result<(), Message> {
        let language = self.language.language();
        if let Some((flag, games)) = self.misfit() {
            let games: Vec<&str> = games.iter().map(|game| game.text(language)).collect();
            let games = games.join(language.pick(", ", "、"));
            return Err(words::flag_of_other_games(language, flag, self.game.text(language), games).into());
        }
        match self.komi {
            Some(komi) if !is_komi(komi) => Err(words::no_komi(language, komi, MAX_KOMI).into()),
            _ => Ok(()),
        }
    }

    /// A flag that was given and that this game does not have, and the games that do.
    fn misfit(&self) -> Option<(&'static str, &'static [GameId])> {
        const BOARDS: &[GameId] = &[GameId::Chess, GameId::Xiangqi];
        let flags: [(bool, &str, &[GameId]); 11] = [
            (self.fen.is_some(), "--fen", BOARDS),
            (self.depth.is_some(), "--depth", BOARDS),
            (self.pgn.is_some(), "--pgn", BOARDS),
            (self.book.is_some(), "--book", BOARDS),
            (self.variant.is_some(), "--variant", &[GameId::Chess]),
            (self.fifty_moves.is_some(), "--fifty-moves", &[GameId::Chess]),
            (self.rules.is_some(), "--rules", &[GameId::Xiangqi, GameId::Go]),
            (self.size.is_some(), "--size", &[GameId::Go]),
            (self.komi.is_some(), "--komi", &[GameId::Go]),
            (self.handicap.is_some(), "--handicap", &[GameId::Go]),
            (self.sgf.is_some(), "--sgf", &[GameId::Go]),
        ];
        let misfit = flags.into_iter().find(|(given, _, games)| *given && !games.contains(&self.game));
        misfit.map(|(_, flag, games)| (flag, games))
    }

    pub fn kind(&self) -> GameKind {
        match self.variant.as_deref() {
            Some("chess960") => GameKind::CHESS960,
            _ => self.game.into(),
        }
    }

    pub fn rules(&self) -> Rules {
        let fifty_moves = self.fifty_moves.clone().unwrap_or_default();
        let mut rules = Rules { fifty_moves, ..Rules::default() };
        let (go, handicap) = (&mut rules.go, self.handicap.unwrap_or(0));
        go.size = usize::from(self.size.unwrap_or(9));
        go.handicap = handicap;
        go.komi = self.komi.unwrap_or(usual_komi(handicap));
        match &self.rules {
            Some(name) if self.game == GameId::Go => go.rules = name.clone(),
            Some(name) => rules.repetition.rules = name.clone(),
            None => {}
        }
        rules
    }

    /// The side that the person asked for; by default Black in Go.
    pub(super) fn person(&self) -> Chosen {
        let white = if self.game == GameId::Go { Side::Second } else { Side::First };
        match self.side.as_deref() {
            Some("first" | "red") => Chosen::Side(Side::First),
            Some("second") => Chosen::Side(Side::Second),
            Some("white") => Chosen::Side(white),
            Some("black") => Chosen::Side(white.other()),
            Some("random") => Chosen::Lot,
            _ if self.game == GameId::Go => Chosen::Side(Side::First),
            _ => Chosen::ToMove,
        }
    }

    /// A flag that was given and that a game under way has settled.
    pub fn fixed_flag(&self) -> Option<&'static str> {
        let flags = [
            (self.side.is_some(), "--side"),
            (self.tc.is_some(), "--tc"),
            (self.conduct != Preset::default(), "--conduct"),
            (self.fen.is_some(), "--fen"),
            (self.variant.is_some(), "--variant"),
            (self.size.is_some(), "--size"),
            (self.komi.is_some(), "--komi"),
            (self.handicap.is_some(), "--handicap"),
            (self.rules.is_some(), "--rules"),
        ];
        flags.into_iter().find(|(given, _)| *given).map(|(_, flag)| flag)
    }
}

/// The side that was asked for.
pub(super) enum Chosen {
    Side(Side),
    /// The side to move in the position.
    ToMove,
    /// Lots decide (猜先).
    Lot,
}

/// The komi that goes with a handicap.
pub(super) fn usual_komi(handicap: usize) -> f32 {
    if handicap > 1 { 0.5 } else { Rules::default().go.komi }
}

/// Whether games are played with this komi: half points, within what the engine takes.
pub(super) fn is_komi(komi: f32) -> bool {
    // What is not a number has no fraction either.
    (2.0 * komi).fract() == 0.0 && komi.abs() <= MAX_KOMI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_komi_has_half_points() {
        for komi in [7.5, -7.0, 0.0, 1000.0, -0.5] {
            assert!(is_komi(komi), "{komi}");
        }
        for komi in [7.25, 0.1, 1000.5, -1e9, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!is_komi(komi), "{komi}");
        }
    }
}
