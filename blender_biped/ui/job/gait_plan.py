"""From timeline markers to gaits: what they mean for a character, and what of that is in its job."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import bpy

from ...character.model import Character
from ...control.registry import kind_of
from ...job import Job
from ...preset.cue import Cue
from ...preset.markers import GaitChange, MarkerReader, Timeline, names_of, read_markers
from ...preset.preset import Preset, Track
from ...preset.transitions import done_once, expanded, read_transitions, resting
from ...world.path_points import PathPoint
from ..base.frames import stretching
from ..base.reading import frame_rate
from ..base.styles import styles
from ..base.units import speed_text
from ..settings.fields import gives_speed
from .pace import paced, speeds_to_set, within

NOTHING = 1e-4  # m/s: differences of speeds that are none; Blender keeps single precision
_STILL = 1e-3  # m/s: a cue's speed of 0 would be that of the whole walk
_STAYS = 3.0  # s at least that a last gait is walked which does not get anywhere
_CREEPING = 0.1  # m/s
_FEET = 0.3048  # m


@dataclass(frozen=True)
class GaitPlan:
    """The gaits of a walk, as its job has them. notes: what the user should know.

    speed: of the first one, m/s; speeds: the same over time, where it is keyed.
    """

    first: Preset
    speed: float
    speeds: Track = ()
    cues: tuple[Cue, ...] = ()
    ending: tuple[Preset, ...] = ()
    duration: float = 0.0
    notes: tuple[str, ...] = ()


def timeline_of(scene: bpy.types.Scene, armature: bpy.types.Object | None, gaits: Iterable[Preset]) -> Timeline:
    """Return what the scene's own markers, not an action's, say of a character. Cheap enough for a panel's draw."""
    marks = [(mark.frame, mark.name) for mark in scene.timeline_markers]
    characters: tuple[str, ...] = ()
    if any(":" in name for _, name in marks):  # else nobody is addressed, and a scene may have many objects
        characters = tuple(thing.name for thing in scene.objects if thing.type == "ARMATURE")
    name = armature.name if armature else ""
    return read_markers(marks, MarkerReader(name, characters, names_of(gaits), _bare_unit(scene.unit_settings)))


def desired_speed(
    change: GaitChange | None, style: Preset, armature: bpy.types.Object, character: Character | None
) -> float:
    """Return the desired speed, m/s: a marker's, for which None is the gait's usual one, or the panel's.

    It may be outside of what the gait can do. Raises DataError for an unusable preset.
    """
    walk = armature.biped.walk
    if change is None and gives_speed(walk):
        return float(walk.speed_mps)
    if change is not None and change.speed is not None:
        return change.speed
    speeds = speeds_to_set(style, armature.biped.pace, character)
    return speeds.usual if speeds else float(walk.speed_mps)


def held_speed(
    change: GaitChange | None, gait: Preset, armature: bpy.types.Object, character: Character | None
) -> tuple[float, float]:
    """Return the speed, m/s, that is kept of the desired one, and that. Otherwise as ``desired_speed``."""
    desired = desired_speed(change, gait, armature, character)
    speeds, free = speeds_to_set(gait, armature.biped.pace, character), kind_of(gait.controller).can.any_speed
    return (speeds.held(desired) if speeds and (change or not free) else desired), desired


def first_speed(
    scene: bpy.types.Scene, armature: bpy.types.Object, style: Preset | None, character: Character | None
) -> float:
    """Return the speed, m/s, that a walk begins with, about: character and style may not be known yet."""
    if style is None:
        return float(armature.biped.walk.speed_mps)
    change = None
    if kind_of(style.controller).can.change:
        gaits = styles(style.controller)
        change = timeline_of(scene, armature, gaits.values()).begun(armature.biped.walk.frame_start * stretching(scene))
        style = gaits[change.gait] if change else style
    held, _ = held_speed(change, style, armature, character)
    return paced(armature.biped.pace, held, character)[0] if character else held


def first_style(scene: bpy.types.Scene, armature: bpy.types.Object, chosen: Preset) -> Preset:
    """Return the style that a walk begins with: the panel's, or that of a marker at its start frame or before."""
    if not kind_of(chosen.controller).can.change:
        return chosen
    gaits = styles(chosen.controller)
    begun = timeline_of(scene, armature, gaits.values()).begun(armature.biped.walk.frame_start * stretching(scene))
    return gaits[begun.gait] if begun else chosen


def planned(
    scene: bpy.types.Scene, armature: bpy.types.Object, style: Preset, character: Character,
    placed: Sequence[Cue] = (), along: Sequence[PathPoint] = (),
) -> GaitPlan:  # fmt: skip
    """Return the gaits that the panel's style, the markers and the points along the path give.

    style: the panel's. placed: changes at places of the path. along: its points.
    Raises DataError for unusable presets, a wrong table of transitions, or a speed too high.
    """
    gaits = {**styles(style.controller), style.name: style}
    table = read_transitions(style.controller)
    start = armature.biped.walk.frame_start
    timeline = timeline_of(scene, armature, gaits.values())
    shown = start * stretching(scene)
    begun, later = timeline.begun(shown), timeline.later(shown)
    first = gaits[begun.gait] if begun else style
    pace, notes = armature.biped.pace, list(timeline.doubts)

    def speed(change: GaitChange | None, gait: Preset) -> float:
        held, desired = held_speed(change, gait, armature, character)
        if abs(held - desired) > NOTHING:
            goes, own = (paced(pace, value, character)[0] for value in (held, desired))
            said = out_of_range(gait, goes, own, scene.unit_settings)
            notes.append(f"Frame {change.frame}: {said}" if change else said)
        return within(paced(pace, held, character)[0])

    speed_first = speed(begun, first)
    rate = frame_rate(scene)
    cues = tuple(
        Cue(
            (change.frame / stretching(scene) - start) / rate,
            gaits[change.gait],
            speed=max(speed(change, gaits[change.gait]), _STILL),
        )
        for change in later
    )
    duration = _duration(scene, start, speed_first, cues)
    cues = merged(
        cues, placed, Coming(armature.biped.walk.start * scene.unit_settings.scale_length, speed_first, along)
    )
    walked = (first, *(cue.preset for cue in cues))
    return GaitPlan(
        first=first,
        speed=speed_first,
        cues=expanded(first, cues, table, gaits),
        ending=resting(walked, table, gaits),
        duration=duration,
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class Coming:
    """When a walk comes to places, about: as its points along the path have it.

    start: m along the path, from where it goes at ``speed``, m/s. along: the points, in the order of their places.
    """

    start: float
    speed: float
    along: Sequence[PathPoint] = ()

    def time(self, place: float) -> float:
        """Return when it comes to a place, m along the path, s; less than 0 for what is before its start."""
        places, comes, leaves, speed = self._known
        i = max(bisect_left(places, place) - 1, 0)
        if places[0] < place and i + 1 < len(places):
            share = (place - places[i]) / (places[i + 1] - places[i])
            return leaves[i] + share * (comes[i + 1] - leaves[i])
        return leaves[i] + (place - places[i]) / (speed if place > places[0] else max(self.speed, _CREEPING))

    @cached_property
    def _known(self) -> tuple[list[float], list[float], list[float], float]:
        """Places, when it comes to each and when it leaves it, and the speed behind the last one."""
        places, comes, leaves, speed = [self.start], [0.0], [0.0], max(self.speed, _CREEPING)
        for point in self.along:
            if point.place > self.start:
                places.append(point.place)
                comes.append(point.time or leaves[-1] + (point.place - places[-2]) / speed)
                leaves.append(comes[-1] + point.wait)
            speed = max(point.speed, _CREEPING) if point.speed else speed
        return places, comes, leaves, speed


def merged(timed: Sequence[Cue], placed: Sequence[Cue], coming: Coming) -> tuple[Cue, ...]:
    """Return cues of markers and of points in the order in which a walk comes to them, as far as that is known."""
    return tuple(sorted((*timed, *placed), key=lambda cue: cue.time or coming.time(cue.place)))


def out_of_range(gait: Preset, held: float, desired: float, units: bpy.types.UnitSettings) -> str:
    """Return that a gait cannot have a desired speed of a character, m/s, and has another one."""
    possible = speed_text(held, units)
    how = "fast" if desired > held else "slow"
    return f"{speed_text(desired, units)} is too {how} for {gait.label}: it goes at {possible}."


def _duration(scene: bpy.types.Scene, start: int, speed: float, cues: tuple[Cue, ...]) -> float:
    """Return how long a walk lasts whose last gait stays where it is: to the scene's end frame. Else 0: as it needs."""
    lasting = [cue for cue in cues if not done_once(cue.preset)]
    last = lasting[-1].speed if lasting else speed
    if last > _STILL:
        return 0.0
    until = (scene.frame_end / stretching(scene) - start) / frame_rate(scene)
    return max(until, (cues[-1].time if cues else 0.0) + _STAYS)


def _bare_unit(units: bpy.types.UnitSettings) -> float:
    """Return the m/s of a speed without a unit: as the panel shows speeds."""
    return {"IMPERIAL": _FEET, "NONE": units.scale_length}.get(units.system, 1.0)


def gait_names(job: Job) -> str:
    """Return the labels of a job's gaits one after the other, "" where there is but one.

    Without those on the way from one to the next.
    """
    labels = [job.preset.label, *(cue.preset.label for cue in job.cues if not cue.steps)]
    changed = [label for i, label in enumerate(labels) if not i or label != labels[i - 1]]
    return ", ".join(changed) if len(changed) > 1 else ""
