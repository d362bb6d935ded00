"""Runs inside a real Blender with a window: keeps a style of one's own of three controllers by clicks in the menu."""

from __future__ import annotations

from typing import Any

import bpy
from in_hands import (
    Steps,
    click,
    extension,
    mouse,
    photograph,
    place_of,
    row,
    settled,
    show_tab,
    sidebar,
    toggle_section,
    until,
)

fields = extension("ui.settings.fields")
known = extension("ui.base.styles")
walk_of = extension("ui.job.mapping").walk_of

CONTROLLERS = ("generalized", "simbicon", "klaw")
TWEAKED = 5  # sliders
PATIENCE = 60.0  # s for a picture: the style is simulated for it
result: dict[str, Any] = {}


def steps() -> Steps:
    """Tweak five sliders of each controller, and save them as a style."""
    yield from show_tab()
    yield from toggle_section("Style")
    for controller in CONTROLLERS:
        walk = walk_of(bpy.context)
        walk.controller = controller  # by a script, as the sliders are here: other scripts click and drag them
        walk.preset = next(iter(known.styles(controller)))
        changed = tweaked(controller)
        yield from settled(1.0)
        yield from save_as(f"My {controller}", controller)
        name = walk.preset_name
        yield from until(lambda own=controller: not known.without_picture(own), PATIENCE)
        yield from settled(0.5)
        result[controller] = {
            "name": name,
            "label": known.styles(controller)[name].label,
            "own": known.is_own(controller, name),
            "wanted": changed,
            "numbers": dict(known.style_numbers(controller, name)),
            "pictured": not known.without_picture(controller),
            "folder": str(known.own_folder()),
        }
        photograph(f"10-style-{controller}-saved")


def tweaked(controller: str) -> dict[str, float]:
    """Change five sliders of a controller; return their numbers by path."""
    walk = walk_of(bpy.context)
    kind, group = fields.kind_of(controller), getattr(walk, f"fields_{controller}")
    for slider in [s for s in kind.sliders if not s.number.whole][:TWEAKED]:
        own = group.bl_rna.properties[fields.slider_name(slider)]
        value, room = getattr(group, own.identifier), 0.03 * (own.hard_max - own.hard_min)
        setattr(group, own.identifier, value + room if value + room < own.hard_max else value - room)
    return dict(fields.changed_numbers(walk))


def save_as(label: str, controller: str) -> Steps:
    """Click Save Style As in the menu beside the presets, type a name, and press Return for it and for OK."""
    x, y = yield from place_of("preset")
    right = sidebar().x + sidebar().width
    x = right - 2 * row()  # the button with the arrow, before the tabs
    yield from click(x, y)
    photograph(f"10-style-{controller}-menu")
    yield from click(x + row(), y + 2 * row())
    yield from settled(1.0)
    mouse("click", 1)  # the dialog opens with its name under the pointer
    yield from settled(0.5)
    mouse("key", "ctrl+a")
    mouse("type", "--delay", "30", label)
    yield from settled(0.5)
    photograph(f"10-style-{controller}-name")
    mouse("key", "Return")
    yield from settled(0.5)
    mouse("key", "Return")
    yield from settled(1.0)
