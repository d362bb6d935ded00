"""Walks that are computed elsewhere: what is exported, and that what comes back is baked as if it were from here."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.batch import command
from blender_biped.batch.folder import Piece, digest_of, pieces
from blender_biped.batch.manifest import read_manifest
from blender_biped.company import Company, read_work
from blender_biped.control.registry import preset
from blender_biped.job import Job
from blender_biped.klaw.walk import walk
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.motion.stamp import Stamp, figures, write_stamp
from blender_biped.motion.summary import summarised
from blender_biped.ui.base.status import status
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.settings import preferences
from tests.blender.scenes import contents, keys, make_curve, make_rig
from tests.blender.scripted import answer_at_once


@pytest.fixture(autouse=True)
def told_nothing() -> None:
    status.end("", "INFO")


def character(name: str, aside: float, controller: str = "klaw", length: float = 2.0) -> Any:
    armature = make_rig(name)
    own = armature.biped.walk
    own.path = make_curve([(0.0, aside, 0.0), (length, aside, 0.0)], name=f"{name} Path")
    own.controller = controller
    bpy.context.view_layer.update()
    return armature


@pytest.fixture
def cast() -> list[Any]:
    """Three characters."""
    return [character(name, 4.0 * k) for k, name in enumerate(("Hero", "Élan /vital\\", "Third"))]


def klaw(job: Job) -> Motion:
    return walk(replace(job, preset=preset("klaw", "walk"), cues=(), ending=()))


def come_back(folder: Path, *left: str) -> None:
    """Put motions beside all jobs but some, as other computers do."""
    for piece in pieces(folder):
        job = read_work(folder / f"{piece.name}.json")
        if piece.name not in left and isinstance(job, Job):
            motion = klaw(job)
            write_motion(motion, piece.files[0])
            write_stamp(piece.files[0], Stamp(piece.digest, figures(summarised(motion, job))))


def bits(armature: Any) -> dict[Any, bytes]:
    """Return all keys of an armature's action."""
    return {name: np.asarray(values).tobytes() for name, values in keys(armature.animation_data.action).items()}


def export(folder: Path, **options: Any) -> None:
    assert bpy.ops.biped.export_jobs(directory=str(folder), **options) == {"FINISHED"}


def test_three_characters_come_back_with_the_keys_of_bake_all(
    cast: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_at_once(monkeypatch, klaw)
    bpy.ops.ed.undo_push(message="before")
    export(tmp_path)
    assert bpy.ops.biped.bake_all() == {"FINISHED"}
    here = [bits(armature) for armature in cast]
    for armature in cast:
        armature.animation_data_clear()
    monkeypatch.setattr(bake_operators, "begun", lambda _: pytest.fail("nothing is simulated"))
    come_back(tmp_path)
    assert bpy.ops.biped.import_motions(directory=str(tmp_path)) == {"FINISHED"}
    assert [bits(armature) for armature in cast] == here and len(here[0]) > 50
    assert "3 of 3 walks baked" in status.message and status.level == "INFO"


@pytest.mark.long
def test_three_characters_that_were_simulated_come_back_with_the_keys_of_bake_all(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    cast = [
        character(name, 4.0 * k, own, 1.5) for k, (name, own) in enumerate(
            (("One", "generalized"), ("Two", "natural"), ("Three", "klaw"))
        )
    ]  # fmt: skip
    export(tmp_path)
    assert bpy.ops.biped.bake_all() == {"FINISHED"}
    here = [bits(armature) for armature in cast]
    for armature in cast:
        armature.animation_data_clear()
    place = command.Place(*preferences.worker_python(bpy.context))
    assert command.main([str(tmp_path), "--lines"], place) == 0
    assert bpy.ops.biped.import_motions(directory=str(tmp_path)) == {"FINISHED"}
    assert [bits(armature) for armature in cast] == here and len(here) == 3


def test_what_is_missing_is_said_and_the_others_are_baked(cast: list[Any], tmp_path: Path) -> None:
    export(tmp_path)
    first, second, third = (walk.job for walk in read_manifest(tmp_path))
    come_back(tmp_path, first, second)
    Piece(tmp_path, second).note("refused", "Its hurdle is too high.")
    assert bpy.ops.biped.import_motions(directory=str(tmp_path)) == {"FINISHED"}
    assert "1 of 3 walks baked" in status.message and "Its hurdle is too high." in status.message
    assert f"there is no {first}.npz" in status.message and third
    assert [bool(own.animation_data) for own in cast] == [False, False, True]


def test_a_scene_that_has_changed_since_is_told(cast: list[Any], tmp_path: Path) -> None:
    export(tmp_path)
    come_back(tmp_path)
    cast[0].biped.walk.speed_mps = 0.9
    cast[1].biped.mass_from, cast[1].biped.mass_kg = "TYPED", 44.0
    cast[2].name = "Other"
    bpy.ops.biped.import_motions(directory=str(tmp_path))
    assert "It was changed since: this is the walk as exported." in status.message
    assert "Its body is another one than when it was exported" in status.message
    assert "Third: No character of this name has a path in this scene." in status.message
    assert [bool(own.animation_data) for own in cast] == [True, False, False]


def test_the_files_name_no_path_of_the_computer(cast: list[Any], tmp_path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "secret place.blend"))
    folder = tmp_path / "jobs"
    folder.mkdir()
    export(folder)
    assert {file.name for file in folder.iterdir()} == {
        "manifest.json", "1-Hero.json", "2-Élan_vital_.json", "3-Third.json"
    }  # fmt: skip
    for file in folder.iterdir():
        text = file.read_text(encoding="ascii")
        assert "secret" not in text and str(tmp_path) not in text and str(Path.home()) not in text
        assert not re.search(r"/\w+/|[A-Za-z]:\\", text)


def test_variations_are_one_walk_by_seeds(tmp_path: Path) -> None:
    armature = character("Hero", 0.0)
    export(tmp_path, what="VARIATIONS", count=3, first_seed=5)
    walks = read_manifest(tmp_path)
    jobs = [walk.job_in(tmp_path) for walk in walks]
    assert [job.seed for job in jobs] == [5, 6, 7] and [walk.variation for walk in walks] == [1, 2, 3]
    assert replace(jobs[0], seed=0).as_json() == read_request(bpy.context, armature).job.as_json()
    come_back(tmp_path, walks[0].job)
    assert bpy.ops.biped.import_motions(directory=str(tmp_path)) == {"FINISHED"}  # the first that is there
    assert status.level == "INFO" and armature.animation_data
    with pytest.raises(RuntimeError, match="has not come back"):
        bpy.ops.biped.import_motions(directory=str(tmp_path), variation=1)
    with pytest.raises(RuntimeError, match="There is no variation 4: there are 3"):
        bpy.ops.biped.import_motions(directory=str(tmp_path), variation=4)


def test_those_who_bump_into_each_other_are_one_job(cast: list[Any], tmp_path: Path) -> None:
    for armature in cast[:2]:
        armature.biped.walk.controller = "generalized"
    bpy.context.scene.biped.bump = True
    export(tmp_path)
    walks = read_manifest(tmp_path)
    assert [walk.place for walk in walks] == [0, 1, None] and walks[0].job == walks[1].job
    assert isinstance(read_work(tmp_path / f"{walks[0].job}.json"), Company)
    assert [file.name for file in Piece(tmp_path, walks[0].job).files] == ["1-company-1.npz", "1-company-2.npz"]


def test_an_export_again_leaves_what_is_the_same(cast: list[Any], tmp_path: Path) -> None:
    export(tmp_path)
    come_back(tmp_path)
    kept = (tmp_path / "1-Hero.json").stat().st_ino
    cast[1].biped.walk.speed_mps = 0.9
    cast[2].biped.walk.path = None
    bpy.context.view_layer.update()
    export(tmp_path)
    assert (tmp_path / "1-Hero.json").stat().st_ino == kept and not (tmp_path / "3-Third.json").exists()
    assert [piece.outcome().state for piece in pieces(tmp_path)] == ["walked", "missing"]


def test_files_of_others_stay(cast: list[Any], tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{}", encoding="ascii")
    before = contents()
    with pytest.raises(RuntimeError, match="choose an empty folder"):
        bpy.ops.biped.export_jobs(directory=str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]
    with pytest.raises(RuntimeError, match=r"has no manifest\.json"):
        bpy.ops.biped.import_motions(directory=str(tmp_path))
    assert contents() == before


def test_a_job_that_was_changed_on_the_way_is_refused(cast: list[Any], tmp_path: Path) -> None:
    export(tmp_path)
    file = tmp_path / "1-Hero.json"
    file.write_bytes(file.read_bytes() + b" ")
    come_back(tmp_path)
    bpy.ops.biped.import_motions(directory=str(tmp_path))
    assert "1-Hero.json was changed since it was exported" in status.message and not cast[0].animation_data
    assert digest_of(file.read_bytes()) and os.path.exists(tmp_path / "1-Hero.npz")
