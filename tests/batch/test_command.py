"""The command line of a batch: what it understands, what it says, and that it goes on where it was ended."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from blender_biped import __main__ as program
from blender_biped.batch import command
from blender_biped.batch.folder import Piece, pieces
from blender_biped.batch.told import ProgressLines, told_at
from blender_biped.worker import library_folders
from tests.batch.jobs import jobs_in, motion_of
from tools.trials import batches
from tools.trials.batches import BatchTrial

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and groups of processes")


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


def test_one_that_is_ended_while_it_loads_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "main", ended)
    assert program.main(["batch", "x"]) == command.INTERRUPTED and capsys.readouterr().err == "Ended.\n"


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


def test_a_task_of_a_farm_is_done_where_a_job_cannot_be_walked_folder(tmp_path: Path) -> None:
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


def test_a_folder_is_walked_by_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pybullet")
    jobs_in(tmp_path, "a", "b")
    (tmp_path / "c.json").write_text('{"version": 1}', encoding="utf-8")
    place = command.Place(folders=library_folders())
    assert command.main([str(tmp_path), "--jobs", "1"], place) == 1
    said = capsys.readouterr().out
    assert "b: arrived after" in said and "job.character is missing" in said, said
    assert "Of 3 jobs: 2 walked, 1 refused; NAME.error.json" in said
    assert all(piece.outcome().state == "walked" for piece in pieces(tmp_path)[:2])
    made = json.loads((tmp_path / "summary.json").read_text(encoding="ascii"))
    assert made["outcomes"] == {"arrived": 2} and made["each"][0]["motions"][0]["steps"] > 0
    assert command.main([str(tmp_path)], place) == 1
    assert "arrived after" not in capsys.readouterr().out  # none is walked again


@posix
@pytest.mark.long
def test_a_batch_that_was_killed_has_the_same_bits(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    pytest.importorskip("distributed")
    found = batches.run(BatchTrial(8, 0.1, 4, 1, seed=3), tmp_path)
    killed, dask = found["killed"], found["dask"]
    assert found["motions"] == found["distinct"] == killed["same"] == dask["same"] == 8
    assert killed["kills"] >= 1 and dask["kills"] == 1 and dask["states"] == {"walked": 8}
    assert set(killed["walks"]) == {1} and killed["replaced"] == 0 and killed["code"] == 0
    assert not killed["stray"] and not dask["stray"] and not list(tmp_path.iterdir())
