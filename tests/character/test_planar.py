"""The planar version of a character."""

import numpy as np

from blender_biped.character.planar import planar
from blender_biped.character.standard import standard_character


def test_only_joints_change_and_all_turn_about_y():
    whole = standard_character(mass=62.0)
    flat = planar(whole)
    assert flat.hinged
    assert not whole.hinged
    assert [link.role for link in flat.links] == [link.role for link in whole.links]
    assert {link.joint for link in flat.links[1:]} <= {"hinge", "fixed"}
    for name in ("masses", "coms", "offsets", "parents", "first_bones"):
        assert np.array_equal(getattr(flat, name), getattr(whole, name)), name
    assert [link.shape for link in flat.links] == [link.shape for link in whole.links]
    assert planar(flat) == flat
