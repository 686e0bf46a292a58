//! Suites of positions with known best moves, in EPD: which of them are solved, and after how many nodes.
//! Source: <https://www.chessprogramming.org/Extended_Position_Description>

use super::desk::{self, Desk, TaskReport, Worker};
use super::{Args, Outcome, read};
use crate::app::console::say;
use crate::app::seat::Seat;
use crate::engine::{Bound, Event, Info, Limits};
use crate::ensure;
use crate::games::formats::decode;
use crate::games::game::{Game, Start};
use crate::games::notation::Style;
use crate::games::openings::epd_to_fen;
use crate::games::record::GameKind;
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::util::words;
use std::path::Path;
use std::time::Duration;

/// Nodes for a position, if nothing is asked for.
const NODES: u64 = 1_000_000;

struct Problem {
    /// Its line in the file, from 1.
    number: usize,
    id: String,
    game: Game,
    /// Moves that solve it, in coordinates.
    best: Vec<String>,
    /// Moves that do not.
    avoid: Vec<String>,
}

/// When a search found a solution that it did not give up again.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    depth: u32,
    nodes: u64,
    time: Duration,
}

/// The result of the search of a position.
struct Solution {
    /// Where the solution was found for good.
    found: Option<Found>,
    /// Where the search ended.
    last: Found,
    played: Option<String>,
}

/// A position of a file, or the reason why there is none.
struct Task {
    file: String,
    problem: Result<Problem, Message>,
}

/// Solves every position of every file.
pub fn run(args: &Args) -> Outcome {
    let (style, language) = (args.style(), args.language.language());
    let tasks: Vec<Task> = args.files.iter().flat_map(|file| gather(file)).collect();
    let (mut solved, mut count, mut broken) = (0, 0, 0);
    let mut spent = (0, Duration::ZERO);
    let bar = words::positions_to_solve(language);
    let desk = Desk { concurrency: args.concurrency, bar, hire: &|| Solver::new(args) };
    desk::share_out(&desk, &tasks, &mut |task, report| {
        match (report, &task.problem) {
            (TaskReport::Done(Ok(solution)), Ok(problem)) => {
                count += 1;
                spent.0 += solution.last.nodes;
                spent.1 += solution.last.time;
                solved += usize::from(solution.found.is_some());
                say(problem.line(&solution, style, language));
            }
            (TaskReport::Done(Err(why)), _) => {
                broken += 1;
                remark!("sanqi: {}: {}", task.file, why.text(language));
            }
            _ => {}
        }
        Ok(())
    })?;
    let seconds = spent.1.as_secs_f64();
    say(words::suite_summary(language, solved, count, spent.0, seconds));
    match (count, broken) {
        (0, _) => Err(Message::from(words::no_position_found(language))),
        (_, 0) => Ok(()),
        _ => Err(Message::from(words::positions_tried(language, count, broken))),
    }
}

fn gather(file: &Path) -> Vec<Task> {
    let task = |problem| Task { file: file.display().to_string(), problem };
    let text = match read(file) {
        Ok(bytes) => decode(&bytes),
        Err(why) => return vec![task(Err(why.into()))],
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let problem = |(number, line)| Problem::read(line, number).map_err(|why| in_line(number, &why));
    lines.map(problem).map(task).collect()
}

fn in_line(number: usize, why: &Message) -> Message {
    message!("line {number}: {why}" | "第 {number} 行：{why}", number, why)
}

/// Solves one position after the other.
struct Solver<'a> {
    args: &'a Args,
    limits: Limits,
    /// The engine of the last position.
    seat: Option<Seat>,
}

impl<'a> Solver<'a> {
    fn new(args: &'a Args) -> Self {
        let limits = Limits {
            movetime: args.movetime.map(Duration::from_millis),
            nodes: args.nodes.or(args.movetime.is_none().then_some(NODES)),
            ..Limits::default()
        };
        Self { args, limits, seat: None }
    }
}

impl Worker for Solver<'_> {
    type Task = Task;
    type Found = Solution;

    fn work(&mut self, task: &Task, _: &mut dyn FnMut(String)) -> Result<Solution, Message> {
        let problem = task.problem.as_ref().map_err(Message::clone)?;
        Seat::keep(&mut self.seat, problem.game.kind(), &self.args.seat_options())
            .and_then(|seat| problem.solve(seat, self.limits.clone()))
            .map_err(|why| in_line(problem.number, &why))
    }
}

/// Takes the next word off a text; empty if there is none.
fn next_word<'t>(text: &mut &'t str) -> &'t str {
    let (word, rest) = text.trim_start().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    *text = rest;
    word
}

impl Problem {
    fn read(line: &str, number: usize) -> Result<Self, Message> {
        let mut rest = line;
        let [board, _, _, passant] = [(); 4].map(|()| next_word(&mut rest));
        ensure!(!passant.is_empty(), "no position is there" | "没有局面");
        // Some files have the counters of a FEN before the operations.
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
        let kind = if board.matches('/').count() == 9 { GameKind::XIANGQI } else { GameKind::CHESS };
        let game = Game::at(Start::fen(kind, &epd_to_fen(line)))?;
        let (mut id, mut best, mut avoid) = (format!("line {number}"), Vec::new(), Vec::new());
        for operation in operations(rest) {
            let (name, value) =
                operation.trim().split_once(char::is_whitespace).unwrap_or((operation.trim(), ""));
            let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、');
            let texts = value.split(ends).filter(|text| !text.is_empty());
            let moves = || texts.map(|text| game.read(text)).collect::<Result<Vec<_>, _>>();
            match name {
                "bm" => best.extend(moves()?),
                "am" => avoid.extend(moves()?),
                "id" => id = value.trim().trim_matches('"').to_owned(),
                _ => {}
            }
        }
        if best.is_empty() && avoid.is_empty() {
            return Err(message!(
                "neither a best move (bm) nor one to avoid (am)"
                    | "既没有最佳着法（bm），也没有要避免的着法（am）"
            ));
        }
        Ok(Self { number, id, game, best, avoid })
    }

    fn is_solved_by(&self, mv: &str) -> bool {
        let is_in = |list: &[String]| list.iter().any(|other| other == mv);
        (self.best.is_empty() || is_in(&self.best)) && !is_in(&self.avoid)
    }

    fn solve(&self, seat: &mut Seat, limits: Limits) -> Result<Solution, Message> {
        seat.engine().new_game();
        seat.set_up(&self.game)?;
        let mut found = None;
        let mut last = Found { depth: 0, nodes: 0, time: Duration::ZERO };
        let mut played = None;
        for event in seat.search(limits)? {
            match event {
                Event::Info(info) if info.multipv == 1 => {
                    last = Found { depth: info.depth, nodes: info.nodes, time: info.time };
                    if info.bound == Bound::Exact {
                        self.hear(&info, &mut found);
                    }
                }
                Event::BestMove(best) => {
                    played = best.mv;
                    break;
                }
                _ => {}
            }
        }
        seat.engine().wait();
        match &played {
            Some(mv) if self.is_solved_by(mv) => found = found.or_else(|| Some(last.clone())),
            _ => found = None,
        }
        Ok(Solution { found, last, played })
    }

    /// Takes in a line: a solution counts from where it was not given up again.
    fn hear(&self, info: &Info, found: &mut Option<Found>) {
        match info.pv.first() {
            Some(mv) if self.is_solved_by(mv) => {
                found.get_or_insert(Found { depth: info.depth, nodes: info.nodes, time: info.time });
            }
            _ => *found = None,
        }
    }

    fn line(&self, solution: &Solution, style: Style, language: Language) -> String {
        let text = |mv: &String| self.game.write(mv, style);
        let mv = solution.played.as_ref().map_or_else(|| words::no_move(language), text);
        let list = |moves: &[String]| moves.iter().map(text).collect::<Vec<_>>().join(" ");
        match &solution.found {
            Some(Found { depth, nodes, time }) => {
                words::problem_solved(language, &self.id, mv, nodes, time.as_secs_f64(), depth)
            }
            None if self.best.is_empty() => {
                words::problem_not_avoided(language, &self.id, mv, list(&self.avoid))
            }
            None => words::problem_failed(language, &self.id, mv, list(&self.best)),
        }
    }
}

/// The operations behind a position, each ended by a semicolon outside quotes.
fn operations(text: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let parts = text.split(|c| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_end_outside_quotes() {
        assert_eq!(operations("bm Nf3; id \"a; b\"; c0 \"x\";"), ["bm Nf3", " id \"a; b\"", " c0 \"x\""]);
    }

    #[test]
    fn problems_are_read_with_their_moves() {
        let line = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"mate\";";
        let problem = Problem::read(line, 1).unwrap();
        assert_eq!((problem.id.as_str(), &problem.best[..]), ("mate", &["h5f7".to_owned()][..]));
        assert!(problem.is_solved_by("h5f7") && !problem.is_solved_by("h5e5"));
        let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - am C2+7;";
        let problem = Problem::read(line, 7).unwrap();
        assert_eq!((problem.id.as_str(), &problem.avoid[..]), ("line 7", &["h2h9".to_owned()][..]));
        // Blanks in a row, and the counters of a FEN.
        let line = " 8/8/8/8/8/k7/8/K6R  w  - -  0 1  id \"x\"; bm Rh3+;";
        let problem = Problem::read(line, 1).unwrap();
        assert_eq!((problem.id.as_str(), &problem.best[..]), ("x", &["h1h3".to_owned()][..]));
        // An operation may stand there twice.
        let problem = Problem::read("k7/8/8/8/8/8/8/K6R w - - bm Rh8+; bm Rh7; am Kb1; am Kb2;", 1).unwrap();
        assert_eq!((&problem.best[..], problem.avoid.len()), (&["h1h8", "h1h7"].map(str::to_owned)[..], 2));
        // Commas may stand between moves.
        for (moves, expected) in [
            ("bm Ra8+, Ra7;", "a1a8 a1a7"),
            ("bm Ra8+,Ra7;", "a1a8 a1a7"),
            ("bm Ra8+ , Ra7 , Ra6;", "a1a8 a1a7 a1a6"),
            ("bm Ra8+,;", "a1a8"),
            ("bm a1a8, Kd2; id \"a, b\";", "a1a8 e1d2"),
            ("bm Ra8+, Ra7; bm Ra6, Ra5;", "a1a8 a1a7 a1a6 a1a5"),
        ] {
            let problem = Problem::read(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {moves}"), 1).unwrap();
            assert_eq!(problem.best.join(" "), expected, "{moves}");
        }
        let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - bm 炮二平五，马八进七; am C2+7, H2+1;";
        let problem = Problem::read(line, 1).unwrap();
        assert_eq!(
            (problem.best.join(" "), problem.avoid.join(" ")),
            ("h2e2 b0c2".into(), "h2h9 h0i2".into())
        );
        let avoided = Problem::read("4k3/8/8/8/8/8/8/R3K3 w - - am Ra7, Ra6;", 1).unwrap();
        assert_eq!(avoided.avoid, ["a1a7", "a1a6"]);
        for bad in [
            "",
            "4k3/8/8/8/8/8/8/R3K3 w - - bm ,;",
            "4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8, Rb9;",
            "8/8 w - - bm e4;",
            "4k3/8/8/8/8/8/8/4K3 w - - id \"x\";",
            "4k3/8/8/8/8/8/8/4K3 w - - bm e4;",
        ] {
            assert!(Problem::read(bad, 1).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_solution_counts_from_where_it_stays() {
        let line = "4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8+;";
        let problem = Problem::read(line, 1).unwrap();
        let mut found = None;
        for (depth, mv) in [(1, "a1a8"), (2, "a1a7"), (3, "a1a8"), (4, "a1a8")] {
            let info = Info {
                depth,
                pv: vec![mv.to_owned()],
                ..Info::of_finished_game(crate::engine::Score::Mate(1))
            };
            problem.hear(&info, &mut found);
        }
        assert_eq!(found.unwrap().depth, 3);
    }
}
