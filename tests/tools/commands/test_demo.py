"""The demo's command: what it understands, what it refuses and how, and what it leaves behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import blender_biped
from blender_biped import worker
from blender_biped.base.errors import BipedError
from blender_biped.job import Job, read_job
from blender_biped.motion.motion import Motion, read_motion
from blender_biped.preset.preset import preset, presets, speeds_of
from tests.motion.synthetic import Walk, walked
from tests.shared import shared
from tools.commands import demo

bpy = pytest.importorskip("bpy")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start from an empty scene; the worker answers at once with a kinematic walk."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    monkeypatch.setattr(worker, "run", kinematic)
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.fixture
def registered() -> Iterator[None]:
    blender_biped.register()
    yield
    blender_biped.unregister()


def kinematic(job: Job, *_: object, **__: object) -> Motion:
    """Return a walk along the job's path that nobody simulated."""
    return walked(job.path, Walk(speed=0.9 * job.speed), job.character)[0]


def blend(tmp_path: Path, **armatures: bool) -> Path:
    """Return a .blend with armatures by name: Rigify's human where true, else a single bone; and a curve "Way"."""
    import addon_utils

    addon_utils.enable("rigify", default_set=True)
    for name, human in armatures.items():
        if human:
            bpy.ops.object.armature_human_metarig_add()
        else:
            bpy.ops.object.armature_add()
        bpy.context.object.name = name
    bpy.ops.curve.primitive_bezier_curve_add(radius=3.0)
    bpy.context.object.name = "Way"
    file = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return file


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what the demo says when it refuses; it must not have done anything."""
    assert demo.main(list(arguments)) == 2
    said = capsys.readouterr()
    assert "walks" not in said.out
    return said.err


# --- what is asked for -------------------------------------------------------------------------------------------


def test_the_defaults_are_the_main_job() -> None:
    asked = demo.options([])
    assert (asked.armature, asked.path, asked.speed) == ("", "s-curve", 1.2)
    assert (asked.controller, asked.preset, asked.out) == ("generalized", "default", Path("out/demo"))


def test_a_gait_has_its_own_usual_speed_and_the_first_preset_is_the_default() -> None:
    first, *_ = presets("simbicon")
    for arguments, style in (([], first), (["--preset", "run"], preset("simbicon", "run"))):
        own, asked = speeds_of(style), demo.options(["--controller", "simbicon", *arguments])
        assert own is not None
        assert (asked.preset, asked.speed) == (style.name, max(own.usual, 0.1))
    assert demo.options(["--controller", "simbicon", "--speed", "1.3"]).speed == 1.3


def test_a_run_gets_a_complete_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []

    def noted(job: Job, **_: object) -> Motion:
        jobs.append(job)
        raise BipedError("That is enough.")

    monkeypatch.setattr(worker, "run", noted)
    asked = ["--armature", str(blend(tmp_path, Hero=True)), "--controller", "simbicon", "--preset", "run"]
    assert demo.main([*asked, "--out", str(tmp_path)]) == 2
    assert (jobs[0].preset.name, jobs[0].ending[-1].name) == ("run", "walk")


@pytest.mark.parametrize("speed", ["0", "-1", "101", "fast", "nan"])
def test_a_speed_out_of_range_is_refused(speed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        demo.options(["--speed", speed])
    assert ended.value.code == 2 and "--speed" in capsys.readouterr().err


def test_file_and_object_are_told_apart(tmp_path: Path) -> None:
    plain, odd = tmp_path / "a.blend", tmp_path / "b:c.blend"
    for file in (plain, odd):
        file.touch()
    assert demo.split_object(str(plain)) == (plain, "")
    assert demo.split_object(f"{plain}:My Rig") == (plain, "My Rig")
    assert demo.split_object(str(odd)) == (odd, "")
    assert demo.split_object(f"{odd}:Rig") == (odd, "Rig")


@pytest.mark.parametrize("text", ["none.blend", "none.blend:Rig", "C:\\none.blend"])
def test_a_missing_file_is_named(text: str) -> None:
    with pytest.raises(BipedError, match=r"none\.blend"):
        demo.split_object(text)


def test_unknown_names_list_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert "default" in refusal(capsys, "--preset", "moonwalk")
    assert "generalized" in refusal(capsys, "--controller", "magic")
    path = refusal(capsys, "--path", "zigzag")
    assert "zigzag" in path and all(shape in path for shape in demo.SHAPES)


# --- who walks ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("registered")
def test_the_armature_with_legs_is_chosen_and_told(tmp_path: Path) -> None:
    file = blend(tmp_path, Stick=False, Hero=True)
    said: list[str] = []
    assert demo.chosen_armature(str(file), said.append).name == "Hero"
    assert "Hero" in said[0] and "Stick" in said[0]
    assert demo.chosen_armature(f"{file}:Stick", said.append).name == "Stick" and len(said) == 1


@pytest.mark.usefixtures("registered")
def test_two_armatures_with_legs_need_a_name(tmp_path: Path) -> None:
    file = blend(tmp_path, One=True, Two=True)
    with pytest.raises(BipedError, match=r"several armatures.*:OBJECT \('One', 'Two'\)"):
        demo.chosen_armature(str(file), print)
    with pytest.raises(BipedError, match="no armature 'Three'; it has 'One', 'Two'"):
        demo.chosen_armature(f"{file}:Three", print)


def test_files_without_a_character_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = blend(tmp_path)
    assert "has no armature" in refusal(capsys, "--armature", str(empty))
    text = tmp_path / "notes.txt"
    text.touch()
    assert ".blend" in refusal(capsys, "--armature", str(text))
    for kind in ("blend", "glb", "fbx", "bvh", "vrm"):
        broken = tmp_path / f"broken.{kind}"
        broken.write_bytes(b"not a model at all")
        assert f"broken.{kind}" in refusal(capsys, "--armature", str(broken))


def test_an_armature_without_legs_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = blend(tmp_path, Stick=False)
    assert "Stick" in refusal(capsys, "--armature", str(file))


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("name", ["vrm_cryptovoxels.vrm", "qs_Witch.glb", "ufbx_maya_human_ik_7400.fbx"])
def test_models_of_other_programs_open(name: str) -> None:
    armature = demo.chosen_armature(str(shared(f"rigs/{name}")), print)
    assert armature.type == "ARMATURE" and len(armature.data.bones) > 40


# --- where -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(("shape", "length", "closed"), [("s-curve", 12.0, False), ("straight", 10.0, False),
                                                         ("circle", 12.57, True)])  # fmt: skip
def test_shapes_have_their_lengths(shape: str, length: float, closed: bool) -> None:
    from blender_biped.ui.base.reading import read_path

    curve = demo.chosen_path(shape)
    bpy.context.view_layer.update()
    path, _ = read_path(curve, bpy.context.evaluated_depsgraph_get(), 1.0)
    assert path.length == pytest.approx(length, abs=0.5) and path.closed is closed


def test_a_curve_from_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = blend(tmp_path, Stick=False)
    found = demo.chosen_path(f"{file}:Way")
    assert found.type == "CURVE" and found.name in bpy.context.view_layer.objects
    assert "OBJECT" in refusal(capsys, "--path", str(file))
    assert "'Lane'" in refusal(capsys, "--path", f"{file}:Lane")
    assert "not a curve" in refusal(capsys, "--path", f"{file}:Stick")


# --- the whole job -----------------------------------------------------------------------------------------------


def test_the_demo_leaves_a_baked_scene_pictures_and_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    for name in ("walk.blend", "walk.png", "report.json", "motion.npz", "motion.bvh", "job.json", "angles.png"):
        assert (out / name).stat().st_size > 500 and name in said
    figures: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert figures["bake_error_mm"] < 1.0 and figures["bake_error_deg"] < 0.1
    assert figures["path"] == "straight" and figures["character"] == "metarig" and not figures["fell"]
    assert "came to the end of the path and to rest" in said and "(at most 0.3: ok)" in said
    motion, job = read_motion(out / "motion.npz"), read_job(out / "job.json")
    assert job.speed == pytest.approx(1.0) and motion.duration == figures["duration_s"]
    bpy.ops.wm.open_mainfile(filepath=str(out / "walk.blend"))
    scene, rig = bpy.context.scene, bpy.data.objects["metarig"]
    assert rig.animation_data.action.frame_range[1] == scene.frame_end
    assert scene.frame_end - 1 == pytest.approx(motion.duration * demo.FRAME_RATE, abs=1.0)
    places = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        places.append((rig.matrix_world @ rig.pose.bones["spine"].head).x)
    assert places[1] - places[0] == pytest.approx(job.path.length, abs=0.05)


def test_the_users_scene_and_curve_in_one_file(tmp_path: Path) -> None:
    file = blend(tmp_path, Hero=True)
    out = tmp_path / "out"
    before = file.read_bytes()
    assert demo.main(["--armature", f"{file}:Hero", "--path", f"{file}:Way", "--speed", "1", "--out", str(out)]) == 0
    assert file.read_bytes() == before
    figures = json.loads((out / "report.json").read_text())
    assert (figures["path"], figures["character"]) == ("scene", "Hero")


def test_a_fall_is_told_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(worker, "run", lambda job, **_: replace(kinematic(job), outcome="fell"))
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(tmp_path / "out")]) == 1
    assert "fell after" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = tmp_path / "file"
    taken.touch()
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(taken)]) == 2
    assert str(taken) in capsys.readouterr().err
