//! Openings from PGN: the moves of each game, by the rules of the game.
//!
//! Comments, variations, annotation glyphs and move numbers are skipped; a game that starts from a FEN keeps
//! it. Moves are read as standard algebraic notation and as coordinates.

use super::notation::{chess_move, xiangqi_move};
use super::record::{GameKind, Opening};
use crate::chess::Board;
use crate::game::{AlphaBetaGame, Game, Notation};
use crate::xiangqi;

/// All games of `text` as openings, each cut to its first `plies` moves.
/// # Errors
/// The number of the game, and the move that cannot be played.
pub fn openings(text: &str, kind: GameKind, plies: usize) -> Result<Vec<Opening>, String> {
    let mut found = Vec::new();
    for (tags, moves) in games(text) {
        let number = found.len() + 1;
        let moves: Vec<&str> = tokens(moves).into_iter().take(plies).collect();
        let fen = tag(tags, "FEN");
        let in_coordinates = match kind {
            GameKind::Xiangqi => xiangqi_moves(fen, &moves),
            _ => chess_moves(fen, &moves, kind),
        };
        let moves = in_coordinates.map_err(|e| format!("game {number}: {e}"))?;
        found.push(Opening { fen: fen.map(str::to_owned), moves, number });
    }
    Ok(found)
}

/// What the games of `text` say of their results, `*` where they say nothing.
pub fn results(text: &str) -> Vec<&str> {
    games(text).into_iter().map(|(tags, _)| tag(tags, "Result").unwrap_or("*")).collect()
}

/// The value of a tag.
fn tag<'a>(tags: &'a str, name: &str) -> Option<&'a str> {
    let value = |line: &'a str| {
        line.trim().strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?.split('"').next()
    };
    tags.lines().find_map(value)
}

/// Tag sections, each with the moves that follow it.
fn games(text: &str) -> Vec<(&str, &str)> {
    let is_tag = |line: &str| line.trim_start().starts_with('[');
    let mut starts = Vec::new();
    let (mut at, mut in_tags, mut depth) = (0, false, 0i32);
    for line in text.split_inclusive('\n') {
        let tag = depth == 0 && is_tag(line);
        if tag && !in_tags {
            starts.push(at);
        }
        in_tags = tag;
        if !tag {
            // A comment may hold anything, lines that look like tags among them.
            depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let sections = starts.iter().zip(ends).map(|(&start, end)| &text[start..end]);
    sections
        .map(|section| {
            let tags: usize = section.split_inclusive('\n').take_while(|l| is_tag(l)).map(str::len).sum();
            section.split_at(tags)
        })
        .collect()
}

/// The words that are moves.
fn tokens(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut comment, mut depth) = (Vec::new(), None, false, 0);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let ends = c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | '.');
        if ends {
            if let Some(from) = start.take()
                && !comment
                && depth == 0
            {
                found.push(&text[from..at]);
            }
        } else if start.is_none() {
            start = Some(at);
        }
        match c {
            '{' => comment = true,
            '}' => comment = false,
            '(' if !comment => depth += 1,
            ')' if !comment => depth -= 1,
            _ => {}
        }
    }
    let is_move = |word: &&str| {
        let number = word.bytes().all(|b| b.is_ascii_digit());
        !number && !word.starts_with('$') && !["1-0", "0-1", "1/2-1/2", "*"].contains(word)
    };
    found.retain(is_move);
    found
}

fn start<G: AlphaBetaGame>(fen: Option<&str>) -> Result<G, String> {
    fen.map_or_else(|| Ok(G::start()), <G as AlphaBetaGame>::from_fen)
}

fn chess_moves(fen: Option<&str>, moves: &[&str], kind: GameKind) -> Result<Vec<String>, String> {
    let mut board: Board = start(fen)?;
    let notation = if kind == GameKind::Chess960 { Notation::Chess960 } else { Notation::Coordinate };
    let play = |text: &&str| {
        let mv = chess_move(&board, text, notation)?;
        let written = board.move_text(mv, notation);
        Game::do_move(&mut board, mv, &mut ());
        Ok(written)
    };
    moves.iter().map(play).collect()
}

fn xiangqi_moves(fen: Option<&str>, moves: &[&str]) -> Result<Vec<String>, String> {
    let mut board: xiangqi::Board = start(fen)?;
    let play = |text: &&str| {
        let mv = xiangqi_move(&board, text)?;
        let written = board.move_text(mv, Notation::Coordinate);
        Game::do_move(&mut board, mv, &mut ());
        Ok(written)
    };
    moves.iter().map(play).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "[Event \"one\"]\n[Result \"*\"]\n\n1. e4 {good} e5 2. Nf3 (2. f4 exf4) Nc6 $1 3.Bb5 a6 *\n\n\
        [Event \"two\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O {a comment with\n[brackets \"in\"] it} Ke7 1-0\n";

    #[test]
    fn games_become_openings() {
        let found = openings(GAMES, GameKind::Chess, 5).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
        assert_eq!(found[1].moves, ["e1g1", "e8e7"]);
        assert_eq!(results(GAMES), ["*", "*"]);
        assert_eq!(results("[Event \"x\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"), ["0-1"]);
        assert_eq!(found[1].fen.as_deref(), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    }

    #[test]
    fn xiangqi_games_are_read_as_iccs() {
        let found =
            openings("[Game \"Chinese Chess\"]\n\n1. H2-E2 {book} H9-G7 *\n", GameKind::Xiangqi, 9).unwrap();
        assert_eq!(found[0].moves, ["h2e2", "h9g7"]);
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let error = openings("[Event \"x\"]\n\n1. e4 e4 *\n", GameKind::Chess, 9).unwrap_err();
        assert!(error.starts_with("game 1: "), "{error}");
    }
}
