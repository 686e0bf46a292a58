//! The nets in the binary. `build.rs` chooses the files; an empty one means that there is none yet.

use super::{FeatureSet, Net, NetError};

static CHESS: &[u8] = include_bytes!(env!("SANQI_CHESS_NET"));
static XIANGQI: &[u8] = include_bytes!(env!("SANQI_XIANGQI_NET"));

/// The embedded net of `F`'s game. `None`: the game has none.
/// # Errors
/// When the file embedded was no good: a mistake of the build.
pub fn embedded<F: FeatureSet>() -> Result<Option<Net<F>>, NetError> {
    let bytes = match F::GAME {
        "chess" => CHESS,
        "xiangqi" => XIANGQI,
        _ => &[],
    };
    if bytes.is_empty() { Ok(None) } else { Net::from_bytes(bytes).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Chess768, Xiangqi689};

    #[test]
    fn embedded_nets_are_good() {
        embedded::<Chess768>().unwrap();
        embedded::<Xiangqi689>().unwrap();
    }
}
