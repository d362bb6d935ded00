"""A character as a PyBullet multibody in its world: torques in, states out.

One ``Engine`` is one body on a ``Stage``: of its own, or with companions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pybullet

from ..base.errors import DataError
from ..base.spatial import Array
from ..character.model import Character
from ..control.shared.grips import Grip
from ..control.shared.state import BodyState
from ..world.floor import Floor
from ..world.world import EMPTY, World
from .blowing import Blowing
from .body_builder import BodyBuilder
from .bound import Bound
from .holding import Holding
from .options import EngineOptions
from .placing import Placing
from .reading import StateReader, Upright
from .stage import Stage
from .torques import Torques
from .touching import Touching

USUAL = EngineOptions()


class Engine(AbstractContextManager["Engine"]):
    """One character in a physics world. Use as a context manager, or call ``close``."""

    def __init__(
        self, character: Character, ground: float = 0.0, world: World = EMPTY, options: EngineOptions = USUAL,
        stage: Stage | None = None,
    ) -> None:  # fmt: skip
        """Build the body in its standing pose with its soles on the ground at height ``ground``, m.

        world: what else there is, and its ground in place of the flat one. stage: the world that it shares with
        others, whose things are those of the first one; ``close`` leaves it open.

        Raises DataError for links that are not depth first, and for a planar body with other joints than hinges (see
        ``character.planar``).
        """
        if options.planar and not character.hinged:
            raise DataError(f"character.links of {character.name!r}: a planar body has hinges only.")
        self.character, self._ground, self._floor = character, ground, Floor(ground, world.ground)
        self.time = 0.0
        self.stage = stage or Stage(options.step, options.iterations, shared=False)
        p, first = self.stage.physics, not self.stage.members
        self.ground_body = self.stage.ground(ground, world)
        cornered = _cornered(character, world) if options.corners else frozenset()
        self.built = BodyBuilder(p, character, options, cornered, self.stage.shared).build()
        self.body = self.built.body
        self.touching = Touching(self.stage, self.built, character, self.ground_body, world.empty)
        """What it touches."""
        if options.ragdoll and not options.planar:
            self.touching.keep_apart()
        if first:
            self.stage.furnish(world.things)
        self.stage.members.append(self)
        self._torques = Torques(p, self.built, character, options.fastest)
        self._placing, self._reader = Placing(p, self.built, character), StateReader(p, self.built, character)
        self._upright = Upright(character, self._floor, ground)
        self._holding = Holding(self.stage, self.built, character)
        self._blowing = Blowing(self.stage, self.built, character, world.winds, first)
        self._kept, self._trying = _KeptWorld(p), False
        self.place(*character.standing())
        reading = self._reader.read()
        self._pose = reading.origins[0], reading.rotations
        self.last = reading.state(0.0, np.zeros(len(character.links)))
        """What ``state`` has returned last."""

    def place(self, origins: Array, rotations: Array, velocity: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Put the body in a pose: link rotations (L, 4) w, x, y, z; mid-hip at origins[0] (3,), above the flat ground.

        Where the ground is not flat, heights are the world's.

        ``velocity`` (3,): of the whole body, m/s. Joint speeds become zero. A planar body's plane is from now on the
        vertical one through the mid-hip along the pelvis' x axis; what leaves that plane is left out.
        """
        self.touching.on_ground(False)
        self._kept.forget()
        root = np.asarray(origins)[0] + (0.0, 0.0, self._ground if self._floor.flat else 0.0)
        self._placing.place(root, np.asarray(rotations), velocity)

    def held(self) -> Callable[[], None]:
        """Return what keeps the body, which is not planar, still where the last state has it.

        To be called before each physics step. Whatever touches the body finds it in the way, and moves it by no more
        than a step's motion.
        """
        return self._placing.hold(*self._pose)

    def state(self) -> BodyState:
        """Return the body's state now."""
        reading = self._reader.read()
        self._pose = reading.origins[0], reading.rotations
        # until then only soles can touch the ground
        if not (self.touching.whole or self._upright(reading.origins, reading.matrices)):
            self.touching.on_ground(True)
        self.last = reading.state(self.time, self.touching.loads(self))
        return self.last

    def pose(self) -> tuple[Array, Array]:
        """Return the mid-hip (3,), m, and the orientation of each link (L, 4), w, x, y, z, world, in the last state."""
        return self._pose

    def apply(self, torques: Array, matrices: Array) -> Array:
        """Set each joint's torque until the next call of ``step``; return what its axes let through.

        torques (L, 3): on each link by its joint, world axes, N m. matrices (L, 3, 3): the orientations in
        the state that they were computed from.
        """
        return self._torques.apply(torques, matrices, not self._trying)

    def again(self) -> None:
        """Apply the last torques for the next physics step, too: the trial of a companion is no more exact."""
        self._torques.again()

    def touch_itself(self) -> None:
        """Let links touch each other from now on, but for those that overlap now, as at joints: these never do."""
        self.touching.itself()

    def touched(self) -> bool:
        """Return whether a companion has pushed the body in the last step."""
        return self.touching.pushed(self)

    def deep(self) -> float:
        """Return how deep it is in any thing or companion, m; 0 where it is in none."""
        return self.stage.deep(self)

    def things(self) -> Array:
        """Return place (3,), m, and orientation (4,), w, x, y, z, of each prop's frame now: (P, 7)."""
        return self.stage.things()

    def grip(self, grips: Sequence[Grip]) -> None:
        """Let links hold props from now on, and nothing else: until the next call. See ``Holding``."""
        self._holding.hold(grips)

    def steady(self) -> None:
        """Apply what hands that hold a prop twist it with for the next physics step, so that it stays level."""
        self._holding.steady()

    def blow(self, time: float) -> None:
        """Apply what winds do at ``time``, s, for the next physics step. See ``Blowing``."""
        self._blowing.blow(time, self.last.coms)

    def push(self, link: int, force: Sequence[float], point: Sequence[float] | None = None) -> None:
        """Apply a force (3,), N, world, on a link for the next physics step.

        point (3,): where, in its frame, m; None for its centre of mass.
        """
        p, joint = self.stage.physics, self.built.joints[link]
        if point is not None:
            place = self.last.origins[link] + self.last.matrices[link] @ np.array(point)
            p.applyExternalForce(self.body, joint, list(force), place.tolist(), pybullet.WORLD_FRAME)
            return
        at = p.getBasePositionAndOrientation(self.body)[0] if joint < 0 else p.getLinkState(self.body, joint)[0]
        p.applyExternalForce(self.body, joint, list(force), at, pybullet.WORLD_FRAME)

    def step(self) -> None:
        """Advance by one control step with the torques that were applied; with companions, ``Stage.step`` does.

        In trials of such a body its companions apply the torques that they applied last.
        """
        if not self._trying:
            self._kept.forget()
        elif self.stage.shared:
            for other in self.stage.others(self):
                other.again()
        self.stage.physics.stepSimulation()
        self.time += self.stage.step_time

    def stepped(self) -> None:
        """Note that the stage has made a step."""
        self._kept.forget()
        self.time += self.stage.step_time

    def tried(self, run: Callable[[], None]) -> None:
        """Call ``run``, which may step and apply, and put the world back as it was, bit for bit.

        ``last``, the state that was read last, is back too: contacts read anew before the next step would be stale.
        Links that the ground does not touch now, it does not touch in ``run`` either.
        """
        self._kept.keep()
        time, pose, last, whole = self.time, self._pose, self.last, self.touching.whole
        self.touching.whole = self._trying = True
        try:
            run()
        finally:
            self._kept.restore()
            self.time, self._pose, self.last, self.touching.whole = time, pose, last, whole
            self._trying = False

    def close(self) -> None:
        """End its own physics world."""
        if not self.stage.shared:
            self.stage.close()

    def __exit__(self, *_: Any) -> None:
        self.close()


class _KeptWorld:
    """A physics world as it was, while trials go back to it."""

    def __init__(self, physics: Bound) -> None:
        self._physics = physics
        self._kept: int | None = None

    def keep(self) -> None:
        """Keep it as it is, once: it serves all trials of an instant, and to keep it takes as long as 20 steps."""
        if self._kept is None:
            self._kept = self._physics.saveState()

    def restore(self) -> None:
        """Let it be as it was kept."""
        self._physics.restoreState(self._kept)

    def forget(self) -> None:
        """Give up what is kept."""
        if self._kept is not None:
            self._physics.removeState(self._kept)
            self._kept = None


def _cornered(character: Character, world: World) -> frozenset[int]:
    """Return the soles that can touch a world's ground by their corners: boxes on a flat one, among nothing else."""
    if world.ground is not None or world.things:
        return frozenset()
    return frozenset(i for i in character.soles if character.links[i].shape.kind == "box")
