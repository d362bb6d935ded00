"""Tables that are kept from one process to the next: the same walk, bit for bit, in less time."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from blender_biped.base import disk_cache
from blender_biped.base.errors import DataError
from blender_biped.base.fingerprint import sources
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps import kept_tables, strides
from blender_biped.control.natural.steps.kept_tables import ROOMS, numbers_of, shapes, table_of
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.step_table import StepTable, Tables
from blender_biped.control.natural.steps.strides import Strides, forget
from blender_biped.control.registry import preset
from blender_biped.job import Job, write_job
from blender_biped.klaw.walk import walked
from blender_biped.motion.motion import Motion, read_motion
from blender_biped.motion.similarity import at_reference_size
from blender_biped.worker import library_folders, run
from blender_biped.world.path import Path as WalkedPath

ROOT = Path(__file__).resolve().parents[3]
CHARACTER = at_reference_size(standard_character())
STYLE = read_settings(preset("natural", "default").values).style
ASKED = ((0.5, 0.0), (1.3, 0.0), (1.3, 0.4))  # speeds, m/s, and bends, rad/s: softened ones, and KLAW's own


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path / "tables"))
    forget()
    yield tmp_path / "tables"
    forget()


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The speeds at which KLAW has walked."""
    found: list[float] = []

    def noted(job, rate, **more):
        found.append(job.speed)
        return walked(job, rate, **more)

    monkeypatch.setattr(strides, "walked", noted)
    return found


def asked(style=STYLE, character=CHARACTER, gravity=9.81, **more) -> list[bytes]:
    """Return all bits of what is asked of a style's strides by a process that knows nothing."""
    forget()
    own = Strides(character, style, gravity, **more)
    tables = [table for speed, turn in ASKED for table in own.tables(speed, turn)]
    return [*(numbers_of(table).tobytes() for table in tables), np.float64(own.standing).tobytes()]


def test_tables_are_the_same_made_kept_and_read(folder: Path, solved: list[float], monkeypatch) -> None:
    cold = asked()
    assert len(solved) > 3
    solved.clear()
    assert asked() == cold and not solved
    monkeypatch.setenv(disk_cache.VARIABLE, disk_cache.NONE)
    assert asked() == cold and len(solved) > 3


@pytest.mark.parametrize("more", [{"backs": True}, {"level": False}], ids=["back", "not level"])
def test_other_ways_of_walking_have_their_own(folder: Path, solved: list[float], more) -> None:
    level = asked()
    cold = asked(**more)
    solved.clear()
    assert asked(**more) == cold != level and not solved


def test_whatever_goes_in_makes_another_one(folder: Path, solved: list[float]) -> None:
    manner, attributes, constants = STYLE
    asked()
    for style, character, gravity in (
        ((replace(manner, knee_lift=0.2), attributes, constants), CHARACTER, 9.81),
        ((manner, replace(attributes, theta2_des=attributes.theta2_des + 0.01), constants), CHARACTER, 9.81),
        ((manner, attributes, replace(constants, v_2=constants.v_2 + 1e-9)), CHARACTER, 9.81),
        (STYLE, replace(CHARACTER, stand_height=CHARACTER.stand_height + 1e-9), 9.81),
        (STYLE, CHARACTER, 9.8100000001),
    ):  # fmt: skip
        solved.clear()
        asked(style, character, gravity)
        assert len(solved) > 3
    solved.clear()
    asked()
    assert not solved


def test_another_version_makes_its_own(folder: Path, solved: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    cold = asked()
    before = sorted(folder.iterdir())
    solved.clear()
    monkeypatch.setattr(kept_tables, "version", lambda: "another version")
    assert asked() == cold and len(solved) > 3
    assert len(list(folder.iterdir())) == 2 * len(before)
    solved.clear()
    monkeypatch.undo()
    monkeypatch.setenv(disk_cache.VARIABLE, str(folder))
    assert asked() == cold


def test_a_package_without_sources_keeps_nothing(folder: Path, solved: list[float], monkeypatch) -> None:
    monkeypatch.setattr(kept_tables, "version", lambda: sources(folder / "nowhere", ROOMS))
    cold = asked()
    assert asked() == cold and not folder.exists()


def test_spoilt_files_change_nothing(folder: Path, solved: list[float]) -> None:
    cold = asked()
    kept = sorted(folder.glob("*.npy"))
    for spoil in (lambda content: content[:-1], lambda content: content[: len(content) // 2], lambda content: b""):
        for file in kept:
            file.write_bytes(spoil(file.read_bytes()))
        solved.clear()
        assert asked() == cold and len(solved) > 3
    solved.clear()
    assert asked() == cold and not solved


def test_speeds_that_a_style_cannot_have_are_refused_each_time(folder: Path) -> None:
    for _ in range(2):
        forget()
        with pytest.raises(DataError, match="steps a minute is more than this body can walk with"):
            Strides(CHARACTER, STYLE, 9.81).tables(9.0)


def test_a_table_is_all_of_its_numbers() -> None:
    made: Tables = Strides(CHARACTER, STYLE, 9.81).tables(1.0)
    assert list(shapes(1)) == [own.name for own in fields(StepTable)]
    for table in made:
        back = table_of(numbers_of(table), len(CHARACTER.links))
        for own in fields(StepTable):
            before, after = getattr(table, own.name), getattr(back, own.name)
            assert np.shape(before) == np.shape(after) == shapes(len(CHARACTER.links))[own.name], own.name
            assert np.asarray(before).tobytes() == np.asarray(after).tobytes(), own.name


def test_all_that_makes_tables_is_in_their_name() -> None:
    """Whatever of the package is loaded with what makes them lies in the rooms whose sources go in."""
    code = (
        f"import json, sys, {strides.__name__}\n"
        "print(json.dumps([own.__file__ for name, own in sys.modules.items() if name.startswith('blender_biped')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    rooms = [kept_tables.PACKAGE / room for room in ROOMS]
    assert all(room.exists() for room in rooms)
    loaded = [Path(file) for file in json.loads(done.stdout)]
    outside = [file for file in loaded if not any(file == room or room in file.parents for room in rooms)]
    assert len(loaded) > 90
    for file in outside:  # Blender's own begin of the package, and what says what a room is
        assert file == kept_tables.PACKAGE / "__init__.py" or _only_says(file), file


def _only_says(file: Path) -> bool:
    """Return whether a package's file has nothing but a docstring."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return file.name == "__init__.py" and len(tree.body) == 1 and ast.get_docstring(tree) is not None


# --- walks -----------------------------------------------------------------------------------------------------------


def walk() -> Job:
    return Job(
        standard_character(), WalkedPath([(0.0, 0.0), (0.7, 0.0), (1.2, 0.3)]), preset("natural", "default"), 1.0
    )


def bits(motion: Motion) -> list[bytes]:
    names = "times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command"
    return [np.ascontiguousarray(getattr(motion, name)).tobytes() for name in names]


def test_a_walk_is_the_same_cold_warm_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(disk_cache.VARIABLE, raising=False)
    folder = tmp_path / "tables"
    without = run(walk(), folders=library_folders())
    assert without.outcome == "arrived" and not folder.exists()
    cold = run(walk(), folders=library_folders(), tables=str(folder))
    kept = {file: file.stat().st_ino for file in folder.iterdir()}
    warm = run(walk(), folders=library_folders(), tables=str(folder))
    assert len(kept) > 3 and {file: file.stat().st_ino for file in folder.iterdir()} == kept
    assert bits(without) == bits(cold) == bits(warm)
    monkeypatch.setenv(disk_cache.VARIABLE, disk_cache.NONE)
    other = tmp_path / "other"
    assert bits(run(walk(), folders=library_folders(), tables=str(other))) == bits(without) and not other.exists()


def test_two_walks_at_once_share_what_they_keep(tmp_path: Path) -> None:
    write_job(walk(), tmp_path / "job.json")
    environment = {**os.environ, disk_cache.VARIABLE: str(tmp_path / "tables")}
    motions = [tmp_path / f"{name}.npz" for name in ("one", "two")]
    walks = [
        subprocess.Popen(
            [sys.executable, "-m", "blender_biped.simulate", str(tmp_path / "job.json"), str(motion)], cwd=ROOT,
            env=environment, stdout=subprocess.DEVNULL,
        )
        for motion in motions
    ]  # fmt: skip
    assert [own.wait(120) for own in walks] == [0, 0]
    one, two = (bits(read_motion(motion)) for motion in motions)
    assert one == two
    assert all(file.suffix == ".npy" for file in (tmp_path / "tables").iterdir())
