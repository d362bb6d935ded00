"""What a body's hands hold: constraints between its links and props."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pybullet

from ..base.spatial import Array, quaternion_matrix
from ..character.model import Character
from ..control.shared.grips import Grip
from .body_builder import Built
from .stage import Stage

LEVELLING = (64.0, 16.0, 0.03)  # 1/s2, 1/s, m: how hands keep what they hold level, and at most, of their strength


class _Firm(NamedTuple):
    """How a grip holds. up (3,): the vertical in the prop's frame as it was taken. inertia: the prop's, kg m2."""

    constraint: int
    up: Array
    inertia: float


class Holding:
    """The grips of a body on the props of its stage."""

    def __init__(self, stage: Stage, built: Built, character: Character) -> None:
        self._physics, self._props, self._built, self._character = stage.physics, stage.props, built, character
        self._grips: dict[Grip, _Firm | None] = {}
        """With how each that is firm holds."""

    def hold(self, grips: Sequence[Grip]) -> None:
        """Let links hold props from now on, and nothing else: until the next call.

        A grip that is firm is a constraint between both bodies, as strong as it says; the arm that reaches for a prop
        or holds it does not push it about.
        """
        for grip in [own for own in self._grips if own not in grips]:
            firm = self._grips.pop(grip)
            if firm is not None:
                self._physics.removeConstraint(firm.constraint)
            if not any(other.thing == grip.thing and other.arm == grip.arm for other in grips):
                self._touching(grip, True)
        for grip in grips:
            if grip not in self._grips:
                self._touching(grip, False)
                self._grips[grip] = self._taken(grip) if grip.strength > 0.0 else None

    def _touching(self, grip: Grip, touches: bool) -> None:
        """Let an arm touch a prop, or not."""
        own, _ = self._props[grip.thing]
        for link in grip.arm:
            self._physics.setCollisionFilterPair(self._built.body, own, self._built.joints[link], -1, int(touches))

    def _taken(self, grip: Grip) -> _Firm:
        """Return a new hold of a prop where it is now."""
        p, (own, _), joint = self._physics, self._props[grip.thing], self._built.joints[grip.link]
        state = p.getLinkState(self._built.body, joint, computeForwardKinematics=1)
        base = p.getBasePositionAndOrientation(own)
        place, turn = p.multiplyTransforms(*p.invertTransform(*base), *state[:2])
        point = [a - b for a, b in zip(grip.point, self._character.coms[grip.link].tolist(), strict=True)]
        child, _ = p.multiplyTransforms(place, turn, point, (0.0, 0.0, 0.0, 1.0))
        kind = pybullet.JOINT_FIXED if grip.turns else pybullet.JOINT_POINT2POINT
        constraint = p.createConstraint(
            self._built.body, joint, own, -1, kind, (0, 0, 0), point, child, (0.0, 0.0, 0.0, 1.0), turn
        )  # fmt: skip
        p.changeConstraint(constraint, maxForce=grip.strength)
        x, y, z, w = base[1]
        inertia = float(np.mean(p.getDynamicsInfo(own, -1)[2]))
        return _Firm(constraint, quaternion_matrix(np.array((w, x, y, z)))[2], inertia)

    def steady(self) -> None:
        """Apply what hands that hold a prop by points twist it with for the next physics step, so that it stays level.

        A spring and a damper between it and the arms that hold it.
        """
        p = self._physics
        for grip, firm in self._grips.items():
            if firm is None or grip.turns or not grip.levels:
                continue
            own, _ = self._props[grip.thing]
            x, y, z, w = p.getBasePositionAndOrientation(own)[1]
            up = quaternion_matrix(np.array((w, x, y, z))) @ firm.up
            spin = np.array(p.getBaseVelocity(own)[1])
            share = firm.inertia / sum(other.thing == grip.thing for other in self._grips)
            torque = share * (LEVELLING[0] * np.cross(up, (0.0, 0.0, 1.0)) - LEVELLING[1] * spin)
            torque *= min(1.0, LEVELLING[2] * grip.strength / max(float(np.linalg.norm(torque)), 1e-9))
            p.applyExternalTorque(own, -1, torque.tolist(), pybullet.WORLD_FRAME)
            arm = self._built.joints[self._character.parents[grip.link]]
            p.applyExternalTorque(self._built.body, arm, (-torque).tolist(), pybullet.WORLD_FRAME)
