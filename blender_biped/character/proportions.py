"""Lengths of a standing body that its bones tell only in part: soles, heels, toes, crown, hands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import RigError
from ..base.spatial import Array, quaternion_conjugate, rotate
from . import segments
from .model import SIDES
from .posture import StandingRig, parent_role

_LEVEL = math.tan(math.radians(20.0))  # steeper toes are not flat on the ground: their tips mark no sole
_SOLE_THICKNESS = 0.04  # of the leg: what skin and shoe may add below the lowest bone
_LIKELY_FOOT = (0.5, 5.0)  # of a published foot: bones beyond were placed for other reasons than its length
_FOOT_OF_LEG = (0.22, 0.45)  # of the leg: what is between them walks; bones alone tell no foot's length better
_FEWEST = 8  # points of a foot's skin that tell its lengths
_EDGE = 1.0  # percent of them that may stick out
_SKIN_OF_LEG = (_FOOT_OF_LEG[0], 1.5)  # of the leg: on less nothing stands, more is no foot
_AHEAD = 0.3  # of a foot: what is before its ankle at least
_BENDS = (0.3, 0.95)  # of what is before the ankle: where a foot bends to go over its toes, and walks
_SAME = 1e-6  # of the leg: joints nearer to each other are at one place
_LEAST_DROP = 0.01  # of the leg: an ankle that is nearer to its sole is no joint
_CLEAR = 0.15  # of the leg: how far hanging arms stay above the ground
_BALL = 0.4  # of the leg: height of a body without a trunk, a ball on legs
_LEAST_TRUNK = 0.05  # of the leg: below it hips and neck are mapped to the wrong bones


@dataclass(frozen=True)
class Foot:
    """Lengths of a standing foot, m: heel behind and ball before the ankle, toes before the ball.

    drop: ankle above its sole. lift: how much further down the ground is, under the shorter leg. beyond: how far its
    sole goes on before the ball, where skin turns with it as it rolls over the toes.
    """

    heel: float
    ball: float
    toes: float
    drop: float
    lift: float = 0.0
    beyond: float = 0.0

    @property
    def length(self) -> float:
        """Heel to tip, m."""
        return self.heel + self.ball + self.toes


def ankle(pose: StandingRig, side: str) -> Array:
    """Return the ankle (3,) from the mid-hip, standing, m."""
    thigh, shin, foot = (f"{part}.{side}" for part in ("thigh", "shin", "foot"))
    return pose.offset(thigh, "pelvis") + pose.offset(shin, thigh) + pose.offset(foot, shin)


def ankles_apart(pose: StandingRig) -> float:
    """Return how far apart the ankles are as it stands, m."""
    left, right = (float(ankle(pose, side)[1]) for side in SIDES)
    return abs(left - right)


def feet(pose: StandingRig) -> dict[str, Foot]:
    """Return the lengths of both feet, each from its own skin where both have some, else from its bones, and the lift.

    That is the ground's distance under the shorter leg.
    """
    skins = [_foot_of_skin(pose, side) for side in SIDES]
    both = {side: skin if all(skins) and skin else _foot_of_bones(pose, side)
            for side, skin in zip(SIDES, skins, strict=True)}  # fmt: skip
    soles = {side: float(ankle(pose, side)[2]) - foot.drop for side, foot in both.items()}
    ground = min(soles.values())
    return {side: replace(foot, lift=soles[side] - ground) for side, foot in both.items()}


def _foot_of_skin(pose: StandingRig, side: str) -> Foot | None:
    """Return the lengths of a foot's skin; None where it has none, or its skin does not lie as a foot's."""
    points = pose.foot_skin(side)
    if len(points) < _FEWEST:
        return None
    behind, front = (float(v) for v in np.percentile(points[:, 0], (_EDGE, 100.0 - _EDGE)))
    drop, length = -float(np.percentile(points[:, 2], _EDGE)), front - behind
    likely = _SKIN_OF_LEG[0] * pose.leg < length < _SKIN_OF_LEG[1] * pose.leg
    if not likely or front < _AHEAD * length or drop < _LEAST_DROP * pose.leg:
        return None
    # Skin can lengthen a heel, not shorten it: on a shorter one a body falls back as it stops.
    heel = max(-behind, segments.ANKLE_IN_FOOT / (1.0 - segments.ANKLE_IN_FOOT) * front)
    whole, foot, toes = heel + front, f"foot.{side}", f"toes.{side}"
    ball = segments.BALL_IN_FOOT * whole - heel
    if toes in pose.heads:
        joint = float(pose.offset(toes, foot)[0])
        ball = joint if _bends(joint, front) else ball
    ball = float(np.clip(ball, *np.multiply(_BENDS, front)))
    return Foot(heel, ball, front - ball, drop)


def _foot_of_bones(pose: StandingRig, side: str) -> Foot:
    """Return the lengths of a foot's bones, held to what walks; published ones where a bone's end is a guess."""
    foot, toes = f"foot.{side}", f"toes.{side}"
    published = segments.FOOT_LENGTH * _stature(pose)
    end = segments.BALL_IN_FOOT if toes in pose.heads else 1.0  # of the foot's bone
    before_ankle = end - segments.ANKLE_IN_FOOT
    reach = pose.reach(foot)
    soles = [*pose.heel_marks(side)]
    if np.linalg.norm(reach) < 2.0 * published:
        soles.append(reach)
    ahead = float(reach[0])
    if not _LIKELY_FOOT[0] < ahead / (before_ankle * published) < _LIKELY_FOOT[1]:
        ahead = before_ankle * published
    length = float(np.clip(ahead / before_ankle, *np.multiply(_FOOT_OF_LEG, pose.leg)))
    ball = (segments.BALL_IN_FOOT - segments.ANKLE_IN_FOOT) * length
    tip = (1.0 - segments.BALL_IN_FOOT) * length
    if toes in pose.heads:
        joint, reach = pose.offset(toes, foot), pose.reach(toes)
        soles.append(joint)
        if 0.15 < float(reach[0]) / ball < 1.5:
            tip = float(reach[0])
            if abs(reach[2]) < _LEVEL * tip:
                soles.append(joint + reach)
        at = float(joint[0])
        if abs(at - ball) > _SAME * pose.leg and _bends(at, at + tip):
            ball = at
    # Heel bones often sit inside the heel: they can lengthen a foot, not shorten it.
    marked = -float(pose.heel_marks(side)[:, 0].min(initial=0.0))
    heel = max(marked, segments.ANKLE_IN_FOOT * length)
    return Foot(heel, ball, tip, _sole_drop(pose, side, soles))


def _bends(joint: float, front: float) -> bool:
    """Return whether a foot bends at a toes' joint. joint, front: of joint and tip, m before the ankle."""
    return _BENDS[0] * front < joint < _BENDS[1] * front


def stiff_toes(pose: StandingRig, both: Mapping[str, Foot]) -> bool:
    """Return whether feet have toes whose joints are elsewhere than their soles bend: too near to the ankle, or beyond.

    Nothing rolls over such a joint: the sole ahead of it is more of the foot than toes.
    """
    return any(
        f"toes.{side}" in pose.heads
        and abs(float(pose.offset(f"toes.{side}", f"foot.{side}")[0]) - foot.ball) > _SAME * pose.leg
        for side, foot in both.items()
    )


def _sole_drop(pose: StandingRig, side: str, points: list[Array]) -> float:
    """Return how far a sole lies below its ankle, m, from points (3,) of it, from the ankle.

    The sole is where the lowest point is, or the plane of the armature's origin when that is a little
    lower: characters are modelled standing on it. Without points it is a published ankle's height.
    """
    drop = -min((float(p[2]) for p in points), default=0.0)
    above_origin = float(pose.heads[f"foot.{side}"][2]) - drop
    if 0.0 < above_origin < _SOLE_THICKNESS * pose.leg:
        drop += above_origin
    return drop if drop > _LEAST_DROP * pose.leg else segments.ANKLE_HEIGHT * _stature(pose)


def with_toes(pose: StandingRig, both: Mapping[str, Foot]) -> StandingRig:
    """Return the pose with toes for feet that have none: where people's are, rigid with their foot."""
    heads, tails, turns = dict(pose.heads), dict(pose.tails), dict(pose.turns)
    for side, foot in both.items():
        role, above = f"toes.{side}", f"foot.{side}"
        if role in heads:
            continue
        back = quaternion_conjugate(turns[above])
        heads[role] = heads[above] + rotate(back, [foot.ball, 0.0, -0.7 * foot.drop])
        tails[role] = heads[role] + rotate(back, [foot.toes, 0.0, 0.0])
        turns[role] = turns[above]
    return replace(pose, heads=heads, tails=tails, turns=turns)


def trunk_line(pose: StandingRig) -> tuple[Array, Array]:
    """Return the mid-hip and the base of the neck (3,), m, body axes.

    Raises RigError when they are at the same place.
    """
    base = pose.heads["pelvis"]
    neck = _neck(pose, base)
    if np.linalg.norm(neck - base) < _LEAST_TRUNK * pose.leg:
        if "chest" in pose.heads or "abdomen" in pose.heads:
            raise RigError(
                "The neck begins at the hips: the trunk has no length. Map other bones to Abdomen, Chest and Head, or "
                "none: a body that is all pelvis walks too."
            )
        neck = base + np.array([0.0, 0.0, _BALL * pose.leg])  # a body that is all pelvis
    return base, neck


def _neck(pose: StandingRig, base: Array) -> Array:
    if "head" in pose.heads:
        return np.asarray(pose.heads["head"])
    trunk = segments.NECK_HEIGHT - segments.HIP_HEIGHT
    if all(f"upper_arm.{side}" in pose.heads for side in SIDES):
        share = (segments.SHOULDER_HEIGHT - segments.HIP_HEIGHT) / trunk
        shoulders = np.mean([pose.heads[f"upper_arm.{side}"] for side in SIDES], axis=0)
        return np.asarray(base + (shoulders - base) / share)
    return np.asarray(base + np.array([0.0, 0.0, trunk * _stature(pose)]))


def crown(pose: StandingRig) -> Array:
    """Return the top of the head (3,) from the mid-hip, m; of the trunk, for a character without a head."""
    base, neck = trunk_line(pose)
    if "head" not in pose.heads:
        return np.asarray(neck - base)
    published = segments.HEAD_TO_TRUNK * float(np.linalg.norm(neck - base))
    reach = pose.reach("head")
    if not 0.4 < float(reach[2]) / published < 4.0:
        reach = np.array([0.0, 0.0, published])
    return np.asarray(neck - base + reach)


def limb_length(pose: StandingRig, part: str, side: str) -> float:
    """Return the length of a limb's segment, m: its bones', or published where their end is an importer's guess."""
    measured = float(np.linalg.norm(pose.reach(f"{part}.{side}")))
    published = {"upper_arm": segments.UPPER_ARM, "forearm": segments.FOREARM, "hand": segments.HAND}
    if part in published and not 0.25 < measured / (published[part] * _stature(pose)) < 4.0:
        measured = published[part] * _stature(pose)
    if part == "hand" and f"forearm.{side}" in pose.heads:  # a hand bone often ends at the knuckles
        measured = max(measured, segments.HAND_TO_FOREARM * limb_length(pose, "forearm", side))
    return measured


def hanging_room(pose: StandingRig, role: str, stand_height: float) -> float:
    """Return how far a standing body's arm part could reach down from its joint without touching the ground, m."""
    height, at = stand_height, role
    while at != "pelvis":
        above = parent_role(at, pose.heads)
        height += float(pose.offset(at, above)[2])
        at = above
    return height - _CLEAR * pose.leg


def hip_breadth(pose: StandingRig) -> float:
    """Return how far the hip joints are apart, m; never nothing."""
    apart = float(pose.offset("thigh.L", "pelvis")[1] - pose.offset("thigh.R", "pelvis")[1])
    return max(apart, 0.05 * pose.leg)


def _stature(pose: StandingRig) -> float:
    """Return the stature, m, of an adult with these legs: what published proportions are taken of."""
    return pose.leg / (segments.HIP_HEIGHT - segments.ANKLE_HEIGHT)
