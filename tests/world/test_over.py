"""Triangles over a place: the same as looked at one after another, and only so many are looked at."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.world.over import NO_GROUND, Over, most_over
from blender_biped.world.terrain import MOST_OVER, Terrain


def soup(count, length, width, turn=None, seed=1):
    """Return triangles, ``length`` m long and ``width`` m wide, within 10 m, each turned anyhow or by ``turn`` rad."""
    rng = np.random.default_rng(seed)
    turns = rng.uniform(0.0, np.pi, count) if turn is None else np.full(count, turn)
    ahead = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    left = np.stack((-ahead[:, 1], ahead[:, 0]), axis=1)
    middles = rng.uniform(-5.0, 5.0, (count, 2)) if turn is None else rng.uniform(-5.0, 5.0, (count, 1)) * left
    flat = np.stack((middles - 0.5 * length * ahead, middles + 0.5 * length * ahead, middles + width * left), axis=1)
    vertices = np.concatenate((flat, rng.normal(scale=0.1, size=(count, 3, 1))), axis=2).reshape(-1, 3)
    return vertices, np.arange(3 * count).reshape(-1, 3)


def above(vertices, faces):
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return corners, normals / np.linalg.norm(normals, axis=1)[:, None]


def by_each(vertices, faces, x, y):
    best = NO_GROUND
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in vertices[faces].tolist():
        u, v = np.array((bx - ax, by - ay, bz - az)), np.array((cx - ax, cy - ay, cz - az))
        area = u[0] * v[1] - u[1] * v[0]
        s = ((x - ax) * v[1] - (y - ay) * v[0]) / area
        t = (u[0] * (y - ay) - u[1] * (x - ax)) / area
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            best = max(best, az + s * u[2] + t * v[2])
    return best


@pytest.mark.parametrize(
    "shape", [(60, 1.0, 0.5), (80, 9.0, 0.3), (90, 12.0, 0.02), (40, 0.05, 0.02)], ids=["wide", "long", "thin", "tiny"]
)
def test_many_places_are_what_each_is_and_what_a_look_at_all_triangles_gives(shape):
    vertices, faces = soup(*shape)
    ground = Terrain(vertices, faces)
    places = np.random.default_rng(2).uniform(-6.0, 6.0, (150, 2))
    found = ground.heights(places)
    assert np.array_equal(found, [ground.height(x, y) for x, y in places.tolist()])
    assert np.allclose(found, [by_each(vertices, faces, x, y) for x, y in places.tolist()], atol=1e-7)


def test_long_thin_triangles_are_in_few_cells():
    corners, normals = above(*soup(500, 14.0, 0.01, turn=0.8))
    ground = Over(corners, normals)
    by_bounds = (np.ptp(corners[..., :2], axis=1) // ground.cell + 1).prod(axis=1).sum()
    assert len(ground.entries) < 0.2 * by_bounds


def test_a_few_large_triangles_among_many_small_ones_take_no_more_room():
    vertices, faces = soup(4000, 0.05, 0.05)
    large, own = soup(400, 3000.0, 900.0, turn=0.8)
    ground = Over(*above(np.concatenate((vertices, large)), np.concatenate((faces, own + len(vertices)))))
    assert len(ground.entries) <= 2_000_000


def test_too_many_triangles_over_one_place_are_refused_wherever_they_are():
    floor, faces = soup(6000, 0.3, 0.3)
    one = np.array([(0.0, 0.0, 0.5), (0.6, 0.0, 0.5), (0.0, 0.6, 0.5)])
    for apart in (0.0, 0.01):  # one over another, or nearly
        shifts = np.random.default_rng(3).normal(scale=apart, size=(MOST_OVER + 200, 1, 3))
        stack = (one + shifts + (3.0, -2.0, 0.0)).reshape(-1, 3)
        own = np.arange(len(stack)).reshape(-1, 3)
        with pytest.raises(DataError, match="triangles of the ground lie over one another"):
            Terrain(np.concatenate((floor, stack)), np.concatenate((faces, own + len(floor))))
    assert most_over(floor[faces][..., :2]) < 60
    Terrain(floor, faces)


def test_triangles_that_have_but_a_corner_in_common_are_not_over_one_another():
    turns = np.linspace(0.0, 2.0 * np.pi, 1200)
    rim = np.stack((np.cos(turns), np.sin(turns), 0.0 * turns), axis=1)
    k = np.arange(1, len(rim))
    assert Terrain(np.concatenate(([(0.0, 0.0, 0.0)], rim)), np.stack((0 * k, k, k + 1), axis=1)).height(0.3, 0.4) == 0
