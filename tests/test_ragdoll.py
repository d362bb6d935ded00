"""Walks that fall as a ragdoll: simulated on until the body lies still, without breaking joints or the ground."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_conjugate, quaternion_matrix, quaternion_product
from blender_biped.character.planar import planar
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.limp import beyond_ranges
from blender_biped.job import Job, Push, job_from_json
from blender_biped.motion import measures
from blender_biped.motion.motion import RATE
from blender_biped.motion.similarity import similarity
from blender_biped.motion.summary import summarised
from blender_biped.preset.preset import preset, presets
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

LONGEST = 8.0
DEEP = 0.02  # m, of any link in the ground
BENT, LIGHT_BENT = np.radians(12.0), np.radians(30.0)  # beyond a joint's range, of an impact; of hands, feet, toes
AT_REST = np.radians(4.0)


def walk(style=None, force=(0.0, 0.0, 0.0), body=None, **more):
    push = (Push("chest", 1.5, 0.2, force),) if any(force) else ()
    own = style or preset("simbicon", "walk")
    return Job(body or standard_character(), Path([(0, 0), (6, 0)]), own, 1.0, pushes=push, ragdoll=LONGEST, **more)


ASIDE = (0.0, 600.0, 0.0)


def fallen(job):
    """Return the motion of a job, and the job."""
    return simulate(job), job


@cache
def floored():
    """Return SIMBICON's walk that is pushed aside and comes to lie, and its job."""
    return fallen(walk(force=ASIDE))


@cache
def cut_off():
    """Return a walk like that which has no time to come to lie, and would fall back were it no ragdoll; and its job."""
    return fallen(replace(walk(force=ASIDE, fall_back=True), ragdoll=0.6))


def check_fall(motion, job):
    """Check a fall: it comes to lie in time, and neither ground nor joints give way."""
    fell, body = measures.fell_at(motion, job), motion.character
    assert motion.outcome == "fell" and fell is not None and measures.lies_still(motion, job)
    assert 0.5 < motion.duration - fell < LONGEST
    after = motion.part(int(fell * RATE), len(motion.times))
    matrices = quaternion_matrix(after.rotations)
    for i, link in enumerate(body.links):
        lowest = after.origins[:, i, 2] + link.shape.lowest(matrices[:, i, 2])
        assert lowest.min() > -DEEP, link.role
        ranges = body.joint_ranges(i)
        if ranges:
            relative = quaternion_matrix(
                quaternion_product(quaternion_conjugate(after.rotations[:, link.parent]), after.rotations[:, i])
            )
            angles = (np.arctan2(-relative[:, 2, 0], relative[:, 0, 0]), np.arctan2(-relative[:, 1, 2],
                      relative[:, 1, 1]))  # fmt: skip
            light = link.role.startswith(("hand", "foot", "toes"))
            for angle, (low, high) in zip(angles, ranges, strict=False):
                beyond = np.maximum(low - angle, angle - high)
                assert beyond.max() < (LIGHT_BENT if light else BENT) and beyond[-1] < AT_REST, link.role
    for moment in matrices:
        far = beyond_ranges(body, moment)
        assert all(far[link.role] < BENT for link in body.links[1:] if link.joint == "spherical")
    assert all(far[link.role] < AT_REST for link in body.links[1:] if link.joint == "spherical")
    assert after.origins[-1, :, 2].max() < 0.5 * body.stand_height


@pytest.mark.parametrize(
    ("style", "force"),
    [
        (preset("simbicon", "walk"), ASIDE),
        pytest.param(preset("simbicon", "walk"), (0.0, -600.0, 0.0), marks=pytest.mark.long),
        pytest.param(preset("generalized", "default"), (0.0, 600.0, 0.0), marks=pytest.mark.long),
        pytest.param(presets("natural")[0], (-800.0, 0.0, 0.0), marks=pytest.mark.long),
    ],
)
def test_a_body_that_falls_comes_to_lie(style, force):
    motion, job = floored() if (style.controller, force) == ("simbicon", ASIDE) else fallen(walk(style, force))
    check_fall(motion, job)
    assert summarised(motion, job).lies is True


def test_its_links_stay_apart_and_it_falls_as_without_until_it_goes_limp():
    motion, job = floored()
    without = simulate(replace(job, ragdoll=0.0))
    same = (motion.rotations[: len(without.times)] == without.rotations).all(axis=(1, 2))
    first = int(np.argmin(same))  # from then on the controller's torques fade
    fell = measures.fell_at(motion, job)
    assert fell is not None and 1.5 < motion.times[first] <= fell + 0.01
    assert same[:first].all() and without.duration < motion.duration


def test_a_walk_that_does_not_fall_is_the_same_bit_for_bit():
    job = walk(duration=1.2)
    motion, without = simulate(job), simulate(replace(job, ragdoll=0.0))
    assert np.array_equal(motion.rotations, without.rotations) and np.array_equal(motion.root, without.root)
    assert summarised(motion, job).lies is None


def test_it_takes_the_place_of_what_a_walk_falls_back_on():
    motion, job = cut_off()
    assert job.fall_back and motion.attempt is None and motion.outcome == "fell"


def test_time_is_bounded():
    motion, job = cut_off()
    fell = measures.fell_at(motion, job)
    assert fell is not None and motion.duration - fell == pytest.approx(0.6, abs=0.02)
    assert summarised(motion, job).lies is False


@pytest.mark.long
def test_a_body_in_a_plane_falls_in_it():
    job = walk(preset("planar", "walk"), (900.0, 0.0, 0.0), planar(standard_character()))
    motion = simulate(job)
    assert motion.outcome == "fell" and np.abs(motion.root[:, 1]).max() < 1e-6
    assert measures.lies_still(motion, job)


def test_a_job_keeps_it_and_refuses_what_is_no_time():
    job = walk()
    assert job_from_json(job.as_json()).ragdoll == LONGEST
    assert job_from_json({k: v for k, v in job.as_json().items() if k != "ragdoll"}).ragdoll == 0.0
    for wrong in (-1.0, 61.0, "long", float("nan")):
        with pytest.raises(DataError, match=r"job\.ragdoll|ragdoll"):
            job_from_json({**job.as_json(), "ragdoll": wrong})
    scale = similarity(replace(job, gravity=4.0))
    assert scale.job(replace(job, gravity=4.0)).ragdoll == pytest.approx(LONGEST / scale.time)
