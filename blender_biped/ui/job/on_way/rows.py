"""All that happens on the way of a walk, in one order: the kinds of rows that there are, and their rows together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from .begin import Beginning
from .markers import Markers
from .mixes import MixKeys
from .points import Points
from .row import Offer, Row, RowKind, ShownWalk
from .targets import HandTargets

_kinds: list[RowKind] = [Beginning(), Points(), Markers(), MixKeys(), HandTargets()]


def kinds() -> tuple[RowKind, ...]:
    """Return the kinds of rows that there are: of those at one time the first one's come first."""
    return tuple(_kinds)


@contextmanager
def with_kind(kind: RowKind) -> Iterator[None]:
    """Let there be another kind of rows while the context lasts. Raises ValueError for a name that is taken."""
    if any(own.name == kind.name for own in _kinds):
        raise ValueError(f"There is a kind of rows {kind.name!r} already.")
    _kinds.append(kind)
    try:
        yield
    finally:
        _kinds.remove(kind)


@dataclass(frozen=True)
class OnWay:
    """What happens on the way. rows: in the order in which the walk comes to them. notes: what is no row's."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def on_way(shown: ShownWalk) -> OnWay:
    """Return what happens on the way of a walk. Cheap enough for a panel's draw; nothing is written.

    Why the walk cannot be baked stands at the rows that it is about, else among the notes.
    """
    rows = sorted((row for kind in _kinds for row in kind.rows(shown)), key=lambda row: row.time)
    notes = [note for kind in _kinds for note in kind.notes(shown)]
    if shown.refused:
        about = [row for row in rows if not row.wrong and _is_about(shown.refused, row)]
        rows = [replace(row, wrong=(shown.refused,)) if row in about else row for row in rows]
        if not about and not any(shown.refused in row.wrong for row in rows):
            notes.append(shown.refused)
    return OnWay(tuple(rows), tuple(notes))


def _is_about(message: str, row: Row) -> bool:
    """Return whether a message is about a row: it begins with its style, or has the name of its object."""
    return any(repr(name) in message or message.startswith(f"{name} ") for name in row.names)


def active_row(walk: Any, rows: Sequence[Row]) -> Row | None:
    """Return the row whose settings are shown, None where that is not among the rows."""
    called = walk.active_row or f"{Points.name} {walk.active_point}"
    return next((row for row in rows if row.called == called), None)


def offers(shown: ShownWalk) -> list[list[Offer]]:
    """Return what can be added, by kinds."""
    return [found for kind in _kinds if (found := list(kind.offers(shown)))]


def tooltip(shown: ShownWalk | None, operator: str, settings: Any) -> str:
    """Return what an operator adds with its settings, and why it cannot; "" where it is not offered so."""
    for offer in (offer for own in offers(shown) for offer in own) if shown else ():
        if offer.operator == operator and all(getattr(settings, k, None) == v for k, v in offer.settings.items()):
            return f"{offer.about}. {offer.why}".strip() if offer.why else offer.about
    return ""
