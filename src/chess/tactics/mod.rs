//! What the pieces do to each other: attack maps, lines to the king, exchanges. The hand-made evaluation
//! counts it, and the net has inputs for it. <https://www.chessprogramming.org/Tactics>

mod army;
mod exchanges;
mod lines;

pub use army::{Army, Attacks};
pub use exchanges::gains;
pub use lines::KingLines;
