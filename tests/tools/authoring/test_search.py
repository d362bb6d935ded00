"""The search for a gait's numbers: what is free, how a try is judged."""

import json

import pytest

from blender_biped.base.errors import DataError
from blender_biped.preset.preset import preset, preset_root
from tools.authoring import search

DATA = {
    "version": 1, "name": "tried", "controller": "simbicon", "label": "Tried",
    "values": json.loads((preset_root() / "simbicon" / "walk.json").read_text(encoding="utf-8"))["values"],
    "authoring": {
        "free": {"keys.*.states.*.angles.swing_shin_pitch": 5.0, "gains.hip.0": 50.0},
        "cases": [{"length": 6.0, "speed": 0.8, "duration": 2.0}],
        "objective": {"cadence_steps_per_min": {"near": 110.0, "scale": 10.0}},
    },
}  # fmt: skip


def test_patterns_mean_numbers_and_the_values_of_knots():
    values = {"a": [{"b": 1.0}, {"b": [[0.0, 2.0], [1.0, 3.0]]}], "c": [4.0, 5.0], "d": "text"}
    found = [search.at(values, place) for place in search.places(values, "a.*.b")]
    assert found == [1.0, 2.0, 3.0]
    assert [search.at(values, place) for place in search.places(values, "c")] == [4.0, 5.0]
    assert search.places(values, "d") == [] and search.places(values, "e") == []


def test_a_search_begins_at_the_preset_itself():
    tried = search.Search(DATA)
    values = tried.values(tried.start())
    assert [search.at(values, place) for place in tried.places] == pytest.approx(
        [search.at(DATA["values"], place) for place in tried.places], abs=1e-4
    )
    assert {n: v for n, v in values.items() if n not in ("keys", "gains")} == {
        n: v for n, v in DATA["values"].items() if n not in ("keys", "gains")
    }
    assert len(tried.places) > 2
    moved = tried.values([x + 1.0 for x in tried.start()])
    assert moved["gains"]["hip"][0] == pytest.approx(DATA["values"]["gains"]["hip"][0] + 50.0)


def test_a_pattern_that_means_nothing_is_named():
    wrong = DATA | {"authoring": DATA["authoring"] | {"free": {"gains.tail.0": 1.0}}}
    with pytest.raises(DataError, match=r"gains\.tail"):
        search.Search(wrong)


def test_a_preset_without_the_block_is_refused():
    with pytest.raises(DataError, match="authoring"):
        search.Search({"version": 1, "values": preset("generalized", "default").values})


def test_falls_cost_the_more_the_earlier():
    tried = search.Search(DATA)
    as_it_is = tried.cost(tried.start())
    limp = DATA | {"values": DATA["values"] | {"gains": {n: [0.0, 0.0, 0.0] for n in DATA["values"]["gains"]}}}
    falls = search.Search(limp)
    assert as_it_is < 0.5 * search.FALL <= falls.cost(falls.start())


def test_values_out_of_range_cost_more_than_a_fall():
    tried = search.Search(DATA)
    point = [x - 1e6 for x in tried.start()]
    assert tried.cost(point) > search.FALL


def test_errors_are_near_at_most_and_at_least():
    from blender_biped.base.fields import Fields

    near, most, least = (Fields({kind: 3.0}, "aim") for kind in ("near", "at_most", "at_least"))
    assert [search.error_of(aim, 2.0) for aim in (near, most, least)] == [1.0, 0.0, 1.0]
    assert [search.error_of(aim, 5.0) for aim in (near, most, least)] == [2.0, 2.0, 0.0]
