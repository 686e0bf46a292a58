//! PGN of chess and xiangqi as programs really write it.
//!
//! Read are tags, the moves of the main line in any notation with the comments, the glyphs and the variations behind
//! them, and results; of what stands behind a result only comments are read. A game needs no tags.

mod words;
mod write;

pub use words::result_in_chinese;
pub use write::{Headings, civil, date, head, tag_value, wrap, write};

use super::{Broken, Margin, Most, Place, Recorded};
use crate::games::game::{Game, Position, Start};
use crate::games::record::{GameKind, Opening};
use std::borrow::Cow;
use std::collections::HashSet;
use words::{
    CHESS, CHESS960, REMARKS, ascii_digit, glyph, is_blank, is_dash, is_named, length_of_word, numbers_of,
    respelled, result_of, undecorated,
};

/// How programs write that a side does not move.
const NULL_MOVES: [&str; 2] = ["--", "Z0"];

/// Letters of a word that are read, and told: no move has more.
const LONGEST_WORD: usize = 40;

/// The same of a FEN.
const LONGEST_FEN: usize = 200;

/// The games of `text` up to `most`.
pub fn read(text: &str, kind: Option<GameKind>, most: Most) -> Vec<Result<Recorded, Broken>> {
    let plies = most.plies;
    let mut games = Vec::new();
    let mut lexer = Lexer { text, rest: text, line: 1, starts_line: true };
    let mut game = Draft::default();
    while let Some(Placed { token, line, is_apart }) = lexer.next() {
        if games.len() >= most.games {
            return games;
        }
        match token {
            Token::Tag(name, value) => {
                if game.ends_before(&name, is_apart) {
                    games.extend(std::mem::take(&mut game).finish(games.len(), kind, plies));
                }
                game.line.get_or_insert(line);
                game.tag(name, value);
            }
            Token::Comment(text) => game.comment(text, is_apart),
            Token::Variation(text) => game.variation(text),
            // Behind the result nothing is lost by it.
            Token::Unclosed(_) if game.is_over => {}
            Token::Unclosed(why) => {
                game.line.get_or_insert(line);
                game.unclosed.get_or_insert((line, why));
            }
            // Some programs sign below the result.
            Token::Word(word) if game.is_over && !begins_a_game(word) => {}
            Token::Word(word) => {
                if game.is_over {
                    let apart = std::mem::take(&mut game.apart);
                    games.extend(std::mem::take(&mut game).finish(games.len(), kind, plies));
                    game.comments.extend(apart.into_iter().map(|text| (0, text)));
                }
                game.line.get_or_insert(line);
                game.word(word, line);
            }
        }
    }
    games.extend(game.finish(games.len(), kind, plies));
    games
}

/// Whether the word is the number of a first move, or that and the move. A date has another digit behind the point.
fn begins_a_game(word: &str) -> bool {
    let is_move = |text: &str| text.is_empty() || text.starts_with(char::is_alphabetic);
    let behind = word.strip_prefix(['1', '１']);
    behind.is_some_and(|text| text.is_empty() || text.strip_prefix(['.', '．', '、']).is_some_and(is_move))
}

/// The notation of a move of xiangqi, as the tag `Format` names it.
fn format_of(mv: &str) -> &'static str {
    let is_iccs = mv.bytes().filter(|byte| *byte != b'-').enumerate().all(|(i, byte)| match i % 2 {
        0 => matches!(byte, b'a'..=b'i' | b'A'..=b'I'),
        _ => byte.is_ascii_digit(),
    });
    if is_iccs {
        "ICCS"
    } else if mv.is_ascii() {
        "WXF"
    } else {
        "Chinese"
    }
}

enum Token<'a> {
    Tag(String, String),
    Word(&'a str),
    /// What stands in braces or in Chinese brackets, or behind a semicolon.
    Comment(&'a str),
    /// What stands in brackets, and the brackets.
    Variation(String),
    /// A comment or a variation that nothing closes before the next game or the end: what it is told as.
    Unclosed(&'static str),
}

/// A token and where it stands.
struct Placed<'a> {
    token: Token<'a>,
    /// The line where it begins, from 1.
    line: usize,
    /// It begins a line behind an empty one.
    is_apart: bool,
}

struct Lexer<'a> {
    text: &'a str,
    /// What has not been read yet.
    rest: &'a str,
    line: usize,
    starts_line: bool,
}

impl<'a> Lexer<'a> {
    /// Goes on by `count` bytes, which it gives.
    fn skip(&mut self, count: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(count);
        self.line = self.line.saturating_add(passed.matches('\n').count());
        self.starts_line = passed.ends_with('\n');
        self.rest = rest;
        passed
    }

    /// Goes on behind the end of the line, and gives what it passed.
    fn skip_line(&mut self) -> &'a str {
        let count = self.rest.split_inclusive('\n').next().map_or(0, str::len);
        self.skip(count)
    }

    /// Whether a line begins here, behind an empty one.
    fn is_apart(&self) -> bool {
        let before = self.text.get(..self.text.len().saturating_sub(self.rest.len())).unwrap_or_default();
        let last_line = before.strip_suffix('\n').and_then(|before| before.rsplit('\n').next());
        self.starts_line && last_line.is_some_and(|line| line.trim().is_empty())
    }

    /// Whether the tags of a game begin here: comments and variations do not go on behind them.
    fn begins_game(&self) -> bool {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = self.rest.strip_prefix('[').unwrap_or_default();
        let behind = name.trim_start_matches(is_of_name);
        behind.len() < name.len() && behind.trim_start_matches(' ').starts_with('"') && self.is_apart()
    }

    /// Goes on behind the next `end` and gives what it passed. `None`: a game begins before it, or there is none.
    fn skip_past(&mut self, end: char) -> Option<&'a str> {
        let from = self.rest;
        while !self.rest.is_empty() && !self.begins_game() {
            let line = self.rest.split_inclusive('\n').next().unwrap_or_default();
            let Some(at) = line.find(end) else {
                self.skip(line.len());
                continue;
            };
            self.skip(at.saturating_add(end.len_utf8()));
            return from.get(..from.len().saturating_sub(self.rest.len()));
        }
        None
    }

    /// Goes on behind what `open` and `close` enclose, and gives it.
    fn enclosed(&mut self, open: char, close: char) -> Token<'a> {
        let text = self.skip_past(close).and_then(|text| text.strip_prefix(open)?.strip_suffix(close));
        text.map_or(Token::Unclosed("a comment that is not closed"), Token::Comment)
    }

    /// Goes on behind a comment that ends with its line, and gives it.
    fn comment_to_line_end(&mut self) -> &'a str {
        let text = self.skip_line();
        text.strip_prefix(';').unwrap_or(text)
    }

    /// Goes on behind a variation and gives it, all its comments in braces.
    fn variation(&mut self) -> Token<'a> {
        let (mut text, mut depth) = (String::new(), 0_usize);
        while let Some(c) = self.rest.chars().next().filter(|_| !self.begins_game()) {
            match c {
                '{' => match self.skip_past('}') {
                    Some(comment) => text.push_str(comment),
                    None => break,
                },
                ';' => {
                    let comment = self.comment_to_line_end().replace('}', "");
                    text.push_str(&format!("{{{}}} ", comment.trim()));
                }
                _ => text.push_str(self.skip(c.len_utf8())),
            }
            depth = match c {
                '(' => depth.saturating_add(1),
                ')' => depth.saturating_sub(1),
                _ => depth,
            };
            if depth == 0 {
                return Token::Variation(text);
            }
        }
        Token::Unclosed("a variation that is not closed")
    }

    fn next(&mut self) -> Option<Placed<'a>> {
        loop {
            let c = self.rest.chars().next()?;
            let (line, is_apart) = (self.line, self.is_apart());
            let token = match c {
                '%' if self.starts_line => {
                    self.skip_line();
                    continue;
                }
                ';' => Token::Comment(self.comment_to_line_end()),
                '{' => self.enclosed('{', '}'),
                '（' => self.enclosed('（', '）'),
                '(' => self.variation(),
                '[' => {
                    let (tag, length) = tag(self.rest);
                    self.skip(length);
                    match tag {
                        Some((name, value)) => Token::Tag(name, value),
                        None => continue,
                    }
                }
                c if is_blank(c) || matches!(c, ')' | '）' | '}' | ']') => {
                    self.skip(c.len_utf8());
                    continue;
                }
                // This result is a token by itself.
                '*' => Token::Word(self.skip(1)),
                _ => {
                    let ends = |c: char| {
                        is_blank(c) || matches!(c, '{' | '(' | '（' | ')' | '）' | ';' | '[' | '}' | '*')
                    };
                    let length = self.rest.find(ends).unwrap_or(self.rest.len());
                    Token::Word(self.skip(length_of_word(self.rest, length)))
                }
            };
            return Some(Placed { token, line, is_apart });
        }
    }
}

/// The tag at the start of a text, and how many bytes it takes.
fn tag(text: &str) -> (Option<(String, String)>, usize) {
    let mut value = String::new();
    let (mut escaped, mut open) = (false, false);
    let (mut name, mut length) = ("", text.len());
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            // What is not closed ends with its line.
            '\n' => {
                length = at;
                break;
            }
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' if open => escaped = true,
            '"' if !open => {
                name = text.get(1..at).unwrap_or_default().trim();
                open = true;
            }
            // A quote that nobody escaped stands within the value if more of it follows.
            '"' if chars.as_str().trim_start_matches([' ', '\t']).starts_with(']') => {
                chars.find(|&(_, c)| c == ']');
                return (Some((name.to_owned(), value)), chars.offset());
            }
            _ if open => value.push(c),
            ']' => return (None, chars.offset()),
            _ => {}
        }
    }
    ((open && !name.is_empty()).then(|| (name.to_owned(), value)), length)
}

/// A game as its tokens come.
#[derive(Default)]
struct Draft<'a> {
    line: Option<usize>,
    tags: Vec<(String, String)>,
    /// Their names.
    told: HashSet<String>,
    /// Moves with their lines.
    moves: Vec<(&'a str, usize)>,
    /// Words that are no move, with the number of moves before them and their lines.
    skipped: Vec<(usize, &'a str, usize)>,
    /// Comments by the number of moves before them.
    comments: Vec<(usize, &'a str)>,
    /// Comments apart from the game, behind its result: the next game's, if that has no tags.
    apart: Vec<&'a str>,
    margin: Margin,
    /// What is not closed, and the line where it begins.
    unclosed: Option<(usize, &'static str)>,
    has_moves: bool,
    is_over: bool,
    result: Option<&'static str>,
}

impl<'a> Draft<'a> {
    fn tag(&mut self, name: String, value: String) {
        self.told.insert(name.clone());
        self.tags.push((name, value));
    }

    /// Whether a tag is the next game's. That of a game without moves and result is known by an empty line, and by its name,
    /// which begins a game or has been told.
    fn ends_before(&self, name: &str, is_apart: bool) -> bool {
        let is_next = || is_apart && !self.tags.is_empty() && (name == "Event" || self.told.contains(name));
        self.has_moves || self.is_over || self.unclosed.is_some() || is_next()
    }

    fn word(&mut self, word: &'a str, line: usize) {
        let result = result_of(word);
        if result.is_some() {
            (self.result, self.is_over) = (result, true);
            return;
        }
        self.has_moves = true;
        let whole = word;
        let marked = without_number(word);
        let word = marked.trim_end_matches(['!', '?']);
        let glyphs = word.find('$').and_then(|at| word.get(at..)).unwrap_or_default();
        let word = undecorated(word);
        let is_sign =
            |c| is_dash(c) || matches!(c, '.' | '…' | '+' | '=' | '/' | '\\' | '±' | '∓' | '∞' | '⩲' | '⩱');
        let is_move = NULL_MOVES.contains(&word) || !word.chars().all(is_sign) && !REMARKS.contains(&word);
        if is_move {
            self.moves.push((word, line));
        } else if glyphs.is_empty() {
            self.skipped.push((self.moves.len(), whole, line));
        }
        let sign = marked.get(marked.trim_end_matches(['!', '?']).len()..).and_then(glyph);
        let numbered =
            glyphs.split('$').filter(|number| !number.is_empty()).map(|number| format!("${number}"));
        for glyph in numbered.chain(sign.map(str::to_owned)) {
            // Before the first move stands what is thought of it.
            self.margin.glyphs.push((self.last_ply().unwrap_or(0), glyph));
        }
    }

    /// The first word that is skipped where a move is due, `ply` moves after the start with `first` to move: a dash, a zero or
    /// a number that is not the move's, and dots where nobody has left out a move.
    fn misplaced(&self, ply: usize, numbers: (usize, usize)) -> Option<(usize, String)> {
        let from = self.skipped.partition_point(|(before, ..)| *before < ply);
        let here = self.skipped.get(from..)?.iter().take_while(|(before, ..)| *before == ply);
        let (offset, number) = numbers;
        let is_first = offset.saturating_add(ply).is_multiple_of(2);
        let due = number.saturating_add(offset.saturating_add(ply) / 2);
        let is_wrong = |word: &str| {
            let digits: String = word.chars().filter_map(ascii_digit).collect();
            let behind = word.trim_start_matches(|c| ascii_digit(c).is_some());
            if digits.is_empty() {
                let dots = word.chars().all(|c| matches!(c, '.' | '…'));
                return word.chars().all(is_dash)
                    || matches!(word, "/" | "\\")
                    || dots && is_first && word != ".";
            }
            behind.is_empty()
                && digits.parse() != Ok(due)
                && digits.parse() != Ok(due.saturating_sub(number).saturating_add(1))
        };
        let (_, word, line) = here.clone().find(|(_, word, _)| is_wrong(word))?;
        Some((*line, format!("{:?} stands where a move is due", shortened(word, LONGEST_WORD))))
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

    fn variation(&mut self, text: String) {
        if let Some(ply) = self.last_ply().filter(|_| !self.is_over) {
            self.margin.variations.push((ply, text));
        }
    }

    /// The game that stands behind `earlier` others, if there is one.
    fn finish(
        mut self,
        earlier: usize,
        kind: Option<GameKind>,
        plies: usize,
    ) -> Option<Result<Recorded, Broken>> {
        let (number, first_line) = (earlier.saturating_add(1), self.line?);
        if self.tags.is_empty() && self.moves.is_empty() {
            return None;
        }
        let broken = |line: usize, why: String, before: Option<Recorded>| {
            let place = Some(Place::Line(line));
            Some(Err(Broken { number, place, why, before: before.map(Box::new) }))
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
        let mut game = match Game::at(Start { fen: fen.clone(), ..kind.into() }) {
            Ok(game) => game,
            Err(why) => return broken(first_line, format!("FEN: {why}"), None),
        };
        let numbers = numbers_of(fen.as_deref());
        let mut fault = None;
        for (ply, &(word, line)) in self.moves.iter().enumerate().take(plies) {
            let read = match self.misplaced(ply, numbers) {
                Some(fault) => Err(fault),
                None => read_word(&mut game, word).map_err(|why| (line, why)),
            };
            if let Err(found) = read {
                fault = Some(found);
                break;
            }
        }
        if self.moves.len() <= plies && fault.is_none() {
            fault = self.misplaced(self.moves.len(), numbers);
        }
        let fault = fault.or(self.unclosed.map(|(line, why)| (line, why.to_owned())));
        // What stands behind the moves, where the tag says nothing that is a result.
        let told = tag("Result").and_then(|told| result_of(told).or_else(|| result_in_chinese(told)));
        let told = told.filter(|told| *told != "*");
        let result = told.or(self.result).unwrap_or("*");
        match self.tags.iter_mut().find(|(name, _)| name == "Result") {
            Some((_, value)) => result.clone_into(value),
            None => self.tags.push(("Result".to_owned(), result.to_owned())),
        }
        if kind == GameKind::XIANGQI && !self.tags.iter().any(|(name, _)| name == "Format") {
            let format = self.moves.first().map(|(word, _)| format_of(word).to_owned());
            self.tags.extend(format.map(|format| ("Format".to_owned(), format)));
        }
        let mut comments = vec![String::new(); game.moves().len()];
        let behind = self.apart.into_iter().map(|text| (self.moves.len(), text));
        for (moves, text) in self.comments.into_iter().chain(behind) {
            let comment = match moves.min(self.moves.len()).checked_sub(1) {
                Some(last) => comments.get_mut(last),
                None => Some(&mut self.margin.preface),
            };
            if let Some(comment) = comment {
                for word in text.split_whitespace() {
                    if !comment.is_empty() {
                        comment.push(' ');
                    }
                    comment.push_str(word);
                }
            }
        }
        let opening = Opening { fen, moves: game.into_moves(), number };
        let (tags, margin) = (self.tags, self.margin);
        let game = Recorded { kind, opening, comments, tags, go: None, line: None, margin };
        match fault {
            Some((line, why)) => broken(line, why, Some(game).filter(|game| !game.opening.moves.is_empty())),
            None => Some(Ok(game)),
        }
    }

    /// What is played: as the tags say, or as the reader was told, or what the FEN or the first move can only be of.
    fn kind(&self, fen: Option<&str>, told: Option<GameKind>) -> Result<GameKind, String> {
        let tag =
            |name: &str| self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.to_lowercase());
        let named = match (tag("Game").as_deref(), tag("Variant").as_deref()) {
            (Some("chinese chess" | "xiangqi"), _) => Some(GameKind::XIANGQI),
            (_, Some("xiangqi" | "chinese chess" | "chinese")) => Some(GameKind::XIANGQI),
            (_, Some(name)) if CHESS960.iter().any(|known| is_named(name, known)) => Some(GameKind::CHESS960),
            (_, Some(name)) if name.is_empty() || CHESS.contains(&name) => None,
            (_, None) => None,
            (_, Some(other)) if told.is_none() => {
                return Err(format!("a game of {:?}", shortened(other, LONGEST_WORD)));
            }
            _ => None,
        };
        let ranks = fen.map(|fen| fen.split(' ').next().unwrap_or("").matches('/').count());
        let by_ranks = match ranks {
            Some(9) => Some(GameKind::XIANGQI),
            Some(7) => Some(GameKind::CHESS),
            _ => None,
        };
        // Chess960 may be asked for where the tags say nothing.
        let told_chess = told.filter(|kind| *kind != GameKind::XIANGQI);
        let by_move = self.moves.first().filter(|(word, _)| {
            let reads =
                |kind: GameKind| Position::at(&kind.into()).is_ok_and(|start| start.read(word).is_ok());
            fen.is_none() && !reads(GameKind::CHESS) && reads(GameKind::XIANGQI)
        });
        Ok(named
            .or(if by_ranks == Some(GameKind::CHESS) { told_chess.or(by_ranks) } else { by_ranks })
            .or(told)
            .or(by_move.map(|_| GameKind::XIANGQI))
            .unwrap_or_default())
    }
}

fn read_word(game: &mut Game, word: &str) -> Result<(), String> {
    if NULL_MOVES.contains(&word) {
        return Err("a null move".to_owned());
    }
    let word = shortened(word, LONGEST_WORD);
    let read = game.play_text(&word).or_else(|why| match game.kind() {
        GameKind::XIANGQI => Err(why),
        _ => game.play_text(&respelled(&word)).map_err(|_| why),
    });
    Ok(read?)
}

/// The word behind the number of a move: `e4` of `12.e4`; nothing of `12.`, `12...` and a lone number.
pub fn without_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '０'..='９'));
    let after = behind.trim_start_matches(['.', '…', '．', '、']);
    let has_number = behind.len() < word.len();
    if has_number && (after.len() < behind.len() || after.is_empty()) { after } else { word }
}

/// A text of at most so many letters: what is wrong is told with it.
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
mod tests {
    use super::*;

    const GAMES: &str = "[Event \"one\"]\n[Result \"*\"]\n\n1. e4 {good} e5 2. Nf3 (2. f4 exf4) Nc6 $1 3.Bb5! a6 *\n\n\
        [Event \"two\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. 0-0 {a comment with\n[brackets \"in\"] it} Ke7 1-0\n";

    fn whole(text: &str) -> Vec<Recorded> {
        read(text, None, Most::ALL).into_iter().map(Result::unwrap).collect()
    }

    #[test]
    fn games_are_read_with_their_tags() {
        let found = whole(GAMES);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].opening.moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
        assert_eq!(found[1].opening.moves, ["e1g1", "e8e7"]);
        assert_eq!((found[0].result(), found[1].result()), ("*", "1-0"));
        assert_eq!(found[0].comments, ["good", "", "", "", "", ""]);
        let margin = &found[0].margin;
        assert_eq!(margin.glyphs, [(3, "$1".to_owned()), (4, "$1".to_owned())]);
        assert_eq!(margin.variations, [(2, "(2. f4 exf4)".to_owned())]);
        let margin =
            &whole("{before} 1. e4 (1. d4 ; a (line\n{b) } (1. c4)) ?! 1... e5 (1... c5) *")[0].margin;
        assert_eq!((margin.preface.as_str(), margin.glyphs.len()), ("before", 1));
        let variations = ["(1. d4 {a (line} {b) } (1. c4))", "(1... c5)"].map(str::to_owned);
        assert_eq!(margin.variations, (0..).zip(variations).collect::<Vec<_>>());
        assert_eq!(found[1].comments[0], "a comment with [brackets \"in\"] it");
        assert_eq!(found[1].opening.fen.as_deref(), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        assert_eq!(read(GAMES, None, Most { games: 1, ..Most::ALL }).len(), 1);
        assert_eq!(
            read(GAMES, None, Most { plies: 3, ..Most::ALL })[0].as_ref().unwrap().opening.moves.len(),
            3
        );
    }

    #[test]
    fn games_need_no_tags_and_draws_may_be_halves() {
        let found = whole("1. e4 e5 ½-½\n\n1. d4 ; a line\n% escaped 1. e4\nd5 2.c4 *\n");
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].result(), found[1].opening.moves.len()), ("1/2-1/2", 3));
        assert_eq!(found[1].comments, ["a line", "", ""]);
        // What the tag says counts where it is a result.
        let found = whole(
            "[Result \"0-1\"]\n\n1. e4 1-0\n\n[Result \"White wins\"]\n\n1. e4 1-0\n\n[Result \"?\"]\n\n1. e4\n",
        );
        assert_eq!(found.iter().map(Recorded::result).collect::<Vec<_>>(), ["0-1", "1-0", "*"]);
        let found = whole("1.炮二平五 马8进7 1-0\n1.5.2024 甲\n1.兵七进一 卒7进1 0-1\n");
        assert_eq!(found.iter().map(|game| game.opening.moves.len()).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn xiangqi_is_read_as_its_programs_write_it() {
        let text = "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Format \"Chinese\"]\n\n1. 炮二平五 马８进７\n{评注}\n\
            2. 馬二進三  …\n2. … 车９平８\n1-0\n象棋巫师 http://www.xqbase.com/\n\n\
            [Game \"Chinese Chess\"]\n[Format \"WXF\"]\n1. C2.5 H8+7 2. H2+3 R9.8 *\n";
        let found = whole(text);
        assert_eq!(found.len(), 2);
        for game in &found {
            assert_eq!(game.opening.moves, ["h2e2", "h9g7", "h0g2", "i9h9"]);
            assert_eq!(game.kind, GameKind::XIANGQI);
        }
        let notations = ["1. 炮二平五 *\n", "1. H2-E2 *\n", "1. h2e2 *\n", "1. C2.5 *\n"].map(|moves| {
            whole(&format!("[Game \"Chinese Chess\"]\n\n{moves}"))[0].tag("Format").map(str::to_owned)
        });
        assert_eq!(notations, ["Chinese", "ICCS", "ICCS", "WXF"].map(|format| Some(format.to_owned())));
        // What is played shows in the first move.
        assert_eq!(whole("1. H2-E2 {book} H9-G7 *\n")[0].kind, GameKind::XIANGQI);
    }

    #[test]
    fn a_broken_game_is_named_and_the_others_are_read() {
        let text = format!("{GAMES}[Event \"three\"]\n\n1. e4\ne4 *\n{GAMES}");
        let found = read(&text, None, Most::ALL);
        assert_eq!(found.len(), 5);
        assert_eq!(found.iter().filter(|game| game.is_ok()).count(), 4);
        let broken = found[2].as_ref().unwrap_err();
        assert_eq!((broken.number, broken.place), (3, Some(Place::Line(14))), "{broken}");
        assert!(read("", None, Most::ALL).is_empty() && read("   \n", None, Most::ALL).is_empty());
        for null in ["--", "Z0", "Z0!?"] {
            let found = read(&format!("1. e4 e5\n2. {null} d5 *"), None, Most::ALL);
            assert_eq!(found[0].as_ref().unwrap_err().to_string(), "line 2: game 1: a null move");
        }
    }

    #[test]
    fn what_is_not_closed_ends_with_its_game_and_is_told() {
        let games = |open: &str| {
            let next = "[Event \"b\"]\n[White \"B\"]\n\n1. d4 {[x \"\"]\n\n[x] } d5 0-1\n";
            read(&format!("[Event \"a\"]\n\n1. e4 e5\n{open} c5 1-0\r\n\r\n{next}"), None, Most::ALL)
        };
        for (open, what) in
            [("(1... d6 (", "variation"), ("{oops", "comment"), ("({oops", "variation"), ("（", "comment")]
        {
            let found = games(open);
            let told = found[0].as_ref().unwrap_err().to_string();
            assert_eq!(told, format!("line 4: game 1: a {what} that is not closed"), "{open}");
            let next = found[1].as_ref().unwrap();
            assert_eq!((found.len(), next.tag("White"), next.result()), (2, Some("B"), "0-1"));
        }
        // In the last game, moves are lost as well; behind a result, nothing is.
        assert!(read("1. e4 (1. d4 e5 1-0", None, Most::ALL)[0].is_err());
        assert_eq!(whole("[Event \"a\"]\n\n1. e4 1-0\n:(\n\n[Event \"b\"]\n\n1. d4 *\n").len(), 2);
    }

    #[test]
    fn a_game_of_tags_alone_is_a_game() {
        let text = "[Event \"a\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n\n[Event \"b\"]\n[White \"B\"]\n\n\
            [Site \"c\"]\n\n1. d4 d5 0-1\n";
        let found = whole(text);
        let facts = |game: &Recorded| (game.opening.moves.len(), game.result().to_owned());
        assert_eq!(
            found.iter().map(facts).collect::<Vec<_>>(),
            [(0, "1-0".to_owned()), (2, "0-1".to_owned())]
        );
        assert_eq!((found[1].tag("White"), found[1].tag("Site")), (Some("B"), Some("c")));
    }

    #[test]
    fn comments_behind_a_result_and_glyphs_before_a_move_stay() {
        let found = whole("$1 1. e4 e5 1-0 {on time}\n\n{the next} {one}\n1. d4 d5 *\n\n{the end}\n");
        assert_eq!(found[0].margin.glyphs, [(0, "$1".to_owned())]);
        assert_eq!((&found[0].comments[1][..], &found[1].margin.preface[..]), ("on time", "the next one"));
        assert_eq!(found[1].comments, ["", "the end"]);
    }

    #[test]
    fn results_are_known_without_blanks_and_as_others_write_them() {
        let found = whole("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6*\n\n1.d4 d5 {x}*1.c4 *");
        assert_eq!(found.iter().map(|game| game.opening.moves.len()).collect::<Vec<_>>(), [6, 2, 1]);
        // Castling, and a game that both sides lose.
        let moves = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0";
        let lost = whole(&format!("[Result \"0-0\"]\n\n{moves} {{both}}\n"));
        assert_eq!((lost[0].opening.moves.len(), lost[0].result()), (6, "*"));
        assert_eq!(lost[0].comments[5], "both");
        assert_eq!(whole(moves)[0].opening.moves.len(), 7);
        let results = [("红先胜", "1-0"), ("红先负", "0-1"), ("黑胜", "0-1"), ("和棋", "1/2-1/2")];
        for (told, result) in results {
            assert_eq!(whole(&format!("[Result \"{told}\"]\n\n1. 炮二平五 *\n"))[0].result(), result);
        }
    }

    #[test]
    fn chinese_numbers_and_brackets_are_read() {
        let found = whole("１．炮二平五（中炮） 马８进７\n2、马二进三 车９平８ 1-0\n１、兵七进一 卒7进1 *\n");
        assert_eq!(found[0].opening.moves, ["h2e2", "h9g7", "h0g2", "i9h9"]);
        assert_eq!((&found[0].comments[0][..], found[1].opening.moves.len()), ("中炮", 2));
    }

    #[test]
    fn what_is_wrong_is_told_shortly() {
        let long = "x".repeat(100_000);
        for text in [
            format!("1. {long} *"),
            format!("[Game \"xiangqi\"]\n\n1. {long} *"),
            format!("[FEN \"{long}\"]\n\n1. e4 *"),
            format!("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1 {long}\"]\n\n1. e4 *"),
            format!("[Variant \"{long}\"]\n\n1. e4 *"),
        ] {
            let told = read(&text, None, Most::ALL)[0].as_ref().unwrap_err().to_string();
            assert!(told.len() < 400, "{told}");
        }
    }
}
