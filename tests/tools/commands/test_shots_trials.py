"""The trial of whole shots: what its walks go through, and who does not arrive is told."""

import pytest

from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.registry import kind_of
from tools.trials import natural, shots
from tools.trials.shots import ShotTrial


@pytest.mark.parametrize("shot", ["shot", "crossing", "crossing by speed", "pushed"])
def test_each_shot_is_a_walk_that_can_be_walked(shot: str) -> None:
    side = next(iter(shots.SIDES)) if shot == "pushed" else ""
    job = shots.shot_job(ShotTrial(shot, natural.STANDARD, 303, side))
    assert job.seed == 303 and kind_of(job.preset.controller).prepared(job) is not None
    begins = {read_settings(own.values).run.begins for own in (job.preset, *(cue.preset for cue in job.cues))}
    fastest = max((job.speed, *(cue.speed for cue in job.cues), *(point.speed for point in job.along)))
    assert min(begins) < fastest


def test_a_push_goes_where_its_side_says() -> None:
    ahead, across = (
        shots.shot_job(ShotTrial("pushed", natural.STANDARD, 301, side)).pushes[0].force
        for side in ("from behind", "from the right")
    )
    assert ahead[0] == pytest.approx(shots.PUSH, rel=0.01) and across[1] == pytest.approx(ahead[0])
    assert abs(ahead[1]) < 1e-9 and abs(across[0]) < 1e-9


def test_who_falls_and_who_is_refused_is_told() -> None:
    named = {"shot": "shot", "body": "standard", "side": ""}
    found = [
        {**named, "seed": 1, "outcome": "arrived", "at_m": 30.0, "flights": 12, "left_off_m": 0.004},
        {**named, "seed": 2, "outcome": "fell", "at_m": 17.25, "flights": 9, "left_off_m": 9.0},
        {**named, "seed": 3, "outcome": "refused", "why": "It is out of reach."},
    ]
    (line,) = shots.report_lines("shots", found)
    assert "1 of 3 arrive" in line and "9 flights at least" in line and "0.004 m off at most" in line
    assert "start 2 fell at 17.2 m" in line and "It is out of reach." in line
