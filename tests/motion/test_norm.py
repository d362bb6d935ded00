"""The adults' curves: what is known of them, so that a wrong column or sign is seen."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from blender_biped.motion.norm import JOINTS, adult_norm

SHARED = Path(__file__).resolve().parents[3] / "shared" / "gait" / "cgm23_adults_spontaneous.csv"


def test_curves_have_the_shape_of_walking() -> None:
    norm = adult_norm()
    assert tuple(norm) == JOINTS
    hip, knee, ankle = (norm[j].mean for j in JOINTS)
    assert len(hip) == len(knee) == len(ankle) == 101
    assert 80 <= hip.argmax() <= 90 and 48 <= hip.argmin() <= 56  # extended before toe-off, flexed before the strike
    assert 70 <= knee.argmax() <= 74 and 60.0 < knee.max() < 70.0  # swing
    assert 60 <= ankle.argmin() <= 65 and -18.0 < ankle.min() < -10.0  # toe-off
    for curve in norm.values():
        assert np.abs(curve.mean[0] - curve.mean[100]) < 1.0  # it repeats
        assert (curve.spread > 1.0).all() and (curve.spread < 12.0).all()


def test_numbers_are_those_of_their_origin() -> None:
    if not SHARED.is_file():
        pytest.skip(f"the origin of the curves, {SHARED.name}, is not on this machine")
    with SHARED.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for joint, column in (("hip", "hip_flexion"), ("knee", "knee_flexion"), ("ankle", "ankle_dorsiflexion")):
        assert adult_norm()[joint].mean == pytest.approx([float(r[f"{column}_mean"]) for r in rows])
        assert adult_norm()[joint].spread == pytest.approx([float(r[f"{column}_sd"]) for r in rows])
