"""The clock: control steps are whole parts of a sample, and hardly longer than desired."""

import numpy as np
import pytest

from blender_biped.control.shared.clock import COARSE, CONTROL_STEP, FINE, step_policy, steps_per_sample
from blender_biped.motion.motion import RATE


def test_the_usual_step_is_a_third_of_a_sample_and_fine():
    assert steps_per_sample(CONTROL_STEP) == 3
    assert step_policy(CONTROL_STEP) is FINE
    assert step_policy(1.0 / 240.0) is COARSE


@pytest.mark.parametrize("time_scale", np.linspace(0.5, 2.0, 16))
@pytest.mark.parametrize("rate", [120.0, 240.0, 299.0, 301.0, 360.0, 480.0, 2000.0])
def test_steps_are_near_what_was_desired_and_coarse_ones_hardly_longer(rate, time_scale):
    count, exact = steps_per_sample(1.0 / rate, time_scale), rate / (RATE * time_scale)
    assert count >= 1 and abs(count - exact) < 1.0
    assert exact - count <= (0.1 if rate < 300.0 else 0.5) + 1e-9


@pytest.mark.parametrize("time_scale", np.linspace(0.5, 5.0, 46))
@pytest.mark.parametrize("rate", [301.0, 360.0, 480.0])
def test_no_size_of_a_body_makes_a_fine_step_coarse(rate, time_scale):
    """Legs of 1.3 to 1.4 m had two steps to a sample, of 3.4 ms, whose torques are corrected less: trunks shook."""
    count = steps_per_sample(1.0 / rate, time_scale)
    assert step_policy(1.0 / (RATE * time_scale * count)) is FINE
