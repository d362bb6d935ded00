"""Calls for changes of settings: rooms above the settings show what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_listeners: list[Callable[[], None]] = []
_held: list[bool] = []


def listen(listener: Callable[[], None]) -> None:
    """Have a function called after every change of a setting that a walk depends on."""
    if listener not in _listeners:
        _listeners.append(listener)


def listen_no_more(listener: Callable[[], None]) -> None:
    """Have a function called no more."""
    if listener in _listeners:
        _listeners.remove(listener)


def changed(_self: Any = None, _context: Any = None) -> None:
    """Call those who listen. Also the update callback of properties."""
    if not _held:
        for listener in _listeners:
            listener()


@contextmanager
def one_change() -> Iterator[None]:
    """Make one change of all that is set while the context lasts."""
    _held.append(True)
    try:
        yield
    finally:
        _held.pop()
    changed()
