"""Runs inside a real Blender with a window: presses the buttons, photographs, and writes what happened."""

from __future__ import annotations

import importlib
import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import bpy
from in_hands import (
    LONG,
    OUT,
    Steps,
    extension,
    inside,
    longest_wait,
    mouse,
    photograph,
    run_queue_times,
    scroll,
    show_tab,
    sidebar,
    until,
    view,
    view_all,
    window,
)

status = extension("ui.base.status").status
accuracy = extension("ui.bake.accuracy")
choices = extension("ui.bake.choices")
worker = extension("worker")
mapping = extension("ui.job.mapping")
report = extension("ui.bake.result")
END_WITHIN = 0.5  # s from Esc or Cancel to the end
TRIES = 3  # to end within that time: a busy machine may be late once
result: dict[str, Any] = {"blender": f"Blender {bpy.app.version_string}", "stall_s": 0.0, "passed_s": 0.0}


def steps() -> Steps:
    """Do everything that a user would."""
    yield from show_tab()
    result["panels"] = sorted(
        cls.bl_label for cls in bpy.types.Panel.__subclasses__() if getattr(cls, "bl_category", "") == "Biped"
    )
    photograph("1-panel")
    yield from bake_by_button()
    yield from refuse()
    result["end_within_s"] = END_WITHIN
    for way, tries in (("esc", TRIES), ("cancel", TRIES), ("kill", 1)):
        result[way] = []
        for _ in range(tries):
            yield from end_early(way)
            if result[way][-1]["seconds"] < END_WITHIN:
                break
    yield from undo()


def bake_by_button() -> Steps:
    """Press Bake Walk, wait for its end, keep the keyframes, measure the bake and look at what it tells and adds."""
    motions: list[Any] = []
    own = worker.Worker.result

    def kept(self: Any) -> Any:
        motions.append(own(self))
        return motions[-1]

    worker.Worker.result = kept
    settings = mapping.walk_of(bpy.context)
    settings.footprints = settings.markers = True
    press(lambda: bpy.ops.biped.bake_walk("INVOKE_DEFAULT"))
    yield from watched(lambda: status.progress > 0.3 or not status.work)
    result["progress"] = status.progress
    photograph("2-simulating")
    yield from watched(lambda: not status.work)
    worker.Worker.result = own
    yield 0.5
    result["message"] = status.message
    armature = mapping.character_object(bpy.context)
    action = armature.animation_data and armature.animation_data.action
    result["baked"] = bool(action)
    found = importlib.import_module("in_background").keys(action)
    (OUT / "window_keys.json").write_text(json.dumps(found), encoding="utf-8")
    result["keys"] = sum(len(values) // 2 for values in found.values())
    first, last = (int(f) for f in action.frame_range)
    sharing = choices.choices_of(armature).sharing
    far, turned = accuracy.bake_error(armature, motions[0], list(range(first, last + 1)), sharing)
    result["bake_error_mm"], result["bake_error_deg"] = far, turned
    lines = report.result_lines(report.result_of(armature), bpy.context.scene.unit_settings)
    result["told"] = [f"{line.name} {line.text}".strip() for line in lines]
    result["footprints"] = len(armature.biped.footprints.data.polygons)
    result["markers"] = "".join(m.name for m in action.pose_markers)
    bpy.context.scene.frame_set((first + last) // 2)
    view_all()
    yield from scroll(20)
    photograph("3-baked")
    yield from look_at_marks()


def look_at_marks() -> Steps:
    """Photograph the footprints from above, and the markers in an Action Editor; then put the editor back."""
    area = view()
    other = next(a for a in window().screen.areas if a.type == "PROPERTIES")
    other.type = "DOPESHEET_EDITOR"
    other.spaces.active.mode, other.spaces.active.show_pose_markers = "ACTION", True
    other.spaces.active.show_region_channels = other.spaces.active.show_region_ui = False
    inside(area, lambda: bpy.ops.view3d.view_axis(type="TOP"))
    yield 0.5
    inside(area, bpy.ops.view3d.view_all)
    yield 0.5
    area.spaces.active.region_3d.view_distance *= 0.3
    inside(other, bpy.ops.action.view_all)
    yield 1.0
    photograph("4-footprints")
    other.type = "PROPERTIES"
    yield 0.5


def refuse() -> Steps:
    """Ask for a path that cannot be walked, to see how that is told."""
    path = mapping.walk_of(bpy.context).path
    path.scale = (0.005, 0.005, 0.005)
    press(lambda: bpy.ops.biped.bake_walk("INVOKE_DEFAULT"))
    yield 0.7
    photograph("5-refused")
    path.scale = (1.0, 1.0, 1.0)
    yield 0.3


def end_early(way: str) -> Steps:
    """Press Bake Walk and end it while it runs: by the Esc key, by the Cancel button, by killing the worker."""
    before = contents()
    press(lambda: bpy.ops.biped.bake_walk("INVOKE_DEFAULT"))
    yield from watched(lambda: status.progress > 0.1 or not status.work)
    process = status.work.runs[0].source.process_id
    began = time.monotonic()
    if way == "esc":
        region = sidebar()
        mouse("mousemove", region.x + region.width // 2, 450, "key", "Escape")
    elif way == "cancel":
        press(bpy.ops.biped.cancel)
    else:
        os.kill(process, signal.SIGKILL)
    yield from watched(lambda: not status.work, pause=0.01)
    seconds = time.monotonic() - began
    result[way].append({
        "seconds": seconds, "message": status.message, "unchanged": contents() == before, "gone": not lives(process),
    })  # fmt: skip
    yield 0.5
    photograph(f"6-{way}")


def undo() -> Steps:
    """Take the walk back, as Ctrl Z does."""
    walks = [a.name for a in bpy.data.actions]
    press(bpy.ops.ed.undo)
    yield 0.5
    armature = mapping.character_object(bpy.context)
    data = armature.animation_data
    result["undone"] = bool(walks) and not bpy.data.actions and not (data and data.action) and not bpy.data.meshes


def contents() -> Any:
    """Return what must not change when a walk is given up."""
    armature = mapping.character_object(bpy.context)
    return (
        sorted(o.name for o in bpy.data.objects),
        {a.name: len(a.fcurves) for a in bpy.data.actions},
        armature.animation_data.action.name,
        [tuple(tuple(row) for row in bone.matrix_basis) for bone in armature.pose.bones],
        (bpy.context.scene.frame_current, bpy.context.scene.frame_end),
    )


def lives(process: int) -> bool:
    """Return whether a process still exists, be it as a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def watched(done: Callable[[], bool], seconds: float = LONG, pause: float = 0.02) -> Steps:
    """Wait for something; note the longest time that Blender let pass between two looks while it simulates.

    Less what other programs of the machine took of it, since Blender was ready then and had no processor.
    """
    for wait in until(done, seconds, pause):
        asleep, queued = time.monotonic(), run_queue_times()
        yield wait
        if status.work:  # afterwards it bakes
            passed = time.monotonic() - asleep - pause
            own = passed - longest_wait(queued, run_queue_times())
            result["stall_s"], result["passed_s"] = max(result["stall_s"], own), max(result["passed_s"], passed)


def press(button: Callable[[], Any]) -> None:
    """Call an operator as its button in the sidebar does."""
    with bpy.context.temp_override(window=window(), area=view(), region=sidebar()):
        try:
            button()
        except RuntimeError as error:  # what an operator reports as an error
            print("Refused:", error)
