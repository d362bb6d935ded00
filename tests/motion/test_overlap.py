"""Overlaps of shapes in places where the depth is known by hand."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import IDENTITY, Array, axis_angle_quaternion
from blender_biped.character.model import Shape
from blender_biped.motion.overlap import overlap

ROD = Shape("capsule", (0.0, 0.0, -0.2), (0.0, 0.0, 0.2), 0.05)
BALL = Shape("capsule", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.10)
BOX = Shape("box", (0.0, 0.0, 0.0), (0.15, 0.05, 0.03))


def depth(a: Shape, b: Shape, apart: tuple[float, float, float], turn: Array = IDENTITY) -> float:
    """Return the overlap of ``a`` at the origin with ``b`` at ``apart``, turned by ``turn``."""
    origin = np.zeros((1, 3))
    return float(overlap(a, b, origin, IDENTITY[None], np.array([apart]), np.asarray(turn)[None])[0])


@pytest.mark.parametrize("apart", [0.02, 0.09, 0.11, 0.30])
def test_parallel_rods(apart: float) -> None:
    assert depth(ROD, ROD, (0.0, apart, 0.0)) == pytest.approx(0.10 - apart)


def test_crossed_rods() -> None:
    across = axis_angle_quaternion([1.0, 0.0, 0.0], np.pi / 2.0)
    assert depth(ROD, ROD, (0.08, -0.2, -0.2), across) == pytest.approx(0.02, abs=1e-3)


@pytest.mark.parametrize("apart", [0.12, 0.16])
def test_ball_beside_box(apart: float) -> None:
    assert depth(BOX, BALL, (0.0, apart, 0.0)) == pytest.approx(0.15 - apart)
    assert depth(BALL, BOX, (0.0, -apart, 0.0)) == pytest.approx(0.15 - apart)


@pytest.mark.parametrize("apart", [0.08, 0.12])
def test_boxes_side_by_side(apart: float) -> None:
    assert depth(BOX, BOX, (0.0, apart, 0.0)) == pytest.approx(0.10 - apart)


def test_turned_boxes_touch_where_they_are_long() -> None:
    square = axis_angle_quaternion([0.0, 0.0, 1.0], np.pi / 2.0)
    assert depth(BOX, BOX, (0.0, 0.21, 0.0), square) == pytest.approx(-0.01)
    assert depth(BOX, BOX, (0.0, 0.19, 0.0), square) == pytest.approx(0.01)


@pytest.mark.parametrize(("one", "other"), [(ROD, ROD), (ROD, BOX), (BOX, ROD), (BOX, BOX), (BALL, BOX)])
def test_only_depths_that_matter_are_found(one: Shape, other: Shape) -> None:
    rng = np.random.default_rng(3)
    turns = rng.normal(size=(2, 500, 4))
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    places = 0.12 * rng.normal(size=(2, 500, 3))
    given = (one, other, places[0], turns[0], places[1], turns[1])
    whole = overlap(*given)
    for beyond in (-0.05, 0.0, 0.02):
        found = overlap(*given, beyond)
        left = np.isneginf(found)
        assert 0 < left.sum() < 500
        assert np.array_equal(found[~left], whole[~left]) and (whole[left] <= beyond).all()
