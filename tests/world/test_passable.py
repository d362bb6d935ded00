"""Which ground is refused, where, and why; and the ground along a path, as KLAW walks it."""

import math

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.world.height_profile import HeightProfile
from blender_biped.world.passable import GroundLimits, check_ground, profile
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain

LIMITS = GroundLimits(up=10.0, down=5.0, across=6.0, rise=0.05, fall=0.1)
PATH = Path([(0, 0), (6, 0)])


def strip(profile, tilt=0.0, wide=1.0):
    """Return ground along x with corners (x, height) of its profile; where two share a place there is a wall."""
    points = [(x, y, z + tilt * y) for x, z in profile for y in (-wide, wide)]
    faces = [face for k in range(0, len(points) - 2, 2) for face in ((k, k + 2, k + 1), (k + 1, k + 2, k + 3))]
    return Terrain(points, faces)


def said(ground, start=0.0, size=1.0):
    with pytest.raises(DataError) as error:
        check_ground(ground, PATH, start, LIMITS, size, "Somebody")
    return str(error.value)


def passes(ground, start=0.0, size=1.0):
    check_ground(ground, PATH, start, LIMITS, size, "Somebody")
    return True


def slope(degrees):
    return [(-1, 0), (2, 0), (4, 2 * math.tan(math.radians(degrees))), (7, 2 * math.tan(math.radians(degrees)))]


def test_what_is_within_the_limits_passes():
    for ground in (
        strip([(-1, 0), (7, 0)]), strip(slope(9.5)), strip(slope(-4.5)), strip([(-1, 0), (7, 0)], tilt=0.09),
        strip([(-1, 0), (2, 0), (2, 0.05), (7, 0.05)]), strip([(-1, 0), (2, 0), (2, -0.1), (7, -0.1)]),
    ):  # fmt: skip
        assert passes(ground)


def test_slopes_are_named_with_their_angle_and_place():
    assert "slopes 12 degrees up, 2." in said(strip(slope(12.0))) or "slopes 12 degrees up, 1." in said(
        strip(slope(12.0))
    )
    assert "slopes 7 degrees down" in said(strip(slope(-7.0)))
    assert "slopes 8 degrees across" in said(strip([(-1, 0), (7, 0)], tilt=math.tan(math.radians(8.0))))
    assert passes(strip(slope(12.0)), start=4.5)


def test_edges_and_flights_are_named_with_their_height():
    assert "steps of 0.06 m up within 1.0 m" in said(strip([(-1, 0), (2, 0), (2, 0.06), (7, 0.06)]))
    assert "steps of 0.12 m down" in said(strip([(-1, 0), (2, 0), (2, -0.12), (7, -0.12)]))
    stairs = [(-1, 0), *((2 + 0.3 * (k // 2), 0.04 * ((k + 1) // 2)) for k in range(8)), (7, 0.16)]
    assert "steps of 0.16 m up" in said(strip(stairs))


def test_holes_and_ends_are_named():
    whole, beyond = strip([(-1, 0), (3, 0)]), strip([(3.3, 0), (7, 0)])
    both = Terrain(
        np.concatenate((whole.vertices, beyond.vertices)),
        np.concatenate((whole.faces, beyond.faces + len(whole.vertices))),
    )
    assert "has a hole, or ends, 3.0 m" in said(both)
    assert "has a hole, or ends, 0.0 m" in said(strip([(-1, 0), (7, 0)], wide=0.1))


def test_limits_grow_with_the_body():
    assert passes(strip([(-1, 0), (2, 0), (2, 0.09), (7, 0.09)]), size=2.0)


def test_a_profile_is_the_ground_along_the_path():
    ground = strip([(-1, 0.2), (1, 0.2), (3, 0.4), (4, 0.4), (4, 0.5), (7, 0.5)])
    relief = HeightProfile(profile(ground, PATH, 0.1))
    arcs = np.array([0.5, 1.5, 2.0, 3.5, 4.5, 5.5])
    assert np.allclose(relief.height(arcs), [0.1, 0.15, 0.2, 0.3, 0.4, 0.4], atol=0.005)
    assert len(relief.risers) == 1 and relief.risers[0] == pytest.approx(4.0, abs=0.03)
