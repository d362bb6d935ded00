"""The least of a function of many numbers: found, wherever its valley lies, and the same each time."""

import numpy as np
import pytest

from blender_biped.base.search import least


def bent(points):
    """Return Rosenbrock's function of points (M, N): its least is 0 where all numbers are 1, along a bent valley."""
    return (100.0 * (points[:, 1:] - points[:, :-1] ** 2) ** 2 + (1.0 - points[:, :-1]) ** 2).sum(axis=1)


def test_the_least_of_a_bent_valley_is_found():
    found = least(bent, np.zeros(4), np.full(4, 0.5), 400, 16)
    assert found == pytest.approx(np.ones(4), abs=1e-3)


def test_lengths_of_other_sizes_are_found_as_well():
    sizes = np.array((1.0, 30.0, 1000.0))
    found = least(lambda points: ((sizes * (points - 0.3)) ** 2).sum(axis=1), np.zeros(3), np.ones(3), 300, 12)
    assert found == pytest.approx(np.full(3, 0.3), abs=1e-4)


def test_the_same_question_gets_the_same_answer():
    one, two = (least(bent, np.zeros(3), np.full(3, 0.4), 30, 8) for _ in range(2))
    assert (one == two).all()


def test_it_never_answers_with_more_than_it_has_seen():
    seen = []

    def cost(points):
        found = bent(points)
        seen.extend(found.tolist())
        return found

    assert bent(least(cost, np.full(3, 2.0), np.full(3, 0.1), 10, 6)[None])[0] == pytest.approx(min(seen))
