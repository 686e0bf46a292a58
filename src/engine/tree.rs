//! The Go engine: a table where a game of Go is played, scored and searched.

use super::*;

/// A game of Go with its search.
#[derive(Default)]
pub struct GoEngine {
    stop: StopHandle,
}

impl Engine for GoEngine {
    fn game(&self) -> GameId {
        GameId::Go
    }
    fn options(&self) -> Vec<OptionSpec> {
        Vec::new()
    }
    fn set_option(&mut self, name: &str, _value: &str) -> Result<(), String> {
        Err(format!("no option {name}"))
    }
    fn new_game(&mut self) {}
    fn set_position(&mut self, _spec: &PositionSpec) -> Result<(), String> {
        Ok(())
    }
    fn side_to_move(&self) -> Side {
        Side::First
    }
    fn go(&mut self, _limits: Limits, _events: Sender<Event>) -> Result<(), String> {
        Ok(())
    }
    fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }
    fn ponder_hit(&mut self, _draw_offered: bool) {}
    fn wait(&mut self) {}
    fn diagram(&self) -> String {
        String::new()
    }
    fn explain_evaluation(&mut self) -> String {
        String::new()
    }
    fn perft(&self, _depth: u32) -> Option<Vec<(String, u64)>> {
        None
    }
    fn probe(&self, _spec: &PositionSpec) -> Result<Option<HashProbe>, String> {
        Ok(None)
    }
    fn static_evaluation(&mut self) -> i32 {
        0
    }
    fn bench(&mut self, _depth: Option<u32>) -> (u64, Duration) {
        (0, Duration::ZERO)
    }
    fn as_go(&mut self) -> Option<&mut GoEngine> {
        Some(self)
    }
}
