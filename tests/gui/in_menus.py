"""Runs inside a real Blender with a window: chooses controllers and presets by clicks in their menus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from in_hands import (
    OUT,
    Steps,
    choose,
    columns_of,
    extension,
    photograph,
    place_of_menu,
    settled,
    show_tab,
    toggle_section,
)

menus = extension("ui.settings.menus")
mapping = extension("ui.job.mapping")

SHORT, THINNED = 8, 4  # items of which all are tried; of longer menus each fourth
ALL = (OUT / "all.txt").exists()
result: dict[str, Any] = {}


def steps() -> Steps:
    """Click every item of the menus of methods, of each one's styles, and of the rest of Style."""
    yield from show_tab()
    yield from toggle_section("Style")
    walk, character = mapping.walk_of(bpy.context), mapping.character_object(bpy.context).biped
    controllers = menus.controller_menu()
    yield from choose_each("controller", controllers, lambda: str(walk.controller_name), "controller")
    for controller in [item[0] for item in controllers if item[0]]:
        items = menus.preset_menu(controller)
        walk.controller = controller  # by a script, whatever the clicks have chosen
        walk.preset = next(item[0] for item in items if item[0])
        yield from choose_each("preset", items, lambda: str(walk.preset_name), f"preset of {controller}")
    walk.controller = "klaw"  # it has both other menus
    yield from settled(0.5)
    for what, of in (("pace", character), ("given", walk)):
        items = [(item.identifier,) for item in of.bl_rna.properties[what].enum_items]
        yield from choose_each(what, items, lambda of=of, what=what: str(getattr(of, what)), what)  # type: ignore[misc]


def choose_each(menu: str, items: Any, chosen: Callable[[], str], name: str) -> Steps:
    """Open a menu once for each item of it that is tried and click it; note what was clicked and then chosen.

    The first one is chosen at the start. Of long menus some are tried, the first and the last of each column among
    them, or all, where that is desired.
    """
    names = [item[0] for item in items if item[0]]
    assert chosen() == names[0], f"{name}: {chosen()} is chosen at the start"
    result[name] = {"offered": len(names), "clicked": [], "chosen": []}
    ends = {names.index(column[i]) for column in columns_of(items) for i in (0, -1)}
    later = [i for i in range(1, len(names)) if ALL or len(names) <= SHORT or i in ends or i % THINNED == 0]
    tried = [*later, 0]
    for i in tried:
        place = yield from place_of_menu(menu, items)  # what is above has more lines or less with some of the items
        picture = f"7-{name.replace(' ', '-')}-menu" if i == tried[0] else ""
        yield from choose(place, items, names[i], chosen, picture)
        result[name]["clicked"].append(names[i])
        result[name]["chosen"].append(chosen())
    photograph(f"8-{name.replace(' ', '-')}-chosen")
