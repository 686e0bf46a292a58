//! What openings are called: chess by the codes of the ECO, xiangqi by its 布局. A line of the tables names the
//! position that it leads to, by whatever moves a game comes there; in xiangqi also the mirrored one.

use super::game::{Game, Start};
use super::record::{GameKind, GameRecord};
use super::referee::Rules;
use crate::util::lang::{Bilingual, Language};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Code, English name, Chinese name, moves.
const CHESS: &str = include_str!("opening_names/chess.tsv");
const XIANGQI: &str = include_str!("opening_names/xiangqi.tsv");

static CHESS_NAMES: LazyLock<Names> = LazyLock::new(|| names(CHESS, GameKind::CHESS));
static XIANGQI_NAMES: LazyLock<Names> = LazyLock::new(|| names(XIANGQI, GameKind::XIANGQI));

/// Names by position.
type Names = HashMap<String, OpeningName>;

/// Half-moves after which a game is no longer in the opening.
const MAX_PLIES: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningName {
    /// That of the ECO; xiangqi has none.
    pub code: &'static str,
    pub name: Bilingual,
}

/// The name of the opening of a game: of the last position on its way that has one.
pub fn opening_name(game: &Game) -> Option<OpeningName> {
    let names = match game.kind() {
        GameKind::CHESS => &*CHESS_NAMES,
        GameKind::XIANGQI => &*XIANGQI_NAMES,
        _ => return None,
    };
    let mut at = Game::at(game.start().clone()).ok()?;
    let mut found = None;
    for mv in game.moves().iter().take(MAX_PLIES) {
        at.play_recorded(mv).ok()?;
        found = names.get(&key(&at)?).or(found);
    }
    found.copied()
}

/// The name of the opening of a game that was played.
pub fn opening_of(record: &GameRecord) -> Option<OpeningName> {
    let start = Start { kind: record.kind, rules: Rules::default(), fen: record.opening.fen.clone() };
    let moves: Vec<String> = record.plies.iter().take(MAX_PLIES).map(|ply| ply.mv.clone()).collect();
    opening_name(&Game::after(start, &moves).ok()?)
}

/// Adds the tags `ECO` and `Opening`, unless there is one of them or the opening has no name.
pub fn tag_opening(tags: &mut Vec<(String, String)>, game: &Game, language: Language) {
    if tags.iter().any(|(name, _)| matches!(name.as_str(), "ECO" | "Opening")) {
        return;
    }
    let Some(OpeningName { code, name }) = opening_name(game) else { return };
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    tags.extend((!code.is_empty()).then(|| tag("ECO", code)));
    tags.push(tag("Opening", name.text(language)));
}

fn names(table: &'static str, kind: GameKind) -> Names {
    let mut names = Names::new();
    for (opening, key) in table.lines().filter_map(|line| read(line, kind)) {
        if kind == GameKind::XIANGQI {
            names.insert(mirrored(&key), opening);
        }
        names.insert(key, opening);
    }
    names
}

/// A line of a table: the opening, and its position.
fn read(line: &'static str, kind: GameKind) -> Option<(OpeningName, String)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [code, english, chinese, moves] = fields[..] else { return None };
    let mut game = Game::at(kind.into()).ok()?;
    moves.split(' ').try_for_each(|mv| game.play_text(mv)).ok()?;
    Some((OpeningName { code, name: Bilingual(english, chinese) }, key(&game)?))
}

/// A position without its counters: pieces, side to move, castling.
fn key(game: &Game) -> Option<String> {
    let fen = game.fen()?;
    Some(fen.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

/// The key of the position with left and right exchanged.
fn mirrored(key: &str) -> String {
    let (board, rest) = key.split_once(' ').unwrap_or((key, ""));
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    format!("{} {rest}", ranks.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: GameKind, moves: &str) -> Option<(&'static str, &'static str)> {
        let mut game = Game::at(kind.into()).unwrap();
        moves.split(' ').for_each(|mv| game.play_text(mv).unwrap());
        opening_name(&game).map(|found| (found.code, found.name.0))
    }

    #[test]
    fn every_line_of_the_tables_is_legal() {
        for (table, kind) in [(CHESS, GameKind::CHESS), (XIANGQI, GameKind::XIANGQI)] {
            for line in table.lines() {
                let (opening, _) = read(line, kind).unwrap_or_else(|| panic!("{line}"));
                let is_code = opening.code.len() == 3 && opening.code.starts_with(['A', 'B', 'C', 'D', 'E']);
                assert_eq!(is_code, kind == GameKind::CHESS, "{line}");
                assert!(!opening.name.0.is_empty() && !opening.name.1.is_empty(), "{line}");
            }
        }
    }

    /// Two names for one position are a mistake.
    #[test]
    fn no_position_has_two_names() {
        for (table, kind) in [(CHESS, GameKind::CHESS), (XIANGQI, GameKind::XIANGQI)] {
            let mut seen = Names::new();
            for (opening, key) in table.lines().filter_map(|line| read(line, kind)) {
                if let Some(other) = seen.insert(key, opening) {
                    assert_eq!(other.name, opening.name);
                }
            }
        }
    }

    #[test]
    fn an_opening_is_named_by_its_position() {
        let chess = |moves| named(GameKind::CHESS, moves);
        let najdorf = Some(("B90", "Sicilian Defense: Najdorf Variation"));
        assert_eq!(chess("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h3 e5"), najdorf);
        // By transposition.
        assert_eq!(chess("c4 e6 d4 d5"), Some(("D30", "Queen's Gambit Declined")));
        assert_eq!(chess("Nf3 Nc6 e4 e5 Bb5"), Some(("C60", "Ruy Lopez")));
        assert_eq!(chess("h4"), None);
        let xiangqi = |moves| named(GameKind::XIANGQI, moves).map(|(_, name)| name);
        let screen = Some("Central Cannon against Screen Horses");
        assert_eq!(xiangqi("炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8"), screen);
        // With the other cannon.
        assert_eq!(xiangqi("炮八平五 马2进3 马八进七 马8进7"), screen);
        assert_eq!(xiangqi("炮八平五 炮2平5"), Some("Same-Direction Cannons"));
    }

    #[test]
    fn chess960_and_go_have_no_names() {
        assert_eq!(named(GameKind::CHESS960, "e4 e5"), None);
        assert_eq!(named(GameKind::GO, "D4 Q16"), None);
    }
}
