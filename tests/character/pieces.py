"""Armatures of a few bones, given by name, parent, head and tail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from blender_biped.character.armature import Armature, Bone

Point = tuple[float, float, float]
Piece = tuple[str, str, Point, Point]


def rig(pieces: Sequence[Piece], follows: Mapping[str, str] | None = None) -> Armature:
    """Return an armature of bones: name, parent, head, tail. follows: bone -> the one that a constraint holds it at."""
    held = follows or {}
    names = [piece[0] for piece in pieces]
    bones = (
        Bone(name, names.index(parent) if parent else -1, np.array(head), np.array(tail), np.eye(3),
             follows=(held[name],) if name in held else ())
        for name, parent, head, tail in pieces
    )  # fmt: skip
    return Armature("Odd", tuple(bones), np.eye(4))


def mirrored(pieces: Sequence[Piece], sides: tuple[str, str] = ("L", "R")) -> list[Piece]:
    """Return pieces of the left side (+x) and their mirror images; ``{}`` in names stands for the side."""
    return [
        (name.format(side), parent.format(side), (k * head[0], *head[1:]), (k * tail[0], *tail[1:]))
        for side, k in zip(sides, (1.0, -1.0), strict=True)
        for name, parent, head, tail in pieces
    ]
