//! PGN of chess and xiangqi as programs really write it.
//!
//! Read are tags, the moves of the main line in any notation with the comments, the glyphs and the variations
//! behind them, and results; of what stands behind a result only comments are read. A game needs no tags.

mod lexer;
mod variations;
mod words;
mod write;

pub use words::{glyph_of, respelled, result_in_chinese, sign_of, without_number};
pub use write::{Headings, civil, date, head, tag_value, timestamp, write, write_tree};

use super::{Broken, Most, Place, Recorded};
use crate::game::Side;
use crate::games::follow::{NULL_MOVE, passed};
use crate::games::game::{Game, Ranks, Start};
use crate::games::record::{GameKind, Opening};
use crate::games::tree::{Item, MoveText, ROOT, Tree};
use crate::message;
use crate::util::message::Message;
use lexer::{Lexer, Placed, Token};
use std::borrow::Cow;
use std::collections::HashSet;
use words::{
    CHESS, CHESS960, REMARKS, ascii_digit, begins_a_game, closing_of, glyphs_of, is_dash, is_mark, is_named,
    is_title, numbers_of, result_of, undecorated,
};

/// How programs write that a side does not move.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "null", "@@@@"];

/// Letters of a word that are read and quoted: no move has more.
const LONGEST_WORD: usize = 40;

const LONGEST_FEN: usize = 200;

/// Moves by which chess and xiangqi are distinguished if nothing else shows what is played.
const PLIES_OF_ONE_GAME: usize = 8;

/// The games of `text` up to `most`, each read when it is asked for.
pub fn read(
    text: &str,
    kind: Option<GameKind>,
    most: Most,
) -> impl Iterator<Item = Result<Recorded, Broken>> {
    let mut reader = Reader { lexer: Lexer::new(text, 1, false), game: Draft::default() };
    let (mut number, mut is_done) = (0_usize, false);
    let games = std::iter::from_fn(move || {
        while !is_done {
            let draft = reader.next(most.plies);
            is_done = draft.is_none();
            let draft = draft.unwrap_or_else(|| std::mem::take(&mut reader.game));
            if let Some(game) = draft.finish(number, kind, most) {
                number = number.saturating_add(1);
                return Some(game);
            }
        }
        None
    });
    games.take(most.games)
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    /// The game that is being read.
    game: Draft<'a>,
}

impl<'a> Reader<'a> {
    /// The next game that another one follows. `None`: the text ends.
    fn next(&mut self, plies: usize) -> Option<Draft<'a>> {
        let mut before = None;
        while before.is_none() {
            let game = &mut self.game;
            let Placed { token, line, is_apart } = self.lexer.next()?;
            match token {
                Token::Tag(name, value) => {
                    before = game.ends_before(name, is_apart).then(|| std::mem::take(game));
                    game.line.get_or_insert(line);
                    game.tag(name, value);
                }
                Token::Comment(text) => game.comment(text, is_apart),
                Token::Variation(text) => game.variation(text, line),
                // They stand in variations.
                Token::Open | Token::Close => {}
                // Behind the result nothing is lost by it.
                Token::Unclosed(_) if game.is_over => {}
                Token::Unclosed(why) => {
                    game.line.get_or_insert(line);
                    game.unclosed.get_or_insert((line, why));
                }
                // Some programs sign below the result.
                Token::Word(word) if game.is_over && !begins_a_game(word) => {}
                Token::Word(word) if !game.has_moves && is_title(word, self.lexer.rest_of_line()) => {
                    let title = self.lexer.skip_title(word);
                    game.comments.push((0, title));
                }
                Token::Word(word) => {
                    if game.is_over {
                        let apart = std::mem::take(&mut game.apart);
                        before = Some(std::mem::take(game));
                        game.comments.extend(apart.into_iter().map(|text| (0, text)));
                    }
                    game.line.get_or_insert(line);
                    game.word(word, line, plies);
                }
            }
        }
        before
    }
}

/// The notation of a move of xiangqi, as the tag `Format` names it.
fn format_of(mv: &str, ranks: Ranks) -> &'static str {
    let is_iccs = mv.bytes().filter(|byte| *byte != b'-').enumerate().all(|(i, byte)| match i % 2 {
        0 => matches!(byte, b'a'..=b'i' | b'A'..=b'I'),
        _ => byte.is_ascii_digit(),
    });
    if !mv.is_ascii() {
        "Chinese"
    } else if ranks == Ranks::RanksFromOne {
        "Coordinates"
    } else if is_iccs && mv.len() > 3 {
        "ICCS"
    } else if matches!(mv.as_bytes(), [_, _, b'+' | b'-' | b'=' | b'.', _]) {
        "WXF"
    } else {
        "SAN"
    }
}

/// A game as its tokens come.
#[derive(Default)]
struct Draft<'a> {
    line: Option<usize>,
    tags: Vec<(String, String)>,
    /// Their names.
    seen: HashSet<&'a str>,
    /// Moves with their lines.
    moves: Vec<(&'a str, usize)>,
    /// Words that are no move, with the number of moves before them and their lines.
    skipped: Vec<(usize, &'a str, usize)>,
    /// Comments by the number of moves before them.
    comments: Vec<(usize, &'a str)>,
    /// Comments apart from the game, behind its result: the next game's, if that has no tags.
    apart: Vec<&'a str>,
    /// Glyphs by the number of moves before the move that has them.
    glyphs: Vec<(usize, u8)>,
    /// Variations in their brackets, by the number of moves before the move that they stand behind, and their
    /// lines.
    variations: Vec<(usize, &'a str, usize)>,
    /// What is not closed, and the line where it begins.
    unclosed: Option<(usize, Message)>,
    has_moves: bool,
    is_over: bool,
    result: Option<&'static str>,
}

impl<'a> Draft<'a> {
    fn tag(&mut self, name: &'a str, value: String) {
        self.seen.insert(name);
        self.tags.push((name.to_owned(), value));
    }

    /// Whether a tag is the next game's. That of a game without moves and result is known by an empty line,
    /// and by its name, which begins a game or has occurred.
    fn ends_before(&self, name: &str, is_apart: bool) -> bool {
        let is_next = || is_apart && !self.tags.is_empty() && (name == "Event" || self.seen.contains(name));
        self.has_moves || self.is_over || self.unclosed.is_some() || is_next()
    }

    /// Takes a word. Moves behind one more than `plies` are not kept.
    fn word(&mut self, word: &'a str, line: usize, plies: usize) {
        let result = result_of(word).or_else(|| closing_of(word).filter(|_| self.has_moves));
        if result.is_some() {
            (self.result, self.is_over) = (result, true);
            return;
        }
        self.has_moves = true;
        if self.moves.len() > plies {
            return;
        }
        let whole = word;
        let marked = without_number(word);
        let word = marked.trim_end_matches(is_mark);
        let glyphs = glyphs_of(marked);
        let word = undecorated(word);
        let is_sign = |c| {
            is_dash(c) || matches!(c, '.' | '…' | '+' | '=' | '/' | '\\' | '±' | '∓' | '∞' | '⩲' | '⩱' | '□')
        };
        let is_move = NULL_MOVES.contains(&word) || !word.chars().all(is_sign) && !REMARKS.contains(&word);
        if is_move {
            self.moves.push((word, line));
        } else if glyphs.is_empty() {
            self.skipped.push((self.moves.len(), whole, line));
        }
        // Before the first move stands what is thought of it.
        let ply = self.last_ply().unwrap_or(0);
        self.glyphs.extend(glyphs.into_iter().map(|glyph| (ply, glyph)));
    }

    /// The first word that is skipped where a move is due, `ply` moves after the start with `first` to move:
    /// a dash, a zero or a number that is not the move's, and dots where no move is left out.
    fn misplaced(&self, ply: usize, numbers: (usize, usize)) -> Option<(usize, Message)> {
        let from = self.skipped.partition_point(|(before, ..)| *before < ply);
        let here = self.skipped.get(from..)?.iter().take_while(|(before, ..)| *before == ply);
        let (offset, number) = numbers;
        let is_first = offset.saturating_add(ply).is_multiple_of(2);
        let due = number.saturating_add(offset.saturating_add(ply) / 2);
        let is_wrong = |word: &str| {
            let behind = word.trim_start_matches(|c| ascii_digit(c).is_some());
            if behind.len() == word.len() {
                let dots = word.chars().all(|c| matches!(c, '.' | '…'));
                return word.chars().all(is_dash)
                    || matches!(word, "/" | "\\")
                    || dots && is_first && word != ".";
            }
            let digits = || word.chars().filter_map(ascii_digit).collect::<String>().parse();
            behind.is_empty()
                && digits() != Ok(due)
                && digits() != Ok(due.saturating_sub(number).saturating_add(1))
        };
        let (_, word, line) = here.clone().find(|(_, word, _)| is_wrong(word))?;
        let word = shortened(word, LONGEST_WORD);
        let why = message!("{word:?} stands where a move is due" | "该有着法的地方却是“{word}”", word);
        Some((*line, why))
    }

    /// How many moves stand before the last one. `None`: there is no move.
    fn last_ply(&self) -> Option<usize> {
        self.moves.len().checked_sub(1)
    }

    fn comment(&mut self, text: &'a str, is_apart: bool) {
        if self.is_over && (is_apart || !self.apart.is_empty()) {
            self.apart.push(text);
        } else {
            self.comments.push((self.moves.len(), text));
        }
    }

    fn variation(&mut self, text: &'a str, line: usize) {
        if let Some(ply) = self.last_ply().filter(|_| !self.is_over) {
            self.variations.push((ply, text, line));
        }
    }

    /// The game that stands behind `earlier` others, if there is one.
    fn finish(
        mut self,
        earlier: usize,
        kind: Option<GameKind>,
        most: Most,
    ) -> Option<Result<Recorded, Broken>> {
        let (number, first_line) = (earlier.saturating_add(1), self.line?);
        if self.tags.is_empty() && self.moves.is_empty() {
            return None;
        }
        let broken = |line: usize, why: Message, before: Option<Recorded>| {
            let place = Some(Place::Line(line));
            Some(Err(Broken { number, place, why, is_illegal: false, before: before.map(Box::new) }))
        };
        let tag = |name: &str| self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        // Both sides lose: this is no castling.
        if tag("Result") == Some("0-0") && self.result.is_none() {
            self.moves.pop_if(|(word, _)| *word == "0-0");
        }
        let fen = tag("FEN").filter(|fen| !fen.trim().is_empty()).map(fen_of);
        let kind = match self.kind(fen.as_deref(), kind) {
            Ok(kind) => kind,
            Err(why) => return broken(first_line, why, None),
        };
        let start = Start { fen: fen.clone(), ..kind.into() };
        let mut game = match Game::at(start.clone()) {
            Ok(game) => game,
            Err(why) => return broken(first_line, message!("FEN: {why}" | "FEN：{why}", why), None),
        };
        let numbers = numbers_of(fen.as_deref());
        let ranks = game.ranks_of(self.moves.iter().take(most.plies).map(|(word, _)| *word));
        // Up to the last null move.
        let mut moves = Vec::new();
        let (mut fault, mut is_illegal) = (None, false);
        for (ply, &(word, line)) in self.moves.iter().enumerate().take(most.plies) {
            let read = match self.misplaced(ply, numbers) {
                Some(fault) => Err(fault),
                None if NULL_MOVES.contains(&word) => match passed(&game) {
                    Ok(next) if most.null_moves => {
                        moves.extend(std::mem::replace(&mut game, next).into_moves());
                        moves.push(NULL_MOVE.to_owned());
                        Ok(())
                    }
                    Ok(_) => Err((line, message!("a null move" | "空着"))),
                    Err(why) => Err((line, message!("a null move: {why}" | "空着：{why}", why))),
                },
                None => read_word(&mut game, word, ranks).map_err(|why| {
                    is_illegal = true;
                    (line, why)
                }),
            };
            if let Err(found) = read {
                fault = Some(found);
                break;
            }
        }
        if self.moves.len() <= most.plies && fault.is_none() {
            fault = self.misplaced(self.moves.len(), numbers);
        }
        let fault = fault.or(self.unclosed.take());
        // What stands behind the moves, where the tag has no result.
        let tagged = tag("Result").and_then(|tagged| result_of(tagged).or_else(|| result_in_chinese(tagged)));
        let tagged = tagged.filter(|tagged| *tagged != "*");
        let result = tagged.or(self.result).unwrap_or("*");
        match self.tags.iter_mut().find(|(name, _)| name == "Result") {
            Some((_, value)) => result.clone_into(value),
            None => self.tags.push(("Result".to_owned(), result.to_owned())),
        }
        if kind == GameKind::XIANGQI && !self.tags.iter().any(|(name, _)| name == "Format") {
            let format = self.moves.first().map(|(word, _)| format_of(word, ranks).to_owned());
            self.tags.extend(format.map(|format| ("Format".to_owned(), format)));
        }
        moves.extend(game.into_moves());
        let (mut tree, remarks) = self.tree(&start, &moves, ranks, most.variations);
        let behind = self.apart.iter().map(|text| (self.moves.len(), *text));
        let ends: Vec<_> = tree.main_line().collect();
        for (moves, text) in self.comments.iter().copied().chain(behind) {
            let Some(&id) = ends.get(moves.min(self.moves.len())) else { continue };
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            tree.node_mut(id).items.push(Item::Comment(text));
        }
        let opening = Opening { fen, moves, number, ..Opening::default() };
        let remarks = remarks.into_iter().map(|(line, why)| (Place::Line(line), why)).collect();
        let game = Recorded { remarks, ..Recorded::new(kind, opening, self.tags, tree) };
        match fault {
            Some((line, why)) => {
                let before = Some(game).filter(|game| is_illegal || !game.opening.moves.is_empty());
                broken(line, why, before).map(|game| game.map_err(|broken| Broken { is_illegal, ..broken }))
            }
            None => Some(Ok(game)),
        }
    }

    /// The moves that were read, with their glyphs and variations; and what of these cannot be read.
    fn tree(
        &self,
        start: &Start,
        moves: &[String],
        ranks: Ranks,
        with_variations: bool,
    ) -> (Tree, Vec<(usize, Message)>) {
        let mut tree = Tree::with_capacity(moves.len());
        let (offset, _) = numbers_of(start.fen.as_deref());
        let first = if offset == 1 { Side::Second } else { Side::First };
        let mut sides = std::iter::successors(Some(first), |side| Some(side.other()));
        let (mut at, mut glyphs) = (ROOT, self.glyphs.iter().peekable());
        for (ply, mv) in moves.iter().enumerate() {
            let Some((side, mv)) = sides.next().zip(MoveText::new(mv)) else { break };
            at = tree.play(at, side, mv);
            while let Some((_, glyph)) = glyphs.next_if(|(before, _)| *before <= ply) {
                tree.node_mut(at).items.push(Item::Glyph(*glyph));
            }
        }
        let variations = if with_variations { self.variations.as_slice() } else { &[] };
        let remarks = variations::read(&mut tree, start, ranks, variations);
        (tree, remarks)
    }

    /// What is played: by the tags, by the caller, or what the FEN or the first move can only be of.
    fn kind(&self, fen: Option<&str>, asked: Option<GameKind>) -> Result<GameKind, Message> {
        let tag =
            |name: &str| self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.to_lowercase());
        let named = match (tag("Game").as_deref(), tag("Variant").as_deref()) {
            (Some("chinese chess" | "xiangqi"), _) => Some(GameKind::XIANGQI),
            (_, Some("xiangqi" | "chinese chess" | "chinese")) => Some(GameKind::XIANGQI),
            (_, Some(name)) if CHESS960.iter().any(|known| is_named(name, known)) => Some(GameKind::CHESS960),
            (_, Some(name)) if name.is_empty() || CHESS.contains(&name) => None,
            (_, None) => None,
            (_, Some(other)) if asked.is_none() => {
                let name = shortened(other, LONGEST_WORD);
                return Err(message!("a game of {name:?}" | "“{name}”的对局", name));
            }
            _ => None,
        };
        let ranks = fen.map(|fen| fen.split(' ').next().unwrap_or("").matches('/').count());
        let by_ranks = match ranks {
            Some(9) => Some(GameKind::XIANGQI),
            Some(7) => Some(GameKind::CHESS),
            _ => None,
        };
        // Chess960 may be asked for where the tags do not name the game.
        let asked_chess = asked.filter(|kind| *kind != GameKind::XIANGQI);
        Ok(named
            .or(if by_ranks == Some(GameKind::CHESS) { asked_chess.or(by_ranks) } else { by_ranks })
            .or(asked)
            .or_else(|| (fen.is_none() && self.reads_as_xiangqi()).then_some(GameKind::XIANGQI))
            .unwrap_or_default())
    }

    /// Whether the first moves, from the usual start, can only be of xiangqi.
    fn reads_as_xiangqi(&self) -> bool {
        let words = self.moves.iter().map(|(word, _)| *word).take(PLIES_OF_ONE_GAME);
        let read = |kind: GameKind| {
            let Ok(mut game) = Game::at(kind.into()) else { return 0 };
            let ranks = game.ranks_of(words.clone());
            words.clone().take_while(|word| read_word(&mut game, word, ranks).is_ok()).count()
        };
        let (all, as_chess) = (words.len(), read(GameKind::CHESS));
        if as_chess == all {
            return false;
        }
        // One move more that can be read is no proof: the chess may have a fault there. Nor is a single pawn
        // move, `e5`.
        let as_xiangqi = read(GameKind::XIANGQI);
        let is_long = all > 1 || words.clone().all(|word| word.len() > 3);
        let is_certain = as_xiangqi == all && is_long || !words.clone().all(str::is_ascii);
        as_xiangqi > as_chess.saturating_add(usize::from(!is_certain))
    }
}

fn read_word(game: &mut Game, word: &str, ranks: Ranks) -> Result<(), Message> {
    let word = shortened(word, LONGEST_WORD);
    game.play_with(&word, ranks).or_else(|why| match game.kind() {
        GameKind::XIANGQI => Err(why),
        _ => game.play_with(&respelled(&word), ranks).map_err(|_| why),
    })
}

/// The legal move that a word names, as PGN has it or as programs write it.
fn move_of(game: &Game, word: &str, ranks: Ranks) -> Result<String, Message> {
    game.read_with(word, ranks).or_else(|why| match game.kind() {
        GameKind::XIANGQI => Err(why),
        _ => game.read(&respelled(word)).map_err(|_| why),
    })
}

/// The first `most` letters of a text, which is quoted in errors.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A FEN with the letter `r` that xiangqi programs write for Red to move.
pub fn fen_of(text: &str) -> String {
    // No FEN is that long.
    let text = shortened(text, LONGEST_FEN);
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    if let Some(side) = fields.get_mut(1).filter(|side| **side == "r") {
        *side = "w";
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests;
