"""Arrays that `sanqi data export go` writes, and batches of them.

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

from netfile import ONE, PLANES

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
WINDOW_FROM, WINDOW_POWER, MOST_WINDOW = 150_000, 0.65, 1_500_000
"""So many rows are all trained on; of more, a window that grows by a power of their number, and ends somewhere."""


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
    """The positions of one size of board. On the processor's own memory arrays stay on disk until they are needed; a graphics
    processor gets all of them at once."""

    def __init__(self, directory: Path, part: str, size: int, device: torch.device, since: int):
        self.size, self.device = size, device
        arrays = {name: np.load(directory / f"{part}-{size:02}-{name}.npy", mmap_mode="r") for name in FIELDS}
        if any(len(array) != len(arrays["bits"]) for array in arrays.values()):
            raise ValueError(f"the arrays of {part} {size}x{size} differ in length: export again")
        # Games are numbered in their order.
        first = np.searchsorted(arrays["game"], since)
        self.arrays = {name: array[first:] for name, array in arrays.items()}
        self.count = len(self.arrays["bits"])
        self.there = {name: tensor_of(array).to(device) for name, array in self.arrays.items()} if device.type != "cpu" else {}
        points = np.arange(size * size).reshape(size, size)
        sources = np.stack([turned(points, turn).reshape(-1) for turn in range(SYMMETRIES)])
        self.sources = torch.from_numpy(sources).to(device)
        """By turn and point: which point comes to lie there."""
        self.places = torch.from_numpy(np.pad(np.argsort(sources, 1), ((0, 0), (0, 1)), constant_values=size * size)).to(device)
        """By turn and point, the pass last: where it comes to lie."""

    def take(self, name: str, rows: np.ndarray) -> Tensor:
        if self.there:
            return self.there[name][torch.from_numpy(rows).to(self.device)]
        return tensor_of(self.arrays[name][rows])

    def batch(self, rows: np.ndarray, turns: np.ndarray, agreed: np.ndarray) -> Batch:
        """`turns` are 0..7 for each row; `agreed` says for which the players agree on what is dead."""
        # Ascending rows are read faster from disk.
        order = np.argsort(rows, kind="stable")
        get = {name: self.take(name, rows[order]) for name in FIELDS}
        turn = torch.from_numpy(turns[order].astype(np.int64)).to(self.device)
        n, count = self.size, len(rows)
        area = n * n
        sources, places = self.sources[turn], self.places[turn]
        bits = get["bits"].gather(1, sources)[:, :, None] >> torch.arange(PLANES, dtype=torch.int32, device=self.device) & 1
        numbers = get["globals"].float() / ONE
        numbers[torch.from_numpy(agreed[order]).to(self.device), ALL_ALIVE] = 0
        shares = get["shares"].float()
        moves = torch.where(shares > 0, get["moves"].long() & NO_MOVE, area)
        policy = torch.zeros(count, area + 1, device=self.device).scatter_add_(1, places.gather(1, moves), shares)
        reply = get["reply"].long() & NO_MOVE
        known = reply != NO_MOVE
        reply = torch.where(known, places.gather(1, torch.where(known, reply, 0)[:, None])[:, 0], -1)
        agreement = get["agreement"].float() / 255
        return Batch(
            planes=bits.float().view(count, n, n, PLANES).permute(0, 3, 1, 2),
            numbers=numbers,
            policy=policy / policy.sum(1, keepdim=True),
            reply=reply,
            result=get["result"].long(),
            soon=get["soon"].float() / 255,
            margin=get["margin"].float() / 2,
            owner=get["owner"].gather(1, sources).float(),
            sure=((agreement - UNSURE) / (SURE - UNSURE)).clamp(0, 1),
            value=get["value"].float() / 255,
            ply=get["ply"].long() & NO_MOVE,
            game=get["game"].long(),
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


def tensor_of(array: np.ndarray) -> Tensor:
    """Numbers without a sign that a tensor has no type for get one."""
    kind = {"u2": "i2", "u4": "i4"}.get(array.dtype.str[1:], array.dtype)
    return torch.from_numpy(np.array(array).view(kind))


def turned(boards: np.ndarray, turn: int) -> np.ndarray:
    """The last two axes, turned in one of eight ways."""
    if turn & 1:
        boards = boards[..., ::-1, :]
    if turn & 2:
        boards = boards[..., :, ::-1]
    if turn & 4:
        boards = boards.swapaxes(-1, -2)
    return np.ascontiguousarray(boards)


def window(total: int) -> int:
    """How many of so many rows are trained on: the newest. README.md has the formula."""
    grown = round(WINDOW_FROM * (total / WINDOW_FROM) ** WINDOW_POWER)
    return min(total, max(WINDOW_FROM, grown), MOST_WINDOW)


def sizes_of(directory: Path, part: str) -> list[int]:
    """Sizes of the boards that a part has."""
    return sorted({int(path.name.split("-")[1]) for path in directory.glob(f"{part}-*-bits.npy")})


def games_of(directory: Path, part: str) -> list[tuple[int, np.ndarray]]:
    """Each size of board, with the number of the game of each of its rows."""
    return [(size, np.load(directory / f"{part}-{size:02}-game.npy", mmap_mode="r")) for size in sizes_of(directory, part)]


def window_since(directory: Path) -> int:
    """The number of the game with which the window of the rows to train on begins. A game is in it or not."""
    games = np.sort(np.concatenate([np.zeros(0, np.uint32), *(games for _, games in games_of(directory, "train"))]))
    rows = window(len(games))
    return int(games[-rows]) if rows < len(games) else 0


def count_games(found: list[tuple[int, np.ndarray]], last: int | None = None) -> tuple[int, int, int, int]:
    """Games on boards up to 11 lines, up to 15, up to 19, larger; of the last so many alone. `found` is as of `games_of`."""
    end = max((int(games[-1]) + 1 for _, games in found if len(games)), default=0)
    first = 0 if last is None else max(0, end - last)
    counts = [0, 0, 0, 0]
    for size, games in found:
        counts[sum(size > limit for limit in (11, 15, 19))] += len(np.unique(games[np.searchsorted(games, first) :]))
    return (counts[0], counts[1], counts[2], counts[3])


class Data:
    """The positions of all sizes, of games from number `since` on."""

    def __init__(self, directory: Path, part: str, device: torch.device = torch.device("cpu"), since: int = 0):
        sizes = sizes_of(directory, part)
        self.parts = [part for part in (Part(directory, part, size, device, since) for size in sizes) if part.count]
        self.count = sum(part.count for part in self.parts)

    def verify(self) -> None:
        """Raises ValueError where a position contradicts itself."""
        for part in self.parts:
            part.verify()

    def digest(self) -> int:
        """A number that identifies these positions."""
        crc = 0
        for part in self.parts:
            crc = zlib.crc32(f"{part.size} {part.count}".encode(), crc)
            crc = zlib.crc32(np.ascontiguousarray(part.arrays["bits"][-64:]).tobytes(), crc)
        return crc

    def games(self) -> list[tuple[int, np.ndarray]]:
        """As `games_of`."""
        return [(part.size, part.arrays["game"]) for part in self.parts]

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
