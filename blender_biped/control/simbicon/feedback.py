"""Balance feedback: what the distance and the velocity of the centre of mass change of a state's angles (3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Heading
from ...character.model import SIDES, Character
from ..shared.angles import angle_places
from ..shared.legs import Leg
from ..shared.pose_graph import SAMPLES
from ..shared.spline import Knots, catmull_rom
from ..shared.state import BodyState

Vector = tuple[float, float, float]
Pair = tuple[float, float]

# What positive feedback means: the foot, or the pressure under it, goes to where the body goes.
_SENSE = {"thigh_pitch": -1.0, "foot_roll": -1.0}
_ROLL = 0


@dataclass(frozen=True)
class Feedback:
    """Balance feedback on one angle of one link (Yin 2007, equation 1): theta_d = theta_d0 + c_d d + c_v v.

    theta_d: the desired angle, rad. theta_d0: the state's own, rad. d: horizontal distance of the centre of mass from
    the stance ankle, m, and v: its velocity, m/s, both in the sagittal plane for a pitch, in the coronal one for a
    roll. c_d, rad/m, c_v, rad s/m: gains, here at even phases of the state; one for always. link, axis (roll, pitch,
    yaw: 0, 1, 2): whose angle. lateral: whether of the coronal plane.
    """

    link: int
    axis: int
    c_d: list[float]
    c_v: list[float]
    lateral: bool

    def angle(self, phase: float, distance: float, velocity: float) -> float:
        """Return c_d d + c_v v, rad, at a phase 0..1 of the state. distance: d, m. velocity: v, m/s."""
        i = int(phase * (len(self.c_d) - 1) + 0.5)
        return self.c_d[i] * distance + self.c_v[i] * velocity


def feedback_of(rows: Mapping[str, tuple[Knots, Knots]], character: Character, stance: int) -> list[Feedback]:
    """Return the feedback in a state's rows of c_d and c_v by angle, on a stance leg. Raises DataError."""
    found = []
    for name, (c_d, c_v) in rows.items():
        sense = _SENSE.get(name.partition("_")[2], 1.0)
        phases = np.linspace(0.0, 1.0, 1 if len(c_d) == 1 else SAMPLES + 1)
        over_d, over_v = ((sense * catmull_rom(knots, phases)).tolist() for knots in (c_d, c_v))
        for link, axis, _ in angle_places(name, character, SIDES[stance]):
            found.append(Feedback(link, axis, over_d, over_v, axis == _ROLL))
    return found


def balance_state(
    state: BodyState, legs: tuple[Leg, Leg], stance: int, both: bool, heading: float, com: Vector, velocity: Vector
) -> tuple[Pair, Pair]:
    """Return d, m, and v, m/s, of equation 1, each ahead (sagittal) and to the left (coronal).

    d is measured from the stance ankle, or from the middle between both ankles while ``both`` legs bear the body.
    com, m, velocity, m/s: of the centre of mass, world. heading: rad.
    """
    facing = Heading(heading)
    px, py, _ = state.origins[legs[stance].foot].tolist()
    if both:
        x, y, _ = state.origins[legs[1 - stance].foot].tolist()
        px, py = 0.5 * (px + x), 0.5 * (py + y)
    u, v, _ = velocity
    return facing.seen(com[0] - px, com[1] - py), facing.seen(u, v)
