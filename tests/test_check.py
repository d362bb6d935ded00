"""One check of a job, before it is walked: by the command line, among others, and before each attempt."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path as FilePath

import pytest

from blender_biped import check as checking
from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.check import check
from blender_biped.company import Companion, Company
from blender_biped.control.registry import kinds, presets
from blender_biped.control.way import check_way
from blender_biped.job import Job, write_job
from blender_biped.simulate import simulate
from blender_biped.together import walked_together
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World

WALL = Thing("Wall", Solid("box", half=(0.05, 1.0, 0.5)), (2.0, 0.0, 0.5))
JOB = Job(standard_character(), Path([(0.0, 0.0), (4.0, 0.0)]), presets("natural")[0], world=World(things=(WALL,)))
SIMULATED = [kind.name for kind in kinds() if kind.controller is not None and not kind.can.plane]


@pytest.mark.parametrize("controller", SIMULATED)
def test_a_wall_of_1_m_across_the_path_is_refused_by_every_controller_that_would_meet_it(controller: str) -> None:
    job = replace(JOB, preset=presets(controller)[0])
    with pytest.raises(DataError) as said:
        check_way(job)
    for run in (check, simulate):
        with pytest.raises(DataError) as refused:
            run(job)
        assert str(refused.value) == str(said.value) and "'Wall'" in str(said.value)


def test_the_command_line_says_what_the_check_says(tmp_path: FilePath) -> None:
    with pytest.raises(DataError) as refused:
        check(JOB)
    write_job(JOB, tmp_path / "job.json")
    command = [sys.executable, "-m", "blender_biped.simulate", str(tmp_path / "job.json"), str(tmp_path / "motion.npz")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert json.loads(done.stdout.splitlines()[-1]) == {"type": "error", "message": str(refused.value)}
    assert done.returncode == 1 and not (tmp_path / "motion.npz").exists()


def test_a_company_names_who_is_refused() -> None:
    other = replace(JOB, path=Path([(0.0, 3.0), (4.0, 3.0)]))
    named = replace(JOB.character, name="Somebody")
    with pytest.raises(DataError, match=r"^'Somebody': The obstacle 'Wall'"):
        walked_together(Company((Companion(other), Companion(replace(JOB, character=named)))))


def test_what_is_not_simulated_meets_nothing() -> None:
    found = check(replace(JOB, preset=presets("klaw")[0]))
    assert (found.kind.name, found.stops, found.passing) == ("klaw", (), ())


def test_what_a_walk_does_about_what_is_in_its_way_is_known() -> None:
    low = replace(WALL, solid=Solid("box", half=(0.05, 1.0, 0.1)), place=(2.0, 0.0, 0.1))
    found = check(replace(JOB, world=World(things=(low,))))
    assert len(found.passing) == 1 and "'Wall'" in found.passing[0] and found.kind.name == "natural"


def test_waits_and_length_are_looked_at_as_well() -> None:
    free = replace(JOB, world=World())
    check(free)
    with pytest.raises(DataError, match="an hour is walked at a time"):
        check(replace(free, path=Path([(0.0, 0.0), (9000.0, 0.0)])))
    running = replace(free, preset=next(style for style in presets("simbicon") if style.name == "run"))
    with pytest.raises(DataError, match="cannot stand in the midst of a path"):
        check(replace(running, along=(PathPoint(2.0, wait=1.0),)))


def test_each_attempt_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Job] = []

    def looked(job: Job) -> tuple[str, ...]:
        seen.append(job)
        return check_way(job)

    monkeypatch.setattr(checking, "check_way", looked)
    simulate(replace(JOB, world=World(), duration=0.1))
    walked_together(Company((Companion(replace(JOB, world=World(), duration=0.1)),)))
    assert len(seen) == 2
