# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on files that are written and read: links, pipes, devices, read-only ones, a full disk, a killed program."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError
from blender_biped.base.files import read_whole, write_whole
from blender_biped.character.mapping import read_rig_map, write_rig_map
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from blender_biped.company import Companion, Company, read_work, write_work
from blender_biped.control.registry import own_style, presets, write_own_style
from blender_biped.job import job_from_json, read_job, write_job
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.clip import read_bvh
from blender_biped.motion.motion import read_motion, read_part, write_motion, write_part
from blender_biped.preset.preset import Preset
from tools.attack.disk import Disk, full, killed_at, writing_on
from tools.attack.readers import a_motion, odd_style, some_job
from tools.attack.verdict import Rng, demand

_MOST_WRITES = 40  # calls after which a write that is to fail has ended
_OLD = b'{"old": true}\n'


@dataclass(frozen=True)
class _Kind:
    """A kind of file. write: some content by chance, which is returned. read: it again. same: whether both are one."""

    write: Callable[[Path, Rng], Any]
    read: Callable[[Path], Any]
    same: Callable[[Any, Any], bool] = lambda _written, _read: True


def attack_places(rng: Rng, folder: Path) -> str:
    """Write a file over something, on a disk that may be full, in a process that may be killed; or read something."""
    kind = _KINDS[int(rng.integers(len(_KINDS)))]
    file = folder / "x.json"
    if rng.random() < 0.3:
        return _read_odd(kind, file, rng)
    _PLACES[int(rng.integers(len(_PLACES)))](file, rng)
    before = _seen(folder)
    way = rng.random()
    if way < 0.4:
        return _written_over(kind, file, rng, before)
    number, seed = int(rng.integers(1, _MOST_WRITES)), int(rng.integers(2**31))
    if way < 0.75:
        return _on_a_full_disk(kind, file, number, seed, before)
    return _in_a_killed_process(kind, file, number, seed, before)


def _written_over(kind: _Kind, file: Path, rng: Rng, before: Any) -> str:
    """Write; what is refused changes nothing, and what is not is read again. Raises BipedError, FaultError."""
    had = file.is_file() and stat.S_IMODE(file.stat().st_mode)
    try:
        content = kind.write(file, rng)
    except (BipedError, OSError) as error:
        demand(_seen(file.parent) == before, "a refused write has changed something")
        if isinstance(error, BipedError):
            raise
        return "not written"
    demand(kind.same(content, kind.read(file)), "something else is read than was written")
    demand(not had or stat.S_IMODE(file.stat().st_mode) == had, "a file has other rights than before")
    return "written"


def _on_a_full_disk(kind: _Kind, file: Path, number: int, seed: int, before: Any) -> str:
    """Write where the disk is full from a call on. Raises FaultError."""
    with writing_on(Disk(number, full)) as disk, suppress(BipedError, OSError):
        kind.write(file, _rng(seed))
    return _old_or_new(kind, file, before, disk.count >= number)


def _in_a_killed_process(kind: _Kind, file: Path, number: int, seed: int, before: Any) -> str:
    """Write in a process that is killed at a call. Raises FaultError."""
    try:
        stopped = killed_at(number, lambda: kind.write(file, _rng(seed)))
    except ChildProcessError:  # the place is refused before anything is written
        stopped = True
    for left in file.parent.glob(".biped-*.part"):
        left.unlink()
    return _old_or_new(kind, file, before, stopped)


def _old_or_new(kind: _Kind, file: Path, before: Any, stopped: bool) -> str:
    """Return what is there: all as before, or a whole new file. Raises FaultError for anything between."""
    if _seen(file.parent) == before:
        return "the old one"
    demand(file.is_file() and not file.is_symlink(), "something that is no file lies there after a write")
    try:
        kind.read(file)
    except BipedError as error:
        demand(False, f"half a file is left: {error}")
    return "the new one, stopped behind it" if stopped else "the new one"


def _rng(seed: int) -> Rng:
    import numpy as np

    return np.random.default_rng(seed)


def _seen(folder: Path) -> Any:
    """Return what lies in a folder: kinds, rights and contents by names."""

    def one(file: Path) -> tuple[Any, ...]:
        known = file.lstat()
        whole = file.read_bytes() if stat.S_ISREG(known.st_mode) else b""
        to = os.readlink(file) if stat.S_ISLNK(known.st_mode) else ""
        return known.st_mode, known.st_uid, known.st_gid, whole, to

    return {str(file.relative_to(folder)): one(file) for file in sorted(folder.rglob("*"))}


# --- where it is written ---------------------------------------------------------------------------------------------


def _nothing(file: Path, _rng: Rng) -> None:
    """Leave it empty."""


def _plain(file: Path, rng: Rng) -> None:
    file.write_bytes(_OLD)
    file.chmod(int(rng.choice((0o600, 0o644, 0o664, 0o640, 0o755))))


def _read_only(file: Path, rng: Rng) -> None:
    file.write_bytes(_OLD)
    file.chmod(int(rng.choice((0o400, 0o444, 0o555))))


def _link(file: Path, rng: Rng) -> None:
    target = ("other.json", "nowhere/x.json", file.name, "/dev/null", "/dev/full", "..")[int(rng.integers(6))]
    if target == "other.json":
        (file.parent / target).write_bytes(_OLD)
    file.symlink_to(target)


def _pipe(file: Path, _rng: Rng) -> None:
    os.mkfifo(file)


def _folder(file: Path, rng: Rng) -> None:
    file.mkdir()
    if rng.random() < 0.5:
        (file / "inside").write_bytes(_OLD)


_PLACES = (_nothing, _plain, _plain, _read_only, _link, _link, _pipe, _folder)


# --- what is read ----------------------------------------------------------------------------------------------------


def _read_odd(kind: _Kind, file: Path, rng: Rng) -> str:
    """Read what is no file, or one without end. Raises BipedError, FaultError."""
    way = int(rng.integers(7))
    if way == 0:
        os.mkfifo(file)
    elif way == 1:
        file.symlink_to(("/dev/zero", "/dev/urandom", "/dev/full", "/dev/null")[int(rng.integers(4))])
    elif way == 2:
        file.symlink_to(("/proc/self/maps", "/proc/kallsyms", "/proc/self/environ")[int(rng.integers(3))])
    elif way == 3:
        file.mkdir()
    elif way == 4:
        with file.open("wb") as hole:
            hole.truncate(int(rng.choice((2**20 + 1, 2**28 + 1, 2**34))))
    elif way == 5:
        file.symlink_to(file.name)
    else:
        file = file.parent / ("a\0b", "x" * 300, "")[int(rng.integers(3))]
    try:
        kind.read(file)
    except OSError as error:
        return f"not read: {error.strerror}"
    demand(way == 2, "something is read of what is none")  # some of the system's files are text
    return "read"


@cache
def _rig_map() -> Any:
    return map_bones(standard_armature())


def _style(file: Path, rng: Rng) -> Preset:
    """Write a style as one that was imported, with something odd about it. Raises BipedError."""
    style = odd_style(rng)
    write_own_style(file, style)
    return style


def _mapping(file: Path, rng: Rng) -> Any:
    found = _rig_map()
    if rng.random() < 0.4:
        names = tuple(f"b{k}" for k in range(int(rng.choice((1, 1000, 100_001)))))
        odd = (names, ("\ud800",), ("",), ("x" * 9_000,))[int(rng.integers(4))]
        found = replace(found, bones={**found.bones, "pelvis": odd})
    write_rig_map(file, found)
    return found


def _job(file: Path, rng: Rng) -> Any:
    job = some_job(rng)
    write_job(job, file)
    return job


def _company(file: Path, rng: Rng) -> Any:
    style = next(iter(presets("natural")))
    work = Company((Companion(replace(some_job(rng), preset=style, cues=(), relief=(), along=())),))
    write_work(work, file)
    return work


def _picture(file: Path, rng: Rng) -> bytes:
    content = rng.bytes(int(rng.integers(1, 9000)))
    write_whole(file, content)
    return content


_KINDS = (
    _Kind(_style, own_style, lambda style, read: bool(style.keyed == read.keyed and style.label == read.label)),
    _Kind(_style, own_style),
    _Kind(_mapping, read_rig_map, lambda rig_map, read: bool(rig_map.bones == read.bones)),
    _Kind(_job, read_job, lambda job, read: bool(read == job_from_json(json.loads(json.dumps(job.as_json()))))),
    _Kind(_company, read_work),
    _Kind(lambda file, _rng: write_motion(a_motion(), file), read_motion),
    _Kind(lambda file, _rng: write_part(a_motion(), file), lambda file: read_part(file, a_motion().character)),
    _Kind(lambda file, _rng: write_bvh(a_motion(), file), read_bvh),
    _Kind(_picture, lambda file: read_whole(file, 2**20), lambda written, read: bool(written == read)),
)
