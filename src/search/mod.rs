//! Searching: what every search shares. Knows no game by name, no protocol, and never prints.

pub mod alphabeta;
pub mod limits;
pub mod pool;
pub mod tree;
pub mod tt;
