//! What the pieces do to each other: attack maps, lines to the general, exchanges. The net has inputs for it.

mod army;
mod exchanges;
mod lines;
mod pieces;

pub use army::{Army, Attacks};
pub use exchanges::gains;
pub use lines::GeneralLines;
pub use pieces::PiecePlacement;
