# SPDX-License-Identifier: GPL-3.0-or-later
"""Random builds: the same for a seed, as odd as they say, walked as rigs are, reported and drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blender_biped.character.model import SIDES, Character
from blender_biped.character.natural_speed import ease
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import presets
from tools.measure.grid import characters
from tools.trials import builds
from tools.trials.builds import Build, build_of


def test_a_seed_gives_one_build_within_the_ranges() -> None:
    found = [build_of(seed) for seed in range(1, 201)]
    assert found == [build_of(seed) for seed in range(1, 201)]
    assert len(set(found)) == len(found)
    for name, (low, high) in builds.RANGES.items():
        values = [getattr(one, name) for one in found]
        assert low <= min(values) < low + 0.1 * (high - low) and high - 0.15 * (high - low) < max(values) <= high
    shorter = [one.shorter for one in found]
    assert min(shorter) < 0.01 and 0.09 < max(shorter) <= builds.MOST_UNEQUAL


def test_a_build_without_oddities_is_the_standard_adult() -> None:
    own, usual = Build(1.0, 1.0, 1.0, 1.0, 0.0).character(), standard_character(None)
    assert own == usual


def test_a_body_is_as_odd_as_its_build() -> None:
    usual, odd = standard_character(None), Build(0.7, 2.0, 3.0, 1.3, 0.08).character()

    def thigh(body: Character, side: str) -> float:
        return float(np.linalg.norm(body.offsets[body.index(f"shin.{side}")]))

    apart = [2.0 * float(body.offsets[body.index("thigh.L")][1]) for body in (usual, odd)]
    assert apart[1] == pytest.approx(2.0 * apart[0])
    assert thigh(odd, "L") == pytest.approx(0.7 * thigh(usual, "L"))
    assert thigh(odd, "R") == pytest.approx(0.92 * thigh(odd, "L"))
    assert odd.links[odd.index("head")].com[2] == pytest.approx(3.0 * usual.links[usual.index("head")].com[2])
    for side in SIDES:  # both soles on the ground, under the shorter leg too
        at = odd.index(f"foot.{side}")
        shape = odd.links[at].shape
        assert odd.standing()[0][at][2] + shape.center[2] - shape.half[2] == pytest.approx(0.0, abs=1e-9)


def test_a_build_is_walked_by_generalized_walking_along_a_path_of_its_size() -> None:
    small, large = Build(0.6, 1.0, 1.0, 1.0, 0.0).character(), Build(1.4, 1.0, 1.0, 1.0, 0.0).character()
    a, b = (builds.job_of(body, "s-curve") for body in (small, large))
    assert b.path.length / a.path.length == pytest.approx(large.leg_length / small.leg_length)
    size, own = (large.leg_length / small.leg_length) ** 0.5, ease(large) / ease(small)
    assert b.speed / a.speed == pytest.approx(size * own)
    assert own > 1.0  # short legs under a usual trunk are slower
    assert a.preset == presets("generalized")[0]
    wide = builds.shape_of(characters()["wide-hips"])
    assert wide["hip_breadth"] == pytest.approx(1.5 * builds.shape_of(standard_character())["hip_breadth"])


@pytest.mark.long
def test_a_walk_is_measured_told_and_drawn(tmp_path: Path) -> None:
    trials = builds.PARTS["some-builds"]()
    assert len(trials) == 2 * builds.SAMPLE and len(builds.PARTS["builds"]()) == 2 * builds.COUNT
    one = builds.run(trials[0], tmp_path)
    assert one["seed"] == trials[0].seed and one["legs"] == build_of(one["seed"]).legs and 0.0 < one["along"] <= 1.0
    fell = {**one, "group": "s-curve", "outcome": "fell", "along": 0.34, "baked_outcome": "arrived"}
    told = builds.report_lines("builds", [{**one, "outcome": "arrived", "baked_outcome": "arrived"}, fell])
    assert told[0].split() == ["straight", "1", "of", "1,", "100", "%"]
    assert "0 of 1, 0 %; not: 1 (at 34 %)" in told[1]
    assert "1 of 2, 50 %; with what the bake falls back on 2 of 2, 100 %" in told[2]
    assert builds.picture("builds", [one, fell], tmp_path).read_bytes().startswith(b"\x89PNG")
