//! Verdicts on repetitions: the project's own table, the rule books' diagrams, and the search's view of both.

use crate::support::suite;
use sanqi::game::{AlphaBetaGame, Game, Side, Text, Verdict};
use sanqi::xiangqi::notation::Notation;
use sanqi::xiangqi::repetition::{Clause, Ruling, judge, judge_all};
use sanqi::xiangqi::{Board, Move, RuleSet};
use std::collections::HashMap;

/// A line of a table, by column name.
type Row = HashMap<String, String>;

/// Cycles made for this project, with the clause that decides each.
const OWN: &str = "../../src/xiangqi/repetition/cases.tsv";
/// Cycles of the rule books' diagrams.
const DIAGRAMS: &str = "xiangqi_repetition_diagrams.tsv";

fn table(name: &str) -> Vec<Row> {
    let text = suite(name);
    let mut lines = text.lines();
    let names: Vec<String> = lines.next().unwrap().split('\t').map(str::to_owned).collect();
    lines.map(|line| names.iter().cloned().zip(line.split('\t').map(str::to_owned)).collect()).collect()
}

fn game(fen: &str, moves: &str) -> (Board, Vec<Move>) {
    let start = Board::from_fen(fen).unwrap();
    let mut board = start.clone();
    let mut out = Vec::new();
    for text in moves.split_whitespace() {
        let mv = board
            .parse_move(text, Notation::Coordinate)
            .unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
        board.do_move(mv, &mut ());
        out.push(mv);
    }
    (start, out)
}

/// Verdicts of a table that differ from ours, of those that it decides.
fn differences(name: &str, columns: &[(&str, RuleSet)]) -> Vec<String> {
    let mut out = Vec::new();
    for row in table(name) {
        let (start, moves) = game(&row["fen"], &row["moves"]);
        let judgements = judge_all(&start, &moves).unwrap();
        for (column, rules) in columns {
            let found = judgements.iter().find(|judgement| judgement.rules == *rules).unwrap();
            let wanted = &row[*column];
            if !wanted.is_empty() && wanted != found.ruling.name() {
                out.push(format!("{} {column}: wanted {wanted}\n{found}", row["id"]));
            }
        }
    }
    out
}

#[test]
fn own_cases() {
    let columns = [("chinese", RuleSet::Chinese), ("asian", RuleSet::Asian), ("computer", RuleSet::Computer)];
    assert_eq!(differences(OWN, &columns), Vec::<String>::new());
    for row in table(OWN) {
        let (start, moves) = game(&row["fen"], &row["moves"]);
        let judgement = judge(&start, &moves, RuleSet::Chinese).unwrap();
        assert_eq!(judgement.clause.map(Clause::name), Some(row["clause"].as_str()), "{}", row["id"]);
    }
}

#[test]
fn rule_book_diagrams() {
    let columns = [("verdict_chinese", RuleSet::Chinese), ("verdict_asian", RuleSet::Asian)];
    assert_eq!(differences(DIAGRAMS, &columns), Vec::<String>::new());
    assert_eq!(table(DIAGRAMS).len(), 159);
}

/// What most servers answer is a fact about them, not a text: one case differs. RB024: the horse's and the
/// cannon's attacks on the rooted chariot are new with each move, as in the cases they do count.
#[test]
fn servers_agree_but_for_one_case() {
    let differences = differences(DIAGRAMS, &[("pikafish_says", RuleSet::Computer)]);
    assert_eq!(differences.len(), 1, "{differences:#?}");
    assert!(differences[0].starts_with("RB024 "));
}

/// The search's verdict where the judge decides, asked at the root's child and deep in a tree.
fn agree(fen: &str, moves: &str) {
    for rules in RuleSet::ALL {
        let (mut board, moves) = game(fen, moves);
        board.set_rule_set(rules);
        let judgement = judge(&board, &moves, rules).unwrap();
        if judgement.ruling == Ruling::None {
            continue;
        }
        for &mv in &moves[..judgement.last_ply] {
            board.do_move(mv, &mut ());
        }
        let us = board.side_to_move();
        let wanted = match judgement.ruling.loser() {
            None => Verdict::Draw,
            Some(loser) if loser == us => Verdict::Loss,
            Some(_) => Verdict::Win,
        };
        assert_eq!(board.verdict_in_tree(1, &mut Default::default()), wanted, "{fen} {rules}\n{judgement}");
        // Far from the root the budget is small, and the answer may be one-sided, but never the opposite.
        let deep = board.verdict_in_tree(100, &mut Default::default());
        let one_sided = match deep {
            Verdict::AtLeastDraw => wanted != Verdict::Loss,
            Verdict::AtMostDraw => wanted != Verdict::Win,
            _ => deep == wanted,
        };
        assert!(one_sided, "{fen} {rules}: {deep:?}\n{judgement}");
    }
}

#[test]
fn the_search_and_the_judge_agree() {
    for name in [OWN, DIAGRAMS] {
        for row in table(name) {
            agree(&row["fen"], &row["moves"]);
        }
    }
}

#[test]
fn nothing_repeated_is_no_verdict() {
    let (start, moves) = game(sanqi::xiangqi::START_FEN, "h2e2 h9g7 h0g2");
    for judgement in judge_all(&start, &moves).unwrap() {
        assert_eq!((judgement.ruling, judgement.clause), (Ruling::None, None));
        assert!(judgement.moves.is_empty());
    }
}

#[test]
fn an_illegal_move_is_named() {
    let start = Board::start();
    let cannon = start.parse_move("h2e2", Notation::Coordinate).unwrap();
    let error = judge(&start, &[cannon, cannon], RuleSet::Chinese).unwrap_err();
    assert_eq!(error.to_string(), "move 2 (h2e2) is illegal");
}

#[test]
fn a_judgement_explains_itself() {
    let (start, moves) = game("3k5/9/2c6/9/9/9/9/9/R8/5K3 w", &"a1c1 c7a7 c1a1 a7c7 ".repeat(3));
    let judgement = judge(&start, &moves, RuleSet::Chinese).unwrap();
    assert_eq!((judgement.first_ply, judgement.last_ply, judgement.occurrences), (1, 8, 3));
    let text = judgement.to_string();
    assert!(text.contains("Black wins by XQ-R5"), "{text}");
    assert!(text.contains("Rc1xcc7 wins 4 (no root)"), "{text}");
    let json = serde_json::to_value(&judgement).unwrap();
    assert_eq!(json["ruling"], "black_wins");
    assert_eq!(json["clause"], "XQ-R5");
    assert_eq!(json["red"], "perpetual_chase");
    assert_eq!(json["moves"][0]["side"], "red");
    assert_eq!(json["moves"][0]["move"], "a1c1");
    assert_eq!(json["moves"][0]["victims"][0]["square"], "c7");
    assert_eq!(json["moves"][1]["class"], "idle");
}

#[test]
fn a_third_occurrence_counts_but_a_second_only_inside_the_tree() {
    let (mut board, moves) = game(sanqi::xiangqi::START_FEN, "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9");
    for &mv in &moves[..4] {
        board.do_move(mv, &mut ());
    }
    assert_eq!(board.verdict(), Verdict::Ongoing);
    assert_eq!(
        board.verdict_in_tree(4, &mut Default::default()),
        Verdict::Ongoing,
        "the first occurrence is the root itself"
    );
    assert_eq!(board.verdict_in_tree(5, &mut Default::default()), Verdict::Draw);
    for &mv in &moves[4..] {
        board.do_move(mv, &mut ());
    }
    assert_eq!(board.verdict(), Verdict::Draw);
    assert_eq!(board.side_to_move(), Side::First);
}

/// By the Asian and the servers' rules a check among chases may make a cycle allowed, so that a second
/// occurrence inside the tree proves only a bound.
#[test]
fn a_second_chase_decides_only_by_the_chinese_rules() {
    let once = "a1c1 c7a7 c1a1 a7c7";
    for rules in [RuleSet::Chinese, RuleSet::Asian, RuleSet::Computer] {
        let (mut board, moves) = game("3k5/9/2c6/9/9/9/9/9/R8/5K3 w", once);
        board.set_rule_set(rules);
        for &mv in &moves {
            board.do_move(mv, &mut ());
        }
        let second = if rules == RuleSet::Chinese { Verdict::Loss } else { Verdict::AtMostDraw };
        assert_eq!(board.verdict_in_tree(5, &mut Default::default()), second, "{rules}");
        for &mv in &moves {
            board.do_move(mv, &mut ());
        }
        assert_eq!(board.verdict_in_tree(9, &mut Default::default()), Verdict::Loss, "{rules}");
    }
}
