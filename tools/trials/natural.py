# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural walking beside people (``tools.trials``): its figures at four speeds, pushes, and every style on bodies.

Beside it stand KLAW's steps, which are kinematic, and captured walks at about the same speed. Bodies are the standard
adult and rigs, clips lie beside the project: what is missing is left out, and the table shows it. Needs bpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.character.model import Character
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import presets
from blender_biped.job import Job, Push
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import preset, usual_speed
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tools.base import clips
from tools.base.paths import paths
from tools.measure.styles import USUAL

Figures = dict[str, Any]
SHARED = FilePath(__file__).resolve().parents[3] / "shared"
STANDARD = "standard"
RIGIFY = "rigify_human_generated:rig"
BODIES = (STANDARD, RIGIFY, "mpfb_mixamo_adult", "mpfb_cmu_mb_adult", "q_Male_Casual")
"""The standard adult, and rigs: their file's name, and, where it has several armatures, the one that walks."""
SPEEDS = (0.6, 0.9, 1.2, 1.5)
SEEDS = tuple(range(41, 51))
"""Of starts, each slightly perturbed, that nothing was tuned on."""
ROUTES = ("straight", "s-curve")
STYLE_ROUTES = ("straight", "s-curve", "figure-eight")
_CLIPS: Mapping[float, tuple[tuple[str, Callable[[FilePath], tuple[Motion, Job]]], ...]] = {
    0.6: (("styles/bandai1_walk_sad_001.bvh", clips.styled),),
    0.9: (
        ("styles/bandai1_walk_feminine_001.bvh", clips.styled),
        ("deepmimic_humanoid3d_walk.txt", clips.humanoid_walk),
    ),
    1.2: (("cmu_02_01.bvh", clips.cmu_02_01),),
    1.5: (("styles/bandai1_walk_masculinity_001.bvh", clips.styled),),
}
"""Captured walks by the speed, m/s, that they are nearest to."""
KEYS = (
    "hip_r", "knee_r", "ankle_r", "knee_at_strike_deg", "step_length_error_percent", "double_support_percent",
    "com_bob_mm", "pelvis_rotation_deg", "foot_slip_median_mm", "foot_slip_worst_mm", "penetration_mm",
    "path_deviation_mean_m", "speed_error_percent",
)  # fmt: skip
_OF_CLIPS = KEYS[:8]
FORCE, LENGTH, STANDING_FORCE = 300.0, 0.1, 250.0
"""N and s at the chest of a body of 70 kg."""
PUSHED_AT, PUSHED_WAY = 1.2, 11.0  # m/s and m
PHASES = 8
WAYS = {
    "from behind": (1.0, 0.0),
    "from ahead": (-1.0, 0.0),
    "from the right": (0.0, 1.0),
    "from the left": (0.0, -1.0),
}
_STEADY = 3.0  # s after which a stride is pushed
_STANDS = 8.0  # s at which one is pushed that stands since it has walked 2 m


@dataclass(frozen=True)
class LikenessTrial:
    """Walks at a speed, m/s. who: "natural" and "klaw" walk a body along a route, "captured" is a clip's file."""

    who: str
    speed: float
    body: str
    route: str = ""


@dataclass(frozen=True)
class PushTrial:
    """A side from which the standard adult is pushed while it walks, or stands."""

    side: str
    stands: bool


@dataclass(frozen=True)
class StyleTrial:
    """A style on a body along the routes."""

    style: str
    body: str


def _likeness() -> list[LikenessTrial]:
    bodies = [body for body in BODIES[:2] if known(body)]
    found = [
        LikenessTrial(who, speed, body, route)
        for speed in SPEEDS for body in bodies for who in ("natural", "klaw") for route in ROUTES
    ]  # fmt: skip
    return found + [
        LikenessTrial("captured", speed, file)
        for speed, own in _CLIPS.items() for file, _ in own if (SHARED / "mocap" / file).exists()
    ]  # fmt: skip


def _pushes() -> list[PushTrial]:
    return [PushTrial(side, stands) for stands in (False, True) for side in WAYS]


def _styles() -> list[StyleTrial]:
    return [StyleTrial(own.name, body) for body in BODIES if known(body) for own in presets("natural")]


PARTS: dict[str, Callable[[], Sequence[Any]]] = {
    "likeness": _likeness, "natural-pushes": _pushes, "natural-styles": _styles,
}  # fmt: skip


def run(trial: LikenessTrial | PushTrial | StyleTrial, out: FilePath) -> Figures:
    """Return the figures of one trial."""
    if isinstance(trial, LikenessTrial):
        return _walked_beside(trial)
    return _pushed(trial) if isinstance(trial, PushTrial) else _styled(trial)


def _walked_beside(trial: LikenessTrial) -> Figures:
    """Return medians and worst of a walk's figures over its starts; a clip and KLAW have one."""
    if trial.who == "captured":
        load = next(own for file, own in _CLIPS[trial.speed] if file == trial.body)
        motion, job = load(SHARED / "mocap" / trial.body)
        figures = {key: value for key, value in _figures(motion, job).items() if key in _OF_CLIPS}
        return {**_told(trial), "walks": 1, "fell": 0, "figures": {k: (v, v) for k, v in figures.items()}}
    body, route = body_of(trial.body), paths()[trial.route]
    seeds = SEEDS if trial.who == "natural" else (0,)
    found, fell = [], 0
    for seed in seeds:
        job = Job(body, route, preset(trial.who, USUAL[trial.who]), trial.speed, seed=seed)
        motion = simulate(job)
        fell += motion.outcome != "arrived"
        found.append(_figures(motion, job))
    return {**_told(trial), "walks": len(seeds), "fell": fell, "figures": {key: spread(key, found) for key in KEYS}}


def _told(trial: LikenessTrial) -> Figures:
    return {"who": trial.who, "speed_mps": trial.speed, "body": trial.body, "route": trial.route}


def _figures(motion: Motion, job: Job) -> Figures:
    """Return a walk's figures; None where it has none of that kind."""
    report = measures.report(motion, job)
    knees = measures.cycles(motion, job, "knee")
    return {
        **{key: report.get(key) for key in KEYS},
        "knee_at_strike_deg": float(knees[:, 0].mean()) if len(knees) else None,
    }


def spread(key: str, found: Sequence[Figures]) -> tuple[float, float] | None:
    """Return the median and the worst of a figure; None where no walk has it."""
    values = [one[key] for one in found if one[key] is not None]
    if not values:
        return None
    sizes = np.abs(values)
    worst = sizes.min() if key.endswith("_r") or key == "com_bob_mm" else sizes.max()
    return float(np.median(sizes)), float(worst)


def _pushed(trial: PushTrial) -> Figures:
    """Return how walks end that are pushed at phases of a stride, or while they stand, from several starts."""
    body = standard_character()
    size = body.mass / 70.0
    walk = Job(body, Path([[0.0, 0.0], [PUSHED_WAY, 0.0]]), preset("natural", "default"), PUSHED_AT)
    ways = (*(size * part for part in WAYS[trial.side]), 0.0)
    outcomes = []
    if trial.stands:
        for seed in SEEDS:
            job = replace(
                walk, path=Path([[0.0, 0.0], [5.0, 0.0]]), speed=1.0, along=(PathPoint(2.0, wait=5.0),), seed=seed,
                pushes=(Push("chest", _STANDS, LENGTH, _force(STANDING_FORCE, ways)),),
            )  # fmt: skip
            outcomes.append(simulate(job).outcome)
    else:
        calm = simulate(walk)
        stride = next(s for s in gait_events.strides(calm, 0) if s.start > _STEADY)
        for k in range(PHASES):
            time = stride.start + k / PHASES * (stride.end - stride.start)
            job = replace(walk, pushes=(Push("chest", time, LENGTH, _force(FORCE, ways)),))
            outcomes.append(simulate(job).outcome)
    return {"side": trial.side, "stands": trial.stands, "outcomes": outcomes}


def _force(size: float, way: tuple[float, ...]) -> tuple[float, float, float]:
    x, y, z = (size * part for part in way)
    return x, y, z


def _styled(trial: StyleTrial) -> Figures:
    """Return how a style's walks end along each route, at its usual speed."""
    body, style = body_of(trial.body), preset("natural", trial.style)
    outcomes = {}
    for route in STYLE_ROUTES:
        job = Job(body, paths()[route], style, usual_speed(style) or PUSHED_AT, seed=SEEDS[0])
        outcomes[route] = simulate(job).outcome
    return {"style": trial.style, "body": trial.body, "outcomes": outcomes}


# -- bodies


def _rig(name: str) -> FilePath:
    return SHARED / "rigs" / f"{name.partition(':')[0]}.blend"


def known(name: str) -> bool:
    """Return whether a body of BODIES is there: rigs lie beside the project."""
    return name == STANDARD or _rig(name).exists()


def body_of(name: str) -> Character:
    """Return a body by its name. It opens the rig's file in this process's Blender."""
    if name == STANDARD:
        return standard_character()
    from tools.scene.characters import own_characters

    _, colon, armature = name.partition(":")
    (body,) = own_characters([f"{_rig(name)}{colon}{armature}"], (), lambda said: None).values()
    return body


# -- for people


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    if part == "likeness":
        return _likeness_lines(found)
    if part == "natural-pushes":
        return [
            f"  {'standing' if one['stands'] else 'walking':<10} {one['side']:<15} "
            f"{sum(o == 'arrived' for o in one['outcomes'])} of {len(one['outcomes'])} stay up"
            for one in found
        ]
    lines = []
    for body in dict.fromkeys(one["body"] for one in found):
        own = [one for one in found if one["body"] == body]
        ends = [(f"{one['style']} ({route})", end) for one in own for route, end in one["outcomes"].items()]
        bad = [f"{name} {end}" for name, end in ends if end != "arrived"]
        lines.append(f"  {body:<24} {len(ends) - len(bad)} of {len(ends)} arrive{': ' if bad else ''}{', '.join(bad)}")
    return lines


def _likeness_lines(found: Sequence[Figures]) -> list[str]:
    lines = []
    for one in found:
        parts = [
            f"{key.removesuffix('_percent')} {pair[0]:.3g} ({pair[1]:.3g})" if pair else f"{key} -"
            for key, pair in ((key, _pair(one, key)) for key in KEYS)
        ]
        lines.append(
            f"  {one['speed_mps']:g} m/s {one['who']:<8} {FilePath(one['body']).stem} {one['route']}: "
            f"{one['walks'] - one['fell']} of {one['walks']} arrive; {', '.join(parts)}"
        )
    return lines


def _pair(one: Figures, key: str) -> tuple[float, float] | None:
    pair = one["figures"].get(key)
    return None if pair is None or pair[0] is None else (float(pair[0]), float(pair[1]))
