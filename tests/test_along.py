"""Points along the path: every controller follows their speeds, keeps their times, waits, and changes its style there.

Walking is chaotic: what a walk from one start does not do, two from others must.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_of, preset, presets
from blender_biped.job import Job, job_from_json
from blender_biped.motion.arrivals import arrivals
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tests.walks import steady

WALKS = [
    ("generalized", "default", 1.0),
    ("simbicon", "walk", 1.0),
    ("limit_cycle", "default", 0.5),
    ("klaw", "walk", 1.1),
]


def plain(*controllers: str) -> list[Any]:
    """Return WALKS for a parameter: those of other controllers than are named are long tests."""
    return [walk if walk[0] in controllers else pytest.param(*walk, marks=pytest.mark.long) for walk in WALKS]


STEP = 0.65  # m, about


def job(controller: str, name: str, speed: float, *points: PathPoint, length: float = 12.0, **more: object) -> Job:
    path = Path([[0.0, 0.0], [length, 0.0]])
    own = Job(standard_character(), path, preset(controller, name), speed, along=points, **more)  # type: ignore[arg-type]
    return job_from_json(own.as_json())


def mean_speed(motion: Motion, begin: float, end: float) -> float:
    """Return the speed, m/s, over a stretch of the path, m."""
    return float((end - begin) / np.diff(times_at(motion, begin, end))[0])


def in_time(motion: Motion, own: Job) -> bool:
    """Return whether a walk is at its points at the desired times, within half a step."""
    return max(abs(arrival.ahead) for arrival in arrivals(motion, own.along)) < 0.5 * STEP


def times_at(motion: Motion, *places: float) -> Array:
    x = np.maximum.accumulate(motion.root[:, 0]) + 1e-9 * np.arange(len(motion.times))
    return np.interp(places, x, motion.times)


@pytest.mark.parametrize(("controller", "name", "speed"), plain("klaw"))
def test_a_speed_holds_from_its_point_on(controller: str, name: str, speed: float) -> None:
    slow, fast = 0.6 * speed, 1.15 * speed
    points = PathPoint(2.5, speed=slow, ease=0.5), PathPoint(5.2, speed=fast, ease=0.5)

    def held(motion: Motion, _: Job) -> bool:
        slower, faster = mean_speed(motion, 3.7, 5.2), mean_speed(motion, 7.0, 8.6)
        return slower == pytest.approx(slow, rel=0.2) and faster == pytest.approx(fast, rel=0.15)

    steady(job(controller, name, speed, *points, length=8.8, stop=False), held)


@pytest.mark.parametrize(("controller", "name", "speed"), plain("klaw"))
def test_it_is_at_its_points_in_time(controller: str, name: str, speed: float) -> None:
    """Within half a step, at the desired time, though the second stretch is a fifth faster than the first."""
    first = 1.5 + 4.0 / (0.9 * speed)
    points = PathPoint(4.0, time=first), PathPoint(8.0, time=first + 4.0 / (1.1 * speed))
    steady(job(controller, name, speed, *points, length=8.3, stop=False), in_time)


@pytest.mark.parametrize(
    ("controller", "name", "speed"), [walk for walk in plain("klaw") if "limit_cycle" not in str(walk)]
)
def test_it_stands_where_it_shall_wait_and_arrives_at_the_end(controller: str, name: str, speed: float) -> None:
    motion = steady(job(controller, name, speed, PathPoint(2.5, wait=3.0), length=5.0))
    place = motion.command[:, 2]
    stood = (place > 2.1) & (place < 2.8)
    x = motion.root[stood, 0]
    spots, counts = np.unique(np.round(x, 1), return_counts=True)
    assert counts.max() / 120.0 > 2.5, spots
    assert motion.root[-1, 0] == pytest.approx(5.0, abs=0.3)


@pytest.mark.parametrize(
    ("controller", "name", "speed"),
    [pytest.param("generalized", "default", 1.0, marks=pytest.mark.long), ("klaw", "walk", 1.1)],
)
def test_after_a_wait_it_is_in_time_for_the_next_point(controller: str, name: str, speed: float) -> None:
    points = PathPoint(4.0, wait=2.0), PathPoint(9.0, time=15.0)
    steady(job(controller, name, speed, *points, length=9.3, stop=False), in_time)


@pytest.mark.parametrize(
    ("controller", "name", "other", "speed"),
    [pytest.param("simbicon", "walk", "high_step", 0.7, marks=pytest.mark.long), ("klaw", "walk", "march", 1.1)],
)
def test_a_style_begins_at_its_place(controller: str, name: str, other: str, speed: float) -> None:
    cues = (Cue(0.0, preset(controller, other), place=3.5),)
    own = job(controller, name, speed, cues=cues, length=7.0, stop=False)
    motion, without = simulate(own), simulate(replace(own, cues=()))
    early, late = (abs(lifted(motion, *span) - lifted(without, *span)) for span in ((1.0, 3.0), (5.0, 7.0)))
    assert early < 0.001 < 0.03 < late


def lifted(motion: Motion, begin: float, end: float) -> float:
    """Return how high the left knee is at most between two places of the path, m."""
    inside = (motion.root[:, 0] > begin) & (motion.root[:, 0] < end)
    return float(motion.origins[inside, motion.character.index("shin.L"), 2].max())


def test_a_wait_that_no_style_can_keep_is_refused() -> None:
    for controller, name in (("limit_cycle", "default"), ("simbicon", "run"), ("planar", "walk")):
        with pytest.raises(DataError, match=r"job\.along.*cannot stand"):
            simulate(job(controller, name, 1.0, PathPoint(4.0, wait=1.0), duration=1.0))


def test_what_can_wait_is_known_before_the_walk() -> None:
    able = {
        kind: [style.name for style in presets(kind) if kind_of(kind).can_wait(style)]
        for kind in ("generalized", "simbicon", "planar", "limit_cycle", "klaw")
    }
    assert able["generalized"] == ["default"] and not able["planar"] and not able["limit_cycle"]
    assert "walk" in able["simbicon"] and "run" not in able["simbicon"]
    assert able["klaw"] == [style.name for style in presets("klaw")]


@pytest.mark.long
def test_points_of_a_child_are_kept_in_time_as_an_adults_are() -> None:
    body = standard_character(20.0, stature=1.1)
    points = (PathPoint(3.0, time=5.0), PathPoint(5.0, speed=0.5))
    path = Path([[0.0, 0.0], [6.0, 0.0]])
    own = Job(body, path, preset("generalized", "default"), 0.7, along=points, duration=6.5)
    steady(own, lambda motion, own: abs(arrivals(motion, own.along)[0].ahead) < 0.25)
