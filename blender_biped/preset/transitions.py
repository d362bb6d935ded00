"""From gait to gait: which ones a change passes through, and through which ones a walk comes to rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..base.errors import DataError
from ..base.fields import Fields, load_json
from .cue import Cue
from .preset import Preset, preset_root, presets, speeds_of

VERSION = 1
TABLE = "transitions.json"  # beside the folders of presets
VIA_STEPS = 8  # that a gait on the way to another one is walked
STAND = "stand"  # in the table, what follows a gait that ends a walk
RESTS = "walk"  # the gait that slows down and stops

Transitions = Mapping[str, Mapping[str, Sequence[str]]]
"""From gait to gait, by name: the gaits on the way. What is not there is direct. To STAND: those to come to rest by."""


def read_transitions(controller: str, root: Path | None = None) -> Transitions:
    """Return a controller's table of transitions. Raises DataError naming the wrong field."""
    f = Fields(load_json((root or preset_root()) / TABLE), TABLE)
    f.version(VERSION)
    table = f.child("controllers").child(controller, {})
    rows = {a: table.child(a) for a in table.data}
    return {a: {b: _names(row, b) for b in row.data} for a, row in rows.items()}


def expanded(first: Preset, cues: Sequence[Cue], table: Transitions, gaits: Mapping[str, Preset]) -> tuple[Cue, ...]:
    """Return the cues with those of the gaits on the way from each gait to the next; the walk begins with ``first``.

    A gait on the way takes the time and speed of the cue, which follows when it was walked for some steps.
    gaits: the controller's, by name. Raises DataError when one on the way is not among them.
    """
    found: list[Cue] = []
    at = _row(first)
    for cue in cues:
        way = _way(at, _row(cue.preset), table, gaits)
        found += [replace(cue, preset=gait, steps=VIA_STEPS) for gait in way]
        found.append(cue)
        at = _row(cue.preset)
    return tuple(found)


def ending(last: Preset, table: Transitions, gaits: Mapping[str, Preset]) -> tuple[Preset, ...]:
    """Return the gaits through which a walk that ends with ``last`` comes to rest; () if that slows down by itself.

    gaits: the controller's, by name. Raises DataError when one is not among them.
    """
    speeds, rest = speeds_of(last), gaits.get(RESTS)
    if speeds is None or speeds.slowest <= 0.0:
        return ()
    slowed = speeds_of(rest) if rest else None
    if slowed and slowed.slowest > 0.0:
        return ()  # none of them can: the walk goes on to the path's end
    found = _way(_row(last), STAND, table, gaits)
    return tuple(found) or (*_way(_row(last), RESTS, table, gaits), _gait(RESTS, gaits))


def resting(walked: Sequence[Preset], table: Transitions, gaits: Mapping[str, Preset]) -> tuple[Preset, ...]:
    """Return the gaits through which a walk of several comes to rest, in whichever of them the path ends.

    They are those of the last gait that cannot slow down by itself: a gait that can makes no use of them.
    gaits: the controller's, by name. Raises DataError when one is not among them.
    """
    return next(filter(None, (ending(gait, table, gaits) for gait in reversed(walked))), ())


def own_ending(style: Preset, root: Path | None = None) -> tuple[Preset, ...]:
    """Return the gaits through which a walk with one style comes to rest. Raises DataError for unusable files."""
    gaits = {gait.name: gait for gait in presets(style.controller, root)}
    return ending(style, read_transitions(style.controller, root), gaits)


def done_once(style: Preset) -> bool:
    """Return whether a style is gone through but some times, before the one before it goes on."""
    return bool(style.values.get("passes"))


def _row(style: Preset) -> str:
    """Return by which name a style stands in the table: one of one's own by that of the style it was made from."""
    return style.origin or style.name


def _way(a: str, b: str, table: Transitions, gaits: Mapping[str, Preset]) -> list[Preset]:
    return [_gait(name, gaits) for name in table.get(a, {}).get(b, ())]


def _gait(name: str, gaits: Mapping[str, Preset]) -> Preset:
    if name not in gaits:
        raise DataError(f"{TABLE}: there is no gait {name!r}; install its preset, or use one of {', '.join(gaits)}.")
    return gaits[name]


def _names(row: Fields, name: str) -> tuple[str, ...]:
    found = row.items(name)
    for i, text in enumerate(found):
        if not isinstance(text, str):
            raise DataError(f"{row.where}.{name}[{i}]: expected the name of a gait, found {text!r}.")
    return tuple(found)
