"""What is found of an object once, however often it is asked for, and one object for all equal ones."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar

Of = TypeVar("Of")
Found = TypeVar("Found")


def once_for_each(find: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """Return a function that looks once at each object, and gives what it found for as long as the object lives.

    An object is known by its identity: this is for frozen ones that are too large to be compared. What is found must
    not refer to the object, which would live for ever. An error is not kept: it is raised anew.
    """
    kept: dict[int, tuple[weakref.ref[Of], Found]] = {}

    @wraps(find)
    def found(of: Of) -> Found:
        number = id(of)
        own = kept.get(number)
        if own is not None and own[0]() is of:
            return own[1]

        def forget(gone: weakref.ref[Of]) -> None:
            if number in kept and kept[number][0] is gone:  # another object may have the number by now
                del kept[number]

        new = find(of)
        kept[number] = weakref.ref(of, forget), new
        return new

    return found


class Equals(Generic[Of]):
    """Some objects that were met last. What is found once of each is found of one that is read again, and is equal."""

    def __init__(self, most: int) -> None:
        """Keep so many."""
        self._most, self._known = most, list[Of]()

    def one(self, of: Of) -> Of:
        """Return the object that is kept and equal to this one: itself, where there is none yet."""
        found = next((known for known in self._known if known == of), of)
        self._known = [found, *(known for known in self._known if known is not found)][: self._most]
        return found

    def forget(self) -> None:
        """Keep none."""
        self._known = []
