"""Regulation variables on arrays."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix, quaternion_product, yaw_quaternion
from blender_biped.control.limit_cycle.regulation import Observer, variable
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.state import BodyState
from tools.base.laszlo import laszlo_human

HUMAN = laszlo_human()
COUNT = len(HUMAN.links)


def one(vector, axis, link="pelvis"):
    return variable({vector: 1.0}, axis, link)


def body(pitch=0.0, yaw=0.0, velocity=(0.0, 0.0, 0.0)):
    """Return a body that leans ahead as a whole about its feet, turned by yaw, rad."""
    lean = np.array([np.cos(0.5 * pitch), 0.0, np.sin(0.5 * pitch), 0.0])
    rotations = np.tile(quaternion_product(yaw_quaternion(yaw), lean), (COUNT, 1))
    origins = HUMAN.forward_kinematics(np.zeros(3), rotations)
    feet = [HUMAN.index(f"foot.{s}") for s in "LR"]
    origins = origins - origins[feet].mean(axis=0)
    matrices = quaternion_matrix(rotations)
    coms = HUMAN.com_positions(origins, rotations)
    return BodyState(0.0, origins, matrices, coms, np.tile(velocity, (COUNT, 1)), np.zeros((COUNT, 3)), np.zeros(COUNT))


@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_the_up_vector_tells_the_lean_whatever_the_heading(yaw):
    found = Observer(HUMAN).value(one("up", "forward", "abdomen"), body(0.3, yaw), LEFT)
    assert found == pytest.approx(np.sin(0.3))
    assert Observer(HUMAN).value(one("up", "aside", "abdomen"), body(0.3, yaw), LEFT) == pytest.approx(0.0)


def test_the_swing_foot_is_the_other_one_and_aside_is_mirrored():
    observer, standing = Observer(HUMAN), body()
    assert observer.value(one("swing", "aside"), standing, LEFT) > 0.05  # the right foot is to the COM's right
    mirrored = [observer.value(one("swing", "aside"), standing, stance) for stance in (LEFT, RIGHT)]
    assert mirrored[0] == pytest.approx(mirrored[1])
    assert observer.value(one("stance", "aside"), standing, LEFT) == pytest.approx(-mirrored[0])


def test_the_extrapolated_centre_of_mass_knows_the_speed():
    observer = Observer(HUMAN)
    still, fast = (observer.value(one("capture", "forward"), body(velocity=(v, 0.0, 0.0)), LEFT) for v in (0.0, 0.5))
    assert fast > still + 0.1
    assert observer.value(one("swing", "forward"), body(velocity=(0.5, 0.0, 0.0)), LEFT) == pytest.approx(still)


def test_a_variable_needs_a_vector():
    with pytest.raises(DataError, match="needs weights of up, swing, stance, capture"):
        variable({}, "forward", "pelvis")


def test_the_human_has_the_thesis_s_numbers():
    freedoms = {"hinge": 1, "universal": 2, "spherical": 3, "fixed": 0, "free": 0}
    assert sum(freedoms[link.joint] for link in HUMAN.links) == 19
    assert HUMAN.mass == pytest.approx(88.29, abs=0.01)  # the sum of Appendix B's
    origins, rotations = HUMAN.standing()
    coms = dict(zip((link.role for link in HUMAN.links), HUMAN.com_positions(origins, rotations), strict=True))
    assert coms["thigh.R"] == pytest.approx((0.00478, -0.09, 0.80), abs=1e-9)
    assert coms["head"] == pytest.approx((0.01 + 0.00478, 0.0, 1.70), abs=1e-9)
