"""A gait from poses that an animator has set: a cycle, or half of one, as SIMBICON's states (Laszlo 1996, section 2.3).

A pose control graph is a cycle of poses with the times for which they are held. The poses say what the legs do; what
they do not say, how a step is balanced, is SIMBICON's feedback (Yin 2007, 3.3) about the poses: it answers how far the
body is from where the poses have it, not from its stance ankle, so a posed step is walked as it was posed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array, quaternion_matrix
from ...character.mirror import mirrored_role
from ...character.model import SIDES, Character
from ...character.reference import GRAVITY, REFERENCE_LEG
from ...motion.motion import Motion
from ..shared.legs import LEFT, RIGHT, Leg, legs_of

Pair = tuple[float, float]
Pose = Mapping[str, float]
"""Angles by their names, degrees, written for a left stance; pelvis and thighs in the heading frame."""

MOST_POSES = 24
LIFTED, CLEARLY = 0.02, 0.35  # of the leg, of the highest lift: how much higher than the other a foot is that swings
SAME = 8.0  # degrees by which the legs' angles may differ, on average, in two poses that are one
SHORTEST, LONGEST = 0.15, 3.0  # s, of a step of the reference body
SLOWEST_POSED = 0.1  # m/s, of the reference body; poses that hardly go ahead step on the spot
_AXES = ("roll", "pitch", "yaw")
_KINDS = dict(zip(SIDES, ("stance", "swing"), strict=True))
_STILL = 0.05  # degrees that are none
_REACH = 0.995  # of a straight leg


@dataclass(frozen=True)
class PosedStep:
    """One step, written for a left stance, in numbers of the reference body.

    poses: from its beginning to its end, one more than ``dwells``, the times between them, s. ahead: how far the centre
    of mass is before the stance ankle in each, m.
    """

    poses: tuple[Pose, ...]
    dwells: tuple[float, ...]
    ahead: tuple[float, ...]


@dataclass(frozen=True)
class PosedCycle:
    """A cycle of poses. steps: that of a left stance, and that of a right one where it is not its mirror image.

    speed: that the poses go at, m/s of the reference body. count: of poses. limb: of the body that was posed.
    """

    steps: tuple[PosedStep, ...]
    speed: float
    count: int
    limb: TwoLinkLeg


@dataclass(frozen=True)
class TwoLinkLeg:
    """Thigh and shin of a body in the sagittal plane, shares of its leg: ahead and up from joint to joint."""

    thigh: tuple[float, float]
    shin: tuple[float, float]

    @classmethod
    def of(cls, character: Character, leg: Leg) -> TwoLinkLeg:
        """Return those of a leg."""
        thigh, shin = (character.offsets[i][[0, 2]] / character.leg_length for i in (leg.shin, leg.foot))
        return cls((float(thigh[0]), float(thigh[1])), (float(shin[0]), float(shin[1])))

    def ankle(self, thigh: float, knee: float) -> tuple[float, float]:
        """Return the ankle, ahead and up from the hip. thigh: pitch in the heading frame, degrees; knee: degrees."""
        (a, b), (c, d) = _turned(self.thigh, thigh), _turned(self.shin, thigh + knee)
        return a + c, b + d

    def angles(self, ahead: float, up: float) -> tuple[float, float]:
        """Return the thigh's pitch and the knee's angle, degrees, that bring the ankle there, or as near as it goes."""
        (a, b), (c, d) = self.thigh, self.shin
        upper, lower = math.hypot(a, b), math.hypot(c, d)
        reach = min(max(math.hypot(ahead, up), abs(upper - lower) + 1e-3), _REACH * (upper + lower))
        bent = math.acos(min(max((reach**2 - upper**2 - lower**2) / (2.0 * upper * lower), -1.0), 1.0))
        knee = math.degrees(bent + math.atan2(a * d - b * c, a * c + b * d))
        x, z = self.ankle(0.0, knee)
        thigh = math.degrees(math.atan2(x, -z) - math.atan2(ahead, -up))
        return thigh, knee


def posed_cycle(motion: Motion, gravity: float = GRAVITY) -> PosedCycle:
    """Return the cycle in poses: of a motion at their times alone.

    A foot that is higher than the other swings. Where only one of them does, the poses are half a cycle, and the other
    half is its mirror image. A last pose like the first (of half a cycle: like its mirror image) only says when the
    cycle closes; else the last one is held as long as the others are on average. gravity: m/s2. Raises DataError that
    says what is missing.
    """
    character, count = motion.character, len(motion.times)
    if not 2 <= count <= MOST_POSES:
        raise DataError(
            f"There are {count} poses: mark two at least and {MOST_POSES} at most, from one foot strike on; half a "
            "cycle is enough."
        )
    legs = legs_of(character)
    size = character.size
    quick = math.sqrt(size * GRAVITY / gravity)
    angles, ahead = _read(motion, legs, size)
    swings = _swinging(motion, legs)
    if all(side is None for side in swings):
        raise DataError("In none of the poses a foot is lifted: pose the leg that swings, too.")
    times = (motion.times / quick).tolist()
    poses = [_Frame(times[i], angles[i], ahead[i], swings[i]) for i in range(count)]
    halves = len({side for side in swings if side is not None}) == 1
    poses, closing = _without_last(poses, halves)
    own = _steps(poses, closing, halves)
    for step in own:
        if not SHORTEST <= sum(step.dwells) <= LONGEST:
            raise DataError(
                f"A step takes {sum(step.dwells) * quick:.2f} s by the frames of its poses: set them "
                f"{SHORTEST * quick:.1f} to {LONGEST * quick:.0f} s apart."
            )
    limb = TwoLinkLeg.of(character, legs[LEFT])
    strides = [_travel(limb, step) for step in own]
    speed = REFERENCE_LEG * sum(strides) / sum(sum(step.dwells) for step in own)
    return PosedCycle(tuple(own), max(speed, 0.0), len(poses), limb)


@dataclass(frozen=True)
class _Frame:
    """A pose as it was set. angles: by role (3,): roll, pitch, yaw, degrees. ahead: of the ankles, by leg, m.

    swings: the leg that is lifted, None where neither is.
    """

    time: float
    angles: Mapping[str, Array]
    ahead: tuple[float, float]
    swings: int | None

    @property
    def mirrored(self) -> _Frame:
        angles = {mirrored_role(role): values * (-1.0, 1.0, -1.0) for role, values in self.angles.items()}
        swings = None if self.swings is None else 1 - self.swings
        return _Frame(self.time, angles, (self.ahead[RIGHT], self.ahead[LEFT]), swings)

    def pose(self) -> dict[str, float]:
        """Return the angles by their names for a left stance."""
        found: dict[str, float] = {}
        for role, values in self.angles.items():
            part, _, side = role.partition(".")
            name = f"{_KINDS[side]}_{part}" if side else part
            found |= {f"{name}_{axis}": float(value) for axis, value in zip(_AXES, values, strict=True)}
        return found

    def unlike(self, other: _Frame) -> float:
        """Return by how many degrees the legs' pitches differ from another's on average."""
        roles = [role for role in self.angles if role.startswith(("thigh", "shin"))]
        return float(np.mean([abs(self.angles[role][1] - other.angles[role][1]) for role in roles]))


def _read(motion: Motion, legs: tuple[Leg, Leg], size: float) -> tuple[list[dict[str, Array]], list[Pair]]:
    """Return each pose's angles by role, degrees, and how far the centre of mass is before each ankle, m."""
    character = motion.character
    matrices = quaternion_matrix(motion.rotations)
    forward = matrices[:, 0, :2, 0].mean(axis=0)
    facing = math.atan2(forward[1], forward[0])
    c, s = math.cos(facing), math.sin(facing)
    matrices = np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))) @ matrices
    origins = character.forward_kinematics(motion.root, motion.rotations)
    com = np.einsum("l,kli->ki", character.masses / character.mass, character.com_positions(origins, motion.rotations))
    beside = np.stack([(com - origins[:, leg.foot])[:, :2] @ (c, s) / size for leg in legs], axis=1)
    ahead = [(left, right) for left, right in beside.tolist()]
    angles = []
    for rows in matrices:
        own = {}
        for link, turn in zip(character.links, rows, strict=True):
            free = link.parent < 0 or link.role.startswith("thigh")
            own[link.role] = _angles(turn if free else rows[link.parent].T @ turn)
        angles.append(own)
    return angles, ahead


def _swinging(motion: Motion, legs: tuple[Leg, Leg]) -> list[int | None]:
    """Return the leg whose sole is the higher one in each pose, None where both are about as high."""
    character = motion.character
    origins, matrices = character.forward_kinematics(motion.root, motion.rotations), quaternion_matrix(motion.rotations)

    def lowest(i: int) -> Array:
        return np.asarray(origins[:, i, 2] + character.links[i].shape.lowest(matrices[:, i, 2]))

    left, right = (np.minimum(lowest(leg.foot), lowest(leg.toes)) for leg in legs)
    higher = left - right
    least = max(LIFTED * character.leg_length, CLEARLY * float(np.abs(higher).max()))
    return [None if abs(by) < least else LEFT if by > 0.0 else RIGHT for by in higher.tolist()]


def _without_last(poses: list[_Frame], half: bool) -> tuple[list[_Frame], float]:
    """Return the poses without one that only closes the cycle, and the time, s, at which it closes."""
    last, first = poses[-1], poses[0].mirrored if half else poses[0]
    if len(poses) > 2 and last.swings == first.swings and last.unlike(first) < SAME:
        return poses[:-1], last.time
    return poses, last.time + (last.time - poses[0].time) / (len(poses) - 1)


def _steps(poses: list[_Frame], closing: float, half: bool) -> list[PosedStep]:
    """Return the step of half a cycle, or both steps of a whole one, that of a left stance first."""
    if half:
        side = next(pose.swings for pose in poses if pose.swings is not None)
        own = [pose.mirrored for pose in poses] if side == LEFT else poses
        return [_step(own, own[0].mirrored, closing)]
    sides = _bearing(poses)
    begins = [i for i in range(len(poses)) if sides[i] != sides[i - 1]]
    if len(begins) != 2:
        raise DataError(
            "The poses lift one foot, then the other, and the first one again: mark those of one cycle, or of half a "
            "cycle."
        )
    first = next(i for i in begins if sides[i] == LEFT)
    period = closing - poses[0].time
    turned = [
        *poses[first:], *(_Frame(p.time + period, p.angles, p.ahead, p.swings) for p in poses[:first]),
    ]  # fmt: skip
    other = next(i for i, pose in enumerate(turned) if sides[(first + i) % len(poses)] == RIGHT)
    again = turned[0]
    left = _step(turned[:other], turned[other], turned[other].time)
    right = _step([p.mirrored for p in turned[other:]], again.mirrored, again.time + period)
    return [left, right]


def _bearing(poses: Sequence[_Frame]) -> list[int]:
    """Return the leg that each pose of a cycle stands on; one on both legs begins the step of the next one."""
    count = len(poses)
    found = []
    for i in range(count):
        swings = next(s for k in range(count) if (s := poses[(i + k) % count].swings) is not None)
        found.append(1 - swings)
    return found


def _step(poses: Sequence[_Frame], after: _Frame, closing: float) -> PosedStep:
    """Return a step of poses on a left stance. after: the pose that it ends in, at ``closing``, s.

    Where that one lifts the stance leg already, this leg keeps its last angles: it bears until the other one does.
    """
    end = after.pose()
    if after.swings == LEFT:
        last = poses[-1].pose()
        end |= {name: value for name, value in last.items() if name.startswith("stance_")}
    times = [*(pose.time for pose in poses), closing]
    dwells = tuple(b - a for a, b in pairwise(times))
    ahead = (*(pose.ahead[LEFT] for pose in poses), after.ahead[LEFT])
    return PosedStep((*(pose.pose() for pose in poses), end), dwells, ahead)


def _travel(limb: TwoLinkLeg, step: PosedStep) -> float:
    """Return how far the swing foot comes before the hips in a step, shares of the leg: as far as they come."""
    begin, end = (limb.ankle(p["swing_thigh_pitch"], p["swing_shin_pitch"])[0] for p in (step.poses[0], step.poses[-1]))
    return end - begin


# --- as a preset ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PosedBalance:
    """What poses do not say.

    hip, aside, ankle: c_d, rad/m, and c_v, rad s/m, of the swing hip ahead and to the side, and of the stance ankle.
    tempo: share of the posed times that a step takes. rise: share of the leg by which hips are carried higher than
    posed. stiffness: of knees and ankles, times a walk's; trunk: the same of the pelvis. reach: degrees by which the
    swing thigh is led further back.
    """

    hip: tuple[float, float] = (0.5, 0.25)
    aside: tuple[float, float] = (0.5, 0.4)
    ankle: tuple[float, float] = (0.5, 0.15)
    tempo: float = 1.0
    rise: float = 0.0
    stiffness: float = 2.0
    trunk: float = 1.0
    reach: float = 0.0


def posed_values(cycle: PosedCycle, balance: PosedBalance, usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's values for a cycle of poses. usual: those of a walk, for gains, leading and steering.

    At no speed the legs step under the hips, and between that and the posed step graphs are mixed.
    """
    speed = max(cycle.speed, SLOWEST_POSED)
    gains = {name: list(row) for name, row in usual["gains"].items()}
    for name, by in (("knee", balance.stiffness), ("ankle", balance.stiffness), ("root", balance.trunk)):
        stiff, damping, most = gains[name]
        gains[name] = [round(by * stiff, 1), round(math.sqrt(by) * damping, 2), round(max(by, 1.0) * most, 1)]
    risen = [_risen(cycle.limb, step, balance.rise) for step in cycle.steps]
    bent = float(np.mean([pose["stance_shin_pitch"] for step in risen for pose in step.poses[:-1]]))
    keys = []
    for share in (0.0, 1.0):
        names = ("states", "right")[: len(risen)]
        graphs = {
            name: _states(cycle.limb, step, balance, share, speed) for name, step in zip(names, risen, strict=True)
        }
        keys.append({"speed": round(share * speed, 3), **graphs})
    return {
        "keys": keys, "speeds": [0.0, round(1.1 * speed, 3)], "usual": round(speed, 3), "posed": True, "gains": gains,
        "stand": {"knee": round(min(max(bent, 0.0), 90.0), 1)}, "lead": dict(usual["lead"]),
        "steering": dict(usual["steering"]),
    }  # fmt: skip


def _risen(limb: TwoLinkLeg, step: PosedStep, rise: float) -> PosedStep:
    """Return a step with the hips carried higher over both ankles, by a share of the leg; feet stay as they are."""
    if rise == 0.0:
        return step
    poses = tuple(_moved(limb, _moved(limb, pose, "stance", 0.0, -rise), "swing", 0.0, -rise) for pose in step.poses)
    return PosedStep(poses, step.dwells, step.ahead)


def _moved(limb: TwoLinkLeg, pose: Pose, kind: str, ahead: float, up: float) -> dict[str, float]:
    """Return a pose with an ankle moved from the hip, shares of the leg; the foot keeps its pitch over the ground."""
    thigh, knee, foot = (f"{kind}_{part}_pitch" for part in ("thigh", "shin", "foot"))
    x, z = limb.ankle(pose[thigh], pose[knee])
    found = limb.angles(x + ahead, z + up)
    turned = sum(found) - pose[thigh] - pose[knee]
    return {**pose, thigh: found[0], knee: found[1], foot: pose[foot] - turned}


def _states(
    limb: TwoLinkLeg, step: PosedStep, balance: PosedBalance, share: float, speed: float
) -> list[dict[str, Any]]:
    """Return a step's states. share: of its length, 0 on the spot. speed: of the whole step, m/s."""
    poses = []
    for pose, ahead in zip(step.poses, step.ahead, strict=True):
        x, _ = limb.ankle(pose["swing_thigh_pitch"], pose["swing_shin_pitch"])
        own = _moved(limb, pose, "swing", (share - 1.0) * x, 0.0)
        # Feedback answers what differs from the poses: what it does in the poses themselves is taken off.
        own["swing_thigh_pitch"] += math.degrees(share * (balance.hip[0] * ahead + balance.hip[1] * speed))
        own["swing_thigh_pitch"] += balance.reach
        own["stance_foot_pitch"] -= math.degrees(share * (balance.ankle[0] * ahead + balance.ankle[1] * speed))
        poses.append(own)
    feedback = {
        "swing_thigh_pitch": _rounded(balance.hip), "swing_thigh_roll": _rounded(balance.aside),
        "stance_foot_pitch": _rounded(balance.ankle),
    }  # fmt: skip
    last = len(step.dwells) - 1
    return [
        {
            "until": "contact" if i == last else "time", "dwell": round(balance.tempo * dwell, 4),
            "angles": _between(poses[i], poses[i + 1]), "feedback": feedback,
        }
        for i, dwell in enumerate(step.dwells)
    ]  # fmt: skip


def _between(begin: Pose, end: Pose) -> dict[str, Any]:
    """Return the angles of a state that goes from one pose to the next."""
    found: dict[str, Any] = {}
    for name in sorted(begin):
        a, b = round(begin[name], 2), round(end[name], 2)
        if max(abs(a), abs(b)) > _STILL:
            found[name] = a if abs(a - b) < _STILL else [[0, a], [1, b]]
    return found


def _rounded(pair: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in pair]


def _angles(turn: Array) -> Array:
    """Return roll, pitch and yaw (3,), degrees, of a matrix Rz Ry Rx (3, 3)."""
    pitch = -math.asin(min(max(float(turn[2, 0]), -1.0), 1.0))
    roll, yaw = math.atan2(turn[2, 1], turn[2, 2]), math.atan2(turn[1, 0], turn[0, 0])
    return np.degrees((roll, pitch, yaw))


def _turned(vector: tuple[float, float], pitch: float) -> tuple[float, float]:
    """Return a vector, ahead and up, turned by a pitch, degrees: forward and down."""
    c, s = math.cos(math.radians(pitch)), math.sin(math.radians(pitch))
    return vector[0] * c + vector[1] * s, vector[1] * c - vector[0] * s
