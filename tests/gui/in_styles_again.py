"""Runs inside a real Blender that was started anew: chooses styles of one's own by clicks on their pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from in_hands import (
    OUT,
    Steps,
    button_of,
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
    toggle_section,
    view,
    window,
)

menus = extension("ui.settings.menus")
known = extension("ui.base.styles")
walk_of = extension("ui.job.mapping").walk_of
panel = extension("ui.panels.style_panel")

ACROSS = 8  # pictures in a row of Blender's menu
result: dict[str, Any] = {}


def steps() -> Steps:
    """Choose, bake, and export a style of each controller."""
    saved = json.loads((OUT / "styles.json").read_text(encoding="utf-8"))
    yield from show_tab()
    for controller, style in saved.items():
        walk = walk_of(bpy.context)
        walk.controller = controller
        walk.preset = next(iter(known.styles(controller)))
        yield from settled(1.0)
        yield from click_picture(controller, style["name"])
        result[controller] = {"clicked": style["name"], "chosen": walk.preset_name}
        photograph(f"11-style-{controller}-chosen")
        inside(view(), bpy.ops.biped.bake_walk)
        action = bpy.context.object.animation_data.action
        result[controller]["outcome"] = action.biped.outcome
        result[controller]["exported"] = yield from exported(style["name"])


def click_picture(controller: str, name: str) -> Steps:
    """Open the menu of pictures and click one."""
    x, y = yield from button_of("biped.show_styles")
    y -= round(2.5 * row())  # the button with the picture tells nobody its name
    yield from click(x, y)
    yield from settled(1.0)
    photograph(f"11-style-{controller}-pictures")
    walk = walk_of(bpy.context)
    names = [item[0] for item in menus.style_pictures(f"{controller}/{walk.preset_name}")]
    cell = panel.LARGE * round(20.0 * bpy.context.preferences.system.ui_scale)
    k = names.index(f"{controller}/{name}")
    left, top = popup(x, y, min(len(names), ACROSS) * cell)
    yield from click(round(left + (k % ACROSS + 0.5) * cell), round(top + (k // ACROSS) * (cell + row()) + 0.5 * cell))


def popup(x: int, y: int, wide: float) -> tuple[float, float]:
    """Return left and top of the menu that the button at a place has opened."""
    region = sidebar()
    return region.x + region.width - wide, y + 2 * row()


def exported(name: str) -> Any:
    """Choose Export Style in the menu beside the presets, and confirm the file; return whether it is there."""
    yield from toggle_section("Style")
    x, y = yield from place_of("preset")
    x = sidebar().x + sidebar().width - 2 * row()
    yield from click(x, y)
    yield from settled(0.5)
    mouse("key", "e")  # the letter that the menu underlines
    yield from settled(2.0)
    photograph("11-style-export")
    mouse("mousemove", window().width // 2, height() // 2)  # onto the file browser, a window of its own
    yield from settled(0.5)
    mouse("key", "Return")
    yield from settled(1.0)
    yield from toggle_section("Style")
    return (Path(bpy.data.filepath).parent / f"{name}.json").is_file()
