//! Analyzed games as a page of their own: the course of each game beside a board that plays it over.
//!
//! The boards are those of the report of a match and of `sanqi serve`.

use super::{Outcome, game_name, player_name};
use crate::app::page::PageFile;
use crate::app::review::{Judged, Verdicts};
use crate::game::Side;
use crate::games::formats::Recorded;
use crate::games::game::Game;
use crate::games::notation::Style;
use crate::games::record::{GameKind, Numbering};
use crate::games::referee::Stones;
use crate::games::tree::{NodeId, ROOT};
use crate::go::{Color, Point};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const PAGE: &str = include_str!("page.js");
/// Letters for owners: `a` is White's for sure, `u` Black's.
const OWNERS: &[u8; 21] = b"abcdefghijklmnopqrstu";

/// Moves of a better line that are shown.
const LONGEST_LINE: usize = 10;
/// Time between two savings of a long run.
const INTERVAL: Duration = Duration::from_secs(10);

/// The games so far.
pub(super) struct Page {
    file: PageFile,
    /// How moves of xiangqi are written.
    style: Style,
    saved: Instant,
}

impl Page {
    /// A page for a file that can be written.
    pub fn new(path: &Path, language: Language, style: Option<Style>) -> Result<Self, Message> {
        let style = style.unwrap_or(Style::of_pages(language));
        Ok(Self { file: PageFile::new(path, language)?, style, saved: Instant::now() })
    }

    /// Adds a game. Now and then all of them are saved, so that a run that is ended early leaves what it has
    /// done.
    pub fn add(&mut self, file: &str, game: &Recorded, verdicts: &Verdicts, record: &str) -> Outcome {
        let second_starts = verdicts.moves.first().is_some_and(|mv| mv.side == Side::Second);
        let (sides, language) = ([Side::First, Side::Second], self.file.language);
        let accuracy = |side| {
            let count =
                |sign: &str| verdicts.moves.iter().filter(|mv| mv.side == side && mv.sign == sign).count();
            Some(json!([verdicts.accuracy(side)?.round(), count("??"), count("?"), count("?!")]))
        };
        self.file.entries.push(json!({
            "kind": game.kind,
            "files": if self.style.is_usual() { "" } else { self.style.name() },
            "names": sides.map(|side| player_name(game, side, language)),
            "name": game_name(file, game, language),
            "seen_by": words::seen_by(language, game.kind.side_text(Side::First, language)),
            "event": game.tag("Event"),
            "record": record,
            "result": game.result(),
            "fen": game.opening.fen,
            "size": game.go.as_ref().map(|go| crate::page::board_size(go.board_size())),
            "stones": stones(game),
            "second": second_starts,
            "before": Numbering::of(game.kind, game.opening.fen.as_deref()).before,
            "start": verdicts.start,
            "markup": markup(game, ROOT),
            "accuracy": sides.map(accuracy),
            "moves": moves_json(game, verdicts, self.style, language),
        }));
        if self.saved.elapsed() > INTERVAL {
            self.save()?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    pub fn save(&self) -> Outcome {
        let language = self.file.language;
        self.file.save(PAGE, &words::analyzed_title(language), &json!({}))
    }
}

/// Columns and rows of the stones on a board of Go at the start: Black's, White's.
fn stones(game: &Recorded) -> [Vec<(usize, usize)>; 2] {
    let Some(start) = game.go.as_ref().and_then(|go| Stones::new(go).ok()) else { return Default::default() };
    let board = start.position().board();
    [Color::Black, Color::White].map(|color| {
        let points = board.points().filter(|&v| board.color(v) == color);
        points.map(Point::col_row).collect()
    })
}

/// Properties of SGF that boards show: letters, signs, arrows, lines, territory.
const MARKUP: [&str; 9] = ["LB", "TR", "SQ", "CR", "MA", "AR", "LN", "TB", "TW"];

fn markup(game: &Recorded, id: NodeId) -> Option<Vec<(&str, &[String])>> {
    let node = game.tree.node(id);
    let found: Vec<_> =
        MARKUP.into_iter().filter_map(|name| node.property(name).map(|values| (name, values))).collect();
    (!found.is_empty()).then_some(found)
}

/// The judged moves, those of xiangqi and the lines that were better in the page's notation.
fn moves_json(game: &Recorded, verdicts: &Verdicts, style: Style, language: Language) -> Vec<Value> {
    let mut at = Game::at(game.start()).ok().filter(|_| game.restarts.is_empty());
    let owner = |&own: &f32| {
        let step = ((f64::from(own) + 1.0) * 10.0).round().clamp(0.0, 20.0) as usize;
        char::from(OWNERS[step])
    };
    let one = |mv: &Judged| {
        let played = game.opening.moves.get(mv.ply);
        let before = at.clone();
        if at.as_mut().zip(played).is_none_or(|(at, played)| at.play_recorded(played).is_err()) {
            at = None;
        }
        let text = before.as_ref().zip(played).map(|(game, played)| game.write(played, style));
        let better = before.map(|game| game.write_line(&mv.line, style)).unwrap_or_default();
        json!({
            "mv": played,
            "text": text.as_ref().unwrap_or(&mv.text),
            "sign": mv.sign,
            "score": mv.score_text(language),
            "chances": (mv.chances * 1e4).round() / 1e4,
            "better": mv.line.iter().zip(better).take(LONGEST_LINE).collect::<Vec<_>>(),
            "reason": mv.reason.as_ref().map(|reason| reason.text(language)),
            "comment": game.comment(mv.ply),
            "markup": game.nodes.get(mv.ply).and_then(|id| markup(game, *id)),
            "owner": (game.kind == GameKind::GO).then(|| mv.owner.iter().map(owner).collect::<String>()),
        })
    };
    verdicts.moves.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::page::read_whole;
    use crate::games::formats;

    #[test]
    fn the_page_is_whole_and_its_data_is_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let mut page = Page::new(&path, Language::Chinese, None).unwrap();
        let text = b"[White \"</script>\"]\n\n1. e4 e5 *";
        let game = formats::read(text, None).remove(0).unwrap();
        page.add("a.pgn", &game, &Verdicts::default(), "").unwrap();
        page.save().unwrap();
        let games = read_whole(&path);
        assert_eq!(games[0]["names"], json!(["</script>", "黑方"]));
        assert!(Page::new(&folder.path().join("no/such.html"), Language::English, None).is_err());
    }
}
