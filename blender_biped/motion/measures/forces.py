"""What the legs bear and do: the load under a foot, the moments of hip and knee, the power of the joints."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array, quaternion_conjugate, quaternion_product, rotation_vector
from ..gait_events import SIDES
from .joint_angles import cycle
from .motion_view import MotionView

_FIRST, _SECOND = (3, 28), (36, 62)  # % of the stride, in which a foot's load has its peaks
_LEG = ("thigh", "shin", "foot")


def load_peaks(view: MotionView) -> tuple[float, float, float] | None:
    """Return a foot's load in shares of the body's weight: its first peak, the trough after it, and its second peak.

    Of the mean curve over steady strides.
    """
    weight = view.walk.character.mass * view.job.gravity
    curves = [cycle(view.walk, view.walk.loads[:, s.side], s) for s in view.steady_strides]
    if not curves:
        return None
    load = np.mean(curves, axis=0) / weight
    first, second = (low + int(load[low : high + 1].argmax()) for low, high in (_FIRST, _SECOND))
    return float(load[first]), float(load[first : second + 1].min()), float(load[second])


def moment(view: MotionView, part: str) -> Array | None:
    """Return the moment over a stride (101,), N m for each kg of the body, that flexes the joint of "thigh" or "shin".

    About the axis across its parent, hip or knee; the mean of steady strides. None without
    torques, which a recorded walk has not.
    """
    walk, body = view.walk, view.walk.character
    curves = []
    for s in view.steady_strides:
        i = body.index(f"{part}.{SIDES[s.side]}")
        about = (walk.torques[:, i] * view.rotation(body.parents[i])[:, :, 1]).sum(axis=1)
        curves.append(cycle(walk, about * (-1.0 if part == "thigh" else 1.0) / body.mass, s))
    return np.mean(curves, axis=0) if curves and np.any(walk.torques) else None


def positive_power(view: MotionView) -> float | None:
    """Return the power that the legs' joints give, W for each kg of the body: what they take is not set against it.

    Of hips, knees and ankles over steady walking. None without torques.
    """
    walk, span = view.walk, view.steady_span
    if span is None or not np.any(walk.torques):
        return None
    body = walk.character
    total = np.zeros(len(walk.times) - 1)
    for role in (f"{part}.{side}" for part in _LEG for side in SIDES):
        i = body.index(role)
        own, above = (_turned(walk.rotations[:, k], walk.times) for k in (i, body.parents[i]))
        middle = 0.5 * (walk.torques[1:, i] + walk.torques[:-1, i])
        total += np.maximum((middle * (own - above)).sum(axis=1), 0.0)
    inside = (walk.times[1:] > span[0]) & (walk.times[1:] <= span[1])
    return float(total[inside].mean()) / body.mass


def _turned(rotations: Array, times: Array) -> Array:
    """Return a link's angular velocity (T - 1, 3) between samples, rad/s, world axes."""
    return np.asarray(
        rotation_vector(quaternion_product(rotations[1:], quaternion_conjugate(rotations[:-1])))
        / np.diff(times)[:, None]
    )
