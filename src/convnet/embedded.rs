//! The net in the binary. `build.rs` chooses the file; an empty one means that there is none yet.

use super::ConvNet;
use once_cell::sync::Lazy;
use std::sync::Arc;

const BYTES: &[u8] = include_bytes!(env!("SANQI_GO_NET"));

static NET: Lazy<Option<Arc<ConvNet>>> = Lazy::new(|| ConvNet::from_bytes(BYTES).ok().map(Arc::new));

/// The embedded net, read once. `None`: there is none. That the file is good when there is one is tested.
pub fn embedded() -> Option<Arc<ConvNet>> {
    NET.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_net_is_a_good_one_if_there_is_one() {
        if !BYTES.is_empty() {
            ConvNet::from_bytes(BYTES).unwrap();
        }
        assert_eq!(embedded().is_some(), !BYTES.is_empty());
    }
}
