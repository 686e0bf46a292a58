//! Which evaluation each game uses.

pub mod xiangqi;
