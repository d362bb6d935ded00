"""Runs inside a real Blender with a window: makes one shot of a character with a skin by pointer and keys, in one bake.

It walks sad, happy, jogs, walks, picks up a crate, carries it up three steps and sets it down.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import bpy
import in_points
import numpy as np
import shot_scene
from bpy_extras.view3d_utils import location_3d_to_region_2d
from in_hands import (
    OUT,
    Steps,
    button_of,
    choose,
    click,
    done_with_work,
    extension,
    height,
    mouse,
    photograph,
    place_of,
    place_of_menu,
    row,
    scroll,
    settled,
    show_tab,
    sidebar,
    toggle_section,
    type_number,
    view,
)

mapping = extension("ui.job.mapping")
menus = extension("ui.settings.menus")
on_way = extension("ui.job.on_way.rows").on_way
report = extension("ui.bake.result")
shown_walk = extension("ui.view.walk_shown").shown_walk
status = extension("ui.base.status").status
worker = extension("worker")

STYLE, PICK_UP, SET_DOWN = "t", "p", "d"
"""The letters that are underlined in the menu of On the Way."""
LIST = 3  # rows from the plus to the settings at least
LONGEST = 300.0  # s of the bake
ABOVE = 0.2  # m that the crate is carried above where it lies
FLIGHT = 0.03  # s that a body bears nothing, at least, of a run
result: dict[str, Any] = {}
_motions: list[Any] = []


def steps() -> Steps:
    """Lay the scene out, make each row by clicks, bake, look at what came of it, and take it back."""
    began = time.monotonic()
    lay_out()
    yield from show_tab()
    yield from toggle_section("Style")
    yield from choose_style("preset", menus.preset_menu("natural"), shot_scene.BEGINS, 0)
    yield from toggle_section("Style")
    yield from choose_ground()
    yield from in_points.open_panel()
    for place, style in shot_scene.CHANGES:
        yield from add_style(place, style)
    yield from look_at_stairs()
    yield from take_crate()
    yield from set_it_down()
    yield from settled(2.0)  # what the scene refuses is read
    photograph("15-shot-rows")
    note_rows()
    yield from bake()
    note_walk()
    bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "shot.blend"), copy=True, compress=True)
    yield from undo()
    result["seconds"] = time.monotonic() - began


def lay_out() -> None:
    """Put the character and the scene into the file in place of what is there."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    armature = shot_scene.add_character(OUT.parent / shot_scene.CHARACTER)
    shot_scene.furnish(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.ed.undo_push(message="Scene")


def add_style(place: float, style: str) -> Steps:
    """Add a style at the place, by the plus, a number and a menu."""
    plus = yield from add(STYLE)
    x, y = yield from place_of("place", plus + LIST * row())
    yield from type_number((x, y), place)
    point = walk().points[walk().active_point]
    items = [(item[0],) for item in extension("ui.settings.path_points")._style_items(point)]
    yield from choose_style("style", items, style, y + row())
    photograph(f"15-shot-{style}")


def take_crate() -> Steps:
    """Click the crate in the 3D view, and let it be picked up."""
    yield from click(*on_screen(bpy.data.objects["Crate"].location))
    yield from add(PICK_UP)


def set_it_down() -> Steps:
    """Put the 3D cursor on the last step by a click with Shift and the right button, and let it be set down there."""
    x, y = on_screen(shot_scene.place_down())
    mouse("mousemove", x - 3, y)
    yield from settled(0.3)
    mouse("mousemove", x, y)
    yield from settled(0.3)
    for what in (("keydown", "shift"), ("mousedown", 3), ("mouseup", 3), ("keyup", "shift")):
        mouse(*what)
        yield from settled(0.3)
    yield from add(SET_DOWN)


def choose_ground() -> Steps:
    """Open Scene, which stays open, and choose the collection of the steps."""
    yield from toggle_section("Scene")
    yield from click(*(yield from place_of("ground")))
    mouse("type", "--delay", 60, bpy.data.objects["Floor"].users_collection[0].name)
    yield from settled(0.5)
    mouse("key", "Return")
    yield from settled(0.5)
    yield from scroll(-60)


def bake() -> Steps:
    """Click Bake Walk once, and wait for its end."""
    own = worker.Worker.result

    def kept(self: Any) -> Any:
        _motions.append(own(self))
        return _motions[-1]

    worker.Worker.result = kept
    yield from scroll(-60)
    yield from click(*(yield from button_of("biped.bake_walk")))
    began = time.monotonic()
    yield from done_with_work(LONGEST)
    result["bake_s"] = time.monotonic() - began
    worker.Worker.result = own
    yield from settled(1.0)
    photograph("15-shot-baked")


def note_rows() -> None:
    """Note what the list says before the bake, and what of it cannot be done."""
    shown = shown_walk(bpy.context)
    found = on_way(shown)
    result["rows"] = [(row.kind.text(shown, row), row.place) for row in found.rows]
    result["wrong"] = [*found.notes, *(text for row in found.rows for text in row.wrong)]
    result["ground"] = bpy.context.scene.biped.ground.name


def note_walk() -> None:
    """Note what was baked: keys, styles in order, flights and where they are, the crate's way, how feet slide."""
    found = report.result_of(armature())
    action, scene, crate = armature().animation_data.action, bpy.context.scene, bpy.data.objects["Crate"]
    result["message"], result["gaits"] = status.message, action.biped.gaits
    result["outcome"], result["fallback"] = found.summary.outcome, found.summary.fallback
    result["slip_m"] = [found.summary.slip_median, found.summary.slip_worst]
    result["keys"] = sum(len(curve.keyframe_points) for curve in action.fcurves)
    result["frames"] = [round(frame) for frame in action.frame_range]
    result["scene_end"] = scene.frame_end
    heights = []
    for frame in range(result["frames"][0], result["frames"][1] + 1, 6):
        scene.frame_set(frame)
        heights.append(crate.matrix_world.translation.z)
    scene.frame_set(result["frames"][1])
    lies, wanted = crate.matrix_world.translation, shot_scene.place_down()
    result["carried"] = max(heights) - heights[0] > ABOVE
    result["left_off_m"] = (lies - type(lies)((*wanted[:2], wanted[2] + 0.5 * shot_scene.SIZE[2]))).length
    result["flights"] = flights(_motions[-1])


def flights(motion: Any) -> list[float]:
    """Return how far along the path each flight begins, m. Who walks fast bears nothing for a moment: that is none."""
    free = (motion.loads.sum(axis=1) < 1e-6).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], free, [0])))).reshape(-1, 2)
    lasting = edges[(edges[:, 1] - edges[:, 0]) * (motion.times[1] - motion.times[0]) > FLIGHT]
    return [round(float(motion.command[first, 2]), 2) for first, _ in lasting]


def undo() -> Steps:
    """Press Ctrl Z once over the 3D view."""
    mouse("mousemove", 500, 450)
    yield from settled(0.3)
    mouse("key", "ctrl+z")
    yield from settled(2.0)
    data = armature().animation_data
    crate = bpy.data.objects["Crate"]
    result["undone"] = not bpy.data.actions and not (data and data.action) and len(walk().points) == 3
    result["crate_back"] = abs(crate.matrix_world.translation.y + shot_scene.CRATE) < 1e-4
    photograph("15-shot-undone")


def add(letter: str) -> Generator[float, None, int]:
    """Click the plus, and choose an item of its menu by its letter; return where the plus is, pixels from above."""
    y, region = (yield from plus_of_list()), sidebar()
    yield from click(region.x + region.width - round(2.4 * row()), y)
    mouse("key", letter)
    yield from settled(0.8)
    return y


def plus_of_list() -> Generator[float, None, int]:
    """Return where the plus is on the screen, pixels from above. The tab may have been scrolled since."""
    _, y = yield from place_of("stop")
    return int(y + round(in_points.ADD * row()))


def choose_style(what: str, items: Any, name: str, below: int) -> Steps:
    """Choose a style in a menu, the panel's or the active point's."""
    of = walk() if what == "preset" else walk().points[walk().active_point]
    place = yield from place_of_menu(what, items, below)
    yield from choose(place, items, name, lambda: str(getattr(of, f"{what}_name")))


def look_at_stairs() -> Steps:
    """Look at the crate and the steps from the side and above."""
    region = view().spaces.active.region_3d
    region.view_location, region.view_distance = (0.0, -26.5, 0.5), 11.0
    yield from settled(1.0)


def on_screen(place: Any) -> tuple[int, int]:
    """Return where a place of the scene is on the screen."""
    region = next(r for r in view().regions if r.type == "WINDOW")
    seen = location_3d_to_region_2d(region, view().spaces.active.region_3d, place)
    return round(region.x + seen[0]), round(height() - region.y - seen[1])


def armature() -> Any:
    """Return the character."""
    return next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")


def walk() -> Any:
    """Return its walk's settings."""
    return armature().biped.walk
