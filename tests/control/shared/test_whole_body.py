"""Torques of the whole body: they are those that Newton and Euler ask for, whatever pose the body is in."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix, quaternion_product
from blender_biped.character.body import build_character
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.whole_body import FRICTION, Contact, ExternalForce, WholeBody, turning_back
from blender_biped.motion.similarity import at_reference_size
from blender_biped.physics.engine import Engine
from blender_biped.physics.options import EngineOptions
from tests.character.humanoid import without

GRAVITY = 9.81
CHARACTER = at_reference_size(standard_character())
LEGS = legs_of(CHARACTER)


def state_of(rotations, angular_velocities, character=CHARACTER):
    """Return a body with its left sole's middle below the mid-hip, and turning links."""
    origins = character.forward_kinematics(np.array([0.0, 0.0, 0.9]), rotations)
    coms = character.com_positions(origins, rotations)
    zero = np.zeros_like(origins)
    return BodyState(0.0, origins, quaternion_matrix(rotations), coms, zero, angular_velocities, np.zeros(len(origins)))


def standing():
    count = len(CHARACTER.links)
    return state_of(np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)), np.zeros((count, 3)))


def contact(side, place, share=1.0, grip=0.05):
    return Contact(LEGS[side].foot, LEGS[side].toes, share, place, place, 0.0, 0.0, grip)


def centre(state):
    return CHARACTER.masses @ state.coms / CHARACTER.mass


def test_a_body_above_one_foot_is_carried_by_it_alone():
    state = standing()
    x, y, _ = centre(state)
    torque = WholeBody(CHARACTER, GRAVITY).torques(state, np.zeros((18, 3)), 0.0, [contact(0, (x, y, 0.0))])
    # The foot is pressed below the centre of mass: its own weight aside, the ankle bears weight times the way there.
    foot = LEGS[0].foot
    ox, oy, _ = state.origins[foot]
    weight = GRAVITY * CHARACTER.mass
    assert torque[foot] == pytest.approx((-(y - oy) * weight, (x - ox) * weight, 0.0), abs=0.6)
    assert torque[LEGS[1].foot] == pytest.approx(np.zeros(3), abs=0.6)  # the free foot just hangs
    assert not torque[0].any()


def test_toes_are_pressed_no_harder_than_the_ground_can_press_back():
    state = standing()
    _, y, _ = centre(state)
    leg, weight = LEGS[0], GRAVITY * CHARACTER.mass
    joint = state.origins[leg.toes]
    ahead = (joint[0] + 0.03, y, 0.0)

    def at_toes(most):
        on_toes = Contact(leg.foot, leg.toes, 1.0, ahead, ahead, 0.5, most, 0.05)
        return WholeBody(CHARACTER, GRAVITY).torques(state, np.zeros((18, 3)), 0.0, [on_toes])[leg.toes, 1]

    unloaded = at_toes(0.0)
    full, held = (at_toes(most) - unloaded for most in (weight, 0.1 * weight))
    assert abs(full) > 0.02 * 0.5 * weight
    assert held == pytest.approx(full * 0.1 / 0.5)  # of half the weight no more than the tenth that there is


def test_desired_turns_cost_what_the_inertia_of_what_moves_is():
    state = standing()
    head = CHARACTER.index("head")
    angular_accelerations = np.zeros((18, 3))
    angular_accelerations[head, 2] = 5.0  # about the vertical through its own joint: nothing but the head moves
    body = WholeBody(CHARACTER, GRAVITY)
    places = [contact(0, (0.03, 0.09, 0.0), 0.5), contact(1, (0.03, -0.09, 0.0), 0.5)]
    still = body.torques(state, np.zeros((18, 3)), 0.0, places)
    turned = body.torques(state, angular_accelerations, 0.0, places)
    link = CHARACTER.links[head]
    away = np.array(link.com)
    inertia = link.inertia[2] + link.mass * float(away[0] ** 2 + away[1] ** 2)
    assert turned[head, 2] - still[head, 2] == pytest.approx(5.0 * inertia, rel=1e-6)


def test_the_engine_moves_as_the_torques_were_computed_for():
    """A body that falls freely and raises both arms: nothing turns it as a whole, and each link gains what it shall."""
    rate = 2000.0
    with Engine(CHARACTER, -10.0, options=EngineOptions(step=1.0 / rate)) as engine:
        origins, rotations = CHARACTER.standing()
        engine.place(origins, rotations)
        state = engine.state()
        desired = np.zeros((18, 3))
        for side, turn in (("L", 6.0), ("R", -6.0)):
            for part in ("upper_arm", "forearm", "hand"):
                desired[CHARACTER.index(f"{part}.{side}"), 0] = turn
        body = WholeBody(CHARACTER, GRAVITY)
        body.project(state, desired)
        below = centre(state) * (1.0, 1.0, 0.0)
        torque = body.torques(state, desired, -GRAVITY, [contact(0, below)])
        engine.apply(torque, state.matrices)
        engine.step()
        gained = (engine.state().angular_velocities - state.angular_velocities) * rate
    assert gained == pytest.approx(desired, abs=0.1)


def lying(ahead, back):
    """Return a body whose chest's joint is so far ahead of its hips, m, and what the chest carries so far behind it."""
    links = list(CHARACTER.links)
    for i, link in enumerate(links):
        y = link.offset[1]
        if link.role == "chest":
            moved = replace(link.shape, center=(-back, 0.0, 0.1))
            links[i] = replace(link, offset=(ahead, y, 0.1), com=(-back, 0.0, 0.1), shape=moved)
        elif link.part in ("upper_arm", "head"):
            links[i] = replace(link, offset=(-back, y, 0.1))
    return replace(CHARACTER, links=tuple(links))


@pytest.mark.parametrize(("ahead", "back"), [(0.4, 0.1), (0.5, 0.08), (0.6, 0.15)])
def test_what_feet_cannot_hold_of_a_turn_is_held_by_what_can(ahead, back):
    """A chest that lies far ahead and reaches back from its joint holds little of a turn, or turns the body more."""
    body = lying(ahead, back)
    origins, rotations = body.standing()
    coms, zero = body.com_positions(origins, rotations), np.zeros_like(origins)
    state = BodyState(0.0, origins, quaternion_matrix(rotations), coms, zero, zero, np.zeros(len(origins)))
    x, y, _ = body.masses @ coms / body.mass
    turning = np.zeros_like(origins)
    turning[LEGS[1].links, 1] = 20.0  # it swings ahead beside the middle
    torque = WholeBody(body, GRAVITY).torques(state, turning, 0.0, [contact(0, (x, y, 0.0), grip=0.0)])
    assert abs(torque[body.index("chest"), 2]) < abs(torque[body.index("abdomen"), 2]) < 10.0


def test_people_hold_turns_with_chest_and_arms_and_steady_their_head():
    roles = {CHARACTER.links[i].role for i in turning_back(CHARACTER)}
    assert {"chest", "forearm.L"} <= roles and not roles & {"abdomen", "head"}
    assert {"abdomen", "chest", "head"} <= {CHARACTER.links[i].role for i in turning_back(lying(0.8, 0.3))}


def test_a_body_that_flies_moves_as_gravity_alone_has_it():
    """Without contacts joints turn as desired, the centre of mass falls, and nothing turns the body as a whole."""
    rate, steps = 2000.0, 40
    parents = np.array(CHARACTER.parents[1:])
    body, desired = WholeBody(CHARACTER, GRAVITY), np.zeros((18, 3))
    for part, turn in (("thigh.L", 4.5), ("shin.L", 6.0), ("upper_arm.R", 7.0), ("forearm.R", 2.0)):
        desired[CHARACTER.index(part), 1] = turn
    with Engine(CHARACTER, -10.0, options=EngineOptions(step=1.0 / rate)) as engine:
        engine.place(*CHARACTER.standing(), (0.6, 0.0, 0.4))
        start = state = engine.state()
        for step in range(steps):
            angular_accelerations = desired.copy()
            body.project(state, angular_accelerations)
            torque = body.torques(state, angular_accelerations, 0.0, [])
            assert np.isfinite(torque).all()
            engine.apply(torque, state.matrices)
            engine.step()
            before, state = state, engine.state()
            if not step:
                gained = (state.angular_velocities - before.angular_velocities) * rate
                assert gained[1:] - gained[parents] == pytest.approx(
                    angular_accelerations[1:] - angular_accelerations[parents], abs=0.1
                )
    assert np.abs(torque[1:]).max() > 1.0
    assert np.abs(state.angular_velocities).max() > 0.1
    assert body.momentum(state) == pytest.approx(np.zeros(3), abs=2e-3)
    velocity = CHARACTER.masses @ (state.velocities - start.velocities) / CHARACTER.mass
    assert velocity == pytest.approx((0.0, 0.0, -GRAVITY * steps / rate), abs=1e-3)


def test_in_flight_it_costs_nothing_to_turn_as_a_whole_and_what_is_to_lift_it_lifts_nothing():
    state, body = standing(), WholeBody(CHARACTER, GRAVITY)
    angular_accelerations = np.random.default_rng(5).normal(scale=3.0, size=(18, 3))
    free = body.torques(state, angular_accelerations, 0.0, [])
    assert np.abs(free[1:]).max() > 1.0
    assert body.torques(state, angular_accelerations + np.array((4.0, -2.0, 1.0)), 3.0, []) == pytest.approx(
        free, abs=1e-9
    )
    assert body.torques(state, np.zeros((18, 3)), 0.0, []) == pytest.approx(np.zeros((18, 3)), abs=1e-9)


def test_in_flight_a_pull_at_a_hand_moves_a_stiff_body_as_it_moves_a_rigid_one():
    state, hand, force = standing(), CHARACTER.index("hand.L"), np.array((20.0, -5.0, 30.0))
    pull = ExternalForce(hand, state.coms[hand] + (0.02, 0.0, -0.03), force)
    torque = WholeBody(CHARACTER, GRAVITY).torques(state, np.zeros((18, 3)), 0.0, [], [pull])
    away, inertias = state.coms - centre(state), [np.diag(link.inertia) for link in CHARACTER.links]
    masses = CHARACTER.masses.tolist()
    whole = sum(
        own + m * (a @ a * np.eye(3) - np.outer(a, a)) for own, m, a in zip(inertias, masses, away, strict=True)
    )
    turning = np.linalg.solve(whole, np.cross(pull.place - centre(state), force))
    gained = force / CHARACTER.mass + np.cross(turning, away)
    expected = np.zeros((18, 3))
    for i in range(18):
        above = i
        while above >= 0:
            moment = masses[i] * np.cross(state.coms[i] - state.origins[above], gained[i]) + inertias[i] @ turning
            expected[above] += moment
            above = CHARACTER.parents[above]
    above = hand
    while above >= 0:
        expected[above] -= np.cross(pull.place - state.origins[above], force)
        above = CHARACTER.parents[above]
    assert expected[0] == pytest.approx(np.zeros(3), abs=1e-9)  # that of all links together: the root has no joint
    assert torque == pytest.approx(expected, abs=1e-9)
    assert np.abs(torque).max() > 2.0


def test_joints_let_only_their_own_axes_through():
    rng = np.random.default_rng(3)
    rotations = np.tile((1.0, 0.0, 0.0, 0.0), (18, 1))
    for i, link in enumerate(CHARACTER.links):
        above = rotations[max(link.parent, 0)]
        own = axis_angle_quaternion(np.eye(3)[1], 0.4) if link.joint == "hinge" else (1.0, 0.0, 0.0, 0.0)
        rotations[i] = quaternion_product(above, np.asarray(own))
    state = state_of(rotations, np.zeros((18, 3)))
    angular_accelerations = rng.normal(size=(18, 3))
    WholeBody(CHARACTER, GRAVITY).project(state, angular_accelerations)
    shin, thigh, foot = LEGS[0].shin, LEGS[0].thigh, LEGS[0].foot
    more = angular_accelerations[shin] - angular_accelerations[thigh]
    assert np.linalg.norm(np.cross(more, state.matrices[shin, :, 1])) < 1e-9
    z = np.cross(state.matrices[foot, :, 0], state.matrices[shin, :, 1])
    assert abs(z @ (angular_accelerations[foot] - angular_accelerations[shin])) < 1e-9


def test_more_turning_than_the_foot_can_hold_is_taken_from_trunk_and_arms():
    state = standing()
    x, y, _ = centre(state)
    angular_accelerations = np.zeros((18, 3))
    angular_accelerations[CHARACTER.index("chest"), 2] = 100.0
    body = WholeBody(CHARACTER, GRAVITY)
    grip, weight = 0.02, GRAVITY * CHARACTER.mass
    torque = body.torques(state, angular_accelerations, 0.0, [contact(0, (x, y, 0.0), grip=grip)])
    firm = body.torques(state, angular_accelerations, 0.0, [contact(0, (x, y, 0.0), grip=1.0)])
    foot, waist = LEGS[0].foot, CHARACTER.index("abdomen")
    assert abs(firm[foot, 2]) > 1.2 * FRICTION * weight * grip >= abs(torque[foot, 2]) / 1.2
    # What the ground does not give, the trunk gives up: it is not left to the pelvis to spin with.
    assert abs(torque[waist, 2]) < abs(firm[waist, 2]) - 0.5 * (abs(firm[foot, 2]) - abs(torque[foot, 2]))


def test_a_body_that_is_all_hips_has_nothing_to_take_a_turn_from():
    gone = ("spine.001", "spine.002", "spine.003", "spine.004", "shoulder", "upper_arm", "forearm", "hand")
    legs = at_reference_size(build_character(rig := without(standard_armature(), *gone), map_bones(rig)))
    count = len(legs.links)
    state = state_of(np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)), np.zeros((count, 3)), legs)
    turning = np.zeros((count, 3))
    turning[:, 2] = 100.0
    side = legs_of(legs)[0]
    x, y, _ = legs.masses @ state.coms / legs.mass
    borne = Contact(side.foot, side.toes, 1.0, (x, y, 0.0), (x, y, 0.0), 0.0, 0.0, 0.02)
    torque = WholeBody(legs, GRAVITY).torques(state, turning, 0.0, [borne])
    assert np.isfinite(torque).all() and torque[1:].any()


def test_its_angular_momentum_is_that_of_all_links_about_the_centre_of_mass():
    body, still = WholeBody(CHARACTER, GRAVITY), standing()
    turning = np.array((0.3, -1.2, 0.7))
    away = still.coms - centre(still)
    # As one rigid body that flies on: the momentum is its inertia about the centre of mass times its spin.
    moving = replace(
        still,
        angular_velocities=np.tile(turning, (18, 1)),
        velocities=np.cross(turning, away) + np.array((0.9, 0.1, -0.2)),
    )
    inertia = sum(
        np.diag(link.inertia) + link.mass * (a @ a * np.eye(3) - np.outer(a, a))
        for link, a in zip(CHARACTER.links, away, strict=True)
    )
    assert body.momentum(moving) == pytest.approx(inertia @ turning, abs=1e-9)
    assert not any(body.momentum(still))


def test_what_pulls_at_the_hands_is_borne_by_arms_and_leaned_against():
    state, still = standing(), np.zeros((18, 3))
    x, y, _ = centre(state)
    body, arms = WholeBody(CHARACTER, GRAVITY), [CHARACTER.index(f"forearm.{side}") for side in "LR"]
    hands = [CHARACTER.index(f"hand.{side}") for side in "LR"]
    force = np.array((-50.0, 0.0, 0.0))
    pulls = [ExternalForce(hand, state.coms[hand], force) for hand in hands]
    high = float(np.mean([pull.place[2] for pull in pulls]))
    weight = GRAVITY * CHARACTER.mass
    free = body.torques(state, still, 0.0, [contact(0, (x, y, 0.0))])
    pulled = body.torques(state, still, 0.0, [contact(0, (x - 100.0 * high / weight, y, 0.0))], pulls)
    for arm, pull in zip(arms, pulls, strict=True):
        lever = pull.place - state.origins[arm]
        assert pulled[arm] - free[arm] == pytest.approx(-np.cross(lever, force), abs=0.3)


def test_hands_that_hold_something_take_the_turn_that_a_foot_cannot_hold():
    state = standing()
    x, y, _ = centre(state)
    angular_accelerations, hands = np.zeros((18, 3)), [CHARACTER.index(f"hand.{side}") for side in "LR"]
    angular_accelerations[:, 2] = 12.0  # all of it turns to the left
    pulls = [ExternalForce(hand, state.coms[hand], np.zeros(3)) for hand in hands]
    body, place = WholeBody(CHARACTER, GRAVITY), [contact(0, (x, y, 0.0), grip=0.01)]
    free, held = (
        body.torques(state, angular_accelerations, 0.0, place),
        body.torques(state, angular_accelerations, 0.0, place, pulls),
    )
    chest = CHARACTER.index("chest")
    assert held[hands[0], 1] != pytest.approx(free[hands[0], 1], abs=0.5)  # hands press fore and aft
    upper = CHARACTER.index("upper_arm.L")
    assert abs(held[upper, 1] - free[upper, 1]) > 4.0
    assert held[chest, 2] == pytest.approx(free[chest, 2])  # the foot holds as much as it can in both
    assert np.allclose(pulls[0].force, 0.0)  # what was given stays as it was
