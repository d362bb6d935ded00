"""Where the links of a motion shall be at each frame: in the world, and in an armature's own space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.spatial import IDENTITY, Array, nearest_rotations, normalized, quaternion_matrix, yaw_quaternion
from ...character.model import Character
from ...motion.motion import Motion
from .rig import Node, Pole, Rig

_BENT = 0.1  # sine of a limb's bend above which the links tell where its plane is


@dataclass(frozen=True)
class Placed:
    """What bones move rigidly with at each of F frames, in armature space: a column each.

    The links come first, then the armature itself, which stands still, then the bones that have a turn of their own
    (see ``supple``), then the bone that carries the travel, if any.
    turns (F, C, 3, 3): from rest. heads (F, C, 3): a point of each; firsts (C, 3): the same points at rest.
    """

    turns: Array
    heads: Array
    firsts: Array

    def turn(self, column: int, rest: Array) -> Array:
        """Return an orientation (F, 3, 3) that is ``rest`` (3, 3) at rest."""
        return np.asarray(self.turns[:, column] @ rest)

    def point(self, column: int, rest: Array) -> Array:
        """Return a point (F, 3) that is at ``rest`` (3,) at rest."""
        return np.asarray(self.heads[:, column] + self.turns[:, column] @ (rest - self.firsts[column]))

    def head(self, node: Node) -> Array:
        """Return the head (F, 3) of a bone that gets keys.

        A pole stands where it would be if it moved with the upper half of its limb, turned about the line from the
        limb's beginning to its end so that the solver bends the limb as the links are bent.
        """
        place = self.point(node.column, node.head)
        if node.pole is None or node.pole.up is None:
            return place
        begin, end = self.heads[:, node.pole.links[0]], self.heads[:, node.pole.links[2]]
        axis = normalized(end - begin)
        up = self._bending(node.pole) @ node.pole.up
        up = normalized(up - np.sum(up * axis, axis=1, keepdims=True) * axis)
        along = np.sum((place - begin) * axis, axis=1, keepdims=True) * axis
        away = np.linalg.norm(place - begin - along, axis=1, keepdims=True)
        return np.asarray(begin + along + away * up)

    def _bending(self, pole: Pole) -> Array:
        """Return how the upper half of a limb turns from rest (F, 3, 3) when it bends about the solver's hinge.

        Elbow and knee are where the links have them then; what differs from the links is a roll about the limb.
        """
        first, middle, last = pole.links
        turns = self.turns[:, first]
        if pole.hinge is None:
            return turns
        upper, lower = (normalized(self.heads[:, b] - self.heads[:, a]) for a, b in ((first, middle), (middle, last)))
        across = np.cross(upper, lower)
        hinge = turns @ pole.hinge
        across *= np.sign(np.sum(across * hinge, axis=1, keepdims=True))
        share = np.clip(np.linalg.norm(across, axis=1, keepdims=True) / _BENT, 0.0, 1.0)
        hinge = (1.0 - share) * hinge + share * normalized(across)
        rest = normalized(self.firsts[middle] - self.firsts[first])
        return np.asarray(_frame(upper, hinge) @ _frame(rest, pole.hinge).T)


class DesiredPoses:
    """Where the object and the links shall be at each of F frames, in the world, in Blender units."""

    def __init__(self, rig: Rig, origins: Array, rotations: Array, spaces: Array, unit: float) -> None:
        """Keep link origins (F, L, 3), m, and rotations (F, L, 4); spaces (F, 4, 4): see ``spaces.parent_spaces``."""
        character = rig.character
        self._rig, self.unit = rig, unit
        turns = quaternion_matrix(rotations)
        self._rests = np.array([quaternion_matrix(link.rest) for link in character.links])
        self._turned = turns @ np.swapaxes(self._rests, 1, 2)
        self._firsts = origins / unit
        self._firsts[:, 0] += turns[:, 0] @ (np.array(character.hip_bone_offset) / unit)
        self.spaces = spaces
        self.standing = spaces @ np.array(rig.armature.matrix_basis, dtype=float)
        """The object's matrix (F, 4, 4) when its own transform stays as it is."""

    def simulated(self, worlds: Array) -> tuple[Array, Array]:
        """Return turns (F, L, 3, 3) from rest and heads (F, L, 3) of the links as they are simulated.

        In the space of an armature with the object matrices ``worlds`` (F, 4, 4).
        """
        axes = np.swapaxes(nearest_rotations(worlds[:, :3, :3]), 1, 2)
        return axes[:, None] @ self._turned, applied(np.linalg.inv(worlds)[:, None], self._firsts)

    def placed(self, worlds: Array, carrier: Node | None = None, carried: Array | None = None) -> Placed:
        """Return all in the space of an armature with the object matrices ``worlds`` (F, 4, 4).

        carrier: the bone that carries the travel, and its matrices ``carried`` (F, 4, 4) in armature space.
        """
        count, links, supple = len(worlds), len(self._rig.firsts), self._rig.supple
        moved = supple.moved(*self.simulated(worlds), self._rig.firsts)
        turns = [moved.turns[:, :links], np.broadcast_to(np.eye(3), (count, 1, 3, 3)), moved.turns[:, links:]]
        heads = [moved.heads[:, :links], np.zeros((count, 1, 3)), moved.heads[:, links:]]
        firsts = [self._rig.firsts, np.zeros((1, 3)), supple.firsts]
        if carrier is not None and carried is not None:
            turns.append((nearest_rotations(carried[:, :3, :3]) @ carrier.rest.T)[:, None])
            heads.append(carried[:, None, :3, 3])
            firsts.append(carrier.head[None])
        return Placed(np.concatenate(turns, axis=1), np.concatenate(heads, axis=1), np.concatenate(firsts))

    def tried(self, carrier: Node | None) -> Placed:
        """Return the rest pose and all in armature space as ``placed``, with a carrier that moves at random."""
        moves = None
        if carrier is not None:
            rng = np.random.default_rng(0)
            moves = np.tile(np.eye(4), (len(self.standing), 1, 1))
            turns = rng.normal(size=(len(moves), 4)) * 0.25 + IDENTITY
            moves[:, :3, :3] = quaternion_matrix(normalized(turns)) @ carrier.rest
            reach = np.abs(self._rig.firsts - carrier.head).max()
            moves[:, :3, 3] = carrier.head + reach * rng.uniform(-1.0, 1.0, (len(moves), 3))
        made = self.placed(self.standing, carrier, moves)
        still = np.broadcast_to(np.eye(3), (1, *made.turns.shape[1:]))
        return Placed(np.concatenate((still, made.turns)), np.concatenate((made.firsts[None], made.heads)), made.firsts)

    def travelling(self, place: Array, heading: Array) -> Array:
        """Return the object's matrix (F, 4, 4) when it carries the rig in rest along the path.

        It turns about the vertical and moves over the ground, so that the mid-hip is at the smoothed place (F, 2), m,
        and its front at the smoothed heading (F,). Hips that cannot move by themselves are carried to their very place.
        """
        world, hips = self.standing[0], self._rig.firsts[0]
        axes = nearest_rotations(world[:3, :3]) @ self._rests[0]
        head = world[:3, :3] @ hips + world[:3, 3]
        middle = head - axes @ (np.array(self._rig.character.hip_bone_offset) / self.unit)
        moves = np.tile(np.eye(4), (len(heading), 1, 1))
        turns = quaternion_matrix(yaw_quaternion(heading - np.arctan2(axes[1, 0], axes[0, 0])))
        moves[:, :3, :3] = turns
        if self._rig.hips.connected:
            moves[:, :3, 3] = self._firsts[:, 0] - turns @ head
        else:
            moves[:, :2, 3] = place / self.unit - (turns @ middle)[:, :2]
        return np.asarray(moves @ world)


def desired_of(rig: Rig, motion: Motion, times: Sequence[float] | Array, spaces: Array, unit: float) -> DesiredPoses:
    """Return what a motion wants at ``times`` (F,), s."""
    sampled = motion.sampled(times)
    return DesiredPoses(rig, sampled.origins, sampled.rotations, spaces, unit)


def trials(rig: Rig, count: int, spaces: Array, unit: float, seed: int = 0) -> DesiredPoses:
    """Return ``count`` random poses in which each joint of the character is bent, spaces (4, 4) as at one frame."""
    rng = np.random.default_rng(seed)
    character: Character = rig.character
    rotations = rng.normal(size=(count, len(character.links), 4)) * 0.25 + IDENTITY
    rotations = normalized(rotations)
    root = np.array((0.0, 0.0, character.stand_height)) + 0.2 * character.leg_length * rng.normal(size=(count, 3))
    origins = character.forward_kinematics(root, rotations)
    return DesiredPoses(rig, origins, rotations, np.broadcast_to(spaces, (count, 4, 4)), unit)


def _frame(along: Array, across: Array) -> Array:
    """Return rotations (..., 3, 3) whose first axis is ``along`` (..., 3) and whose second is as near to ``across``."""
    across = normalized(across - np.sum(across * along, axis=-1, keepdims=True) * along)
    return np.stack((along, across, np.cross(along, across)), axis=-1)


def applied(matrices: Array, points: Array) -> Array:
    """Return points (..., 3) moved by matrices (..., 4, 4)."""
    return np.asarray((matrices[..., :3, :3] @ points[..., None])[..., 0] + matrices[..., :3, 3])
