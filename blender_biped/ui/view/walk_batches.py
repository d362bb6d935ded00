"""A previewed walk as lines and faces: its way and footprints, and the body at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...base.spatial import Array
from ...character.figure import figure
from ...klaw.preview import Preview
from ...motion.trail import MotionTrail, Trail
from .batches import LEFT, RIGHT, SIDE_COLORS, Batch, batch

_WAY = (0.35, 0.9, 0.35, 0.9)
_FAINT, _LINE, _PRINT = 0.10, 0.55, 0.9  # opacities
_THIN, _THICK = 1.2, 2.5  # pixels
_ABOVE = 0.004  # of the leg: how high prints are drawn above the ground


def ground_lines(walk: Trail, stretch: Array) -> dict[str, Array]:
    """Return the ends (N, 2, 3) of what is drawn on the ground, in the scene's world: "way", "L" and "R" prints."""
    above = np.array([0.0, 0.0, _ABOVE * walk.character.leg_length])
    way = np.stack((walk.line[:-1], walk.line[1:]), axis=1)
    found = {"way": np.concatenate((way, walk.ticks))}
    for side, name in enumerate("LR"):
        rings = [np.array(list(pairwise([*ring, ring[0]]))) for ring, foot in walk.prints if foot == side]
        found[name] = np.concatenate(rings) if rings else np.zeros((0, 2, 3))
    return {name: (ends + above) @ stretch.T for name, ends in found.items()}


def ground_batches(walk: Trail, stretch: Array) -> list[Batch]:
    """Return what the GPU draws of a walk on the ground."""
    lines = ground_lines(walk, stretch)
    colors = {"way": _WAY, "L": (*LEFT, _PRINT), "R": (*RIGHT, _PRINT)}
    return [batch(lines[name], colors[name], _THICK) for name in colors if len(lines[name])]


def body_batches(walk: Preview | MotionTrail, time: float, stretch: Array) -> list[Batch]:
    """Return what the GPU draws of a walk's body at a time, s."""
    whole = figure(walk.character, *walk.place(time))
    made = []
    for group, color in SIDE_COLORS.items():
        if len(whole.lines[group]):
            made.append(batch(whole.faces[group] @ stretch.T, (*color, _FAINT)))
            made.append(batch(whole.lines[group] @ stretch.T, (*color, _LINE), _THIN))
    return made
