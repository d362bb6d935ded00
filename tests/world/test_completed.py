"""A ground of some meshes gets a level floor where it has none under a path."""

import numpy as np
import pytest

from blender_biped.world.completed import completed
from blender_biped.world.path import Path
from blender_biped.world.terrain import NO_GROUND, Terrain

PATH = Path([(0.0, 0.0), (6.0, 0.0), (6.0, 4.0)])


def plates(*given):
    """Return a ground of level rectangles: x and y of two corners, and the height, m."""
    points = [(x, y, z) for a, b, c, d, z in given for x, y in ((a, b), (c, b), (c, d), (a, d))]
    faces = [(4 * k + i, 4 * k + j, 4 * k + m) for k in range(len(given)) for i, j, m in ((0, 1, 2), (0, 2, 3))]
    return Terrain(np.array(points), np.array(faces))


def test_stairs_alone_stand_on_a_floor():
    stairs = plates((2.0, -1.0, 2.3, 1.0, 0.25), (2.3, -1.0, 5.0, 1.0, 0.4))
    whole = completed(stairs, PATH, 0.1, 3.0)
    arcs = np.arange(0.0, PATH.length, 0.05)
    heights = whole.heights(PATH.position(arcs))
    on = stairs.heights(PATH.position(arcs))
    assert heights == pytest.approx(np.where(on == NO_GROUND, 0.1, on))
    assert whole.height(3.0, 2.9) == pytest.approx(0.1) and whole.height(-4.0, 0.0) == NO_GROUND
    assert len(whole.faces) < 200


def test_a_hollow_stays_and_what_is_around_it_is_a_floor():
    hollow = plates((2.0, -1.0, 4.0, 1.0, -0.1))
    whole = completed(hollow, PATH, 0.0, 3.0)
    assert whole.height(3.0, 0.0) == pytest.approx(-0.1) and whole.height(1.0, 0.0) == pytest.approx(0.0)
    assert whole.height(3.0, 2.0) == pytest.approx(0.0)


def test_a_ground_under_all_of_the_path_stays_as_it_is():
    ground = plates((-1.0, -1.0, 7.0, 5.0, 0.3))
    assert completed(ground, PATH, 0.0, 3.0) is ground


def test_a_long_path_takes_no_longer_than_a_short_one_by_much():
    far = Path([(0.0, 0.0), (1500.0, 1200.0)])
    whole = completed(plates((10.0, -1.0, 12.0, 20.0, 0.2)), far, 0.0, 3.0)
    assert whole.height(*far.point(700.0)) == pytest.approx(0.0) and len(whole.faces) < 20_000
