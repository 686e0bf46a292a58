//! Xiangqi as an alpha-beta engine.

use super::alphabeta::{Ratings, Setup};
use super::book::Library;
use super::evalfile;
use super::{GameId, OptionKind, OptionSpec, chances, number, unknown_option};
use crate::clock::manager::Horizon;
use crate::game::{Text, Verdict};
use crate::message;
use crate::util::message::Message;
use crate::xiangqi::book::Book;
use crate::xiangqi::notation::Notation;
use crate::xiangqi::{Board, NoProgress, RuleSet};

#[derive(Default)]
pub struct Xiangqi {
    rules: RuleSet,
    no_progress: NoProgress,
    /// The last remark made, which is not repeated at every move of a cycle.
    remarked: Option<Message>,
}

const RULES: &str = "Repetition Rule";
const LIMIT: &str = "No Progress Limit";
/// Full moves without a capture that draw, by default.
const FULL_MOVES: u16 = 60;

impl Setup for Xiangqi {
    type Game = Board;
    type Book = Book;
    const ID: GameId = GameId::Xiangqi;
    const HORIZON: Horizon = Horizon { plies: 120, floor: 20 };
    const BENCH: &'static [&'static str] = &[
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "r1bakabr1/9/1cn4c1/p1p1p3p/5np2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1",
        "1rbaka2r/9/2n1bcn2/p3p1p1p/2p6/6P2/PcP1P3P/N1C1C1N2/9/1RBAKABR1 w - - 0 1",
        "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 w - - 0 1",
        "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1",
        "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1",
        "3k5/4a4/4b4/9/2b1P4/9/9/4B4/4A4/3K1R3 w - - 0 1",
        "2b1kab2/4a4/4c4/4p3p/9/2R6/4P3P/4B4/4A4/2BAK3r b - - 0 1",
    ];
    const BENCH_DEPTH: u32 = 11;
    const RATINGS: Ratings =
        [750, 980, 1160, 1400, 1590, 1730, 1840, 1990, 2220, 2380, 2610, 2820, 2980, 3160, 3340, 3480];
    const OFFERS_AND_RESIGNS: bool = true;

    fn terms(&self) -> String {
        let limit = match self.no_progress {
            NoProgress::Plies(plies) => plies / 2,
            NoProgress::Unlimited => 0,
        };
        format!("{RULES} {}, {LIMIT} {limit}", self.rules.name())
    }

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![evalfile::SPEC, chances::SPEC];
        options.extend(option_specs! {
            RULES, OptionKind::Combo { default: RuleSet::Chinese.name(), choices: &RuleSet::NAMES } =>
                "The rules that judge a repetition." | "裁决循环局面的规则。";
            LIMIT, OptionKind::spin(i64::from(FULL_MOVES), 0, 1000) =>
                "Full moves without a capture after which the game is drawn; 0 for no limit."
                | "多少回合没有吃子作和；0 为不限。";
        });
        options.extend(Library::<Book>::options());
        options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        match name {
            RULES => self.rules = value.parse()?,
            LIMIT => {
                let moves: u16 = number(value)?;
                self.no_progress =
                    if moves == 0 { NoProgress::Unlimited } else { NoProgress::Plies(2 * moves) };
            }
            _ => return Err(unknown_option(name)),
        }
        Ok(())
    }

    fn configure(&self, pos: &mut Board) {
        pos.set_rule_set(self.rules);
        pos.set_no_progress(self.no_progress);
    }

    fn forget(&mut self) {
        self.remarked = None;
    }

    fn remark(&mut self, pos: &Board, notation: Notation) -> Option<Message> {
        let remark = repetition_remark(pos, notation);
        let is_new = remark != self.remarked;
        self.remarked.clone_from(&remark);
        remark.filter(|_| is_new)
    }
}

/// Which moves a repetition forbids, or makes the opponent lose by.
fn repetition_remark(pos: &Board, notation: Notation) -> Option<Message> {
    let listed = |verdict| {
        let moves = pos.moves_that_repeat(verdict);
        let texts: Vec<_> = moves.iter().map(|&mv| pos.move_text(mv, notation)).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    // The verdict is that of the opponent, whose turn it is then.
    if let Some(moves) = listed(Verdict::Win) {
        return Some(message!("{moves} would lose by repetition" | "走 {moves} 会因循环判负", moves));
    }
    let moves = listed(Verdict::Loss)?;
    Some(message!(
        "{moves} wins by repetition: the opponent had to deviate" | "走 {moves} 因循环而胜：对方本应变着",
        moves
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn a_repetition_is_remarked_on_once() {
        let mut pos = Board::from_fen("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1").unwrap();
        let mut engine = Xiangqi::default();
        for text in ["a8a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8"] {
            assert_eq!(engine.remark(&pos, Notation::Coordinate), None);
            let mv = pos.parse_move(text, Notation::Coordinate).unwrap();
            pos.do_move(mv, &mut ());
        }
        assert_eq!(
            engine.remark(&pos, Notation::Coordinate).map(String::from).as_deref(),
            Some("d8d9 wins by repetition: the opponent had to deviate")
        );
        assert_eq!(engine.remark(&pos, Notation::Coordinate), None, "said already");
        pos.undo_move();
        // Black has repeated; Red completes the cycle of checks one ply earlier in this one.
        let mut pos = Board::from_fen("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1").unwrap();
        for text in ["a8a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9"].iter().take(8) {
            let mv = pos.parse_move(text, Notation::Coordinate).unwrap();
            pos.do_move(mv, &mut ());
        }
        let remark = repetition_remark(&pos, Notation::Coordinate).unwrap().to_string();
        assert_eq!(remark, "a8a9 would lose by repetition");
        let remark = engine.remark(&pos, Notation::RanksFromOne).unwrap();
        assert_eq!(format!("{remark:#}"), "走 a9a10 会因循环判负");
    }
}
