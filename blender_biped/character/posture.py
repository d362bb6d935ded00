"""From any rest pose to the standing pose: which way a rig faces, and how each part turns to stand.

Everything past ``body_axes`` is in body axes: x forward, y left, z up, metres, with the origin at the
armature's own origin.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import RigError
from ..base.spatial import (
    IDENTITY,
    Array,
    axis_angle_quaternion,
    normalized,
    quaternion_conjugate,
    quaternion_product,
    rotate,
    shortest_arc,
    yaw_quaternion,
)
from . import segments
from .armature import Armature, Bone
from .conventions import Names
from .heading import skin_ahead
from .mapping import REQUIRED, RigMap
from .model import ARM, SIDES

DOWN = np.array([0.0, 0.0, -1.0])

BEYOND = {"thigh": "shin", "shin": "foot", "foot": "toes", "upper_arm": "forearm", "forearm": "hand"}
"""The part of a limb that begins where another one ends."""

_STANDS_ALONG = math.cos(math.radians(25.0))  # how near the legs must be to an axis to stand along it
_UPSIDE = 0.3  # cosine of the legs' line and the up that is set, at least
_TRUSTED_HAND = math.cos(math.radians(60.0))  # a hand bent further is a tail that an importer made up
_BLOCK_FOOT = segments.ANKLE_HEIGHT / segments.HIP_HEIGHT  # ankle above the end of a leg without a foot, of the leg
_WIDE = 0.15  # of the leg: half the distance of standing feet where the hips are wider
_LEANING = math.sin(math.radians(20.0))  # the most that a standing leg leans inwards, or outwards
_ALONG = 0.8  # cosine: a shin's bone that is farther off the skin's middle has a tail that an importer made up
_FEWEST_POINTS = 8  # of skin, below which it does not tell
_SHORTEST = 0.02  # of the leg: a thigh or shin below this is a mistake


@dataclass(frozen=True, eq=False)
class StandingRig:
    """A rig in rest and how it is brought to stand, in body axes.

    axes (3, 3): forward, left and up as columns in armature space. heads, tails: role -> joint and far
    end (3,) in rest, m; the pelvis' joint is the mid-hip. heels: side -> marks (N, 3) in rest, m. skins: side -> points
    (N, 3) of the foot's skin in rest, m.
    turns: role -> rotation (4,) from there to standing. leg: hip to ankle along the bones, m.
    lean: rotation (4,) by which trunk, head and arms were already turned about the mid-hip, for balance: in ``heads``
    and ``tails`` they are so.
    """

    axes: Array
    heads: Mapping[str, Array]
    tails: Mapping[str, Array]
    heels: Mapping[str, Array]
    turns: Mapping[str, Array]
    leg: float
    skins: Mapping[str, Array] = field(default_factory=dict)
    lean: Array = field(default_factory=IDENTITY.copy)

    def offset(self, role: str, parent: str) -> Array:
        """Return a joint (3,), m, from its parent's joint, standing."""
        return rotate(self.turns[parent], self.heads[role] - self.heads[parent])

    def reach(self, role: str) -> Array:
        """Return the far end (3,), m, of a role from its joint, standing."""
        return rotate(self.turns[role], self.tails[role] - self.heads[role])

    def turned(self, role: str) -> Array:
        """Return the rotation (4,) of a role from the rig's rest pose to standing."""
        turn = self.turns[role]
        return quaternion_product(turn, self.lean) if _leans(role) else turn

    def leaning(self, angle: float) -> StandingRig:
        """Return the pose with trunk, head and arms turned back about the mid-hip by ``angle``, rad."""
        lean = axis_angle_quaternion([0.0, 1.0, 0.0], -angle)
        middle, back = self.heads["pelvis"], quaternion_conjugate(lean)

        def moved(points: Mapping[str, Array]) -> dict[str, Array]:
            return {r: middle + rotate(lean, p - middle) if _leans(r) else p for r, p in points.items()}

        turns = {
            role: quaternion_product(turn, back) if role.startswith(ARM) else turn for role, turn in self.turns.items()
        }
        return replace(self, heads=moved(self.heads), tails=moved(self.tails), turns=turns, lean=lean)

    def heel_marks(self, side: str) -> Array:
        """Return the points (N, 3), m, from the ankle, that mark the back of a standing foot's sole."""
        return self._of_foot(side, self.heels)

    def foot_skin(self, side: str) -> Array:
        """Return the points (N, 3), m, from the ankle, of a standing foot's skin, toes flat; none where it has none."""
        return self._of_foot(side, self.skins)

    def _of_foot(self, side: str, points: Mapping[str, Array]) -> Array:
        own = points.get(side, np.zeros((0, 3)))
        return rotate(self.turns[f"foot.{side}"], own - self.heads[f"foot.{side}"])


def _leans(role: str) -> bool:
    return not role.startswith(("thigh", "shin", "foot", "toes"))


def parent_role(role: str, present: Mapping[str, object]) -> str:
    """Return the nearest role that is there on the way to the pelvis."""
    part, _, side = role.partition(".")
    above = {
        "abdomen": "pelvis", "chest": "abdomen", "head": "chest", "thigh": "pelvis", "upper_arm": "chest",
        "forearm": f"upper_arm.{side}", "hand": f"forearm.{side}",
        "shin": f"thigh.{side}", "foot": f"shin.{side}", "toes": f"foot.{side}",
    }[part]  # fmt: skip
    return above if above in present else parent_role(above, present)


def standing(armature: Armature, rig_map: RigMap, apart: float = 0.0) -> StandingRig:
    """Return how the rig stands: legs straight, feet flat and forward, arms hanging, trunk as in rest.

    apart: how far its ankles are apart at least, m, as far as legs walk that lean so.
    Raises RigError when a role that walking needs is not mapped, a mapped bone does not exist, up or
    forward cannot be found, or a leg has no length.
    """
    absent = [role for role in REQUIRED if not rig_map.bones.get(role)]
    if absent:
        raise RigError(f"Armature {armature.name!r}: no bones are mapped to {', '.join(absent)}; map them first.")
    axes = body_axes(armature, rig_map)

    def placed(points: ArrayLike) -> Array:
        return armature.scale * (np.asarray(points, dtype=float) @ axes)

    starts = {role: placed([_bone(armature, n).head for n in names]) for role, names in rig_map.bones.items()}
    heads = {role: own[0] for role, own in starts.items()}
    tails = {role: placed(_far_end(armature, names)) for role, names in rig_map.bones.items()}
    heads["pelvis"] = np.asarray(np.mean([heads[f"thigh.{side}"] for side in SIDES], axis=0))
    for side in SIDES:
        if f"foot.{side}" not in heads:  # the end of the shin stands on the ground
            skin = placed(_skin_of(armature, rig_map.bones, f"shin.{side}"))
            end = tails[f"shin.{side}"] = _sole_end(heads[f"shin.{side}"], tails[f"shin.{side}"], skin)
            heads[f"foot.{side}"] = end + _BLOCK_FOOT * (heads[f"thigh.{side}"] - end)
            tails[f"foot.{side}"] = end
        for part, beyond in BEYOND.items():
            if f"{part}.{side}" in heads and f"{beyond}.{side}" in heads:
                tails[f"{part}.{side}"] = heads[f"{beyond}.{side}"]
        if f"toes.{side}" in heads:  # the middle of the ball, where each toe has its own bone
            tails[f"foot.{side}"] = starts[f"toes.{side}"].mean(axis=0)
    heels = {
        side: placed([point for n in names for point in (_bone(armature, n).head, _bone(armature, n).tail)])
        for side, names in rig_map.heels.items()
    }
    leg = _leg_length(armature, rig_map, heads)
    skins = {side: placed(_foot_skin(armature, rig_map.bones, side)) for side in SIDES}
    return StandingRig(axes, heads, tails, heels, _turns(heads, tails, leg, apart), leg, skins)


def _sole_end(knee: Array, tail: Array, skin: Array) -> Array:
    """Return where a shin without a foot ends (3,), body axes: as low as its skin (N, 3), for its tail may be made up.

    On the line of its bone, or where that leads away from the skin, of the skin's middle.
    """
    if len(skin) < _FEWEST_POINTS:
        return tail
    middle = normalized(skin.mean(axis=0) - knee)
    bone = tail - knee
    length = float(np.linalg.norm(bone))
    line = bone / length if length > 0.0 and bone @ middle > _ALONG * length else middle
    low = float(knee[2] - skin[:, 2].min())
    return np.asarray(knee + low / -line[2] * line) if line[2] < -_ALONG else tail


def _skin_of(armature: Armature, bones: Mapping[str, Names], role: str) -> Array:
    """Return the points (N, 3), armature space, of the skin that a role's bones carry, and what hangs on them."""
    if armature.skin is None:
        return np.zeros((0, 3))
    others = {name for other, names in bones.items() if other != role for name in names}
    return armature.skin.carried_by(armature.below(bones[role], others))


def _foot_skin(armature: Armature, bones: Mapping[str, Names], side: str) -> Array:
    """Return the points (N, 3), armature space, of the skin that a foot and its toes carry."""
    own = [name for part in ("foot", "toes") for name in bones.get(f"{part}.{side}", ())]
    if armature.skin is None or not own:
        return np.zeros((0, 3))
    return armature.skin.carried_by(armature.below(own, {n for names in bones.values() for n in names}.difference(own)))


def body_axes(armature: Armature, rig_map: RigMap) -> Array:
    """Return forward, left and up as the columns (3, 3) of a rotation, in armature space.

    Up is the armature's own axis that the legs stand along (so a body does not depend on how its object
    is turned), else the world's vertical, else the line of the legs. Left is across the hips and shoulders. Where
    the mapping sets up or forward, these go before that.
    Raises RigError when left and right lie on each other, the feet point backwards, or the axes that are set cannot be.
    """
    heads = {role: _bone(armature, names[0]).head for role, names in rig_map.bones.items()}
    ends = {side: _leg_end(armature, rig_map.bones, side) for side in SIDES}
    legs = np.sum([heads[f"thigh.{side}"] - ends[side] for side in SIDES], axis=0) / len(SIDES)
    length = float(np.linalg.norm(legs))
    if length == 0.0:
        raise RigError(f"Armature {armature.name!r}: hips and ankles are at the same place; check the leg bones.")
    up = _axis(rig_map.up) if rig_map.up else _up(armature, legs / length)
    if up @ legs < _UPSIDE * length:
        raise RigError(
            f"Armature {armature.name!r}: {rig_map.up} cannot be up, its legs do not stand along it; "
            "set Up to Automatic or to another axis."
        )
    across = [
        heads[f"{part}.L"] - heads[f"{part}.R"]
        for part in ("thigh", "upper_arm")
        if all(f"{part}.{side}" in heads for side in SIDES)
    ]
    left = np.sum(across, axis=0)
    left = left - (left @ up) * up
    if np.linalg.norm(left) < 0.01 * length:
        raise RigError(
            f"Armature {armature.name!r}: the left and right hips are at the same place, so it cannot be seen "
            "which way the character faces; check the thigh bones."
        )
    left = normalized(left)
    forward = np.cross(left, up)
    if rig_map.forward:
        return _axes_facing(armature, up, left, rig_map.forward)
    by_skin, by_bones = feet_ahead(armature, rig_map.bones, forward)
    if by_bones < 0 and by_skin <= 0:
        raise RigError(
            f"Armature {armature.name!r}: the feet point backwards where left is on the left side. If it faces the "
            f"other way, swap the bones of left and right; if its feet are wrong, set Facing to {_named(forward)}."
        )
    return np.stack((forward, left, up), axis=1)


def feet_ahead(armature: Armature, bones: Mapping[str, Names], forward: Array) -> tuple[int, int]:
    """Return whether the feet point along a direction (3,), by their skin and by their bones.

    1 along it, -1 against it, 0 where nothing tells: where an importer lets the last bone of a chain end says nothing.
    """
    feet = [(*bones.get(f"foot.{side}", ()), *bones.get(f"toes.{side}", ())) for side in SIDES]
    shins = [bones[f"shin.{side}"] for side in SIDES]
    legs = (_bone(armature, bones[f"thigh.{side}"][0]).head - _leg_end(armature, bones, side) for side in SIDES)
    by_skin = int(np.sign(skin_ahead(armature, feet, shins, forward, normalized(np.sum(list(legs), axis=0)))))
    ways = np.sum([_foot_way(armature, bones, side) for side in SIDES], axis=0)
    along, least = float(ways @ forward), 0.1 * float(np.linalg.norm(ways))
    return by_skin, int(along > least) - int(along < -least)


def _named(direction: Array) -> str:
    """Return the own axis of an armature that is nearest to a direction (3,): as "-Y"."""
    i = int(np.argmax(np.abs(direction)))
    return f"{'-' if direction[i] < 0.0 else ''}{'XYZ'[i]}"


def _axes_facing(armature: Armature, up: Array, left: Array, facing: str) -> Array:
    """Return forward, left and up as columns (3, 3) that face along an own axis. Raises RigError when it cannot be."""
    forward = _axis(facing) - (_axis(facing) @ up) * up
    if np.linalg.norm(forward) < 0.5:
        raise RigError(f"Armature {armature.name!r}: {facing} is up and cannot be forward; set Facing to another axis.")
    forward = normalized(forward)
    if np.cross(up, forward) @ left < 0.1:
        raise RigError(
            f"Armature {armature.name!r}: if it faces {facing}, the bones of its left side are on its right; "
            "set Facing to Automatic, or swap the bones of both sides."
        )
    return np.stack((forward, np.cross(up, forward), up), axis=1)


def _axis(name: str) -> Array:
    """Return an armature's own axis (3,) by its name, as "-Y"."""
    axis = np.zeros(3)
    axis["XYZ".index(name[-1])] = -1.0 if name.startswith("-") else 1.0
    return axis


def _up(armature: Armature, legs: Array) -> Array:
    """Return up (3,), armature space, from the direction (3,) of the legs, ankles to hips."""
    own = np.vstack((np.eye(3), -np.eye(3)))
    nearest = own[int(np.argmax(own @ legs))]
    vertical = armature.world[2, :3] / armature.scale
    for axis in (nearest, vertical):
        if axis @ legs > _STANDS_ALONG:
            return np.asarray(axis)
    return legs


def _bone(armature: Armature, name: str) -> Bone:
    try:
        return armature.bones[armature.index[name]]
    except KeyError:
        raise RigError(f"Armature {armature.name!r} has no bone {name!r}; map its bones again.") from None


def _leg_end(armature: Armature, bones: Mapping[str, Names], side: str) -> Array:
    """Return the ankle, or the end of a leg without a foot (3,), armature space."""
    foot = bones.get(f"foot.{side}")
    return _bone(armature, foot[0]).head if foot else _far_end(armature, bones[f"shin.{side}"])


def _foot_way(armature: Armature, bones: Mapping[str, Names], side: str) -> Array:
    """Return where a foot points from its ankle (3,), armature space; nothing for one of which no bone tells."""
    foot, toes = bones.get(f"foot.{side}"), bones.get(f"toes.{side}")
    if not foot:
        return np.zeros(3)
    hanging = armature.children[armature.index[foot[-1]]]
    if not toes and not hanging:
        return np.zeros(3)
    start = _bone(armature, foot[0]).head
    return (_bone(armature, toes[0]).head if toes else _far_end(armature, foot)) - start


def _far_end(armature: Armature, names: Names) -> Array:
    """Return where a role's bones end (3,), armature space: the last one's tail, or what hangs on it."""
    bone = _bone(armature, names[-1])
    hanging = armature.children[armature.index[bone.name]]
    if np.linalg.norm(bone.tail - bone.head) > 0.0 or not hanging:
        return bone.tail
    return np.asarray(np.mean([armature.bones[i].head for i in hanging], axis=0))


def _leg_length(armature: Armature, rig_map: RigMap, heads: Mapping[str, Array]) -> float:
    """Return hip to ankle along the bones (mean of both), m. Raises RigError for a bone without length."""
    lengths: dict[tuple[str, str], float] = {}
    for side in SIDES:
        for part in ("thigh", "shin"):
            upper, lower = f"{part}.{side}", f"{BEYOND[part]}.{side}"
            lengths[upper, lower] = float(np.linalg.norm(heads[lower] - heads[upper]))
    leg = sum(lengths.values()) / len(SIDES)
    for (upper, _), length in lengths.items():
        if length < _SHORTEST * leg:
            raise RigError(
                f"Armature {armature.name!r}: {rig_map.bones[upper][0]!r} has no length up to the next joint of its "
                "leg; correct the bones in Edit mode, or map others."
            )
    return leg


def _turns(
    heads: Mapping[str, Array], tails: Mapping[str, Array], leg: float, apart: float
) -> dict[str, Array]:  # fmt: skip
    """Return the rotation (4,) of each role from rest to standing, body axes. apart: m, of the ankles at least."""
    turns = {role: IDENTITY for role in ("pelvis", "abdomen", "chest", "head") if role in heads}
    for side in SIDES:
        _hang(turns, heads, tails, leg, ("thigh", "shin"), side, _leg_line(heads, leg, side, apart))
        _hang(turns, heads, tails, leg, ARM, side, DOWN)
        foot = tails[f"foot.{side}"] - heads[f"foot.{side}"]
        if np.hypot(foot[0], foot[1]) < 0.2 * np.linalg.norm(foot) or foot[0] <= 0.0:
            turn = IDENTITY  # it points at the ground or back: nothing tells its heading
        else:
            turn = yaw_quaternion(-math.atan2(foot[1], foot[0]))
        turns[f"foot.{side}"] = turn
        if f"toes.{side}" in heads:
            turns[f"toes.{side}"] = turn
    return turns


def _leg_line(heads: Mapping[str, Array], leg: float, side: str, apart: float) -> Array:
    """Return the direction (3,) of a standing leg: down, or inwards for hips too wide to walk with feet below them.

    No farther inwards than so that ankles are ``apart``, m, and outwards for that: but no wider than walks.
    """
    out = float(heads[f"thigh.{side}"][1] - heads["pelvis"][1])
    least = min(0.5 * apart / leg, _WIDE)
    inwards = min(max(abs(out) / leg - _WIDE, 0.0), abs(out) / leg - least)
    inwards = min(max(inwards, -_LEANING), _LEANING)
    return np.array([0.0, -math.copysign(1.0, out) * inwards, -math.sqrt(1.0 - inwards * inwards)])


def _hang(
    turns: dict[str, Array],
    heads: Mapping[str, Array],
    tails: Mapping[str, Array],
    leg: float,
    parts: Names,
    side: str,
    line: Array,
) -> None:
    """Add the turns of a chain of parts that hang along a line (3,): each the smallest on top of its parent's."""
    above = IDENTITY
    for part in parts:
        role = f"{part}.{side}"
        if role not in heads:
            continue
        along = rotate(above, tails[role] - heads[role])
        length = float(np.linalg.norm(along))
        pointing = length > 1e-4 * leg and (part != "hand" or along @ DOWN > _TRUSTED_HAND * length)
        if pointing:
            above = quaternion_product(shortest_arc(along, line), above)
        turns[role] = above
