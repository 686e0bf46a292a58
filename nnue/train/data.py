"""Arrays that `sanqi export go` writes, and batches of them.

A batch is a function of the seed and its number alone: a training that was interrupted goes on with the batches that it
would have had. All positions of a batch have boards of one size, each is turned in one of eight ways.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from netfile import ONE, PLANES, PLANES_IN_USE

NO_MOVE = 65535
KOMI, ALL_ALIVE = 0, 6
"""Of the net's numbers, those that say what komi is and how the game ends."""
MOST_KOMI = 4096
OWN = 1
"""The plane of own stones; the opponent's are in the next one."""
VERIFIED_AT_ONCE = 4096
FIELDS = ("bits", "globals", "moves", "shares", "reply", "value", "soon", "result", "margin", "owner", "agreement", "ply", "game")
SYMMETRIES = 8
SURE, UNSURE = 0.95, 0.75
"""Agreements at which the owners and the margin of a game count fully, and not at all."""


@dataclass
class Batch:
    """Everything from the side to move; points in the order of the planes, the pass last."""

    planes: Tensor
    numbers: Tensor
    policy: Tensor
    """[positions, points + 1]: shares of the visits."""
    reply: Tensor
    """[positions]: the opponent's next move; -1: none."""
    result: Tensor
    """[positions]: 0 lost, 1 drawn, 2 won."""
    soon: Tensor
    margin: Tensor
    """[positions]: lead at the end, in points."""
    owner: Tensor
    """[positions, points]: 1 own, -1 the opponent's."""
    sure: Tensor
    """[positions]: how much the owners and the margin count, 0 to 1."""
    value: Tensor
    """[positions]: what the search expected, 0 to 1."""
    ply: Tensor
    """[positions]: moves before."""
    game: Tensor
    """[positions]: number of the game."""

    def to(self, device: torch.device) -> Batch:
        return Batch(**{name: tensor.to(device) for name, tensor in vars(self).items()})


class Part:
    """The positions of one size of board. Arrays stay on disk until they are needed."""

    def __init__(self, directory: Path, part: str, size: int):
        self.size = size
        self.arrays = {
            name: np.load(directory / f"{part}-{size:02}-{name}.npy", mmap_mode="r") for name in FIELDS
        }
        self.count = len(self.arrays["bits"])
        if any(len(array) != self.count for array in self.arrays.values()):
            raise ValueError(f"the arrays of {part} {size}x{size} differ in length: export again")

    def batch(self, rows: np.ndarray, turns: np.ndarray, agreed: np.ndarray) -> Batch:
        """`turns` are 0..7 for each row; `agreed` says for which the players agree on what is dead."""
        # Ascending rows are read faster from disk.
        order = np.argsort(rows, kind="stable")
        rows, turns, agreed = rows[order], turns[order], agreed[order]
        get = {name: np.ascontiguousarray(array[rows]) for name, array in self.arrays.items()}
        n, count = self.size, len(rows)
        area = n * n
        bits = get["bits"][:, :, None] >> np.arange(PLANES_IN_USE, dtype=np.uint32) & 1
        planes = np.zeros((count, PLANES, n, n), np.float32)
        planes[:, :PLANES_IN_USE] = bits.transpose(0, 2, 1).reshape(count, PLANES_IN_USE, n, n)
        numbers = get["globals"].astype(np.float32) / ONE
        numbers[agreed, ALL_ALIVE] = 0
        policy = np.zeros((count, area + 1), np.float32)
        shares = get["shares"].astype(np.float32)
        np.put_along_axis(policy, np.where(shares > 0, get["moves"], area).astype(np.int64), 0, 1)
        at = np.repeat(np.arange(count)[:, None], shares.shape[1], 1)
        np.add.at(policy, (at[shares > 0], get["moves"][shares > 0]), shares[shares > 0])
        policy /= policy.sum(1, keepdims=True)
        owner = get["owner"].astype(np.float32).reshape(count, n, n)
        reply = np.where(get["reply"] == NO_MOVE, -1, get["reply"].astype(np.int64))
        for turn in np.unique(turns):
            its = turns == turn
            planes[its] = turned(planes[its], turn)
            owner[its] = turned(owner[its], turn)
            policy[its, :area] = turned(policy[its, :area].reshape(-1, n, n), turn).reshape(-1, area)
            # Where each point came to lie.
            places = np.argsort(turned(np.arange(area).reshape(n, n), turn).reshape(-1))
            board = its & (reply >= 0) & (reply < area)
            reply[board] = places[reply[board]]
        agreement = get["agreement"].astype(np.float32) / 255
        return Batch(
            planes=torch.from_numpy(planes),
            numbers=torch.from_numpy(numbers),
            policy=torch.from_numpy(policy),
            reply=torch.from_numpy(reply),
            result=torch.from_numpy(get["result"].astype(np.int64)),
            soon=torch.from_numpy(get["soon"].astype(np.float32) / 255),
            margin=torch.from_numpy(get["margin"].astype(np.float32) / 2),
            owner=torch.from_numpy(owner.reshape(count, area)),
            sure=torch.from_numpy(np.clip((agreement - UNSURE) / (SURE - UNSURE), 0, 1)),
            value=torch.from_numpy(get["value"].astype(np.float32) / 255),
            ply=torch.from_numpy(get["ply"].astype(np.int64)),
            game=torch.from_numpy(get["game"].astype(np.int64)),
        )

    def verify(self) -> None:
        """Raises ValueError where a position contradicts itself: what is seen from the wrong side does."""
        area = self.size * self.size
        for start in range(0, self.count, VERIFIED_AT_ONCE):
            get = {name: array[start : start + VERIFIED_AT_ONCE] for name, array in self.arrays.items()}
            komi, margin, moves = get["globals"][:, KOMI], get["margin"].astype(np.int64), get["moves"].astype(np.int64)
            played = get["shares"] > 0
            stones = np.pad((get["bits"] >> OWN & 3) != 0, ((0, 0), (0, 1)))
            # In half points. A komi that does not fit in the input is cut there.
            lead = 2 * get["owner"].sum(1, dtype=np.int64) + np.round(komi * 32 / ONE)
            facts = {
                "no move": ~played.any(1),
                "a move that is not on the board": (played & (moves > area)).any(1),
                "a move onto a stone": (played & np.take_along_axis(stones, moves.clip(0, area), 1)).any(1),
                "a result that is not that of its margin": get["result"].astype(np.int64) - 1 != np.sign(margin),
                "a margin that is not owned points and komi": (lead != margin) & (np.abs(komi) < MOST_KOMI),
            }
            for fact, wrong in facts.items():
                if wrong.any():
                    raise ValueError(f"{self.size}x{self.size}, position {start + int(wrong.argmax())}: {fact}")


def turned(boards: np.ndarray, turn: int) -> np.ndarray:
    """The last two axes, turned in one of eight ways."""
    if turn & 1:
        boards = boards[..., ::-1, :]
    if turn & 2:
        boards = boards[..., :, ::-1]
    if turn & 4:
        boards = boards.swapaxes(-1, -2)
    return np.ascontiguousarray(boards)


class Data:
    """The positions of all sizes."""

    def __init__(self, directory: Path, part: str):
        sizes = sorted({int(path.name.split("-")[1]) for path in directory.glob(f"{part}-*-bits.npy")})
        self.parts = [part for part in (Part(directory, part, size) for size in sizes) if part.count]
        self.count = sum(part.count for part in self.parts)

    def verify(self) -> None:
        """Raises ValueError where a position contradicts itself."""
        for part in self.parts:
            part.verify()

    def digest(self) -> int:
        """A number that tells these positions from others."""
        crc = 0
        for part in self.parts:
            crc = zlib.crc32(f"{part.size} {part.count}".encode(), crc)
            crc = zlib.crc32(np.ascontiguousarray(part.arrays["bits"][-64:]).tobytes(), crc)
        return crc

    def games(self) -> tuple[int, int, int, int]:
        """Games on boards up to 11 lines, up to 15, up to 19, larger."""
        counts = [0, 0, 0, 0]
        for part in self.parts:
            place = sum(part.size > limit for limit in (11, 15, 19))
            counts[place] += len(np.unique(part.arrays["game"]))
        return (counts[0], counts[1], counts[2], counts[3])

    def draw(self, seed: int, number: int, size: int) -> Batch:
        """Batch `number`: rows of one board size. All rows get the same time: a row of a large board is drawn more rarely."""
        rng = np.random.default_rng([seed, number])
        shares = np.array([part.count / part.size**2 for part in self.parts], float)
        part = self.parts[rng.choice(len(self.parts), p=shares / shares.sum())]
        rows = rng.integers(part.count, size=size)
        return part.batch(rows, rng.integers(SYMMETRIES, size=size), rng.random(size) < 0.5)

    def all(self, size: int, most: int):
        """Batches of each part's rows, evenly spread, at most `most` of them a part; none turned."""
        for part in self.parts:
            rows = np.unique(np.linspace(0, part.count - 1, min(part.count, most)).astype(np.int64))
            for start in range(0, len(rows), size):
                few = rows[start : start + size]
                yield part.size, part.batch(few, np.zeros(len(few), int), np.zeros(len(few), bool))
