# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts of many walks, from the raw material that their results keep: joint angles, slips, deviations."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from blender_biped.motion.norm import JOINTS
from tools.pictures.filmstrip import angle_name, draw_norm

Raw = Mapping[str, Any]
"""See ``measured.raw``."""

STOOD, FELL = "#33658a", "#c8553d"
_SLIP_BINS = np.append(np.arange(0.0, 30.0, 1.0), [30.0, 31.0])  # mm; the last one for all beyond
_DEVIATION_BINS = np.append(np.arange(0.0, 0.5, 0.02), [0.5, 0.52])  # m
_DPI = 110


def angles(walks: Sequence[Raw]) -> bytes | None:
    """Return a PNG of the mean hip, knee and ankle cycle of each walk, their median, and adults' band.

    None when no walk has a steady stride.
    """
    figure, columns = pyplot.subplots(1, 3, figsize=(12.5, 3.9), dpi=_DPI, layout="constrained")
    percent, drawn = np.arange(101), False
    for axes, joint in zip(columns, JOINTS, strict=True):
        band, usual = draw_norm(axes, joint)
        curves = [w["cycles"][joint] for w in walks if w["cycles"][joint]]
        for curve in curves:
            axes.plot(percent, curve, color=STOOD, linewidth=0.6, alpha=0.35)
        if curves:
            drawn = True
            axes.plot(percent, np.median(curves, axis=0), color="black", linewidth=2.0)
        axes.set_title(angle_name(joint), fontsize=11)
    columns[0].set_ylabel("degrees")
    handles = [band, usual, Line2D([], [], color=STOOD), Line2D([], [], color="black", linewidth=2.0)]
    names = ["adults, mean and spread", "adults, mean", "each walk", "median of the walks"]
    figure.legend(handles, names, fontsize=9, loc="outside lower center", ncols=4, frameon=False)
    if not drawn:
        pyplot.close(figure)
        return None
    return _png(figure)


def spreads(stood: Sequence[Raw], fell: Sequence[Raw]) -> bytes | None:
    """Return a PNG of two histograms, of every stance's slip and of every moment's deviation from the path.

    None when there is neither.
    """
    if not any(w["slips"] or w["deviations"] for w in (*stood, *fell)):
        return None
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12.5, 3.6), dpi=_DPI, layout="constrained")
    _histogram(left, [_column(stood, "slips"), _column(fell, "slips")], _SLIP_BINS)
    left.set_title("Foot slip of each stance", fontsize=11)
    left.set_xlabel("mm (the last bar: 30 and more)")
    left.set_ylabel("stances")
    _histogram(right, [_column(stood, "deviations"), _column(fell, "deviations")], _DEVIATION_BINS)
    right.set_title("Distance from the path, every 0.1 s", fontsize=11)
    right.set_xlabel("m (the last bar: 0.5 and more)")
    right.set_ylabel("moments")
    return _png(figure)


def _column(walks: Sequence[Raw], name: str) -> list[float]:
    return [value for w in walks for _, value in w[name]]


def _histogram(axes: Axes, values: Sequence[Sequence[float]], bins: Any) -> None:
    beyond = 0.5 * (bins[-2] + bins[-1])
    clipped = [np.minimum(np.asarray(v, dtype=float), beyond) for v in values]
    axes.hist(clipped, bins=bins, stacked=True, color=[STOOD, FELL], label=["walks that stood", "walks that fell"])
    axes.set_yscale("symlog", linthresh=10.0)
    axes.set_ylim(bottom=0.0)
    axes.yaxis.set_major_formatter("{x:.0f}")
    axes.set_xlim(bins[0], bins[-1])
    axes.grid(color="#eeeeee")
    axes.set_axisbelow(True)
    axes.legend(fontsize=9, frameon=False)


def _png(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png")
    pyplot.close(figure)
    return file.getvalue()
