//! Games with the engine's marks. Everything else in their records stays; earlier marks are replaced.
//!
//! PGN gets glyphs, `[%eval]` and better lines as variations; SGF gets the properties of Sabaki. Marks are
//! known again by `[%sanqi …]` in a comment, or the property `SANQI`. The reason why a move is a mistake
//! stands between its mark and `[%sanqi end]`, in SGF in the first line of the comment.

use crate::app::review::{Judged, Verdicts};
use crate::games::follow::Follower;
use crate::games::formats::{Recorded, pgn, sgf};
use crate::games::game::Game;
use crate::games::notation::Style;
use crate::games::opening_names::tag_opening;
use crate::games::record::GameKind;
use crate::games::referee::Stones;
use crate::games::tree::{Item, MoveText, NodeId, Tree};
use crate::util::lang::Language;
use crate::util::message::Message;

/// Moves of a better line that are written.
const LONGEST_LINE: usize = 10;

/// The name of the engine's own marks, in PGN in small letters.
const MARK: &str = "SANQI";
/// The mark on the first move of a better line.
const BETTER: &str = "better";
/// What stands behind the reason.
const END: &str = "[%sanqi end]";

/// Properties of SGF with the chances and the lead, as Sabaki reads them.
const OWN: [&str; 3] = ["SBKV", "SBKS", MARK];

/// The game, annotated, with an empty line or a line end behind it.
pub fn write(
    game: &Recorded,
    verdicts: &Verdicts,
    style: Style,
    language: Language,
) -> Result<String, Message> {
    let mut tree = game.tree.clone();
    let mut follower = Follower::new(game.start())?;
    let mut judged = verdicts.moves.iter().peekable();
    let main: Vec<NodeId> = tree.main_line().collect();
    let steps = main.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    for (depth, (parent, id)) in (1..).zip(steps) {
        if let Some(mv) = judged.next_if(|mv| game.nodes.get(mv.ply) == Some(&id)) {
            unmark(&mut tree, parent, id);
            mark(&mut tree, id, mv, (game.kind, language));
            add_line(&mut tree, parent, follower.game(), mv);
        }
        // After a faulty move the tree stays as it is.
        if follower.enter(depth, tree.node(id)).is_err() {
            break;
        }
    }
    if game.kind == GameKind::GO {
        let stones = Stones::new(&game.go.clone().unwrap_or_default())?;
        return Ok(sgf::write_tree(&tree, stones.position().board()));
    }
    let mut tags = game.tags.clone();
    if !tags.iter().any(|(name, _)| name == "Annotator") {
        tags.push(("Annotator".to_owned(), concat!("Sanqi ", env!("CARGO_PKG_VERSION")).to_owned()));
    }
    tag_opening(&mut tags, follower.game(), language);
    Ok(pgn::write_tree(&tree, game.start(), &tags, style, game.result())? + "\n")
}

/// Takes away the marks of an earlier analysis: on a move, and the better line beside it.
fn unmark(tree: &mut Tree, parent: NodeId, id: NodeId) {
    let is_ours = |tree: &Tree, id: NodeId| mark_of(tree, id).as_deref() == Some(BETTER);
    let lines: Vec<NodeId> = tree.children(parent).filter(|other| is_ours(tree, *other)).collect();
    lines.into_iter().filter(|line| *line != id).for_each(|line| tree.detach(line));
    let mark = mark_of(tree, id);
    let items = &mut tree.node_mut(id).items;
    if let Some(glyph) = mark.as_deref().and_then(pgn::glyph_of)
        && let Some(at) = items.iter().position(|item| *item == Item::Glyph(glyph))
    {
        items.remove(at);
    }
    let is_sgf = items.iter().any(|item| matches!(item, Item::Property(name, _) if name == MARK));
    for item in items.iter_mut() {
        if let Item::Comment(text) = item {
            // The first line of SGF is the score.
            let kept = text.split_once('\n').map_or("", |(_, rest)| rest);
            *text = if is_sgf { kept.to_owned() } else { without_commands(text) };
        }
    }
    items.retain(|item| match item {
        Item::Comment(text) => !text.trim().is_empty(),
        Item::Property(name, _) => !OWN.contains(&name.as_str()),
        _ => true,
    });
}

/// The mark on a node: the sign of a judged move, [`BETTER`], or nothing.
fn mark_of(tree: &Tree, id: NodeId) -> Option<String> {
    tree.node(id).items.iter().find_map(|item| match item {
        Item::Property(name, values) if name == MARK => values.first().cloned(),
        Item::Comment(text) => {
            let (_, behind) = text.split_once("[%sanqi ")?;
            Some(behind.split_once(']')?.0.to_owned())
        }
        _ => None,
    })
}

/// A comment without scores and the marks of this program.
fn without_commands(comment: &str) -> String {
    let mut out = String::new();
    let mut rest = comment;
    if let Some((before, marked)) = comment.split_once("[%sanqi ")
        && let Some((_, behind)) = marked.split_once(END)
    {
        out += &without_commands(before);
        rest = behind;
    }
    while let Some((before, after)) = rest.split_once("[%") {
        let (command, behind) = after.split_once(']').unwrap_or((after, ""));
        out += before;
        if !command.starts_with("eval") && !command.starts_with("sanqi") {
            out += &format!("[%{command}]");
        }
        rest = behind;
    }
    (out + rest).trim().to_owned()
}

/// Marks a move. One that its annotator has judged keeps that judgment.
fn mark(tree: &mut Tree, id: NodeId, mv: &Judged, (kind, language): (GameKind, Language)) {
    let items = &mut tree.node_mut(id).items;
    let is_judged = items.iter().any(|item| matches!(item, Item::Glyph(1..=6)));
    let glyph = pgn::glyph_of(mv.sign).filter(|_| !is_judged);
    let sign = if glyph.is_some() { mv.sign } else { "" };
    let reason = mv.reason.as_ref().map(|reason| reason.text(language)).filter(|_| glyph.is_some());
    if kind == GameKind::GO {
        let mut own = vec![(MARK, sign.to_owned()), ("SBKV", format!("{:.2}", 100.0 * mv.chances))];
        own.extend(mv.lead.map(|lead| ("SBKS", format!("{lead:.1}"))));
        items.extend(own.into_iter().map(|(name, value)| Item::Property(name.to_owned(), vec![value])));
        let reason = reason.map_or_else(String::new, |reason| format!(" {reason}"));
        add_comment(items, &format!("{}{}{reason}", mv.score, mv.sign), "\n");
    } else {
        let eval = match mv.centipawns {
            Some(cp) => Some(format!("{:.2}", f64::from(cp) / 100.0)),
            None => Some(mv.score.clone()).filter(|score| score.starts_with('#')),
        };
        let eval = eval.map(|eval| format!("[%eval {eval}]"));
        let reason = reason.map_or_else(String::new, |reason| format!(" {reason} {END}"));
        let mark = glyph.map(|_| format!("[%sanqi {sign}]{reason}"));
        let marks: Vec<String> = eval.into_iter().chain(mark).collect();
        if !marks.is_empty() {
            add_comment(items, &marks.join(" "), " ");
        }
    }
    if let Some(glyph) = glyph {
        items.insert(0, Item::Glyph(glyph));
    }
}

/// Puts a text before the first comment.
fn add_comment(items: &mut Vec<Item>, text: &str, between: &str) {
    let first = items.iter_mut().find_map(|item| match item {
        Item::Comment(text) => Some(text),
        _ => None,
    });
    match first {
        Some(comment) => *comment = format!("{text}{between}{comment}"),
        None => items.push(Item::Comment(text.to_owned())),
    }
}

/// Adds the better line as the first variation, unless the record has it.
fn add_line(tree: &mut Tree, parent: NodeId, game: &Game, mv: &Judged) {
    let mut game = game.clone();
    let moves = mv.better.iter().take(LONGEST_LINE).map_while(|text| {
        let played = (game.side_to_move(), MoveText::new(&game.read(text).ok()?)?);
        game.play(&played.1).ok()?;
        Some(played)
    });
    let line: Vec<_> = moves.collect();
    let has_it = tree.children(parent).any(|child| {
        let own = tree.line_from(child).map_while(|id| tree.node(id).played);
        own.take(line.len()).eq(line.iter().copied())
    });
    if has_it || line.is_empty() {
        return;
    }
    let mut at = parent;
    for (i, (side, played)) in line.into_iter().enumerate() {
        at = tree.play(at, side, played);
        if i == 0 {
            tree.node_mut(at).items.push(match game.kind() {
                GameKind::GO => Item::Property(MARK.to_owned(), vec![BETTER.to_owned()]),
                _ => Item::Comment(format!("[%sanqi {BETTER}]")),
            });
        }
    }
    tree.raise_last(parent);
}
