"""Three characters of other makers in one scene, each with a controller, a style and a path of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.ui.bake.result import result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.job.request import read_request
from tests.blender.scenes import keys, make_curve, shared_rig

CAST = {
    "human": ("rigify_human_generated.blend", "generalized", "default", 1.1, 0.0),
    "skinned": ("cesiumman_a.glb", "klaw", "sneak", 0.9, 4.0),
    "avatar": ("vrm_cryptovoxels.vrm", "simbicon", "walk", 0.8, 8.0),
}
"""By name: file, controller, preset, speed, m/s, and how far aside its path is, m."""


def added(file: Path, name: str) -> Any:
    """Return the armature of a file, brought into the scene."""
    before = set(bpy.data.objects)
    if file.suffix == ".blend":
        with bpy.data.libraries.load(str(file)) as (there, here):
            here.objects = list(there.objects)
        for thing in here.objects:
            if thing and thing.name not in bpy.context.scene.objects:
                bpy.context.scene.collection.objects.link(thing)
    else:
        glb = Path(bpy.app.tempdir) / f"{name}.glb"  # Blender's importer knows a .vrm under that name
        glb.write_bytes(file.read_bytes())
        bpy.ops.import_scene.gltf(filepath=str(glb))
    armature = next(thing for thing in bpy.data.objects if thing not in before and len(bones(thing)) > 10)
    armature.name = name
    if armature.animation_data:
        armature.animation_data_clear()
    return armature


def bones(thing: Any) -> Any:
    return thing.data.bones if thing.type == "ARMATURE" and not thing.name.startswith("metarig") else ()


@pytest.fixture
def cast() -> dict[str, Any]:
    """The three, with the settings of CAST."""
    files = {name: shared_rig(own[0]) for name, own in CAST.items()}
    found = {}
    for name, (_, controller, style, speed, aside) in CAST.items():
        found[name] = armature = added(files[name], name)
        walk = armature.biped.walk
        walk.controller, walk.preset, walk.speed = controller, style, speed
        walk.path = make_curve([(0.0, aside, 0.0), (4.0, aside, 0.0)], name=f"{name} path")
    bpy.context.view_layer.update()
    return found


def of_all() -> dict[str, tuple[Any, ...]]:
    """Return what each of the three has: settings, the job that they give, the keys, and where its hips end."""
    found = {}
    for name in CAST:
        armature = bpy.data.objects[name]
        walk = armature.biped.walk
        bpy.context.view_layer.objects.active = armature
        job = read_request(bpy.context, armature).job.as_json()
        own = (walk.controller, walk.preset, round(walk.speed, 4), walk.path.name)
        found[name] = (own, job, keys(armature.animation_data.action))
    return found


def last_place(name: str) -> np.ndarray[Any, Any]:
    """Return where a character is at the end of its walk (2,)."""
    armature = bpy.data.objects[name]
    bpy.context.scene.frame_set(round(armature.animation_data.action.frame_range[1]))
    hips = armature.pose.bones[armature.biped.parts["pelvis"].bones[0].name]
    return np.array((armature.matrix_world @ hips.matrix).translation)[:2]


@pytest.mark.long
def test_each_walks_as_it_is_set_and_nothing_of_one_is_in_another(cast: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    assert bpy.ops.biped.bake_all() == {"FINISHED"}
    assert status.message.startswith("3 of 3 walks baked."), status.message
    for name, (_, controller, style, speed, aside) in CAST.items():
        result = result_of(cast[name])
        assert result and result.summary.outcome == "arrived", name
        assert (cast[name].biped.walk.controller, cast[name].biped.walk.preset) == (controller, style)
        assert cast[name].biped.walk.speed == pytest.approx(speed)
        assert last_place(name) == pytest.approx((4.0, aside), abs=0.5)
        assert cast[name].animation_data.action.users == 1
    before = of_all()
    assert [own[0] for own in before.values()] == [(c, p, s, f"{n} path") for n, (_, c, p, s, _) in CAST.items()]

    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cast.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cast.blend"))
    assert of_all() == before

    bpy.context.view_layer.objects.active = bpy.data.objects["skinned"]
    bpy.data.objects["skinned"].biped.walk.preset = "march"
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    after = of_all()
    assert after["human"] == before["human"] and after["avatar"] == before["avatar"]
    assert after["skinned"][0][1] == "march" and after["skinned"][2] != before["skinned"][2]
    assert last_place("skinned") == pytest.approx((4.0, 4.0), abs=0.5)
