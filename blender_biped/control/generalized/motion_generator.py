"""The motion generator: what a style says of each link, by the phase of a step (Coros 2010, section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array
from ...character.model import SIDES, Character
from ..shared.angles import StyleTable
from ..shared.frames import Frames
from ..shared.legs import LEFT, RIGHT, Leg
from ..shared.spline import Knots

AMPLITUDES = tuple(0.3 + 0.1 * i for i in range(10))  # of the style, by speed; chosen anew each step
UPRIGHT = ("pelvis", "abdomen", "chest", "head")  # links whose orientations are in the heading frame
STAND = -1.0  # in place of a phase


class MotionGenerator:
    """Reference orientations of one character's links in one style, of an amplitude that goes with the speed."""

    def __init__(
        self, character: Character, style: Mapping[str, Knots], legs: tuple[Leg, Leg], usual_speed: float
    ) -> None:
        """style: trajectories by name, see ``angles``. usual_speed: m/s, at which it is as written."""
        self.upright = [i for i, link in enumerate(character.links) if link.role in UPRIGHT]
        self._character, self._style, self.usual_speed = character, style, usual_speed
        self._tables: dict[tuple[int, int], StyleTable] = {}
        self._level = 0
        parents = np.array(character.parents)
        count = len(parents)
        self._standing = np.where(parents < 0, 0, parents)
        self._standing[self.upright] = count
        self._bases = [
            [_with(self._standing, link, count + 1) for link in (swing.foot, swing.thigh)]
            for swing in (legs[1 - stance] for stance in (LEFT, RIGHT))
        ]

    @property
    def amplitude(self) -> float:
        """The style's amplitude, 1 as written."""
        return AMPLITUDES[self._level]

    def begin_step(self, speed: float) -> None:
        """Choose the amplitude for a desired speed, m/s."""
        amplitude = speed / self.usual_speed
        self._level = min(range(len(AMPLITUDES)), key=lambda i: abs(AMPLITUDES[i] - amplitude))

    def table(self, stance: int) -> StyleTable:
        """Return the style's table for a stance leg."""
        key = self._level, stance
        if key not in self._tables:
            self._tables[key] = StyleTable(self._character, self._style, SIDES[stance], self.amplitude)
        return self._tables[key]

    def standing(self, frames: Frames) -> Array:
        """Return the reference (L, 3, 4), see ``Frames.reference``, of a body that stands."""
        return frames.reference(self._standing, self.table(LEFT).at(STAND), 1.0)

    def walking(self, frames: Frames, stance: int, phase: float, trailing: bool, step_time: float) -> Array:
        """Return the reference (L, 3, 4) in a step of ``step_time`` s.

        frames: with two headings, the body's and that of the swing or trailing leg. Upright in the second are the
        trailing thigh, then, no longer ``trailing``, the swing foot.
        """
        return frames.reference(self._bases[stance][trailing], self.table(stance).at(phase, trailing), step_time)


def _with(bases: NDArray[np.int_], link: int, base: int) -> NDArray[np.int_]:
    found: NDArray[np.int_] = bases.copy()
    found[link] = base
    return found


def rows_of(turn: Sequence[float], spin: float) -> tuple[tuple[float, ...], ...]:
    """Return a link's reference (3, 4) of a rotation (9 numbers, row by row) that turns about z by ``spin``, rad/s."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = turn
    return (xx, xy, xz, 0.0), (yx, yy, yz, 0.0), (zx, zy, zz, spin)
