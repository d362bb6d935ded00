"""What a SIMBICON preset says."""

import copy
import math

import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.simbicon.settings import LEVELS, read_gait
from blender_biped.preset.preset import preset, presets, speeds_of

WALK = preset("simbicon", "walk").values


def changed(**values):
    return {**copy.deepcopy(dict(WALK)), **values}


def two_keys():
    state = {"until": "contact", "dwell": 0.4, "support": "stance", "angles": {"pelvis_pitch": 0.0}, "feedback": {}}
    fast = state | {"dwell": 0.3, "angles": {"pelvis_pitch": 10.0}}
    keys = [{"speed": 0.5, "states": [state]}, {"speed": 1.5, "states": [fast]}]
    return read_gait(changed(keys=keys, speeds=[0.0, 1.5]))


def test_between_two_keys_the_graph_is_mixed():
    gait = two_keys()
    (state,) = gait.graph(gait.level_of(1.0))
    assert state.dwell == pytest.approx(0.35)
    assert state.angles["pelvis_pitch"][0][1] == pytest.approx(5.0)


@pytest.mark.parametrize(("speed", "level"), [(-1.0, 0), (0.5, 0), (1.5, LEVELS), (9.0, LEVELS), (1.0, LEVELS // 2)])
def test_speeds_beyond_the_keys_are_those_of_the_last_key(speed, level):
    assert two_keys().level_of(speed) == level


def test_one_key_holds_for_all_speeds():
    state = {"until": "time", "dwell": 0.4, "angles": {}, "feedback": {}}
    gait = read_gait(changed(keys=[{"speed": 1.0, "states": [state]}]))
    assert gait.levels == 1 and gait.level_of(0.2) == gait.level_of(3.0) == 0
    assert gait.graph(0)[0].dwell == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"keys": []}, "keys"),
        ({"keys": [{"speed": 1.0, "states": []}]}, "takes time"),
        ({"keys": [{"speed": 1.0, "states": [{"until": "time", "dwell": 0.0, "angles": {}}]}]}, "takes time"),
        ({"speeds": [1.0, 0.5]}, "speeds"),
        ({"speeds": [0.5]}, "speeds"),
        ({"usual": 99.0}, "usual"),
        ({"direction": 400.0}, "direction"),
        ({"level": [3]}, r"level\[0\]"),
        ({"lead": {"answer": -1.0}}, "lead.answer"),
        ({"stand": {"knee": 120.0}}, "stand.knee"),
        ({"gains": {"hip": [1.0, 2.0]}}, "gains.hip"),
    ],
)
def test_wrong_fields_are_named(values, named):
    with pytest.raises(DataError, match=named):
        read_gait(changed(**values))


@pytest.mark.parametrize("style", presets("simbicon"), ids=lambda style: style.name)
def test_every_gait_can_be_read_and_keeps_its_range(style):
    gait = read_gait(style.values)
    speeds = speeds_of(style)
    assert speeds is not None
    assert (gait.slowest, gait.usual, gait.fastest) == (speeds.slowest, speeds.usual, speeds.fastest)
    assert gait.slowest <= gait.usual <= gait.fastest
    assert -math.pi <= gait.direction <= math.pi
    assert style.description
