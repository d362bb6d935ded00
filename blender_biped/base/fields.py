"""Checked reading of JSON data: every failure is a DataError that names the field."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .errors import DataError


def load_json(path: Path) -> Any:
    """Return the JSON content of a UTF-8 file. Raises DataError when it cannot be read or parsed."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
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
        self.data, self.where = data, where

    def _raw(self, name: str, default: Any) -> Any:
        if name in self.data:
            return self.data[name]
        if default is not _REQUIRED:
            return default
        raise DataError(f"{self.where}.{name} is missing.")

    def number(self, name: str, low: float = -math.inf, high: float = math.inf, default: Any = ...) -> float:
        """Return a finite number in low..high."""
        return _number(self._raw(name, _required(default)), f"{self.where}.{name}", low, high)

    def integer(self, name: str, low: float = -math.inf, high: float = math.inf, default: Any = ...) -> int:
        """Return a whole number in low..high."""
        value = self.number(name, low, high, default)
        if value != int(value):
            raise DataError(f"{self.where}.{name}: expected a whole number, found {value}.")
        return int(value)

    def flag(self, name: str, default: Any = ...) -> bool:
        """Return true or false."""
        value = self._raw(name, _required(default))
        if not isinstance(value, bool):
            raise DataError(f"{self.where}.{name}: expected true or false, found {value!r}.")
        return value

    def text(self, name: str, default: Any = ..., choices: Sequence[str] = ()) -> str:
        """Return a string, one of ``choices`` when given."""
        value = self._raw(name, _required(default))
        if not isinstance(value, str):
            raise DataError(f"{self.where}.{name}: expected text, found {value!r}.")
        if choices and value not in choices:
            raise DataError(f"{self.where}.{name}: {value!r} is unknown; expected one of {', '.join(choices)}.")
        return value

    def vector(self, name: str, size: int, default: Any = ...) -> tuple[float, ...]:
        """Return ``size`` finite numbers."""
        value = self._raw(name, _required(default))
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != size:
            raise DataError(f"{self.where}.{name}: expected {size} numbers, found {value!r}.")
        return tuple(_number(v, f"{self.where}.{name}[{i}]") for i, v in enumerate(value))

    def items(self, name: str, default: Any = ...) -> Sequence[Any]:
        """Return a list."""
        value = self._raw(name, _required(default))
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise DataError(f"{self.where}.{name}: expected a list, found {value!r}.")
        return value

    def child(self, name: str, default: Any = ...) -> Fields:
        """Return a nested object."""
        return Fields(self._raw(name, _required(default)), f"{self.where}.{name}")

    def only(self, known: Collection[str]) -> None:
        """Raise DataError for a key that is not among the known ones, naming the nearest of these."""
        for name in self.data:
            if name not in known:
                raise DataError(f"{self.where}.{name}: there is no such field; {_nearest(str(name), known)}.")

    def version(self, known: int) -> None:
        """Raise DataError unless the "version" field is one this program reads."""
        found = self.integer("version")
        if found != known:
            raise DataError(f"{self.where}.version is {found}; this version of Biped Locomotion reads version {known}.")


def _nearest(name: str, known: Collection[str]) -> str:
    """Return which of the known names was probably meant, or all of them."""
    close = get_close_matches(name, [str(one) for one in known], 1, _CLOSE)
    return f"the nearest is {close[0]!r}" if close else f"known are {', '.join(sorted(known)) or 'none'}"


_CLOSE = 0.6  # likeness from which a name was meant to be another
_REQUIRED: Any = object()


def _required(default: Any) -> Any:
    return _REQUIRED if default is ... else default


def _number(value: Any, where: str, low: float = -math.inf, high: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise DataError(f"{where}: expected a number, found {value!r}.")
    if not math.isfinite(value):
        raise DataError(f"{where}: expected a finite number, found {value}.")
    if not low <= value <= high:
        raise DataError(f"{where}: {value} is out of range ({low:g} to {high:g}).")
    return float(value)
