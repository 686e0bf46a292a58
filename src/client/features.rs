//! The announcement of an engine of XBoard's protocol, which may be of version 1 and announce nothing.

use super::grammar::xboard::{self, Features};
use super::process::Silence;
use super::wire::{Wire, later};
use std::time::{Duration, Instant};

/// After this time a silent engine is sent another line, and one more each time [`NUDGE_AGAIN`] has passed:
/// GNU Chess answers `protover` only when another line follows it, and not always then.
const NUDGE: Duration = Duration::from_secs(2);
const NUDGE_AGAIN: Duration = Duration::from_millis(500);

/// Greets the engine and collects what it announces within `wait`, or within `patience` once it asks for
/// time. The time when the announcement was complete; `None`: its end was not announced.
pub fn collect(
    wire: &mut Wire,
    wait: Duration,
    patience: Duration,
) -> Result<(Features, Option<Instant>), Silence> {
    let mut features = Features::default();
    wire.send("xboard");
    let sent = wire.send("protover 2");
    let mut deadline = later(sent, wait);
    let mut nudge = Some(later(sent, NUDGE));
    loop {
        let until = nudge.map_or(deadline, |at| at.min(deadline));
        let line = match wire.wait_for(until, |text| text.starts_with("feature ")) {
            Ok(line) => line,
            Err(Silence::TimedOut) if until < deadline => {
                wire.send("easy");
                nudge = Some(later(until, NUDGE_AGAIN));
                continue;
            }
            Err(Silence::TimedOut) => return Ok((features, None)),
            Err(silence) => return Err(silence),
        };
        nudge = None;
        for (name, value) in xboard::features(line.text.trim().trim_start_matches("feature ")) {
            wire.send(&features.take(&name, &value));
            match (name.as_str(), value.as_str()) {
                ("done", "1") => return Ok((features, Some(line.at))),
                ("done", _) => deadline = later(Instant::now(), patience),
                _ => {}
            }
        }
    }
}
