"""Runs inside a real Blender with a window: chooses controllers and presets by clicks in their menus."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import bpy

sys.path.append(str(Path(__file__).parent))
from in_hands import MODULE, Steps, choose, drive, photograph, place_of, show_tab  # type: ignore[import-not-found]  # it lies beside this file, wherever that is

menus = importlib.import_module(f"{MODULE}.ui.settings.menus")
walk_of = importlib.import_module(f"{MODULE}.ui.job.mapping").walk_of

PRESETS_OF = "klaw"  # its presets are clicked: they are neither one nor many
result: dict[str, Any] = {}


def steps() -> Steps:
    """Click every item of the menu of controllers, and of the menu of one controller's presets."""
    yield from show_tab()
    yield from choose_each("controller", menus.controller_menu())
    walk_of(bpy.context).controller = PRESETS_OF  # by a script, whatever the clicks have chosen
    yield from choose_each("preset", menus.preset_menu(PRESETS_OF))


def choose_each(what: str, items: Any) -> Steps:
    """Open a menu as often as it has items and click another one each time; note what was clicked and then chosen.

    The first one is chosen at the start.
    """
    settings = walk_of(bpy.context)
    names = [item[0] for item in items if item[0]]
    assert len(names) > 2 and getattr(settings, f"{what}_name") == names[0]
    place = yield from place_of(what)
    result[what] = {"clicked": [], "chosen": []}
    for i in (*range(1, len(names)), 0):
        picture = f"7-{what}-menu" if i == 1 else ""
        yield from choose(place, items, names[i], lambda: str(getattr(settings, f"{what}_name")), picture)
        result[what]["clicked"].append(names[i])
        result[what]["chosen"].append(getattr(settings, f"{what}_name"))
    photograph(f"8-{what}-chosen")


drive(steps(), result, "menus")
