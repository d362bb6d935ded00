"""How a foot is kept clear of the ground as it swings in a run: where the hips are low, its knee bends more."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....base.curves import ramp
from ....base.spatial import Array
from ....character.model import Character
from ...shared.legs import Leg
from ...shared.limb import drop, leg_rotations


@dataclass(frozen=True)
class ClearanceRules:
    """How far a foot is clear of the ground.

    height: m, at least, amid its swing; it lags behind that by some 2 cm. rises, falls: shares of the swing by which,
    and from which on.
    """

    height: float = 0.05
    rises: float = 0.3
    falls: float = 0.7


CLEARANCE = ClearanceRules()


def keep_clear(
    character: Character, leg: Leg, hip: tuple[float, float, float], share: float, yaw: float, rotations: Array
) -> None:  # fmt: skip
    """Bend the leg as far as its foot needs it: orientations (L, 3, 3), in place.

    hip: where it is, m, z above the ground. share: of the swing. yaw: where knee and foot point, rad.
    """
    clear = CLEARANCE.height * min(ramp(share, 0.0, CLEARANCE.rises), 1.0 - ramp(share, CLEARANCE.falls, 1.0))
    foot = rotations[leg.foot]
    pitch = math.atan2(math.hypot(float(foot[0, 2]), float(foot[1, 2])), float(foot[2, 2]))
    pitch = math.copysign(pitch, -float(foot[2, 0]))
    below = rotations[leg.thigh] @ character.offsets[leg.shin] + rotations[leg.shin] @ character.offsets[leg.foot]
    x, y, z = (of + down for of, down in zip(hip, below.tolist(), strict=True))
    lacks = drop(leg, pitch) + clear - z
    if lacks > 0.0:
        rotations[[leg.thigh, leg.shin]] = leg_rotations(leg, hip, (x, y, z + lacks), yaw)
