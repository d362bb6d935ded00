"""One physics world, which one character is in, or several that touch each other."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import pybullet

from ..character.reference import GRAVITY
from ..control.shared.clock import ITERATIONS, step_policy


class Member(Protocol):
    """A body on a stage."""

    @property
    def body(self) -> int:
        """PyBullet's number of it."""

    def again(self) -> None:
        """Apply its last torques for the next step, too."""

    def stepped(self) -> None:
        """Note that a step was made."""


class Stage:
    """A physics world. Use ``close`` in the end."""

    def __init__(self, step: float, iterations: int = ITERATIONS) -> None:
        """step: s between control steps, of all who are in it. iterations: of the contact solver in one, at most."""
        self._client = pybullet.connect(pybullet.DIRECT)
        if self._client < 0:
            raise RuntimeError("The physics engine could not be started.")
        self.step_time = step
        self.physics = Bound(self._client)
        self.members: list[Member] = []
        self.props: list[Any] = []
        """What can be moved beside the bodies, as the first member has put it there."""
        p, policy = self.physics, step_policy(step)
        p.setGravity(0.0, 0.0, -GRAVITY)
        p.setPhysicsEngineParameter(
            fixedTimeStep=step, numSolverIterations=iterations, deterministicOverlappingPairs=1,
            contactBreakingThreshold=policy.look_ahead,
            solverResidualThreshold=policy.settled,
            enableConeFriction=0,  # a pyramid is solved faster, and loaded feet creep less in sixteen iterations
        )  # fmt: skip

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
        found = self.physics.getClosestPoints(one.body, other.body, 1.0)
        return min((float(point[8]) for point in found), default=1.0)

    def close(self) -> None:
        """End this physics world."""
        pybullet.disconnect(self._client)


class Bound:
    """PyBullet's functions for one physics world."""

    def __init__(self, client: int) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        bound = partial(getattr(pybullet, name), physicsClientId=self._client)
        setattr(self, name, bound)
        return bound
