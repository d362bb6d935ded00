"""Runs inside a real Blender with a window: bakes are cancelled, killed and taken back, again and again, by chance.

After each the scene, as data, must be what it was; no process and no folder may be left. Then the preferences' Test
button tries a Python that works, one without PyBullet, and a path to nothing.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
from in_background import keys
from in_hands import (
    MODULE,
    OUT,
    Steps,
    extension,
    photograph,
    show_tab,
    sidebar,
    until,
    view,
    window,
)

status = extension("ui.base.status").status
mapping = extension("ui.job.mapping")
trial = extension("ui.panels.preferences_panel").trial
ROUNDS = int((OUT / "rounds.txt").read_text(encoding="ascii"))  # of each
TEMPORARY = OUT / "temporary"  # where workers have their folders
WAYS = ("cancel", "kill", "undo")
SHORT = 0.3  # of the path
CALM = "klaw"  # is computed at once
result: dict[str, Any] = {"rounds": dict.fromkeys(WAYS, 0), "wrong": [], "slowest_s": 0.0, "tested": []}


def steps() -> Steps:
    """Do all rounds in an order by chance, then try the button."""
    TEMPORARY.mkdir()
    tempfile.tempdir = str(TEMPORARY)
    yield from show_tab()
    path = mapping.walk_of(bpy.context).path
    chance = random.Random(1)
    order = [way for way in WAYS for _ in range(ROUNDS)]
    chance.shuffle(order)
    for i, way in enumerate(order):
        walk = mapping.walk_of(bpy.context)
        walk.controller = CALM if way == "undo" else "generalized"
        path = walk.path
        path.scale = (SHORT, SHORT, SHORT) if way == "undo" else (1.0, 1.0, 1.0)
        yield 0.05
        bpy.ops.ed.undo_push(message="Before the round")
        before = contents()
        yield from (taken_back() if way == "undo" else ended_early(way, chance.uniform(0.0, 0.15)))
        if contents() != before:
            result["wrong"].append(f"round {i}, {way}: the scene has changed: {difference(before, contents())}")
        left = leftovers()
        if left:
            result["wrong"].append(f"round {i}, {way}: left are {left}")
        result["rounds"][way] += 1
        print(f"Round {i}: {way}; {len(result['wrong'])} wrong", flush=True)
    photograph("10-mischief")
    yield from try_pythons()


def ended_early(way: str, progress: float) -> Steps:
    """Bake and end it when it has come so far, or before it has begun."""
    press(lambda: bpy.ops.biped.bake_walk("INVOKE_DEFAULT"))
    yield from until(lambda: status.progress >= progress or not status.work)
    if not status.work:
        result["wrong"].append(f"{way}: the bake had ended: {status.message}")
        return
    began = time.monotonic()
    if way == "cancel":
        press(bpy.ops.biped.cancel)
    else:
        os.kill(status.work.runs[0].source.process_id, signal.SIGKILL)
    yield from until(lambda: not status.work)
    result["slowest_s"] = max(result["slowest_s"], time.monotonic() - began)
    said = "The walk was cancelled" if way == "cancel" else "SIGKILL"
    if said not in status.message:
        result["wrong"].append(f"{way}: it says {status.message!r}")


def taken_back() -> Steps:
    """Bake to the end, undo that, redo it, and undo it again."""
    before = contents()
    press(lambda: bpy.ops.biped.bake_walk("INVOKE_DEFAULT"))
    yield from until(lambda: not status.work)
    yield 0.1
    baked = contents()
    if baked == before:
        result["wrong"].append(f"undo: nothing was baked: {status.message}")
    for operator, wanted in ((bpy.ops.ed.undo, before), (bpy.ops.ed.redo, baked), (bpy.ops.ed.undo, before)):
        press(operator)
        yield 0.1
        if contents() != wanted:
            result["wrong"].append(f"{operator.idname()}: {difference(wanted, contents())}")


def try_pythons() -> Steps:
    """Open the preferences at the extension, and press Test for three Pythons."""
    bpy.ops.screen.userpref_show("INVOKE_DEFAULT")
    yield 1.0
    bpy.context.preferences.active_section = "ADDONS"
    bpy.data.window_managers[0].addon_search = "Biped"
    bpy.context.preferences.addons[MODULE].preferences.python = ""
    shown = bpy.context.window_manager.windows[-1]
    with bpy.context.temp_override(window=shown, area=shown.screen.areas[0]):
        bpy.ops.preferences.addon_expand(module=MODULE)
    for name, python in (("good", ""), ("without PyBullet", "/usr/bin/python3"), ("nothing", "/nowhere/python")):
        bpy.context.preferences.addons[MODULE].preferences.python = python
        yield 0.5
        with bpy.context.temp_override(window=shown, area=shown.screen.areas[0]):
            bpy.ops.biped.test_python("INVOKE_DEFAULT")
        yield from until(lambda: trial.worker is None)
        yield 1.0
        photograph(f"11-test-{name.replace(' ', '-')}")
        result["tested"].append([name, trial.message])


def contents() -> Any:
    """Return what must be as it was: objects, actions with all their keys, poses, the scene's frames."""
    armature = mapping.character_object(bpy.context)
    data = armature.animation_data
    return {
        "objects": sorted(o.name for o in bpy.data.objects),
        "actions": {a.name: keys(a) for a in bpy.data.actions},
        "action": data.action.name if data and data.action else None,
        "pose": [tuple(tuple(row) for row in bone.matrix_basis) for bone in armature.pose.bones],
        "scene": (bpy.context.scene.frame_current, bpy.context.scene.frame_end),
        "settings": (mapping.walk_of(bpy.context).controller, mapping.walk_of(bpy.context).preset),
    }


def difference(one: Any, other: Any) -> str:
    """Return what of the contents differs."""
    return ", ".join(
        f"{name}: {str(one[name])[:80]} / {str(other[name])[:80]}" for name in one if one[name] != other[name]
    )


def leftovers() -> list[str]:
    """Return processes that Blender has started and folders of workers."""
    lists = Path("/proc/self/task").glob("*/children")
    found = [number for tasks in lists for number in tasks.read_text(encoding="ascii").split()]
    return found + [folder.name for folder in TEMPORARY.iterdir()]


def press(button: Callable[[], Any]) -> None:
    """Call an operator as its button in the sidebar does."""
    with bpy.context.temp_override(window=window(), area=view(), region=sidebar()):
        try:
            button()
        except RuntimeError as error:
            print("Refused:", error)
