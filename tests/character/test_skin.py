"""The skin as data: shares, poses, what is torn."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix
from blender_biped.character.skin import Skin, Torn, skin_from


def strip() -> Skin:
    """Return five points up a line 4 m long: two on "low", one shared, one on "high", one on nothing."""
    points = np.array([[0.0, 0.0, float(z)] for z in range(5)])
    edges = np.stack((np.arange(4), np.arange(1, 5)), axis=1)
    vertices, bones = np.array([0, 1, 2, 2, 3]), np.array([0, 0, 0, 1, 1])
    return skin_from(points, edges, ("low", "high", "idle"), vertices, bones, np.array([0.3, 1.0, 0.6, 0.2, 5.0]))


def test_weights_become_shares_and_what_nobody_carries_is_loose() -> None:
    skin = strip()
    assert skin.loose == 1
    assert skin.amounts == pytest.approx({"low": 2.75, "high": 1.25})
    np.testing.assert_allclose(skin.shares([("low",), ("high", "idle")]).T, [[1, 1, 0.75, 0, 0], [0, 0, 0.25, 1, 0]])
    assert skin.carried_by(("low",))[:, 2].tolist() == [0.0, 1.0, 2.0]
    assert skin.carried_by(("low",), 0.8)[:, 2].tolist() == [0.0, 1.0]


def test_points_move_with_their_bones_by_their_shares() -> None:
    skin, still, moved = strip(), np.eye(4), np.eye(4)
    moved[:3, 3] = (4.0, 0.0, 0.0)
    posed = skin.posed({"low": still, "high": moved, "idle": still})
    np.testing.assert_allclose(posed[:, 0], [0.0, 0.0, 1.0, 4.0, 0.0], atol=1e-12)
    moved[:3, :3] = quaternion_matrix(axis_angle_quaternion([0.0, 1.0, 0.0], np.pi / 2.0))
    np.testing.assert_allclose(skin.posed({"low": still, "high": moved, "idle": still})[3], (7.0, 0.0, 0.0), atol=1e-12)


def test_a_part_of_a_skin_moves_as_the_whole() -> None:
    skin, moved = strip(), np.eye(4)
    moved[:3, 3] = (4.0, 0.0, 0.0)
    part, poses = skin.part(["low"]), {"low": moved, "high": np.eye(4)}
    assert part is not None and set(part.names) == {"low", "high"}  # the point that is shared is mostly of it
    np.testing.assert_allclose(part.posed(poses), skin.posed({**poses, "idle": moved})[:3], atol=1e-12)
    assert skin.part(["idle"]) is None


@pytest.mark.parametrize(
    ("away", "expected"),
    [
        (0.0, Torn(0, 0.0, False)),
        (2.0, Torn(0, 0.0, False)),  # the longest edge is 2.2 m
        (4.0, Torn(2, 3.12, True)),  # 3.2 m and 4.1 m, of 1 m
    ],
)
def test_an_edge_is_torn_when_it_is_over_three_times_as_long(away: float, expected: Torn) -> None:
    skin, moved = strip(), np.eye(4)
    moved[0, 3] = away
    longest = skin.edge_lengths(skin.posed({"low": np.eye(4), "high": moved, "idle": np.eye(4)}))
    found = skin.torn(longest, 3.0)
    assert (found.edges, found.plain) == (expected.edges, expected.plain)
    assert found.gap == pytest.approx(expected.gap, abs=0.01)
    assert skin.torn(longest, 3.0, 0.01).gap == pytest.approx(0.01 * expected.gap, abs=1e-4)  # in metres


def test_short_edges_stretch_without_being_torn_and_seams_do_not_count() -> None:
    """Of a skin of 10 m: an edge of 0.1 m to 0.5 m is stretched; one without length to 5 mm is the same point."""
    points = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.1], [0.0, 0.0, 5.0], [0.0, 0.0, 5.0], [0.0, 0.0, 10.0]])
    none = np.zeros(0, dtype=int)
    skin = Skin(points, np.array([[0, 1], [2, 3]]), (), none, none, np.zeros(0), every=3)
    found = skin.torn(np.array([0.5, 0.005]), 3.0)
    assert (found.edges, found.plain) == (3, False) and found.gap == pytest.approx(0.4)
    assert skin.torn(np.array([0.1, 0.02]), 3.0).edges == 3
