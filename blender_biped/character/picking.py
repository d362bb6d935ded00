"""A mapping that a user changes: a bone is picked for a part, taken away, and what was picked is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .conventions import Names
from .mapping import REQUIRED, RigMap
from .mirror import mirrored_role
from .model import ROLES
from .naming import canonical

BY_HAND = "picked by hand"

Twin = Callable[[str], str | None]
"""From a bone to the one on the other side, None where there is none."""


@dataclass(frozen=True)
class MappingChange:
    """What a pick does. bones: the new mapping, role -> bones. picked: role -> why. notes: for the user."""

    bones: dict[str, Names]
    picked: dict[str, str]
    notes: Names = ()


def pick(
    bones: Mapping[str, Names], role: str, bone: str, first: bool = True, twin: Twin | None = None
) -> MappingChange:
    """Return the mapping with a bone picked for a part; another part that has the bone loses it.

    first: it takes the place of the part's first bone, which defines it; else it moves rigidly with that one.
    twin: for mirrored picking; the other side gets the twin, a part in the middle gets it as a further bone.
    """
    now, notes = _assigned(bones, role, bone, first)
    picked = {role: BY_HAND}
    opposite = mirrored_role(role)
    if twin is None or (opposite == role and first):
        return MappingChange(now, picked, notes)
    other = twin(bone)
    if other is not None and other != bone:
        now, lost = _assigned(now, opposite, other, first)
        notes += lost
        picked.setdefault(opposite, f"mirrored from {bone}, {BY_HAND}")
    elif opposite != role:
        notes += (f"No bone mirrors {bone!r}: pick the other side's by hand",)
    return MappingChange(now, picked, notes)


def unpick(bones: Mapping[str, Names], role: str, bone: str = "", twin: Twin | None = None) -> MappingChange:
    """Return the mapping with one bone taken from a part, or with all of them, and its mirror image likewise."""
    now = dict(bones)
    picked = {}
    other, opposite = (twin(bone) if twin and bone else None), mirrored_role(role)
    gone = {role: bone}
    if twin is not None and opposite != role and (other or not bone):
        gone[opposite] = other or ""
    for part, name in gone.items():
        names = now.pop(part, ())
        left = tuple(n for n in names if n != name) if name else ()
        if left:
            now[part] = left
        if left != names:
            picked[part] = BY_HAND
    if other and opposite == role and role in now:
        now[role] = tuple(n for n in now[role] if n != other)
        if not now[role]:
            del now[role]
    return MappingChange(_ordered(now), picked)


def with_picked(found: RigMap, picked: Mapping[str, Names], reasons: Mapping[str, str]) -> RigMap:
    """Return a mapping that was found, with parts as a user picked them: role -> bones, none for "not there".

    Parts that walking needs cannot be picked away: these are taken as they were found.
    """
    kept = {role: names for role, names in picked.items() if names or role not in REQUIRED}
    taken = {name for names in kept.values() for name in names}
    bones = {role: tuple(n for n in names if n not in taken) for role, names in found.bones.items()} | kept
    bones = {role: names for role, names in bones.items() if names}
    return replace(
        found,
        bones=_ordered(bones),
        reasons={**found.reasons, **{role: reasons.get(role, BY_HAND) for role in kept}},
        missing=tuple(role for role in ROLES if role not in bones),
    )


def _assigned(bones: Mapping[str, Names], role: str, bone: str, first: bool) -> tuple[dict[str, Names], Names]:
    """Return the mapping with the bone in one part and in no other, and notes on who lost it."""
    now: dict[str, Names] = {}
    notes: Names = ()
    for part, names in bones.items():
        left = names if part == role else _left(names, bone)
        if left != names:
            notes += (f"{bone!r} was taken from {part}" + ("" if left else ", which has no bones now"),)
        if left:
            now[part] = left
    old = now.get(role, ())
    if first:
        now[role] = (bone, *(n for n in old[1:] if n != bone))
    elif bone not in old:
        now[role] = (*old, bone)
    return _ordered(now), notes


def _left(names: Names, bone: str) -> Names:
    """Return a part's bones without one. Where it was the first, one on the same side takes over, else none is left.

    A chest whose spine bone is gone is not to be led by a shoulder.
    """
    left = tuple(n for n in names if n != bone)
    if not left or names[0] != bone:
        return left
    side = canonical(bone)[1]
    lead = next((n for n in left if canonical(n)[1] == side), None)
    return () if lead is None else (lead, *(n for n in left if n != lead))


def _ordered(bones: Mapping[str, Names]) -> dict[str, Names]:
    return {role: bones[role] for role in ROLES if role in bones}
