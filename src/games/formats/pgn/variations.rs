//! Variations of PGN as branches of the tree.

use super::lexer::{Lexer, Placed, Token};
use super::words::{REMARKS, glyphs_of, is_blank, result_of, undecorated, without_number};
use super::{LONGEST_WORD, NULL_MOVES, move_of, shortened};
use crate::games::follow::{Follower, NULL_MOVE};
use crate::games::game::{Ranks, Start};
use crate::games::tree::{Item, MoveText, Node, NodeId, Tree};
use crate::message;
use crate::util::message::Message;

/// Adds variations to the main line of a tree. They come in their order, each with its brackets, the number
/// of moves before the move that it stands behind, and its line in the file. Gives what cannot be read, and
/// its line: it stays in the tree as it is written.
pub fn read(
    tree: &mut Tree,
    start: &Start,
    ranks: Ranks,
    variations: &[(usize, &str, usize)],
) -> Vec<(usize, Message)> {
    let main: Vec<NodeId> = tree.main_line().collect();
    let Some(Ok(follower)) = (!variations.is_empty()).then(|| Follower::new(start.clone())) else {
        return Vec::new();
    };
    let mut reader = Reader { tree, follower, ranks, remarks: Vec::new() };
    let mut entered = 0_usize;
    for (ply, text, line) in variations {
        // Behind a fault there is no move that they stand for.
        let Some(&[before, _]) = main.get(*ply..ply.saturating_add(2)) else { break };
        while entered < *ply {
            entered = entered.saturating_add(1);
            let Some(id) = main.get(entered) else { break };
            let node = reader.tree.node(*id);
            if reader.follower.enter(entered, node).is_err() {
                return reader.remarks;
            }
        }
        reader.follower.back_to(*ply);
        reader.variation(before, *ply, text, *line);
    }
    reader.remarks
}

struct Reader<'t> {
    tree: &'t mut Tree,
    follower: Follower,
    ranks: Ranks,
    remarks: Vec<(usize, Message)>,
}

/// A line of play within the variations.
#[derive(Clone, Copy)]
struct Branch {
    /// Its last node so far.
    at: NodeId,
    /// How many nodes are above that.
    depth: usize,
    /// It has a move of its own.
    has_move: bool,
}

impl Reader<'_> {
    /// Reads a variation that begins below `parent`, with the game there.
    fn variation(&mut self, parent: NodeId, depth: usize, text: &str, line: usize) {
        let mut lexer = Lexer::new(text, line, true);
        let mut branches: Vec<Branch> = Vec::new();
        let mut branch = Branch { at: parent, depth, has_move: false };
        let mut preface = None;
        loop {
            let from = lexer.rest;
            let Some(Placed { token, line, .. }) = lexer.next() else { return };
            match token {
                Token::Open => {
                    branches.push(branch);
                    if branch.has_move && branches.len() > 1 {
                        self.follower.back_to(branch.depth.saturating_sub(1));
                        branch.at = self.tree.parent(branch.at).unwrap_or(branch.at);
                        branch.depth = branch.depth.saturating_sub(1);
                    }
                    (branch.has_move, preface) = (false, None);
                }
                Token::Close => {
                    let Some(before) = branches.pop().filter(|_| !branches.is_empty()) else { return };
                    branch = before;
                    match branch.has_move {
                        // It was entered before.
                        true => drop(self.follower.enter(branch.depth, self.tree.node(branch.at))),
                        false => self.follower.back_to(branch.depth),
                    }
                }
                Token::Comment(text) => {
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    match branch.has_move {
                        true => self.node(&branch).items.push(Item::Comment(text)),
                        false => preface = Some(text),
                    }
                }
                Token::Word(word) => {
                    if let Err(why) = self.word(word, &mut branch, &mut preface) {
                        self.remarks.push((line, why));
                        let text = Self::rest(&mut lexer, from);
                        self.keep(text, branch, preface.take());
                        // The bracket closes this variation.
                    }
                }
                Token::Tag(..) | Token::Variation(_) | Token::Unclosed(_) => {}
            }
        }
    }

    fn node(&mut self, branch: &Branch) -> &mut Node {
        self.tree.node_mut(branch.at)
    }

    fn word(&mut self, word: &str, branch: &mut Branch, preface: &mut Option<String>) -> Result<(), Message> {
        let marked = without_number(word);
        let text = undecorated(marked);
        let is_null = NULL_MOVES.contains(&text);
        let is_sign = text.chars().all(|c| !c.is_alphanumeric()) || REMARKS.contains(&text);
        if !is_null && (is_sign || result_of(text).is_some()) {
            let glyphs = glyphs_of(marked).into_iter().map(Item::Glyph);
            if branch.has_move {
                self.node(branch).items.extend(glyphs);
            }
            return Ok(());
        }
        let game = self.follower.game();
        let side = game.side_to_move();
        let mv = match is_null {
            true => NULL_MOVE.to_owned(),
            false => move_of(game, &shortened(text, LONGEST_WORD), self.ranks)?,
        };
        let mv = MoveText::new(&mv).ok_or_else(|| message!("{mv:?} is not a move" | "“{mv}”不是着法", mv))?;
        let depth = branch.depth.saturating_add(1);
        self.follower
            .enter(depth, &Node::of_move(side, mv))
            .inspect_err(|_| self.follower.back_to(branch.depth))?;
        let at = self.tree.play(branch.at, side, mv);
        *branch = Branch { at, depth, has_move: true };
        let items = &mut self.tree.node_mut(at).items;
        items.extend(preface.take().map(Item::Preface));
        items.extend(glyphs_of(marked).into_iter().map(Item::Glyph));
        Ok(())
    }

    /// Passes what stands before the bracket that closes this variation, and gives it with what stands from
    /// `from` on.
    fn rest<'a>(lexer: &mut Lexer<'a>, from: &'a str) -> &'a str {
        let mut depth = 0_usize;
        loop {
            let before = lexer.rest.len();
            let ends = match lexer.rest.chars().next() {
                None => true,
                Some(c) if is_blank(c) => {
                    lexer.skip(c.len_utf8());
                    continue;
                }
                Some(')') => depth == 0,
                Some(_) => false,
            };
            if ends {
                return from.get(..from.len().saturating_sub(before)).unwrap_or_default().trim();
            }
            match lexer.next().map(|placed| placed.token) {
                Some(Token::Open) => depth = depth.saturating_add(1),
                Some(Token::Close) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Keeps a text that cannot be read, in a variation without a move in a node of its own.
    fn keep(&mut self, text: &str, branch: Branch, preface: Option<String>) {
        let at = if branch.has_move { branch.at } else { self.tree.add(branch.at) };
        let items = &mut self.tree.node_mut(at).items;
        items.extend(preface.map(Item::Preface));
        items.push(Item::Unread(in_braces(text)));
    }
}

/// A text with its comments to the ends of lines in braces, for lines are broken anew.
fn in_braces(text: &str) -> String {
    let (mut result, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['{', ';']) {
        let (plain, comment) = rest.split_at(at);
        result.push_str(plain);
        let end = if comment.starts_with('{') { '}' } else { '\n' };
        let length = comment.find(end).map_or(comment.len(), |end| end.saturating_add(1));
        let (comment, behind) = comment.split_at(length);
        match comment.strip_prefix(';') {
            Some(comment) => {
                let comment = comment.replace('}', " ");
                let words: Vec<_> = comment.split_whitespace().collect();
                result.push_str(&format!("{{{}}} ", words.join(" ")));
            }
            None => result.push_str(comment),
        }
        rest = behind;
    }
    (result + rest).trim_end().to_owned()
}
