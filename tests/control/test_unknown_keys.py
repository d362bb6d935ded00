"""A key that a preset may not have is refused, at every level, and the nearest one named: for each controller."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.kind import Kind
from blender_biped.control.registry import kinds, presets
from blender_biped.preset.preset import preset_from_json

Place = tuple[str | int, ...]
FREE = {"limit_cycle": ("relative", "style")}  # objects whose keys are names that the preset itself gives


def objects(values: Any, free: Sequence[str], place: Place = ()) -> Iterator[Place]:
    """Return the places of all objects in a preset's values whose keys are known; lists by their first entry."""
    if isinstance(values, Mapping):
        if values and not (len(place) == 1 and place[0] in free):
            yield place
        for key, value in values.items():
            yield from objects(value, free, (*place, key))
    elif isinstance(values, list) and values:
        yield from objects(values[0], free, (*place, 0))


def at(values: Any, place: Place) -> Any:
    for key in place:
        values = values[key]
    return values


def misspelt(key: str) -> str:
    """Return a key with its last letter but one missing, as a hurried hand types it."""
    return key[:-2] + key[-1]


def levels(kind: Kind) -> dict[Place, Mapping[str, Any]]:
    """Return, by their place, an object of each shape in a controller's presets, with the values that it stands in."""
    found: dict[Place, Mapping[str, Any]] = {}
    for style in presets(kind.name):
        for place in objects(style.values, FREE.get(kind.name, ())):
            shape = tuple(0 if isinstance(key, int) else key for key in place)
            found.setdefault(shape, style.values)
    return found


CASES = [(kind, place, values) for kind in kinds() for place, values in levels(kind).items()]


@pytest.mark.parametrize(
    ("kind", "place", "values"), CASES, ids=[f"{kind.name}-{'.'.join(map(str, place))}" for kind, place, _ in CASES]
)
def test_a_misspelt_key_is_refused_and_the_nearest_named(kind: Kind, place: Place, values: Mapping[str, Any]) -> None:
    kind.read(values)
    own = at(values, place)
    key = max(own, key=len)
    wrong = copy.deepcopy(dict(values))
    at(wrong, place)[misspelt(key)] = own[key]
    with pytest.raises(DataError) as refused:
        kind.read(wrong)
    message = str(refused.value)
    assert f".{misspelt(key)}: there is no such field" in message
    assert f"the nearest is {key!r}" in message


def test_every_level_is_tried() -> None:
    found = {kind.name: len(levels(kind)) for kind in kinds()}
    assert found["generalized"] >= 5 and found["klaw"] >= 3 and found["planar"] >= 5
    assert found["simbicon"] >= 7 and found["limit_cycle"] >= 12


@pytest.mark.parametrize("key", ["suport", "labell", "vallues"])
def test_a_preset_itself_has_no_unknown_keys(key: str) -> None:
    style = presets("generalized")[0]
    with pytest.raises(DataError, match=f"{key}: there is no such field"):
        preset_from_json({**style.as_json(), key: 1.0})


@pytest.mark.parametrize(("controller", "change", "said"), [
    ("generalized", {"gait": {"suport": 1.0}}, r"gait\.suport: .* the nearest is 'support'"),
    ("simbicon", {"steering": {"acelleration": 1.0}}, r"steering\.acelleration: .* the nearest is 'acceleration'"),
    ("simbicon", {"lead": {"lerning": 1.0}}, r"lead\.lerning: .* the nearest is 'learning'"),
    ("limit_cycle", {"balance": {"ruse": True}}, r"balance\.ruse: .* the nearest is 'reuse'"),
    ("klaw", {"attributes": {"max_kne": 60.0}}, r"attributes\.max_kne: .* the nearest is 'max_knee'"),
])  # fmt: skip
def test_what_once_passed_silently_is_refused(controller: str, change: Mapping[str, Any], said: str) -> None:
    kind = next(kind for kind in kinds() if kind.name == controller)
    values = copy.deepcopy(dict(presets(controller)[0].values))
    for name, own in change.items():
        values[name] = {**values.get(name, {}), **own}
    with pytest.raises(DataError, match=said):
        kind.read(values)
