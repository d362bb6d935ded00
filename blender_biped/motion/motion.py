"""Motion: what came out of a simulation, complete for baking and measuring. Kept as .npz without pickles."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import DataError, shortened
from ..base.fields import Fields
from ..base.files import opened, written
from ..base.limits import MAX_MOTION_BYTES, MAX_QUOTED
from ..base.spatial import Array, continuous, interpolated_rotation, off_unit
from ..character.model import Character
from ..character.reading import character_from_json

VERSION = 1
THINGS_VERSION = 2
"""Of a motion that has props, which programs that know version 1 alone would leave out without a word."""

_MOST_ATTEMPTS = 10
_AT_ONCE = 1200  # samples whose links' places are in memory while only their mean is needed
RATE = 120.0
"""Samples a second: a multiple of the common frame rates 24, 30 and 60."""


End = Literal["fell", "unfinished"]
"""How a walk ended that did not arrive."""


@dataclass(frozen=True)
class Failure:
    """A walk that did not arrive: how, when it fell or was given up, s, and its share of the desired speed."""

    how: End
    time: float
    speed: float = 1.0

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {"how": self.how, "time": self.time, "speed": self.speed}


@dataclass(frozen=True)
class Attempt:
    """What a motion is of that is not its job's own walk, for that fell or did not arrive: see ``fallback``.

    controller, preset, label: who walks it, and in which style, with what people call that. simulated: whether it is by
    physics. speed: share of the desired speed. wider: whether its feet are set down farther apart. before: the walks
    that failed before it, the job's own first. another: whether it is simulated by another controller than the job's.
    """

    controller: str
    preset: str
    label: str
    simulated: bool
    speed: float
    wider: bool
    before: tuple[Failure, ...]
    another: bool = False

    @property
    def kind(self) -> Literal["calmer", "another", "kinematic"]:
        """Which attempt it is: the job's own walk but slower, another controller's, or one without physics."""
        if not self.simulated:
            return "kinematic"
        return "another" if self.another else "calmer"

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {
            "controller": self.controller, "preset": self.preset, "label": self.label, "simulated": self.simulated,
            "speed": self.speed, "wider": self.wider, "before": [failure.as_json() for failure in self.before],
            "another": self.another,
        }  # fmt: skip


@dataclass(frozen=True)
class Motion:
    """One simulated walk, sampled at RATE.

    character: who walked. times (T,): s from the start.
    root (T, 3): the mid-hip, world, m. rotations (T, L, 4): world orientation of each link, continuous in sign.
    loads (T, 2): vertical contact force under the left and right foot (toes included), N.
    torques (T, L, 3): torque of each link's joint on it, world axes, N m; zero for the pelvis.
    strikes, lifts (K, 2): foot strikes and toe-offs: time s, and foot (0 left, 1 right).
    command (T, 3): desired speed m/s, desired heading rad (unwrapped), arc length reached on the path m.
    cpu: CPU seconds that simulate used. outcome: "arrived", "time" (duration over), "stuck" (on the
    spot) or "fell".
    perturbations (S, N): scalings of limit-cycle control for each step, with which a Job replays it; else (0, 0).
    attempt: what it is of where it is not the job's own walk.
    things (T, 7 P): place, m, and orientation, w, x, y, z, of each of the P props of the job's world, in their order.
    """

    character: Character
    times: Array
    root: Array
    rotations: Array
    loads: Array
    torques: Array
    strikes: Array
    lifts: Array
    command: Array
    cpu: float
    outcome: str
    perturbations: Array = field(default_factory=lambda: np.zeros((0, 0)))
    attempt: Attempt | None = None
    things: Array = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def props(self) -> Array:
        """Of each prop (T, P, 7): place, m, and orientation, w, x, y, z."""
        return self.things.reshape(len(self.times), -1, 7) if self.things.size else np.zeros((len(self.times), 0, 7))

    @cached_property
    def origins(self) -> Array:
        """Origin of each link (T, L, 3), world, m."""
        return self.character.forward_kinematics(self.root, self.rotations)

    @cached_property
    def coms(self) -> Array:
        """Centre of mass of each link (T, L, 3), world, m."""
        return self.character.com_positions(self.origins, self.rotations)

    @cached_property
    def com(self) -> Array:
        """Centre of mass of the whole body (T, 3), world, m."""
        share = self.character.masses / self.character.mass
        found = np.empty((len(self.root), 3))
        for first in range(0, len(found), _AT_ONCE):  # all links of an hour's walk at once are gigabytes
            part = slice(first, first + _AT_ONCE)
            if "origins" in self.__dict__:
                origins = self.origins[part]
            else:
                origins = self.character.forward_kinematics(self.root[part], self.rotations[part])
            coms = self.character.com_positions(origins, self.rotations[part])
            found[part] = np.einsum("l,tlk->tk", share, coms)
        return found

    @property
    def duration(self) -> float:
        """Length, s."""
        return float(self.times[-1])

    def part(self, first: int, end: int) -> Motion:
        """Return the samples from one to before another, and the contacts in their time; times stay as they are."""
        names = ["times", "root", "rotations", "loads", "torques", "command"]
        names += ["things"] if self.things.size else []
        sampled: dict[str, Any] = {name: getattr(self, name)[first:end] for name in names}
        begins = self.times[first] if first else -np.inf
        ends = self.times[end] if end < len(self.times) else np.inf
        events: dict[str, Any] = {
            name: found[(found[:, 0] >= begins) & (found[:, 0] < ends)]
            for name, found in (("strikes", self.strikes), ("lifts", self.lifts))
        }
        return replace(self, **sampled, **events)

    def sampled(self, times: ArrayLike) -> Motion:
        """Return the motion at other ascending times (K,), s: positions linear, rotations spherical-linear."""
        at = np.asarray(times, dtype=float)

        def linear(values: Array) -> Array:
            flat = values.reshape(len(values), -1)
            columns = [np.interp(at, self.times, column) for column in flat.T]
            return np.stack(columns, axis=1).reshape((len(at), *values.shape[1:]))

        return replace(
            self,
            times=at,
            root=linear(self.root),
            rotations=continuous(interpolated_rotation(at, self.times, self.rotations)),
            loads=linear(self.loads),
            torques=linear(self.torques),
            command=linear(self.command),
            things=self.sampled_props(self.props, at).reshape(len(at), -1) if self.things.size else self.things,
        )

    def sampled_props(self, props: Array, at: Array) -> Array:
        """Return tracks of props (T, P, 7), see ``props``, at other ascending times (K,), s: (K, P, 7)."""
        found = np.empty((len(at), *props.shape[1:]))
        for k in range(3):
            for i in range(props.shape[1]):
                found[:, i, k] = np.interp(at, self.times, props[:, i, k])
        found[..., 3:] = continuous(interpolated_rotation(at, self.times, continuous(props[..., 3:])))
        return found


_OPTIONAL = {"perturbations": (-1, -1), "things": (-1, -1)}
_ARRAYS = {"times": (-1,), "root": (-1, 3), "rotations": (-1, -1, 4), "loads": (-1, 2), "torques": (-1, -1, 3),
           "strikes": (-1, 2), "lifts": (-1, 2), "command": (-1, 3)}  # fmt: skip
_PART = {name: shape for name, shape in _ARRAYS.items() if name != "torques"}
_SAMPLES = ("times", "root", "rotations", "loads", "torques", "command")


def write_motion(motion: Motion, path: Path) -> None:
    """Write a motion as .npz: arrays, and a JSON header; see ``write_portions``."""
    write_portions(lambda: (motion,), path)


def write_portions(portions: Callable[[], Iterable[Motion]], path: Path) -> None:
    """Write a motion as ``write_motion`` does of which only a portion is in memory at a time.

    portions: gives them anew at each call, in their order, each with some samples and with all that are no samples.
    The file is the old or the new one, never a part. Raises OSError when the disk does not take it, DataError where
    something lies in its place that is not replaced, and for values that are not finite: nothing is written then.
    """
    count = 0
    for motion in portions():
        check_finite(motion)
        count += len(motion.times)
    header = {
        "version": THINGS_VERSION if motion.things.size else VERSION,
        "character": motion.character.as_json(), "cpu": motion.cpu, "outcome": motion.outcome,
        **({"attempt": motion.attempt.as_json()} if motion.attempt else {}),
    }  # fmt: skip
    # As np.savez does, which leaves its archive open where the disk is full, to fail again when that is collected.
    with written(path, lasting=False) as place, zipfile.ZipFile(place, "w") as archive:
        with archive.open("header.npy", "w", force_zip64=True) as file:
            np.save(file, np.array(json.dumps(header)), allow_pickle=False)
        for name in (*_ARRAYS, *_OPTIONAL):
            own = getattr(motion, name)
            sampled = name in _SAMPLES or (name == "things" and motion.things.size > 0)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                _write_head(file, (count, *own.shape[1:]) if sampled else own.shape)
                for portion in portions() if sampled else (motion,):
                    file.write(np.ascontiguousarray(getattr(portion, name), dtype=np.float64).data)


def check_finite(motion: Motion) -> None:
    """Raise DataError for a motion with a value that is not finite, which nobody could bake."""
    for name in (*_ARRAYS, *_OPTIONAL):
        if not np.isfinite(getattr(motion, name)).all():
            raise DataError(
                f"The walk was lost: its {name} are not finite numbers. Take the style's own numbers (Reset All), "
                "or another style."
            )


def _write_head(file: IO[bytes], shape: tuple[int, ...]) -> None:
    npy: Any = np.lib.format  # its functions have no types
    descr = npy.dtype_to_descr(np.dtype(np.float64))
    npy.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})


def read_motion(path: Path) -> Motion:
    """Return the motion in an .npz file. Raises DataError naming what is missing, unknown or not finite."""
    found = _read_arrays(path, ("header", *_ARRAYS))
    try:
        header = Fields(json.loads(str(found["header"])), "motion")
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name}: the motion's header is not valid JSON.") from error
    header.version(VERSION, THINGS_VERSION)
    character = character_from_json(header.child("character").data, "motion.character")
    known = {**_ARRAYS, **{name: shape for name, shape in _OPTIONAL.items() if name in found}}
    _check_all(found, known, len(character.links), path)
    arrays: dict[str, Any] = {name: found[name] for name in known}
    return Motion(
        character=character,
        cpu=header.number("cpu"),
        outcome=header.text("outcome", choices=("arrived", "time", "stuck", "fell")),
        attempt=_attempt(header.child("attempt")) if "attempt" in header.data else None,
        **arrays,
    )


def _attempt(f: Fields) -> Attempt:
    """Return the attempt in a header. Raises DataError."""
    return Attempt(
        controller=f.text("controller"),
        preset=f.text("preset"),
        label=f.text("label"),
        simulated=f.flag("simulated"),
        speed=f.number("speed", 0.0, 1.0),
        wider=f.flag("wider"),
        before=tuple(_failure(failed) for failed in f.objects("before", most=_MOST_ATTEMPTS)),
        another=f.flag("another", False),
    )


def _failure(f: Fields) -> Failure:
    ending: End = "fell" if f.text("how", choices=get_args(End)) == "fell" else "unfinished"
    return Failure(ending, f.number("time", 0.0), f.number("speed", 0.0, 1.0))


def part_file(folder: Path, number: int) -> Path:
    """Return the file of a part of a motion, which are numbered from 0."""
    return folder / f"part-{number}.npz"


def write_part(part: Motion, path: Path) -> None:
    """Write a part of a motion as .npz, without character and torques; otherwise as ``write_portions``.

    It is there under its name as soon as it is whole.
    """
    _write_arrays({name: getattr(part, name) for name in _PART}, path)


def read_part(path: Path, character: Character) -> Motion:
    """Return a part of the character's motion from an .npz file, without torques. Raises DataError."""
    found = _read_arrays(path, tuple(_PART))
    _check_all(found, _PART, len(character.links), path)
    arrays: dict[str, Any] = {name: found[name] for name in _PART}
    return Motion(
        character=character,
        torques=np.zeros((*found["rotations"].shape[:2], 3)),
        cpu=0.0,
        outcome="time",
        **arrays,
    )


def with_parts(parts: Sequence[Motion], new: Sequence[Motion]) -> list[Motion]:
    """Return parts of a motion with those that came after them; anew from where it falls back on another walk."""
    found = list(parts)
    for part in new:
        found = [part] if part.times[0] == 0.0 else [*found, part]
    return found


def joined(parts: Sequence[Motion]) -> Motion:
    """Return the motion of consecutive parts, each with all contacts since the walk's begin: so far as they go."""
    names = (*_SAMPLES, *(("things",) if all(part.things.size for part in parts) else ()))
    samples = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return replace(parts[-1], **{**samples, "rotations": continuous(samples["rotations"])})


def _write_arrays(arrays: Mapping[str, NDArray[Any]], path: Path) -> None:
    with written(path, lasting=False) as place, zipfile.ZipFile(place, "w") as archive:  # see ``write_portions``
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.save(file, array, allow_pickle=False)


def _read_arrays(path: Path, needed: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file by their names. Raises DataError naming what is missing."""
    try:
        with opened(path) as content:
            _check_size(content.seek(0, 2), path)
            with zipfile.ZipFile(content) as archive:
                _check_size(sum(entry.file_size for entry in archive.infolist()), path)
            content.seek(0)
            with np.load(content, allow_pickle=False) as file:
                found = {name: file[name] for name in (*needed, *_OPTIONAL) if name in file.files}
    except DataError:
        raise
    except Exception as error:  # a damaged archive, or head of an array, lets through what each of its readers raises
        said = " ".join(str(error).split()) or type(error).__name__
        raise DataError(f"Cannot read the motion {path.name}: {shortened(said, MAX_QUOTED * 2)}.") from error
    for name in needed:
        if name not in found:
            raise DataError(f"{path.name}: the motion has no {name!r}.")
    return found


def _check_size(size: int, path: Path) -> None:
    if size > MAX_MOTION_BYTES:
        raise DataError(f"{path.name} has {size / 2**20:.0f} MB; at most {MAX_MOTION_BYTES / 2**20:.0f} are read.")


def _check_all(found: Mapping[str, Array], known: Mapping[str, tuple[int, ...]], links: int, path: Path) -> None:
    for name, shape in known.items():
        _check(name, found[name], shape, links)
    sampled = [name for name in known if name in _SAMPLES]
    things = found["things"] if "things" in known else np.zeros((0, 0))
    if things.shape[1] % 7 or (things.size and off_unit(things.reshape(-1, 7)[:, 3:])):
        raise DataError(f"{path.name}: motion.things: expected a place and a unit quaternion for each prop.")
    if len({len(found[name]) for name in sampled} | ({len(things)} if things.size else set())) != 1:
        raise DataError(f"{path.name}: the motion's arrays differ in length.")
    if not len(found["times"]) or (np.diff(found["times"]) <= 0.0).any():
        raise DataError(f"{path.name}: expected samples at rising times.")
    if off_unit(found["rotations"]):
        raise DataError(f"{path.name}: motion.rotations are no unit quaternions.")


def _check(name: str, array: Array, shape: tuple[int, ...], links: int) -> None:
    wanted = (shape[0], links, shape[2]) if len(shape) == 3 else shape
    if not isinstance(array, np.ndarray):
        raise DataError(f"motion.{name}: expected an array.")
    if array.dtype != np.float64 or array.ndim != len(wanted):
        raise DataError(f"motion.{name}: expected {len(wanted)} dimensions, found {array.dtype} {array.shape}.")
    if any(w not in (-1, s) for w, s in zip(wanted, array.shape, strict=True)):
        raise DataError(f"motion.{name}: expected shape {wanted}, found {array.shape}.")
    if not np.isfinite(array).all():
        raise DataError(f"motion.{name} has a value that is not a finite number.")
