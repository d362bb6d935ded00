"""All controllers: the one place that knows which there are. To add one, declare its ``Kind`` and list it here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ..base.errors import DataError
from ..base.fields import Fields, load_json
from ..base.once import once_for_each
from ..job import Job
from ..preset.declared import with_values
from ..preset.mix import mixed
from ..preset.own import MAX_DESCRIPTION, MAX_FILE, checked_label, style_content, write_file
from ..preset.preset import (
    COMMON,
    Preset,
    in_order,
    preset_files,
    preset_from_json,
    read_preset,
    speeds_of,
    usual_speed,
)
from ..preset.preset import presets as presets_in
from ..world.passable import check_ground
from ..world.treads import Treads, check_treads, treads_of
from .generalized.kind import GENERALIZED
from .kind import RATES, Kind, Stop
from .kinematic import KLAW
from .limit_cycle.kind import LIMIT_CYCLE
from .natural.kind import NATURAL
from .shared.legs import legs_of
from .simbicon.kind import PLANAR, SIMBICON

_kinds: dict[str, Kind] = {}

DEFAULT = NATURAL
"""The controller of a new walk."""

CAPTURING = NATURAL
"""The one that makes styles of captured walks."""

POSING = SIMBICON
"""The one that makes styles of poses."""

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


@dataclass(frozen=True)
class Styles:
    """The styles of a controller: those that are shipped, behind them those of one's own.

    own: the names of one's own. broken: which files were left out, and why.
    """

    styles: tuple[Preset, ...]
    own: frozenset[str] = frozenset()
    broken: tuple[str, ...] = ()


def all_styles(controller: str, own: Path | None = None, root: Path | None = None) -> Styles:
    """Return all styles of a controller; one that cannot be read is left out, whatever is wrong with it.

    own: the folder of one's own, None for none; their values are checked here, since people write them. root: the
    folder of presets, None for the shipped ones. Raises DataError for an unknown controller.
    """
    kind = kind_of(controller)
    shipped, broken = _readable(preset_files(controller, root), lambda file: _with_speeds(read_preset(file)))
    known = {style.name for style in shipped}

    def read_own(file: Path) -> Preset:
        if file.stem in known:
            raise DataError(f"{file.name}: there is a style of that name already; give the file another name.")
        return own_style(file, kind, root)

    found, wrong = _readable(preset_files(controller, own) if own else (), read_own)
    styles = (*in_order(shipped or [kind.plain]), *in_order(found))  # whatever is saved, the first one stays the first
    return Styles(styles, frozenset(style.name for style in found), (*broken, *wrong))


def own_style(file: Path, kind: Kind | None = None, root: Path | None = None) -> Preset:
    """Return a style from a file that may be anybody's, with all its values, checked. It may be like a shipped one.

    kind: whose it must be, None for any. root: the folder of presets, None for the shipped ones. Raises DataError
    that says what is wrong.
    """
    whose = kind or kind_of(Fields(load_json(file, MAX_FILE), file.name).text("controller"))
    return _checked_style(read_preset(file, preset_files(whose.name, root), MAX_FILE), file, whose)


def write_own_style(file: Path, style: Preset) -> None:
    """Write a style, whole or not at all, with the folder that it lies in, so that ``own_style`` reads it again.

    Raises DataError that says why it is not written, or cannot be read again; then the file is as it was.
    """
    content = style_content(style)
    try:
        made = preset_from_json(json.loads(content), file.name, file.stem)
        _checked_style(made, file, kind_of(made.controller))
    except DataError as error:
        raise DataError(f"The style {style.label!r} could not be read again, so it is not written: {error}") from error
    write_file(file, content)
    own_style(file)


def _checked_style(style: Preset, file: Path, whose: Kind) -> Preset:
    """Return a style that was read from a file as it is used here. Raises DataError."""
    if style.controller != whose.name:
        raise DataError(f"{file.name}: it is a style of {style.controller!r}, not of {whose.name!r}.")
    style = replace(style, label=checked_label(style.label), description=style.description[:MAX_DESCRIPTION])
    whose.read(style.values, f"{file.name}: values")
    whose.check_keyed(style)
    return _with_speeds(style)


def mix_of(first: Preset, second: Preset, share: float) -> Preset:
    """Return a style between two of one controller: ``share`` of the second's numbers, 0..1, the rest of the first's.

    What cannot be between (words, graphs of other numbers of poses) stays the first's, and all but the numbers with a
    slider where the rest of a mix is no style. Raises DataError for a style that is unusable itself.
    """
    if first == second or share <= 0.0:
        return first
    kind = kind_of(first.controller)
    a, b = kind.numbers(first.values), kind.numbers(second.values)
    numbers = {
        slider.path: slider.number.held(mixed(a[slider.path], b[slider.path], share))
        for slider in kind.sliders
        if slider.path in a and slider.path in b and a[slider.path] != b[slider.path]
    }
    whole = mixed(first.values, second.values, share)
    own = {name: whole[name] for name in COMMON if name in whole}
    if "rate" in own:  # no style of walking: as in a walk of both
        own["rate"] = max(_rate(first), _rate(second))
    try:
        values = {**with_values(whole, numbers), **own}
        kind.read(values)
    except DataError:
        values = {**with_values(first.values, numbers), **own}
    return replace(first, values=values)


def _rate(style: Preset) -> float:
    """Return how often a second a style wants control at least. Raises DataError."""
    return Fields(style.values, "preset.values").number("rate", *RATES, RATES[0])


def _readable(files: Iterable[Path], read: Callable[[Path], Preset]) -> tuple[list[Preset], tuple[str, ...]]:
    """Return what can be read of files, and why the others cannot."""
    found, broken = [], []
    for file in files:
        try:
            found.append(read(file))
        except DataError as error:
            text = str(error)
            broken.append(text if file.name in text else f"{file.name}: {text}")
    return found, tuple(broken)


def _with_speeds(style: Preset) -> Preset:
    """Return a style whose speeds can be read. Raises DataError."""
    usual_speed(style)
    return style


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


for _kind in (NATURAL, GENERALIZED, SIMBICON, PLANAR, LIMIT_CYCLE, KLAW):
    register(_kind)


def check_terrain(job: Job) -> None:
    """Raise DataError for ground that is not flat which a job's controller cannot walk on.

    One that walks on a height profile does so where the job has that of the ground along its path.
    """
    ground, kind = job.world.ground, kind_in(job)
    if ground is None or (kind.can.slopes and job.relief):
        return
    size = job.character.size
    treads = treads_in(job)
    if treads is not None and kind.treads is not None:
        waits = [point.place for point in job.along if point.wait]
        foot = max(leg.tip - leg.heel for leg in legs_of(job.character))
        check_treads(treads, job.path, job.start, kind.treads, size, kind.label, foot, waits)
        return
    if kind.terrain is None:
        able = ", ".join(other.label for other in kinds() if other.terrain is not None)
        raise DataError(f"{kind.label} needs flat ground; on ground of the scene walks {able}.")
    check_ground(ground, job.path, job.start, kind.terrain, size, kind.label)


@once_for_each
def treads_in(job: Job) -> Treads | None:
    """Return the treads of the ground along a job's path; None where its controller steps on none, or there are none.

    A job's ground is looked at once.
    """
    ground, kind = job.world.ground, kind_in(job)
    if ground is None or kind.treads is None:
        return None
    return treads_of(ground, job.path, job.start, job.character.size)


def idle_hands(kind: Kind, target: str = "") -> str:
    """Return that the hands of a controller do nothing, and who has others. target: what they shall reach."""
    able = ", ".join(other.label for other in kinds() if other.hand_tasks is not None)
    if not target:
        return f"{kind.label} does nothing with its hands: choose {able}."
    return (
        f"{kind.label} does nothing with its hands, so it cannot reach {target!r}: choose {able}, or take "
        "the target away."
    )


def stops_of(job: Job) -> tuple[Stop, ...]:
    """Return where a walk stands for what its hands do, in order. Raises DataError for what it cannot do."""
    targets = job.world.targets
    if not targets:
        return ()
    kind, styles = kind_in(job), presets_of(job)
    if kind.hand_tasks is None:
        raise DataError(idle_hands(kind, targets[0].name))
    slowest = [speeds.slowest if (speeds := speeds_of(style)) else 0.0 for style in styles]
    if max(slowest) > 0.0 or not job.stop:
        raise DataError(
            f"To reach {targets[0].name!r} the walk must be able to stand: let it stop at the path's end, in a style "
            "whose speeds go down to none."
        )
    return kind.hand_tasks(job)
