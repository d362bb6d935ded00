"""Armatures: what is refused before anything is built on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.armature import Armature, Bone, bone_matrix
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import in_world, moved_bone, turn


def bone(name: str, parent: int) -> Bone:
    return Bone(name, parent, np.zeros(3), np.array([0.0, 0.0, 1.0]), np.eye(3))


def test_no_bones_are_refused() -> None:
    with pytest.raises(RigError, match=r"'Empty' has no bones"):
        Armature("Empty", (), np.eye(4))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused_by_name(value: float) -> None:
    rig = standard_armature()
    with pytest.raises(RigError, match=r"bone 'shin\.L': its tail is not a finite number"):
        moved_bone(rig, "shin.L", tail=(0.0, value, 0.0))
    with pytest.raises(RigError, match="object transform is not a finite number"):
        replace(rig, world=np.full((4, 4), value))


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(RigError, match=r"its head has the shape \(2,\)"):
        moved_bone(standard_armature(), "spine", head=(0.0, 1.0))


def test_names_that_are_there_twice_are_refused() -> None:
    with pytest.raises(RigError, match="'a': another bone has the same name"):
        Armature("Rig", (bone("a", -1), bone("a", 0)), np.eye(4))


@pytest.mark.parametrize("parents", [(0,), (1, 0), (-1, 2, 3, 1)])
def test_parents_in_a_circle_are_refused(parents: tuple[int, ...]) -> None:
    with pytest.raises(RigError, match="its own ancestor"):
        Armature("Rig", tuple(bone(str(i), p) for i, p in enumerate(parents)), np.eye(4))


@pytest.mark.parametrize("parent", [-2, 1])
def test_parents_that_do_not_exist_are_refused(parent: int) -> None:
    with pytest.raises(RigError, match="does not exist"):
        Armature("Rig", (bone("a", parent),), np.eye(4))


def test_parents_may_come_after_their_children() -> None:
    rig = Armature("Rig", (bone("hand", 1), bone("arm", 2), bone("root", -1)), np.eye(4))
    assert rig.ancestors(0) == [1, 2]
    assert rig.children == ((), (0,), (1,))


def test_scale_is_that_of_the_object() -> None:
    assert in_world(standard_armature(), turn((0.6, 0.0, 0.8), 50.0), 0.01).scale == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("scales", "message"),
    [
        ((1.0, 1.0, 1.1), "scaled differently along its axes"),
        ((-1.0, 1.0, 1.0), "mirrored by a negative scale"),
        ((0.0, 0.0, 0.0), "scaled to zero"),
    ],
)
def test_objects_that_no_rigid_body_fits_are_refused(scales: tuple[float, ...], message: str) -> None:
    with pytest.raises(RigError, match=message):
        _ = replace(standard_armature(), world=np.diag((*scales, 1.0))).scale


def test_bone_matrix_points_along_the_bone() -> None:
    matrix = bone_matrix((1.0, 0.0, 0.0), (1.0, 2.0, 2.0), (1.0, 0.0, 0.0))
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(matrix[:, 1], (0.0, np.sqrt(0.5), np.sqrt(0.5)))
    assert np.linalg.det(matrix) == pytest.approx(1.0)
    np.testing.assert_allclose(matrix[:, 0], (1.0, 0.0, 0.0))
