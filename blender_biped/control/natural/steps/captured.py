"""Steps of a captured walk, for any body and speed: what a clip or an action has in place of KLAW's steps.

The periodic trajectories of Yin, Loken and van de Panne 2007, section 5 (``motion.periodic``), as the motion generator
of natural walking: the phase begins at each foot strike, both steps of a stride have their own, and targets have
velocities. Rotations of joints fit any body; how high its hips are follows from its own legs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ....base.curves import eased
from ....base.errors import DataError
from ....base.fields import Fields
from ....base.spatial import Array, matrix_quaternion, nearest_rotations, vector_matrix
from ....character.model import ROLES, Character
from ....character.reference import REFERENCE_LEG
from ....motion.periodic import Periodic, Waves, summed
from ....preset.declared import item, number, table, vector
from ...shared.legs import Leg
from ...shared.limb import drop
from .step_table import GRID, StepKind, StepTable, Tables, mixed_pair, step_table

_LONGER = 0.58  # power of the speed by which steps are longer: people's are (Bruderlin 1988, after Inman 1981: 0.5)
_BENT = 0.5  # power of that by which knees bend more
_BENDING = ("shin", "forearm")
_LEAST = 0.12  # of the captured speed: steps are as at that where it goes slower
_MOST_SPEED = 4.0  # times the captured speed: steps are as at that where it goes faster
_CARRIED = 0.3  # of the standing height at which a stride must carry the centre of mass at least
_SPACING = 0.1  # of the captured speed, between tables
CLEARANCE = 0.035  # m that a swing foot is over the ground at least
_RISING, _LANDING = 0.2, 0.45  # shares of a swing in which it gets there, and comes down
_SOFTENED = 6  # times that what a foot is raised by follows its neighbours
_MOST = 12  # waves of a joint that are read


def _read_turn(f: Fields, name: str) -> Waves:
    """Return a joint's turn: its mean, and rows of cosines and sines of each wave. Raises DataError."""
    rows = f.rows(name, 6)
    if not 2 <= len(rows) <= _MOST + 1:
        raise DataError(f"{f.at(name)}: expected its mean and 1 to {_MOST} waves, found {len(rows)} rows.")
    found = np.array(rows)
    if np.abs(found).max() > 2.0 * np.pi:
        raise DataError(f"{f.at(name)}: a turn is more than a whole one: turns are in rad.")
    return Waves(found[0, :3], found[1:].reshape(-1, 2, 3))


def _read_sway(f: Fields, name: str) -> Array:
    """Return the sway's waves (N, 2, 2), m: cosines and sines, ahead and to the left. Raises DataError."""
    rows = f.rows(name, 4)
    if not 1 <= len(rows) <= _MOST:
        raise DataError(f"{f.at(name)}: expected 1 to {_MOST} waves, found {len(rows)} rows.")
    return np.array(rows).reshape(-1, 2, 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class Captured:
    """A stride of a captured walk or run, of a body with legs of 0.9 m; its phase is 0 where the left foot strikes."""

    source: str = item(lambda f, name: f.text(name, "")[:200], "Source", "What it was captured from", "")
    duration: float = number(None, 0.2, 10.0, "s", "Stride Duration", "How long one stride takes")
    travel: float = number(None, 0.05, 10.0, "m", "Stride Length", "How far one stride goes")
    right: float = number(0.5, 0.2, 0.8, "", "Right Strike", "Phase of the stride at which the right foot strikes")
    lifts: tuple[float, ...] = vector(
        (0.62, 0.12), 2, 0.0, 1.0, "Lifts", "Phases of the stride at which the left and the right foot leave the ground"
    )
    sway: Array = item(
        _read_sway, "Sway", "Of each wave, m: cosines and sines of where the hips are ahead and to the left"
    )
    likeness: tuple[float, ...] = vector(
        (0.0, 0.0, 0.0), 3, -1.0, 1.0, "Likeness",
        "Correlation of hip, knee and ankle with the captured walk, as it was found when the style was made",
    )  # fmt: skip
    rolls: float = number(
        0.0, 0.0, 1.0, "", "Rolling", "How much a foot is pressed where its captured tilt has it, not as usual"
    )  # fmt: skip
    clearance: float = number(
        CLEARANCE, 0.0, 0.2, "m", "Clearance", "How high the captured swing foot passes over the ground at least"
    )  # fmt: skip
    joints: Mapping[str, Waves] = table(
        _read_turn, "Joints", "Of each joint, rad: its mean turn, then cosines and sines of each wave as turns from it",
        lambda: ROLES, required=True,
    )  # fmt: skip

    @property
    def speed(self) -> float:
        """The captured speed, m/s."""
        return self.travel / self.duration

    @property
    def doubles(self) -> tuple[float, float]:
        """Of the steps on the left and on the right foot, the phase at which the foot behind leaves the ground."""
        left, right = self.right, 1.0 - self.right
        return (self.lifts[1] % 1.0) / left, ((self.lifts[0] - self.right) % 1.0) / right


def captured_values(found: Periodic, leg_length: float, source: str) -> dict[str, Any]:
    """Return what a preset says of a stride. leg_length: of the body that walked it, m. source: what it is."""
    length = REFERENCE_LEG / leg_length
    return {
        "source": source,
        "duration": round(found.duration * length**0.5, 5),
        "travel": round(found.travel * length, 5),
        "right": round(found.right, 4),
        "lifts": [round(phase, 4) for phase in found.lifts],
        "sway": [[round(float(v) * length, 5) for v in wave.ravel()] for wave in found.sway],
        "joints": {
            role: [
                [*(round(float(v), 5) for v in turn.mean), 0.0, 0.0, 0.0],
                *([round(float(v), 5) for v in wave.ravel()] for wave in turn.waves),
            ]
            for role, turn in found.joints.items()
        },
    }


class CapturedStrides:
    """The steps of one body in a captured style, at any speed."""

    def __init__(self, character: Character, captured: Captured, legs: tuple[Leg, Leg]) -> None:
        """character: of reference size."""
        self._character, self._captured, self._legs = character, captured, legs
        self._known: dict[int, Tables] = {}

    def tables(self, speed: float, turn: float = 0.0) -> Tables:
        """Return the steps at a speed, m/s. Raises DataError where a body cannot take them.

        turn: rad/s, of a bend, in which they are the same.
        """
        place = min(max(speed / self._captured.speed, _LEAST), _MOST_SPEED) / _SPACING
        i = int(place)
        return mixed_pair(self._at(i), self._at(i + 1), place - i)

    def _at(self, i: int) -> Tables:
        if i not in self._known:
            self._known[i] = self._made(max(i * _SPACING, _LEAST))
        return self._known[i]

    @cached_property
    def standing(self) -> float:
        """How high the mid-hip is above the ground while it stands, m."""
        return self._character.stand_height

    @cached_property
    def posture(self) -> Array:
        """How the links are turned on average (L, 3, 3): how the style carries itself."""
        rotations = np.concatenate([found.rotations[:-1] for found in self.tables(self._captured.speed)])
        return nearest_rotations(rotations.mean(axis=0))

    def _made(self, share: float) -> Tables:
        """Return the steps at a share of the captured speed. Raises DataError where they bring the body down."""
        c = self._captured
        longer = share**_LONGER
        duration, travel = c.duration * longer / share, c.travel * longer
        bounds = ((0.0, c.right), (c.right, 1.0))
        found = []
        for side, (begin, end) in enumerate(bounds):
            phases = begin + np.linspace(0.0, 1.0, GRID + 1) * (end - begin)
            rotations = self._rotations(phases, longer)
            root = self._root(phases, rotations, side, travel, longer)
            double = min(max(c.doubles[side], 0.02), 0.6)
            time = (end - begin) * duration
            made = step_table(
                self._character, self._legs, StepKind(side, time, double), root, matrix_quaternion(rotations)
            )
            if not made.com[:, 2].min() >= _CARRIED * self._character.stand_height:
                raise DataError(
                    f"The captured stride of {c.travel:g} m in {c.duration:g} s brings the body down to the ground at "
                    f"{share * c.speed:.2f} m/s: let it go slower, or capture another stride."
                )
            found.append(replace(self._cleared(made, 1 - side), rolls=self._captured.rolls))
        return found[0], found[1]

    def _cleared(self, step: StepTable, side: int) -> StepTable:
        """Return a step whose swing foot, ``side``, is clear of the ground until it comes down on it, softly."""
        done = np.clip((np.linspace(0.0, 1.0, GRID + 1) - step.double) / (1.0 - step.double), 0.0, 1.0)
        over = (
            self._captured.clearance
            * eased(np.minimum(done / _RISING, 1.0))
            * eased(np.minimum((1.0 - done) / _LANDING, 1.0))
        )
        drops = np.array([drop(self._legs[side], pitch) for pitch in step.pitches[:, side].tolist()])
        lacking = np.maximum(drops + over - step.ankles[:, side, 2], 0.0) * (done > 0.0)
        for _ in range(_SOFTENED):
            lacking[1:-1] = 0.25 * (lacking[:-2] + lacking[2:]) + 0.5 * lacking[1:-1]
        ankles = step.ankles.copy()
        ankles[:, side, 2] += lacking
        return replace(step, ankles=ankles)

    def _rotations(self, phases: Array, longer: float) -> Array:
        """Return the links' orientations (T, L, 3, 3) with turns that are ``longer`` times as far as captured."""
        body, joints = self._character, self._captured.joints
        rotations = np.tile(np.eye(3), (len(phases), len(body.links), 1, 1))
        for i, link in enumerate(body.links):
            turn = joints.get(link.role)
            if turn is not None:
                bends = link.part in _BENDING
                much = longer**_BENT if bends else longer
                rotations[:, i] = vector_matrix(turn.mean) @ vector_matrix(much * summed(turn.waves, phases))
            if link.parent >= 0:
                rotations[:, i] = rotations[:, link.parent] @ rotations[:, i]
        return rotations

    def _root(self, phases: Array, rotations: Array, side: int, travel: float, longer: float) -> Array:
        """Return where the mid-hip is (T, 3), m, so high that the soles are on the ground."""
        sway = summed(self._captured.sway, phases)
        root = np.zeros((len(phases), 3))
        root[:, 0] = travel * phases + longer * sway[:, 0]
        root[:, 1] = sway[:, 1]
        origins = self._character.forward_kinematics(root, matrix_quaternion(rotations))
        heights = []
        for leg in self._legs:
            pitch = np.arctan2(-rotations[:, leg.foot, 2, 0], rotations[:, leg.foot, 2, 2])
            drops = np.array([drop(leg, p) for p in pitch.tolist()])
            heights.append(drops - origins[:, leg.foot, 2])
        share = np.clip(np.linspace(0.0, 1.0, len(phases)) / max(self._captured.doubles[side], 0.05), 0.0, 1.0)
        share = eased(share)
        root[:, 2] = share * heights[side] + (1.0 - share) * heights[1 - side]
        return root
