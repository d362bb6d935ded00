# SPDX-License-Identifier: GPL-3.0-or-later
"""SIMBICON led and disturbed (``tools.trials``): stops, speeds, pushes, a heading, changes of gaits in long walks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.errors import DataError
from blender_biped.character.model import Character
from blender_biped.character.pushed import torso
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import LEFT
from blender_biped.control.shared.steering import Command
from blender_biped.control.simbicon.kind import PLANAR, SIMBICON
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.job import Job, Push
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import Preset, preset, presets, speeds_of
from blender_biped.preset.transitions import expanded, own_ending, read_transitions, resting
from blender_biped.simulate import simulate
from blender_biped.walking import control_step
from blender_biped.world.path import Path
from tools.authoring import settle
from tools.authoring.transitions import STOPS, lands_on_both
from tools.base.paths import paths
from tools.base.yin import planar_biped
from tools.measure import gaits, grid
from tools.measure.pushed import LENGTH, PHASES, WATCHED
from tools.measure.selection import DIRECTIONS
from tools.scene.characters import own_characters

Figures = dict[str, Any]
STOPPING = ("walk", "proud_walk", "tired_walk", "slow_walk", "fast_walk", "high_step", "half_bent", "bent", "crouch")
BRAKING = ("jog", "run", "fast_run", "hop", "skip")  # gaits that stop through others
STOP_LENGTHS = tuple(8.0 + 0.5 * i for i in range(17))  # m, of straight paths that the walk stops at the end of
STOP_PATHS = ("straight", "corner", "s-curve")
FORCES = (210.0, 230.0, 250.0, 270.0, 290.0)  # N, for 0.1 s
LONG_FORCES = tuple(float(force) for force in range(60, 260, 20))  # N, for 0.4 s
PLANAR_FORCES = {"forward": (600.0, 900.0, 1150.0, 1300.0), "back": (500.0, 600.0, 700.0)}  # N, for 0.1 s
PLANAR_PHASES = 10  # of a stride, at which pushes begin
LONG_PHASE = 0.1  # of a stride, at which the long ones do (the paper's)
BEFORE = 8.0  # s of walking before a push's stride
SWING, PERIOD = 0.9, 12.0  # rad, s, of a heading: SWING sin(pi t / PERIOD)
STRAIGHT_ON, SWINGING = 3.0, 6.0  # s after which that begins, and from which it is judged
CHAIN = (
    "hop", "walk", "in_place", "walk", "fast_walk", "walk", "in_place", "walk", "high_step", "walk", "in_place",
    "walk", "skip", "walk", "bent", "walk", "crouch", "walk", "in_place", "backward", "in_place", "sideways",
    "in_place", "walk", "run", "fast_run",
)  # fmt: skip
"""Section 7.1, as far as its gaits exist."""
HOP_TIMES = (4.0, 4.2, 4.4, 4.6, 4.8)  # s at which walks go over to the hop
RUN_TIMES = (5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5)  # s at which a walk goes over to a run
LONG = 60.0  # s
SHORT_RUN, RUNNING, STARTS = 2.2, 1.8, 10  # m/s desired, m/s that count as running, starts
ACTIONS = ("squat", "kick", "jump", "big_step", "one_foot")
"""What is done once in a walk, from a marker on."""
_LINE = Path([[0.0, 0.0], [400.0, 0.0]])


@dataclass(frozen=True)
class MeasuredTrial:
    """One thing to measure: ``measured`` returns its figures; ``group``: those that share a line."""

    group: str
    name: str
    measured: Callable[[], Figures]


# --- what is measured --------------------------------------------------------------------------------------------


def walked(job: Job) -> Figures:
    """Return how a walk ended, and what it is judged by."""
    return _judged(simulate(job), job)


def _judged(motion: Motion, job: Job) -> Figures:
    report = measures.report(motion, job)
    names = (
        "fell", "arrival_m", "speed_error_percent", "path_deviation_mean_m", "foot_slip_median_mm", "cpu_s_per_s",
    )  # fmt: skip
    return {"outcome": motion.outcome, "seconds": round(motion.duration, 2), **{name: report[name] for name in names}}


def paced(job: Job) -> Figures:
    """Return the same, and the speed, m/s, by how far it came in the last two thirds."""
    motion = simulate(job)
    return {**_judged(motion, job), "speed_mps": gaits.mean_speed(motion)}


def fast_part(job: Job) -> Figures:
    """Return the same, and how many metres of its way it runs at ``RUNNING`` or faster, over 0.4 s."""
    motion = simulate(job)
    speeds = gaits.running_speeds(motion, 0.4)
    step = motion.duration / max(len(speeds), 1)
    return {**_judged(motion, job), "run_m": float(speeds[speeds >= RUNNING].sum() * step)}


def hopped(job: Job) -> Figures:
    """Return whether a walk ends in a hop on both feet."""
    motion = simulate(job)
    hops = motion.outcome != "fell" and lands_on_both(motion, motion.duration - 3.0)
    return {"fell": motion.outcome == "fell", "hops": hops}


def headed(style: Preset, speed: float, seconds: float = 30.0) -> Figures:
    """Return how the pelvis of the standard adult keeps to a heading that swings from one side to the other.

    speed: m/s. Of the angle between both, degrees, without the first seconds: the root of the mean square, and the
    largest mean of a stride.
    """
    step, swings = control_step(SIMBICON, [style.values]), math.pi / PERIOD
    walk = settle.walking(read_gait(style.values), step)

    def command(time: float) -> Command:
        turn = SWING * swings * math.cos(swings * (time - STRAIGHT_ON)) if time > STRAIGHT_ON else 0.0
        return Command(min(speed, 0.5 * max(time - 1.0, 0.0)), heading(time), 0.0, turn, 0.0, math.inf)

    def heading(time: float) -> float:
        return SWING * math.sin(swings * max(time - STRAIGHT_ON, 0.0))

    errors = []
    try:
        for state in settle.led(walk, step, seconds, command):
            pelvis = state.matrices[0]
            error = math.atan2(pelvis[1, 0], pelvis[0, 0]) - heading(state.time)
            errors.append(math.degrees(math.remainder(error, 2.0 * math.pi)))
    except DataError:
        return {"fell": True}
    strikes = [time for time, side in walk.strikes if side == LEFT and time > SWINGING]
    found = np.array(errors[round(SWINGING / step) :])
    stride = round(float(np.diff(strikes).mean()) / step)
    means = np.convolve(found, np.ones(stride) / stride, "valid")
    return {"fell": False, "rms_deg": float(np.sqrt((found**2).mean())), "stride_deg": float(np.abs(means).max())}


# --- parts -------------------------------------------------------------------------------------------------------


def stop_trials() -> list[MeasuredTrial]:
    """Return stops of the walk on straight paths of many lengths, of all walks on three paths, and of other gaits."""
    body, walk, ways = standard_character(), preset(SIMBICON.name, "walk"), paths()
    found = [
        MeasuredTrial("walk, straight", f"{length:g} m", partial(walked, Job(body, _straight(length), walk, 1.0)))
        for length in STOP_LENGTHS
    ]
    for name in STOPPING:
        style = preset(SIMBICON.name, name)
        for way in STOP_PATHS:
            for speed in grid.speeds(style, body):
                case = grid.Case(SIMBICON.name, name, body.name, way, speed)
                job = grid.job_of(case, body, ways[way], style)
                found.append(MeasuredTrial(name, f"{way} {speed:g} m/s", partial(walked, job)))
    for style in (preset(SIMBICON.name, name) for name in BRAKING):
        speed = grid.usual_speed(style, body) or 0.0
        for length in STOPS:
            job = Job(body, _straight(length), style, speed, ending=own_ending(style))
            found.append(MeasuredTrial(style.name, f"{length:g} m", partial(walked, job)))
    return found


def speed_trials() -> list[MeasuredTrial]:
    """Return minutes straight ahead of each gait that travels, at both ends of its range and at its usual speed."""
    body, found = standard_character(), []
    for style in presets(SIMBICON.name):
        own = speeds_of(style)
        if own is None or own.fastest <= 0.0:
            continue
        for speed in dict.fromkeys((max(own.slowest, min(0.2, own.usual)), own.usual, own.fastest)):
            job = Job(body, _LINE, style, speed, duration=LONG, stop=False)
            found.append(MeasuredTrial(style.name, f"{speed:g} m/s", partial(paced, job)))
    return found


def push_trials() -> list[MeasuredTrial]:
    """Return pushes of 0.1 s on the walk's chest, at each phase of a stride, from four sides."""
    job, stride = walk_to_push(standard_character(), preset(SIMBICON.name, "walk"))
    return [
        push_trial(f"{way}, {force:g} N", job, stride, force, DIRECTIONS[way], i / PHASES)
        for way in DIRECTIONS
        for force in FORCES
        for i in range(PHASES)
    ]


def long_push_trials() -> list[MeasuredTrial]:
    """Return pushes of 0.4 s on the walk's chest, in eight directions."""
    job, stride = walk_to_push(standard_character(), preset(SIMBICON.name, "walk"))
    found = []
    for degrees in range(0, 360, 45):
        way = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        for force in LONG_FORCES:
            group = f"{degrees} degrees to the left"
            found.append(push_trial(group, job, stride, force, way, LONG_PHASE, 0.4))
    return found


def planar_push_trials() -> list[MeasuredTrial]:
    """Return pushes of 0.1 s on the seven-link biped's trunk, at each phase of a stride."""
    job, stride = walk_to_push(planar_biped(), preset(PLANAR.name, "walk"))
    return [
        push_trial(f"{way}, {force:g} N", job, stride, force, DIRECTIONS[way], i / PLANAR_PHASES)
        for way, forces in PLANAR_FORCES.items()
        for force in forces
        for i in range(PLANAR_PHASES)
    ]


def walk_to_push(body: Character, style: Preset, before: float = BEFORE) -> tuple[Job, gait_events.Stride]:
    """Return the walk that is to be pushed, and the stride in whose phases. before: s of walking before it."""
    own = speeds_of(style)
    job = Job(body, _LINE, style, own.usual if own else 1.0, duration=before + 4.0, stop=False)
    return job, next(s for s in gait_events.strides(simulate(job), 0) if s.start > before)


def push_trial(
    group: str,
    job: Job,
    stride: gait_events.Stride,
    force: float,
    way: tuple[float, float],
    phase: float,
    length: float = LENGTH,
) -> MeasuredTrial:
    """Return a walk that is pushed. force: N. way: forward and to the left. length: s."""
    onset = stride.start + phase * (stride.end - stride.start)
    push = Push(torso(job.character), onset, length, (force * way[0], force * way[1], 0.0))
    pushed = replace(job, pushes=(push,), duration=onset + length + WATCHED)
    return MeasuredTrial(group, f"{force:g} N at phase {phase:g}", partial(walked, pushed))


def heading_trials() -> list[MeasuredTrial]:
    """Return the walk's heading from one side to the other, at two speeds."""
    walk = preset(SIMBICON.name, "walk")
    return [MeasuredTrial("walk", f"{speed:g} m/s", partial(headed, walk, speed)) for speed in (0.8, 1.0)]


def hop_trials() -> list[MeasuredTrial]:
    """Return entries to the hop at other times and speeds than those that transitions are tried at."""
    body, hop, found = standard_character(), preset(SIMBICON.name, "hop"), []
    for name, speed in (("walk", 0.6), ("walk", 0.8), ("in_place", 0.0), ("tired_walk", 0.6), ("high_step", 0.6)):
        for time in HOP_TIMES:
            cue = Cue(time, hop, 0, 0.6)
            job = Job(body, _LINE, preset(SIMBICON.name, name), speed, duration=time + 15.0, cues=(cue,), stop=False)
            found.append(MeasuredTrial(f"{name} {speed:g} m/s", f"at {time:g} s", partial(hopped, job)))
    return found


def chain_trials() -> list[MeasuredTrial]:
    """Return the paper's chain of gaits in one walk, each for 4 s and for 5 s."""
    styles = [preset(SIMBICON.name, name) for name in CHAIN]
    usual = [own.usual if (own := speeds_of(style)) else 1.0 for style in styles]
    found = []
    for each in (4.0, 5.0):
        cues = tuple(
            Cue(each * i, style, 4, speed or 0.05)
            for i, (style, speed) in enumerate(zip(styles, usual, strict=True))
            if i
        )
        seconds = each * len(styles) + 6.0
        job = Job(standard_character(), _LINE, styles[0], usual[0], cues=cues, duration=seconds, stop=False)
        found.append(MeasuredTrial("chain", f"{each:g} s each", partial(walked, job)))
    return found


def run_trials() -> list[MeasuredTrial]:
    """Return S-curves of 30 m of Rigify's human: it walks, runs from a marker on, and stops at the path's end."""
    (body,) = own_characters([""], (), lambda line: None).values()
    along = np.linspace(0.0, 30.0, 80)
    path = Path(np.stack((along, 1.2 * np.sin(2.0 * math.pi * along / 30.0)), axis=1))
    known, table = {style.name: style for style in presets(SIMBICON.name)}, read_transitions(SIMBICON.name)
    walk, run = known["walk"], known["run"]
    fast = grid.usual_speed(run, body) or 0.0
    found = []
    for time in RUN_TIMES:
        cues = expanded(walk, [Cue(time, run, 0, fast)], table, known)
        job = Job(
            body, path, walk, grid.usual_speed(walk, body) or 1.0, cues=cues, ending=resting([walk, run], table, known)
        )
        found.append(MeasuredTrial("walk, run, stop", f"marker at {time:g} s", partial(walked, job)))
    return found


def short_run_trials() -> list[MeasuredTrial]:
    """Return runs on the S-curve of 12 m: how much of it is run, and whether it stands at the end."""
    path, style = paths()["s-curve"], preset(SIMBICON.name, "run")
    job = Job(standard_character(), path, style, SHORT_RUN, ending=own_ending(style))
    return [
        MeasuredTrial("run on 12 m", f"start {seed}", partial(fast_part, replace(job, seed=seed)))
        for seed in range(1, STARTS + 1)
    ]


def action_trials() -> list[MeasuredTrial]:
    """Return walks of 10 m that do each thing that is done once, at a time of its own each, walk on, and stop."""
    body, walk, found = standard_character(), preset(SIMBICON.name, "walk"), []
    for style in (preset(SIMBICON.name, name) for name in ACTIONS):
        usual = grid.usual_speed(style, body) or 0.01
        for seed in range(1, STARTS + 1):
            cue = Cue(4.0 + 0.07 * seed, style, 0, usual)
            job = Job(body, _straight(10.0), walk, 0.9, seed=seed, cues=(cue,))
            found.append(MeasuredTrial(style.name, f"start {seed}", partial(walked, job)))
    return found


def _straight(length: float) -> Path:
    return Path([[0.0, 0.0], [length, 0.0]])


PARTS: Mapping[str, Callable[[], list[MeasuredTrial]]] = {
    "stops": stop_trials, "speeds": speed_trials, "pushes": push_trials, "long-pushes": long_push_trials,
    "planar-pushes": planar_push_trials, "heading": heading_trials, "hop": hop_trials, "chain": chain_trials,
    "run": run_trials, "short-runs": short_run_trials, "actions": action_trials,
}  # fmt: skip


# --- running -----------------------------------------------------------------------------------------------------


def run(trial: MeasuredTrial, out: FilePath) -> Figures:
    """Measure one trial and return its figures; ``out`` stays as it is."""
    return {"group": trial.group, "name": trial.name, **trial.measured()}


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people of a part's figures, one for each group."""
    groups: dict[str, list[Figures]] = {}
    for one in found:
        groups.setdefault(one["group"], []).append(one)
    lines = _LINES.get(part, _walks)
    return [f"  {name:<26} {lines(group)}" for name, group in groups.items()]


def _stops(group: Sequence[Figures]) -> str:
    off = [one["arrival_m"] for one in group if one["outcome"] == "arrived" and one["arrival_m"] is not None]
    odd = [f"{one['name']}: {_ended(one)}" for one in group if one["outcome"] != "arrived" or one["arrival_m"] is None]
    return "; ".join([f"{len(off)} of {len(group)} stand, at most {max(off, default=0.0):.2f} m off", *odd])


def _ended(one: Figures) -> str:
    return "fell" if one["outcome"] == "fell" else "steps on"


def _falls(group: Sequence[Figures]) -> str:
    return f"{sum(one['fell'] for one in group)} of {len(group)} fall"


def _most(group: Sequence[Figures]) -> str:
    stood = 0
    while stood < len(group) and not group[stood]["fell"]:
        stood += 1
    return f"stands up to {group[stood - 1]['name']}" if stood else f"falls at {group[0]['name']}"


def _headings(group: Sequence[Figures]) -> str:
    return "; ".join(f"{one['name']}: {_heading(one)}" for one in group)


def _heading(one: Figures) -> str:
    if one["fell"]:
        return "fell"
    return f"rms {one['rms_deg']:.1f}, a stride's mean at most {one['stride_deg']:.1f} degrees"


def _lasted(group: Sequence[Figures]) -> str:
    return "; ".join(
        f"{one['name']}, {'fell after' if one['fell'] else 'walked'} {one['seconds']:.0f} s" for one in group
    )


def _hops(group: Sequence[Figures]) -> str:
    return f"{sum(one['hops'] for one in group)} of {len(group)} hop, {sum(one['fell'] for one in group)} fall"


def _walks(group: Sequence[Figures]) -> str:
    return f"\n{'':28} ".join(_walk(one) for one in group)


def _walk(one: Figures) -> str:
    figures = (
        ("{:.2f} m from the end", "arrival_m"), ("speed {:.1f} % off", "speed_error_percent"),
        ("path {:.2f} m off", "path_deviation_mean_m"), ("slip {:.1f} mm", "foot_slip_median_mm"),
        ("CPU {:.3f}", "cpu_s_per_s"), ("{:.3f} m/s", "speed_mps"), ("{:.1f} m run", "run_m"),
    )  # fmt: skip
    known = [text.format(one[name]) for text, name in figures if one.get(name) is not None]
    end = f"fell after {one['seconds']:.1f} s" if one["fell"] else f"{one['seconds']:.1f} s"
    return f"{one['name']}: {', '.join([end, *known])}"


_LINES: Mapping[str, Callable[[Sequence[Figures]], str]] = {
    "stops": _stops, "actions": _stops, "pushes": _falls, "long-pushes": _most, "planar-pushes": _falls,
    "heading": _headings, "hop": _hops, "chain": _lasted,
}  # fmt: skip
