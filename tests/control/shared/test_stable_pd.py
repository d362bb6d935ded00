"""The correction of explicit torques: it is implicit PD control, checked on bodies simple enough to solve."""

import numpy as np

from blender_biped.character.standard import standard_character
from blender_biped.control.shared.stable_pd import correction, mass_matrix
from blender_biped.control.shared.tracking import JOINT_OF_ROLE, OWN_GAINS, Tracker

CHARACTER = standard_character()
COUNT = len(CHARACTER.links)
JOINTS = {*JOINT_OF_ROLE.values(), *(name for axes in OWN_GAINS.values() for name in axes)}
RNG = np.random.default_rng(5)


def tracker(kp, kd):
    return Tracker(CHARACTER, dict.fromkeys(JOINTS, (kp, kd, 1e9)))


def own(tracking):
    """Joint torques that are the links' own tracking torques; the root has no joint."""
    torque = tracking.copy()
    torque[0] = 0.0
    return torque


def test_the_mass_matrix_gives_the_kinetic_energy():
    origins, rotations = CHARACTER.standing()
    mass, turns = mass_matrix(CHARACTER, rotations, [])
    free = np.zeros(3 + 3 * COUNT)
    free[:6] = RNG.normal(size=6)
    for i, link in enumerate(CHARACTER.links[1:], start=1):
        axes = {"hinge": (1,), "universal": (0, 1)}.get(link.joint, (0, 1, 2))
        for axis in axes:
            free[3 + 3 * i + axis] = RNG.normal()
    angular_velocities = (turns @ free).reshape(COUNT, 3)
    velocities = np.empty((COUNT, 3))
    velocities[0] = free[:3]
    for i, parent in enumerate(CHARACTER.parents[1:], start=1):
        velocities[i] = velocities[parent] + np.cross(angular_velocities[parent], origins[i] - origins[parent])
    velocities += np.cross(angular_velocities, CHARACTER.coms)
    inertia = np.array([link.inertia for link in CHARACTER.links])
    energy = 0.5 * (CHARACTER.masses @ (velocities**2).sum(axis=1) + (inertia * angular_velocities**2).sum())
    assert np.isclose(0.5 * free @ mass @ free, energy)


def test_without_gains_or_without_a_step_nothing_changes():
    _, rotations = CHARACTER.standing()
    for track, step in ((tracker(0.0, 0.0), 1 / 480), (tracker(300.0, 30.0), 0.0)):
        assert np.allclose(correction(track, rotations, [0], [], own, step), np.eye(3 * COUNT), atol=1e-6)


def test_hard_damping_stops_within_a_step_and_never_turns_round():
    """With the corrected torque one explicit step takes speed away and leaves none of it reversed."""
    _, rotations = CHARACTER.standing()
    step, kd = 1 / 480, 1e4
    track = tracker(0.0, kd)
    by = correction(track, rotations, [], [], own, step)
    mass, _ = mass_matrix(CHARACTER, rotations, [])
    for _ in range(20):
        rates = np.zeros((COUNT, 3))
        for i, link in enumerate(CHARACTER.links[1:], start=1):
            axes = {"hinge": (1,), "universal": (0, 1)}.get(link.joint, (0, 1, 2))
            rates[i, axes] = RNG.normal(size=len(axes))
        velocity = np.concatenate((np.zeros(6), rates[1:].reshape(-1)))
        torque = own(-track.kd * rates)
        after = {}
        for name, applied in (("explicit", torque.reshape(-1)), ("corrected", by @ torque.reshape(-1))):
            force = np.concatenate((np.zeros(3), applied))
            after[name] = velocity + step * np.linalg.solve(mass, force)
        energy = {name: v @ mass @ v for name, v in after.items()}
        assert energy["explicit"] > velocity @ mass @ velocity
        assert energy["corrected"] < velocity @ mass @ velocity
