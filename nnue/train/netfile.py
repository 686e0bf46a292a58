"""The net of Go in whole numbers: its file (nnue/GO-FORMAT.md) and its arithmetic.

The arithmetic is the slow, plain twin of the engine's kernels: what both compute must be the same number for number.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field

import numpy as np

MAGIC = b"SANQICNV"
VERSION = 1
GAME = b"go\0\0\0\0\0\0"
INPUT_SET = 1
PLANES = 32
PLANES_IN_USE = 17
GLOBALS = 8
CHANNELS = 64
POOLED = 16
POLICY = 32
VALUE = 64
POOL_EVERY = 3
MOST_BLOCKS = 40
HEADER_BYTES = 128
CRC_AT = 124
ONE = 256
"""1.0 of an output, and of a number that goes in."""
KERNEL_SCALE = 36
"""What the sums of 3x3 convolutions are multiplied by."""
OUTPUTS = ("win", "draw", "loss", "score", "spread")


class NetFileError(ValueError):
    """Why bytes are not a net."""


@dataclass
class Layer:
    """Weights [out, in] or [out, in, 3, 3] in -127..127, and how a sum is brought back to 16 bits, by output channel."""

    weights: np.ndarray
    bias: np.ndarray
    mult: np.ndarray
    shift: np.ndarray

    def requantise(self, sums: np.ndarray) -> np.ndarray:
        """`sums` are [positions, out, ...]."""
        shape = (1, -1) + (1,) * (sums.ndim - 2)
        factor = KERNEL_SCALE if self.weights.ndim == 4 else 1
        bias, mult, shift = (a.astype(np.int64).reshape(shape) for a in (self.bias, self.mult, self.shift))
        q = sat16((factor * sums + bias) >> shift)
        return (q * mult + 16384) >> 15

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """`x` is [positions, in, rows, columns] or, for a dense layer, [positions, in]."""
        # Sums stay far below 2^53, so floats of 64 bits hold them exactly; the library multiplies those faster.
        w, x = self.weights.astype(np.float64), x.astype(np.float64)
        if w.ndim == 2:
            return self.requantise(products(w, x).astype(np.int64))
        rows, columns = x.shape[2:]
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        sums = sum(
            products(w[:, :, dy, dx], padded[:, :, dy : dy + rows, dx : dx + columns]) for dy in range(3) for dx in range(3)
        )
        return self.requantise(sums.astype(np.int64))


@dataclass
class Activation:
    """From the stream to 0..255, by channel."""

    gain: np.ndarray
    offset: np.ndarray

    def __call__(self, x: np.ndarray) -> np.ndarray:
        gain, offset = (a.astype(np.int64).reshape(1, -1, 1, 1) for a in (self.gain, self.offset))
        return clamp8(((x * gain + 16384) >> 15) + offset)


@dataclass
class Block:
    activation: Activation
    first: Layer
    pool: Layer | None
    second: Layer


@dataclass
class Info:
    """What the header says of a net's training."""

    training: int = 0
    samples: int = 0
    evaluations: int = 0
    generation: int = 1
    games: tuple[int, int, int, int] = (0, 0, 0, 0)
    """On boards up to 11 lines, up to 15, up to 19, larger."""


@dataclass
class IntegerNet:
    input: Layer
    globals: Layer
    blocks: list[Block]
    last: Activation
    policy: Layer
    policy_pool: Layer
    move: Layer
    passing: Layer
    value_pool: Layer
    value: Layer
    owner: Layer
    info: Info = field(default_factory=Info)

    def parts(self) -> list[Layer | Activation]:
        """All of them, in the order of the file."""
        out: list[Layer | Activation] = [self.input, self.globals]
        for block in self.blocks:
            out += [block.activation, block.first, *([block.pool] if block.pool else []), block.second]
        heads = [self.policy, self.policy_pool, self.move, self.passing, self.value_pool, self.value, self.owner]
        return [*out, self.last, *heads]

    def __call__(self, planes: np.ndarray, numbers: np.ndarray) -> dict[str, np.ndarray]:
        """`planes` are [positions, 32, rows, columns], 0 or 1; `numbers` [positions, 8]. All outputs have 256 for 1.0."""
        planes, numbers = planes.astype(np.int64), numbers.astype(np.int64)
        x = sat16(self.input(planes) + self.globals(numbers)[:, :, None, None])
        for block in self.blocks:
            z = block.first(block.activation(x))
            if block.pool:
                bias = block.pool(pool(clamp8(z[:, :POOLED])))
                z[:, POOLED:] = sat16(z[:, POOLED:] + bias[:, :, None, None])
            x = sat16(x + block.second(clamp8(z)))
        a = self.last(x)
        g = pool(a)
        h = clamp8(sat16(self.policy(a) + self.policy_pool(g)[:, :, None, None]))
        out = {"move": self.move(h)[:, 0], "pass": self.passing(g)[:, 0], "owner": self.owner(a)[:, 0]}
        for name, column in zip(OUTPUTS, self.value(clamp8(self.value_pool(g))).T, strict=True):
            out[name] = column
        return out

    def to_bytes(self) -> bytes:
        info = self.info
        header = bytearray(HEADER_BYTES)
        struct.pack_into("<8sI8s", header, 0, MAGIC, VERSION, GAME)
        numbers = (INPUT_SET, PLANES, GLOBALS, len(self.blocks), CHANNELS, POOLED, POLICY, VALUE, POOL_EVERY)
        struct.pack_into("<9H", header, 20, *numbers)
        struct.pack_into("<QQQI4I", header, 48, info.training, info.samples, info.evaluations, info.generation, *info.games)
        body = b"".join(part_bytes(part) for part in self.parts())
        crc = zlib.crc32(body, zlib.crc32(header))
        struct.pack_into("<I", header, CRC_AT, crc)
        return bytes(header) + body

    @staticmethod
    def from_bytes(data: bytes) -> IntegerNet:
        """Raises NetFileError with the reason."""
        if len(data) < HEADER_BYTES or data[:8] != MAGIC:
            raise NetFileError("not a net of Go")
        zeroed = data[:CRC_AT] + bytes(4) + data[HEADER_BYTES:]
        if zlib.crc32(zeroed) != struct.unpack_from("<I", data, CRC_AT)[0]:
            raise NetFileError("wrong checksum")
        version, game = struct.unpack_from("<I8s", data, 8)
        dims = struct.unpack_from("<9H", data, 20)
        blocks = dims[3]
        known = (INPUT_SET, PLANES, GLOBALS, blocks, CHANNELS, POOLED, POLICY, VALUE, POOL_EVERY)
        if version != VERSION or game != GAME or dims != known or not 1 <= blocks <= MOST_BLOCKS:
            raise NetFileError("another version, game or shape")
        if any(data[38:48]) or any(data[92:CRC_AT]):
            raise NetFileError("bytes that should be zero")
        training, samples, evaluations, generation, *games = struct.unpack_from("<QQQI4I", data, 48)
        reader = PartReader(data[HEADER_BYTES:])
        net = reader.net(blocks)
        if reader.rest:
            raise NetFileError("bytes after the last layer")
        net.info = Info(training, samples, evaluations, generation, tuple(games))
        return net


class PartReader:
    """Takes layers off the front of bytes."""

    def __init__(self, rest: bytes):
        self.rest = rest

    def array(self, kind: str, *shape: int) -> np.ndarray:
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        if len(self.rest) < size:
            raise NetFileError("cut short")
        taken, self.rest = self.rest[:size], self.rest[size:]
        return np.frombuffer(taken, kind).reshape(shape)

    def layer(self, *shape: int) -> Layer:
        weights = self.array("i1", *shape)
        bias, mult, shift = (self.array(kind, shape[0]) for kind in ("<i4", "<i2", "u1"))
        if (weights == -128).any() or (np.abs(bias.astype(np.int64)) > 1 << 30).any():
            raise NetFileError("a weight or bias out of range")
        if (mult < 0).any() or (shift > 24).any():
            raise NetFileError("a multiplier or shift out of range")
        return Layer(weights, bias, mult, shift)

    def activation(self) -> Activation:
        gain, offset = self.array("<i2", CHANNELS), self.array("<i2", CHANNELS)
        if (gain < 0).any():
            raise NetFileError("a gain below 0")
        return Activation(gain, offset)

    def block(self, i: int) -> Block:
        activation = self.activation()
        first = self.layer(CHANNELS, CHANNELS, 3, 3)
        pooled = self.layer(CHANNELS - POOLED, 3 * POOLED) if pools(i) else None
        return Block(activation, first, pooled, self.layer(CHANNELS, CHANNELS, 3, 3))

    def net(self, blocks: int) -> IntegerNet:
        return IntegerNet(
            input=self.layer(CHANNELS, PLANES, 3, 3),
            globals=self.layer(CHANNELS, GLOBALS),
            blocks=[self.block(i) for i in range(blocks)],
            last=self.activation(),
            policy=self.layer(POLICY, CHANNELS),
            policy_pool=self.layer(POLICY, 3 * CHANNELS),
            move=self.layer(1, POLICY),
            passing=self.layer(1, 3 * CHANNELS),
            value_pool=self.layer(VALUE, 3 * CHANNELS),
            value=self.layer(len(OUTPUTS), VALUE),
            owner=self.layer(1, CHANNELS),
        )


def pools(block: int) -> bool:
    """Whether a block, counted from 0, pools."""
    return block % POOL_EVERY == POOL_EVERY - 1


def part_bytes(part: Layer | Activation) -> bytes:
    if isinstance(part, Activation):
        arrays = [(part.gain, "<i2"), (part.offset, "<i2")]
    else:
        arrays = [(part.weights, "i1"), (part.bias, "<i4"), (part.mult, "<i2"), (part.shift, "u1")]
    return b"".join(np.ascontiguousarray(array, kind).tobytes() for array, kind in arrays)


def products(w: np.ndarray, x: np.ndarray) -> np.ndarray:
    """[out, in] by [positions, in, ...]: [positions, out, ...]."""
    return np.moveaxis(np.tensordot(w, x, (1, 1)), 0, 1)


def clamp8(x: np.ndarray) -> np.ndarray:
    return np.clip(x, 0, 255)


def sat16(x: np.ndarray) -> np.ndarray:
    return np.clip(x, -32768, 32767)


def pool(a: np.ndarray) -> np.ndarray:
    """Means, means scaled by the size of the board, and maxima, of [positions, channels, rows, columns]."""
    rows, columns = a.shape[2:]
    n = rows * columns
    mean = (16 * a.sum((2, 3)) + n // 2) // n
    scaled = mean * (rows + columns - 28) // 20
    return np.concatenate([mean, scaled, 16 * a.max((2, 3))], 1)
