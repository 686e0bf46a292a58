//! The nets in the binary. `build.rs` chooses the files; an empty one means that there is none yet.

use super::{FeatureSet, Net, NetError};

/// The embedded net of `F`'s game. `None`: the game has none.
pub fn embedded<F: FeatureSet>() -> Result<Option<Net<F>>, NetError> {
    if F::EMBEDDED.is_empty() { Ok(None) } else { Net::from_bytes(F::EMBEDDED).map(Some) }
}
