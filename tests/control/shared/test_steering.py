"""Path following: slower before and in sharp bends, turns that begin softly, the stop."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.shared.steering import Steering
from blender_biped.preset.preset import preset
from blender_biped.world.path import Path
from blender_biped.world.path_points import FacedPoint, PathPoint

SETTINGS = read_settings(preset("generalized", "default").values).steering
CORNER = Path([(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)])
STEP = 1.0 / 120.0


def commands(path, speed, stop=True, settings=SETTINGS):
    """Return the commands to a point that follows them exactly, until the path's end."""
    steering = Steering(path, settings, speed, 0.0, stop)
    x, y, _ = steering.start_pose()
    given = []
    for k in range(1, 6000):
        given.append(steering.command(x, y, k * STEP, True))
        c = given[-1]
        x += STEP * c.speed * math.cos(c.heading)
        y += STEP * c.speed * math.sin(c.heading)
        if c.left < 0.05:
            break
    return given


def test_a_corner_is_taken_slowly_and_the_straights_at_full_speed():
    given = commands(CORNER, 1.2)
    speeds, arcs = np.array([c.speed for c in given]), np.array([c.arc for c in given])
    assert speeds[np.abs(arcs - 5.0) < 0.3].max() < 0.7
    assert speeds[(arcs > 2.0) & (arcs < 3.0)].max() == pytest.approx(1.2)
    assert speeds[(arcs > 7.0) & (arcs < 8.5)].max() == pytest.approx(1.2, abs=0.1)
    assert np.diff(speeds).min() > -1.5 * SETTINGS.braking * STEP - 0.05  # the limit is kept for every 0.1 m


def test_a_wide_bend_does_not_slow_it_down():
    angles = np.linspace(0.0, math.pi, 100)
    bend = Path(np.stack((3.0 * np.sin(angles), 3.0 - 3.0 * np.cos(angles)), axis=1))
    given = commands(bend, 1.0)
    assert max(c.speed for c in given) == pytest.approx(1.0)
    steady = [c.speed for c in given if 3.0 < c.arc < 6.0]
    assert min(steady) == pytest.approx(1.0)


def test_a_turn_begins_and_ends_softly():
    turns = np.array([c.turn for c in commands(CORNER, 1.0)])
    assert turns.max() > 0.4
    assert np.abs(np.diff(turns)).max() <= SETTINGS.swerve * STEP * 1.001
    sharp = replace(SETTINGS, swerve=50.0, rounding=0.1, preview=0.0, quickness=20.0)
    assert np.abs(np.diff([c.turn for c in commands(CORNER, 1.0, settings=sharp)])).max() > SETTINGS.swerve * STEP


def test_it_goes_round_the_corner_and_ends_where_the_path_ends():
    given = commands(CORNER, 1.0)
    assert given[-1].left < 0.05
    assert given[-1].heading == pytest.approx(math.pi / 2.0, abs=0.1)
    assert given[-1].speed < 0.3
    assert commands(CORNER, 1.0, stop=False)[-1].speed == pytest.approx(1.0)


def with_points(path, points, can_wait=True, duration=40.0):
    """Return the commands to a point that follows them, and stands while it has no way left until it may go on."""
    steering = Steering(path, SETTINGS, 1.0, 0.0, True, points)
    steering.can_wait = can_wait
    x, y, _ = steering.start_pose()
    given, moving = [], True
    for k in range(1, round(duration / STEP)):
        steering.speed = steering.desired(1.0, 0.0, math.inf, k * STEP)
        given.append(steering.command(x, y, k * STEP, moving))
        c = given[-1]
        moving = c.left > 0.05 if moving else c.onward and c.left > 0.05
        if moving:
            x += STEP * c.speed * math.cos(c.heading)
            y += STEP * c.speed * math.sin(c.heading)
    return given, steering


def test_it_stands_where_it_shall_wait_and_goes_on():
    given, steering = with_points(Path([(0.0, 0.0), (8.0, 0.0)]), [PathPoint(4.0, wait=2.0)])
    arcs = np.array([c.arc for c in given])
    stood = (arcs > 3.9) & (arcs < 4.1)
    assert 2.0 <= STEP * stood.sum() < 3.6
    assert min(c.left for c in given[: int(stood.argmax())]) < 0.15 and given[-1].arc == pytest.approx(8.0, abs=0.1)
    assert not steering.goes_on
    before = [c.speed for c in given if 3.0 < c.arc < 3.9]
    assert np.diff(before).min() > -1.1 * SETTINGS.braking * STEP  # it brakes as it does at the path's end


def test_who_stands_for_hands_before_a_corner_faces_along_the_path_that_it_came_by():
    bend = CORNER.length / 2.0 - 0.2
    turned, faced = (
        next(c for c in with_points(CORNER, [point])[0] if c.left < 0.05)
        for point in (PathPoint(bend, wait=2.0), FacedPoint(bend, wait=2.0))
    )
    assert abs(faced.heading) < 0.02 and turned.heading > 0.2
    given, _ = with_points(CORNER, [FacedPoint(bend, wait=2.0)])
    assert given[-1].heading == pytest.approx(math.pi / 2.0, abs=0.1) and given[-1].left < 0.1  # then it turns


def test_who_waited_just_before_the_end_stays():
    given, steering = with_points(Path([(0.0, 0.0), (8.0, 0.0)]), [PathPoint(7.7, wait=2.0)])
    assert given[-1].arc == pytest.approx(7.7, abs=0.1) and not given[-1].onward and not steering.goes_on


def test_who_cannot_wait_walks_past():
    given, steering = with_points(Path([(0.0, 0.0), (8.0, 0.0)]), [PathPoint(4.0, wait=2.0)], False, 12.0)
    assert given[-1].arc == pytest.approx(8.0, abs=0.1) and not steering.goes_on
    assert min(c.speed for c in given if 2.0 < c.arc < 6.0) == pytest.approx(1.0)


def test_a_wait_at_the_start_comes_before_the_first_step():
    steering = Steering(Path([(0.0, 0.0), (8.0, 0.0)]), SETTINGS, 1.0, 0.0, True, [PathPoint(0.1, wait=3.0)])
    steering.can_wait = True
    given = [steering.command(0.0, 0.0, k * STEP, False) for k in range(1, 600)]
    onward = [k for k, c in enumerate(given, 1) if c.left > 1.0]
    assert STEP * onward[0] == pytest.approx(3.0, abs=0.05) and given[-1].onward


def test_the_lower_limits_of_another_gait_are_braked_for():
    angles = np.radians(np.arange(-90.0, 270.0, 2.0))
    circle = Path(np.stack((2.0 * np.cos(angles), 2.0 + 2.0 * np.sin(angles)), axis=1), closed=True, laps=3)
    quick = replace(SETTINGS, acceleration=5.0, sideways=5.0, swivel=5.0)
    calm = replace(SETTINGS, sideways=0.3, swivel=5.0)
    steering = Steering(circle, quick, 1.8, 0.0, False)
    x, y, _ = steering.start_pose()
    speeds = []
    for k in range(1, 720):
        if k == 120:
            steering.adopt(calm)
        c = steering.command(x, y, k * STEP, True)
        speeds.append(c.speed)
        x += STEP * c.speed * math.cos(c.heading)
        y += STEP * c.speed * math.sin(c.heading)
    assert speeds[118] == pytest.approx(1.8)
    assert speeds[-1] == pytest.approx(math.sqrt(0.3 * 2.0), abs=0.05)
    assert np.diff(speeds).min() > -4.0 * SETTINGS.braking * STEP


@pytest.mark.parametrize(("speed", "pull"), [(0.4, 1.0), (0.8, 1.0), (1.2, 0.8), (1.6, 0.6)])
def test_the_faster_it_walks_the_less_it_turns_back_to_its_path(speed, pull):
    settings = replace(SETTINGS, pull=1.0, regain=0.96, memory=0.01)
    steering = Steering(Path([(0.0, 0.0), (50.0, 0.0)]), settings, speed, 0.0, False)
    for k in range(1, 1200):  # beside its path all the time
        given = steering.command(speed * k * STEP, 0.3, k * STEP, True)
    assert given.speed == pytest.approx(speed) and given.heading == pytest.approx(-math.atan(0.3 * pull), abs=1e-3)


def test_who_has_turned_back_is_not_on_the_way_that_he_came_by():
    """Beside a path that leads back 0.1 m beside itself, where the way there is nearer than the way back."""
    path = Path([(0.0, 0.0), (3.0, 0.0), (3.05, 0.05), (3.0, 0.1), (0.0, 0.1)])
    steering = Steering(path, SETTINGS, 0.6, 0.0, True)
    x, y, _ = steering.start_pose()
    time, heading = 0.0, 0.0
    while heading < 3.0:
        time += STEP
        c = steering.command(x, y, time, True)
        heading = c.heading
        x += STEP * c.speed * math.cos(heading)
        y += STEP * c.speed * math.sin(heading)
    for x in np.arange(2.98, 2.0, -0.6 * STEP):
        time += STEP
        c = steering.command(float(x), 0.03, time, True)
        assert c.arc > 3.0 and math.cos(c.heading) < -0.5
    assert c.arc == pytest.approx(path.length - 2.0, abs=0.05)
