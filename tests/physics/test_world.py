"""The world around the body in the engine: laws of what pushes, blows, lies and bears."""

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.clock import CONTROL_STEP
from blender_biped.physics.engine import Engine
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.winds import Wind
from blender_biped.world.world import World

BODY = standard_character()
COUNT = len(BODY.links)
NONE = np.zeros((COUNT, 3))
BREEZE = Wind("breeze", "wind", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), ((0.0, 20.0),))


def momentum(state):
    return BODY.masses @ state.velocities


def spin(state):
    """Return angular momentum of the links' centres of mass about that of all (3,)."""
    middle = BODY.masses @ state.coms / BODY.mass
    return np.cross(state.coms - middle, BODY.masses[:, None] * state.velocities).sum(axis=0)


def raised(engine, height=3.0):
    origins, rotations = BODY.standing()
    engine.place(origins + np.array((0.0, 0.0, height)), rotations)


def run(engine, steps, act=lambda: None):
    for _ in range(steps):
        state = engine.state()
        engine.apply(NONE, state.matrices)
        act()
        engine.step()
    return engine.state()


def test_a_wind_gives_a_body_its_strength_in_all():
    with Engine(BODY, world=World(winds=(BREEZE,))) as engine:
        raised(engine)
        after = momentum(run(engine, 40, lambda: engine.blow(0.0)))
    time = 40 * CONTROL_STEP
    assert after[1] == pytest.approx(20.0 * time, rel=0.01)
    assert after[2] == pytest.approx(-BODY.mass * GRAVITY * time, rel=0.01)


def test_a_push_beside_the_middle_turns_the_body_too():
    chest = BODY.index("chest")
    force, time = (100.0, 0.0, 0.0), 20 * CONTROL_STEP
    found = []
    for point in (None, (0.0, 0.2, 0.0)):
        with Engine(BODY, world=World(winds=(BREEZE,))) as engine:
            raised(engine)
            state = run(engine, 20, lambda at=point, on=engine: on.push(chest, force, at))
            assert momentum(state)[0] == pytest.approx(100.0 * time, rel=0.01)
            found.append(float(state.angular_velocities[chest, 2]))
    assert found[1] < found[0] - 0.1  # pushed ahead on its left side it turns to the right


@pytest.mark.parametrize(
    ("solid", "rest"),
    [
        (Solid("box", (0.2, 0.2, 0.2)), 0.2),
        (Solid("sphere", radius=0.2), 0.2),
        (Solid("capsule", (0.0, 0.0, 0.3), 0.1), 0.4),
        (Solid("hull", points=tuple((x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.1, 0.1))), 0.1),
    ],
)
def test_props_fall_and_come_to_lie_on_flat_and_other_ground(solid, rest):
    ground = Terrain([(-9, -9, 0.3), (9, -9, 0.3), (9, 9, 0.3), (-9, 9, 0.3)], [[0, 1, 2], [0, 2, 3]])
    for own, level in ((None, 0.0), (ground, 0.3)):
        prop = Thing("prop", solid, (3.0, 0.0, rest + level + 0.05), mass=2.0, friction=0.8)
        with Engine(BODY, world=World(own, things=(prop,))) as engine:
            raised(engine, 9.0)
            run(engine, 200)
            place = engine.things()[0]
        assert place[2] == pytest.approx(rest + level, abs=0.004)
        assert np.allclose(place[:2], (3.0, 0.0), atol=0.01)


def test_a_prop_slides_by_its_friction():
    """On a slope of 0.4 a box of friction 0.2 slides with g (sin - 0.2 cos), and one of 0.6 stays."""
    slope = Terrain([(-9, -9, 3.6), (9, -9, -3.6), (9, 9, -3.6), (-9, 9, 3.6)], [[0, 1, 2], [0, 2, 3]])
    angle = np.arctan(0.4)
    turn = tuple(axis_angle_quaternion([0.0, 1.0, 0.0], angle).tolist())
    up = 0.1 * np.array((np.sin(angle), 0.0, np.cos(angle)))
    ways = []
    for friction in (0.2, 0.6):
        x = -5.0
        box = Thing("box", Solid("box", (0.2, 0.2, 0.1)), (x + up[0], 0.0, -0.4 * x + up[2]), turn, 5.0, friction)
        with Engine(BODY, world=World(slope, things=(box,))) as engine:
            raised(engine, 9.0)
            first = engine.things()[0, :3]
            run(engine, 180)
            ways.append(float(np.linalg.norm(engine.things()[0, :3] - first)))
    time = 180 * CONTROL_STEP
    expected = 0.5 * GRAVITY * (np.sin(angle) - 0.2 * np.cos(angle)) * time**2
    assert ways[0] == pytest.approx(expected, rel=0.05)
    assert ways[1] < 0.01


def test_loads_are_the_weight_on_level_ground_and_on_a_slope():
    for rise in (0.0, 0.1):
        ground = Terrain(
            [(-9, -9, -9 * rise), (9, -9, 9 * rise), (9, 9, 9 * rise), (-9, 9, -9 * rise)], [[0, 1, 2], [0, 2, 3]]
        )
        box = Thing("box", Solid("box", (1.0, 1.0, 0.1)), (9.0, 0.0, 99.0))
        with Engine(BODY, world=World(ground, things=(box,))) as engine:
            found = []
            before = momentum(engine.state())[2]
            for _ in range(30):
                state = engine.state()
                engine.apply(NONE, state.matrices)
                engine.step()
                found.append(float(engine.state().loads.sum()))
            change = momentum(engine.state())[2] - before
        borne = sum(found) * CONTROL_STEP - BODY.mass * GRAVITY * 30 * CONTROL_STEP
        assert borne == pytest.approx(change, abs=0.05 * BODY.mass * GRAVITY * 30 * CONTROL_STEP)


def test_an_obstacle_stays_where_it_is_and_stops_a_prop():
    wall = Thing("wall", Solid("box", (0.1, 1.0, 1.0)), (1.0, 5.0, 1.0))
    ball = Thing("ball", Solid("sphere", radius=0.2), (0.0, 5.0, 0.2), mass=1.0)
    gale = Wind("gale", "wind", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), ((0.0, 5.0),))
    with Engine(BODY, world=World(things=(wall, ball), winds=(gale,))) as engine:
        raised(engine, 9.0)
        run(engine, 400, lambda: engine.blow(0.0))
        x, y, z = engine.things()[0, :3].tolist()
    assert x == pytest.approx(0.7, abs=0.02) and y == pytest.approx(5.0, abs=0.02) and z == pytest.approx(0.2, abs=0.01)
