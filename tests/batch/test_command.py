"""The command line of a batch: what it understands, what it says, and that it goes on where it was ended."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from blender_biped import __main__ as program
from blender_biped.batch import command
from blender_biped.batch.folder import Piece, pieces
from blender_biped.batch.told import ProgressLines, told_at
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.job import Job, write_job
from blender_biped.motion.motion import read_motion
from blender_biped.world.path import Path as Way
from tests.batch.jobs import jobs_in, motion_of
from tools.base.command_table import ROOT

STYLES = (("natural", "default"), ("generalized", "default"), ("simbicon", "walk"), ("limit_cycle", "default"))
ARRAYS = ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command", "perturbations")

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and groups of processes")


def walked(folder: Path, *options: str) -> tuple[int, str]:
    """Return exit code and output of a batch in a process of its own."""
    done = subprocess.run(line(folder, *options), cwd=ROOT, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def line(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "blender_biped", "batch", str(folder), *options]


def done_by(folder: Path, names: Sequence[str]) -> None:
    """Put motions beside jobs, as a batch does."""
    for name in names:
        piece = Piece(folder, name)
        piece.files[0].write_bytes(motion_of(piece.digest))


def test_the_help_says_all(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in ((["--help"], "batch FOLDER"), (["batch", "--help"], "exit code: 0 all motions are there")):
        code = 0
        try:
            code = program.main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        text = capsys.readouterr().out
        assert code == 0 and said in text and max(map(len, text.splitlines())) <= 120
    assert program.main(["walk"]) == 2 and "There is no command 'walk'" in capsys.readouterr().err
    assert program.main([]) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--part", "0/3"], "give a part"), (["--part", "4/3"], "give a part"), (["--part", "x"], "give a part"),
        (["--jobs", "0"], "from 1 to 10000"), (["--jobs", "two"], "from 1 to 10000"), (["--sceduler"], "--sceduler"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        command.main([str(tmp_path), *options])
    assert end.value.code == 2 and said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "walk"], "No job of the folder is called 'walk'"),
        (["--summary", "--part", "1/2"], "A summary is of all jobs"),
        (["--scheduler", "tcp://farm:8786"], "has no TLS"),
    ],
)
def test_what_cannot_be_done_is_said(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs_in(tmp_path, "a")
    assert command.main([str(tmp_path), *options]) == 2 and said in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path / "x")]) == 2 and "Cannot read the folder" in capsys.readouterr().err


def test_parts_are_all_jobs_and_none_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of a part's jobs is there already, so nothing is walked."""
    names = [f"{k:02}" for k in range(7)]
    jobs_in(tmp_path, *names)
    done_by(tmp_path, names)
    counts = []
    for part in ("1/3", "2/3", "3/3"):
        assert command.main([str(tmp_path), "--part", part]) == 0
        counts.append(int(re.findall(r"Of (\d+) jobs", capsys.readouterr().out)[0]))
    assert counts == [3, 2, 2] and not (tmp_path / "summary.json").exists()
    assert command.main([str(tmp_path), "--only", "00", "--only", "0[5-9]"]) == 0
    assert "Of 3 jobs: 3 walked." in capsys.readouterr().out
    assert json.loads((tmp_path / "summary.json").read_text(encoding="ascii"))["walked"] == 7


def test_a_summary_alone_walks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b, _ = jobs_in(tmp_path, "a", "b", "c")
    done_by(tmp_path, ["a"])
    b.note("refused", "Too steep.")
    assert command.main([str(tmp_path), "--summary"]) == 1
    assert "Of 3 jobs: 1 walked, 1 refused, 1 missing; NAME.error.json beside" in capsys.readouterr().out
    made = json.loads((tmp_path / "summary.json").read_text(encoding="ascii"))
    assert [own["state"] for own in made["each"]] == ["walked", "refused", "missing"] and a.outcome().motions


def test_a_task_of_a_farm_is_done_where_a_job_cannot_be_walked(tmp_path: Path) -> None:
    """To walk it again elsewhere would not help; the summary says it."""
    a, b = jobs_in(tmp_path, "a", "b")
    done_by(tmp_path, ["a"])
    b.note("refused", "Too steep.")
    assert command.main([str(tmp_path), "--part", "1/1"]) == 0 and a.outcome().state == "walked"
    assert command.main([str(tmp_path)]) == 1


def test_a_bar_is_where_the_terminal_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(told_at(3, None), ProgressLines)  # tests have no terminal
    rich = pytest.importorskip("rich.progress")
    bar = told_at(3, True)
    bar.progress(0.5)
    bar.close()
    assert not isinstance(bar, ProgressLines) and rich
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    assert isinstance(told_at(3, True), ProgressLines)


def test_a_folder_is_walked_by_processes(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    jobs_in(tmp_path, "a", "b", "c")
    (tmp_path / "d.json").write_text('{"version": 1}', encoding="utf-8")
    code, said = walked(tmp_path, "--jobs", "1")
    assert code == 1 and "c: arrived after" in said, said
    assert "Of 4 jobs: 3 walked, 1 refused; NAME.error.json" in said and "job.character is missing" in said
    assert all(piece.outcome().state == "walked" for piece in pieces(tmp_path)[:3])
    made = json.loads((tmp_path / "summary.json").read_text(encoding="ascii"))
    assert made["outcomes"] == {"arrived": 3} and made["each"][0]["motions"][0]["steps"] > 0
    code, said = walked(tmp_path)
    assert code == 1 and "arrived after" not in said  # none is walked again


def four_controllers(folder: Path, count: int, seconds: float) -> None:
    """Write short walks of four controllers."""
    folder.mkdir()
    for k in range(count):
        controller, style = STYLES[k % len(STYLES)]
        path = Way([[0.0, 0.0], [100.0, 0.3 * k]])
        job = Job(standard_character(), path, preset(controller, style), duration=seconds)
        write_job(replace(job, seed=k // len(STYLES)), folder / f"walk-{k:03}.json")


def bits(folder: Path) -> dict[str, dict[str, bytes]]:
    """Return the arrays of all motions of a folder: all but what a walk has cost."""
    motions = {file.name: read_motion(file) for file in sorted(folder.glob("*.npz"))}
    return {n: {own: np.asarray(getattr(m, own)).tobytes() for own in ARRAYS} for n, m in motions.items()}


def killed_and_resumed(folder: Path, kills: int, seed: int, *options: str) -> None:
    """Walk a folder, killed at random so many times with all its processes; check that none is walked twice."""
    chance, known = random.Random(seed), dict[str, int]()
    for _ in range(kills):
        running = subprocess.Popen(line(folder, *options), cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
        time.sleep(chance.uniform(0.5, 4.0))
        os.killpg(running.pid, chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
        running.wait()
        now = {file.name: file.stat().st_ino for file in folder.glob("*.npz")}
        assert known.items() <= now.items()
        known = now
    code, said = walked(folder, *options)
    assert code == 0, said
    assert known.items() <= {file.name: file.stat().st_ino for file in folder.glob("*.npz")}.items()


@posix
@pytest.mark.long
def test_a_batch_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    pieces_of = jobs_in(tmp_path, "a", "b", "c")
    done_by(tmp_path, ["a"])
    killed_and_resumed(tmp_path, 1, 1, "--jobs", "1")
    assert all(piece.outcome().state == "walked" for piece in pieces_of)


@posix
@pytest.mark.long
def test_a_batch_that_was_killed_ten_times_has_the_same_bits(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    for name in ("once", "killed"):
        four_controllers(tmp_path / name, 16, 0.5)
    assert walked(tmp_path / "once")[0] == 0
    killed_and_resumed(tmp_path / "killed", 10, 3)
    assert bits(tmp_path / "once") == bits(tmp_path / "killed") and len(bits(tmp_path / "once")) == 16
    there = [{file.name for file in (tmp_path / name).iterdir()} for name in ("once", "killed")]
    assert there[0] == there[1] and len(there[0]) == 2 * 16 + 1
