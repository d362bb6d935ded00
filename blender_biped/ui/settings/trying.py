"""Settings of a walk that are tried: a job is read with them, and they stay only when its walk is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...control.registry import kinds
from ..base.changes import one_change
from .fields import group_name

_STYLE = ("controller_name", "preset_name")  # first: setting them fills the sliders


@contextmanager
def tried(walk: Any, settings: Mapping[str, Any]) -> Iterator[None]:
    """Let a walk have other settings, by their names, while the context lasts; then it is as it was."""
    if not settings:
        yield
        return
    with one_change():
        before = {name: getattr(walk, name) for name in (*settings, "fields_shown")}
        sliders = _sliders(walk, {walk.controller_name, settings.get("controller_name", walk.controller_name)})
        try:
            set_all(walk, settings)
            yield
        finally:
            set_all(walk, before)
            for group, numbers in sliders.items():
                set_all(getattr(walk, group), numbers)


def set_all(owner: Any, settings: Mapping[str, Any]) -> None:
    """Give a group of settings those that are named, its style first."""
    for name in sorted(settings, key=lambda name: _STYLE.index(name) if name in _STYLE else len(_STYLE)):
        setattr(owner, name, settings[name])


def _sliders(walk: Any, controllers: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the numbers of controllers' sliders, by the names of their groups."""
    names = [group_name(kind) for kind in kinds() if kind.name in controllers]
    groups = {name: getattr(walk, name) for name in names}
    return {name: {n: getattr(group, n) for n in type(group).__annotations__} for name, group in groups.items()}
