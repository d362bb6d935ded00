"""Runs: when feet are down is told by their soles, known by construction, of a simulated run, and of captured ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blender_biped.base.errors import DataError
from blender_biped.motion.flights import flight_share, run_contacts
from blender_biped.motion.periodic import periodic
from tests.motion import recorded
from tests.motion.synthetic_run import CONTACT, SPEED, STEP, ran


@pytest.fixture(scope="module")
def run():
    return ran()


def test_strikes_and_lifts_are_those_that_it_was_made_with(run) -> None:
    strikes, lifts = run_contacts(run)
    for found, begins in ((strikes, 0.0), (lifts, CONTACT)):
        for time, side in found:
            late = (time - begins - side * STEP + STEP) % (2.0 * STEP) - STEP
            assert abs(late) < 0.035
    assert len(strikes) >= 6 and flight_share(run) == pytest.approx(1.0 - CONTACT / STEP, abs=0.12)


def test_its_stride_speed_and_flight_come_back(run) -> None:
    found = periodic(run)
    assert found.runs and found.speed == pytest.approx(SPEED, rel=0.02)
    assert found.duration == pytest.approx(2.0 * STEP, rel=0.02) and found.right == pytest.approx(0.5, abs=0.02)
    assert found.contacts == pytest.approx((0.5 * CONTACT / STEP,) * 2, abs=0.05)


def test_on_the_spot_its_feet_say_how_fast_it_is(run) -> None:
    root = run.root.copy()
    root[:, 0] -= SPEED * run.times
    assert periodic(replace(run, root=root)).speed == pytest.approx(SPEED, rel=0.05)


def test_one_cycle_that_closes_is_enough() -> None:
    assert periodic(ran(1)).speed == pytest.approx(SPEED, rel=0.05)


@pytest.mark.parametrize(("right", "said"), [(0.0, "land together|rhythm"), (0.3, "gallops")])
def test_jumps_and_gallops_are_refused(right: float, said: str) -> None:
    with pytest.raises(DataError, match=said):
        periodic(ran(right=right))


@pytest.mark.parametrize(
    ("load", "speed", "cadence"), [(recorded.humanoid_run, 3.56, 150), (recorded.active_run, 2.59, 128)]
)
def test_captured_runs_have_their_known_speed_and_cadence(load, speed: float, cadence: float) -> None:
    found = periodic(load()[0])
    assert found.runs and found.speed == pytest.approx(speed, rel=0.03)
    assert 120.0 / found.duration == pytest.approx(cadence, rel=0.03)
    assert all(0.18 < share < 0.3 for share in found.contacts)
