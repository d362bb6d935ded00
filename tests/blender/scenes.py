"""Scenes for the tests: rigs with the traps of real ones, curves, motions made by hand, and what a scene holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

import blender_biped
from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import (
    IDENTITY,
    Array,
    axis_angle_quaternion,
    continuous,
    normalized,
    quaternion_product,
    yaw_quaternion,
)
from blender_biped.character.body import build_character
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.motion.motion import RATE, Motion
from blender_biped.ui import registration
from blender_biped.ui.base.reading import metres, read_armature
from tests.shared import rig_file
from tools.scene.actions import curves_of as fcurves
from tools.scene.actions import keys as keys
from tools.scene.characters import standard_in_edit_mode
from tools.scene.contents import contents as contents
from tools.scene.files import open_file

__all__ = ["fcurves"]

_NEW_HEADER = b"BLENDER17-"  # with which Blender 5.0's files begin, and 4.5 is the first that reads them


def registered() -> Iterator[Any]:
    """Give an empty scene with the extension registered and started anew; the scene is empty again afterwards.

    Registering takes as long as many a test: the classes stay from test to test, until ``unregistered``.
    """
    if _has_classes():
        registration.start()
    else:
        blender_biped.register()
    add_ons = set(bpy.context.preferences.addons.keys())
    yield bpy.context.scene
    registration.stop()
    if set(bpy.context.preferences.addons.keys()) == add_ons:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    else:
        bpy.ops.wm.read_factory_settings(use_empty=True)


def unregistered() -> None:
    """Take away the classes that ``registered`` left: as a module, Blender does not end with them."""
    if _has_classes():
        registration.start()
        blender_biped.unregister()


def _has_classes() -> bool:
    return all(cls.is_registered for cls in registration.CLASSES)


def shared_rig(name: str) -> Path:
    """Return a rig's file of ../shared; skip the test where it is missing, or this Blender is too old to read it."""
    file = rig_file(name)
    with file.open("rb") as content:
        if content.read(len(_NEW_HEADER)) == _NEW_HEADER and bpy.app.version < (4, 5, 0):
            pytest.skip(f"Blender 5.0 wrote {name}, which those before 4.5 cannot read")
    return file


def open_shared_rig(name: str) -> None:
    """Open a rig's file of ../shared as the current scene; skip the test where this Blender cannot read such files.

    A packed file does not tell by its beginning who wrote it, and Blender as a module comes without Draco in some
    versions (its message names the missing library).
    """
    try:
        open_file(shared_rig(name))
    except BipedError as refused:
        too_old = bpy.app.version < (4, 5, 0) and "not a blend file" in str(refused)
        if too_old or _draco_is_missing(str(refused)):
            pytest.skip(f"not read by this Blender: {refused}")
        raise


def _draco_is_missing(message: str) -> bool:
    return "draco" in message.lower() and ("No such file" in message or "libextern_draco" in message)


def make_rig(
    name: str = "Rig",
    edit: Callable[[Any], None] | None = None,
    helpers: bool = True,
    seed: int | None = None,
    scale: float = 1.0,
) -> Any:
    """Return an armature object of a standard adult in A-pose, in the scene and active.

    helpers: with a root bone, unmapped bones between mapped ones, and one that hangs on a hand.
    seed: of random bone rolls. edit: what else to do to the edit bones. scale: of the object; the bones are
    made as much smaller or larger.
    """
    armature = standard_in_edit_mode(name)
    data = armature.data
    if helpers:
        _add_helpers(data.edit_bones)
    if seed is not None:
        rng = np.random.default_rng(seed)
        for made in data.edit_bones:
            made.roll = rng.uniform(-math.pi, math.pi)
    if edit:
        edit(data.edit_bones)
    for made in data.edit_bones:
        made.head, made.tail = made.head / scale, made.tail / scale
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    armature.scale = (scale, scale, scale)
    return armature


def _add_helpers(bones: Any) -> None:
    def add(name: str, head: Sequence[float], tail: Sequence[float], parent: Any, child: Any) -> None:
        made = bones.new(name)
        made.head, made.tail, made.parent = head, tail, parent
        if child:
            child.parent = made

    hips = bones["spine"]
    add("root", (0.0, 0.0, 0.0), (0.0, 0.3, 0.0), None, None)
    add("torso", (0.0, 0.1, 0.9), (0.0, 0.2, 1.0), bones["root"], hips)
    for side in "LR":
        thigh, hand = bones[f"thigh.{side}"], bones[f"hand.{side}"]
        add(f"spreader.{side}", hips.head, thigh.head, hips, thigh)
        add(f"finger.{side}", hand.tail, hand.tail + (hand.tail - hand.head), hand, None)


def character_of(armature: Any) -> Character:
    """Return the character of an armature object, as the panel gets it."""
    bpy.context.view_layer.update()
    rig = read_armature(armature, metres(bpy.context.scene))
    return build_character(rig, map_bones(rig))


def wild_motion(character: Character, seed: int = 0, duration: float = 1.0) -> Motion:
    """Return smooth, large, random rotations of every link while the body turns and travels far from the origin."""
    rng = np.random.default_rng(seed)
    times = np.arange(round(duration * RATE) + 1) / RATE
    count = len(character.links)

    def waves(*shape: int) -> Array:
        phases, paces = rng.uniform(0.0, 2.0 * np.pi, shape), rng.uniform(2.0, 9.0, shape)
        return np.asarray(np.sin(times.reshape(-1, *(1 for _ in shape)) * paces + phases))

    relative = 1.2 * waves(count, 3)
    local = axis_angle_quaternion(normalized(relative), np.linalg.norm(relative, axis=-1))
    heading = yaw_quaternion(2.0 + 2.5 * times / duration)
    rotations = np.empty_like(local)
    rotations[:, 0] = quaternion_product(heading, local[:, 0])
    for i, link in enumerate(character.links[1:], start=1):
        rotations[:, i] = quaternion_product(rotations[:, link.parent], local[:, i])
    root = np.array([3.0, -2.0, 1.0]) + 0.3 * waves(3) + np.outer(times, (1.4, 0.7, 0.0))
    zeros = np.zeros(len(times))
    return Motion(
        character=character, times=times, root=root, rotations=continuous(rotations),
        loads=np.zeros((len(times), 2)), torques=np.zeros((len(times), count, 3)),
        strikes=np.array([[0.1, 0.0], [0.4, 1.0], [0.7, 0.0]]), lifts=np.zeros((0, 2)),
        command=np.stack((zeros + 1.2, zeros, 1.2 * times), axis=1), cpu=0.1, outcome="arrived",
    )  # fmt: skip


def gentle_motion(character: Character, duration: float = 2.0) -> Motion:
    """Return something like a walk that turns: each joint swings within what a body can do."""
    times = np.arange(round(duration * RATE) + 1) / RATE
    count, beat = len(character.links), 2.0 * np.pi * times
    swings: dict[str, Callable[[Array], list[tuple[tuple[float, float, float], Array]]]] = {
        "pelvis": lambda b: [
            ((0.0, 0.0, 1.0), 0.5 + 0.3 * times + 0.1 * np.sin(b)),
            ((1.0, 0.0, 0.0), 0.06 * np.sin(b)),
        ],
        "abdomen": lambda b: [((0.0, 0.0, 1.0), -0.08 * np.sin(b)), ((0.0, 1.0, 0.0), 0.03 + 0.02 * np.sin(2.0 * b))],
        "chest": lambda b: [((0.0, 0.0, 1.0), -0.1 * np.sin(b)), ((1.0, 0.0, 0.0), 0.04 * np.sin(b))],
        "head": lambda b: [((0.0, 0.0, 1.0), 0.05 * np.sin(b))],
        "thigh": lambda b: [((0.0, 1.0, 0.0), -0.2 - 0.4 * np.sin(b)), ((1.0, 0.0, 0.0), 0.05 * np.cos(b))],
        "shin": lambda b: [((0.0, 1.0, 0.0), 0.5 + 0.45 * np.cos(b))],
        "foot": lambda b: [((0.0, 1.0, 0.0), 0.2 * np.sin(b)), ((1.0, 0.0, 0.0), 0.1 * np.sin(b))],
        "toes": lambda b: [((0.0, 1.0, 0.0), -0.2 + 0.2 * np.sin(b))],
        "upper_arm": lambda b: [((0.0, 1.0, 0.0), 0.3 * np.sin(b)), ((1.0, 0.0, 0.0), 0.1 * np.cos(b))],
        "forearm": lambda b: [((0.0, 1.0, 0.0), -0.4 + 0.2 * np.sin(b))],
        "hand": lambda b: [((0.0, 1.0, 0.0), 0.1 * np.sin(b))],
    }
    rotations = np.empty((len(times), count, 4))
    for i, link in enumerate(character.links):
        part, side = link.part, link.side
        turn = rotations[:, link.parent] if i else np.broadcast_to(IDENTITY, (len(times), 4))
        for axis, angles in swings[part](beat + (np.pi if side == "R" else 0.0)):
            turn = quaternion_product(turn, axis_angle_quaternion(np.array(axis), angles))
        rotations[:, i] = turn
    root = np.array([1.0, -0.5, character.stand_height]) + times[:, None] * np.array([0.9, 0.5, 0.0])
    zeros = np.zeros(len(times))
    return Motion(
        character=character, times=times, root=root, rotations=continuous(rotations),
        loads=np.zeros((len(times), 2)), torques=np.zeros((len(times), count, 3)),
        strikes=np.array([[0.1, 0.0], [0.6, 1.0], [1.1, 0.0], [1.6, 1.0]]), lifts=np.zeros((0, 2)),
        command=np.stack((zeros + 1.0, zeros, times), axis=1), cpu=0.1, outcome="arrived",
    )  # fmt: skip


def make_curve(points: Sequence[Sequence[float]], kind: str = "POLY", closed: bool = False, name: str = "Way") -> Any:
    """Return a curve object with one spline through (or, NURBS, near) points (N, 3), in the scene."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    add_spline(data, points, kind, closed)
    curve = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def add_spline(data: Any, points: Sequence[Sequence[float]], kind: str = "POLY", closed: bool = False) -> None:
    """Add a spline to curve data."""
    spline = data.splines.new(kind)
    own = spline.bezier_points if kind == "BEZIER" else spline.points
    own.add(len(points) - 1)
    for point, place in zip(own, points, strict=True):
        if kind == "BEZIER":
            point.co = place
            point.handle_left_type = point.handle_right_type = "AUTO"
        else:
            point.co = (*place, 1.0)
    spline.use_cyclic_u = closed
    spline.use_endpoint_u = True
