"""The net of Go in floats, with the rounding of its whole-number form in the forward pass.

Scales. An activation of the trunk is one of 256 steps of STEP. The stream of the residual blocks has 16 finer steps to one of
those; its own rounding is too small to be worth imitating. Weights are rounded to -127..127 times a scale of their output
channel. Gradients pass roundings as if they were not there, and stop where values are clipped.
Sources: Jacob et al. 2018 (quantisation in training), Esser et al. 2020 (learned steps), the shape after KataGo's nets.
"""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import netfile
from netfile import CHANNELS, GLOBALS, KERNEL_SCALE, ONE, OUTPUTS, PLANES, POLICY, POOLED, VALUE, Activation, Block, IntegerNet, Layer

STEP = 4.0 / 255
"""One step of an activation of the stream."""
STREAM_STEP = STEP / 16
"""One step of the stream."""
LEAST_WEIGHT_STEP = 1e-6
MOST_GAIN = 15.9
"""A gain of 16 is 32768 in the file, one more than fits."""
EXTRA_POLICIES = 2
"""Learned but not kept: the opponent's reply, and the visits flattened."""
EXTRA_VALUES = 2
"""Learned but not kept: what searches a little and somewhat later will say."""


def round_through(x: Tensor) -> Tensor:
    """Rounds; the gradient passes."""
    return x + (x.round() - x).detach()


class Quantise(torch.autograd.Function):
    """As `round_through((x / step).clamp(0, 255)) * step`, in fewer passes over memory."""

    @staticmethod
    def forward(ctx, x: Tensor, step: Tensor) -> Tensor:
        scaled = x / step
        whole = scaled.round().clamp_(0, 255)
        ctx.save_for_backward(scaled, whole)
        return whole * step

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor | None]:
        scaled, whole = ctx.saved_tensors
        inside = (scaled >= 0) & (scaled <= 255)
        passed = grad * inside
        step = None
        if ctx.needs_input_grad[1]:
            # Where it is clipped the output is a number of steps; elsewhere only the rounding depends on the step.
            step = (grad * whole).sum() - (passed * scaled).sum()
        return passed, step


def quantise(x: Tensor, step: Tensor) -> Tensor:
    """Clips to 0..255 steps and rounds to whole ones. The gradient of the step is that of Esser et al."""
    return Quantise.apply(x, step)


def weight_step(weight: Tensor) -> Tensor:
    """The scale of each output channel."""
    return (weight.detach().abs().flatten(1).amax(1) / 127).clamp_min(LEAST_WEIGHT_STEP)


class Linear(nn.Module):
    """A convolution or a dense layer with rounded weights. `size` is 3, 1 or 0 (dense)."""

    def __init__(self, inputs: int, outputs: int, size: int, gain: float = 1.0, bias: bool = True):
        super().__init__()
        shape = (outputs, inputs, size, size) if size else (outputs, inputs)
        deviation = gain / math.sqrt(inputs * max(size, 1) ** 2)
        self.weight = nn.Parameter(torch.randn(shape) * deviation)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.size = size

    def forward(self, x: Tensor) -> Tensor:
        step = weight_step(self.weight).reshape(-1, *[1] * (self.weight.ndim - 1))
        weight = round_through(self.weight / step) * step
        if self.size:
            return F.conv2d(x, weight, self.bias, padding=self.size // 2)
        return F.linear(x, weight, self.bias)

    def export(self, step_in: float, step_out: float, rows: slice = slice(None)) -> Layer:
        """In whole numbers, for inputs in steps of `step_in` and outputs in steps of `step_out`."""
        weight = self.weight.detach().double()[rows]
        bias = self.bias.detach().double()[rows].numpy() / step_out
        step = weight_step(self.weight).double()[rows]
        whole = (weight / step.reshape(-1, *[1] * (weight.ndim - 1))).round().numpy().astype(np.int8)
        factor = KERNEL_SCALE if self.size == 3 else 1
        scale = step.numpy() * step_in / step_out / factor
        shift = np.clip(np.floor(np.log2(32767 / scale)) - 15, 0, 24).astype(np.int64)
        mult = np.round(scale * 2.0 ** (15 + shift)).astype(np.int64)
        if (mult > 32767).any():
            raise ValueError("a layer amplifies more than the format can say")
        half = np.where(shift > 0, 1 << np.maximum(shift - 1, 0), 0)
        whole_bias = np.round(bias * 2.0 ** (15 + shift) / np.maximum(mult, 1)) + half
        whole_bias = np.clip(whole_bias, -(1 << 30), 1 << 30).astype(np.int64)
        flat = whole if self.size == 3 else whole.reshape(whole.shape[:2])
        return Layer(flat, whole_bias, mult, shift)

    def restore(self, layer: Layer, step_in: float, step_out: float, rows: slice = slice(None)) -> None:
        """Inverse of `export`, up to its rounding."""
        factor = KERNEL_SCALE if self.size == 3 else 1
        scale = layer.mult.astype(np.float64) / 2.0 ** (15 + layer.shift.astype(np.float64))
        step = scale * factor * step_out / step_in
        weight = layer.weights * step.reshape(-1, *[1] * (layer.weights.ndim - 1))
        half = np.where(layer.shift > 0, 2.0 ** (layer.shift.astype(np.float64) - 1), 0)
        bias = (layer.bias - half) * scale * step_out
        with torch.no_grad():
            self.weight[rows] = torch.from_numpy(weight).reshape(self.weight[rows].shape).float()
            self.bias[rows] = torch.from_numpy(bias).float()


class Pre(nn.Module):
    """From the stream to an activation: a gain and an offset for each channel take the place of a norm."""

    def __init__(self, gain: float):
        super().__init__()
        self.gain = nn.Parameter(torch.full((CHANNELS,), gain))
        self.offset = nn.Parameter(torch.zeros(CHANNELS))
        self.register_buffer("step", torch.tensor(STEP), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        gain = self.gain.clamp(0, MOST_GAIN)
        return quantise(x * gain[:, None, None] + self.offset[:, None, None], self.step)

    def export(self) -> Activation:
        gain = self.gain.detach().double().clamp(0, MOST_GAIN).numpy() * 32768 * STREAM_STEP / STEP
        offset = np.clip(np.round(self.offset.detach().double().numpy() / STEP), -32768, 32767)
        return Activation(np.round(gain).astype(np.int64), offset.astype(np.int64))

    def restore(self, activation: Activation) -> None:
        with torch.no_grad():
            self.gain.copy_(torch.from_numpy(activation.gain * (STEP / STREAM_STEP / 32768)))
            self.offset.copy_(torch.from_numpy(activation.offset * STEP))


class Clip(nn.Module):
    """An activation whose range is learned."""

    def __init__(self) -> None:
        super().__init__()
        self.log_step = nn.Parameter(torch.tensor(math.log(STEP)))

    def forward(self, x: Tensor) -> Tensor:
        return quantise(x, self.log_step.exp())

    def step(self) -> float:
        return float(self.log_step.detach().double().exp())


def pooled(a: Tensor) -> Tensor:
    """Means, means scaled by the size of the board, and maxima."""
    mean = a.mean((2, 3))
    scale = (a.shape[2] + a.shape[3] - 28) / 20
    return torch.cat([mean, mean * scale, a.amax((2, 3))], 1)


class Residual(nn.Module):
    def __init__(self, i: int, blocks: int):
        super().__init__()
        self.pre = Pre(1 / math.sqrt(1 + i / blocks))
        self.first = Linear(CHANNELS, CHANNELS, 3, math.sqrt(2))
        self.clip = Clip()
        self.pool = Linear(3 * POOLED, CHANNELS - POOLED, 0, 0.5) if netfile.pools(i) else None
        self.second = Linear(CHANNELS, CHANNELS, 3, math.sqrt(2 / blocks))

    def forward(self, x: Tensor) -> Tensor:
        z = self.first(self.pre(x))
        if self.pool is not None:
            bias = self.pool(pooled(self.clip(z[:, :POOLED])))
            z = torch.cat([z[:, :POOLED], z[:, POOLED:] + bias[:, :, None, None]], 1)
        return x + self.second(self.clip(z))

    def export(self) -> Block:
        step = self.clip.step()
        pool = self.pool.export(step / 16, step) if self.pool is not None else None
        return Block(self.pre.export(), self.first.export(STEP, step), pool, self.second.export(step, STREAM_STEP))

    def restore(self, block: Block) -> None:
        # The range is not in the file: with another one the weights around it are as much larger or smaller.
        self.pre.restore(block.activation)
        self.first.restore(block.first, STEP, STEP)
        if self.pool is not None and block.pool is not None:
            self.pool.restore(block.pool, STEP / 16, STEP)
        self.second.restore(block.second, STEP, STREAM_STEP)
        with torch.no_grad():
            self.clip.log_step.fill_(math.log(STEP))


class GoNet(nn.Module):
    """Outputs from the side to move, in a dictionary:

    `policy` [positions, 3, points + 1]: logits of the move, of the reply and of the flattened visits, the pass last;
    `wdl` [positions, 3]: logits of loss, draw, win; `score` [positions, 2]: lead and its deviation, in points;
    `soon` [positions, 2]: logits of later values; `owner` [positions, points]: half the logit of an own point.
    """

    def __init__(self, blocks: int):
        super().__init__()
        self.input = Linear(PLANES, CHANNELS, 3, math.sqrt(2))
        self.globals = Linear(GLOBALS, CHANNELS, 0, 0.5)
        self.blocks = nn.ModuleList(Residual(i, blocks) for i in range(blocks))
        self.last = Pre(1 / math.sqrt(2))
        self.policy = Linear(CHANNELS, POLICY, 1, math.sqrt(2))
        self.policy_pool = Linear(3 * CHANNELS, POLICY, 0, 0.5)
        self.policy_clip = Clip()
        self.move = Linear(POLICY, 1 + EXTRA_POLICIES, 1)
        self.passing = Linear(3 * CHANNELS, 1 + EXTRA_POLICIES, 0)
        self.value_pool = Linear(3 * CHANNELS, VALUE, 0, math.sqrt(2))
        self.value_clip = Clip()
        self.value = Linear(VALUE, len(OUTPUTS) + EXTRA_VALUES, 0)
        self.owner = Linear(CHANNELS, 1, 1)
        with torch.no_grad():
            # Nothing goes in there, and the scale of a channel must not depend on it.
            self.input.weight[:, netfile.PLANES_IN_USE :] = 0

    def forward(self, planes: Tensor, numbers: Tensor) -> dict[str, Tensor]:
        """`planes` [positions, 32, rows, columns]; `numbers` [positions, 8], 1.0 for 256."""
        x = self.input(planes) + self.globals(numbers)[:, :, None, None]
        for block in self.blocks:
            x = block(x)
        a = self.last(x)
        g = pooled(a)
        h = self.policy_clip(self.policy(a) + self.policy_pool(g)[:, :, None, None])
        policy = torch.cat([self.move(h).flatten(2), self.passing(g)[:, :, None]], 2)
        values = self.value(self.value_clip(self.value_pool(g)))
        win, draw, loss, score, spread = values[:, : len(OUTPUTS)].unbind(1)
        return {
            "policy": policy,
            "wdl": torch.stack([loss, draw, win], 1),
            "score": torch.stack([20 * score, 20 * F.softplus(spread)], 1),
            "soon": values[:, len(OUTPUTS) :],
            "owner": self.owner(a).flatten(1),
        }

    def export(self, info: netfile.Info) -> IntegerNet:
        """In whole numbers. The net must be on the CPU."""
        policy, value = self.policy_clip.step(), self.value_clip.step()
        kept = slice(0, 1)
        return IntegerNet(
            input=self.input.export(1.0, STREAM_STEP),
            globals=self.globals.export(1 / ONE, STREAM_STEP),
            blocks=[block.export() for block in self.blocks],
            last=self.last.export(),
            policy=self.policy.export(STEP, policy),
            policy_pool=self.policy_pool.export(STEP / 16, policy),
            move=self.move.export(policy, 1 / ONE, kept),
            passing=self.passing.export(STEP / 16, 1 / ONE, kept),
            value_pool=self.value_pool.export(STEP / 16, value),
            value=self.value.export(value, 1 / ONE, slice(0, len(OUTPUTS))),
            owner=self.owner.export(STEP, 1 / ONE),
            info=info,
        )

    def restore(self, net: IntegerNet) -> None:
        """Takes over a net of as many blocks or fewer; further ones change nothing until they learn something."""
        kept, values = slice(0, 1), slice(0, len(OUTPUTS))
        self.input.restore(net.input, 1.0, STREAM_STEP)
        self.globals.restore(net.globals, 1 / ONE, STREAM_STEP)
        if len(net.blocks) > len(self.blocks):
            raise ValueError("the net has more blocks")
        for own, block in zip(self.blocks, net.blocks, strict=False):
            own.restore(block)
        for own in list(self.blocks)[len(net.blocks) :]:
            nn.init.zeros_(own.second.weight)
        self.last.restore(net.last)
        self.policy.restore(net.policy, STEP, STEP)
        self.policy_pool.restore(net.policy_pool, STEP / 16, STEP)
        self.move.restore(net.move, STEP, 1 / ONE, kept)
        self.passing.restore(net.passing, STEP / 16, 1 / ONE, kept)
        self.value_pool.restore(net.value_pool, STEP / 16, STEP)
        self.value.restore(net.value, STEP, 1 / ONE, values)
        self.owner.restore(net.owner, STEP, 1 / ONE)
        with torch.no_grad():
            self.policy_clip.log_step.fill_(math.log(STEP))
            self.value_clip.log_step.fill_(math.log(STEP))
