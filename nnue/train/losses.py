"""What a net of Go is trained to say, and how far off it is.

Weights after KataGo's and Sayuri's trainings, whose papers and notes say what each is worth.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from data import Batch

POLICY, REPLY, FLATTENED = 1.0, 0.15, 0.8
VALUE, SOON = 0.4, 0.4
OWNER, SCORE, LEAD = 1.5, 0.02, 0.004
TEMPERATURE = 4.0
"""Of the flattened visits."""
LEAD_KNEE = 12.0
"""Errors of the lead beyond so many points count linearly."""


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    return -(target * F.log_softmax(logits, 1)).sum(1)


def crps(mean: Tensor, deviation: Tensor, found: Tensor) -> Tensor:
    """How far the normal distribution is from what was found, in the unit of both: the integral of the squared difference
    of the two distribution functions (Gneiting and Raftery 2007)."""
    z = (found - mean) / deviation
    density = torch.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    below = 0.5 * (1 + torch.erf(z / math.sqrt(2)))
    return deviation * (z * (2 * below - 1) + 2 * density - 1 / math.sqrt(math.pi))


def losses(out: dict[str, Tensor], batch: Batch, result: float = 1.0) -> dict[str, Tensor]:
    """Means over the batch, each with its weight. `result` is the share of the result in what the value learns; the rest are the
    searches of the next moves."""
    move, reply, flattened = out["policy"].unbind(1)
    flat = batch.policy ** (1 / TEMPERATURE)
    known = batch.reply >= 0
    replies = F.cross_entropy(reply, batch.reply.clamp_min(0), reduction="none") * known
    lead, deviation = out["score"].unbind(1)
    deviation = deviation.clamp_min(0.1)
    margin = crps(lead, deviation, batch.margin)
    off = F.huber_loss(lead, batch.margin, reduction="none", delta=LEAD_KNEE)
    # Points of nobody: as likely the one's as the other's.
    owner = F.binary_cross_entropy_with_logits(2 * out["owner"], (batch.owner + 1) / 2, reduction="none").mean(1)
    sure = batch.sure
    later = batch.soon[:, 1]
    value = result * F.one_hot(batch.result, 3) + (1 - result) * torch.stack([1 - later, torch.zeros_like(later), later], 1)
    return {
        "policy": POLICY * cross_entropy(move, batch.policy).mean(),
        "reply": REPLY * replies.mean(),
        "flattened": FLATTENED * cross_entropy(flattened, flat / flat.sum(1, keepdim=True)).mean(),
        "value": VALUE * F.cross_entropy(out["wdl"], value),
        "soon": SOON * F.binary_cross_entropy_with_logits(out["soon"], batch.soon, reduction="none").sum(1).mean(),
        "owner": OWNER * (owner * sure).mean(),
        "score": SCORE * (margin * sure).mean(),
        "lead": LEAD * (off * sure).mean(),
    }


def expected(wdl: Tensor) -> Tensor:
    """The expected result, 0 to 1, from logits of loss, draw and win."""
    chances = F.softmax(wdl, 1)
    return chances[:, 2] + 0.5 * chances[:, 1]


def measures(out: dict[str, Tensor], batch: Batch) -> dict[str, Tensor]:
    """For each position: what people want to know of a net."""
    move = out["policy"][:, 0]
    result = batch.result / 2
    # Several moves may be visited most.
    chosen = batch.policy.gather(1, move.argmax(1, keepdim=True)).squeeze(1)
    return {
        "top1": (chosen == batch.policy.amax(1)).float(),
        "policy": cross_entropy(move, batch.policy),
        "brier": (expected(out["wdl"]) - result) ** 2,
        "search_brier": (batch.value - result) ** 2,
        "owner": (torch.tanh(out["owner"]) - batch.owner).abs().mean(1) / 2,
        "lead": (out["score"][:, 0] - batch.margin).abs(),
    }
