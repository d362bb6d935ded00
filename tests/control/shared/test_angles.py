"""Trajectories: splines pass their knots; right steps mirror left ones."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.angles import StyleTable
from blender_biped.control.shared.spline import catmull_rom

CHARACTER = standard_character()
MIRROR = np.diag([1.0, -1.0, 1.0])


def test_the_spline_passes_its_knots_and_holds_its_ends():
    knots = [(0.0, 1.0), (0.3, -2.0), (0.4, 5.0), (1.0, 0.0)]
    at = np.array([-1.0, 0.0, 0.3, 0.4, 1.0, 2.0])
    assert np.allclose(catmull_rom(knots, at), [1.0, 1.0, -2.0, 5.0, 0.0, 0.0])
    assert np.allclose(catmull_rom([(0.0, 3.0)], at), 3.0)


def test_a_straight_line_stays_straight():
    at = np.linspace(0.0, 1.0, 50)
    assert np.allclose(catmull_rom([(0.0, 0.0), (0.1, 0.2), (0.7, 1.4), (1.0, 2.0)], at), 2.0 * at)


STYLE = {
    "stance_shin_pitch": ((0.0, 10.0), (1.0, 20.0)),
    "swing_upper_arm_roll": ((0.0, 5.0), (1.0, 15.0)),
    "chest_yaw": ((0.0, 8.0), (1.0, -8.0)),
    "trail_foot_pitch": ((0.0, -5.0), (1.0, 5.0)),
    "stand_forearm_pitch": ((0.0, -12.0),),
}


def test_right_mirrors_left():
    left, right = (StyleTable(CHARACTER, STYLE, side).at(0.3)[:, :, :3] for side in ("L", "R"))
    for link in CHARACTER.links:
        other = link.role[:-1] + {"L": "R", "R": "L"}[link.role[-1]] if link.role[-2:-1] == "." else link.role
        a, b = left[CHARACTER.index(link.role)], right[CHARACTER.index(other)]
        assert np.allclose(MIRROR @ a @ MIRROR, b), link.role


def turned(matrices):
    return {k.role for k, m in zip(CHARACTER.links, matrices, strict=True) if not np.allclose(m, np.eye(3))}


def test_each_name_moves_its_own_link():
    table = StyleTable(CHARACTER, STYLE, "L")
    moved = turned(table.at(0.5)[:, :, :3])
    assert moved == {"shin.L", "upper_arm.R"}
    assert "foot.R" in turned(table.at(0.2, True)[:, :, :3])
    assert turned(table.at(-1.0)[:, :, :3]) == {"forearm.L", "forearm.R"}


def test_rates_are_the_slope_of_the_angles():
    rates = StyleTable(CHARACTER, STYLE, "L").at(0.5)[:, :, 3]
    assert rates[CHARACTER.index("shin.L"), 1] == pytest.approx(np.radians(10.0))


def test_amplitude_scales_the_walk_not_the_stand():
    half = StyleTable(CHARACTER, STYLE, "L", 0.5)
    knee = half.at(1.0)[CHARACTER.index("shin.L")]
    assert np.arcsin(knee[0, 2]) == pytest.approx(np.radians(10.0))
    elbow = half.at(-1.0)[CHARACTER.index("forearm.L")]
    assert np.arcsin(elbow[0, 2]) == pytest.approx(np.radians(-12.0))


@pytest.mark.parametrize("name", ["chest_twist", "stance_shin", "stance_tail_pitch", "knee_pitch"])
def test_unknown_names_are_refused(name):
    with pytest.raises(DataError, match=name):
        StyleTable(CHARACTER, {name: ((0.0, 1.0),)}, "L")


def test_an_angle_of_both_limbs_mirrors_each_to_its_own_side():
    for stance in ("L", "R"):
        rows = StyleTable(CHARACTER, {"both_thigh_roll": ((0.0, 5.0),), "both_shin_pitch": ((0.0, 9.0),)}, stance).at(
            0.5
        )
        left, right = (rows[CHARACTER.index(f"thigh.{side}")][2, 1] for side in "LR")
        assert left == pytest.approx(np.sin(np.radians(5.0))) and right == pytest.approx(-left)
        knees = [rows[CHARACTER.index(f"shin.{side}")][0, 2] for side in "LR"]
        assert knees == pytest.approx([np.sin(np.radians(9.0))] * 2)
