"""All controllers: the one place that knows which there are. To add one, declare its ``Kind`` and list it here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..base.errors import DataError
from ..job import Job
from ..preset.preset import Preset
from ..preset.preset import presets as presets_in
from .generalized.kind import GENERALIZED
from .kind import Kind
from .kinematic import KLAW
from .limit_cycle.kind import LIMIT_CYCLE
from .simbicon.kind import PLANAR, SIMBICON

_kinds: dict[str, Kind] = {}

DEFAULT = GENERALIZED
"""The controller of a new walk."""

PREVIEW = KLAW
"""The one that answers in a blink, and so previews the walks of all."""


def register(kind: Kind) -> None:
    """Let a controller be known. Raises ValueError for a name that is taken."""
    if kind.name in _kinds:
        raise ValueError(f"There is a controller {kind.name!r} already.")
    _kinds[kind.name] = kind


@contextmanager
def registered(kind: Kind) -> Iterator[None]:
    """Let a controller be known while the context lasts."""
    register(kind)
    try:
        yield
    finally:
        del _kinds[kind.name]


def kinds() -> tuple[Kind, ...]:
    """Return all controllers, the default one first."""
    return tuple(_kinds.values())


def kind_of(name: str) -> Kind:
    """Return the controller of a name. Raises DataError that lists the known ones."""
    if name not in _kinds:
        raise DataError(f"There is no controller {name!r}; choose one of {', '.join(_kinds)}.")
    return _kinds[name]


def presets(controller: str, root: Path | None = None) -> list[Preset]:
    """Return the styles of a controller, the first one first; its plain one where it has no presets.

    root: the folder of presets, None for the shipped ones. Raises DataError for an unknown controller, and for a preset
    that cannot be read. Their values are checked where they are walked (``Kind.read``): a list shall come at once.
    """
    kind = kind_of(controller)
    return presets_in(controller, root) or [kind.plain]


def preset(controller: str, name: str, root: Path | None = None) -> Preset:
    """Return one style. Raises DataError as ``presets`` does, and that lists the known ones."""
    found = {style.name: style for style in presets(controller, root)}
    if name not in found:
        raise DataError(f"There is no preset {name!r} for {controller}; choose one of {', '.join(sorted(found))}.")
    return found[name]


def kind_in(job: Job) -> Kind:
    """Return the controller of a job.

    Raises DataError for an unknown one, where another's styles follow it, and for keyed numbers that cannot change.
    """
    first = job.preset.controller
    kind = kind_of(first)
    for style in presets_of(job):
        if style.controller != first:
            raise DataError(
                f"The gait {style.label!r} is of {style.controller}, the first one of {first}: "
                "choose gaits of one controller."
            )
        kind.check_keyed(style)
    return kind


def presets_of(job: Job) -> list[Preset]:
    """Return all styles of a job in the order in which they are walked, those of its ending last."""
    return [job.preset, *(cue.preset for cue in job.cues), *job.ending]


for _kind in (GENERALIZED, SIMBICON, PLANAR, LIMIT_CYCLE, KLAW):
    register(_kind)
