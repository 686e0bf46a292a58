#!/usr/bin/env python3
"""Evaluates positions of Go for `sanqi data play go --server`, best on a graphics processor.

    serve.py --net net.bin [--port 7979] [--sizes 9,13,19]

One request of hundreds of positions costs little more than one of a single one, so the games are to be many:

    sanqi data play go --net net.bin --server 127.0.0.1:7979 --threads 1024 --out data/go

When the file of the net changes, it is read again: a training beside the games can write into it. `src/convnet/server.rs` says
what goes over the wire. It listens on this machine alone.
"""

from __future__ import annotations

import argparse
import socket
import struct
import sys
import threading
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from model import STEP, Clip, GoNet, Linear, Pre, pooled, weight_step
from netfile import GLOBALS, ONE, OUTPUTS, PLANES, IntegerNet

MAGIC = b"SANQISV1"
MOST = 1024
"""Most positions of a request."""
COUNTS = (16, 32, 64, 128, 192, 256, 384, 512, 768, MOST)
"""A request is filled up to one of these counts."""


def numbers_of(net: GoNet) -> dict[str, Tensor]:
    """The net's weights, rounded as its file has them, with what heads need to say more cut off."""
    out = {}
    kept = {"move": 1, "passing": 1, "value": len(OUTPUTS)}
    with torch.no_grad():
        for name, module in net.named_modules():
            if isinstance(module, Linear):
                step = weight_step(module.weight).reshape(-1, *[1] * (module.weight.ndim - 1))
                rows = slice(0, kept.get(name))
                out[f"{name}.weight"] = ((module.weight / step).round() * step)[rows]
                out[f"{name}.bias"] = module.bias.clone()[rows]
            elif isinstance(module, Pre):
                out[f"{name}.gain"] = module.gain.clamp_min(0)[:, None, None].clone()
                out[f"{name}.offset"] = module.offset[:, None, None].clone()
            elif isinstance(module, Clip):
                out[f"{name}.most"] = 255 * module.log_step.exp()
    return out


class Evaluator:
    """The net without the rounding of activations, and memory for requests."""

    def __init__(self, path: Path, device: torch.device):
        self.path, self.device = path, device
        self.dtype = torch.float16 if device.type == "cuda" else torch.float32
        self.numbers: dict[str, Tensor] = {}
        self.changed = 0
        self.graphs: dict[tuple[int, int, int], tuple[torch.cuda.CUDAGraph, Tensor, Tensor]] = {}
        self.stream = torch.cuda.Stream() if device.type == "cuda" else None
        self.lock = threading.Lock()
        self.load()

    def load(self) -> int:
        """Reads the file; the training id of the net."""
        self.changed = self.path.stat().st_mtime_ns
        whole = IntegerNet.from_bytes(self.path.read_bytes())
        net = GoNet(len(whole.blocks))
        net.restore(whole)
        self.blocks = len(whole.blocks)
        for name, values in numbers_of(net).items():
            # In place: recorded graphs read from there.
            if name not in self.numbers:
                values = values.to(self.device, self.dtype)
                self.numbers[name] = values.contiguous(memory_format=torch.channels_last) if values.ndim == 4 else values
            else:
                self.numbers[name].copy_(values)
        return whole.info.training

    def refresh(self) -> None:
        """Reads the file again if it is another one by now."""
        if self.path.stat().st_mtime_ns != self.changed:
            with torch.cuda.stream(self.stream):
                self.load()

    def linear(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self.numbers[f"{name}.weight"], self.numbers[f"{name}.bias"]
        return F.linear(x, weight, bias) if weight.ndim == 2 else F.conv2d(x, weight, bias, padding=weight.shape[-1] // 2)

    def pre(self, name: str, x: Tensor) -> Tensor:
        gain, offset = self.numbers[f"{name}.gain"], self.numbers[f"{name}.offset"]
        return torch.addcmul(offset, x, gain).clamp_(0, 255 * STEP)

    def clip(self, name: str, x: Tensor) -> Tensor:
        return torch.minimum(x.clamp_min(0), self.numbers[f"{name}.most"])

    @torch.no_grad()
    def __call__(self, request: Tensor, width: int, height: int) -> Tensor:
        """From the bytes of positions [count, bytes] to their answers [count, numbers]."""
        area, count = width * height, len(request)
        bits = request[:, : 4 * area].contiguous().view(torch.int32)
        numbers = request[:, 4 * area :].contiguous().view(torch.int16)
        planes = (bits[:, :, None] >> torch.arange(PLANES, device=self.device, dtype=torch.int32) & 1).to(self.dtype)
        planes = planes.view(count, height, width, PLANES).permute(0, 3, 1, 2)
        x = self.linear("input", planes) + self.linear("globals", numbers.to(self.dtype) / ONE)[:, :, None, None]
        for i in range(self.blocks):
            name = f"blocks.{i}"
            z = self.linear(f"{name}.first", self.pre(f"{name}.pre", x))
            if f"{name}.pool.weight" in self.numbers:
                few = z.shape[1] - len(self.numbers[f"{name}.pool.bias"])
                bias = self.linear(f"{name}.pool", pooled(self.clip(f"{name}.clip", z[:, :few])))
                z = z + F.pad(bias, (few, 0))[:, :, None, None]
            x = x + self.linear(f"{name}.second", self.clip(f"{name}.clip", z))
        a = self.pre("last", x)
        g = pooled(a)
        h = self.clip("policy_clip", self.linear("policy", a) + self.linear("policy_pool", g)[:, :, None, None])
        values = self.linear("value", self.clip("value_clip", self.linear("value_pool", g)))
        parts = [self.linear("move", h).flatten(1), self.linear("passing", g), values, self.linear("owner", a).flatten(1)]
        out = torch.cat(parts, 1).float() * ONE
        limits = torch.iinfo(torch.int16)
        return out.round().clamp(limits.min, limits.max).to(torch.int16)

    def record(self, width: int, height: int) -> None:
        """Records the work of every count of positions, so that the processor does not launch each operation again."""
        assert self.stream is not None
        area, pool = width * height, None
        for count in reversed(COUNTS):
            request = torch.zeros(count, 4 * area + 2 * GLOBALS, dtype=torch.uint8, device=self.device)
            with torch.cuda.stream(self.stream):
                for _ in range(2):
                    self(request, width, height)
            self.stream.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool, stream=self.stream):
                answer = self(request, width, height)
            pool = pool or graph.pool()
            self.graphs[(width, height, count)] = (graph, request, answer)

    def answer(self, request: Tensor, width: int, height: int) -> Tensor:
        """The same on the processor that the memory of the request is of."""
        if self.stream is None:
            return self(request, width, height)
        count = next(count for count in COUNTS if count >= len(request))
        with torch.cuda.stream(self.stream):
            if (width, height, count) not in self.graphs:
                answer = self(request.to(self.device), width, height)
            else:
                graph, its, answer = self.graphs[(width, height, count)]
                its[: len(request)].copy_(request, non_blocking=True)
                graph.replay()
            out = torch.empty(len(request), answer.shape[1], dtype=answer.dtype, pin_memory=True)
            out.copy_(answer[: len(request)], non_blocking=True)
        self.stream.synchronize()
        return out


def receive(connection: socket.socket, into: memoryview) -> bool:
    """Fills the memory; False when the connection has ended."""
    while into:
        try:
            got = connection.recv_into(into)
        except ConnectionError:
            return False
        if not got:
            return False
        into = into[got:]
    return True


class Counts:
    """What has been done, for the log."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.positions = self.requests = 0
        self.busy = 0.0

    def add(self, positions: int, busy: float) -> None:
        with self.lock:
            self.positions += positions
            self.requests += 1
            self.busy += busy


def attend(connection: socket.socket, evaluator: Evaluator, training: int, counts: Counts) -> None:
    """Answers the requests of one connection until it ends."""
    greeting = memoryview(bytearray(16))
    if not receive(connection, greeting) or bytes(greeting[:8]) != MAGIC:
        return
    connection.sendall(MAGIC + struct.pack("<Q", training))
    if struct.unpack("<Q", greeting[8:])[0] != training:
        return
    header = memoryview(bytearray(12))
    memory = torch.empty(0, dtype=torch.uint8)
    while receive(connection, header):
        width, height, count = struct.unpack("<3I", header)
        if not (2 <= width <= 25 and 2 <= height <= 25 and 1 <= count <= MOST):
            return
        row = 4 * width * height + 2 * GLOBALS
        if memory.numel() < count * row:
            memory = torch.empty(MOST * row, dtype=torch.uint8, pin_memory=evaluator.stream is not None)
        request = memory[: count * row]
        if not receive(connection, memoryview(request.numpy())):
            return
        begun = time.monotonic()
        with evaluator.lock:
            evaluator.refresh()
            answer = evaluator.answer(request.view(count, row), width, height)
        counts.add(count, time.monotonic() - begun)
        connection.sendall(memoryview(answer.contiguous().numpy()).cast("B"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--net", type=Path, required=True, help="the net file, which may change while it serves")
    parser.add_argument("--port", type=int, default=7979, help="of this machine")
    parser.add_argument("--sizes", default="9,13,19", help="sizes of boards that are made ready for")
    parser.add_argument("--connections", type=int, default=4, help="requests that are computed at the same time")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    evaluators = [Evaluator(args.net, torch.device(args.device)) for _ in range(args.connections)]
    training = evaluators[0].load()
    for evaluator in evaluators if args.device != "cpu" else []:
        for size in map(int, args.sizes.split(",")):
            evaluator.record(size, size)
    listener = socket.create_server(("127.0.0.1", args.port))
    print(f"ready: {args.net}, id {training:016x}, {args.device}, port {args.port}", flush=True)
    counts = Counts()

    def log() -> None:
        before = (0, 0, 0.0)
        while True:
            time.sleep(20)
            now = (counts.positions, counts.requests, counts.busy)
            positions, requests, busy = (b - a for a, b in zip(before, now, strict=True))
            before = now
            if requests:
                print(f"{positions / 20:.0f} positions/s, {positions / requests:.0f} a request, busy {busy / 20:.2f}", flush=True)

    threading.Thread(target=log, daemon=True).start()
    while True:
        for evaluator in evaluators:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=attend, args=(connection, evaluator, training, counts), daemon=True).start()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
