"""The trial beside people: its columns, how cells are counted, and what is said of them."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import pytest

from tests.shared import shared
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.measure import people, person, recordings
from tools.trials import person as trial
from tools.trials.natural import STANDARD, known
from tools.trials.person import PersonTrial


def column(group: str = "natural", who: str = STANDARD, fell: int = 0, **figures: float | None) -> dict[str, Any]:
    """Return a column whose figures are all in the middle of people's, but for those that are given."""
    usual = {name: band.middle for name, band in people.bands().items()}
    return {"group": group, "who": who, "speed_mps": 1.3, "walks": 2, "fell": fell, "figures": {**usual, **figures}}


def test_parts_are_known_to_the_command() -> None:
    assert set(trial.PARTS) <= set(TRIAL_PARTS) and all(SOURCES[part] is trial for part in trial.PARTS)


def test_each_body_walks_at_each_speed_and_clips_stand_beside() -> None:
    whole, some = trial.PARTS["person"](), trial.PARTS["some-person"]()
    assert [one.speed for one in whole if one.who == STANDARD] == list(trial.SPEEDS)
    assert all(len(one.seeds) == 5 for one in whole if one.group == "natural")
    assert {one.who for one in some if one.group == "natural"} == {STANDARD}
    assert len(some) < len(whole) or not known(trial.BODIES[1])
    assert {one.who for one in whole if one.group == "plain"} <= set(recordings.PLAIN)


def test_cells_within_and_outside_are_counted() -> None:
    good, bad = column(), column(chest_roll_deg=0.05, hip_r=None, elbow_deg=36.0, fell=1)
    names = list(person.ROWS)
    assert trial.share([good], names) == (len(names), len(names))
    assert trial.share([good, bad], names) == (2 * len(names) - 2, 2 * len(names) - 1)
    assert trial.within(bad, "chest_roll_deg") is False and trial.within(bad, "hip_r") is None
    lines = trial.report_lines("person", [good, bad, column("plain", "cmu_02_01.bvh")])
    (chest,) = [line for line in lines if person.ROWS["chest_roll_deg"].words in line and "to" in line and "/" in line]
    assert "1/2" in chest and "0.1*" in chest
    assert any("natural" in line and "1 of 4 walks fell" in line for line in lines)
    assert lines[-1].endswith(f"1 of {len(names)} rows: chest tilts sideways, range")


def test_a_mean_is_of_the_walks_that_have_the_figure() -> None:
    walks = [{**dict.fromkeys(person.ROWS), "hip_r": value} for value in (0.9, None, 0.8)]
    found = trial.mean_of(walks)
    assert found["hip_r"] == pytest.approx(0.85) and found["knee_r"] is None


def test_the_page_marks_what_is_outside(tmp_path: Path) -> None:
    trial.finish([column(), column(chest_roll_deg=0.05, toe_bend_deg=None)], tmp_path)
    page = (tmp_path / "person.html").read_text(encoding="utf-8")
    assert page.count('class="out ') == 1 and "0.1</td>" in page and "http" not in page
    assert all(escape(band.origin) in page for band in people.bands().values())


def test_a_captured_walk_is_a_column(tmp_path: Path) -> None:
    shared("mocap/deepmimic_humanoid3d_walk.txt")
    found = trial.run(PersonTrial("plain", "deepmimic_humanoid3d_walk.txt"), tmp_path)
    assert found["figures"]["hip_r"] > 0.95 and found["figures"]["toe_bend_deg"] is None
    assert 0.8 < found["speed_mps"] < 1.2


def test_a_walk_is_over_before_its_path_ends() -> None:
    job = trial.job_of(PersonTrial("natural", STANDARD, 1.2), 7)
    assert not job.stop and job.seed == 7
    assert job.path.length > 1.5 * job.speed * job.duration > 20.0


@pytest.mark.long
def test_a_walk_is_a_column(tmp_path: Path) -> None:
    found = trial.run(PersonTrial("natural", STANDARD, 1.2, (1,)), tmp_path)
    assert (found["walks"], found["fell"]) == (1, 0)
    assert all(value is not None for value in found["figures"].values())
