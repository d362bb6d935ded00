from dataclasses import replace

import numpy as np

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.planner import Planner
from blender_biped.control.natural.settings import read_settings
from blender_biped.control.registry import preset
from blender_biped.control.shared.legs import LEFT, legs_of
from blender_biped.control.shared.steering import Command
from blender_biped.motion.similarity import at_reference_size

CHARACTER = at_reference_size(standard_character())
SETTINGS = read_settings(preset("natural", "default").values)
STEADY = Command(1.2, 0.0, 0.0, 0.0, 5.0, 20.0)


def planner():
    return Planner(CHARACTER, legs_of(CHARACTER), SETTINGS, 9.81)


def test_a_step_is_planned_the_same_whatever_was_planned_before():
    fresh, walked = planner(), planner()
    last = walked.first(replace(STEADY, speed=1.16), LEFT)  # nearly as fast, and a hundredth of a second slower
    walked.step(replace(STEADY, speed=1.22), LEFT, last, early=False)
    one, other = (p.step(STEADY, LEFT, last, early=False) for p in (fresh, walked))
    assert abs(one.handover - other.handover) < 0.003
    assert np.allclose(one.course.pressure, other.course.pressure, atol=5e-4)
