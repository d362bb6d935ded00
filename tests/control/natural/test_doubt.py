"""Which bodies Natural walking is doubted on before the walk: those it falls on by itself, and no ordinary people."""

import pytest

from blender_biped.character.build import build_of
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.natural.doubt import doubt, longest_sole, swing_turn
from blender_biped.control.registry import kinds
from tests.character.humanoid import character, without
from tools.measure.grid import characters

ARMS = ("shoulder", "upper_arm", "forearm", "hand")


@pytest.mark.parametrize(
    "scales",
    [
        {}, {"stature": 0.3}, {"stature": 5.0}, {"leg_scale": 0.8}, {"leg_scale": 1.3}, {"hip_scale": 1.5},
        {"head_scale": 2.0}, {"foot_scale": 1.3}, {"trunk_scale": 1.3}, {"arm_scale": 0.6},
    ],
)  # fmt: skip
def test_people_are_not_doubted(scales):
    assert doubt(character(standard_armature(**scales))) == ""


def test_bodies_of_the_grid_are_not_doubted():
    assert {name: doubt(body) for name, body in characters().items() if doubt(body)} == {}


@pytest.mark.parametrize(("legs", "feet", "head"), [(0.4, 1.33, 4.1), (0.47, 1.35, 3.0), (0.42, 1.2, 4.4)])
def test_long_feet_on_short_legs_below_a_high_body_are_doubted(legs, feet, head):
    body = character(standard_armature(leg_scale=legs, foot_scale=feet, head_scale=head))
    assert longest_sole(body) > 0.5 and build_of(body).tall > 1.1
    said = doubt(body)
    assert said.startswith("Natural Walking may fall: its feet are ") and " % as long as its legs" in said


def test_hips_too_wide_for_what_turns_back_are_doubted():
    """A broad trunk turns back what legs beside it do, as heavy as it is; one that is all hips has nothing to turn."""
    for scale in (1.0, 5.0):
        broad = character(without(standard_armature(hip_scale=scale, foot_scale=0.8, head_scale=0.8), *ARMS))
        assert doubt(broad) == "" and swing_turn(broad) < 10.0
    hips = character(without(standard_armature(hip_scale=3.0), *ARMS, "spine.001", "spine.002", "spine.003"))
    assert "its hips are too wide" in doubt(hips)


def test_only_natural_walking_doubts_so():
    assert [kind.name for kind in kinds() if kind.doubt] == ["natural"]
    assert doubt(standard_character()) == ""
