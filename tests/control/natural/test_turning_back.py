"""Where a path doubles back a body stands, turns about, and goes back; where it cannot, nothing is changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.turning_back import turned_back, turning_points
from blender_biped.control.registry import preset
from blender_biped.control.shared.steering import Steering, SteeringSettings
from blender_biped.job import Job
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.targets import Target
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World

NATURAL = preset("natural", "default")
BACK = Job(standard_character(), Path([(0.0, 0.0), (3.0, 0.0), (0.0, 0.001)]), NATURAL, 1.0)
_CORNERS = np.array([(x, y, 0.1 * x) for x in (-4.0, 6.0) for y in (-4.0, 4.0)])
SLOPE = World(ground=Terrain(_CORNERS, np.array([[0, 2, 3], [0, 3, 1]])))
CRATE = Thing("crate", Solid("box", (0.35, 0.35, 0.5)), (1.5, 0.0, 0.5), mass=20.0)
PUSHED = World(things=(CRATE,), targets=(Target("crate", "push", thing="crate"),))


def test_it_stands_where_the_path_doubles_back():
    found = turned_back(BACK).along
    assert [point.place for point in found] == pytest.approx([3.0], abs=0.06) and found[0].wait > 0.0
    straight = replace(BACK, path=Path([(0.0, 0.0), (5.0, 0.0)]))
    assert turned_back(straight) is straight


def test_where_it_waits_anyway_it_waits_as_it_is_told_to():
    waits = replace(BACK, along=(PathPoint(2.9, wait=3.0),))
    assert turned_back(waits) is waits


@pytest.mark.parametrize("world", [SLOPE, PUSHED], ids=["slope", "push"])
def test_on_slopes_and_with_what_it_pushes_it_does_not(world):
    assert turning_points(replace(BACK, world=world)) == ()


def test_steering_turns_a_body_that_stands_and_then_leads_it_back():
    """A point that does at once what it is commanded: within a hand's breadth of the place until it faces back."""
    walk = turned_back(BACK)
    steering = Steering(walk.path, SteeringSettings(), walk.speed, 0.0, True, walk.along)
    steering.can_wait = True
    x, y, time, seen, waits = 0.0, 0.0, 0.0, [], False
    while time < 30.0:
        command = steering.command(x, y, time, not waits)
        waits = bool(command.halts) and command.left < 0.05 and not command.onward
        x, y = x + 0.01 * command.speed * np.cos(command.heading), y + 0.01 * command.speed * np.sin(command.heading)
        seen.append((x, y, np.cos(command.heading)))
        time += 0.01
    track = np.array(seen)
    turning = np.abs(track[:, 2]) < 0.9
    assert turning.any() and np.hypot(track[turning, 0] - 3.0, track[turning, 1]).max() < 0.35
    assert track[:, 0].max() < 3.1 and np.hypot(*track[-1, :2]) < 0.1 and track[-1, 2] < -0.99


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_a_body_turns_and_arrives(seed):
    motion = simulate(replace(BACK, seed=seed))
    assert motion.outcome == "arrived"
    assert motion.root[:, 0].max() > 2.6 and np.hypot(*motion.root[-1, :2]) < 0.3
