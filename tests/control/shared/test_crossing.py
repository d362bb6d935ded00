# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross products of few vectors."""

import numpy as np

from blender_biped.control.shared.crossing import Factors, crossed


def test_products_are_those_of_the_chosen_rows():
    random = np.random.default_rng(1)
    a, b, rows, others = random.normal(size=(4, 3)), random.normal(size=(6, 3)), np.array((2, 0)), np.array((5, 5))
    found = crossed(Factors(rows).of(a), Factors(others).of(b)).reshape(-1, 3)
    assert np.allclose(found, np.cross(a[rows], b[others]))


def test_vectors_may_be_some_columns_of_wider_rows():
    wide = np.random.default_rng(2).normal(size=(3, 6))
    own = np.arange(3)
    found = crossed(Factors(own, 6, 3).of(wide), Factors(own, 6).of(wide)).reshape(-1, 3)
    assert np.allclose(found, np.cross(wide[:, 3:], wide[:, :3]))
