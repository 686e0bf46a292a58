//! Positions as the page draws them: what stands where, what may be played, how the rules judge it.
//!
//! The page knows no rules. It keeps a tree of moves and asks what a position is; a position is named by where the game
//! began and the moves since.

use crate::app::seat::{Player, set_up};
use crate::game::{AlphaBetaGame, MoveList, Side, Text};
use crate::games::notation::{Position, Style};
use crate::games::record::{Ending, GameKind, Opening, Reason};
use crate::games::referee::{self, Rules, Stones};
use crate::go::{PointSet, coords};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::xiangqi::{self, repetition};
use serde::Deserialize;
use serde_json::{Value, json};

/// Moves that one game may have.
pub const MAX_MOVES: usize = 2500;

/// A position: where a game began, by which rules, and the moves since.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What is played.
    pub game: GameKind,
    /// Where it began; `None`: as usual. Go has its stones instead.
    #[serde(default)]
    pub fen: Option<String>,
    /// By which rules; of these the game's own count.
    #[serde(default)]
    pub rules: Rules,
    /// Stones of Black and of White on the board at the start, if any were set up.
    #[serde(default)]
    pub stones: [Vec<String>; 2],
    /// Who moves first where stones were set up.
    #[serde(default)]
    pub turn: Option<Side>,
    /// The moves, in coordinates.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Line {
    /// Where the game began.
    pub fn opening(&self) -> Opening {
        Opening { fen: self.fen.clone().filter(|fen| !fen.trim().is_empty()), ..Opening::default() }
    }

    /// The same with its moves.
    pub fn record(&self) -> Opening {
        Opening { moves: self.moves.clone(), ..self.opening() }
    }

    /// The same line without its moves.
    pub fn without_moves(&self) -> Self {
        Self { moves: Vec::new(), ..self.clone() }
    }

    fn is_set_up(&self) -> bool {
        self.game == GameKind::GO && (self.stones.iter().any(|own| !own.is_empty()) || self.turn.is_some())
    }

    /// The stones set up, with their sides.
    fn set_up_stones(&self) -> Vec<(Side, &str)> {
        let sides = [Side::First, Side::Second].into_iter().zip(&self.stones);
        sides.flat_map(|(side, own)| own.iter().map(move |v| (side, v.as_str()))).collect()
    }

    /// The position before the first move.
    /// # Errors
    /// What is wrong with the start, in words for the person at the page.
    pub fn start(&self) -> Result<Position, String> {
        if self.moves.len() > MAX_MOVES {
            return Err(format!("more than {MAX_MOVES} moves"));
        }
        if self.is_set_up() {
            let turn = self.turn.unwrap_or(Side::First);
            let stones = Stones::set_up(&self.rules.go, &self.set_up_stones(), turn)?;
            return Ok(Position::Go(Box::new(stones)));
        }
        Position::new(self.game, &self.rules, &self.opening())
    }

    /// Sets an engine up at the end of the line.
    /// # Errors
    /// As [`start`](Self::start), or the move that cannot be played.
    pub fn set_up(&self, player: &mut Player) -> Result<(), Message> {
        let rules = match self.is_set_up() {
            true => Rules {
                go: crate::games::record::GoSetup { handicap: 0, ..self.rules.go.clone() },
                ..self.rules.clone()
            },
            false => self.rules.clone(),
        };
        if !self.is_set_up() {
            return set_up(player, self.game, &rules, &self.opening(), &self.moves);
        }
        set_up(player, self.game, &rules, &self.opening(), &[])?;
        let Some(go) = player.go() else { return Ok(()) };
        let bad = |e: crate::engine::go::GameError| Message::from(e.to_string());
        go.game_state().set_up(&self.set_up_stones()).map_err(bad)?;
        go.game_state().set_side_to_move(self.turn.unwrap_or(Side::First));
        for mv in &self.moves {
            let side = go.game_state().side_to_move();
            go.game_state().play_recorded(side, mv).map_err(bad)?;
        }
        Ok(())
    }
}

/// A game at the end of a line, or on the way there.
pub struct Game<'a> {
    line: &'a Line,
    /// The position on the board.
    pub position: Position,
    /// How many moves were played.
    pub ply: usize,
}

impl<'a> Game<'a> {
    /// The start of a line.
    /// # Errors
    /// As [`Line::start`].
    pub fn new(line: &'a Line) -> Result<Self, String> {
        Ok(Self { line, position: line.start()?, ply: 0 })
    }

    /// The end of a line.
    /// # Errors
    /// As [`Line::start`], or the move that cannot be played.
    pub fn at_end(line: &'a Line) -> Result<Self, String> {
        let mut game = Self::new(line)?;
        while game.forward()? {}
        Ok(game)
    }

    /// Plays the next move. False: there is none.
    /// # Errors
    /// The move cannot be played.
    pub fn forward(&mut self) -> Result<bool, String> {
        let Some(mv) = self.line.moves.get(self.ply) else { return Ok(false) };
        let number = self.ply.saturating_add(1);
        // A record may hold what the rules forbid.
        self.position.play_recorded(mv).map_err(|why| format!("move {number}: {why}"))?;
        self.ply = number;
        Ok(true)
    }

    /// The moves played so far.
    fn played(&self) -> &[String] {
        self.line.moves.get(..self.ply).unwrap_or_default()
    }

    /// What is on the board and who is to move. `text` is the last move as people write it.
    pub fn picture(&self, text: Value) -> Value {
        let last = self.played().last();
        let mut picture = json!({
            "ply": self.ply,
            "turn": self.position.side_to_move(),
            "last": last,
            "text": text,
        });
        let more = match &self.position {
            Position::Chess(board, _) => {
                let king = board.position().king(board.side());
                json!({"fen": board.fen(), "check": board.in_check().then(|| king.to_string())})
            }
            Position::Xiangqi(board) => {
                let general = board.general(crate::game::Game::side_to_move(&**board));
                json!({"fen": board.fen(), "check": board.in_check().then(|| general.to_string())})
            }
            Position::Go(stones) => {
                let position = stones.position();
                let board = position.board();
                let size = board.width();
                let rows = (0..size).rev().flat_map(|row| (0..size).map(move |col| (col, row)));
                let letter = |(col, row)| match board.color(crate::go::Point::new(col, row)).side() {
                    Some(Side::First) => 'b',
                    Some(Side::Second) => 'w',
                    None => '.',
                };
                json!({
                    "stones": rows.map(letter).collect::<String>(),
                    "size": size,
                    "captures": [board.lost(Side::Second), board.lost(Side::First)],
                    "passes": board.passes(),
                })
            }
        };
        merge(&mut picture, more);
        picture
    }

    /// [`picture`](Self::picture) with the legal moves and the verdict of the rules.
    pub fn description(&self, text: Value) -> Value {
        let mut picture = self.picture(text);
        let ending = self.ending();
        let legal = if ending.is_some() { Vec::new() } else { self.legal_moves() };
        let judged = self.judgement();
        merge(&mut picture, json!({"legal": legal, "ending": ending.as_ref().map(told), "judged": judged}));
        picture
    }

    /// Every legal move in coordinates; in Go without the pass, which is always one.
    fn legal_moves(&self) -> Vec<String> {
        fn all<G: AlphaBetaGame + Text>(board: &G, notation: G::Notation) -> Vec<String> {
            let mut moves = MoveList::new();
            board.legal_moves(&mut moves);
            moves.iter().map(|&mv| board.move_text(mv, notation)).collect()
        }
        match &self.position {
            Position::Chess(board, notation) => all(&**board, *notation),
            Position::Xiangqi(board) => all(&**board, Default::default()),
            Position::Go(stones) => {
                let position = stones.position();
                let points = position.legal_points(self.position.side_to_move());
                points.into_iter().map(|v| coords::vertex(position.board(), v)).collect()
            }
        }
    }

    /// How the rules end the game here, if they do. A game of Go is counted when both agree that it is over.
    fn ending(&self) -> Option<Ending> {
        if self.line.game == GameKind::GO {
            return None;
        }
        let mut referee = referee::create(self.line.game, &self.line.rules, &self.line.opening()).ok()?;
        referee::replay(&mut *referee, self.played()).ok()?
    }

    /// The judge's opinion of a position of xiangqi that occurred before: what its repetition would be worth.
    fn judgement(&self) -> Option<Value> {
        let Position::Xiangqi(board) = &self.position else { return None };
        let Ok(Position::Xiangqi(start)) = self.line.start() else { return None };
        let judged = repetition::judge_here(board)?;
        let names = |class: repetition::Class| json!([class.names().0, class.names().1]);
        let moves: Vec<Value> = judged.moves.iter().map(|report| names(report.class)).collect();
        let texts = self.cycle_texts(&start, judged.first_ply, judged.last_ply);
        let clause =
            judged.clause.map(|clause| json!({"id": clause.id(), "text": clause.text(Language::English)}));
        let mut value = serde_json::to_value(&judged).ok()?;
        merge(&mut value, json!({"clause": clause, "classes": moves, "texts": texts}));
        Some(value)
    }

    /// The moves of a cycle as people write them, by half-moves from 1.
    fn cycle_texts(&self, start: &xiangqi::Board, first: usize, last: usize) -> Vec<Value> {
        let mut position = Position::Xiangqi(Box::new(start.clone()));
        let mut texts = Vec::new();
        for (number, mv) in (1..).zip(self.played()) {
            if (first..=last).contains(&number) {
                texts.push(written(&position, mv));
            }
            if position.play(mv).is_err() {
                break;
            }
        }
        texts
    }

    /// The result when the stones on these points are dead, and these points with the whole chains on them.
    /// # Errors
    /// Only games of Go are counted.
    pub fn count(&self, dead: &[String]) -> Result<Value, String> {
        let Position::Go(stones) = &self.position else { return Err("only Go is counted".to_owned()) };
        let board = stones.position().board();
        let mut all = PointSet::EMPTY;
        for v in stones.dead_stones(dead).iter() {
            for stone in board.chain(v) {
                all.insert(stone);
            }
        }
        let ending = stones.count(&all);
        let owned = crate::go::score::count(board, &all).owned;
        let names = |set: &PointSet| set.iter().map(|v| coords::vertex(board, v)).collect::<Vec<_>>();
        Ok(json!({
            "dead": names(&all),
            "black": names(&owned[0]),
            "white": names(&owned[1]),
            "ending": told(&ending),
        }))
    }
}

/// A move given in coordinates, as people write it: in xiangqi in all three notations.
pub fn written(position: &Position, mv: &str) -> Value {
    match position {
        Position::Xiangqi(_) => {
            json!([Style::Iccs, Style::Chinese, Style::Wxf].map(|style| position.write(mv, style)))
        }
        _ => json!([position.write(mv, Style::Iccs)]),
    }
}

/// A line of play from `position`: coordinates, and each move as people write it.
pub fn written_line(position: &Position, moves: &[String]) -> Value {
    let mut position = position.clone();
    let each = moves.iter().map_while(|mv| {
        let text = written(&position, mv);
        position.play(mv).ok().map(|()| json!([mv, text]))
    });
    each.collect()
}

/// An ending as the page shows it. The reason is a word that the page has in its languages.
pub fn told(ending: &Ending) -> Value {
    json!({
        "winner": ending.winner,
        "result": if ending.reason == Reason::Interrupted { "*" } else { ending.result() },
        "reason": ending.reason,
        "detail": ending.detail,
    })
}

/// Adds the fields of an object to another.
pub fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
