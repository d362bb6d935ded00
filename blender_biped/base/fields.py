"""Checked reading of JSON data: every failure is a DataError that names the field."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .errors import DataError, quoted, shortened
from .files import read_whole
from .limits import MAX_BYTES, MAX_FIELDS, MAX_OBJECTS, MAX_QUOTED, MAX_ROWS


def load_json(path: Path, most: int = MAX_BYTES) -> Any:
    """Return the JSON content of a plain UTF-8 file of at most so many bytes.

    Raises DataError when it cannot be read or parsed, is too large, or is a pipe or a device.
    """
    try:
        return json.loads(read_whole(path, most).decode("utf-8"))
    except OSError as error:
        raise DataError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} is not valid JSON: {error}.") from error


class Fields:
    """A JSON object being read: typed getters that name the missing or wrong field.

    ``where`` is the place in the file, for messages (for example "job.walk").
    """

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, Mapping):
            raise DataError(f"{where}: expected an object, found {type(data).__name__}.")
        if len(data) > MAX_FIELDS:
            raise DataError(f"{where} has {len(data)} fields; at most {MAX_FIELDS} are read.")
        self.data, self.where = data, where

    def _raw(self, name: str, default: Any) -> Any:
        if name in self.data:
            return self.data[name]
        if default is not _REQUIRED:
            return default
        raise DataError(f"{self.at(name)} is missing.")

    def at(self, name: str) -> str:
        """Return where a field is, for messages."""
        return f"{self.where}.{shortened(name, MAX_QUOTED)}"

    def number(self, name: str, low: float = -math.inf, high: float = math.inf, default: Any = ...) -> float:
        """Return a finite number in low..high."""
        return _number(self._raw(name, _required(default)), self.at(name), low, high)

    def integer(self, name: str, low: float = -math.inf, high: float = math.inf, default: Any = ...) -> int:
        """Return a whole number in low..high."""
        value = self.number(name, low, high, default)
        if value != int(value):
            raise DataError(f"{self.at(name)}: expected a whole number, found {value}.")
        return int(value)

    def flag(self, name: str, default: Any = ...) -> bool:
        """Return true or false."""
        value = self._raw(name, _required(default))
        if not isinstance(value, bool):
            raise DataError(f"{self.at(name)}: expected true or false, found {quoted(value)}.")
        return value

    def text(self, name: str, default: Any = ..., choices: Sequence[str] = ()) -> str:
        """Return a string, one of ``choices`` when given."""
        value = self._raw(name, _required(default))
        if not isinstance(value, str):
            raise DataError(f"{self.at(name)}: expected text, found {quoted(value)}.")
        if choices and value not in choices:
            raise DataError(f"{self.at(name)}: {quoted(value)} is unknown; expected one of {', '.join(choices)}.")
        return value

    def vector(self, name: str, size: int, default: Any = ...) -> tuple[float, ...]:
        """Return ``size`` finite numbers."""
        return _vector(self._raw(name, _required(default)), self.at(name), size)

    def items(self, name: str, default: Any = ..., most: int = MAX_ROWS) -> Sequence[Any]:
        """Return a list of at most so many items."""
        value = self._raw(name, _required(default))
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise DataError(f"{self.at(name)}: expected a list, found {quoted(value)}.")
        if len(value) > most:
            raise DataError(f"{self.at(name)} has {len(value)} items; at most {most} are read.")
        return value

    def objects(self, name: str, default: Any = ..., most: int = MAX_OBJECTS) -> list[Fields]:
        """Return a list of at most so many objects."""
        found = self.items(name, default, most)
        return [Fields(item, f"{self.at(name)}[{i}]") for i, item in enumerate(found)]

    def rows(self, name: str, size: int, default: Any = ...) -> list[tuple[float, ...]]:
        """Return a list of rows of ``size`` finite numbers."""
        return [_vector(row, f"{self.at(name)}[{i}]", size) for i, row in enumerate(self.items(name, default))]

    def child(self, name: str, default: Any = ...) -> Fields:
        """Return a nested object."""
        return Fields(self._raw(name, _required(default)), self.at(name))

    def only(self, known: Collection[str]) -> None:
        """Raise DataError for a key that is not among the known ones, naming the nearest of these."""
        for name in self.data:
            if name not in known:
                raise DataError(f"{self.at(str(name))}: there is no such field; {_nearest(str(name), known)}.")

    def version(self, *known: int) -> None:
        """Raise DataError unless the "version" field is one this program reads."""
        found = self.integer("version")
        if found not in known:
            reads = " and ".join(map(str, known))
            raise DataError(f"{self.where}.version is {found}; this version of Biped Locomotion reads version {reads}.")


def not_finite(data: Any, where: str) -> str:
    """Return where in JSON data the first number is that is not finite, "" for none; with the name of whose it is."""
    if isinstance(data, float):
        return "" if math.isfinite(data) else where
    if isinstance(data, Mapping):
        found = next((at for key, own in data.items() if (at := not_finite(own, f"{where}.{key}"))), "")
        name = data.get("name")
        return f"{found} (of {quoted(name)})" if found and isinstance(name, str) and " (of " not in found else found
    if isinstance(data, Sequence) and not isinstance(data, str):
        return next((at for i, own in enumerate(data) if (at := not_finite(own, f"{where}[{i}]"))), "")
    return ""


def _nearest(name: str, known: Collection[str]) -> str:
    """Return which of the known names was probably meant, or all of them."""
    close = get_close_matches(name, [str(one) for one in known], 1, _CLOSE)
    return f"the nearest is {close[0]!r}" if close else f"known are {', '.join(sorted(known)) or 'none'}"


_CLOSE = 0.6  # likeness from which a name was meant to be another
_REQUIRED: Any = object()


def _required(default: Any) -> Any:
    return _REQUIRED if default is ... else default


def _vector(value: Any, where: str, size: int) -> tuple[float, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != size:
        raise DataError(f"{where}: expected {size} numbers, found {quoted(value)}.")
    return tuple(_number(v, f"{where}[{i}]") for i, v in enumerate(value))


def _number(value: Any, where: str, low: float = -math.inf, high: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise DataError(f"{where}: expected a number, found {quoted(value)}.")
    try:
        number = float(value)
    except OverflowError:  # JSON's integers have no end
        number = math.inf
    if not math.isfinite(number):
        raise DataError(f"{where}: expected a finite number, found {quoted(value)}.")
    if not low <= number <= high:
        raise DataError(f"{where}: {quoted(value)} is out of range ({low:g} to {high:g}).")
    return number
