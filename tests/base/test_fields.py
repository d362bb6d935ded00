"""What is read from JSON: wrong, huge and endless values are refused in a message that can be read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blender_biped.base import limits
from blender_biped.base.errors import DataError, RigError, quoted
from blender_biped.base.fields import Fields, load_json
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kind_of, preset
from blender_biped.job import Job, Push, job_from_json
from blender_biped.preset.cue import Cue
from blender_biped.world.path import Path as Way
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Solid, Thing
from blender_biped.world.winds import Wind
from blender_biped.world.world import World

HUGE = 10**400
ENDLESS = 10**5000  # more digits than Python writes


def refusal(read: Callable[[], object]) -> str:
    """Return the message of a reader that must refuse."""
    with pytest.raises(DataError) as caught:
        read()
    assert len(str(caught.value)) <= 1000
    return str(caught.value)


def job() -> dict[str, Any]:
    walk = Job(standard_character(), Way([[0.0, 0.0], [3.0, 0.0]]), preset("simbicon", "walk"))
    data: dict[str, Any] = json.loads(json.dumps(walk.as_json()))
    return data


@pytest.mark.parametrize("number", [HUGE, -HUGE, ENDLESS], ids=["huge", "negative", "endless"])
@pytest.mark.parametrize("read", [
    lambda f: f.number("a"), lambda f: f.integer("a", 0, 10), lambda f: f.vector("b", 2), lambda f: f.version(1),
])  # fmt: skip
def test_an_integer_that_no_float_holds_is_refused(read: Callable[[Fields], object], number: int) -> None:
    fields = Fields({"a": number, "b": [0.0, number], "version": number}, "job")
    assert "expected a finite number, found a number of about" in refusal(lambda: read(fields))


@pytest.mark.parametrize("place", ["speed", "seed", "version", "gravity"])
def test_a_job_with_an_integer_of_400_digits_is_refused(place: str, tmp_path: Path) -> None:
    (tmp_path / "job.json").write_text(json.dumps(job() | {place: HUGE}), encoding="utf-8")
    assert f"job.{place}: expected a finite number" in refusal(lambda: job_from_json(load_json(tmp_path / "job.json")))


@pytest.mark.parametrize("value", ["x" * 40_000, [1.0] * 40_000, {"k" * 9_000: 1}, [[[["deep"] * 20] * 20] * 20] * 9])
@pytest.mark.parametrize("read", [
    lambda f: f.number("a"), lambda f: f.flag("a"), lambda f: f.vector("a", 2), lambda f: f.text("a", choices=("b",)),
])  # fmt: skip
def test_a_wrong_value_is_quoted_in_60_characters(read: Callable[[Fields], object], value: Any) -> None:
    text = refusal(lambda: read(Fields({"a": value}, "job")))
    assert text.startswith("job.a: ") and len(text) < 60 + 50
    assert len(quoted(value)) <= limits.MAX_QUOTED


def test_short_values_are_quoted_whole() -> None:
    for value in ("walk", 101.0, -3, [1, 2, 3], {"a": None}, "x" * 58):
        assert quoted(value) == repr(value)


def test_a_long_name_of_a_field_is_shortened() -> None:
    refusal(lambda: Fields({"n" * 40_000: 1}, "job").only(["speed"]))
    refusal(lambda: Fields({}, "job").number("n" * 40_000))


@pytest.mark.parametrize("error", [DataError, RigError])
def test_no_message_is_longer_than_can_be_read(error: Callable[[str], Exception]) -> None:
    assert len(str(error("a" * 42_000))) == limits.MAX_MESSAGE
    assert str(error("a" * 900)) == "a" * 900


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_name_is_quoted_no_longer_than_can_be_read_and_what_is_wrong_is_said(quote: str) -> None:
    name = "n" * 1000 if quote == "'" else "it's " * 200
    said = str(DataError(f"The prop {name!r} isn't there in the panel's list, {name!r}: correct the scene's names."))
    assert said.endswith(f"...{quote}: correct the scene's names.") and len(said) < 2 * limits.MAX_NAME + 80
    short = f"The prop {'b' * 63!r} {'walk':-<300} the panel's own, the scene's own, {'Hero'!r}."
    assert str(DataError(short)) == short


@pytest.mark.parametrize(
    "place",
    [[], ["path"], ["character"], ["character", "links", 0], ["character", "links", 3, "shape"], ["pushes", 0],
     ["cues", 0], ["world", "things", 0], ["world", "winds", 0], ["world", "ground"]],
)  # fmt: skip
def test_a_key_that_a_job_does_not_have_is_named(place: list[Any]) -> None:
    """What is spelt wrong would be left out without a word."""
    crate = Thing("crate", Solid("box", (0.2, 0.2, 0.2)), (1.0, 2.0, 0.2), mass=5.0)
    wind = Wind("Fan", "wind", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), ((0.0, 1.0),))
    ground = Terrain([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]], [[0, 1, 2]])
    whole = Job(
        standard_character(), Way([[0.0, 0.0], [3.0, 0.0]]), preset("simbicon", "walk"),
        pushes=(Push("chest", 0.1, 0.2, (1.0, 0.0, 0.0)),), cues=(Cue(1.0, preset("simbicon", "walk")),),
        world=World(ground, things=(crate,), winds=(wind,)),
    )  # fmt: skip
    data = json.loads(json.dumps(whole.as_json()))
    assert job_from_json(data) == whole
    own = data
    for step in place:
        own = own[step]
    own["colour"] = "red"
    assert "colour: there is no such field" in refusal(lambda: job_from_json(data))


@pytest.mark.parametrize("corner", [1e30, -1e30, 1e300, 3, -1])
def test_a_corner_that_no_triangle_has_is_refused(corner: float) -> None:
    plain = Terrain([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]], [[0, 1, 2]]).as_json()
    plain["faces"][0][1] = corner
    assert "has a corner that is not there" in refusal(lambda: Terrain.from_json(plain, "world.ground"))


def test_a_message_is_one_line_of_text() -> None:
    said = refusal(lambda: Fields({"speed\n\x00\ud800\u2028": 1}, "job").only(["speed"]))
    assert said == "job.speed    : there is no such field; the nearest is 'speed'."
    assert str(DataError("1\u202fm, L\u00e4ufer \u8d70\u308b")) == "1\u202fm, L\u00e4ufer \u8d70\u308b"


def test_too_many_things_are_refused_before_they_are_read() -> None:
    many = Fields({"a": [{}] * 100_000, "b": [[0.0, 0.0]] * 100_001, "c": dict.fromkeys(map(str, range(9999)))}, "job")
    assert refusal(lambda: many.objects("a")) == "job.a has 100000 items; at most 100 are read."
    assert refusal(lambda: many.rows("b", 2)) == "job.b has 100001 items; at most 100000 are read."
    assert refusal(lambda: many.child("c")) == "job.c has 9999 fields; at most 1000 are read."


@pytest.mark.parametrize(("controller", "style"), [("simbicon", "walk"), ("limit_cycle", "bent_knee")])
def test_a_preset_with_100_000_states_is_refused_at_once(controller: str, style: str) -> None:
    kind = kind_of(controller)
    values = json.loads(json.dumps(preset(controller, style).values))
    crowded(values)
    began = time.perf_counter()
    assert "has 100000 items; at most 100" in refusal(lambda: kind.read(values))
    assert time.perf_counter() - began < 1.0


def crowded(values: Any) -> None:
    """Let each list of states have 100,000 of them."""
    for name, value in values.items() if isinstance(values, dict) else enumerate(values):
        if name == "states":
            values[name] = value[:1] * 100_000
        elif isinstance(value, (dict, list)):
            crowded(value)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large.json").write_text(" " * 2**20 + "{}", encoding="utf-8")
    assert refusal(lambda: load_json(tmp_path / "large.json", most=2**20)) == "large.json has 1 MB; at most 1 are read."


def test_ragged_perturbations_are_refused() -> None:
    rows = [[0.0, 1.0], [0.0, 1.0, 2.0]]
    assert "job.perturbations[1]: expected 2 numbers" in refusal(lambda: job_from_json(job() | {"perturbations": rows}))
    assert "job.perturbations[0]: expected 0 numbers" in refusal(lambda: job_from_json(job() | {"perturbations": [1]}))
