"""From a Motion to keyframes: a new action on the armature, exact at every frame.

Everything is computed first, on arrays; what the action holds is written only when nothing can go wrong any more.
The action that the armature had stays in the file as it was, with a fake user when it has no other.
Where the armature has a control rig that is known, its controls get the keys, otherwise the mapped bones: rotations,
in their own rotation mode; location goes to the hips and to bones that do not hang on their body part's neighbour.
Hips that are connected to their parent cannot move by themselves: the bone that they hang on gets the location then.
All other bones are put back to rest and get no keys, except for those that are not to be baked: they keep their pose
and their animation. Constraints that would move the keyed bones are turned off by the action, at its first frame.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...base.errors import RigError
from ...base.spatial import Array, matrix_quaternion, quaternion_matrix, rotation_vector
from ...character.armature import EVEN_SCALE
from ...character.reference import REFERENCE_LEG
from ...motion.motion import Motion
from ...motion.travel import travel
from ..base.layers import lay_strip, repeat, take_over
from ..base.reading import frame_rate, metres, stretch_of, unstretched
from .action import assign, layered_paths, new_action
from .channels import (
    Carried,
    Channel,
    bone_channels,
    held_channels,
    locked_bones,
    object_channels,
    rest_channels,
    undriven,
)
from .choices import Choices, closed, judged, kept_bones, least_sure
from .influences import Held, Influences, carried
from .probe import TRIALS, carriers
from .rig import Limbs, Node, Rig
from .wanted import Wanted, rotation, trials, wanted_of

Root = Literal["HIPS", "ROOT_BONE", "OBJECT"]
Frames = NDArray[np.int_]

_CHECKED_FRAMES = 5
_EXACT_MM, _EXACT_DEGREES = 1.0, 0.1  # beyond this something else moves the bones
_STRAYING_MM = 5.0  # between keys: farther is told
_EVERYTHING = Choices()
_NAMED = 4  # bones that a note names


@dataclass(frozen=True)
class Baked:
    """What a bake made. frames (F,): scene frames with keys. notes: what the user should know.

    write_s: seconds that writing the keys took.
    """

    action: bpy.types.Action
    frames: Frames
    write_s: float
    notes: tuple[str, ...]


def frames_of(motion: Motion, scene: bpy.types.Scene, start: int) -> Frames:
    """Return the scene frames (F,), whole numbers, that a motion covers from frame ``start``."""
    count = int(np.floor(motion.duration * frame_rate(scene) + 1e-6)) + 1
    return start + np.arange(count)


def bake(
    armature: bpy.types.Object,
    motion: Motion,
    start: int = 1,
    root: Root = "HIPS",
    choices: Choices = _EVERYTHING,
    limbs: Limbs = "FK",
) -> Baked:
    """Give the armature a new action with the motion, its first frame at scene frame ``start``.

    The character's bones must be the armature's. limbs: how a known control rig's arms and legs are keyed. ``choices``
    say where the keys go and which there are. Leaves everything as it was when it raises RigError: a bone is missing or
    cannot move, there is no root bone to carry the travel, the object cannot carry it, or the action cannot be set.
    """
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    _check(armature)
    if choices.onto == "ADDITIVE" and root == "OBJECT":
        raise RigError(
            "The object's own travel cannot be added to what it does: choose another Travel On, or NLA Strip."
        )
    stretch = stretch_of(armature)
    frames = frames_of(motion, scene, start)
    rig = Rig(armature, motion.character, limbs)
    if choices.in_place:  # with respect to what carries the character, as that is now
        spaces = np.broadcast_to(_parent_space(armature), (len(frames), 4, 4))
    else:
        spaces = _parent_spaces(armature, scene, frames)
    times = (frames - start) / frame_rate(scene)
    wanted = wanted_of(rig, motion, times, unstretched(stretch) @ spaces, metres(scene))
    _check_scale(armature, wanted.standing, root)
    influences = Influences(armature)
    channels, held, bound = _channels(rig, wanted, influences, root, frames, _way(motion, times), _uneven(stretch))
    if choices.onto != "ADDITIVE":  # switches and turned off constraints would be added to what they are
        channels += held_channels(rig, held)
        channels += rest_channels(rig, channels, layered_paths(armature))
    channels, driven = undriven(channels, influences)
    kept = kept_bones(armature, motion.character, choices.parts)
    keyed = choices.keyed(len(frames))
    channels = [_chosen(c, choices, keyed) for c in channels if c.group not in kept]
    began = time.perf_counter()
    action = new_action(armature, frames[keyed], channels)
    write_s = time.perf_counter() - began
    held, bound, driven = [h for h in held if h.bone not in kept], _without(bound, kept), _without(driven, kept)
    notes = [*_said(rig, channels, held, bound, driven, stretch), *_put_to_use(armature, action, frames, choices, kept)]
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    if choices.onto != "ADDITIVE" and not (choices.in_place and _is_carried(armature)):
        checked = judged(motion, kept)
        notes += _off(rig, checked, frames[keyed]) or _between(armature, checked, frames, keyed)
    return Baked(action, frames[keyed], write_s, tuple(notes))


def _without(names: Iterable[str], others: Collection[str]) -> list[str]:
    return [name for name in names if name not in others]


def _chosen(channel: Channel, choices: Choices, keyed: Frames) -> Channel:
    """Return a channel with the keys that are wanted of all frames'."""
    if channel.held:
        return channel
    values = closed(channel.values) if choices.cyclic else channel.values
    return replace(channel, values=values[keyed])


def _way(motion: Motion, times: Array) -> tuple[Array, Array]:
    """Return the smoothed place (F, 2), m, and heading (F,), rad, of the travel at ``times`` (F,), s."""
    place, heading = travel(motion)
    columns = [np.interp(times, motion.times, column) for column in (*place.T, heading)]
    return np.stack(columns[:2], axis=1), columns[2]


def _put_to_use(
    armature: bpy.types.Object, action: bpy.types.Action, frames: Frames, choices: Choices, kept: Collection[str]
) -> list[str]:
    """Complete a new action by what is chosen and let it play. Returns what the user should know."""
    scene = bpy.context.scene
    first, last = int(frames[0]), int(frames[-1])
    try:
        if choices.cyclic:
            repeat(action, first, last)
        if choices.onto == "ACTION":
            take_over(armature, action, kept)
    except BaseException:
        bpy.data.actions.remove(action)
        raise
    notes: list[str] = []
    if choices.onto == "ACTION":
        assign(armature, action)
    else:
        until = scene.frame_end if choices.cyclic else None
        notes = lay_strip(armature, action, first, choices.onto == "ADDITIVE", until)
    if choices.onto != "ADDITIVE":
        for bone in armature.pose.bones:
            if bone.name not in kept:
                bone.matrix_basis = Matrix.Identity(4)
    return notes


def bake_error(armature: bpy.types.Object, motion: Motion, frames: Sequence[int]) -> tuple[float, float]:
    """Return how far the posed bones are from the motion's links, worst of ``frames``: (mm, degrees).

    frames: scene frames; the first one is the motion's first sample. Compared in the world, as Blender
    evaluates them, without the object's stretch: the head of each link's first bone with the link's origin, scaled
    to a leg of 0.90 m, and the orientation of all its bones. The scene's current frame is set back afterwards.
    """
    offsets = (np.asarray(frames) - frames[0]) / frame_rate(bpy.context.scene)
    return _error(armature, motion, list(zip(frames, offsets, strict=True)))


def _error(armature: bpy.types.Object, motion: Motion, at: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return the worst (mm, degrees) at pairs of scene frame and time in the motion, s."""
    scene, character = bpy.context.scene, motion.character
    unit = metres(scene)
    sampled = motion.sampled([seconds for _, seconds in at])
    origins, turns = sampled.origins, quaternion_matrix(sampled.rotations)
    rests = [quaternion_matrix(link.rest).T for link in character.links]
    bones = armature.data.bones
    rest = {n: np.array(bones[n].matrix_local.to_3x3()) for link in character.links for n in link.bones}
    inverse = unstretched(stretch_of(armature))
    current, subframe = scene.frame_current, scene.frame_subframe
    far = turned = 0.0
    try:
        for i, (frame, _) in enumerate(at):
            scene.frame_set(int(frame))
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = inverse @ np.array(posed.matrix_world)
            axes = rotation(world[:3, :3])
            for k, link in enumerate(character.links):
                for place, name in enumerate(link.bones):
                    matrix = np.array(posed.pose.bones[name].matrix)
                    difference = (axes @ rotation(matrix[:3, :3])).T @ (turns[i, k] @ rests[k] @ rest[name])
                    angle = np.linalg.norm(rotation_vector(matrix_quaternion(difference)))
                    turned = max(turned, float(angle))
                    if place == 0:
                        head = unit * (world[:3, :3] @ matrix[:3, 3] + world[:3, 3])
                        wanted = origins[i, k]
                        if k == 0:
                            wanted = wanted + turns[i, 0] @ character.hip_bone_offset
                        far = max(far, float(np.linalg.norm(head - wanted)))
    finally:
        scene.frame_set(current, subframe=subframe)
    return 1000.0 * far * REFERENCE_LEG / character.leg_length, float(np.degrees(turned))


def _channels(
    rig: Rig,
    wanted: Wanted,
    influences: Influences,
    root: Root,
    frames: Frames,
    way: tuple[Array, Array],
    stretched: bool,
) -> tuple[list[Channel], list[Held], list[str]]:
    """Return the keys of bones and object, what is held of constraints, and bones that cannot be freed of theirs.

    way: the smoothed place and heading of the travel. Raises RigError when ``root`` cannot carry it.
    """
    worlds, channels = wanted.standing, []
    carrier: Node | None = None
    matrices: Array | None = None
    if root == "OBJECT":
        worlds = wanted.travelling(*way)
        channels = object_channels(rig.armature, np.linalg.inv(wanted.spaces) @ worlds)
    elif root == "ROOT_BONE":
        carrier = rig.carry_by(rig.root_bone())
        rest = np.eye(4)
        rest[:3, :3], rest[:3, 3] = carrier.rest, carrier.head
        matrices = np.linalg.inv(worlds) @ wanted.travelling(*way) @ rest
    elif rig.hips.connected and not rig.hips.control:
        carrier = rig.carry_by(rig.movable())
        matrices = np.tile(np.eye(4), (len(worlds), 1, 1))
        matrices[:, :3, :3] = carrier.rest
        hips = wanted.placed(worlds).point(0, rig.hips.head)
        matrices[:, :3, 3] = hips - rig.hips.head + carrier.head
    placed = wanted.placed(worlds, carrier, matrices)
    leg = rig.character.leg_length / (wanted.unit * float(np.cbrt(np.linalg.det(worlds[0, :3, :3]))))
    held, bound = influences.held(rig, stretched)
    places = carried(rig, influences)
    moved: Carried = {}
    if places:
        trial = trials(rig, TRIALS, wanted.spaces[0], wanted.unit)
        moved = carriers(
            rig, places, trial.tried(carrier), placed, held, frames.tolist(), np.linalg.inv(wanted.spaces) @ worlds, leg
        )
    return channels + bone_channels(rig, placed, moved, leg), held, bound


def _parent_spaces(armature: bpy.types.Object, scene: bpy.types.Scene, frames: Frames) -> Array:
    """Return what carries the object's own transform into the world (F, 4, 4), at each frame.

    Plays the scene through when a parent or a constraint may move the object.
    """
    if not _is_carried(armature):
        return np.broadcast_to(_parent_space(armature), (len(frames), 4, 4))
    current, subframe = scene.frame_current, scene.frame_subframe
    spaces = np.empty((len(frames), 4, 4))
    try:
        for i, frame in enumerate(frames):
            scene.frame_set(int(frame))
            spaces[i] = _parent_space(armature)
    finally:
        scene.frame_set(current, subframe=subframe)
    return spaces


def _parent_space(armature: bpy.types.Object) -> Array:
    own = np.linalg.inv(np.array(armature.matrix_basis, dtype=float))
    return np.asarray(np.array(armature.matrix_world, dtype=float) @ own, dtype=np.float64)


def _is_carried(armature: bpy.types.Object) -> bool:
    """Return whether something other than the object's own action may move it."""
    carriers, at = [], armature.parent
    while at:
        carriers.append(at)
        at = at.parent
    return bool(armature.constraints) or any(c.animation_data or c.constraints for c in carriers)


def _check(armature: bpy.types.Object) -> None:
    """Raise RigError when the armature cannot take an action."""
    name = repr(armature.name)
    if armature.library:
        raise RigError(f"Armature {name} is linked from another file: make a library override of it first.")
    if armature.animation_data and armature.animation_data.use_tweak_mode:
        raise RigError(f"Armature {name} is being tweaked in the NLA editor: leave tweak mode (Tab) first.")


def _check_scale(armature: bpy.types.Object, standing: Array, root: Root) -> None:
    """Raise RigError when the object does not keep its stretch in the walk. standing (F, 4, 4): without it."""
    own = np.abs(np.array(armature.scale) * np.array(armature.delta_scale))
    if root == "OBJECT" and own.max() > own.min() * (1.0 + EVEN_SCALE):
        raise RigError(
            f"Armature {armature.name!r} is scaled unevenly, and its stretch would turn with it: choose Hips or "
            "Root Bone to travel on, or apply its scale in Object mode (Ctrl A, Scale)."
        )
    sizes = np.linalg.svd(standing[:, :3, :3], compute_uv=False)
    if (sizes[:, 0] > sizes[:, 2] * (1.0 + 2.0 * EVEN_SCALE)).any() or (np.linalg.det(standing[:, :3, :3]) < 0.0).any():
        raise RigError(
            f"Armature {armature.name!r} is stretched differently in the course of the walk: apply the scale of the "
            "object that carries it, or keep that one from turning."
        )


def _said(
    rig: Rig,
    channels: Iterable[Channel],
    held: Sequence[Held],
    bound: Sequence[str],
    driven: Sequence[str],
    stretch: Array,
) -> list[str]:
    """Return what the user should know about what is keyed."""
    notes = []
    if not np.array_equal(stretch, np.eye(3)):
        how = "unevenly" if _uneven(stretch) else "by a mirror"
        notes.append(f"The object is scaled {how}: the walk is simulated without that and shown with it.")
    if held:
        labels = [each.label for each in held]
        notes.append(f"The action turns off what would move bones away from their keys: {_listed(labels)}.")
    if bound:
        notes.append(f"Drivers hold constraints on keyed bones on: {_listed(bound)}.")
    if driven:
        notes.append(f"Channels with drivers got no keys: {_listed(driven)}.")
    locked = locked_bones(rig, channels)
    if locked:
        notes.append(f"Channels that are locked against editing got keys too: {_listed(locked)}.")
    return notes


def _off(rig: Rig, motion: Motion, frames: Frames) -> list[str]:
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
    if rig.by_ik:
        return [f"{off} Limbs that are set by IK bend as their rig lets them; FK is exact."]
    mapped = [name for link in motion.character.links for name in link.bones]
    bones = armature.pose.bones
    bound = [n for n in mapped if any(not c.mute and c.influence > 0.0 for c in bones[n].constraints)]
    data = armature.animation_data
    causes = []
    if bound:
        causes.append("constraints on " + _listed(bound))
    if data.drivers:
        causes.append("drivers")
    if any(not track.mute for track in data.nla_tracks):
        causes.append("NLA tracks")
    why = f" Mute what else moves it: {'; '.join(causes)}." if causes else ""
    return [off + why]


def _between(armature: bpy.types.Object, motion: Motion, frames: Frames, keyed: Frames) -> list[str]:
    """Return how far the bones are off the motion between the keyed ones of all frames, where that is visible."""
    times = (frames - frames[0]) / frame_rate(bpy.context.scene)
    some = least_sure(motion, times, keyed, 2 * _CHECKED_FRAMES)
    if not len(some) or not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return []
    far, _ = _error(armature, motion, [(int(frames[i]), float(times[i])) for i in some])
    if far <= _STRAYING_MM:
        return []
    return [f"Between the keys the bones stray by {far:.0f} mm or more from the walk: key more frames if that shows."]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _uneven(stretch: Array) -> bool:
    sizes = np.linalg.svd(stretch, compute_uv=False)
    return bool(sizes[0] > sizes[2] * (1.0 + EVEN_SCALE))
