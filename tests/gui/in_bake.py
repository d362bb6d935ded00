"""Runs inside a real Blender with a window: makes the choices of the Bake panel by clicks, and bakes twice."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from typing import Any

import bpy

sys.path.append(str(Path(__file__).parent))
from in_hands import (  # type: ignore[import-not-found]  # it lies beside this file, wherever that is
    MODULE,
    Steps,
    choose,
    click,
    drive,
    photograph,
    place_of,
    scroll,
    settled,
    show_tab,
    view_all,
)

character_object = importlib.import_module(f"{MODULE}.ui.job.mapping").character_object
status = importlib.import_module(f"{MODULE}.ui.base.status").status

LONG = 120.0  # s, until a bake has ended
result: dict[str, Any] = {}


def steps() -> Steps:
    """Choose where the keys go and which there are, in every item of both menus, switch the hands, and bake twice."""
    yield from show_tab()
    yield from scroll(8)  # to Bake Options
    settings = character_object(bpy.context).biped
    yield from choose_each("onto", settings)
    yield from choose_each("keying", settings)
    place = yield from place_of("relax_hands")
    result["relax_hands"] = [settings.relax_hands]
    for _ in range(2):
        yield from click(*place)
        result["relax_hands"].append(settings.relax_hands)
    settings.onto, settings.keying = "REPLACE", "NEEDED"  # whatever the clicks have chosen
    bpy.context.scene.frame_end = 20
    result["bakes"] = []
    for speed in (1.0, 1.5):
        settings.walk.speed = speed
        yield from bake()
    yield from scroll(20)
    view_all()
    photograph("13-baked-twice")


def choose_each(what: str, settings: Any) -> Steps:
    """Open a menu as often as it has items and click another one each time; note what was clicked and then chosen."""
    items = [(item.identifier,) for item in settings.bl_rna.properties[what].enum_items]
    place = yield from place_of(what)
    result[what] = {"clicked": [], "chosen": []}
    for i, (name,) in enumerate([*items[1:], items[0]]):
        yield from choose(place, items, name, lambda: getattr(settings, what), "" if i else f"12-{what}-menu")
        result[what]["clicked"].append(name)
        result[what]["chosen"].append(getattr(settings, what))


def bake() -> Steps:
    """Bake from the window, and note what is there then."""
    bpy.ops.biped.bake_walk("INVOKE_DEFAULT")
    began = time.monotonic()
    while status.work and time.monotonic() - began < LONG:
        yield 0.1
    yield from settled(0.5)
    armature = character_object(bpy.context)
    action = armature.animation_data.action
    curves = list(action.fcurves)
    fingers = {c.data_path for c in curves if "index" in c.data_path or "thumb" in c.data_path}
    result["bakes"].append(
        {
            "actions": [a.name for a in bpy.data.actions],
            "last": round(max(k.co.x for c in curves for k in c.keyframe_points)),
            "end": bpy.context.scene.frame_end,
            "fingers": len(fingers),
            "keys": max(len(c.keyframe_points) for c in curves),
            "message": status.message,
        }
    )


if __name__ == "__main__":
    drive(steps(), result, "bake")
