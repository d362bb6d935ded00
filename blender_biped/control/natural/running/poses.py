"""How a body is held in each moment of a running stride: people's angles by speed, as an animator's words have them."""

from __future__ import annotations

import math

import numpy as np

from ....base.curves import ramp
from ....base.spatial import Array
from ....character.model import ARM, Character
from ...shared.legs import Leg
from ..steps.run_settings import Running
from .angles import ANGLES, GRID, LEANS, People, turned
from .timing import RunTiming

TOES = 0.35  # of a foot's tilt, by which its toes are bent up in the air: they would stub
FOLDS = 0.3  # of an arm's swing, by which its elbow bends more ahead


class PeoplesPoses:
    """The poses of one body that runs as people do, at a speed."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], own: Running, speed: float, timing: RunTiming,
        posture: Array,
    ) -> None:  # fmt: skip
        """speed: m/s. posture (L, 3, 3): of the body as it stands."""
        self._character, self._own, self._posture = character, own, posture
        self.timing, self.people = timing, People(speed)
        self._lean = math.radians(own.lean) * ramp(speed, 0.0, LEANS)
        self.legs = np.tile(posture, (GRID + 1, 1, 1, 1))
        """Orientations of the links (GRID + 1, L, 3, 3), of which those of the legs count."""
        stride = np.linspace(0.0, 1.0, GRID + 1)
        for side, leg in enumerate(legs):
            thigh, knee, foot = _leg(own, self.people, timing.stance, (stride - 0.5 * side) % 1.0)
            toes = foot - TOES * np.clip(foot, 0.0, 1.0)
            for of, pitch in ((leg.thigh, -thigh), (leg.shin, knee - thigh), (leg.foot, foot), (leg.toes, toes)):
                self.legs[:, of] = turned(0.0, pitch, 0.0)

    def rotations(self, more: float) -> Array:
        """Return the links' orientations (GRID + 1, L, 3, 3). more: 0..1, how far arms and chest go beyond people's."""
        own, people, rotations = self._own, self.people, self.legs.copy()
        wave = 2.0 * math.pi * np.linspace(0.0, 1.0, GRID + 1) - math.pi * self.timing.stance
        turns = _trunk(own, people, wave, self._lean, ANGLES.chest + more * (ANGLES.chest_more - ANGLES.chest))
        swings = own.arms * (1.0 + more * (ANGLES.arms_more - 1.0)) * people(ANGLES.arm)
        swung = swings * np.sin(wave + math.radians(ANGLES.before))
        for i, link in enumerate(self._character.links):
            if link.part in turns:
                rotations[:, i] = turns[link.part] @ self._posture[i]
            elif link.part in ARM:
                swing = swung if link.role.endswith("L") else -swung
                rotations[:, i] = _arm(own, link.part, swing) @ self._posture[i]
        return rotations


def _trunk(own: Running, people: People, wave: Array, lean: float, against: float) -> dict[str, Array]:
    """Return how trunk and head are turned, by part. wave: 0 amid the left foot's stance, rad. lean: rad.

    against: times the pelvis' turn, of the chest against it.
    """
    twist = own.twist * people(ANGLES.twist) * np.sin(wave + 0.15)
    lists, none = people(ANGLES.list) * np.cos(wave), np.zeros_like(wave)
    return {
        "pelvis": turned(twist, 0.6 * lean, lists),
        "abdomen": turned(-0.2 * twist, lean, none),
        "chest": turned(-against * twist, lean, none),
        "head": turned(none, 0.2 * lean, none),
    }


def _arm(own: Running, part: str, swings: Array) -> Array:
    """Return how an arm's part is turned (T, 3, 3). swings (T,): of the arm, ahead, rad."""
    raised = turned(0.0, math.radians(ANGLES.arm_behind) - swings, 0.0)
    if part == "upper_arm":
        return raised
    bent = math.radians(own.elbows - ANGLES.elbow) + FOLDS * swings
    return np.asarray(raised @ turned(0.0, -bent, 0.0))


def _leg(own: Running, people: People, stance: float, stride: Array) -> tuple[Array, Array, Array]:
    """Return thigh (ahead), knee and foot (heel up) over a leg's own stride, rad. stance: share of it on the ground."""

    def swing(share: float) -> float:
        return stance + share * (1.0 - stance)

    rad, ahead, behind = math.radians, own.knees * people(ANGLES.thigh), people(ANGLES.behind)
    thighs = [
        (0.0, people(ANGLES.lands)), (0.5 * stance, 0.35 * people(ANGLES.lands)), (swing(0.0), -0.93 * behind),
        (swing(0.08), -behind), (swing(0.40), 0.5 * ahead), (swing(0.70), ahead),
    ]  # fmt: skip
    knees = [
        (0.0, rad(ANGLES.knee_lands)), (0.45 * stance, rad(ANGLES.in_stance)), (swing(0.0), rad(ANGLES.takes_off)),
        (swing(0.44), own.heels * people(ANGLES.knee)), (swing(0.90), rad(ANGLES.straight)),
    ]  # fmt: skip
    ankles = [
        (0.0, rad(-4.0)), (0.5 * stance, rad(-20.0)), (swing(0.0), rad(20.0)), (swing(0.3), rad(-10.0)),
        (swing(0.7), rad(-12.0)),
    ]  # fmt: skip
    thigh, knee = _periodic(thighs, stride), _periodic(knees, stride)
    return thigh, knee, knee - thigh + _periodic(ankles, stride)


def _periodic(knots: list[tuple[float, float]], at: Array) -> Array:
    """Return the values of the periodic cubic spline through knots (share, value) at shares, twice differentiable."""
    x = np.array([k[0] for k in knots])
    y = np.array([k[1] for k in knots])
    n = len(x)
    h = np.diff(np.append(x, x[0] + 1.0))
    slope = np.diff(np.append(y, y[0])) / h
    matrix, right = np.zeros((n, n)), np.zeros(n)
    for i in range(n):
        before = (i - 1) % n
        matrix[i, before] += h[before]
        matrix[i, i] += 2.0 * (h[before] + h[i])
        matrix[i, (i + 1) % n] += h[i]
        right[i] = 6.0 * (slope[i] - slope[before])
    m = np.linalg.solve(matrix, right)
    piece = (np.searchsorted(x, at, side="right") - 1) % n
    u = (at - x[piece]) % 1.0
    bends, after = m[piece], m[(piece + 1) % n]
    return (
        y[piece]
        + u * (slope[piece] - h[piece] * (2.0 * bends + after) / 6.0)
        + u**2 * bends / 2.0
        + u**3 * (after - bends) / (6.0 * h[piece])
    )
