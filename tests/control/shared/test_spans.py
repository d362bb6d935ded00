# SPDX-License-Identifier: GPL-3.0-or-later
"""How links are indexed."""

import numpy as np
import pytest

from blender_biped.control.shared.spans import span_of


@pytest.mark.parametrize("links", [(3, 4, 5), (2,), (5, 4), (1, 3), ()])
def test_a_span_indexes_the_links(links):
    rows = np.arange(8.0)
    assert rows[span_of(links)].tolist() == [float(i) for i in links]


def test_links_that_follow_each_other_are_a_slice():
    assert span_of((3, 4, 5)) == slice(3, 6)
    assert isinstance(span_of((5, 4)), np.ndarray)
