"""The push protocol: it finds the known limit of the worst phase, with few trials, and pushes where it says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blender_biped.character.pushed import torso
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked
from tools.measure import pushed


@pytest.mark.parametrize(
    "limits",
    [[300.0] * 8, [700.0, 650.0, 400.0, 90.0, 120.0, 500.0, 800.0, 60.0], [40.0, 900.0] * 4, [9.0] + [2000.0] * 7],
)
def test_the_weakest_phase_is_found_within_five_percent_with_few_trials(limits: list[float]) -> None:
    trials = []

    def survives(phase: int, force: float) -> bool:
        trials.append((phase, force))
        return force <= limits[phase]

    found = pushed.largest(survives)
    assert min(limits) / 1.05 <= found <= min(limits)
    assert len(trials) < 45 and len(set(trials)) == len(trials)


def test_a_phase_that_survives_nothing_ends_the_search() -> None:
    assert pushed.largest(lambda phase, force: False) == 0.0
    assert pushed.largest(lambda phase, force: phase != 3) == 0.0


def test_the_search_has_an_end_above() -> None:
    assert 5000.0 <= pushed.largest(lambda phase, force: True) < 10000.0


class Simulated:
    """Stands in for the simulation: a kinematic walk that falls to a push above a limit."""

    def __init__(self, limit: float, begin: str = "arrived") -> None:
        self.limit, self.begin, self.jobs = limit, begin, list[Job]()

    def __call__(self, job: Job) -> Motion:
        self.jobs.append(job)
        motion = walked(Path([[0.0, 0.0], [9.0, 0.0]]), Walk(), job.character)[0]
        force = max((abs(c) for p in job.pushes for c in p.force), default=0.0)
        return replace(motion, outcome="fell" if force > self.limit else self.begin)


def job_of(task_mass: float = 70.0) -> Job:
    return walked(Path([[0.0, 0.0], [4.0, 0.0]]), None, standard_character(task_mass))[1]


@pytest.mark.parametrize(("direction", "sign", "axis"), [("forward", 1, 0), ("back", -1, 0), ("left", 1, 1),
                                                         ("right", -1, 1)])  # fmt: skip
def test_pushes_have_their_direction_times_and_place(
    direction: str, sign: int, axis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Simulated(220.0)
    monkeypatch.setattr(pushed, "simulate", fake)
    found = pushed.limit(job_of(), direction)
    assert found is not None and 220.0 / 1.05 <= found <= 220.0
    given = [(j, p) for j in fake.jobs for p in j.pushes]
    assert all(p.role == "chest" and p.length == 0.1 and sign * p.force[axis] > 0.0 for _, p in given)
    assert all(p.force[1 - axis] == p.force[2] == 0.0 for _, p in given)
    onsets = sorted({p.time for _, p in given})
    assert len(onsets) == 8 and onsets[-1] - onsets[0] == pytest.approx(7.0 / 8.0, abs=0.01)  # of a stride of 1 s
    assert all(j.duration == pytest.approx(p.time + 6.1) and j.path.length > 1.2 * j.speed * 18 for j, p in given)


def test_the_force_is_given_for_70_kg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed, "simulate", Simulated(300.0))
    assert pushed.limit(job_of(140.0), "left") == pytest.approx(150.0, rel=0.05)


def test_who_falls_alone_survives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed, "simulate", Simulated(300.0, "fell"))
    assert pushed.limit(job_of(), "left") == 0.0


def test_who_never_walks_steadily_has_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed, "simulate", Simulated(300.0))
    monkeypatch.setattr(measures, "steady_span", lambda *_: None)
    result = pushed.pushed({"fingerprint": "f", "direction": "left", "job": job_of().as_json()})
    assert result["limit_n"] is None and result["fingerprint"] == "f"


def test_the_torso_is_the_highest_part_that_there_is() -> None:
    body: Any = standard_character()
    assert torso(body) == "chest"
