"""The keys of a bake, as arrays: from where bones shall be to what is keyed."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Euler, Quaternion
from numpy.typing import NDArray

from ...base.spatial import Array, continuous, matrix_quaternion, nearest_rotations, rotation_vector
from .desired import Placed
from .influences import HeldInfluence, Influences
from .rig import ROTATIONS, Rig, bone_path, property_path

_LOCATION_TOLERANCE = 5e-4  # of the leg: what a bone may be off its place before its location is keyed too
_TURN_TOLERANCE = 2e-4  # rad: what a control may turn from rest before it is keyed

Carried = Mapping[int, tuple[Array, Array]]
"""Place of a bone in Rig.nodes -> its orientation (F, 3, 3) and head (F, 3) in armature space."""


@dataclass(frozen=True)
class Channel:
    """Keys of one property: values (F, K), one column for each array index, in one group.

    held: one key, at the first frame, whose value stays. axes (F, 3, 3): take a location into armature space, None
    where it is there. at (F,): the scene frames of the keys, None as long as they are not chosen.
    slopes (F, K), a frame: of the curves at the keys; None leaves them to Blender's automatic handles.
    """

    data_path: str
    group: str
    values: Array
    indices: tuple[int, ...] = ()
    held: bool = False
    axes: Array | None = None
    at: NDArray[np.int_] | None = None
    slopes: Array | None = None

    def __post_init__(self) -> None:
        if not self.indices:
            object.__setattr__(self, "indices", tuple(range(self.values.shape[1])))

    def chosen(self, samples: NDArray[np.int_], frames: NDArray[np.int_]) -> Channel:
        """Return the keys of some of its samples (K,), at their frames of all (F,)."""
        return replace(self, values=self.values[samples], at=frames[samples])

    def without(self, driven: Collection[tuple[str, int]]) -> Channel | None:
        """Return what is not driven, None where nothing is left."""
        kept = [k for k, index in enumerate(self.indices) if (self.data_path, index) not in driven]
        if len(kept) == len(self.indices):
            return self
        return (
            replace(self, values=self.values[:, kept], indices=tuple(self.indices[k] for k in kept)) if kept else None
        )


def bone_channels(rig: Rig, placed: Placed, carried: Carried, leg: float) -> Generator[float, None, list[Channel]]:
    """Return the keys of the bones, composed from parents to children as Blender does it for poses without scale.

    carried: bones that something else than their parents moves. leg: the leg's length in armature units.
    Yields the share that is done.
    """
    count = len(placed.turns)
    tolerance = _LOCATION_TOLERANCE * leg
    turns = np.empty((len(rig.nodes), count, 3, 3))
    heads = np.empty((len(rig.nodes), count, 3))
    channels: list[Channel] = []
    for i, node in enumerate(rig.nodes):
        yield i / len(rig.nodes)
        if i in carried:
            turns[i], heads[i] = carried[i]
            continue
        turn_frame = location_frame = np.broadcast_to(node.rest, (count, 3, 3))
        heads[i] = node.head
        if node.parent >= 0:
            parent = rig.nodes[node.parent]
            moved = turns[node.parent] @ parent.rest.T
            heads[i] = heads[node.parent] + (moved @ (node.head - parent.head))
            location_frame = moved @ node.rest if node.local_location else turns[node.parent]
            turn_frame = moved @ node.rest if node.inherits_rotation else turn_frame
        elif not node.local_location:
            location_frame = np.broadcast_to(np.eye(3), (count, 3, 3))
        turns[i] = turn_frame
        if node.column < 0:
            continue
        prefix = bone_path(node.name)
        head = placed.head(node)
        off = head - heads[i]
        always = node.column == rig.carrier or (node.name == rig.hips.name and not node.control)
        keyed = always or float(np.linalg.norm(off, axis=1).max()) > tolerance
        if keyed and not node.connected:
            location = np.swapaxes(location_frame, 1, 2) @ off[..., None]
            channels.append(Channel(f"{prefix}.location", node.name, location[..., 0], axes=location_frame))
            heads[i] = head
        if node.pole:
            continue
        turns[i] = placed.turn(node.column, node.rest)
        basis = matrix_quaternion(np.swapaxes(turn_frame, 1, 2) @ turns[i])
        if node.control and float(np.linalg.norm(rotation_vector(basis), axis=1).max()) < _TURN_TOLERANCE:
            turns[i] = turn_frame
            continue
        mode = rig.armature.pose.bones[node.name].rotation_mode
        channels.append(rotation_channel(f"{prefix}.", node.name, mode, basis))
    return channels


def object_channels(armature: bpy.types.Object, basis: Array) -> list[Channel]:
    """Return the keys of the object's own location and rotation for its basis matrices (F, 4, 4)."""
    delta = np.eye(3)
    if armature.rotation_mode == "QUATERNION":
        delta = np.array(armature.delta_rotation_quaternion.to_matrix())
    elif armature.rotation_mode != "AXIS_ANGLE":
        delta = np.array(armature.delta_rotation_euler.to_matrix())
    sizes = np.array(armature.scale) * np.array(armature.delta_scale)
    turns = matrix_quaternion(delta.T @ nearest_rotations(basis[:, :3, :3] / sizes))
    places = basis[:, :3, 3] - np.array(armature.delta_location)
    group = "Object Transforms"
    axes = np.linalg.inv(basis[:, :3, :3])
    return [Channel("location", group, places, axes=axes), rotation_channel("", group, armature.rotation_mode, turns)]


def rotation_channel(prefix: str, group: str, mode: str, turns: Array) -> Channel:
    """Return the keys of rotations (F, 4) in a rotation mode, continuous in time."""
    turns = continuous(turns)
    if mode == "QUATERNION":
        return Channel(f"{prefix}rotation_quaternion", group, turns)
    if mode == "AXIS_ANGLE":
        return Channel(f"{prefix}rotation_axis_angle", group, _axis_angles(turns))
    eulers = np.empty((len(turns), 3))
    last = Euler((0.0, 0.0, 0.0), mode)
    for i, turn in enumerate(turns):
        last = Quaternion(turn).to_euler(mode, last)
        eulers[i] = last
    return Channel(f"{prefix}rotation_euler", group, eulers)


def held_channels(rig: Rig, held: Iterable[HeldInfluence]) -> list[Channel]:
    """Return one key for each switch of the rig, and for what is held of constraints."""
    switches = [Channel(property_path(s), s.bone, np.array([[s.value]]), held=True) for s in rig.switches]
    off = [Channel(each.path, each.bone, np.zeros((1, 1)), held=True) for each in held]
    return switches + off


def rest_channels(rig: Rig, channels: Iterable[Channel], layered: Collection[str]) -> list[Channel]:
    """Return one key at rest for what NLA strips move of bones that matter and the bake does not key.

    layered: the data paths that the strips have.
    """
    keyed = {channel.data_path for channel in channels}
    found = []
    for node in rig.nodes:
        mode = rig.armature.pose.bones[node.name].rotation_mode
        turn = rotation_channel("", "", mode, np.array([[1.0, 0.0, 0.0, 0.0]]))
        for name, value in (("location", np.zeros((1, 3))), (turn.data_path, turn.values), ("scale", np.ones((1, 3)))):
            path = f"{bone_path(node.name)}.{name}"
            if path in layered and path not in keyed:
                found.append(Channel(path, node.name, value, held=True))
    return found


def locked_bones(rig: Rig, channels: Iterable[Channel]) -> list[str]:
    """Return the bones of which a channel gets keys though it is locked against editing by hand."""
    keyed = {channel.data_path for channel in channels if not channel.held}
    found = []
    for node in rig.nodes:
        bone, prefix = rig.armature.pose.bones[node.name], bone_path(node.name)
        turned = any(f"{prefix}.{name}" in keyed for name in ROTATIONS)
        if (turned and any(bone.lock_rotation)) or (f"{prefix}.location" in keyed and any(bone.lock_location)):
            found.append(node.name)
    return found


def undriven(channels: Iterable[Channel], influences: Influences) -> tuple[list[Channel], list[str]]:
    """Return the channels that have no driver, and the groups (bones) of those that have one."""
    channels = list(channels)
    kept = [channel.without(influences.driven) for channel in channels]
    driven = [old.group for old, new in zip(channels, kept, strict=True) if new is not old]
    return [channel for channel in kept if channel], list(dict.fromkeys(driven))


def _axis_angles(turns: Array) -> Array:
    """Return angles and axes (F, 4) of rotations (F, 4) without jumps to the opposite axis or by a whole turn."""
    axes = turns[:, 1:]
    sines = np.linalg.norm(axes, axis=1)
    last = np.array([0.0, 1.0, 0.0])
    found = np.empty_like(turns)
    for i, sine in enumerate(sines):
        axis = axes[i] / sine if sine > 1e-9 else last
        sign = -1.0 if axis @ last < 0.0 else 1.0
        last = sign * axis
        found[i] = (sign * 2.0 * np.arctan2(sine, turns[i, 0]), *last)
    found[:, 0] = np.unwrap(found[:, 0])
    return found
