"""Declared fields: what they read, refuse, show as sliders, and how they change."""

import math
from dataclasses import dataclass, replace

import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.fields import Fields
from blender_biped.preset.declared import (
    angle,
    changed,
    choice,
    flag,
    inside,
    integer,
    number,
    number_at,
    part,
    parts,
    read,
    sliders,
    table,
    vector,
    with_values,
)


@dataclass(frozen=True, kw_only=True)
class Inner:
    lean: float = angle(10.0, -90.0, 90.0, "Lean", "How far it leans", "Trunk", keyed=True)
    steps: int = integer(2, 0, 9, "steps", "Steps", "How many", "Trunk")


@dataclass(frozen=True, kw_only=True)
class Row:
    share: float = number(None, 0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Outer:
    width: float = inside("gait", number(0.2, 0.0, 1.0, "m", "Width", "How wide", "Feet", keyed=True))
    hidden: float = inside("gait", number(1.0, 0.0, 5.0))
    inner: Inner = part(Inner, "Body", "Its body", key="body")
    rows: tuple[Row, ...] = parts(Row, "Rows", "Its rows")
    end: str = choice("soft", ("soft", "hard"), "End", "How it ends")
    quick: bool = flag(False, "Quick", "Whether it is quick")
    pair: tuple[float, float] = vector((0.0, 1.0), 2, -1.0, 1.0, "Pair", "Two numbers")
    angles: dict[str, float] = table(lambda f, name: f.number(name), "Angles", "Of joints", lambda: ("hip", "knee"))


VALUES = {"gait": {"width": 0.3}, "body": {"lean": 30.0}, "rows": [{"share": 0.5}], "angles": {"hip": 1.0}}


def of(**changes):
    return read(Outer, Fields({**VALUES, **changes}, "values"))


def test_values_are_read_and_defaults_fill_in():
    found = of()
    assert (found.width, found.hidden, found.end, found.quick, found.pair) == (0.3, 1.0, "soft", False, (0.0, 1.0))
    assert found.inner == Inner(lean=math.radians(30.0)) and found.rows == (Row(share=0.5),)
    assert of(gait={}, body={}).inner.lean == pytest.approx(math.radians(10.0)) == Inner().lean


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"boddy": {}}, r"values\.boddy: there is no such field; the nearest is 'body'"),
        ({"gait": {"widht": 1.0}}, r"values\.gait\.widht: there is no such field; the nearest is 'width'"),
        ({"body": {"laen": 1.0}}, r"values\.body\.laen: there is no such field; the nearest is 'lean'"),
        ({"rows": [{"share": 1.0, "shere": 1.0}]}, r"values\.rows\[0\]\.shere: .* the nearest is 'share'"),
        ({"angles": {"nkee": 1.0}}, r"values\.angles\.nkee: .* the nearest is 'knee'"),
        ({"angles": {"xyz": 1.0}}, r"values\.angles\.xyz: there is no such field; known are hip, knee"),
        ({"rows": [{}]}, r"values\.rows\[0\]\.share is missing"),
        ({"end": "sotf"}, "'sotf' is unknown"),
        ({"pair": [0.0, 2.0]}, r"values\.pair\[1\]: 2.0 is out of range"),
        ({"body": {"steps": 1.5}}, "expected a whole number"),
        ({"gait": {"width": 1.5}}, "out of range"),
    ],
)
def test_what_is_wrong_is_named_at_every_level(change, said):
    with pytest.raises(DataError, match=said):
        of(**change)


def test_sliders_are_the_numbers_with_a_heading():
    assert [(s.path, s.default, s.number.unit) for s in sliders(Outer)] == [
        ("gait.width", 0.2, "m"), ("body.lean", 10.0, "degrees"), ("body.steps", 2, "steps"),
    ]  # fmt: skip


def test_what_a_slider_sets_is_what_the_same_preset_says():
    numbers = {"gait.width": 0.7, "body.lean": -20.0, "body.steps": 5.0}
    by_values = read(Outer, Fields(with_values(VALUES, numbers), "values"))
    assert changed(of(), numbers) == by_values != of()
    assert {path: pytest.approx(number_at(by_values, path)) for path in numbers} == numbers
    assert VALUES["body"] == {"lean": 30.0}  # nothing of the preset itself changed


def test_changes_stay_within_their_range():
    assert changed(of(), {"gait.width": 9.0}).width == 1.0
    assert changed(of(), {"body.steps": 3.4}).inner.steps == 3
    assert changed(of(), {}) == of() and replace(of()) == of()
    with pytest.raises(DataError, match=r"no number 'gait\.with'"):
        changed(of(), {"gait.with": 1.0})


@dataclass(frozen=True, kw_only=True)
class Other:
    inner: Inner = part(Inner, "Body", "Its body", usual={"lean": 20.0})


def test_a_part_has_defaults_where_it_stands():
    leaning = Inner(lean=math.radians(20.0))
    assert Other().inner == read(Other, Fields({}, "values")).inner == leaning
    assert read(Other, Fields({"inner": {"steps": 3}}, "values")).inner == replace(leaning, steps=3)
    assert read(Other, Fields({"inner": {"lean": 5.0}}, "values")).inner == Inner(lean=math.radians(5.0))
    assert [(s.path, s.default) for s in sliders(Other)] == [("inner.lean", 20.0), ("inner.steps", 2)]
    with pytest.raises(DataError, match=r"values\.inner\.laen: there is no such field; the nearest is 'lean'"):
        read(Other, Fields({"inner": {"laen": 1.0}}, "values"))
