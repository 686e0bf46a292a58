#!/usr/bin/env python3
"""Tests of the trainer: `make go-train-test`. They need its packages, so CI does not run them."""

from __future__ import annotations

import csv
import json
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch
import torch.nn.functional as F

import golden
from check import clustered
from data import FIELDS, MOST_WINDOW, NO_MOVE, SYMMETRIES, WINDOW_FROM, Data, count_games, games_of, turned, window, window_since
from losses import crps, expected, losses
from model import GoNet, quantise, round_through
from netfile import HEADER_BYTES, ONE, OUTPUTS, PLANES, PLANES_IN_USE, Activation, Info, IntegerNet, Layer, NetFileError
from serve import MAGIC as GREETING
from serve import Counts, Evaluator, attend, receive
from train import Beginning, claim

ROOT = Path(__file__).resolve().parents[2]
MARK = 14
"""A plane that shows something other than stones."""
KINDS = {
    "bits": "u4", "globals": "i2", "moves": "u2", "shares": "u1", "reply": "u2", "value": "u1", "soon": "u1",
    "result": "u1", "margin": "i2", "owner": "i1", "agreement": "u1", "ply": "u2", "game": "u4",
}  # fmt: skip


def arrays(directory: Path, part: str, size: int, count: int, seed: int) -> None:
    """Positions that can be learned: the side with more stones wins; it moves to a marked point, the other side passes."""
    rng = np.random.default_rng(seed)
    area = size * size
    own = rng.random((count, area)) < 0.3
    other = ~own & (rng.random((count, area)) < 0.3)
    won = own.sum(1) > other.sum(1)
    marked = (~own & ~other).argmax(1)
    marks = np.arange(area) == marked[:, None]
    moves = np.full((count, 16), NO_MOVE)
    moves[:, 0] = np.where(won, marked, area)
    moves[:, 1] = np.where(won, area, marked)
    shares = np.zeros((count, 16))
    shares[:, :2] = [200, 55]
    owner = own.astype(int) - other + marks
    margin = np.where(won, 9, -9)
    # Half points of komi are what the owned points leave of the margin.
    numbers = rng.integers(-256, 257, (count, 8))
    numbers[:, 0] = 8 * (margin - 2 * owner.sum(1))
    values = {
        "bits": 1 | own << 1 | other << 2 | marks << MARK,
        "globals": numbers,
        "moves": moves,
        "shares": shares,
        "reply": rng.integers(0, area + 1, count),
        "value": 255 * won,
        "soon": np.repeat(255 * won[:, None], 2, 1),
        "result": 2 * won,
        "margin": margin,
        "owner": owner,
        "agreement": np.full(count, 255),
        "ply": np.arange(count) % 50,
        "game": np.arange(count) // 50,
    }
    for name in FIELDS:
        np.save(directory / f"{part}-{size:02}-{name}.npy", values[name].astype(KINDS[name]))


def settled_net(blocks: int, seed: int = 3) -> GoNet:
    """Not trained, but with numbers other than those that a net begins with."""
    torch.manual_seed(seed)
    net = GoNet(blocks)
    with torch.no_grad():
        for p in net.parameters():
            p.add_(0.05 * torch.randn_like(p) if p.ndim else torch.tensor(-0.3))
    return net


class NetFile(unittest.TestCase):
    def test_nets_come_back_as_written(self) -> None:
        whole = golden.net(golden.SplitMix64(1), 4)
        whole.info = Info(7, 1 << 40, 3, 2, (5, 6, 7, 8))
        data = whole.to_bytes()
        again = IntegerNet.from_bytes(data)
        self.assertEqual(again.info, whole.info)
        self.assertEqual(again.to_bytes(), data)

    def test_every_flipped_byte_is_refused(self) -> None:
        data = golden.net(golden.SplitMix64(1), 1).to_bytes()
        places = [*range(HEADER_BYTES), *range(HEADER_BYTES, len(data), 997)]
        for at in places:
            broken = bytearray(data)
            broken[at] ^= 0x10
            with self.assertRaises(NetFileError, msg=f"byte {at}"):
                IntegerNet.from_bytes(bytes(broken))
        for length in (0, 5, HEADER_BYTES, len(data) - 1):
            with self.assertRaises(NetFileError):
                IntegerNet.from_bytes(data[:length])


class Model(unittest.TestCase):
    def test_gradients_of_the_rounding_are_those_of_its_definition(self) -> None:
        found = []
        for rounding in (quantise, lambda x, step: round_through((x / step).clamp(0, 255)) * step):
            torch.manual_seed(1)
            x = (300 * torch.rand(1000, dtype=torch.float64) - 20).requires_grad_()
            step = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
            y = rounding(x, step)
            (y * torch.linspace(-1, 2, 1000, dtype=torch.float64)).sum().backward()
            found.append((y.detach(), x.grad, step.grad))
        for one, other in zip(*found, strict=True):
            self.assertTrue(torch.allclose(one, other))

    def compare(self, net: GoNet, whole: IntegerNet, size: int) -> tuple[float, float]:
        """Correlation of the move logits, and the largest difference of the expected results."""
        rng = np.random.default_rng(5)
        planes = (rng.random((32, PLANES, size, size)) < 0.2).astype(np.float32)
        planes[:, 17:] = 0
        numbers = rng.integers(-300, 300, (32, 8))
        with torch.no_grad():
            floats = net(torch.from_numpy(planes), torch.from_numpy(numbers / ONE).float())
        found = whole(planes.astype(np.int64), numbers)
        moves = np.concatenate([found["move"].reshape(32, -1), found["pass"][:, None]], 1) / ONE
        r = np.corrcoef(moves.ravel(), floats["policy"][:, 0].numpy().ravel())[0, 1]
        wdl = np.stack([found["loss"], found["draw"], found["win"]], 1) / ONE
        values = expected(torch.from_numpy(wdl)).numpy() - expected(floats["wdl"]).numpy()
        return r, float(np.abs(values).max())

    def test_whole_numbers_say_what_floats_say(self) -> None:
        net = settled_net(4)
        whole = net.export(Info())
        for size in (5, 9, 19):
            r, off = self.compare(net, whole, size)
            self.assertGreater(r, 0.999, size)
            self.assertLess(off, 0.01, size)

    def test_a_net_taken_over_says_the_same(self) -> None:
        whole = settled_net(3).export(Info())
        for blocks in (3, 5):
            grown = GoNet(blocks)
            grown.restore(IntegerNet.from_bytes(whole.to_bytes()))
            r, off = self.compare(grown, whole, 9)
            self.assertGreater(r, 0.999, blocks)
            self.assertLess(off, 0.01, blocks)


class Exact:
    """PyTorch with the whole numbers of a net: sums of floats of 64 bits, which hold them exactly, the rest in integers."""

    def __init__(self, whole: IntegerNet):
        self.whole = whole

    @staticmethod
    def layer(layer: Layer, x: torch.Tensor) -> torch.Tensor:
        weights, x = torch.from_numpy(layer.weights.astype(np.float64)), x.double()
        if x.ndim == 2:
            sums = F.linear(x, weights)
        elif weights.ndim == 4:
            sums = 36 * F.conv2d(x, weights, padding=1)
        else:
            sums = F.conv2d(x, weights[:, :, None, None])
        shape = (1, -1) + (1,) * (x.ndim - 2)
        bias, mult, shift = (torch.from_numpy(a.astype(np.int64)).view(shape) for a in (layer.bias, layer.mult, layer.shift))
        q = (sums.long() + bias >> shift).clamp(-32768, 32767)
        return q * mult + 16384 >> 15

    @staticmethod
    def activation(activation: Activation, x: torch.Tensor) -> torch.Tensor:
        gain, offset = (torch.from_numpy(a.astype(np.int64)).view(1, -1, 1, 1) for a in (activation.gain, activation.offset))
        return ((x * gain + 16384 >> 15) + offset).clamp(0, 255)

    @staticmethod
    def pool(a: torch.Tensor) -> torch.Tensor:
        rows, columns = a.shape[2:]
        n = rows * columns
        mean = (16 * a.sum((2, 3)) + n // 2).div(n, rounding_mode="floor")
        scaled = (mean * (rows + columns - 28)).div(20, rounding_mode="floor")
        return torch.cat([mean, scaled, 16 * a.amax((2, 3))], 1)

    def __call__(self, planes: torch.Tensor, numbers: torch.Tensor) -> dict[str, torch.Tensor]:
        whole, layer = self.whole, self.layer

        def stream(x: torch.Tensor) -> torch.Tensor:
            return x.clamp(-32768, 32767)

        x = stream(layer(whole.input, planes) + layer(whole.globals, numbers)[:, :, None, None])
        for block in whole.blocks:
            z = layer(block.first, self.activation(block.activation, x))
            if block.pool:
                bias = layer(block.pool, self.pool(z[:, :16].clamp(0, 255)))
                z = torch.cat([z[:, :16], stream(z[:, 16:] + bias[:, :, None, None])], 1)
            x = stream(x + layer(block.second, z.clamp(0, 255)))
        a = self.activation(whole.last, x)
        g = self.pool(a)
        h = stream(layer(whole.policy, a) + layer(whole.policy_pool, g)[:, :, None, None]).clamp(0, 255)
        values = layer(whole.value, layer(whole.value_pool, g).clamp(0, 255))
        out = {"move": layer(whole.move, h)[:, 0], "pass": layer(whole.passing, g)[:, 0], "owner": layer(whole.owner, a)[:, 0]}
        return out | dict(zip(OUTPUTS, values.unbind(1), strict=True))


class WholeNumbers(unittest.TestCase):
    def same(self, whole: IntegerNet, planes: np.ndarray, numbers: np.ndarray) -> dict[str, list[int]]:
        """What both say, which must be the same number for number."""
        said = Exact(whole)(torch.from_numpy(planes.astype(np.int64)), torch.from_numpy(numbers.astype(np.int64)))
        found = whole(planes, numbers)
        self.assertEqual(said.keys(), found.keys())
        for name, values in found.items():
            self.assertTrue(np.array_equal(said[name].numpy(), values), name)
        return {name: values[0].ravel().tolist() for name, values in found.items()}

    def test_pytorch_computes_the_golden_numbers(self) -> None:
        with (ROOT / "tests/data/go_net.json").open() as file:
            boards = json.load(file)["boards"]
        rng = golden.SplitMix64(golden.SEED)
        whole = golden.net(rng, golden.BLOCKS)
        for board in boards:
            found = self.same(whole, *golden.inputs(rng, board["rows"], board["columns"]))
            self.assertEqual(found, {name: board[name] for name in found})

    def test_pytorch_computes_what_the_shipped_net_says(self) -> None:
        whole = IntegerNet.from_bytes((ROOT / "nnue/go-net.bin").read_bytes())
        rng = golden.SplitMix64(golden.SEED)
        for rows, columns in golden.BOARDS:
            planes, numbers = golden.inputs(rng, rows, columns)
            # Nothing goes in there.
            planes[:, PLANES_IN_USE:] = 0
            found = self.same(whole, planes, numbers)
            self.assertGreater(len(set(found["move"])), 5)


class Server(unittest.TestCase):
    def test_it_says_nearly_what_the_net_says(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "net.bin"
            whole = settled_net(4).export(Info(training=7))
            path.write_bytes(whole.to_bytes())
            evaluator = Evaluator(path, torch.device("cpu"))
            here, there = socket.socketpair()
            here.settimeout(30)
            attending = threading.Thread(target=attend, args=(there, evaluator, 7, Counts()), daemon=True)
            attending.start()
            here.sendall(GREETING + struct.pack("<Q", 7))
            self.assertEqual(self.read(here, 16), GREETING + struct.pack("<Q", 7))
            rng = np.random.default_rng(6)
            for width, height, count in ((9, 9, 5), (5, 7, 1), (19, 19, 3)):
                area = width * height
                bits = rng.integers(0, 1 << 17, (count, area), dtype=np.uint32)
                numbers = rng.integers(-300, 300, (count, 8), dtype=np.int16)
                rows = [row.tobytes() + few.tobytes() for row, few in zip(bits, numbers, strict=True)]
                here.sendall(struct.pack("<3I", width, height, count) + b"".join(rows))
                said = np.frombuffer(self.read(here, count * 2 * (2 * area + 6)), np.int16).reshape(count, -1)
                planes = bits[:, None, :] >> np.arange(PLANES, dtype=np.uint32)[None, :, None] & 1
                found = whole(planes.reshape(count, PLANES, height, width).astype(np.int64), numbers.astype(np.int64))
                names = ("move", "pass", *OUTPUTS, "owner")
                expect = np.concatenate([found[name].reshape(count, -1) for name in names], 1)
                self.assertLess(np.abs(said - expect).max(), 0.05 * np.abs(expect).max(), (width, height))
            # Another net in the file is what it says from then on.
            before = evaluator.numbers["owner.weight"].clone()
            path.write_bytes(settled_net(4, 5).export(Info(training=8)).to_bytes())
            evaluator.refresh()
            self.assertFalse(torch.equal(before, evaluator.numbers["owner.weight"]))
            here.close()
            attending.join()

    @staticmethod
    def read(connection: socket.socket, count: int) -> bytes:
        data = bytearray(count)
        assert receive(connection, memoryview(data))
        return bytes(data)


class Batches(unittest.TestCase):
    def test_the_eight_turns_differ_and_moves_turn_with_the_board(self) -> None:
        board = np.arange(25).reshape(5, 5)
        turns = [turned(board, turn).tobytes() for turn in range(SYMMETRIES)]
        self.assertEqual(len(set(turns)), SYMMETRIES)
        with tempfile.TemporaryDirectory() as folder:
            arrays(Path(folder), "train", 5, 40, 1)
            part = Data(Path(folder), "train").parts[0]
            rows = np.arange(40)
            plain = part.batch(rows, np.zeros(40, int), np.zeros(40, bool))
            for turn in range(SYMMETRIES):
                other = part.batch(rows, np.full(40, turn), np.zeros(40, bool))
                for row in range(40):
                    before, after = plain.policy[row].argmax(), other.policy[row].argmax()
                    if before == 25:
                        self.assertEqual(after, 25)
                        continue
                    # A move is onto the marked point here: still so after the turn.
                    self.assertEqual(other.planes[row, MARK].flatten()[after], 1)
                    self.assertEqual(other.owner[row][after], 1)
                    # The reply is the same point.
                    marks = np.zeros(26)
                    marks[plain.reply[row]] = 1
                    moved = turned(marks[:25].reshape(5, 5), turn).ravel()
                    self.assertEqual(np.append(moved, marks[25])[other.reply[row]], 1)

    def test_a_batch_depends_on_seed_and_number_alone(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for size in (5, 7):
                arrays(Path(folder), "train", size, 60, size)
            data = Data(Path(folder), "train")
            first, again, other = data.draw(1, 9, 32), data.draw(1, 9, 32), data.draw(2, 9, 32)
            self.assertTrue(torch.equal(first.planes, again.planes) and torch.equal(first.policy, again.policy))
            self.assertFalse(torch.equal(first.policy, other.policy))
            self.assertTrue(torch.allclose(first.policy.sum(1), torch.ones(32)))


    def test_positions_that_contradict_themselves_are_refused(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            arrays(folder, "train", 5, 60, 1)
            Data(folder, "train").verify()

            def change(field: str, row: int, value: int) -> str:
                path = folder / f"train-05-{field}.npy"
                good = np.load(path)
                bad = good.copy()
                bad[row] = value
                np.save(path, bad)
                with self.assertRaises(ValueError) as refused:
                    Data(folder, "train").verify()
                np.save(path, good)
                return str(refused.exception)

            self.assertIn("5x5, position 7: a margin", change("owner", 7, 0))
            self.assertIn("position 3: a margin", change("margin", 3, 2))
            self.assertIn("position 4: a result", change("result", 4, 1))
            self.assertIn("position 5: no move", change("shares", 5, 0))
            self.assertIn("position 6: a move that is not", change("moves", 6, 26))
            won = int(np.load(folder / "train-05-result.npy").argmax())
            other = int(np.argmax(np.load(folder / "train-05-bits.npy")[won] & 4))
            self.assertIn(f"position {won}: a move onto", change("moves", won, other))

    def test_a_window_holds_the_newest_games(self) -> None:
        sizes = [window(total) for total in (0, 1000, WINDOW_FROM, 2 * WINDOW_FROM, 10**6, 10**9)]
        self.assertEqual(sizes[:3], [0, 1000, WINDOW_FROM])
        self.assertEqual(sizes[3], round(WINDOW_FROM * 2**0.65))
        self.assertEqual(sizes, sorted(sizes))
        self.assertEqual(sizes[-1], MOST_WINDOW)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for size in (5, 13):
                arrays(folder, "train", size, 200, size)
            # Games 0 to 3 have 100 rows each.
            self.assertEqual(window_since(folder), 0)
            with patch("data.WINDOW_FROM", 100):
                self.assertEqual(window(400), 246)
                self.assertEqual(window_since(folder), 1)
            newest = Data(folder, "train", since=3)
            self.assertEqual([part.count for part in newest.parts], [50, 50])
            for part in newest.parts:
                every = np.load(folder / f"train-{part.size:02}-bits.npy")
                self.assertTrue(np.array_equal(part.arrays["bits"], every[150:]))
            # Games 0 to 3 of either size.
            self.assertEqual(count_games(games_of(folder, "train")), (4, 4, 0, 0))
            self.assertEqual(count_games(games_of(folder, "train"), 1), (1, 1, 0, 0))
            self.assertEqual(count_games(newest.games(), 9), (1, 1, 0, 0))

    def test_errors_take_games_as_one(self) -> None:
        rng = np.random.default_rng(1)
        games = np.repeat(np.arange(400), 25)
        values = np.repeat(rng.normal(size=400), 25)
        # Copies of a value say no more than the value.
        self.assertAlmostEqual(clustered(values, games), 1 / 20, delta=0.005)
        self.assertAlmostEqual(clustered(values, np.arange(10_000)), 1 / 100, delta=0.001)


class Losses(unittest.TestCase):
    def test_the_score_of_a_distribution_is_the_integral_that_it_stands_for(self) -> None:
        mean, deviation, found = (torch.tensor([x], dtype=torch.float64) for x in (3.0, 5.0, -4.0))
        at = torch.linspace(-80, 80, 160_001, dtype=torch.float64)
        below = 0.5 * (1 + torch.erf((at - mean) / deviation / 2**0.5))
        integral = ((below - (at >= found).double()) ** 2).sum() * 0.001
        self.assertAlmostEqual(float(crps(mean, deviation, found)), float(integral), places=3)

    def test_unsure_owners_do_not_count(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            arrays(Path(folder), "train", 5, 16, 1)
            batch = Data(Path(folder), "train").draw(1, 0, 16)
            out = settled_net(1)(batch.planes, batch.numbers)
            batch.sure = torch.zeros(16)
            self.assertTrue(all(float(losses(out, batch)[name].detach()) == 0 for name in ("owner", "score", "lead")))


class Train(unittest.TestCase):
    def run_train(self, folder: Path, *extra: str) -> str:
        command = [sys.executable, str(Path(__file__).parent / "train.py"), "--data", str(folder), "--device", "cpu"]
        settings = ["--blocks", "1", "--batch", "32", "--warmup", "5", "--check-every", "10", "--threads", "1"]
        done = subprocess.run([*command, *settings, *extra], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_it_learns_and_goes_on_as_if_never_stopped(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            arrays(folder, "train", 5, 2000, 1)
            arrays(folder, "aside", 5, 200, 2)
            whole, cut = folder / "whole.bin", folder / "cut.bin"
            text = self.run_train(folder, "--steps", "60", "--out", str(whole))
            with whole.with_suffix(".csv").open() as file:
                losses = [float(row["aside_total"]) for row in csv.DictReader(file)]
            self.assertLess(losses[-1], 0.9 * losses[0], text)
            with self.subTest("patience"):
                stopped = self.run_train(folder, "--steps", "60", "--rate", "0", "--patience", "2", "--out", str(cut))
                self.assertIn("of step 10,", stopped)
                self.assertNotIn("step 40:", stopped)
                cut.unlink()
            self.run_train(folder, "--steps", "60", "--stop-at", "30", "--out", str(cut))
            self.assertFalse(cut.exists())
            self.run_train(folder, "--steps", "60", "--resume", "--out", str(cut))
            self.assertEqual(cut.read_bytes(), whole.read_bytes())
            self.assertEqual(cut.with_suffix(".svg").read_text().count("<svg"), 1)
            IntegerNet.from_bytes(cut.read_bytes())

    def test_a_net_is_trained_by_one_at_a_time(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            out = Path(name) / "new" / "net.bin"
            with claim(out), self.assertRaisesRegex(SystemExit, "another training writes it"):
                claim(out)
            claim(out).close()

    def test_a_net_after_another_begins_with_its_floats_and_counts_on(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            arrays(folder, "train", 5, 500, 1)
            first, second = folder / "first.bin", folder / "second.bin"
            self.run_train(folder, "--steps", "10", "--out", str(first), "--evaluations", "100")
            begun = Beginning.read(first)
            self.assertEqual(begun.whole.info.games, (10, 0, 0, 0))
            net, kept = GoNet(1), torch.load(first.with_suffix(".ckpt"), weights_only=True)["best"]
            begun.restore(net)
            self.assertTrue(all(torch.equal(values, kept[name]) for name, values in net.state_dict().items()))
            begun.restore(GoNet(2))

            self.run_train(
                folder, "--steps", "10", "--init", str(first), "--out", str(second), "--evaluations", "7", "--window", "--new-games", "4"
            )
            info = IntegerNet.from_bytes(second.read_bytes()).info
            self.assertEqual((info.games, info.evaluations, info.generation), ((14, 0, 0, 0), 107, 2))
            with self.subTest("a checkpoint of another net"):
                second.with_suffix(".ckpt").replace(first.with_suffix(".ckpt"))
                self.assertEqual(Beginning.read(first).floats, {})


if __name__ == "__main__":
    unittest.main()
