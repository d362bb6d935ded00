"""The physics room: what goes in is what PyBullet simulates."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix, quaternion_product
from blender_biped.character.model import JOINT_RANGES
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.clock import CONTROL_STEP
from blender_biped.physics.engine import Engine
from blender_biped.physics.options import FOOT_FRICTION, EngineOptions
from blender_biped.world.terrain import Terrain
from blender_biped.world.world import World

CHARACTER = standard_character(mass=62.0)
COUNT = len(CHARACTER.links)
AXES = {"spherical": (0, 1, 2), "universal": (1, 0), "hinge": (1,)}


@pytest.fixture
def engine():
    with Engine(CHARACTER) as found:
        yield found


def posed(seed=1):
    """Return origins and rotations of a random pose that the joints can take, well above the ground."""
    rng = np.random.default_rng(seed)
    _, rotations = CHARACTER.standing()
    rotations[0] = axis_angle_quaternion([0.6, 0.0, 0.8], 0.7)
    for i, link in enumerate(CHARACTER.links[1:], start=1):
        turn = rotations[link.parent]
        ranges = JOINT_RANGES.get(link.part, ((-0.5, 0.5),) * 3)
        for axis, (low, high) in zip(AXES[link.joint], ranges, strict=True):
            angle = low + (high - low) * rng.uniform(0.2, 0.8)
            turn = quaternion_product(turn, axis_angle_quaternion(np.eye(3)[axis], angle))
        rotations[i] = turn
    return CHARACTER.forward_kinematics(np.array([0.3, -0.2, 3.0]), rotations), rotations


def momentum(state):
    """Return linear and angular momentum (about the world's origin) of the links."""
    inertia = np.array([np.diag(link.inertia) for link in CHARACTER.links])
    spin = state.matrices @ inertia @ state.matrices.transpose(0, 2, 1) @ state.angular_velocities[:, :, None]
    linear = CHARACTER.masses[:, None] * state.velocities
    return linear.sum(axis=0), (np.cross(state.coms, linear) + spin[:, :, 0]).sum(axis=0)


def test_masses_inertias_and_friction_are_the_character_s(monkeypatch):
    import pybullet

    connect, clients = pybullet.connect, []

    def noted(way):
        clients.append(connect(way))
        return clients[-1]

    monkeypatch.setattr(pybullet, "connect", noted)
    with Engine(CHARACTER):
        body = pybullet.getBodyUniqueId(1, *clients)  # after the floor
        rows = range(-1, pybullet.getNumJoints(body, *clients))
        found = [pybullet.getDynamicsInfo(body, row, *clients) for row in rows]
    parts = [row for row in found if row[0] > 0.01]  # kg; not what stands between the two axes of a joint
    assert len(parts) == COUNT
    for row, link in zip(parts, CHARACTER.links, strict=True):
        assert row[0] == pytest.approx(link.mass)
        assert row[1] == pytest.approx(FOOT_FRICTION)
        assert row[2] == pytest.approx(link.inertia)


def test_the_state_is_the_pose_that_was_placed(engine):
    origins, rotations = posed()
    engine.place(origins, rotations)
    state = engine.state()
    assert np.allclose(state.origins, origins)
    assert np.allclose(state.matrices, quaternion_matrix(rotations))
    root, found = engine.pose()
    assert np.allclose(root, origins[0])
    assert np.allclose(quaternion_matrix(found), quaternion_matrix(rotations))


def test_free_fall_is_gravity_alone(engine):
    engine.place(*posed())
    for _ in range(48):
        engine.apply(np.zeros((COUNT, 3)), engine.state().matrices)
        engine.step()
    assert np.allclose(engine.state().velocities, [0.0, 0.0, -GRAVITY * 48 * CONTROL_STEP], atol=1e-6)


def test_joint_torques_are_inner_forces(engine):
    """They change neither momentum of the whole body, whatever the pose: their frames and signs are right."""
    engine.place(*posed(2))
    before = engine.state()
    rng = np.random.default_rng(3)
    torques = rng.normal(scale=0.5, size=(COUNT, 3))
    engine.apply(torques, before.matrices)
    engine.step()
    after = engine.state()
    fall = np.array([0.0, 0.0, -GRAVITY * CONTROL_STEP * CHARACTER.mass])
    linear, angular = momentum(after)
    com = CHARACTER.masses @ after.coms / CHARACTER.mass
    assert np.allclose(linear, fall, atol=2e-3)
    assert np.allclose(angular - np.cross(com, linear), 0.0, atol=5e-3)
    assert np.abs(after.angular_velocities).max() > 0.05


@pytest.mark.parametrize("role", ["thigh.L", "forearm.R", "foot.L", "chest"])
def test_a_torque_turns_its_link_and_turns_the_parent_back(engine, role):
    origins, rotations = CHARACTER.standing()
    engine.place(origins + np.array([0.0, 0.0, 2.0]), rotations)
    torques = np.zeros((COUNT, 3))
    link = CHARACTER.index(role)
    torques[link, 1] = 1.0
    engine.apply(torques, engine.state().matrices)
    engine.step()
    angular_velocities = engine.state().angular_velocities
    assert angular_velocities[link, 1] > 0.0 > angular_velocities[CHARACTER.links[link].parent, 1]


def test_the_weight_stands_under_the_feet(engine):
    """A body that is let down gently bears its whole weight on its soles, none of it through the ground."""
    engine.place(*CHARACTER.standing())
    loads = []
    for _ in range(40):
        state = engine.state()
        engine.apply(np.zeros((COUNT, 3)), state.matrices)
        engine.step()
        loads.append(engine.state().loads)
    feet = [CHARACTER.index(f"{part}.{side}") for part in ("foot", "toes") for side in "LR"]
    total = np.mean([load[feet].sum() for load in loads[10:]])
    assert total == pytest.approx(CHARACTER.mass * GRAVITY, rel=0.15)
    assert np.delete(np.array(loads), feet, axis=1).max() == 0.0
    soles = [state.origins[CHARACTER.index(f"toes.{s}")][2] for s in "LR"]
    assert min(soles) > 0.0


def test_the_ground_can_be_anywhere():
    with Engine(CHARACTER, ground=12.5) as engine:
        engine.step()
        assert engine.state().origins[0, 2] == pytest.approx(12.5 + CHARACTER.stand_height, abs=1e-3)
        assert engine.state().loads.sum() > 0.0


def test_a_push_is_a_force_for_a_whole_step(engine):
    engine.place(*posed())
    engine.push(CHARACTER.index("chest"), (100.0, 0.0, 0.0))
    engine.step()
    linear, _ = momentum(engine.state())
    assert linear[0] == pytest.approx(100.0 * CONTROL_STEP, rel=1e-3)


def test_links_out_of_order_are_refused():
    links = list(CHARACTER.links)
    left, right = (CHARACTER.index(f"thigh.{s}") for s in "LR")
    links[left + 1], links[right] = links[right], links[left + 1]
    with pytest.raises(DataError, match="depth first"), Engine(type(CHARACTER)("mixed", tuple(links), 0.9)):
        pass


@pytest.mark.parametrize(("share", "held"), [(1.0, True), (0.5, False)])
def test_an_ankle_bends_farther_under_a_shin_that_is_short_beside_its_thigh(share, held):
    """To lift its foot as high such a shin has to lean farther: people's range would dip the toes into the ground."""
    shorter = [
        replace(link, offset=tuple(share * x for x in link.offset)) if link.role.startswith("foot") else link
        for link in CHARACTER.links
    ]
    body = replace(CHARACTER, links=tuple(shorter))
    _, rotations = body.standing()
    foot = body.index("foot.L")
    torques = np.zeros((COUNT, 3))
    torques[foot, 1] = -3.0  # N m, toes up
    farthest = 0.0
    with Engine(body) as engine:
        engine.place(body.forward_kinematics(np.array([0.0, 0.0, 3.0]), rotations), rotations)
        for _ in range(30):
            engine.apply(torques, engine.state().matrices)
            engine.step()
            found = engine.state().matrices
            turned = found[body.index("shin.L")].T @ found[foot]
            farthest = min(farthest, np.arctan2(turned[0, 2], turned[2, 2]))
    least = JOINT_RANGES["foot"][0][0]
    assert farthest < 0.9 * least
    assert (farthest > least - 0.05) == held


TOES = CHARACTER.index("toes.L")


def toe_turned(torque, steps, **named):
    """Return how fast the toes turn against the foot, rad/s, after a torque, N m, in the air."""
    with Engine(CHARACTER, options=EngineOptions(**named)) as engine:
        _, rotations = CHARACTER.standing()
        engine.place(np.array([[0.0, 0.0, 3.0]]), rotations)
        state = engine.state()
        for _ in range(steps):
            torques = np.zeros((COUNT, 3))
            torques[TOES] = torque * state.matrices[TOES, :, 1]
            engine.apply(torques, state.matrices)
            engine.step()
            state = engine.state()
    axis = state.matrices[TOES, :, 1]
    return float(axis @ (state.angular_velocities[TOES] - state.angular_velocities[CHARACTER.index("foot.L")]))


def test_a_torque_turns_light_links_no_faster_than_they_may():
    assert toe_turned(5.0, 2) > 30.0
    assert toe_turned(5.0, 2, fastest={(TOES, 1): 8.0}) == pytest.approx(8.0, abs=0.01)
    assert toe_turned(-5.0, 2, fastest={(TOES, 1): 8.0}) == pytest.approx(-8.0, abs=0.01)


def test_below_that_a_torque_turns_them_as_it_always_does():
    free = toe_turned(0.05, 5)
    assert 0.5 < free < 8.0
    assert toe_turned(0.05, 5, fastest={(TOES, 1): 8.0}) == pytest.approx(free, rel=1e-3)


def sunk(**named):
    """Return how deep soles sink in, m, that come down flat at 0.4 m/s, and how many of their corners touch at once."""
    origins, rotations = CHARACTER.standing()
    with Engine(CHARACTER, options=EngineOptions(step=1.0 / 240.0, **named)) as engine:
        engine.place(origins + np.array((0.0, 0.0, 0.004)), rotations, (0.0, 0.0, -0.4))
        lowest, touching = [], []
        for _ in range(8):
            engine.step()
            state = engine.state()
            touching.append(sum(contact[3] >= 0 for contact in engine.stage.physics.getContactPoints(engine.body)))
            for i in CHARACTER.soles:
                shape = CHARACTER.links[i].shape
                corners = [np.array(shape.center) + np.array(shape.half) * (a, b, -1) for a in (-1, 1) for b in (-1, 1)]
                lowest += [float((state.origins[i] + state.matrices[i] @ corner)[2]) for corner in corners]
    return -min(lowest), touching[0]


def test_soles_touch_flat_ground_with_all_their_corners_at_once():
    (deep, few), (held, all_of_them) = sunk(), sunk(corners=True)
    assert (few, all_of_them) == (len(CHARACTER.soles), 4 * len(CHARACTER.soles))
    assert held < 0.4 * deep


def test_feet_keep_their_contacts_on_a_mesh_as_the_whole_body_comes_to_touch():
    corners = [(x, y, 0.0) for x in (-2.0, 2.0) for y in (-2.0, 2.0)]
    with Engine(CHARACTER, world=World(Terrain(corners, [(0, 2, 1), (1, 2, 3)]))) as engine:
        loads = []
        for step in range(40):
            loads.append(engine.state().loads.sum())
            if step == 30:
                engine.touching.on_ground(True)
            engine.step()
    assert min(loads[31:]) > 0.9 * loads[30]
