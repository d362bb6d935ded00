"""A standard adult with published proportions, as an armature with Rigify's names, for tests and tries."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..base.spatial import Array
from . import segments
from .armature import Armature, Bone, bone_matrix
from .body import build_character
from .model import ARM, SIDES, Character
from .roles import map_bones

# Body axes (forward, left, up) in Blender's, where a character faces -y.
_TO_BLENDER = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])

# Where the spine's bones begin, fraction of the trunk.
_SPINE = {"spine": 0.0, "spine.001": 0.16, "spine.002": 0.37, "spine.003": segments.CHEST_START}


def standard_armature(
    stature: float = segments.STATURE,
    leg_scale: float = 1.0,
    trunk_scale: float = 1.0,
    arm_scale: float = 1.0,
    arm_angle: float = math.pi / 2.0,
    hip_scale: float = 1.0,
    head_scale: float = 1.0,
    foot_scale: float = 1.0,
) -> Armature:
    """Return a human metarig of a standing adult who faces -y, the left sole at z = 0.

    stature, m, before the scales. leg_scale: thighs and shins; trunk_scale: mid-hip to neck;
    arm_scale: upper arms to hands. arm_angle: of the rest pose, below the horizontal, rad (0: T-pose).
    hip_scale: how far the hips are apart; head_scale: neck to crown; foot_scale: the feet's lengths.
    """
    ankle = segments.ANKLE_HEIGHT * stature
    knee = ankle + leg_scale * (segments.KNEE_HEIGHT - segments.ANKLE_HEIGHT) * stature
    hip = knee + leg_scale * (segments.HIP_HEIGHT - segments.KNEE_HEIGHT) * stature
    neck = hip + trunk_scale * (segments.NECK_HEIGHT - segments.HIP_HEIGHT) * stature
    shoulder = hip + trunk_scale * (segments.SHOULDER_HEIGHT - segments.HIP_HEIGHT) * stature
    rig = _RigBuilder()
    above = ""
    levels = [hip + share * (neck - hip) for share in _SPINE.values()]
    for name, low, high in zip(_SPINE, levels, [*levels[1:], neck], strict=True):
        above = rig.add(name, above, (0.0, 0.0, low), (0.0, 0.0, high))
    chest = above
    crown = neck + head_scale * (1.0 - segments.NECK_HEIGHT) * stature
    rig.add("spine.004", chest, (0.0, 0.0, neck), (0.0, 0.0, crown))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        y = sign * hip_scale * segments.HIP_JOINT_HALF_BREADTH * stature
        thigh = rig.add(f"thigh.{side}", "spine", (0.0, y, hip), (0.0, y, knee))
        shin = rig.add(f"shin.{side}", thigh, (0.0, y, knee), (0.0, y, ankle))
        _add_foot(rig, side, shin, y, ankle, foot_scale * segments.FOOT_LENGTH * stature)
        y = sign * segments.SHOULDER_HALF_BREADTH * stature
        joint = np.array([0.0, y, shoulder])
        above = rig.add(f"shoulder.{side}", chest, (0.0, 0.1 * y, shoulder), joint)
        along = np.array([0.0, sign * math.cos(arm_angle), -math.sin(arm_angle)])
        for part in ARM:
            end = joint + arm_scale * _ARM[part] * stature * along
            above = rig.add(f"{part}.{side}", above, joint, end)
            joint = end
    return Armature("standard adult", tuple(rig.bones), np.eye(4))


def with_shorter_leg(rig: Armature, share: float) -> Armature:
    """Return a rig of ``standard_armature`` whose right thigh and shin are shorter by a share of their lengths.

    That foot is higher than the other one.
    """
    thigh, shin = rig.bones[rig.index["thigh.R"]], rig.bones[rig.index["shin.R"]]
    hip, knee, ankle = float(thigh.head[2]), float(thigh.tail[2]), float(shin.tail[2])
    own_knee, own_ankle = knee + share * (hip - knee), ankle + share * (hip - ankle)
    heights = {thigh.name: (hip, own_knee), shin.name: (own_knee, own_ankle)}
    rise = own_ankle - ankle
    heights |= {
        name: (rise + float(rig.bones[rig.index[name]].head[2]), rise + float(rig.bones[rig.index[name]].tail[2]))
        for name in ("foot.R", "toe.R", "heel.02.R")
    }
    bones = []
    for bone in rig.bones:
        if bone.name in heights:
            low, high = heights[bone.name]
            bone = _bone(bone.name, bone.parent, np.array([*bone.head[:2], low]), np.array([*bone.tail[:2], high]))
        bones.append(bone)
    return replace(rig, bones=tuple(bones))


@lru_cache(maxsize=32)  # it takes some time, and is asked for again and again
def standard_character(
    mass: float | None = segments.STANDARD_MASS,
    leg_scale: float = 1.0,
    trunk_scale: float = 1.0,
    arm_scale: float = 1.0,
    stature: float = segments.STATURE,
) -> Character:
    """Return the standard adult as a character; see ``standard_armature`` and ``build_character``."""
    armature = standard_armature(stature, leg_scale, trunk_scale, arm_scale)
    return build_character(armature, map_bones(armature), mass)


_ARM = {"upper_arm": segments.UPPER_ARM, "forearm": segments.FOREARM, "hand": segments.HAND}


class _RigBuilder:
    """Bones being put together, given in body axes."""

    def __init__(self) -> None:
        self.bones: list[Bone] = []

    def add(self, name: str, parent: str, head: ArrayLike, tail: ArrayLike) -> str:
        """Add a bone and return its name. parent: a bone's name, or "" for a root."""
        names = [bone.name for bone in self.bones]
        above = names.index(parent) if parent else -1
        self.bones.append(_bone(name, above, _TO_BLENDER @ np.asarray(head), _TO_BLENDER @ np.asarray(tail)))
        return name


def _bone(name: str, parent: int, start: Array, end: Array) -> Bone:
    """Return a bone from start to end (3,), in Blender's axes."""
    along = np.abs(end - start)
    side = (0.0, 1.0, 0.0) if along[0] > along[1:].max() else (1.0, 0.0, 0.0)
    return Bone(name, parent, start, end, bone_matrix(start, end, side))


def _add_foot(rig: _RigBuilder, side: str, shin: str, y: float, ankle: float, length: float) -> None:
    """Add a foot. ankle: its height, m."""
    heel, ball, tip = ((at - segments.ANKLE_IN_FOOT) * length for at in (0.0, segments.BALL_IN_FOOT, 1.0))
    low, half_heel = 0.2 * ankle, 0.1 * length
    foot = rig.add(f"foot.{side}", shin, (0.0, y, ankle), (ball, y, low))
    rig.add(f"toe.{side}", foot, (ball, y, low), (tip, y, low))
    rig.add(f"heel.02.{side}", foot, (heel, y - half_heel, 0.0), (heel, y + half_heel, 0.0))
