"""A mapping held against what it must mean: sentences about what cannot be right on any body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from ..base.spatial import Array
from .armature import Armature
from .controls import control_rig
from .conventions import Names
from .mapping import REQUIRED
from .model import ARM, SIDES, role_part, role_words
from .naming import canonical, words
from .posture import feet_ahead

_LEG = ("thigh", "shin", "foot", "toes")
_NO_LEG = re.compile(
    r"^(?:hair|ponytail|pigtail|braid|bangs?|skirt|dress|cape|cloak|coat|ribbon|sleeve|tail|ears?|wings?"
    r"|colliders?|collisions?|col|volume|hitbox|physics|spring|haar|rock|umhang|mantel|pelo|falda|capa)$"
    r"|髪|毛|スカート|マント|リボン|袖|尻尾|耳|头发|裙|披风|尾巴"
)
_BETWEEN = 0.1  # of a leg: what its knee is below the hip and above the ankle, at least


def conflicts(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    """Return what in a mapping, role -> bones, contradicts what a body is, a sentence each.

    Limbs hang together in order, a foot may hang on a root; knees are between hips and ankles; the hips are below the
    arms; no leg has bones named as hair, clothes or collision shapes; both arms are on the sides of their legs, and
    what is named left is on the left; and legs carry skin where bones beside them do. Of a mapping without legs or
    pelvis only what can be said. Raises KeyError for a bone that the armature has not.
    """
    if any(not bones.get(role) for role in REQUIRED):
        return [*_out_of_order(bones, armature), *_wrong_names(bones)]
    return [
        *_out_of_order(bones, armature),
        *_misplaced(bones, armature),
        *_wrong_names(bones),
        *_wrong_sides(bones, armature),
        *_bare_legs(bones, armature),
    ]


def _head(bones: Mapping[str, Names], role: str, armature: Armature) -> Array | None:
    names = bones.get(role)
    return armature.bones[armature.index[names[0]]].head if names else None


def _out_of_order(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    """Return where limbs do not hang together; a known control rig holds its bones by constraints of any kind."""
    if control_rig([bone.name for bone in armature.bones], bones):
        return []
    found = []
    for side in SIDES:
        for limb in (_LEG, ARM):
            present = [f"{part}.{side}" for part in limb if f"{part}.{side}" in bones]
            for upper, lower in pairwise(present):
                above = {armature.bones[i].name for i in armature.carriers(armature.index[bones[lower][0]])}
                if not above.isdisjoint(bones[upper]):
                    continue
                below = {armature.bones[i].name for i in armature.carriers(armature.index[bones[upper][0]])}
                if not below.isdisjoint(bones[lower]):
                    found.append(
                        f"{role_words(lower)} ({bones[lower][0]}) carries {role_words(upper)} ({bones[upper][0]}): it "
                        "should be the other way round."
                    )
                elif not lower.startswith("foot") or not above.isdisjoint(_limb_bones(bones)):
                    found.append(
                        f"{role_words(lower)} ({bones[lower][0]}) does not hang on {role_words(upper)} "
                        f"({bones[upper][0]})."
                    )
    return found


def _limb_bones(bones: Mapping[str, Names]) -> set[str]:
    return {name for role, names in bones.items() if role_part(role) in (*_LEG, *ARM) for name in names}


def _up(bones: Mapping[str, Names], armature: Armature) -> Array | None:
    """Return the line of the legs (3,), ankles to hips, None where they have no length."""
    ways = []
    for side in SIDES:
        hip, knee, ankle = (_head(bones, f"{part}.{side}", armature) for part in ("thigh", "shin", "foot"))
        if hip is not None and knee is not None:
            ways.append(hip - ankle if ankle is not None else 2.0 * (hip - knee))
    line = np.sum(ways, axis=0)
    length = float(np.linalg.norm(line))
    return line / length if length > 0.0 else None


def _misplaced(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    found = []
    for side in SIDES:
        hip, knee, ankle = (_head(bones, f"{part}.{side}", armature) for part in ("thigh", "shin", "foot"))
        if hip is None or knee is None or ankle is None:
            continue
        line = hip - ankle
        share = float((hip - knee) @ line) / max(float(line @ line), 1e-12)
        if not _BETWEEN < share < 1.0 - _BETWEEN:
            role = f"shin.{side}"
            found.append(f"{role_words(role)} ({bones[role][0]}) does not begin between hip and ankle.")
    up, pelvis = _up(bones, armature), _head(bones, "pelvis", armature)
    arms = [head for side in SIDES if (head := _head(bones, f"upper_arm.{side}", armature)) is not None]
    hips = [head for side in SIDES if (head := _head(bones, f"thigh.{side}", armature)) is not None]
    if up is None or pelvis is None or not arms:
        return found
    carries = all(_hangs(armature, bones[f"thigh.{side}"][0], bones["pelvis"]) for side in SIDES)
    low = np.mean(hips, axis=0) if carries else pelvis
    if float((low - np.mean(arms, axis=0)) @ up) > 0.0:
        found.append(f"Pelvis ({bones['pelvis'][0]}) is above the arms.")
    return found


def _hangs(armature: Armature, name: str, on: Names) -> bool:
    return any(armature.bones[i].name in on for i in armature.ancestors(armature.index[name]))


def _wrong_names(bones: Mapping[str, Names]) -> list[str]:
    return [
        f"{role_words(role)}: {name} is named as hair, clothes, a tail or a collision shape."
        for role, names in bones.items()
        if role_part(role) in _LEG
        for name in names
        if any(_NO_LEG.search(word) for word in words(name))
    ]


def _across(bones: Mapping[str, Names], armature: Armature, part: str) -> Array | None:
    """Return the way (3,) from a part's right to its left one, None where one is missing."""
    left, right = (_head(bones, f"{part}.{side}", armature) for side in SIDES)
    return left - right if left is not None and right is not None else None


def _wrong_sides(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    found = []
    across, up = _across(bones, armature, "thigh"), _up(bones, armature)
    if across is None or up is None:
        return []
    for part in ("shin", "foot", "upper_arm", "hand"):
        other = _across(bones, armature, part)
        if other is not None and float(other @ across) < 0.0 and _uncrossed(part, other, across):
            found.append(f"{role_words(f'{part}.L')} ({bones[f'{part}.L'][0]}) is on the side of the right thigh.")
    limbs = [(role, canonical(names[0])[1]) for role, names in bones.items() if "." in role]
    other_way = [role for role, side in limbs if side and side != role[-1]]
    if len(other_way) > sum(bool(side) for _, side in limbs) / 2.0:
        found.append("Bones that are named left are on its right side, going by where its feet point: see the arrow.")
    elif min(feet_ahead(armature, bones, np.cross(across, up))) < 0:
        found.append("The feet point backwards where left is on the left side: see the arrow, or set Facing.")
    return found


def _uncrossed(part: str, other: Array, across: Array) -> bool:
    """Return whether a part is so far on the wrong side that no crossed pose explains it."""
    return part not in ("foot", "hand") or bool(-(other @ across) > float(across @ across))


def _bare_legs(bones: Mapping[str, Names], armature: Armature) -> list[str]:
    """Return that a leg's bones carry no skin, where another bone has that of the leg."""
    skin = armature.skin
    if skin is None:
        return []
    found = []
    for side in SIDES:
        roles = [f"{part}.{side}" for part in _LEG[:2] if f"{part}.{side}" in bones]
        if not roles or sum(leg_skin(bones, armature, role) for role in roles) > 0.0:
            continue
        found.append(f"No skin moves with {role_words(roles[0])} ({bones[roles[0]][0]}) and what hangs on it.")
    return found


def leg_skin(bones: Mapping[str, Names], armature: Armature, role: str) -> float:
    """Return which share of the skin moves with a role's bones: what hangs on them or follows them by constraints."""
    skin = armature.skin
    if skin is None or role not in bones:
        return 0.0
    own = moved_with(bones, armature, role)
    return sum(skin.amounts.get(name, 0.0) for name in own) / max(len(skin.points), 1)


def moved_with(bones: Mapping[str, Names], armature: Armature, role: str) -> set[str]:
    """Return the bones that move with a role's: those, what hangs on them or follows them by constraints."""
    others = {name for other, names in bones.items() if other != role for name in names}
    own = armature.below(bones[role], others)
    return own | armature.below((b.name for b in armature.bones if not own.isdisjoint(b.follows)), others) - others
