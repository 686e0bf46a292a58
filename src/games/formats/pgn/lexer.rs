//! The words, tags, comments and variations of PGN as they come.

use super::words::{is_blank, length_of_word};
use crate::message;
use crate::util::message::Message;

pub(super) enum Token<'a> {
    Tag(&'a str, String),
    Word(&'a str),
    /// What stands in braces or in Chinese brackets, or behind a semicolon.
    Comment(&'a str),
    /// What stands in brackets, and the brackets.
    Variation(&'a str),
    /// The brackets of a variation, where it is taken apart.
    Open,
    Close,
    /// A comment or a variation that nothing closes before the next game or the end: what it is reported as.
    Unclosed(Message),
}

pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    /// The line where it begins, from 1.
    pub(super) line: usize,
    /// It begins a line behind an empty one.
    pub(super) is_apart: bool,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    /// What has not been read yet.
    pub(super) rest: &'a str,
    line: usize,
    starts_line: bool,
    /// Variations are taken apart.
    is_nested: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, line: usize, is_nested: bool) -> Self {
        Self { text, rest: text, line, starts_line: true, is_nested }
    }

    /// Goes on by `count` bytes, which it gives.
    pub(super) fn skip(&mut self, count: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(count);
        self.line = self.line.saturating_add(passed.bytes().filter(|byte| *byte == b'\n').count());
        self.starts_line = passed.ends_with('\n');
        self.rest = rest;
        passed
    }

    /// Goes on behind the end of the line, and gives what it passed.
    fn skip_line(&mut self) -> &'a str {
        let count = self.rest.split_inclusive('\n').next().map_or(0, str::len);
        self.skip(count)
    }

    pub(super) fn rest_of_line(&self) -> &'a str {
        self.rest.lines().next().unwrap_or_default()
    }

    /// Goes on behind the end of the line, and gives what of it stands from the word before on.
    pub(super) fn skip_title(&mut self, word: &str) -> &'a str {
        let from = self.text.len().saturating_sub(self.rest.len()).saturating_sub(word.len());
        self.skip_line();
        let end = self.text.len().saturating_sub(self.rest.len());
        self.text.get(from..end).unwrap_or_default()
    }

    /// Whether a line begins here, behind an empty one.
    fn is_apart(&self) -> bool {
        if !self.starts_line {
            return false;
        }
        let before = self.text.get(..self.text.len().saturating_sub(self.rest.len())).unwrap_or_default();
        let last_line = before.strip_suffix('\n').and_then(|before| before.rsplit('\n').next());
        last_line.is_some_and(|line| line.trim().is_empty())
    }

    /// Whether the tags of a game begin here: comments and variations do not go on behind them.
    fn begins_game(&self) -> bool {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = self.rest.strip_prefix('[').unwrap_or_default();
        let behind = name.trim_start_matches(is_of_name);
        behind.len() < name.len() && behind.trim_start_matches(' ').starts_with('"') && self.is_apart()
    }

    /// Goes on behind the next `end` and gives what it passed. `None`: a game begins before it, or there is
    /// none.
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
        text.map_or_else(
            || Token::Unclosed(message!("a comment that is not closed" | "注释没有结束")),
            Token::Comment,
        )
    }

    /// Goes on behind a comment that ends with its line, and gives it.
    fn comment_to_line_end(&mut self) -> &'a str {
        let text = self.skip_line();
        text.strip_prefix(';').unwrap_or(text)
    }

    /// Goes on behind a variation and gives it.
    fn variation(&mut self) -> Token<'a> {
        let (from, mut depth) = (self.rest, 0_usize);
        while !self.begins_game() {
            let is_sign = |byte: u8| matches!(byte, b'{' | b';' | b'(' | b')' | b'\n');
            let Some(plain) = self.rest.bytes().position(is_sign) else {
                self.skip(self.rest.len());
                break;
            };
            let sign = self.skip(plain.saturating_add(1)).as_bytes().last();
            match sign {
                Some(b'{') if self.skip_past('}').is_none() => break,
                Some(b';') => drop(self.skip_line()),
                Some(b'(') => depth = depth.saturating_add(1),
                Some(b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                let length = from.len().saturating_sub(self.rest.len());
                return Token::Variation(from.get(..length).unwrap_or_default());
            }
        }
        Token::Unclosed(message!("a variation that is not closed" | "变化没有结束"))
    }

    pub(super) fn next(&mut self) -> Option<Placed<'a>> {
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
                '(' | ')' if self.is_nested => {
                    self.skip(1);
                    if c == '(' { Token::Open } else { Token::Close }
                }
                '(' => self.variation(),
                '[' => {
                    let (tag, length) = tag(self.rest);
                    self.skip(length);
                    match tag {
                        Some((name, value)) => Token::Tag(name, value),
                        None => continue,
                    }
                }
                ' ' => {
                    self.skip(self.rest.len().saturating_sub(self.rest.trim_start_matches(' ').len()));
                    continue;
                }
                c if is_blank(c) || matches!(c, ')' | '）' | '}' | ']') => {
                    self.skip(c.len_utf8());
                    continue;
                }
                // This result is a token by itself.
                '*' => Token::Word(self.skip(1)),
                _ => Token::Word(self.skip(length_of_word(self.rest, length_to_sign(self.rest)))),
            };
            return Some(Placed { token, line, is_apart });
        }
    }
}

/// How many bytes stand before the first sign that ends a word.
fn length_to_sign(text: &str) -> usize {
    let ends = |c: char| is_blank(c) || matches!(c, '{' | '(' | '（' | ')' | '）' | ';' | '[' | '}' | '*');
    let plain = text.bytes().position(|byte| !byte.is_ascii() || ends(char::from(byte)));
    match plain {
        Some(at) if text.as_bytes().get(at).is_some_and(u8::is_ascii) => at,
        _ => text.find(ends).unwrap_or(text.len()),
    }
}

/// The tag at the start of a text, and how many bytes it takes.
fn tag(text: &str) -> (Option<(&str, String)>, usize) {
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
            // A quote that was not escaped stands within the value if more of it follows.
            '"' if chars.as_str().trim_start_matches([' ', '\t']).starts_with(']') => {
                chars.find(|&(_, c)| c == ']');
                return (Some((name, value)), chars.offset());
            }
            _ if open => value.push(c),
            ']' => return (None, chars.offset()),
            _ => {}
        }
    }
    ((open && !name.is_empty()).then_some((name, value)), length)
}
