"""Runs inside a real Blender with a window: finds the buttons of the tab with the pointer, and clicks every one."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy
from in_hands import (
    Steps,
    button_of,
    click,
    command_under_pointer,
    done_with_work,
    drag,
    extension,
    height,
    hovered,
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
)

menus = extension("ui.settings.menus")
mapping = extension("ui.job.mapping")
own_speed = extension("ui.job.own_speed")
status = extension("ui.base.status").status

SCREENS = (0, 7)  # notches of the wheel to each next part of the tab
STYLES = 5  # which item of the menu of On the Way has the styles at this frame
LATER = ("biped.bake_walk", "biped.try_strides", "biped.cancel")  # they are pressed by themselves
result: dict[str, Any] = {"bake": {}, "clicked": []}


def steps() -> Steps:
    """Look where Bake Walk is, click all, add a path, drag the speed, add a marker, try three strides, search."""
    yield from show_tab()
    yield from look_at_the_button()
    yield from click_everything()
    yield from add_path_from_the_menu()
    yield from drag_speed()
    yield from add_marker()
    yield from try_strides()
    yield from search()


def look_at_the_button() -> Steps:
    """Note with each controller where Bake Walk is, at the scale of the user interface that Blender begins with."""
    own = bpy.context.preferences.view.ui_scale
    bpy.context.preferences.view.ui_scale = 1.0
    yield from settled(1.0)
    for name in [item[0] for item in menus.controller_items()]:
        walk().controller = name
        yield from settled(0.5)
        x, y = yield from button_of("biped.bake_walk")
        result["bake"][name] = {"x": x, "y": y, "seen": y < height() - sidebar().y - row()}
        photograph(f"tab-1-{name}")
    bpy.context.preferences.view.ui_scale = own
    walk().controller = "generalized"
    yield from settled(0.5)


def click_everything() -> Steps:
    """Click each button of the tab, of whatever it is; leave each menu and file dialog by Esc."""
    clicked: set[str] = set()
    yield from toggle_section("Baking")
    yield from toggle_section("Style")
    for notches in SCREENS:
        if notches:
            yield from scroll(notches)
        for name, x, y in (yield from buttons()):
            if name not in clicked:
                clicked.add(name)
                result["clicked"].append({"button": name, "wrong": (yield from click_and_leave(x, y))})
        photograph(f"tab-2-clicked-{notches}")
    yield from scroll(-sum(SCREENS))
    yield from toggle_section("Style")
    yield from toggle_section("Baking")
    for name in ("one_stride", "body_parts"):
        mapping.character_object(bpy.context).biped.property_unset(name)  # the search bakes a whole walk


def click_and_leave(x: int, y: int) -> Generator[float, None, str]:
    """Click a button, and leave what it opened by Esc; return the error that it raised, "" for none."""
    before, wrong = len(bpy.context.window_manager.windows), ""
    try:
        yield from click(x, y)
        mouse("key", "Escape")
        yield from settled(0.4)
    except RuntimeError as error:
        wrong = str(error)
    while len(bpy.context.window_manager.windows) > before:  # a file dialog is a window
        mouse("key", "Escape")
        yield from settled(0.5)
    bpy.context.scene.biped.show_preview = False  # it would move what is below it
    mouse("mousemove", 700, 450)
    yield from settled(0.2)
    return wrong


def buttons() -> Generator[float, None, list[tuple[str, int, int]]]:
    """Return what can be clicked in the tab as it is: its name and place, each once."""
    region = sidebar()
    top = height() - (region.y + region.height)
    found: dict[str, tuple[int, int]] = {}
    for share in (0.3, 0.7, 0.82, 0.87, 0.9):
        x = region.x + round(share * region.width)
        for y in range(top + 10, top + region.height - 10, 9):
            mouse("mousemove", x, y)
            yield 0.03
            name = hovered() or command_under_pointer().removeprefix("bpy.ops.").partition("(")[0]
            if name and name not in LATER:
                found.setdefault(name, (x, y + 3))
    return [(name, *place) for name, place in found.items()]


def add_path_from_the_menu() -> Steps:
    """Add a path by Shift A and typing, take one of the panel back, and note what is there."""
    yield from in_view("shift+a")
    mouse("type", "--delay", 60, "ground path")
    yield from settled(1.0)
    photograph("tab-3-add-menu")
    mouse("key", "Return")
    yield from settled(1.0)
    path, active = walk().path, bpy.context.view_layer.objects.active
    result["added"] = {"path": path.name if path else "", "active": active.name if active else ""}
    photograph("tab-4-added")
    count = len(bpy.data.objects)
    yield from click(*(yield from button_of("biped.add_path")))
    more = len(bpy.data.objects)
    yield from in_view("ctrl+z")
    again = walk().path.name == result["added"]["active"]
    result["undone"] = again and more == count + 1 and len(bpy.data.objects) == count


def drag_speed() -> Steps:
    """Drag the speed far to the right and to the left: it stops at the ends of its range."""
    walk().controller, walk().preset = "simbicon", "fast_walk"
    yield from settled(0.5)
    speeds = own_speed.rule_of_walk(walk()).speeds
    ends = []
    for far in (800, -800):
        place = yield from place_of("speed")
        yield from drag(*place, far)
        ends.append(round(walk().speed, 3))
    result["dragged"] = {"ends": ends, "range": [round(speeds.fastest, 3), round(speeds.slowest, 3)]}
    photograph("tab-5-speed")


def add_marker() -> Steps:
    """Open Path and Points, and add a marker by the plus of On the Way, its menu and the styles in that."""
    yield from toggle_section("Path and Points")
    _, y = yield from place_of("stop")
    photograph("tab-6-on-the-way")
    yield from click(sidebar().x + sidebar().width - round(2.4 * row()), y + round(3.0 * row()))
    for _ in range(STYLES):
        mouse("key", "Down")
    mouse("key", "Right")
    yield from settled(0.5)
    photograph("tab-6-styles")
    mouse("key", "Return")
    yield from settled(0.5)
    yield from toggle_section("Path and Points")
    result["markers"] = [mark.name for mark in bpy.context.scene.timeline_markers]


def try_strides() -> Steps:
    """Press Try Three Strides, and note what it says."""
    walk().controller = "natural"
    yield from settled(0.5)
    actions = set(bpy.data.actions.keys())
    x, y = yield from button_of("biped.try_strides")
    yield from click(x, y)
    yield from done_with_work()
    yield from settled(0.5)
    result["strides"] = {"message": status.message, "keyed": set(bpy.data.actions.keys()) != actions}
    photograph("tab-9-strides")


def search() -> Steps:
    """Find Bake Walk by F3."""
    walk().controller = "klaw"
    before = set(bpy.data.actions.keys())
    yield from in_view("F3")
    mouse("type", "--delay", 60, "bake walk")
    yield from settled(1.0)
    photograph("tab-7-search")
    mouse("key", "Return")
    yield from done_with_work(begins=1.5)
    yield from settled(1.0)
    result["search"] = {"baked": set(bpy.data.actions.keys()) != before, "message": status.message}
    photograph("tab-8-baked")


def in_view(key: str) -> Steps:
    """Press a key with the pointer over the 3D view."""
    region = next(r for r in view().regions if r.type == "WINDOW")
    mouse("mousemove", region.x + region.width // 3, height() - (region.y + region.height // 2))
    yield from settled(0.4)
    mouse("key", key)
    yield from settled(0.7)


def walk() -> Any:
    """Return the settings of the walk that the panel is about."""
    return mapping.walk_of(bpy.context)
