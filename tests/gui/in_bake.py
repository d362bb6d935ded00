"""Runs inside a real Blender with a window: makes the choices of Baking by clicks, and bakes.

Twice as it is; then with a skin that holds together, and with one of which a part is left behind.
"""

from __future__ import annotations

from typing import Any

import bpy
from in_hands import (
    Steps,
    choose,
    click,
    done_with_work,
    extension,
    photograph,
    place_of,
    scroll,
    settled,
    show_tab,
    toggle_section,
    view_all,
)

character_object = extension("ui.job.mapping").character_object
rig_map_of = extension("ui.settings.kept_mapping").rig_map_of
result_lines, result_of = (getattr(extension("ui.bake.result"), name) for name in ("result_lines", "result_of"))
status = extension("ui.base.status").status

result: dict[str, Any] = {}


def steps() -> Steps:
    """Choose where the keys go and which there are, in every item of both menus, switch the hands, and bake twice."""
    yield from show_tab()
    yield from toggle_section("Baking")
    yield from scroll(8)
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
    result["skin"] = []
    for left_behind in (False, True):
        put_on_skin(left_behind)
        yield from bake()
        found = result_of(character_object(bpy.context))
        lines = result_lines(found, bpy.context.scene.unit_settings)
        result["skin"].append([lines[0].text, *(line.text for line in lines if line.name == "Skin")])
    photograph("14-torn-skin")


def put_on_skin(left_behind: bool) -> None:
    """Give the character a line for a skin, from the thigh to the shin. left_behind: the shin's half has no weights."""
    armature = character_object(bpy.context)
    upper, lower = (armature.data.bones[rig_map_of(armature).bones[f"{part}.L"][0]] for part in ("thigh", "shin"))
    points = [bone.head_local.lerp(bone.tail_local, share) for bone in (upper, lower) for share in (0.1, 0.5, 0.9)]
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(points, [(k, k + 1) for k in range(5)], [])
    thing = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = armature
    thing.modifiers.new("Armature", "ARMATURE").object = armature
    thing.vertex_groups.new(name=upper.name).add([0, 1, 2], 1.0, "REPLACE")
    if not left_behind:
        thing.vertex_groups.new(name=lower.name).add([3, 4, 5], 1.0, "REPLACE")
    bpy.context.view_layer.update()


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
    yield from done_with_work(begins=0.0)
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
