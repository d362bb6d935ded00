"""Trials of natural walking: what is walked, what becomes of figures, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from blender_biped.control.registry import presets
from tests.shared import shared
from tools.base.command_table import TRIAL_PARTS
from tools.commands.trials import SOURCES
from tools.trials import natural
from tools.trials.natural import LikenessTrial, PushTrial

BESIDE = {"who": "natural", "speed_mps": 1.2, "body": "standard", "route": "straight", "walks": 10, "fell": 1}


def test_parts_are_known_to_the_command() -> None:
    assert set(natural.PARTS) <= set(TRIAL_PARTS) and all(SOURCES[part] is natural for part in natural.PARTS)


def test_each_speed_is_walked_beside_klaw_and_each_style_along_each_route() -> None:
    likeness = natural.PARTS["likeness"]()
    for speed in natural.SPEEDS:
        own = {(one.who, one.route) for one in likeness if one.speed == speed and one.body == "standard"}
        assert own == {(who, route) for who in ("natural", "klaw") for route in natural.ROUTES}
    styles = [one.style for one in natural.PARTS["natural-styles"]() if one.body == "standard"]
    assert styles == [style.name for style in presets("natural")]
    assert len(natural.PARTS["natural-pushes"]()) == 2 * len(natural.WAYS)


def test_the_worst_of_a_spread_is_the_worst() -> None:
    found = [{"hip_r": r, "penetration_mm": p, "bent": None} for r, p in ((0.99, 1.0), (0.97, -4.0), (0.98, 2.0))]
    assert natural.spread("hip_r", found) == (0.98, 0.97)
    assert natural.spread("penetration_mm", found) == (2.0, 4.0)
    assert natural.spread("bent", found) is None


def test_a_captured_walk_stands_beside(tmp_path: Path) -> None:
    shared("mocap/cmu_02_01.bvh")
    figures = natural.run(LikenessTrial("captured", 1.2, "cmu_02_01.bvh"), tmp_path)["figures"]
    assert 0.95 < figures["hip_r"][0] <= 1.0 and "penetration_mm" not in figures


def test_klaw_stands_beside(tmp_path: Path) -> None:
    found = natural.run(LikenessTrial("klaw", 0.9, "standard", "straight"), tmp_path)
    assert found["walks"] == 1 and found["fell"] == 0 and found["figures"]["hip_r"][0] > 0.9


@pytest.mark.parametrize("stands", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.long
def test_who_is_hardly_pushed_stays_up(stands: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(natural, "PHASES", 1)
    monkeypatch.setattr(natural, "PUSHED_WAY", 7.5)
    monkeypatch.setattr(natural, "SEEDS", natural.SEEDS[:1])
    monkeypatch.setattr(natural, "FORCE", 20.0)
    monkeypatch.setattr(natural, "STANDING_FORCE", 20.0)
    assert natural.run(PushTrial("from behind", stands), tmp_path)["outcomes"] == ["arrived"]


def test_what_falls_is_said() -> None:
    (line,) = natural.report_lines("likeness", [{**BESIDE, "figures": {"hip_r": (0.99, 0.98), "knee_r": None}}])
    assert "9 of 10 arrive" in line and "hip_r 0.99 (0.98)" in line and "knee_r -" in line
    (line,) = natural.report_lines("natural-pushes", [{"side": "from ahead", "stands": True, "outcomes": ["fell"]}])
    assert "0 of 1 stay up" in line
    styles = [{"style": "heavy", "body": "standard", "outcomes": {"straight": "arrived", "s-curve": "fell"}}]
    (line,) = natural.report_lines("natural-styles", styles)
    assert "1 of 2 arrive: heavy (s-curve) fell" in line


@pytest.mark.parametrize("name", natural.BODIES)
def test_every_body_of_the_trials_can_be_read(name: str) -> None:
    if name != natural.STANDARD:
        shared(f"rigs/{name.partition(':')[0]}.blend")
    assert natural.body_of(name).mass > 20.0
    bpy = pytest.importorskip("bpy")
    assert not hasattr(bpy.types.Object, "biped")  # others register the extension anew
