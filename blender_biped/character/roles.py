"""Bones to roles by their names: which bones of an armature are the pelvis, the left thigh, and so on."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from ..errors import RigError
from .armature import Armature
from .conventions import CONVENTIONS, Convention, Names
from .mapping import REQUIRED, RigMap
from .model import ROLES, SIDES
from .segments import CHEST_START

_LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toes")
_SIDE_WORDS = {"l": "L", "left": "L", "r": "R", "right": "R"}
_PREFIX = re.compile(
    r"^(?:.*:|mixamorig\d*[ _]|J_(?:Bip|Adj|Sec)_(?:C_)?|CC_Base_|(?:ValveBiped\.)?Bip\d+[ _]|Character\d+_)+"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FRONT_LEG = re.compile(r"^front(?:leg|thigh|shin|foot|toe|upleg|upperleg|lowerleg|paw|hoof)")
_AT_THE_GROUND = 0.1  # of the height of all bones


def canonical(name: str) -> tuple[str, str]:
    """Return a bone's name without namespace, side, case, separators and leading zeros, and its side.

    The side is "L", "R" or "". Numbers that follow each other stay apart: "toe1-1.L" -> ("toe1.1", "L").
    """
    stem, side = "", ""
    for word in _WORD.findall(_PREFIX.sub("", name)):
        lower = word.lower()
        if not side and lower in _SIDE_WORDS:
            side = _SIDE_WORDS[lower]
        elif not side and lower.startswith(("left", "right")):
            side = lower[0].upper()
            stem += lower.removeprefix("left").removeprefix("right")
        elif word.isdigit():
            stem += ("." if stem[-1:].isdigit() else "") + str(int(word))
        else:
            stem += lower
    return stem, side


def map_bones(armature: Armature) -> RigMap:
    """Return the roles of an armature's bones, found by the naming convention that fits best.

    Raises RigError for an armature without what walking needs (pelvis, thighs, shins, feet), naming
    what is missing, and for animals on four legs.
    """
    places: dict[tuple[str, str], str] = {}
    for bone in armature.bones:
        places.setdefault(canonical(bone.name), bone.name)
    front = _standing_front_legs(armature)
    if front:
        raise RigError(
            f"Armature {armature.name!r} stands on front legs ({', '.join(front[:4])}): an animal on four legs. "
            "Biped Locomotion walks characters on two legs."
        )
    candidates = [(convention, _found(convention, places, armature)) for convention in CONVENTIONS]
    convention, found = max(candidates, key=lambda c: (sum(r in c[1] for r in REQUIRED), len(c[1])))
    absent = [role for role in REQUIRED if role not in found]
    if absent:
        raise RigError(_refusal(armature, convention, found, absent))
    heels = {side: _present(convention.heel, side, places) for side in SIDES}
    return RigMap(
        convention=convention.name,
        bones={role: found[role] for role in ROLES if role in found},
        heels={side: names for side, names in heels.items() if names},
        reasons={role: f"{convention.name} names" for role in ROLES if role in found},
        missing=tuple(role for role in ROLES if role not in found),
    )


def _standing_front_legs(armature: Armature) -> Names:
    """Return the bones named as front legs when they reach the ground (a raptor's do not)."""
    heights = np.array([armature.world[2, :3] @ bone.head for bone in armature.bones])
    ground = heights.min() + _AT_THE_GROUND * np.ptp(heights)
    front = [i for i, bone in enumerate(armature.bones) if _FRONT_LEG.match(canonical(bone.name)[0])]
    return tuple(armature.bones[i].name for i in front) if any(heights[i] < ground for i in front) else ()


def _present(stems: Names, side: str, places: Mapping[tuple[str, str], str]) -> Names:
    return tuple(places[stem, side] for stem in stems if (stem, side) in places)


def _found(convention: Convention, places: Mapping[tuple[str, str], str], armature: Armature) -> dict[str, Names]:
    """Return the roles that one convention finds."""
    found: dict[str, Names] = {}
    for side in SIDES:
        for part in _LIMBS:
            found[f"{part}.{side}"] = _present(getattr(convention, part), side, places)
    spreaders = tuple(n for side in SIDES for n in _present(convention.spreader, side, places))
    clavicles = tuple(n for side in SIDES for n in _present(convention.clavicle, side, places))
    pelvis = _present(convention.pelvis, "", places)
    found["pelvis"] = pelvis + spreaders if pelvis else ()
    trunk, head = _present(convention.trunk, "", places), _present(convention.head, "", places)
    if convention.numbered_spine:
        trunk, head = _split_at_arms((*trunk, *head), len(trunk), found, armature)
    found["abdomen"], chest = _split_trunk(trunk, head, found, armature)
    found["chest"] = chest + clavicles if chest else ()
    found["head"] = head
    return {role: names for role, names in found.items() if names}


def _split_at_arms(chain: Names, usual: int, found: Mapping[str, Names], armature: Armature) -> tuple[Names, Names]:
    """Return trunk and neck of a spine whose bones are only numbered: it is neck above what carries the arms.

    chain: from the lowest bone up. usual: how many are trunk where there are no arms.
    """
    arms = [found[f"upper_arm.{side}"] for side in SIDES]
    if all(arms):
        above = [set(armature.ancestors(armature.index[arm[0]])) for arm in arms]
        carrying = [i for i, name in enumerate(chain) if all(armature.index[name] in a for a in above)]
        usual = carrying[-1] + 1 if carrying else usual
    return chain[:usual], chain[usual:]


def _split_trunk(trunk: Names, head: Names, found: Mapping[str, Names], armature: Armature) -> tuple[Names, Names]:
    """Return abdomen and chest: the chest begins at the bone nearest to where the published upper trunk begins.

    A trunk of one bone is chest.
    """
    hips = [found[f"thigh.{side}"] for side in SIDES]
    if len(trunk) < 2 or not all(hips):
        return (), trunk
    heads = {n: armature.bones[armature.index[n]].head for n in (*trunk, *head, *(h[0] for h in hips))}
    base = np.mean([heads[h[0]] for h in hips], axis=0)
    line = (heads[head[0]] if head else armature.bones[armature.index[trunk[-1]]].tail) - base
    beside = [abs((heads[n] - base) @ line - CHEST_START * (line @ line)) for n in trunk[1:]]
    start = 1 + int(np.argmin(beside))
    return trunk[:start], trunk[start:]


def _refusal(armature: Armature, convention: Convention, found: Mapping[str, Names], absent: list[str]) -> str:
    if any(bone.name.startswith(("DEF-", "ORG-")) for bone in armature.bones):
        return (
            f"Armature {armature.name!r} looks like a rig that Rigify generated; "
            "choose the metarig that it was generated from."
        )
    legs = [role for role in absent if role != "pelvis"]
    what = "no legs" if len(legs) == len(REQUIRED) - 1 else "not all that walking needs"
    text = f"Armature {armature.name!r} ({len(armature.bones)} bones): {what} found. Missing: {', '.join(absent)}."
    if len(found) >= len(REQUIRED):
        text += f" Its names fit {convention.name} best ({len(found)} of {len(ROLES)} parts)."
    return text + " Name the bones as in a Rigify metarig (spine, thigh.L, shin.L, foot.L), or choose another armature."
