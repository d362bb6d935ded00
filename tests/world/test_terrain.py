"""Heights and slopes of triangles, whatever way they face; what is no ground is refused."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.world.floor import Floor
from blender_biped.world.terrain import MOST_TRIANGLES, NO_GROUND, Terrain


def grid(heights, size=1.0, seed=None):
    """Return a terrain over a grid of heights (R, C), squares of ``size`` m, triangles facing any way with a seed."""
    rows, columns = np.shape(heights)
    x, y = np.meshgrid(np.arange(columns) * size, np.arange(rows) * size)
    vertices = np.stack((x.ravel(), y.ravel(), np.ravel(heights)), axis=1)
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.concatenate((np.stack((a, a + 1, a + columns), 1), np.stack((a + 1, a + columns + 1, a + columns), 1)))
    if seed is not None:
        turned = np.random.default_rng(seed).random(len(faces)) < 0.5
        faces[turned] = faces[turned][:, ::-1]
    return Terrain(vertices, faces)


@pytest.mark.parametrize("seed", [None, 1])
def test_a_plane_has_its_height_and_slope_everywhere(seed):
    rng = np.random.default_rng(2)
    x, y = np.meshgrid(np.arange(9) * 0.4, np.arange(7) * 0.4)
    plane = grid(0.3 * x - 0.2 * y + 0.1, 0.4, seed)
    places = rng.uniform((0.1, 0.1), (3.1, 2.3), (300, 2))
    assert np.allclose(plane.heights(places), places @ (0.3, -0.2) + 0.1, atol=1e-9)
    assert np.allclose([plane.slope(*place) for place in places[:50]], (0.3, -0.2), atol=1e-9)


def test_edges_and_corners_of_triangles_leave_no_gap():
    ground = grid(np.zeros((5, 5)))
    corners = [(i * 0.5, k * 0.5) for i in range(9) for k in range(9)]
    assert np.array_equal(ground.heights(corners), np.zeros(len(corners)))


def test_the_highest_counts_and_walls_do_not():
    low, high = grid(np.zeros((3, 3))), grid(np.full((3, 3), 0.4))
    wall = np.array([(0.5, 0.0, 0.0), (0.5, 2.0, 0.0), (0.5, 2.0, 3.0)])
    both = Terrain(
        np.concatenate((low.vertices, high.vertices, wall)), np.concatenate((low.faces, high.faces + 9, [[18, 19, 20]]))
    )
    assert both.height(0.5, 1.0) == both.height(1.3, 0.7) == 0.4


def test_where_there_is_none_the_floor_is_level():
    ground = grid(np.full((3, 3), 0.4))
    assert ground.height(5.0, 0.5) == ground.height(-0.1, 0.5) == NO_GROUND
    floor = Floor(0.1, ground)
    assert (floor.height(5.0, 0.5), floor.height(0.5, 0.5)) == (0.1, 0.4)
    assert floor.heights([(5.0, 0.5, 9.0), (0.5, 0.5, 9.0)]).tolist() == [0.1, 0.4]
    assert Floor(0.1).slope(0.0, 0.0) == (0.0, 0.0)


def test_what_is_no_ground_is_refused():
    upright = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0)]
    with pytest.raises(DataError, match="all of its faces are upright"):
        Terrain(upright, [[0, 1, 2]])
    with pytest.raises(DataError, match="not a finite number"):
        Terrain([(0.0, 0.0, np.nan), *upright], [[0, 1, 2]])
    with pytest.raises(DataError, match="a corner that is not there"):
        Terrain(upright, [[0, 1, 3]])
    with pytest.raises(DataError, match="Decimate"):
        Terrain([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 1.0)], np.tile([[0, 1, 2]], (MOST_TRIANGLES + 1, 1)))


def test_as_json_and_back_it_is_the_same():
    ground = grid(np.random.default_rng(3).random((4, 5)), seed=1)
    assert Terrain.from_json(ground.as_json(), "ground") == ground
    with pytest.raises(DataError, match=r"ground\.faces: expected whole numbers"):
        Terrain.from_json({**ground.as_json(), "faces": [[0.5, 1, 2]]}, "ground")
