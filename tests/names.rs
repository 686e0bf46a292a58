//! One name, one type.
//!
//! What counts is what a reader may meet anywhere: structs, enums, traits and aliases declared `pub`. Types
//! with a narrower visibility, such as `pub(super)`, belong to their folder and may be called what is natural
//! there.

use crate::layering::sources;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names of several types that mean the same wherever they stand.
const SHARED: &[(&str, &str)] = &[
    ("Args", "the arguments of the command in whose file they stand"),
    ("Bound", "how exact a score is; a table entry packs it in two bits"),
    ("Game", "a game: its rules in `game`; in `games` one of any kind under way"),
    ("Move", "a move; the search has an alias for one of the game it searches"),
    ("Node", "a node of a tree, of the search or of a record's variations"),
    ("NodeId", "the number of a node in its tree"),
    ("Notation", "how moves are written; a client asks an engine for one of any game"),
    ("Position", "a position; `games` has one of any game"),
    ("Rules", "the rules of a game; `games` has what they leave to the organizer"),
];

/// The game in whose folder a file stands. What all games have, a `Board` for one, has one name in all of
/// them.
fn game(path: &Path) -> Option<&'static str> {
    let folder = path.strip_prefix("src").ok()?;
    let folder = folder.strip_prefix("eval").unwrap_or(folder);
    ["chess", "xiangqi", "go"].into_iter().find(|game| folder.starts_with(game))
}

#[test]
fn a_name_stands_for_one_type() {
    let mut homes: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for source in sources("src").into_iter().filter(|source| !source.is_test) {
        for line in source.code.lines() {
            let declared = line.trim_start().strip_prefix("pub ").and_then(|rest| rest.split_once(' '));
            let Some(("struct" | "enum" | "trait" | "type" | "union", rest)) = declared else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            let homes = homes.entry(name).or_default();
            // One of several in a file is compiled, as for operating systems.
            if homes.last() != Some(&source.path) {
                homes.push(source.path.clone());
            }
        }
    }
    assert!(homes.len() > 500, "the sources were not understood");
    for (name, paths) in homes.into_iter().filter(|(name, _)| SHARED.iter().all(|(shared, _)| shared != name))
    {
        let mut games: Vec<_> = paths.iter().filter_map(|path| game(path)).collect();
        games.sort_unstable();
        let (of_games, others) = (games.len(), paths.len() - games.len());
        games.dedup();
        let is_one = games.len() == of_games && others + usize::from(of_games > 0) == 1;
        assert!(is_one, "{name} is declared in {paths:?}");
    }
}
