# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the architecture: what flows, and the rooms in layers, as the contract in pyproject.toml has them.

    python -m tools.pictures.architecture [FILE.png]

A development program: needs matplotlib.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "architecture.png"
WHAT: Mapping[str, str] = {  # a room's content; one that is not named here is drawn with its name alone
    "ui": "panels, settings, scene to Job, Motion to keys, preview",
    "__main__": "its command line without Blender",
    "batch": "a folder of jobs to motions, here or on a cluster",
    "pool": "several walks at a time, by whatever computes them",
    "simulate": "Job to Motion",
    "together": "Company to Motions: walks in one world, stepped together",
    "walking": "a walk on its way: control steps, samples, its end",
    "check": "can it be walked",
    "company": "jobs in one world",
    "worker": "the process around it",
    "worker_entry": "how it starts",
    "fallback": "walked after a fall",
    "foreseen": "how long it takes",
    "strides": "three strides, tried first",
    "physics": "the body in the engine",
    "control": "the registry; state to torques, a folder a paper; what they share",
    "klaw": "a walk from its steps, without physics",
    "motion": "what came out: samples, contacts, measures",
    "job": "one walk to simulate, complete",
    "preset": "a style as data, its declared fields",
    "character": "who walks: bones, links, masses",
    "world": "where: path, ground",
    "base": "rotations, curves, checked reading of JSON, errors",
}
FLOW = ("armature, curve,\nscene", "Job\n(JSON)", "Motion\n(npz)", "action, markers,\nreport")
BY = ("ui", "simulate, in the\nworker process", "ui")
ALONE: Mapping[str, str] = {"ui": "bpy, mathutils", "physics": "PyBullet"}  # what no other room may import
ROOM, DATA, EDGE, OUTSIDE = "#dfe9f3", "#f6e7cf", "#33658a", "#c8553d"
_WIDTH, _HEIGHT, _GAP, _LAYER = 12.0, 0.74, 0.18, 1.0


def layers(text: str) -> list[list[str]]:
    """Return the rooms of each layer, the top one first, of pyproject.toml's contract on layers.

    Raises StopIteration where there is none.
    """
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    found = next(c for c in contracts if c["type"] == "layers" and c.get("containers") == ["blender_biped"])
    return [[room.strip() for room in layer.replace(":", "|").split("|")] for layer in found["layers"]]


def draw(rooms: Sequence[Sequence[str]], file: Path) -> None:
    """Write the picture of the rooms as PNG."""
    height = _LAYER * len(rooms) + 1.8
    figure, axes = pyplot.subplots(figsize=(_WIDTH + 1.2, height), dpi=80)
    axes.set(xlim=(-0.2, _WIDTH + 1.0), ylim=(-0.5, height - 0.5))
    axes.axis("off")
    _draw_flow(axes, _LAYER * len(rooms) + 0.3)
    for row, layer in enumerate(rooms):
        bottom = _LAYER * (len(rooms) - 1 - row)
        width = (_WIDTH - 1.9 - _GAP * (len(layer) - 1)) / len(layer)
        for place, room in enumerate(layer):
            left = place * (width + _GAP)
            _box(axes, left, bottom, width, ROOM)
            axes.text(left + 0.5 * width, bottom + 0.5, room, ha="center", va="center", fontsize=13, weight="bold")
            text = WHAT.get(room, "")
            axes.text(left + 0.5 * width, bottom + 0.2, text, ha="center", va="center", fontsize=8.5)
            if room in ALONE:
                _draw_alone(axes, left + width, bottom, ALONE[room])
    _draw_direction(axes, _LAYER * len(rooms) - 0.3)
    figure.savefig(file, bbox_inches="tight")
    pyplot.close(figure)


def _box(axes: Axes, left: float, bottom: float, width: float, color: str) -> None:
    shape = FancyBboxPatch(
        (left, bottom), width, _HEIGHT, boxstyle="round,pad=0,rounding_size=0.1", facecolor=color, edgecolor=EDGE
    )
    axes.add_patch(shape)


def _draw_flow(axes: Axes, bottom: float) -> None:
    """Draw the four things that flow, and between them who makes the next one."""
    width, pitch = 1.75, (_WIDTH - 1.75) / (len(FLOW) - 1)
    middle = bottom + 0.5 * _HEIGHT
    for place, name in enumerate(FLOW):
        _box(axes, place * pitch, bottom, width, DATA)
        axes.text(place * pitch + 0.5 * width, middle, name, ha="center", va="center", fontsize=11)
    for place, name in enumerate(BY):
        start, end = place * pitch + width, (place + 1) * pitch
        axes.annotate("", (end, middle), (start, middle), arrowprops={"arrowstyle": "-|>", "color": EDGE})
        axes.text(0.5 * (start + end), middle + 0.1, name, ha="center", va="bottom", fontsize=9.5, color=EDGE)


def _draw_alone(axes: Axes, right: float, bottom: float, text: str) -> None:
    """Draw what only the room with this right edge may import."""
    middle = bottom + 0.5 * _HEIGHT
    axes.annotate("", (right + 0.5, middle), (right, middle), arrowprops={"arrowstyle": "-|>", "color": OUTSIDE})
    axes.text(right + 0.6, middle, text, ha="left", va="center", fontsize=10, color=OUTSIDE)


def _draw_direction(axes: Axes, top: float) -> None:
    x = _WIDTH + 0.7
    axes.annotate("", (x, 0.0), (x, top), arrowprops={"arrowstyle": "-|>", "color": EDGE, "linewidth": 2.0})
    axes.text(x + 0.1, 0.5 * top, "may import", rotation=90, ha="left", va="center", fontsize=11, color=EDGE)


def main(arguments: Sequence[str]) -> int:
    """Draw the picture; return the exit code."""
    draw(layers((ROOT / "pyproject.toml").read_text(encoding="utf-8")), Path(*arguments) if arguments else OUT)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
