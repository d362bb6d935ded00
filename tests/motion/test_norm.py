"""The adults' curves: what is known of them, so that a wrong column or sign is seen."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from blender_biped.motion import norm
from blender_biped.motion.norm import JOINTS, adult_norm
from tests.shared import shared


def test_curves_have_the_shape_of_walking() -> None:
    curves = adult_norm()
    assert tuple(curves) == JOINTS
    hip, knee, ankle = (curves[j].mean for j in JOINTS)
    assert len(hip) == len(knee) == len(ankle) == 101
    assert 80 <= hip.argmax() <= 90 and 48 <= hip.argmin() <= 56  # extended before toe-off, flexed before the strike
    assert 70 <= knee.argmax() <= 74 and 60.0 < knee.max() < 70.0  # swing
    assert 60 <= ankle.argmin() <= 65 and -18.0 < ankle.min() < -10.0  # toe-off
    for curve in curves.values():
        assert np.abs(curve.mean[0] - curve.mean[100]) < 1.0  # it repeats
        assert (curve.spread > 1.0).all() and (curve.spread < 12.0).all()


OWN = Path(norm.__file__).with_name("adult_gait.csv")


@pytest.mark.parametrize("columns", [("hip", "knee", "ankle"), ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")])
def test_numbers_are_those_of_the_file_and_of_its_origin(columns: tuple[str, ...]) -> None:
    shipped = columns == JOINTS
    file = OWN if shipped else shared("gait/cgm23_adults_spontaneous.csv")
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    for joint, column in zip(JOINTS, columns, strict=True):
        spread = "spread" if shipped else "sd"
        assert adult_norm()[joint].mean == pytest.approx([float(r[f"{column}_mean"]) for r in rows])
        assert adult_norm()[joint].spread == pytest.approx([float(r[f"{column}_{spread}"]) for r in rows])
