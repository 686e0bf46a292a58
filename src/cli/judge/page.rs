//! Verdicts as a page: the board of each, with its clause and reason; of a repetition a diagram of every
//! move, what it is, whom it attacks, and by which clause.
//!
//! The boards are those of the report of a match and of `sanqi serve`.

use super::{JudgedGame, Outcome};
use crate::app::desk::{Case, DeskFinding, Spot};
use crate::app::page::PageFile;
use crate::game::Side;
use crate::games::notation::Style;
use crate::go::Point;
use crate::go::board::Board;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use crate::xiangqi::RuleSet;
use crate::xiangqi::repetition::{Class, Judgement, MoveReport, Ruling};
use serde_json::{Value, json};
use std::path::Path;

const PAGE: &str = include_str!("page.js");

/// The repetitions so far.
pub(super) struct Page {
    file: PageFile,
    /// How moves are written.
    style: Style,
}

impl Page {
    /// A page without repetitions, for a file that can be written.
    pub fn new(path: &Path, language: Language, style: Option<Style>) -> Result<Self, Message> {
        let style = style.unwrap_or(Style::of_pages(language));
        Ok(Self { file: PageFile::new(path, language)?, style })
    }

    pub fn is_empty(&self) -> bool {
        self.file.entries.is_empty()
    }

    pub fn language(&self) -> Language {
        self.file.language
    }

    /// Adds the repetitions of a game, if it has any. `note` describes what there is to see.
    pub fn add(&mut self, name: &str, note: &str, game: &JudgedGame) {
        for judgements in &game.found {
            let language = self.file.language;
            let texts = game.after(0).write_line(game.game.moves(), self.style);
            let mut judgements = judgements.clone();
            for report in judgements.iter_mut().flat_map(|one| &mut one.moves) {
                report.text = texts.get(report.ply - 1).cloned();
            }
            let Some(first) = judgements.first().filter(|judgement| judgement.clause.is_some()) else {
                continue;
            };
            let moves = first.moves.iter().map(|mv| self.move_json(first, mv));
            let entry = json!({
                // What there is to see says more than the number of a row.
                "name": if note.is_empty() { name } else { note },
                "id": name,
                "ruling": first.ruling.name(),
                "verdict": ruling_text(first.ruling, language),
                "judgements": judgements.iter().map(|one| judgement_json(one, language)).collect::<Vec<_>>(),
                "kind": "xiangqi",
                "files": if self.style.is_usual() { "" } else { self.style.name() },
                "names": [words::red(language), words::black(language)],
                "fen": game.after(first.first_ply - 1).fen(),
                "second": first.moves.first().is_some_and(|mv| mv.side == Side::Second),
                "before": first.first_ply - 1,
                "moves": moves.collect::<Vec<_>>(),
            });
            self.file.entries.push(entry);
        }
    }

    /// Adds what was found about a game, with the board of each.
    pub fn add_findings(&mut self, name: &str, case: &Case, found: &[DeskFinding]) {
        let language = self.file.language;
        let verdict = found.first().map_or(String::new(), |finding| finding.verdict_text(language));
        let findings: Vec<Value> =
            found.iter().map(|finding| finding_json(case, finding, language)).collect();
        self.file.entries.push(json!({
            "name": if name.is_empty() { &verdict } else { name },
            "kind": case.kind(),
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
            "class": mv.class.text(self.file.language),
            "attack": mv.class.is_attack(),
            "check": mv.class == Class::Check,
            "clause": mv.cited(judgement.rules, self.file.language),
            "attacks": mv.attacks(judgement.rules, self.file.language),
            "arrows": arrows.collect::<Vec<_>>(),
            "roots": roots.collect::<Vec<_>>(),
        })
    }

    pub fn save(&self) -> Outcome {
        let language = self.file.language;
        self.file.save(PAGE, &words::judged_title(language), &page_words(language))
    }
}

/// Who wins, in words.
fn ruling_text(ruling: Ruling, language: Language) -> String {
    match ruling.loser() {
        Some(Side::First) => words::wins(language, words::black(language)),
        Some(Side::Second) => words::wins(language, words::red(language)),
        None => words::drawn(language),
    }
}

/// What rules make of a repetition: their name, the verdict, the clause, the reason, and what each side does.
fn judgement_json(one: &Judgement, language: Language) -> Value {
    let clause = one.clause.filter(|_| one.rules != RuleSet::None);
    let sides = [Side::First, Side::Second].map(|side| one.side_text(side, language));
    json!([
        one.rules.text(language),
        ruling_text(one.ruling, language),
        clause.map(|clause| clause.cited(language, one.rules)),
        one.clause.map(|clause| clause.text(language)),
        clause.map(|_| sides),
    ])
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
        "rules": words::rules_column(language),
        "verdict": words::verdict_column(language),
        "clause": words::clause_column(language),
        "reason": words::reason_column(language),
        "red": words::red(language),
        "black": words::black(language),
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
        let mut page = Page::new(&path, Language::Chinese, None).unwrap();
        page.file.entries.push(json!({"name": "</script>"}));
        page.save().unwrap();
        assert_eq!(crate::app::page::read_whole(&path)[0]["name"], "</script>");
        assert!(Page::new(&folder.path().join("no/such.html"), Language::English, None).is_err());
    }
}
