//! The net of chess and of xiangqi.

pub mod features;
pub mod simd;
pub mod weights;
