# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cases of the grid are measured: all, a quick subset, or what ``--only`` picks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from blender_biped.base.errors import DataError
from blender_biped.character.model import Character
from blender_biped.control.registry import kinds, presets
from blender_biped.job import MAX_SPEED, Job
from blender_biped.preset.preset import Preset, speeds_of
from blender_biped.world.path import Path
from tools.base.controllers import USUAL
from tools.base.paths import paths
from tools.measure import grid
from tools.measure.grid import Case

KEYS = ("controller", "preset", "speed", "path", "character")
STRAIGHT = "straight"  # the path on which walkers are pushed
DIRECTIONS = {"forward": (1.0, 0.0), "back": (-1.0, 0.0), "left": (0.0, 1.0), "right": (0.0, -1.0)}
"""Of pushes, to a walker along x."""
_QUICK = (
    *((path, 1.2) for path in paths()),
    *((path, 0.8) for path in ("straight", "s-curve", "circle", "corner", "turn")),
    *((STRAIGHT, speed) for speed in (0.4, 0.6, 1.0, 1.4)),
)  # of the character that most cases are about
_QUICK_OTHERS = (("s-curve", 1.0),)  # of every other
_PUSH_SPEEDS = (0.8, 1.2)  # m/s

Only = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Grid:
    """What cases are made of, by name; styles by controller and preset."""

    styles: Mapping[tuple[str, str], Preset]
    characters: Mapping[str, Character]
    paths: Mapping[str, Path]
    own: tuple[str, ...] = ()

    def job(self, case: Case) -> Job:
        """Return the job of a case."""
        style = self.styles[case.controller, case.preset]
        return grid.job_of(case, self.characters[case.character], self.paths[case.path], style)


def whole_grid(own: Mapping[str, Character] | None = None) -> Grid:
    """Return everything that there is, with the user's own characters by name.

    Raises DataError when a preset cannot be read.
    """
    styles = {(c, p.name): p for c in (kind.name for kind in kinds()) for p in presets(c)}
    return Grid(styles, {**grid.characters(), **(own or {})}, paths(), tuple(own or ()))


def parsed(only: Iterable[str]) -> dict[str, list[str]]:
    """Return the values by key of texts such as "speed=0.8,1.2". Raises DataError that lists the known keys."""
    found: dict[str, list[str]] = {}
    for text in only:
        key, _, values = text.partition("=")
        given = [v.strip() for v in values.split(",") if v.strip()]
        if key not in KEYS:
            raise DataError(f"--only {text}: there is no {key!r}; choose one of {', '.join(KEYS)}.")
        if not given:
            raise DataError(f"--only {text}: say which, as in --only {key}=VALUE[,VALUE...].")
        found[key] = list(dict.fromkeys(found.get(key, []) + given))
    return found


def chosen(whole: Grid, only: Only, quick: bool = False, seeds: int = 0) -> list[Case]:
    """Return the cases to measure, the nominal starts first.

    seeds: how many perturbed starts of each case beside the nominal one. Raises DataError that lists the known values.
    """
    if quick:
        only = {**_quick_style(whole, only), **only}
    styles = _styles(whole, only)
    ways = _picked("path", only, whole.paths)
    characters = _picked("character", only, whole.characters, whole.own)
    desired = _speeds(only)
    cases = [
        Case(*style, character, path, speed)
        for style in styles for character in characters for path in ways
        for speed in _of_style(whole, style, character, desired)
    ]  # fmt: skip
    if not cases:
        raise DataError(f"--only speed={_list(only['speed'])}: {_ranges(whole, styles)}; choose speeds within.")
    if quick:
        main = whole.own or (grid.DEFAULT_CHARACTER,)
        cases = [c for c in cases if (c.path, c.speed) in _quick(whole, c, c.character in main)]
        if not cases:
            raise DataError("--only picks nothing of the quick subset: leave out --quick.")
    return [replace(c, seed=seed) for seed in range(seeds + 1) for c in cases]


def pushes(cases: Sequence[Case], whole: Grid, only: Only) -> list[Case]:
    """Return the cases of which push figures are wanted: straight, nominal.

    Of the default (or the user's own) characters and two speeds, unless ``only`` names others.
    Raises DataError when there is none.
    """
    characters = only.get("character") or whole.own or (grid.DEFAULT_CHARACTER,)
    found = [
        c for c in cases
        if c.path == STRAIGHT and not c.seed and c.character in characters
        and ("speed" in only or c.speed in _pushed(whole, c))
    ]  # fmt: skip
    if not found:
        raise DataError(f"--push needs cases on the path {STRAIGHT!r}: let --only pick it.")
    return found


def _styles(whole: Grid, only: Only) -> list[tuple[str, str]]:
    known = list(dict.fromkeys(controller for controller, _ in whole.styles))
    names = _picked("controller", only, known)
    there = dict.fromkeys(preset for controller, preset in whole.styles if controller in names)
    wanted = _picked("preset", only, there)
    return [(c, p) for c, p in whole.styles if c in names and p in wanted]


def _quick_style(whole: Grid, only: Only) -> dict[str, list[str]]:
    """Return what the quick subset is about, where ``only`` does not say it: each controller's first preset."""
    if "preset" in only:
        return {} if "controller" in only else {"controller": list(dict.fromkeys(c for c, _ in whole.styles))}
    controllers = only.get("controller", [USUAL])
    first = dict(reversed(list(whole.styles)))
    return {"controller": list(controllers), "preset": [first[c] for c in controllers if c in first]}


def _quick(whole: Grid, case: Case, main: bool) -> Iterable[tuple[str, float]]:
    """Return paths and speeds of the quick subset for the style and the body of a case. main: whether it has more."""
    style, body = whole.styles[case.controller, case.preset], whole.characters[case.character]
    usual = grid.usual_speed(style, body)
    if usual is None:
        return _QUICK if main else _QUICK_OTHERS
    if not main:
        return [(path, usual) for path, _ in _QUICK_OTHERS]
    return [*((path, usual) for path in whole.paths), *((STRAIGHT, speed) for speed in grid.speeds(style, body))]


def _pushed(whole: Grid, case: Case) -> Iterable[float]:
    """Return the speeds, m/s, at which walkers of the style and the body of a case are pushed."""
    usual = grid.usual_speed(whole.styles[case.controller, case.preset], whole.characters[case.character])
    return _PUSH_SPEEDS if usual is None else (usual,)


def _of_style(whole: Grid, style: tuple[str, str], character: str, desired: Sequence[float] | None) -> Sequence[float]:
    """Return the speeds, m/s, of a style and a body: the grid's, or those of ``desired`` that a gait can have."""
    preset, body = whole.styles[style], whole.characters[character]
    own = speeds_of(preset)
    if desired is None or own is None:
        return grid.speeds(preset, body) if desired is None else desired
    low, high = grid.gait_range(own, body)
    return [speed for speed in desired if low <= speed <= high]


def _ranges(whole: Grid, styles: Iterable[tuple[str, str]]) -> str:
    """Return the ranges of gaits in words."""
    known = ((preset, speeds_of(whole.styles[controller, preset])) for controller, preset in styles)
    return _list(f"{name} goes at {own.slowest:g} to {own.fastest:g} m/s" for name, own in known if own)


def _speeds(only: Only) -> list[float] | None:
    """Return the desired speeds, m/s; None for those of each style."""
    if "speed" not in only:
        return None
    found = []
    for text in only["speed"]:
        try:
            speed = float(text)
        except ValueError:
            raise DataError(f"--only speed={text}: a speed is a number, m/s; the grid has {_list(_known())}.") from None
        if not grid.MIN_SPEED <= speed <= MAX_SPEED:
            raise DataError(f"--only speed={text}: give a speed from {grid.MIN_SPEED:g} to {MAX_SPEED:g} m/s.")
        found.append(speed)
    return list(dict.fromkeys(found))


def _known() -> list[str]:
    return [f"{speed:g}" for speed in grid.SPEEDS]


def _picked(key: str, only: Only, known: Iterable[str], usual: Sequence[str] = ()) -> list[str]:
    """Return the values of a key that are wanted, in the order they are known. usual: without ``only``; () for all."""
    names = list(known)
    for value in only.get(key, ()):
        if value not in names:
            raise DataError(f"--only {key}={value}: there is no {key} {value!r}; choose from {_list(names)}.")
    wanted = only.get(key) or usual or names
    return [n for n in names if n in wanted]


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
