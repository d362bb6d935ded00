"""Several bodies in one physics world: they touch each other, and each stands on a ground of its own."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.physics.engine import Engine
from blender_biped.physics.options import EngineOptions
from blender_biped.physics.stage import Stage
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import EMPTY, World

BODY = standard_character()
MASSES = np.array([link.mass for link in BODY.links])
STEP = 1.0 / 360.0
OPTIONS = EngineOptions(step=STEP, ragdoll=True)
CORNERED = EngineOptions(step=STEP, corners=True)
STILL = np.zeros((len(BODY.links), 3))


def momentum(engine):
    """Return a body's momentum (3,), kg m/s."""
    return MASSES @ engine.state().velocities


def stepped(stage, engines, count):
    """Step bodies without torques."""
    for _ in range(count):
        for engine in engines:
            engine.apply(STILL, engine.state().matrices)
        stage.step()


def flying(stage, place, velocity, corners=False, world=EMPTY):
    """Return a body in the air at a place (3,), m, that moves."""
    engine = Engine(BODY, world=world, options=replace(OPTIONS, corners=corners), stage=stage)
    origins, rotations = BODY.standing()
    engine.place(origins + place, rotations, velocity)
    return engine


def test_who_bump_into_each_other_in_the_air_change_momentum_by_as_much_each():
    with closing(Stage(STEP)) as stage:
        one, other = flying(stage, (0, 0, 3), (1.5, 0, 0)), flying(stage, (0.8, 0.1, 3), (-0.5, 0, 0))
        before = momentum(one), momentum(other)
        assert stage.distance(one, other) > 0.0
        stepped(stage, (one, other), int(0.5 / STEP))
        one_by, other_by = momentum(one) - before[0], momentum(other) - before[1]
        assert one_by[0] < -20.0 and other_by[0] > 20.0  # kg m/s
        assert (one_by + other_by)[:2] == pytest.approx([0.0, 0.0], abs=2.0)


def test_what_it_has_of_a_companion_is_no_load_of_the_ground():
    with closing(Stage(STEP)) as stage:
        below, above = (
            flying(stage, (0, 0, 3), (0, 0, 0)),
            flying(stage, (0, 0, 3 + 1.1 * BODY.stand_height), (0, 0, -3)),
        )
        touched = False
        for _ in range(int(0.4 / STEP)):
            stepped(stage, (below, above), 1)
            touched |= bool(stage.physics.getContactPoints(below.body, above.body))
            assert not below.state().loads.any() and not above.state().loads.any()
        assert touched


def test_each_stands_on_its_own_ground_and_on_no_one_elses():
    with closing(Stage(STEP)) as stage:
        engines = [Engine(BODY, height, options=OPTIONS, stage=stage) for height in (0.0, 0.3, -0.2)]
        for place, engine in enumerate(engines):
            origins, rotations = BODY.standing()
            engine.place(origins + np.array((0.0, 2.0 * place, 0.0)), rotations)
        stepped(stage, engines, 30)
        weight = 9.81 * MASSES.sum()
        for engine, height in zip(engines, (0.0, 0.3, -0.2), strict=True):
            state = engine.state()
            assert state.origins[0, 2] == pytest.approx(BODY.stand_height + height, abs=0.01)
            assert 0.5 * weight < state.loads.sum() < 1.5 * weight


def test_soles_touch_the_ground_by_corners_and_companions_by_boxes():
    with closing(Stage(STEP)) as stage:
        one = flying(stage, (0, 0, 0.0005), (0, 0, 0), corners=True)
        other = flying(stage, (0.05, 0.03, 0.0005), (0, 0, 0), corners=True)  # its feet are in those of the first one
        stepped(stage, (one, other), 1)
        soles = {one.built.joints[i] for i in BODY.soles}
        on_ground = [contact[3] for contact in stage.physics.getContactPoints(one.body, one.ground_body.body)]
        assert sorted(on_ground) == sorted([*soles] * 4)
        met = {contact[3] for contact in stage.physics.getContactPoints(one.body, other.body)}
        assert not met & soles
        boxes = met - set(one.built.joints)
        assert boxes and {stage.physics.getJointInfo(one.body, box)[16] for box in boxes} <= soles


def test_boxes_on_soles_add_nothing_to_a_body():
    with closing(Stage(STEP)) as stage, Engine(BODY, options=CORNERED) as alone:
        among = Engine(BODY, options=replace(CORNERED, ragdoll=True), stage=stage)
        assert stage.physics.getNumJoints(among.body) == alone.stage.physics.getNumJoints(alone.body) + len(BODY.soles)
        for _ in range(60):
            alone.apply(STILL, alone.state().matrices)
            alone.step()
            stepped(stage, [among], 1)
        assert (alone.state().origins == among.state().origins).all()
        assert (alone.last.loads == among.state().loads).all() and alone.last.loads.any()


def test_who_stand_on_the_same_ground_share_it():
    def slope(friction=1.0):
        return World(Terrain(corners, [(0, 2, 1), (1, 2, 3)]), friction)

    corners = [(x, y, 0.05 * x) for x in (-9.0, 9.0) for y in (-9.0, 9.0)]
    with closing(Stage(STEP)) as stage:
        one = [stage.ground(height, EMPTY) for height in (0.0, 0.3, 0.0)]
        other = [stage.ground(height, slope()) for height in (0.0, 0.3)]
        icy = stage.ground(0.0, slope(0.2))
        assert one[0] == one[2] and other[0] == other[1]
        apart = (one[0], one[1], other[0], icy)
        assert len({ground.body for ground in apart}) == len({ground.group for ground in apart}) == 4
        assert stage.physics.getNumBodies() == 4


def test_things_are_there_once_and_all_meet_them():
    box = Thing("Box", Solid("box", half=(0.3, 0.3, 0.3)), (0.0, 0.0, 0.3), (1.0, 0.0, 0.0, 0.0), mass=20.0)
    with closing(Stage(STEP)) as stage:
        world = World(things=(box,))
        engines = [flying(stage, (-1.0 + 2.0 * i, 0, 0.01), (1.5 - 3.0 * i, 0, 0), world=world) for i in range(2)]
        bodies = stage.physics.getNumBodies()
        assert bodies == 4  # two bodies, their ground, and the box
        began = engines[1].things()
        assert began == pytest.approx(np.array([[0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0]]))
        touched = [False, False]
        for _ in range(int(0.6 / STEP)):
            stepped(stage, engines, 1)
            for i, engine in enumerate(engines):
                touched[i] |= bool(stage.physics.getContactPoints(engine.body, stage.props[0][0]))
        assert touched == [True, True]
        assert (engines[0].things() == engines[1].things()).all()


def test_who_is_held_stays_where_it_is_whatever_bumps_into_it():
    with closing(Stage(STEP)) as stage:
        still, moving = flying(stage, (0, 0, 0.01), (0, 0, 0)), flying(stage, (-0.6, 0, 0.01), (1.5, 0, 0))
        place = still.state().origins[0].copy()
        hold, before = still.held(), momentum(moving)
        for _ in range(int(0.5 / STEP)):
            moving.apply(STILL, moving.state().matrices)
            hold()
            stage.step()
            assert still.state().origins[0] == pytest.approx(place, abs=0.01)
        assert momentum(moving)[0] < before[0] - 20.0


def test_a_trial_leaves_all_as_they_were():
    with closing(Stage(STEP)) as stage:
        engines = [flying(stage, (0, 0, 0.0), (1, 0, 0)), flying(stage, (0.5, 0, 0.0), (-1, 0, 0))]
        stepped(stage, engines, 40)
        states = [engine.state() for engine in engines]
        ahead = []

        def run():
            for _ in range(20):
                engines[0].apply(STILL, engines[0].last.matrices)
                engines[0].step()
                engines[0].state()
            ahead.append(engines[1].state().origins.copy())

        first = engines[1].last
        engines[0].tried(run)
        engines[1].last = first
        for engine, state in zip(engines, states, strict=True):
            again = engine.state()
            assert (again.origins == state.origins).all() and (again.velocities == state.velocities).all()
        assert not np.allclose(ahead[0], states[1].origins)  # the companion moved in it, too


def test_one_can_leave():
    with closing(Stage(STEP)) as stage:
        engines = [flying(stage, (2.0 * i, 0, 0.01), (0, 0, 0)) for i in range(2)]
        stage.leave(engines[0])
        stepped(stage, engines[1:], 10)
        assert stage.members == engines[1:]
