# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on what is read from files: jobs, presets, mappings, motions, and the names of markers."""

from __future__ import annotations

import json
import math
import pickle
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from blender_biped.character.body import build_character
from blender_biped.character.mapping import check_rig_map, read_rig_map
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.registry import all_styles, kind_of, kinds, mix_of, own_style, presets
from blender_biped.job import Job, Push, job_from_json, read_job
from blender_biped.motion.motion import Motion, joined, read_motion, read_part, write_motion, write_part
from blender_biped.motion.summary import summarised
from blender_biped.motion.watch import Watch
from blender_biped.preset.cue import Cue
from blender_biped.preset.markers import MarkerReader, names_of, read_markers
from blender_biped.preset.preset import Preset, read_preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path as Way
from blender_biped.world.path_points import PathPoint
from tools.attack.mutation import as_text, mutated, mutated_array, mutated_bytes, mutated_text
from tools.attack.verdict import Rng, demand

WALKED = 0.25  # s on the clock that a walk may go on, which then could go on
_AS_TEXT = 0.2  # share of files that are broken as text
_UNIT = 1e-6  # by which a rotation's length may differ from 1
_BOMB = 2**31  # bytes that a small file says to hold


class _EnoughError(Exception):
    """The walk goes on, and has been looked at for long enough."""


def walked(job: Job, folder: Path | None = None) -> str:
    """Simulate a job for a while; return what came of it. Raises BipedError, FaultError for a motion that is none.

    folder: where the motion is written to and read again, None for nowhere.
    """
    parts: list[Motion] = []
    until = time.monotonic() + WALKED

    def progress(share: float) -> None:
        demand(0.0 <= share <= 1.0, f"a progress of {share}")
        if time.monotonic() > until:
            raise _EnoughError

    try:
        motion = simulate(job, Watch(progress, parts.append))
    except _EnoughError:
        check_motion(joined(parts)) if parts else None
        return "walks on"
    check_motion(motion)
    if folder:
        write_motion(motion, folder / "motion.npz")
        again = read_motion(folder / "motion.npz")
        demand(np.array_equal(again.rotations, motion.rotations), "another motion is read than was written")
        if len(motion.times) > 1:
            summarised(again, job)
    return f"walked: {motion.outcome}"


def check_motion(motion: Motion) -> None:
    """Raise FaultError for a motion that has values which are no numbers, or rotations which are none."""
    for name in ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command"):
        demand(bool(np.isfinite(getattr(motion, name)).all()), f"a motion with {name} that are not finite")
    demand(len(motion.times) > 0, "a motion without samples")
    off = np.abs(np.linalg.norm(motion.rotations, axis=-1) - 1.0).max()
    demand(float(off) < _UNIT, f"a motion whose rotations are {off:.1e} off")


@cache
def _styles() -> tuple[Preset, ...]:
    return tuple(style for kind in kinds() for style in presets(kind.name))


@cache
def _body() -> Character:
    return standard_character()


def some_job(rng: Rng) -> Job:
    """Return a short walk of any style, now and then with all that a job can have."""
    style = _styles()[int(rng.integers(len(_styles())))]
    turns = np.linspace(0.0, 5.0, 12)
    ways = (
        Way([[0.0, 0.0], [1.5, 0.0]]),
        Way(np.stack((turns, np.sin(turns)), axis=1)),
        Way([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]], closed=True, laps=int(rng.integers(1, 4))),
    )
    way = ways[0 if kind_of(style.controller).can.plane else int(rng.integers(len(ways)))]
    job = Job(_body(), way, style, speed=float(rng.uniform(0.3, 2.0)), duration=0.4)
    kind = kind_of(style.controller)
    if rng.random() < 0.3 and kind.can.change:
        others = [s for s in _styles() if s.controller == style.controller]
        cue = Cue(float(rng.uniform(0.0, 1.0)), others[int(rng.integers(len(others)))], int(rng.integers(3)))
        job = replace(job, cues=(cue,))
    if rng.random() < 0.3:
        job = replace(job, pushes=(Push("chest", 0.1, 0.2, (float(rng.normal(scale=300.0)), 50.0, 0.0)),))
    if rng.random() < 0.2 and kind.can.slopes:
        job = replace(job, relief=((0.0, 0.0), (1.0, 0.1)))
    if rng.random() < 0.3:
        job = replace(job, along=(PathPoint(0.3, 1.0, 0.2), PathPoint(1.0, time=5.0)))
    if rng.random() < 0.3:
        job = replace(job, speeds=((0.0, 1.0), (0.3, 1.2)))
    keyed = [slider for slider in kind.sliders if slider.number.keyed]
    if rng.random() < 0.3 and keyed:
        slider = keyed[int(rng.integers(len(keyed)))]
        low, high = slider.number.held(-math.inf), slider.number.held(math.inf)
        job = replace(job, preset=replace(style, keyed={slider.path: ((0.0, low), (0.3, high))}))
    return replace(job, gravity=float(rng.choice((9.81, 1.62, 30.0))), ground=float(rng.choice((0.0, 100.0))))


def broken(data: Any, rng: Rng) -> bytes:
    """Return the bytes of a JSON file of data with something wrong in it, in a value or in the text."""
    if rng.random() < _AS_TEXT:
        return mutated_text(as_text(data), rng)
    return as_text(mutated(data, rng)).encode("utf-8", "surrogatepass")


def attack_job(rng: Rng, folder: Path) -> str:
    """Read a job with something wrong in it, and simulate it where it is taken."""
    file = folder / "job.json"
    file.write_bytes(broken(some_job(rng).as_json(), rng))
    return walked(read_job(file), folder if rng.random() < 0.1 else None)


def attack_preset(rng: Rng, folder: Path) -> str:
    """Read a style with something wrong in it as one of one's own, mix it and walk it where it is taken."""
    style = _styles()[int(rng.integers(len(_styles())))]
    data = style.as_json()
    data.pop("name")
    if rng.random() < 0.2:
        data["like"] = style.name
    file = folder / style.controller / f"{'x' if rng.random() < 0.9 else 'default'}.json"
    file.parent.mkdir()
    file.write_bytes(broken(data, rng))
    found = all_styles(style.controller, own=folder)
    demand(len(found.styles) >= len(presets(style.controller)), "a broken style takes others along")
    for text in found.broken:
        demand(len(text) <= 1000 and file.name in text, f"a style that is left out says {text[:100]!r}")
    read_preset(file)
    own = own_style(file)
    mix_of(own, style, float(rng.random()))
    mix_of(style, own, float(rng.random()))
    return walked(replace(some_job(rng), preset=own, cues=(), relief=(), along=()))


@cache
def _rig() -> Any:
    rig = standard_armature()
    return rig, map_bones(rig)


def attack_mapping(rng: Rng, folder: Path) -> str:
    """Read a mapping with something wrong in it, and make a body of it where it is taken."""
    rig, rig_map = _rig()
    file = folder / "mapping.json"
    file.write_bytes(broken(rig_map.as_json(), rng))
    found = read_rig_map(file)
    check_rig_map(found, rig)
    body = build_character(rig, found, None if rng.random() < 0.7 else float(10.0 ** rng.uniform(-6, 9)))
    job = replace(some_job(rng), character=body, pushes=())
    return walked(job_from_json(json.loads(json.dumps(job.as_json()))))


def odd_style(rng: Rng) -> Preset:
    """Return a style as its sliders and keys could have made it, now and then with more than a file may hold."""
    style = _styles()[int(rng.integers(len(_styles())))]
    label = ("Mine", "Müder Gang", "走る", "x" * 200, "a\x00b", "Hero: Walk", "\ud800", "")[int(rng.integers(8))]
    style = replace(style, name="x", label=label if rng.random() < 0.4 else "Mine")
    keyed = [slider for slider in kind_of(style.controller).sliders if slider.number.keyed]
    if keyed and rng.random() < 0.6:
        slider = keyed[int(rng.integers(len(keyed)))]
        low, high = slider.number.held(-math.inf), slider.number.held(math.inf)
        count = int(rng.choice((1, 100, 5_000, 30_000, 100_001)))
        track = tuple((k / 7.0, low + (high - low) * (k % 11) / 10.0) for k in range(count))
        style = replace(style, keyed={slider.path: track})
    return replace(style, description="d" * int(rng.choice((0, 300, 2_000_000)))) if rng.random() < 0.2 else style


@cache
def a_motion() -> Motion:
    """Return some samples of a walk."""
    return _motion()[0].part(0, 20)


@cache
def _motion() -> tuple[Motion, Mapping[str, Any]]:
    """Return a walk of a second, and the arrays of its file."""
    job = Job(_body(), Way([[0.0, 0.0], [3.0, 0.0]]), presets("generalized")[0], duration=1.0)
    motion = simulate(job)
    names = ("times", "root", "rotations", "loads", "torques", "strikes", "lifts", "command", "perturbations")
    header = {"version": 1, "character": motion.character.as_json(), "cpu": motion.cpu, "outcome": motion.outcome}
    return motion, {"header": np.array(json.dumps(header)), **{name: getattr(motion, name) for name in names}}


def attack_motion(rng: Rng, folder: Path) -> str:
    """Read a motion or a part of one with something wrong in it, and look at it where it is taken."""
    motion, arrays = _motion()
    file = folder / "motion.npz"
    part = rng.random() < 0.3
    (write_part if part else write_motion)(motion, file)
    whole = file.read_bytes()
    ways: tuple[Callable[[], None], ...] = (
        lambda: _put(file, mutated_bytes(whole, rng)),
        lambda: _put(file, mutated_bytes(whole, rng)),
        lambda: _put(file, whole[: int(rng.integers(len(whole)))]),
        lambda: np.savez(file, **_with_one(arrays, rng)),
        lambda: np.savez(file, **_with_one(arrays, rng)),
        lambda: np.savez_compressed(file, **_with_one(arrays, rng)),
        lambda: np.savez(file, **{**arrays, "header": np.array(as_text(_odd_header(arrays, rng)))}),
        lambda: np.savez(file, **{k: v for k, v in arrays.items() if rng.random() < 0.9}),
        lambda: _pickled(file, arrays),
        lambda: _bomb(file, arrays, rng),
        lambda: _entries(file, whole, rng),
        lambda: _put(file, mutated_text(as_text({"a": 1.5}), rng)),
    )
    ways[int(rng.integers(len(ways)))]()
    found = read_part(file, motion.character) if part else read_motion(file)
    found.sampled(np.linspace(0.0, found.duration, 7))
    demand(bool(np.isfinite(found.origins).all()), "a motion whose body is not finite")
    joined([found, found])
    return "read"


def _put(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def _with_one(arrays: Mapping[str, Any], rng: Rng) -> dict[str, Any]:
    """Return arrays of which one is wrong."""
    names = [name for name in arrays if name != "header"]
    name = names[int(rng.integers(len(names)))]
    return {**arrays, name: mutated_array(arrays[name], rng)}


def _odd_header(arrays: Mapping[str, Any], rng: Rng) -> Any:
    return mutated(json.loads(str(arrays["header"])), rng)


def _pickled(file: Path, arrays: Mapping[str, Any]) -> None:
    np.savez(file, **{**arrays, "root": np.array([print, {}, "a"], dtype=object)})


def _bomb(file: Path, arrays: Mapping[str, Any], rng: Rng) -> None:
    """Write a small file that says to hold much: by its array's shape, or packed."""
    np.savez(file, **{name: value for name, value in arrays.items() if name != "root"})
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        if rng.random() < 0.5:
            count = int(rng.choice((_BOMB, 2**40, 2**62, 10**18, 10**30)))
            text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count}, 3), }}"
            archive.writestr("root.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode())
            return
        text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({_BOMB // 24 // 16}, 3), }}"
        with archive.open("root.npy", "w", force_zip64=True) as entry:
            entry.write(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode())
            for _ in range(16):
                entry.write(bytes(_BOMB // 16 // 16))


def _entries(file: Path, whole: bytes, rng: Rng) -> None:
    """Write the archive with another head for one of its arrays."""
    heads = (
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (",
        b"(" * 900 + b")" * 900,
        b"{'descr': [('a', '<f8', (2, 2))], 'fortran_order': False, 'shape': (3, 3), }",
        b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 3), }",
        b"__import__('os').system('true')",
        b"{'descr': '<f8'" + b"\x00" * 10,
        b"{'shape': 9, 'descr': 1, 'fortran_order': 2}",
    )
    head = heads[int(rng.integers(len(heads)))]
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("header.npy", pickle.dumps([zlib.crc32(whole)]) if rng.random() < 0.2 else b"")
        archive.writestr("times.npy", b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)


def attack_markers(rng: Rng, folder: Path) -> str:
    """Read what a timeline's markers say, with names by chance."""
    names = names_of(_styles())
    words = ("Run", "walk", "1.6", "m/s", "km/h", ":", "Hero", "9" * 400, "1e9", "٣", "\x00", "é", " ", "\t", "走る",
             ".,", "-1", "nan", "inf", "fast walk", "_" * 60, "\ud800")  # fmt: skip
    marks = []
    for _ in range(int(rng.integers(1, 60))):
        chosen = [words[int(i)] for i in rng.integers(len(words), size=int(rng.integers(0, 6)))]
        frame = int(rng.choice((-(2**31), -1, 0, 1, 10, 2**31 - 1)))
        marks.append((frame, (" " if rng.random() < 0.7 else "").join(chosen)))
    found = read_markers(marks, MarkerReader("Hero", ("Hero", "Läufer 走る", ""), names))
    for change in found.changes:
        speed = change.speed
        demand(speed is None or math.isfinite(speed), f"a marker {change.marker!r} with a speed of {speed}")
    for doubt in found.doubts:
        demand(len(doubt) <= 1000, f"a doubt of {len(doubt)} characters")
    return f"{min(len(found.changes), 1)} read"
