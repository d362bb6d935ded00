"""Runs inside a real Blender with a window: makes styles of an action and of poses by clicks, for another to walk.

The action is KLAW's walk, keyed on twos, with its arms raised by hand; the poses are three frames of it that pose
markers mark. The search is cut short, for all of it takes minutes, unless ``all.txt`` stands in OUT.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import addon_utils
import bpy
from in_hands import (
    OUT,
    Steps,
    button_of,
    choose,
    click,
    done_with_work,
    extension,
    photograph,
    place_of,
    settled,
    show_tab,
    view_all,
)
from mathutils import Quaternion

making, stabilising = (extension(f"control.{name}") for name in ("natural.making", "simbicon.stabilising"))
known = extension("ui.base.styles")
menus = extension("ui.settings.menus")
rig_map_of = extension("ui.settings.kept_mapping").rig_map_of
status = extension("ui.base.status").status

WHOLE = (OUT / "all.txt").exists()
SHORT: Mapping[Any, Mapping[str, Any]] = {
    making: {
        "SCREENED": 6.0, "SECONDS": 6.0, "STARTS": (0,), "_SINKS": (-0.01,), "_ROLLS": (0.0,), "_CALMER": (),
        "_SPREADS": 1,
    },
    stabilising: {
        "SCREENED": 4.0, "SECONDS": 4.0, "STARTS": (0,), "_TEMPOS": (1.0,), "_RISES": (0.0,), "_CALMER": (),
        "_SPREADS": 1, "_MORE": 0,
    },
}  # fmt: skip
"""What a search is cut down to."""
PATIENCE = 1200.0 if WHOLE else 240.0  # s, until a style is made or a walk is baked
LENGTH = 7.0  # m, of the paths
RAISED = 0.6  # rad, by which the arms are raised by hand
POSES = (0.0, 0.35, 0.7)  # shares of a step that are marked as poses
result: dict[str, Any] = {}


def steps() -> Steps:
    """Bake KLAW's walk, change its arms, make a style of it, stabilise poses of it, and let another walk the first."""
    if not WHOLE:
        for module, numbers in SHORT.items():
            for name, value in numbers.items():
                setattr(module, name, value)
    yield from show_tab()
    hero = bpy.context.view_layer.objects.active
    hero.biped.walk.path = line(0.0)
    hero.biped.walk.controller, hero.biped.walk.preset = "klaw", "walk"
    hero.biped.keying, hero.biped.key_step, hero.biped.walk.markers = "EVERY", 2, True
    yield from settled(1.0)
    yield from pressed("biped.bake_walk")
    action = hero.animation_data.action
    action.name = "Zombie Arms"
    raise_arms(hero)
    result["frames"] = sorted({round(key.co.x) for curve in action.fcurves for key in curve.keyframe_points})[:4]
    result["action"] = yield from made(hero, "biped.make_style", "16-style-of-action")
    style = hero.biped.walk.preset_name
    mark_poses(action)
    result["poses"] = yield from made(hero, "biped.stabilise", "16-style-of-poses")
    result["other"] = yield from walked_by_another(result["action"]["controller"], style)


def line(aside: float) -> Any:
    """Return a straight path. aside: m to its left."""
    data = bpy.data.curves.new("Line", "CURVE")
    spline = data.splines.new("POLY")
    spline.points.add(1)
    for point, along in zip(spline.points, (0.0, LENGTH), strict=True):
        point.co = (along, aside, 0.0, 1.0)
    curve = bpy.data.objects.new("Line", data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def pressed(operator: str, picture: str = "") -> Steps:
    """Click a button of the sidebar and wait until what it has begun has ended; photograph it while it is done."""
    yield from click(*(yield from button_of(operator)))
    yield 2.0
    if picture:
        result[f"{operator} says"] = status.text
        photograph(picture)
    yield from done_with_work(PATIENCE, 0.0)
    yield from settled(1.0)


def raise_arms(armature: Any) -> None:
    """Turn both upper arms ahead in all keys of the action, as an animator does who changes a walk."""
    curves = armature.animation_data.action.fcurves
    for side in "LR":
        bone = armature.data.bones[rig_map_of(armature).bones[f"upper_arm.{side}"][0]]
        rest = (armature.matrix_world @ bone.matrix_local).to_quaternion()
        turn = rest.inverted() @ Quaternion((1.0, 0.0, 0.0), -RAISED) @ rest
        path = f'pose.bones["{bone.name}"].rotation_quaternion'
        own = [curves.find(path, index=i) for i in range(4)]
        for keys in zip(*(curve.keyframe_points for curve in own), strict=True):
            for key, value in zip(keys, turn @ Quaternion([key.co.y for key in keys]), strict=True):
                key.co.y = value
        for curve in own:
            curve.update()


def mark_poses(action: Any) -> None:
    """Mark frames of a step in the middle of an action as poses, in place of the strikes that are marked."""
    strikes = sorted(mark.frame for mark in action.pose_markers)
    for mark in list(action.pose_markers):
        action.pose_markers.remove(mark)
    begin, end = strikes[len(strikes) // 2 : len(strikes) // 2 + 2]
    for share in POSES:
        action.pose_markers.new(f"Pose {share}").frame = round(begin + share * (end - begin))


def made(armature: Any, operator: str, picture: str) -> Any:
    """Click a button that makes a style, wait for it, and return what there is then."""
    before = armature.animation_data.action
    yield from pressed(operator, f"{picture}-is-made")
    photograph(picture)
    walk = armature.biped.walk
    style = known.styles(walk.controller_name)[walk.preset_name]
    return {
        "controller": walk.controller_name,
        "label": style.label,
        "own": known.is_own(walk.controller_name, walk.preset_name),
        "description": style.description,
        "message": status.message,
        "kept": sorted(file.name for file in Path(known.own_folder(), walk.controller_name).glob("*.json")),
        "action_kept": armature.animation_data.action == before,
    }


def walked_by_another(controller: str, style: str) -> Any:
    """Add a smaller human of Rigify's, map it, choose the style by clicks in the menu, and bake; return how it went."""
    path = line(2.0)
    addon_utils.enable("rigify")
    bpy.ops.object.armature_human_metarig_add()
    other = bpy.context.view_layer.objects.active
    other.location, other.scale = (0.0, 2.0, 0.0), (0.8, 0.8, 0.8)
    yield from settled(1.0)
    yield from pressed("biped.map_bones")
    other.biped.walk.path = path
    other.biped.walk.controller = controller
    yield from settled(1.0)
    yield from choose(
        (yield from place_of("preset")), menus.preset_menu(controller), style, lambda: str(other.biped.walk.preset_name)
    )
    yield from pressed("biped.bake_walk")
    view_all()
    photograph("16-another-walks-it")
    action = other.animation_data.action
    return {"chosen": other.biped.walk.preset_name == style, "outcome": action.biped.outcome, "message": status.message}
