"""What the extension adds to Blender, and that it goes again; what its settings keep and show."""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

import blender_biped
from blender_biped.character.roles import map_bones
from blender_biped.control.registry import DEFAULT, kinds, presets
from blender_biped.ui import registration
from blender_biped.ui.base.reading import read_armature
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.settings import menus, properties, walk_properties
from blender_biped.ui.settings.kept_mapping import keep_rig_map, rig_map_of
from tests.blender.scenes import make_rig

ROOT = Path(blender_biped.__file__).parents[1]


def test_everything_goes_again() -> None:
    blender_biped.unregister()
    try:
        assert not hasattr(bpy.types.Scene, "biped") and not hasattr(bpy.types.Object, "biped")
        assert not [cls for cls in registration.CLASSES if cls.is_registered]
    finally:
        blender_biped.register()
    assert all(cls.is_registered for cls in registration.CLASSES)


@pytest.mark.parametrize("cls", registration.CLASSES, ids=lambda cls: cls.__name__)
def test_everything_is_explained(cls: Any) -> None:
    if cls.__name__.split("_")[1] == "OT":
        assert cls.bl_description and not cls.bl_description.endswith(".")
    own = (
        [p for p in cls.bl_rna.properties if p.identifier in cls.__annotations__]
        if "__annotations__" in vars(cls)
        else []
    )
    for prop in own:
        assert prop.name, prop.identifier
        assert prop.description or prop.identifier.endswith("_name"), prop.identifier
        assert not prop.description.endswith("."), prop.identifier


def test_numbers_have_units() -> None:
    walk, character = walk_properties.BIPED_PG_walk.bl_rna.properties, properties.BIPED_PG_character.bl_rna.properties
    assert (walk["speed"].unit, walk["start"].unit, character["mass"].unit) == ("VELOCITY", "LENGTH", "MASS")


@pytest.mark.skipif(bpy.app.version < (4, 3, 0), reason="this module crashes at exit after any property callback")
@pytest.mark.long
def test_a_script_that_does_not_unregister_ends_all_the_same() -> None:
    code = "import bpy, blender_biped; blender_biped.register()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=30, check=True, capture_output=True)


def test_speed_and_mass_keep_their_meaning_in_any_unit(scene: Any) -> None:
    armature = make_rig()
    armature.biped.pace = "EXACT"
    assert walk_of(bpy.context).speed == pytest.approx(1.2)
    walk_of(bpy.context).speed, armature.biped.mass = 1.3, 80.0
    scene.unit_settings.scale_length = 0.01  # 1 Blender unit is a centimetre: 1.3 m/s are 130 units a second
    assert walk_of(bpy.context).speed == pytest.approx(130.0)
    assert armature.biped.mass == pytest.approx(80e6)
    walk_of(bpy.context).speed = 60.0
    assert walk_of(bpy.context).speed_mps == pytest.approx(0.6)


def test_the_controllers_and_presets_are_those_there_are(scene: Any) -> None:
    settings = make_rig().biped.walk
    assert settings.controller == DEFAULT.name and settings.preset == "default"
    for controller in (kind.name for kind in kinds()):
        settings.controller = controller
        for style in presets(controller):
            settings.preset = style.name
            assert (settings.controller_name, settings.preset_name) == (controller, style.name)
    with pytest.raises(TypeError, match='"no such preset" not found in'):
        settings.preset = "no such preset"


def test_a_preset_that_is_not_installed_is_kept_and_shown_as_missing(scene: Any) -> None:
    settings = make_rig().biped.walk
    settings.preset_name = "limp"
    assert settings.preset == "limp"
    settings.preset = "default"
    assert settings.preset_name == "default"


@pytest.mark.parametrize("cls", registration.CLASSES, ids=lambda cls: cls.__name__)
def test_no_menu_has_an_item_that_a_click_cannot_choose(cls: Any) -> None:
    # A menu that is clicked hands the item's number on as a 32-bit float.
    for prop in cls.bl_rna.properties:
        if prop.type == "ENUM" and prop.identifier in getattr(cls, "__annotations__", ()):
            found = [item.value for item in prop.enum_items]
            assert len(set(found)) == len(found), prop.identifier
            assert all(int(np.float32(number)) == number for number in found), prop.identifier


def test_each_controller_and_preset_can_be_chosen_by_a_click() -> None:
    for items in (menus.controller_items(), *(menus.preset_items(c) for c in (kind.name for kind in kinds()))):
        found = [number for *_, number in items]
        assert len(set(found)) == len(found) > 0 and menus.MISSING not in found
        assert all(int(np.float32(number)) == number for number in found)
        assert all(menus.name_of(items, number, "") == name for name, *_, number in items)


def test_names_with_the_same_hash_have_different_numbers() -> None:
    hashes: dict[int, str] = {}
    twins = next(
        (hashes[h], name)
        for name in map(str, range(100_000))
        if hashes.setdefault(h := zlib.crc32(name.encode()) % 2**24, name) != name
    )
    found = menus.numbers(["walk", *twins])
    assert len(set(found.values())) == 3
    assert found == menus.numbers([*reversed(twins), "walk"])
    assert found["walk"] == menus.numbers(["walk"])["walk"]  # it is not one of them


def test_a_mapping_is_kept_with_its_armature(tmp_path: Path) -> None:
    armature = make_rig()
    found = map_bones(read_armature(armature, 1.0))
    assert rig_map_of(armature) is None
    keep_rig_map(armature, found)
    keep_rig_map(armature, found)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rig.blend"))
    assert rig_map_of(bpy.data.objects["Rig"]) == found
