"""An armature as plain arrays: what ui/ reads from Blender, and all that a Character is built from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import RigError
from ..base.spatial import Array
from .skin import Skin

EVEN_SCALE = 1e-3
"""By what share an object's scales may differ: a metre of limb may then be wrong by a millimetre."""

STANDS = 0.5
"""Cosine of a body's up and the vertical, below which its rest pose lies, or hangs upside down."""

_AT = 0.02  # of a bone: how far from its end another one may begin that is held there
_LARGEST = 1e38  # Blender's own numbers end there; beyond, squares are no numbers any more


@dataclass(frozen=True, eq=False)
class Bone:
    """One bone in its rest pose, in armature space and armature units.

    parent: index in Armature.bones, -1 for a root. head (3,), tail (3,).
    matrix (3, 3): rest orientation (rotation part of Blender's ``bone.matrix_local``). deform: whether it
    carries the skin. follows: bones that its constraints let it follow.
    """

    name: str
    parent: int
    head: Array
    tail: Array
    matrix: Array
    deform: bool = True
    follows: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Armature:
    """Bones, in any order, the matrix (4, 4) of the object that carries them into the world, and the skin on them.

    Raises RigError for no bones, numbers that are not finite, names that are there twice, parents
    that do not exist or go round in a circle, and for an object without size.
    """

    name: str
    bones: tuple[Bone, ...]
    world: Array
    skin: Skin | None = None

    def __post_init__(self) -> None:
        if not self.bones:
            raise RigError(f"Armature {self.name!r} has no bones; choose the armature of a character.")
        _check_array(self.world, (4, 4), f"Armature {self.name!r}: its object transform")
        names: set[str] = set()
        for bone in self.bones:
            where = f"Armature {self.name!r}, bone {bone.name!r}"
            if bone.name in names:
                raise RigError(f"{where}: another bone has the same name; rename one of them.")
            names.add(bone.name)
            _check_array(bone.head, (3,), f"{where}: its head")
            _check_array(bone.tail, (3,), f"{where}: its tail")
            _check_array(bone.matrix, (3, 3), f"{where}: its rest orientation")
            if not -1 <= bone.parent < len(self.bones):
                raise RigError(f"{where}: parent number {bone.parent} does not exist; give it another one.")
        self._check_parents()

    def _check_parents(self) -> None:
        reaches_root = [bone.parent < 0 for bone in self.bones]
        for start in range(len(self.bones)):
            chain: list[int] = []
            at = start
            while not reaches_root[at]:
                if at in chain:
                    raise RigError(
                        f"Armature {self.name!r}, bone {self.bones[at].name!r}: it is its own ancestor; "
                        "give it another parent."
                    )
                chain.append(at)
                at = self.bones[at].parent
            for i in chain:
                reaches_root[i] = True

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each bone by its name."""
        return {bone.name: i for i, bone in enumerate(self.bones)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Places of each bone's children."""
        found: list[list[int]] = [[] for _ in self.bones]
        for i, bone in enumerate(self.bones):
            if bone.parent >= 0:
                found[bone.parent].append(i)
        return tuple(tuple(c) for c in found)

    @cached_property
    def scale(self) -> float:
        """Metres (Blender world units) for one armature unit.

        Raises RigError for an object that is scaled to nothing, mirrored, or unevenly scaled: its bones
        change length as they turn, so no rigid body fits them.
        """
        sizes = np.linalg.svd(self.world[:3, :3], compute_uv=False)
        if sizes.max() < 1e-9:
            raise RigError(f"Armature {self.name!r}: its object is scaled to zero; set its scale to 1.")
        if sizes.max() > sizes.min() * (1.0 + EVEN_SCALE):
            raise RigError(
                f"Armature {self.name!r}: its object is scaled differently along its axes; "
                "apply the scale in Object mode (Ctrl A, Scale)."
            )
        if np.linalg.det(self.world[:3, :3]) < 0.0:
            raise RigError(
                f"Armature {self.name!r}: its object is mirrored by a negative scale; "
                "apply the scale in Object mode (Ctrl A, Scale)."
            )
        return float(sizes.mean())

    def below(self, names: Iterable[str], stop: Collection[str] = ()) -> set[str]:
        """Return bones by name and all that hang on them, without ``stop`` and what hangs on those."""
        found: set[str] = set()
        stack = [self.index[name] for name in names]
        while stack:
            at = stack.pop()
            found.add(self.bones[at].name)
            stack.extend(c for c in self.children[at] if self.bones[c].name not in stop)
        return found

    def ancestors(self, bone: int) -> list[int]:
        """Return the places of a bone's parents, nearest first."""
        found: list[int] = []
        at = self.bones[bone].parent
        while at >= 0:
            found.append(at)
            at = self.bones[at].parent
        return found

    def carriers(self, bone: int) -> list[int]:
        """Return the places of what carries a bone, nearest first: parents, and what constraints let them follow."""
        found: list[int] = []
        waiting = [bone]
        while waiting:
            at = self.bones[waiting.pop(0)]
            above = [self.index[name] for name in at.follows if name in self.index]
            for i in (*above, at.parent):
                if i >= 0 and i != bone and i not in found:
                    found.append(i)
                    waiting.append(i)
        return found


def hung_by_constraints(armature: Armature) -> Armature:
    """Return an armature in which a bone that a constraint holds at the end of another one is its child.

    So limbs in two halves, of which the lower one hangs on a root, are whole. Only of bones that carry the skin.
    """
    bones = list(armature.bones)
    for i, bone in enumerate(armature.bones):
        for name in bone.follows if bone.deform else ():
            k = armature.index.get(name, i)
            if armature.bones[k].deform and ends_at(armature.bones[k], bone) and not _carries(bones, i, k):
                bones[i] = replace(bone, parent=k)
                break
    return replace(armature, bones=tuple(bones))


def ends_at(bone: Bone, other: Bone) -> bool:
    """Return whether a bone ends where another one begins, by its tail."""
    length = float(np.linalg.norm(bone.tail - bone.head))
    return float(np.linalg.norm(bone.tail - other.head)) < _AT * length


def _carries(bones: Sequence[Bone], bone: int, other: int) -> bool:
    """Return whether a bone is another one or carries it."""
    while other not in (bone, -1):
        other = bones[other].parent
    return other == bone


def bone_matrix(head: ArrayLike, tail: ArrayLike, side: ArrayLike) -> Array:
    """Return the orientation (3, 3) of a bone: y from head to tail, x as near to ``side`` (3,) as it can be.

    The head and tail must differ, and ``side`` must not point along the bone.
    """
    y = np.asarray(tail, dtype=float) - np.asarray(head, dtype=float)
    y = y / np.linalg.norm(y)
    z = np.cross(np.asarray(side, dtype=float), y)
    z = z / np.linalg.norm(z)
    return np.stack((np.cross(y, z), y, z), axis=1)


def _check_array(value: Array, shape: Sequence[int], what: str) -> None:
    if np.shape(value) != tuple(shape):
        raise RigError(f"{what} has the shape {np.shape(value)}; expected {tuple(shape)}.")
    if not np.all(np.abs(value) < _LARGEST):  # nor is NaN
        raise RigError(f"{what} is not a finite number (NaN or infinite); correct it in Edit mode.")
