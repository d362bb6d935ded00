"""What an animator chooses at baking: which frames and body parts get keys, on top of what, one stride or all."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Literal

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.curves import cubic
from ...base.spatial import Array
from ...character.model import Character, role_part
from ...job import Job
from ...motion.cycle import Cycle, one_stride
from ...motion.measures import before_fall
from ...motion.motion import Motion
from ...motion.travel import in_place, moved
from ..base.frames import spacing
from ..base.reading import frame_rate, metres, read_armature, standing_place
from .rig import Root
from .supple import STIFF, Sharing

Part = Literal["HIPS", "TRUNK", "ARMS", "LEGS"]
Onto = Literal["REPLACE", "ACTION", "SLOT", "STRIP", "ADDITIVE"]

ALL_PARTS: frozenset[str] = frozenset(("LEGS", "TRUNK", "ARMS"))
_PART_OF: dict[str, Part] = {
    "pelvis": "HIPS", "abdomen": "TRUNK", "chest": "TRUNK", "head": "TRUNK",
    "upper_arm": "ARMS", "forearm": "ARMS", "hand": "ARMS",
    "thigh": "LEGS", "shin": "LEGS", "foot": "LEGS", "toes": "LEGS",
}  # fmt: skip

_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


@dataclass(frozen=True)
class Tolerance:
    """What keys may be off the motion: feet by ``length``, m, each joint by ``turn``, rad."""

    length: float
    turn: float


@dataclass(frozen=True)
class Choices:
    """How a motion becomes keyframes.

    step: keys are at every ``step``th frame, and at the last. needed: instead of that, keys are where they are needed
    to be within this of the motion. parts: of ALL_PARTS, besides the hips.
    onto: in place of what the last bake wrote, a new action, a new slot of the present one, an NLA strip, or one that
    adds to what is below it. in_place: the motion does not travel.
    cyclic: its end is its begin, and the keys repeat. relax: fingers that nothing else moves curl a little.
    sharing: how turns of the trunk and of arms go over to the bones of spine, neck and shoulders.
    """

    step: int = 1
    parts: frozenset[str] = ALL_PARTS
    onto: Onto = "ACTION"
    in_place: bool = False
    cyclic: bool = False
    needed: Tolerance | None = None
    relax: bool = False
    sharing: Sharing = STIFF

    def keyed(self, count: int) -> NDArray[np.int_]:
        """Return which of ``count`` frames get keys: every ``step``th from the first on, and the last."""
        return np.union1d(np.arange(0, count, self.step), [count - 1])


@dataclass(frozen=True)
class Shown:
    """The motion that is baked, what carries its travel, and the cycle that it is if it is one."""

    motion: Motion
    root: Root
    cycle: Cycle | None


def choices_of(armature: Any) -> Choices:
    """Return what is chosen in the panel for an armature."""
    settings = armature.biped
    return Choices(
        step=settings.key_step,
        parts=frozenset(settings.body_parts),
        onto=settings.onto or "REPLACE",  # a new slot, chosen in a Blender that has slots and read in one that has none
        in_place=settings.one_stride or settings.root == "IN_PLACE",
        cyclic=settings.one_stride,
        needed=Tolerance(settings.key_error_m, settings.key_turn) if settings.keying == "NEEDED" else None,
        relax=settings.relax_hands,
        sharing=Sharing(
            settings.spread_turns and "TRUNK" in settings.body_parts,
            settings.shoulders if "ARMS" in settings.body_parts else 0.0,
        ),
    )


def travel_of(armature: Any) -> Root:
    """Return what the travel of an armature's walk is set on; in place, the hips move where they are."""
    return "HIPS" if choices_of(armature).in_place else armature.biped.root


def shown(armature: Any, motion: Motion, job: Job, choices: Choices) -> Shown:
    """Return what of a walk is baked. In place, the character stands where its rest pose is and faces that way.

    Raises DataError when no stride can be cut from it.
    """
    if not choices.in_place:
        return Shown(motion, travel_of(armature), None)
    scene, cycle = bpy.context.scene, None
    if choices.cyclic:
        apart = spacing(frame_rate(scene))
        found = one_stride(before_fall(motion, job), job, frame_rate(scene) / apart)
        cycle = replace(found, frames=found.frames * apart)
    still = cycle.motion if cycle else in_place(motion)
    place, heading = standing_place(read_armature(armature, metres(scene)), motion.character)
    return Shown(moved(still, place, heading), travel_of(armature), cycle)


def kept_bones(armature: Any, character: Character, parts: frozenset[str]) -> frozenset[str]:
    """Return the bones that keep their pose and their animation when only ``parts`` are baked.

    They are the bones and controls of the other parts, what hangs on them (fingers, a hat), and what they hang on
    or follow by constraints and drivers (the control of a hand), unless bones that are baked hang on that.
    """
    if parts >= ALL_PARTS:
        return frozenset()
    bones = armature.data.bones
    own = _bone_parts(armature, character)
    kept = {name for name, part in own.items() if part != "HIPS" and part not in parts}
    carriers = {parent.name for name in own if name not in kept for parent in bones[name].parent_recursive}
    free = [bone for bone in bones if bone.name not in own and bone.name not in carriers]
    for bone in free:
        nearest = next((parent.name for parent in bone.parent_recursive if parent.name in own), "")
        if nearest in kept:
            kept.add(bone.name)
    names, waiting, drivers = {bone.name for bone in free}, list(kept), _drivers(armature)
    while waiting:
        name = waiting.pop()
        parent = bones[name].parent
        found = drivers.get(name, set()) | ({parent.name} if parent else set())
        for constraint in armature.pose.bones[name].constraints:
            found |= {getattr(constraint, "subtarget", ""), getattr(constraint, "pole_subtarget", "")}
            found |= {target.subtarget for target in getattr(constraint, "targets", ())}
        new = (found & names) - kept
        kept |= new
        waiting += new
    return frozenset(kept)


def judged(motion: Motion, kept: Collection[str]) -> Motion:
    """Return the motion with only those bones in its character that must be where it says.

    Not the bones that are kept, and not what hangs on them.
    """
    if not kept:
        return motion
    links, follows = [], set()
    for i, link in enumerate(motion.character.links):
        if link.parent in follows or (link.bones and link.bones[0] in kept):
            follows.add(i)
        bones = () if i in follows else tuple(name for name in link.bones if name not in kept)
        links.append(replace(link, bones=bones))
    return replace(motion, character=replace(motion.character, links=tuple(links)))


def closes(values: Array) -> bool:
    """Return whether the values (F, K) of a cycle end where they begin: not, where that is by another whole turn."""
    return bool(np.abs(values[-1] - values[0]).max() < 1e-3)


def closed(values: Array) -> Array:
    """Return the keys (F, K) of a cycle with the last equal to the first, unless it is one by another whole turn."""
    if closes(values):
        values = values.copy()
        values[-1] = values[0]
    return values


def least_sure(motion: Motion, times: Array, keyed: NDArray[np.int_], count: int) -> NDArray[np.int_]:
    """Return up to ``count`` of the frames without keys, those where a curve through the keys strays most.

    times (F,): of all frames, s. keyed: which of them have keys. The curve is a cubic one with Catmull-Rom tangents,
    which is about what Blender's automatic handles make.
    """
    between = np.setdiff1d(np.arange(len(times)), keyed)
    if not len(between):
        return between
    places = motion.sampled(times).origins.reshape(len(times), -1)
    at, points = times[keyed], places[keyed]
    slopes = np.gradient(points, at, axis=0)
    left = np.searchsorted(keyed, between) - 1
    span = (at[left + 1] - at[left])[:, None]
    x = (times[between] - at[left])[:, None] / span
    curve = cubic(x, span, (points[left], points[left + 1]), (slopes[left], slopes[left + 1]))
    order = np.argsort(np.abs(curve - places[between]).max(axis=1))
    return np.sort(between[order[-count:]])


def _drivers(armature: Any) -> dict[str, set[str]]:
    """Return for each bone that has drivers the bones of the same armature that drive it."""
    found: dict[str, set[str]] = {}
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        driven = _BONE.match(curve.data_path)
        if driven:
            for target in (target for variable in curve.driver.variables for target in variable.targets):
                if target.id == armature:
                    path = _BONE.match(target.data_path)
                    names = {target.bone_target} | ({bpy.utils.unescape_identifier(path[1])} if path else set())
                    found.setdefault(bpy.utils.unescape_identifier(driven[1]), set()).update(names)
    return found


def _bone_parts(armature: Any, character: Character) -> dict[str, Part]:
    """Return the part of every mapped bone and control that the armature has.

    A bone that carries one limb alone, such as a clavicle, belongs to that limb's part, not to its link's.
    """
    bones = armature.data.bones
    roles = {n: link.role for link in character.links for n in (*link.bones, *link.controls) if n in bones}
    parts = {name: _PART_OF[role_part(role)] for name, role in roles.items()}
    firsts = {names[0] for link in character.links for names in (link.bones, link.controls) if names}
    found = dict(parts)
    for name in parts.keys() - firsts:
        below = {b.name for b in bones[name].children_recursive if roles.get(b.name, roles[name]) != roles[name]}
        sides = {roles[b].partition(".")[2] for b in below}
        if len(sides) == 1 and "" not in sides:
            found[name] = parts[next(iter(below))]
    return found
