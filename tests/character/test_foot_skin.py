"""The lengths of feet: from their skin, else from bones held to what walks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character import proportions
from blender_biped.character.armature import Armature
from blender_biped.character.model import SIDES
from blender_biped.character.posture import standing
from blender_biped.character.proportions import Foot
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion.summary import summarised
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.character.humanoid import character, moved_bone, without

STANDARD = standard_armature()
ANKLE = STANDARD.bones[STANDARD.index["foot.L"]].head
LEG = float(STANDARD.bones[STANDARD.index["thigh.L"]].head[2] - ANKLE[2])


def shod(rig: Armature, heel: float, tip: float, sole: float, bone: str = "foot", count: int = 200) -> Armature:
    """Return an armature with shoes as boxes of points: heel behind and tip before the ankle, sole below it, m."""
    rng = np.random.default_rng(1)
    points: list[Array] = []
    names: list[str] = []
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        box = rng.uniform((-0.04, -tip, -sole), (0.04, heel, 0.0), (count, 3))
        box[:8] = [(x, y, z) for x in (-0.04, 0.04) for y in (-tip, heel) for z in (-sole, 0.0)]
        points += [*(ANKLE * (sign, 1.0, 1.0) + box)]
        names += [f"{bone}.{side}"] * count
    known = tuple(dict.fromkeys(names))
    count = len(points)
    bones = np.array([known.index(name) for name in names])
    edges = np.zeros((0, 2), dtype=int)
    return replace(rig, skin=skin_from(np.array(points), edges, known, np.arange(count), bones, np.ones(count)))


def feet(rig: Armature) -> dict[str, Foot]:
    return proportions.feet(standing(rig, map_bones(rig)))


@pytest.mark.parametrize(("heel", "tip", "sole"), [(0.07, 0.2, 0.07), (0.13, 0.35, 0.12), (0.15, 0.25, 0.07)])
def test_a_foot_is_as_long_as_its_skin(heel: float, tip: float, sole: float) -> None:
    for foot in feet(shod(without(STANDARD, "toe", "heel"), heel, tip, sole)).values():
        assert foot.heel == pytest.approx(heel, rel=0.03)
        assert foot.ball + foot.toes == pytest.approx(tip, rel=0.03)
        assert foot.drop == pytest.approx(sole, rel=0.03)


def test_toes_begin_at_their_bone() -> None:
    foot = feet(shod(STANDARD, 0.06, 0.2, 0.07))["L"]
    toe = STANDARD.bones[STANDARD.index["toe.L"]].head
    assert foot.ball == pytest.approx(ANKLE[1] - toe[1])
    assert foot.ball + foot.toes == pytest.approx(0.2, rel=0.03)


def bent_at(share: float, rig: Armature = STANDARD) -> Armature:
    """Return an armature whose toes begin a share of the leg before the ankle, and end where they did."""
    for side in SIDES:
        foot, toe = (rig.bones[rig.index[f"{part}.{side}"]] for part in ("foot", "toe"))
        joint = np.array([toe.head[0], foot.head[1] - share * LEG, toe.head[2]])
        rig = moved_bone(moved_bone(rig, foot.name, foot.head, joint), toe.name, joint, toe.tail)
    return rig


@pytest.mark.parametrize("shoes", [False, True])
@pytest.mark.parametrize(
    ("share", "bends"),
    [(0.02, False), (0.05, False), (0.08, True), (0.1, True), (0.15, True), (0.19, True)],
)
def test_toes_begin_where_the_sole_bends_or_are_rigid_with_the_foot(share: float, bends: bool, shoes: bool) -> None:
    """A sole that is rigid beyond the toes' joint, or gives way before it, is pressed elsewhere than it bears."""
    rig = bent_at(share)
    body = character(shod(rig, 0.06, 0.2, 0.07) if shoes else rig)
    for side in SIDES:
        foot, toes = (body.links[body.index(f"{part}.{side}")] for part in ("foot", "toes"))
        front, toe = foot.shape.center[0] + foot.shape.half[0], toes.shape
        assert toes.offset[0] == pytest.approx(front) == pytest.approx(toes.offset[0] + toe.center[0] - toe.half[0])
        assert toes.offset[0] + toe.center[0] + toe.half[0] == pytest.approx(0.2, rel=0.03)
        assert (toes.joint == "hinge") == bends == (f"toe.{side}" in toes.bones)
        assert (f"toe.{side}" in foot.bones) != bends


def test_toes_that_begin_beyond_their_shoe_are_rigid_with_the_foot() -> None:
    body = character(shod(bent_at(0.25), 0.06, 0.2, 0.07))
    assert body.links[body.index("toes.L")].joint == "fixed" and "toe.L" in body.links[body.index("foot.L")].bones


@pytest.mark.long
def test_who_has_toes_close_to_the_ankles_keeps_to_its_path() -> None:
    body = character(bent_at(0.04))
    bend = Path([[3.0 * np.sin(a), 3.0 - 3.0 * np.cos(a)] for a in np.linspace(0.0, 1.5, 20)])
    job = Job(character=body, path=bend, preset=presets("natural")[0], speed=1.2)
    found = summarised(simulate(job), job)
    assert (found.outcome, found.astray) == ("arrived", None)
    assert found.deviation_worst is not None and found.deviation_worst < 0.15
    assert found.end_distance is not None and found.end_distance < 0.15


def test_a_heel_is_a_quarter_of_its_foot_at_least() -> None:
    foot = feet(shod(without(STANDARD, "toe", "heel"), 0.01, 0.24, 0.07))["L"]
    assert foot.heel == pytest.approx(0.08, rel=0.05) and foot.length == pytest.approx(0.32, rel=0.05)


@pytest.mark.parametrize(
    ("heel", "tip", "sole", "count"),
    [
        (0.25, 0.05, 0.07, 200),
        (0.005, 0.02, 0.07, 200),
        (0.06, 2.0, 0.07, 200),
        (0.06, 0.2, 0.0, 200),
        (0.1, 0.4, 0.1, 4),
    ],
)
def test_skin_that_lies_as_no_foot_does_tells_nothing(heel: float, tip: float, sole: float, count: int) -> None:
    """It points back, is tiny or huge, has no height, or has hardly a point."""
    few = shod(STANDARD, heel, tip, sole, count=max(count, 8))
    if count < 8 and few.skin is not None:
        few = replace(few, skin=skin_from(few.skin.points[:count], few.skin.edges, ("foot.L",), np.arange(count),
                                          np.zeros(count, dtype=int), np.ones(count)))  # fmt: skip
    assert feet(few) == feet(STANDARD)


def test_skin_of_shins_is_no_foot_s() -> None:
    assert feet(shod(STANDARD, 0.1, 0.4, 0.1, bone="shin")) == feet(STANDARD)


@pytest.mark.parametrize(("share", "length"), [(0.18, 0.22), (0.3, 0.3), (0.9, 0.45)])
def test_bones_alone_make_feet_between_bounds(share: float, length: float) -> None:
    """The foot's bone, from the ankle on, is 0.75 of the foot."""
    rig = without(STANDARD, "toe", "heel")
    for side in SIDES:
        head = rig.bones[rig.index[f"foot.{side}"]].head
        rig = moved_bone(rig, f"foot.{side}", tail=(head[0], head[1] - 0.75 * share * LEG, 0.0))
    for foot in feet(rig).values():
        assert foot.length == pytest.approx(length * LEG, rel=0.01)
