"""Styles made of poses: what is tried next, what is kept, what is said of it, and that it walks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import POSING
from blender_biped.control.simbicon.stabilising import STARTS, Stabilising
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate
from tools.base.posing import LIMP, STEP, Set, posed

BODY = standard_character()


def fresh(poses: Sequence[Set] = STEP) -> Stabilising:
    return Stabilising(posed(BODY, poses), "Mine", "an action")


@pytest.fixture(scope="module")
def walked() -> tuple[Job, Motion]:
    """A short walk of the poses as they are."""
    job = replace(fresh().ask()[0], duration=5.0)
    return job, simulate(job)


def fallen(motion: Motion) -> Motion:
    return replace(motion, outcome="fell")


def test_poses_walk(walked: tuple[Job, Motion]) -> None:
    job, motion = walked
    assert motion.outcome == "time" and len(motion.strikes) > 6
    way = float(motion.root[-1, 0] - motion.root[0, 0])
    assert way > 0.5 * job.speed * (motion.duration - 2.0)


def test_the_style_is_data_that_a_file_can_hold() -> None:
    style = fresh(LIMP).ask()[0].preset
    values = json.loads(json.dumps(style.as_json()))["values"]
    assert POSING.read(values).keys[1][1] != POSING.read(values).keys[1][2]
    assert POSING.name == style.controller and POSING.stabilising is Stabilising


def test_others_beside_the_best_are_screened_while_all_fall(walked: tuple[Job, Motion]) -> None:
    making = fresh()
    assert making.found == "" and making.progress == 0.0
    first = making.ask()
    making.tell([fallen(walked[1])] * len(first))
    assert making.best.fell and making.found == f"{len(walked[1].strikes)} steps"
    beside = making.ask()
    assert 1 < len(beside) < len(first) and 0.0 < making.progress < making.progress + making.part < 1.0
    assert len({json.dumps(job.preset.values) for job in beside}) == len(beside)
    making.tell([None] * len(beside))
    assert not making.done


def test_what_stands_is_walked_in_bends_and_then_from_several_starts(walked: tuple[Job, Motion]) -> None:
    making, motion = fresh(), walked[1]
    arrived = replace(motion, outcome="arrived")
    making.tell([motion, *[None] * (len(making.ask()) - 1)])
    bent = making.ask()
    assert all(job.stop for job in bent) and len({json.dumps(job.preset.values) for job in bent}) == len(bent)
    making.tell([None, None, arrived, arrived, *[None] * (len(bent) - 4)])
    spread = making.ask()
    assert len(spread) == 2 * len(STARTS) and {job.seed for job in spread} == set(STARTS)
    assert spread[0].preset.values in [job.preset.values for job in bent[2:4]]
    making.tell([*[motion] * len(STARTS), *[None] * len(STARTS)])
    assert not making.done and making.found == f"{len(STARTS)} of {2 * len(STARTS)} walks"
    again = making.ask()
    assert again[0].preset.values in [job.preset.values for job in bent[2:4]]
    assert again[0].preset != spread[0].preset
    making.tell([arrived if job.stop else motion for job in again])
    assert making.done and making.progress == 1.0 and not making.best.fell


def test_it_ends_where_nothing_stands_and_says_so() -> None:
    making = fresh()
    rounds = 0
    while not making.done:
        making.tell([None] * len(making.ask()))
        rounds += 1
    assert rounds < 20
    assert "It fell in" in making.style().description


def test_a_search_that_has_used_all_its_rounds_is_done(walked: tuple[Job, Motion]) -> None:
    making = fresh()
    making.tell([walked[1]] * len(making.ask()))
    making.tell([replace(walked[1], outcome="arrived")] * len(making.ask()))
    while not making.done:
        assert 0.0 < making.part < 1.0
        making.tell([None] * len(making.ask()))
    assert making.progress == 1.0 and making.part == 0.0


def test_what_is_not_as_posed_is_said(walked: tuple[Job, Motion]) -> None:
    making = fresh()
    jobs = making.ask()
    quick = [job.preset.values["keys"][1]["states"][0]["dwell"] for job in jobs]
    at = next(i for i, dwell in enumerate(quick) if dwell < max(quick))
    making.tell([walked[1] if i == at else None for i in range(len(jobs))])
    said = making.style().description
    assert said.startswith("Made from 3 poses of an action, at 0.67 m/s. Other than posed: steps 25 % quicker")
