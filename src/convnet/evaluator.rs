//! From planes to the output of the heads.

use super::grid::{Grid, Tile};
use super::net::ConvNet;
use super::output::ConvNetOutput;
use super::packed::{self, OF_PASS, OF_POLICY, OF_VALUE, OUTPUT_MULTIPLE, Packed};
use super::parameters::{POLICY, POOLED, POOLS, RESULTS, VALUE};
use super::server::Client;
use super::simd::{Epilogue, Kernel, Work};
use super::{CHANNELS, GLOBALS, PLANES, fits};
use crate::util::aligned::Aligned;
use std::sync::Arc;

/// Evaluates positions of one thread. It owns its memory, and asks for more only when a larger board comes.
pub struct ConvNetEvaluator {
    net: Arc<ConvNet>,
    kernel: Kernel,
    /// The net for the tiles of the last board.
    packed: Arc<Packed>,
    scratch: Scratch,
    client: Client,
    output: ConvNetOutput,
}

impl ConvNetEvaluator {
    /// With the fastest kernel of this processor.
    pub fn new(net: Arc<ConvNet>) -> Self {
        Self::with_kernel(net, Kernel::best())
    }

    pub fn with_kernel(net: Arc<ConvNet>, kernel: Kernel) -> Self {
        let packed = net.packed(kernel.layout(), Tile::default());
        let (scratch, client) = (Scratch::new(), Client::default());
        Self { net, kernel, packed, scratch, client, output: ConvNetOutput::default() }
    }

    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Evaluates a position: `planes` are `[row][column][plane]`, each 0 or 1; of `globals` 256 is 1.0.
    /// # Panics
    /// When the board is of a size that does not [fit](super::fits), or `planes` is not of that size.
    pub fn evaluate(
        &mut self,
        width: usize,
        height: usize,
        planes: &[u8],
        globals: &[i16; GLOBALS],
    ) -> &ConvNetOutput {
        assert!(fits(width, height), "a board of {width}x{height}");
        assert_eq!(planes.len(), width * height * PLANES);
        if let Some(server) = self.net.server()
            && self.client.ask(server, (width, height), planes, globals, &mut self.output).is_some()
        {
            return &self.output;
        }
        let grid = Grid::padded(width, height, Tile::best(width, height));
        if grid != self.scratch.grid {
            self.packed = self.net.packed(self.kernel.layout(), grid.tile);
            self.scratch.fit(grid);
        }
        self.output.moves.resize(width * height, 0);
        self.output.owner.resize(width * height, 0);
        self.scratch.read_planes(planes);
        self.trunk(globals);
        self.heads();
        &self.output
    }

    /// From the planes to the last activations.
    fn trunk(&mut self, globals: &[i16; GLOBALS]) {
        let Self { packed, kernel, scratch, .. } = self;
        let (grid, work) = (&scratch.grid, &mut scratch.work);
        let mut of_globals = [0; CHANNELS];
        kernel.multiply(&packed.globals, globals, &mut of_globals, work);
        for point in scratch.residual.chunks_exact_mut(CHANNELS) {
            point.copy_from_slice(&of_globals);
        }
        let [even, odd] = &mut scratch.activations;
        let add = Epilogue::Add { residual: &mut scratch.residual, norm: &packed.norm, to: even };
        kernel.convolve(&packed.input, grid, &scratch.planes, add, work);
        for packed::Block { first, pool, second, norm } in &packed.blocks {
            if let Some(pool) = pool {
                kernel.convolve(first, grid, even, Epilogue::Keep { to: &mut scratch.kept }, work);
                let (mut pooled, mut bias) = ([0; POOLS * POOLED], [0; CHANNELS]);
                kernel.pool(grid, &scratch.kept, &mut pooled);
                kernel.multiply(pool, &pooled, &mut bias, work);
                kernel.clamp_sum(grid, &scratch.kept, &bias, odd);
            } else {
                kernel.convolve(first, grid, even, Epilogue::Clamp { to: odd }, work);
            }
            let add = Epilogue::Add { residual: &mut scratch.residual, norm, to: even };
            kernel.convolve(second, grid, odd, add, work);
        }
    }

    /// From the last activations to the output.
    fn heads(&mut self) {
        let Self { packed, kernel, scratch, output, .. } = self;
        let (grid, work) = (&scratch.grid, &mut scratch.work);
        kernel.upcast(grid, &scratch.activations[0], &mut scratch.rows);
        kernel.conv1x1(&packed.owner, &scratch.rows, &mut output.owner);

        let (mut pooled, mut pooled_heads) = ([0; POOLS * CHANNELS], [0; POOLED_HEAD_OUTPUTS]);
        kernel.pool(&Grid::compact(grid.width, grid.height), &scratch.rows, &mut pooled);
        kernel.multiply(&packed.pooled_heads, &pooled, &mut pooled_heads, work);
        output.pass = pooled_heads[OF_PASS];

        kernel.multiply(&packed.policy, &scratch.rows, &mut scratch.policy, work);
        kernel.clamp_rows(&mut scratch.policy, &pooled_heads[OF_POLICY]);
        kernel.conv1x1(&packed.moves, &scratch.policy, &mut output.moves);

        let mut value: [i16; VALUE] = [0; VALUE];
        value.copy_from_slice(&pooled_heads[OF_VALUE]);
        kernel.clamp_rows(&mut value, &[0; VALUE]);
        let mut results = [0; OUTPUT_MULTIPLE];
        const { assert!(RESULTS <= OUTPUT_MULTIPLE) };
        kernel.multiply(&packed.value, &value, &mut results, work);
        [output.win, output.draw, output.loss, output.score, output.spread] =
            std::array::from_fn(|i| results[i]);
    }
}

/// Outputs of [`Packed::pooled_heads`], padding included.
const POOLED_HEAD_OUTPUTS: usize = (OF_PASS + 1).next_multiple_of(OUTPUT_MULTIPLE);

struct Scratch {
    /// The board with its border.
    grid: Grid,
    /// `[place][plane]`, 0 off the board.
    planes: Aligned<u8>,
    /// `[place][channel]`, 0 off the board: what a convolution reads, and what it writes.
    activations: [Aligned<u8>; 2],
    residual: Aligned<i16>,
    /// `[place][channel]`: outputs that wait for the pool.
    kept: Aligned<i16>,
    /// `[point][channel]`: the last activations.
    rows: Aligned<i16>,
    /// `[point][channel]`: the policy head.
    policy: Aligned<i16>,
    work: Work,
}

impl Scratch {
    /// Without a board.
    fn new() -> Self {
        Self {
            grid: Grid::default(),
            planes: Aligned::zeroed(0),
            activations: [Aligned::zeroed(0), Aligned::zeroed(0)],
            residual: Aligned::zeroed(0),
            kept: Aligned::zeroed(0),
            rows: Aligned::zeroed(0),
            policy: Aligned::zeroed(0),
            work: Work::new(),
        }
    }

    /// Makes room for another board.
    fn fit(&mut self, grid: Grid) {
        self.grid = grid;
        let numbers = grid.places * CHANNELS;
        // Points of the last board may be off this one, so that all are cleared.
        for bytes in std::iter::once(&mut self.planes).chain(&mut self.activations) {
            bytes.resize(0);
        }
        self.planes.resize(grid.places * PLANES);
        self.activations.iter_mut().for_each(|bytes| bytes.resize(numbers));
        self.residual.resize(numbers);
        self.kept.resize(numbers);
        self.rows.resize(grid.area() * CHANNELS);
        self.policy.resize(grid.area() * POLICY);
        self.work.fit(&grid, (grid.area() * POLICY).max(POOLED_HEAD_OUTPUTS));
    }

    /// Copies planes `[row][column][plane]` into the grid.
    fn read_planes(&mut self, planes: &[u8]) {
        let row_bytes = self.grid.width * PLANES;
        for (row, from) in planes.chunks_exact(row_bytes).enumerate() {
            self.planes[self.grid.at(row, 0) * PLANES..][..row_bytes].copy_from_slice(from);
        }
    }
}
