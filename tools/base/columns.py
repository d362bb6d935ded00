# SPDX-License-Identifier: GPL-3.0-or-later
"""The columns of a report of many walks: each measure's words, unit, digits, and which values of it are good."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

Figures = Mapping[str, Any]
"""One walk's flat report: see design and ``measures.report``; and ``seed``, ``outcome``, ``error``."""

STRAYED = 0.5  # m off the path, at worst, that is no longer following it
Verdict = Literal["crashed", "fell", "strayed", "late", "fine"]
VERDICTS: dict[Verdict, str] = {
    "crashed": "crashed", "fell": "fell", "strayed": f"strayed over {STRAYED:g} m", "late": "did not arrive",
    "fine": "fine",
}  # fmt: skip


@dataclass(frozen=True)
class Column:
    """One measure for people: its name in the report, words, unit, digits, and what is good of it.

    good: "low", "high", the value that people have, or None where no value is better than another.
    tolerance: share of the value by which two runs may differ and count as the same.
    """

    name: str
    words: str
    unit: str
    digits: int
    good: float | Literal["low", "high"] | None = "low"
    tolerance: float = 0.02

    def badness(self, value: float) -> float:
        """Return how bad a value is: more is worse; 0 for all where no value is better than another."""
        if self.good is None:
            return 0.0
        if self.good == "low":
            return value
        return -value if self.good == "high" else abs(value - self.good)

    def worst(self, cases: Iterable[Figures]) -> Figures | None:
        """Return the case with the worst value; None when none has one or no value is better than another."""
        if self.good is None:
            return None
        there = [f for f in cases if f.get(self.name) is not None]
        return max(there, key=lambda f: self.badness(f[self.name]), default=None)

    def text(self, value: float | None) -> str:
        """Return a value for people, without its unit."""
        return "-" if value is None else f"{value + 0.0:.{self.digits}f}"

    def wanted(self) -> str:
        """Return what is good, in words."""
        if self.good is None:
            return ""
        if isinstance(self.good, str):
            return f"{self.good}er is better"
        return f"people: {self.good:g}"


# What people have: stance and double support, Perry 1992; the hip's and the trunk's paths, Saunders et al. 1953;
# arms, chest, head, feet and spreads: ``tools.measure.people``.
COLUMNS = (
    Column("path_deviation_mean_m", "off the path, on average", "m", 3),
    Column("path_deviation_worst_m", "off the path, at worst", "m", 3),
    Column("speed_error_percent", "speed error", "%", 1),
    Column("arrival_m", "from the end when standing", "m", 2),
    Column("stop_s", "time to stand still", "s", 2),
    Column("foot_slip_median_mm", "feet slide, typical step", "mm", 1),
    Column("foot_slip_worst_mm", "feet slide, worst step", "mm", 1),
    Column("foot_skate_cm_per_s", "joints of touching feet move", "cm/s", 2),
    Column("sole_flat_ms", "sole flat after a strike", "ms", 0, 95.0),
    Column("penetration_mm", "soles below the ground", "mm", 1),
    Column("self_intersection_mm", "leg in leg", "mm", 1),
    Column("shake_deg", "shake above 8 Hz", "deg", 2),
    Column("hip_r", "hip like adults' (r)", "", 2, "high"),
    Column("hip_rms_deg", "hip off adults'", "deg", 1),
    Column("hip_rms_offset_deg", "hip, without offset", "deg", 1),
    Column("knee_r", "knee like adults' (r)", "", 2, "high"),
    Column("knee_rms_deg", "knee off adults'", "deg", 1),
    Column("knee_rms_offset_deg", "knee, without offset", "deg", 1),
    Column("ankle_r", "ankle like adults' (r)", "", 2, "high"),
    Column("ankle_rms_deg", "ankle off adults'", "deg", 1),
    Column("ankle_rms_offset_deg", "ankle, without offset", "deg", 1),
    Column("stance_percent", "stance", "% of stride", 1, 60.0),
    Column("double_support_percent", "double support", "% of time", 1, 20.0),
    Column("flight_percent", "no foot down", "% of time", 1, None),
    Column("com_bob_mm", "centre of mass up and down", "mm", 1, 46.0),
    Column("pelvis_rotation_deg", "pelvis turns", "deg", 1, 8.0),
    Column("pelvis_list_deg", "pelvis tilts sideways", "deg", 1, 10.0),
    Column("arm_swing_deg", "arms swing", "deg", 1, None),
    Column("arm_phase_deg", "arms behind the legs", "deg", 0, 180.0),
    Column("arm_out_deg", "arms held out", "deg", 1, 11.0),
    Column("chest_roll_deg", "chest tilts sideways", "deg", 1, 4.0),
    Column("head_roll_deg", "head tilts sideways", "deg", 1, 4.0),
    Column("head_yaw_deg", "head turns", "deg", 1, 5.0),
    Column("toe_out_deg", "feet point outwards", "deg", 1, 9.0),
    Column("step_length_m", "step length", "m", 3, None),
    Column("cadence_steps_per_min", "steps a minute", "", 1, None),
    Column("step_length_error_percent", "step length off people's", "%", 1),
    Column("step_time_cv_percent", "step times spread", "%", 1, 2.5),
    Column("step_length_cv_percent", "step lengths spread", "%", 1, 3.0),
    Column("step_width_cv_percent", "step widths spread", "%", 1, 20.0),
    Column("bake_error_mm", "baked bones off", "mm", 3),
    Column("bake_error_deg", "baked bones turned off", "deg", 4),
    Column("cpu_s_per_s", "CPU time per second", "s", 3, tolerance=0.2),  # by what else the machine does
    Column("push_forward_n", "survives a push forward", "N", 0, "high"),
    Column("push_back_n", "survives a push back", "N", 0, "high"),
    Column("push_left_n", "survives a push left", "N", 0, "high"),
    Column("push_right_n", "survives a push right", "N", 0, "high"),
    Column("push_n", "survives any push of", "N", 0, "high"),
)
BY_NAME = {column.name: column for column in COLUMNS}
IDENTITY = ("controller", "preset", "character", "path", "speed_mps", "seed")
"""What distinguishes one case of a grid from another."""
OTHER = ("duration_s", "fell", "fell_at_s", "fallback", "outcome", "error")
ARRIVED = ("arrived", "passed")
"""Outcomes of walks that came to the end of their path."""


def identity(figures: Figures) -> tuple[Any, ...]:
    """Return what distinguishes this case from others; the seed is 0 where a report has none."""
    return tuple(figures.get(name) or 0 if name == "seed" else figures.get(name) for name in IDENTITY)


def title(figures: Figures, short: bool = False) -> str:
    """Return a case's name for people. short: without controller and preset."""
    seed = f", seed {figures['seed']}" if figures.get("seed") else ""
    who = "" if short else f"{figures['controller']}/{figures['preset']}, "
    return f"{who}{figures['character']}, {figures['path']}, {figures['speed_mps']:g} m/s{seed}"


def style(figures: Figures) -> str:
    """Return the controller and preset of a case."""
    return f"{figures['controller']}/{figures['preset']}"


def verdict(figures: Figures) -> Verdict:
    """Return in one word how a walk went. A walk that strayed and fell is one that fell."""
    if figures.get("outcome") == "crashed":
        return "crashed"
    if figures["fell"]:
        return "fell"
    if (figures["path_deviation_worst_m"] or 0.0) > STRAYED:
        return "strayed"
    return "fine" if figures.get("outcome", "arrived") in ARRIVED else "late"


def ending(figures: Figures) -> str:
    """Return how a walk ended, with when or how far, for people."""
    how = verdict(figures)
    if how == "crashed":
        return f"crashed: {figures['error']}"
    if how == "fell":
        return f"fell at {figures['fell_at_s']:.1f} s"
    if how == "strayed":
        return f"strayed {figures['path_deviation_worst_m']:.2f} m from the path"
    return "stood at the end" if how == "fine" else f"not at the end after {figures['duration_s']:.0f} s"


def troubled(cases: Iterable[Figures]) -> list[Figures]:
    """Return the cases that crashed, fell or strayed, worst first: the earliest fall, the largest deviation."""
    order = {"crashed": 0, "fell": 1, "strayed": 2}

    def badness(figures: Figures) -> tuple[int, float]:
        how = verdict(figures)
        by = {"fell": figures["fell_at_s"], "strayed": -(figures["path_deviation_worst_m"] or 0.0)}
        return order[how], by.get(how) or 0.0

    return sorted((f for f in cases if verdict(f) in order), key=badness)


def stood(cases: Iterable[Figures]) -> list[Figures]:
    """Return the cases that neither crashed nor fell."""
    return [f for f in cases if verdict(f) not in ("crashed", "fell")]


@dataclass(frozen=True)
class StyleSummary:
    """The walks of one controller and preset, counted. late: neither fell nor strayed, but did not arrive."""

    style: str
    cases: tuple[Figures, ...]
    crashed: int
    fell: int
    strayed: int
    late: int
    fine: int

    @property
    def share(self) -> float:
        """How many neither fell nor strayed, %."""
        return 100.0 * (self.fine + self.late) / len(self.cases)

    def values(self, column: Column) -> list[float]:
        """Return a measure's values of the walks that did not fall; see ``stood``."""
        return [f[column.name] for f in stood(self.cases) if f.get(column.name) is not None]

    def median(self, column: Column) -> float | None:
        """Return a measure's median over the walks that did not fall."""
        values = self.values(column)
        return median(values) if values else None

    def worst(self, column: Column) -> Figures | None:
        """Return the walk with the worst value of a measure, of those that did not fall."""
        return column.worst(stood(self.cases))


def summaries(cases: Sequence[Figures]) -> list[StyleSummary]:
    """Return the summary of each controller and preset, in the order they come."""
    found = []
    for name in dict.fromkeys(style(f) for f in cases):
        own = tuple(f for f in cases if style(f) == name)
        how = [verdict(f) for f in own]
        counts = (how.count(v) for v in ("crashed", "fell", "strayed", "late", "fine"))
        found.append(StyleSummary(name, own, *counts))
    return found


def measured_columns(cases: Iterable[Figures]) -> list[Column]:
    """Return the columns that have a value in some case."""
    there = list(cases)
    return [c for c in COLUMNS if any(f.get(c.name) is not None for f in there)]
