"""What is across a way: by where along it, how high, how deep; what of it is refused, with the reason."""

import math

import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import yaw_quaternion
from blender_biped.world.floor import Floor
from blender_biped.world.obstacles import Ducks, Held, Passing, PassingBody, Way, check_obstacles, obstacles_across
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing

PATH = Path([(0, 0), (8, 0)])
PASSING = Passing(over=0.35, deep=0.3, apart=1.0, before=1.2, after=0.8, upright=1.5)
LOWEST, BEFORE, BEHIND, TALL = 1.2, 1.4, 0.9, 1.8
DUCKS = Ducks(LOWEST, lambda height: (BEFORE, BEHIND))


def bar(x, height, bottom=0.0, deep=0.1, y=0.0, wide=1.0, turn=0.0, name="bar"):
    w, a, b, c = yaw_quaternion(turn).tolist()
    half = (0.5 * deep, wide, 0.5 * height)
    return Thing(name, Solid("box", half), (x, y, bottom + half[2]), (w, a, b, c))


def said(*things, path=PATH, floor=None, size=1.0):
    floor = floor or Floor()
    across = obstacles_across(things, path, 0.0, floor, size, TALL)
    return list(check_obstacles(across, Way(path, floor=floor), PassingBody("Somebody", PASSING, DUCKS, size)))


def test_things_across_are_where_they_are_and_what_is_beside_is_not_there():
    (one,) = obstacles_across([bar(3.0, 0.2), bar(5.0, 0.2, y=1.4)], PATH, 0.0, Floor(), 1.0, TALL).hurdles
    assert (one.near, one.far) == pytest.approx((2.95, 3.05), abs=0.03)
    assert (one.bottom, one.top) == pytest.approx((0.0, 0.2))
    assert one.along(3.5, 0.7) == pytest.approx(3.5, abs=1e-6)
    (turned,) = obstacles_across([bar(3.0, 0.2, turn=math.pi / 4)], PATH, 0.0, Floor(), 1.0, TALL).hurdles
    assert turned.near == pytest.approx(3.0 - 0.3 - 0.05 * math.sqrt(2.0), abs=0.04)  # its ends come nearer


def test_a_way_that_bends_has_its_things_along_it():
    path = Path([(0, 0), (4, 0), (4, 4)])
    (one,) = obstacles_across([bar(4.0, 0.2, y=2.0, deep=2.0, wide=0.05)], path, 0.0, Floor(), 1.0, TALL).hurdles
    assert one.near == pytest.approx(5.95, abs=0.04) and one.heading == pytest.approx(math.pi / 2, abs=0.05)
    assert one.along(4.0, 3.0) - one.near == pytest.approx(1.05, abs=0.04)


def test_what_is_overhead_is_ducked_under_and_two_without_room_between_are_one():
    across = obstacles_across([bar(3.0, 0.2), bar(3.2, 0.3), bar(5.0, 0.1, bottom=1.3)], PATH, 0.0, Floor(), 1.0, TALL)
    (low,), (high,) = across.hurdles, across.beams
    assert low.top == pytest.approx(0.3) and low.far == pytest.approx(3.25, abs=0.03)
    assert high.bottom == pytest.approx(1.3)
    assert not obstacles_across([bar(3.0, 0.1, bottom=1.9), bar(4.0, 0.01)], PATH, 0.0, Floor(), 1.0, TALL).beams
    assert len(obstacles_across([bar(3.0, 0.2)], PATH, 4.0, Floor(), 1.0, TALL).hurdles) == 0  # behind the start


def test_it_says_what_the_walk_does():
    assert said(bar(3.25, 0.3), bar(5.25, 0.1, bottom=1.3, name="beam")) == [
        "Steps over 'bar', 0.30 m high, 3.2 m along the path.",
        "Ducks under 'beam', 1.30 m above the ground, 5.2 m along the path.",
    ]


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ([bar(3.0, 0.4)], r"is 0\.40 m high; Somebody steps over 0\.35 m"),
        ([bar(3.0, 1.7)], r"is 1\.70 m high"),
        ([bar(3.0, 0.1, deep=0.6)], r"is 0\.\d\d m deep"),
        ([bar(3.0, 0.1), bar(3.8, 0.1)], r"too near to the start or to the one before"),
        ([bar(1.0, 0.1)], r"too near to the start"),
        ([bar(7.5, 0.1)], r"too near to its end"),
        ([bar(3.0, 0.1), bar(4.0, 0.1, bottom=1.5, name="beam")], r"'bar' and 'beam', .* too near to each other"),
        ([bar(3.0, 0.1, bottom=1.1)], r"leaves 1\.10 m under it; Somebody ducks to 1\.20 m"),
    ],
)
def test_what_cannot_be_passed_is_refused_with_the_reason(things, message):
    with pytest.raises(DataError, match=message):
        said(*things)


def test_one_who_does_not_duck_says_so_and_one_who_is_to_stand_beside_what_it_steps_over_is_told():
    across = obstacles_across([bar(3.0, 0.2), bar(6.0, 0.1, bottom=1.5, name="beam")], PATH, 0.0, Floor(), 1.0, TALL)
    walker = PassingBody("Somebody", Passing(0.35, 0.3, 1.0, 1.2, 0.8, still=0.7))
    with pytest.raises(DataError, match=r"'beam', .* Somebody does not duck"):
        list(check_obstacles(across, Way(PATH), walker))
    with pytest.raises(DataError, match=r"is to stand 3\.6 m along the path, near the obstacle 'bar'"):
        list(check_obstacles(across, Way(PATH, waits=(1.0, 3.6)), walker))


def test_who_cannot_stand_bent_needs_way_before_and_behind_a_beam():
    passing = Passing(0.35, 0.3, 1.0, 1.2, 0.8, still=1.0)
    near, far = 0.05 + 0.03, 0.05 + 0.03  # half of the beam, and how finely it is looked for
    for x, refused in ((0.7, True), (BEFORE, True), (BEFORE + near, False), (8.0 - BEHIND, True), (7.0 - far, False)):
        across = obstacles_across([bar(x, 0.1, bottom=1.5, name="beam")], PATH, 0.0, Floor(), 1.0, TALL)
        told = check_obstacles(across, Way(PATH), PassingBody("Somebody", passing, DUCKS))
        if refused:
            with pytest.raises(DataError, match=r"1\.4 m before it to bend and 1\.0 m behind it to rise"):
                list(told)
        else:
            assert list(told)


def test_over_and_under_at_once_is_for_those_who_can():
    across = obstacles_across([bar(3.0, 0.2), bar(3.0, 0.1, bottom=1.5, name="beam")], PATH, 0.0, Floor(), 1.0, TALL)
    for upright, refused in ((None, False), (0.5, True)):
        passing = Passing(0.35, 0.3, 1.0, 1.2, 0.8, upright)
        told = check_obstacles(across, Way(PATH), PassingBody("Somebody", passing, DUCKS))
        if refused:
            with pytest.raises(DataError, match="too near to each other"):
                list(told)
        else:
            assert len(list(told)) == 2


def test_who_has_its_hands_full_steps_over_less_and_over_nothing_with_what_it_moves_over_the_ground():
    across = obstacles_across([bar(4.0, 0.3)], PATH, 0.0, Floor(), 1.0, TALL)
    for loaded, moved, end, message in (
        (0.3, False, 9.0, ""),
        (0.2, False, 9.0, r"is 0\.30 m high; with 'crate' in its hands Somebody steps over 0\.20 m"),
        (0.2, False, 3.0, ""),  # it is set down before
        (0.3, True, 9.0, "in the way of 'crate', which is moved over the ground"),
        (0.3, True, 3.0, ""),
    ):
        walker = PassingBody("Somebody", Passing(0.35, 0.3, 1.0, 1.2, 0.8, loaded=loaded))
        told = check_obstacles(across, Way(PATH, held=(Held(1.0, end, "crate", moved),)), walker)
        if message:
            with pytest.raises(DataError, match=message):
                list(told)
        else:
            assert list(told)


def test_limits_go_with_the_body():
    assert said(bar(4.0, 0.5, deep=0.2), size=1.5)
    with pytest.raises(DataError, match=r"steps over 0\.17 m|steps over 0\.18 m"):
        said(bar(3.0, 0.2), size=0.5)


def test_things_on_a_slope_are_refused():
    slope = Terrain([(-2, -3, -0.2), (9, -3, 0.9), (9, 3, 0.9), (-2, 3, -0.2)], [[0, 1, 2], [0, 2, 3]])
    with pytest.raises(DataError, match="not on level ground"):
        said(bar(3.0, 0.2, bottom=0.3), floor=Floor(0.0, slope))
