#!/usr/bin/env python3
"""Trains a net of Go on arrays that `sanqi data export go` wrote.

    train.py --data ARRAYS --out net.bin [--blocks 4] [--epochs 8] [--init old.bin] [--window] [--resume]

Writes the net, and beside it net.ckpt (all that is needed to go on), net.csv and net.svg (the curves). The net is the one that
had the smallest loss on the positions set aside. The same settings, data and versions give the same net on the same processor,
however often the training was interrupted and resumed. See README.md.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import torch

import curve
from check import check, compare
from data import Data, count_games, games_of, window_since
from losses import losses
from model import GoNet
from netfile import Info, IntegerNet

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="directory of the arrays")
    add_arguments(parser)
    parser.add_argument("--window", action="store_true", help="train on the newest rows alone, as README.md says how many")
    parser.add_argument("--new-games", type=int, help="noted in the net: the last so many games come to those of --init; default: the arrays' games")
    parser.add_argument("--resume", action="store_true", help="go on with what is beside --out")
    return parser.parse_args()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The settings of every training."""
    parser.add_argument("--out", type=Path, required=True, help="the net file to write")
    parser.add_argument("--blocks", type=int, help="default: those of --init, or 4")
    parser.add_argument("--steps", type=int, help="batches in all, instead of --epochs")
    parser.add_argument("--epochs", type=float, default=8.0, help="times each position is seen, on average")
    parser.add_argument("--stop-at", type=int, help="end after this step without a net, to go on later")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--optimizer", choices=("adamw", "sgd"), default="adamw")
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate; sgd: 0.01")
    parser.add_argument("--warmup", type=int, default=500, help="steps in which the rate rises")
    parser.add_argument("--decay", type=float, default=1e-2, help="weight decay; sgd: 1e-4")
    parser.add_argument("--average", type=float, default=0.999, help="of the net kept, the share that a step leaves")
    parser.add_argument("--check-every", type=int, default=500, help="steps between two checks and checkpoints")
    parser.add_argument("--result", type=float, default=1.0, help="share of the result in what the value learns, the rest: later searches")
    parser.add_argument("--patience", type=int, default=0, help="end after so many checks without a smaller loss; 0: never")
    parser.add_argument("--init", type=Path, help="a net to begin with, in floats if its checkpoint is beside it; further blocks are added")
    parser.add_argument("--generation", type=int, help="noted in the net; default: one more than that of --init, or 1")
    parser.add_argument("--evaluations", type=int, default=0, help="noted in the net: evaluations that the games cost, which come to those of --init")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="0: all processors")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--bf16", action="store_true", help="multiply in 16 bits: half as fast again where the processor can")


def rate_at(step: int, steps: int, warmup: int, rate: float) -> float:
    """Rises linearly, then falls as a cosine to a hundredth."""
    if step < warmup:
        return rate * (step + 1) / warmup
    done = (step - warmup) / max(1, steps - warmup)
    return rate * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, done))) / 2)


@dataclass
class Beginning:
    """A net to begin with."""

    whole: IntegerNet
    floats: dict[str, torch.Tensor]
    """From its checkpoint; empty: there is none."""
    digest: str
    """Identifies it."""

    @staticmethod
    def read(path: Path) -> Beginning:
        data = path.read_bytes()
        whole, checkpoint = IntegerNet.from_bytes(data), beside(path, ".ckpt")
        if checkpoint.exists():
            state = torch.load(checkpoint, map_location="cpu", weights_only=True)
            # Beside it may lie the checkpoint of another training.
            if training_id(state["identity"]) == whole.info.training:
                return Beginning(whole, state["best"], hashlib.sha256(data + b" in floats").hexdigest())
        return Beginning(whole, {}, hashlib.sha256(data).hexdigest())

    def restore(self, net: GoNet) -> None:
        # The file says all but what is not in it: finer weights, and heads that only training has.
        net.restore(self.whole)
        net.load_state_dict(self.floats, strict=False)


def training_id(identity: str) -> int:
    """What a net's header says of its training."""
    return int.from_bytes(hashlib.sha256(identity.encode()).digest()[:8], "little")


class Training:
    """A net that is being trained, with everything that its next step depends on."""

    def __init__(self, args: argparse.Namespace, train: Data):
        torch.manual_seed(args.seed)
        self.args = args
        self.train = train
        self.device = torch.device(args.device)
        self.begun_with = Beginning.read(args.init) if args.init else None
        args.blocks = args.blocks or (len(self.begun_with.whole.blocks) if self.begun_with else 4)
        net = GoNet(args.blocks)
        if self.begun_with:
            self.begun_with.restore(net)
        self.net = net.to(self.device, memory_format=torch.channels_last)
        self.kept = GoNet(args.blocks).to(self.device, memory_format=torch.channels_last)
        self.kept.load_state_dict(self.net.state_dict())
        self.best: dict[str, torch.Tensor] = {}
        """`kept` after `best_step`, when the positions set aside had the smallest loss."""
        self.best_step = 0
        # Gains, offsets and biases are few and have no reason to be small.
        weights = [p for p in self.net.parameters() if p.ndim > 1]
        others = [p for p in self.net.parameters() if p.ndim <= 1]
        groups = [{"params": weights, "weight_decay": args.decay}, {"params": others, "weight_decay": 0.0}]
        if args.optimizer == "adamw":
            self.optimizer = torch.optim.AdamW(groups, lr=args.rate)
        else:
            self.optimizer = torch.optim.SGD(groups, lr=args.rate, momentum=0.9)
        self.step = 0
        self.curve: list[dict[str, float]] = []
        self.sums: dict[str, torch.Tensor] = {}
        self.since = 0

    def identity(self) -> str:
        """Two trainings with the same text do the same."""
        a = self.args
        init = self.begun_with.digest if self.begun_with else ""
        settings = (a.blocks, a.steps, a.batch, a.optimizer, a.rate, a.warmup, a.decay, a.average, a.result, a.patience, a.seed, a.bf16, init)
        return f"{settings} {self.train.count} {self.train.digest()}"

    def rate(self) -> float:
        """Of the next step."""
        return rate_at(self.step, self.args.steps, self.args.warmup, self.args.rate)

    def one(self) -> None:
        """One step."""
        a = self.args
        batch = self.train.draw(a.seed, self.step, a.batch)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        planes = batch.planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=a.bf16):
            out = self.net(planes, batch.numbers)
        parts = losses({name: values.float() for name, values in out.items()}, batch, a.result)
        total = sum(parts.values())
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        self.optimizer.step()
        # The first steps leave nothing worth keeping.
        share = min(a.average, (self.step + 1) / (self.step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.kept.parameters()), list(self.net.parameters()), 1 - share)
        self.step += 1
        self.since += 1
        for name, value in [*parts.items(), ("total", total)]:
            self.sums[name] = self.sums.get(name, torch.zeros((), device=self.device)) + value.detach()

    def note(self, aside: Data) -> dict[str, float]:
        """Ends a stretch of steps with a row of the curve."""
        row = {"step": self.step, "samples": self.step * self.args.batch}
        row |= {f"train_{name}": float(value) / max(1, self.since) for name, value in self.sums.items()}
        row |= check(self.kept, aside)
        self.sums, self.since = {}, 0
        # Without positions set aside the last is the best.
        if row.get("aside_total", 0.0) < min((before["aside_total"] for before in self.curve if "aside_total" in before), default=math.inf):
            self.best, self.best_step = {name: values.clone() for name, values in self.kept.state_dict().items()}, self.step
        self.curve.append(row)
        return row

    def is_stalled(self) -> bool:
        """Whether the loss of the positions set aside has not fallen for too long."""
        checks = sum(row["step"] > self.best_step for row in self.curve)
        return 0 < self.args.patience <= checks

    def save(self, path: Path) -> None:
        state = {
            "identity": self.identity(),
            "step": self.step,
            "net": self.net.state_dict(),
            "kept": self.kept.state_dict(),
            "best": self.best,
            "best_step": self.best_step,
            "optimizer": self.optimizer.state_dict(),
            "curve": self.curve,
        }
        part = beside(path, ".tmp")
        torch.save(state, part)
        os.replace(part, path)

    def load(self, path: Path) -> None:
        state = torch.load(path, map_location=self.device, weights_only=True)
        if state["identity"] != self.identity():
            sys.exit(f"{path}: begun with other settings or other data")
        self.step, self.curve = state["step"], state["curve"]
        self.net.load_state_dict(state["net"])
        self.kept.load_state_dict(state["kept"])
        self.best, self.best_step = state["best"], state["best_step"]
        self.optimizer.load_state_dict(state["optimizer"])

    def info_before(self) -> Info:
        """What the header of the net that it began with says."""
        return self.begun_with.whole.info if self.begun_with else Info(generation=0)

    def export(self, games: tuple[int, int, int, int]) -> tuple[GoNet, IntegerNet]:
        """The best net, in floats and in whole numbers."""
        before = self.info_before()
        info = Info(
            training=training_id(self.identity()),
            samples=self.best_step * self.args.batch,
            evaluations=before.evaluations + self.args.evaluations,
            generation=self.args.generation or before.generation + 1,
            games=games,
        )
        net = GoNet(self.args.blocks)
        net.load_state_dict(self.best)
        return net, net.export(info)


def describe(row: dict[str, float], sizes: list[int]) -> str:
    text = f"step {row['step']}"
    # A round that waits for more positions has no step.
    if "train_total" in row:
        text += f": loss {row['train_total']:.4f}"
    if "aside_total" in row:
        text += f", aside {row['aside_total']:.4f}"
    for size in sizes:
        if f"top1_{size}" in row:
            names = ("top1", "policy", "brier", "search_brier", "owner", "lead")
            top1, policy, brier, search, owner, lead = (row[f"{name}_{size}"] for name in names)
            text += (
                f"; {size}x{size} top-1 {100 * top1:.1f}%, CE {policy:.3f}, Brier {brier:.4f} "
                f"(search {search:.4f}), owner {owner:.3f}, lead {lead:.1f}"
            )
    return text


def games_so_far(args: argparse.Namespace, before: Info) -> tuple[int, int, int, int]:
    """For the header: those of the arrays, or those of the net before and the new ones."""
    games = count_games(games_of(args.data, "train") + games_of(args.data, "aside"), args.new_games)
    if args.new_games is None:
        return games
    counts = [old + new for old, new in zip(before.games, games, strict=True)]
    return (counts[0], counts[1], counts[2], counts[3])


def beside(path: Path, suffix: str) -> Path:
    """The file of this kind that goes with a net: `x.ckpt` with `x.bin`, `x-1.5.ckpt` with `x-1.5`."""
    return path.with_suffix(suffix) if path.suffix == ".bin" else path.with_name(path.name + suffix)


def claim(out: Path) -> TextIO:
    """Holds a net's files until what it gives is closed; on Windows it holds nothing. Raises SystemExit when another training holds them."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lock = beside(out, ".lock").open("w")
    try:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"{out}: another training writes it")
    return lock


def write(path: Path, data: bytes) -> None:
    part = beside(path, ".tmp")
    part.write_bytes(data)
    os.replace(part, path)


def main() -> None:
    args = arguments()
    with claim(args.out):
        run(args)


def run(args: argparse.Namespace) -> None:
    """The whole training."""
    if args.threads:
        torch.set_num_threads(args.threads)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    try:
        device = torch.device(args.device)
        since = window_since(args.data) if args.window else 0
        train, aside = Data(args.data, "train", device, since), Data(args.data, "aside", device, since)
        train.verify()
        aside.verify()
    except ValueError as e:
        sys.exit(f"{args.data}: {e}")
    if not train.count:
        sys.exit(f"{args.data}: no positions to train on")
    if args.steps is None:
        args.steps = max(1, round(args.epochs * train.count / args.batch))
    training = Training(args, train)
    checkpoint = beside(args.out, ".ckpt")
    if args.resume and checkpoint.exists():
        training.load(checkpoint)
    sizes = [part.size for part in train.parts]
    print(f"{train.count} positions to train on, {aside.count} set aside, boards {sizes}, {training.device}", flush=True)
    begun, first = time.monotonic(), training.step
    last = min(args.steps, args.stop_at or args.steps)
    while training.step < last and not training.is_stalled():
        training.one()
        if training.step % args.check_every and training.step < last:
            continue
        row = training.note(aside)
        speed = (training.step - first) * args.batch / (time.monotonic() - begun)
        print(f"{describe(row, sizes)}; {speed:.0f} samples/s", flush=True)
        training.save(checkpoint)
        write_curve(args.out, training.curve)
    if training.step < args.steps and not training.is_stalled():
        return
    net, whole = training.export(games_so_far(args, training.info_before()))
    for size, (r, mean, most) in compare(net, whole, aside).items():
        print(f"{size}x{size}: whole numbers: policy r {r:.6f}, value off by {mean:.5f}, at most {most:.5f}")
    write(args.out, whole.to_bytes())
    write_curve(args.out, training.curve)
    print(
        f"{args.out}: {len(whole.blocks)} blocks, {args.out.stat().st_size} bytes, of step {training.best_step}, "
        f"{' + '.join(map(str, whole.info.games))} games, id {whole.info.training:016x}"
    )


def write_curve(out: Path, rows: list[dict[str, float]]) -> None:
    if not rows:
        return
    names = list(dict.fromkeys(name for row in rows for name in row))
    with beside(out, ".csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)
    beside(out, ".svg").write_text(curve.svg(rows, out.stem))


if __name__ == "__main__":
    main()
