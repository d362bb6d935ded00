"""What the buttons of Takes do: make variations of a walk, show, lock and keep them."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import time
import traceback
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import bpy
from bpy.props import BoolProperty, IntProperty

from ...base.errors import BipedError
from ...job import Job
from ...pool import cores
from ...strides import take_of
from ...worker import Worker
from ..bake.take_strips import strip_steps
from ..bake.way_back import WayBack
from ..bake.writing import find_armature
from ..base.language import translated
from ..base.status import Level, redraw, status
from ..job.companions import companions_of
from ..job.mapping import character_object
from ..job.runs import Queue, Run, Source
from ..job.takes import GrowingMotion, Take, Takes, TakesQueue, numbers, takes_of
from ..settings.fields import kind_chosen
from ..settings.preferences import worker_python
from .bake_operators import Bake, bake_ready, followed, read_run

NONE = "Make takes first"
_INFO: Level = "INFO"
_BETWEEN = 1.0  # s between two pictures of what has come


def begun_take(job: Job) -> Source:
    """Return what a take comes from: a worker that simulates it, and says what is there before. Raises WorkerError."""
    worker = Worker.ready(*worker_python(bpy.context))
    worker.begin(job, parts=True)
    return GrowingMotion(worker)


def panel_takes(context: bpy.types.Context) -> Takes:
    """Return the takes of the panel's character; none without one."""
    armature = character_object(context)
    return takes_of(armature.session_uid) if armature else Takes()


class BIPED_OT_make_takes(Bake, bpy.types.Operator):
    """Simulates several variations of the walk."""

    bl_idname = "biped.make_takes"
    bl_label = "Make Takes"
    bl_description = (
        "Simulate several variations of the walk, as many at a time as the computer has cores, and show them side by "
        "side in the view. Takes that are locked stay, the others go. Nothing is baked before you keep one"
    )
    bl_options = {"REGISTER"}
    _next_picture = 0.0  # on the clock of time.monotonic

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the walk could be baked, and has variations."""
        if not bake_ready(cls, context):
            return False
        armature = character_object(context)
        kind = kind_chosen(armature.biped.walk)
        if kind is None or kind.controller is None:
            cls.poll_message_set("This style is not simulated, and always walks in the same way: choose another one")
        elif companions_of(context.scene, armature):
            cls.poll_message_set("Takes are of one character: switch off Bump Into Each Other in the Scene panel")
        elif len(takes_of(armature.session_uid).locked) >= context.scene.biped.variations:
            cls.poll_message_set("As many takes are locked as Variations says: unlock one, or set more")
        else:
            return True
        return False

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the walks of all variations, or why there are none."""
        armature = character_object(context)
        own = numbers(takes_of(armature.session_uid), context.scene.biped.variations)
        first = read_run(context, armature, {"take": own[0]})
        if first.request is None:
            return [first]
        found = []
        for number in own:
            request = replace(first.request, job=take_of(first.request.job, number), settings={"take": number})
            found.append(Run(first.name, first.armature, request))
        return found

    def _begin(self, context: bpy.types.Context) -> Queue:
        """Read the scene, and let the takes come."""
        runs, takes = self.queued(context), panel_takes(context)
        self._queue = TakesQueue(runs, begun_take, cores(), coming=takes.begin(len(runs)))
        self._read = True
        return self._queue

    def _looked(self, escaped: bool) -> set[str]:
        """Show what has come, not too often: a view may be heavy."""
        now = time.monotonic()
        if isinstance(self._queue, TakesQueue) and self._queue.news and now >= self._next_picture:
            self._queue.news, self._next_picture = False, now + _BETWEEN
            redraw(views=True)
        return super()._looked(escaped)

    def _written(self, context: bpy.types.Context, queue: Queue) -> Generator[float, None, None]:
        """Write nothing."""
        yield from ()

    def _told(self) -> set[str]:
        """Let what has come take its place; tell how it went, in the status bar and in the panel."""
        runs = self._queue.runs
        takes = takes_of(runs[0].armature) if runs else Takes()
        new: list[Take] = []
        message, level = "No takes were made: cancelled. What was there stays.", _INFO
        if self._queue.cancelled:
            takes.give_up()
        else:
            new = takes.settle()
            message, level = _made_text(new, runs)
        status.end(message, level, [run.armature for run in runs[:1]])
        self.report({level}, translated(message))
        redraw(views=True)
        return {"FINISHED" if new else "CANCELLED"}

    def _failed(self, error: Exception) -> str:
        """Leave the takes that were there; return what the user is told."""
        for run in self._queue.runs[:1]:
            takes_of(run.armature).give_up()
        return super()._failed(error)

    def _stop(self, context: bpy.types.Context) -> None:
        """Leave no process."""
        super()._stop(context)
        redraw(views=True)

    def cancel(self, context: bpy.types.Context) -> None:
        """End the work when Blender ends the operator, as when another file is opened."""
        for run in self._queue.runs[:1]:
            takes_of(run.armature).give_up()
        super().cancel(context)


def _made_text(new: list[Take], runs: Any) -> tuple[str, Level]:
    """Return what to say of takes that were made, and how grave it is."""
    wrong = next((run.error for run in runs if run.error), "")
    if not new:
        return wrong, "ERROR"
    bad = ", ".join(str(take.number) for take in new if not take.well)
    said = [f"Takes {new[0].number} to {new[-1].number} are there: press Keep at the one that you like."]
    if bad:
        said.append(f"Not as it was set: {bad}.")
    return " ".join((*said, wrong)).rstrip(), "WARNING" if bad or wrong else "INFO"


class _OfTake:
    """An operator on one take of the panel's character."""

    bl_options = {"INTERNAL"}
    take: IntProperty(name="Take", description="Number of the take; 0 for all", min=0, options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there are takes."""
        if not panel_takes(context).made:
            cls.poll_message_set(NONE)  # type: ignore[attr-defined]
        return bool(panel_takes(context).made)


class BIPED_OT_show_take(_OfTake, bpy.types.Operator):
    """Shows a take, or hides it."""

    bl_idname = "biped.show_take"
    bl_label = "Show Take"
    bl_description = "Draw this take in the view, or leave it out"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Turn it."""
        takes = panel_takes(context)
        own = takes.take(self.take)
        if own is None:
            takes.hidden = not takes.hidden
        else:
            own.hidden = not own.hidden
        redraw(views=True)
        return {"FINISHED"}


class BIPED_OT_lock_take(_OfTake, bpy.types.Operator):
    """Locks a take, or unlocks it."""

    bl_idname = "biped.lock_take"
    bl_label = "Lock Take"
    bl_description = "Let this take stay when takes are made again, whatever is changed until then"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Turn it."""
        own = panel_takes(context).take(self.take)
        if own is None:
            self.report({"ERROR"}, translated(f"There is no take {self.take}."))
            return {"CANCELLED"}
        own.locked = not own.locked
        redraw(views=True)
        return {"FINISHED"}


class BIPED_OT_keep_take(Bake, bpy.types.Operator):
    """Bakes a take."""

    bl_idname = "biped.keep_take"
    bl_label = "Keep"
    bl_description = (
        "Bake this take just as it is shown, as Baking says, and set Take Number to its own. The takes are "
        "hidden then, and are still there"
    )
    take: IntProperty(name="Take", description="Number of the take to bake", min=1, options={"SKIP_SAVE"})
    strips: BoolProperty(
        name="Others as Muted Strips",
        description="Bake the other takes, too, each as an NLA strip in a muted track of its own",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there are takes, and the character can be baked."""
        if not panel_takes(context).made:
            cls.poll_message_set(NONE)
            return False
        return bake_ready(cls, context)

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the take's walk, which is there."""
        armature = character_object(context)
        take = takes_of(armature.session_uid).take(self.take)
        if take is None:
            return [Run(armature.name, armature.session_uid, error=f"There is no take {self.take}: make takes first.")]
        run = read_run(context, armature, take.request.settings)
        if run.request is None:
            return [run]
        if run.request.job.character != take.job.character:
            run.request, run.error = None, "The character has changed since its takes were made: make them again."
            return [run]
        notes = take.request.notes
        if run.request.job != take.job:
            notes = (*notes, "The settings have changed since: the walk is as the take was made.")
        run.request = replace(take.request, notes=notes, found=run.request.found)
        run.motion = take.motion
        return [run]

    def _written(self, context: bpy.types.Context, queue: Queue) -> Generator[float, None, None]:
        """Write the others where they are to be strips, then the one that is kept; all of it or nothing."""
        back = WayBack()
        with back.taken():
            for run in queue.runs:
                if self.strips and run.motion is not None:
                    yield from self._strips(context, run, queue, back)
            queue.writing = None
            yield from super()._written(context, queue)
            if not self._made:
                back.take()
        back.settle()

    def _strips(
        self, context: bpy.types.Context, run: Run, queue: Queue, back: WayBack
    ) -> Generator[float, None, None]:
        """Write the takes that are not kept; what goes wrong with one is the error of all."""
        queue.writing = run
        try:
            armature = find_armature(context, run.armature, self._scene)
            for take in takes_of(run.armature).made:
                if take.number != self.take and take.summary is not None:
                    name = f"{armature.name} Take {take.number}"
                    steps = strip_steps(armature, name, take.job, take.motion, take.summary, back)
                    yield from followed(steps, run)
        except BipedError as error:
            run.error, run.motion = str(error), None
        except Exception as error:
            traceback.print_exc()
            run.error = f"The bake failed ({error}). What was there is unchanged; see the console."
            run.motion = None

    def _told(self) -> set[str]:
        """Tell what became of it; the takes are hidden once one is kept."""
        done = super()._told()
        if done == {"FINISHED"}:
            takes_of(self._queue.runs[0].armature).hidden = True
            redraw(views=True)
        return done
