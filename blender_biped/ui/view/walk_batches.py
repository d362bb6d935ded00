"""A previewed walk as lines and faces: its way and footprints, those that are planned, and the body at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...base.spatial import Array
from ...character.figure import figure
from ...klaw.preview import Preview
from ...motion.trail import MotionTrail, Trail
from .batches import LEFT, RIGHT, SIDE_COLORS, Batch, batch
from .planned import PlannedPrint

_WAY = (0.35, 0.9, 0.35, 0.9)
_FAINT, _LINE, _PRINT, _FILLED = 0.10, 0.55, 0.9, 0.35  # opacities
_THIN, _THICK = 1.2, 2.5  # pixels
_ABOVE = 0.004  # of the leg: how high prints are drawn above the ground


def ground_lines(walk: Trail, stretch: Array, planned: Sequence[PlannedPrint] = ()) -> dict[str, Array]:
    """Return the ends (N, 2, 3) of what is drawn on the ground, in the scene's world: "way", "L" and "R" prints."""
    prints = [*walk.prints, *((one.outline, one.side) for one in planned)]
    above = np.array([0.0, 0.0, _ABOVE * walk.character.leg_length])
    way = np.stack((walk.line[:-1], walk.line[1:]), axis=1)
    found = {"way": np.concatenate((way, walk.ticks))}
    for side, name in enumerate("LR"):
        rings = [np.array(list(pairwise([*ring, ring[0]]))) for ring, foot in prints if foot == side]
        found[name] = np.concatenate(rings) if rings else np.zeros((0, 2, 3))
    return {name: (ends + above) @ stretch.T for name, ends in found.items()}


def ground_batches(walk: Trail, stretch: Array, planned: Sequence[PlannedPrint] = ()) -> list[Batch]:
    """Return what the GPU draws of a walk on the ground: prints as outlines, planned ones filled."""
    lines = ground_lines(walk, stretch, planned)
    colors = {"way": _WAY, "L": (*LEFT, _PRINT), "R": (*RIGHT, _PRINT)}
    made = [batch(lines[name], colors[name], _THICK) for name in colors if len(lines[name])]
    above = np.array([0.0, 0.0, _ABOVE * walk.character.leg_length])
    for side, color in enumerate((LEFT, RIGHT)):
        filled = [_filled(one.outline + above) @ stretch.T for one in planned if one.side == side]
        if filled:
            made.append(batch(np.concatenate(filled), (*color, _FILLED)))
    return made


def _filled(outline: Array) -> Array:
    """Return the triangles (N, 3, 3) that fill an outline (N, 3) about its middle."""
    middle = np.broadcast_to(outline.mean(axis=0), outline.shape)
    return np.stack((middle, outline, np.roll(outline, -1, axis=0)), axis=1)


def body_batches(walk: Preview | MotionTrail, time: float, stretch: Array) -> list[Batch]:
    """Return what the GPU draws of a walk's body at a time, s."""
    whole = figure(walk.character, *walk.place(time))
    made = []
    for group, color in SIDE_COLORS.items():
        if len(whole.lines[group]):
            made.append(batch(whole.faces[group] @ stretch.T, (*color, _FAINT)))
            made.append(batch(whole.lines[group] @ stretch.T, (*color, _LINE), _THIN))
    return made
