"""Runs inside a real Blender with a window: adds, drags, moves and removes points along the path by the pointer."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy
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
    scroll,
    settled,
    show_tab,
    sidebar,
    toggle_section,
    view,
    window,
)

path_handles = extension("ui.view.path_handles")
mapping = extension("ui.job.mapping")
request = extension("ui.job.request")
preview = extension("ui.view.preview")

SLOW = 0.6  # m/s, of the first point: the walk's last frame says where that begins
ADD, REMOVE, UP, DOWN = 3.0, 4.0, 5.2, 6.2  # rows of the small buttons below Stop at the End
result: dict[str, Any] = {}


def steps() -> Steps:
    """Open the panel, add two points by clicks, drag one, let them change places, remove one, undo."""
    walk().controller = "klaw"  # its preview is there at once: simulating one keeps a small machine from drawing
    bpy.context.scene.biped.show_preview = True
    yield from show_tab()
    inside(view(), lambda: bpy.ops.view3d.view_axis(type="TOP"))
    inside(view(), bpy.ops.view3d.view_all)
    yield from settled(1.0)
    yield from open_panel()
    yield from add_two()
    yield from drag_one()
    yield from change_places()
    yield from remove_and_undo()


def open_panel() -> Steps:
    """Click the header of Path and Points: On the Way is open in it."""
    yield from toggle_section("Path and Points")
    yield from settled(1.0)
    yield from scroll(8)
    photograph("10-points-none")


def add_two() -> Steps:
    """Click the plus twice, and choose the first of its menu: a speed."""
    for _ in range(2):
        yield from click(*(yield from button_of(ADD)))
        mouse("key", "Down", "key", "Return")
        yield from settled(0.5)
    result["added"] = [round(point.place, 3) for point in walk().points]
    walk().points[0].speed_mps = SLOW
    yield from settled(1.0)
    result["before"] = {"place": walk().points[0].place, "duration": duration()}
    photograph("10-points-added")


def drag_one() -> Steps:
    """Drag the first point to a tenth of the path in the 3D view, and look at it on the way."""
    begin = on_screen(walk().points[0].place)
    end = on_screen(0.1 * length())
    mouse("mousemove", begin[0] - 30, begin[1])
    yield from settled(0.3)
    mouse("mousemove", *begin)
    yield from settled(0.5)
    photograph("10-points-hovered")
    mouse("mousedown", 1)
    for i in range(1, 9):
        yield from settled(0.1)
        share = i / 8
        mouse("mousemove", *(round(a + share * (b - a)) for a, b in zip(begin, end, strict=True)))
    yield from settled(1.0)
    photograph("10-points-dragged")
    result["while_dragged"] = {"place": walk().points[0].place, "duration": duration()}
    mouse("mouseup", 1)
    yield from settled(1.0)
    result["dragged"] = {"place": walk().points[0].place, "to": 0.1 * length(), "active": walk().active_point}
    mouse("mousemove", 700, 450)
    inside(view(), bpy.ops.ed.undo)
    yield from settled(1.0)
    result["undone"] = walk().points[0].place
    inside(view(), bpy.ops.ed.redo)
    yield from settled(1.0)
    result["redone"] = walk().points[0].place


def change_places() -> Steps:
    """Click the arrow down: the active point goes behind its neighbour."""
    before = [point.place for point in walk().points]
    active = walk().active_point
    up = walk().points[active].place == max(before)
    place = yield from button_of(UP if up else DOWN)
    yield from click(*place)
    result["moved"] = {"before": before, "after": [point.place for point in walk().points]}
    photograph("10-points-moved")


def remove_and_undo() -> Steps:
    """Click the minus, and take it back."""
    yield from click(*(yield from button_of(REMOVE)))
    result["left"] = len(walk().points)
    inside(view(), bpy.ops.ed.undo)
    yield from settled(0.5)
    result["back"] = len(walk().points)
    photograph("10-points-back")


def walk() -> Any:
    """Return the walk of the panel's character."""
    return mapping.character_object(bpy.context).biped.walk


def length() -> float:
    """Return the length of the path, m."""
    return float(request.read_request(bpy.context).job.path.length)


def duration() -> float:
    """Return how long the shown walk is, s; 0 for none."""
    shown = preview.shown()
    return float(shown.duration) if shown else 0.0


def on_screen(place: float) -> tuple[int, int]:
    """Return where a place of the path, m, is on the screen."""
    region = next(r for r in view().regions if r.type == "WINDOW")
    space = view().spaces.active
    with bpy.context.temp_override(window=window(), area=view(), region=region, region_data=space.region_3d):
        shown = path_handles.way.read_now(bpy.context)
        (seen,) = path_handles.projected(bpy.context, shown.places([place]))
    return round(region.x + seen[0]), round(height() - region.y - seen[1])


def button_of(rows: float) -> Generator[float, None, tuple[int, int]]:
    """Return the middle of one of the small buttons beside the list, so many rows below the last switch of Path."""
    _, y = yield from place_of("stop")
    region = sidebar()
    return region.x + region.width - round(2.4 * row()), y + round(rows * row())
