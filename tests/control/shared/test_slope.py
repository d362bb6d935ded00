"""References that follow the ground, and a body that stands on it."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.on_ground import standing_on
from blender_biped.control.shared.slope import normal, tilt
from blender_biped.world.floor import Floor
from blender_biped.world.terrain import Terrain

BODY = standard_character()


def tilted(gx, gy):
    points = [(x, y, gx * x + gy * y) for x in (-5.0, 5.0) for y in (-5.0, 5.0)]
    return Floor(0.0, Terrain(points, [[0, 2, 3], [0, 3, 1]]))


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.2, 0.0), (-0.1, 0.3)])
def test_a_reference_turns_by_the_shortest_arc(slope):
    reference = np.concatenate((np.eye(3), np.array([[0.1], [0.2], [0.3]])), axis=1)
    tilt(reference, slope)
    turn = reference[:, :3]
    assert np.allclose(turn @ turn.T, np.eye(3)) and np.allclose(turn[:, 2], normal(slope))
    assert np.trace(turn) == pytest.approx(1.0 + 2.0 * normal(slope)[2])
    assert np.linalg.norm(reference[:, 3]) == pytest.approx(np.linalg.norm((0.1, 0.2, 0.3)))


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.17, 0.0), (-0.17, 0.0), (0.0, 0.12), (0.1, -0.1)])
@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5])
def test_a_standing_body_has_both_soles_on_the_ground(slope, heading):
    floor = tilted(*slope)
    origins, rotations = standing_on(BODY, floor, 0.3, -0.2, heading)
    turns, up = quaternion_matrix(rotations), np.array(normal(slope))
    for side in "LR":
        foot = BODY.index(f"foot.{side}")
        shape = BODY.links[foot].shape
        corners = np.array(shape.center) + np.array(shape.half) * [
            (a, b, -1.0) for a in (-1.0, 1.0) for b in (-1.0, 1.0)
        ]
        places = origins[foot] + corners @ turns[foot].T
        away = (places[:, 2] - floor.heights(places)) * up[2]
        assert np.abs(away).max() < 0.006
    pelvis = turns[0]
    assert np.allclose(pelvis[:, 2], (0.0, 0.0, 1.0))
    assert math.atan2(pelvis[1, 0], pelvis[0, 0]) == pytest.approx(heading)
    assert np.allclose(origins[0, :2], (0.3, -0.2))
