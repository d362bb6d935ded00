"""Job: everything one simulated walk needs, and nothing of Blender. Written and read as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from .base.errors import DataError
from .base.fields import Fields, load_json
from .base.files import written
from .base.limits import MAX_DURATION, MAX_EVENTS
from .character.model import Character
from .character.reading import character_from_json
from .character.reference import GRAVITY
from .preset.cue import Cue
from .preset.keyed import at_time
from .preset.preset import Preset, Track, preset_from_json, read_track
from .world.floor import Floor
from .world.footholds import DesiredFoothold, read_footholds
from .world.path import Path
from .world.path_points import PathPoint, read_points
from .world.world import EMPTY, World, world_from_json

VERSION = 1
WORLD_VERSION = 2
"""Of a job that has a world, which programs that know version 1 alone would leave out without a word."""

_KEYS = ("version", "character", "path", "preset", "speed", "start", "stop", "ground", "duration", "seed", "gravity",
         "pushes", "cues", "ending", "facing", "step_width", "relief", "perturbations", "speeds", "along", "fall_back",
         "ragdoll", "world", "footholds")  # fmt: skip
MAX_SPEED = 100.0  # m/s, a bound for typing mistakes; controllers have their own ranges
MAX_STEP_WIDTH = 10.0  # m, likewise
MAX_RAGDOLL = 60.0  # s
MAX_SEED = 2**31


@dataclass(frozen=True)
class Job:
    """One walk to simulate. The same Job gives the same Motion, bit for bit, on one machine.

    character: who walks. path: where. preset: which controller and style.
    speed: desired along the path, m/s. speeds: the same over time where it changes, until a cue says another.
    start: distance along the path where it begins, m.
    stop: whether to come to rest at the path's end. ground: height of the floor, world, m.
    duration: longest simulated time, s; 0 for as long as the path needs.
    pushes: forces that act on a link for a time, as an external disturbance.
    gravity: m/s2; more makes quicker steps, as small models of large things are filmed.
    cues: what gait to go over to, and when. ending: the gaits through which it slows down to stop.
    facing: where it looks, rad to the left of where it goes. step_width: m by which feet are set down farther apart.
    relief: (arc length, height above ``ground``), m, of the ground along the path, see ``HeightProfile``; flat without.
    perturbations: of the first steps, as a Motion of limit-cycle control records them: those are taken as they are.
    along: what is desired at places of the path, in their order: speeds, times to be there, waits.
    seed: 0 for the nominal start, else a small perturbation of it for studies.
    fall_back: whether a walk that falls or does not arrive is tried again calmer, and then by KLAW, see ``fallback``.
    world: ground, things and winds, see ``World``; a flat floor alone without any.
    ragdoll: longest time, s, for which a body that falls is simulated on, limp, until it lies still, in place of what
    the walk would fall back on; 0 to end with the fall.
    footholds: where feet are desired to be set down, each by the step that comes near; see ``DesiredFoothold``.
    """

    character: Character
    path: Path
    preset: Preset
    speed: float = 1.2
    start: float = 0.0
    stop: bool = True
    ground: float = 0.0
    duration: float = 0.0
    pushes: tuple[Push, ...] = ()
    seed: int = 0
    gravity: float = GRAVITY
    cues: tuple[Cue, ...] = ()
    ending: tuple[Preset, ...] = ()
    facing: float = 0.0
    step_width: float = 0.0
    relief: tuple[tuple[float, float], ...] = ()
    perturbations: tuple[tuple[float, ...], ...] = ()
    speeds: Track = ()
    along: tuple[PathPoint, ...] = ()
    fall_back: bool = False
    world: World = EMPTY
    ragdoll: float = 0.0
    footholds: tuple[DesiredFoothold, ...] = ()

    def speed_at(self, time: float) -> float:
        """Return the desired speed, m/s, at ``time``, s."""
        return at_time(self.speeds, time) if self.speeds else self.speed

    @property
    def floor(self) -> Floor:
        """The ground, as it is asked for heights and slopes."""
        return Floor(self.ground, self.world.ground)

    @property
    def may_touch(self) -> tuple[str, ...]:
        """The parts, without their side, that may touch the ground beside the feet: hands that pick something up."""
        return ("hand",) if self.world.targets else ()

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``job_from_json`` reads back."""
        whole: dict[str, Any] = {
            "version": VERSION,
            "character": self.character.as_json(),
            "path": self.path.as_json(),
            "preset": self.preset.as_json(),
            "speed": self.speed, "start": self.start, "stop": self.stop, "ground": self.ground,
            "duration": self.duration, "seed": self.seed, "gravity": self.gravity,
            "pushes": [p.as_json() for p in self.pushes],
            "cues": [c.as_json() for c in self.cues],
            "ending": [p.as_json() for p in self.ending],
            "facing": self.facing, "step_width": self.step_width,
            "relief": [list(point) for point in self.relief],
            "perturbations": [list(row) for row in self.perturbations],
            "speeds": [list(point) for point in self.speeds],
            "along": [point.as_json() for point in self.along],
            "fall_back": self.fall_back, "ragdoll": self.ragdoll,
        }  # fmt: skip
        if self.footholds:
            whole["footholds"] = [own.as_json() for own in self.footholds]
        own = any(push.point for push in self.pushes) or not self.world.empty
        return {**whole, "version": WORLD_VERSION, "world": self.world.as_json()} if own else whole


@dataclass(frozen=True)
class Push:
    """A force (3,) N, world, on a link from ``time`` s for ``length`` s.

    point (3,): where on the link, in its frame, m; None for its centre of mass.
    """

    role: str
    time: float
    length: float
    force: tuple[float, float, float]
    point: tuple[float, float, float] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        plain = {"role": self.role, "time": self.time, "length": self.length, "force": list(self.force)}
        return {**plain, "point": list(self.point)} if self.point else plain


def job_from_json(data: Any) -> Job:
    """Return the job in JSON data.

    Raises DataError that names an unknown version, a missing field or a value out of range.
    """
    f = Fields(data, "job")
    f.version(VERSION, WORLD_VERSION)
    f.only(_KEYS)
    character = character_from_json(f.child("character").data, "job.character")
    path = Path.from_json(f.child("path").data, "job.path")
    start = f.number("start", 0.0, 1e6, 0.0)
    if start > path.length:
        raise DataError(f"job.start: {start:.2f} m is beyond the path's end ({path.length:.2f} m); start earlier.")
    return Job(
        character=character,
        path=path,
        preset=preset_from_json(f.child("preset").data, "job.preset"),
        speed=f.number("speed", 0.0, MAX_SPEED),
        start=start,
        stop=f.flag("stop", True),
        ground=f.number("ground", -1e6, 1e6, 0.0),
        duration=f.number("duration", 0.0, MAX_DURATION, 0.0),
        pushes=tuple(_push(push, character) for push in f.objects("pushes", (), MAX_EVENTS)),
        seed=f.integer("seed", 0, MAX_SEED, 0),
        gravity=f.number("gravity", 1e-3, 1e5, GRAVITY),
        cues=tuple(_cue(cue) for cue in f.objects("cues", (), MAX_EVENTS)),
        ending=tuple(preset_from_json(own.data, own.where) for own in f.objects("ending", ())),
        facing=f.number("facing", -math.pi, math.pi, 0.0),
        step_width=f.number("step_width", -MAX_STEP_WIDTH, MAX_STEP_WIDTH, 0.0),
        relief=tuple((s, height) for s, height in f.rows("relief", 2, ())),
        perturbations=_perturbations(f),
        speeds=_track(f, "speeds", MAX_SPEED),
        along=read_points(f, "along", path.length, MAX_SPEED),
        fall_back=f.flag("fall_back", False),
        world=world_from_json(f.data["world"], "job.world") if "world" in f.data else EMPTY,
        ragdoll=f.number("ragdoll", 0.0, MAX_RAGDOLL, 0.0),
        footholds=read_footholds(f, "footholds", path.length),
    )


def _track(f: Fields, name: str, most: float) -> Track:
    """Return numbers over time from 0 to ``most``, none by default. Raises DataError."""
    found = read_track(f, name) if f.items(name, ()) else ()
    for i, (_, value) in enumerate(found):
        if not 0.0 <= value <= most:
            raise DataError(f"{f.where}.{name}[{i}]: {value} is out of range (0 to {most:g}).")
    return found


def _perturbations(f: Fields) -> tuple[tuple[float, ...], ...]:
    """Return rows of as many numbers as the first has. Raises DataError."""
    rows = f.items("perturbations", ())
    first = rows[0] if rows else ()
    return tuple(f.rows("perturbations", len(first) if isinstance(first, Sequence) else 0, ()))


def read_job(path: FilePath) -> Job:
    """Return the job in a JSON file. Raises DataError."""
    return job_from_json(load_json(path))


def write_job(job: Job, path: FilePath) -> None:
    """Write a job as JSON. Raises OSError when the disk does not take it, DataError as ``written`` does."""
    content = json.dumps(job.as_json(), allow_nan=False).encode("utf-8")
    with written(path, lasting=False) as file:
        file.write(content)


def _push(f: Fields, character: Character) -> Push:
    f.only(("role", "time", "length", "force", "point"))
    roles = [link.role for link in character.links]
    x, y, z = f.vector("force", 3)
    point = None
    if "point" in f.data:
        a, b, c = f.vector("point", 3)
        point = (a, b, c)
    return Push(f.text("role", choices=roles), f.number("time", 0.0), f.number("length", 0.0, 60.0), (x, y, z), point)


def _cue(f: Fields) -> Cue:
    f.only(("time", "preset", "steps", "speed", "place", "ease", "shares"))
    return Cue(
        f.number("time", 0.0, 1e6),
        preset_from_json(f.child("preset").data, f"{f.where}.preset"),
        f.integer("steps", 0, 1000, 0),
        f.number("speed", 0.0, MAX_SPEED, 0.0),
        f.number("place", 0.0, 1e6, 0.0),
        f.number("ease", 0.0, 1e6, 0.0),
        _track(f, "shares", 1.0),
    )
