"""Styles of one's own in Blender: saved, chosen by their picture, walked, mixed, exported, imported, deleted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import bpy.utils.previews
import numpy as np
import pytest
from bpy_extras.io_utils import ExportHelper

import blender_biped
from blender_biped.base.errors import DataError
from blender_biped.control.registry import kind_of, kinds, preset
from blender_biped.motion.watch import UNWATCHED
from blender_biped.preset.preset import preset_root, speeds_of
from blender_biped.ui.base import style_list
from blender_biped.ui.base import styles as known
from blender_biped.ui.job import pictures
from blender_biped.ui.job.mapping import character_object
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels import style_operators
from blender_biped.ui.settings import menus, thumbnails
from blender_biped.ui.settings.fields import changed_numbers, group_name, load_sliders, slider_name
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import styles_in
from tests.marks import long_but

PNG = b"\x89PNG"
DISTANCE = {"generalized": 3.0, "simbicon": 3.0, "klaw": 3.0}  # m


@pytest.fixture
def rig(scene: Any, folder: Path) -> Any:
    """A character with a path."""
    armature = make_rig("Hero")
    bpy.ops.biped.map_bones()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -3.0, 0.0)])
    return armature


def walk() -> Any:
    return character_object(bpy.context).biped.walk


def choose(controller: str, name: str) -> Any:
    walk().controller_name, walk().preset_name = controller, name
    return getattr(walk(), group_name(kind_of(controller)))


def tweak(controller: str, count: int = 5) -> dict[str, float]:
    """Change some sliders by a little; return their numbers."""
    kind, group = kind_of(controller), getattr(walk(), f"fields_{controller}")
    for slider in [s for s in kind.sliders if not s.number.whole][:count]:
        name = slider_name(slider)
        own = group.bl_rna.properties[name]
        value = getattr(group, name)
        room = 0.05 * (own.hard_max - own.hard_min)
        setattr(group, name, value + room if value + room <= own.hard_max else value - room)
    return changed_numbers(walk())


def save_as(name: str, description: str = "") -> set[str]:
    return bpy.ops.biped.save_style_as(label=name, description=description)


def file_of(folder: Path, name: str, controller: str = "klaw") -> Path:
    return folder / controller / f"{name}.json"


# --- must show 3 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("controller", long_but(["generalized", "simbicon", "klaw"], "klaw"))
def test_a_style_of_ones_own_lives_on(
    controller: str, rig: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(iter(known.styles(controller)))
    choose(controller, first)
    numbers = tweak(controller)
    assert len(numbers) == 5
    walk().speed_mps = 0.9
    assert save_as("Müder Gang", "Slow and heavy") == {"FINISHED"}
    assert file_of(folder, "muder_gang", controller).is_file() and walk().preset_name == "muder_gang"
    assert not changed_numbers(walk())  # the sliders are the style's own now
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))

    blender_biped.unregister()  # as when Blender is started anew
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    make_rig("Other")
    walk().controller_name = controller
    (own,) = (one for one in style_list.of_group("own") if one.title == "Müder Gang")
    assert own.key == f"{controller}/muder_gang" and own.tooltip.startswith("Slow and heavy. ")
    assert bpy.ops.biped.choose_style(style=own.key) == {"FINISHED"}
    assert walk().style == own.key in [item[0] for item in bpy_items("style")]
    assert walk().preset_name == "muder_gang" == walk().preset

    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.context.view_layer.objects.active = bpy.data.objects["Hero"]
    style = read_request(bpy.context).job.preset
    found = kind_of(controller).numbers(style.values)
    for path, number in numbers.items():
        assert found[path] == pytest.approx(number, rel=1e-5)
    assert style.values["usual"] == pytest.approx(0.9, abs=1e-3) and style.origin == first
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert bpy.data.objects["Hero"].animation_data.action.biped.outcome == "arrived"

    exported = tmp_path / "exported.json"
    assert bpy.ops.biped.export_style(filepath=str(exported)) == {"FINISHED"}
    other = tmp_path / "another"
    styles_in(other, monkeypatch)
    with pytest.raises(DataError, match="'muder_gang' is not installed here: import its file"):
        read_request(bpy.context)
    assert walk().preset == "muder_gang"  # "(missing)"
    assert bpy.ops.biped.import_style(filepath=str(exported)) == {"FINISHED"}
    assert file_of(other, "muder_gang", controller).is_file()  # the same name: the file's character has its style again
    assert read_request(bpy.context).job.preset == style


def bpy_items(name: str) -> list[Any]:
    """Return the items of a menu of the walk, as Blender gets them."""
    return list(type(walk()).__annotations__[name].keywords["items"](walk(), bpy.context))


# --- saving ----------------------------------------------------------------------------------------------------------


def test_a_shipped_style_is_not_saved_over(rig: Any, folder: Path) -> None:
    choose("klaw", "stroll")
    tweak("klaw")
    for operator in (bpy.ops.biped.save_style, bpy.ops.biped.delete_style):
        assert not operator.poll()
        with pytest.raises(RuntimeError, match="use Save Style As"):
            operator()
    assert (preset_root() / "klaw" / "stroll.json").is_file() and not folder.exists()


def test_an_own_style_is_saved_over_and_others_that_use_it_follow(rig: Any, folder: Path) -> None:
    choose("klaw", "stroll")
    tweak("klaw")
    save_as("Mine")
    other, changed = (make_rig(name) for name in ("Other", "Changed"))
    for armature in (other, changed):
        armature.biped.walk.controller_name, armature.biped.walk.preset_name = "klaw", "mine"
    changed.biped.walk.fields_klaw.attributes_toe_clear = 0.05
    bpy.context.view_layer.objects.active = rig
    walk().fields_klaw.attributes_theta2_des = np.radians(17.0)
    assert bpy.ops.biped.save_style() == {"FINISHED"}
    values = json.loads(file_of(folder, "mine").read_text(encoding="utf-8"))["values"]
    assert values["attributes"]["theta2_des"] == pytest.approx(17.0)
    assert not changed_numbers(walk()) and not changed_numbers(other.biped.walk)
    assert np.degrees(other.biped.walk.fields_klaw.attributes_theta2_des) == pytest.approx(17.0)
    assert changed_numbers(changed.biped.walk)["attributes.toe_clear"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("name", "why"),
    [("", "needs a name"), ("stroll", "There is a style 'Stroll' already"), ("A: b", "no colon")],
)
def test_a_name_that_cannot_be_is_refused(name: str, why: str, rig: Any, folder: Path) -> None:
    choose("klaw", "march")
    with pytest.raises(RuntimeError, match=why):
        save_as(name)
    assert not folder.exists() and walk().preset_name == "march"


def test_a_file_that_is_there_is_not_overwritten_even_if_it_is_broken(rig: Any, folder: Path) -> None:
    (folder / "klaw").mkdir(parents=True)
    file_of(folder, "odd").write_text("{", encoding="utf-8")
    menus.forget()
    choose("klaw", "march")
    save_as("Odd")
    assert file_of(folder, "odd").read_text(encoding="utf-8") == "{" and walk().preset_name.startswith("odd_")
    file_of(folder, walk().preset_name).write_text("{", encoding="utf-8")
    menus.forget()
    choose("klaw", "march")
    with pytest.raises(RuntimeError, match=r"There is a file odd_.*json already"):
        save_as("Odd")


def test_without_an_installed_extension_nothing_is_saved(rig: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    menus.forget()
    assert known.own_folder() is None
    choose("klaw", "march")
    with pytest.raises(RuntimeError, match="installed as an extension"):
        save_as("Mine")


def test_undo_takes_the_choice_back_but_not_the_file(rig: Any, folder: Path) -> None:
    choose("klaw", "march")
    bpy.ops.ed.undo_push(message="chosen")
    save_as("Mine")
    bpy.ops.ed.undo_push(message="saved")
    bpy.ops.ed.undo()
    assert walk().preset_name == "march" and file_of(folder, "mine").is_file()


# --- lists -----------------------------------------------------------------------------------------------------------


def test_own_styles_and_research_stand_below_headings(rig: Any, folder: Path) -> None:
    choose("klaw", "march")
    save_as("走る")
    names = [(item[0], item[1]) for item in bpy_items("preset")]
    assert names[:3] == [("", "Styles"), ("walk", "Walk"), ("stroll", "Stroll")]
    own = names.index(("", "My Styles"))
    assert names[own + 1][1] == "走る" and names[own + 2 :] == [("", "Research"), ("thesis", "Thesis")]
    controllers = [item[:2] for item in bpy_items("controller")]
    assert controllers[-2:] == [("", "Research"), ("planar", "SIMBICON in 2D")]
    assert walk().preset == walk().preset_name == names[own + 1][0]


def test_headings_are_not_chosen(rig: Any) -> None:
    choose("klaw", "missing")
    assert walk().preset == "missing" and bpy_items("preset")[-1][1] == "missing (missing)"
    walk().preset = "thesis"
    assert walk().preset_name == "thesis"
    for items in (bpy_items("preset"), bpy_items("style"), bpy_items("mix_with")):
        numbers = [item[4] for item in items if item[0] and item[4]]
        assert len(set(numbers)) == len(numbers) and max(numbers) < 2**24


def test_a_broken_file_of_ones_own_leaves_the_others(rig: Any, folder: Path) -> None:
    choose("klaw", "march")
    save_as("Mine")
    file_of(folder, "odd").write_text("{", encoding="utf-8")
    menus.forget()
    assert {"mine", "walk", "march"} <= set(known.styles("klaw")) and "odd" not in known.styles("klaw")
    assert "odd.json is not valid JSON" in known.broken_styles("klaw")[0]
    choose("klaw", "odd")
    with pytest.raises(DataError, match=r"'odd' cannot be used\. odd\.json is not valid JSON"):
        read_request(bpy.context)


def test_a_marker_calls_a_style_of_ones_own(rig: Any, folder: Path) -> None:
    choose("simbicon", "fast_walk")
    tweak("simbicon", 1)
    save_as("Eilig")
    choose("simbicon", "walk")
    bpy.context.scene.timeline_markers.new("Eilig 1.2 m/s", frame=30)
    job = read_request(bpy.context).job
    assert [cue.preset.name for cue in job.cues] == ["eilig"] and job.cues[0].preset.origin == "fast_walk"
    assert job.cues[0].speed == pytest.approx(1.2, rel=0.05)  # of an adult with legs of 0.9 m


# --- import and export -----------------------------------------------------------------------------------------------


def test_an_import_never_overwrites_by_itself(rig: Any, folder: Path, tmp_path: Path) -> None:
    choose("klaw", "march")
    save_as("Mine", "first")
    file = tmp_path / "mine.json"
    bpy.ops.biped.export_style(filepath=str(file))
    data = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**data, "description": "second"}), encoding="utf-8")
    bpy.ops.biped.import_style(filepath=str(file))
    assert {s.label: s.description for n, s in known.styles("klaw").items() if known.is_own("klaw", n)} == {
        "Mine": "first", "Mine 2": "second",
    }  # fmt: skip
    assert walk().preset_name == "mine_2"
    bpy.ops.biped.import_style(filepath=str(file), replace_own=True)
    assert known.styles("klaw")["mine"].description == "second" and walk().preset_name == "mine"


def test_what_is_exported_is_what_the_sliders_show(rig: Any, folder: Path, tmp_path: Path) -> None:
    choose("klaw", "march")
    numbers = tweak("klaw", 2)
    file = tmp_path / "march.json"
    assert issubclass(style_operators.BIPED_OT_export_style, ExportHelper)  # it asks before it overwrites
    bpy.ops.biped.export_style(filepath=str(file))
    bpy.ops.biped.import_style(filepath=str(file), replace_own=True)
    assert walk().preset_name == "march_2" and known.styles("klaw")["march_2"].label == "March 2"
    found = kind_of("klaw").numbers(known.styles("klaw")["march_2"].values)
    assert {path: found[path] for path in numbers} == pytest.approx(numbers, rel=1e-5)


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"controller": "magic"}', '{"version": 1, "controller": "klaw"}', " " * 2**21]
)
def test_a_file_that_is_no_style_is_refused(content: str, rig: Any, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"odd\.json|magic"):
        bpy.ops.biped.import_style(filepath=str(file))
    with pytest.raises(RuntimeError, match="Cannot read"):
        bpy.ops.biped.import_style(filepath=str(tmp_path / "none.json"))
    assert not folder.exists()


def test_a_deleted_style_is_missing_until_another_is_chosen(rig: Any, folder: Path) -> None:
    choose("klaw", "march")
    save_as("Mine")
    file_of(folder, "mine").with_suffix(".png").write_bytes(PNG)
    assert bpy.ops.biped.delete_style() == {"FINISHED"}
    assert not list((folder / "klaw").iterdir())
    assert bpy_items("preset")[-1][1] == "mine (missing)" and bpy_items("style")[-1][1] == "mine (missing)"
    assert not bpy.ops.biped.save_style_as.poll()
    walk().preset = "walk"
    assert walk().preset_name == "walk"


# --- pictures --------------------------------------------------------------------------------------------------------


def test_every_shipped_style_has_a_picture() -> None:
    for kind in kinds():
        assert all(known.picture_file(kind.name, name) for name in known.styles(kind.name))
    pictured = {item[0] for own in style_list.listed() for item in menus.style_pictures(own)}
    assert pictured == set(style_list.listed())


def test_pictures_are_freed(rig: Any) -> None:
    menus.style_pictures("klaw/walk")
    assert thumbnails.is_loaded()
    blender_biped.unregister()
    assert not thumbnails.is_loaded()
    blender_biped.register()


@pytest.mark.parametrize("controller", long_but(["klaw", "generalized"], "klaw"))
def test_a_style_of_ones_own_gets_a_picture(controller: str, rig: Any, folder: Path) -> None:
    first = next(iter(known.styles(controller)))
    choose(controller, first)
    tweak(controller, 1)
    save_as("Mine")
    file = file_of(folder, "mine", controller).with_suffix(".png")
    assert known.without_picture(controller) == (known.styles(controller)["mine"],)
    pictures.request(controller)
    assert bpy.app.timers.is_registered(pictures.step)
    while pictures.step() is not None:
        pass
    assert file.read_bytes().startswith(PNG) and not known.without_picture(controller)
    walk().fields_klaw.attributes_theta2_des = 0.2
    bpy.ops.biped.save_style()
    assert not file.exists() and known.without_picture(controller)  # it is drawn again


@pytest.mark.long
def test_a_picture_of_a_style_that_is_gone_is_not_kept(rig: Any, folder: Path) -> None:
    choose("klaw", "march")
    save_as("Mine")
    pictures.request("klaw")
    pictures.step()
    bpy.ops.biped.delete_style()
    while pictures.step() is not None:
        pass
    assert not list((folder / "klaw").iterdir())


# --- mix -------------------------------------------------------------------------------------------------------------


def test_a_mix_moves_the_sliders_that_are_not_changed(rig: Any) -> None:
    group = choose("klaw", "walk")
    a, b = (kind_of("klaw").numbers(preset("klaw", name).values) for name in ("walk", "sneak"))
    group.attributes_arm_rot_factor = 2.5
    walk().mix_with = "sneak"
    walk().mix = 0.25
    assert group.attributes_arm_rot_factor == pytest.approx(2.5)
    lean = 0.75 * a["attributes.theta2_des"] + 0.25 * b["attributes.theta2_des"]
    assert np.degrees(group.attributes_theta2_des) == pytest.approx(lean, abs=1e-4)
    assert list(changed_numbers(walk())) == ["attributes.arm_rot_factor"]
    found = kind_of("klaw").numbers(read_request(bpy.context).job.preset.values)
    assert found["attributes.theta2_des"] == pytest.approx(lean, abs=1e-4)
    assert found["attributes.arm_rot_factor"] == pytest.approx(2.5)
    walk().mix = 0.0
    assert group.attributes_arm_rot_factor == pytest.approx(2.5)
    assert np.degrees(group.attributes_theta2_des) == pytest.approx(a["attributes.theta2_des"], abs=1e-4)


def test_a_mix_looks_like_what_is_between(rig: Any) -> None:
    choose("klaw", "walk")
    walk().mix_with = "sneak"
    leans = []
    for share in (0.0, 0.5, 1.0):
        walk().mix = share
        job = read_request(bpy.context).job
        simulate = kind_of("klaw").walk
        assert simulate
        motion = simulate(job, UNWATCHED).since(0)
        chest = motion.character.index("chest")
        leans.append(float(np.mean(motion.root[30:-30, 2])) + 0.0 * chest)
    assert leans[0] > leans[1] > leans[2]  # the deeper it sneaks, the lower the hips
    assert abs(leans[1] - 0.5 * (leans[0] + leans[2])) < 0.25 * (leans[0] - leans[2])


def test_a_mix_of_gaits_mixes_their_poses_and_speeds(rig: Any) -> None:
    choose("simbicon", "walk")
    walk().mix_with, walk().mix = "crouch", 0.5
    style = read_request(bpy.context).job.preset
    ends = [preset("simbicon", name) for name in ("walk", "crouch")]
    pitch = [s.values["keys"][0]["states"][0]["angles"]["pelvis_pitch"] for s in (style, *ends)]
    assert pitch[0] == pytest.approx(0.5 * (pitch[1] + pitch[2]))
    speeds = [speeds_of(s) for s in (style, *ends)]
    assert speeds[0] and speeds[1] and speeds[2]
    assert speeds[0].usual == pytest.approx(0.5 * (speeds[1].usual + speeds[2].usual))


def test_a_mix_becomes_a_style(rig: Any, folder: Path) -> None:
    choose("klaw", "walk")
    walk().mix_with, walk().mix = "sneak", 0.5
    before = read_request(bpy.context).job.preset
    save_as("Half Sneak")
    assert walk().mix_with_name == "" and not changed_numbers(walk())
    after = read_request(bpy.context).job.preset
    numbers = [kind_of("klaw").numbers(style.values) for style in (before, after)]
    assert numbers[1] == pytest.approx(numbers[0], abs=1e-5) and after.origin == "walk"


def test_a_mix_stays_with_its_controller(rig: Any) -> None:
    choose("klaw", "walk")
    walk().mix_with, walk().mix = "sneak", 0.5
    walk().controller = "simbicon"
    assert walk().mix_with_name == "" and not changed_numbers(walk())
    assert read_request(bpy.context).job.preset == preset("simbicon", "walk")


def test_a_file_keeps_its_mix(rig: Any, tmp_path: Path) -> None:
    group = choose("klaw", "walk")
    walk().mix_with, walk().mix = "sneak", 0.5
    group.attributes_arm_rot_factor = 2.5
    before = read_request(bpy.context).job.preset
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mix.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "mix.blend"))
    assert list(changed_numbers(walk())) == ["attributes.arm_rot_factor"]
    assert read_request(bpy.context).job.preset == before
    load_sliders(walk())
    assert not changed_numbers(walk())
