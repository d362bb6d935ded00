# SPDX-License-Identifier: GPL-3.0-or-later
"""Which gaits follow each other directly, and which by a gait between: every pair is tried.

``build.py author CONTROLLER`` runs it and writes ``presets/transitions.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path as FilePath
from typing import Any

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.job import Job
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import Preset, preset_root, presets, speeds_of
from blender_biped.preset.transitions import RESTS, STAND, TABLE, VERSION, VIA_STEPS
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base.controllers import on_both_feet

BETWEEN = ("jog", "walk", "in_place")  # gaits that may be passed through, in this order
FIRST = 5.0  # s that the first gait is walked
AFTER = 7.0  # s that the second one must last
ON_THE_WAY = 4.0  # s that a gait between takes, at most
PAUSE = 7.0  # s that it takes, at most, to slow down and stand before a gait on both feet
TOGETHER = 0.1  # s between the strikes of both feet, at most, of a gait on both
PATH = 80.0  # m, longer than any of it
SLOWING = ((), ("jog",), ("fast_walk",))  # gaits that a body may slow down through before it walks to a stop
STOPS = (14.0, 15.3, 17.1)  # m, of paths at whose ends it must stand


@dataclass(frozen=True)
class TriedChange:
    """What was found of a change: the gaits between, () for none, None where it falls whatever is between."""

    a: str
    b: str
    way: tuple[str, ...] | None


def tries(a: Preset, b: Preset, gaits: Mapping[str, Preset]) -> Iterable[tuple[str, ...]]:
    """Return the ways from ``a`` to ``b`` that are tried, the shortest first."""
    between = [name for name in BETWEEN if name in gaits and name not in (a.name, b.name)]
    for count in range(len(between) + 1):
        yield from permutations(between, count)


def survived(a: Preset, b: Preset, way: Iterable[Preset]) -> bool:
    """Return whether a walk that begins with ``a`` and goes over to ``b`` by ``way`` neither falls nor is given up."""
    usual, hops = speeds_of(b), on_both_feet(b)
    cues = [Cue(FIRST, gait, VIA_STEPS, 0.0) for gait in way]
    cues.append(Cue(FIRST, b, 0, usual.usual if usual else 0.0))
    first = speeds_of(a)
    job = Job(
        character=standard_character(),
        path=Path([[0.0, 0.0], [PATH, 0.0]]),
        preset=a,
        speed=first.usual if first else 1.0,
        duration=FIRST + AFTER + ON_THE_WAY * (len(cues) - 1) + PAUSE * hops,
        cues=tuple(cues),
        stop=False,
    )
    try:
        motion = simulate(job)
    except DataError:  # a planar body cannot turn round
        return False
    # Who cannot slow down enough to stand walks on, and never hops.
    return not report(motion, job)["fell"] and (not hops or lands_on_both(motion, motion.duration - 0.5 * AFTER))


def lands_on_both(motion: Motion, since: float) -> bool:
    """Return whether after ``since`` s both feet strike at once, every time but the last, whose twin may come later."""
    left, right = ([time for time, foot in motion.strikes if foot == side and time > since] for side in (LEFT, RIGHT))
    return bool(left) and bool(right) and all(min(abs(a - b) for b in right) < TOGETHER for a in left[:-1] or left)


def found(pair: tuple[str, str], controller: str) -> TriedChange:
    """Return the shortest way from one gait to another that does not fall."""
    gaits = {gait.name: gait for gait in presets(controller)}
    a, b = (gaits[name] for name in pair)
    for way in tries(a, b, gaits):
        if survived(a, b, [gaits[name] for name in way]):
            return TriedChange(a.name, b.name, way)
    return TriedChange(a.name, b.name, None)


def stops(a: Preset, way: Sequence[Preset]) -> bool:
    """Return whether walks with ``a`` that slow down by ``way`` all come to stand at their path's end."""
    speeds = speeds_of(a)
    for length in STOPS:
        job = Job(
            character=standard_character(),
            path=Path([[0.0, 0.0], [length, 0.0]]),
            preset=a,
            speed=speeds.usual if speeds else 1.0,
            ending=tuple(way),
        )
        if simulate(job).outcome != "arrived":
            return False
    return True


def stopping(name: str, controller: str) -> TriedChange | None:
    """Return by which gaits one comes to stand; None for one that can by itself, or where none can."""
    gaits = {gait.name: gait for gait in presets(controller)}
    speeds, rest = speeds_of(gaits[name]), speeds_of(gaits[RESTS]) if RESTS in gaits else None
    if speeds is None or rest is None or speeds.slowest <= 0.0 or rest.slowest > 0.0:
        return None
    for between in SLOWING:
        if name in between or not gaits.keys() >= set(between):
            continue
        way = (*between, RESTS)
        if stops(gaits[name], [gaits[gait] for gait in way]):
            return TriedChange(name, STAND, way)
    return TriedChange(name, STAND, None)


def all_pairs(controller: str, jobs: int) -> list[TriedChange]:
    """Return what was found of every pair of a controller's gaits. Raises DataError when it has none."""
    names = [gait.name for gait in presets(controller)]
    if not names:
        raise DataError(f"There are no gaits of a controller {controller!r}.")
    pairs = [(a, b) for a in names for b in names if a != b]
    with ProcessPoolExecutor(jobs) as pool:
        changes = list(pool.map(found, pairs, [controller] * len(pairs)))
        return changes + [change for change in pool.map(stopping, names, [controller] * len(names)) if change]


def table(changes: Iterable[TriedChange]) -> str:
    """Return a table: rows from, columns to; the last one, where it is, to a stand."""
    rows: dict[str, dict[str, str]] = {}
    for change in changes:
        what = "FALLS" if change.way is None else "/".join(change.way) or "direct"
        rows.setdefault(change.a, {})[change.b] = what
    names = list(dict.fromkeys((*rows, *(b for row in rows.values() for b in row))))
    width = max(len(text) for text in (*names, *(t for row in rows.values() for t in row.values()))) + 1
    lines = ["".join(text.ljust(width) for text in ("", *names))]
    lines += ["".join(text.ljust(width) for text in (a, *(row.get(b, "-") for b in names))) for a, row in rows.items()]
    return "\n".join(lines)


def write(controller: str, changes: Iterable[TriedChange], root: FilePath | None = None) -> FilePath:
    """Write what was found into the table of transitions; return its file.

    A change for which no way was found goes by the first gait between that there is: the likeliest.
    """
    file = (root or preset_root()) / TABLE
    data: dict[str, Any] = {"version": VERSION, "controllers": {}}
    if file.exists():
        data = json.loads(file.read_text(encoding="utf-8"))
    rows: dict[str, dict[str, list[str]]] = {}
    changes = list(changes)
    known = {change.a for change in changes}
    for change in changes:
        between = [name for name in BETWEEN if name in known and name not in (change.a, change.b)]
        way = change.way if change.way is not None else [RESTS] if change.b == STAND else between[:1]
        rows.setdefault(change.a, {})[change.b] = list(way)
    data["controllers"][controller] = rows
    file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return file
