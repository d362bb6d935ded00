# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks by what crafted .blend files hold: keys and numbers that are none, choices without a meaning, no groups.

And by preferences: a Python beside the open file, which must not be run. Needs bpy.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy

from blender_biped.base.errors import BipedError, WorkerError
from blender_biped.control.registry import presets
from blender_biped.motion.strip import shown_job
from blender_biped.ui.job.captured import action_motion, pose_frames, posed_motion
from blender_biped.ui.settings.older_files import brought_up_to_date
from blender_biped.ui.settings.preferences import PACKAGE, worker_python
from blender_biped.ui.view import preview
from blender_biped.worker import Worker
from tools.attack.readers import a_motion
from tools.attack.scenes import Direct, begun_by, opened, pressed, some
from tools.attack.verdict import Rng, demand, message_fault
from tools.base.quiet import quiet
from tools.scene.actions import curves_of

_NUMBERS = (math.nan, math.inf, -math.inf, 1e30, -1e30, 0.0, -1.0, 0.5, 3e38)
_FRAMES = (math.nan, math.inf, -math.inf, 1e30, -1e30, 1_048_575.0, -2e6, 5.5, 0.0)
_GROUPS = (5, 2.5, "text", [1.0, 2.0], {"walk": 5}, {"walk": {"points": 3}}, {"speed": "x"}, {"armature": 3}, True)


def attack_crafted(rng: Rng, folder: Path) -> str:
    """Put what a crafted file may hold into a scene and press buttons; return how many did something."""
    with opened(folder) as armature, begun_by(Direct):
        for _ in range(int(rng.integers(1, 4))):
            with suppress(TypeError, ValueError, RuntimeError, OverflowError, AttributeError, KeyError):
                some(_CRAFTS, rng)(armature, rng)  # Blender itself refuses some
        bpy.context.view_layer.objects.active = armature
        bpy.context.view_layer.update()
        brought_up_to_date()
        armature.biped.walk.controller = some(("klaw", "generalized", "natural", "simbicon"), rng)
        done = sum(pressed(name, rng, folder) for name in ("bake_walk", some(_BUTTONS, rng)))
        for read in (action_motion, posed_motion):
            try:
                read(bpy.context, armature)
            except BipedError as error:
                demand(not message_fault(str(error)), message_fault(str(error)))
        pose_frames(armature)
        bpy.context.scene.biped.show_preview = True
        preview.update(bpy.context)
    return "pressed" if done else "nothing to be done"


_BUTTONS = ("map_bones", "bake_all", "save_mapping", "export_style", "add_path_point")


def _on_bones(armature: Any, rng: Rng) -> None:
    """Key a bone, with a key that is none."""
    bone = some(armature.pose.bones, rng)
    name = some(("location", "rotation_quaternion", "scale"), rng)
    for frame in (1, 20, 60):
        bone.keyframe_insert(name, frame=frame)
    _spoil(armature, rng)


def _spoil(thing: Any, rng: Rng) -> None:
    for curve in curves_of(thing.animation_data.action):
        point = some(curve.keyframe_points, rng)
        x, y = point.co
        point.co = (some(_FRAMES, rng), y) if rng.random() < 0.5 else (x, some(_NUMBERS, rng))


def _thing(name: str) -> Any:
    thing = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = 1.0, 0.2, 1.0
    return thing


def _push(_armature: Any, rng: Rng) -> None:
    for _ in range(int(rng.choice((1, 1, 3)))):
        thing = _thing("Arrow")
        own = thing.biped.push
        own.active = True
        for frame in range(int(rng.choice((0, 1, 5)))):
            own.keyframe_insert("force", frame=frame)
        if rng.random() < 0.5:
            own[some(("length", "part", "force", "character"), rng)] = some((*_NUMBERS, 99, -1, "text"), rng)
        if thing.animation_data and rng.random() < 0.6:
            _spoil(thing, rng)
        if rng.random() < 0.2:
            (curve,) = curves_of(thing.animation_data.action)
            curve.keyframe_points.add(900)


def _target(_armature: Any, rng: Rng) -> None:
    own = _thing("Switch").biped.target
    own.active = True
    own[some(("act", "taking", "hands", "character"), rng)] = some((*_NUMBERS, 99, -1, 2**31 - 1, "text"), rng)


def _field(_armature: Any, rng: Rng) -> None:
    for _ in range(int(rng.choice((1, 1, 120)))):
        bpy.ops.object.effector_add(type=some(("WIND", "FORCE"), rng))
        thing = bpy.context.object
    own = thing.field
    for name in ("strength", "falloff_power", "distance_min", "distance_max"):
        if rng.random() < 0.4:
            setattr(own, name, some(_NUMBERS, rng))
    own.use_min_distance = own.use_max_distance = True
    if rng.random() < 0.5:
        for frame in (1, 30):
            own.keyframe_insert("strength", frame=frame)
        _spoil(thing, rng)


def _no_group(armature: Any, rng: Rng) -> None:
    """Let a scene and a character keep something else where their settings are."""
    scene, other = bpy.data.scenes.new("Crafted"), bpy.data.objects.new("Crafted", armature.data)
    scene.collection.objects.link(other)
    for owner in (scene, other):
        owner["biped"] = some(_GROUPS, rng)
    if rng.random() < 0.5:
        del armature["biped"]
        armature["biped"] = some(_GROUPS, rng)


_CRAFTS: Sequence[Any] = (_on_bones, _on_bones, _push, _push, _target, _field, _no_group)


def attack_preferences(rng: Rng, folder: Path) -> str:
    """Choose a Python that is relative, or none at all; return that it is refused. Raises WorkerError, FaultError."""
    ran, own = folder / "ran", folder / "tools"
    own.mkdir()
    for program in (folder / "python3", own / "python3", folder / "python"):
        program.write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
        program.chmod(0o755)
    here, path = os.getcwd(), os.environ["PATH"]
    with opened(folder):
        addon = bpy.context.preferences.addons.new()
        addon.module = PACKAGE
        try:
            os.chdir(folder)
            os.environ["PATH"] = f"{folder}{os.pathsep}{path}"
            with quiet():
                bpy.ops.wm.save_as_mainfile(filepath=str(folder / "downloaded.blend"), check_existing=False)
            with suppress(TypeError, ValueError, UnicodeError):
                addon.preferences.python = some(_PYTHONS, rng)
            python = worker_python(bpy.context)
            worker = Worker.start(shown_job(presets("klaw")[0], a_motion().character), *python)
            worker.cancel()
        except WorkerError:
            demand(not ran.exists(), "what lies beside the open file was run")
            raise
        finally:
            os.chdir(here)
            os.environ["PATH"] = path
            bpy.context.preferences.addons.remove(addon)
    demand(not ran.exists(), "what lies beside the open file was run")
    return "Blender's own"


_PYTHONS = (
    "//python3", "//tools/python3", "//../x/python3", "python3", "./python3", "tools/python3", "python", "//", ".", "",
    "/nowhere/python3", "/dev/null", "/", "x" * 900, "//python3\x00", "\\\\server\\python3", "C:python3", "~/python3",
)  # fmt: skip
