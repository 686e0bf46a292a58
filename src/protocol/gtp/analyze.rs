//! Analysis until the next line of input, and other views of a search.

use super::args::{Refusal, boolean, color};
use super::command::{GtpCommand, Reply, commands, done};
use super::line::Request;
use super::report::{ReportFormat, ReportOptions};
use super::session::{Bounds, Picture, Purpose, Session};
use crate::engine::go::{Ban, SearchRequest};
use crate::engine::{Analysis, Limits, Side};
use crate::ensure;
use std::time::Duration;

/// Maximum length of an analysis; longer requests get this.
const MAX_SECONDS: f64 = 1e9;

/// Time between two reports, unless the client sets it.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);
/// Minimum time between two reports.
const MIN_INTERVAL: Duration = Duration::from_millis(10);
/// Visits of the search behind an answer with ownership or priors.
pub const GLANCE_VISITS: u64 = 1000;

pub const COMMANDS: &[GtpCommand] = commands! {
    "analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| analyze(s, r, ReportFormat::Sabaki),
        "reports in Sabaki's form until the next line of input";
    "lz-analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| analyze(s, r, ReportFormat::Leela),
        "reports in Leela Zero's form until the next line of input; options interval, minmoves, maxmoves, avoid, allow, maxVisits, maxTime";
    "kata-analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| analyze(s, r, ReportFormat::Kata),
        "reports in KataGo's form until the next line of input; also rootInfo, pvVisits, pvEdgeVisits, ownership, ownershipStdev, movesOwnership, movesOwnershipStdev";
    "stop" "" => |_, _| done(), "ends an analysis, as any line does";
    "heatmap" "[COLOR]" => |s, r| show(s, r, 1, heatmap),
        "prior of every point in permille, row by row from the top";
    "kata-raw-nn" "[COLOR] [SYMMETRY]" => raw_net,
        "the net's output without search: value, score, priors, ownership";
    "ownership" "[COLOR]" => |s, r| {
        let is_white = r.args.first().and_then(|word| color(word)) == Some(Side::Second);
        show_for(s, None, GLANCE_VISITS, if is_white { ownership_of_white } else { ownership_of_black })
    }, "expected owner of every point: 1 the color's (Black's), -1 the opponent's";
    "estimate_score" "" => |s, _| show_for(s, None, GLANCE_VISITS, estimate),
        "the score that is to be expected";
};

/// The arguments of an analysis command.
pub(super) struct Order {
    pub side: Option<Side>,
    pub request: SearchRequest,
    /// The parts of a report that the client asked for.
    pub report: ReportOptions,
    /// When the search ends by itself.
    pub bounds: Bounds,
}

/// Reads `[COLOR] [INTERVAL] {KEY VALUES}`. `bounds` are those that no word changes.
pub fn read(
    s: &mut Session<'_>,
    request: &Request,
    style: ReportFormat,
    bounds: Bounds,
) -> Result<Order, Refusal> {
    let mut words = request.args.iter().map(String::as_str).peekable();
    let side = words.peek().and_then(|word| color(word));
    if side.is_some() {
        words.next();
    }
    let mut order = Order {
        side,
        request: SearchRequest { interval: Some(DEFAULT_INTERVAL), ..SearchRequest::default() },
        report: ReportOptions::new(style),
        bounds,
    };
    if let Some(interval) = words.peek().and_then(|word| centiseconds(word)) {
        order.request.interval = Some(interval);
        words.next();
    }
    while let Some(key) = words.next() {
        let mut value = || words.next().ok_or(Refusal::SYNTAX);
        match key {
            "interval" => order.request.interval = Some(centiseconds(value()?).ok_or(Refusal::SYNTAX)?),
            "minmoves" => order.report.min_moves = value()?.parse().map_err(|_| Refusal::SYNTAX)?,
            "maxmoves" => order.report.max_moves = value()?.parse().map_err(|_| Refusal::SYNTAX)?,
            "rootInfo" => order.report.root_info = flag(value()?)?,
            "ownership" => order.report.ownership = flag(value()?)?,
            "ownershipStdev" => order.report.ownership_stdev = flag(value()?)?,
            "movesOwnership" => order.report.moves_ownership = flag(value()?)?,
            "movesOwnershipStdev" => order.report.moves_ownership_stdev = flag(value()?)?,
            "maxVisits" => order.bounds.visits = value()?.parse().map_err(|_| Refusal::SYNTAX)?,
            "maxTime" => order.bounds.seconds = seconds(value()?)?,
            "pvVisits" => order.report.pv_visits = flag(value()?)?,
            "pvEdgeVisits" => order.report.pv_edge_visits = flag(value()?)?,
            // Arguments of other engines, without a meaning here.
            "noResultValue" => {
                flag(value()?)?;
            }
            "avoid" | "allow" => {
                let ban = ban(s, key == "allow", value()?, value()?, value()?)?;
                order.request.bans.push(ban);
            }
            _ => return Err(Refusal::SYNTAX),
        }
    }
    order.request.moves_ownership = order.report.moves_ownership || order.report.moves_ownership_stdev;
    Ok(order)
}

fn flag(text: &str) -> Result<bool, Refusal> {
    boolean(text).ok_or(Refusal::SYNTAX)
}

/// A time in seconds; 0: no limit.
pub fn seconds(text: &str) -> Result<f64, Refusal> {
    text.parse::<f64>().ok().filter(|x| (0.0..=MAX_SECONDS).contains(x)).ok_or(Refusal::SYNTAX)
}

/// A time in hundredths of a second; 0 is as often as possible.
fn centiseconds(text: &str) -> Option<Duration> {
    let interval = text.parse::<f64>().ok().filter(|x| (0.0..1e9).contains(x))?;
    Some(Duration::from_secs_f64(interval / 100.0).max(MIN_INTERVAL))
}

/// Reads `avoid|allow COLOR VERTEX,VERTEX... UNTILDEPTH`.
fn ban(s: &mut Session<'_>, allow: bool, side: &str, vertices: &str, depth: &str) -> Result<Ban, Refusal> {
    let game = s.game_state();
    let moves = vertices.split(',').map(|text| game.vertex(text).ok_or(Refusal::MOVE));
    Ok(Ban {
        side: color(side).ok_or(Refusal::MOVE)?,
        moves: moves.collect::<Result<_, _>>()?,
        allow,
        until_depth: depth.parse().map_err(|_| Refusal::SYNTAX)?,
    })
}

fn analyze(s: &mut Session<'_>, request: &Request, style: ReportFormat) -> Reply {
    let order = read(s, request, style, s.state.bounds)?;
    let limits = order.bounds.limits();
    s.search(order.side, Purpose::Analyze, order.request, limits, Some(order.report))
}

fn show(s: &mut Session<'_>, request: &Request, visits: u64, text: Picture) -> Reply {
    // Leela's `heatmap average` and the like: what is not a color means the side to move.
    let side = request.args.first().and_then(|word| color(word));
    show_for(s, side, visits, text)
}

/// Answers with the `text` of a short search.
pub fn show_for(s: &mut Session<'_>, side: Option<Side>, visits: u64, text: Picture) -> Reply {
    let limits = Limits { nodes: Some(visits), analysis: true, ..Limits::default() };
    let request = SearchRequest { is_fresh: true, ..SearchRequest::default() };
    s.search(side, Purpose::Show(text), request, limits, None)
}

/// A number for every point in rows, and the number for passing.
#[allow(clippy::arithmetic_side_effects, reason = "a board has at most 25 rows and columns")]
fn priors(analysis: &Analysis, (columns, rows): (usize, usize)) -> (Vec<f64>, f64) {
    let mut grid = vec![0.0; columns * rows];
    let mut pass = 0.0;
    for mv in &analysis.moves {
        match place(&mv.mv, columns, rows).and_then(|at| grid.get_mut(at)) {
            Some(point) => *point = mv.prior,
            None => pass = mv.prior,
        }
    }
    (grid, pass)
}

/// Index of a vertex, row by row from the top; `None` for a pass.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "the row is compared with the rows first, which are at most 25"
)]
fn place(vertex: &str, columns: usize, rows: usize) -> Option<usize> {
    let letter = vertex.bytes().next()?;
    let column = usize::from(letter.checked_sub(b'A')?.checked_sub(u8::from(letter > b'I'))?);
    let row = vertex.get(1..)?.parse::<usize>().ok()?;
    (column < columns && (1..=rows).contains(&row)).then(|| (rows - row) * columns + column)
}

fn heatmap(analysis: &Analysis, _: Side, size: (usize, usize)) -> String {
    let (grid, pass) = priors(analysis, size);
    let permille = |x: &f64| format!("{:>4}", (x * 1000.0).round());
    let rows: Vec<String> = grid.chunks(size.0).map(|row| row.iter().map(permille).collect()).collect();
    // Clients read lines that begin with a number: none stands behind the mark of success.
    format!("\n{}\npass: {}\nwinrate: {:.6}", rows.join("\n"), (pass * 1000.0).round(), analysis.winrate)
}

/// Priors of all points in rows of the board.
pub fn prior_rows(analysis: &Analysis, _: Side, size: (usize, usize)) -> String {
    rows(priors(analysis, size).0.into_iter(), size.0)
}

fn rows(numbers: impl Iterator<Item = f64>, columns: usize) -> String {
    let words: Vec<String> = numbers.map(|x| format!("{x:.6}")).collect();
    words.chunks(columns).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")
}

fn raw_net(s: &mut Session<'_>, request: &Request) -> Reply {
    ensure!(s.engine().settings().net.get().is_some(), "no net is loaded".into());
    let side = request.args.first().and_then(|word| color(word));
    let limits = Limits { nodes: Some(1), analysis: true, ..Limits::default() };
    let request = SearchRequest { raw: true, ..SearchRequest::default() };
    s.search(side, Purpose::Show(raw), request, limits, None)
}

fn ownership_of_black(analysis: &Analysis, side: Side, size: (usize, usize)) -> String {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    rows(analysis.ownership.iter().map(|&x| sign * f64::from(x)), size.0)
}

fn ownership_of_white(analysis: &Analysis, side: Side, size: (usize, usize)) -> String {
    ownership_of_black(analysis, side.other(), size)
}

/// Everything as White sees it, whichever side is to move.
fn raw(analysis: &Analysis, side: Side, size: (usize, usize)) -> String {
    let (grid, pass) = priors(analysis, size);
    let (sign, win) = match side {
        Side::First => (-1.0, 1.0 - analysis.winrate),
        Side::Second => (1.0, analysis.winrate),
    };
    let owners = rows(analysis.ownership.iter().map(|&x| sign * f64::from(x)), size.0);
    format!(
        "symmetry 0\nwhiteWin {win:.6}\nwhiteLoss {:.6}\nwhiteLead {:.3}\npolicy\n{}\npolicyPass {pass:.6}\nwhiteOwnership\n{owners}",
        1.0 - win,
        sign * analysis.score_lead,
        rows(grid.into_iter(), size.0),
    )
}

fn estimate(analysis: &Analysis, side: Side, _: (usize, usize)) -> String {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    let (lead, stdev) = (sign * analysis.score_lead, analysis.score_stdev);
    let winner = if lead >= 0.0 { "B" } else { "W" };
    // As GNU Go has them: White's points.
    let (upper, lower) = (stdev - lead, -stdev - lead);
    format!("{winner}+{:.1} (upper bound: {upper:.1}, lower: {lower:.1})", lead.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_have_their_place_in_rows_from_the_top() {
        assert_eq!(place("A19", 19, 19), Some(0));
        assert_eq!(place("J18", 19, 19), Some(19 + 8));
        assert_eq!(place("T1", 19, 19), Some(360));
        assert_eq!(place("pass", 19, 19), None);
    }

    #[test]
    fn intervals_are_hundredths_of_a_second() {
        assert_eq!(centiseconds("50"), Some(Duration::from_millis(500)));
        assert_eq!(centiseconds("0"), Some(MIN_INTERVAL));
        for bad in ["", "B", "-1", "nan", "inf", "1e300"] {
            assert_eq!(centiseconds(bad), None, "{bad}");
        }
    }
}
