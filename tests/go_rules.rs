//! Rules of Go as data: legal moves under positional superko, results by area.

use sanqi::go::{BLACK, Color, IllegalMove, Point, PointSet, Position, Rules, WHITE, coords, score};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Suite {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    size: usize,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    setup: BTreeMap<String, Vec<String>>,
    board: Vec<String>,
    #[serde(default)]
    komi: f32,
    #[serde(default)]
    to_play: String,
    legal: Option<Vec<String>>,
    #[serde(default)]
    illegal: BTreeMap<String, String>,
    #[serde(default)]
    legal_only_under_situational: Vec<String>,
    #[serde(default)]
    dead: Vec<String>,
    area_black_minus_white: Option<i32>,
    result: Option<String>,
}

impl Case {
    fn point(&self, position: &Position, text: &str) -> Point {
        coords::parse_vertex(position.board(), text).unwrap_or_else(|| panic!("{}: {text}", self.name))
    }

    fn position(&self) -> Position {
        let mut position = Position::new(self.size, self.size, Rules::CHINESE);
        position.set_komi(self.komi);
        let stones: Vec<_> = [("AB", BLACK), ("AW", WHITE)]
            .into_iter()
            .flat_map(|(key, side)| self.setup.get(key).into_iter().flatten().map(move |text| (side, text)))
            .map(|(side, text)| (side, self.point(&position, text)))
            .collect();
        position.set_up(stones, BLACK);
        for (i, text) in self.moves.iter().enumerate() {
            let side = if i % 2 == 0 { BLACK } else { WHITE };
            let mv = self.point(&position, text);
            position.play(side, mv).unwrap_or_else(|e| panic!("{}: move {i} {text}: {e}", self.name));
        }
        position
    }

    fn check(&self) {
        let position = self.position();
        assert_eq!(rows(&position), self.board, "{}", self.name);
        if let Some(legal) = &self.legal {
            self.check_legality(&position, legal);
        }
        if let Some(result) = &self.result {
            let dead: PointSet = self.dead.iter().map(|text| self.point(&position, text)).collect();
            let count = score::count(position.board(), &dead);
            assert_eq!(Some(count.area_difference()), self.area_black_minus_white, "{}", self.name);
            let margin = score::margin(&position, &dead, &PointSet::EMPTY);
            assert_eq!(margin.to_string(), *result, "{}", self.name);
        }
    }

    fn check_legality(&self, position: &Position, legal: &[String]) {
        let side = if self.to_play == "B" { BLACK } else { WHITE };
        let mut found = vertices(position, &position.legal_points(side));
        found.sort();
        assert_eq!(found, legal, "{}", self.name);
        for (text, why) in &self.illegal {
            let expected = match why.as_str() {
                "ko" => IllegalMove::Ko,
                "superko" => IllegalMove::Superko,
                _ => IllegalMove::Suicide,
            };
            assert_eq!(
                position.check(side, self.point(position, text)),
                Err(expected),
                "{}: {text}",
                self.name
            );
        }
        let mut situational = position.clone();
        situational.set_rules(Rules::AGA);
        for text in &self.legal_only_under_situational {
            let mv = self.point(position, text);
            assert_eq!(situational.check(side, mv), Ok(()), "{}: {text}", self.name);
        }
    }
}

fn rows(position: &Position) -> Vec<String> {
    let board = position.board();
    let letter = |col, row| match board.color(Point::new(col, row)) {
        Color::Black => 'X',
        Color::White => 'O',
        _ => '.',
    };
    (0..board.height()).rev().map(|row| (0..board.width()).map(|col| letter(col, row)).collect()).collect()
}

fn vertices(position: &Position, points: &[Point]) -> Vec<String> {
    points.iter().map(|&v| coords::vertex(position.board(), v)).collect()
}

fn run_suite(path: &Path) -> Option<usize> {
    let text = std::fs::read_to_string(path).ok()?;
    let suite: Suite = serde_json::from_str(&text).unwrap();
    for case in &suite.cases {
        case.check();
    }
    Some(suite.cases.len())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_shared_suite_holds() {
    match run_suite(&root().join("../shared/data/go/rule_cases.json")) {
        Some(cases) => assert_eq!(cases, 56),
        None => eprintln!("skipped: ../shared/data/go/rule_cases.json is not there"),
    }
}

#[test]
fn the_own_suite_holds() {
    assert_eq!(run_suite(&root().join("tests/data/go_rules.json")), Some(23));
}
