"""Bones with skin that nothing mapped would carry: each is carried with the nearest body part."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..base.spatial import Array
from .armature import Armature
from .conventions import Names
from .mapping import RigMap
from .model import ROLES
from .posture import BEYOND
from .twins import twins_of

_LIKE = 1e-6  # of the distance: of two parts that end at one joint the outer one is taken


def root_above_hips(armature: Armature, rig_map: RigMap) -> str:
    """Return the topmost bone above the hips, "" where these hang on nothing."""
    above = armature.ancestors(armature.index[rig_map.bones["pelvis"][0]])
    return armature.bones[above[-1]].name if above else ""


def left_behind(armature: Armature, bones: Mapping[str, Names]) -> Names:
    """Return the bones that carry skin and that neither hang on a mapped bone nor follow one by a constraint."""
    amounts = armature.skin.amounts if armature.skin else {}
    moving = {name for names in bones.values() for name in names}
    while True:
        more = {
            bone.name
            for bone in armature.bones
            if bone.name not in moving
            and (
                (bone.parent >= 0 and armature.bones[bone.parent].name in moving) or not moving.isdisjoint(bone.follows)
            )
        }
        if not more:
            break
        moving |= more
    return tuple(bone.name for bone in armature.bones if bone.name in amounts and bone.name not in moving)


def with_skin_carried(rig_map: RigMap, armature: Armature, spared: Collection[str] = ()) -> RigMap:
    """Return a mapping with each bone whose skin would be left behind moving rigidly with the nearest body part.

    A second skeleton in the first, an outfit's, moves with that: each bone with the part at whose place it lies. What
    is above the hips goes with the pelvis. A rig whose controls are keyed moves its skin by itself.
    spared: bones that stay as they are.
    """
    if rig_map.controls or armature.skin is None:
        return rig_map
    bones, reasons = dict(rig_map.bones), dict(rig_map.reasons)
    for role, names in twins_of(armature, bones).items():
        bones[role] = (*bones[role], *names)
        reasons[role] = f"{reasons.get(role, 'given')}; {', '.join(names)} lies at the same place and moves with it"
    hips = [armature.bones[i].name for i in armature.ancestors(armature.index[bones["pelvis"][0]])]
    depth = {bone.name: len(armature.ancestors(i)) for i, bone in enumerate(armature.bones)}
    beside = sorted(set(left_behind(armature, bones)).difference(hips, spared), key=lambda n: (depth[n], n))
    lost = [*beside, *(n for n in hips if n not in spared)]  # else what hangs on a root would go with the hips
    for name in lost:
        if name in left_behind(armature, bones):
            role = "pelvis" if name in hips else _nearest(armature, bones, name)
            bones[role] = (*bones[role], name)
            reasons[role] = f"{reasons.get(role, 'given')}; {name} carries skin and moves with it"
    return replace(rig_map, bones=bones, reasons=reasons)


def carried_since(before: Mapping[str, Names], after: Mapping[str, Names]) -> dict[str, str]:
    """Return the bones that one mapping has and an earlier one has not: bone -> role."""
    known = {name for names in before.values() for name in names}
    return {name: role for role, names in after.items() for name in names if name not in known}


def _nearest(armature: Armature, bones: Mapping[str, Names], name: str) -> str:
    """Return the role whose bones are nearest to a bone's skin: of those that this is joined to, or that have none."""
    skin = armature.skin
    assert skin is not None
    roles = [role for role in ROLES if role in bones]
    owned = [armature.below(bones[role], _others(bones, role)) for role in roles]
    shares = skin.shares([*owned, (name,)])
    own = shares[:, -1]
    middle = (own @ skin.points) / own.sum()
    joined = shares[:, :-1].T @ own  # points that both carry
    a, b = skin.edges[:, 0], skin.edges[:, 1]
    joined += shares[a, :-1].T @ own[b] + shares[b, :-1].T @ own[a]
    bare = shares[:, :-1].sum(axis=0) <= 0.0
    allowed = (joined > 0.0) | (bare if joined.any() else True)
    best, nearest = roles[0], np.inf
    for k, role in enumerate(roles):
        far = _distance(_line(armature, bones, role), middle)
        if allowed[k] and far <= nearest * (1.0 + _LIKE):
            best, nearest = role, min(far, nearest)
    return best


def _others(bones: Mapping[str, Names], role: str) -> set[str]:
    """Return the bones of all other parts."""
    return {name for other, names in bones.items() if other != role for name in names}


def _line(armature: Armature, bones: Mapping[str, Names], role: str) -> Array:
    """Return the joints (N, 3) along a part: its bones' heads, and the next part's."""
    part, _, side = role.partition(".")
    beyond = bones.get(f"{BEYOND.get(part, '')}.{side}")
    ahead = armature.bones[armature.index[beyond[0]]].head if beyond else None
    points = [armature.bones[armature.index[name]].head for name in bones[role]]
    return np.array([*points, ahead] if ahead is not None else points)


def _distance(line: Array, point: Array) -> float:
    """Return the distance of a point (3,) from a polyline (N, 3)."""
    best = float(np.linalg.norm(line - point, axis=1).min())
    for start, end in pairwise(line):
        along = end - start
        size = float(along @ along)
        if size > 0.0:
            share = float(np.clip((point - start) @ along / size, 0.0, 1.0))
            best = min(best, float(np.linalg.norm(start + share * along - point)))
    return best
