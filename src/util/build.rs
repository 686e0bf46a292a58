//! What this program was built from, as `build.rs` found it.

pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit; `, with changes` when the sources differed from it; or `unknown`.
pub const COMMIT: &str = env!("SANQI_BUILD_COMMIT");
pub const COMPILER: &str = env!("SANQI_BUILD_COMPILER");
/// The system and the processor it was built for.
pub const TARGET: &str = env!("SANQI_BUILD_TARGET");
