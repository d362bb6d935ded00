"""Which style of KLAW looks most like a walk: for one that fell, and is to be walked without physics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..base.errors import DataError
from ..base.spatial import Array, quaternion_matrix
from ..job import Job
from ..motion.falls import upright_until
from ..motion.gait_events import SIDES
from ..motion.measures import fell_at
from ..motion.motion import Motion
from ..preset.preset import RESEARCH, Preset
from ..world.path import Path
from .attributes import read_style
from .walk import walk

LOOKS = 3
"""How many numbers say how a walk looks."""

_ENOUGH = 5.0  # leg lengths of path in which a style can be seen
_DIFFERENT = np.array([0.04, 0.06, 0.15])  # of each of ``looks``: what makes another style
_MOOD = 10.0  # degrees: heads bowed or thrown back by more say how somebody feels
_BEGUN = 0.25  # of a walk: then it is no longer starting


def looks(motion: Motion, ground: float) -> Array:
    """Return how a walk looks (LOOKS,): height of the hips and lift of the knees, in legs, and lean of the trunk, rad.

    ground: its height, m.
    """
    body = motion.character
    begun = slice(int(_BEGUN * len(motion.times)), None)
    knees = np.concatenate([motion.origins[begun, body.index(f"shin.{side}"), 2] for side in SIDES])
    trunk = quaternion_matrix(motion.rotations[begun, body.index("chest") if body.has("chest") else 0])
    lean = np.arctan2(np.linalg.norm(trunk[:, :2, 2], axis=1), trunk[:, 2, 2])
    heights = np.array([np.median(motion.root[begun, 2]), np.percentile(knees, 95.0)])
    return np.append((heights - ground) / body.leg_length, np.median(lean))


def looks_upright(motion: Motion, job: Job) -> Array | None:
    """Return how a walk looks (LOOKS,) before its fall, see ``looks``; None where it fell before a whole step."""
    until = motion.duration if fell_at(motion, job) is None else upright_until(motion, job)
    return None if until is None else looks(motion.sampled(motion.times[motion.times <= until]), job.ground)


def nearest_style(found: Sequence[float], job: Job, styles: Iterable[Preset]) -> str:
    """Return the name of the style of KLAW's that looks most like a walk, at its job's speed; "" where there is none.

    found (LOOKS,): of the walk. The first style is taken unless another one is clearly nearer. Styles that play a part,
    a drunk or a sad one, and those for research are none of those: what fell was to look like a walk.
    """
    path = Path([[0.0, 0.0], [_ENOUGH * job.character.leg_length, 0.0]])
    plain = replace(job, path=path, start=0.0, stop=True, cues=(), ending=(), speeds=(), facing=0.0, step_width=0.0,
                    duration=0.0, pushes=(), perturbations=(), relief=(), along=())  # fmt: skip
    away: dict[str, float] = {}
    for style in filter(_plays_no_part, styles):
        try:
            made = looks(walk(replace(plain, preset=style)), job.ground)
        except DataError:  # this body cannot walk so
            continue
        away[style.name] = float(np.linalg.norm((made - np.asarray(found)) / _DIFFERENT)) + (0.5 if away else 0.0)
    return min(away, key=lambda name: away[name]) if away else ""


def _plays_no_part(style: Preset) -> bool:
    manner = read_style(style.values).manner
    return style.shelf != RESEARCH and not (manner.stagger or manner.limp) and abs(manner.head) < _MOOD
