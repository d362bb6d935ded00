"""The one definition of a fall."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix, quaternion_product
from blender_biped.character.fallen import fallen, is_upright, trunk_top
from blender_biped.character.standard import standard_character

BODY = standard_character()


@pytest.mark.parametrize(
    ("share", "tilt", "falls"),
    [(1.0, 0.0, False), (0.97, 0.0, False), (0.8, 0.0, True), (0.45, 0.0, True), (1.0, 90.0, False)],
)
def test_a_body_has_fallen_when_it_is_low_or_lies(share: float, tilt: float, falls: bool) -> None:
    """At 97 % its shins are below the ground, and it is upright; a body that floats level touches nothing."""
    rotations = BODY.standing()[1]
    turned = quaternion_product(axis_angle_quaternion([0.0, 1.0, 0.0], np.radians(tilt)), rotations)
    root = np.array([0.0, 0.0, share * BODY.stand_height])
    heights = BODY.forward_kinematics(root[None], turned[None])[0, :, 2]
    ups = quaternion_matrix(turned)[:, 2]
    assert bool(fallen(BODY, heights, ups)) is falls
    many = fallen(BODY, np.tile(heights, (3, 1)), np.tile(ups, (3, 1, 1)))
    assert many.tolist() == [falls] * 3


def test_a_trunk_is_upright_up_to_sixty_degrees() -> None:
    assert BODY.links[trunk_top(BODY)].role == "chest"
    for degrees, upright in ((59.0, True), (61.0, False)):
        assert bool(is_upright(BODY, BODY.stand_height, np.cos(np.radians(degrees)))) is upright
    assert not is_upright(BODY, 0.84 * BODY.stand_height, 1.0)
