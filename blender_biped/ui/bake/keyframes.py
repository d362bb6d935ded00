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
from ...base.spatial import Array
from ...character.armature import EVEN_SCALE
from ...motion.motion import Motion
from ...motion.travel import travel
from ..base.frames import check_frames
from ..base.reading import frame_rate, metres, stretch_of, unstretched
from .accuracy import between_notes, listed, off_notes
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
from .choices import Choices, closed, judged, kept_bones
from .desired import Desired, desired_of, trials
from .influences import Held, Influences, carried
from .layers import lay_strip, repeat, take_over
from .probe import TRIALS, carriers
from .rig import Limbs, Node, Rig

Root = Literal["HIPS", "ROOT_BONE", "OBJECT"]
Frames = NDArray[np.int_]

_EVERYTHING = Choices()


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
    cannot move, there is no root bone to carry the travel, the object cannot carry it, or the action cannot be set; or
    DataError: the walk is not within Blender's frames.
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
    check_frames(int(frames[0]), int(frames[-1]))
    rig = Rig(armature, motion.character, limbs)
    if choices.in_place:  # with respect to what carries the character, as that is now
        spaces = np.broadcast_to(_parent_space(armature), (len(frames), 4, 4))
    else:
        spaces = _parent_spaces(armature, scene, frames)
    times = (frames - start) / frame_rate(scene)
    desired = desired_of(rig, motion, times, unstretched(stretch) @ spaces, metres(scene))
    _check_scale(armature, desired.standing, root)
    influences = Influences(armature)
    channels, held, bound = _channels(rig, desired, influences, root, frames, _way(motion, times), _uneven(stretch))
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
    notes = [
        *_notes(rig, channels, held, bound, driven, stretch),
        *_put_to_use(armature, action, frames, choices, kept),
    ]
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    if choices.onto != "ADDITIVE" and not (choices.in_place and _is_carried(armature)):
        checked = judged(motion, kept)
        notes += off_notes(rig, checked, frames[keyed]) or between_notes(armature, checked, frames, keyed)
    return Baked(action, frames[keyed], write_s, tuple(notes))


def _without(names: Iterable[str], others: Collection[str]) -> list[str]:
    return [name for name in names if name not in others]


def _chosen(channel: Channel, choices: Choices, keyed: Frames) -> Channel:
    """Return a channel with the keys of the chosen frames."""
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


def _channels(
    rig: Rig,
    desired: Desired,
    influences: Influences,
    root: Root,
    frames: Frames,
    way: tuple[Array, Array],
    stretched: bool,
) -> tuple[list[Channel], list[Held], list[str]]:
    """Return the keys of bones and object, what is held of constraints, and bones that cannot be freed of theirs.

    way: the smoothed place and heading of the travel. Raises RigError when ``root`` cannot carry it.
    """
    worlds, channels = desired.standing, []
    carrier: Node | None = None
    matrices: Array | None = None
    if root == "OBJECT":
        worlds = desired.travelling(*way)
        channels = object_channels(rig.armature, np.linalg.inv(desired.spaces) @ worlds)
    elif root == "ROOT_BONE":
        carrier = rig.carry_by(rig.root_bone())
        rest = np.eye(4)
        rest[:3, :3], rest[:3, 3] = carrier.rest, carrier.head
        matrices = np.linalg.inv(worlds) @ desired.travelling(*way) @ rest
    elif rig.hips.connected and not rig.hips.control:
        carrier = rig.carry_by(rig.movable())
        matrices = np.tile(np.eye(4), (len(worlds), 1, 1))
        matrices[:, :3, :3] = carrier.rest
        hips = desired.placed(worlds).point(0, rig.hips.head)
        matrices[:, :3, 3] = hips - rig.hips.head + carrier.head
    placed = desired.placed(worlds, carrier, matrices)
    leg = rig.character.leg_length / (desired.unit * float(np.cbrt(np.linalg.det(worlds[0, :3, :3]))))
    held, bound = influences.held(rig, stretched)
    places = carried(rig, influences)
    moved: Carried = {}
    if places:
        trial = trials(rig, TRIALS, desired.spaces[0], desired.unit)
        bases = np.linalg.inv(desired.spaces) @ worlds
        moved = carriers(rig, places, trial.tried(carrier), placed, held, frames.tolist(), bases, leg)
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


def _notes(
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
        notes.append(f"The action turns off what would move bones away from their keys: {listed(labels)}.")
    if bound:
        notes.append(f"Drivers hold constraints on keyed bones on: {listed(bound)}.")
    if driven:
        notes.append(f"Channels with drivers got no keys: {listed(driven)}.")
    locked = locked_bones(rig, channels)
    if locked:
        notes.append(f"Channels that are locked against editing got keys too: {listed(locked)}.")
    return notes


def _uneven(stretch: Array) -> bool:
    sizes = np.linalg.svd(stretch, compute_uv=False)
    return bool(sizes[0] > sizes[2] * (1.0 + EVEN_SCALE))
