"""Slopes and stairs: feet stand on them, swings clear them, and what is no ground is told."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array, quaternion_matrix
from blender_biped.job import job_from_json
from blender_biped.klaw.walk import walk
from blender_biped.motion import gait_events, measures
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.height_profile import HeightProfile
from tests.klaw.walks import ADULT, job_of

UP = ((0.0, 0.0), (2.0, 0.0), (7.0, 1.0))
DOWN = ((0.0, 0.0), (2.0, 0.0), (7.0, -1.0))
TREADS = tuple((2.0 + 0.32 * (k // 2), 0.17 * ((k + 1) // 2)) for k in range(12))
STAIRS = ((0.0, 0.0), *TREADS)


def depth(motion, relief: HeightProfile) -> float:
    """Return how deep a point of a sole is below the ground at worst, m."""
    deepest = 0.0
    for i in motion.character.soles:
        shape, turns = motion.character.links[i].shape, quaternion_matrix(motion.rotations[:, i])
        for x in np.linspace(-1.0, 1.0, 5):
            place: Array = motion.origins[:, i] + turns @ (np.array(shape.center) + np.array(shape.half) * (x, 0, -1))
            deepest = max(deepest, float((relief.height(place[:, 0] - 1e-4) - place[:, 2]).max()))
    return deepest


@pytest.mark.parametrize(("points", "deepest"), [(UP, 0.004), (DOWN, 0.004), (STAIRS, 0.004)])
def test_feet_stand_on_the_ground_and_clear_it(points, deepest):
    job = replace(job_of(3.6, 8.0), relief=points)
    motion, relief = walk(job), HeightProfile(points)
    assert depth(motion, relief) <= deepest  # where a sole lies across an edge of a slope
    assert motion.root[-1, 2] - motion.root[0, 2] == pytest.approx(points[-1][1], abs=0.01)
    for side in (0, 1):
        ball = gait_events.ball_track(motion, side)
        for stance in gait_events.stances(motion, side):
            inside = (motion.times > stance.start + 0.15) & (motion.times < stance.start + 0.3)
            if stance.opened and inside.any():
                assert np.ptp(ball[inside], axis=0).max() < 1e-4
                assert ball[inside][0, 2] == pytest.approx(float(relief.height(ball[inside][0, 0])), abs=0.004)


def test_stairs_are_climbed_one_by_one_with_bent_knees():
    motion = walk(replace(job_of(3.6, 8.0), relief=STAIRS))
    heights = [
        round(float(p), 2)
        for p in HeightProfile(STAIRS).height(np.array([m.place[0] for m in gait_events.footprints(motion)]))
    ]
    assert max(np.diff(heights)) <= 0.171
    assert set(np.round(0.17 * np.arange(7), 2)) <= set(heights)
    flat = walk(job_of(3.6, 8.0))
    assert measures.flexion(motion, "knee", 0).max() > measures.flexion(flat, "knee", 0).max() + 10.0


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[0.0, 0.0], [1.0, 0.6]], "steeper than"),
        ([[1.0, 0.0], [0.0, 0.1]], "must rise"),
        ([[0.0]], r"relief\[0\]: expected 2 numbers"),
    ],
)
def test_what_is_no_ground_is_refused(points, said):
    data = job_of(3.0, 4.0).as_json() | {"relief": points}
    with pytest.raises(DataError, match=said):
        walk(job_from_json(data))


def test_only_klaw_walks_on_slopes():
    job = replace(job_of(3.0, 4.0), relief=UP, preset=preset("generalized", "default"))
    assert job_from_json(job.as_json()).relief == UP
    assert job.character is ADULT
    with pytest.raises(DataError, match="on slopes and stairs walks KLAW"):
        simulate(job)
