"""Motions with links turned in their own frames, as tests of several measures want them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from blender_biped.base.spatial import Array, axis_angle_quaternion, quaternion_product
from blender_biped.job import Job
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.motion.motion import Motion
from tests.motion.synthetic import posed

X, Y, Z = np.eye(3)
STRIDE = 1.1  # s, of ``posed``


def still(phase: Array) -> dict[str, Array]:
    """Return straight legs."""
    return {joint: np.zeros_like(phase) for joint in ("hip", "knee", "ankle")}


def standing(duration: float = 6.0) -> tuple[Motion, Job]:
    """Return straight legs that are carried along, each foot down for its share of a stride."""
    return posed(still, duration)


def turned(motion: Motion, role: str, axis: Array, degrees: Array | float) -> Motion:
    """Return a motion with one link turned in its own frame by degrees (T,); those on it keep their orientation."""
    rotations, i = motion.rotations.copy(), motion.character.index(role)
    angle = np.broadcast_to(np.radians(degrees), motion.times.shape)
    rotations[:, i] = quaternion_product(rotations[:, i], axis_angle_quaternion(axis, angle))
    return replace(motion, rotations=rotations)


def swaying(motion: Motion, degrees: float) -> Array:
    """Return an angle (T,), degrees, that goes once a stride to either side."""
    return np.asarray(degrees * np.sin(2.0 * np.pi * motion.times / STRIDE))


def seen(motion: Motion, job: Job) -> MotionView:
    """Return a motion as measures see it."""
    return MotionView(motion, job)
