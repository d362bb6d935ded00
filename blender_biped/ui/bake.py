"""From a Motion to keyframes: a new action on the armature, exact at every frame.

Everything is computed first, on arrays; Blender is touched only when nothing can go wrong any more.
The action that the armature had stays in the file as it was, with a fake user when it has no other.
Mapped bones get rotations, in their own rotation mode; location goes to the hips and to mapped bones that
do not hang on their body part's neighbour. Hips that are connected to their parent cannot move by themselves:
the bone that they hang on gets the location then. All other bones are put back to rest and get no keys, except
for those that are not to be baked: they keep their pose and their animation.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion
from numpy.typing import NDArray

from ..character.model import Character
from ..errors import RigError
from ..motion.motion import Motion
from ..motion.travel import travel
from ..spatial import (
    IDENTITY,
    Array,
    continuous,
    matrix_quaternion,
    quaternion_matrix,
    rotation_vector,
    yaw_quaternion,
)
from .choices import Choices, closed, judged, kept_bones, least_sure
from .layers import lay_strip, repeat, take_over
from .reading import frame_rate, metres

Root = Literal["HIPS", "ROOT_BONE", "OBJECT"]
Frames = NDArray[np.int_]

LEG = 0.90
"""Measured lengths are given for a leg of this length, m."""

_LOCATION_TOLERANCE = 5e-4  # of the leg: what a bone may be off its place before its location is keyed too
_CHECKED_FRAMES = 5
_EXACT_MM, _EXACT_DEGREES = 1.0, 0.1  # beyond this something else moves the bones
_STRAYING_MM = 5.0  # between keys: farther is told
_SLOTTED = bpy.app.version >= (4, 4, 0)
_EVERYTHING = Choices()


@dataclass(frozen=True)
class _Channel:
    """Keys of one vector property: values (F, K), one column for each array index, in one group."""

    data_path: str
    group: str
    values: Array


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
    armature: bpy.types.Object, motion: Motion, start: int = 1, root: Root = "HIPS", choices: Choices = _EVERYTHING
) -> Baked:
    """Give the armature a new action with the motion, its first frame at scene frame ``start``.

    The character's bones must be the armature's. ``choices`` say where the keys go and which there are. Leaves
    everything as it was when it raises RigError: a bone is missing or cannot move, there is no root bone to carry
    the travel, or the action cannot be set.
    """
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    _check(armature, motion.character)
    if choices.onto == "ADDITIVE" and root == "OBJECT":
        raise RigError(
            "The object's own travel cannot be added to what it does: choose another Travel On, or NLA Strip."
        )
    frames = frames_of(motion, scene, start)
    rig = _Rig(armature, motion.character)
    if choices.in_place:  # with respect to what carries the character, as that is now
        spaces = np.broadcast_to(_parent_space(armature), (len(frames), 4, 4))
    else:
        spaces = _parent_spaces(armature, scene, frames)
    times = (frames - start) / frame_rate(scene)
    channels = _channels(rig, _Wanted(rig, motion, times, spaces, metres(scene)), root)
    kept = kept_bones(armature, motion.character, choices.parts)
    keyed = choices.keyed(len(frames))
    channels = [c for c in channels if c.group not in kept]
    if choices.cyclic:
        channels = [replace(c, values=closed(c.values)) for c in channels]
    began = time.perf_counter()
    action = _new_action(armature, frames[keyed], [replace(c, values=c.values[keyed]) for c in channels])
    write_s = time.perf_counter() - began
    notes = _put_to_use(armature, action, frames, choices, kept)
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    if choices.onto != "ADDITIVE" and not (choices.in_place and _is_carried(armature)):
        checked = judged(motion, kept)
        notes += _notes(armature, checked, frames[keyed]) or _notes_between(armature, checked, frames, keyed)
    return Baked(action, frames[keyed], write_s, tuple(notes))


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
    if choices.onto == "ACTION":
        _assign(armature, action)
        notes = []
    else:
        notes = lay_strip(
            armature, action, first, choices.onto == "ADDITIVE", scene.frame_end if choices.cyclic else None
        )
    if choices.onto != "ADDITIVE":
        for bone in armature.pose.bones:
            if bone.name not in kept:
                bone.matrix_basis = Matrix.Identity(4)
    return notes


def bake_error(armature: bpy.types.Object, motion: Motion, frames: Sequence[int]) -> tuple[float, float]:
    """Return how far the posed bones are from the motion's links, worst of ``frames``: (mm, degrees).

    frames: scene frames; the first one is the motion's first sample. Compared in the world, as Blender
    evaluates them: the head of each link's first bone with the link's origin, scaled to a leg of 0.90 m, and
    the orientation of all its bones. The scene's current frame is set back afterwards.
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
    current, subframe = scene.frame_current, scene.frame_subframe
    far = turned = 0.0
    try:
        for i, (frame, _) in enumerate(at):
            scene.frame_set(int(frame))
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = np.array(posed.matrix_world)
            axes = _rotation(world[:3, :3])
            for k, link in enumerate(character.links):
                for place, name in enumerate(link.bones):
                    matrix = np.array(posed.pose.bones[name].matrix)
                    difference = (axes @ _rotation(matrix[:3, :3])).T @ (turns[i, k] @ rests[k] @ rest[name])
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
    return 1000.0 * far * LEG / character.leg_length, float(np.degrees(turned))


@dataclass(frozen=True)
class _Node:
    """A bone that matters: mapped, or above a mapped one. Its rest is in armature space.

    parent: place in _Rig.nodes, -1 for none. link: -1 for a bone that is not mapped.
    """

    name: str
    parent: int
    link: int
    head: Array
    rest: Array
    inherits_rotation: bool
    local_location: bool
    connected: bool


class _Rig:
    """The mapped bones and their ancestors, parents first."""

    def __init__(self, armature: bpy.types.Object, character: Character) -> None:
        self.armature, self.character = armature, character
        links = {name: i for i, link in enumerate(character.links) for name in link.bones}
        bones = armature.data.bones
        needed = set(links).union(*([parent.name for parent in bones[name].parent_recursive] for name in links))
        self.nodes: list[_Node] = []
        self.place: dict[str, int] = {}
        for bone in sorted((bones[n] for n in needed), key=lambda b: len(b.parent_recursive)):
            self.place[bone.name] = len(self.nodes)
            self.nodes.append(
                _Node(
                    name=bone.name,
                    parent=self.place[bone.parent.name] if bone.parent else -1,
                    link=links.get(bone.name, -1),
                    head=np.array(bone.head_local, dtype=float),
                    rest=np.array(bone.matrix_local.to_3x3(), dtype=float),
                    inherits_rotation=bone.use_inherit_rotation,
                    local_location=bone.use_local_location,
                    connected=bone.use_connect,
                )
            )
        self.first = [self.nodes[self.place[link.bones[0]]] for link in character.links]
        self.hips = self.first[0]

    def root_bone(self) -> int:
        """Return the place of the topmost bone above the hips. Raises RigError when there is none that is free."""
        at = self.place[self.hips.name]
        while self.nodes[at].parent >= 0:
            at = self.nodes[at].parent
        if self.nodes[at].link >= 0:
            raise RigError(
                f"Armature {self.armature.name!r} has no root bone above its hips ({self.hips.name!r}): "
                "choose Hips or Object to travel on."
            )
        return at

    def movable(self) -> int:
        """Return the place of the nearest bone above connected hips that can move. Raises RigError for a mapped one."""
        at = self.place[self.hips.name]
        while self.nodes[at].connected:
            at = self.nodes[at].parent
            if self.nodes[at].link >= 0:
                raise RigError(
                    f"The hips bone {self.hips.name!r} is connected to {self.nodes[at].name!r}, so it cannot move: "
                    "untick Connected in Edit mode."
                )
        return at


class _Wanted:
    """Where the object and the links shall be at each of F frames, in the world, in Blender units."""

    def __init__(self, rig: _Rig, motion: Motion, times: Array, spaces: Array, unit: float) -> None:
        """Sample the motion at ``times`` (F,), s; spaces (F, 4, 4): see ``_parent_spaces``."""
        self._rig, self.unit = rig, unit
        sampled = motion.sampled(times)
        self._rests = np.array([quaternion_matrix(link.rest) for link in rig.character.links])
        turns = quaternion_matrix(sampled.rotations)
        self._turned = turns @ np.swapaxes(self._rests, 1, 2)
        self._firsts = sampled.origins / unit
        self._firsts[:, 0] += turns[:, 0] @ (np.array(rig.character.hip_bone_offset) / unit)
        self.spaces = spaces
        self.standing = spaces @ np.array(rig.armature.matrix_basis, dtype=float)
        """The object's matrix (F, 4, 4) when its own transform stays as it is."""
        self.scale = float(np.cbrt(np.linalg.det(self.standing[0, :3, :3])))
        place, heading = travel(motion)
        self._place = np.column_stack([np.interp(times, motion.times, column) for column in place.T])
        self._heading = np.interp(times, motion.times, heading)

    def turn(self, node: _Node) -> Array:
        """Return the orientation (F, 3, 3) of a mapped bone."""
        return np.asarray(self._turned[:, node.link] @ node.rest)

    def head(self, node: _Node) -> Array:
        """Return the head (F, 3) of a mapped bone."""
        apart = self.scale * (node.head - self._rig.first[node.link].head)
        return np.asarray(self._firsts[:, node.link] + self._turned[:, node.link] @ apart)

    def travelling(self) -> Array:
        """Return the object's matrix (F, 4, 4) when it carries the rig in rest along the path.

        It turns about the vertical and moves over the ground, so that the mid-hip is at the smoothed place and
        its front at the smoothed heading. A hips bone that cannot move by itself is carried to its very place.
        """
        world, hips = self.standing[0], self._rig.hips
        axes = _rotation(world[:3, :3]) @ self._rests[0]
        head = world[:3, :3] @ hips.head + world[:3, 3]
        middle = head - axes @ (np.array(self._rig.character.hip_bone_offset) / self.unit)
        moves = np.tile(np.eye(4), (len(self._heading), 1, 1))
        turns = quaternion_matrix(yaw_quaternion(self._heading - np.arctan2(axes[1, 0], axes[0, 0])))
        moves[:, :3, :3] = turns
        if hips.connected:
            moves[:, :3, 3] = self._firsts[:, 0] - turns @ head
        else:
            moves[:, :2, 3] = self._place / self.unit - (turns @ middle)[:, :2]
        return np.asarray(moves @ world)


def _channels(rig: _Rig, wanted: _Wanted, root: Root) -> list[_Channel]:
    """Return all keys of the action. Raises RigError when ``root`` cannot carry the travel."""
    if root == "OBJECT":
        worlds = wanted.travelling()
        basis = np.linalg.inv(wanted.spaces) @ worlds
        return _object_channels(rig.armature, basis) + _bone_channels(rig, wanted, worlds)
    if root == "ROOT_BONE":
        carrier = rig.root_bone()
        node, rest = rig.nodes[carrier], np.eye(4)
        rest[:3, :3], rest[:3, 3] = node.rest, node.head
        carried = np.linalg.inv(wanted.standing) @ wanted.travelling() @ rest
        return _bone_channels(rig, wanted, wanted.standing, carrier, carried)
    if not rig.hips.connected:
        return _bone_channels(rig, wanted, wanted.standing)
    carrier = rig.movable()
    carried = np.tile(np.eye(4), (len(wanted.standing), 1, 1))
    carried[:, :3, :3] = rig.nodes[carrier].rest
    hips = _applied(np.linalg.inv(wanted.standing), wanted.head(rig.hips))
    carried[:, :3, 3] = hips - rig.hips.head + rig.nodes[carrier].head
    return _bone_channels(rig, wanted, wanted.standing, carrier, carried)


def _bone_channels(
    rig: _Rig, wanted: _Wanted, worlds: Array, carrier: int = -1, carried: Array | None = None
) -> list[_Channel]:
    """Return the keys of the bones, composed from parents to children as Blender does it for poses without scale.

    worlds (F, 4, 4): the object's matrices. carrier: the bone that carries the travel, and its matrices
    ``carried`` (F, 4, 4) in armature space.
    """
    count = len(worlds)
    inverse = np.linalg.inv(worlds)
    axes = np.swapaxes(_rotation(worlds[:, :3, :3]), 1, 2)
    tolerance = _LOCATION_TOLERANCE * rig.character.leg_length / (wanted.unit * wanted.scale)
    turns = np.empty((len(rig.nodes), count, 3, 3))
    heads = np.empty((len(rig.nodes), count, 3))
    channels: list[_Channel] = []
    for i, node in enumerate(rig.nodes):
        turn_frame = location_frame = np.broadcast_to(node.rest, (count, 3, 3))
        heads[i] = node.head
        if node.parent >= 0:
            parent = rig.nodes[node.parent]
            moved = turns[node.parent] @ parent.rest.T
            heads[i] = heads[node.parent] + moved @ (node.head - parent.head)
            location_frame = moved @ node.rest if node.local_location else turns[node.parent]
            turn_frame = moved @ node.rest if node.inherits_rotation else turn_frame
        elif not node.local_location:
            location_frame = np.broadcast_to(np.eye(3), (count, 3, 3))
        if i == carrier and carried is not None:
            turns[i], head = _rotation(carried[:, :3, :3]), carried[:, :3, 3]
        elif node.link >= 0:
            turns[i] = axes @ wanted.turn(node)
            head = _applied(inverse, wanted.head(node))
        else:
            turns[i] = turn_frame
            continue
        prefix = f'pose.bones["{bpy.utils.escape_identifier(node.name)}"].'
        off = head - heads[i]
        keyed = node is rig.hips or i == carrier or float(np.linalg.norm(off, axis=1).max()) > tolerance
        if keyed and not node.connected:
            location = np.swapaxes(location_frame, 1, 2) @ off[..., None]
            channels.append(_Channel(f"{prefix}location", node.name, location[..., 0]))
            heads[i] = head
        mode = rig.armature.pose.bones[node.name].rotation_mode
        basis = matrix_quaternion(np.swapaxes(turn_frame, 1, 2) @ turns[i])
        channels.append(_rotation_channel(prefix, node.name, mode, basis))
    return channels


def _object_channels(armature: bpy.types.Object, basis: Array) -> list[_Channel]:
    """Return the keys of the object's own location and rotation for its basis matrices (F, 4, 4)."""
    delta = quaternion_matrix(IDENTITY)
    if armature.rotation_mode == "QUATERNION":
        delta = np.array(armature.delta_rotation_quaternion.to_matrix())
    elif armature.rotation_mode != "AXIS_ANGLE":
        delta = np.array(armature.delta_rotation_euler.to_matrix())
    turns = matrix_quaternion(delta.T @ _rotation(basis[:, :3, :3]))
    places = basis[:, :3, 3] - np.array(armature.delta_location)
    group = "Object Transforms"
    return [_Channel("location", group, places), _rotation_channel("", group, armature.rotation_mode, turns)]


def _rotation_channel(prefix: str, group: str, mode: str, turns: Array) -> _Channel:
    """Return the keys of rotations (F, 4) in a rotation mode, continuous in time."""
    turns = continuous(turns)
    if mode == "QUATERNION":
        return _Channel(f"{prefix}rotation_quaternion", group, turns)
    if mode == "AXIS_ANGLE":
        return _Channel(f"{prefix}rotation_axis_angle", group, _axis_angles(turns))
    eulers = np.empty((len(turns), 3))
    last = Euler((0.0, 0.0, 0.0), mode)
    for i, turn in enumerate(turns):
        last = Quaternion(turn).to_euler(mode, last)
        eulers[i] = last
    return _Channel(f"{prefix}rotation_euler", group, eulers)


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


def _new_action(armature: bpy.types.Object, frames: Frames, channels: list[_Channel]) -> bpy.types.Action:
    """Return a new action with all keys, not yet used by anything."""
    action = bpy.data.actions.new(f"{armature.name} Walk")
    try:
        curves = _curves(action, armature)
        groups = {name: curves.groups.new(name) for name in dict.fromkeys(c.group for c in channels)}
        points = np.empty((len(frames), 2), dtype=np.float32)
        points[:, 0] = frames
        for channel in channels:
            for index, column in enumerate(channel.values.T):
                curve = curves.fcurves.new(channel.data_path, index=index)
                curve.group = groups[channel.group]
                points[:, 1] = column
                # New keys are Bezier with automatic, clamped handles: exact at frames, smooth between them.
                curve.keyframe_points.add(len(frames))
                curve.keyframe_points.foreach_set("co", points.ravel())
                curve.update()
    except BaseException:
        bpy.data.actions.remove(action)
        raise
    return action


def _curves(action: bpy.types.Action, armature: bpy.types.Object) -> Any:
    """Return what holds the curves and groups of a new action: its slot's channel bag where Blender has slots."""
    if not _SLOTTED:
        return action
    slot = action.slots.new(id_type="OBJECT", name=armature.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def _assign(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Let the action play. The action before it stays in the file."""
    data = armature.animation_data or armature.animation_data_create()
    before = data.action
    if before and before.users <= 1 and not before.library:
        before.use_fake_user = True
    data.action = action
    if _SLOTTED:
        data.action_slot = action.slots[0]
    data.action_blend_type, data.action_influence, data.action_extrapolation = "REPLACE", 1.0, "HOLD"


def _check(armature: bpy.types.Object, character: Character) -> None:
    """Raise RigError when the armature cannot take the character's motion."""
    name = repr(armature.name)
    missing = [n for link in character.links for n in link.bones if n not in armature.data.bones]
    if missing:
        raise RigError(f"Armature {name} has no bone {missing[0]!r} any more: press Map Bones again.")
    if not np.linalg.det(np.array(armature.matrix_world.to_3x3())) > 0.0:
        raise RigError(f"Armature {name} has a zero or negative scale: apply it in Object mode (Ctrl A, Scale).")
    if armature.library:
        raise RigError(f"Armature {name} is linked from another file: make a library override of it first.")
    if armature.animation_data and armature.animation_data.use_tweak_mode:
        raise RigError(f"Armature {name} is being tweaked in the NLA editor: leave tweak mode (Tab) first.")


def _notes(armature: bpy.types.Object, motion: Motion, frames: Frames) -> list[str]:
    """Return what the user should know: whether what is shown is what was simulated, and why not."""
    if armature.data.pose_position == "REST":
        return ["The armature shows its rest position: choose Pose Position in its data properties to see the walk."]
    if not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return []
    some = np.unique(np.linspace(0, len(frames) - 1, _CHECKED_FRAMES).astype(int))
    rate = frame_rate(bpy.context.scene)
    far, turned = _error(armature, motion, [(int(frames[i]), float((frames[i] - frames[0]) / rate)) for i in some])
    if far <= _EXACT_MM and turned <= _EXACT_DEGREES:
        return []
    mapped = [name for link in motion.character.links for name in link.bones]
    bound = [n for n in mapped if any(not c.mute for c in armature.pose.bones[n].constraints)]
    data = armature.animation_data
    causes = []
    if bound:
        causes.append("constraints on " + ", ".join(bound[:3]) + (" and others" if len(bound) > 3 else ""))
    if data.drivers:
        causes.append("drivers")
    if data.nla_tracks:
        causes.append("NLA tracks")
    why = f" Mute what else moves it: {'; '.join(causes)}." if causes else ""
    return [f"The bones are up to {far:.0f} mm and {turned:.1f} degrees off the simulated walk.{why}"]


def _notes_between(armature: bpy.types.Object, motion: Motion, frames: Frames, keyed: Frames) -> list[str]:
    """Return how far the bones are off the motion between the keyed ones of all frames, where that is visible."""
    times = (frames - frames[0]) / frame_rate(bpy.context.scene)
    some = least_sure(motion, times, keyed, 2 * _CHECKED_FRAMES)
    if not len(some) or not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return []
    far, _ = _error(armature, motion, [(int(frames[i]), float(times[i])) for i in some])
    if far <= _STRAYING_MM:
        return []
    return [f"Between the keys the bones stray by {far:.0f} mm or more from the walk: key more frames if that shows."]


def _applied(matrices: Array, points: Array) -> Array:
    """Return points (F, 3) moved by matrices (F, 4, 4)."""
    return np.asarray((matrices[:, :3, :3] @ points[..., None])[..., 0] + matrices[:, :3, 3])


def _rotation(matrices: Array) -> Array:
    """Return the rotation nearest to each matrix (..., 3, 3): its polar part."""
    left, _, right = np.linalg.svd(matrices)
    return np.asarray(left @ right)
