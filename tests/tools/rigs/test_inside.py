"""Inside and outside of surfaces, closed, open and turned inside out."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from tools.rigs.inside import any_inside, some, winding

LENGTH = 4.0  # of the tube, along z, of radius 1 about the origin


def tube(closed: bool, sides: int = 24) -> Array:
    """Return the triangles (F, 3, 3) of a tube, its ends open or closed, facing outwards."""
    angle = 2.0 * np.pi * np.arange(sides + 1) / sides
    low = np.stack((np.cos(angle), np.sin(angle), np.full_like(angle, -0.5 * LENGTH)), axis=1)
    high = low * (1.0, 1.0, -1.0)
    faces = [(low[k], low[k + 1], high[k + 1]) for k in range(sides)]
    faces += [(low[k], high[k + 1], high[k]) for k in range(sides)]
    if closed:
        for end, sign in ((low, -1), (high, 1)):
            middle = end.mean(axis=0) * (0.0, 0.0, 1.0)
            faces += [(middle, *(end[k : k + 2] if sign > 0 else end[k : k + 2][::-1])) for k in range(sides)]
    return np.array(faces)


INSIDE, BESIDE, ABOVE = (0.3, 0.2, 0.5), (1.4, 0.0, 0.0), (0.0, 0.0, 3.0)


def test_a_closed_surface_winds_once_round_what_is_inside() -> None:
    found = winding(np.array([INSIDE, BESIDE, ABOVE]), tube(closed=True))
    assert found == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert winding(np.array([INSIDE]), tube(closed=True)[:, ::-1]) == pytest.approx([-1.0], abs=1e-9)


def test_an_open_tube_winds_by_the_share_of_the_view_that_it_fills() -> None:
    cosine = 2.0 / np.sqrt(5.0)  # of the half angle of an end, seen from the middle
    found = winding(np.array([(0.0, 0.0, 0.0)]), tube(closed=False, sides=400))
    assert found == pytest.approx([cosine], abs=1e-3)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("point", "inside"), [(INSIDE, True), (BESIDE, False), (ABOVE, False)])
def test_what_is_inside_is_found(closed: bool, turned: bool, point: tuple[float, ...], inside: bool) -> None:
    corners = tube(closed)[:, ::-1] if turned else tube(closed)
    crowd = np.array([BESIDE, ABOVE, point, BESIDE])
    assert any_inside(crowd, corners) is inside
    assert not any_inside(crowd[:0], corners) and not any_inside(crowd, corners[:0])


def test_some_are_spread_over_all() -> None:
    assert some(np.arange(5), 10).tolist() == [0, 1, 2, 3, 4]
    assert some(np.arange(10), 4).tolist() == [0, 3, 6, 9]
