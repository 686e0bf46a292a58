//! Verdicts as a page: the board of each, with its clause and reason; of a repetition a diagram of every
//! move, what it is, whom it attacks, and by which clause.
//!
//! The boards are those of the report of a match and of `sanqi serve`.

use super::{JudgedGame, Outcome};
use crate::app::desk::{Case, DeskFinding, Spot};
use crate::app::page::PageFile;
use crate::game::Side;
use crate::go::Point;
use crate::go::board::Board;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use crate::xiangqi::repetition::{Class, Judgement, MoveReport};
use serde_json::{Value, json};
use std::path::Path;

const PAGE: &str = include_str!("page.html");

/// The repetitions so far.
pub(super) struct Page(PageFile);

impl Page {
    /// A page without repetitions, for a file that can be written.
    pub fn new(path: &Path, language: Language) -> Result<Self, Message> {
        PageFile::new(path, language).map(Self)
    }

    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    pub fn language(&self) -> Language {
        self.0.language
    }

    /// Adds the repetitions of a game, if it has any. `note` describes what there is to see.
    pub fn add(&mut self, name: &str, note: &str, game: &JudgedGame) {
        for judgements in &game.found {
            let Some(first) = judgements.first().filter(|judgement| judgement.clause.is_some()) else {
                continue;
            };
            self.0.entries.push(json!({
                "name": name,
                "note": note,
                "ruling": first.ruling.name(),
                "verdict": first.ruling.text(self.0.language),
                "summaries": judgements.iter().map(|one| one.summary(self.0.language)).collect::<Vec<_>>(),
                "fen": game.after(first.first_ply - 1).fen(),
                "moves": first.moves.iter().map(|mv| self.move_json(first, mv)).collect::<Vec<_>>(),
            }));
        }
    }

    /// Adds what was found about a game, with the board of each.
    pub fn add_findings(&mut self, name: &str, case: &Case, found: &[DeskFinding]) {
        let language = self.0.language;
        let verdict = found.first().map_or(String::new(), |finding| finding.verdict_text(language));
        let findings: Vec<Value> =
            found.iter().map(|finding| finding_json(case, finding, language)).collect();
        self.0.entries.push(json!({
            "name": name,
            "verdict": if name.is_empty() { verdict } else { String::new() },
            "summaries": [],
            "game": case.kind(),
            "findings": findings,
        }));
    }

    fn move_json(&self, judgement: &Judgement, mv: &MoveReport) -> Value {
        let arrows = mv.victims.iter().map(|victim| {
            json!({"from": victim.attacker_square.to_string(), "to": victim.square.to_string(), "weight": 0.5})
        });
        let roots = mv.victims.iter().flat_map(|victim| &victim.roots).map(|root| root.square.to_string());
        json!({
            "ply": mv.ply,
            "red": mv.side == Side::First,
            "mv": mv.mv.to_string(),
            "text": mv.name(),
            "class": mv.class.text(self.0.language),
            "attack": mv.class.is_attack(),
            "check": mv.class == Class::Check,
            "clause": mv.cited(judgement.rules, self.0.language),
            "attacks": mv.attacks(judgement.rules, self.0.language),
            "arrows": arrows.collect::<Vec<_>>(),
            "roots": roots.collect::<Vec<_>>(),
        })
    }

    pub fn save(&self) -> Outcome {
        let language = self.0.language;
        self.0.save(PAGE, &words::judged_title(language), &page_words(language))
    }
}

fn finding_json(case: &Case, finding: &DeskFinding, language: Language) -> Value {
    let plies = finding.spot.plies();
    // The board shows the position in which a forbidden move was to be played.
    let before = match finding.spot {
        Spot::Move(plies) => plies.saturating_sub(1),
        Spot::After(plies) => plies,
    };
    let mv = case.mv(plies);
    let command = finding.clause.map(|clause| format!("sanqi rules {clause}"));
    let board = match &case.go {
        Some(go) => {
            let position = go.position(before);
            let board = position.board();
            json!({
                "size": crate::page::board_size((board.width(), board.height())),
                "stones": stones(board),
                "last": go.last(before).into_iter().collect::<Vec<_>>(),
            })
        }
        None => {
            let game = case.after(before);
            json!({"fen": game.fen(), "last": game.moves().last()})
        }
    };
    json!({
        "place": finding.place_text(mv.as_deref(), language),
        "verdict": finding.verdict_text(language),
        "clause": finding.clause,
        "command": command,
        "board": board,
        "point": finding.point.as_deref().filter(|point| *point != "pass"),
        "dead": finding.dead,
    })
}

/// The points of a board row by row from the top: 0 nothing, 1 Black, 2 White.
fn stones(board: &Board) -> Vec<u8> {
    let rows =
        (0..board.height()).rev().flat_map(|row| (0..board.width()).map(move |col| Point::new(col, row)));
    rows.map(|v| board.color(v).side().map_or(0, |side| if side == Side::First { 1 } else { 2 })).collect()
}

fn page_words(language: Language) -> Value {
    json!({
        "title": words::judged_title(language),
        "beginning": words::cycle_begins(language),
        "legend": words::diagram_legend(language),
        "none": words::nothing_judged(language),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_its_data_is_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let mut page = Page::new(&path, Language::Chinese).unwrap();
        page.0.entries.push(json!({"name": "</script>"}));
        page.save().unwrap();
        crate::app::page::read_whole(&path, PAGE, &page_words(Language::Chinese));
        assert!(Page::new(&folder.path().join("no/such.html"), Language::English).is_err());
    }
}
