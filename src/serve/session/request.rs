//! What the page may ask of a session.

use crate::app::desk::Inquiry;
use crate::serve::position::Line;
use crate::serve::store::{Search, Stored};
use crate::serve::table::{Terms, Wish};
use crate::serve::tree::SavedGame;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What the page asks for.
#[derive(Deserialize)]
pub(super) struct Request {
    pub id: u64,
    /// The language of refusals, `en` or `zh…`.
    #[serde(default)]
    pub language: String,
    #[serde(flatten)]
    pub command: Command,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(super) enum Command {
    /// What the position at the end of the line is.
    Position { line: Line },
    /// What is known of the position without a search: its opening, moves of the book, the verdict of tables.
    Known { line: Line },
    /// What every position of the line is, in short.
    Pictures { line: Line },
    /// The engine's move, at a level or within a number of seconds; or that of another engine by its name.
    Play {
        line: Line,
        #[serde(default)]
        level: Option<u8>,
        #[serde(default)]
        seconds: Option<f64>,
        #[serde(default)]
        engine: Option<String>,
    },
    /// What another engine thinks of the position.
    Consult { line: Line, engine: String, seconds: f64 },
    /// What the opponent would play if it were his turn.
    Threat { line: Line },
    /// A good move, at full strength.
    Hint { line: Line },
    /// Whether the engine takes a draw that the side to move offers.
    Offer { line: Line },
    /// The best lines, until something else is asked for or for a number of seconds.
    Analyze {
        line: Line,
        lines: u8,
        #[serde(default)]
        seconds: Option<f64>,
    },
    /// Every move of the line, judged, or those after the first `from`; the last first.
    Review {
        line: Line,
        nodes: u64,
        #[serde(default)]
        from: usize,
    },
    /// The result of a game of Go; without a list the engine decides what is dead.
    Count {
        line: Line,
        #[serde(default)]
        dead: Option<Vec<String>>,
    },
    /// The game and its variations as PGN or SGF.
    Save { tree: SavedGame },
    /// A start position of Chess960, by chance.
    Shuffle,
    /// End the search.
    Stop,
    /// What the page is made up with: the settings, what levels are worth, the folder of the library, the
    /// engine's limits.
    Welcome,
    /// From the next search on the engine has these; none: what the command line has.
    Engine {
        #[serde(default)]
        threads: Option<usize>,
        /// MiB of table.
        #[serde(default)]
        hash: Option<u32>,
    },
    /// The games that are kept.
    Library(Search),
    /// One of them.
    Load { name: String },
    /// Keeps a game.
    Store(Stored),
    /// Moves a game to the trash.
    Remove { name: String },
    /// Brings it back from there.
    Restore { name: String },
    /// Changes settings of all tabs.
    Settings { set: Map<String, Value> },
    /// The move, in coordinates, that a text typed at this position means.
    Typed { line: Line, text: String },
    /// What the rules answer to a question about the line.
    Judge {
        line: Line,
        #[serde(flatten)]
        inquiry: Inquiry,
    },
    /// Sits down at a new table. What happens there is an event `table`, and `clock` where only time has
    /// passed.
    Sit(Terms),
    /// Sits down at a table that was left.
    Resume { table: String },
    /// What the person at the table wants.
    Act(Wish),
    /// Sends the state of the table again, with all moves.
    Table,
    /// Leaves the table; its clocks stop.
    Leave,
}
