//! Self-play data and the trainers that learn from it.

pub mod record; // games on disk
