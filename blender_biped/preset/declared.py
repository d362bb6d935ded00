"""Fields of a style, declared once where they are used: unit, range, default, label, tooltip, group, keyed or not.

A settings class is a frozen data class whose fields are made by ``number``, ``integer``, ``flag``, ``choice``,
``vector``, ``part`` and so on. From these declarations come the reading of presets (``read``: every key is known, every
value in range), the sliders of the panel (``sliders``), and what is keyed along a walk (``changed``).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from ..base.errors import DataError, quoted
from ..base.fields import Fields

T = TypeVar("T")
Reader = Callable[[Fields, str], Any]
"""Reads one field of an object: the object, the field's key. Raises DataError naming it."""

_METADATA = "declared"


class Advanced(str):
    """A heading of numbers that belong to the method rather than to the look: the panel shows them apart, below all."""

    __slots__ = ()


@dataclass(frozen=True)
class Number:
    """What a number is. low, high: its range. unit: as in the preset, "" for none. label, text: for people.

    group: heading of its slider, "" for none. keyed: whether it may change along a walk. whole: whether it is a whole
    number.
    """

    low: float
    high: float
    unit: str = ""
    label: str = ""
    text: str = ""
    group: str = ""
    keyed: bool = False
    whole: bool = False

    @property
    def advanced(self) -> bool:
        """Whether it is for who knows the method: a damper, a gain, a limit."""
        return isinstance(self.group, Advanced)

    def held(self, value: float) -> float:
        """Return the value of the range that is nearest to one."""
        inside = min(max(value, self.low), self.high)
        return float(round(inside)) if self.whole else inside


@dataclass(frozen=True)
class Declared:
    """One field. at: the object of the preset that it stands in, "" for the outermost. key: there, "" for its name.

    label, text: for people; units in the text, where the field is no number. number: what it is, where it is one. kept:
    from the preset's unit to the settings'. inner: of a nested class, which is None where it is optional and not given.
    usual: its numbers where a preset has none, by
    their keys, in place of its own defaults.
    """

    read: Reader
    at: str = ""
    key: str = ""
    number: Number | None = None
    kept: Callable[[Any], Any] | None = None
    inner: type[Any] | None = None
    label: str = ""
    text: str = ""
    usual: Mapping[str, float] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, str]:
        """Label and text."""
        return (self.number.label, self.number.text) if self.number else (self.label, self.text)


@dataclass(frozen=True)
class Slider:
    """A number of a settings class. path: in a preset's values, such as "gait.width". default: in the preset's unit."""

    path: str
    default: float
    number: Number


def number(
    default: float | None, low: float, high: float, unit: str = "", label: str = "", text: str = "", group: str = "",
    keyed: bool = False,
) -> Any:  # fmt: skip
    """Declare a number; see ``Number`` and ``Declared``. default: None for one that must be given."""
    own = Number(low, high, unit, label, text, group, keyed)
    usual = ... if default is None else default
    read_number = Declared(lambda f, name: f.number(name, low, high, usual), number=own)
    return _field(read_number, MISSING if default is None else default)


def angle(
    default: float, low: float, high: float, label: str = "", text: str = "", group: str = "", keyed: bool = False
) -> Any:
    """Declare an angle: degrees in presets, ranges and defaults, rad in the settings."""
    own = Number(low, high, "degrees", label, text, group, keyed)

    def read_angle(f: Fields, name: str) -> float:
        return math.radians(f.number(name, low, high, default))

    return _field(Declared(read_angle, number=own, kept=math.radians), math.radians(default))


def integer(
    default: int, low: int, high: int, unit: str = "", label: str = "", text: str = "", group: str = "",
    keyed: bool = False,
) -> Any:  # fmt: skip
    """Declare a whole number."""
    own = Number(low, high, unit, label, text, group, keyed, whole=True)
    whole = Declared(lambda f, name: f.integer(name, low, high, default), number=own, kept=round)
    return _field(whole, default)


def flag(default: bool, label: str, text: str, key: str = "") -> Any:
    """Declare true or false."""
    return _field(Declared(lambda f, name: f.flag(name, default), key=key, label=label, text=text), default)


def choice(default: str | None, choices: Collection[str], label: str, text: str, key: str = "") -> Any:
    """Declare one of some words; default: None for one that must be given."""
    known = tuple(choices)
    return item(lambda f, name: f.text(name, ... if default is None else default, known), label, text, default, key)


def vector(
    default: tuple[float, ...] | None, size: int, low: float, high: float, label: str, text: str,
    key: str = "",
) -> Any:  # fmt: skip
    """Declare some numbers (``size``,), each in a range; default: None for numbers that must be given."""

    def read_vector(f: Fields, name: str) -> tuple[float, ...]:
        values = f.vector(name, size, ... if default is None else default)
        for i, value in enumerate(values):
            if not low <= value <= high:
                raise DataError(f"{f.where}.{name}[{i}]: {value} is out of range ({low:g} to {high:g}).")
        return values

    return item(read_vector, label, text, default, key)


def names(label: str, text: str, key: str = "") -> Any:
    """Declare a set of names of body parts, none of them by default."""

    def read_names(f: Fields, name: str) -> frozenset[str]:
        for i, value in enumerate(f.items(name, ())):
            if not isinstance(value, str):
                raise DataError(f"{f.where}.{name}[{i}]: expected the name of a body part, found {quoted(value)}.")
        return frozenset(f.items(name, ()))

    return item(read_names, label, text, frozenset(), key)


def table(
    read_item: Reader, label: str, text: str, known: Callable[[], Collection[str]] | None = None,
    key: str = "", required: bool = False,
) -> Any:  # fmt: skip
    """Declare an object of items by name. known: the names that there are; None for any. required: else empty."""

    def read_table(f: Fields, name: str) -> dict[str, Any]:
        rows = f.child(name) if required else f.child(name, {})
        if known is not None:
            rows.only(known())
        return {row: read_item(rows, row) for row in rows.data}

    declared = Declared(read_table, key=key, label=label, text=text)
    return _field(declared, MISSING) if required else _field(declared, MISSING, dict)


def part(
    kind: type[Any], label: str, text: str, key: str = "", optional: bool = False,
    usual: Mapping[str, float] | None = None,
) -> Any:  # fmt: skip
    """Declare a nested object with declared fields of its own. optional: None where it is not given.

    usual: its numbers where a preset has none, by their keys, in place of the class's defaults.
    """
    own = dict(usual or {})

    def read_part(f: Fields, name: str) -> Any:
        if optional and name not in f.data:
            return None
        given = f.child(name, {})
        return read(kind, Fields({**own, **given.data}, given.where))

    declared = Declared(read_part, key=key, inner=kind, label=label, text=text, usual=own)
    return _field(declared, None) if optional else _field(declared, MISSING, lambda: changed(kind(), own))


def parts(kind: type[Any], label: str, text: str, key: str = "") -> Any:
    """Declare a list of objects with declared fields; it must be given."""

    def read_parts(f: Fields, name: str) -> tuple[Any, ...]:
        return tuple(read(kind, row) for row in f.objects(name))

    return item(read_parts, label, text, None, key)


def item(read_item: Reader, label: str, text: str, default: Any = None, key: str = "") -> Any:
    """Declare what a function reads; default: of the data class, None for what must be given."""
    return _field(Declared(read_item, key=key, label=label, text=text), MISSING if default is None else default)


def inside(at: str, field_of_it: Any) -> Any:
    """Declare that a field stands in an object of the preset, ``at``; others stand in the outermost."""
    declared, factory = field_of_it.metadata[_METADATA], field_of_it.default_factory
    return _field(replace(declared, at=at), field_of_it.default, None if factory is MISSING else factory)


def _field(declared: Declared, default: Any, factory: Callable[[], Any] | None = None) -> Any:
    metadata = {_METADATA: declared}
    if factory is not None:
        return dataclasses.field(default_factory=factory, metadata=metadata)
    if default is MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def read(kind: type[T], f: Fields, also: Iterable[str] = ()) -> T:
    """Return the settings of a declared class in JSON data. also: keys that others read.

    Raises DataError that names the wrong field, or a key that is not known and the nearest one that is.
    """
    declared = _declared(kind)
    places = {d.at for d in declared.values() if d.at}
    f.only({*(d.key or n for n, d in declared.items() if not d.at), *places, *also})
    inside = {place: f.child(place, {}) for place in places}
    for place, own in inside.items():
        own.only([d.key or n for n, d in declared.items() if d.at == place])
    return kind(**{n: d.read(inside.get(d.at, f), d.key or n) for n, d in declared.items()})


def sliders(kind: Any) -> tuple[Slider, ...]:
    """Return the numbers of a declared class that have a group, those of nested ones too, as they are declared."""
    return tuple(_sliders(kind))


def _sliders(kind: type[Any]) -> Iterator[Slider]:
    for name, declared in _declared(kind).items():
        path = ".".join(filter(None, (declared.at, declared.key or name)))
        if declared.inner is not None:
            for slider in _sliders(declared.inner):
                usual = declared.usual.get(slider.path, slider.default)
                yield replace(slider, path=f"{path}.{slider.path}", default=usual)
        elif declared.number is not None and declared.number.group:
            default: Any = next(f.default for f in dataclasses.fields(kind) if f.name == name)
            yield Slider(path, math.degrees(default) if declared.kept is math.radians else default, declared.number)


def has_number(settings: Any, path: str) -> bool:
    """Return whether settings have a number: those of an optional part that is not given have none of it."""
    name, _, rest = _found(type(settings), path, path)
    value = getattr(settings, name)
    return value is not None and (not rest or has_number(value, rest))


def number_at(settings: Any, path: str) -> float:
    """Return a number of settings in the preset's unit, which they have. path: as a slider's."""
    name, declared, rest = _found(type(settings), path, path)
    value = getattr(settings, name)
    if rest:
        return number_at(value, rest)
    return float(math.degrees(value) if declared.kept is math.radians else value)


def number_of(kind: type[Any], path: str) -> Number:
    """Return what the number at a path of a declared class is. Raises DataError for a path that is none of its."""
    _, declared, rest = _found(kind, path, path)
    if rest and declared.inner is not None:
        return number_of(declared.inner, rest)
    assert declared.number is not None
    return declared.number


def changed(settings: T, numbers: Mapping[str, float]) -> T:
    """Return settings with other numbers, in the preset's unit, by their paths; held within their ranges.

    Raises DataError for a path that is no number of theirs.
    """
    for path, value in numbers.items():
        settings = _with(settings, path, value, path)
    return settings


def _with(settings: Any, path: str, value: float, whole: str) -> Any:
    name, declared, rest = _found(type(settings), path, whole)
    if rest:
        return replace(settings, **{name: _with(getattr(settings, name), rest, value, whole)})
    assert declared.number is not None
    inside = declared.number.held(value)
    return replace(settings, **{name: declared.kept(inside) if declared.kept else inside})


def _found(kind: Any, path: str, whole: str) -> tuple[str, Declared, str]:
    """Return the name of the field that a slider's path goes through, its declaration, and the rest of the path."""
    for own, name, declared in _paths(kind):
        if path == own and declared.number is not None:
            return name, declared, ""
        if declared.inner is not None and path.startswith(f"{own}."):
            return name, declared, path[len(own) + 1 :]
    raise DataError(f"There is no number {whole!r} in these settings.")


@cache
def _paths(kind: Any) -> tuple[tuple[str, str, Declared], ...]:
    """Return where in a preset each field of a class stands, its name, and its declaration."""
    return tuple((".".join(filter(None, (d.at, d.key or name))), name, d) for name, d in _declared(kind).items())


def _declared(kind: Any) -> Mapping[str, Declared]:
    return _own_fields(kind)


@cache
def _own_fields(kind: Any) -> Mapping[str, Declared]:
    assert is_dataclass(kind)
    return {f.name: f.metadata[_METADATA] for f in dataclasses.fields(kind) if _METADATA in f.metadata}


def with_values(values: Mapping[str, Any], numbers: Mapping[str, float]) -> dict[str, Any]:
    """Return a preset's values with other numbers, by their sliders' paths; what was there stays as it is."""
    found = dict(values)
    for path, value in numbers.items():
        first, _, rest = path.partition(".")
        found[first] = with_values(found.get(first, {}), {rest: value}) if rest else value
    return found


def declared_fields(kind: type[Any]) -> dict[str, Declared]:
    """Return the declared fields of a class by their attributes' names, without those of nested classes."""
    return dict(_declared(kind))
