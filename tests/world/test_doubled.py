"""Where a path doubles back on itself within a step is found, and nothing else is."""

import numpy as np
import pytest

from blender_biped.world.doubled import doubled_back
from blender_biped.world.path import Path


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ([(0, 0), (4, 0), (0, 0.001)], [4.0]),
        ([(0, 0), (4, 0), (2, 0.001), (5, 0.0)], [4.0, 6.0]),
        ([(0, 0), (4, 0), (4, 0.3), (0, 0.3)], []),
        ([(0, 0), (4, 0), (4, 4)], []),
        ([(0, 0), (0.6, 0)], []),
    ],
)
def test_places_are_found(points, places):
    assert doubled_back(Path(points), 0.0, 1.0) == pytest.approx(places, abs=0.06)


def test_small_bodies_turn_in_less_room_and_what_is_before_the_start_does_not_count():
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 40)
    turn = [(0.0, 0.0), *((2.0 + 0.03 * np.cos(a), 0.03 + 0.03 * np.sin(a)) for a in angles), (0.0, 0.06)]
    assert doubled_back(Path(turn), 0.0, 1.0) and not doubled_back(Path(turn), 0.0, 0.5)
    assert not doubled_back(Path([(0, 0), (4, 0), (0, 0.001)]), 5.0, 1.0)
