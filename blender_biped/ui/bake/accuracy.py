"""How far the posed bones of an armature are from the motion that was baked onto it, and the notes on that."""

from __future__ import annotations

from collections.abc import Sequence
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
from .needed import PER_FRAME, sole_points
from .rig import Rig

_CHECKED_FRAMES = 5
_EXACT_MM, _EXACT_DEGREES = 1.0, 0.1  # beyond this something else moves the bones
_STRAYING_MM = 5.0  # between keys: more is reported
_JUDGED = 25  # frames, and as many places between frames, of those that are least sure
_CONFIRMED = 1.05  # of what is allowed: how errors add up is known to first order
_TWISTED = ("upper_arm", "forearm", "thigh", "shin")
_NAMED = 4  # bones that a note names

Frames = NDArray[np.int_]


def bake_error(armature: bpy.types.Object, motion: Motion, frames: Sequence[int]) -> tuple[float, float]:
    """Return how far the posed bones are from the motion's links, worst of ``frames``: (mm, degrees).

    frames: scene frames; the first one is the motion's first sample. Compared in the world, as Blender
    evaluates them, without the object's stretch: the head of each link's first bone with the link's origin, scaled
    to a leg of 0.90 m, and the orientation of all its bones, without what a control rig twists. The scene's current
    frame is set back afterwards.
    """
    offsets = (np.asarray(frames) - frames[0]) / frame_rate(bpy.context.scene)
    return _error(armature, motion, list(zip(frames, offsets, strict=True)))


@dataclass(frozen=True)
class Distances:
    """How far posed bones are from a motion at each of N times, the worst of all: m, and turns in rad.

    heads (N,): of all links. soles (N,): feet and toes, at both ends of their soles too. turns (N,).
    """

    heads: Array
    soles: Array
    turns: Array


def _error(armature: bpy.types.Object, motion: Motion, at: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the worst (mm, degrees) at pairs of scene frame and time in the motion, s."""
    off = distances(armature, motion, at)
    far = 1000.0 * float(off.heads.max()) * REFERENCE_LEG / motion.character.leg_length
    return far, float(np.degrees(off.turns.max()))


def distances(armature: bpy.types.Object, motion: Motion, at: Sequence[tuple[float, float]]) -> Distances:
    """Return how far the posed bones are off at pairs of scene frame and time in the motion, s."""
    links = {k: link for k, link in enumerate(motion.character.links) if link.bones}
    if not links:
        return Distances(*np.zeros((3, len(at))))
    places = [(k, name) for k, link in links.items() for name in link.bones]
    posed, world = _posed(armature, [name for _, name in places], [frame for frame, _ in at])
    sampled = motion.sampled([seconds for _, seconds in at])
    wanted = quaternion_matrix(sampled.rotations)
    rests = np.array([quaternion_matrix(links[k].rest).T for k, _ in places])
    rests = rests @ np.array([armature.data.bones[name].matrix_local.to_3x3() for _, name in places])
    turns = nearest_rotations(world[:, None, :3, :3]) @ nearest_rotations(posed[..., :3, :3])
    own = turns @ rests.swapaxes(-1, -2)
    desired = wanted[:, [k for k, _ in places]]
    off = np.linalg.norm(rotation_vector(matrix_quaternion(own.swapaxes(-1, -2) @ desired)), axis=-1)
    off = _without_twists(off, turns[..., :, 1], (desired @ rests)[..., :, 1], [links[k] for k, _ in places])
    first = {k: places.index((k, link.bones[0])) for k, link in links.items()}
    origins = sampled.origins.copy()
    origins[:, 0] += wanted[:, 0] @ motion.character.hip_bone_offset
    heads = posed[:, list(first.values())][..., :3, 3] @ world[:, :3, :3].swapaxes(-1, -2) + world[:, None, :3, 3]
    away = metres(bpy.context.scene) * heads - origins[:, list(links)]
    soles = [np.zeros((len(at), 1))]
    for k, head in zip(links, away.swapaxes(0, 1), strict=True):
        if k in motion.character.soles:
            turned = (own[:, first[k]] - wanted[:, k]).swapaxes(-1, -2)
            soles.append(np.linalg.norm(head[:, None] + sole_points(links[k]) @ turned, axis=-1))
    return Distances(
        heads=np.linalg.norm(away, axis=-1).max(axis=1),
        soles=np.concatenate(soles, axis=1).max(axis=1),
        turns=off.max(axis=1),
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
    far, turned = _error(armature, motion, [(int(frames[i]), float((frames[i] - frames[0]) / rate)) for i in some])
    if far <= _EXACT_MM and turned <= _EXACT_DEGREES:
        return []
    off = f"The bones are up to {far:.1f} mm and {turned:.1f} degrees off the simulated walk."
    times = (frames[some] - frames[0]) / rate
    moved = what_moved(armature, motion, list(zip(frames[some].tolist(), times.tolist(), strict=True)))
    return [" ".join(filter(None, (off, moved, _causes(rig, motion))))]


def what_moved(armature: bpy.types.Object, motion: Motion, at: Sequence[tuple[float, float]]) -> str:
    """Return what of an armature is elsewhere than in the motion, in a sentence; "" where nothing is.

    at: pairs of scene frame and time, s; the first one at which something is off counts.
    """
    scene, links = bpy.context.scene, motion.character.links
    limit = _EXACT_MM * 1e-3 * motion.character.leg_length / REFERENCE_LEG
    with frame_kept(scene):
        for frame, seconds in at:
            show_frame(scene, frame)
            found, wanted = _places(armature, motion, seconds)
            off = {i for i, each in found.items() if not _is_near(np.linalg.inv(wanted[i]) @ each, limit)}
            if not off:
                continue
            elsewhere = found[0] @ np.linalg.inv(wanted[0])
            if 0 in off and all(_is_near(np.linalg.inv(elsewhere @ wanted[i]) @ found[i], limit) for i in found):
                return _carried_text(armature, round(frame))
            first = [links[i].bones[0] for i in sorted(off) if links[i].parent not in off]
            return f"At frame {round(frame)} something else moves {listed(first)}, and what hangs on that."
    return ""


def _places(armature: bpy.types.Object, motion: Motion, seconds: float) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return where the first bones of links are now, and where they are desired: link -> (4, 4), world, m."""
    character, unit = motion.character, metres(bpy.context.scene)
    sampled = motion.sampled([seconds])
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = unstretched(stretch_of(armature)) @ np.array(posed.matrix_world)
    turns = quaternion_matrix(sampled.rotations[0])
    found: dict[int, Array] = {}
    wanted: dict[int, Array] = {}
    for i, link in enumerate(character.links):
        if not link.bones:
            continue
        matrix = world @ np.array(posed.pose.bones[link.bones[0]].matrix)
        rest = np.array(armature.data.bones[link.bones[0]].matrix_local.to_3x3())
        found[i], wanted[i] = np.eye(4), np.eye(4)
        found[i][:3, :3], found[i][:3, 3] = nearest_rotations(matrix[:3, :3]), unit * matrix[:3, 3]
        wanted[i][:3, :3] = turns[i] @ quaternion_matrix(link.rest).T @ rest
        wanted[i][:3, 3] = sampled.origins[0, i] + (turns[0] @ character.hip_bone_offset if i == 0 else 0.0)
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


def between_notes(armature: bpy.types.Object, motion: Motion, frames: Frames, keyed: Frames) -> list[str]:
    """Return how far the bones are off the motion between the keyed ones of all frames, where that is visible."""
    times = (frames - frames[0]) / frame_rate(bpy.context.scene)
    some = least_sure(motion, times, keyed, 2 * _CHECKED_FRAMES)
    if not len(some) or not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return []
    far, _ = _error(armature, motion, [(int(frames[i]), float(times[i])) for i in some])
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
        off = distances(armature, motion, list(zip(at[chosen].tolist(), times.tolist(), strict=True)))
        found.append((float(off.soles.max()), float(off.turns.max())))
    said = f"At frames the feet are up to {_amount(*found[0])} off the simulated walk"
    said += f", between frames up to {_amount(*found[1])}." if len(found) > 1 else "."
    far, turned = found[0]
    if far > tolerance.length * _CONFIRMED or turned > tolerance.turn * _CONFIRMED:
        return [], [f"{said} That is more than allowed. {_causes(rig, motion)}".rstrip()]
    return [said], []


def _amount(far: float, turned: float) -> str:
    return f"{1000.0 * far:.1f} mm and joints {np.degrees(turned):.1f} degrees"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence, the first few of many."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
