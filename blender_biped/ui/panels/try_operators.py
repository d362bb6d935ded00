"""What is asked before a bake: whether a character walks as it is set, by three strides that are simulated only."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import bpy

from ...base.errors import DataError
from ...job import Job
from ...motion.motion import Motion
from ...motion.summary import summarised
from ...strides import three_strides
from ...worker import CancelledError
from ..base.language import translated
from ..base.status import Level, status
from ..base.units import SPACE, length_text, speed_text
from ..job.mapping import character_object
from ..job.runs import Queue, Run
from ..settings.fields import kind_chosen
from .bake_operators import Bake, read_run
from .mapping_operators import armature_ready


class BIPED_OT_try_strides(Bake, bpy.types.Operator):
    """Simulates three strides, and says how they went."""

    bl_idname = "biped.try_strides"
    bl_label = "Try Three Strides"
    bl_description = (
        "Simulate three strides straight ahead on flat ground, and say whether the character keeps its "
        "feet. It takes a second or two, and changes nothing"
    )
    bl_options = {"REGISTER"}
    _falls_back = False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature; it needs no path."""
        return armature_ready(cls, context)

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return three strides of the panel's character, or why there are none."""
        run = read_run(context, character_object(context), ahead=True)
        if run.request is not None:
            self._falls_back = run.request.job.fall_back
            try:
                run.request = replace(run.request, job=three_strides(run.request.job))
            except DataError as error:
                run.request, run.error = None, str(error)
        return [run]

    def _written(self, context: bpy.types.Context, queue: Queue) -> Generator[float, None, None]:
        """Write nothing."""
        yield from ()

    def _told(self) -> set[str]:
        """Tell how they went, in the status bar and in the panel."""
        run = self._queue.runs[0]
        level: Level
        if self._queue.cancelled:
            message, level = str(CancelledError()), "INFO"
        elif run.motion is None or run.request is None:
            message, level = run.error, "ERROR"
        else:
            message, level = strides_said(run.name, run.motion, run.request.job, self._falls_back)
        status.end(message, level, [run.armature])
        self.report({level}, translated(message))
        return {"FINISHED" if run.motion else "CANCELLED"}


_INSTEAD = "Set a lower speed or another style, or bake: it is then walked slower, wider, and if need be by KLAW."
_SWITCHED_OFF = (
    "Set a lower speed or another style, or switch on Try Again If It Falls: a bake then ends with KLAW's walk."
)
_STRAIGHTER = "Set a lower speed or another style."


def may_fall(armature: bpy.types.Object) -> bool:
    """Return whether the controller that an armature walks by is simulated."""
    kind = kind_chosen(armature.biped.walk)
    return kind is not None and kind.controller is not None


def strides_said(name: str, motion: Motion, job: Job, falls_back: bool) -> tuple[str, Level]:
    """Return what to say of a character's three strides, and how grave it is.

    job: of ``three_strides``. falls_back: whether a bake goes on by itself where the walk falls.
    """
    summary, units = summarised(motion, job), bpy.context.scene.unit_settings
    speed = speed_text(job.speed, units)
    if summary.astray_by is not None:
        off = length_text(summary.astray_by, units)
        said = f"{name} walks three strides, but strays up to {off} from a straight path."
        if summary.astray == "end":
            said = f"{name} walks three strides, but stands {off} from where it should."
        return f"{said} {_STRAIGHTER}", "WARNING"
    if summary.outcome in ("arrived", "passed"):
        return f"{name} walks three strides straight ahead at {speed}. Bends and the scene were not tried.", "INFO"
    cure = _INSTEAD if falls_back else _SWITCHED_OFF
    if summary.outcome == "fell":
        after = summary.fell_at or motion.duration
        said = f"{name} falls at {speed}, after {after:.1f}{SPACE}s, in its first three strides."
    else:
        said = f"{name} does not get ahead at {speed}."
    return f"{said} {cure}", "WARNING"
