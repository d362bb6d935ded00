"""One physics world, which one character is in, or several that touch each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pybullet

from ..base.spatial import Array, quaternion_matrix
from ..character.reference import GRAVITY
from ..control.shared.clock import ITERATIONS, step_policy
from ..world.terrain import Terrain
from ..world.things import Thing
from ..world.world import World
from . import masks, shapes
from .bound import Bound, xyzw


class Member(Protocol):
    """A body on a stage."""

    @property
    def body(self) -> int:
        """PyBullet's number of it."""

    def again(self) -> None:
        """Apply its last torques for the next step, too."""

    def stepped(self) -> None:
        """Note that a step was made."""


@dataclass(frozen=True)
class GroundBody:
    """A ground of a stage. body: PyBullet's number. group: see ``masks``. The rest is what it was made of."""

    body: int
    group: int
    height: float
    terrain: Terrain | None
    friction: float

    def is_of(self, height: float, world: World) -> bool:
        """Return whether it is a world's ground; height, m: of a flat one."""
        level = world.ground is not None or self.height == height
        return level and self.terrain == world.ground and self.friction == world.friction


class Stage:
    """A physics world. Use ``close`` in the end."""

    def __init__(self, step: float, iterations: int = ITERATIONS, shared: bool = True) -> None:
        """step: s between control steps, of all who are in it. iterations: of the contact solver in one, at most.

        shared: whether several bodies may be in it.
        """
        self._client = pybullet.connect(pybullet.DIRECT)
        if self._client < 0:
            raise RuntimeError("The physics engine could not be started.")
        self.step_time, self.shared = step, shared
        self.physics = Bound(self._client)
        self.members: list[Member] = []
        self.props: list[tuple[int, Thing]] = []
        """What can be moved beside the bodies, as the first member has put it there."""
        self._things: list[int] = []
        self._grounds: list[GroundBody] = []
        p, policy = self.physics, step_policy(step)
        p.setGravity(0.0, 0.0, -GRAVITY)
        p.setPhysicsEngineParameter(
            fixedTimeStep=step, numSolverIterations=iterations, deterministicOverlappingPairs=1,
            contactBreakingThreshold=policy.look_ahead,
            solverResidualThreshold=policy.settled,
            enableConeFriction=0,  # a pyramid is solved faster, and loaded feet creep less in sixteen iterations
        )  # fmt: skip

    def ground(self, height: float, world: World) -> GroundBody:
        """Return the ground of a world, the same for all who have the same one. height, m: of a flat one."""
        for found in self._grounds:
            if found.is_of(height, world):
                return found
        p, place = self.physics, len(self._grounds)
        if world.ground is None:
            body = p.createMultiBody(0.0, shapes.plane(p), basePosition=(0.0, 0.0, height))
        else:
            body = p.createMultiBody(0.0, shapes.mesh(p, world.ground))
        p.changeDynamics(body, -1, lateralFriction=world.friction)
        if self.shared or not world.empty:
            group = masks.ground_group(place)
            p.setCollisionFilterGroupMask(body, -1, group, masks.ground_mask(place, self.shared))
        made = GroundBody(body, masks.ground_group(place), height, world.ground, world.friction)
        self._grounds.append(made)
        return made

    def furnish(self, things: Sequence[Thing]) -> None:
        """Put things into the world."""
        p = self.physics
        for thing in things:
            own = p.createMultiBody(thing.mass, shapes.of_solid(p, thing.solid), baseInertialFramePosition=thing.com)
            turn = np.array(thing.rotation)
            place = np.array(thing.place) + quaternion_matrix(turn) @ np.array(thing.com)
            p.resetBasePositionAndOrientation(own, place.tolist(), xyzw(turn))
            p.changeDynamics(own, -1, lateralFriction=thing.friction)
            self._things.append(own)
            if thing.loose:
                p.setCollisionFilterGroupMask(own, -1, masks.PROP, masks.ON_PROP)
                self.props.append((own, thing))
            else:
                p.setCollisionFilterGroupMask(own, -1, masks.OBSTACLE, masks.ON_OBSTACLE)

    def things(self) -> Array:
        """Return place (3,), m, and orientation (4,), w, x, y, z, of each prop's frame now: (P, 7)."""
        found = np.empty((len(self.props), 7))
        for row, (own, thing) in zip(found, self.props, strict=True):
            place, (x, y, z, w) = self.physics.getBasePositionAndOrientation(own)
            row[3:] = w, x, y, z
            row[:3] = np.array(place) - quaternion_matrix(row[3:]) @ np.array(thing.com)
        return found

    def others(self, member: Member) -> list[Member]:
        """Return all members but one."""
        return [other for other in self.members if other is not member]

    def step(self) -> None:
        """Advance all by one control step with the torques that were applied."""
        for member in self.members:
            member.stepped()
        self.physics.stepSimulation()

    def leave(self, member: Member) -> None:
        """Take a body out of the world."""
        self.members.remove(member)
        self.physics.removeBody(member.body)

    def distance(self, one: Member, other: Member) -> float:
        """Return how far two bodies are apart, m; negative where they are in each other, 1 where it is more."""
        return self._apart(one.body, other.body, 1.0)

    def deep(self, member: Member) -> float:
        """Return how deep a body is in any thing or other body, m; 0 where it is in none."""
        others = [*self._things, *(other.body for other in self.others(member))]
        return -min((self._apart(member.body, other, 0.0) for other in others), default=0.0)

    def _apart(self, one: int, other: int, within: float) -> float:
        """Return how far two of the engine's bodies are apart, m; ``within`` where it is more."""
        found = self.physics.getClosestPoints(one, other, within)
        return min((float(point[8]) for point in found), default=within)

    def close(self) -> None:
        """End this physics world."""
        pybullet.disconnect(self._client)
