"""The measuring command: what it picks and refuses, what it takes over, crashes, the report and the table."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from blender_biped.base.errors import BipedError
from blender_biped.job import job_from_json
from blender_biped.motion.similarity import similarity
from blender_biped.preset.preset import presets, speeds_of
from blender_biped.world.path import Path as Route
from tests.motion.synthetic import walked
from tools.base import processes
from tools.base.columns import BY_NAME, COLUMNS, IDENTITY, OTHER, Figures, summaries, verdict
from tools.base.processes import Ended, Task
from tools.commands import measure
from tools.measure import grid, measured
from tools.measure.grid import Case, job_of
from tools.measure.selection import Grid, chosen, parsed, pushes, whole_grid
from tools.pictures import charts

GENERALIZED = "controller=generalized"
ONE = ["--only", GENERALIZED, "--only", "speed=1", "--only", "path=straight", "--only", "character=standard"]
PAIR = [*ONE[:2], "--only", "speed=1,1.2", "--only", "path=straight", "--only", "character=standard", "--jobs", "1"]


@pytest.fixture(scope="module")
def whole() -> Grid:
    return whole_grid()


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


# --- which cases -------------------------------------------------------------------------------------------------


def test_the_whole_grid_is_every_combination_once(whole: Grid) -> None:
    cases = chosen(whole, {})
    speeds = [len(grid.speeds(style, body)) for style in whole.styles.values() for body in whole.characters.values()]
    assert len(cases) == len(set(cases)) == 7 * sum(speeds)
    assert len({c.name for c in cases}) == len(cases)


def test_only_picks_and_may_be_given_again(whole: Grid) -> None:
    only = parsed(["path=turn,corner", "speed=0.85", "path=circle", "character=heavy"])
    cases = chosen(whole, only)
    assert {(c.path, c.speed, c.character) for c in cases} == {(p, 0.85, "heavy") for p in ("turn", "corner", "circle")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour=red", "controller, preset, speed, path, character"),
        ("path", "VALUE"),
        ("path=", "VALUE"),
        ("path=zigzag", "straight, s-curve, circle, figure-eight, corner, loop, turn"),
        ("character=giant", "standard, short-legs"),
        ("controller=magic", "generalized"),
        ("preset=moonwalk", "default"),
        ("speed=fast", "0.4, 0.6"),
        ("speed=0.05", "from 0.1 to 10"),
        ("speed=nan", "from 0.1 to 10"),
    ],
)
def test_what_cannot_be_picked_lists_what_can(text: str, said: str, whole: Grid) -> None:
    with pytest.raises(BipedError, match=text.partition("=")[0]) as refused:
        chosen(whole, parsed([text]))
    assert said in str(refused.value)


def test_quick_has_all_paths_and_every_body_in_few_cases(whole: Grid) -> None:
    cases = chosen(whole, {}, quick=True)
    assert 12 <= len(cases) <= 24
    assert {c.path for c in cases} == set(whole.paths) and {c.character for c in cases} == set(whole.characters)
    assert {c.path for c in chosen(whole, parsed(["path=turn"]), quick=True)} == {"turn"}
    with pytest.raises(BipedError, match="--quick"):
        chosen(whole, parsed(["speed=3"]), quick=True)


def test_seeds_repeat_every_case(whole: Grid) -> None:
    cases = chosen(whole, parsed(["controller=generalized", "path=turn", "speed=1"]), seeds=2)
    assert [c.seed for c in cases] == [0] * 7 + [1] * 7 + [2] * 7 and len({c.name for c in cases}) == 21


def test_a_gait_walks_at_speeds_that_it_can_have_whatever_the_body(whole: Grid) -> None:
    for case in chosen(whole, parsed(["controller=simbicon"])):
        job = whole.job(case)
        own = speeds_of(job.preset)
        assert own is not None
        walked = similarity(job).job(job).speed
        assert own.slowest - 1e-9 <= walked <= own.fastest + 1e-9
        assert job_from_json(job.as_json()).ending == job.ending
        assert bool(job.ending) == (own.slowest > 0.0) and bool(job.duration) == (case.speed == 0.0)
    run = parsed(["controller=simbicon", "preset=run", "character=standard", "path=straight"])
    own = speeds_of(whole.styles["simbicon", "run"])
    assert own is not None
    asked = [own.slowest - 0.1, own.usual, own.fastest + 0.1]
    assert [c.speed for c in chosen(whole, {**run, "speed": [str(v) for v in asked]})] == [own.usual]
    with pytest.raises(BipedError, match=rf"--only speed=9: run goes at {own.slowest:g} to {own.fastest:g} m/s"):
        chosen(whole, {**run, "speed": ["9"]})


def test_gaits_that_stay_are_measured_for_a_while(whole: Grid) -> None:
    still = replace(whole.styles["simbicon", "walk"], values={"speeds": [0.0, 0.0]})
    job = job_of(Case("simbicon", "walk", "standard", "straight", 0.0), whole.characters["standard"],
                 whole.paths["straight"], still)  # fmt: skip
    assert grid.speeds(still, job.character) == (0.0,) and job.duration == grid.STAYING


def test_quick_and_pushes_have_the_usual_speed_of_a_gait(whole: Grid) -> None:
    only = parsed(["controller=simbicon"])
    cases = chosen(whole, only, quick=True)
    style = whole.styles["simbicon", cases[0].preset]
    usual = {name: grid.usual_speed(style, body) for name, body in whole.characters.items()}
    assert {c.preset for c in cases} == {presets("simbicon")[0].name} and len(cases) <= 24
    assert {c.path for c in cases} == set(whole.paths) and {c.character for c in cases} == set(whole.characters)
    assert all(c.speed == usual[c.character] for c in cases if c.path != "straight")
    assert {(c.character, c.speed) for c in pushes(cases, whole, only)} == {("standard", usual["standard"])}
    assert {c.preset for c in chosen(whole, parsed(["preset=run"]), quick=True)} == {"run"}


def test_own_characters_walk_alone_unless_others_are_asked_for(whole: Grid) -> None:
    own = whole_grid({"Hero": whole.characters["heavy"]})
    assert {c.character for c in chosen(own, {})} == {"Hero"}
    assert {c.character for c in chosen(own, parsed(["character=standard,Hero"]))} == {"standard", "Hero"}
    assert len(chosen(own, {}, quick=True)) > 12


def test_names_of_own_characters_fit_files_and_differ() -> None:
    assert measure.free_name("My Rig/1", ()) == "My-Rig-1"
    assert measure.free_name("heavy", ("heavy", "heavy-2")) == "heavy-3"
    assert measure.free_name("../..", ()) == "character"


def test_own_characters_come_from_files_and_walk_the_grid(tmp_path: Path, fake: Fake) -> None:
    pytest.importorskip("bpy")
    from tests.tools.commands.test_demo import blend

    file = blend(tmp_path, standard=True)
    out = tmp_path / "out"
    assert measure.main(["--armature", str(file), *ONE[:2], "--only", "path=turn", "--out", str(out)]) == 0
    cases = report(out)
    assert {c["character"] for c in cases} == {"standard-2"} and len(cases) == 6  # the grid has a "standard" too
    assert job_from_json(fake.jobs[0]).character.leg_length > 0.7
    assert measure.main(["--armature", str(tmp_path / "none.glb"), "--out", str(out)]) == 2


def test_pushes_are_of_straight_nominal_walks(whole: Grid) -> None:
    found = pushes(chosen(whole, parsed([GENERALIZED]), seeds=1), whole, {})
    assert {(c.path, c.seed, c.character, c.speed) for c in found} == {
        ("straight", 0, "standard", v) for v in (0.8, 1.2)
    }
    only = parsed([GENERALIZED, "character=light", "speed=1"])
    assert [(c.character, c.speed) for c in pushes(chosen(whole, only), whole, only)] == [("light", 1.0)]
    with pytest.raises(BipedError, match="straight"):
        pushes(chosen(whole, parsed(["path=turn"])), whole, {})


# --- running -----------------------------------------------------------------------------------------------------


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
    monkeypatch.setattr(measure, "source_hash", lambda *tools: "other sources")
    measure.main(arguments)
    assert len(walks(fake)) == 5


def test_a_changed_job_is_another_fingerprint(whole: Grid, tmp_path: Path) -> None:
    jobs = [whole.job(c).as_json() for c in chosen(whole, parsed(["path=turn", "character=light"]), seeds=1)[:2]]
    made = [measure._task("a", "m", {"path": "turn", "job": j}, tmp_path, s).data["fingerprint"]
            for j in jobs for s in ("x", "y")]  # fmt: skip
    assert len(set(made)) == 4


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


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "file"
    taken.touch()
    assert measure.main([*ONE, "--out", str(taken)]) == 2
    assert str(taken) in capsys.readouterr().err and not fake.ran


@pytest.mark.parametrize("arguments", [["--jobs", "0"], ["--seeds", "-1"], ["--seeds", "x"]])
def test_numbers_out_of_range_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        measure.options(arguments)
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "Cannot read"), ("{", "not valid JSON"), ('{"version": 9, "cases": []}', "version is 9"),
     ('{"version": 1}', "cases is missing"), ('{"version": 1, "cases": [{}]}', "missing")],
)  # fmt: skip
def test_a_report_that_cannot_be_compared_is_told_at_once(
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


def test_the_table_has_median_and_worst_by_what_is_good() -> None:
    def walk(r: float, phase: float, fell: bool = False) -> Figures:
        known = {"controller": "c", "preset": "p", "character": "x", "path": "y", "speed_mps": r, "seed": 0}
        figures = {**dict.fromkeys((*OTHER, *(c.name for c in COLUMNS))), **known, "outcome": "arrived"}
        return {**figures, "fell": fell, "fell_at_s": 3.0 if fell else None, "hip_r": r, "arm_phase_deg": phase}

    cases = [walk(0.9, 170.0), walk(0.5, 200.0), walk(0.7, 181.0), walk(0.1, 0.0, fell=True)]
    (summary,) = summaries(cases)
    assert (summary.fell, summary.fine, summary.share) == (1, 3, 75.0)
    for name, middle, worst in (("hip_r", 0.7, 0.5), ("arm_phase_deg", 181.0, 200.0)):
        column = BY_NAME[name]
        found = summary.worst(column)
        assert summary.median(column) == middle and found is not None and found[name] == worst
    lines = measure.table(summary)
    assert any("(r) " in line and "0.70" in line and "0.50" in line for line in lines)
    assert measure.troubles(cases)[1].strip() == "c/p, x, y, 0.1 m/s: fell at 3.0 s"


def test_progress_says_how_far_and_how_long() -> None:
    progress = measure.Progress("walks", 10, 2)
    progress._done, progress.falls = 6, 3
    assert progress.line(1, 100.0) == "  walks: 6 of 10, 3 fell, 1 crashed, 1 min 40 s left"


# --- processes ---------------------------------------------------------------------------------------------------


def script(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module that the processes find."""
    (folder / f"{name}.py").write_text(text)
    here = os.pathsep.join(p for p in sys.path if p)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), here]))
    return name


def test_a_killed_process_is_told_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script(tmp_path, "some_work", (
        "import json, os, signal, sys\n"
        "data = json.load(open(sys.argv[1]))\n"
        "if data == 'die': os.kill(os.getpid(), signal.SIGKILL)\n"
        "if data == 'fail': raise ValueError('no such walk')\n"
        "open(sys.argv[2], 'w').write(data)\n"
    ), monkeypatch)  # fmt: skip
    tasks = [Task(data, module, data, tmp_path / data) for data in ("die", "fail", "a", "b")]
    ended = {e.task.name: e.error for e in processes.run(tasks, 2)}
    assert ended["a"] == ended["b"] == ""
    assert ended["die"] == "ended by SIGKILL" and ended["fail"] == "ended with code 1: ValueError: no such walk"
    assert (tmp_path / "b").read_text() == "b"


def test_no_process_is_left_when_it_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script(tmp_path, "long_work", (
        "import os, sys, time\n"
        "if 'quick' in sys.argv[1]: sys.exit()\n"
        "open(sys.argv[2], 'w').write(str(os.getpid()))\n"
        "time.sleep(60)\n"
    ), monkeypatch)  # fmt: skip
    tasks = [Task("long", module, None, tmp_path / "pid"), Task("quick", module, None, tmp_path / "none")]
    running = processes.run(tasks, 2)
    assert next(running).task.name == "quick"
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        pass
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_task_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "TIME_LIMIT", 0.3)
    module = script(tmp_path, "hanging", "import time\ntime.sleep(60)\n", monkeypatch)
    (ended,) = processes.run([Task("hang", module, None, tmp_path / "none")], 1)
    assert "not done" in ended.error


def test_a_child_that_cannot_write_stops_everything(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        list(processes.run([Task("x", "tools.measure.measured", job(), tmp_path / "no folder" / "x.json")], 1))


def job() -> dict[str, Any]:
    """Return a task that is over at once."""
    whole = whole_grid()
    data = whole.job(chosen(whole, parsed(ONE[1::2]))[0]).as_json()
    return {"fingerprint": "f", "path": "straight", "job": {**data, "duration": 0.05}}


def test_a_real_case_in_its_own_process(tmp_path: Path) -> None:
    task = Task("x", "tools.measure.measured", job(), tmp_path / "x.json")
    assert [e.error for e in processes.run([task], 1)] == [""]
    found = processes.current(task.result, "f")
    assert found is not None and found["figures"]["outcome"] == "time" and found["raw"]["slips"] == []
    assert processes.current(task.result, "other") is None


def test_a_broken_job_is_named(tmp_path: Path) -> None:
    data = {"fingerprint": "f", "path": "p", "job": {"version": 1}}
    task = Task("x", "tools.measure.measured", data, tmp_path / "x.json")
    (ended,) = processes.run([task], 1)
    assert "job.character is missing" in ended.error and not task.result.exists()
