"""What of a world is drawn: boxes about things as they are turned, crosses, arrows, and winds along a path."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import yaw_quaternion
from blender_biped.world.marks import arrow, blown, bounds, cross
from blender_biped.world.path import Path
from blender_biped.world.things import Solid, Thing
from blender_biped.world.winds import Wind

TURNED = tuple(yaw_quaternion(math.pi / 2).tolist())


@pytest.mark.parametrize(
    ("solid", "half"),
    [
        (Solid("box", (0.5, 0.1, 0.2)), (0.1, 0.5, 0.2)),
        (Solid("sphere", radius=0.3), (0.3, 0.3, 0.3)),
        (Solid("capsule", (0.0, 0.0, 0.4), 0.1), (0.1, 0.1, 0.5)),
        (Solid("hull", points=((0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3))), None),
    ],
)
def test_the_box_is_about_the_solid_as_it_is_turned(solid, half):
    edges, triangles = bounds(Thing("It", solid, (1.0, 2.0, 3.0), TURNED))
    assert edges.shape == (12, 2, 3) and triangles.shape == (12, 3, 3)
    low, high = edges.min(axis=(0, 1)), edges.max(axis=(0, 1))
    if half is not None:
        middle = np.array((1.0, 2.0, 3.0))
        assert low == pytest.approx(middle - half) and high == pytest.approx(middle + half)
    else:  # turned by a quarter: x goes to y, y to -x
        assert low == pytest.approx((-1.0, 2.0, 3.0)) and high == pytest.approx((1.0, 3.0, 6.0))
    assert triangles.min(axis=(0, 1)) == pytest.approx(low) and triangles.max(axis=(0, 1)) == pytest.approx(high)


def test_a_cross_and_an_arrow_are_where_they_are_put():
    lines = cross((1.0, 2.0, 3.0), 0.5)
    assert lines.mean(axis=1) == pytest.approx(np.tile((1.0, 2.0, 3.0), (3, 1)))
    assert np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) == pytest.approx([1.0, 1.0, 1.0])
    for way in ((2.0, 0.0, 0.0), (0.0, 0.0, -2.0), (1.0, 1.0, math.sqrt(2.0))):
        shaft, *barbs = arrow((1.0, 0.0, 0.0), way)
        assert shaft == pytest.approx(np.array([(1.0, 0.0, 0.0), np.array((1.0, 0.0, 0.0)) + way]))
        behind = [(end - shaft[1]) @ np.array(way) / 4.0 for end, tip in barbs]
        assert behind == pytest.approx([-0.25] * 4) and all(tip == pytest.approx(shaft[1]) for _, tip in barbs)


def wind(kind="wind", strengths=((0.0, 20.0),), **more):
    return Wind("Blow", kind, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), strengths, **more)


def test_a_wind_is_along_the_path_as_hard_as_it_becomes():
    path = Path([(0, 0), (6, 0)])
    found = blown([wind(strengths=((0.0, 5.0), (2.0, -40.0), (3.0, 0.0)))], path, 2.0, 1.1, 1.0)
    assert [tuple(place) for place, _ in found] == [(x, 0.0, 1.1) for x in (2.0, 3.0, 4.0, 5.0, 6.0)]
    assert all(force == pytest.approx((0.0, -40.0, 0.0)) for _, force in found)
    assert len(blown([wind()], Path([(0, 0), (900, 0)]), 0.0, 1.0, 1.0)) == 30
    assert blown([wind(strengths=((0.0, 0.0),))], path, 0.0, 1.0, 1.0) == []


def test_a_force_is_away_from_its_place_and_ends_where_it_does():
    found = blown([wind("force", reach=2.5)], Path([(-4, 1), (4, 1)]), 0.0, 0.0, 1.0)
    assert [place[0] for place, _ in found] == pytest.approx([-2.0, -1.0, 0.0, 1.0, 2.0])
    for place, force in found:
        assert force == pytest.approx(20.0 * place / np.linalg.norm(place))
