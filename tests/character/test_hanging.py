"""How far from straight down arms hang: as far as the skin of hips and thighs, or the shapes of the links, want it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array, normalized
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.hanging import LEAST, MOST
from blender_biped.character.model import Character
from blender_biped.character.reading import character_from_json
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature, standard_character

ARM = 0.04  # m, radius


def tube(head: Array, tail: Array, radius: float) -> Array:
    """Return points (N, 3) round a bone."""
    along = normalized(tail - head)
    across = normalized(np.cross(along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.9 else [0.0, 1.0, 0.0]))
    around = np.cross(along, across)
    turns = np.linspace(0.0, 2.0 * math.pi, 16, endpoint=False)
    rings = np.cos(turns)[:, None] * across + np.sin(turns)[:, None] * around
    places = head + np.linspace(0.0, 1.0, 12)[:, None] * (tail - head)
    return np.asarray((places[:, None] + radius * rings).reshape(-1, 3))


def clothed(thighs: float, arms: float = ARM, held: Sequence[float] = ()) -> Armature:
    """Return the standard armature with a skin on thighs, forearms and hands. Radii, m.

    held: how far from the wrists what the hands hold is, towards the body and beyond it, m.
    """
    rig = standard_armature()
    bones = map_bones(rig).bones
    radii = {"thigh": thighs, "forearm": arms, "hand": arms}
    names = [bones[f"{part}.{side}"][0] for part in radii for side in "LR"]
    parts = [
        tube(rig.bones[rig.index[name]].head, rig.bones[rig.index[name]].tail, radius)
        for name, radius in zip(names, np.repeat(list(radii.values()), 2), strict=True)
    ]
    for k in (4, 5) if len(held) else ():
        wrist = rig.bones[rig.index[names[k]]].head
        parts[k] = np.concatenate([parts[k], [wrist - (math.copysign(away, wrist[0]), 0.0, 0.0) for away in held]])
    owners = np.repeat(np.arange(len(names)), [len(own) for own in parts])
    points = np.concatenate(parts)
    count = np.arange(len(points))
    return replace(rig, skin=skin_from(points, np.zeros((0, 2), dtype=int), names, count, owners, np.ones(len(points))))


def built(rig: Armature) -> Character:
    return build_character(rig, map_bones(rig), None)


def test_wider_thighs_hold_arms_farther_out() -> None:
    angles = [built(clothed(thighs)).arms_out for thighs in (0.05, 0.16, 0.22)]
    assert angles[0] == pytest.approx(LEAST) and angles[0] < angles[1] < angles[2] < MOST


def test_thicker_arms_hang_farther_out() -> None:
    assert built(clothed(0.16, 0.03)).arms_out < built(clothed(0.16, 0.07)).arms_out


def test_what_hands_hold_is_no_part_of_them() -> None:
    bare, far = built(clothed(0.16)).arms_out, np.linspace(0.3, 0.6, 20)
    assert built(clothed(0.16, held=far.tolist())).arms_out == bare
    near = 0.4 * far  # as fingers are
    assert built(clothed(0.16, held=near.tolist())).arms_out > bare


def test_the_angle_is_the_one_at_which_arms_pass_thighs() -> None:
    """What is lowest of the arms needs the least of it, what is beside the thighs' upper ends the most."""
    thigh = 0.2
    body = built(clothed(thigh))
    origins, _ = body.standing()
    shoulder, wrist, hip = (origins[body.index(role)] for role in ("upper_arm.L", "hand.L", "thigh.L"))
    beside = float(hip[1] + thigh + ARM - shoulder[1])
    margin = 0.02 * body.leg_length
    least, most = (
        math.asin(beside / (shoulder[2] - wrist[2])),
        math.asin((beside + margin) / (shoulder[2] - hip[2] - 2.0 * margin)),
    )
    assert least < body.arms_out < most + math.radians(0.5)


def test_arms_that_never_pass_hang_where_there_is_most_room() -> None:
    assert LEAST <= built(clothed(0.9)).arms_out < MOST


def test_a_body_without_a_skin_is_as_wide_as_its_shapes() -> None:
    assert standard_character().arms_out == pytest.approx(LEAST)


def test_it_is_kept_in_a_file_and_older_files_have_none() -> None:
    body = built(clothed(0.2))
    data = body.as_json()
    assert character_from_json(data) == body
    del data["arms_out"]
    assert character_from_json(data).arms_out == 0.0
