"""A gait that walks at its keys' speeds by itself."""

import json

import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.preset.preset import preset_root
from tools.authoring import settle

SECONDS = 8.0
STEP = 1.0 / 240.0


def walk(offset=0.0):
    """The walk's JSON with one key, its swing hip bent less by so many degrees."""
    data = json.loads((preset_root() / "simbicon" / "walk.json").read_text(encoding="utf-8"))
    data["values"]["keys"] = [data["values"]["keys"][0] | {"speed": 0.3}]
    for state in data["values"]["keys"][0]["states"]:
        state["angles"]["swing_thigh_pitch"] = settle.moved(state["angles"]["swing_thigh_pitch"], offset)
    return data


@pytest.mark.long
def test_what_is_learnt_is_written_into_the_hip_so_that_less_is_left_to_learn():
    slow = walk(-4.0)
    before = settle.learnt(read_gait(slow["values"]), 0.3, STEP, SECONDS)
    settled = settle.settled(slow, rounds=1, seconds=SECONDS)
    after = settle.learnt(read_gait(settled["values"]), 0.3, STEP, SECONDS)
    assert abs(before) > 0.01 and abs(after) < 0.5 * abs(before)
    assert slow == walk(-4.0)  # what was given stays as it was


def test_knots_move_as_one():
    assert settle.moved([[0, 1.0], [1, 2.0]], 0.5) == [[0, 1.5], [1, 2.5]]


def test_a_gait_that_falls_is_refused():
    data = walk()
    limp = data["values"] | {"gains": {name: [0.0, 0.0, 0.0] for name in data["values"]["gains"]}}
    with pytest.raises(DataError, match="falls after"):
        settle.learnt(read_gait(limp), 0.3, STEP, SECONDS)
