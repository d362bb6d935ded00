"""A gait on one character's body: its gains scaled, its states as tables, its torques made safe for the time step."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array
from ...character.model import SIDES, Character
from ...character.standard import standard_character
from ...preset.keyed import Keyed
from ..shared.angles import angle_places
from ..shared.legs import LEFT, RIGHT, Leg
from ..shared.pose_graph import MIDDLE, Graph, PoseState, orientations, pose_table
from ..shared.root_torque import Pair, RootTorque
from ..shared.stable_pd import corrected, correction
from ..shared.stand import Stand, assembled, standing_pose
from ..shared.standing import tracked_shares
from ..shared.state import BodyState
from ..shared.tracking import Tracker, moments
from .anticipation import Anticipation
from .feedback import feedback_of
from .physique import Physique, lean_of, leant
from .settings import Gait

SHARE_STEPS = 4  # steps of the legs' shares: each has a correction of its own
SPINE = ("abdomen", "chest", "head")
STIFFEST = 4.0  # times the standard spine's gains


class FittedState:
    """One state for one stance leg: ``table`` of its angles, ``feedback``, and the ``links`` that this turns."""

    def __init__(self, character: Character, state: PoseState, stance: int, swing_thigh: int) -> None:
        """Raises DataError for an unknown name of an angle."""
        self.feedback = feedback_of(state.feedback, character, stance)
        self.links = sorted({swing_thigh, *(row.link for row in self.feedback)})
        self.table = pose_table(character, state, stance, self.links)


class FittedGait:
    """One gait for one character."""

    def __init__(
        self, gait: Gait, character: Character, legs: tuple[Leg, Leg], root_torque: RootTorque, step: float
    ) -> None:
        """step: s between control steps. Raises DataError for a joint without gains or an unknown angle."""
        self._keyed = Keyed(gait, gait.tracks)
        self.gait = self._keyed.at(0.0)
        self.tracker = Tracker(character, gait.gains, stiffer(character))
        # Runs live on their speed, and in a plane nothing sways: both stay as they are, but for a run's lean.
        self.physique = None if character.hinged or gait.slowest > 0.0 or gait.on_both_feet else Physique(character)
        """What a walk needs on this body."""
        if self.physique:
            self.physique.stiffen(self.tracker)
        self._lean = lean_of(character, gait.lean) if gait.lean and not character.hinged else 1.0
        self.anticipation = Anticipation(character, self.tracker, step) if gait.anticipates else None
        """What trunk and arms are given beforehand."""
        self.hip_limit = float(self.tracker.limit[legs[LEFT].thigh])
        self.bases = [self._base_indices(character, legs, stance) for stance in (LEFT, RIGHT)]
        """By stance leg, what frame each link (L,) has its orientation in: its parent's place, L: the heading frame."""
        pose = standing_pose(character, legs, gait.standing.knee, gait.standing.elbow)
        self.stand = Stand(character, legs, self.tracker, root_torque, pose, step)
        self._character, self._legs, self._root_torque, self._step = character, legs, root_torque, step
        self._graphs: dict[tuple[int, int], Graph] = {}
        self._states: dict[tuple[int, int, int], FittedState] = {}
        self._corrections: dict[tuple[Pair, int, tuple[bool, bool], int], Array] = {}
        for _, left, right in gait.keys:  # unknown angles are refused before anything is simulated
            for state in left if right is left else (*left, *right):
                FittedState(character, state, LEFT, legs[RIGHT].thigh)

    def follow(self, time: float) -> None:
        """Take the gait's numbers of ``time``, s, where any of them is keyed."""
        self.gait = self._keyed.at(time)

    def graph(self, level: int, stance: int) -> Graph:
        """Return the graph for one of the gait's levels of speed on a stance leg."""
        key = level, stance
        if key not in self._graphs:
            graph = self.gait.graph(level, stance)
            fitted = self.physique.graph(graph) if self.physique and not self.gait.posed else graph
            self._graphs[key] = leant(fitted, self._lean)
        return self._graphs[key]

    def state(self, level: int, index: int, stance: int) -> FittedState:
        """Return state ``index`` of that graph for a stance leg."""
        key = level, index, stance
        if key not in self._states:
            state, thigh = self.graph(level, stance)[index], self._legs[1 - stance].thigh
            self._states[key] = FittedState(self._character, state, stance, thigh)
        return self._states[key]

    def assembled(self, tracking: Array, weights: Pair, tracked: Pair) -> Array:
        """Return joint torques (..., L, 3) of the links' tracking torques (..., L, 3); linear.

        weights: shares of the hips in what the pelvis needs (3.2). tracked: of each thigh's own tracking that stays.
        """
        return assembled(self._root_torque, tracking, weights, tracked)

    def corrected(
        self, state: BodyState, torque: Array, weights: Pair, stance: int, down: tuple[bool, bool], index: int = 0
    ) -> Array:
        """Return PD torques (L, 3) as they must be for one control step (``stable_pd``).

        weights: as ``assembled`` was given. stance: whose bases hold. down: which feet the ground holds.
        index: of the state whose pose the body is about to have.
        """
        key = weights, stance, down, index
        if key not in self._corrections:
            self._corrections[key] = self._correction(*key)
        return corrected(self._corrections[key], state.matrices, torque)

    def _correction(self, weights: Pair, stance: int, down: tuple[bool, bool], index: int) -> Array:
        bases = self.bases[stance]
        tracked = tracked_shares(weights, 1.0)
        planted = [leg.foot for leg, held in zip(self._legs, down, strict=True) if held]
        upright = np.flatnonzero(bases == len(bases)).tolist()
        return correction(
            self.tracker, self._pose(bases, stance, index), upright, planted,
            lambda tracking: self.assembled(tracking, weights, tracked), self._step,
        )  # fmt: skip

    def _pose(self, bases: NDArray[np.int_], stance: int, index: int) -> Array:
        """Return the link rotations (L, 4) that a state aims at in the middle of its time."""
        rows = self.state(self.gait.levels // 2, index, stance).table.at(MIDDLE)[:, :, :3]
        return orientations(rows, bases.tolist())

    def _base_indices(self, character: Character, legs: tuple[Leg, Leg], stance: int) -> NDArray[np.int_]:
        bases = self.tracker.parents.copy()
        for role in self.gait.level:
            for link, _, _ in angle_places(f"{role}_pitch", character, SIDES[stance]):
                bases[link] = len(bases)
        bases[[0, legs[LEFT].thigh, legs[RIGHT].thigh]] = len(bases)
        return bases


def stiffer(character: Character) -> Array:
    """Return how much stiffer (L,) a spine must be than the standard body's that gaits are made for, at least 1.

    A big head or a long trunk on short legs swings the more, and the spine between is what holds it.
    """
    usual = _usual_moments()
    factors = np.ones(len(character.links))
    for i, (link, moment) in enumerate(zip(character.links, moments(character).tolist(), strict=True)):
        if link.role in usual:
            factors[i] = min(max(moment / usual[link.role], 1.0), STIFFEST)
    return factors


@cache
def _usual_moments() -> dict[str, float]:
    body = standard_character()
    found = moments(body)
    return {role: float(found[body.index(role)]) for role in SPINE}
