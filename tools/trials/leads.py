# SPDX-License-Identifier: GPL-3.0-or-later
"""How natural's body turns in bends (``tools.trials``): head before chest before pelvis, and how it banks.

Every angle is averaged over a stride around each moment, so that what goes to and fro with the steps is left out. The
largest lead of a part is towards the inside of a bend. The bank is how far chest and abdomen lean sideways, beside
the angle of a weight that goes round as fast: atan(v turning rate / g).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from matplotlib import pyplot

from blender_biped.base.spatial import Array, yaw
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion.gait_events import moving_mean
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from tools.base.paths import paths

Figures = dict[str, Any]
WAYS: Mapping[str, float] = {"turn": math.pi, "corner": 0.5 * math.pi, "s-curve": 0.0}
"""Paths, and how far they turn in all, rad: 0 where that is there and back."""
SPEED, SEEDS = 1.0, (1, 2, 3)
PARTS_OF_BODY = ("head", "chest", "pelvis")
FOLLOWS = {"head": "chest", "chest": "pelvis"}
"""The part that turns after one."""
_COLORS = {"head": "#c8553d", "chest": "#e0a030", "pelvis": "#33658a"}
_DPI, _EVERY = 110, 4  # and frames of a motion from one point of a curve to the next
PEOPLE = "people in a half turn: head before chest, and chest before pelvis, by 0.2 to 0.3 s, 10 to 25 degrees"


@dataclass(frozen=True)
class LeadTrial:
    """A walk on one of WAYS from a start."""

    way: str
    seed: int


def lead_trials() -> list[LeadTrial]:
    """Return every walk."""
    return [LeadTrial(way, seed) for way in WAYS for seed in SEEDS]


def run(trial: LeadTrial, out: FilePath) -> Figures:
    """Return times, s, headings and bank, degrees, of a walk, and figures of them."""
    job = Job(standard_character(), paths()[trial.way], preset("natural", "default"), SPEED, seed=trial.seed)
    view = MotionView(simulate(job), job)
    times, even = view.walk.times, _Even(view)
    headings = {part: even.heading(part) for part in PARTS_OF_BODY}
    turning = np.gradient(headings["pelvis"], times)
    speed = even.of(np.hypot(*np.gradient(view.walk.root[:, :2], times, axis=0).T))
    due = np.arctan(speed * turning / job.gravity)
    bank = even.of(_leaning(view, headings["chest"]))
    side, half, inside = np.sign(turning), 0.5 * WAYS[trial.way], np.abs(turning) > math.radians(10.0)
    leads = {a: np.degrees(side * (headings[a] - headings[b])) for a, b in FOLLOWS.items()}
    at = {part: float(times[np.argmax(heading > half)]) for part, heading in headings.items()}
    sooner = {a: at[b] - at[a] for a, b in FOLLOWS.items()} if half else {}
    turned = {part: np.degrees(heading)[::_EVERY].tolist() for part, heading in headings.items()}
    return {
        "way": trial.way, "seed": trial.seed, "outcome": view.motion.outcome, "sooner_s": sooner,
        "lead_deg": {part: float(lead[inside].max()) for part, lead in leads.items()},
        "bank_deg": float(np.degrees(np.abs(due).max())),
        "bank_error_deg": float(np.degrees(np.abs(bank - due)[inside].mean())),
        "curves": {
            "times": times[::_EVERY].tolist(), **turned,
            "bank": np.degrees(bank)[::_EVERY].tolist(), "due": np.degrees(due)[::_EVERY].tolist(),
        },
    }  # fmt: skip


class _Even:
    """Averages what a walk does over its strides."""

    def __init__(self, view: MotionView) -> None:
        self._view = view

    def of(self, values: Array) -> Array:
        """Return values (T,) averaged over a stride around each moment."""
        return np.asarray(moving_mean(values, self._view.walk.times, self._view.stride_times))

    def heading(self, role: str) -> Array:
        """Return where a part faces on average (T,), rad."""
        walk = self._view.walk
        return self.of(np.unwrap(yaw(walk.rotations[:, walk.character.index(role)])))


def _leaning(view: MotionView, heading: Array) -> Array:
    """Return how far the trunk leans to the left (T,), rad. heading (T,): where it faces, rad."""
    body = view.walk.character
    origins = body.forward_kinematics(view.walk.root, view.walk.rotations)
    up = origins[:, body.index("head")] - origins[:, body.index("pelvis")]
    left = np.cos(heading) * up[:, 1] - np.sin(heading) * up[:, 0]
    return np.arctan2(left, up[:, 2])


PARTS: Mapping[str, Callable[[], list[LeadTrial]]] = {"leads": lead_trials}


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return a line for people of each path, of its walks' means, and people's figures."""
    lines = []
    for way in dict.fromkeys(one["way"] for one in found):
        own = [one for one in found if one["way"] == way]
        told = [f"{sum(one['outcome'] == 'arrived' for one in own)} of {len(own)} arrive"]
        for role, after in FOLLOWS.items():
            sooner = [one["sooner_s"][role] for one in own if one["sooner_s"]]
            first = f"by {np.mean(sooner):.2f} s, " if sooner else "by "
            most = np.mean([one["lead_deg"][role] for one in own])
            told.append(f"{role} before {after} {first}{most:.0f} degrees at most")
        bank, error = (np.mean([one[key] for one in own]) for key in ("bank_deg", "bank_error_deg"))
        told.append(f"bank {bank:.1f} degrees due at most, {error:.1f} off on average")
        lines.append(f"  {way:<8} {'; '.join(told)}")
    return [*lines, f"  {PEOPLE}"]


def picture(part: str, found: Sequence[Figures], out: FilePath) -> FilePath:
    """Draw headings and bank of the first walk on each path; return the file. out: the folder. Raises OSError."""
    firsts = {one["way"]: one for one in reversed(found)}
    figure, rows = pyplot.subplots(2, len(firsts), figsize=(12.5, 6.0), dpi=_DPI, layout="constrained", squeeze=False)
    for way, above, below in zip(WAYS, *rows, strict=True):
        curves = firsts[way]["curves"]
        for role, color in _COLORS.items():
            above.plot(curves["times"], curves[role], color=color, label=role)
        below.plot(curves["times"], curves["due"], color="0.6", label="due: atan(v turning rate / g)")
        below.plot(curves["times"], curves["bank"], color="black", label="bank of the trunk, to the left")
        above.set_title(way)
        below.set_xlabel("s")
    rows[0][0].set_ylabel("heading, degrees")
    rows[1][0].set_ylabel("degrees")
    for axes in rows[:, 0]:
        axes.legend(frameon=False, fontsize=8)
    figure.suptitle(PEOPLE, fontsize=9)
    file = out / f"{part}.png"
    figure.savefig(file)
    pyplot.close(figure)
    return file
