"""What the panel tells KLAW besides the preset: steps and attributes, and how they change where they are keyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

import bpy
import numpy as np

from ...character.model import Character
from ...klaw.attributes import Attributes, read_style
from ...klaw.walk import told_speed
from ...preset.cue import Cue
from ...preset.preset import Preset
from ..base.fcurves import keyed_curves
from ..base.reading import frame_rate
from ..settings.attributes import gives_speed, told_value
from .gait_plan import Plan
from .pace import paced, speeds_to_set, within

_APART = 0.25  # s, between what is read off curves: about half a step


def with_settings(plan: Plan, style: Preset, scene: bpy.types.Scene, pace: str, character: Character) -> Plan:
    """Return the plan of a KLAW walk with the panel's steps and attributes where its own style is walked.

    style: the panel's preset. A speed that is keyed counts until the first marker. Raises DataError for steps that
    are no walk.
    """
    told = _Told(scene, style, pace, character, keyed_curves(scene))
    start, rate = scene.biped.frame_start, frame_rate(scene)
    parts = [Cue(0.0, plan.first, speed=plan.speed), *plan.cues]
    marked = bool(parts[0].preset != style)  # a marker says how the walk begins
    found: list[Cue] = []
    for i, part in enumerate(parts):
        if part.preset != style:
            found.append(part)
            continue
        until = parts[i + 1].time if i + 1 < len(parts) else np.inf
        last = min(until, (told.last - start) / rate)
        for time in (part.time, *np.arange(part.time + _APART, last + _APART, _APART)):
            if time < until:
                frame = start + rate * time
                own = told.style(frame)
                speed = told.speed(frame, own, None if i or marked else plan.speed) or part.speed
                if not found or (own, speed) != (found[-1].preset, found[-1].speed) or time == part.time:
                    found.append(replace(part, time=float(time), preset=own, speed=speed))
    return replace(plan, first=found[0].preset, speed=found[0].speed, cues=tuple(found[1:]))


@dataclass(frozen=True)
class _Told:
    """What the panel says at a frame, by curves where it is keyed."""

    scene: bpy.types.Scene
    preset: Preset
    pace: str
    character: Character
    curves: Mapping[str, Any]

    @property
    def last(self) -> float:
        """The last frame that has a key, far before all where nothing is keyed."""
        return max((curve.range()[1] for curve in self.curves.values()), default=-1e6)

    def style(self, frame: float) -> Preset:
        """Return the panel's preset with what is told otherwise."""
        usual = read_style(self.preset.values).attributes
        told = {
            a.name: told_value(a, self._value(f"attributes.{a.name}", frame), getattr(usual, a.name))
            for a in fields(Attributes)
        }
        values: dict[str, Any] = {}
        if told != {a.name: getattr(usual, a.name) for a in fields(Attributes)}:
            values["attributes"] = told
        given, unit = self.scene.biped.given, self.scene.unit_settings.scale_length
        if given != "SPEED":
            values["step_length"] = unit * self._value("step_length", frame) if "LENGTH" in given else 0.0
            values["step_frequency"] = self._value("step_frequency", frame) if "FREQUENCY" in given else 0.0
        return replace(self.preset, values={**self.preset.values, **values}) if values else self.preset

    def speed(self, frame: float, style: Preset, usual: float | None) -> float:
        """Return the character's speed, m/s: as it is keyed, or as the steps say; else ``usual``, 0 for None."""
        _, gravity = paced(self.pace, self.scene.biped.speed_mps, self.character)
        if not gives_speed(self.scene.biped):
            return told_speed(style.values, self.character, gravity)
        if usual is None or "biped.speed" not in self.curves:
            return usual or 0.0
        desired = self.scene.unit_settings.scale_length * self._value("speed", frame)
        speeds = speeds_to_set(self.preset, self.pace, self.character)
        return within(paced(self.pace, speeds.held(desired) if speeds else desired, self.character)[0])

    def _value(self, name: str, frame: float) -> float:
        curve = self.curves.get(f"biped.{name}")
        return float(curve.evaluate(frame) if curve else attrgetter(name)(self.scene.biped))
