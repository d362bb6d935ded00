"""Runs inside a real Blender with factory settings: from nothing to a walk that plays, by pointer and keys alone.

Every click and key is counted from when the character and the curve are there.
"""

from __future__ import annotations

import time
from typing import Any

import addon_utils
import bpy
import in_hands
from in_hands import (
    MODULE,
    OUT,
    Steps,
    done_with_work,
    extension,
    height,
    mouse,
    photograph,
    settled,
    sidebar,
    view,
    window,
)

ZIP = next(OUT.parent.glob("*.zip"))
result: dict[str, Any] = {"clicks": [], "seconds": 0.0}


def steps() -> Steps:
    """Install, add the character and a curve, and bake and play with counted clicks."""
    yield from settled(1.0)
    yield from install()
    yield from add_objects()
    began = time.monotonic()
    yield from show_tab()
    yield from use_and_bake()
    yield from play()
    result["seconds"] = time.monotonic() - began
    photograph("first-walk-6-plays")


def install() -> Steps:
    """Drop the zip as a person does; what the file dialog and the drop call is called by its name."""
    bpy.ops.extensions.package_install_files(filepath=str(ZIP), repo="user_default", enable_on_install=True)
    addon_utils.enable("rigify", default_set=True)
    yield from settled(1.0)
    result["installed"] = MODULE in bpy.context.preferences.addons
    photograph("first-walk-1-installed")


def add_objects() -> Steps:
    """Take the cube away, and add Rigify's human and a Bezier curve by the keys and the search of the Add menu."""
    yield from press_in_view("Escape")  # the splash screen
    yield from press_in_view("a")
    yield from press_in_view("Delete")
    yield from add("human meta")
    yield from add("bezier")
    curve = bpy.context.view_layer.objects.active
    curve.scale = (4.0, 4.0, 1.0)
    yield from settled(0.5)
    result["objects"] = sorted(thing.type for thing in bpy.context.scene.objects)
    photograph("first-walk-2-objects")


def add(name: str) -> Steps:
    """Open the Add menu and type a name: Blender's menus are searched by typing."""
    yield from press_in_view("shift+a")
    mouse("type", "--delay", 60, name)
    yield from settled(1.0)
    mouse("key", "Return")
    yield from settled(1.0)


def press_in_view(key: str) -> Steps:
    """Press a key with the pointer over the 3D view, without a button below it."""
    mouse("mousemove", *middle())
    yield from settled(0.3)
    mouse("key", key)
    yield from settled(0.6)


def middle() -> tuple[int, int]:
    """Return the middle of the 3D view on the screen."""
    region = next(r for r in view().regions if r.type == "WINDOW")
    return region.x + region.width // 3, height() - (region.y + region.height // 2)


def counted(what: str) -> None:
    """Count a click or a key."""
    result["clicks"].append(what)


def show_tab() -> Steps:
    """Press N over the 3D view, and click the tab."""
    mouse("mousemove", *middle())
    yield from settled(0.3)
    mouse("key", "n")
    counted("N")
    yield from settled(1.0)
    region = sidebar()
    x = region.x + region.width - 10
    y = height() - (region.y + region.height) + 20
    while region.active_panel_category != "Biped" and y < height() - region.y:
        mouse("mousemove", x, y, "click", 1)  # where the tab is, a person sees
        yield from settled(0.15)
        y += 25
    counted("the tab Biped")
    assert region.active_panel_category == "Biped"
    photograph("first-walk-3-tab")


def use_and_bake() -> Steps:
    """Click the button that offers the curve, and Bake Walk; wait for its end."""
    yield from in_hands.click(*(yield from in_hands.button_of("biped.use_path")))
    counted("Use 'BezierCurve' as Path")
    result["path"] = bool(armature().biped.walk.path)
    yield from in_hands.click(*(yield from in_hands.button_of("biped.bake_walk")))
    counted("Bake Walk")
    yield from done_with_work()
    yield from settled(1.0)
    data = armature().animation_data
    result["baked"] = bool(data and data.action)
    result["message"] = extension("ui.base.status").status.message
    photograph("first-walk-5-baked")


def armature() -> Any:
    """Return the character."""
    return next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")


def play() -> Steps:
    """Press Space over the 3D view."""
    mouse("mousemove", *middle())
    yield from settled(0.3)
    mouse("key", "space")
    counted("Space")
    yield 2.0
    result["plays"] = bool(window().screen.is_animation_playing)
    bpy.ops.screen.animation_cancel(restore_frame=False)
    yield 0.5
