"""What the buttons of the Bake and Result panels do: bake a walk, cancel it, go to where it fell."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import bpy

from ...base.errors import BipedError, RigError
from ...motion.measures import before_fall
from ...motion.motion import Motion
from ...motion.summary import Summary, summarised
from ...worker import CancelledError, Worker, run
from ..bake.choices import Shown, choices_of, shown
from ..bake.keyframes import Baked, bake
from ..bake.marks import lay_footprints, mark_strikes
from ..bake.result import choices_text, fall_frame, result_of
from ..base.status import Level, status
from ..job.gait_plan import gait_names
from ..job.mapping import character_object
from ..job.request import Request, read_request
from ..settings.kept_result import KeptStride, keep_stride, keep_summary
from ..settings.preferences import worker_python
from .mapping_operators import armature_ready

_TICK = 0.1  # s between two looks at the worker


class BIPED_OT_bake_walk(bpy.types.Operator):
    """Simulates the walk and bakes it."""

    bl_idname = "biped.bake_walk"
    bl_label = "Bake Walk"
    bl_description = (
        "Simulate the walk along the path and bake it to a new action. The previous action stays in the file"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature and a path."""
        if not armature_ready(cls, context):
            return False
        path = character_object(context).biped.walk.path
        if path is None:
            cls.poll_message_set("Choose a curve to walk along, or press New Path")
        elif path.name not in context.view_layer.objects:
            cls.poll_message_set("The curve is not in this view layer: include its collection")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Simulate and bake to the end, without a window or from a script."""
        window_manager = context.window_manager
        window_manager.progress_begin(0.0, 1.0)
        tenths = -1

        def progress(share: float) -> None:
            nonlocal tenths
            window_manager.progress_update(share)
            if bpy.app.background and int(10 * share) > tenths:
                tenths = int(10 * share)
                print(f"Biped Locomotion: {10 * tenths} % of the walk simulated")

        try:
            self._prepare(context)
            motion = run(self._request.job, *worker_python(context), progress)
            return self._bake(context, motion)
        except BipedError as error:
            return _refused(self, error)
        finally:
            window_manager.progress_end()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the simulation and follow it while Blender stays responsive."""
        if bpy.app.background:
            return self.execute(context)
        try:
            self._prepare(context)
            self._worker = Worker.start(self._request.job, *worker_python(context))
        except BipedError as error:
            return _refused(self, error)
        status.begin(self._worker)
        self._timer = context.window_manager.event_timer_add(_TICK, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at the simulation; bake when it has ended."""
        if event.type == "ESC" and event.value == "PRESS":
            self._worker.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        now = self._worker.poll()
        if now.state == "running":
            status.advance(now.progress)
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self._timer)
        try:
            return self._bake(context, self._worker.result())
        except BipedError as error:
            return _refused(self, error)
        except Exception as error:  # else the panel would go on saying that a walk is being computed
            status.end(f"The bake failed ({error}). What was there is unchanged; see the console.", "ERROR")
            raise

    def cancel(self, context: bpy.types.Context) -> None:
        """End the simulation when Blender ends the operator, as when another file is opened."""
        context.window_manager.event_timer_remove(self._timer)
        status.end("", "INFO")

    def _prepare(self, context: bpy.types.Context) -> None:
        """Read the scene. Pointers to Blender's data would not outlive an undo meanwhile: keep numbers."""
        self._request: Request = read_request(context)
        self._scene = context.scene.session_uid
        self._armature = character_object(context).session_uid

    def _bake(self, context: bpy.types.Context, motion: Motion) -> set[str]:
        """Write the keyframes and report how the walk went. Raises RigError when the armature has changed."""
        scene = context.scene
        context.view_layer.update()  # else what was deleted or unlinked meanwhile is still there, as None or as it was
        objects = filter(None, context.view_layer.objects)
        armature = next((o for o in objects if o.session_uid == self._armature), None)
        if armature is None or scene.session_uid != self._scene:
            raise RigError("The armature or the scene is no longer there: choose them and bake again.")
        settings = armature.biped.walk
        job, choices = self._request.job, choices_of(armature)
        walk = shown(armature, motion, job, choices)
        baked = bake(armature, walk.motion, settings.frame_start, walk.root, choices, armature.biped.limbs)
        last = int(baked.frames[-1])
        if settings.extend:
            scene.frame_end = max(scene.frame_end, last)
        summary = summarised(motion, job)
        text = f"Action {baked.action.name!r}: frames {settings.frame_start} to {last}, {walk.motion.duration:.1f} s."
        text = " ".join((text, *choices_text(choices, walk.cycle, scene.unit_settings)))
        level: Level = "INFO"
        if summary.fell_at is not None:
            level = "WARNING"
            text = f"The character fell after {summary.fell_at:.1f} s; try another speed, preset or path. {text}"
        added = self._add_to(context, armature, baked, motion, walk, summary)
        troubles = (*baked.notes, *added)
        if troubles:
            level = "WARNING"
        message = " ".join((text, *self._request.notes, *troubles))
        status.end(message, level)
        self.report({level}, message)
        return {"FINISHED"}

    def _add_to(
        self, context: bpy.types.Context, armature: Any, baked: Baked, motion: Motion, walk: Shown, summary: Summary
    ) -> list[str]:
        """Keep the figures, and add what is set to be added to the keyframes; return what went wrong."""
        settings, job = armature.biped.walk, self._request.job
        start, stride = int(baked.frames[0]), KeptStride.of(walk.cycle) if walk.cycle else None
        frame = None if stride else fall_frame(summary, start, context.scene)
        upright = before_fall(motion, job)
        marked = walk.motion if stride else upright
        travels = settings.footprints and walk.motion is motion
        extras: list[tuple[bool, str, Callable[[], object]]] = [
            (True, "stride's figures", lambda: keep_stride(baked.action, stride)),
            (True, "result", lambda: keep_summary(baked.action, summary, frame, gait_names(job))),
            (settings.markers, "foot strike markers", lambda: mark_strikes(baked.action, marked, start)),
            (travels, "footprints", lambda: lay_footprints(armature, upright, job.ground)),
        ]
        return [note for chosen, what, make in extras if chosen for note in _tried(what, make)]


class BIPED_OT_go_to_fall(bpy.types.Operator):
    """Goes to the frame of the fall."""

    bl_idname = "biped.go_to_fall"
    bl_label = "Go to Fall"
    bl_description = "Go to the frame at which the character fell"
    bl_options = {"UNDO_GROUPED"}
    bl_undo_group = "Frame Change"  # as Blender's own ways to change the frame

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the walk that plays has a fall."""
        result = result_of(character_object(context))
        if result is None or result.summary.fell_at is None or result.stride:
            cls.poll_message_set("The armature has no walk that fell")
        elif not result.active:
            cls.poll_message_set("The walk is in an NLA strip: tweak the strip, or make its action the active one")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the frame."""
        result = result_of(character_object(context))
        if result is None:
            return {"CANCELLED"}
        context.scene.frame_set(result.action.biped.fell_frame)
        return {"FINISHED"}


class BIPED_OT_cancel(bpy.types.Operator):
    """Ends the simulation that runs."""

    bl_idname = "biped.cancel"
    bl_label = "Cancel"
    bl_description = "Stop computing the walk and change nothing"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Return whether a walk is being computed."""
        if not status.worker:
            cls.poll_message_set("No walk is being computed")
        return status.worker is not None

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """End the simulation; the running operator sees it at its next look."""
        if status.worker:
            status.worker.cancel()
        return {"FINISHED"}


def _tried(what: str, make: Callable[[], object]) -> list[str]:
    """Do something on top of a bake; return what went wrong, which must not lose the bake."""
    try:
        make()
    except BipedError as error:
        return [str(error)]
    except Exception as error:
        traceback.print_exc()
        return [f"The {what} could not be added: {error}"]
    return []


def _refused(operator: bpy.types.Operator, error: BipedError) -> set[str]:
    """Tell the user, in the status bar and in the panel, and change nothing."""
    level: Level = "INFO" if isinstance(error, CancelledError) else "ERROR"
    status.end(str(error), level)
    operator.report({level}, str(error))
    return {"CANCELLED"}
