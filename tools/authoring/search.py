# SPDX-License-Identifier: GPL-3.0-or-later
"""Better numbers for a gait, searched by what its preset says is free and wanted.

A preset's "authoring" block has

* ``free``: patterns of numbers in its values and how far each is varied at first, for example
  ``"keys.*.states.*.angles.swing_thigh_pitch": 3.0``; of knots the values are varied, not the phases;
* ``cases``: the walks that a try is judged by: ``path``, ``character`` (names of the measuring grid, or ``length``, m,
  of a straight path), ``speed``, ``seed``, ``duration``, ``push`` (forward, left, N, for 0.1 s at 4 s), ``after``
  (a gait that is walked first, for 4 s, at ``first_speed``), ``ending`` (the gait through which it stops);
* ``objective``: measures by name, each with ``near``, ``at_most`` or ``at_least`` and the ``scale`` of an error that
  counts as 1; errors count by their squares. A fall costs more than anything else, the earlier the more.

The search is CMA-ES (package ``cma``); Ctrl-C ends it early.
"""

from __future__ import annotations

import copy
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

from blender_biped.base.errors import DataError
from blender_biped.base.fields import Fields
from blender_biped.job import Job, Push
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset, preset_from_json
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base.paths import paths
from tools.base.threads import one_thread
from tools.measure.grid import characters

FALL = 1000.0  # what falling at once costs; falling at the end costs half
UNKNOWN = 10.0  # errors that a measure counts which a walk does not have
PUSH_TIME, PUSH_LENGTH = 4.0, 0.1  # s
CHANGE_TIME = 4.0  # s for which the gait before is walked
Place = tuple[Any, ...]


def places(values: Any, pattern: str) -> list[Place]:
    """Return the places of the numbers in ``values`` that a pattern means: keys and indices, ``*`` for any."""
    return [place for place in _places(values, pattern.split("."), ()) if _is_number(at(values, place))]


def _places(values: Any, rest: Sequence[str], so_far: Place) -> Iterator[Place]:
    if not rest:
        if isinstance(values, list) and values and all(isinstance(row, list) for row in values):
            yield from ((*so_far, i, 1) for i in range(len(values)))
        elif isinstance(values, list):
            yield from ((*so_far, i) for i in range(len(values)))
        else:
            yield so_far
        return
    name = rest[0]
    if isinstance(values, Mapping):
        for key in values:
            if name in ("*", key):
                yield from _places(values[key], rest[1:], (*so_far, key))
    elif isinstance(values, list):
        for i, value in enumerate(values):
            if name in ("*", str(i)):
                yield from _places(value, rest[1:], (*so_far, i))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def at(values: Any, place: Place) -> Any:
    """Return what is at a place."""
    for key in place:
        values = values[key]
    return values


def put(values: Any, place: Place, value: float) -> None:
    """Set what is at a place."""
    at(values, place[:-1])[place[-1]] = value


class Search:
    """What may be varied in one preset, and how a try is judged."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """data: a preset's JSON. Raises DataError when its "authoring" block is not there or wrong."""
        f = Fields(data, "preset").child("authoring")
        self.data = data
        self.places: list[Place] = []
        self.scales: list[float] = []
        free = f.child("free")
        for pattern in free.data:
            found = places(data["values"], pattern)
            if not found:
                raise DataError(f"{free.where}: nothing is at {pattern!r}; check it against the preset's values.")
            self.places += found
            self.scales += [free.number(pattern, 1e-9)] * len(found)
        self.cases = [Fields(case, f"{f.where}.cases[{i}]") for i, case in enumerate(f.items("cases"))]
        self.objective = f.child("objective")
        for case in self.cases:  # refused before anything slow is done
            self.job(case, self.start())

    def start(self) -> list[float]:
        """Return the present numbers, in units of their scales."""
        return [at(self.data["values"], p) / s for p, s in zip(self.places, self.scales, strict=True)]

    def values(self, point: Sequence[float]) -> dict[str, Any]:
        """Return the preset's values at a point of the search."""
        values = copy.deepcopy(dict(self.data["values"]))
        for place, scale, x in zip(self.places, self.scales, point, strict=True):
            put(values, place, round(float(x) * scale, 5))
        return values

    def job(self, case: Fields, point: Sequence[float]) -> Job:
        """Return the walk of a case at a point of the search. Raises DataError."""
        style = preset_from_json({**self.data, "values": self.values(point)}, name=self.data.get("name", "tried"))
        body = characters()[case.text("character", "standard", choices=list(characters()))]
        length = case.number("length", 0.0, 1e3, 0.0)
        named = "" if length else case.text("path", "straight", choices=list(paths()))
        pushes: tuple[Push, ...] = ()
        if "push" in case.data:
            forward, left = case.vector("push", 2)
            pushes = (Push("chest", PUSH_TIME, PUSH_LENGTH, (forward, left, 0.0)),)
        ending = case.text("ending", "")
        after = case.text("after", "")
        return Job(
            character=body,
            path=Path([[0.0, 0.0], [length, 0.0]]) if length else paths()[named],
            preset=preset(style.controller, after) if after else style,
            cues=(Cue(CHANGE_TIME, style, 0, case.number("speed", 0.0, 10.0)),) if after else (),
            speed=case.number("first_speed", 0.0, 10.0, 1.0) if after else case.number("speed", 0.0, 10.0),
            seed=case.integer("seed", 0, 2**31, 0),
            duration=case.number("duration", 0.0, 600.0, 0.0),
            stop=bool(ending),
            ending=(preset(style.controller, ending),) if ending and ending != style.name else (),
            pushes=pushes,
            facing=case.number("facing", -4.0, 4.0, 0.0),
        )

    def cost(self, point: Sequence[float]) -> float:
        """Return what a try costs: 0 is all that is wanted."""
        total = 0.0
        for case in self.cases:
            try:
                job = self.job(case, point)
                motion = simulate(job)
            except DataError:  # a value out of its range
                return 2.0 * FALL
            total += self.judged(motion, job)
        return total / len(self.cases)

    def judged(self, motion: Motion, job: Job) -> float:
        """Return what one walk costs; of two gaits, by the second one's speed."""
        if job.cues:
            job = replace(job, speed=job.cues[-1].speed)
        figures = report(motion, job)
        if figures["fell"]:
            wanted = job.duration or 2.0 * (job.path.length / max(job.speed, 0.1))
            return FALL * (1.0 - 0.5 * min(figures["fell_at_s"] / wanted, 1.0))
        cost = 0.0
        for name in self.objective.data:
            aim = self.objective.child(name)
            value, scale = figures.get(name), aim.number("scale", 1e-9)
            error = UNKNOWN if value is None else error_of(aim, float(value)) / scale
            cost += min(error, UNKNOWN) ** 2
        if job.stop and motion.outcome != "arrived":
            cost += UNKNOWN**2
        return cost


def error_of(aim: Fields, value: float) -> float:
    """Return how far a value is from what is wanted: near, at most or at least."""
    if "near" in aim.data:
        return abs(value - aim.number("near"))
    if "at_most" in aim.data:
        return max(0.0, value - aim.number("at_most"))
    return max(0.0, aim.number("at_least") - value)


_search: Search | None = None


def _prepare(data: dict[str, Any]) -> None:
    global _search
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    one_thread()
    _search = Search(data)


def _stopped_by_hand() -> Callable[[], bool]:
    """Return what says whether Ctrl-C was pressed: the generation under way is finished, and the best one kept."""
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    return lambda: bool(pressed)


def _cost(point: Sequence[float]) -> float:
    assert _search is not None
    return _search.cost(point)


def searched(
    data: dict[str, Any], evaluations: int, seed: int, spread: float, population: int, jobs: int
) -> dict[str, Any]:
    """Return a preset's JSON with the best numbers of a search that starts from its own."""
    import cma

    search = Search(data)
    start = search.start()
    stopped = _stopped_by_hand()
    options = {"maxfevals": evaluations, "seed": seed, "verbose": -9, "popsize": population, "tolfun": 0, "tolx": 0}
    strategy = cma.CMAEvolutionStrategy(start, spread, options)
    began = time.monotonic()
    with ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(data,)) as pool:
        first = best_cost = next(iter(pool.map(_cost, [start])))
        best = start
        print(f"{len(start)} numbers are free; as it is: {first:.3f}", flush=True)
        while not strategy.stop() and not stopped():
            tries = [list(map(float, point)) for point in strategy.ask()]
            costs = list(pool.map(_cost, tries))
            strategy.tell(tries, costs)
            if min(costs) < best_cost:
                best_cost = min(costs)
                best = tries[costs.index(best_cost)]
            fell = sum(cost >= 0.2 * FALL for cost in costs)
            print(
                f"  {strategy.countevals:5d} tries, {time.monotonic() - began:5.0f} s: best {best_cost:.3f}, "
                f"median {sorted(costs)[len(costs) // 2]:.3f}, {fell} of {len(costs)} fell", flush=True,
            )  # fmt: skip
    found = {"cost": round(best_cost, 4), "from": round(first, 4), "tries": int(strategy.countevals), "seed": seed}
    authoring = {**data["authoring"], "found": found}
    return {**data, "values": search.values(best), "authoring": authoring}
