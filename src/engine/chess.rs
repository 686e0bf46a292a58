//! Chess as an alpha-beta engine.

use super::alphabeta::{Ratings, Setup};
use super::book::Library;
use super::evalfile;
use super::syzygy::Syzygy;
use super::{GameId, OptionSpec, chances, unknown_option};
use crate::chess::Board;
use crate::chess::draws::is_dead_material;
use crate::chess::polyglot::Book;
use crate::clock::manager::Horizon;
use crate::search::alphabeta::endgames::EndgameTables;
use crate::util::message::Message;
use std::sync::Arc;

#[derive(Default)]
pub struct Chess {
    syzygy: Arc<Syzygy>,
}

impl Setup for Chess {
    type Game = Board;
    type Book = Book;
    const ID: GameId = GameId::Chess;
    const HORIZON: Horizon = Horizon { plies: 110, floor: 20 };
    /// Our own selection: openings, sharp and quiet middle games, endings, promotions, a castled Chess960
    /// start, mates.
    const BENCH: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
        "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NB1N2/1P3PPP/R1BQR1K1 w - - 0 13",
        "2rq1rk1/pb1nbppp/1p2pn2/8/2BP4/2N1BN2/PP2QPPP/2RR2K1 b - - 5 14",
        "r1b2rk1/2q1bppp/p1np1n2/1p2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 0 12",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5pk1/5p1p/2R5/5K2/1r4P1/7P/8 b - - 8 45",
        "4k3/1R6/5K2/8/4P3/8/8/6r1 b - - 3 60",
        "6k1/5pp1/7p/3p4/3Nn3/4P1P1/1b3P1P/5BK1 b - - 0 30",
        "1r3rk1/p4pp1/2p1b2p/q1b1P3/4N3/2P2Q2/P1B2PPP/3RR1K1 w - - 2 21",
        "5rk1/pp4pp/4p3/2R3Q1/3n4/2q4r/P1P2PPP/5RK1 b - - 1 23",
        "8/P6k/1p4pp/1Pp5/2P2q2/5p1P/2Q2P1K/8 w - - 0 44",
        "bqrnnbkr/pp1ppppp/8/2p5/5P2/4P3/PPPP2PP/NBRKBQRN b KQkq - 0 2",
    ];
    const BENCH_DEPTH: u32 = 12;
    const RATINGS: Ratings =
        [520, 760, 940, 1130, 1300, 1500, 1640, 1820, 2030, 2160, 2370, 2610, 2830, 3000, 3090, 3180];

    fn terms(&self) -> String {
        self.syzygy.terms().to_owned()
    }

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![evalfile::SPEC, chances::SPEC];
        options.extend(Library::<Book>::options());
        options.extend(Syzygy::options());
        options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let syzygy = self.syzygy.with(name, value)?.ok_or_else(|| unknown_option(name))?;
        self.syzygy = Arc::new(syzygy);
        Ok(())
    }

    fn configure(&self, _pos: &mut Board) {}

    fn is_technique(&self, pos: &Board) -> bool {
        let pos = pos.position();
        let is_bare = !pos.color(pos.side().other()).many();
        is_bare && !is_dead_material(pos)
    }

    fn tables(&self) -> Option<Arc<dyn EndgameTables<Board>>> {
        (!self.syzygy.is_empty()).then(|| Arc::clone(&self.syzygy) as _)
    }
}
