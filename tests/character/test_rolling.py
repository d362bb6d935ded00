"""How far a foot's sole goes on before its toes' joint: as far as skin turns with it as it rolls over its toes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.model import SIDES, Character
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.shared.legs import legs_of

STANDARD = standard_armature()
ANKLE, JOINT, TIP = (
    getattr(STANDARD.bones[STANDARD.index[name]], end)
    for name, end in (("foot.L", "head"), ("toe.L", "head"), ("toe.L", "tail"))
)
LEG = float(STANDARD.bones[STANDARD.index["thigh.L"]].head[2] - ANKLE[2])
TOES = float(JOINT[1] - TIP[1])
PLACES = np.linspace(-0.14, TOES, 60)


def soles(goes_over: float, low: float = 0.0) -> Armature:
    """Return the standard armature on soles of points whose weight goes from foot to toes within some m of the joint.

    They lie so far above the lowest sole, m.
    """
    points: list[Array] = []
    shares: list[float] = []
    for sign in (1.0, -1.0):
        for y in (-0.04, 0.0, 0.04):
            points += [np.array((sign * (JOINT[0] + y), JOINT[1] - ahead, low)) for ahead in PLACES]
            shares += [float(np.clip(0.5 - ahead / (2.0 * goes_over), 0.0, 1.0)) for ahead in PLACES]
    names = [f"{part}.{side}" for part in ("foot", "toe") for side in SIDES]
    count, right = len(points), np.repeat([0, 1], len(points) // 2)
    vertices, bones = np.tile(np.arange(count), 2), np.concatenate((right, right + 2))
    weights = np.concatenate((shares, 1.0 - np.array(shares)))
    skin = skin_from(np.array(points), np.zeros((0, 2), dtype=int), names, vertices, bones, weights)
    return replace(STANDARD, skin=skin)


def body(rig: Armature) -> Character:
    return build_character(rig, map_bones(rig))


def goes_on(character: Character, side: str = "L") -> float:
    """Return how far a foot's sole goes on before the toes' joint, m."""
    sole = character.links[character.index(f"foot.{side}")].shape
    return sole.center[0] + sole.half[0] - float(character.offsets[character.index(f"toes.{side}")][0])


def test_a_sole_goes_on_as_far_as_skin_turns_with_it() -> None:
    near, wide = (goes_on(body(soles(over))) for over in (0.01, 0.05))
    assert 0.0 <= near < near + 0.003 < wide < 0.05


def deepest(goes_over: float, roll: float) -> float:
    """Return how deep the skin is under the ground, m, once a foot has rolled up by an angle, rad."""
    rig = soles(goes_over)
    character = body(rig)
    joint = float(character.standing()[0][character.index("toes.L")][2])
    edge = goes_on(character)
    lifted = max(edge * math.sin(roll) + joint * math.cos(roll) - joint, 0.0)
    shares = np.clip(0.5 - PLACES / (2.0 * goes_over), 0.0, 1.0)
    turned = -PLACES * math.sin(roll) - joint * math.cos(roll)
    return -float((lifted + joint + shares * turned - (1.0 - shares) * joint).min())


@pytest.mark.parametrize("roll", [20.0, 40.0, 55.0])
def test_skin_does_not_sink_as_the_foot_rolls(roll: float) -> None:
    assert deepest(0.04, math.radians(roll)) < 0.003 * LEG


def test_the_foot_rolls_over_the_end_of_its_sole() -> None:
    character = body(soles(0.05))
    leg, joint = legs_of(character)[0], float(character.offsets[character.index("toes.L")][0])
    assert leg.ball == pytest.approx(joint + goes_on(character))
    assert leg.tip == pytest.approx(joint + leg.toe_length)


def test_no_more_of_the_toes_than_half_turns_with_the_foot() -> None:
    assert goes_on(body(soles(3.0))) <= 0.5 * TOES + 1e-6


def test_skin_that_toes_do_not_carry_tells_nothing() -> None:
    rig = soles(0.05)
    assert rig.skin is not None
    own = rig.skin.bones < 2  # of the feet
    skin = skin_from(
        rig.skin.points, rig.skin.edges, rig.skin.names, rig.skin.vertices[own], rig.skin.bones[own],
        rig.skin.weights[own],
    )  # fmt: skip
    assert goes_on(body(replace(rig, skin=skin))) == pytest.approx(0.0, abs=1e-9)


def test_without_skin_the_sole_ends_at_the_joint() -> None:
    character = standard_character()
    joint = float(character.offsets[character.index("toes.L")][0])
    leg = legs_of(character)[0]
    assert (leg.ball, leg.beyond, leg.before_ball) == (joint, 0.0, leg.toe_length)
