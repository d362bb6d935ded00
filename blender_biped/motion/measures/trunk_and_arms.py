"""How hips, centre of mass and arms move over a stride."""

from __future__ import annotations

import numpy as np

from ...base.spatial import yaw
from ..gait_events import moving_mean
from .joint_angles import cycle
from .motion_view import MotionView
from .stride_means import mean, stride_range


def com_bob(view: MotionView) -> float | None:
    """Return the range of the centre of mass' height over a stride, mm, mean of steady strides."""
    return stride_range(view, view.scale * 1000.0 * view.walk.com[:, 2])


def pelvis_rotation(view: MotionView) -> float | None:
    """Return the range of the pelvis' turn about the vertical over a stride, degrees, the path's turn taken off."""
    facing = np.unwrap(yaw(view.walk.rotations[:, 0]))
    usual = moving_mean(facing, view.walk.times, view.stride_times)
    return stride_range(view, np.degrees(facing - usual))


def pelvis_list(view: MotionView) -> float | None:
    """Return the range of the pelvis' sideways tilt over a stride, degrees, mean of steady strides."""
    left_up = view.rotation(0)[:, 2, 1]
    return stride_range(view, np.degrees(np.arcsin(np.clip(left_up, -1.0, 1.0))))


def arm_swing(view: MotionView) -> float | None:
    """Return the range of the upper arms' swing against the chest over a stride, degrees, mean of both arms."""
    return mean(
        float(np.ptp(cycle(view.walk, view.arm_flexion(s.side), s)))
        for s in view.steady_strides
        if view.has_arm(s.side)
    )


def arm_phase(view: MotionView) -> float | None:
    """Return how far the arms' swing lags behind the same side's thigh, degrees, 0..360; 180 is natural.

    Of the parts of both that repeat once a stride; None where an arm or a thigh does not swing (under a degree).
    """
    ratio = 0.0j
    for s in view.steady_strides:
        if not view.has_arm(s.side):
            return None
        arm, thigh = (
            np.exp(-2.0j * np.pi * np.arange(100) / 100.0) @ cycle(view.walk, v, s)[:100] / 50.0
            for v in (view.arm_flexion(s.side), view.flexion("hip", s.side))
        )
        if abs(arm) < 0.5 or abs(thigh) < 0.5:
            return None
        ratio += (thigh / arm) / abs(thigh / arm)
    return float(np.degrees(np.angle(ratio))) % 360.0 if ratio else None
