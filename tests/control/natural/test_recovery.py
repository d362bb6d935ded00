"""A step is hurried for a body that falls, and not for one that lags behind over its foot."""

from types import SimpleNamespace
from typing import Any

import pytest

from blender_biped.control.natural.walk.recovery import Recovery

FREQUENCY, HEEL = 3.4, -0.07
REFERENCE = 0.05  # m before its ankle, where the reference has a body that stands still


def urgency(ahead, aside=0.0, backs=False):
    """Return how urgent the step of a body is whose capture point is off its reference, m."""
    reference = SimpleNamespace(at=lambda phase: (REFERENCE, 0.0, 0.0, REFERENCE), frequency=FREQUENCY, share=0.0)
    plan = SimpleNamespace(frame=0.0, reference=reference, table=SimpleNamespace(time=0.6), stops=False)
    step: Any = SimpleNamespace(
        plan=plan, stance=0, phase=0.1, swinging=False, given=SimpleNamespace(constrained=False, goes_over=False),
        ahead=[], urgency=0.0, disturbance=0.0, saves=False, pace=1.0, capture_error=0j,
    )  # fmt: skip
    felt = SimpleNamespace(place=complex(REFERENCE + ahead, aside), velocity=0j, soles=[SimpleNamespace(anchor=0j)])
    senses: Any = SimpleNamespace(felt=felt, legs=[SimpleNamespace(heel=HEEL)], height=lambda state: 1.0)
    body: Any = SimpleNamespace(momentum=lambda state: (0.0, 0.0, 0.0), mass=70.0)
    ground: Any = SimpleNamespace(height=0.0)
    hands: Any = SimpleNamespace(burdened=False)
    settings: Any = SimpleNamespace(pull=0.5, backs=backs)
    now: Any = SimpleNamespace(momentum=(0.0, 0.0, 0.0))
    Recovery(senses, ground, hands, body, step).feel(None, settings, now, 0.0)  # type: ignore[arg-type]
    return step.urgency


def test_who_falls_ahead_or_aside_is_hurried():
    assert urgency(0.12) > 0.1 and urgency(0.0, 0.08) > 0.1
    assert urgency(0.0) == 0.0


def test_who_lags_over_its_foot_is_not():
    assert urgency(-0.11) == 0.0


def test_who_falls_back_over_its_heel_is():
    assert urgency(-0.3) > 0.1


def test_who_goes_back_is_hurried_both_ways():
    assert urgency(-0.12, backs=True) == pytest.approx(urgency(0.12, backs=True))
