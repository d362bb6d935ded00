"""Gains of joints as presets have them: joint -> kp, N m/rad, kd, N m s/rad, and the torque's limit, N m."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...base.errors import DataError
from ...base.fields import Fields
from .tracking import JOINT_OF_ROLE, OWN_GAINS

Gain = tuple[float, float, float]
Gains = Mapping[str, Gain]


def read_gain(f: Fields, name: str) -> Gain:
    """Return a joint's kp, kd and limit. Raises DataError naming the field."""
    kp, kd, limit = f.vector(name, 3)
    if min(kp, kd, limit) < 0.0:
        raise DataError(f"{f.where}.{name}: gains and limits cannot be negative.")
    return kp, kd, limit


@cache
def joint_names() -> frozenset[str]:
    """Return the names of joints that presets have gains for; those for roll alone end in "_roll"."""
    joints = set(JOINT_OF_ROLE.values())
    return frozenset({*joints, *(f"{joint}_roll" for joint in joints), *(n for own in OWN_GAINS.values() for n in own)})
