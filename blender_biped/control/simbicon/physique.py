"""A walk on a body of another build than people's: what SIMBICON needs beyond size (see ``similarity``).

Where physics says by how much, a number follows it; exponents that it leaves open were chosen by a few tries
on characters of other builds. For a body built as people are nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from ...base.spatial import Array
from ...character.build import build_of
from ...character.model import Character
from ...character.standard import standard_character
from ..shared.legs import LEFT, Leg, legs_of
from ..shared.pose_graph import SAMPLES, Graph, PoseState
from ..shared.spline import Knots, catmull_rom
from ..shared.tracking import Tracker

Angles = Mapping[str, Knots]
_LEANING = "pelvis_pitch"

HEAVY = 1.2  # of the standard adult's moment of inertia of all above the legs: what people have at most
THIGH_OVER_SHIN = (0.85, 1.25)  # thigh over shin: what people, and their rigs, have at least and at most
STIFFER = 0.5  # exponent: the pelvis under such a trunk
SLOWER, SLOWEST = 1.0, 0.5  # and the walk: exponent, and the share of its speed that is left at least
LEVELLER = 1.0  # the pelvis' roll on wide hips: what it drops by beside the stance hip is breadth times roll
BRAKED = 0.5  # the damping of that: of a spring its root
SOONER = 0.5  # the first step of wide hips: their weight needs to be shifted less far to sway as much
UPRIGHT = (0.95, 1.05)  # of the standard adult's moment over the hips: what leans as people do
LEANS = (0.75, 1.25)  # of it, least and most, that a lean answers: none beyond was tried
STEPS_APART = 0.25  # of the leg: how far apart people's feet are at most


class Physique:
    """How the walk of a gait changes with the build of the body that walks."""

    def __init__(self, character: Character) -> None:
        """character: of reference size. Raises DataError for a body without legs."""
        build = build_of(character)
        self._leg = legs_of(character)[LEFT]
        self._long = build.long
        self._heavy = max(_trunk_moment(character) / (HEAVY * _usual_trunk_moment()), 1.0)
        moment, usual = _shin_moment(character), _usual_shin_moment()
        self._shin = max(moment / usual, 1.0) if _share(self._leg) < THIGH_OVER_SHIN[0] else 1.0
        self.speed = max(self._heavy**-SLOWER, SLOWEST)
        """Share of an adult's speed."""
        self.level = build.wide**LEVELLER
        """How much harder than people's its pelvis is held level on one leg."""
        self.sways = self._heavy > 1.0 or build.wide > 1.0
        """Whether it sways farther than people do."""
        self.shift = build.wide**-SOONER
        """Share of the way that an adult's weight is shifted before the first step."""
        self.carried = 1.0 - 1.0 / build.wide
        """Share of the weight beside the stance hip that the pelvis is given beforehand; of people its error does."""

    def stiffen(self, tracker: Tracker) -> None:
        """Change a tracker's gains to what pelvis and shins of this body need, in place."""
        by = np.ones((len(tracker.kp), 1))
        by[0] = self._heavy**STIFFER
        for i, link in enumerate(tracker.character.links):
            if link.role.startswith("shin"):
                by[i] = self._shin
        tracker.scale(by)
        tracker.kp[0, 0] *= self.level
        tracker.kd[0, 0] *= self.level**BRAKED
        tracker.limit[0] *= self.level

    def graph(self, graph: Graph) -> Graph:
        """Return a gait's graph as this body needs it."""
        share = _share(self._leg)
        if THIGH_OVER_SHIN[0] <= share <= THIGH_OVER_SHIN[1] and self._long == 1.0:
            return graph
        return tuple(replace(state, angles=self._angles(state)) for state in graph)

    def _angles(self, state: PoseState) -> dict[str, Knots]:
        angles = dict(state.angles)
        share = min(max(_share(self._leg), THIGH_OVER_SHIN[0]), THIGH_OVER_SHIN[1])
        if share != _share(self._leg):
            for kind in ("swing", "stance"):
                angles |= same_ankle(angles, kind, self._leg, share)
        if self._long > 1.0:  # feet pitch less the longer they are: their tips go no deeper than others'
            thigh, shin, foot = (_sampled(angles, f"swing_{part}_pitch") for part in ("thigh", "shin", "foot"))
            down = np.maximum(thigh + shin + foot, 0.0)
            angles["swing_foot_pitch"] = _knots(foot - (1.0 - 1.0 / self._long) * down)
        return angles


def lean_of(character: Character, power: float) -> float:
    """Return how many times as far as people's the pelvis of a body leans in a gait. Raises DataError without legs.

    What is above the hips carries the centre of mass ahead of them by its moment times its lean, and so the body on:
    the lower or lighter it is beside the legs, the slower the same poses run.
    """
    least, most = LEANS
    moment = min(max(moment_over_hips(character) / _usual_moment_over_hips(), least), most)
    light, heavy = UPRIGHT
    return float((min(moment / light, 1.0) * max(moment / heavy, 1.0)) ** -power)


def leant(graph: Graph, share: float) -> Graph:
    """Return a gait's graph with a pelvis that leans ``share`` times as far."""
    if share == 1.0:
        return graph
    return tuple(replace(state, angles=_leant(state.angles, share)) for state in graph)


def _leant(angles: Angles, share: float) -> dict[str, Knots]:
    own = tuple((phase, share * angle) for phase, angle in angles.get(_LEANING, ()))
    return {**angles, **({_LEANING: own} if own else {})}


def same_ankle(angles: Angles, kind: str, leg: Leg, share: float) -> dict[str, Knots]:
    """Return the angles with which a leg's ankle and foot are where those of a leg of another share are.

    kind: swing or stance. share: of the other leg, thigh over shin; both are as long.
    """
    thigh, shin, foot = (_sampled(angles, f"{kind}_{part}_pitch") for part in ("thigh", "shin", "foot"))
    upper, lower = leg.thigh_length, leg.shin_length
    other_lower = leg.length / (1.0 + share)
    other_upper = leg.length - other_lower
    square = np.maximum(_square(other_upper, other_lower, shin), (upper - lower) ** 2 + 1e-6)
    bent = np.arccos(np.clip((square - upper**2 - lower**2) / (2.0 * upper * lower), -1.0, 1.0))
    knee = np.sign(shin) * bent
    turned = _over_line(upper, lower, knee) - _over_line(other_upper, other_lower, shin)  # of the shin
    found = {f"{kind}_shin_pitch": _knots(knee), f"{kind}_foot_pitch": _knots(foot - turned)}
    if kind == "swing":  # the stance thigh has no angle of its own
        found["swing_thigh_pitch"] = _knots(thigh + shin + turned - knee)
    return found


def _square(upper: float, lower: float, knee: Array) -> Array:
    """Return the square of the distance from hip to ankle, m2. knee: its angle, rad."""
    return np.asarray(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(knee))


def _over_line(upper: float, lower: float, knee: Array) -> Array:
    """Return by how much the shin is pitched over the line from hip to ankle, rad."""
    return np.asarray(np.arctan2(upper * np.sin(knee), lower + upper * np.cos(knee)))


def _sampled(angles: Angles, name: str) -> Array:
    """Return an angle at even phases of its state, rad."""
    knots = angles.get(name, ((0.0, 0.0),))
    return np.radians(catmull_rom(knots, _phases()) if len(knots) > 1 else np.full(SAMPLES + 1, knots[0][1]))


def _knots(values: Array) -> Knots:
    return tuple(zip(_phases().tolist(), np.degrees(values).tolist(), strict=True))


def _phases() -> Array:
    return np.linspace(0.0, 1.0, SAMPLES + 1)


def _share(leg: Leg) -> float:
    return leg.thigh_length / leg.shin_length


def _trunk_moment(character: Character) -> float:
    """Return the moment of inertia of all but the legs, as of points, about the mid-hip, of m l2 of body and legs."""
    origins, rotations = character.standing()
    above = np.ones(len(character.links), dtype=bool)
    above[[i for leg in legs_of(character) for i in leg.links]] = False
    arms = character.com_positions(origins, rotations)[above] - origins[0]
    size = character.mass * character.leg_length**2
    return float(character.masses[above] @ np.einsum("ij,ij->i", arms, arms)) / size


def moment_over_hips(character: Character) -> float:
    """Return the moment of weight about the hips of all above the legs that lean as one, of m l of body and legs."""
    origins, rotations = character.standing()
    legs = legs_of(character)
    above = np.ones(len(character.links), dtype=bool)
    above[[i for leg in legs for i in leg.links]] = False
    heights = character.com_positions(origins, rotations)[above, 2] - origins[legs[LEFT].thigh, 2]
    return float(character.masses[above] @ heights) / (character.mass * character.leg_length)


def _shin_moment(character: Character) -> float:
    """Return the same of shin and foot about the knee."""
    leg = legs_of(character)[LEFT]
    origins, rotations = character.standing()
    arms = character.com_positions(origins, rotations)[leg.links[1:]] - origins[leg.shin]
    size = character.mass * character.leg_length**2
    return float(character.masses[leg.links[1:]] @ np.einsum("ij,ij->i", arms, arms)) / size


@cache
def _usual_trunk_moment() -> float:
    return _trunk_moment(standard_character())


@cache
def _usual_shin_moment() -> float:
    return _shin_moment(standard_character())


@cache
def _usual_moment_over_hips() -> float:
    return moment_over_hips(standard_character())
