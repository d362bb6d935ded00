"""What a run's limbs add to the turn of its body about the vertical: legs turn it one way, arms and chest the other.

In the air nothing else holds the turn, and feet that are down hold little of it: in runners the upper body has all but
what the legs have, the other way round (Hinrichs 1987).
"""

from __future__ import annotations

import math

import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ..steps.step_table import momenta_of


def turning_of(character: Character, rotations: Array, velocities: Array) -> complex:
    """Return the angular momentum about the vertical that a body has once in each stride, N m s: its first harmonic.

    The real part goes with the cosine. rotations (T, L, 3, 3) and velocities (T, L, 3) of a stride of a second at even
    times, its end with them.
    """
    origins = character.placed(np.zeros((len(rotations), 3)), rotations)
    coms = origins + (rotations @ character.coms[:, :, None])[..., 0]
    arms = coms - np.einsum("l,tli->ti", character.masses, coms)[:, None] / character.mass
    turns = momenta_of(character, arms, rotations, velocities, 1.0 / (len(rotations) - 1))[0][:-1, 2]
    return complex(2.0 * (turns * np.exp(-2j * math.pi * np.arange(len(turns)) / len(turns))).mean())


def countering(base: complex, most: complex) -> float:
    """Return how far, 0..1, from a body whose turning is ``base`` to one whose is ``most`` there is least of it."""
    more = most - base
    return min(max(-(base * more.conjugate()).real / max(abs(more) ** 2, 1e-12), 0.0), 1.0)
