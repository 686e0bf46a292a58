//! Self-play data and the trainers that learn from it.

pub mod datagen; // games against itself
pub mod record; // games on disk
