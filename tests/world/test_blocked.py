"""What stands in the way of a path: by where it is, how wide, how high."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import yaw_quaternion
from blender_biped.world import blocked
from blender_biped.world.blocked import distances, hull, in_the_way
from blender_biped.world.floor import Floor
from blender_biped.world.path import Path
from blender_biped.world.things import Solid, Thing

PATH = Path([(0, 0), (6, 0)])


def box(x, y, z=0.2, half=(0.2, 0.2, 0.2), turn=0.0):
    w, a, b, c = yaw_quaternion(turn).tolist()
    return Thing("box", Solid("box", half), (x, y, z), (w, a, b, c))


def where(thing, start=0.0, floor=None):
    return in_the_way(thing, PATH, start, 0.3, floor or Floor(), 0.02, 1.8)


def test_only_what_reaches_into_the_corridor_is_in_the_way():
    assert where(box(3.0, 0.0)) == pytest.approx(2.5, abs=0.06)
    assert where(box(3.0, 0.49)) is not None and where(box(3.0, 0.51)) is None
    assert where(box(3.0, 0.55, turn=math.pi / 4)) is not None  # its corner does
    assert where(box(3.0, 0.0), start=4.0) is None
    assert where(box(9.0, 0.0)) is None


def test_what_is_flat_or_overhead_is_not():
    assert where(box(3.0, 0.0, 0.01, (0.2, 0.2, 0.01))) is None
    assert where(box(3.0, 0.0, 2.1)) is None and where(box(3.0, 0.0, 1.9)) is not None
    assert where(box(3.0, 0.0, 0.2), floor=Floor(0.4)) is None  # it is in the ground


def test_round_things_have_their_radius():
    ball = Thing("ball", Solid("sphere", radius=0.3), (3.0, 0.5, 0.3))
    assert where(ball) is not None
    assert in_the_way(ball, PATH, 0.0, 0.1, Floor(), 0.02, 1.8) is None


def test_distances_to_a_hull_are_those_to_its_nearest_point():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(40, 2))
    outline = hull(points)
    dense = np.concatenate([a + np.linspace(0, 1, 400)[:, None] * (b - a)
                            for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True)])  # fmt: skip
    looked = rng.normal(scale=3.0, size=(60, 2))
    expected = np.linalg.norm(looked[:, None] - dense, axis=2).min(axis=1)
    found = distances(looked, outline)
    outside = found > 0.0
    assert outside.any() and np.allclose(found[outside], expected[outside], atol=0.01)
    assert np.array_equal(distances(points, outline), np.zeros(len(points)))


def lump(x, y, corners=200):
    points = np.random.default_rng(5).normal(size=(corners, 3))
    points *= 0.3 / np.linalg.norm(points, axis=1)[:, None]
    return Thing("lump", Solid("hull", points=tuple(map(tuple, points.tolist()))), (x, y, 0.2))


def test_only_what_of_a_long_path_is_near_is_measured(monkeypatch):
    seen = []

    def counted(points, outline):
        seen.append(len(points) * len(outline))
        return distances(points, outline)

    monkeypatch.setattr(blocked, "distances", counted)
    far = Path([(0, 0), (3000, 0)])
    assert in_the_way(lump(1500.0, 0.2), far, 0.0, 0.3, Floor(), 0.02, 1.8) == pytest.approx(1499.4, abs=0.06)
    assert in_the_way(lump(1500.0, 5.0), far, 0.0, 0.3, Floor(), 0.02, 1.8) is None
    assert len(seen) == 1 and seen[0] < 10_000


def test_many_points_are_measured_a_part_at_a_time_and_as_one_by_one():
    points, outline = (
        np.random.default_rng(6).normal(scale=2.0, size=(9000, 2)),
        hull(lump(0.0, 0.0).solid.corners[:, :2]),
    )
    assert len(points) * len(outline) > blocked._AT_ONCE
    one_by_one = np.concatenate([distances(points[i : i + 500], outline) for i in range(0, len(points), 500)])
    assert np.array_equal(distances(points, outline), one_by_one)
