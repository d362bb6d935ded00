"""Heights, reaches and ends of a skeleton."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from tests.character.structure.figures import PERSON, Place, skeleton


def test_heights_are_along_up() -> None:
    found = skeleton(PERSON, np.array([1.0, 0.0, 0.0]))
    assert found.height == pytest.approx(1.6)
    assert found.ground == pytest.approx(-0.8)


def test_a_skeleton_without_height_does_not_stand() -> None:
    with pytest.raises(RigError, match="does not stand"):
        skeleton({name: (parent, (x, y, 0.0)) for name, (parent, (x, y, _)) in PERSON.items()})


def test_reach_is_along_the_bones_to_the_farthest_one() -> None:
    found = skeleton(PERSON)
    at = found.armature.index
    assert found.reaches[at["arm.L"]] == pytest.approx(0.27 + 0.25 + 0.1)
    assert found.reaches[at["toe.L"]] == 0.0
    assert found.reaches[at["neck"]] == pytest.approx(0.1)
    assert found.reaches[at["chest"]] == pytest.approx(found.reaches[at["arm.L"]] + 0.16 + np.hypot(0.02, 0.15))


def test_a_chain_may_be_longer_than_python_can_call() -> None:
    chain: dict[str, Place] = {f"b{k}": (f"b{k - 1}" if k else "", (0.0, 0.0, 0.01 * k)) for k in range(3000)}
    assert skeleton(chain).reaches[0] == pytest.approx(29.99)


def test_rise_is_the_highest_of_a_subtree_above_its_parent() -> None:
    found = skeleton(PERSON)
    at = found.armature.index
    assert found.rise(at["spine"]) == pytest.approx(0.6)
    assert found.rise(at["thigh.L"]) == pytest.approx(-0.05)


def test_a_last_bone_ends_at_its_marks_else_at_a_believable_tail() -> None:
    found = skeleton({**PERSON, "nub.L": ("toe.L", (0.1, -0.25, 0.0))})
    at = found.armature.index
    assert found.tip(at["toe.L"]) == pytest.approx((0.1, -0.25, 0.0))
    assert found.end(at["toe.R"]) is None
    assert found.tip(at["toe.R"]) == pytest.approx((-0.1, -0.15, 0.07))


def test_children_are_those_that_are_parts_of_the_body() -> None:
    found = skeleton({**PERSON, "ik_target.L": ("shin.L", (0.1, 0.0, 0.1))})
    at = found.armature.index
    assert found.children(at["shin.L"]) == [at["foot.L"]]
    assert at["ik_target.L"] in found.subtree(at["thigh.L"])
