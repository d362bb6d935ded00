"""Least squares of what is not linear."""

import numpy as np
import pytest

from blender_biped.base.least_squares import least_squares


def test_of_a_straight_line_it_is_the_least_squares_solution():
    rng = np.random.default_rng(0)
    slopes, wanted = rng.normal(size=(8, 3)), rng.normal(size=8)
    found = least_squares(lambda values: (slopes @ values - wanted, lambda: slopes), np.zeros(3), 40)
    assert found == pytest.approx(np.linalg.lstsq(slopes, wanted, rcond=None)[0], abs=1e-4)


@pytest.mark.parametrize("begin", [(-1.2, 1.0), (3.0, -2.0)])
def test_a_bent_valley_is_followed_to_its_end(begin):
    def valley(values):  # Rosenbrock 1960
        x, y = values
        return np.array((1.0 - x, 10.0 * (y - x * x))), lambda: np.array(((-1.0, 0.0), (-20.0 * x, 10.0)))

    assert least_squares(valley, np.array(begin), 100) == pytest.approx([1.0, 1.0], abs=1e-4)


def test_it_never_ends_worse_than_it_begins():
    """The slopes point the wrong way: no step makes it less, and it stays."""
    begin = np.array((1.0, 2.0))
    assert least_squares(lambda values: (values, lambda: -np.eye(2)), begin, 10) == pytest.approx(begin)
