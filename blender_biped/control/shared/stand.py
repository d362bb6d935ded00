"""The torques of a body that stands on both feet, for controllers that track joints: upright, its weight over its feet.

The pelvis is held upright by both hips, as they bear (``root_torque``); ankles push the centre of mass ahead and back,
hips push it aside (``standing``), all held to what the ground can answer (``ground``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ...character.model import SIDES, Character
from .angles import turn_matrices
from .frames import Frames
from .ground import NO_FORCE, Bearing, Bounds, GroundReaction
from .legs import LEFT, RIGHT, Leg
from .root_torque import Pair, RootTorque
from .stable_pd import corrected, correction
from .standing import STANDING_ROLL, Feet, Vector, release_roll, tracked_shares
from .state import BodyState
from .tracking import Tracker

SHARE_STEPS = 20  # steps of the legs' shares of a standing body
FIRM = 0.25  # share of the weight under the feet from which the pelvis has its full torque
LIGHT = 0.1  # and under the lighter foot of a braced body, from which its pelvis' roll is left to the sway
PLANTED = 0.2  # share of the weight from which the ground holds a foot
PUSH, SWAY = 1.0, 3.0  # m/s2 at most of the centre of mass, forward and sideways
EDGE = 0.8  # share of the sole within which the centre of pressure is held
IN_AIR = (0.0, 0.0)


@dataclass(frozen=True)
class Aim:
    """How a body shall stand. heading: rad; turn: of it, rad/s. onto: the foot to stand over, None for between both.

    gain, 1/s2, damping, 1/s: of the centre of mass to there. braced: whether what holds it where it leans comes on
    top of what ankles and hips push with at most, and legs share the pelvis as they bear; bodies that sway farther
    than people need it. roll: share of its torque that the pelvis keeps, at least. ankles: whether the ankle of the
    foot that bears pushes the body aside where the other one is too light for hips to. alone: whether the foot to stand
    over bears alone: the other leg is lifted, and holds nothing though it may still touch; what holds the body where it
    leans ahead comes on top of what that ankle pushes with at most.
    """

    heading: float
    turn: float
    onto: int | None
    gain: float
    damping: float
    braced: bool = False
    roll: float = STANDING_ROLL
    ankles: bool = False
    alone: bool = False


class Stand:
    """How one character stands, by the gains that its joints walk with."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], tracker: Tracker, root_torque: RootTorque | None,
        pose: Array, step: float,
    ) -> None:  # fmt: skip
        """Take a pose (L, 3, 4): rotations, and no rates, see ``standing_pose``. step: s between control steps.

        root_torque: None where the pelvis is held by the joints' own angles alone.
        """
        self._character, self._legs, self._tracker, self._root_torque = character, legs, tracker, root_torque
        self._bases = tracker.parents.copy()
        self._bases[0] = len(character.links)
        self._pose, self._step = pose, step
        self._hip_limit = float(tracker.limit[legs[LEFT].thigh])
        self._frames = Frames(len(character.links), 1)
        self._corrections: dict[tuple[Pair, tuple[bool, bool]], Array] = {}

    def torques(
        self, state: BodyState, feet: Feet, footing: GroundReaction, aim: Aim, com: Vector, velocity: Vector,
        pose: Array | None = None, dwell: float = 1.0,
    ) -> Array:  # fmt: skip
        """Return the torque of each link's joint on it (L, 3), world axes, N m.

        feet, footing: as they were felt last. com, velocity: of the centre of mass, m, m/s. pose (L, 3, 4): rotations
        to take in place of the standing pose, and their rates, rad for each ``dwell`` s.
        """
        heading = aim.heading
        self._frames.follow(state, aim.turn, heading)
        own = self._pose if pose is None else pose
        tracking = self._tracker.torques(state, self._frames.reference(self._bases, own, dwell))
        weight = feet.weight
        firm = [min(load / (FIRM * weight), 1.0) for load in feet.now]
        if aim.alone and aim.onto is not None:
            firm[1 - aim.onto] = 0.0
        both = min(min(feet.now) / (LIGHT * weight), 1.0) if aim.braced else min(firm)
        # Over feet that are farther apart than the hips no body sways without its pelvis rolling.
        kept = max(aim.roll, 1.0 - feet.trapezoid(state)) if aim.braced else aim.roll
        release_roll(tracking, heading, both, kept)
        # A foot that does not bear yet has nothing to push against: the other one does it alone.
        left, right = (share * f for share, f in zip(self._shares(state, feet, aim, com), firm, strict=True))
        whole = max(firm) / max(left + right, 1e-6)
        left, right = (round(SHARE_STEPS * whole * w) / SHARE_STEPS for w in (left, right))
        weights = (left, right)
        torque = self._assembled(tracking, weights)
        torque = self._corrected(state, torque, weights, planted_feet(feet.now, weight, None))
        ahead, aside = self._acceleration(state, feet, aim, com, velocity)
        lean = self._lean(state, feet, aim, com)
        falling = weight / self._character.mass * lean[0] / max(com[2] - feet.ground, 0.1)  # m/s2, as it leans
        force = self._character.mass * min(max(ahead, -PUSH - max(falling, 0.0)), PUSH - min(falling, 0.0))
        c, s = math.cos(heading), math.sin(heading)
        for leg, share in zip(self._legs, weights, strict=True):
            push = -share * force * (com[2] - float(state.origins[leg.foot, 2]))
            torque[leg.foot] += (-s * push, c * push, 0.0)
        push = self._character.mass * min(max(aside, -SWAY), SWAY)
        if aim.ankles:
            side = LEFT if feet.now[LEFT] > feet.now[RIGHT] else RIGHT
            foot, alone = self._legs[side].foot, firm[side] - min(firm)
            roll = alone * push * (com[2] - float(state.origins[foot, 2]))
            torque[foot] += (roll * c, roll * s, 0.0)
            push -= alone * push
        feet.sway(torque, state, heading, push, weights, lean[1])
        footing.limit(torque, state, NO_FORCE, Bearing(weights, feet.loads), Bounds(EDGE, self._hip_limit, aim.turn))
        return torque

    def _lean(self, state: BodyState, feet: Feet, aim: Aim, com: Vector) -> tuple[float, float | None]:
        """Return how far the body leans ahead and to the left of what it stands over, m, where that is to be held."""
        if aim.braced:
            return feet.lean(state, aim.heading, com)
        if aim.alone and aim.onto is not None:
            return feet.lean(state, aim.heading, com, aim.onto)[0], None
        return 0.0, None

    def _shares(self, state: BodyState, feet: Feet, aim: Aim, com: Vector) -> Pair:
        """Return how both legs share the pelvis' torque.

        A braced body's feet are far from bearing as it stands over them when it has just stopped: none has more of it
        than of the load, for the hip over a light foot would spin the leg.
        """
        left, right = feet.shares(state, com)
        if not aim.braced:
            return left, right
        borne = [load / max(sum(feet.loads), 1e-6) for load in feet.loads]
        return min(left, borne[LEFT]), min(right, borne[RIGHT])

    def _acceleration(self, state: BodyState, feet: Feet, aim: Aim, com: Vector, velocity: Vector) -> Pair:
        """Return the acceleration, m/s2, ahead and to the left, to where the centre of mass should be."""
        ax, ay = feet.acceleration(state, aim.onto, aim.gain, aim.damping, com, velocity)
        c, s = math.cos(aim.heading), math.sin(aim.heading)
        return ax * c + ay * s, -ax * s + ay * c

    def _assembled(self, tracking: Array, weights: Pair) -> Array:
        """Return joint torques of the links' tracking torques (L, 3), N m."""
        return self._joint_torques(tracking, weights, tracked_shares(weights))

    def _corrected(self, state: BodyState, torque: Array, weights: Pair, down: tuple[bool, bool]) -> Array:
        """Return PD torques (L, 3) as they must be for one control step (``stable_pd``)."""
        key = weights, down
        if key not in self._corrections:
            self._corrections[key] = self._correction(*key)
        return corrected(self._corrections[key], state.matrices, torque)

    def _correction(self, weights: Pair, down: tuple[bool, bool]) -> Array:
        """Return the matrix (3 L, 3 L) that ``corrected`` takes; see ``correction``."""
        tracked = tracked_shares(weights, 1.0)
        planted = [leg.foot for leg, held in zip(self._legs, down, strict=True) if held]
        upright = np.flatnonzero(self._bases == len(self._bases)).tolist()
        return correction(
            self._tracker, self._character.standing()[1], upright, planted,
            lambda tracking: self._joint_torques(tracking, weights, tracked), self._step,
        )  # fmt: skip

    def _joint_torques(self, tracking: Array, weights: Pair, tracked: Pair) -> Array:
        """Return joint torques (..., L, 3) of tracking torques (..., L, 3); see ``assembled``."""
        if self._root_torque is None:
            return joints_alone(tracking)
        return assembled(self._root_torque, tracking, weights, tracked)


def assembled(root_torque: RootTorque, tracking: Array, weights: Pair, tracked: Pair) -> Array:
    """Return joint torques (..., L, 3) of the links' tracking torques (..., L, 3); linear.

    weights: shares of the hips in what the pelvis needs (Yin 2007, 3.2), IN_AIR where no foot bears. tracked: of each
    thigh's own tracking that stays.
    """
    if weights == IN_AIR:
        return joints_alone(tracking)
    return np.asarray(root_torque.made_up(weights, tracked) @ tracking)


def joints_alone(tracking: Array) -> Array:
    """Return joint torques (..., L, 3) where each joint has its link's own, and the pelvis has none."""
    torque = tracking.copy()
    torque[..., 0, :] = 0.0
    return torque


def planted_feet(loads: Sequence[float], weight: float, stance: int | None) -> tuple[bool, bool]:
    """Return which feet (left, right) the ground holds. loads: under them as they are now, N. weight: of the body, N.

    stance: the leg that a state stands on; None for both alike. Not that of a leg that swings, though its load may last
    a step longer: torques that are safe for a foot on the ground kick one that is free.
    """
    left, right = (load > PLANTED * weight for load in loads)
    return left and stance != RIGHT, right and stance != LEFT


def standing_pose(character: Character, legs: tuple[Leg, Leg], knee: float, elbow: float) -> Array:
    """Return rotations and rates (L, 3, 4) of standing still. knee, elbow: how far they are bent, rad."""
    count = len(character.links)
    angles = np.zeros((1, count, 3))
    for leg, side in zip(legs, SIDES, strict=True):
        angles[0, leg.shin, 1], angles[0, leg.foot, 1] = knee, -0.5 * knee
        if character.has(f"forearm.{side}"):
            angles[0, character.index(f"forearm.{side}"), 1] = -elbow
    return np.concatenate((turn_matrices(angles)[0], np.zeros((count, 3, 1))), axis=2)
