"""Shapes of new paths: as long as they should be, from the origin along x."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.world.shapes import SHAPES, ground_path

NAMES = [name for name, _, _ in SHAPES]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", [0.5, 10.0])
def test_a_path_has_its_length_and_begins_where_the_character_stands_and_faces(name: str, length: float) -> None:
    spline = ground_path(name, length)
    assert spline.length == pytest.approx(length)
    assert spline.points[0] == pytest.approx((0.0, 0.0))
    ahead = spline.after[0] - spline.points[0]
    assert ahead[0] > 0.0 and ahead[1] == pytest.approx(0.0)
    assert spline.closed == (name in ("CIRCLE", "RECTANGLE"))


@pytest.mark.parametrize("name", NAMES)
def test_a_path_is_smooth(name: str) -> None:
    spline = ground_path(name, 10.0)
    before, after = spline.points - spline.before, spline.after - spline.points
    across = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    assert across == pytest.approx(np.zeros(len(across)), abs=1e-9)
    assert ((before * after).sum(axis=1) > 0.0).all()


def test_a_circle_is_round_and_to_the_left() -> None:
    spline = ground_path("CIRCLE", 2.0 * np.pi)
    assert np.linalg.norm(spline.points - (0.0, 1.0), axis=1) == pytest.approx(1.0, rel=1e-3)


def test_a_rectangle_is_twice_as_long_as_wide() -> None:
    size = np.ptp(ground_path("RECTANGLE", 10.0).points, axis=0)
    assert size[0] == pytest.approx(2.0 * size[1])
