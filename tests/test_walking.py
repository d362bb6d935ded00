"""A walk on its way: its arms as it begins, and how often its torques are found."""

import math
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.walk.stepping import HOLDS
from blender_biped.control.natural.walk.walk import NaturalWalk
from blender_biped.control.registry import kind_in, preset
from blender_biped.job import Job, Push
from blender_biped.physics.engine import Engine
from blender_biped.simulate import simulate
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


RATE = 240.0  # natural's physics steps to a second of motion


@pytest.fixture
def seen(monkeypatch):
    """Return when a natural walk finds torques, s, with its phase then; and when it is pushed, s."""
    found, pushes, torques, push = [], [], NaturalWalk.torques, Engine.push

    def finding(walk, state, command):
        made = torques(walk, state, command)
        found.append((state.time, walk.phase, walk.step.phase))
        return made

    def pushing(engine, *arguments):
        pushes.append(engine.time)
        push(engine, *arguments)

    monkeypatch.setattr(NaturalWalk, "torques", finding)
    monkeypatch.setattr(Engine, "push", pushing)
    return found, pushes


def walked(found, length, **more):
    """Walk; return for each time that torques were found how many steps passed then, its step, and its phase."""
    simulate(Job(BODY, Path([(0.0, 0.0), (length, 0.0)]), preset("natural", "default"), 1.2, **more))
    step = min(after[0] - now[0] for now, after in pairwise(found))
    counted = [(round(time / step), *phase) for time, *phase in found]
    return [(after[0] - now[0], *now) for now, after in pairwise(counted)]


def test_torques_of_a_calm_body_are_held_for_one_physics_step_and_as_feet_strike_for_none(seen):
    found, _ = seen
    waits = walked(found, 3.0)
    assert {waited for waited, *_ in waits} == {1, 2}
    least, most = HOLDS
    for waited, step, phase, share in waits:
        assert waited == 1 or step % 2 == 0  # each sample is of a state that was read
        assert waited == 1 or phase == "standing" or (phase == "single_support" and least < share < most)
    calm = [waited for waited, _, phase, share in waits if phase == "single_support" and 0.4 < share < 0.7]
    assert np.mean(calm) > 1.9


def test_a_push_lasts_as_long_as_it_is_to_where_torques_are_held(seen):
    found, pushes = seen
    waits = walked(found, 3.0, pushes=(Push("chest", 1.0, 0.5, (0.0, 5.0, 0.0)),), duration=1.6)
    assert len(pushes) == round(0.5 * RATE)
    assert any(waited == 2 for waited, step, *_ in waits if 1.0 < step / RATE < 1.5)


def test_a_body_that_is_thrown_has_its_torques_found_in_each_physics_step(seen):
    found, _ = seen
    waits = walked(found, 4.0, pushes=(Push("chest", 2.0, 0.1, (0.0, 250.0, 0.0)),), duration=2.3)
    assert {waited for waited, step, *_ in waits if 2.1 < step / RATE < 2.2} == {1}
