"""The measuring command: what it picks and refuses, what it takes over, crashes, the report and the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from blender_biped.job import job_from_json
from blender_biped.world.path import Path as Route
from tests.motion.synthetic import walked
from tools.base import processes
from tools.base.columns import COLUMNS, IDENTITY, OTHER, verdict
from tools.base.processes import Ended, Task
from tools.commands import measure
from tools.measure import measured, run
from tools.pictures import charts

GENERALIZED = "controller=generalized"  # it goes at all of the grid's speeds
ONE = ["--only", GENERALIZED, "--only", "speed=1", "--only", "path=straight", "--only", "character=standard"]
PAIR = [*ONE[:2], "--only", "speed=1,1.2", "--only", "path=straight", "--only", "character=standard", "--jobs", "1"]


@cache
def walk() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return figures and raw material of a walk that nobody simulated."""
    motion, job = walked(Route([[0.0, 0.0], [3.0, 0.0]]))
    return measured.figures(motion, job, "straight"), measured.raw(motion, job)


def kinematic(task: dict[str, Any]) -> dict[str, Any]:
    """Return a result for a task: always the same walk, under the names of the task."""
    figures, raw = walk()
    job = job_from_json(task["job"])
    known = {"path": task["path"], "speed_mps": job.speed, "seed": job.seed, "character": job.character.name}
    made = {"figures": {**figures, **known}, "raw": raw}
    return {"version": processes.VERSION, "fingerprint": task["fingerprint"], **made}


class Fake:
    """Stands in for the processes: notes what is run, and makes kinematic walks; some tasks crash."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.jobs: list[Any] = []
        self.crash: Callable[[Task], bool] = lambda task: False

    def run(self, tasks: Sequence[Task], at_once: int) -> Any:
        for task in tasks:
            self.ran.append(task.name)
            self.jobs.append(task.data["job"])
            if self.crash(task):
                yield Ended(task, "ended by SIGKILL")
            elif task.module == "tools.measure.measured":
                processes.write_json(task.result, kinematic(task.data))
                yield Ended(task, "")
            elif task.module == "tools.measure.pushed":
                limit = {"forward": 400.0, "back": 300.0, "left": 200.0, "right": 250.0}[task.data["direction"]]
                made = {"version": processes.VERSION, "fingerprint": task.data["fingerprint"], "limit_n": limit}
                processes.write_json(task.result, made)
                yield Ended(task, "")
            else:
                yield Ended(task, "no pictures here")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = Fake()
    monkeypatch.setattr(processes, "run", fake.run)
    monkeypatch.setattr(charts, "angles", lambda walks: None)  # they take their time, and have their own test
    monkeypatch.setattr(charts, "spreads", lambda stood, fell: None)
    return fake


def walks(fake: Fake) -> list[str]:
    return [name for name in fake.ran if not name.startswith("moment")]


def report(out: Path) -> list[dict[str, Any]]:
    whole: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert whole["version"] == 1
    cases: list[dict[str, Any]] = whole["cases"]
    return cases


def test_own_characters_come_from_files_and_walk_the_grid(tmp_path: Path, fake: Fake) -> None:
    pytest.importorskip("bpy")
    from tests.tools.blends import blend

    file = blend(tmp_path, standard=True)
    out = tmp_path / "out"
    assert measure.main(["--armature", str(file), *ONE[:2], "--only", "path=turn", "--out", str(out)]) == 0
    cases = report(out)
    assert {c["character"] for c in cases} == {"standard-2"} and len(cases) == 6  # the grid has a "standard" too
    assert job_from_json(fake.jobs[0]).character.leg_length > 0.7
    assert measure.main(["--armature", str(tmp_path / "none.glb"), "--out", str(out)]) == 2


def test_the_report_has_every_name_and_null_for_what_does_not_apply(tmp_path: Path, fake: Fake) -> None:
    assert measure.main([*PAIR, "--out", str(tmp_path)]) == 0
    cases = report(tmp_path)
    assert [c["speed_mps"] for c in cases] == [1.0, 1.2]
    for case in cases:
        assert set(case) == {*IDENTITY, *OTHER, *(c.name for c in COLUMNS)}
        assert case["error"] is None and case["outcome"] == "arrived" and case["push_n"] is None
        assert case["foot_slip_worst_mm"] < 0.1 and case["fell"] is False


def test_a_second_run_takes_over_what_is_current(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*PAIR, "--out", str(tmp_path)]
    measure.main(arguments)
    before = (tmp_path / "report.json").read_text()
    assert len(walks(fake)) == 2
    measure.main(arguments)
    assert len(walks(fake)) == 2 and "2 of 2 walks are taken over" in capsys.readouterr().out
    assert (tmp_path / "report.json").read_text() == before
    one = tmp_path / "cases" / f"{walks(fake)[0]}.json"
    one.write_text(one.read_text()[:100])  # as a full disk leaves it
    measure.main(arguments)
    assert walks(fake)[2:] == walks(fake)[:1]
    monkeypatch.setattr(run, "source_hash", lambda *tools: "other sources")
    measure.main(arguments)
    assert len(walks(fake)) == 5


def test_a_crash_is_only_its_cases(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake.crash = lambda task: task.name.endswith("straight_1")
    assert measure.main([*PAIR, "--out", str(tmp_path)]) == 1
    broken, fine = report(tmp_path)
    assert set(broken) == set(fine) and broken["error"] == "ended by SIGKILL" and broken["fell"] is None
    assert (verdict(broken), verdict(fine)) == ("crashed", "fine")
    said = capsys.readouterr().out
    assert "1 crashed; 50 % neither" in said and "1 m/s: crashed: ended by SIGKILL" in said
    assert "ended by SIGKILL" in (tmp_path / "page.html").read_text()
    fake.crash = lambda task: False
    assert measure.main([*PAIR, "--out", str(tmp_path)]) == 0
    assert walks(fake)[2:] == walks(fake)[:1]


def test_pushes_come_into_the_report_with_the_least(tmp_path: Path, fake: Fake) -> None:
    assert measure.main([*PAIR, "--push", "--out", str(tmp_path)]) == 0
    case = report(tmp_path)[0]
    assert (case["push_forward_n"], case["push_left_n"], case["push_n"]) == (400.0, 200.0, 200.0)
    count = len(walks(fake))
    fake.crash = lambda task: task.name.endswith("back")
    assert measure.main([*PAIR, "--push", "--out", str(tmp_path)]) == 0
    assert len(walks(fake)) == count


def test_a_push_that_crashes_leaves_the_walk_fine(
    tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.crash = lambda task: task.name.endswith("back")
    assert measure.main([*ONE, "--push", "--out", str(tmp_path)]) == 1
    (case,) = report(tmp_path)
    assert case["push_n"] is None and case["push_left_n"] == 200.0 and verdict(case) == "fine"
    assert "push back: ended by SIGKILL" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "file"
    taken.touch()
    assert measure.main([*ONE, "--out", str(taken)]) == 2
    assert str(taken) in capsys.readouterr().err and not fake.ran


@pytest.mark.parametrize("arguments", [["--jobs", "0"], ["--seeds", "-1"], ["--seeds", "x"]])
def test_numbers_out_of_range_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        measure.main(arguments)
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "Cannot read"), ("{", "not valid JSON"), ('{"version": 9, "cases": []}', "version is 9"),
     ('{"version": 1}', "cases is missing"), ('{"version": 1, "cases": [{}]}', "missing")],
)  # fmt: skip
def test_a_report_that_cannot_be_compared_is_refused_at_once(
    content: str | None, said: str, tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.json"
    if content is not None:
        old.write_text(content)
    assert measure.main([*ONE, "--compare", str(old), "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err and not fake.ran


def test_stopping_keeps_what_is_finished(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(task: Task) -> bool:
        if len(walks(fake)) == 2:
            raise KeyboardInterrupt
        return False

    fake.crash = stop
    assert measure.main([*PAIR, "--out", str(tmp_path)]) == 130
    assert "taken over next time" in capsys.readouterr().err
    assert [p.stem for p in (tmp_path / "cases").iterdir()] == walks(fake)[:1]


@pytest.mark.long
def test_a_walk_is_measured_in_a_process_of_its_own_and_shown(tmp_path: Path) -> None:
    assert measure.main([*ONE, "--out", str(tmp_path)]) == 0
    (case,) = report(tmp_path)
    assert case["path"] == "straight" and case["outcome"] == "arrived" and case["foot_slip_median_mm"] < 5.0
    assert (tmp_path / "page.html").stat().st_size > 10_000
