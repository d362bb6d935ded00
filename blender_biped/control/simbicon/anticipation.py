"""Feedback-error learning (Yin 2007, section 6): torques that are given before an error can ask for them.

What pelvis (the "virtual torso torque") and upper body need in each part of a state they are given beforehand, as far
as it has been learnt from what they reacted with there in the steps before; what is left to react to may then be soft.
Legs react alone: the angles of their states jump. A step on the right foot is that on the left one in a mirror.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...base.curves import ramp
from ...base.spatial import Array
from ...character.mirror import mirrored_role
from ...character.model import Character, role_part
from ..shared.legs import LEFT
from ..shared.tracking import Tracker
from .settings import Softness

PARTS = ("pelvis", "abdomen", "chest", "head", "upper_arm", "forearm", "hand")
MOST = 0.2  # rad: feed-forward torques are at most k_p times that (section 7.5)
SMOOTHED = 0.005  # s: standard deviation over which what is learnt from is smoothed
FOLLOWING = 0.2  # share of a state's last duration, and strongest jolt, that the expected ones take over
LASTING = 0.05  # s over which a jolt is felt: strikes are shorter
STARTLED, UNUSUAL = 0.35, 1.8  # of MOST k_p, and times the usual jolt of a state: one that is felt as a push
KNOWN = 0.5  # how well it must know what to expect for that
ALERT, CALMING = 1.5, 0.5  # s that it stays stiff after a push, and in which it becomes soft again
Place = tuple[int, int]
"""Index of a state, and the stance leg."""
_NOWHERE: Place = (-1, -1)
_MIRROR = np.array([-1.0, 1.0, -1.0])  # of a torque about axes ahead, to the left and up, in the sagittal plane


@dataclass
class _Learnt:
    """What is given beforehand in one state: torques (bins, K, 3), N m, of a left stance, over ``duration``, s.

    passes: how many it was learnt from. usual: strongest jolt of a pass. strongest, sums, counts: of the present pass:
    jolt, and by bin the torques that it reacted with, and how many.
    """

    duration: float
    torques: Array
    passes: int = 0
    usual: float = 0.0
    strongest: float = 0.0
    sums: Array = field(init=False)
    counts: Array = field(init=False)

    def __post_init__(self) -> None:
        self.clear()

    def bin(self, time: float) -> int:
        """Return the bin of a time, s since the state began."""
        return min(int(time / self.duration * len(self.torques)), len(self.torques) - 1)

    def add(self, at: int, reacted: Array) -> None:
        """Take torques (K, 3) that it reacted with in a bin into the present pass."""
        self.sums[at] += reacted
        self.counts[at] += 1.0

    def clear(self) -> None:
        """Begin another pass."""
        self.sums, self.counts = np.zeros_like(self.torques), np.zeros(len(self.torques))
        self.strongest = 0.0

    def learn(self, duration: float, rate: float, limit: Array) -> None:
        """Take a share of what it reacted with over (equation 2). duration: of the pass, s. limit (K, 3): N m."""
        visited = self.counts > 0.0
        reacted = self.sums[visited] / self.counts[visited, None, None]
        # Strikes come a little sooner or later: sharper torques than that would add to the next one's error.
        for _ in range(round(2.0 * (SMOOTHED * len(self.torques) / duration) ** 2)):
            beside = np.concatenate((reacted[:1], reacted, reacted[-1:]))
            reacted = 0.5 * reacted + 0.25 * (beside[:-2] + beside[2:])
        self.torques[visited] = np.clip(self.torques[visited] + rate * reacted, -limit, limit)
        self.duration += FOLLOWING * (duration - self.duration)
        self.usual += (FOLLOWING if self.passes else 1.0) * (self.strongest - self.usual)
        self.passes += 1


class Anticipation:
    """The feed-forward torques of one gait on one body, and how soft what it reacts with may be."""

    def __init__(self, character: Character, tracker: Tracker, step: float) -> None:
        """tracker: by whose gains it reacts. step: s between control steps."""
        roles = [link.role for link in character.links]
        self.links = [i for i, role in enumerate(roles) if role_part(role) in PARTS]
        """The K links that it is for, by their places in the body; the pelvis first."""
        own = {roles[i]: k for k, i in enumerate(self.links)}
        self._twins = [own.get(mirrored_role(roles[i]), k) for k, i in enumerate(self.links)]
        # Torques are about the links' own axes, but those of the pelvis, which is held in the heading frame.
        self._axes = [len(roles) if roles[i] == "pelvis" else i for i in self.links]
        self._limit = MOST * tracker.kp[self.links]
        self._step = step
        self._states: dict[int, _Learnt] = {}
        self._place, self._time = _NOWHERE, 0.0
        self._now: _Learnt | None = None
        self._first: list[Array] = []  # of a state that is met for the first time, how long it takes is not known yet
        self._jolt, self._startled = 0.0, False
        self._since, self._until = 0.0, -1.0  # s: when it was pushed, and when it is calm again
        self.reacted, self.anticipated = 0.0, 0.0
        """What the norms of its feedback and its feed-forward torques make over time, N m s: the paper's ratio."""

    def add(
        self, tracking: Array, frames: Array, time: float, place: Place, in_state: float, settings: Softness
    ) -> None:
        """Add what is anticipated to tracking torques (L, 3), world, N m, in place, and soften them.

        frames (L + 1, 3, 3): of the links, and last that of the heading, world. time: s. in_state: since this state.
        """
        if place != self._place or in_state < self._time:
            self._end(settings)
            self._place, self._now = place, self._states.get(place[0])
        self._time = in_state
        axes = frames[self._axes]
        felt = np.einsum("lji,lj->li", axes, tracking[self.links])
        jolt = float(np.abs(felt[0] / self._limit[0]).max())
        self._jolt += (jolt - self._jolt) * min(self._step / LASTING, 1.0)
        learnt = self._now
        if learnt is None:
            given, reacted = np.zeros_like(felt), felt
            self._first.append(self._mirrored(reacted))
        else:
            known = 1.0 - (1.0 - settings.rate) ** learnt.passes
            self._feel(learnt, time, known, settings.reaction)
            at = learnt.bin(in_state)
            given = self._mirrored(learnt.torques[at])
            reacted = felt * (1.0 - settings.softness * known * (1.0 - self._stiffened(time, settings.reaction)))
            learnt.add(at, self._mirrored(reacted))
        self.reacted += float(np.linalg.norm(reacted)) * self._step
        self.anticipated += float(np.linalg.norm(given)) * self._step
        tracking[self.links] = np.einsum("lij,lj->li", axes, reacted + given)

    def pause(self) -> None:
        """Leave the present pass unlearnt: the walk stands, or goes on otherwise."""
        if self._now is not None:
            self._now.clear()
        self._place, self._now, self._time = _NOWHERE, None, 0.0
        self._first.clear()

    def _feel(self, learnt: _Learnt, time: float, known: float, reaction: float) -> None:
        """Notice a push: the pelvis needs much that was not to be expected. known: 0..1, how well that is. s."""
        learnt.strongest = max(learnt.strongest, self._jolt)
        if known > KNOWN and self._jolt > max(STARTLED, UNUSUAL * learnt.usual):
            if time > self._until:
                self._since = time
            self._until = time + reaction + ALERT + CALMING
            self._startled = True

    def _stiffened(self, time: float, reaction: float) -> float:
        """Return how stiff, 0..1, it is since it was pushed, after it has had the time, s, to react."""
        if time < self._since + reaction:
            return 0.0
        return ramp(self._until - time, 0.0, CALMING)

    def _end(self, settings: Softness) -> None:
        """Learn from the pass that ends; what happens once, as a push does, is not to be expected again."""
        learnt, duration = self._now, self._time + self._step
        if learnt is None and len(self._first) > 1:
            count = max(round(duration / max(settings.bin, self._step)), 1)
            learnt = self._states[self._place[0]] = _Learnt(duration, np.zeros((count, len(self.links), 3)))
            for k, reacted in enumerate(self._first):
                learnt.add(learnt.bin(k * self._step), reacted)
        if learnt is not None:
            if not self._startled:
                learnt.learn(duration, settings.rate, self._limit)
            learnt.clear()
        self._startled = False
        self._first.clear()

    def _mirrored(self, torque: Array) -> Array:
        """Return torques (K, 3) of a right stance for a left one, and back; those of a left one as they are."""
        return torque if self._place[1] == LEFT else torque[self._twins] * _MIRROR
