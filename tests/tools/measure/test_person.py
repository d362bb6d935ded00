"""The figures beside people's: of motions whose figures are given, and where people's bands come from."""

from __future__ import annotations

import csv
import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.motion.measures import upper_body
from blender_biped.motion.norm import adult_norm
from blender_biped.motion.similarity import Similarity
from tests.motion.synthetic import posed
from tests.motion.turned import STRIDE, X, Y, Z, seen, standing, swaying, turned
from tests.shared import shared
from tools.measure import people, people_table, person, recordings
from tools.measure.people import Band


def adults(phase: Array) -> dict[str, Array]:
    """Return the adults' mean curves."""
    return {joint: np.interp(100.0 * phase, np.arange(101), own.mean) for joint, own in adult_norm().items()}


def test_a_walk_like_the_adults_has_their_figures() -> None:
    found = person.figures(seen(*posed(adults, 6.0)))
    assert set(found) == set(person.ROWS) == set(people.bands())
    for joint in ("hip", "knee", "ankle"):
        assert found[f"{joint}_r"] == pytest.approx(1.0, abs=1e-3)
    for name in ("knee_as_swing_ends_deg", "knee_least_in_stance_deg", "ankle_as_loaded_deg"):
        assert found[name] == pytest.approx(people.bands()[name].mean, abs=0.2)
    assert found["hip_flexing_nm_per_kg"] is None  # there are no torques


def test_what_a_recording_lacks_is_left_out() -> None:
    motion, job = posed(adults, 4.0)
    found = person.figures(seen(motion, job), ("toes", "forces"))
    missing = {name for name, row in person.ROWS.items() if {"toes", "forces"} & set(row.needs)}
    assert {"sole_flat_ms", "load_trough"} <= missing and all(found[name] is None for name in missing)
    assert found["chest_roll_deg"] is not None


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_pelvis_that_turns_like_people_s_is_like_theirs(sign: float) -> None:
    motion, job = standing()
    norm = people.adults("pelvic_rotation_int").mean
    own = np.interp(100.0 * (motion.times / STRIDE % 1.0), np.arange(101), norm)
    other = np.interp(100.0 * ((motion.times / STRIDE + 0.5) % 1.0), np.arange(101), norm)
    angle = -0.5 * sign * (own - other)  # the left side is ahead where a turn to the right begins its stride
    assert person.pelvis_rotation_r(seen(turned(motion, "pelvis", Z, angle), job)) == pytest.approx(sign, abs=0.03)
    assert person.pelvis_rotation_r(seen(motion, job)) is None


@pytest.mark.parametrize(("axis", "turns"), [(X, upper_body.roll), (Y, upper_body.pitch), (Z, upper_body.turn)])
def test_an_acceleration_is_that_of_a_sway(axis: Array, turns: object) -> None:
    motion, job = standing(12.0)
    assert callable(turns)
    found = person.acceleration(turns)(seen(turned(motion, "pelvis", axis, swaying(motion, 3.0)), job))
    most = 3.0 * (2.0 * math.pi / STRIDE) ** 2
    assert found == pytest.approx(most * math.sin(0.475 * math.pi), rel=0.03)


def test_a_walk_of_a_child_has_the_figures_of_an_adult_s() -> None:
    motion, job = posed(adults, 4.0)
    motion = turned(motion, "pelvis", X, swaying(motion, 2.0))
    small = Similarity(0.5, math.sqrt(0.5), 0.2)
    body = Similarity(2.0, math.sqrt(2.0), 5.0).character(motion.character)
    child = small.motion(motion, body)
    path = replace(job, character=body, path=job.path, speed=job.speed * math.sqrt(0.5))
    grown, own = (person.figures(person.view_of(one, of)) for one, of in ((child, path), (motion, job)))
    for name, value in own.items():
        assert grown[name] == (None if value is None else pytest.approx(value, rel=1e-3, abs=1e-3))


def test_a_band_is_two_standard_deviations_to_either_side() -> None:
    band = Band(10.0, 2.0, "")
    assert band.ends == (6.0, 14.0) and band.has(6.0) and not band.has(14.1) and not band.has(5.9)
    factors = people.of_sample((2.0, 8.0), True)
    assert factors.middle == pytest.approx(4.0)
    assert factors.ends[0] * factors.ends[1] == pytest.approx(16.0) and not factors.has(0.1)
    assert replace(band, at_least=True).has(99.0)


def test_people_s_bands_are_those_of_their_curves() -> None:
    bands = people.bands()
    assert bands["elbow_deg"].middle == pytest.approx(36.1, abs=0.2)
    assert bands["arm_out_deg"].ends == pytest.approx((-1.2, 23.4), abs=0.2)
    assert bands["toe_out_deg"].middle == pytest.approx(8.6, abs=0.2)  # outwards is positive
    assert not bands["chest_roll_deg"].has(0.05)
    assert all(band.sd > 0.0 and band.origin for band in bands.values())


def test_the_columns_are_those_of_their_origin() -> None:
    with shared("gait/cgm23_adults_spontaneous.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name in (*people.MEAN_PERSON.values(), "pelvic_rotation_int", "foot_progression_int", "elbow_flexion"):
        assert people.adults(name).mean == pytest.approx([float(row[f"{name}_mean"]) for row in rows])
        assert people.adults(name).spread == pytest.approx([float(row[f"{name}_sd"]) for row in rows])


def test_the_page_has_the_table_of_people() -> None:
    text = people_table.PAGE.read_text(encoding="utf-8")
    assert people_table.filled(text) == text, "run: python -m tools.measure.people_table"
    assert all(f"| `{name}` |" in text for name in person.ROWS)


@pytest.mark.long
def test_figures_of_clips_are_those_of_the_clips() -> None:
    found = []
    for file, recording in recordings.PLAIN.items():
        view = person.view_of(*recording.load(shared(f"mocap/{file}")))
        found.append(person.figures(view, recording.lacks))
    for name, values in people.CLIPS.items():
        own = [value for one in found if (value := one[name]) is not None]
        assert own == pytest.approx(values, rel=0.006, abs=0.001)
