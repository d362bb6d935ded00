"""Calls for changes of settings: rooms above the settings show what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_listeners: list[Callable[[], None]] = []


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
    for listener in _listeners:
        listener()
