//! Commands that make the engine think of a move.

use super::command::{GtpCommand, Reply, commands};
use super::report::{ReportFormat, ReportOptions};
use super::session::{Bounds, Purpose, Session};
use super::{analyze, line::Request};
use crate::engine::go::SearchRequest;
use crate::engine::{Limits, Side};
use std::time::Duration;

pub const COMMANDS: &[GtpCommand] = commands! {
    "genmove" "COLOR" => |s, r| plain(s, r, Purpose::Play), "plays a move, passes or resigns";
    "reg_genmove" "COLOR" => |s, r| plain(s, r, Purpose::Propose), "names a move without playing it";
    "kata-search" "COLOR" => |s, r| plain(s, r, Purpose::Propose), "names a move without playing it";
    "kata-search_cancellable" "COLOR" => |s, r| plain(s, r, Purpose::ProposeUnlessCancelled),
        "as kata-search; the next line of input ends it, and the answer is then 'cancelled'";
    "kgs-genmove_cleanup" "COLOR" => genmove_cleanup,
        "as genmove, but dead stones are captured before passing";
    "genmove_analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| reporting(s, r, Purpose::Play, ReportFormat::Sabaki),
        "plays a move and reports meanwhile, in Sabaki's form";
    "lz-genmove_analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| reporting(s, r, Purpose::Play, ReportFormat::Leela),
        "plays a move and reports meanwhile, in Leela Zero's form";
    "kata-genmove_analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| reporting(s, r, Purpose::Play, ReportFormat::Kata),
        "plays a move and reports meanwhile, in KataGo's form";
    "kata-search_analyze" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| reporting(s, r, Purpose::Propose, ReportFormat::Kata),
        "names a move without playing it and reports meanwhile";
    "kata-search_analyze_cancellable" "[COLOR] [INTERVAL] [OPTIONS...]" => |s, r| reporting(s, r, Purpose::ProposeUnlessCancelled, ReportFormat::Kata),
        "as kata-search_analyze; the next line of input ends it, and the move is then 'cancelled'";
};

fn plain(s: &mut Session<'_>, request: &Request, purpose: Purpose) -> Reply {
    let side = request.color(0)?;
    // Live graphics are updated every second.
    let interval = s.state.live_graphics.then_some(Duration::from_secs(1));
    let request = SearchRequest { interval, ..SearchRequest::default() };
    start(s, side, purpose, (request, Bounds::default()), None)
}

fn genmove_cleanup(s: &mut Session<'_>, request: &Request) -> Reply {
    let side = request.color(0)?;
    let request = SearchRequest { capture_dead: true, ..SearchRequest::default() };
    start(s, side, Purpose::Play, (request, Bounds::default()), None)
}

fn reporting(s: &mut Session<'_>, request: &Request, purpose: Purpose, style: ReportFormat) -> Reply {
    // The bounds that pause an analysis do not apply to a move.
    let order = analyze::read(s, request, style, Bounds::default())?;
    let side = order.side.unwrap_or(s.game_state().side_to_move());
    start(s, side, purpose, (order.request, order.bounds), Some(order.report))
}

/// Starts thinking on the clock of `side`, and within these bounds.
fn start(
    s: &mut Session<'_>,
    side: Side,
    purpose: Purpose,
    (request, bounds): (SearchRequest, Bounds),
    report: Option<ReportOptions>,
) -> Reply {
    let Limits { nodes, movetime, .. } = bounds.limits();
    let movetime = [movetime, s.state.clocks.move_cap()].into_iter().flatten().min();
    let lag = s.state.clocks.lag(side);
    let limits = Limits { clock: s.state.clocks.of(side), lag, nodes, movetime, ..Limits::default() };
    s.search(Some(side), purpose, request, limits, report)
}
