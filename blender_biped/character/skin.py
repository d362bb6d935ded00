"""The skin of an armature: points that bones carry by weights, and which bones carry how much of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..base.spatial import Array

Numbers = NDArray[np.int_]

_CARRIED = 1e-4  # share of a point below which a bone does not carry it: a millimetre of ten metres
_UNSEEN = 1e-3  # of the skin's size: points that an exporter has split along a seam lie on each other
_PLAIN = 0.1  # of the skin's size: weights of usual skins stretch edges by up to half of that


@dataclass(frozen=True)
class Torn:
    """Edges of a skin that are torn. gap: by how much the worst is longer than in rest, m.

    plain: whether something was left behind. Armpits and toes of usual skins stretch as many times, by centimetres.
    """

    edges: int
    gap: float
    plain: bool


@dataclass(frozen=True, eq=False)
class Skin:
    """Points in rest, their edges, and who carries them.

    points (V, 3): armature space. edges (E, 2): of points. names: of the bones that carry any. vertices, bones,
    weights (W,): a point, the place in ``names`` of a bone that carries it, and its share; those of a point add up to
    1, or to 0 for a point that nothing carries. every: of so many edges one is here, where there are too many.
    """

    points: Array
    edges: Numbers
    names: tuple[str, ...]
    vertices: Numbers
    bones: Numbers
    weights: Array
    every: int = 1

    @property
    def loose(self) -> int:
        """How many points no bone carries."""
        return len(self.points) - len(np.unique(self.vertices))

    @cached_property
    def amounts(self) -> Mapping[str, float]:
        """How many points each bone carries, by weight."""
        found = np.bincount(self.bones, self.weights, len(self.names))
        return {name: float(amount) for name, amount in zip(self.names, found, strict=True) if amount > 0.0}

    def shares(self, groups: Sequence[Collection[str]]) -> Array:
        """Return which share of each point each group of bones carries (V, G)."""
        group_of = {name: g for g, names in enumerate(groups) for name in names}
        owner = np.array([group_of.get(name, -1) for name in self.names], dtype=int)[self.bones]
        found = np.zeros((len(self.points), len(groups)))
        mine = owner >= 0
        np.add.at(found, (self.vertices[mine], owner[mine]), self.weights[mine])
        return found

    def carried_by(self, names: Collection[str], least: float = 0.5) -> Array:
        """Return the points (N, 3) of which some bones carry more than ``least`` together."""
        return self.points[self.shares([names])[:, 0] > least]

    def part(self, names: Collection[str]) -> Skin | None:
        """Return the points of which some bones carry most, with all who carry them, no edges; None for no points."""
        kept = np.flatnonzero(self.shares([names])[:, 0] > 0.5)
        if not len(kept):
            return None
        place = np.full(len(self.points), -1)
        place[kept] = np.arange(len(kept))
        mine = place[self.vertices] >= 0
        own = np.unique(self.bones[mine])
        return Skin(
            self.points[kept], np.zeros((0, 2), dtype=int), tuple(self.names[i] for i in own),
            place[self.vertices[mine]], np.searchsorted(own, self.bones[mine]), self.weights[mine],
        )  # fmt: skip

    def posed(self, matrices: Mapping[str, Array]) -> Array:
        """Return the points (V, 3) as Blender's Armature modifier deforms them without volume preservation.

        matrices: of each bone that carries any, (4, 4), from rest to pose, armature space. What nothing carries stays.
        """
        if not len(self.weights):
            return self.points
        moves = np.stack([matrices[name] for name in self.names])
        mixed = np.zeros((len(self.points), 3, 4))
        np.add.at(mixed, self.vertices, self.weights[:, None, None] * moves[self.bones, :3])
        mixed[self._still] = np.eye(3, 4)
        return np.asarray(np.einsum("vij,vj->vi", mixed[:, :, :3], self.points) + mixed[:, :, 3])

    @cached_property
    def _still(self) -> NDArray[np.bool_]:
        return np.bincount(self.vertices, minlength=len(self.points)) == 0

    def edge_lengths(self, posed: Array) -> Array:
        """Return the edges' lengths (E,) with the points at ``posed`` (V, 3)."""
        return np.asarray(np.linalg.norm(posed[self.edges[:, 0]] - posed[self.edges[:, 1]], axis=1))

    def torn(self, longest: Array, times: float, unit: float = 1.0) -> Torn:
        """Return what is torn with edges as long as ``longest`` (E,) at their worst: to over ``times`` their length.

        unit: metres of one armature unit.
        """
        size = float(np.ptp(self.points, axis=0).max())
        rest = self.edge_lengths(self.points)
        torn = longest > np.maximum(times * rest, _UNSEEN * size)
        gap = float((longest - rest)[torn].max(initial=0.0))
        return Torn(self.every * int(torn.sum()), unit * gap, gap > _PLAIN * size)


def skin_from(
    points: Array,
    edges: Numbers,
    names: Sequence[str],
    vertices: Numbers,
    bones: Numbers,
    weights: Array,
    every: int = 1,
) -> Skin:
    """Return a skin from weights of any size, as Blender normalises them: shares that matter, adding up to 1."""
    whole = np.bincount(vertices, weights, len(points)) if len(vertices) else np.zeros(len(points))
    share = weights / np.where(whole > 0.0, whole, 1.0)[vertices] if len(vertices) else weights
    kept = share > _CARRIED
    vertices, bones, share = vertices[kept], bones[kept], share[kept]
    whole = np.bincount(vertices, share, len(points)) if len(vertices) else whole
    share = share / np.where(whole > 0.0, whole, 1.0)[vertices] if len(vertices) else share
    return Skin(points, edges, tuple(names), vertices, bones, share, every)
