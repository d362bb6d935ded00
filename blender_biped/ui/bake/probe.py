"""How the parents of controls move, found by posing the rig: no knowledge of what is inside it is needed.

Between a control and the controls above it, a rig has bones that constraints and drivers move. Posed as the links
want it in a few random poses, each of them is found to be rigidly attached to one link (or to what stands still), or
to turn between two, its orientation and its place apart; then it is known at every frame. Where nothing fits, the rig
is posed at every frame.
The rig's pose, properties and action are put back as they were.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...base.errors import RigError
from ...base.spatial import (
    Array,
    axis_angle_quaternion,
    matrix_quaternion,
    normalized,
    quaternion_matrix,
    rotation_vector,
)
from ..base.frames import frame_kept, show_frame
from .channels import Carried
from .desired import Placed
from .influences import HeldInfluence
from .portions import finished
from .rig import ROTATIONS, Node, Rig

TRIALS = 4
"""How many random poses, besides the rest pose, are tried."""

_SAME_TURN, _SAME_PLACE = 1e-3, 2e-4  # entries of a rotation; of the leg
_SETTLED = 1e-6  # entries of a basis matrix, lengths in legs
_SWEEPS = 40  # controls that depend on each other, one after another, at most
_CHANNELS = ("location", "scale", *ROTATIONS)


def carriers(
    rig: Rig,
    places: Sequence[int],
    trials: Placed,
    placed: Placed,
    held: Sequence[HeldInfluence],
    frames: Sequence[float],
    bases: Array,
    leg: float,
) -> Generator[float, None, Carried]:
    """Return how bones at ``places`` in Rig.nodes move at each of the F frames of ``placed``; yield the share done.

    trials: the rest pose and random ones. held: what is off of constraints. frames (F,): the scene's.
    bases (F, 4, 4): the object's own transforms in the walk.
    leg: the leg's length in armature units. Raises RigError when the rig is not evaluated.
    """
    moving = _has_targets_outside(rig.armature)
    with posed_freely(rig, held):
        some = np.linspace(0, len(frames) - 1, len(trials.turns)).astype(int)
        at = [(frames[i], bases[i]) for i in some]
        # Not in portions: nobody should see the rig in these poses.
        seen = finished(seen_in(rig, places, trials, at if moving else None, leg))
        found = {}
        for place in places:
            fit = _attached(trials, placed, *seen[place], leg)
            if fit is not None:
                found[place] = fit
        rest = [place for place in places if place not in found]
        if rest:
            whole = list(zip(frames, bases, strict=True)) if moving else None
            found |= yield from seen_in(rig, rest, placed, whole, leg)
    return found


def _attached(trials: Placed, placed: Placed, turns: Array, heads: Array, leg: float) -> tuple[Array, Array] | None:
    """Return how a bone moves that was seen in trial poses (S, 3, 3), (S, 3), None when it is attached to nothing."""
    local = (np.swapaxes(trials.turns, 2, 3) @ (heads[:, None] - trials.heads)[..., None])[..., 0]
    off = np.abs(local - local[:1]).max(axis=(0, 2)) / leg
    place = int(off.argmin())
    turn = _turning(trials, placed, turns)
    if turn is None or off[place] > _SAME_PLACE:
        return None
    return turn, placed.point(place, placed.firsts[place] + local[0, place])


def _turning(trials: Placed, placed: Placed, turns: Array) -> Array | None:
    """Return how a bone turns (F, 3, 3) that was seen in trial poses (S, 3, 3): with one column, or between two."""
    own = np.swapaxes(trials.turns, 2, 3) @ turns[:, None]
    off = np.abs(own - own[:1]).max(axis=(0, 2, 3))
    column = int(off.argmin())
    if off[column] < _SAME_TURN:
        return placed.turn(column, own[0, column])
    rest = turns[0]
    for a, b in combinations(range(trials.turns.shape[1]), 2):
        apart = rotation_vector(matrix_quaternion(np.swapaxes(trials.turns[:, a], 1, 2) @ trials.turns[:, b]))
        part = rotation_vector(matrix_quaternion(own[:, a] @ rest.T))
        share = float(np.sum(apart * part) / max(np.sum(apart * apart), 1e-12))
        if np.abs(_between(trials, a, b, share) @ rest - turns).max() < _SAME_TURN:
            return np.asarray(_between(placed, a, b, share) @ rest)
    return None


def _between(placed: Placed, a: int, b: int, share: float) -> Array:
    """Return rotations (F, 3, 3) on the way from those of one column to those of another."""
    way = rotation_vector(matrix_quaternion(np.swapaxes(placed.turns[:, a], 1, 2) @ placed.turns[:, b]))
    angle = share * np.linalg.norm(way, axis=1)
    return np.asarray(placed.turns[:, a] @ quaternion_matrix(axis_angle_quaternion(normalized(way), angle)))


def seen_in(
    rig: Rig, places: Sequence[int], placed: Placed, at: Sequence[tuple[float, Array]] | None, leg: float
) -> Generator[float, None, dict[int, tuple[Array, Array]]]:
    """Return orientations (F, 3, 3) and heads (F, 3) of bones, with the rig posed as ``placed`` wants it.

    Yields the share that is done.

    at: the frame and the object's own transform (4, 4) for each pose, where they matter.
    """
    scene = bpy.context.scene
    count = len(placed.turns)
    keyed = [(node, _matrices(rig, placed, node)) for node in rig.nodes if node.column >= 0]
    found = {place: (np.empty((count, 3, 3)), np.empty((count, 3))) for place in places}
    bones = rig.armature.pose.bones
    for i in range(count):
        if at is not None:
            show_frame(scene, at[i][0])
            rig.armature.matrix_basis = Matrix(at[i][1])
        _settle(rig, [(bones[node.name], Matrix(matrices[i])) for node, matrices in keyed], leg)
        for place, (turns, heads) in found.items():
            matrix = np.array(bones[rig.nodes[place].name].matrix)
            turns[i] = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
            heads[i] = matrix[:3, 3]
        yield (i + 1) / count
    return found


def _matrices(rig: Rig, placed: Placed, node: Node) -> Array:
    """Return the desired matrices (F, 4, 4) of a bone in armature space."""
    made = np.tile(np.eye(4), (len(placed.turns), 1, 1))
    made[:, :3, :3] = placed.turn(node.column, node.rest)
    made[:, :3, 3] = placed.head(node)
    return made


def _settle(rig: Rig, desired: Sequence[tuple[Any, Matrix]], leg: float) -> None:
    """Pose bones so that they have the desired matrices, also where they depend on each other in ways not known."""
    for _ in range(_SWEEPS):
        bpy.context.view_layer.update()
        moved = 0.0
        for bone, matrix in desired:
            data, parent = bone.bone, bone.parent
            given = {"parent_matrix": parent.matrix, "parent_matrix_local": parent.bone.matrix_local} if parent else {}
            basis = data.convert_local_to_pose(matrix, data.matrix_local, invert=True, **given)
            if data.use_connect:
                basis.translation = (0.0, 0.0, 0.0)
            change = np.abs(np.array(basis) - np.array(bone.matrix_basis))
            change[:3, 3] /= leg
            moved = max(moved, float(change.max()))
            bone.matrix_basis = basis
        if moved < _SETTLED:
            return


@contextmanager
def posed_freely(rig: Rig, held: Sequence[HeldInfluence]) -> Iterator[None]:
    """Let the rig be posed freely, with its switches set and constraints off; put everything back afterwards."""
    armature, scene = rig.armature, bpy.context.scene
    if not armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        raise RigError(
            f"Armature {armature.name!r} is hidden, and its controls cannot be tried: show it to bake onto them."
        )
    data = armature.animation_data
    shown = armature.data.pose_position
    pose = [
        (thing, {name: tuple(getattr(thing, name)) for name in _CHANNELS}) for thing in (armature, *armature.pose.bones)
    ]
    switches = [(armature.pose.bones[s.bone], s.name, armature.pose.bones[s.bone][s.name]) for s in rig.switches]
    constraints = [(armature.pose.bones[each.bone].constraints[each.constraint], str(each.name)) for each in held]
    settings = [getattr(constraint, name) for constraint, name in constraints]
    action = data.action if data else None
    slot = getattr(data, "action_slot", None)
    layered = data.use_nla if data else False
    try:
        if data:
            data.action, data.use_nla = None, False
        armature.data.pose_position = "POSE"
        for bone in armature.pose.bones:
            bone.matrix_basis = Matrix.Identity(4)
            bone.scale = (1.0, 1.0, 1.0)
        for switch in rig.switches:
            _set_property(armature.pose.bones[switch.bone], switch.name, switch.value)
        for constraint, name in constraints:
            setattr(constraint, name, type(getattr(constraint, name))(0))
        armature.update_tag()
        with frame_kept(scene):
            yield
    finally:
        for bone, name, value in switches:
            bone[name] = value
        for (constraint, name), setting in zip(constraints, settings, strict=True):
            setattr(constraint, name, setting)
        armature.data.pose_position = shown
        if data:
            data.use_nla = layered
            data.action = action
            if action and hasattr(data, "action_slot"):
                data.action_slot = slot
        bpy.context.view_layer.update()  # plays the action, over what was not yet keyed
        for bone, name, value in switches:
            bone[name] = value
        for thing, values in pose:
            for name, value in values.items():
                setattr(thing, name, value)
        bpy.context.view_layer.update()


def _set_property(bone: Any, name: str, value: float) -> None:
    """Set a custom property in its own type: a number of another one would make it another property."""
    bone[name] = type(bone[name])(value)


def _has_targets_outside(armature: bpy.types.Object) -> bool:
    """Return whether a bone follows another object, which may be somewhere else at each frame."""
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            targets = [getattr(constraint, "target", None), getattr(constraint, "pole_target", None)]
            targets += [each.target for each in getattr(constraint, "targets", ())]
            if any(target is not None and target != armature for target in targets):
                return True
    return False
