"""Rows of timeline markers that name a gait or a style: from their frame on the walk has that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import bpy

from ....preset.markers import GaitChange, Timeline
from ....preset.preset import Preset
from ....preset.transitions import done_once
from ...base.language import translated
from ...base.styles import controller_texts, styles
from ...base.units import speed_text
from ..gait_plan import NOTHING, desired_speed, out_of_range, timeline_of
from ..pace import speed_rule
from ..points_plan import no_change
from .row import Offer, Removal, Row, RowKind, ShownWalk


class Markers(RowKind):
    """The timeline's markers that are for the character."""

    name = "marker"
    color = (0.75, 0.55, 1.0)

    def rows(self, shown: ShownWalk) -> Iterator[Row]:
        """Give a row for each marker that names a gait: of a controller that has but one, whoever's that is."""
        gaits = self._gaits(shown)
        timeline, numbers = self._timeline(shown, gaits), self._numbers(shown)
        begun = timeline.begun(shown.first_frame)
        for change in timeline.changes:
            time = shown.time(change.frame)
            counts = shown.can.change and (change.frame > shown.first_frame or change is begun)
            gait = gaits[change.gait]
            yield Row(
                self,
                str(numbers[change.frame, change.marker]),
                time,
                shown.course.place(time) if shown.course and counts else None,
                change.frame,
                data=change,
                wrong=self._wrong(shown, change, gait),
                counts=counts,
                names=(gait.label,),
            )

    def text(self, shown: ShownWalk, row: Row) -> str:
        """Return the gait and its speed."""
        gait = self._gaits(shown)[row.data.gait]
        if not shown.can.change:
            return gait.label
        goes, _ = self._speeds(shown, row.data, gait)
        return f"{translated(gait.label)}, {speed_text(goes, shown.scene.unit_settings)}"

    def icon(self, row: Row) -> str:
        """Return a marker."""
        return "MARKER_HLT"

    def draw(self, column: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the marker itself: its name is what it says."""
        marker = shown.scene.timeline_markers[int(row.key)]
        column.prop(marker, "name", text="Marker")
        column.prop(marker, "frame")

    def offers(self, shown: ShownWalk) -> Sequence[Offer]:
        """Return the gaits, at the current frame."""
        once = any(done_once(style) for style in styles(shown.walk.controller_name).values())
        text = "Style or Action at This Frame" if once else "Style at This Frame"
        about = "A timeline marker at the current frame: from there on the walk has the style that it is named like"
        return (Offer(text, "MARKER_HLT", "biped.add_gait_marker", about, choice="gait"),)

    def removal(self, row: Row) -> Removal:
        """Return the button for this marker."""
        return Removal("biped.remove_gait_marker", {"frame": row.data.frame, "marker": row.data.marker})

    def notes(self, shown: ShownWalk) -> Sequence[str]:
        """Return what markers probably mean, and do not say."""
        return self._timeline(shown, self._gaits(shown)).doubts if shown.can.change else ()

    def _gaits(self, shown: ShownWalk) -> Mapping[str, Preset]:
        """Return the gaits that markers may name."""
        if shown.kind is None or shown.can.change:
            return styles(shown.walk.controller_name)
        return {name: style for controller in controller_texts() for name, style in styles(controller).items()}

    def _timeline(self, shown: ShownWalk, gaits: Mapping[str, Preset]) -> Timeline:
        return timeline_of(shown.scene, shown.armature, gaits.values())

    def _numbers(self, shown: ShownWalk) -> Mapping[tuple[int, str], int]:
        """Return where each marker is among the scene's, by its frame and name."""
        marks = enumerate(shown.scene.timeline_markers)
        return {(mark.frame, mark.name): i for i, mark in marks}

    def _speeds(self, shown: ShownWalk, change: GaitChange, gait: Preset) -> tuple[float, float]:
        """Return the speed that a gait goes at, m/s, and the one that its marker wants."""
        rule = speed_rule(gait, shown.armature.biped.pace, shown.character)
        desired = desired_speed(change, gait, shown.armature, shown.character)
        return rule.shown(desired), rule.factor * desired

    def _wrong(self, shown: ShownWalk, change: GaitChange, gait: Preset) -> tuple[str, ...]:
        kind = shown.kind
        if kind is None:
            return ()
        if not kind.can.change:
            return (no_change(kind),)
        if change.speed is not None and shown.plan.sets_speeds:
            return ("Points along the path set speeds: the speed of this marker does not count.",)
        goes, desired = self._speeds(shown, change, gait)
        if abs(goes - desired) <= NOTHING:
            return ()
        return (out_of_range(gait, goes, desired, shown.scene.unit_settings),)
