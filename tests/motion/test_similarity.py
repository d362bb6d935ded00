"""Dynamic similarity: bodies at reference size, where controllers' numbers hold as they are."""

import numpy as np
import pytest

from blender_biped.character.reference import REFERENCE_LEG, REFERENCE_MASS
from blender_biped.character.standard import standard_character
from blender_biped.motion.similarity import at_reference_size
from tools.measure.grid import characters

BODIES = {"standard": standard_character(), **characters()}


@pytest.mark.parametrize("name", BODIES)
def test_every_body_has_the_reference_s_leg_and_mass(name):
    body = at_reference_size(BODIES[name])
    assert body.leg_length == pytest.approx(REFERENCE_LEG, rel=1e-12)
    assert body.mass == pytest.approx(REFERENCE_MASS, rel=1e-12)


@pytest.mark.parametrize("name", BODIES)
def test_its_proportions_and_its_way_to_fall_stay(name):
    """Shares of the mass, places of the joints in legs, and radii of gyration in legs are those of the body itself."""
    own, body = BODIES[name], at_reference_size(BODIES[name])
    assert np.allclose(body.masses / body.mass, own.masses / own.mass)
    assert np.allclose(body.offsets / body.leg_length, own.offsets / own.leg_length)
    gyration = [
        np.sqrt([link.inertia for link in one.links] / one.masses[:, None]) / one.leg_length for one in (own, body)
    ]
    assert np.allclose(*gyration)
