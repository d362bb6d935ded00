# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that a controller does not see (``tools.trials``): Yin 2007, section 7.1: a step down and a slope, by phases.

SIMBICON feels the ground by its feet alone, and is refused where it is not flat; here it is let onto it. A phase is
where of a stride the walk meets the change: it is so much farther along the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.character.standard import standard_character
from blender_biped.control import registry
from blender_biped.control.simbicon.kind import PLANAR, SIMBICON
from blender_biped.job import Job
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import RATE, Motion
from blender_biped.preset.preset import preset, speeds_of
from blender_biped.simulate import simulate
from blender_biped.world.passable import Limits
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.world import World
from tools.base.yin import planar_biped

Figures = dict[str, Any]
PHASES = 10
STEADY = 6.0  # s after which a walk is steady
WATCHED = 6.0  # s from there on
_FAR, _WIDE, _CELL = 30.0, 2.0, 0.5  # m of the ground, and of a cell of it
_ANY = Limits(up=90.0, down=90.0, across=90.0, rise=9.0, fall=9.0)
GROUNDS: dict[str, tuple[str, float, float]] = {
    "planar, level": ("planar", 0.0, 0.0),
    "planar, 20 cm down": ("planar", 0.20, 0.0),
    "planar, 6 degrees up": ("planar", 0.0, 6.0),
    "planar, 6 degrees down": ("planar", 0.0, -6.0),
    "3D, 5 cm down": ("3d", 0.05, 0.0),
    "3D, 4 degrees up": ("3d", 0.0, 4.0),
    "3D, 4 degrees down": ("3d", 0.0, -4.0),
}
"""By name: who walks, the step down, m, and the slope, degrees. Level ones say what the ground's triangles do."""


@dataclass(frozen=True)
class UnseenTrial:
    """A ground, and the phase of a stride, 0..1, at which it begins. group: the ground's name."""

    group: str
    phase: float


PARTS: dict[str, Callable[[], list[UnseenTrial]]] = {
    "unseen": lambda: [UnseenTrial(name, k / PHASES) for name in GROUNDS for k in range(PHASES)]
}


def walk_of(who: str) -> Job:
    """Return the walk on level ground."""
    kind, body = (PLANAR, planar_biped()) if who == "planar" else (SIMBICON, standard_character())
    style = preset(kind.name, "walk")
    own = speeds_of(style)
    path = Path([(0.0, 0.0), (_FAR, 0.0)])
    return Job(body, path, style, own.usual if own else 1.0, duration=STEADY + WATCHED, stop=False)


@cache
def _level(who: str) -> tuple[Job, Motion]:
    """Return the walk on level ground, and its motion: the same for all grounds and phases."""
    job = walk_of(who)
    return job, simulate(job)


def run(trial: UnseenTrial, out: FilePath) -> Figures:
    """Return whether a walk goes on over a ground that it does not see."""
    who, fall, slope = GROUNDS[trial.group]
    level, motion = _level(who)
    stride = next(s for s in gait_events.strides(motion, 0) if s.start > STEADY)
    at = stride.start + trial.phase * (stride.end - stride.start)
    place = float(motion.root[round(at * RATE), 0])
    kind = registry.kind_of(level.preset.controller)
    let = replace(kind, name=f"{kind.name}_anywhere", terrain=_ANY)
    with registry.registered(let):
        own = replace(
            level, preset=replace(level.preset, controller=let.name), world=World(_ground(place, fall, slope)),
            duration=at + WATCHED,
        )  # fmt: skip
        walked = simulate(own)
        fell = measures.fell_at(walked, own)
    return {"group": trial.group, "phase": trial.phase, "begins_m": place, "fell_at_s": fell}


def _ground(begins: float, fall: float, slope: float) -> Terrain:
    """Return ground along x, level up to ``begins`` m, then lower by ``fall`` m, and from there on sloped, degrees.

    In cells: on triangles of many metres the planar body falls even where they are level, for the engine feels their
    inner edges.
    """
    before = [(float(x), 0.0) for x in np.linspace(-_CELL, begins, int(begins / _CELL) + 2)]
    grade = math.tan(math.radians(slope))
    after = [(begins + x, grade * x - fall) for x in np.arange(0.0, _FAR + 2.0 - begins, _CELL).tolist()]
    across = np.arange(0.5 * _CELL - _WIDE, _WIDE, _CELL).tolist()  # no edge of a cell is under the way
    points = [(x, y, z) for x, z in (*before, *after) for y in across]
    count = len(across)
    corners = [row * count + k for row in range(len(before) + len(after) - 1) for k in range(count - 1)]
    return Terrain(
        points, [face for k in corners for face in ((k, k + count, k + 1), (k + 1, k + count, k + count + 1))]
    )


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for ground in GROUNDS:
        own = [one for one in found if one["group"] == ground]
        stood = sum(one["fell_at_s"] is None for one in own)
        lines.append(f"  {ground:<24} {stood} of {len(own)} phases are survived")
    return lines
