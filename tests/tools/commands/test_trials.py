"""Trials beyond the grid: parts by name, pushes in the phases of a stride, and lines that say who fell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from blender_biped.character.standard import standard_character
from blender_biped.preset.preset import preset
from tools.commands import trials
from tools.measure import pushed
from tools.trials import simbicon
from tools.trials.simbicon import Figures


class Fast:
    """A source of one part, whose trials take no time."""

    PARTS: ClassVar = {"hop": lambda: ["a", "b"]}

    @staticmethod
    def run(name: str, out: Path) -> Figures:
        return {"name": name, "there": out.is_dir()}

    @staticmethod
    def report_lines(part: str, found: list[Figures]) -> list[str]:
        return [f"  {one['name']}" for one in found]


def test_a_part_is_run_reported_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(trials.SOURCES, "hop", Fast)
    assert trials.main(["--only", "hop", "--jobs", "1", "--out", str(tmp_path / "new")]) == 0
    assert capsys.readouterr().out.splitlines() == ["hop:", "  a", "  b"]
    assert json.loads((tmp_path / "new/hop.figures.json").read_text())[1] == {"name": "b", "there": True}


def test_an_unknown_part_is_refused_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        trials.main(["--only", "stops,stop", "--out", str(tmp_path)])
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert "'stop'" in said and "long-pushes" in said and "turns" in said


@pytest.mark.long
def test_a_walk_is_pushed_in_the_phases_of_one_stride() -> None:
    job, stride = simbicon.walk_to_push(standard_character(), preset("simbicon", "walk"))
    first, late = (
        simbicon.push_trial("left", job, stride, 200.0, (0.0, 1.0), phase).measured.args[0]  # type: ignore[attr-defined]
        for phase in (0.0, 0.75)
    )
    assert stride.start > simbicon.BEFORE and 0.6 < stride.end - stride.start < 1.3
    (a,), (b,) = first.pushes, late.pushes
    assert a.force == b.force == (0.0, 200.0, 0.0)
    assert b.time - a.time == pytest.approx(0.75 * (stride.end - stride.start))
    assert late.duration > b.time + pushed.WATCHED


@pytest.mark.long
def test_a_heading_is_followed_within_three_degrees() -> None:
    found = simbicon.headed(preset("simbicon", "walk"), 0.8, seconds=12.0)
    assert not found["fell"]
    assert 0.0 < found["stride_deg"] < found["rms_deg"] < 3.0


def one(group: str, name: str, **figures: Any) -> Figures:
    usual = {"outcome": "arrived", "fell": False, "seconds": 9.0, "arrival_m": 0.1, "speed_error_percent": None,
             "path_deviation_mean_m": 0.05, "foot_slip_median_mm": 1.0, "cpu_s_per_s": 0.06}  # fmt: skip
    return {"group": group, "name": name, **usual, **figures}


def test_stops_tell_who_did_not_stand() -> None:
    found = [
        one("walk", "8 m"), one("walk", "9 m", arrival_m=0.24), one("walk", "10 m", arrival_m=None),
        one("walk", "11 m", outcome="fell", fell=True, arrival_m=None),
    ]  # fmt: skip
    (line,) = simbicon.report_lines("stops", found)
    assert line.split(maxsplit=1)[1] == "2 of 4 stand, at most 0.24 m off; 10 m: steps on; 11 m: fell"


def test_pushes_tell_how_many_fall_and_the_most_that_is_borne() -> None:
    found = [one("left", f"{force} N", fell=force > 100) for force in (80, 100, 120, 140)]
    assert simbicon.report_lines("pushes", found) == [f"  {'left':<26} 2 of 4 fall"]
    assert simbicon.report_lines("long-pushes", found)[0].endswith("stands up to 100 N")
    assert simbicon.report_lines("long-pushes", found[2:])[0].endswith("falls at 120 N")


def test_walks_tell_what_they_were_measured_for_each_in_a_line() -> None:
    (text,) = simbicon.report_lines("speeds", [one("walk", "1 m/s"), one("walk", "2 m/s", fell=True, arrival_m=None)])
    first, second = text.splitlines()
    assert first.endswith("1 m/s: 9.0 s, 0.10 m from the end, path 0.05 m off, slip 1.0 mm, CPU 0.060")
    assert second.strip().startswith("2 m/s: fell after 9.0 s, path")
