"""A body that takes the poses of a graph, and nothing more: what trials run, and what they are chosen for.

Each joint turns towards its angle by PD control (Laszlo 1996, section 2.3); a level link has its pitch from the
vertical (3.8). Torques are those of the end of the step (``stable_pd``).
"""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np

from ...base.spatial import Array, yawed
from ...character.model import SIDES, Character
from ...preset.keyed import Keyed
from ..shared.angles import angle_places
from ..shared.pose_graph import MIDDLE, Graph, Machine, PoseState, orientations, pose_table, pose_tables
from ..shared.stable_pd import correction
from ..shared.state import BodyState
from ..shared.tracking import Tracker, missing_rotation
from .regulation import Observer
from .settings import LimitCycle

TOUCH = 0.02  # share of the weight on a foot that its sensor takes for the ground
PLANTED = 0.2  # share of the weight from which the ground holds a foot, for the torques of a step's end
FALLEN = 0.6  # of the standing height of the mid-hip
TOPPLED = 0.4  # cosine of the pelvis' tilt
LATEST = (0.6, 1.5)  # s, and times the time of a step's states, after which it is no step any more


class Fitted:
    """One motion on one character's body: its gains, and its torques made safe for the time step."""

    def __init__(self, motion: LimitCycle, character: Character, step: float) -> None:
        """step: s between control steps. Raises DataError for a joint without gains, or an unknown angle."""
        self.motion = motion
        self._steering = Keyed(motion.steering, motion.tracks)
        self.follow(0.0)
        self.tracker = Tracker(character, motion.gains)
        count = len(character.links)
        self._bases = self.tracker.parents.copy()
        self.level = [link for role in motion.level for link, _, _ in angle_places(f"{role}_pitch", character, "L")]
        self._bases[self.level] = count
        self._character, self._step = character, step
        self._corrections: dict[tuple[int, int, bool, bool], Array] = {}
        self._feet = [character.index(f"foot.{side}") for side in SIDES]
        self._graphs = motion.parts[0].graphs
        for part in motion.parts:  # unknown angles are refused before anything is simulated
            for side, graph in enumerate(part.graphs):
                pose_tables(character, graph, side)

    def follow(self, time: float) -> None:
        """Take the motion's numbers of ``time``, s, where any of them is keyed."""
        own = self._steering.at(time)
        if own is not self.motion.steering:
            self.motion = replace(self.motion, steering=own)

    def correction(self, index: int, stance: int, left: bool, right: bool) -> Array:
        """Return the correction (see ``stable_pd``) of a state, by the feet that the ground holds."""
        key = index, stance, left, right
        found = self._corrections.get(key)
        if found is None:
            planted = [foot for foot, held in zip(self._feet, (left, right), strict=True) if held]
            graph = self._graphs[stance]
            pose = self._pose(graph[min(index, len(graph) - 1)], stance)
            found = correction(self.tracker, pose, self.level, planted, _joints_alone, self._step)
            found[:3], found[:, :3] = 0.0, 0.0  # no joint drives the pelvis
            self._corrections[key] = found
        return found

    def _pose(self, state: PoseState, stance: int) -> Array:
        """Return the link rotations (L, 4) that a state aims at."""
        rows = pose_table(self._character, state, stance).at(MIDDLE)[:, :, :3]
        return orientations(rows, self._bases.tolist())


def _joints_alone(tracking: Array) -> Array:
    """Return joint torques (K, L, 3): each joint has its own, and the pelvis has none."""
    torque = tracking.copy()
    torque[:, 0] = 0.0
    return torque


class Posed:
    """A body on its way through one pass of a graph after another. ``copied`` ones go their own ways."""

    def __init__(self, character: Character, observer: Observer, gravity: float, step: float, stance: int) -> None:
        """gravity: m/s2. step: s between control steps. stance: of the first pass; ``begin`` gives its graph."""
        self.character, self.observer = character, observer
        self.machine = Machine((), stance)
        weight = character.mass * gravity
        self._touch, self._planted, self._step = TOUCH * weight, PLANTED * weight, step
        self._soles = np.zeros((len(character.links), 2))
        for side, name in enumerate(SIDES):
            for part in ("foot", "toes"):
                if character.has(f"{part}.{name}"):
                    self._soles[character.index(f"{part}.{name}"), side] = 1.0
        self._longest = 0.0
        self._read: BodyState | None = None  # the state whose loads are kept
        self._loads = (0.0, 0.0)
        self.holds = False  # whether it has come to the end of its last graph and keeps its pose

    def copied(self) -> Posed:
        """Return one that goes on from here by itself."""
        other = copy.copy(self)
        other.machine = copy.copy(self.machine)
        return other

    def begin(self, fitted: Fitted, graph: Graph) -> None:
        """Take this graph for the pass that begins."""
        self.fitted = fitted
        self.machine.graph = graph
        self.tables = pose_tables(self.character, graph, self.machine.stance)
        self._moving = [any(len(knots) > 1 for knots in state.angles.values()) for state in graph]
        self._longest = LATEST[0] + LATEST[1] * sum(state.dwell for state in graph)

    def loads(self, state: BodyState) -> tuple[float, float]:
        """Return the vertical force under the left and the right foot, N."""
        if self._read is not state:
            left, right = (state.loads @ self._soles).tolist()
            self._read, self._loads = state, (left, right)
        return self._loads

    def advance(self, state: BodyState) -> bool:
        """Move on by a control step; return whether a pass has ended, and the other leg is the stance leg."""
        if self.holds:
            return False
        # A state that ends by contact waits for the leg that is to bear: the stance leg of its own pass.
        contact = self.loads(state)[self.machine.stance] > self._touch
        return self.machine.advance(self._step, contact)

    def fallen(self, state: BodyState) -> bool:
        """Return whether it falls, or stands where no step goes on."""
        low = float(state.origins[0, 2]) < FALLEN * self.character.stand_height
        return low or float(state.matrices[0, 2, 2]) < TOPPLED or self.machine.step_time > self._longest

    def torques(self, state: BodyState) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        machine, fitted, matrices = self.machine, self.fitted, state.matrices
        parents = fitted.tracker.parents
        bases, angular_velocities = matrices.take(parents, axis=0), state.angular_velocities.take(parents, axis=0)
        if fitted.level:
            heading = self.observer.heading(state)
            facing = yawed(heading)
            for link in fitted.level:  # one by one: faster than by a list
                bases[link], angular_velocities[link] = facing, 0.0
        reference = bases @ self.tables[machine.index].at(machine.phase)
        if self._moving[machine.index]:
            reference[:, :, 3] *= 1.0 / max(machine.state.dwell, self._step)
        reference[:, :, 3] += angular_velocities - state.angular_velocities
        local = matrices.transpose(0, 2, 1) @ reference  # what is missing, in the link's own axes
        torque = fitted.tracker.kp * missing_rotation(local) + fitted.tracker.kd * local[:, :, 3]
        left, right = self.loads(state)
        correction = fitted.correction(machine.index, machine.stance, left > self._planted, right > self._planted)
        return np.asarray((matrices @ (correction @ torque.reshape(-1)).reshape(-1, 3, 1))[:, :, 0])
