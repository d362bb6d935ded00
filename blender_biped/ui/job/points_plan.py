"""From the points along a path to a job: what they say, and what of that a walk cannot do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import bpy

from ...base.limits import MAX_DURATION
from ...character.model import Character
from ...control.kind import Kind
from ...control.registry import kind_of
from ...preset.cue import Cue
from ...preset.preset import Preset, Speeds
from ...world.path_points import PathPoint
from ..base.language import translated
from ..base.reading import frame_rate
from ..base.styles import styles
from ..base.units import SPACE, length_text, speed_text
from ..settings.fields import gives_speed
from ..settings.path_points import in_order
from .gait_plan import out_of_range
from .pace import paced, speeds_to_set

STEPS_SET = "Steps are set in place of the speed: its timing does not count."
"""What is said of speeds along the path where they do not count."""

_OTHERWISE = {
    "speed": "Another point at this place sets another speed: move one of them, or take it away.",
    "style": "Another point at this place sets another style: move one of them, or take it away.",
}
_NOTHING = 1e-4  # m/s: differences of speeds that are none
_SHOWN = 20  # points of which it is said what is wrong with them
_SOON = 1e-6  # s, m
_TOGETHER = 1e-3  # m between points that are at one place


@dataclass(frozen=True)
class PointsPlan:
    """What the points along a path say of a walk. Lengths in m along the curve as it is drawn.

    along: speeds, times and waits; cues: changes of style; both in the order of their places. wrong: what cannot be
    done, by the point's place among the walk's points.
    """

    along: tuple[PathPoint, ...] = ()
    cues: tuple[Cue, ...] = ()
    wrong: Mapping[int, str] = field(default_factory=dict)

    @property
    def sets_speeds(self) -> bool:
        """Whether any point says how fast the walk is."""
        return any(point.speed or point.time for point in self.along)

    def notes(self, points: Any, scene: bpy.types.Scene) -> list[str]:
        """Return what cannot be done, each with its point's place; of many the first ones, and how many more."""
        unit, units, own = scene.unit_settings.scale_length, scene.unit_settings, list(points)
        shown = list(self.wrong.items())[:_SHOWN]
        found = [f"Point at {length_text(own[i].place * unit, units)}: {text}" for i, text in shown]
        left = len(self.wrong) - len(shown)
        return [*found, f"There is something wrong with {left} more points along the path."] if left else found


def points_plan(
    scene: bpy.types.Scene, armature: bpy.types.Object, style: Preset, character: Character | None, length: float | None
) -> PointsPlan:
    """Return what the points along an armature's path say.

    style: with which the walk begins. character, length: None while the character, or the path's length, m, is not
    known: then what depends on it counts as possible.
    """
    return _Reading(scene, armature, style, character, length).plan()


class _Reading:
    """The points of one walk being read, from the first to the last."""

    def __init__(
        self, scene: bpy.types.Scene, armature: bpy.types.Object, style: Preset, character: Character | None,
        length: float | None,
    ) -> None:  # fmt: skip
        self._scene, self._walk, self._pace = scene, armature.biped.walk, armature.biped.pace
        self._style, self._character, self._length = style, character, length
        self._unit, self._rate = scene.unit_settings.scale_length, frame_rate(scene)
        self._kind: Kind = kind_of(style.controller)
        self._start = self._walk.start * self._unit
        self._left = (self._start, 0.0)  # place, m, and time, s, at which the last point with a time is left
        self._waited = 0.0  # s, since then
        self._along: list[PathPoint] = []
        self._cues: list[Cue] = []
        self._wrong: dict[int, str] = {}
        self._said: dict[str, tuple[float, object]] = {}  # the place, m, of the last speed and style, and which

    def plan(self) -> PointsPlan:
        points = list(self._walk.points)  # one by its index is found by going through those before it
        for i in in_order(self._walk.points):
            said = self._read(points[i])
            if said:
                self._wrong[i] = " ".join(said)
        return PointsPlan(tuple(self._along), tuple(self._cues), self._wrong)

    def _read(self, point: Any) -> list[str]:
        """Take a point; return what of it cannot be done."""
        place = point.place * self._unit
        if self._length is not None and place > self._length + _SOON:
            return [f"it is beyond the path's end at {self._text(self._length)} and does not count."]
        place = min(place, self._length) if self._length is not None else place
        wrong = [*self._restyle(point, place), *self._contradicted(point, place)]
        speed, time = self._speed(point, wrong), self._time(point, place, wrong)
        wait = self._wait(point, place, wrong)
        if speed or time or wait:
            ease = self._stretch(point.ease) if speed else 0.0
            self._along.append(PathPoint(place, speed, ease, time, wait))
        if time:
            self._left, self._waited = (place, time + wait), 0.0
        else:
            self._waited += wait
        return wrong

    def _restyle(self, point: Any, place: float) -> list[str]:
        """Take the change of style; return what is wrong with it."""
        if not point.style_name:
            return []
        if not self._kind.can.change:
            return [no_change(self._kind)]
        style = styles(self._style.controller).get(point.style_name)
        if style is None:
            return [f"There is no style {point.style_name!r} of {self._kind.label}: choose another one."]
        self._style = style
        ease = self._stretch(point.change_over) if self._kind.can.mix else 0.0
        self._cues.append(Cue(0.0, style, place=max(place, _SOON), ease=ease))
        return []

    def _contradicted(self, point: Any, place: float) -> list[str]:
        """Return what a point says otherwise than the one before it at the same place."""
        said: dict[str, object] = {"style": point.style_name} if point.style_name else {}
        if point.timing == "SPEED":
            said["speed"] = point.speed_mps
        found = [
            _OTHERWISE[what]
            for what, own in said.items()
            if what in self._said and abs(self._said[what][0] - place) < _TOGETHER and self._said[what][1] != own
        ]
        self._said.update({what: (place, own) for what, own in said.items()})
        return found

    def _speed(self, point: Any, wrong: list[str]) -> float:
        """Return the speed from the point on, m/s; 0 for as before."""
        if point.timing != "SPEED" or not self._counts(wrong):
            return 0.0
        speeds, desired = self._speeds(), float(point.speed_mps)
        held = speeds.held(desired) if speeds else desired
        if abs(held - desired) > _NOTHING:
            wrong.append(out_of_range(self._style, self._own(held), self._own(desired), self._scene.unit_settings))
        return self._own(max(held, _NOTHING))

    def _time(self, point: Any, place: float, wrong: list[str]) -> float:
        """Return the time at which it is to be at the point, s; 0 for whenever it gets there."""
        if point.timing != "FRAME" or not self._counts(wrong):
            return 0.0
        time = (point.frame - self._walk.frame_start) / self._rate
        begin, left = self._left
        first = self._walk.frame_start + left * self._rate
        if time - left <= self._waited + _SOON or time > MAX_DURATION:
            wrong.append(f"Frame {point.frame} is not after frame {first:.0f}, at which the walk is before it.")
            return 0.0
        if place <= begin + _SOON:
            wrong.append("The walk begins there: its frame is the start frame, in Baking.")
            return 0.0
        needed, fastest = (place - begin) / (time - left - self._waited), self._fastest()
        if fastest is not None and needed > fastest + _NOTHING:
            units = self._scene.unit_settings
            wrong.append(
                f"Frame {point.frame} needs {speed_text(needed, units)}, and {self._style.label} goes at "
                f"{speed_text(fastest, units)} at most: it comes late."
            )
        return time

    def _wait(self, point: Any, place: float, wrong: list[str]) -> float:
        """Return how long it stands at the point, s."""
        if point.wait <= 0.0:
            return 0.0
        if not self._kind.can_wait(self._style):
            able = [one.label for one in styles(self._style.controller).values() if self._kind.can_wait(one)]
            cure = f"those that can are {', '.join(able)}" if able else f"no style of {self._kind.label} can"
            wrong.append(f"{self._style.label} cannot stand on the way and walk on, so it does not wait ({cure}).")
            return 0.0
        if place < self._start:
            wrong.append("The walk begins behind it, so it does not wait there.")
            return 0.0
        return float(point.wait)

    def _counts(self, wrong: list[str]) -> bool:
        """Return whether speeds along the path count."""
        if gives_speed(self._walk):
            return True
        wrong.append(STEPS_SET)
        return False

    def _stretch(self, length: float) -> float:
        """Return a length along the path, m, no longer than that is. length: in Blender's units."""
        return min(length * self._unit, self._length or float("inf"))

    def _speeds(self) -> Speeds | None:
        return speeds_to_set(self._style, self._pace, self._character)

    def _own(self, speed: float) -> float:
        """Return the character's own speed, m/s, for one that is kept; that while the character is not known."""
        return paced(self._pace, speed, self._character)[0] if self._character else speed

    def _fastest(self) -> float | None:
        """Return the character's highest speed, m/s, where the style keeps a range."""
        speeds = self._speeds()
        if speeds is None or self._character is None:
            return None
        return self._own(speeds.fastest)

    def _text(self, length: float) -> str:
        return length_text(length, self._scene.unit_settings)


def no_change(kind: Kind) -> str:
    """Return that a controller keeps its one style."""
    return f"{kind.label} does not change its style on the way."


def point_text(point: Any, scene: bpy.types.Scene) -> str:
    """Return in a few words what a point says, in the order of all rows: the style, the speed or frame, the rest."""
    said = []
    if point.style_name:
        style = styles(point.id_data.biped.walk.controller_name).get(point.style_name)
        said.append(translated(style.label) if style else point.style_name)
    if point.timing == "SPEED":
        said.append(speed_text(point.own_speed, scene.unit_settings))
    elif point.timing == "FRAME":
        said.append(f"{translated('Frame')}{SPACE}{point.frame}")
    if point.wait > 0.0:
        said.append(f"{translated('Wait')}{SPACE}{point.wait:.3g}{SPACE}s")
    return ", ".join(said) or translated("As Before")


def on_path(along: Sequence[PathPoint], share: float) -> tuple[PathPoint, ...]:
    """Return points on a path that is so many times as long as the curve as it is drawn."""
    return tuple(replace(point, place=share * point.place, ease=share * point.ease) for point in along)


def cues_on_path(cues: Sequence[Cue], share: float, speeds_set: bool) -> tuple[Cue, ...]:
    """Return cues with their places on such a path, and without their speeds where points set these."""
    return tuple(
        replace(cue, place=share * cue.place, ease=share * cue.ease, speed=0.0 if speeds_set else cue.speed)
        for cue in cues
    )
