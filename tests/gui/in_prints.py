"""Runs inside a real Blender with a window: drags a footprint of the preview by the pointer, and takes it back."""

from __future__ import annotations

from typing import Any

import bpy
from in_hands import Steps, extension, height, inside, mouse, photograph, settled, show_tab, until, view, window

handles = extension("ui.view.print_handles")
mapping = extension("ui.job.mapping")
preview = extension("ui.view.preview")
shown_prints = extension("ui.view.shown_prints")
way = extension("ui.view.way")

PRINT = 5  # of the walk, which is dragged
FAR = 6  # pixels that it is dragged
result: dict[str, Any] = {}


def steps() -> Steps:
    """Show the handles, drag one, undo and redo that, take it back."""
    yield from show_tab()
    bpy.context.scene.biped.show_preview = bpy.context.scene.biped.edit_prints = True
    yield from until(preview.is_whole)
    way.read_now(bpy.context)
    inside(view(), lambda: bpy.ops.view3d.view_axis(type="TOP"))
    inside(view(), bpy.ops.view3d.view_all)
    yield from settled(1.5)
    photograph("11-prints")
    found = shown()
    result["prints"] = len(found)
    x, y = on_screen(found[PRINT].seen)
    mouse("mousemove", x - 30, y - 30)
    yield from settled(0.3)
    mouse("mousemove", x, y)
    yield from settled(0.5)
    photograph("11-print-hovered")
    mouse("mousedown", 1)
    for i in range(1, 9):
        yield from settled(0.1)
        mouse("mousemove", x, y + round(i * FAR / 8))
    yield from settled(0.5)
    photograph("11-print-dragged")
    mouse("mouseup", 1)
    yield from settled(2.0)
    yield from until(preview.is_whole)
    yield from settled(0.5)
    photograph("11-print-simulated")
    result["states"] = shown_prints.states(bpy.context, mapping.character_object(bpy.context))
    result["dragged"] = [[*own.place, *own.was] for own in walk().prints]
    mouse("mousemove", 700, 450)
    yield from settled(0.3)
    inside(view(), bpy.ops.ed.undo)
    yield from settled(0.5)
    result["undone"] = len(walk().prints)
    inside(view(), bpy.ops.ed.redo)
    yield from settled(0.5)
    result["redone"] = len(walk().prints)
    photograph("11-print-redone")
    inside(view(), lambda: bpy.ops.biped.reset_prints(every=True))
    yield from settled(0.5)
    result["reset"] = len(walk().prints)


def walk() -> Any:
    """Return the walk of the panel's character."""
    return mapping.character_object(bpy.context).biped.walk


def shown() -> list[Any]:
    """Return the handles that are in view, in the order of the walk."""
    region = next(r for r in view().regions if r.type == "WINDOW")
    space = view().spaces.active
    with bpy.context.temp_override(window=window(), area=view(), region=region, region_data=space.region_3d):
        found: list[Any] = handles.handles(bpy.context)
    return found


def on_screen(seen: tuple[float, float]) -> tuple[int, int]:
    """Return where a place of the 3D view's region is on the screen."""
    region = next(r for r in view().regions if r.type == "WINDOW")
    return round(region.x + seen[0]), round(height() - region.y - seen[1])
