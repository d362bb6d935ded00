"""Between two styles: numbers on their way from one to the other, words and lists of other lengths as in the first."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.registry import kind_of, kinds, mix_of, preset, presets
from blender_biped.preset.mix import mixed
from blender_biped.preset.preset import speeds_of


def test_numbers_are_between_and_the_rest_is_the_firsts() -> None:
    a = {"n": 1, "deep": {"x": [1.0, 3.0], "word": "up", "on": True}, "only": 5, "list": [1, 2]}
    b = {"n": 2, "deep": {"x": [2.0, 5.0], "word": "down", "on": False}, "other": 6, "list": [1, 2, 3]}
    assert mixed(a, b, 0.25) == {
        "n": 1.25,
        "deep": {"x": [1.25, 3.5], "word": "up", "on": True},
        "only": 5,
        "list": [1, 2],
    }
    assert mixed(a, b, 0.0) is a and mixed(a, a, 0.5) == a


@pytest.mark.parametrize("controller", [kind.name for kind in kinds()])
@pytest.mark.long
def test_every_mix_of_shipped_styles_is_a_style(controller: str) -> None:
    kind = kind_of(controller)
    for first, second in combinations(presets(controller), 2):
        for share in (0.3, 1.0):
            found = mix_of(first, second, share)
            numbers, a, b = (kind.numbers(style.values) for style in (found, first, second))
            for slider in (own for own in kind.sliders if own.path in a.keys() & b.keys()):
                expected = (1.0 - share) * a[slider.path] + share * b[slider.path]
                assert numbers[slider.path] == pytest.approx(slider.number.held(expected), abs=1e-9)
            one, other, own = (speeds_of(style) for style in (first, second, found))
            if one and other and "usual" in first.values and "usual" in second.values:
                assert own is not None
                assert own.usual == pytest.approx((1.0 - share) * one.usual + share * other.usual, abs=1e-9)


def test_graphs_that_are_built_alike_are_mixed() -> None:
    walk, crouch = preset("simbicon", "walk"), preset("simbicon", "crouch")
    half = mix_of(walk, crouch, 0.5).values["keys"][0]["states"][0]["angles"]["pelvis_pitch"]
    ends = [s.values["keys"][0]["states"][0]["angles"]["pelvis_pitch"] for s in (walk, crouch)]
    assert ends[0] != ends[1] and half == pytest.approx(np.mean(ends))


def test_nothing_of_the_second_is_the_first() -> None:
    walk, sneak = preset("klaw", "walk"), preset("klaw", "sneak")
    assert mix_of(walk, sneak, 0.0) is walk and mix_of(walk, walk, 0.7) is walk
    assert mix_of(walk, sneak, 1.0).values["attributes"] == pytest.approx(sneak.values["attributes"])


def test_a_rate_that_is_no_number_is_refused() -> None:
    style, other = presets("limit_cycle")[:2]
    with pytest.raises(DataError, match=r"preset\.values\.rate: expected a number"):
        mix_of(replace(style, values={**style.values, "rate": []}), other, 0.5)
