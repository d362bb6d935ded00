"""A run that is known by construction: feet flat and still while they are down, a parabola while none is."""

from __future__ import annotations

import math

import numpy as np

from blender_biped.base.spatial import continuous, matrix_quaternion, pitched
from blender_biped.character.model import Character
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.limb import leg_rotations
from blender_biped.motion.motion import RATE, Motion

SPEED, STEP, CONTACT = 2.7, 0.36, 0.23
"""m/s, s of a step, and s of it that its foot is down."""
LEAN, ELBOWS, WIDTH = 12.0, 75.0, 0.08
"""Degrees of the trunk ahead and of the elbows, and m between the feet aside."""
_CROUCH, _SUNK, _KICK = 0.07, 0.05, 0.26  # m


def ran(strides: int = 4, right: float = 0.5, speed: float = SPEED) -> Motion:
    """Return some strides along x. right: phase at which the right foot lands; 0 in jumps. speed: m/s of the hips."""
    body = standard_character()
    legs = legs_of(body)
    times = np.arange(round(2.0 * STEP * strides * RATE) + 1) / RATE
    root = np.stack((speed * times, np.zeros_like(times), [_height(body, t) for t in times.tolist()]), axis=1)
    rotations = np.tile(np.eye(3), (len(times), len(body.links), 1, 1))
    for i, time in enumerate(times.tolist()):
        swing = math.radians(30.0) * math.cos(math.pi * time / STEP)
        for k, link in enumerate(body.links):
            if link.part in ("abdomen", "chest", "head"):
                rotations[i, k] = pitched(math.radians(LEAN))
            elif link.part in ("upper_arm", "forearm", "hand"):
                ahead = -swing if link.role.endswith("L") else swing
                bend = 0.0 if link.part == "upper_arm" else math.radians(ELBOWS)
                rotations[i, k] = pitched(-ahead - bend)
        for side, leg in enumerate(legs):
            begins = 2.0 * STEP * right * side
            x, z = _ankle(time - begins, speed)
            hip = body.offsets[leg.thigh] + root[i]
            aside = (0.5 - side) * WIDTH
            ankle = (x + speed * begins, aside, leg.ankle_height + z)
            rotations[i, [leg.thigh, leg.shin]] = leg_rotations(leg, hip.tolist(), ankle, 0.0)
    still = np.zeros((len(times), len(body.links), 3))
    return Motion(
        character=body, times=times, root=root, rotations=continuous(matrix_quaternion(rotations)),
        loads=np.zeros((len(times), 2)), torques=still, strikes=np.empty((0, 2)), lifts=np.empty((0, 2)),
        command=np.zeros((len(times), 3)), cpu=0.0, outcome="time",
    )  # fmt: skip


def _height(body: Character, time: float) -> float:
    """Return how high the hips are, m: sunk while a foot is down, thrown up while none is."""
    gone, flight = time % STEP, STEP - CONTACT
    low = body.stand_height - _CROUCH
    if gone < CONTACT:
        return low - _SUNK * math.sin(math.pi * gone / CONTACT)
    flies = gone - CONTACT
    return low + 0.5 * GRAVITY * flies * (flight - flies)


def _ankle(time: float, speed: float) -> tuple[float, float]:
    """Return where an ankle is, m along x and up from where it stands; time: s, since a landing at the place of 0."""
    stride = math.floor(time / (2.0 * STEP))
    gone = time - 2.0 * STEP * stride
    lands = speed * (2.0 * STEP * stride + 0.5 * CONTACT)
    if gone < CONTACT:
        return lands, 0.0
    share = (gone - CONTACT) / (2.0 * STEP - CONTACT)
    return lands + 2.0 * STEP * speed * (3.0 * share**2 - 2.0 * share**3), _KICK * math.sin(math.pi * share) ** 2
