"""A controller that nobody knew: registered, it walks a job, is measured by the grid, and timed by the bench.

That it has its entry and its sliders in the panel is tested in ``tests/blender/test_fields.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.kind import Kind
from blender_biped.control.registry import kind_of, kinds, preset, presets, registered
from blender_biped.control.shared.controller import Controller
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command, SteeringSettings
from blender_biped.control.shared.tracking import Tracker
from blender_biped.job import Job, job_from_json
from blender_biped.preset.declared import number
from blender_biped.simulate import simulate
from tools.bench.split import split_of
from tools.measure.measured import measured
from tools.measure.selection import chosen, whole_grid


@dataclass(frozen=True, kw_only=True)
class StatueSettings:
    """A statue's two fields."""

    firmness: float = number(1.0, 0.1, 2.0, "", "Firmness", "How hard it holds its pose", "Statue", keyed=True)
    lean: float = number(0.0, -0.3, 0.3, "rad", "Lean", "How far its trunk leans ahead", "Statue")


class Statue(Controller):
    """Holds the standing pose."""

    def __init__(self, job: Job, step: float) -> None:
        settings: StatueSettings = STATUE.read(job.preset.values)
        gains = {
            joint: (settings.firmness * kp, kd, limit)
            for joint, (kp, kd, limit) in read_settings(preset("generalized", "default").values).gains.items()
        }
        self.character, self.strikes, self.lifts = job.character, [], []
        self._tracker, self._lean, self._speed = Tracker(job.character, gains), settings.lean, 0.0

    @property
    def speed(self) -> float:
        return self._speed

    @property
    def walking(self) -> bool:
        return False

    @property
    def resting(self) -> bool:
        return False

    @property
    def can_rest(self) -> bool:
        return False

    @property
    def steering(self) -> SteeringSettings:
        return SteeringSettings()

    def torques(self, state: BodyState, command: Command) -> Array:
        c, s = np.cos(self._lean), np.sin(self._lean)
        reference = np.zeros((len(self.character.links), 3, 4))
        reference[:, :, :3] = np.eye(3)
        reference[self.character.index("chest"), :, :3] = ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))
        torque = self._tracker.torques(state, reference)
        torque[0] = 0.0
        return torque


STATUE = Kind("statue", "Statue", "Stands and does nothing else", "No paper", StatueSettings, 480.0, controller=Statue)


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with registered(STATUE):
        yield
    with pytest.raises(DataError, match="no controller 'statue'"):
        kind_of("statue")


def job(**values: float) -> Job:
    """Return a job of the grid: ``values`` are the preset's."""
    grid = whole_grid()
    only = {"controller": ["statue"], "path": ["straight"], "speed": ["1.2"], "character": ["standard"]}
    (case,) = chosen(grid, only)
    data = grid.job(case).as_json() | {"duration": 0.4}
    data["preset"]["values"] = values
    return job_from_json(json.loads(json.dumps(data)))


def test_it_is_known_with_its_plain_style_and_fields() -> None:
    assert STATUE in kinds() and [style.label for style in presets("statue")] == ["Statue"]
    assert [slider.path for slider in STATUE.sliders] == ["firmness", "lean"]
    with pytest.raises(DataError, match=r"frimness: there is no such field; the nearest is 'firmness'"):
        STATUE.read({"frimness": 1.0})
    with pytest.raises(DataError, match=r"lean: 1\.0 is out of range"):
        simulate(job(lean=1.0))


def test_it_simulates_a_job_by_its_fields() -> None:
    straight, leaning = simulate(job()), simulate(job(lean=0.3))
    chest = straight.character.index("chest")
    assert straight.duration == pytest.approx(0.4, abs=0.02)
    assert leaning.origins[-1, chest + 1, 0] != straight.origins[-1, chest + 1, 0]
    assert not np.array_equal(leaning.rotations[-1, chest], straight.rotations[-1, chest])


def test_the_grid_measures_it_and_the_bench_times_it() -> None:
    found: dict[str, Any] = measured({"fingerprint": "f", "path": "straight", "job": job().as_json()})["figures"]
    assert (found["controller"], found["preset"], found["path"]) == ("statue", "default", "straight")
    split = split_of(job(), repeats=1)
    assert split.controller == "statue" and split.parts["control"] > 0.0 and split.limit > 0.0
