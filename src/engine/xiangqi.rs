//! Xiangqi as an alpha-beta engine.

use super::alphabeta::Setup;
use super::evalfile::{self, EvalFile};
use super::{GameId, OptionKind, OptionSpec};
use crate::clock::manager::Horizon;
use crate::eval::Evaluation;
use crate::xiangqi::{Board, NoProgress, RuleSet};

/// The settings of a xiangqi engine.
#[derive(Default)]
pub struct Xiangqi {
    net: EvalFile<Board>,
    rules: RuleSet,
    no_progress: NoProgress,
}

const RULES: &str = "Repetition Rule";
const LIMIT: &str = "No Progress Limit";
/// Full moves without a capture that draw, if the option says nothing else.
const FULL_MOVES: u16 = 60;

impl Setup for Xiangqi {
    type Eval = Evaluation<Board>;
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

    fn evaluator(&self) -> Self::Eval {
        self.net.evaluation()
    }

    fn explain(&self, pos: &Board) -> String {
        self.net.explain(pos)
    }

    fn options(&self) -> Vec<OptionSpec> {
        vec![
            evalfile::SPEC,
            OptionSpec {
                name: RULES,
                kind: OptionKind::Combo {
                    default: RuleSet::Chinese.name(),
                    choices: &["chinese", "asian", "computer", "none"],
                },
                help: "The rules that judge a repetition.",
            },
            OptionSpec {
                name: LIMIT,
                kind: OptionKind::Spin { default: i64::from(FULL_MOVES), min: 0, max: 1000 },
                help: "Full moves without a capture after which the game is drawn; 0 for no limit.",
            },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            evalfile::NAME => self.net.set(value),
            RULES => {
                self.rules = value.parse()?;
                Ok(())
            }
            LIMIT => {
                let moves: u16 = value.parse().map_err(|_| format!("'{value}' is not a number of moves"))?;
                self.no_progress =
                    if moves == 0 { NoProgress::Unlimited } else { NoProgress::Plies(2 * moves) };
                Ok(())
            }
            _ => Err(format!("no option '{name}'")),
        }
    }

    fn configure(&self, pos: &mut Board) {
        pos.set_rule_set(self.rules);
        pos.set_no_progress(self.no_progress);
    }
}
