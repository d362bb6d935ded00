"""Runs inside a real Blender with a window: what is met is drawn, footholds are planned, and two walks bump."""

from __future__ import annotations

from typing import Any

import bpy
from in_hands import (
    Steps,
    button_of,
    choose,
    click,
    extension,
    inside,
    mouse,
    photograph,
    place_of,
    scroll,
    settled,
    show_tab,
    toggle_section,
    until,
    view,
)

found_overlay = extension("ui.view.found_overlay")
preview = extension("ui.view.preview")
status = extension("ui.base.status").status
mapping = extension("ui.job.mapping")
report = extension("ui.bake.result")

FIRST, SECOND = "metarig", "Second"
result: dict[str, Any] = {}


def steps() -> Steps:
    """Draw what is met by a click, preview it by another, and bake two walks that bump into each other."""
    furnish()
    yield from show_tab()
    look_along()
    yield from open_panel()
    yield from draw_what_is_met()
    yield from draw_nothing()
    yield from let_it_be_pulled()
    yield from show_footholds("bar")
    build_stairs()
    yield from show_footholds("stairs")
    clear()
    yield from bump()


def furnish() -> None:
    """Lay a straight path with things on and beside it, a push and a wind."""
    first = bpy.data.objects[FIRST]
    first.biped.walk.path = straight("One", (0.0, 0.0), (7.0, 0.0))
    kept = bpy.context.scene.biped
    kept.obstacles, kept.props = (bpy.data.collections.new(name) for name in ("Obstacles", "Props"))
    box("Bar", kept.obstacles, (2.2, 0.0, 0.1), (0.1, 1.4, 0.2))
    box("Beam", kept.obstacles, (4.6, 0.0, 1.65), (0.1, 1.6, 0.1))
    box("Block", kept.obstacles, (3.2, 1.2, 0.4), (0.8, 0.8, 0.8))
    box("Wall", kept.obstacles, (6.0, 0.0, 0.6), (0.1, 1.4, 1.2))
    box("Crate", kept.props, (2.8, -0.9, 0.15), (0.3, 0.3, 0.3))
    bpy.context.view_layer.objects.active = first
    bpy.context.scene.frame_set(60)
    bpy.ops.biped.add_push(direction="LEFT", force=60.0)
    bpy.context.scene.frame_set(1)
    bpy.ops.object.effector_add(type="WIND", location=(1.0, 2.5, 1.0), rotation=(1.5708, 0.0, 0.0))
    bpy.context.active_object.field.strength = 20.0
    activate(first)
    bpy.ops.ed.undo_push(message="Things")


def look_along() -> None:
    """Look at the path from its side."""
    region = view().spaces.active.region_3d
    region.view_perspective, region.view_rotation = "PERSP", (0.80, 0.55, 0.13, 0.19)
    region.view_location, region.view_distance = (3.4, 0.0, 0.5), 9.0


def open_panel() -> Steps:
    """Click the header of Scene, that hides its settings at first."""
    yield from toggle_section("Scene")
    yield from settled(1.0)
    photograph("12-scene-opened")


def draw_what_is_met() -> Steps:
    """Click Draw in View: each kind of thing has its colour; another click, and none of it is drawn."""
    place = yield from place_of("show_found")
    yield from click(*place)
    yield from until(lambda: found_overlay.shown_marks() is not None and found_overlay.is_drawn())
    yield from settled(0.5)
    photograph("12-scene-drawn")
    marks = found_overlay.shown_marks()
    result["drawn"] = {group: len(lines) for group, lines in marks.lines.items()}
    bpy.data.objects["Wall"].location.y = 2.5
    yield from until(lambda: "refused" not in found_overlay.shown_marks().lines)
    yield from settled(0.5)
    photograph("12-scene-moved")
    result["moved"] = {group: len(lines) for group, lines in found_overlay.shown_marks().lines.items()}


def draw_nothing() -> Steps:
    """Click it again."""
    yield from click(*(yield from place_of("show_found")))
    result["off"] = not bpy.context.scene.biped.show_found
    photograph("12-scene-off")
    bpy.context.scene.biped.show_found = True


def let_it_be_pulled() -> Steps:
    """Select the crate, click its switch in On the Way and choose Pull It; take both back."""
    crate = bpy.data.objects["Crate"]
    activate(crate)
    bpy.ops.ed.undo_push(message="Select")
    yield from settled(0.5)
    yield from click_header_of_on_the_way()
    yield from scroll(8)
    yield from click(*(yield from place_of("active")))
    result["target"] = crate.biped.target.active
    items = crate.biped.target.bl_rna.properties["taking"].enum_items
    place = yield from place_of("taking")
    yield from choose(
        place, [(item.name,) for item in items], "Pull It",
        lambda: items[crate.biped.target.taking].name, "12-scene-taking",
    )  # fmt: skip
    photograph("12-scene-pulled")
    result["taking"] = crate.biped.target.taking
    for _ in range(2):
        inside(view(), bpy.ops.ed.undo)
    yield from settled(0.5)
    result["not_taken"] = not bpy.data.objects["Crate"].biped.target.active
    bpy.data.objects["Crate"].biped.target.active = False
    activate(bpy.data.objects[FIRST])
    yield from click_header_of_on_the_way()
    yield from scroll(-60)


def click_header_of_on_the_way() -> Steps:
    """Open or close the panel that has the list."""
    yield from scroll(-60)
    yield from toggle_section("Path and Points")


def show_footholds(what: str) -> Steps:
    """Click Preview: footholds are there as soon as the walk begins to be simulated; see it whole, and click again."""
    x, y = yield from place_of("show_preview")
    mouse("mousemove", x, y, "sleep", 0.3, "click", 1)  # nothing settles: it has work to do
    yield from until(lambda: bool(preview.state().planned))
    yield 0.3
    photograph(f"12-scene-planned-{what}")
    planned = list(preview.state().planned)
    yield from until(preview.is_whole)
    yield from settled(0.5)
    photograph(f"12-scene-walked-{what}")
    mouse("mousemove", 700, 450)
    yield from click(x, y)
    result[what] = {
        "heights": sorted({round(float(one.outline[0, 2]), 3) for one in planned}),
        "places": [round(one.arc, 3) for one in planned],
        "off": not bpy.context.scene.biped.show_preview,
    }


def build_stairs() -> None:
    """Take all of it away, and put five steps up on the way of natural walking."""
    clear()
    kept = bpy.context.scene.biped
    kept.ground = bpy.data.collections.new("Stairs")
    box("Floor", kept.ground, (2.0, 0.0, -0.5), (8.0, 3.0, 1.0))
    for k in range(5):
        box(
            "Step", kept.ground, (5.0 + 0.18 * k, 0.0, 0.075 * (k + 1)), (6.0 - 0.36 * k, 2.9 - 0.1 * k, 0.15 * (k + 1))
        )
    activate(bpy.data.objects[FIRST])


def bump() -> Steps:
    """Click Bump Into Each Other and Bake All: two that meet are baked together."""
    first = bpy.data.objects[FIRST]
    second = first.copy()
    second.data = first.data.copy()
    second.name = SECOND
    bpy.context.scene.collection.objects.link(second)
    first.biped.walk.path = straight("There", (0.0, 0.0), (4.0, 0.0))
    second.biped.walk.path = straight("Back", (4.0, 0.25), (0.0, 0.25))
    activate(first)
    bpy.ops.ed.undo_push(message="Two that meet")
    yield from scroll(12)
    place = yield from place_of("bump")
    yield from click(*place)
    result["bump"] = bool(bpy.context.scene.biped.bump)
    photograph("12-scene-bump")
    yield from scroll(-60)
    yield from click(*(yield from button_of("biped.bake_all")))
    yield from until(lambda: status.work is not None, 10.0)
    photograph("12-scene-bumping")
    yield from until(lambda: status.work is None)
    yield from settled(0.5)
    result["message"] = status.message
    for armature in mapping.characters(bpy.context.scene):
        lines = report.result_lines(report.result_of(armature), bpy.context.scene.unit_settings)
        data = armature.animation_data
        result[armature.name] = {
            "keyed": bool(data and data.action), "told": [f"{line.name} {line.text}".strip() for line in lines],
        }  # fmt: skip
    bpy.context.scene.frame_set(80)
    yield from settled(0.5)
    photograph("12-scene-bumped")


def clear() -> None:
    """Leave only characters and paths."""
    for name in [thing.name for thing in bpy.data.objects if thing.type in ("MESH", "EMPTY")]:
        bpy.data.objects.remove(bpy.data.objects[name])
    kept = bpy.context.scene.biped
    kept.obstacles = kept.props = kept.ground = None


def activate(thing: Any) -> None:
    """Let an object be the only selected one."""
    for other in bpy.context.view_layer.objects.selected[:]:
        other.select_set(False)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing


def box(name: str, into: Any, place: tuple[float, float, float], size: tuple[float, float, float]) -> None:
    """Put a box into a collection."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    made = bpy.context.active_object
    made.name, made.scale = name, size
    into.objects.link(made)


def straight(name: str, begin: tuple[float, float], end: tuple[float, float]) -> Any:
    """Return a straight curve."""
    data = bpy.data.curves.new(name, "CURVE")
    spline = data.splines.new("POLY")
    spline.points.add(1)
    for point, (x, y) in zip(spline.points, (begin, end), strict=True):
        point.co = (x, y, 0.0, 1.0)
    curve = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(curve)
    return curve
