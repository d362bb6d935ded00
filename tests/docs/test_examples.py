"""The scripts of examples/, run as a reader runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))


def output(name: str, *arguments: str) -> str:
    """Run an example with nothing but this Python; return what it prints."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a walk was written to, by the example that does that."""
    made = tmp_path_factory.mktemp("walked")
    assert "foot strikes: see" in output("walk_a_job.py", str(made))
    return made


def test_there_are_three_of_blender_and_four_without_it() -> None:
    numbered, others = ["1_one_walk.py", "2_several_characters.py", "3_own_style.py"], EXAMPLES[3:]
    assert EXAMPLES[:3] == numbered
    assert others == ["own_body.py", "read_motion.py", "walk_a_job.py", "write_preset.py"]
    for name in EXAMPLES:
        assert len((ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()) < 45, name


@pytest.mark.long
def test_one_character_walks() -> None:
    assert "18 parts; metarig Walk: arrived after " in output("1_one_walk.py")


@pytest.mark.long
def test_several_characters_walk() -> None:
    said = output("2_several_characters.py")
    assert all(f"{name}: {name} Walk, arrived after " in said for name in ("metarig", "metarig.001", "metarig.002"))


@pytest.mark.long
def test_a_style_of_ones_own_is_walked() -> None:
    assert "metarig Walk: arrived after " in output("3_own_style.py")


@pytest.mark.long
def test_a_job_is_walked(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} >= {"job.json", "motion.npz"}


@pytest.mark.long
def test_a_motion_is_read(folder: Path) -> None:
    said = output("read_motion.py", str(folder))
    assert "fell: " in said and "foot strike, left" in said and "foot strike, right" in said
    assert (folder / "motion.bvh").read_text(encoding="utf-8").startswith("HIERARCHY")


def test_a_preset_is_written(tmp_path: Path) -> None:
    assert "Narrow: width 0.11" in output("write_preset.py", str(tmp_path))
    assert (tmp_path / "generalized" / "narrow.json").is_file()


@pytest.mark.long
def test_a_body_of_ones_own_walks() -> None:
    said = output("own_body.py")
    assert "9 parts, missing: abdomen, upper_arm.L" in said and "legs of 1.00 m: " in said
