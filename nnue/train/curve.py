"""The curves of a training as one SVG."""

from __future__ import annotations

import io

import matplotlib

matplotlib.use("svg")
# The same curves give the same bytes.
matplotlib.rcParams["svg.hashsalt"] = "sanqi"
import matplotlib.pyplot as plt  # noqa: E402

PANELS = (
    ("train_total", "loss in training"),
    ("top1", "top-1, share of positions set aside"),
    ("policy", "policy, cross entropy"),
    ("brier", "value, Brier"),
    ("owner", "owner, share of points wrong"),
    ("lead", "lead, points off"),
)


def svg(rows: list[dict[str, float]], title: str) -> str:
    """Panels over the samples seen, with a line for each size of board."""
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.5), constrained_layout=True)
    for axis, (name, label) in zip(axes.flat, PANELS, strict=True):
        lines = [name] if name.startswith("train") else sorted({key for row in rows for key in row if key.rpartition("_")[0] == name})
        for line in lines:
            points = [(row["samples"], row[line]) for row in rows if line in row]
            size = line.rpartition("_")[2]
            axis.plot(*zip(*points, strict=True), marker=".", label=f"{size}x{size}" if size.isdigit() else None)
        axis.set_title(label, fontsize=10)
        axis.set_xlabel("samples", fontsize=8)
        axis.grid(alpha=0.3)
        if axis.get_legend_handles_labels()[0]:
            axis.legend(fontsize=8)
    figure.suptitle(title)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    plt.close(figure)
    return out.getvalue()
