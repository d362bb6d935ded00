"""Gaits tabled one by one: figures of long walks, and who falls."""

import pytest

from blender_biped.base.errors import DataError
from blender_biped.preset.preset import preset
from tools.measure import gaits


def test_a_walk_has_its_figures():
    body = gaits.bodies("simbicon")["standard"]
    motion, job = gaits.walk(preset("simbicon", "walk"), body, 6.0)
    found = gaits.figures(motion, job)
    assert found["fell_at_s"] is None and 0.5 < found["speed_mps"] < 1.2
    assert 0.3 < found["step_s"] < 0.7 and found["flight_percent"] < 5.0


def test_the_table_names_who_falls_and_when():
    case = {
        "controller": "simbicon", "preset": "walk", "character": "standard", "speed": 1.0, "fell_at_s": None,
        "speed_mps": 0.98, "step_s": 0.5, "flight_percent": 0.0, "foot_slip_median_mm": None, "cpu_s_per_s": 0.1,
    }  # fmt: skip
    rows = gaits.table([case, case | {"character": "heavy", "fell_at_s": 7.2}]).splitlines()
    assert rows[1].split() == ["walk", "1.00", "0.98", "0.50", "0", "-", "0.100", "heavy", "7", "s"]


def test_a_planar_controller_has_bodies_of_its_own_and_others_none():
    assert list(gaits.bodies("planar")) == ["standard", "seven-link"]
    with pytest.raises(DataError, match="no controller"):
        gaits.measured("unknown", 1)
