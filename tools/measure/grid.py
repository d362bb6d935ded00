# SPDX-License-Identifier: GPL-3.0-or-later
"""The grid that walks are measured on: paths, characters, speeds, and the jobs that they make.

A development program's part; numpy only, so that it also starts where there is no Blender.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from blender_biped.character.model import Character
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.preset.preset import Preset, Speeds, speeds_of
from blender_biped.preset.transitions import own_ending
from blender_biped.world.path import Path

SPEEDS = (0.4, 0.6, 0.8, 1.0, 1.2, 1.4)  # m/s, whatever the legs' length: what an animator wants
MIN_SPEED = 0.1  # m/s, the panel's own limit
STAYING = 15.0  # s of a gait that stays where it is
DEFAULT_CHARACTER = "standard"
_BELOW = 0.05  # m/s slower than where it runs, that such a style walks at most here
_ROUND = 1e-6  # mm/s that are no difference


def characters() -> dict[str, Character]:
    """Return every body of the grid by its name: the standard adult, and variations of its build."""
    standard = standard_character()
    found = {
        DEFAULT_CHARACTER: standard,
        "short-legs": standard_character(leg_scale=0.8),
        "long-legs": standard_character(leg_scale=1.2),
        "light": standard_character(45.0),
        "heavy": standard_character(110.0),
        "big-head": grown(standard, {"head": 1.6}),
        "wide-hips": _wide_hips(standard, 1.5),
    }
    return {name: replace(body, name=name) for name, body in found.items()}


def grown(character: Character, scales: Mapping[str, float]) -> Character:
    """Return a character with some links (by role) grown evenly in all directions; what hangs on them stays put."""
    links = list(character.links)
    for role, scale in scales.items():
        i = character.index(role)
        link = links[i]
        x, y, z = (scale * c for c in link.com)
        a, b, c = (scale**5 * v for v in link.inertia)
        shape = replace(
            link.shape,
            center=_scaled(link.shape.center, scale),
            half=_scaled(link.shape.half, scale),
            radius=scale * link.shape.radius,
        )
        links[i] = replace(link, mass=scale**3 * link.mass, com=(x, y, z), inertia=(a, b, c), shape=shape)
    return replace(character, links=tuple(links))


def _wide_hips(character: Character, scale: float) -> Character:
    """Return a character whose hip joints are further apart."""
    links = [
        replace(k, offset=(k.offset[0], scale * k.offset[1], k.offset[2])) if k.role.startswith("thigh") else k
        for k in character.links
    ]
    return replace(character, links=tuple(links))


def _scaled(values: tuple[float, float, float], scale: float) -> tuple[float, float, float]:
    x, y, z = (scale * v for v in values)
    return (x, y, z)


def speeds(style: Preset, character: Character) -> tuple[float, ...]:
    """Return the speeds, m/s, at which a character walks with a style, rising: for a gait, a few within its range.

    Raises DataError when the preset is unusable.
    """
    own = speeds_of(style)
    if own is None:
        return SPEEDS
    slowest = max(own.slowest, min(SPEEDS[0], own.usual))  # slower ones hardly get to the path's end
    low, high = gait_range(own, character)
    found = (_for(v, character) for v in (slowest, own.usual, min(own.fastest, _walks_to(style, own))))
    return tuple(dict.fromkeys(min(max(round(v, 3), low), high) for v in found))


def _walks_to(style: Preset, own: Speeds) -> float:
    """Return the speed, m/s, up to which a style walks that runs where it is to be faster; infinite for others."""
    runs = style.values.get("running")
    begins = float(runs["begins"]) if isinstance(runs, Mapping) else math.inf
    return begins - _BELOW if own.usual < begins else math.inf


def usual_speed(style: Preset, character: Character) -> float | None:
    """Return the speed, m/s, of ``speeds`` that a gait has by itself; None for a style without one."""
    own = speeds_of(style)
    if own is None:
        return None
    return min(speeds(style, character), key=lambda v: abs(v - _for(own.usual, character)))


def gait_range(own: Speeds, character: Character) -> tuple[float, float]:
    """Return the slowest and the fastest speed, m/s, of a gait for a character, in whole mm/s that are within."""
    low, high = (1000.0 * _for(v, character) for v in (own.slowest, own.fastest))
    return math.ceil(low - _ROUND) / 1000.0, math.floor(high + _ROUND) / 1000.0


def _for(speed: float, character: Character) -> float:
    """Return the speed of a character that walks as an adult does at ``speed``."""
    return speed * math.sqrt(character.size)


@dataclass(frozen=True)
class Case:
    """One walk of the grid, by the names of what it is made of. speed: m/s. seed: see Job."""

    controller: str
    preset: str
    character: str
    path: str
    speed: float
    seed: int = 0

    @property
    def name(self) -> str:
        """A name that no other case has, fit for a file."""
        seed = f"_seed{self.seed}" if self.seed else ""
        return f"{self.controller}_{self.preset}_{self.character}_{self.path}_{self.speed:g}{seed}"


def job_of(case: Case, character: Character, path: Path, preset: Preset) -> Job:
    """Return the job of a case. Raises DataError when the gaits through which it stops cannot be read."""
    return Job(
        character=character,
        path=path,
        preset=preset,
        speed=case.speed,
        seed=case.seed,
        duration=STAYING if case.speed == 0.0 else 0.0,
        ending=own_ending(preset),
    )
