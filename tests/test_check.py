"""One check of a job, before it is walked: by the command line, among others, and before each attempt."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import pytest

from blender_biped import check as checking
from blender_biped.base.errors import DataError
from blender_biped.base.limits import MAX_DURATION
from blender_biped.character.standard import standard_character
from blender_biped.check import check
from blender_biped.company import Companion, Company
from blender_biped.control.registry import kind_in, kinds, presets
from blender_biped.control.way import check_way
from blender_biped.job import Job, write_job
from blender_biped.motion.similarity import similarity
from blender_biped.preset.cue import Cue
from blender_biped.simulate import simulate
from blender_biped.together import walked_together
from blender_biped.walking import Walking, time_limit
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
    assert json.loads(done.stdout.splitlines()[-1]) == {"type": "error", "message": str(refused.value), "refused": True}
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


FREE = replace(JOB, world=World())
LATER = Cue(90_000.0, JOB.preset, speed=1.2)
ENDLESS = {
    "waits": {"along": tuple(PathPoint(1.0, wait=600.0) for _ in range(7))},
    "waits at several places": {"along": tuple(PathPoint(0.1 * k, wait=200.0) for k in range(20))},
    "a wait behind a late point": {"along": (PathPoint(2.0, time=3500.0), PathPoint(3.0, wait=200.0))},
    "a speed of 0 for ever": {"speeds": ((0.0, 0.0), (1e300, 0.0), (1.1e300, 1.0))},
    "a speed that rises too late": {"speeds": ((0.0, 0.0), (4000.0, 0.001), (4001.0, 1.0))},
    "a late cue": {"speed": 1e-5, "cues": (LATER,)},
}


@pytest.mark.parametrize("given", ENDLESS.values(), ids=ENDLESS.keys())
def test_waits_speeds_and_cues_count_in_the_hour(given: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"hours at least, .* an hour is walked at a time: take waits away"):
        check(replace(FREE, **given))
    check(replace(FREE, **given, duration=1.0))


def test_what_comes_to_its_end_within_the_hour_is_walked() -> None:
    for given in (
        {"along": tuple(PathPoint(1.0, wait=600.0) for _ in range(5))},
        {"along": (PathPoint(3.0, time=3500.0),), "speed": 0.0},
        {"along": tuple(PathPoint(1.0, wait=600.0) for _ in range(9)), "start": 2.0},
        {"speeds": ((0.0, 0.0), (3000.0, 0.0), (3001.0, 1.0))},
        {"speed": 0.0, "cues": (replace(LATER, time=1000.0),)},
    ):
        check(replace(FREE, **given))


def test_nothing_is_walked_for_longer_than_an_hour() -> None:
    slow = replace(FREE, speed=0.0, along=tuple(PathPoint(1.0, wait=600.0) for _ in range(5)))
    longest = Walking(replace(slow, path=Path([(0, 0), (250, 0)])), kind_in(slow)).longest
    assert longest == pytest.approx(MAX_DURATION / similarity(slow).time) and time_limit(slow) < longest


def test_who_begins_late_in_a_company_is_in_the_hour_too() -> None:
    other = replace(FREE, path=Path([(0.0, 3.0), (4.0, 3.0)]), duration=1.0)
    with pytest.raises(DataError, match="hours at least"):
        walked_together(Company((Companion(replace(FREE, duration=1.0)), Companion(other, 3600.0))))
