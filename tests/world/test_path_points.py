"""Points along a path: read, refused, scaled."""

import json

import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.fields import Fields
from blender_biped.world.path_points import PathPoint, read_points, waits_of


def points(*rows, length=10.0):
    return read_points(Fields({"along": list(rows)}, "job"), "along", length, 100.0)


def test_points_come_back_from_a_file():
    own = (PathPoint(1.0, speed=0.8, ease=0.5), PathPoint(4.0, time=6.0, wait=2.0), PathPoint(4.0))
    assert points(*json.loads(json.dumps([point.as_json() for point in own]))) == own
    assert read_points(Fields({}, "job"), "along", 1.0, 1.0) == ()


@pytest.mark.parametrize(("rows", "said"), [
    (({},), r"along\[0\]\.place is missing"),
    (({"place": 11.0},), r"along\[0\]\.place.*out of range"),
    (({"place": float("nan")},), r"along\[0\]\.place.*finite"),
    (({"place": 1.0, "speed": float("inf")},), r"along\[0\]\.speed.*finite"),
    (({"place": 1.0, "speed": -1.0},), r"along\[0\]\.speed.*out of range"),
    (({"place": 1.0, "wait": 1e9},), r"along\[0\]\.wait.*out of range"),
    (({"place": 1.0, "time": "soon"},), r"along\[0\]\.time.*expected a number"),
    (({"place": 1.0, "sped": 1.0},), r"along\[0\]\.sped.*nearest is 'speed'"),
    (({"place": 2.0}, {"place": 1.0}), r"along\[1\]\.place.*order"),
    (({"place": 1.0, "time": 3.0, "wait": 2.0}, {"place": 2.0}, {"place": 3.0, "time": 4.0}), r"along\[2\]\.time.*5 s"),
    (({"place": 1.0, "time": 3.0}, {"place": 3.0, "time": 3.0}), r"along\[1\]\.time"),
    ([{"place": 1.0}] * 1001, "1001 items"),
])  # fmt: skip
def test_wrong_points_are_named(rows, said):
    with pytest.raises(DataError, match=said):
        points(*rows)


def test_a_point_of_a_small_walk_has_its_lengths_and_times():
    own = PathPoint(4.0, speed=1.0, ease=2.0, time=6.0, wait=3.0).scaled(2.0, 1.5)
    assert own == PathPoint(2.0, speed=0.75, ease=1.0, time=4.0, wait=2.0)


def test_it_waits_once_at_a_place_and_not_before_its_start():
    own = [PathPoint(1.0, wait=1.0), PathPoint(3.0, wait=1.0), PathPoint(3.0, wait=0.5), PathPoint(4.0, speed=1.0)]
    assert [(point.place, point.wait) for point in waits_of(own, 2.0)] == [(3.0, 1.5)]
