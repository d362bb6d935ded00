"""What generalized walking does of ducking (``shared.ducking``): references of trunk, head and legs that are bent."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.spatial import Array
from ..shared.ducking import Ducking
from ..shared.legs import Leg
from .uneven_ground import bend_leg, pitch


def duck(ducking: Ducking, reference: Array, legs: Sequence[Leg]) -> None:
    """Bend the references of trunk, head and of legs on the ground (L, 3, 4), in place. legs: these."""
    if not ducking.share:
        return
    for link, angle in ducking.leans:
        pitch(reference[link], ducking.share * angle)
    for leg in legs:
        bend_leg(reference, leg, ducking.lower)
