# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross products of few vectors."""

import numpy as np

from blender_biped.control.shared.crossing import crossed, left_factors, right_factors


def test_products_are_those_of_the_chosen_rows():
    random = np.random.default_rng(1)
    a, b, rows, others = random.normal(size=(4, 3)), random.normal(size=(6, 3)), np.array((2, 0)), np.array((5, 5))
    found = crossed(a.take(left_factors(rows)), b.take(right_factors(others))).reshape(-1, 3)
    assert np.array_equal(found, np.cross(a[rows], b[others]))


def test_vectors_may_be_some_columns_of_wider_rows():
    wide, own = np.random.default_rng(2).normal(size=(3, 6)), np.arange(3)
    found = crossed(wide.take(left_factors(own, 6, 3)), wide.take(right_factors(own, 6))).reshape(-1, 3)
    assert np.array_equal(found, np.cross(wide[:, 3:], wide[:, :3]))
