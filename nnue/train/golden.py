#!/usr/bin/env python3
"""Makes tests/data/go_net.json: what the plain whole-number net says, for the engine's kernels to say too.

    golden.py > tests/data/go_net.json

Net and inputs come from SplitMix64, so that the file need not hold them. In the order of the net's file: a weight is the top
7 bits of a number less 64, a bias the top 16 bits less 32768 times 2^shift / 256 rounded down, a multiplier 16384 and the top
14 bits; the shifts are those of SHIFTS; a gain is 1024 and the top 10 bits, an offset the top 8 bits less 128. Then for each
board and point a number whose bit i is plane i where bit 32 + i is set as well, and for each of the net's eight numbers the top
11 bits less 1024.
"""

from __future__ import annotations

import json
import sys
import zlib

import numpy as np

from netfile import CHANNELS, GLOBALS, OUTPUTS, PLANES, POLICY, POOLED, VALUE, Activation, Block, IntegerNet, Layer, pools

SEED = 29
BLOCKS = 4
BOARDS = ((5, 5), (7, 9), (9, 9), (13, 13), (19, 19), (25, 25))
"""Rows and columns."""
SHIFTS = {
    "input": 3,
    "globals": 6,
    "first": 14,
    "pool": 12,
    "second": 11,
    "policy": 8,
    "policy_pool": 13,
    "move": 3,
    "passing": 9,
    "value_pool": 13,
    "value": 4,
    "owner": 5,
}
"""They keep the numbers of each layer in the range that a trained net has."""


class SplitMix64:
    def __init__(self, seed: int):
        self.state = seed

    def __call__(self) -> int:
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def top(self, bits: int, count: int) -> np.ndarray:
        """The top bits of so many numbers."""
        return np.array([self() >> (64 - bits) for _ in range(count)], np.int64)


def layer(rng: SplitMix64, name: str, *shape: int) -> Layer:
    shift, out = SHIFTS[name], shape[0]
    weights = rng.top(7, int(np.prod(shape))).reshape(shape) - 64
    bias = ((rng.top(16, out) - 32768) << shift) >> 8
    return Layer(weights, bias, 16384 + rng.top(14, out), np.full(out, shift))


def activation(rng: SplitMix64) -> Activation:
    return Activation(1024 + rng.top(10, CHANNELS), rng.top(8, CHANNELS) - 128)


def block(rng: SplitMix64, i: int) -> Block:
    # In the order of the file.
    pre = activation(rng)
    first = layer(rng, "first", CHANNELS, CHANNELS, 3, 3)
    pooled = layer(rng, "pool", CHANNELS - POOLED, 3 * POOLED) if pools(i) else None
    return Block(pre, first, pooled, layer(rng, "second", CHANNELS, CHANNELS, 3, 3))


def net(rng: SplitMix64, blocks: int) -> IntegerNet:
    return IntegerNet(
        input=layer(rng, "input", CHANNELS, PLANES, 3, 3),
        globals=layer(rng, "globals", CHANNELS, GLOBALS),
        blocks=[block(rng, i) for i in range(blocks)],
        last=activation(rng),
        policy=layer(rng, "policy", POLICY, CHANNELS),
        policy_pool=layer(rng, "policy_pool", POLICY, 3 * CHANNELS),
        move=layer(rng, "move", 1, POLICY),
        passing=layer(rng, "passing", 1, 3 * CHANNELS),
        value_pool=layer(rng, "value_pool", VALUE, 3 * CHANNELS),
        value=layer(rng, "value", len(OUTPUTS), VALUE),
        owner=layer(rng, "owner", 1, CHANNELS),
    )


def inputs(rng: SplitMix64, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    points = [rng() for _ in range(rows * columns)]
    bits = np.array([number & number >> 32 & 0xFFFFFFFF for number in points], np.int64)
    planes = bits[None, :] >> np.arange(PLANES)[:, None] & 1
    return planes.reshape(1, PLANES, rows, columns), rng.top(11, GLOBALS)[None] - 1024


def main() -> None:
    rng = SplitMix64(SEED)
    whole = net(rng, BLOCKS)
    boards = []
    for rows, columns in BOARDS:
        out = whole(*inputs(rng, rows, columns))
        boards.append({"rows": rows, "columns": columns} | {name: values[0].ravel().tolist() for name, values in out.items()})
    golden = {"seed": SEED, "blocks": BLOCKS, "crc": zlib.crc32(whole.to_bytes()), "boards": boards}
    json.dump(golden, sys.stdout, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
