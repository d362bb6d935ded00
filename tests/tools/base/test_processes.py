"""Tasks in processes of their own: crashes, limits, what is left behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.base import processes
from tools.base.controllers import USUAL
from tools.base.processes import Task
from tools.measure.selection import chosen, parsed, whole_grid


def script(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module that the processes find."""
    (folder / f"{name}.py").write_text(text)
    here = os.pathsep.join(p for p in sys.path if p)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), here]))
    return name


posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@posix
def test_a_killed_process_is_reported_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@posix
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
    data = whole.job(chosen(whole, parsed([f"controller={USUAL}", "path=straight"]))[0]).as_json()
    return {"fingerprint": "f", "path": "straight", "job": {**data, "duration": 0.05}}


def test_a_real_case_in_its_own_process(tmp_path: Path) -> None:
    task = Task("x", "tools.measure.measured", job(), tmp_path / "x.json")
    assert [e.error for e in processes.run([task], 1)] == [""]
    found = processes.current(task.result, "f")
    assert found is not None and found["figures"]["outcome"] == "unfinished" and found["raw"]["slips"] == []
    assert processes.current(task.result, "other") is None


def test_a_broken_job_is_named(tmp_path: Path) -> None:
    data = {"fingerprint": "f", "path": "p", "job": {"version": 1}}
    task = Task("x", "tools.measure.measured", data, tmp_path / "x.json")
    (ended,) = processes.run([task], 1)
    assert "job.character is missing" in ended.error and not task.result.exists()
