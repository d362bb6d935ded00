"""How pelvis, chest and head turn over a stride, and how the arms are held."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array, yaw
from ..gait_events import SIDES, moving_mean
from .joint_angles import cycle
from .motion_view import MotionView
from .stride_means import mean, stride_range


def roll(view: MotionView, role: str) -> Array:
    """Return how far a link is tilted sideways (T,), degrees, its left side up."""
    return _above(view, role, 1)


def pitch(view: MotionView, role: str) -> Array:
    """Return how far a link is tilted (T,), degrees, its front up."""
    return _above(view, role, 0)


def turn(view: MotionView, role: str) -> Array:
    """Return how far a link is turned to the left (T,), degrees, the path's turn taken off: its mean over a stride."""
    facing = np.unwrap(yaw(view.walk.rotations[:, view.walk.character.index(role)]))
    return np.asarray(np.degrees(facing - moving_mean(facing, view.walk.times, view.stride_times)))


def pelvis_tilt(view: MotionView) -> float | None:
    """Return the range of the pelvis' forward tilt over a stride, degrees, mean of steady strides."""
    return stride_range(view, pitch(view, "pelvis"))


def chest_roll(view: MotionView) -> float | None:
    """Return the range of the chest's sideways tilt over a stride, degrees; None without a chest."""
    return stride_range(view, roll(view, "chest")) if view.walk.character.has("chest") else None


def head_roll(view: MotionView) -> float | None:
    """Return the range of the head's sideways tilt over a stride, degrees; None without a head."""
    return stride_range(view, roll(view, "head")) if view.walk.character.has("head") else None


def head_nod(view: MotionView) -> float | None:
    """Return the range of the head's forward tilt over a stride, degrees; None without a head."""
    return stride_range(view, pitch(view, "head")) if view.walk.character.has("head") else None


def head_yaw(view: MotionView) -> float | None:
    """Return the range of the head's turn about the vertical over a stride, degrees; None without a head."""
    return stride_range(view, turn(view, "head")) if view.walk.character.has("head") else None


def arm_out(view: MotionView) -> float | None:
    """Return how far the upper arms are held out from the chest's vertical, degrees, mean of both and of the strides.

    In the chest's frontal plane; 0 for arms that hang.
    """
    found = []
    for s in view.steady_strides:
        if view.has_arm(s.side):
            down = -view.in_parent(f"upper_arm.{SIDES[s.side]}")[:, :, 2]
            out = np.degrees(np.arctan2((1.0 - 2.0 * s.side) * down[:, 1], -down[:, 2]))
            found.append(float(cycle(view.walk, out, s).mean()))
    return mean(found)


def elbow_bend(view: MotionView) -> float | None:
    """Return how far the elbows are bent, degrees, mean of both and of the strides; None without forearms."""
    found = []
    for s in view.steady_strides:
        role = f"forearm.{SIDES[s.side]}"
        if view.walk.character.has(role):
            straight = np.clip(view.in_parent(role)[:, 2, 2], -1.0, 1.0)
            found.append(float(cycle(view.walk, np.degrees(np.arccos(straight)), s).mean()))
    return mean(found)


def _above(view: MotionView, role: str, axis: int) -> Array:
    up = view.rotation(view.walk.character.index(role))[:, 2, axis]
    return np.asarray(np.degrees(np.arcsin(np.clip(up, -1.0, 1.0))))
