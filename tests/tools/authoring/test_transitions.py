"""The table of changes from gait to gait: what is tried, written and shown."""

import json
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.preset.preset import preset, presets
from blender_biped.preset.transitions import STAND, TABLE, ending, read_transitions
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.authoring import transitions
from tools.authoring.transitions import TriedChange

FOUND = [
    TriedChange("walk", "run", ()), TriedChange("run", "walk", ("jog",)), TriedChange("walk", "jog", ()),
    TriedChange("jog", "walk", ()),
    TriedChange("run", "jog", None), TriedChange("jog", "run", None),
]  # fmt: skip


def test_the_shortest_way_is_tried_first() -> None:
    gaits = {gait.name: gait for gait in presets("simbicon")}
    tried = list(transitions.tries(gaits["run"], gaits["walk"], gaits))
    assert tried[0] == ()
    assert ("walk",) not in tried and ("jog",) in tried
    assert [len(way) for way in tried] == sorted(len(way) for way in tried)


def test_what_is_found_is_read_back(tmp_path: FilePath) -> None:
    (tmp_path / TABLE).write_text(json.dumps({"version": 1, "controllers": {"other": {"a": {"b": []}}}}), "utf-8")
    transitions.write("simbicon", FOUND, tmp_path)
    table = read_transitions("simbicon", tmp_path)
    assert table["walk"]["run"] == () and table["run"]["walk"] == ("jog",)
    assert table["run"]["jog"] == table["jog"]["run"] == ("walk",)  # the likeliest, where nothing was found
    assert read_transitions("other", tmp_path)["a"]["b"] == ()


def test_the_table_tells_what_falls() -> None:
    rows = transitions.table(FOUND).splitlines()
    assert rows[0].split() == ["walk", "run", "jog"]
    assert rows[2].split() == ["run", "jog", "-", "FALLS"]


def test_how_a_gait_comes_to_stand_is_a_column_of_its_own(tmp_path: FilePath) -> None:
    stops = [TriedChange("run", STAND, ("jog", "walk")), TriedChange("jog", STAND, None)]
    rows = transitions.table([*FOUND, *stops]).splitlines()
    assert rows[0].split() == ["walk", "run", "jog", STAND]
    assert rows[2].split()[-1] == "jog/walk" and rows[3].split()[-1] == "FALLS"
    transitions.write("simbicon", [*FOUND, *stops], tmp_path)
    gaits = {gait.name: gait for gait in presets("simbicon")}
    table = read_transitions("simbicon", tmp_path)
    assert [gait.name for gait in ending(gaits["run"], table, gaits)] == ["jog", "walk"]
    assert [gait.name for gait in ending(gaits["jog"], table, gaits)] == ["walk"]  # the likeliest


def test_a_gait_that_slows_down_by_itself_needs_no_way_to_stand() -> None:
    assert transitions.stopping("walk", "simbicon") is None
    assert transitions.stopping("walk", "planar") is None  # none can


@pytest.mark.parametrize(("strikes", "both"), [
    (((4.0, 0), (4.02, 1), (5.0, 1), (5.03, 0)), True), (((4.0, 0), (4.3, 1), (4.6, 0), (4.9, 1)), False),
    (((1.0, 0), (1.0, 1)), False), ((), False),
])  # fmt: skip
def test_a_hop_lands_on_both_feet(strikes: tuple[tuple[float, int], ...], both: bool) -> None:
    path = Path([[0.0, 0.0], [4.0, 0.0]])
    walk = simulate(Job(standard_character(), path, preset("klaw", "walk"), 1.0, duration=1.0))
    assert transitions.lands_on_both(replace(walk, strikes=np.array(strikes).reshape(-1, 2)), 3.0) == both


def test_a_planar_body_cannot_turn_round() -> None:
    gaits = {gait.name: gait for gait in presets("planar")}
    assert not transitions.survived(gaits["walk"], gaits["back_walk"], [])
