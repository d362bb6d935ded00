"""How a walk begins: with its arms as the style carries them, where nothing is in their way."""

import math

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_in, preset
from blender_biped.job import Job
from blender_biped.walking import Walking, engine_of
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import EMPTY, World

BODY = standard_character()


def wall(aside, mass=0.0):
    """Return what stands upright on the left, its near face ``aside`` m from the middle of the body."""
    return World(things=(Thing("Wall", Solid("box", (0.3, 0.1, 0.8)), (0.0, aside + 0.1, 0.8), mass=mass),))


def slope():
    corners = [(x, y, 0.05 * x + 0.05 * y) for x in (-4.0, 8.0) for y in (-4.0, 4.0)]
    return World(ground=Terrain(np.array(corners), np.array([[0, 2, 3], [0, 3, 1]])))


def arms_out(world, controller="natural"):
    """Return how far the upper arms are out where a walk begins, degrees, left and right."""
    job = Job(BODY, Path([(0.0, 0.0), (3.0, 0.0)]), preset(controller, "default"), 1.0, world=world)
    walking = Walking(job, kind_in(job))
    with engine_of(walking, kind_in(job)) as engine:
        walking.begin(engine)
        turns = engine.state().matrices
    down = [turns[BODY.index(f"upper_arm.{side}"), :, 2] for side in "LR"]
    return [math.degrees(math.asin(-sign * axis[1])) for sign, axis in zip((1.0, -1.0), down, strict=True)]


@pytest.mark.parametrize("world", [EMPTY, wall(0.6), slope()], ids=["free", "a wall far enough", "a slope"])
def test_arms_begin_as_far_out_as_hips_and_thighs_want_it(world):
    assert arms_out(world) == pytest.approx([math.degrees(BODY.arms_out)] * 2, abs=1.0)


@pytest.mark.parametrize("world", [wall(0.27), wall(0.27, mass=20.0)], ids=["a wall", "a prop"])
def test_arms_begin_straight_down_where_they_would_be_in_something(world):
    assert arms_out(world) == pytest.approx([0.0, 0.0], abs=1e-6)


def test_other_walks_begin_with_their_arms_straight_down():
    assert arms_out(EMPTY, "generalized") == pytest.approx([0.0, 0.0], abs=1e-6)
