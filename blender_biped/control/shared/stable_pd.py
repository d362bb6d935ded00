"""Explicit torques made safe for a coarse time step: implicit PD control with the mass matrix of one pose.

A PD torque that is computed once and held for a step overshoots when the step times its damping is more than
the inertia it meets; coupled joints meet far less inertia than each alone. Stable PD (Tan, Liu and Turk 2011)
takes the torque from the end of the step instead: with Q the explicit torques, X the derivative of the PD
torques to the generalized velocity times the step (of the springs: times its square), and M the mass matrix,
Q' = Q - X (M + X)^-1 Q = M (M + X)^-1 Q. M changes little in the links' own axes during a walk, so M (M + X)^-1
is made once for each way of standing: the correction is one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...base.spatial import Array, quaternion_matrix
from ...character.model import Character
from .clock import step_policy
from .tracking import Tracker, subtrees

PLANTED_MASS = 1e3  # kg that the ground lends to the sole of a foot that bears weight
PLANTED_TURN = (0.003, 0.02, 1.0)  # kg m2 about the foot's axes: it can still roll and tilt over its edges
LOCKED = 1e6  # kg m2 about axes that a joint does not have; kg across the plane of a body that moves in one
_FREE: dict[str, tuple[int, ...]] = {"hinge": (1,), "universal": (0, 1), "fixed": ()}  # axes that a joint has


def correction(
    tracker: Tracker, rotations: Array, upright: Sequence[int], planted: Sequence[int],
    assembled: Callable[[Array], Array], step: float,
) -> Array:  # fmt: skip
    """Return the correction M (M + X)^-1 (3 L, 3 L) of joint torques, in the links' own axes.

    rotations (L, 4): the pose that the mass matrix is made for. upright: links tracked in the heading frame,
    others relative to their parents. planted: feet on the ground. assembled: joint torques (K, L, 3) of
    tracking torques (K, L, 3), linear. step: s.
    """
    character = tracker.character
    count = len(character.links)
    matrices = quaternion_matrix(rotations)
    mass, turns = mass_matrix(character, rotations, planted)
    felt = turns.copy()  # angular velocity that each link's PD control feels, of the generalized velocity
    for i in range(1, count):
        if i not in upright:
            felt[3 * i : 3 * i + 3] -= turns[3 * character.parents[i] : 3 * character.parents[i] + 3]
    own = np.zeros((3 * count, 3 * count))
    for i in range(count):
        own[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = matrices[i].T
    gain = (tracker.kd + step * tracker.kp).reshape(-1, 1)
    columns = (own.T @ (gain * (own @ felt))).T.reshape(-1, count, 3)
    derivative = np.zeros_like(mass)
    derivative[3:] = assembled(columns).reshape(len(columns), -1).T
    derivative *= step_policy(step).pd_margin * step
    found = (mass @ np.linalg.inv(mass + derivative))[3:, 3:]
    return np.asarray(own @ found @ own.T)


def corrected(by: Array, matrices: Array, torque: Array) -> Array:
    """Return joint torques (L, 3), world axes, corrected in the links' own axes.

    by (3 L, 3 L): what ``correction`` returned. matrices (L, 3, 3): orientations of the links, world axes.
    """
    local = (matrices.transpose(0, 2, 1) @ torque[:, :, None]).reshape(-1)
    local = (by @ local).reshape(-1, 3)
    return np.asarray((matrices @ local[:, :, None])[:, :, 0])


def mass_matrix(character: Character, rotations: Array, planted: Sequence[int]) -> tuple[Array, Array]:
    """Return the mass matrix (3 + 3 L, 3 + 3 L) and the links' angular velocities (3 L, 3 + 3 L), world axes.

    Generalized velocities: the mid-hip's velocity, the pelvis' angular velocity, then each joint's relative one.
    """
    count = len(character.links)
    origins = character.forward_kinematics(np.zeros(3), rotations)
    coms = character.com_positions(origins, rotations)
    matrices = quaternion_matrix(rotations)
    above = subtrees(character).T  # row: link; column: 1 for itself and the links it hangs on
    size = 3 + 3 * count
    mass, turns = np.zeros((size, size)), np.zeros((3 * count, size))
    for i, link in enumerate(character.links):
        turn = turns[3 * i : 3 * i + 3]
        for axis in range(3):
            turn[axis, 3 + axis :: 3] = above[i]
        inertia = matrices[i] @ np.diag(link.inertia) @ matrices[i].T
        if i in planted:
            inertia = inertia + matrices[i] @ np.diag(PLANTED_TURN) @ matrices[i].T
            sole = _velocity_of(origins[i], origins, above[i], size)
            mass += PLANTED_MASS * sole.T @ sole
        moves = _velocity_of(coms[i], origins, above[i], size)
        mass += link.mass * moves.T @ moves + turn.T @ inertia @ turn
    if character.hinged:
        mass[1, 1] += LOCKED
    for i, link in enumerate(character.links):
        free = _FREE["hinge"] if character.hinged and i == 0 else _FREE.get(link.joint, (0, 1, 2))
        for axis in set(range(3)) - set(free):
            column = matrices[i][:, axis]
            block = slice(3 + 3 * i, 6 + 3 * i)
            mass[block, block] += LOCKED * np.outer(column, column)
    return mass, turns


def _velocity_of(point: Array, origins: Array, above: Array, size: int) -> Array:
    """Return the velocity (3, size) of a point (3,) that moves with the joints marked in ``above`` (L,)."""
    rows = np.zeros((3, size))
    rows[:, :3] = np.eye(3)
    x, y, z = ((point - origins) * above[:, None]).T
    about_x, about_y, about_z = rows[:, 3::3], rows[:, 4::3], rows[:, 5::3]
    about_x[1], about_x[2] = -z, y
    about_y[0], about_y[2] = z, -x
    about_z[0], about_z[1] = -y, x
    return rows
