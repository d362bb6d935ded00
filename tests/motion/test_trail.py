"""What is drawn of a walk, of all of it and of what has come so far."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import continuous, quaternion_matrix
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion, joined, part_file, read_part, write_part
from blender_biped.motion.trail import trail_of
from blender_biped.world.floor import Floor
from blender_biped.world.path import Path
from tests.motion.synthetic import walked

BENT = Path([[0.0, 0.0], [3.0, 0.0], [5.0, 2.0]])


@pytest.fixture(scope="module")
def walk() -> Motion:
    return walked(BENT)[0]


def part(motion: Motion, first: int, last: int) -> Motion:
    """Return the samples from one to before another, with all contacts until then, as a simulation hands them over."""
    names = ("times", "root", "rotations", "loads", "torques", "command")
    until = motion.times[last - 1]
    seen = {name: getattr(motion, name)[getattr(motion, name)[:, 0] <= until] for name in ("strikes", "lifts")}
    return replace(motion, **{name: getattr(motion, name)[first:last] for name in names}, **seen)


def test_the_body_at_a_frame_is_where_the_bake_puts_it(walk: Motion) -> None:
    trail = trail_of(walk, Floor())
    frames = np.arange(0.0, walk.duration, 1.0 / 23.976)
    baked = walk.sampled(frames)
    for i, time in enumerate(frames):
        origins, turns = trail.place(time)
        assert np.allclose(origins, baked.origins[i], atol=1e-12)
        assert np.allclose(turns, quaternion_matrix(baked.rotations[i]), atol=1e-12)
    for time, end in ((-5.0, 0), (1e6, -1)):
        assert np.allclose(trail.place(time)[0], walk.origins[end], atol=1e-12)


def test_its_way_prints_and_seconds(walk: Motion) -> None:
    trail = trail_of(walk, Floor(0.25))
    assert trail.line[0, :2] == pytest.approx(walk.root[0, :2]) and trail.line[-1, :2] == pytest.approx(
        walk.root[-1, :2]
    )
    assert (trail.line[:, 2] == 0.25).all()
    assert len(trail.ticks) == int(walk.duration) + 1
    assert trail.ticks.mean(axis=1)[2, :2] == pytest.approx(walk.root[240, :2], abs=0.01)
    marks = gait_events.footprints(walk)
    assert [side for _, side in trail.prints] == [mark.side for mark in marks]
    for (outline, _), mark in zip(trail.prints, marks, strict=True):
        assert np.array_equal(outline[:, :2], gait_events.sole_outline(walk.character, mark))


def test_fewer_samples_give_about_the_same(walk: Motion) -> None:
    whole, rough = trail_of(walk, Floor()), trail_of(walk, Floor(), 3)
    for (outline, side), (near, other) in zip(whole.prints, rough.prints, strict=True):
        assert side == other and np.abs(outline - near).max() < 0.01
    assert np.array_equal(whole.place(1.234)[0], rough.place(1.234)[0])  # the body is exact all the same


@pytest.mark.parametrize("count", [1, 2, 7, 130])
def test_a_walk_that_has_just_begun_can_be_drawn(walk: Motion, count: int) -> None:
    trail = trail_of(part(walk, 0, count), Floor(), 3)
    assert np.isfinite(trail.line).all() and np.isfinite(trail.ticks).all() and len(trail.ticks) == 1 + count // 121
    assert np.allclose(trail.place(1e6)[0], walk.origins[count - 1], atol=1e-12)


def test_parts_in_files_make_up_the_motion(walk: Motion, tmp_path: FilePath) -> None:
    cuts = [0, 1, 50, 51, 200, len(walk.times)]
    came = []
    for number, (first, last) in enumerate(pairwise(cuts)):
        own = part(walk, first, last)
        flipped = replace(own, rotations=-own.rotations if number % 2 else own.rotations)  # each has its own sign
        write_part(flipped, part_file(tmp_path, number))
        came.append(read_part(part_file(tmp_path, number), walk.character))
    assert len(list(tmp_path.iterdir())) == len(cuts) - 1
    again = joined(came)
    for name in ("times", "root", "loads", "command", "strikes", "lifts"):
        assert np.array_equal(getattr(again, name), getattr(walk, name)), name
    assert np.array_equal(again.rotations, continuous(walk.rotations))
    assert not again.torques.any() and again.torques.shape == walk.torques.shape


def test_a_part_of_another_body_is_refused(walk: Motion, tmp_path: FilePath) -> None:
    file = part_file(tmp_path, 0)
    write_part(replace(walk, rotations=walk.rotations[:, :-1]), file)
    with pytest.raises(DataError, match="expected shape"):
        read_part(file, walk.character)
    with pytest.raises(DataError, match="Cannot read"):
        read_part(part_file(tmp_path, 1), walk.character)
