# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that a controller does not see (``tools.trials``): Yin 2007, section 7.1: a step down and a slope, by phases.

SIMBICON feels the ground by its feet alone, and is refused where it is not flat; here it is let onto it: it is told of
flat ground, and the engine has two long boxes. A phase is where of a stride the walk meets the change: it is so much
farther along the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.character.fallen import LOW
from blender_biped.character.standard import standard_character
from blender_biped.control import registry
from blender_biped.control.kind import Kind
from blender_biped.control.shared.controller import Controller
from blender_biped.control.simbicon.kind import PLANAR, SIMBICON
from blender_biped.job import Job
from blender_biped.motion import gait_events
from blender_biped.motion.motion import RATE, Motion
from blender_biped.preset.preset import preset, speeds_of
from blender_biped.simulate import simulate, simulate_unchecked
from blender_biped.world.path import Path
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import EMPTY, World
from tools.base.yin import planar_biped

Figures = dict[str, Any]
PHASES = 10
STEADY = 6.0  # s after which a walk is steady
WATCHED = 6.0  # s from there on
_FAR, _WIDE, _THICK = 40.0, 2.0, 1.0  # m of a box: its length, half of its width, half of its height
_DEEP = 6.0  # m below the walk: where the plane is that the engine has
GROUNDS: dict[str, tuple[str, float, float]] = {
    "planar, level": ("planar", 0.0, 0.0),
    "planar, 20 cm down": ("planar", 0.20, 0.0),
    "planar, 6 degrees up": ("planar", 0.0, 6.0),
    "planar, 6 degrees down": ("planar", 0.0, -6.0),
    "3D, level": ("3d", 0.0, 0.0),
    "3D, 5 cm down": ("3d", 0.05, 0.0),
    "3D, 4 degrees up": ("3d", 0.0, 4.0),
    "3D, 4 degrees down": ("3d", 0.0, -4.0),
}
"""By name: who walks, the step down, m, and the slope, degrees. Level ones say what boxes do in place of a plane."""


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
    blinded = replace(kind, name=f"{kind.name}blind", controller=partial(blind, kind))
    with registry.registered(blinded):
        own = replace(
            level, preset=replace(level.preset, controller=blinded.name), ground=-_DEEP,
            world=World(things=ground(place, fall, slope)), duration=at + WATCHED,
        )  # fmt: skip
        walked = simulate_unchecked(own)  # who is blind is not refused for what is there
    return {"group": trial.group, "phase": trial.phase, "begins_m": place, "fell_at_s": _fell_at(walked, trial, place)}


def blind(kind: Kind, job: Job, step: float) -> Controller:
    """Return the controller of a job that is told of flat ground at height 0, where it begins."""
    assert kind.controller is not None
    made = kind.controller(replace(job, ground=0.0, world=EMPTY), step)
    origins, rotations, velocity = made.start()
    raised = origins + np.array((0.0, 0.0, -job.ground))
    made.start = lambda: (raised, rotations, velocity)  # type: ignore[method-assign]
    return made


def ground(begins: float, fall: float, slope: float) -> tuple[Thing, Thing]:
    """Return the ground along x as boxes: level up to ``begins`` m, then lower by ``fall`` m, and sloped, degrees.

    Not as triangles: the engine feels their inner edges, and the planar body falls over those of level ground.
    """
    turn = math.radians(-slope)  # about y: z towards x goes down
    c, s = math.cos(turn), math.sin(turn)
    near, half = (
        (_THICK * s, _THICK * c),
        0.5 * _FAR,
    )  # from the middle of its top to that of its bottom, turned, and so
    before = Thing("before", Solid("box", (half, _WIDE, _THICK)), (begins - half, 0.0, -_THICK), friction=1.0)
    middle = (begins + half * c - near[0], 0.0, -fall - half * s - near[1])
    w, y = math.cos(0.5 * turn), math.sin(0.5 * turn)
    return before, Thing("beyond", Solid("box", (half, _WIDE, _THICK)), middle, (w, 0.0, y, 0.0), friction=1.0)


def height(x: float, begins: float, fall: float, slope: float) -> float:
    """Return how high, m, the ground is at x, m."""
    return 0.0 if x <= begins else math.tan(math.radians(slope)) * (x - begins) - fall


def _fell_at(motion: Motion, trial: UnseenTrial, begins: float) -> float | None:
    """Return when a walk fell, s: its mid-hip is below half of its standing height over the ground; None if never."""
    _, fall, slope = GROUNDS[trial.group]
    over = [float(z) - height(float(x), begins, fall, slope) for x, _, z in motion.root]
    down = np.array(over) < LOW * motion.character.stand_height
    if down.any():
        return float(motion.times[int(down.argmax())])
    return motion.duration if motion.outcome == "fell" else None


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for ground in GROUNDS:
        own = [one for one in found if one["group"] == ground]
        stood = sum(one["fell_at_s"] is None for one in own)
        lines.append(f"  {ground:<24} {stood} of {len(own)} phases are survived")
    return lines
