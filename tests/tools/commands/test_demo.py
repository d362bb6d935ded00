"""The demo's command: what it understands, what it refuses and how, and what it leaves behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from blender_biped import worker
from blender_biped.base.errors import BipedError
from blender_biped.job import Job, read_job
from blender_biped.motion.motion import Attempt, Failure, Motion, read_motion
from blender_biped.preset.preset import preset, presets, speeds_of
from blender_biped.ui.base.units import SPACE
from tests.motion.synthetic import Walk, walked
from tests.tools.blends import blend
from tools.commands import demo
from tools.pictures import film
from tools.scene.actions import FRAME_RATE
from tools.scene.paths import SHAPES

bpy = pytest.importorskip("bpy")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start from an empty scene; the worker answers at once with a kinematic walk."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    monkeypatch.setattr(worker, "run", kinematic)
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw neither film nor film strips: they take half a minute, and one test looks at them."""
    for name in ("film", "walk_picture"):
        monkeypatch.setattr(f"tools.demo.walk.{name}", lambda *_: None)


def kinematic(job: Job, *_: object, **__: object) -> Motion:
    """Return a walk along the job's path that nobody simulated."""
    return walked(job.path, Walk(speed=0.9 * job.speed), job.character)[0]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what the demo says when it refuses; it must not have done anything."""
    assert demo.main(list(arguments)) == 2
    said = capsys.readouterr()
    assert "walks" not in said.out
    return said.err


# --- what is chosen ----------------------------------------------------------------------------------------------


def test_the_defaults_are_the_main_job() -> None:
    chosen = demo.options([])
    assert (chosen.armature, chosen.path, chosen.speed) == ("", "s-curve", 1.2)
    assert (chosen.controller, chosen.preset, chosen.out) == ("natural", "default", Path("out/demo"))


def test_a_gait_has_its_own_usual_speed_and_the_first_preset_is_the_default() -> None:
    first, *_ = presets("simbicon")
    for arguments, style in (([], first), (["--preset", "run"], preset("simbicon", "run"))):
        own, chosen = speeds_of(style), demo.options(["--controller", "simbicon", *arguments])
        assert own is not None
        assert (chosen.preset, chosen.speed) == (style.name, max(own.usual, 0.1))
    assert demo.options(["--controller", "simbicon", "--speed", "1.3"]).speed == 1.3


def test_a_run_gets_a_complete_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []

    def noted(job: Job, **_: object) -> Motion:
        jobs.append(job)
        raise BipedError("That is enough.")

    monkeypatch.setattr(worker, "run", noted)
    chosen = ["--armature", str(blend(tmp_path, Hero=True)), "--controller", "simbicon", "--preset", "run"]
    assert demo.main([*chosen, "--out", str(tmp_path)]) == 2
    assert (jobs[0].preset.name, jobs[0].ending[-1].name) == ("run", "walk")


@pytest.mark.parametrize("speed", ["0", "-1", "101", "fast", "nan"])
def test_a_speed_out_of_range_is_refused(speed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        demo.options(["--speed", speed])
    assert ended.value.code == 2 and "--speed" in capsys.readouterr().err


def test_unknown_names_list_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert "default" in refusal(capsys, "--preset", "moonwalk")
    assert "generalized" in refusal(capsys, "--controller", "magic")
    path = refusal(capsys, "--path", "zigzag")
    assert "zigzag" in path and all(shape in path for shape in SHAPES)


# --- who walks ---------------------------------------------------------------------------------------------------


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


# --- where -------------------------------------------------------------------------------------------------------


def test_a_curve_that_cannot_be_had_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = blend(tmp_path, Stick=False)
    assert "OBJECT" in refusal(capsys, "--path", str(file))
    assert "'Lane'" in refusal(capsys, "--path", f"{file}:Lane")
    assert "not a curve" in refusal(capsys, "--path", f"{file}:Stick")


# --- the whole job -----------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_demo_leaves_a_baked_scene_pictures_and_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(film, "RATE", 2.0)  # pictures a second: each takes its time
    out = tmp_path / "out"
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    for name in (
        "walk.blend",
        "walk.png",
        "walk.webp",
        "report.json",
        "starts.json",
        "motion.npz",
        "motion.bvh",
        "job.json",
        "angles.png",
    ):
        assert (out / name).stat().st_size > 500 and name in said
    figures: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert figures["bake_error_mm"] < 1.0 and figures["bake_error_deg"] < 0.1
    assert figures["path"] == "straight" and figures["character"] == "metarig" and not figures["fell"]
    assert (
        "came to the end of the path and to rest" in said
        and "at most 0.3: ok)" in said
        and "Of 5 starts 5 arrive" in said
    )
    motion, job = read_motion(out / "motion.npz"), read_job(out / "job.json")
    assert job.speed == pytest.approx(1.0) and motion.duration == figures["duration_s"]
    bpy.ops.wm.open_mainfile(filepath=str(out / "walk.blend"))
    scene, rig = bpy.context.scene, bpy.data.objects["metarig"]
    assert rig.animation_data.action.frame_range[1] == scene.frame_end
    assert scene.frame_end - 1 == pytest.approx(motion.duration * FRAME_RATE, abs=1.0)
    places = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        places.append((rig.matrix_world @ rig.pose.bones["spine"].head).x)
    assert places[1] - places[0] == pytest.approx(job.path.length, abs=0.05)


@pytest.mark.long
def test_the_users_scene_and_curve_in_one_file(tmp_path: Path, undrawn: None) -> None:
    file = blend(tmp_path, Hero=True)
    out = tmp_path / "out"
    before = file.read_bytes()
    assert demo.main(["--armature", f"{file}:Hero", "--path", f"{file}:Way", "--speed", "1", "--out", str(out)]) == 0
    assert file.read_bytes() == before
    figures = json.loads((out / "report.json").read_text())
    assert (figures["path"], figures["character"]) == ("scene", "Hero")


@pytest.mark.long
def test_a_fall_is_reported_and_ends_with_1(
    tmp_path: Path, undrawn: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(worker, "run", lambda job, **_: replace(kinematic(job), outcome="fell"))
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(tmp_path / "out")]) == 1
    assert "fell after" in capsys.readouterr().out


@pytest.mark.long
def test_a_walk_in_the_place_of_one_that_fell_is_told_and_does_not_count(
    tmp_path: Path, undrawn: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    attempt = Attempt("klaw", "stroll", "Stroll", False, 1.0, False, (Failure("fell", 4.2),))

    def answer(job: Job, **_: object) -> Motion:  # other starts are judged as they are
        return replace(kinematic(job), attempt=attempt) if job.fall_back else replace(kinematic(job), outcome="fell")

    monkeypatch.setattr(worker, "run", answer)
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().out.replace(SPACE, " ")
    assert "metarig, klaw/stroll: " in said and "Of 5 starts 0 arrive" in said
    assert "The walk fell after 4.2 s as it was set. This is KLAW's walk, Stroll: it is not simulated." in said
    assert json.loads((tmp_path / "out" / "report.json").read_text())["fallback"] == "kinematic"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = tmp_path / "file"
    taken.touch()
    assert demo.main(["--path", "straight", "--speed", "1", "--out", str(taken)]) == 2
    assert str(taken) in capsys.readouterr().err
