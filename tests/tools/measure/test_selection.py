"""Which cases of the grid are measured."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from blender_biped.base.errors import BipedError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.job import job_from_json
from blender_biped.motion.similarity import similarity
from blender_biped.preset.preset import presets, speeds_of
from tools.base.controllers import USUAL
from tools.measure import grid
from tools.measure.grid import Case, job_of
from tools.measure.selection import Grid, chosen, parsed, pushes, whole_grid

GENERALIZED = "controller=generalized"  # it goes at all of the grid's speeds


@pytest.fixture(scope="module")
def whole() -> Grid:
    return whole_grid()


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
    cases = chosen(whole, parsed([GENERALIZED]), quick=True)
    assert 12 <= len(cases) <= 24
    assert {c.path for c in cases} == set(whole.paths) and {c.character for c in cases} == set(whole.characters)
    assert {c.path for c in chosen(whole, parsed(["path=turn"]), quick=True)} == {"turn"}
    assert {c.controller for c in chosen(whole, {}, quick=True)} == {USUAL}
    with pytest.raises(BipedError, match="--quick"):
        chosen(whole, parsed([GENERALIZED, "speed=3"]), quick=True)


def test_seeds_repeat_every_case(whole: Grid) -> None:
    cases = chosen(whole, parsed(["controller=generalized", "path=turn", "speed=1"]), seeds=2)
    assert [c.seed for c in cases] == [0] * 7 + [1] * 7 + [2] * 7 and len({c.name for c in cases}) == 21


@pytest.mark.long
def test_a_gait_walks_at_speeds_that_it_can_have_whatever_the_body(whole: Grid) -> None:
    for case in chosen(whole, parsed(["controller=simbicon", "path=straight"])):
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
    desired = [own.slowest - 0.1, own.usual, own.fastest + 0.1]
    assert [c.speed for c in chosen(whole, {**run, "speed": [str(v) for v in desired]})] == [own.usual]
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


def test_own_characters_walk_alone_unless_others_are_picked(whole: Grid) -> None:
    own = whole_grid({"Hero": whole.characters["heavy"]})
    assert {c.character for c in chosen(own, {})} == {"Hero"}
    assert {c.character for c in chosen(own, parsed(["character=standard,Hero"]))} == {"standard", "Hero"}
    assert len(chosen(own, parsed([GENERALIZED]), quick=True)) > 12


def test_pushes_are_of_straight_nominal_walks(whole: Grid) -> None:
    found = pushes(chosen(whole, parsed([GENERALIZED]), seeds=1), whole, {})
    assert {(c.path, c.seed, c.character, c.speed) for c in found} == {
        ("straight", 0, "standard", v) for v in (0.8, 1.2)
    }
    only = parsed([GENERALIZED, "character=light", "speed=1"])
    assert [(c.character, c.speed) for c in pushes(chosen(whole, only), whole, only)] == [("light", 1.0)]
    with pytest.raises(BipedError, match="straight"):
        pushes(chosen(whole, parsed(["path=turn"])), whole, {})


@pytest.mark.parametrize(("name", "fastest"), [("default", 1.6), ("angry", 2.0), ("run", 4.0)])
def test_a_walk_that_can_run_is_measured_as_it_walks(name: str, fastest: float) -> None:
    body = standard_character()
    assert grid.speeds(preset("natural", name), body)[-1] == pytest.approx(fastest * math.sqrt(body.size), abs=2e-3)
