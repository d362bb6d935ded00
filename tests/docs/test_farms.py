# SPDX-License-Identifier: GPL-3.0-or-later
"""The job type of Flamenco and the template of Open Job Description in examples: what their tasks run, as it stands."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blender_biped.batch import command
from blender_biped.batch.folder import pieces
from tests.batch.jobs import jobs_in
from tests.docs.pages import ROOT
from tools.base.job_folders import motion_hashes, walked_folder, write_folder

JOB_TYPE = ROOT / "examples" / "flamenco" / "biped_batch.js"
TEMPLATE = ROOT / "examples" / "openjd" / "batch.yaml"
FLAMENCO = Path(__file__).with_name("flamenco.js")

node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def compiled(**settings: Any) -> dict[str, Any]:
    """Return the job type, and the tasks that it makes by settings, or why it refuses them."""
    given = {
        "folder": "/shared/jobs",
        "chunk_size": 20,
        "retry": False,
        "extension": "ext",
        "job_count": 50,
        **settings,
    }
    done = subprocess.run(
        ["node", str(FLAMENCO), str(JOB_TYPE), json.dumps(given)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@node
def test_a_task_walks_a_part_and_the_last_sums_up() -> None:
    tasks = compiled()["tasks"]
    assert [task["name"] for task in tasks] == ["walk-1-of-3", "walk-2-of-3", "walk-3-of-3", "summary"]
    assert tasks[3]["dependencies"] == ["walk-1-of-3", "walk-2-of-3", "walk-3-of-3"]
    for k, task in enumerate(tasks):
        ((command,), kind) = task["commands"], task["type"]
        assert kind == "blender" and command["name"] == "exec" and command["parameters"]["exe"] == "{blender}"
        arguments = command["parameters"]["args"]
        assert arguments[:2] == ["--background", "--factory-startup"] and "/shared/jobs" in arguments
        assert arguments[-2:] == (["--part", f"{k + 1}/3"] if k < 3 else ["--lines", "--summary"])
        assert not any(one.endswith(".blend") for one in arguments)
    assert "--retry" in compiled(retry=True)["tasks"][0]["commands"][0]["parameters"]["args"]
    assert len(compiled(job_count=1)["tasks"]) == 2 and len(compiled(job_count=41)["tasks"]) == 4


@node
@pytest.mark.parametrize("wrong", [{"folder": ""}, {"chunk_size": 0}, {"job_count": 0}, {"job_count": None}])
def test_what_makes_no_job_is_refused(wrong: dict[str, Any]) -> None:
    found = compiled(**wrong)
    assert "tasks" not in found and found["refused"]


@node
def test_the_jobs_of_a_folder_are_counted_as_a_batch_does(tmp_path: Path) -> None:
    jobs_in(tmp_path, "a", "b", "c")
    for other in ("a.error.json", "summary.json", "manifest.json", ".x.json", "d.npz"):
        (tmp_path / other).touch()
    (setting,) = (own for own in compiled()["type"]["settings"] if own["key"] == "job_count")
    (settings,) = (type("Settings", (), {"folder": str(tmp_path)}),)
    counted = eval(setting["eval"], {"Path": Path, "abspath": str, "settings": settings})
    assert counted == len(pieces(tmp_path)) == 3


@node
@pytest.mark.long
def test_the_tasks_of_flamenco_have_the_same_bits(tmp_path: Path) -> None:
    """What Blender does at ``--command biped_batch``, done by this Python."""
    pytest.importorskip("pybullet")
    for name in ("once", "farm"):
        write_folder(tmp_path / name, 4, 0.1)
    assert walked_folder(tmp_path / "once")[0] == 0
    for task in compiled(folder=str(tmp_path / "farm"), job_count=4, chunk_size=2)["tasks"]:
        arguments = task["commands"][0]["parameters"]["args"]
        own = arguments[arguments.index("biped_batch") + 1 :]
        assert walked_folder(Path(own[0]), *own[1:])[0] == 0
    assert motion_hashes(tmp_path / "once") == motion_hashes(tmp_path / "farm")
    assert json.loads((tmp_path / "farm" / "summary.json").read_text(encoding="ascii"))["walked"] == 4


def openjd(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("openjd")
    found = str(program) if program.exists() else shutil.which("openjd")
    if found is None:
        pytest.skip("needs openjd-cli")
    paths = os.pathsep.join((str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])))  # as if it were installed
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run(
        [found, *arguments], capture_output=True, text=True, timeout=300, cwd=ROOT, env=environment
    )  # fmt: skip


def test_the_commands_of_open_job_description_are_understood() -> None:
    yaml = pytest.importorskip("yaml")
    steps = {step["name"]: step for step in yaml.safe_load(TEMPLATE.read_text(encoding="utf-8"))["steps"]}
    of = {"Param.Folder": "/jobs", "Param.Parts": "8", "Task.Param.Part": "3"}
    given = {}
    for name, step in steps.items():
        own = step["script"]["actions"]["onRun"]["args"]
        module, *arguments = [re.sub(r"\{\{(.*?)\}\}", lambda found: of[found[1]], str(one)) for one in own[1:]]
        assert module == "blender_biped" and arguments[0] == "batch"
        given[name] = command.parser("batch").parse_args(arguments[1:])
    assert given["Walk"].part == (3, 8) and given["Summary"].summary and steps["Summary"]["dependencies"]
    assert {own.folder for own in given.values()} == {Path("/jobs")}


@pytest.mark.long
def test_the_steps_of_open_job_description_have_the_same_bits(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    checked = openjd("check", str(TEMPLATE))
    assert checked.returncode == 0 and "passes validation" in checked.stdout, checked.stdout + checked.stderr
    for name in ("once", "farm"):
        write_folder(tmp_path / name, 4, 0.1)
    own = ("-p", f"Folder={tmp_path / 'farm'}", "-p", "Parts=2", "-p", f"Python={sys.executable}")
    done = openjd("run", str(TEMPLATE), "--step", "Summary", "--run-dependencies", *own)
    assert done.returncode == 0, done.stdout + done.stderr
    assert walked_folder(tmp_path / "once")[0] == 0
    assert motion_hashes(tmp_path / "once") == motion_hashes(tmp_path / "farm")
    assert (tmp_path / "farm" / "summary.json").exists()
