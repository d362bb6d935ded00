"""Numbers and speeds that change along a walk: every simulated controller follows them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.limit_cycle.posed import Fitted
from blender_biped.control.limit_cycle.settings import read_limit_cycle
from blender_biped.control.registry import kind_in, preset
from blender_biped.job import Job, job_from_json
from blender_biped.motion.motion import Motion
from blender_biped.motion.similarity import similarity
from blender_biped.preset.preset import Track
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.walks import steady

AHEAD = Path([[0.0, 0.0], [30.0, 0.0]])


def job(controller: str, name: str, speed: float, duration: float, **keyed: Track) -> Job:
    style = preset(controller, name)
    return Job(standard_character(), AHEAD, replace(style, keyed=keyed), speed, duration=duration)


def widths(walk: Job) -> tuple[float, float]:
    """Return how far apart the ankles are on average, m, in the seconds 2 to 4 and in the last two."""
    motion = simulate(walk)
    assert motion.outcome == "time"
    feet = [motion.character.index(f"foot.{side}") for side in "LR"]
    apart = motion.origins[:, feet[0], 1] - motion.origins[:, feet[1], 1]
    early, late = (motion.times > 2.0) & (motion.times < 4.0), motion.times > motion.times[-1] - 2.0
    return float(apart[early].mean()), float(apart[late].mean())


@pytest.mark.long
def test_generalized_walking_follows_a_keyed_step_width() -> None:
    def widening(seed: int, tracks: dict[str, Track]) -> float:
        early, late = widths(replace(job("generalized", "default", 1.0, 8.0, **tracks), seed=seed))
        return late - early

    def wider(seed: int) -> bool:
        return widening(seed, {"gait.width": ((4.0, 0.1459), (5.5, 0.32))}) - widening(seed, {}) > 0.06

    assert wider(1) or (wider(2) and wider(3))


@pytest.mark.parametrize(("controller", "name", "slow", "fast"), [
    pytest.param("generalized", "default", 0.7, 1.2, marks=pytest.mark.long),
    pytest.param("simbicon", "walk", 0.5, 1.0, marks=pytest.mark.long),
    pytest.param("limit_cycle", "default", 0.3, 0.6, marks=pytest.mark.long),
    ("klaw", "walk", 0.8, 1.4),
])  # fmt: skip
def test_a_keyed_speed_is_followed(controller: str, name: str, slow: float, fast: float) -> None:
    walk = replace(job(controller, name, slow, 11.5), speeds=((5.0, slow), (6.0, fast)))
    motion = simulate(job_from_json(walk.as_json()))
    commanded = motion.command[np.searchsorted(motion.times, (4.5, 11.0)), 0]
    assert commanded == pytest.approx((slow, fast), rel=0.1)
    x = motion.root[:, 0]
    early, late = (np.searchsorted(motion.times, t) for t in ((3.0, 5.0), (8.9, 11.4)))
    assert x[late[1]] - x[late[0]] > 1.25 * (x[early[1]] - x[early[0]]) * 2.5 / 2.0


@pytest.mark.long
def test_a_planar_gait_goes_faster_when_a_keyed_speed_does_as_far_as_it_can() -> None:
    walk = replace(job("planar", "fast_walk", 1.2, 14.0), speeds=((5.0, 1.2), (7.0, 1.7)))
    motion = simulate(walk)
    early, late = (float(np.diff(np.interp(span, motion.times, motion.root[:, 0]))[0]) for span in ((3, 5), (11, 13)))
    assert late > 1.06 * early


@pytest.mark.long
def test_a_gait_follows_its_keyed_numbers_from_step_to_step() -> None:
    walk = job("simbicon", "walk", 1.0, 3.7, **{"steering.acceleration": ((2.0, 0.1), (2.5, 3.0))})
    walk = replace(walk, speeds=((2.6, 0.3), (2.7, 1.1)))
    late, plain = simulate(walk), simulate(replace(walk, preset=replace(walk.preset, keyed={})))
    at = np.searchsorted(late.times, 3.6)
    assert late.command[at, 0] > plain.command[at, 0] + 0.1


def test_a_motion_to_balance_follows_its_keyed_steering() -> None:
    values = preset("limit_cycle", "default").values
    fitted = Fitted(
        read_limit_cycle(values, {"steering.pull": ((1.0, 0.5), (2.0, 2.0))}), standard_character(), 1 / 480
    )
    assert fitted.motion.steering.pull == 0.5
    fitted.follow(1.5)
    assert fitted.motion.steering.pull == pytest.approx(1.25)


def test_what_cannot_change_along_a_walk_is_refused() -> None:
    for path, said in (("gait.double_support", "cannot change along a walk"), ("gait.widht", "no number 'gait.widht'")):
        with pytest.raises(DataError, match=said):
            kind_in(job("generalized", "default", 1.0, 1.0, **{path: ((0.0, 0.1),)}))


def test_times_of_what_is_keyed_go_with_the_size_of_the_body() -> None:
    small = replace(job("generalized", "default", 1.0, 1.0, **{"gait.width": ((4.0, 0.2),)}), speeds=((4.0, 1.0),))
    small = replace(small, character=standard_character(leg_scale=0.5))
    scales = similarity(small)
    found = scales.job(small)
    assert found.preset.keyed["gait.width"][0] == pytest.approx((4.0 / scales.time, 0.2))
    assert found.speeds[0] == pytest.approx((4.0 / scales.time, 1.0 / scales.speed))


@pytest.mark.long
def test_keyed_knees_are_lifted_ever_higher_along_the_path() -> None:
    """Must-show of the animator's tool: keyed from 0 to 1, the feet rise with it, stretch by stretch."""
    lift: Track = ((2.0, 0.0), (16.0, 1.0))
    own = replace(
        job("generalized", "default", 1.0, 0.0, **{"gait.knee_lift": lift}), path=Path([[0.0, 0.0], [16.0, 0.0]])
    )
    plain = simulate(replace(own, preset=replace(own.preset, keyed={})))
    heights = swing_heights(steady(replace(own, seed=1)))
    assert (np.diff(heights) > 0.015).all()  # of windows of 3 m
    assert heights[-1] - heights[0] > 0.13
    assert np.ptp(swing_heights(plain)) < 0.03


def swing_heights(motion: Motion) -> Array:
    """Return how high swinging ankles are above standing ones at most (4,), m: mean of windows of 3 m from 2 m on."""
    found = []
    for side, name in enumerate("LR"):
        ankle = motion.origins[:, motion.character.index(f"foot.{name}")]
        strikes = motion.strikes[motion.strikes[:, 1] == side, 0]
        for begin, end in pairwise(strikes):
            swing = ankle[(motion.times > begin) & (motion.times < end)]
            top = swing[:, 2].argmax()
            found.append((swing[top, 0], swing[top, 2] - ankle[:30, 2].mean()))
    at, height = np.array(found).T
    return np.array([height[(at >= begin) & (at < begin + 3.0)].mean() for begin in (2.0, 5.0, 8.0, 11.0)])
