"""A character as a PyBullet multibody.

What was measured of PyBullet and is relied on here: links are numbered depth first; every joint has a motor that must
be switched off; damping is on by default.

A planar body hangs on a rail: links without mass slide along x and z and turn about y, the last of them the pelvis, so
that its joints alone, exactly, keep it in the sagittal plane in which it was placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pybullet

from ..base.errors import DataError
from ..character.model import DEPTH_FIRST, Character, Link, misplaced
from . import shapes
from .bound import Bound
from .options import EngineOptions

_GYROSCOPE = (1e-3, (1e-6, 1e-6, 1e-6))  # mass, inertia of the link inside a universal joint
_WEIGHTLESS = (0.0, (0.0, 0.0, 0.0))  # of the links of a rail: what they carry moves as if free; and of soles' boxes
_HERE = (0.0, 0.0, 0.0)
_UPRIGHT = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Built:
    """A body in PyBullet. body: its number. joints: PyBullet's index of each link's own frame, -1 for the base.

    cornered: links that have corners in place of a box. boxes: indices of the boxes on these that companions meet.
    planar: whether it is on a rail.
    """

    body: int
    joints: tuple[int, ...]
    cornered: frozenset[int]
    boxes: tuple[int, ...]
    planar: bool


class _Row:
    """One link as PyBullet wants it; ``link`` None for one of its joint's own, of mass and inertia ``inner``."""

    def __init__(
        self, link: Link | None, parent: int, kind: int, axis: tuple[int, int, int], position: Any,
        inner: tuple[float, tuple[float, float, float]] = _GYROSCOPE,
    ) -> None:  # fmt: skip
        self.link, self.parent, self.kind, self.axis, self.position = link, parent, kind, axis, position
        self.mass, self.inertia = (link.mass, link.inertia) if link else inner
        self.com: Any = link.com if link else (0, 0, 0)


class BodyBuilder:
    """Builds a character's body in a physics world.

    cornered: links that have corners in place of a box. boxed: whether these have a box for companions, too.
    """

    def __init__(
        self, physics: Bound, character: Character, options: EngineOptions, cornered: frozenset[int], boxed: bool
    ) -> None:
        self._physics, self._character, self._options = physics, character, options
        self._cornered, self._boxed = cornered, boxed
        self._rows: list[_Row] = []
        self._joints: list[int] = []
        self._boxes: dict[int, Link] = {}  # by row, with the sole that each is on

    def build(self) -> Built:
        """Return the new body. Raises DataError for links that are not depth first."""
        self._number()
        if misplaced([row.parent - 1 for row in self._rows]) is not None:
            raise DataError(f"character.links of {self._character.name!r}: {DEPTH_FIRST}")
        body = self._create()
        self._weigh(body)
        self._limit(body)
        self._let_go(body)
        return Built(body, tuple(self._joints), self._cornered, tuple(self._boxes), self._options.planar)

    def _number(self) -> None:
        """Find PyBullet's links, depth first."""
        rows, base = self._rows, self._character.links[0]
        if self._options.planar:
            rows.append(_Row(None, 0, pybullet.JOINT_PRISMATIC, (1, 0, 0), _HERE, _WEIGHTLESS))
            rows.append(_Row(None, 1, pybullet.JOINT_PRISMATIC, (0, 0, 1), _HERE, _WEIGHTLESS))
            rows.append(_Row(base, 2, pybullet.JOINT_REVOLUTE, (0, 1, 0), _HERE))
        self._joints.append(len(rows) - 1)
        for i, link in enumerate(self._character.links[1:], start=1):
            self._joint(link, self._joints[link.parent] + 1)
            self._joints.append(len(rows) - 1)
            if self._boxed and i in self._cornered:
                self._boxes[len(rows)] = link
                rows.append(_Row(None, len(rows), pybullet.JOINT_FIXED, (0, 0, 1), _HERE, _WEIGHTLESS))

    def _joint(self, link: Link, parent: int) -> None:
        rows = self._rows
        if link.joint == "spherical":
            rows.append(_Row(link, parent, pybullet.JOINT_SPHERICAL, (0, 0, 0), link.offset))
        elif link.joint == "hinge":
            rows.append(_Row(link, parent, pybullet.JOINT_REVOLUTE, (0, 1, 0), link.offset))
        elif link.joint == "fixed":
            rows.append(_Row(link, parent, pybullet.JOINT_FIXED, (0, 0, 1), link.offset))
        else:
            rows.append(_Row(None, parent, pybullet.JOINT_REVOLUTE, (0, 1, 0), link.offset))
            rows.append(_Row(link, len(rows), pybullet.JOINT_REVOLUTE, (1, 0, 0), _HERE))

    def _shapes(self) -> list[int]:
        """Return the shape of each row."""
        p, links = self._physics, self._character.links
        cornered = [links[i] for i in self._cornered]
        found = []
        for row in self._rows:
            if row.link is None:
                found.append(shapes.NONE)
            elif any(row.link is sole for sole in cornered):
                found.append(shapes.corners(p, row.link.shape))
            else:
                found.append(shapes.of_link(p, row.link))
        for place, sole in self._boxes.items():
            found[place] = shapes.box(p, sole.shape)
        return found

    def _create(self) -> int:
        rows, planar, base = self._rows, self._options.planar, self._character.links[0]
        return int(
            self._physics.createMultiBody(
                0.0 if planar else base.mass,
                shapes.NONE if planar else shapes.of_link(self._physics, base),
                basePosition=(0, 0, 0),
                baseInertialFramePosition=_HERE if planar else base.com,
                baseInertialFrameOrientation=_UPRIGHT,
                linkMasses=[r.mass for r in rows],
                linkCollisionShapeIndices=self._shapes(),
                linkVisualShapeIndices=[-1] * len(rows),
                linkPositions=[r.position for r in rows],
                linkOrientations=[_UPRIGHT] * len(rows),
                linkInertialFramePositions=[r.com for r in rows],
                linkInertialFrameOrientations=[_UPRIGHT] * len(rows),
                linkParentIndices=[r.parent for r in rows],
                linkJointTypes=[r.kind for r in rows],
                linkJointAxis=[r.axis for r in rows],
                flags=pybullet.URDF_USE_SELF_COLLISION if self._options.ragdoll and not planar else 0,
            )
        )

    def _weigh(self, body: int) -> None:
        """Set what PyBullet does not take where it creates a body: a call for each, or some are dropped silently."""
        p, base = self._physics, self._character.links[0]
        inertias = [_WEIGHTLESS[1] if self._options.planar else base.inertia, *(r.inertia for r in self._rows)]
        for index, inertia in enumerate(inertias, start=-1):
            p.changeDynamics(body, index, linearDamping=0.0, angularDamping=0.0, jointDamping=0.0, maxJointVelocity=1e3)
            p.changeDynamics(body, index, localInertiaDiagonal=inertia)
            p.changeDynamics(body, index, lateralFriction=self._options.friction)
            p.changeDynamics(body, index, restitution=0.0)

    def _limit(self, body: int) -> None:
        """Set how far joints turn."""
        links = self._character.links
        for kind in ("hinge", "universal"):
            for i in (i for i, link in enumerate(links) if link.joint == kind):
                ranges = self._character.joint_ranges(i)
                for k, (low, high) in enumerate(ranges):
                    joint = self._joints[i] - (len(ranges) - 1 - k)
                    self._physics.changeDynamics(body, joint, jointLowerLimit=low, jointUpperLimit=high)

    def _let_go(self, body: int) -> None:
        """Switch motors off."""
        p, links = self._physics, self._character.links
        for joint in (self._joints[i] for i, link in enumerate(links) if link.joint == "spherical"):
            p.setJointMotorControlMultiDof(
                body, joint, pybullet.POSITION_CONTROL, targetPosition=[0, 0, 0, 1],
                positionGain=0, velocityGain=0, force=[0, 0, 0],
            )  # fmt: skip
        turning = turning_joints(self._character, self._joints)
        p.setJointMotorControlArray(body, turning, pybullet.VELOCITY_CONTROL, forces=[0.0] * len(turning))
        for joint in range(self._joints[0] + 1):
            p.setJointMotorControl2(body, joint, pybullet.VELOCITY_CONTROL, force=0.0)


def turning_joints(character: Character, joints: Sequence[int]) -> list[int]:
    """Return all joints about one axis: the hinges, then both axes, y and x, of each universal joint."""
    hinges = [joints[i] for i, link in enumerate(character.links) if link.joint == "hinge"]
    universal = [joints[i] for i, link in enumerate(character.links) if link.joint == "universal"]
    return [*hinges, *(axis for joint in universal for axis in (joint - 1, joint))]
