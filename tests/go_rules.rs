//! Rules of Go as data: legal moves under positional superko, results by area.

use crate::go_cases::{self, Case};
use sanqi::game::perft::perft;
use sanqi::game::{Game, Verdict};
use sanqi::go::{BLACK, Color, IllegalMove, Point, PointSet, Position, Rules, WHITE, coords, score};

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
            let margin = score::margin(&position, &dead);
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

#[test]
fn rule_cases_hold() {
    let cases = go_cases::load("go_rule_cases.json");
    cases.iter().for_each(Case::check);
    assert_eq!(cases.len(), 56);
}

#[test]
fn corner_cases_hold() {
    let cases = go_cases::load("go_rules.json");
    cases.iter().for_each(Case::check);
    assert_eq!(cases.len(), 23);
}

/// On a 3x3 board the first move has nine points and the pass. The second has eight points after each of the
/// nine, nine after the pass, and the pass each time.
#[test]
fn every_legal_move_and_the_pass_are_counted() {
    let mut position = Position::new(3, 3, Rules::CHINESE);
    assert_eq!(position.count_legal(), 10);
    assert_eq!(perft(&mut position, 2), 9 * 9 + 10);
}

#[test]
fn two_passes_end_the_game_by_the_score() {
    let mut position = Position::new(5, 5, Rules::CHINESE);
    for (mv, komi, verdict) in [
        ("C3", 7.0, Verdict::Ongoing),
        ("pass", 7.0, Verdict::Ongoing),
        ("pass", 7.0, Verdict::Loss),
        ("pass", 7.0, Verdict::Win),
        ("pass", 26.0, Verdict::Win),
        ("pass", 25.0, Verdict::Draw),
    ] {
        position.set_komi(komi);
        let mv = coords::parse_vertex(position.board(), mv).unwrap();
        position.do_move(mv, &mut ());
        assert_eq!(position.verdict(), verdict, "{} moves, komi {komi}", position.moves().len());
    }
}
