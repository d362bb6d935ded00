"""What repeats in a motion: known by construction, at any size, on the spot, from one cycle; and in captured walks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_product, yaw_quaternion
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.klaw.walk import NAME, walk
from blender_biped.motion.likeness import captured_curves, likeness, stride_curves
from blender_biped.motion.motion import RATE, Motion
from blender_biped.motion.periodic import periodic
from blender_biped.motion.travel import moved
from blender_biped.preset.preset import preset
from blender_biped.world.path import Path
from tests.motion import recorded
from tests.motion.synthetic import Walk, walked

SPEED = 1.2


@pytest.fixture(scope="module")
def klaw() -> tuple[Motion, Job]:
    """A walk of KLAW's, which is periodic."""
    job = Job(standard_character(), Path([[0.0, 0.0], [9.0, 0.0]]), preset(NAME, "walk"), SPEED, stop=False)
    return walk(job), job


def test_speed_period_and_steps_come_back(klaw: tuple[Motion, Job]) -> None:
    motion, _ = klaw
    found = periodic(motion)
    steps = np.diff([t for t, _ in motion.strikes])[3:-2]
    assert found.duration == pytest.approx(2.0 * steps.mean(), rel=0.02)
    assert found.speed == pytest.approx(SPEED, rel=0.02)
    assert found.right == pytest.approx(0.5, abs=0.02)


def test_its_joints_bend_as_those_of_the_motion(klaw: tuple[Motion, Job]) -> None:
    motion, job = klaw
    like = likeness(captured_curves(periodic(motion)), stride_curves(motion, job))
    assert min(r or 0.0 for r in like.values()) > 0.98


def test_where_it_goes_and_how_it_wanders_makes_no_difference(klaw: tuple[Motion, Job]) -> None:
    motion, _ = klaw
    one, other = periodic(motion), periodic(moved(motion, (3.0, -2.0), 2.1))
    assert other.duration == pytest.approx(one.duration, rel=1e-3) and other.travel == pytest.approx(one.travel, 1e-3)
    for role, turn in one.joints.items():
        assert other.joints[role].mean == pytest.approx(turn.mean, abs=0.01), role


def test_who_walks_on_the_spot_has_the_speed_of_its_feet(klaw: tuple[Motion, Job]) -> None:
    motion, _ = klaw
    root = motion.root.copy()
    root[:, 0] -= SPEED * motion.times
    steady = replace(motion, root=root).sampled(np.arange(3.0, 6.5, 1.0 / RATE))
    found = periodic(replace(steady, times=steady.times - steady.times[0]))
    assert found.speed == pytest.approx(SPEED, rel=0.1)


def test_one_cycle_that_closes_is_enough(klaw: tuple[Motion, Job]) -> None:
    motion, _ = klaw
    whole = periodic(motion)
    one = motion.sampled(3.0 + np.arange(0.0, whole.duration, 1.0 / RATE))
    found = periodic(replace(one, times=one.times - one.times[0]))
    assert found.duration == pytest.approx(whole.duration, rel=0.03)


def still(motion: Motion) -> Motion:
    return replace(motion, root=motion.root[:1] + 0.0 * motion.root, rotations=np.repeat(motion.rotations[:1],
                   len(motion.times), axis=0))  # fmt: skip


def turned(motion: Motion) -> Motion:
    """The same body and steps, but it goes backwards."""
    return replace(motion, rotations=quaternion_product(yaw_quaternion(np.pi), motion.rotations))


def short(motion: Motion) -> Motion:
    return motion.sampled(np.arange(2.0, 3.6, 1.0 / RATE))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (still, "does not walk"),
        (turned, "degrees away"),
        (short, "two|shorter"),
    ],
)
def test_what_no_style_can_be_made_of_is_refused(klaw: tuple[Motion, Job], changed, said: str) -> None:
    with pytest.raises(DataError, match=said):
        periodic(changed(klaw[0]))


def test_a_slide_without_steps_is_no_walk() -> None:
    motion, _ = walked(Path([[0.0, 0.0], [8.0, 0.0]]), Walk(speed=0.9))
    still_links = np.tile((1.0, 0.0, 0.0, 0.0), (*motion.rotations.shape[:2], 1))
    stiff = replace(motion, rotations=still_links)
    with pytest.raises(DataError, match=r"rhythm|step"):
        periodic(stiff)


@pytest.mark.parametrize(
    ("load", "speed", "cadence"), [(recorded.cmu_02_01, 1.18, 108), (recorded.cmu_12_01, 0.89, 93),
                                   (recorded.humanoid_walk, 0.98, 94)],
)  # fmt: skip
def test_captured_walks_have_their_known_speed_and_cadence(load, speed: float, cadence: float) -> None:
    motion, job = load()
    found = periodic(motion)
    assert found.speed == pytest.approx(speed, rel=0.03)
    assert 120.0 / found.duration == pytest.approx(cadence, rel=0.03)
    like = likeness(captured_curves(found), stride_curves(motion, job))
    assert min(like["hip"] or 0.0, like["knee"] or 0.0) > 0.98


def test_a_file_whose_bones_rest_along_their_axes_is_read_as_it_stands() -> None:
    motion, _ = recorded.styled("bandai1_walk_sad_001")
    found = periodic(motion)
    assert found.speed == pytest.approx(0.61, rel=0.05) and 120.0 / found.duration == pytest.approx(73, rel=0.03)
