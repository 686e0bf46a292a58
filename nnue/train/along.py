#!/usr/bin/env python3
"""Trains a net of Go while games are played by it, on all that has been played so far.

    serve.py --net out.bin
    sanqi data play go --net old.bin --server 127.0.0.1:7979 --out RECORDS ...
    along.py --init old.bin --out out.bin --records RECORDS --seconds 1200

Every round the records are exported anew, in the background, and the net is written, which the server reads. In the last
part of the time the rate falls to nearly nothing. How far the training gets in its time, and so the net, depends on the
machine: what is to be repeatable is trained by train.py.
"""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from check import compare
from data import Data, count_games
from model import GoNet
from netfile import IntegerNet
from train import Training, add_arguments, claim, describe, write, write_curve


class Along(Training):
    """A training whose rate is a matter of time."""

    begun = 0.0

    def rate(self) -> float:
        a = self.args
        left = 1 - (time.monotonic() - self.begun) / a.seconds
        falling = min(1.0, max(0.0, left / a.falling))
        return a.rate * min(1.0, (self.step + 1) / a.warmup) * (0.01 + 0.99 * (1 - math.cos(math.pi * falling)) / 2)

    def is_over(self) -> bool:
        return time.monotonic() - self.begun >= self.args.seconds

    def is_early(self) -> bool:
        """Whether there are too few positions to learn more from."""
        return self.step * self.args.batch > self.args.reuse * self.train.count


def exported(args: argparse.Namespace, number: int, device: torch.device) -> tuple[Data, Data]:
    """The positions of all records, to train on and set aside."""
    work = args.out.parent / f"{args.out.stem}-arrays"
    folder, records = work / str(number), work / "records"
    records.mkdir(parents=True, exist_ok=True)
    files = [*args.more, *sorted(args.records.glob("*.rec"))]
    copies = []
    for i, file in enumerate(files):
        # The end of a file that is being written may be half a block, of which the exporter says so and no more.
        copies.append(records / f"{i}.rec")
        shutil.copyfile(file, copies[-1])
    command = [args.sanqi, "export", "go", "--data", *copies, "--out", folder, "--aside", str(args.aside)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    # Exit code 1 may be a damaged end, without which the rest was exported.
    parts = (Data(folder, "train", device), Data(folder, "aside", device)) if done.returncode in (0, 1) else None
    if parts is None or not parts[0].count:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    if number:
        shutil.rmtree(work / str(number - 1), ignore_errors=True)
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=Path, required=True, help="directory of the records that are being written")
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="further records")
    parser.add_argument("--seconds", type=float, required=True, help="time in all")
    parser.add_argument("--falling", type=float, default=0.25, help="the last part of the time, in which the rate falls")
    parser.add_argument("--round", type=float, default=45, help="seconds between two nets")
    parser.add_argument("--reuse", type=float, default=5, help="wait for more positions before each was seen so often")
    parser.add_argument("--aside", type=int, default=40, help="one game in so many is to check with")
    parser.add_argument("--sanqi", type=Path, default=Path("sanqi"), help="the engine")
    add_arguments(parser)
    args = parser.parse_args()
    with claim(args.out):
        run(args)


def run(args: argparse.Namespace) -> None:
    """The whole training."""
    if args.threads:
        torch.set_num_threads(args.threads)
    torch.backends.cudnn.benchmark = True
    device = torch.device(args.device)
    begun = time.monotonic()
    train, aside = exported(args, 0, device)
    training = Along(args, train)
    training.begun = begun
    pool = ThreadPoolExecutor(1)
    number, coming = 1, None
    while not training.is_over():
        coming = coming or pool.submit(exported, args, number, device)
        until, first, started = time.monotonic() + args.round, training.step, time.monotonic()
        while time.monotonic() < until and not training.is_over():
            if training.is_early():
                time.sleep(0.1)
            else:
                training.one()
        if device.type == "cuda":
            torch.cuda.synchronize()
        speed = (training.step - first) * args.batch / (time.monotonic() - started)
        row = training.note(aside)
        print(f"{time.monotonic() - begun:.0f} s, {train.count} positions, rate {training.rate():.5f}, {speed:.0f} samples/s", flush=True)
        print(describe(row, [part.size for part in train.parts]), flush=True)
        keep(training, train, aside)
        if coming.done():
            (train, aside), coming = coming.result(), None
            training.train, number = train, number + 1
    net, whole = keep(training, train, aside)
    for size, (r, mean, most) in compare(net, whole, aside).items():
        print(f"{size}x{size}: whole numbers: policy r {r:.6f}, value off by {mean:.5f}, at most {most:.5f}")
    write_curve(args.out, training.curve)


def keep(training: Along, train: Data, aside: Data) -> tuple[GoNet, IntegerNet]:
    """Writes the present net, not the best: positions set aside change from round to round."""
    training.best = {name: values.cpu() for name, values in training.kept.state_dict().items()}
    training.best_step = training.step
    net, whole = training.export(count_games(train.games() + aside.games()))
    write(training.args.out, whole.to_bytes())
    return net, whole


if __name__ == "__main__":
    main()
