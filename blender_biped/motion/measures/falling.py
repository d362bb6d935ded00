"""At which samples a body has fallen, and whether it lies still then."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array, quaternion_matrix
from ...character.fallen import fallen, grounds, is_upright, trunk_top
from ...character.model import Character
from ...job import Job
from ..gait_events import SIDES
from ..motion import RATE, Motion

LYING_SPEED = 0.05  # m/s; a fallen body lies whose joints are slower


def down_samples(motion: Motion, job: Job) -> NDArray[np.bool_]:
    """Return at which samples (T,) the body has fallen."""
    body = motion.character
    trunk = quaternion_matrix(motion.rotations[:, trunk_top(body)])[:, 2, 2]
    down = ~is_upright(body, _hip_heights(motion, job), trunk)
    origins = motion.origins[down]
    under = ground_under(origins, job)
    heights = origins[..., 2] - (under if job.floor.flat else grounds(body, under))
    turns = quaternion_matrix(motion.rotations[down])[..., 2, :]
    down[down] = fallen(body, heights, turns, job.may_touch)
    return np.asarray(down)


def lies_still(motion: Motion) -> bool:
    """Return whether no joint of a body that fell moves at the end of its motion: over the last quarter of a second."""
    last = motion.part(max(0, len(motion.times) - round(0.25 * RATE)), len(motion.times))
    seconds = max(float(last.times[-1] - last.times[0]), 1e-9)
    moved = np.linalg.norm(last.origins[-1] - last.origins[0], axis=-1).max()
    return bool(moved < LYING_SPEED * math.sqrt(motion.character.size) * seconds)  # Froude's law


def ground_under(places: Array, job: Job) -> Any:
    """Return the ground's height (...), m, under places (..., 3); of a flat one it is one number."""
    return job.ground if job.floor.flat else job.floor.heights(places)


def _hip_heights(motion: Motion, job: Job) -> Array:
    """Return the mid-hip's height (T,), m, over the ground that ``grounds`` says it stands over."""
    height: Array = motion.origins[:, 0, 2]
    if job.floor.flat:
        return height - job.ground
    body = motion.character
    under = np.full(motion.origins.shape[:2], np.inf)
    for link in _that_count(body):  # a mesh is asked place by place: the other links' ground is not needed here
        under[:, link] = job.floor.heights(motion.origins[:, link])
    return np.asarray(height - grounds(body, under)[:, 0])


def _that_count(body: Character) -> list[int]:
    """Return the links over whose ground the mid-hip stands: the pelvis and the feet."""
    return [0, *(body.index(f"foot.{side}") for side in SIDES if body.has(f"foot.{side}"))]
