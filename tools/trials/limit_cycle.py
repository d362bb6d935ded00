# SPDX-License-Identifier: GPL-3.0-or-later
"""Limit-cycle control on the trials of Laszlo's thesis (1996), chapters 4 and 5 (``tools.trials``).

For each walk that is to be seen, NAME.npz, NAME.json and the film strip NAME.png are written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.spatial import yaw
from blender_biped.character.natural_speed import natural_speed
from blender_biped.character.standard import standard_character
from blender_biped.job import Job, Push, write_job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion, write_motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base.laszlo import laszlo_human, robo_bird
from tools.base.paths import paths
from tools.measure.grid import characters
from tools.scene.characters import own_characters

Figures = dict[str, Any]
FULL = 60  # steps of a whole trial
TARGETS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)  # forward Q_d of the thesis' trials
STRATEGIES = ("superposition", "forward-lateral", "lateral-forward")
RIGS = FilePath(__file__).resolve().parents[3] / "shared" / "rigs"
PEOPLE = ("mpfb_default_full_dm.blend", "q_Male_Casual.blend", "m2m_rig-human.blend")
STARTS = 3  # of each walk that comes to rest
_STRAIGHT = Path([[0.0, 0.0], [100.0, 0.0]])
_SETTLED = 0.05  # m/s within which a step's speed is that of the end


@dataclass(frozen=True)
class TrialWalk:
    """One walk: a name and its job. seen: whether it is kept and drawn."""

    name: str
    job: Job
    seen: bool = False


# --- jobs --------------------------------------------------------------------------------------------------------


def changed(style: Preset, changes: Mapping[str, Any]) -> Preset:
    """Return a preset with other values; names like ``balance.strategy`` and ``balance.dimensions.0.target``."""
    values = json.loads(json.dumps(dict(style.values)))
    for name, value in changes.items():
        *way, last = name.split(".")
        place = values
        for word in way:
            place = place[int(word)] if isinstance(place, list) else place[word]
        place[int(last) if isinstance(place, list) else last] = value
    return replace(style, values=values)


def human(style: Preset, seconds: float, speed: float = 0.5, path: Path = _STRAIGHT, **more: Any) -> Job:
    """Return a walk of the thesis' human."""
    return Job(laszlo_human(), path, style, speed, duration=seconds, **more)


def table_trials() -> list[TrialWalk]:
    """Return the trials of figures 4.3, 4.9 and 4.15, those of section 4.3, and those of 4.3 with the full Jacobian."""
    beside = [round(target - 0.25, 2) for target in TARGETS]  # the swing foot is before the centre of mass, or behind
    rows = [
        (vector, strategy, servo) for vector in ("up", "swing") for strategy in STRATEGIES for servo in (False, True)
    ]
    rows += [("stance", "forward-lateral", False), ("up", "jacobian", False), ("up", "jacobian", True)]
    return [_table_trial(*row, target) for row in rows for target in (beside if row[0] == "swing" else TARGETS)]


def _table_trial(vector: str, strategy: str, servo: bool, target: float) -> TrialWalk:
    """Return the walk of the thesis' numbers with one vector as both regulation variables."""
    changes: dict[str, Any] = {
        "balance.strategy": strategy, "balance.dimensions.0.target": target, "level": ["abdomen"] if servo else [],
    }  # fmt: skip
    if strategy == "jacobian":
        changes |= {"balance.refinements": 3, "balance.rebuild": 0.02}
    for i in (0, 1):
        changes[f"balance.dimensions.{i}.vectors"] = {vector: 1.0}
        changes[f"balance.dimensions.{i}.link"] = "pelvis" if servo else "abdomen"
        if strategy == "jacobian":
            changes[f"balance.dimensions.{i}.clamp"] = 40
    name = f"{vector}_{strategy}_{'servo' if servo else 'free'}_{target:g}"
    return TrialWalk(name, human(changed(preset("limit_cycle", "thesis"), changes), 25.5))


def speed_trials() -> list[TrialWalk]:
    """Return walks by the bias of the target alone (equation 5.1), as they are led, and one that changes its speed."""
    walk = preset("limit_cycle", "default")
    alone = changed(walk, {"balance.dimensions.0.learning": 0.0})
    speeds = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)  # the bias goes with it in a line
    found = [TrialWalk(f"bias_{speed:g}", human(alone, 18.0, speed)) for speed in speeds]
    found += [TrialWalk(f"rest_{speed:g}", human(walk, 18.0, speed)) for speed in speeds]
    cues = tuple(Cue(time, walk, speed=speed) for time, speed in ((10.0, 0.7), (20.0, 0.3), (30.0, 0.5)))
    return [*found, TrialWalk("speed_changes", human(walk, 40.0, 0.3, cues=cues), True)]


def stride_trials() -> list[TrialWalk]:
    """Return one walk of three stride rates."""
    slow, walk, quick = (preset("limit_cycle", name) for name in ("slow_stride", "default", "quick_stride"))
    cues = (Cue(14.0, slow), Cue(30.0, walk), Cue(44.0, quick))
    return [TrialWalk("stride", human(walk, 58.0, 0.5, cues=cues), True)]


def turn_trials() -> list[TrialWalk]:
    """Return walks in circles: tight ones, with and without the torso servo."""
    walk = preset("limit_cycle", "default")
    found = []
    for name, radius, speed, level in (("servo", 0.75, 0.25, ["abdomen"]), ("free", 2.5, 0.5, [])):
        angle = np.linspace(-0.5 * math.pi, 1.5 * math.pi, 97)[:-1]
        ring = np.stack((radius * np.cos(angle), radius + radius * np.sin(angle)), axis=1)
        changes: dict[str, Any] = {"level": level, "turning.most": 45}
        job = human(changed(walk, changes), 40.0, speed, Path(ring, closed=True, laps=3))
        found.append(TrialWalk(f"turn_{name}", job, True))
    return found


def path_trials() -> list[TrialWalk]:
    """Return the closed polygon of points, twice round, and the S-curve."""
    walk = preset("limit_cycle", "default")
    corners = [[0.0, 0.0], [5.0, 0.0], [7.0, 4.0], [2.5, 7.0], [-2.0, 4.0]]
    return [
        TrialWalk("polygon", human(walk, 200.0, 0.4, Path(corners, closed=True, laps=2)), True),
        TrialWalk("s-curve", human(walk, 60.0, 0.35, paths()["s-curve"]), True),
    ]


def style_trials() -> list[TrialWalk]:
    """Return one walk: normal, bent-knee, normal, bent-over, ducking, normal."""
    cues = ((8.0, "bent_knee"), (24.0, "default"), (32.0, "bent_over"), (40.0, "ducking"), (50.0, "default"))
    walk = preset("limit_cycle", "default")
    return [
        TrialWalk("styles", human(walk, 62.0, 0.5, cues=tuple(Cue(t, preset("limit_cycle", n)) for t, n in cues)), True)
    ]


def wind_trials() -> list[TrialWalk]:
    """Return walks into a wind that rises after some steps, and with it from behind."""
    walk = preset("limit_cycle", "default")
    return [
        TrialWalk(
            f"wind_{force:g}", human(walk, 20.0, pushes=(Push("chest", 6.0, 60.0, (force, 0.0, 0.0)),)), force < 0.0
        )
        for force in (0.0, -20.0, -40.0, 20.0)
    ]


def way_trials() -> list[TrialWalk]:
    """Return the walks backward and sideways, from a stand."""
    return [TrialWalk(name, human(preset("limit_cycle", name), 20.0, 0.25), True) for name in ("backward", "sideways")]


def body_trials() -> list[TrialWalk]:
    """Return the walks of other bodies from a stand to a stand, straight and on the S-curve, at the usual speed."""
    walk, ways = preset("limit_cycle", "default"), paths()
    return [
        TrialWalk(f"body_{name}_{way}", Job(body, ways[way], walk, natural_speed(body, 0.6)))
        for name, body in characters().items()
        for way in ("straight", "s-curve")
    ]


def rest_trials() -> list[TrialWalk]:
    """Return walks of five bodies built as people are from a stand to a stand, straight and on the S-curve.

    At the usual speed by their size, from three starts each; of what rigs lie beside the project.
    """
    files = [str(file) for file in map(RIGS.joinpath, PEOPLE) if file.exists()]
    bodies = {"standard": standard_character(), **own_characters(["", *files], ["standard"], lambda _text: None)}
    walk, ways = preset("limit_cycle", "default"), paths()
    return [
        TrialWalk(
            f"rest_{name}_{way}_{seed}",
            Job(body, ways[way], walk, natural_speed(body, walk.values["usual"]), seed=seed),
        )
        for name, body in bodies.items()
        for way in ("straight", "s-curve")
        for seed in range(STARTS)
    ]


def bird_trials() -> list[TrialWalk]:
    """Return the run of the robo-bird, straight and on an S-curve."""
    run, ways = preset("limit_cycle", "robo_bird"), paths()
    return [
        TrialWalk("bird", Job(robo_bird(), _STRAIGHT, run, 1.0, duration=15.0), True),
        TrialWalk("bird_s-curve", Job(robo_bird(), ways["s-curve"], run, 0.5, duration=40.0), True),
    ]


def cost_trials() -> list[TrialWalk]:
    """Return walks with a new model at every step, the thesis' and ours, and one that uses its models again."""
    thesis, walk = preset("limit_cycle", "thesis"), preset("limit_cycle", "default")
    samples = {f"balance.dimensions.{i}.sample": sample for i, sample in enumerate((1.5, 1.0, 1.5, 1.0))}
    anew = changed(walk, {"balance.reuse": False, **samples})
    return [
        TrialWalk("cost_thesis", human(thesis, 60.0)),
        TrialWalk("cost_sampling", human(anew, 60.0)),
        TrialWalk("cost_reuse", human(walk, 60.0)),
    ]


PARTS: Mapping[str, Callable[[], list[TrialWalk]]] = {
    "table": table_trials, "speed": speed_trials, "stride": stride_trials,
    "turns": turn_trials, "paths": path_trials, "styles": style_trials, "wind": wind_trials, "ways": way_trials,
    "bodies": body_trials, "rests": rest_trials, "bird": bird_trials, "cost": cost_trials,
}  # fmt: skip


# --- figures -----------------------------------------------------------------------------------------------------


def figures(trial: TrialWalk, motion: Motion) -> Figures:
    """Return the figures of a walk: flat, by name."""
    report = measures.report(motion, trial.job)
    speeds = step_speeds(motion)
    steps = len(motion.perturbations) - 1  # the last one has not ended
    return {
        "name": trial.name, "outcome": motion.outcome, "seconds": round(motion.duration, 2),
        "steps": min(steps, FULL), "cpu_s_per_s": round(motion.cpu / max(motion.duration, 0.1), 3),
        "speed_mps": _mean(speeds[len(speeds) // 2 :]), "settled_after": settled_after(speeds),
        "radius_m": radius(motion), "lean_m": lean(motion), "travel_m": [round(v, 2) for v in motion.root[-1, :2]],
        "path_deviation_mean_m": report["path_deviation_mean_m"],
        "path_deviation_worst_m": report["path_deviation_worst_m"],
        "foot_slip_median_mm": report["foot_slip_median_mm"],
        "arrival_m": report["arrival_m"], "stop_s": report["stop_s"],
        "by_cue": cue_figures(trial.job, motion),
    }  # fmt: skip


def step_speeds(motion: Motion) -> list[float]:
    """Return the speed of each step, from strike to strike, m/s."""
    times = motion.strikes[:, 0]
    places = [np.array([np.interp(t, motion.times, motion.root[:, k]) for k in (0, 1)]) for t in times]
    pairs = zip(times, times[1:], places, places[1:], strict=False)
    return [float(np.linalg.norm(b - a) / (t - s)) for s, t, a, b in pairs if t - s > 0.1]


def settled_after(speeds: Sequence[float]) -> int | None:
    """Return after how many steps the speed, over two, stays near its mean in the end."""
    pairs = [0.5 * (a + b) for a, b in pairwise(speeds)]
    if len(pairs) < 12:
        return None
    last = float(np.mean(pairs[len(pairs) // 2 :]))
    late = [i for i, speed in enumerate(pairs) if abs(speed - last) > _SETTLED]
    return late[-1] + 1 if late else 0


def radius(motion: Motion) -> float | None:
    """Return the radius of the circle that the second half of a walk goes round, m; None where it hardly turns."""
    half = len(motion.times) // 2
    way = float(np.linalg.norm(np.diff(motion.root[half::30, :2], axis=0), axis=1).sum())
    heading = np.unwrap(yaw(motion.rotations[half:, 0]))
    turned = abs(float(heading[-1] - heading[0]))
    return round(way / turned, 2) if turned > 1.0 else None


def lean(motion: Motion) -> float:
    """Return how far the centre of mass is before the feet, on average over the last 5 s, m."""
    feet = [motion.character.index(f"foot.{side}") for side in "LR"]
    ahead = motion.com[:, :2] - motion.origins[:, feet, :2].mean(axis=1)
    heading = yaw(motion.rotations[:, 0])
    return round(float((ahead[:, 0] * np.cos(heading) + ahead[:, 1] * np.sin(heading))[-600:].mean()), 3)


def cue_figures(job: Job, motion: Motion) -> list[Figures]:
    """Return speed and stride rate of what follows each cue, without the first half of its time."""
    begins = [0.0, *(cue.time for cue in job.cues)]
    found = []
    for name, begin, end in zip(
        [job.preset.name, *(cue.preset.name for cue in job.cues)], begins, [*begins[1:], motion.duration], strict=True
    ):
        from_time = 0.5 * (begin + end)
        at = (motion.times > from_time) & (motion.times <= end)
        strikes = motion.strikes[(motion.strikes[:, 0] > from_time) & (motion.strikes[:, 0] <= end), 0]
        if not at.any() or len(strikes) < 3:
            continue
        way = float(np.linalg.norm(np.diff(motion.root[at][::60, :2], axis=0), axis=1).sum())
        rate = (len(strikes) - 1) / float(strikes[-1] - strikes[0]) / 2.0
        seconds = float(motion.times[at][::60][-1] - motion.times[at][0])
        found.append({"preset": name, "speed_mps": round(way / max(seconds, 0.1), 2), "strides_per_s": round(rate, 2)})
    return found


def _mean(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 3) if values else None


# --- running -----------------------------------------------------------------------------------------------------


def run(trial: TrialWalk, out: FilePath) -> Figures:
    """Simulate a trial, keep and draw what is to be seen, and return its figures."""
    motion = simulate(trial.job)
    if trial.seen:
        from tools.pictures.filmstrip import walk_picture

        write_motion(motion, out / f"{trial.name}.npz")
        write_job(trial.job, out / f"{trial.name}.json")
        walk_picture(motion, trial.job, out / f"{trial.name}.png")
    return figures(trial, motion)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people of a part's figures."""
    if part == "table":
        rows: dict[str, list[str]] = {}
        for f in found:
            row, _, target = f["name"].rpartition("_")
            rows.setdefault(row, []).append(f"{target}: {f['steps']}")
        return [f"  {row:<32} {'  '.join(cells)}" for row, cells in rows.items()]
    lines = []
    for f in found:
        whole = {name: value for name, value in f.items() if value is not None and name not in ("name", "by_cue")}
        lines.append(f"  {f['name']:<24} " + ", ".join(f"{name} {value}" for name, value in whole.items()))
        if len(f["by_cue"]) > 1:
            lines += [
                f"    {c['preset']:<16} {c['speed_mps']} m/s, {c['strides_per_s']} strides/s" for c in f["by_cue"]
            ]
    return lines
