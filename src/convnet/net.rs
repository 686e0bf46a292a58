//! A net that threads share: its numbers, the copies that kernels read, and the server that evaluates in
//! their place.

use super::grid::Tile;
use super::layout::Layout;
use super::packed::Packed;
use super::parameters::ConvNetParameters;
use super::server::Server;
use crate::util::net_error::NetError;
use crate::util::sync::lock;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

pub struct ConvNet {
    parameters: ConvNetParameters,
    packed: Mutex<Vec<(Layout, Tile, Arc<Packed>)>>,
    server: Option<Server>,
}

impl From<ConvNetParameters> for ConvNet {
    fn from(parameters: ConvNetParameters) -> Self {
        Self { parameters, packed: Mutex::default(), server: None }
    }
}

impl Deref for ConvNet {
    type Target = ConvNetParameters;

    fn deref(&self) -> &ConvNetParameters {
        &self.parameters
    }
}

impl ConvNet {
    /// [`ConvNetParameters::random`].
    pub fn random(seed: u64, blocks: usize) -> Self {
        ConvNetParameters::random(seed, blocks).into()
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        ConvNetParameters::from_bytes(bytes).map(Self::from)
    }

    /// This net, with the arithmetic done by `server`.
    pub fn served_by(self, server: Server) -> Self {
        Self { server: Some(server), ..self }
    }

    pub(super) fn server(&self) -> Option<&Server> {
        self.server.as_ref()
    }

    /// The net in a layout, made once.
    pub(super) fn packed(&self, layout: Layout, tile: Tile) -> Arc<Packed> {
        let mut known = lock(&self.packed);
        if let Some((.., packed)) = known.iter().find(|(l, t, _)| (*l, *t) == (layout, tile)) {
            return packed.clone();
        }
        let packed = Arc::new(Packed::new(self, layout, tile));
        known.push((layout, tile, packed.clone()));
        packed
    }
}

impl fmt::Display for ConvNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parameters.fmt(f)
    }
}

impl fmt::Debug for ConvNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Net({} blocks, training {:016x})", self.blocks(), self.header().training)
    }
}
