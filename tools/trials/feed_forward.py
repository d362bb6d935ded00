# SPDX-License-Identifier: GPL-3.0-or-later
"""Feedback-error learning as in Yin 2007, sections 6 and 7 (``tools.trials``): what it does to a trunk.

Parts: the trunk's oscillation before and after, in a plane and in space, and how much is left to react with, for
the paper's lengths of bins; falls of soft walks against stiff ones; long pushes on soft walks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.cues import GaitCue
from blender_biped.control.shared.legs import LEFT
from blender_biped.control.shared.steering import Command
from blender_biped.control.simbicon.kind import PLANAR, SIMBICON
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.control.simbicon.walk import Simbicon
from blender_biped.job import Job
from blender_biped.motion.similarity import at_reference_size
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import Preset, preset, speeds_of
from blender_biped.simulate import simulate
from blender_biped.walking import control_step
from blender_biped.world.path import Path
from tools.authoring import settle
from tools.base.paths import paths
from tools.base.yin import planar_biped
from tools.trials import simbicon
from tools.trials.simbicon import MeasuredTrial

Figures = dict[str, Any]
LEARNT, SECONDS = 25.0, 40.0  # s from which a trunk is judged, and that it walks
BINS = (0.0005, 0.005, 0.025)  # s, the paper's
FINE = 2000.0  # control steps a second for them
SOFT = 0.5  # of the stiffness that is left
SOFT_GAITS = ("walk", "proud_walk", "fast_walk", "high_step", "jog", "run")
SOFT_PATHS = ("straight", "s-curve", "circle")
SEEDS = (1, 2, 3)
UPPER = ("root", "root_yaw", "waist", "back", "neck", "shoulder", "elbow", "wrist")
PUSHED_SOFT = (0.0, 0.5, 0.8)


def learning(style: Preset, **numbers: float) -> Preset:
    """Return a style with other numbers of its softness."""
    return replace(style, values=with_values(style.values, {f"soft.{name}": value for name, value in numbers.items()}))


def halved(style: Preset) -> Preset:
    """Return a style whose pelvis and upper body are held by half of its gains, and learn nothing."""
    gains = {k: [SOFT * g[0], SOFT * g[1], g[2]] if k in UPPER else g for k, g in style.values["gains"].items()}
    return replace(style, values={**style.values, "gains": gains})


def planar_sway(style: Preset) -> Figures:
    """Return how far the trunk of the seven-link biped oscillates in a stride, degrees from end to end, once learnt."""
    own = speeds_of(style)
    job = Job(
        planar_biped(), Path([[0.0, 0.0], [400.0, 0.0]]), style, own.usual if own else 1.0, stop=False, duration=SECONDS
    )
    motion = simulate(job)
    turns = quaternion_matrix(motion.rotations[:, 0])
    pitch = np.degrees(np.arctan2(-turns[:, 2, 0], turns[:, 2, 2]))
    strikes = [time for time, side in motion.strikes if side == LEFT and time > LEARNT]
    sways = [float(np.ptp(pitch[(motion.times >= a) & (motion.times < b)])) for a, b in pairwise(strikes)]
    return {"fell": motion.outcome == "fell", "sway_deg": float(np.mean(sways)) if sways else None, "ratio": None}


def sway(style: Preset, rate: float) -> Figures:
    """Return the same of the standard adult in space, and the paper's ratio of feedback to feed-forward torques.

    rate: control steps a second.
    """
    values = {**style.values, "rate": rate}
    step = control_step(SIMBICON, [values])
    walk = Simbicon(at_reference_size(standard_character()), [GaitCue(0.0, read_gait(values))], [], GRAVITY, step)
    speed = float(style.values.get("usual", 1.0))
    pitch, before = [], (0.0, 0.0)
    anticipation = walk.anticipation

    def command(time: float) -> Command:
        return Command(min(speed, 0.4 * max(time - 1.0, 0.0)), 0.0, 0.0, 0.0, 0.0, math.inf)

    for state in settle.led(walk, step, SECONDS, command):
        if state.time <= LEARNT:
            before = (anticipation.reacted, anticipation.anticipated) if anticipation else before
            continue
        pitch.append(math.degrees(math.atan2(-state.matrices[0, 2, 0], state.matrices[0, 2, 2])))
    ratio = None
    if anticipation:
        ratio = (anticipation.reacted - before[0]) / max(anticipation.anticipated - before[1], 1e-9)
    return {"fell": False, "sway_deg": float(np.ptp(pitch)), "ratio": ratio}


def feed_forward_trials() -> list[MeasuredTrial]:
    """Return trunks that react alone, and that anticipate."""
    planar, walk = preset(PLANAR.name, "walk"), preset(SIMBICON.name, "walk")
    found = [
        MeasuredTrial("in 2D", "reacting alone", partial(planar_sway, planar)),
        MeasuredTrial("in 2D", "anticipating", partial(planar_sway, learning(planar, learning=0.1))),
        MeasuredTrial("in 3D", "reacting alone", partial(sway, walk, FINE)),
    ]
    for length in BINS:
        style = learning(walk, learning=0.1, bin=length)
        found.append(MeasuredTrial("in 3D", f"bins of {1000.0 * length:g} ms", partial(sway, style, FINE)))
    return found


def soft_trials() -> list[MeasuredTrial]:
    """Return walks as they are, by half of the stiffness that anticipate, and by half of it that react alone."""
    ways: Mapping[str, Callable[[Preset], Preset]] = {
        "stiff": lambda style: style, "half, anticipating": partial(learning, softness=SOFT),
        "half, reacting alone": halved,
    }  # fmt: skip
    found, body, known = [], standard_character(), paths()
    for group, made in ways.items():
        for name in SOFT_GAITS:
            style = made(preset(SIMBICON.name, name))
            own = speeds_of(style)
            for way in SOFT_PATHS:
                for seed in SEEDS:
                    job = Job(body, known[way], style, own.usual if own else 1.0, stop=False, duration=20.0, seed=seed)
                    found.append(MeasuredTrial(group, f"{name}, {way}, {seed}", partial(simbicon.walked, job)))
    return found


def soft_push_trials() -> list[MeasuredTrial]:
    """Return pushes of 0.4 s in eight directions on walks that are less and less stiff; see ``long_push_trials``."""
    found, walk = [], preset(SIMBICON.name, "walk")
    for softness in PUSHED_SOFT:
        style = learning(walk, softness=softness) if softness else walk
        job, stride = simbicon.walk_to_push(standard_character(), style, before=16.0)
        for degrees in range(0, 360, 45):
            way = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            for force in simbicon.LONG_FORCES:
                group = f"softness {softness:g}, {degrees} degrees"
                found.append(simbicon.push_trial(group, job, stride, force, way, simbicon.LONG_PHASE, 0.4))
    return found


PARTS: Mapping[str, Callable[[], list[MeasuredTrial]]] = {
    "feed-forward": feed_forward_trials, "soft": soft_trials, "soft-pushes": soft_push_trials,
}  # fmt: skip


def run(trial: MeasuredTrial, out: FilePath) -> Figures:
    """Measure one trial and return its figures; ``out`` stays as it is."""
    return simbicon.run(trial, out)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people of a part's figures."""
    if part == "feed-forward":
        return [f"  {one['group']:<8} {one['name']:<20} {_trunk(one)}" for one in found]
    return simbicon.report_lines("long-pushes" if part == "soft-pushes" else "pushes", found)


def _trunk(one: Figures) -> str:
    sways = "-" if one["sway_deg"] is None else f"sways {one['sway_deg']:.2f} degrees"
    ratio = "" if one["ratio"] is None else f", feedback {100.0 * one['ratio']:.1f} % of feed-forward"
    return f"{sways}{ratio}" + (", fell" if one["fell"] else "")
