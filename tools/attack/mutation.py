# SPDX-License-Identifier: GPL-3.0-or-later
"""Data with something wrong in it, by chance: JSON values, the text or bytes of files, and arrays."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.attack.verdict import Rng

_MOST_CHANGES = 3
_MANY = 100_001  # rows or items, one more than is read
_SHORT = 60  # characters of an item that there may be _MANY of
_DEEP = 5_000  # brackets
_DIGITS = 5_000  # of an integer, more than Python reads
_MILD = 0.4  # share of changes that only make numbers somewhat larger or smaller: most of those are taken
Place = tuple[Any, Any]  # an object or a list, and the key or index of something in it


def odd_value(rng: Rng) -> Any:
    """Return a value that is seldom right."""
    values: tuple[Callable[[], Any], ...] = (
        lambda: 0, lambda: -1, lambda: -0.0, lambda: 1e-300, lambda: 1e300, lambda: -1e300, lambda: 10**400,
        lambda: -(10**400), lambda: math.nan, lambda: math.inf, lambda: -math.inf, lambda: True, lambda: None,
        lambda: "", lambda: "x" * 40_000, lambda: "a\nb\x00c", lambda: "\ud800", lambda: "走る 🦶", lambda: [],
        lambda: {}, lambda: [[]], lambda: [1, 2], lambda: [None] * 3, lambda: {"a": {"b": [1]}}, lambda: 2**31,
        lambda: 2**63, lambda: -(2**31), lambda: 0.5, lambda: 1e6, lambda: "1.0", lambda: [math.nan] * 3,
        lambda: [10**400, 0.0], lambda: float(rng.normal()) * 10.0 ** float(rng.uniform(-9, 9)),
    )  # fmt: skip
    return values[int(rng.integers(len(values)))]()


def mutated(data: Any, rng: Rng) -> Any:
    """Return JSON data with one to three changes at places by chance."""
    found = copy.deepcopy(data)
    changes = (_other_number,) if rng.random() < _MILD else _CHANGES
    for _ in range(int(rng.integers(1, _MOST_CHANGES + 1))):
        places = list(_places(found))
        if not places:
            return odd_value(rng)
        changes[int(rng.integers(len(changes)))](places[int(rng.integers(len(places)))], places, rng)
    return found


def _places(data: Any, depth: int = 0) -> list[Place]:
    """Return all places in data; of long lists the first and the last items."""
    found: list[Place] = []
    keys = list(data) if isinstance(data, dict) else []
    if isinstance(data, list):
        keys = list(range(len(data)))
        keys = keys[:4] + keys[-2:] if len(keys) > 6 else keys
    for key in keys:
        found.append((data, key))
        if depth < 12:
            found += _places(data[key], depth + 1)
    return found


def _odd(place: Place, _places: list[Place], rng: Rng) -> None:
    place[0][place[1]] = odd_value(rng)


def _other_number(place: Place, places: list[Place], rng: Rng) -> None:
    numbers = [(box, key) for box, key in places if isinstance(box[key], float) and math.isfinite(box[key])]
    if numbers:
        box, key = numbers[int(rng.integers(len(numbers)))]
        box[key] *= float(rng.choice((0.0, 0.1, 0.5, 0.9, 1.1, 2.0, 5.0)))


def _scaled(place: Place, places: list[Place], rng: Rng) -> None:
    numbers = [(box, key) for box, key in places if isinstance(box[key], float) and math.isfinite(box[key])]
    if numbers:
        box, key = numbers[int(rng.integers(len(numbers)))]
        value = float(box[key])
        wild = value * 10.0 ** float(rng.uniform(-12, 12)) + float(rng.normal())
        box[key] = (-value, wild, value * float(rng.uniform(0.3, 3.0)), float(round(value)))[int(rng.integers(4))]


def _removed(place: Place, _places: list[Place], rng: Rng) -> None:
    del place[0][place[1]]


def _renamed(place: Place, _places: list[Place], rng: Rng) -> None:
    box, key = place
    if isinstance(box, dict):
        name = (f"{key}s", "", "x" * 5_000, "\ud800", f"{key}\n", "version", "like", "keyed")[int(rng.integers(8))]
        box[name] = box.pop(key)
    else:
        box.insert(key, odd_value(rng))


def _added(place: Place, _places: list[Place], rng: Rng) -> None:
    box, key = place
    if isinstance(box, dict):
        box["x" * int(rng.integers(1, 50))] = odd_value(rng)
    else:
        box.append(copy.deepcopy(box[key]))


def _repeated(place: Place, places: list[Place], rng: Rng) -> None:
    lists = [(box, key) for box, key in places if isinstance(box[key], list) and box[key]]
    if lists:
        box, key = lists[int(rng.integers(len(lists)))]
        items = box[key]
        most = _MANY if len(json.dumps(items[0])) < _SHORT else 2_000  # else to write it takes longer than to refuse it
        count = (2, 3, 50, 2_000, most)[int(rng.integers(5))]
        box[key] = [copy.deepcopy(items[0])] * count if rng.random() < 0.5 else (items * (count // len(items) + 1))


def _grafted(place: Place, places: list[Place], rng: Rng) -> None:
    box, key = places[int(rng.integers(len(places)))]
    place[0][place[1]] = copy.deepcopy(box[key])


def _shuffled(place: Place, places: list[Place], rng: Rng) -> None:
    lists = [box[key] for box, key in places if isinstance(box[key], list) and len(box[key]) > 1]
    if lists:
        items = lists[int(rng.integers(len(lists)))]
        order = rng.permutation(len(items)).tolist()
        items[:] = [items[i] for i in order]


_CHANGES: tuple[Callable[[Place, list[Place], Rng], None], ...] = (
    _odd, _odd, _odd, _scaled, _scaled, _scaled, _removed, _renamed, _added, _repeated, _grafted, _shuffled,
)  # fmt: skip


def as_text(data: Any) -> str:
    """Return data as JSON text, with what JSON itself does not have, such as NaN."""
    return json.dumps(data)


def mutated_text(text: str, rng: Rng) -> bytes:
    """Return the bytes of a text file in which something went wrong."""
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: b"",
        lambda: text.encode()[: int(rng.integers(max(len(text), 1)))],
        lambda: text.encode() * 2,
        lambda: text.encode("utf-16"),
        lambda: b"\xef\xbb\xbf" + text.encode(),
        lambda: ("[" * _DEEP + "]" * _DEEP).encode(),
        lambda: ('{"a":' * _DEEP + "1" + "}" * _DEEP).encode(),
        lambda: re.sub(r"\d+\.\d+", "9" * _DIGITS, text, count=1).encode(),
        lambda: re.sub(r"\d+\.\d+", "1e999", text, count=1).encode(),
        lambda: text.replace(":", "=", 1).encode(),
        lambda: b"\x00" * 1000,
        lambda: b"\x80\x04\x95cos\nsystem\n(S'true'\ntR.",
        lambda: mutated_bytes(text.encode(), rng),
    )
    return ways[int(rng.integers(len(ways)))]()


def mutated_bytes(content: bytes, rng: Rng) -> bytes:
    """Return bytes of which some are others, left out, doubled or cut off."""
    found = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        if not found:
            return b"\x00"
        at = int(rng.integers(len(found)))
        way = int(rng.integers(5))
        if way == 0:
            found[at] ^= 1 << int(rng.integers(8))
        elif way == 1:
            found[at : at + int(rng.integers(1, 64))] = rng.bytes(int(rng.integers(0, 64)))
        elif way == 2:
            del found[at : at + int(rng.integers(1, 2000))]
        elif way == 3:
            found[at:at] = found[max(at - 200, 0) : at]
        else:
            found = found[:at] if rng.random() < 0.3 else found
    return bytes(found)


def mutated_array(values: Any, rng: Rng) -> Any:
    """Return an array of another shape or type, or with wrong numbers in it."""
    array = np.array(values)
    flat = array.reshape(-1)

    def spoiled(value: float) -> Any:
        if flat.size and flat.dtype.kind == "f":
            flat[int(rng.integers(flat.size))] = value
        return array

    ways: tuple[Callable[[], Any], ...] = (
        lambda: spoiled(math.nan), lambda: spoiled(math.inf), lambda: spoiled(1e300), lambda: spoiled(0.0),
        lambda: array[:0], lambda: array[:1], lambda: array[:-1], lambda: array.T, lambda: array.reshape(-1),
        lambda: array[None], lambda: array.astype(np.float32), lambda: array.astype(complex),
        lambda: np.array(["a", "b"]), lambda: np.zeros(()), lambda: np.zeros((0, 0)), lambda: array[::-1],
        lambda: np.zeros_like(array), lambda: array * 1e200, lambda: np.asfortranarray(array),
        lambda: np.repeat(array, 3, axis=0) if array.ndim else array,
    )  # fmt: skip
    return ways[int(rng.integers(len(ways)))]()
