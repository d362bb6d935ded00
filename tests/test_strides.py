"""Three strides of a walk: what is left out of them, and how long they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.segments import STATURE
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.job import Job, Push
from blender_biped.motion.summary import ended
from blender_biped.preset.cue import Cue
from blender_biped.simulate import simulate
from blender_biped.strides import even, take_of, three_strides
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint

BODY = standard_character()
BEND = Path([[0.0, 0.0], [5.0, 0.0], [5.0, 20.0]])


def job_of(controller: str = "generalized", style: str = "default", **given: object) -> Job:
    return Job(BODY, BEND, preset(controller, style), fall_back=True, **given)  # type: ignore[arg-type]


def test_they_are_straight_and_unpushed_and_without_a_second_try() -> None:
    whole = job_of(
        speed=1.1, start=3.0, pushes=(Push("chest", 1.0, 0.1, (200.0, 0.0, 0.0)),),
        cues=(Cue(2.0, preset("generalized", "default"), speed=0.8),), along=(PathPoint(4.0, speed=0.7),),
    )  # fmt: skip
    found = three_strides(whole)
    assert found.path.length == pytest.approx(6 * 0.70, rel=0.1)  # m: an adult's steps at 1.1 m/s
    assert (found.start, found.pushes, found.cues, found.along, found.fall_back) == (0.0, (), (), (), False)
    assert (found.character, found.preset, found.speed, found.stop) == (BODY, whole.preset, 1.1, True)


def test_of_speeds_that_change_the_highest_is_tried() -> None:
    assert three_strides(job_of(speeds=((0.0, 0.3), (4.0, 1.2)))).speed == 1.2


def test_what_cannot_go_slowly_is_not_stopped() -> None:
    assert not three_strides(job_of("simbicon", "run", speed=2.6)).stop


def test_they_are_as_many_for_a_child() -> None:
    child = standard_character(stature=0.5 * STATURE)
    small = three_strides(replace(job_of(speed=1.1 * 0.5**0.5), character=child))
    assert small.path.length == pytest.approx(0.5 * three_strides(job_of(speed=1.1)).path.length, rel=1e-6)


@pytest.mark.long
def test_a_person_s_are_walked() -> None:
    for speed in (0.8, 1.2):
        job = three_strides(job_of(speed=speed))
        assert ended(simulate(job), job) == "arrived"


def test_klaw_cannot_fall() -> None:
    with pytest.raises(DataError, match="cannot fall"):
        three_strides(job_of("klaw", "walk"))


def test_a_take_is_the_same_walk_with_other_chances() -> None:
    whole = job_of("natural", "default", cues=(Cue(2.0, preset("natural", "sad"), speed=0.8),))
    first, third = take_of(whole, 1), take_of(whole, 3)
    assert take_of(whole, 0) is whole and take_of(first, 3) == third and take_of(first, 1) is first
    for place, seed in ((first, 1), (third, 3)):
        assert place.seed == seed
        for style in (place.preset, place.cues[0].preset):
            assert (style.values["gait"]["take"], style.values["gait"]["variation"]) == (seed, 1.0)
    assert replace(first, seed=0, preset=whole.preset, cues=whole.cues) == whole


def test_takes_differ_as_much_as_the_style_says() -> None:
    some = preset("natural", "default")
    values = {**some.values, "gait": {**some.values.get("gait", {}), "variation": 0.3, "take": 998}}
    found = (
        take_of(job_of("natural", "default", **{}), 1),
        take_of(replace(job_of(), preset=replace(some, values=values)), 2),
    )
    assert found[1].preset.values["gait"] == {**values["gait"], "take": 0}
    assert even(found[0]).preset.values["gait"]["variation"] == 0.0
    assert take_of(even(found[0]), 2).preset.values["gait"]["variation"] == 0.0


def test_without_numbers_of_chance_a_take_begins_otherwise() -> None:
    whole = job_of()
    assert take_of(whole, 4) == replace(whole, seed=4)
