# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics alone, the limit of a simulation: what an engine was given in a walk, recorded and replayed.

The torques of a walk are recorded at every control step and replayed on the same body from the same start, through
``Engine.apply`` and ``Engine.step``, with no state read, no control and no record. That gives the same motion, contacts
and all, bit for bit. (A body that only stands or lies would have other contacts, and so other costs.) It is what this
engine costs from Python when all the rest is free.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from blender_biped import simulate as simulation
from blender_biped.base.spatial import Array
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.physics.engine import Engine
from tools.bench.clocks import patched


@dataclass(frozen=True)
class Recording:
    """What the engine was given in a walk. made: arguments of ``Engine``, start: of ``place``, steps: of ``apply``.

    motion: what came of it.
    """

    job: Job
    made: tuple[tuple[Any, ...], Mapping[str, Any]]
    start: tuple[Any, ...]
    steps: tuple[tuple[Array, Array], ...]
    motion: Motion

    def engine(self) -> Engine:
        """Return a new engine as the walk had it."""
        arguments, named = self.made
        return Engine(*arguments, **named)


def recorded(job: Job) -> Recording:
    """Return a walk with all that its engine was given. Raises DataError as ``simulate`` does."""
    made: list[tuple[tuple[Any, ...], Mapping[str, Any]]] = []
    placed: list[tuple[Any, ...]] = []
    applied: list[tuple[Array, Array]] = []
    steps: list[tuple[Array, Array]] = []

    def making(method: Any) -> Any:
        def make(engine: Engine, *arguments: Any, **named: Any) -> None:
            made.append((arguments, named))
            method(engine, *arguments, **named)

        return make

    def placing(method: Any) -> Any:
        def place(engine: Engine, *arguments: Any) -> None:
            placed.append(arguments)
            method(engine, *arguments)

        return place

    def applying(method: Any) -> Any:
        def apply(engine: Engine, torques: Array, matrices: Array) -> Any:
            applied[:] = [(torques.copy(), matrices.copy())]
            return method(engine, torques, matrices)

        return apply

    def stepping(method: Any) -> Any:
        def step(engine: Engine) -> None:
            steps.extend(applied)
            method(engine)

        return step

    patches = [(Engine, "__init__", making), (Engine, "place", placing), (Engine, "apply", applying)]
    with patched([*patches, (Engine, "step", stepping)]):
        motion = simulation.simulate(job)
    return Recording(job, made[-1], placed[-1], tuple(steps), motion)


def replayed(engine: Engine, recording: Recording) -> Iterator[int]:
    """Let an engine that was just made do what was recorded; give the number of steps done after each."""
    engine.place(*recording.start)
    for count, (torques, matrices) in enumerate(recording.steps, start=1):
        engine.apply(torques, matrices)
        engine.step()
        yield count


def physics_only(recording: Recording) -> float:
    """Return the CPU seconds of a replay, without making the engine."""
    with recording.engine() as engine:
        began = time.process_time()
        for _ in replayed(engine, recording):
            pass
        return time.process_time() - began
