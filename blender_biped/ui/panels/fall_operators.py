"""What is offered for a walk that fell, or stands in for one that did, one button for each choice.

First a calmer try and KLAW, then trimming before the fall, or the walk as it was set with its fall, and keeping it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import bpy

from ...base.errors import BipedError
from ...control.registry import PREVIEW, presets
from ...fallback import CALMER
from ...klaw.nearest import nearest_style
from ..bake.result import Result, result_of
from ..bake.trimming import trim
from ..base.fcurves import KEYED, keyed_curves
from ..base.language import translated
from ..base.status import status
from ..job.mapping import character_object
from ..job.runs import Run
from .bake_operators import Bake, bake_ready, read_run

_ICONS = {
    "try_calmer": "FILE_REFRESH", "use_klaw": "MOD_DYNAMICPAINT", "trim_fall": "TRIA_LEFT_BAR",
    "bake_as_set": "LOOP_BACK", "keep_fall": "CHECKMARK",
}  # fmt: skip
_OFFERS: Mapping[str | None, Sequence[str]] = {
    None: ("try_calmer", "use_klaw", "trim_fall", "keep_fall"),
    "calmer": ("use_klaw", "bake_as_set", "keep_fall"),
    "another": ("use_klaw", "bake_as_set", "keep_fall"),
    "kinematic": ("try_calmer", "bake_as_set", "keep_fall"),
}
"""The buttons for a walk, by what it is in place of the one that was set."""

_SAME = 0.99  # of a speed: it is no other one
_TRIES = 8  # to find a speed that is lower


def fallen(armature: Any) -> Result | None:
    """Return the walk of an armature of which nobody has said yet what is to become of it: it fell, or stands in."""
    result = result_of(armature)
    if result is None or result.action.biped.fall_settled:
        return None
    chosen = result.summary.lies is not None  # it was to fall
    fell = result.summary.fell_at is not None and result.stride is None and not chosen
    return result if fell or result.summary.fallback else None


def draw_offer(layout: bpy.types.UILayout, armature: Any) -> None:
    """Draw what can be done about a walk that fell or stands in for one that did; nothing where there is none."""
    result = fallen(armature)
    if result is None:
        return
    column = layout.column(align=True)
    for name in _OFFERS[result.summary.fallback]:
        column.operator(f"biped.{name}", icon=_ICONS[name])


def _fell(cls: Any, context: bpy.types.Context) -> bool:
    """Return whether the panel's character has a walk that fell; else give Blender the reason."""
    found = fallen(character_object(context)) is not None
    if not found:
        cls.poll_message_set("The armature has no walk that fell")
    return found


class BIPED_OT_try_calmer(Bake, bpy.types.Operator):
    """Bakes the walk again at a lower speed."""

    bl_idname = "biped.try_calmer"
    bl_label = "Try Calmer"
    bl_description = "Bake the walk along the same path again, at 0.8 of the speed at which it fell last"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a walk that fell, whose speed is set."""
        if not _fell(cls, context) or not bake_ready(cls, context):
            return False
        if f"{KEYED}speed" in keyed_curves(character_object(context)):
            cls.poll_message_set("The speed is keyed: lower its keys, and bake again")
            return False
        return True

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the calmer walk, or that it cannot be any calmer."""
        armature = character_object(context)
        result, walk, now = fallen(armature), armature.biped.walk, read_run(context, armature)
        if now.request is None:
            return [now]
        tried = result.summary.calmer_speed if result else None
        share = tried or 1.0
        for times in range(1, _TRIES + 1):  # a speed beyond what the gait can have is no calmer at once
            run = read_run(context, armature, {"speed_mps": CALMER**times * share * walk.speed_mps})
            if run.request is None or run.request.job.speed < _SAME * share * now.request.job.speed:
                return [run]
        style = now.request.job.preset.label
        return [replace(run, request=None, error=f"{style} goes no slower than this: use KLAW, or another style.")]


class BIPED_OT_use_klaw(Bake, bpy.types.Operator):
    """Bakes the walk again by KLAW, which does not fall."""

    bl_idname = "biped.use_klaw"
    bl_label = "Use KLAW"
    bl_description = (
        "Bake the walk along the same path, at the same speed, by KLAW, which cannot fall, in its most similar style"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a walk that fell."""
        return _fell(cls, context) and bake_ready(cls, context)

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return KLAW's walk."""
        armature = character_object(context)
        result, now, styles = fallen(armature), read_run(context, armature), presets(PREVIEW.name)
        settings: dict[str, Any] = {
            "controller_name": PREVIEW.name,
            "preset_name": styles[0].name,
            "mix_with_name": "",
            "given": "SPEED",
            "speed_mps": armature.biped.walk.speed_mps,
        }
        run = read_run(context, armature, settings)
        if now.request is None or run.request is None or result is None:
            return [run]
        settings["speed_mps"] *= now.request.job.speed / run.request.job.speed  # what the gait was held to
        if result.action.biped.is_property_set("looks"):
            nearest = nearest_style(result.action.biped.looks, run.request.job, styles)
            settings["preset_name"] = nearest or settings["preset_name"]
        return [read_run(context, armature, settings)]


class BIPED_OT_bake_as_set(Bake, bpy.types.Operator):
    """Bakes the walk that was set, though it falls."""

    bl_idname = "biped.bake_as_set"
    bl_label = "Bake As Set"
    bl_description = "Bake the walk as it was set, with its fall, in place of the one that stands in for it"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a walk that stands in for one that fell."""
        result = fallen(character_object(context))
        if result is None or result.summary.fallback is None:
            cls.poll_message_set("The armature has no walk that stands in for one that fell")
            return False
        return bake_ready(cls, context)

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the walk that was set."""
        run = read_run(context, character_object(context))
        if run.request is not None:
            run.request = replace(run.request, job=replace(run.request.job, fall_back=False))
        return [run]


class BIPED_OT_trim_fall(bpy.types.Operator):
    """Ends the walk before the fall."""

    bl_idname = "biped.trim_fall"
    bl_label = "Trim Before the Fall"
    bl_description = "End the action with the last whole step before it fell, and the scene where the walk extended it"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a walk that fell, with a step before."""
        if not _fell(cls, context):
            return False
        result = fallen(character_object(context))
        if result is not None and result.summary.fell_at is None:
            cls.poll_message_set("The armature has no walk that fell")
            return False
        if result is None or not result.action.biped.is_property_set("upright_frame"):
            cls.poll_message_set("It fell before it had made a whole step")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Trim it."""
        armature = character_object(context)
        try:
            frame = trim(armature, context.scene)
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        message = f"The walk ends at frame {frame}, before the fall."
        status.end(message, "INFO", [armature.session_uid])
        self.report({"INFO"}, translated(message))
        return {"FINISHED"}


class BIPED_OT_keep_fall(bpy.types.Operator):
    """Keeps the walk as it is."""

    bl_idname = "biped.keep_fall"
    bl_label = "Keep"
    bl_description = "Keep the walk as it is: with its fall, or in place of the one that fell"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a walk that fell."""
        return _fell(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Note that it is to be as it is."""
        result = fallen(character_object(context))
        if result is None:
            return {"CANCELLED"}
        result.action.biped.fall_settled = True
        status.forget()
        return {"FINISHED"}
