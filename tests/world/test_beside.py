"""Heights beside a path: of a long way part by part, with the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.patience import UnfinishedError, patient
from blender_biped.world import beside
from blender_biped.world.beside import heights_beside
from blender_biped.world.passable import GroundLimits, check_ground
from blender_biped.world.path import Path
from blender_biped.world.terrain import NO_GROUND, Terrain

PATH = Path([(0.0, 0.0), (3.0, 1.0), (5.0, 0.5)])
ASIDES = (-0.2, 0.0, 0.2)


def slope(rise: float) -> Terrain:
    """Return a ground that rises along x, m/m."""
    corners = [(x, y, rise * x) for x in (-1.0, 6.0) for y in (-3.0, 3.0)]
    return Terrain(corners, [(0, 2, 3), (0, 3, 1)])


def test_part_by_part_heights_are_what_they_are_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    arcs = np.arange(0.0, 7.5, 0.01)
    whole = heights_beside(slope(0.1), PATH, arcs, 0.2, ASIDES)
    assert whole.shape == (3, len(arcs)) and whole[1, 100] == pytest.approx(0.1 * PATH.point(1.0)[0])
    assert whole[1, -1] == NO_GROUND
    monkeypatch.setattr(beside, "PART", 100)
    for _ in range(7):
        with pytest.raises(UnfinishedError), patient(1e-9):
            heights_beside(slope(0.1), PATH, arcs, 0.2, ASIDES)
    with patient(1e-9):
        assert np.array_equal(heights_beside(slope(0.1), PATH, arcs, 0.2, ASIDES), whole)


def test_ground_that_was_looked_at_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = GroundLimits(10.0, 10.0, 10.0, 0.02, 0.02)
    check_ground(slope(0.11), PATH, 0.0, limits, 1.0, "Somebody")
    with pytest.raises(DataError, match="slopes 16"):
        check_ground(slope(0.3), PATH, 0.0, limits, 1.0, "Somebody")
    monkeypatch.setattr(Terrain, "heights", None)
    check_ground(slope(0.11), PATH, 0.0, limits, 1.0, "Somebody")
    with pytest.raises(DataError, match="slopes 16"):
        check_ground(slope(0.3), PATH, 0.0, limits, 1.0, "Somebody")
