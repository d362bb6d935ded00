"""How near a walk is to the captured one that its style was made from: its legs' joints over the stride."""

from __future__ import annotations

import numpy as np

from ..base.spatial import Array
from ..job import Job
from .gait_events import SIDES
from .measures.joint_angles import bend, cycle
from .measures.motion_view import MotionView
from .motion import Motion
from .norm import JOINTS
from .periodic import Periodic

_LINKS = {"hip": "thigh", "knee": "shin", "ankle": "foot"}


def stride_curves(motion: Motion, job: Job) -> dict[str, Array]:
    """Return the flexion of hip, knee and ankle, (202,), degrees: the mean stride of the left leg, then of the right.

    Of strides in steady walking; a joint is missing where a leg has none.
    """
    found: dict[str, list[Array]] = {joint: [] for joint in JOINTS}
    view = MotionView(motion, job)
    for side in (0, 1):
        own = [stride for stride in view.steady_strides if stride.side == side]
        for joint in JOINTS if own else ():
            angles = view.flexion(joint, side)
            found[joint].append(np.mean([cycle(view.walk, angles, stride) for stride in own], axis=0))
    return {joint: np.concatenate(curves) for joint, curves in found.items() if len(curves) == len(SIDES)}


def captured_curves(captured: Periodic) -> dict[str, Array]:
    """Return the same of a captured stride."""
    phases = np.linspace(0.0, 1.0, 101)
    found = {}
    for joint in JOINTS:
        roles = [f"{_LINKS[joint]}.{side}" for side in SIDES]
        if all(role in captured.joints for role in roles):
            begins = (0.0, captured.right)
            turns = [captured.joints[r].at(phases + b) for r, b in zip(roles, begins, strict=True)]
            found[joint] = np.concatenate([bend(joint, turn) for turn in turns])
    return found


def likeness(one: dict[str, Array], other: dict[str, Array]) -> dict[str, float | None]:
    """Return the correlation of the curves of each joint; None where one of them has none, or does not move."""
    found: dict[str, float | None] = {}
    for joint in JOINTS:
        a, b = one.get(joint), other.get(joint)
        moves = a is not None and b is not None and min(np.ptp(a), np.ptp(b)) > 1e-6
        found[joint] = float(np.corrcoef(a, b)[0, 1]) if moves and a is not None and b is not None else None
    return found
