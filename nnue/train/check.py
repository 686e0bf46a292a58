#!/usr/bin/env python3
"""Says how good nets of Go are on the positions that an export set aside.

    check.py --data ARRAYS net.bin [...]

Prints a row for each net and size of board. `brier` is the mean squared error of the expected result, `search` that of the
searches of the games; both are cut in three by the number of moves before, a quarter and a half of the points. The
difference of the two has its standard error, which takes each game as one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from data import Batch, Data
from losses import expected, losses, measures
from model import GoNet
from netfile import ONE, IntegerNet

CHECK_BATCH = 256
MOST_CHECKED = 20_000
"""Positions of each size that a check looks at."""
WHOLE_CHECKED = 256
"""Of each size, those that the whole-number net is asked about too."""


@torch.no_grad()
def answers(net: GoNet, aside: Data) -> Iterator[tuple[int, Batch, dict[str, torch.Tensor]]]:
    """Size of the board, positions set aside, and what the net says of them."""
    for size, batch in aside.all(CHECK_BATCH, MOST_CHECKED):
        yield size, batch, net(batch.planes.contiguous(memory_format=torch.channels_last), batch.numbers)


def check(net: GoNet, aside: Data) -> dict[str, float]:
    """Means over the positions set aside: of the loss, which is that of all sizes, and of each size's measures."""
    sums: dict[str, float] = {}
    counts: dict[str, int] = {}
    for size, batch, out in answers(net, aside):
        found = {f"{name}_{size}": values.sum() for name, values in measures(out, batch).items()}
        found["aside_total"] = sum(losses(out, batch).values()) * len(batch.planes)
        for name, value in found.items():
            sums[name] = sums.get(name, 0.0) + float(value)
            counts[name] = counts.get(name, 0) + len(batch.planes)
    return {name: value / counts[name] for name, value in sums.items()}


@torch.no_grad()
def compare(net: GoNet, whole: IntegerNet, aside: Data) -> dict[int, tuple[float, float, float]]:
    """How far the whole-number net is from the one in floats, for each size of board: correlation of the logits of moves, and
    the differences of the expected results, their mean and the largest."""
    out = {}
    for size, batch in aside.all(WHOLE_CHECKED, WHOLE_CHECKED):
        batch = batch.to(torch.device("cpu"))
        floats = net(batch.planes, batch.numbers)
        numbers = np.round(batch.numbers.numpy() * ONE).astype(np.int64)
        found = whole(batch.planes.numpy().astype(np.int64), numbers)
        wdl = np.stack([found["loss"], found["draw"], found["win"]], 1) / ONE
        off = np.abs(expected(torch.from_numpy(wdl)).numpy() - expected(floats["wdl"]).numpy())
        moves = np.concatenate([found["move"].reshape(len(wdl), -1), found["pass"][:, None]], 1) / ONE
        r = np.corrcoef(moves.ravel(), floats["policy"][:, 0].numpy().ravel())[0, 1]
        out[size] = (float(r), float(off.mean()), float(off.max()))
    return out


def clustered(values: np.ndarray, groups: np.ndarray) -> float:
    """Standard error of the mean of values that depend on each other within a group."""
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))


def report(path: Path, aside: Data) -> None:
    whole = IntegerNet.from_bytes(path.read_bytes())
    net = GoNet(len(whole.blocks))
    net.restore(whole)
    rounding = compare(net, whole, aside)
    sizes: dict[int, list[dict[str, np.ndarray]]] = {}
    for size, batch, out in answers(net, aside):
        rows = measures(out, batch) | {"ply": batch.ply, "game": batch.game}
        sizes.setdefault(size, []).append({name: values.numpy() for name, values in rows.items()})
    for size, rows in sizes.items():
        of = {name: np.concatenate([row[name] for row in rows]).astype(float) for name in rows[0]}
        third = np.digitize(of["ply"], [size * size / 4, size * size / 2])
        thirds = [
            f"{of['brier'][third == i].mean():.4f}/{of['search_brier'][third == i].mean():.4f}" for i in np.unique(third)
        ]
        error = clustered(of["brier"] - of["search_brier"], of["game"])
        r, mean, most = rounding[size]
        brier, search = of["brier"].mean(), of["search_brier"].mean()
        print(
            f"{path} {size}x{size}: {len(third)} positions of {len(np.unique(of['game']))} games, "
            f"top-1 {100 * of['top1'].mean():.1f}%, CE {of['policy'].mean():.3f}, "
            f"brier {brier:.4f}, search {search:.4f} (x{brier / search:.3f}, difference ± {error:.4f}; {', '.join(thirds)}), "
            f"owner {of['owner'].mean():.3f}, lead {of['lead'].mean():.2f}; "
            f"whole numbers: r {r:.6f}, value off by {mean:.5f}, at most {most:.5f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="directory of the arrays")
    parser.add_argument("--threads", type=int, default=0, help="0: all processors")
    parser.add_argument("nets", type=Path, nargs="+")
    args = parser.parse_args()
    if args.threads:
        torch.set_num_threads(args.threads)
    aside = Data(args.data, "aside")
    for path in args.nets:
        report(path, aside)


if __name__ == "__main__":
    main()
