"""What a walk costs, and where the time goes: parts of simulate, length, characters, the worker, the bake.

A development program: needs bpy (Blender as a Python module) for the bake. Times are CPU seconds, user and system, of
the process that does the work, each thing in a process of its own. They depend on the machine and on what else it does,
so each part also gives ratios within its own run; ``--compare`` compares these and nothing else.

The limit of a simulation is physics alone: the torques of a walk are recorded at every control step and replayed on the
same body from the same start, through ``Engine.apply`` and ``Engine.step``, with no state read, no control and no
record. That gives the same motion, contacts and all, bit for bit. (A body that only stands or lies would have other
contacts, and so other costs.) It is what this engine costs from Python when all the rest is free. Where the engine
itself changes, so does the limit: the whole and the limit are also told in yardsticks, a fixed piece of numpy work.

    python -m tools.commands.bench [--only PART[,PART]] [--out DIR] [--compare OLD.json]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from blender_biped import simulate as simulation
from blender_biped import worker
from blender_biped.base.errors import BipedError
from blender_biped.base.fields import Fields, load_json
from blender_biped.base.spatial import Array
from blender_biped.character.model import Character
from blender_biped.control.generalized.walk import GeneralizedWalk
from blender_biped.control.limit_cycle.walk import LimitCycleWalk
from blender_biped.control.shared.steering import Steering
from blender_biped.control.simbicon.walk import Simbicon
from blender_biped.job import Job
from blender_biped.motion.motion import RATE, Motion
from blender_biped.physics.engine import Engine
from blender_biped.preset.preset import presets
from blender_biped.world.path import Path as WalkPath
from tools.base.quiet import ERRORS, quiet
from tools.bench.preview_costs import preview_costs
from tools.measure.grid import DEFAULT_CHARACTER, Case, characters, job_of

VERSION = 1
CONTROLLERS: Mapping[str, type[Any]] = {  # whose ``torques`` is the control; KLAW has none, nor physics
    "generalized": GeneralizedWalk,
    "limit_cycle": LimitCycleWalk,
    "planar": Simbicon,
    "simbicon": Simbicon,
}
REST = "rest"  # of simulate: its loop, and what no clock is on
STEPPED = ("physics", "control", "reading", "writing", "steering", "recording")  # parts that come with each step
TIMED = (*STEPPED, "building")
SPEED = 1.2  # m/s
SPLIT_LENGTH = 12.0  # s of walk that are split
REPEATS = 3  # of what is short; the one that was disturbed least counts
LENGTHS = (10.0, 60.0, 300.0)  # s
COUNTS = (1, 2, 4)  # characters
CHARACTER_LENGTH = 4.0  # s that each of them walks
WORKER_LENGTH = 0.1  # s of the walk for which a worker is started
WORKER_RUNS = 5
BAKE_BONES, BAKE_FRAMES = (20, 60, 120), (250, 1000)
_RIG_WALK = 3.0  # s that are simulated for the bake, and played slower for more frames
_CALIBRATION = 20_000  # calls that the clocks' own cost is measured with
_YARDSTICK = 20_000  # rounds of it
_MEGABYTE = 1024.0 * 1024.0


@dataclass(frozen=True)
class Section:
    """What one part of the bench found. figures: for the file. ratios: by name, for comparing. lines: for people."""

    figures: list[dict[str, Any]]
    ratios: dict[str, float]
    lines: list[str]


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line. only: names of parts. compare: an older result, None for none."""

    only: tuple[str, ...]
    out: Path
    compare: Path | None


# --- clocks ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def patched(places: Sequence[tuple[type, str, Callable[[Any], Any]]]) -> Iterator[None]:
    """Replace methods (class, name, what makes the new one of the old) while the context lasts, however it ends."""
    kept: list[tuple[type, str, Any]] = []
    try:
        for owner, name, make in places:
            method = owner.__dict__[name]
            setattr(owner, name, make(method))
            kept.append((owner, name, method))
        yield
    finally:
        for owner, name, method in reversed(kept):
            setattr(owner, name, method)


class Clocks:
    """CPU time and calls of functions, by part. What a timed function calls belongs to its part."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(TIMED, 0)  # ns, with the clocks' own cost
        self.calls = dict.fromkeys(TIMED, 0)
        self._running = False

    def on(self, part: str) -> Callable[[Any], Any]:
        """Return what puts a clock of ``part`` on a function."""
        clock, spent, calls = time.process_time_ns, self.spent, self.calls

        def make(function: Any) -> Any:
            def timed(*arguments: Any, **named: Any) -> Any:
                if self._running:
                    return function(*arguments, **named)
                self._running = True
                began = clock()
                try:
                    return function(*arguments, **named)
                finally:
                    spent[part] += clock() - began
                    calls[part] += 1
                    self._running = False

            return timed

        return make

    def seconds(self, own: ClockCost) -> dict[str, float]:
        """Return the CPU seconds of each of TIMED, the clocks' own cost taken off."""
        return {p: max(0.0, 1e-9 * self.spent[p] - own.inside * self.calls[p]) for p in TIMED}


@dataclass(frozen=True)
class ClockCost:
    """What a clock costs a call, s: ``inside`` what it measures, ``outside`` the rest of it."""

    inside: float
    outside: float


def clock_cost() -> ClockCost:
    """Return what a clock costs here, from calls of a function that does nothing."""

    def nothing() -> None:
        pass

    def loop(function: Callable[[], None]) -> float:
        began = time.process_time()
        for _ in range(_CALIBRATION):
            function()
        return (time.process_time() - began) / _CALIBRATION

    clocks = Clocks()
    bare, clocked = loop(nothing), loop(clocks.on(TIMED[0])(nothing))
    inside = 1e-9 * clocks.spent[TIMED[0]] / _CALIBRATION
    return ClockCost(max(0.0, inside - bare), max(0.0, clocked - inside))


def _clock_places(clocks: Clocks, controller: type[Any]) -> list[tuple[type, str, Callable[[Any], Any]]]:
    # Engine.pose has no clock: it hands out what Engine.state has read.
    recorder = simulation._Recorder
    return [
        (Engine, "step", clocks.on("physics")),
        (controller, "torques", clocks.on("control")),
        (Engine, "state", clocks.on("reading")),
        (Engine, "apply", clocks.on("writing")),
        (Steering, "command", clocks.on("steering")),
        (recorder, "add", clocks.on("recording")),
        (recorder, "motion", clocks.on("recording")),
        (Engine, "__init__", clocks.on("building")),
        (Engine, "close", clocks.on("building")),
        (controller, "__init__", clocks.on("building")),
    ]


# --- physics only ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recording:
    """What the engine was told in a walk. made: arguments of ``Engine``, start: of ``place``, steps: of ``apply``.

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
    """Return a walk with all that its engine was told. Raises DataError as ``simulate`` does."""
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


# --- where the time of a walk goes -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Split:
    """CPU seconds for each simulated second of one walk.

    parts: of TIMED and REST; ``whole`` is their sum. plain: a run without clocks. limit: physics only.
    simulated_s: how long it walked. steps: control steps. outcome: see Motion. yardstick_s: CPU s of ``yardstick``.
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
    plain, limit, clocked, fixed = [], [], [], []
    for _ in range(repeats):
        plain.append(simulation.simulate(job).cpu)
        clocked.append(_clocked(job, own))
        limit.append(physics_only(recording))
        fixed.append(yardstick())
    parts = min(clocked, key=lambda p: sum(p.values()))
    parts = {name: seconds / length for name, seconds in parts.items()}
    return Split(
        job.preset.controller, job.preset.name, length, len(recording.steps), recording.motion.outcome,
        parts, sum(parts.values()), min(plain) / length, min(limit) / length,
        min(fixed),
    )  # fmt: skip


def _clocked(job: Job, own: ClockCost) -> dict[str, float]:
    """Return the CPU seconds of each part of simulate."""
    clocks = Clocks()
    with patched(_clock_places(clocks, CONTROLLERS[job.preset.controller])):
        cpu = simulation.simulate(job).cpu
    parts = clocks.seconds(own)
    clocking = (own.inside + own.outside) * sum(clocks.calls.values())
    return {**parts, REST: max(0.0, cpu - clocking - sum(parts.values()))}


def yardstick() -> float:
    """Return the CPU seconds of a fixed piece of work: small products in numpy, as control has them."""
    turns, arms = np.eye(3) + np.zeros((18, 3, 3)), np.ones((18, 3, 1))
    began = time.process_time()
    for _ in range(_YARDSTICK):
        arms = 0.5 * (turns @ arms)[:, :, 0].copy()[:, :, None] + 0.5
    return time.process_time() - began


def measure_split() -> Section:
    """Return where the time goes, for each controller."""
    splits = [_in_child(split_of, _job(SPLIT_LENGTH, name)) for name in CONTROLLERS]
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
    head = ["", "CPU s per s", "share", "times physics only", "us a control step"]
    return [
        f"{s.controller}, {s.preset}: {s.simulated_s:.1f} s simulated, {s.steps} control steps{_fall(s.outcome)}; "
        f"{s.plain:.4f} CPU s per s without clocks; {s.whole / s.yardstick_s:.2f} yardsticks",
        *_table(head, rows),
    ]


# --- length and number of walks ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walks:
    """What walks cost, one after another in one process. memory_mb: its peak; None where it cannot be told."""

    cpu_s: float
    simulated_s: float
    outcomes: tuple[str, ...]
    memory_mb: float | None


def walks_of(jobs: Sequence[Job]) -> Walks:
    """Return what it costs to simulate some jobs one after another, and the memory of this process then."""
    cpu = simulated = 0.0
    outcomes = []
    for job in jobs:
        motion = simulation.simulate(job)
        cpu += motion.cpu
        simulated += motion.duration
        outcomes.append(motion.outcome)
    return Walks(cpu, simulated, tuple(outcomes), peak_memory())


def peak_memory() -> float | None:
    """Return the most memory that this process has had, MB; None where the system does not tell."""
    with contextlib.suppress(OSError, StopIteration):  # Linux: getrusage there gives the parent's, when that had more
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024.0
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / _MEGABYTE if sys.platform == "darwin" else most / 1024.0
    return None


def measure_length() -> Section:
    """Return the cost of walks of LENGTHS on a straight way that does not end."""
    figures: list[dict[str, Any]] = []
    rows, ratios = [], {}
    for length in LENGTHS:
        runs = [_in_child(walks_of, [_job(length)]) for _ in range(REPEATS if length == LENGTHS[0] else 1)]
        found = min(runs, key=lambda r: r.cpu_s)
        figures.append({"length_s": length, **asdict(found)})
        cost = found.cpu_s / found.simulated_s
        ratios[f"length: {length:g} s"] = cost / (figures[0]["cpu_s"] / figures[0]["simulated_s"])
        rows.append([f"{length:g} s", f"{cost:.4f}", f"{ratios[f'length: {length:g} s']:.2f}", _digits(found.memory_mb),
                     f"{found.simulated_s:.1f} s{_fall(*found.outcomes)}"])  # fmt: skip
    lines = _table(["walk of", "CPU s per s", f"times {LENGTHS[0]:g} s", "peak memory MB", "reached"], rows)
    first, last = figures[0], figures[-1]
    minutes = (last["simulated_s"] - first["simulated_s"]) / 60.0
    if first["memory_mb"] and last["memory_mb"] and minutes > 0.0:
        lines.append(f"memory: {(last['memory_mb'] - first['memory_mb']) / minutes:.1f} MB for each minute of motion")
    return Section(figures, ratios, lines)


def measure_characters() -> Section:
    """Return the cost of COUNTS walks, one after another in one process and each in a process of its own.

    Seconds on the clock are from the start of the first process to the end of the last one.
    """
    figures = []
    for count in COUNTS:
        jobs = [replace(_job(CHARACTER_LENGTH), seed=seed) for seed in range(count)]
        for shares in ([jobs], [[job] for job in jobs])[: min(count, 2)]:
            figures.append(min((_together(shares) for _ in range(2)), key=lambda f: float(f["cpu_s"])))
    rows, ratios = [], {}
    for f in figures:
        cost, one = (x["cpu_s"] / x["simulated_s"] for x in (f, figures[0]))
        name = f"{f['count']} in {f['processes']} process{'es' if f['processes'] > 1 else ''}"
        ratios[f"characters: {name}"] = cost / one
        rows.append([name, f"{cost:.4f}", f"{cost / one:.2f}", f"{f['clock_s']:.1f}", _digits(f["memory_mb"]),
                     _fall(*f["outcomes"]).lstrip(", ")])  # fmt: skip
    head = ["characters", "CPU s per s", "times one", "s on the clock", "peak memory MB", ""]
    return Section(figures, ratios, _table(head, rows))


def _together(shares: Sequence[Sequence[Job]]) -> dict[str, Any]:
    """Return what some processes at the same time cost, each with its share of walks."""
    began = time.perf_counter()
    found: list[Walks] = _in_children(walks_of, [(share,) for share in shares])
    clock = time.perf_counter() - began
    return {
        "count": sum(map(len, shares)), "processes": len(shares), "clock_s": clock,
        "cpu_s": sum(w.cpu_s for w in found), "simulated_s": sum(w.simulated_s for w in found),
        "memory_mb": sum(w.memory_mb or 0.0 for w in found) or None,
        "outcomes": [o for w in found for o in w.outcomes],
    }  # fmt: skip


# --- the worker --------------------------------------------------------------------------------------------------


def measure_worker() -> Section:
    """Return what starting a worker costs beside its simulation, and as the limit a Python that loads its libraries."""
    job = _job(WORKER_LENGTH)
    found: dict[str, list[tuple[float, float]]] = {"worker": [], "Python": []}
    for _ in range(WORKER_RUNS):
        simulated: list[float] = []
        cpu, clock = _costs_of_children(
            lambda: simulated.append(worker.run(job, folders=worker.library_folders()).cpu)  # noqa: B023 (called now)
        )
        found["worker"].append((cpu - simulated[0], clock - simulated[0]))
        found["Python"].append(_costs_of_children(_bare_python))
    (cpu, clock), (bare_cpu, bare_clock) = (
        (median(c for c, _ in costs), median(t for _, t in costs)) for costs in found.values()
    )
    figures = {"cpu_s": cpu, "clock_s": clock, "bare_cpu_s": bare_cpu, "bare_clock_s": bare_clock}
    ratio = cpu / bare_cpu if bare_cpu > 0.0 else clock / bare_clock  # Windows does not tell of children
    rows = [
        ["a worker, without its simulation", f"{cpu:.2f}", f"{clock:.2f}", f"{ratio:.2f}"],
        ["Python with numpy and PyBullet", f"{bare_cpu:.2f}", f"{bare_clock:.2f}", "1.00"],
    ]
    return Section([figures], {"worker: start": ratio}, _table(["start of", "CPU s", "s on the clock", "ratio"], rows))


def _bare_python() -> None:
    subprocess.run([sys.executable, "-c", "import numpy, pybullet"], check=True, stderr=subprocess.DEVNULL)


def _costs_of_children(work: Callable[[], None]) -> tuple[float, float]:
    """Return CPU seconds of the processes that ``work`` starts and ends, and its seconds on the clock."""
    before, began = os.times(), time.perf_counter()
    work()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - began


# --- the bake ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BakeCost:
    """What a bake costs. write_s: seconds on the clock that writing the keys took; whole_s: CPU seconds of all of it.

    limit_s: seconds on the clock for as many keys without curves, groups and handles.
    """

    bones: int
    frames: int
    keys: int
    write_s: float
    whole_s: float
    limit_s: float


def measure_bake() -> Section:
    """Return what baking costs by bones and frames, on Rigify's human with as many of its bones mapped."""
    costs = _in_child(bake_costs, BAKE_BONES, BAKE_FRAMES)
    rows = [
        [str(c.bones), str(c.frames), str(c.keys), f"{c.write_s:.3f}", f"{1e6 * c.write_s / c.keys:.2f}",
         f"{c.write_s / c.limit_s:.2f}", f"{c.whole_s:.3f}"]
        for c in costs
    ]  # fmt: skip
    head = ["bones", "frames", "keys", "writing s", "us a key", "times plain keys", "whole bake CPU s"]
    ratios = {f"bake: {c.bones} bones, {c.frames} frames": c.write_s / c.limit_s for c in costs}
    return Section([asdict(c) for c in costs], ratios, _table(head, rows))


def bake_costs(bones: Sequence[int], frames: Sequence[int], repeats: int = REPEATS) -> list[BakeCost]:
    """Return what bakes of each number of bones and frames cost. Replaces the scene of this process' Blender."""
    import bpy

    from blender_biped.character.body import build_character
    from blender_biped.character.roles import map_bones
    from blender_biped.ui.base.reading import metres, read_armature
    from tools.commands import demo

    armature = demo.chosen_armature("", print)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = demo.FRAME_RATE, 1.0
    rig = read_armature(armature, metres(scene))
    character = build_character(rig, map_bones(rig))
    parents = {bone.name: bone.parent.name if bone.parent else "" for bone in armature.data.bones}
    motion = simulation.simulate(replace(_job(_RIG_WALK), character=character))
    found = []
    for count in bones:
        mapped = with_bones(character, parents, count)
        for length in frames:
            slow = replace(_slowed(motion, (length - 1) / demo.FRAME_RATE), character=mapped)
            runs = [_bake_cost(armature, slow, count) for _ in range(repeats)]
            least = {name: min(getattr(r, name) for r in runs) for name in ("write_s", "whole_s", "limit_s")}
            found.append(replace(runs[0], **least))
    return found


def with_bones(character: Character, parents: Mapping[str, str], count: int) -> Character:
    """Return the character with ``count`` bones mapped: the first of each link, then others, each to what it hangs on.

    parents: by name, those of all bones of its armature, parents first. Raises ValueError when it has too few.
    """
    links = {link.bones[0]: [link.bones[0]] for link in character.links}
    above = {name: name for name in links}
    left = count - len(links)
    for name, parent in parents.items():
        if left > 0 and name not in above and parent in above:
            above[name] = above[parent]
            links[above[name]].append(name)
            left -= 1
    if left:
        raise ValueError(f"{count} bones cannot be mapped in an armature of {len(parents)}.")
    return replace(character, links=tuple(replace(k, bones=tuple(links[k.bones[0]])) for k in character.links))


def _slowed(motion: Motion, duration: float) -> Motion:
    """Return the motion played in ``duration`` s."""
    count = round(duration * RATE) + 1
    return replace(motion.sampled(np.linspace(0.0, motion.duration, count)), times=np.arange(count) / RATE)


def _bake_cost(armature: Any, motion: Motion, bones: int) -> BakeCost:
    import bpy

    from blender_biped.ui.bake.bake import bake
    from tools.commands.demo import curves_of

    began = time.process_time()
    baked = bake(armature, motion)
    whole = time.process_time() - began
    curves, frames = curves_of(baked.action), len(baked.frames)
    limit = _plain_keys(curves[0], len(curves), frames)
    bpy.data.actions.remove(baked.action)
    return BakeCost(bones, frames, len(curves) * frames, baked.write_s, whole, limit)


def _plain_keys(curve: Any, curves: int, frames: int) -> float:
    """Return the seconds that as many keys take which are all put into one curve in turn, without their handles."""
    places = np.zeros((frames, 2), dtype=np.float32)
    places[:, 0] = np.arange(frames)
    began = time.perf_counter()
    for _ in range(curves):
        curve.keyframe_points.clear()
        curve.keyframe_points.add(frames)
        curve.keyframe_points.foreach_set("co", places.ravel())
    return time.perf_counter() - began


# --- the preview -------------------------------------------------------------------------------------------------


def measure_preview() -> Section:
    """Return what the live preview costs while something is moved."""
    costs = _in_child(preview_costs)
    rows = [
        [f"{c.shape}: {c.changed}", f"{c.walk_s:.1f}", f"{c.median_ms:.0f}", f"{c.worst_ms:.0f}", f"{c.updates:.1f}"]
        for c in costs
    ]
    ratios = {f"preview: {c.shape}: {c.changed}": c.median_ms / costs[0].median_ms for c in costs}
    head = ["moved", "walk s", "median ms", "worst ms", "updates until whole"]
    return Section([asdict(c) for c in costs], ratios, _table(head, rows))


# --- processes ---------------------------------------------------------------------------------------------------


def _in_child(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return what ``work`` returns in a fresh process: with memory of its own, and nothing warm from before."""
    return _in_children(work, [arguments])[0]


def _in_children(work: Callable[..., Any], calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Return what ``work`` returns for the arguments of each call, each in a fresh process, all at the same time."""
    with (
        quiet(ERRORS),  # PyBullet greets there; what goes wrong is raised here
        ProcessPoolExecutor(len(calls), multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool,
    ):
        return [future.result() for future in [pool.submit(work, *arguments) for arguments in calls]]


def _job(length: float, controller: str = next(iter(CONTROLLERS))) -> Job:
    """Return a walk of ``length`` s, from rest, on a straight way that does not end before."""
    style = presets(controller)[0]
    case = Case(controller, style.name, DEFAULT_CHARACTER, "straight", SPEED)
    way = WalkPath([[0.0, 0.0], [SPEED * length + 10.0, 0.0]])
    job = job_of(case, characters()[DEFAULT_CHARACTER], way, style)
    return replace(job, stop=False, duration=length)


# --- for people --------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, its first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        return "  ".join((row[0].ljust(widths[0]), *rest)).rstrip()

    return [line(row) for row in (head, *rows)]


def _fall(*outcomes: str) -> str:
    fell = outcomes.count("fell")
    return f", FELL{f' ({fell} of {len(outcomes)})' if len(outcomes) > 1 else ''}" if fell else ""


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


PARTS: Mapping[str, tuple[str, Callable[[], Section]]] = {
    "split": ("where the time of a walk goes", measure_split),
    "length": ("cost against length", measure_length),
    "characters": ("several characters", measure_characters),
    "worker": ("starting the worker", measure_worker),
    "bake": ("baking", measure_bake),
    "preview": ("the live preview", measure_preview),
}


def comparison(old: Mapping[str, float], new: Mapping[str, float]) -> list[str]:
    """Return what became of each ratio that both runs have, as lines of a table."""
    rows = [
        [name, f"{old[name]:.2f}", f"{new[name]:.2f}", f"{100.0 * (new[name] / old[name] - 1.0):+.0f} %"]
        for name in new
        if old.get(name, 0.0) > 0.0
    ]
    return _table(["ratio", "before", "now", "change"], rows) if rows else ["The two runs have no ratio in common."]


def old_ratios(file: Path) -> dict[str, float]:
    """Return the ratios in an older result. Raises DataError when it is none that this version reads."""
    found = Fields(load_json(file), file.name)
    found.version(VERSION)
    ratios = found.child("ratios")
    return {name: ratios.number(name) for name in ratios.data}


def options(arguments: Sequence[str] | None = None) -> Options:
    """Return what the command line asks for. Ends the program with a message when it cannot be understood."""
    parser = argparse.ArgumentParser(prog="bench", description="Tell what a walk costs and where the time goes.")
    known = ", ".join(PARTS)
    parser.add_argument("--only", default=",".join(PARTS), metavar="PART[,PART]", help=f"of {known} (default: all)")
    parser.add_argument("--out", default=Path("out/bench"), type=Path, metavar="DIR", help="default: out/bench")
    parser.add_argument("--compare", type=Path, metavar="OLD.json", help="a bench.json to compare the ratios with")
    given = parser.parse_args(arguments)
    only = tuple(dict.fromkeys(given.only.split(",")))
    unknown = [part for part in only if part not in PARTS]
    if unknown:
        parser.error(f"--only: there is no part {', '.join(map(repr, unknown))}; choose of {known}")
    return Options(only, given.out, given.compare)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 2 when something could not be measured, read or written."""
    asked = options(arguments)
    try:
        old = old_ratios(asked.compare) if asked.compare else None
        result: dict[str, Any] = {"version": VERSION, "python": sys.version.split()[0], "cores": os.cpu_count()}
        ratios: dict[str, float] = {}
        for part in asked.only:
            what, measure = PARTS[part]
            print(f"\n{part}: {what} ...", flush=True)
            section = measure()
            print("\n".join(f"  {line}" for line in section.lines), flush=True)
            result[part] = section.figures
            ratios |= section.ratios
        result["ratios"] = ratios
        asked.out.mkdir(parents=True, exist_ok=True)
        file = asked.out / "bench.json"
        file.write_text(json.dumps(result, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    except BipedError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bench: cannot write into {asked.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    if old is not None:
        print("\n".join(["", *comparison(old, ratios)]))
    print(f"\n{file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
