"""Contact events: foot strikes and toe-offs in the feet's loads."""

import pytest

from blender_biped.control.shared.contacts import BORNE, STRUCK, ContactLog
from blender_biped.control.shared.legs import LEFT, RIGHT

WEIGHT = 700.0


def logged(shares, bounce=0.0, step=0.1):
    """Return the log of loads of the left foot, in shares of the weight, one each ``step`` s; the right one stands."""
    log = ContactLog(WEIGHT, bounce)
    for count, share in enumerate(shares):
        log.feel(count * step, (share * WEIGHT, WEIGHT))
    return log


def test_a_foot_lifts_and_strikes_once():
    log = logged([1.0, 0.5, 0.0, 0.0, 0.5, 1.0])
    assert log.lifts == [(pytest.approx(0.2), LEFT)]
    assert log.strikes == [(pytest.approx(0.4), LEFT)]
    assert log.last_strike == pytest.approx(0.4)


def test_between_both_thresholds_nothing_happens():
    between = 0.5 * (BORNE + STRUCK)
    assert not logged([1.0, between, 1.0, between]).lifts
    assert not logged([1.0, 0.0, between, 0.0, between]).strikes


def test_events_of_a_side_take_turns_whatever_the_loads():
    log = logged([1.0, 0.0, 0.03, 0.05, 0.03, 0.01, 0.9, 0.0, 0.0, 0.04, 0.041, 0.0])
    times = sorted([(time, "lift") for time, _ in log.lifts] + [(time, "strike") for time, _ in log.strikes])
    assert [kind for _, kind in times] == ["lift", "strike"] * 3 + ["lift"]


def test_a_foot_that_bounces_has_not_left_the_ground():
    shares = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    log = logged(shares, bounce=0.25)
    assert log.lifts == [(pytest.approx(0.4), LEFT)] and log.strikes == [(pytest.approx(0.7), LEFT)]
    assert len(logged(shares).strikes) == 2


def test_events_that_a_controller_finds_itself_are_kept():
    log = ContactLog(WEIGHT)
    assert log.last_strike == 0.0
    log.lift(1.0, RIGHT)
    log.strike(1.5, RIGHT)
    assert log.lifts == [(1.0, RIGHT)] and log.strikes == [(1.5, RIGHT)] and log.last_strike == 1.5
