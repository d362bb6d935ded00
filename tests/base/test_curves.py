"""Curves through samples."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base import curves
from blender_biped.base.curves import monotone, ramp, slopes


@pytest.mark.parametrize("shape", [(200,), (200, 3)])
def test_of_many_samples_those_that_are_near_say_all(shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    at, values = np.cumsum(rng.uniform(0.01, 1.0, 200)), rng.normal(size=shape)
    times = np.concatenate(([at[0] - 1.0, at[-1] + 1.0], at, rng.uniform(at[0], at[-1], 500)))
    alone = np.concatenate([monotone(at, values, times[k : k + 1]) for k in range(len(times))])
    pairs = np.concatenate([monotone(at, values, times[k : k + 2]) for k in range(0, len(times), 2)])
    monkeypatch.setattr(curves, "FEW", 1000)
    whole = monotone(at, values, times)
    assert np.array_equal(alone, whole) and np.array_equal(pairs, whole)
    assert np.array_equal(whole[2:202], values)  # it goes through them


def test_a_ramp_goes_from_its_begin_to_its_end_and_no_farther() -> None:
    assert [ramp(value, 2.0, 6.0) for value in (-1.0, 2.0, 3.0, 6.0, 9.0)] == [0.0, 0.0, 0.25, 1.0, 1.0]
    assert [ramp(value, -1.0, -3.0) for value in (0.0, -2.0, -4.0)] == [0.0, 0.5, 1.0]  # downwards, too


@pytest.mark.parametrize("shape", [(2,), (9,), (5, 2, 3)])
def test_slopes_are_those_of_numpy_bit_for_bit(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(3).normal(size=shape)
    assert np.array_equal(slopes(values, 1.0 / 48.0), np.gradient(values, 1.0 / 48.0, axis=0))
