"""Two sides: the axis between them, who mirrors whom, and how surely."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.structure.symmetry import left_by_names, symmetry_across, symmetry_of
from tests.character.structure.figures import LEGS, PERSON, UP, names, skeleton, symmetry


def test_every_bone_beside_the_middle_has_its_partner() -> None:
    found = symmetry()
    assert found.share == 1.0
    assert found.middle == pytest.approx(0.0)
    np.testing.assert_allclose(np.abs(found.across), (1.0, 0.0, 0.0))
    at = found.skeleton.armature.index
    assert {found.partner[at[n]] for n in LEGS if n.endswith(".L")} == {at[n] for n in LEGS if n.endswith(".R")}
    assert at["spine"] not in found.partner


def test_names_need_not_tell_the_sides() -> None:
    """The axis is then found by place, whichever it is."""
    turned = {f"b{k}": (f"b{list(PERSON).index(parent)}" if parent else "", (y, x, z))
              for k, (parent, (x, y, z)) in enumerate(PERSON.values())}  # fmt: skip
    found = symmetry(turned)
    assert found.share == 1.0
    np.testing.assert_allclose(np.abs(found.across), (0.0, 1.0, 0.0), atol=1e-12)


def test_the_names_tell_where_left_is() -> None:
    np.testing.assert_allclose(left_by_names(skeleton(PERSON)), (1.0, 0.0, 0.0), atol=1e-12)
    one_side = {name: place for name, place in PERSON.items() if not name.endswith(".R")}
    assert not left_by_names(skeleton(one_side)).any()


def test_the_share_is_of_those_that_have_a_partner() -> None:
    """Nine pairs, and three bones on the left alone."""
    lone = {f"extra{k}": ("spine", (0.3, 0.02 * k, 1.2 + 0.03 * k)) for k in range(3)}
    found = symmetry_across(skeleton({**PERSON, **lone}), np.array([1.0, 0.0, 0.0]))
    assert found.share == pytest.approx(18 / 21)


def test_a_skeleton_without_two_sides_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(RigError, match="no two sides mirror each other"):
        symmetry({f"b{k}": ("", rng.normal(size=3).tolist()) for k in range(20)})


def test_pairs_that_begin_in_the_middle_are_told_by_their_names() -> None:
    found = symmetry({**PERSON, "rib.L": ("chest", (0.0, 0.0, 1.4)), "rib.R": ("chest", (0.0, 0.0, 1.4))})
    at = found.skeleton.armature.index
    assert found.partner[at["rib.L"]] == at["rib.R"]


def test_a_limb_of_another_length_is_opposite_by_its_place_in_the_chain() -> None:
    longer = {**PERSON, "foot.R": ("shin.R", (-0.1, 0.0, 0.02)), "toe.R": ("foot.R", (-0.1, -0.15, -0.06))}
    found = symmetry_of(skeleton(longer, UP))
    at = found.skeleton.armature.index
    assert at["toe.L"] not in found.partner or found.partner[at["toe.L"]] == at["toe.R"]
    assert names(found, found.opposite([at["shin.L"], at["foot.L"]])) == ("shin.R", "foot.R")
    assert found.opposite([at["shin.L"], at["head"]]) == ()
