"""Simulated turns spread over more bones than there are links: along a spine or a neck, and to the clavicles. numpy.

A link is one rigid part; a rig has several bones for it. Between two bones whose place and turn are simulated, those in
between share the turn from the one to the other, joint by joint, and still lead from the one to the other. Turns are
rotations from rest, matrices in armature space; places are in armature space, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.spatial import (
    Array,
    matrix_quaternion,
    normalized,
    quaternion_matrix,
    rotate,
    rotation_vector,
    shortest_arc,
    vector_matrix,
)

_OFF = 4e-4
"""Of the leg: what the far end of spread bones may be off its place, along the line to it."""

_MOST = (1.2, 2.4)  # rad from one end of spread bones to the other: from where on they share less, and nothing more

_THIRD = 1.0 / 3.0
"""Of the arm's elevation, what the shoulder girdle does of it (V. Inman, J. Saunders, L. Abbott, "Observations on the
function of the shoulder joint", J. Bone and Joint Surgery 26(1), 1944)."""

_CLAVICLE = 2.0 / 3.0
"""Of that, what the clavicle does at its inner end: 40 of 60 degrees (the same); the blade does the rest."""

_SETTING = np.radians(30.0)
"""Elevation, rad, below which the shoulder girdle hardly takes part (the same: the setting phase)."""

_AHEAD = 0.13
"""Of the arm's swing, how far the clavicle goes ahead and back with it: 3 to 5 degrees over a person's stride."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Bones one after the other between two that are simulated.

    begin: the link that the first bone's head goes with. base: the link of the bone that they hang on. links (N,): what
    each moves with where nothing is spread. end: the link of the bone that they lead to.
    heads (N + 1, 3): of the bones and of the one that they lead to, at rest, armature space. leg: its length there.
    """

    begin: int
    base: int
    links: tuple[int, ...]
    end: int
    heads: Array
    leg: float

    @property
    def steps(self) -> Array:
        """From head to head (N, 3) at rest."""
        return np.diff(self.heads, axis=0)

    def spread(self, turns: Array, start: Array, goal: Array) -> tuple[Array, Array]:
        """Return turns (F, N, 3, 3) and heads (F, N, 3) of the bones.

        They turn as evenly as they can, from joint to joint, on the same way from ``start`` to ``goal`` (F, 3), where
        the simulation has both ends. Their line may not become longer or shorter by bending, but for ``_OFF``: where a
        trunk bends far they share less of it.

        turns (F, L, 3, 3): of the links.
        """
        base, line = turns[:, self.base], goal - start
        own = _vectors(base, turns[:, list(self.links)])
        whole = _vectors(base, turns[:, self.end, None])[:, 0]
        change = self._even(own, whole) - own
        far = np.linalg.norm(np.concatenate((own, whole[:, None]), axis=1), axis=-1).max(axis=1)
        calm = 1.0 - _smooth((far - _MOST[0]) / (_MOST[1] - _MOST[0]))
        size = np.linalg.norm(line, axis=-1)
        half, all_of_it = (np.linalg.norm(self._way(base, own + s * change), axis=-1) - size for s in (0.5, 1.0))
        share = calm * _share_within(half, all_of_it, _OFF * self.leg)
        found = base[:, None] @ vector_matrix(own + share[:, None, None] * change)
        straight = quaternion_matrix(shortest_arc(np.sum((found @ self.steps[..., None])[..., 0], axis=1), line))
        found = straight[:, None] @ found
        heads = start[:, None] + np.cumsum((found @ self.steps[..., None])[..., 0], axis=1)
        return found, np.concatenate((start[:, None], heads[:, :-1]), axis=1)

    def _way(self, base: Array, vectors: Array) -> Array:
        """Return the way (F, 3) from the first bone's head to the end for turns (F, N, 3) from that of the base."""
        return np.asarray(np.sum((base[:, None] @ vector_matrix(vectors) @ self.steps[..., None])[..., 0], axis=1))

    def _even(self, own: Array, whole: Array) -> Array:
        """Return turns (F, N, 3) from the base, rad, with the least sum of squares from joint to joint.

        For small turns; among those that lead in the same direction as ``own`` (F, N, 3). whole (F, 3): of the end.
        """
        count = len(self.links)
        joints = 2.0 * np.eye(count) - np.eye(count, k=1) - np.eye(count, k=-1)
        line = normalized(self.heads[-1] - self.heads[0])
        flat = np.eye(3) - np.outer(line, line)
        leads = np.concatenate([flat @ _crossing(step) for step in self.steps], axis=1)
        sides = np.linalg.svd(flat)[2][:2] @ leads  # both directions across the line
        matrix = np.block([[np.kron(joints, np.eye(3)), sides.T], [sides, np.zeros((2, 2))]])
        pulls = np.zeros((len(own), count, 3))
        pulls[:, -1] = whole
        known = np.concatenate((pulls.reshape(len(own), -1), own.reshape(len(own), -1) @ sides.T), axis=1)
        return np.asarray((known @ np.linalg.pinv(matrix).T)[:, : 3 * count].reshape(own.shape))


@dataclass(frozen=True, eq=False)
class Shoulder:
    """A clavicle and the arm on it. chest, arm: links; arm_links: upper arm, and what hangs on it.

    head, joint (3,): where clavicle and upper arm begin at rest, armature space. chest_rest, arm_rest
    (3, 3): axes of both links at rest (forward, left, up of a body that stands). side: 1 left, -1 right.
    """

    chest: int
    arm: int
    arm_links: tuple[int, ...]
    head: Array
    joint: Array
    chest_rest: Array
    arm_rest: Array
    side: float

    def turned(self, turns: Array, amount: float) -> Array:
        """Return the turn (F, 3, 3) from rest of the clavicle for those of the links (F, L, 3, 3).

        It follows the arm, from where the rest pose has it: up and down by a share of its elevation, ahead and back by
        a share of its swing. amount: of that, 1 for a person's.
        """
        axes = turns[:, self.chest] @ self.chest_rest
        arm = np.swapaxes(axes, 1, 2) @ (turns[:, self.arm] @ self.arm_rest)
        up, ahead = _arm_angles(-arm[..., 2])
        rest_up, rest_ahead = _arm_angles(-(self.chest_rest.T @ self.arm_rest)[None, :, 2])
        lift = amount * _THIRD * _CLAVICLE * (_raised(up) - _raised(rest_up))
        swing = amount * _AHEAD * (ahead - rest_ahead)
        vectors = self.side * np.stack((lift, np.zeros_like(lift), -swing), axis=-1)
        return np.asarray(axes @ vector_matrix(vectors) @ self.chest_rest.T)

    def moved_arm(self, turn: Array, head: Array, elbow: Array, shift: Array) -> tuple[Array, Array]:
        """Return turn (F, 3, 3) of an upper arm whose head the clavicle shifts, and how far that shifts its end (F, 3).

        It points at where the elbow is simulated; only what it is too long or too short for that is left.
        turn (F, 3, 3), head (F, 3), elbow (F, 3): as they are simulated. shift (F, 3).
        """
        way, new = elbow - head, elbow - head - shift
        aimed = shortest_arc(way, new)
        return np.asarray(quaternion_matrix(aimed) @ turn), np.asarray(shift + rotate(aimed, way) - way)


def _arm_angles(along: Array) -> tuple[Array, Array]:
    """Return how far an arm is raised from hanging, in any direction, and how far ahead of the body (F,), rad.

    along (F, 3): from shoulder to elbow; forward, left, up of the chest.
    """
    unit = normalized(along)
    return np.arctan2(np.hypot(unit[:, 0], unit[:, 1]), -unit[:, 2]), np.arcsin(np.clip(unit[:, 0], -1.0, 1.0))


def _raised(angle: Array) -> Array:
    """Return what the shoulder girdle takes of an arm's elevation for its own, rad: little of the first part."""
    return np.asarray(np.hypot(angle, _SETTING) - _SETTING)


def _share_within(half: Array, whole: Array, most: float) -> Array:
    """Return the share (F,) of a change, up to 1, that puts something off by ``most`` at most.

    half, whole (F,): by how much half of it, and all of it, does. In between it is taken for a parabola.
    """
    first, second = np.abs(4.0 * half - whole), np.abs(2.0 * whole - 4.0 * half)
    share = 2.0 * most / np.maximum(first + np.sqrt(first**2 + 4.0 * second * most), 1e-9 * most)
    return np.asarray((1.0 + share**-4.0) ** -0.25)


def _smooth(share: Array) -> Array:
    """Return 0 up to 0, 1 from 1 on, and a smooth way between."""
    x = np.clip(share, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def _crossing(vector: Array) -> Array:
    """Return the matrix (3, 3) whose product with a turn is what that turn, small, moves a vector (3,) by."""
    x, y, z = vector.tolist()
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def _vectors(base: Array, turns: Array) -> Array:
    """Return rotation vectors (F, N, 3), rad, from a base (F, 3, 3) to turns (F, N, 3, 3)."""
    return rotation_vector(matrix_quaternion(np.swapaxes(base, 1, 2)[:, None] @ turns))
