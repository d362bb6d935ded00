"""Knees that pass the other leg: where feet go round a bend or in line, thigh and shin would go through each other."""

from __future__ import annotations

import math

import numpy as np

from ..base.curves import envelope
from ..base.spatial import Array, forward_of, left_of
from ..character.model import Character
from .limbs import LegLinks, knee_places

_MOST = math.radians(35.0)  # by which a hip turns a knee outwards
_SOFT = (0.03, 0.03)  # s: how early and how softly
_LEVER = 0.03  # of the leg: a knee less far from the line from hip to ankle is not moved by turning it


def knees_apart(
    character: Character, legs: list[LegLinks], hips: list[Array], ankles: list[Array], facing: list[Array],
    yielding: list[Array], step: float,
) -> list[Array]:  # fmt: skip
    """Return where both knees point (T,), rad, when those of yielding legs pass the other leg.

    hips, ankles (T, 3): m, world. facing (T,): where knees would point, rad. yielding (T,): when a leg
    turns, in the air or with its heel up. step: between samples, s.
    """
    knees = [knee_places(*leg) for leg in zip(legs, hips, ankles, facing, strict=True)]
    found = []
    for side, sign in enumerate((1.0, -1.0)):
        other = 1 - side
        way = knees[side] - _at_height(hips[other], knees[other], ankles[other], knees[side][:, 2])
        out = sign * left_of(facing[other])
        along = np.einsum("ti,ti->t", way[:, :2], forward_of(facing[other]))
        need = sum(character.links[i].shape.radius for i in (legs[side].thigh, legs[other].shin))
        lack = np.sqrt(np.maximum(need * need - along * along, 0.0)) - np.einsum("ti,ti->t", way[:, :2], out)
        lack = np.where(yielding[side], np.maximum(lack, 0.0), 0.0)
        lever = np.maximum(_lever(hips[side], knees[side], ankles[side]), _LEVER * legs[side].longest)
        inward = np.sin(sign * (facing[side] - facing[other]))
        turned = np.arcsin(np.clip(inward + lack / lever, -1.0, 1.0)) - np.arcsin(inward)
        found.append(facing[side] + sign * envelope(np.clip(turned, 0.0, _MOST), step, *_SOFT))
    return found


def _at_height(hip: Array, knee: Array, ankle: Array, height: Array) -> Array:
    """Return where a leg is (T, 3) at heights (T,), m."""
    thigh = np.clip((hip[:, 2] - height) / np.maximum(hip[:, 2] - knee[:, 2], 1e-6), 0.0, 1.0)[:, None]
    shin = np.clip((knee[:, 2] - height) / np.maximum(knee[:, 2] - ankle[:, 2], 1e-6), 0.0, 1.0)[:, None]
    return np.asarray(hip + thigh * (knee - hip) + shin * (ankle - knee))


def _lever(hip: Array, knee: Array, ankle: Array) -> Array:
    """Return how far a knee is from the line from hip to ankle (T,), m."""
    line, way = ankle - hip, knee - hip
    share = np.einsum("ti,ti->t", way, line) / np.maximum(np.einsum("ti,ti->t", line, line), 1e-12)
    return np.asarray(np.linalg.norm(way - share[:, None] * line, axis=1))
