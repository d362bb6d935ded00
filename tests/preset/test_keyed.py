"""Numbers that change along a walk: tracks, settings at a time, and the same after a file."""

import json

import pytest

from blender_biped.base.errors import DataError
from blender_biped.klaw.attributes import read_style
from blender_biped.preset.keyed import Keyed, at_time
from blender_biped.preset.preset import Preset, preset_from_json

TRACK = ((1.0, 10.0), (2.0, 20.0), (4.0, 0.0))


@pytest.mark.parametrize(
    ("time", "value"), [(0.0, 10.0), (1.0, 10.0), (1.5, 15.0), (2.0, 20.0), (3.0, 10.0), (4.0, 0.0), (9.0, 0.0)]
)
def test_a_track_is_linear_between_its_points_and_constant_beyond(time, value):
    assert at_time(TRACK, time) == pytest.approx(value)
    assert at_time(((3.0, 7.0),), time) == 7.0


def test_settings_follow_their_tracks():
    style = read_style({"attributes": {"max_knee": 60.0}})
    keyed = Keyed(style, {"attributes.theta2_des": TRACK})
    assert keyed.last == 4.0 and Keyed(style, {}).last == 0.0
    assert keyed.at(1.5).attributes.theta2_des == pytest.approx(15.0) and keyed.at(1.5).attributes.max_knee == 60.0
    assert keyed.at(5.0) is keyed.at(6.0) and Keyed(style, {}).at(3.0) is style
    with pytest.raises(DataError, match=r"no number 'attributes\.lean'"):
        Keyed(style, {"attributes.lean": TRACK}).at(0.0)


def test_tracks_come_back_from_a_file_and_wrong_ones_are_named():
    style = Preset("x", "klaw", "X", "", {}, keyed={"attributes.theta2_des": TRACK})
    assert preset_from_json(json.loads(json.dumps(style.as_json()))) == style
    for wrong in ([], [[1.0, 2.0], [1.0, 3.0]], [[1.0]], "x"):
        with pytest.raises(DataError, match=r"keyed\.attributes\.theta2_des"):
            preset_from_json({**style.as_json(), "keyed": {"attributes.theta2_des": wrong}})
