"""Hands that hold a prop in the engine: it stays where they hold it, stays level, and falls when they let go."""

import numpy as np

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.arms import arms_of
from blender_biped.control.shared.grips import Grip
from blender_biped.physics.engine import Engine
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World

BODY = standard_character()
ARMS = [arm for arm in arms_of(BODY) if arm is not None]


def crate_between(place, half):
    """Return a world with a crate between the hanging hands."""
    return World(things=(Thing("crate", Solid("box", half), place, mass=4.0),))


def grips(strength):
    return tuple(Grip(arm.hand, arm.links, 0, tuple(arm.held.tolist()), strength) for arm in ARMS)


def in_hands(engine):
    """Return where the palms are (2, 3) in the crate's frame."""
    state, (row,) = engine.state(), engine.things()
    found = [state.origins[arm.hand] + state.matrices[arm.hand] @ arm.held for arm in ARMS]
    return (np.array(found) - row[:3]) @ quaternion_matrix(row[3:])


def run(engine, steps):
    for _ in range(steps):
        state = engine.state()
        engine.apply(np.zeros((len(BODY.links), 3)), state.matrices)
        engine.steady()
        engine.step()


def test_what_is_held_stays_in_the_hands_and_level_and_falls_once_let_go():
    with Engine(BODY, world=crate_between((0.0, 0.0, 0.73), (0.1, 0.2, 0.1))) as engine:
        engine.state()
        engine.grip(grips(600.0))
        before = in_hands(engine)
        run(engine, 60)
        assert np.linalg.norm(in_hands(engine) - before, axis=1).max() < 0.01
        assert quaternion_matrix(engine.things()[0, 3:])[2, 2] > 0.9  # by limp arms
        engine.grip(())
        run(engine, 60)
        assert np.linalg.norm(in_hands(engine) - before, axis=1).max() > 0.1


def test_an_arm_that_reaches_does_not_push_what_it_reaches_for():
    """The crate is put where an arm is: what touches pushes it away at once."""
    moved = []
    for reaches in (False, True):
        with Engine(BODY, world=crate_between((0.05, 0.226, 0.8), (0.05, 0.05, 0.05))) as engine:
            engine.state()
            engine.grip(grips(0.0) if reaches else ())
            run(engine, 5)
            moved.append(float(np.linalg.norm(engine.things()[0, :2] - (0.05, 0.226))))
    assert moved[1] < 0.002 < moved[0]
