"""Styles of captured walks: what presets say of them, their steps on other bodies, how they are found and walked."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.making import BEGINNINGS, STARTS, STRAYS, CapturedMaking
from blender_biped.control.natural.steps.captured import CapturedStrides, captured_values
from blender_biped.control.natural.steps.com_reference import Pendulum, Swinging
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.step_table import GRID
from blender_biped.control.registry import CAPTURING
from blender_biped.control.shared.legs import legs_of
from blender_biped.job import Job
from blender_biped.klaw.walk import NAME, walk
from blender_biped.motion.likeness import captured_curves, likeness, stride_curves
from blender_biped.motion.measures import fell_at
from blender_biped.motion.motion import Motion
from blender_biped.motion.periodic import periodic
from blender_biped.motion.similarity import at_reference_size
from blender_biped.preset.preset import Preset, preset
from blender_biped.world.path import Path
from tests.walks import enough, seeded

SPEED = 1.1


@pytest.fixture
def captured() -> Motion:
    return captured_walk()


@cache
def captured_walk() -> Motion:
    """Return a walk that a style is to be made of: KLAW's, with its arms raised."""
    style = preset(NAME, "walk")
    style = replace(style, values={**style.values, "manner": {"arms_forward": 50.0}})
    return walk(Job(standard_character(), Path([[0.0, 0.0], [9.0, 0.0]]), style, SPEED, stop=False))


@cache
def begun() -> CapturedMaking:
    return CapturedMaking(captured_walk(), "Mine", "an action")


def fresh() -> CapturedMaking:
    """Return a making of the captured walk that has tried nothing yet."""
    return copy.deepcopy(begun())


def first_style() -> Preset:
    """Return a style that nothing was tried of."""
    return fresh().ask()[2].preset


def changed(style: Preset, name: str, value: Any) -> dict[str, Any]:
    return {**style.values, "captured": {**style.values["captured"], name: value}}


def test_a_style_is_data_that_a_file_can_hold(captured: Motion) -> None:
    style = first_style()
    text = json.dumps(style.as_json())
    assert len(text) < 100_000
    own = read_settings(json.loads(text)["values"]).captured
    usual = SPEED * (0.9 / captured.character.leg_length) ** 0.5
    assert own is not None and own.speed == pytest.approx(usual, rel=0.02)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("duration", 0.0, "captured.duration"),
        ("right", 0.95, "captured.right"),
        ("joints", {"wing.L": [[0.0] * 6] * 2}, "wing.L"),
        ("joints", {"shin.L": [[0.0] * 6]}, "its mean and 1 to"),
        ("joints", {"shin.L": [[0.0] * 6, [90.0] * 6]}, "turns are in rad"),
        ("sway", [], "captured.sway"),
        ("extra", 1.0, "no such field"),
    ],
)
def test_a_wrong_one_is_refused_by_its_field(name: str, value: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_settings(changed(first_style(), name, value))


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_steps_stand_on_the_ground_and_swing_above_it(captured: Motion, share: float) -> None:
    body = at_reference_size(standard_character())
    own = read_settings(first_style().values).captured
    assert own is not None
    legs = legs_of(body)
    tables = CapturedStrides(body, own, legs).tables(share * own.speed)
    way = 0.0
    for side, step in enumerate(tables):
        flat = np.abs(step.pitches[:, side]) < 0.05
        assert step.ankles[flat, side, 2] == pytest.approx(legs[side].ankle_height, abs=0.02)
        middle = step.ankles[GRID // 3 : 2 * GRID // 3, 1 - side, 2]
        assert middle.min() > legs[side].ankle_height + 0.01
        way += step.length
    time = sum(step.time for step in tables)
    assert way / time == pytest.approx(share * own.speed, rel=0.12)
    assert tables[0].time > 0.5 * own.duration if share < 1.0 else tables[0].time < 0.55 * own.duration


@pytest.mark.parametrize("degrees", [18.0, -10.0])
def test_feet_of_a_captured_walk_stay_turned_out(degrees: float) -> None:
    style = preset(NAME, "walk")
    style = replace(style, values={**style.values, "manner": {"toe_out": degrees}})
    turned_out = walk(Job(standard_character(), Path([[0.0, 0.0], [9.0, 0.0]]), style, SPEED, stop=False))
    own = read_settings({**first_style().values, "captured": captured_of(turned_out)}).captured
    assert own is not None
    body = at_reference_size(standard_character())
    left, right = CapturedStrides(body, own, legs_of(body)).tables(own.speed)
    assert np.degrees((left.yaw, -right.yaw)) == pytest.approx((degrees, degrees), abs=2.0)


def captured_of(walked: Motion) -> dict[str, Any]:
    """Return what a preset says of the stride of a walk."""
    return captured_values(periodic(walked), walked.character.leg_length, "an action")


@pytest.mark.long
def test_it_walks_like_what_it_was_made_from(captured: Motion) -> None:
    style = fresh().ask()[2].preset  # hips as captured
    curves = captured_curves(periodic(captured))

    def alike(motion: Motion, job: Job) -> bool:
        like = likeness(stride_curves(motion, job), curves)
        return fell_at(motion, job) is None and min(like["hip"] or 0.0, like["knee"] or 0.0) > 0.85

    path = Path([[0.0, 0.0], [20.0, 0.0]])
    enough(seeded(Job(standard_character(), path, style, SPEED, stop=False, duration=7.0), 3), 2, alike)


def test_what_is_tried_next_depends_on_what_became_of_the_first() -> None:
    falls = fresh()
    assert falls.progress == 0.0
    jobs = falls.ask()
    with pytest.raises(DataError, match="tried"):
        falls.style()
    with pytest.raises(ValueError, match="motions"):
        falls.tell([None])
    falls.tell([None] * len(jobs))
    shares = [falls.progress]
    slowest = jobs[0].speed
    while not falls.done:
        asked = falls.ask()
        slowest = min(slowest, *(job.speed for job in asked))
        falls.tell([None] * len(asked))
        shares.append(falls.progress)
    assert shares == sorted(shares) and 0.0 < shares[0] < shares[-1] == 1.0
    assert slowest < jobs[0].speed  # calmer ones
    assert not falls.ask()
    walks = 2 * len(STARTS) + len(BEGINNINGS)
    assert f"fell or strayed in {walks} of {walks}" in falls.style().description


def test_hips_are_tried_at_another_height_too_where_the_best_is_hardly_alike(captured: Motion) -> None:
    alike, unlike = fresh(), fresh()
    alike.tell([captured] * len(alike.ask()))
    still = replace(captured, rotations=np.repeat(captured.rotations[:1], len(captured.times), axis=0))
    unlike.tell([still] * len(unlike.ask()))
    heights = [{job.preset.values["gait"]["sink"] for job in making.ask()} for making in (alike, unlike)]
    assert [len(found) for found in heights] == [3, 5]


def test_the_best_of_what_was_tried_is_the_style(captured: Motion) -> None:
    making = fresh()
    jobs = making.ask()
    # The third try's walk is the captured one itself, so nothing is more like it.
    done = replace(captured, outcome="arrived")
    making.tell([None, None, done, *[None] * (len(jobs) - 3)])
    assert making.best.numbers["gait.sink"] == jobs[2].preset.values["gait"]["sink"]
    making.tell([None] * len(making.ask()))
    spread = making.ask()
    assert {job.seed for job in spread} == {*STARTS, *BEGINNINGS} and {job.stop for job in spread} == {False, True}
    assert all(job.duration < spread[0].duration for job in spread if job.seed in BEGINNINGS)
    assert all(job.preset == spread[0].preset for job in spread)
    making.tell([beside(done, job) for job in spread])
    assert making.done


def beside(walk: Motion, job: Job, aside: float = 0.0) -> Motion:
    """Return a walk moved onto a job's path, or m beside it."""
    arcs = np.clip(walk.root[:, 0] - walk.root[0, 0], 0.0, job.path.length)
    root = walk.root.copy()
    root[:, :2] = [job.path.point(float(arc)) for arc in arcs]
    root[:, 1] += aside
    return replace(walk, root=root)


@pytest.mark.parametrize(("aside", "taken"), [(0.5 * STRAYS, True), (3.0 * STRAYS, False)])
def test_a_style_that_strays_is_not_taken_while_another_follows_its_path(
    aside: float, taken: bool, captured: Motion
) -> None:
    making = fresh()
    done = replace(captured, outcome="arrived")
    for _ in range(2):
        making.tell([done] * len(making.ask()))
    making.tell([beside(done, job, aside if job.stop else 0.0) for job in making.ask()])
    assert making.done == taken


def test_a_style_that_falls_from_one_start_is_not_taken_while_another_stands(captured: Motion) -> None:
    making = fresh()
    done = replace(captured, outcome="arrived")
    making.tell([done] * len(making.ask()))
    making.tell([None] * len(making.ask()))
    first = making.ask()
    making.tell([*(beside(done, job) for job in first[:-1]), None])
    second = making.ask()
    assert second[0].preset != first[0].preset
    making.tell([beside(done, job) for job in second])
    assert making.done
    assert making.style().values["gait"] == second[0].preset.values["gait"]


def test_the_style_of_the_best_says_how_like_it_is(captured: Motion) -> None:
    making = fresh()
    done = replace(captured, outcome="arrived")
    while not making.done:
        making.tell([beside(done, job) for job in making.ask()])
    style = making.style()
    assert style.controller == CAPTURING.name
    assert style.values["gait"]["clearance"] > 0.0  # toes that pass over the ground as captured stub on other bodies
    assert style.values["captured"]["likeness"][0] > 0.95
    assert "an action" in style.description and "fell" not in style.description
    assert style.values["usual"] == pytest.approx(SPEED * (0.9 / captured.character.leg_length) ** 0.5, rel=0.02)


SLOWEST = {"duration": 10.0, "travel": 0.05}
STRIDES = {
    "slow": SLOWEST,
    "short and quick": {"duration": 0.2, "travel": 0.05},
    "long": {"duration": 0.2, "travel": 10.0},
}


@pytest.mark.parametrize("stride", STRIDES.values(), ids=STRIDES.keys())
@pytest.mark.parametrize("speed", [0.0, 0.05, 1.0, 100.0])
def test_a_stride_within_its_ranges_is_finite_at_every_speed(stride: dict[str, float], speed: float) -> None:
    body = at_reference_size(standard_character())
    style = first_style()
    own = read_settings({**style.values, "captured": {**style.values["captured"], **stride}}).captured
    assert own is not None
    for table in CapturedStrides(body, own, legs_of(body)).tables(speed):
        assert np.isfinite(table.rows).all() and table.com[:, 2].min() > 0.25
        swing = Swinging(Pendulum(legs_of(body), body.mass, 9.81), table)
        assert np.isfinite(swing.matrices).all()


def test_a_stride_that_brings_the_body_to_the_ground_is_refused() -> None:
    body = at_reference_size(standard_character())
    joints = first_style().values["captured"]["joints"]
    bent = {role: [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0, 6.0, 0.0]] for role in joints}
    own = read_settings(changed(first_style(), "joints", bent)).captured
    assert own is not None
    with pytest.raises(DataError, match=r"brings the body down to the ground at .* go slower"):
        CapturedStrides(body, own, legs_of(body)).tables(own.speed)
