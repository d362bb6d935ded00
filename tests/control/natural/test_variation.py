"""Steps that differ by chance: as people's do, another walk for each take, and not at all where they shall not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.variation import PEOPLE, PLANNED, Variation
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from blender_biped.strides import even
from blender_biped.world.path import Path

DEFAULT = preset("natural", "default")


def varied(variation: float, take: int = 0) -> Preset:
    return replace(DEFAULT, values=with_values(DEFAULT.values, {"gait.variation": variation, "gait.take": take}))


def chances(seed: int, count: int, amount: float = 1.0) -> Array:
    """Return time, length and width (count, 3) of steps, left and right in turn."""
    own = Variation(seed)
    found = [own.of(k, k % 2, amount) for k in range(count)]
    return np.array([(one.time, one.length, one.width) for one in found])


def test_steps_differ_as_peoples_do_and_drift() -> None:
    sides = chances(3, 4000).reshape(-1, 2, 3)
    within = sides - sides.mean(axis=0)
    assert within.std(axis=(0, 1)) == pytest.approx([PEOPLE.time, PEOPLE.length, PEOPLE.width], rel=0.06)
    steps = within.reshape(-1, 3) / within.std(axis=(0, 1))
    assert (steps[1:] * steps[:-1]).mean(axis=0) == pytest.approx(np.full(3, PEOPLE.memory), abs=0.06)


def test_left_and_right_differ_by_a_few_percent_at_most_each_seed_otherwise() -> None:
    found = []
    for seed in range(40):
        left, right = chances(seed, 400).reshape(-1, 2, 3).mean(axis=0)
        found.append(left - right)
    apart = np.abs(found)[:, :2]
    assert apart.max() < PEOPLE.lopsided + 0.006 and apart.max() > 0.5 * PEOPLE.lopsided
    assert np.sign(found)[:, 0].std() > 0.5  # now the one, now the other


def test_a_step_has_one_chance_however_often_and_in_what_order_it_is_asked_for() -> None:
    one, other = Variation(7), Variation(7)
    assert one.of(9, 1, 1.0) == other.of(9, 1, 1.0) == one.of(9, 1, 1.0)
    assert one.of(3, 1, 1.0) == other.of(3, 1, 1.0) != Variation(8).of(3, 1, 1.0)
    assert one.of(3, 1, 0.0) is PLANNED
    half, whole = one.of(5, 0, 0.5), one.of(5, 0, 1.0)
    assert half.time - 1.0 == pytest.approx(0.5 * (whole.time - 1.0))


def test_a_loop_has_even_steps() -> None:
    job = Job(standard_character(), Path([[0.0, 0.0], [6.0, 0.0]]), varied(1.0), 1.2)
    own = even(job)
    assert own.preset.values["gait"]["variation"] == 0.0 and own.preset.values["gait"]["take"] == 0
    plain = replace(job, preset=DEFAULT)
    assert even(plain) == plain
    assert even(replace(job, preset=replace(DEFAULT, keyed={"gait.variation": ((0.0, 1.0),)}))).preset.keyed == {}
    klaw = replace(job, preset=preset("klaw", "walk"))
    assert even(klaw) == klaw
    for style in (DEFAULT, klaw.preset):
        about = replace(style, values=with_values(style.values, {"manner.look_about": 30.0}))
        assert even(replace(job, preset=about)).preset.values["manner"]["look_about"] == 0.0


def walked(style: Preset, length: float) -> tuple[Motion, Job]:
    job = Job(standard_character(), Path([[0.0, 0.0], [length, 0.0]]), style, 1.3)
    return simulate(job), job


@pytest.mark.long
def test_a_variation_of_none_is_the_same_walk_bit_for_bit_whatever_the_take() -> None:
    (one, _), (other, _) = walked(DEFAULT, 2.0), walked(varied(0.0, 5), 2.0)
    assert np.array_equal(one.root, other.root) and np.array_equal(one.rotations, other.rotations)


@pytest.mark.long
@pytest.mark.parametrize("take", [0, 1])
def test_a_walk_varies_as_peoples_and_arrives(take: int) -> None:
    motion, job = walked(varied(1.0, take), 30.0)
    assert motion.outcome == "arrived" and measures.fell_at(motion, job) is None
    time, length, width = (
        measure(motion, job) for measure in (measures.step_time_cv, measures.step_length_cv, measures.step_width_cv)
    )
    assert 1.5 < (time or 0.0) < 3.5 and 1.5 < (length or 0.0) < 4.5 and 10.0 < (width or 0.0) < 28.0
