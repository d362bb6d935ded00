# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time of a walk goes, for each controller that walks by physics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from blender_biped import simulate as simulation
from blender_biped import walking
from blender_biped.control.shared.steering import Steering
from blender_biped.job import Job
from blender_biped.physics.engine import Engine
from tools.base.children import in_child
from tools.base.controllers import by_physics
from tools.base.yardstick import yardstick
from tools.bench.clocks import REST, STEPPED, ClockCost, Clocks, Patch, clock_cost, patched
from tools.bench.recording import physics_only, recorded
from tools.bench.section import Section, fall_words, table_lines
from tools.bench.walks import REPEATS, straight_job

SPLIT_LENGTH = 12.0  # s of walk that are split


def clock_places(clocks: Clocks) -> list[Patch]:
    """Return where clocks go. Engine.pose has none: it hands out what Engine.state has read."""
    recorder = walking.Recorder
    return [
        (walking, "controller_of", _clocked_maker(clocks)),
        (Engine, "step", clocks.on("physics")),
        (Engine, "state", clocks.on("reading")),
        (Engine, "apply", clocks.on("writing")),
        (Engine, "again", clocks.on("writing")),
        (Steering, "command", clocks.on("steering")),
        (recorder, "add", clocks.on("recording")),
        (recorder, "motion", clocks.on("recording")),
        (Engine, "__init__", clocks.on("building")),
        (Engine, "close", clocks.on("building")),
    ]


def _clocked_maker(clocks: Clocks) -> Callable[[Any], Any]:
    """Return what puts clocks on the maker of controllers, and on the torques of each one that it makes."""

    def making(maker: Any) -> Any:
        timed = clocks.on("building")(maker)

        def make(*arguments: Any, **named: Any) -> Any:
            controller = timed(*arguments, **named)
            controller.torques = clocks.on("control")(controller.torques)
            return controller

        return make

    return making


@dataclass(frozen=True)
class Split:
    """CPU seconds for each simulated second of one walk.

    parts: of TIMED and REST; ``whole`` is their sum. plain: a run without clocks. limit: physics only.
    simulated_s: how long it walked. steps: physics steps. outcome: see Motion. yardstick_s: CPU s of ``yardstick``.
    """

    controller: str
    preset: str
    simulated_s: float
    steps: int
    outcome: str
    parts: Mapping[str, float]
    whole: float
    plain: float
    limit: float
    yardstick_s: float


def split_of(job: Job, repeats: int = REPEATS) -> Split:
    """Return where the time of a walk goes, the least disturbed of some runs; the kinds of runs take turns."""
    recording, own = recorded(job), clock_cost()
    length = recording.motion.duration
    plain, limit, parted, fixed = [], [], [], []
    for _ in range(repeats):
        plain.append(simulation.simulate(job).cpu)
        parted.append(clocked(job, own))
        limit.append(physics_only(recording))
        fixed.append(yardstick())
    parts = min(parted, key=lambda p: sum(p.values()))
    parts = {name: seconds / length for name, seconds in parts.items()}
    return Split(
        job.preset.controller, job.preset.name, length, len(recording.steps), recording.motion.outcome,
        parts, sum(parts.values()), min(plain) / length, min(limit) / length,
        min(fixed),
    )  # fmt: skip


def clocked(job: Job, own: ClockCost) -> dict[str, float]:
    """Return the CPU seconds of each part of simulate."""
    clocks = Clocks()
    with patched(clock_places(clocks)):
        cpu = simulation.simulate(job).cpu
    parts = clocks.seconds(own)
    clocking = (own.inside + own.outside) * sum(clocks.calls.values())
    return {**parts, REST: max(0.0, cpu - clocking - sum(parts.values()))}


def measure_split() -> Section:
    """Return where the time goes, for each controller."""
    splits = [in_child(split_of, straight_job(SPLIT_LENGTH, name)) for name in by_physics()]
    ratios = {}
    for s in splits:
        ratios[f"{s.controller}: whole, in yardsticks"] = s.whole / s.yardstick_s
        ratios[f"{s.controller}: physics only, in yardsticks"] = s.limit / s.yardstick_s
        ratios[f"{s.controller}: whole"] = s.whole / s.limit
        ratios |= {f"{s.controller}: {name}": value / s.limit for name, value in s.parts.items()}
    return Section([asdict(s) for s in splits], ratios, [line for s in splits for line in _split_lines(s)])


def _split_lines(s: Split) -> list[str]:
    def row(name: str, value: float, stepped: bool = True) -> list[str]:
        a_step = f"{1e6 * value * s.simulated_s / s.steps:.0f}" if stepped else ""
        return [name, f"{value:.4f}", f"{100.0 * value / s.whole:.1f} %", f"{value / s.limit:.2f}", a_step]

    rows = [row(name, value, name in STEPPED) for name, value in s.parts.items()]
    rows += [row("whole", s.whole), row("physics only", s.limit)]
    head = ["", "CPU s per s", "share", "times physics only", "us a physics step"]
    return [
        f"{s.controller}, {s.preset}: {s.simulated_s:.1f} s simulated, {s.steps} physics steps{fall_words(s.outcome)}; "
        f"{s.plain:.4f} CPU s per s without clocks; {s.whole / s.yardstick_s:.2f} yardsticks",
        *table_lines(head, rows),
    ]
