//! Reports of a running search, in the forms of Leela Zero, KataGo and Sabaki.
//!
//! Two things clients trip over: Sabaki reads the winrate of `analyze` as a whole number of hundredths of a
//! percent, that of `kata-analyze` as a fraction with a dot; and it takes everything after `pv` for moves, so
//! that `pv` comes last in its block (but for KataGo's `pvVisits` and `movesOwnership`, which only clients
//! that know them ask for), and fields of the whole line after all blocks.

use crate::engine::{Analysis, MoveAnalysis};
use std::fmt::{Display, Write};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// `lz-analyze`: winrates in hundredths of a percent.
    Leela,
    /// `kata-analyze`: fractions, scores, ownership.
    Kata,
    /// `analyze`: as Leela, with the score.
    Sabaki,
}

/// The parts of a report that a client asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportOptions {
    pub style: ReportFormat,
    /// Minimum number of moves to list, visited or not.
    pub min_moves: usize,
    pub max_moves: usize,
    /// Add the root's own statistics.
    pub root_info: bool,
    /// Add the visits of the position after each move of a variation.
    pub pv_visits: bool,
    /// Add the visits of each move of a variation.
    pub pv_edge_visits: bool,
    /// Add whose each point will be.
    pub ownership: bool,
    pub ownership_stdev: bool,
    /// Add whose each point will be after each move.
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
}

impl ReportOptions {
    /// All visited moves, nothing more.
    pub const fn new(style: ReportFormat) -> Self {
        Self {
            style,
            min_moves: 1,
            max_moves: usize::MAX,
            root_info: false,
            pv_visits: false,
            pv_edge_visits: false,
            ownership: false,
            ownership_stdev: false,
            moves_ownership: false,
            moves_ownership_stdev: false,
        }
    }

    /// One line of report; empty when there is nothing to report.
    pub fn line(&self, analysis: &Analysis) -> String {
        let mut out = String::new();
        let visited = analysis.moves.iter().filter(|mv| mv.visits > 0).count();
        let listed = visited.max(self.min_moves).min(self.max_moves);
        for (order, mv) in analysis.moves.iter().take(listed).enumerate() {
            if order > 0 {
                out.push(' ');
            }
            self.block(&mut out, mv, order);
        }
        if self.style == ReportFormat::Kata {
            self.whole(&mut out, analysis);
        }
        out
    }

    /// The fields of one move. Writing to a string cannot fail.
    fn block(&self, out: &mut String, mv: &MoveAnalysis, order: usize) {
        let MoveAnalysis { winrate, lcb, prior, score_lead: lead, score_stdev: stdev, visits, .. } = *mv;
        let percent = |x: f64| (x.clamp(0.0, 1.0) * 10_000.0).round() as u32;
        let name = &mv.mv;
        let _ = match self.style {
            ReportFormat::Kata => write!(
                out,
                "info move {name} visits {visits} edgeVisits {visits} utility {:.6} winrate {winrate:.6} \
                 scoreMean {lead:.6} scoreStdev {stdev:.6} scoreLead {lead:.6} scoreSelfplay {lead:.6} \
                 prior {prior:.6} lcb {lcb:.6} utilityLcb {:.6} weight {visits}.0 order {order}",
                utility(winrate),
                utility(lcb),
            ),
            ReportFormat::Leela => write!(
                out,
                "info move {name} visits {visits} winrate {} prior {} lcb {} order {order}",
                percent(winrate),
                percent(prior),
                percent(lcb),
            ),
            ReportFormat::Sabaki => write!(
                out,
                "info move {name} visits {visits} winrate {} scoreLead {lead:.2} prior {} lcb {} order {order}",
                percent(winrate),
                percent(prior),
                percent(lcb),
            ),
        };
        out.push_str(" pv");
        for reply in &mv.pv {
            out.push(' ');
            out.push_str(reply);
        }
        if self.style == ReportFormat::Kata {
            self.beyond_pv(out, mv);
        }
    }

    /// KataGo's fields after a variation, if asked for.
    fn beyond_pv(&self, out: &mut String, mv: &MoveAnalysis) {
        if self.pv_visits {
            field(out, " pvVisits", &mv.pv_visits);
        }
        if self.pv_edge_visits {
            field(out, " pvEdgeVisits", &mv.pv_edge_visits);
        }
        if !mv.ownership.is_empty() {
            if self.moves_ownership {
                field(out, " movesOwnership", &mv.ownership);
            }
            if self.moves_ownership_stdev {
                field(out, " movesOwnershipStdev", mv.ownership.iter().map(deviation));
            }
        }
    }

    fn whole(&self, out: &mut String, analysis: &Analysis) {
        let Analysis { visits, winrate, score_lead: lead, score_stdev: stdev, .. } = *analysis;
        if self.root_info {
            let _ = write!(
                out,
                " rootInfo visits {visits} utility {:.6} winrate {winrate:.6} scoreMean {lead:.6} \
                 scoreStdev {stdev:.6} scoreLead {lead:.6} scoreSelfplay {lead:.6} weight {visits}.0",
                utility(winrate),
            );
        }
        if self.ownership {
            field(out, " ownership", &analysis.ownership);
        }
        if self.ownership_stdev {
            field(out, " ownershipStdev", analysis.ownership.iter().map(deviation));
        }
    }
}

fn field<T: Display>(out: &mut String, name: &str, values: impl IntoIterator<Item = T>) {
    out.push_str(name);
    for value in values {
        let _ = write!(out, " {value:.4}");
    }
}

/// Standard deviation of the owner of a point, an outcome of +1 or -1.
fn deviation(owner: &f32) -> f32 {
    (1.0 - owner * owner).max(0.0).sqrt()
}

/// -1 for a sure loss, 1 for a sure win.
fn utility(winrate: f64) -> f64 {
    2.0 * winrate - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysis() -> Analysis {
        let mv = |mv: &str, visits, pv: &[&str]| MoveAnalysis {
            mv: mv.to_owned(),
            visits,
            winrate: 0.5213,
            lcb: 0.5,
            prior: 0.25,
            score_lead: 1.5,
            pv: pv.iter().map(|v| (*v).to_owned()).collect(),
            ..MoveAnalysis::default()
        };
        Analysis {
            moves: vec![mv("D4", 7, &["D4", "Q16"]), mv("pass", 0, &["pass"])],
            visits: 8,
            winrate: 0.52,
            ownership: vec![0.5, -1.0, 0.0, 1.0],
            ..Analysis::default()
        }
    }

    #[test]
    fn winrates_are_whole_numbers_but_for_katago() {
        let line = |style| ReportOptions::new(style).line(&analysis());
        assert!(line(ReportFormat::Sabaki).contains(" winrate 5213 "));
        assert!(line(ReportFormat::Leela).contains(" winrate 5213 "));
        assert!(line(ReportFormat::Kata).contains(" winrate 0.521300 "));
    }

    #[test]
    fn the_variation_ends_its_block() {
        for style in [ReportFormat::Sabaki, ReportFormat::Leela, ReportFormat::Kata] {
            assert!(ReportOptions::new(style).line(&analysis()).ends_with(" pv D4 Q16"), "{style:?}");
        }
        let full = ReportOptions {
            root_info: true,
            ownership: true,
            min_moves: 2,
            ..ReportOptions::new(ReportFormat::Kata)
        };
        let line = full.line(&analysis());
        assert!(line.contains(" pv D4 Q16 info move pass "));
        assert!(line.contains(" pv pass rootInfo visits 8 "));
        assert!(line.ends_with(" ownership 0.5000 -1.0000 0.0000 1.0000"));
    }

    #[test]
    fn the_number_of_moves_obeys_both_bounds() {
        let moves = |min_moves, max_moves| {
            let report = ReportOptions { min_moves, max_moves, ..ReportOptions::new(ReportFormat::Leela) };
            report.line(&analysis()).matches("info move").count()
        };
        assert_eq!((moves(1, usize::MAX), moves(2, usize::MAX), moves(9, 1), moves(0, 0)), (1, 2, 1, 0));
    }
}
