"""How far the posed bones of an armature are from the motion that was baked onto it, and the notes on that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array, matrix_quaternion, nearest_rotations, quaternion_matrix, rotation_vector
from ...character.model import Link
from ...character.reference import REFERENCE_LEG
from ...motion.motion import Motion
from ..base.frames import frame_kept, show_frame
from ..base.reading import frame_rate, metres, stretch_of, unstretched
from .choices import Tolerance, least_sure
from .desired import DesiredPoses, Placed, applied
from .needed import PER_FRAME, sole_points
from .rig import Rig
from .supple import STIFF, Sharing

_CHECKED_FRAMES = 5
_EXACT_MM, _EXACT_DEGREES = 1.0, 0.1  # beyond this something else moves the bones
_STRAYING_MM = 5.0  # between keys: more is reported
_JUDGED = 25  # frames, and as many places between frames, of those that are least sure
_CONFIRMED = 1.05  # of what is allowed: how errors add up is known to first order
_TWISTED = ("upper_arm", "forearm", "thigh", "shin")
_NAMED = 4  # bones that a note names

Frames = NDArray[np.int_]


def bake_error(
    armature: bpy.types.Object, motion: Motion, frames: Sequence[int], sharing: Sharing = STIFF
) -> tuple[float, float]:
    """Return how far the posed bones are from the motion's links, worst of ``frames``: (mm, degrees).

    frames: scene frames; the first one is the motion's first sample. Compared in the world, as Blender
    evaluates them, without the object's stretch: the head of each link's first bone with the link's origin, scaled
    to a leg of 0.90 m, and the orientation of all its bones, without what a control rig twists. Where the bake was in
    a ``sharing`` of its own, bones that share turns are compared with their share, and those that they lead to with
    where they are simulated. The scene's current frame is set back afterwards.
    """
    offsets = (np.asarray(frames) - frames[0]) / frame_rate(bpy.context.scene)
    rig = Rig(armature, motion.character, sharing=sharing) if sharing != STIFF else None
    return _error(armature, motion, list(zip(frames, offsets, strict=True)), rig)


@dataclass(frozen=True)
class Distances:
    """How far posed bones are from a motion at each of N times, the worst of all: m, and turns in rad.

    heads (N,): of all links. soles (N,): feet and toes, at both ends of their soles too. turns (N,).
    """

    heads: Array
    soles: Array
    turns: Array


def _error(
    armature: bpy.types.Object, motion: Motion, at: Sequence[tuple[float, float]], rig: Rig | None
) -> tuple[float, float]:
    """Return the worst (mm, degrees) at pairs of scene frame and time in the motion, s."""
    off = distances(armature, motion, at, rig)
    far = 1000.0 * float(off.heads.max()) * REFERENCE_LEG / motion.character.leg_length
    return far, float(np.degrees(off.turns.max()))


def distances(
    armature: bpy.types.Object, motion: Motion, at: Sequence[tuple[float, float]], rig: Rig | None = None
) -> Distances:
    """Return how far the posed bones are off at pairs of scene frame and time in the motion, s.

    rig: which of them have turns of their own; without it none.
    """
    links = {k: link for k, link in enumerate(motion.character.links) if link.bones}
    if not links:
        return Distances(*np.zeros((3, len(at))))
    places = [(k, name) for k, link in links.items() for name in link.bones]
    posed, world = _posed(armature, [name for _, name in places], [frame for frame, _ in at])
    wanted = _wanted(motion, [seconds for _, seconds in at], world, rig)
    rests = np.array([quaternion_matrix(links[k].rest).T for k, _ in places])
    rests = rests @ np.array([armature.data.bones[name].matrix_local.to_3x3() for _, name in places])
    turns = nearest_rotations(world[:, None, :3, :3]) @ nearest_rotations(posed[..., :3, :3])
    own = turns @ rests.swapaxes(-1, -2)
    desired = np.stack([wanted.turns[:, wanted.column(k, name)] for k, name in places], axis=1)
    off = np.linalg.norm(rotation_vector(matrix_quaternion(own.swapaxes(-1, -2) @ desired)), axis=-1)
    off = _without_twists(off, turns[..., :, 1], (desired @ rests)[..., :, 1], [links[k] for k, _ in places])
    first = {k: places.index((k, link.bones[0])) for k, link in links.items()}
    heads = posed[..., :3, 3] @ world[:, :3, :3].swapaxes(-1, -2) + world[:, None, :3, 3]
    heads = metres(bpy.context.scene) * heads
    judged = {first[k]: wanted.column(k, link.bones[0]) for k, link in links.items()}
    away = heads[:, list(judged)] - wanted.heads[:, list(judged.values())]
    ends = [(i, goal) for i, (_, name) in enumerate(places) if (goal := wanted.ends.get(name)) is not None]
    apart = [np.linalg.norm(heads[:, i] - goal, axis=-1) for i, goal in ends]
    soles = [np.zeros((len(at), 1))]
    for k, head in zip(links, away.swapaxes(0, 1), strict=True):
        if k in motion.character.soles:
            turned = (own[:, first[k]] - wanted.turns[:, k]).swapaxes(-1, -2)
            soles.append(np.linalg.norm(head[:, None] + sole_points(links[k]) @ turned, axis=-1))
    return Distances(
        heads=np.max([np.linalg.norm(away, axis=-1).max(axis=1), *apart], axis=0),
        soles=np.concatenate(soles, axis=1).max(axis=1),
        turns=off.max(axis=1),
    )


@dataclass(frozen=True, eq=False)
class _Goals:
    """Where links, and bones with turns of their own, are to be at each of N times, world: turns (N, C, 3, 3).

    A turn is that of the link's axes which the bone goes with. heads (N, C, 3), m: of the links' first bones, and of
    the others. columns: of bones with a turn of their own. ends: bone -> where it is simulated (N, 3), of those that
    spread bones lead to.
    """

    turns: Array
    heads: Array
    columns: Mapping[str, int]
    ends: Mapping[str, Array]

    def column(self, link: int, name: str) -> int:
        """Return what a bone of a link goes with."""
        return self.columns.get(name, link)


def _wanted(motion: Motion, times: Sequence[float], worlds: Array, rig: Rig | None) -> _Goals:
    """Return where a motion, or a bake of it, wants links and bones. worlds (N, 4, 4): the object's at ``times``, s."""
    sampled = motion.sampled(times)
    turns, heads = quaternion_matrix(sampled.rotations), sampled.origins.copy()
    heads[:, 0] += turns[:, 0] @ motion.character.hip_bone_offset
    if rig is None or not rig.supple.columns:
        return _Goals(turns, heads, {}, {})
    unit, supple, count = metres(bpy.context.scene), rig.supple, turns.shape[1]
    desired = DesiredPoses(rig, sampled.origins, sampled.rotations, worlds, unit)
    axes = nearest_rotations(worlds[:, :3, :3])[:, None]
    own, at = desired.simulated(worlds)
    moved = supple.moved(own, at, rig.firsts)
    rests = np.array([quaternion_matrix(link.rest) for link in rig.character.links])
    rests = rests[[*range(count), *supple.links_of]]
    bones = rig.armature.data.bones
    ends = {}
    for name, k in supple.ends.items():
        place = at[:, k] + own[:, k] @ (np.array(bones[name].head_local) - rig.firsts[k])
        ends[name] = unit * applied(worlds, place)
    return _Goals(
        turns=axes @ moved.turns @ rests,
        heads=unit * applied(worlds[:, None], moved.heads),
        columns={name: count + own_column for name, own_column in supple.columns.items()},
        ends=ends,
    )


def _without_twists(off: Array, along: Array, desired: Array, links: Sequence[Link]) -> Array:
    """Return by how much bones are turned off their links (N, B), rad, without what a rig twists of its own.

    A control rig spreads the turn of a limb about its length over several bones, such as the two halves of an upper
    arm: of a limb's part that follows controls the bone that is turned least off counts, of others where they point.

    off (N, B). along, desired (N, B, 3): where each bone points, and where it is to point. links: of each bone.
    """
    found = off.copy()
    for link in {link.role: link for link in links}.values():
        if link.part not in _TWISTED or not link.controls:
            continue
        own = [i for i, other in enumerate(links) if other.role == link.role]
        pointing = np.linalg.norm(np.cross(along[:, own], desired[:, own]), axis=-1)
        aside = np.arctan2(pointing, np.sum(along[:, own] * desired[:, own], axis=-1))
        found[:, own] = np.maximum(aside, off[:, own].min(axis=1, keepdims=True))
    return found


def _posed(armature: bpy.types.Object, names: Sequence[str], frames: Sequence[float]) -> tuple[Array, Array]:
    """Return what Blender shows of an armature at N frames: its bones (N, names, 4, 4) in it, and it (N, 4, 4).

    The scene's current frame is set back afterwards.
    """
    scene = bpy.context.scene
    inverse = unstretched(stretch_of(armature))
    bones, worlds = np.empty((len(frames), len(names), 4, 4)), np.empty((len(frames), 4, 4))
    with frame_kept(scene):
        for i, frame in enumerate(frames):
            show_frame(scene, frame)
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            worlds[i] = inverse @ np.array(posed.matrix_world)
            shown = posed.pose.bones
            bones[i] = [shown[name].matrix for name in names]
    return bones, worlds


def off_notes(rig: Rig, motion: Motion, frames: Frames) -> list[str]:
    """Return whether what is shown is what was simulated, and why not."""
    armature = rig.armature
    if armature.data.pose_position == "REST":
        return ["The armature shows its rest position: choose Pose Position in its data properties to see the walk."]
    if not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return []
    some = np.unique(np.linspace(0, len(frames) - 1, _CHECKED_FRAMES).astype(int))
    rate = frame_rate(bpy.context.scene)
    at = [(int(frames[i]), float((frames[i] - frames[0]) / rate)) for i in some]
    far, turned = _error(armature, motion, at, rig)
    if far <= _EXACT_MM and turned <= _EXACT_DEGREES:
        return []
    off = f"The bones are up to {far:.1f} mm and {turned:.1f} degrees off the simulated walk."
    times = (frames[some] - frames[0]) / rate
    moved = what_moved(rig, motion, list(zip(frames[some].tolist(), times.tolist(), strict=True)))
    return [" ".join(filter(None, (off, moved, _causes(rig, motion))))]


def what_moved(rig: Rig, motion: Motion, at: Sequence[tuple[float, float]]) -> str:
    """Return what of an armature is elsewhere than in the motion, in a sentence; "" where nothing is.

    at: pairs of scene frame and time, s; the first one at which something is off counts.
    """
    armature, scene, links = rig.armature, bpy.context.scene, motion.character.links
    limit = _EXACT_MM * 1e-3 * motion.character.leg_length / REFERENCE_LEG
    with frame_kept(scene):
        for frame, seconds in at:
            show_frame(scene, frame)
            found, wanted = _places(rig, motion, seconds)
            off = {i for i, each in found.items() if not _is_near(np.linalg.inv(wanted[i]) @ each, limit)}
            if not off:
                continue
            elsewhere = found[0] @ np.linalg.inv(wanted[0])
            if 0 in off and all(_is_near(np.linalg.inv(elsewhere @ wanted[i]) @ found[i], limit) for i in found):
                return _carried_text(armature, round(frame))
            first = [links[i].bones[0] for i in sorted(off) if links[i].parent not in off]
            return f"At frame {round(frame)} something else moves {listed(first)}, and what hangs on that."
    return ""


def _places(rig: Rig, motion: Motion, seconds: float) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return where the first bones of links are now, and where they are desired: link -> (4, 4), world, m."""
    armature, unit = rig.armature, metres(bpy.context.scene)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = unstretched(stretch_of(armature)) @ np.array(posed.matrix_world)
    desired = _wanted(motion, [seconds], world[None], rig)
    found: dict[int, Array] = {}
    wanted: dict[int, Array] = {}
    for i, link in enumerate(motion.character.links):
        if not link.bones:
            continue
        matrix = world @ np.array(posed.pose.bones[link.bones[0]].matrix)
        rest = np.array(armature.data.bones[link.bones[0]].matrix_local.to_3x3())
        column = desired.column(i, link.bones[0])
        found[i], wanted[i] = np.eye(4), np.eye(4)
        found[i][:3, :3], found[i][:3, 3] = nearest_rotations(matrix[:3, :3]), unit * matrix[:3, 3]
        wanted[i][:3, :3] = desired.turns[0, column] @ quaternion_matrix(link.rest).T @ rest
        wanted[i][:3, 3] = desired.heads[0, column]
    return found, wanted


def _is_near(matrix: Array, limit: float) -> bool:
    """Return whether a rigid motion (4, 4) is about none. limit: m."""
    turned = np.degrees(np.arccos(np.clip(0.5 * (np.trace(matrix[:3, :3]) - 1.0), -1.0, 1.0)))
    return bool(np.linalg.norm(matrix[:3, 3]) <= limit and turned <= _EXACT_DEGREES)


def _carried_text(armature: bpy.types.Object, frame: int) -> str:
    """Return that an armature is moved as a whole, and what may do that."""
    by = [f"its parent {armature.parent.name!r}"] if armature.parent else []
    by += [f"its constraint {constraint.name!r}" for constraint in armature.constraints if not constraint.mute]
    if not by:
        by = ["the object's own animation"]
    return f"At frame {frame} all of the armature is moved, by {' or '.join(by)}."


def _causes(rig: Rig, motion: Motion) -> str:
    """Return why the bones may be off the motion, as sentences, "" where nothing is known."""
    if rig.by_ik:
        return "Limbs that are set by IK bend as their rig lets them; FK is exact."
    armature = rig.armature
    mapped = [name for link in motion.character.links for name in link.bones]
    bones = armature.pose.bones
    bound = [n for n in mapped if any(not c.mute and c.influence > 0.0 for c in bones[n].constraints)]
    data = armature.animation_data
    causes = []
    if bound:
        causes.append("constraints on " + listed(bound))
    if data.drivers:
        causes.append("drivers")
    if any(not track.mute for track in data.nla_tracks):
        causes.append("NLA tracks")
    return f"Mute what else moves it: {'; '.join(causes)}." if causes else ""


def between_notes(rig: Rig, motion: Motion, frames: Frames, keyed: Frames) -> list[str]:
    """Return how far the bones are off the motion between the keyed ones of all frames, where that is visible."""
    armature = rig.armature
    times = (frames - frames[0]) / frame_rate(bpy.context.scene)
    some = least_sure(motion, times, keyed, 2 * _CHECKED_FRAMES)
    if not len(some) or not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return []
    far, _ = _error(armature, motion, [(int(frames[i]), float(times[i])) for i in some], rig)
    if far <= _STRAYING_MM:
        return []
    return [f"Between the keys the bones stray by {far:.0f} mm or more from the walk: key more frames if that shows."]


def within_notes(
    rig: Rig, motion: Motion, frames: Frames, used: Array, tolerance: Tolerance
) -> tuple[list[str], list[str]]:
    """Return how far the bones are off the motion where keys are only where they are needed, and what of it is wrong.

    Judged where they are least sure. used (N,): the share of ``tolerance`` that is used, at frames and between them.
    """
    armature = rig.armature
    if armature.data.pose_position == "REST":
        return [], off_notes(rig, motion, frames)
    if not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return [], []
    at = np.linspace(float(frames[0]), float(frames[-1]), len(used))
    whole = np.arange(len(used)) % PER_FRAME == 0
    found = []
    for some in (np.flatnonzero(whole), np.flatnonzero(~whole)):
        if not len(some):
            continue
        worst = some[np.argsort(used[some])[-_JUDGED:]]
        even = some[np.linspace(0, len(some) - 1, _CHECKED_FRAMES).astype(int)]
        chosen = np.union1d(worst, even)
        times = (at[chosen] - frames[0]) / frame_rate(bpy.context.scene)
        off = distances(armature, motion, list(zip(at[chosen].tolist(), times.tolist(), strict=True)), rig)
        found.append((float(off.soles.max()), float(off.turns.max())))
    said = f"At frames the feet are up to {_amount(*found[0])} off the simulated walk"
    said += f", between frames up to {_amount(*found[1])}." if len(found) > 1 else "."
    far, turned = found[0]
    if far > tolerance.length * _CONFIRMED or turned > tolerance.turn * _CONFIRMED:
        return [], [f"{said} That is more than allowed. {_causes(rig, motion)}".rstrip()]
    return [said], []


def shoulders_text(rig: Rig, placed: Placed, simulated: tuple[Array, Array], scale: float) -> list[str]:
    """Return how far arms whose shoulders move are off where they are simulated, which is meant so.

    placed: where they are. simulated: turns (F, L, 3, 3) and heads (F, L, 3), armature space. scale: m of its unit.
    """
    arms = [arm.arm_links for arm in rig.supple.shoulders]
    if not arms:
        return []
    turns, heads = simulated
    shoulders, hands = (
        scale * max(float(np.linalg.norm(placed.heads[:, k] - heads[:, k], axis=-1).max()) for k in links)
        for links in ([arm[0] for arm in arms], [arm[-1] for arm in arms])
    )
    upper = [arm[0] for arm in arms]
    turned = matrix_quaternion(placed.turns[:, upper].swapaxes(-1, -2) @ turns[:, upper])
    angle = np.degrees(np.linalg.norm(rotation_vector(turned), axis=-1).max())
    return [
        f"Shoulders move with the arms: they are up to {1000.0 * shoulders:.0f} mm, upper arms {angle:.0f} degrees and "
        f"hands {1000.0 * hands:.0f} mm from where they are simulated; set Shoulders to 0 to have them there."
    ]


def _amount(far: float, turned: float) -> str:
    return f"{1000.0 * far:.1f} mm and joints {np.degrees(turned):.1f} degrees"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence, the first few of many."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
