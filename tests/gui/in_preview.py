"""Runs inside a real Blender with a window: drags a point of the curve, watches, accepts and discards the preview."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from in_hands import (
    Steps,
    click,
    extension,
    height,
    inside,
    mouse,
    photograph,
    place_of,
    row,
    settled,
    show_tab,
    sidebar,
    until,
    view,
)

preview = extension("ui.view.preview")
accuracy = extension("ui.bake.accuracy")
choices = extension("ui.bake.choices")
worker = extension("worker")

MOVED = (90, 40)  # pixels by which the point is dragged
processes: list[int] = []
result: dict[str, Any] = {}


def steps() -> Steps:
    """Switch the preview on, drag, watch, scrub, accept, undo, discard, and delete what it shows."""
    note_processes()
    yield from show_tab()
    yield from switch_on()
    yield from drag_a_point()
    yield from scrub()
    yield from accept()
    yield from undo()
    yield from discard()
    yield from lose_the_armature()
    yield from other_file()
    yield 0.5
    result["left"] = [number for number in processes if lives(number)]


def note_processes() -> None:
    """Note each process that is started, and how many there are."""
    own = worker.Worker.__init__

    def noted(self: Any, process: Any, *more: Any) -> None:
        processes.append(process.pid)
        own(self, process, *more)

    worker.Worker.__init__ = noted


def switch_on() -> Steps:
    """Click the switch: KLAW answers, then the simulation. Nothing waits for Blender to settle: it has work to do."""
    x, y = yield from place_of("show_preview")
    mouse("mousemove", x, y, "sleep", 0.3, "click", 1)
    yield from until(lambda: bool(said()))
    result["ghost"] = said()
    yield from until(lambda: preview.state().walk is not None and bool(preview.progress()))
    result["begun"] = {"said": said(), "progress": preview.progress()}
    photograph("10-preview-begun")
    yield from until(preview.is_whole)
    yield 0.5
    photograph("10-preview-whole")
    result["whole"] = said()


def drag_a_point() -> Steps:
    """Drag the curve's last point in Edit mode, as G does it, and wait for the first picture and the whole walk."""
    curve = character().biped.walk.path
    bpy.context.view_layer.objects.active = curve
    before = preview.state().job
    mouse("mousemove", 700, 450)
    yield from settled(0.3)
    mouse("key", "Tab")
    yield from settled(0.5)
    yield from until(preview.is_whole)
    place = on_screen(curve.matrix_world @ curve.data.splines[0].bezier_points[-1].co)
    yield from click(*place)
    mouse("key", "g")
    yield 0.5
    for k in range(1, 9):
        mouse("mousemove", place[0] + k * MOVED[0] // 8, place[1] + k * MOVED[1] // 8)
        yield 0.1
    result["dragged"] = {"said": said(), "changed": preview.state().job != before}
    photograph("10-preview-dragged")
    mouse("click", 1)
    began = last = time.monotonic()
    job = preview.state().job
    queued = waits()
    while preview.state().walk is None or preview.state().job != job:
        assert time.monotonic() - began < 60.0, "waited too long"
        if preview.state().job != job:
            job, last, queued = preview.state().job, time.monotonic(), waits()
        yield 0.01
    passed, now = time.monotonic() - last, waits()
    own = passed - sum(max(after - before, 0.0) for before, after in zip(queued, now, strict=True))
    result["dragged"] |= {"first_picture_s": own, "passed_s": passed}
    photograph("10-preview-comes")
    yield from until(preview.is_whole)
    result["dragged"]["whole"] = said()
    mouse("key", "Tab")
    yield from settled(0.5)
    bpy.context.view_layer.objects.active = character()
    yield from until(preview.is_whole)


def waits() -> tuple[float, float]:
    """Return how long Blender's thread and the newest worker have waited for a processor that others had, seconds."""
    found = []
    for number in (os.getpid(), processes[-1]):
        try:
            found.append(1e-9 * float(Path(f"/proc/{number}/schedstat").read_text(encoding="ascii").split()[1]))
        except OSError:  # it has ended
            found.append(0.0)
    return found[0], found[1]


def scrub() -> Steps:
    """Go to other frames: the body goes along."""
    scene, found = bpy.context.scene, []
    for frame in (1, 60, 120):
        scene.frame_set(frame)
        yield from settled(0.3)
        found.append(list(preview.state().walk.place(preview.time_shown(bpy.context))[0][0]))
        photograph(f"10-preview-frame-{frame}")
    result["scrubbed"] = found


def accept() -> Steps:
    """Click Accept: the keys are there at once, from the motion that was shown."""
    motion, count = preview.state().walk.motion, len(processes)
    yield from press_below(0.25)
    yield from settled(0.5)
    data = character().animation_data
    action = data and data.action
    result["accepted"] = {"keyed": bool(action), "more_processes": len(processes) - count, "shown": shown()}
    if action:
        first, last = (int(f) for f in action.frame_range)
        frames, sharing = list(range(first, last + 1)), choices.choices_of(character()).sharing
        far, turned = accuracy.bake_error(character(), motion, frames, sharing)
        result["accepted"] |= {"off_mm": far, "off_deg": turned, "outcome": action.biped.outcome}
    photograph("10-preview-accepted")


def undo() -> Steps:
    """Take it back by one Ctrl Z: no keys, and the preview is there again."""
    mouse("mousemove", 700, 450)
    yield from settled(0.3)
    mouse("key", "ctrl+z")
    yield from settled(1.0)
    data = character().animation_data
    result["undone"] = {"keyed": bool(data and data.action), "shown": shown()}
    yield from until(preview.is_whole)


def discard() -> Steps:
    """Click Discard: there is no preview, and nothing is keyed."""
    yield from press_below(0.75)
    yield from settled(0.5)
    data = character().animation_data
    result["discarded"] = {"shown": shown(), "drawn": preview.shown() is not None, "keyed": bool(data and data.action)}
    photograph("10-preview-discarded")


def lose_the_armature() -> Steps:
    """Delete the armature while it is simulated; then take that back."""
    bpy.context.scene.biped.show_preview = True
    inside(view(), lambda: bpy.ops.ed.undo_push(message="Preview"))  # as a click on it does
    yield from until(lambda: preview.progress() is not None and preview.state().walk is not None)
    inside(view(), lambda: bpy.ops.object.select_all(action="DESELECT"))
    character().select_set(True)
    mouse("mousemove", 700, 450)
    yield from settled(0.3)
    mouse("key", "Delete")
    yield from settled(1.0)
    result["deleted"] = {"said": said(), "drawn": preview.shown() is not None, "runs": preview.progress() is not None}
    photograph("10-preview-deleted")
    mouse("key", "ctrl+z")
    yield from settled(1.0)
    yield from until(preview.is_whole)


def other_file() -> Steps:
    """Open an empty file while a walk is simulated."""
    character().biped.walk.speed_mps *= 0.9
    yield from until(lambda: preview.progress() is not None and preview.state().walk is not None)
    bpy.ops.wm.read_homefile(use_empty=True)
    yield from settled(1.0)
    result["other_file"] = {"drawn": preview.shown() is not None, "runs": preview.progress() is not None}


def press_below(side: float) -> Steps:
    """Click below the preview's switch, ever lower, until the preview is off: what says it comes first, then buttons.

    side: share of the sidebar's width from the left.
    """
    _, y = yield from place_of("show_preview")
    x = round(sidebar().x + side * sidebar().width)
    for halves in range(2, 20):
        yield from click(x, y + halves * row() // 2)
        if not shown():
            return
    raise AssertionError("no button below the switch turns the preview off")


def on_screen(place: Any) -> tuple[int, int]:
    """Return where a place of the world is on the screen."""
    area = view()
    region = next(r for r in area.regions if r.type == "WINDOW")
    x, y = location_3d_to_region_2d(region, area.spaces.active.region_3d, place)
    return round(region.x + x), round(height() - (region.y + y))


def character() -> Any:
    """Return the armature."""
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


def said() -> str:
    """Return what the panel says about the preview."""
    text: str = preview.message(bpy.context).text
    return text


def shown() -> bool:
    """Return whether the preview is on."""
    return bool(bpy.context.scene.biped.show_preview)


def lives(process: int) -> bool:
    """Return whether a process still exists, be it as a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
