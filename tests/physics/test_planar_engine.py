"""Bodies on a rail: exactly in their plane, and otherwise as free as without it."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix, quaternion_product, yaw_quaternion
from blender_biped.character.planar import planar
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.clock import CONTROL_STEP
from blender_biped.physics.engine import Engine
from blender_biped.physics.options import EngineOptions
from tools.base.yin import planar_biped

HEADING = 0.7
ACROSS = np.array([-np.sin(HEADING), np.cos(HEADING), 0.0])
ALONG = np.array([np.cos(HEADING), np.sin(HEADING), 0.0])


@pytest.fixture(params=[planar_biped(), planar(standard_character())], ids=lambda c: c.name)
def engine(request):
    with Engine(request.param, options=EngineOptions(planar=True)) as found:
        yield found


def place(engine, height=2.0, velocity=(0.0, 0.0, 0.0)):
    """Put the body above the ground, pitched and with bent knees, facing HEADING; return origins, rotations."""
    character = engine.character
    _, rotations = character.standing()
    rotations[0] = quaternion_product(yaw_quaternion(HEADING), axis_angle_quaternion([0.0, 1.0, 0.0], 0.3))
    bends = {"thigh": -0.6, "shin": 0.9, "foot": -0.3}
    for i, link in enumerate(character.links[1:], start=1):
        bend = axis_angle_quaternion([0.0, 1.0, 0.0], bends.get(link.part, 0.0))
        rotations[i] = quaternion_product(rotations[link.parent], bend)
    origins = character.forward_kinematics(np.array([1.0, 2.0, height]), rotations)
    engine.place(origins, rotations, velocity)
    return origins, rotations


def momentum(engine, state):
    """Return linear momentum (3,) and the angular one about the centre of mass (3,) of the links."""
    character = engine.character
    inertia = np.array([np.diag(link.inertia) for link in character.links])
    spin = state.matrices @ inertia @ state.matrices.transpose(0, 2, 1) @ state.angular_velocities[:, :, None]
    linear = character.masses[:, None] * state.velocities
    com = character.masses @ state.coms / character.mass
    return linear.sum(axis=0), (np.cross(state.coms - com, linear) + spin[:, :, 0]).sum(axis=0)


def test_the_state_is_the_pose_that_was_placed(engine):
    origins, rotations = place(engine)
    state = engine.state()
    assert np.allclose(state.origins, origins, atol=1e-12)
    assert np.allclose(state.matrices, quaternion_matrix(rotations), atol=1e-12)
    root, found = engine.pose()
    assert np.allclose(root, origins[0])
    assert np.allclose(quaternion_matrix(found), quaternion_matrix(rotations))


def test_a_velocity_is_taken_along_the_plane(engine):
    place(engine, velocity=(1.0, -0.4, 0.2))
    expected = (np.array([1.0, -0.4, 0.0]) @ ALONG) * ALONG + (0.0, 0.0, 0.2)
    assert np.allclose(engine.state().velocities, expected, atol=1e-12)


def test_nothing_leaves_the_plane_in_a_tumble(engine):
    """Exactly: neither torques, nor a push from the side, nor falling to the ground moves a link across it."""
    origins, _ = place(engine, height=1.0)
    rng = np.random.default_rng(2)
    for _ in range(500):
        state = engine.state()
        assert np.allclose(state.origins @ ACROSS, origins @ ACROSS, rtol=0.0, atol=1e-12)
        assert np.allclose(state.matrices[:, :, 1], ACROSS, rtol=0.0, atol=1e-12)
        assert np.allclose(state.velocities @ ACROSS, 0.0, atol=1e-9)
        engine.apply(rng.normal(scale=20.0, size=state.origins.shape), state.matrices)
        engine.push(0, 300.0 * ACROSS)
        engine.step()
    assert state.loads.sum() > 0.0


def test_the_rail_bears_nothing_in_the_plane(engine):
    """In the air its centre of mass falls freely, and inner torques leave the angular momentum alone."""
    place(engine, velocity=(1.0, 0.0, 0.0))
    linear, angular = momentum(engine, engine.state())
    rng = np.random.default_rng(3)
    for _ in range(3):
        state = engine.state()
        engine.apply(rng.normal(scale=0.5, size=state.origins.shape), state.matrices)
        engine.step()
    after = engine.state()
    mass, time = engine.character.mass, 3 * CONTROL_STEP
    moved, turned = momentum(engine, after)
    assert moved @ ALONG == pytest.approx(linear @ ALONG, abs=0.02)
    assert moved[2] == pytest.approx(-GRAVITY * time * mass, abs=0.02)
    assert turned @ ACROSS == pytest.approx(angular @ ACROSS, abs=0.02)
    assert np.abs(after.angular_velocities @ ACROSS).max() > 0.05


def test_a_push_along_the_plane_is_a_force_for_a_whole_step(engine):
    place(engine)
    before, _ = momentum(engine, engine.state())
    engine.push(0, 100.0 * ALONG)
    engine.step()
    after, _ = momentum(engine, engine.state())
    assert (after - before) @ ALONG == pytest.approx(100.0 * CONTROL_STEP, rel=1e-2)


def test_it_stands_with_its_whole_weight(engine):
    engine.place(*engine.character.standing())
    loads = []
    for _ in range(40):
        engine.apply(np.zeros((len(engine.character.links), 3)), engine.state().matrices)
        engine.step()
        loads.append(engine.state().loads.sum())
    assert np.mean(loads[10:]) == pytest.approx(engine.character.mass * GRAVITY, rel=0.15)


def test_other_joints_than_hinges_are_refused():
    with pytest.raises(DataError, match="hinges"), Engine(standard_character(), options=EngineOptions(planar=True)):
        pass
