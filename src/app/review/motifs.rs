//! How a line wins a piece: by a fork, a pin, a skewer or a discovered attack. Only what the line shows
//! counts: its first move makes the threat, its third carries it out.

use crate::chess::types::Square;
use crate::game::Side;
use crate::games::game::{Game, Position};
use crate::util::lang::Bilingual;
use crate::xiangqi;

const FORK: Bilingual = Bilingual("fork", "双击");
const PIN: Bilingual = Bilingual("pin", "牵制");
const SKEWER: Bilingual = Bilingual("skewer", "串击");
const DISCOVERED: Bilingual = Bilingual("discovered attack", "闪击");
const DOUBLE_CATCH: Bilingual = Bilingual("fork", "捉双");
/// With check.
const CHECKING: Bilingual = Bilingual("discovered attack", "抽将");

/// The first three moves of a line, played.
struct Threat<'l> {
    side: Side,
    /// Before the first move, after it, and after the answer.
    games: [Game; 3],
    first: &'l str,
    answer: &'l str,
    capture: &'l str,
}

/// By what the side that begins a line wins a piece with its second move.
pub(super) fn motif(game: &Game, line: &[String]) -> Option<Bilingual> {
    let [first, answer, capture, ..] = line else { return None };
    let mut threatened = game.clone();
    threatened.play(first).ok()?;
    let mut answered = threatened.clone();
    answered.play(answer).ok()?;
    let games = [game.clone(), threatened, answered];
    let threat = Threat { side: game.side_to_move(), games, first, answer, capture };
    let prize = piece_at(threat.games.last()?, to(capture)?)?;
    if side_of(prize) == threat.side || prize.eq_ignore_ascii_case(&'p') {
        return None;
    }
    threat.name(prize)
}

impl Threat<'_> {
    fn name(&self, prize: char) -> Option<Bilingual> {
        let [before, now, _] = &self.games;
        let is_chess = matches!(now.position(), Position::Chess(_));
        let (by, prey) = (from(self.capture)?, to(self.capture)?);
        let mover = to(self.first)?;
        let stays = |game: &Game| piece_at(game, prey) == Some(prize);
        let is_ours = by == mover;
        // The piece that moved opened the way of the one that captures, or that of a check.
        let was_attacked = attackers(before, prey, self.side, None)?.iter().any(|one| one == by);
        let is_attacked = attackers(now, prey, self.side, None)?.iter().any(|one| one == by);
        let checkers = attackers(now, &self.king(now)?, self.side, None)?;
        let is_check = !checkers.is_empty();
        let opens_check = is_check && !checkers.iter().any(|one| one == mover);
        if stays(now) && is_attacked && (!is_ours && !was_attacked && stays(before) || is_ours && opens_check)
        {
            return Some(if is_check && !is_chess { CHECKING } else { DISCOVERED });
        }
        if !is_ours && self.pinner(now, prey, prize)? != Some(mover.to_owned()) {
            return None;
        }
        if is_ours && stays(now) && is_attacked && self.targets(now, mover)?.iter().any(|one| one != prey) {
            return Some(if is_chess { FORK } else { DOUBLE_CATCH });
        }
        if stays(now) && self.pinner(now, prey, prize)? == Some(mover.to_owned()) {
            return Some(PIN);
        }
        // What stood in front went away, and what was behind it falls.
        let front = from(self.answer)?;
        let through = attackers(now, prey, self.side, Some(front))?;
        let is_behind = is_ours && stays(now) && !is_attacked && through.iter().any(|one| one == mover);
        let is_hit = attackers(now, front, self.side, None)?.iter().any(|one| one == mover);
        (is_behind && is_hit).then_some(SKEWER)
    }

    /// Points of what a piece threatens: the king, and pieces that are worth more than it or not guarded.
    fn targets(&self, game: &Game, by: &str) -> Option<Vec<String>> {
        let is_chess = matches!(game.position(), Position::Chess(_));
        let own = value(piece_at(game, by)?, is_chess);
        let mut targets = Vec::new();
        for (point, letter) in pieces(game)? {
            if side_of(letter) == self.side || letter.eq_ignore_ascii_case(&'p') {
                continue;
            }
            let is_hit = attackers(game, &point, self.side, None)?.iter().any(|one| one == by);
            let is_king = letter.eq_ignore_ascii_case(&'k');
            let is_loose = || Some(attackers(game, &point, self.side.other(), None)?.is_empty());
            if is_hit && (is_king || value(letter, is_chess) > own || is_loose()?) {
                targets.push(point);
            }
        }
        Some(targets)
    }

    /// The piece that would take the king, or what is worth more than the piece on a point, if that were
    /// gone.
    fn pinner(&self, game: &Game, pinned: &str, letter: char) -> Option<Option<String>> {
        let is_chess = matches!(game.position(), Position::Chess(_));
        let own = attackers(game, pinned, self.side, None)?;
        for (point, behind) in pieces(game)? {
            let is_king = behind.eq_ignore_ascii_case(&'k');
            let is_worth = is_king || value(behind, is_chess) > value(letter, is_chess);
            if point == pinned || side_of(behind) == self.side || !is_worth {
                continue;
            }
            let direct = attackers(game, &point, self.side, None)?;
            let through = attackers(game, &point, self.side, Some(pinned))?;
            // A cannon that loses its screen gains nothing.
            let found = through.into_iter().find(|one| own.contains(one) && !direct.contains(one));
            if found.is_some() {
                return Some(found);
            }
        }
        Some(None)
    }

    fn king(&self, game: &Game) -> Option<String> {
        let is_theirs = |letter: char| side_of(letter) != self.side && letter.eq_ignore_ascii_case(&'k');
        pieces(game)?.into_iter().find(|(_, letter)| is_theirs(*letter)).map(|(point, _)| point)
    }
}

fn from(mv: &str) -> Option<&str> {
    mv.get(..2)
}

fn to(mv: &str) -> Option<&str> {
    mv.get(2..4)
}

/// The points from which pieces of a side attack a point; `without` a piece that is thought away.
fn attackers(game: &Game, point: &str, side: Side, without: Option<&str>) -> Option<Vec<String>> {
    match game.position() {
        Position::Chess(board) => {
            let (pos, square) = (board.position(), |point: &str| Square::parse(point.as_bytes()));
            let mut occupied = pos.occupied();
            if let Some(gone) = without {
                occupied.0 &= !square(gone)?.bb().0;
            }
            let all = pos.attackers(square(point)?, occupied) & pos.color(side) & occupied;
            Some(all.into_iter().map(|square| square.to_string()).collect())
        }
        Position::Xiangqi(board) => {
            let mut occupied = *board.occupancy();
            if let Some(gone) = without {
                occupied.toggle(xiangqi_point(gone)?);
            }
            let all = board.attackers(xiangqi_point(point)?, side, &occupied);
            Some(all.map(|point| point.to_string()).collect())
        }
        Position::Go(_) => None,
    }
}

fn xiangqi_point(text: &str) -> Option<xiangqi::Square> {
    let (file, rank) = text.split_at_checked(1)?;
    xiangqi::Square::at(usize::from(file.bytes().next()?.checked_sub(b'a')?), rank.parse().ok()?)
}

/// Points and the letters of what stands there.
fn pieces(game: &Game) -> Option<Vec<(String, char)>> {
    let fen = game.fen()?;
    let rows: Vec<&str> = fen.split(' ').next()?.split('/').collect();
    let lowest = usize::from(matches!(game.position(), Position::Chess(_)));
    let mut pieces = Vec::new();
    for (rank, row) in rows.iter().rev().enumerate() {
        let mut file = b'a';
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file = file.saturating_add(empty as u8),
                None => {
                    pieces.push((format!("{}{}", char::from(file), rank + lowest), letter));
                    file = file.saturating_add(1);
                }
            }
        }
    }
    Some(pieces)
}

fn piece_at(game: &Game, point: &str) -> Option<char> {
    pieces(game)?.into_iter().find(|(one, _)| one == point).map(|(_, letter)| letter)
}

pub(super) fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

/// Tenths of a pawn. Of like value are pieces that are given for each other: knight and bishop, horse and
/// cannon.
pub(super) fn value(letter: char, is_chess: bool) -> i32 {
    match (letter.to_ascii_lowercase(), is_chess) {
        ('p', _) => 10,
        ('n' | 'b', true) => 30,
        ('r', true) => 50,
        ('q', _) | ('r', false) => 90,
        ('n' | 'c', false) => 40,
        ('a' | 'b', false) => 20,
        _ => 0,
    }
}
