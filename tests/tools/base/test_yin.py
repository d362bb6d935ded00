"""The published planar biped."""

import numpy as np
import pytest

from blender_biped.character.reading import character_from_json
from blender_biped.control.shared.legs import legs_of
from tools.base.yin import planar_biped


def test_the_biped_has_the_paper_s_masses_and_sizes():
    """Yin 2007, section 7."""
    biped = planar_biped()
    mass = dict(zip([link.role for link in biped.links], biped.masses, strict=True))
    left, right = legs_of(biped)
    assert biped.mass == pytest.approx(90.0)
    assert (mass["pelvis"], mass["thigh.L"], mass["shin.R"]) == (70.0, 5.0, 4.0)
    assert mass["foot.L"] + mass["toes.L"] == pytest.approx(1.0)
    assert 2.0 * biped.links[0].shape.half[2] == pytest.approx(0.48)
    for leg in (left, right):
        assert (leg.thigh_length, leg.shin_length) == (0.45, 0.45)
        assert leg.toe - leg.heel == pytest.approx(0.20)
    assert biped.hinged


def test_the_biped_s_soles_are_on_the_ground():
    biped = planar_biped()
    origins, _ = biped.standing()
    up = np.array([0.0, 0.0, 1.0])
    lowest = [origins[i, 2] + float(biped.links[i].shape.lowest(up)) for i in biped.soles]
    assert np.allclose(lowest, 0.0, atol=1e-12)


def test_inertias_are_those_of_real_bodies():
    """No moment of a real body is more than the sum of the other two."""
    for link in planar_biped().links:
        x, y, z = sorted(link.inertia)
        assert x > 0.0
        assert z <= x + y + 1e-12


def test_it_survives_json():
    assert character_from_json(planar_biped().as_json()) == planar_biped()
