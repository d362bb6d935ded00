"""What the buttons that bake do: simulate walks in processes of their own, write them, cancel them."""

from __future__ import annotations

import time
import traceback
from collections.abc import Generator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import bpy

from ...base.errors import BipedError, RigError
from ...base.patience import UnfinishedError, costly, patient
from ...company import Company
from ...job import Job
from ...pool import cores
from ...worker import CancelledError, Worker
from ..bake.choices import travel_of
from ..bake.free import check_free, held_bones, with_controls
from ..bake.result import result_of
from ..bake.rig import check_rig
from ..bake.writing import Written, find_armature, write_steps
from ..base.frames import show_frame
from ..base.hidden import evaluated
from ..base.language import translated
from ..base.skins import forget_skins
from ..base.status import Level, Said, status
from ..job.companions import companions_of, joined
from ..job.mapping import character_object, characters
from ..job.path_state import path_trouble
from ..job.request import Request, read_request
from ..job.runs import CompanySource, Queue, Run, Simulated, Source
from ..settings.preferences import worker_python
from ..view import preview
from .following import Following
from .layout import first_sentence
from .mapping_operators import armature_ready, why_not_writable

_LOOK = 0.1  # s between two looks at what is computed
_WRITE = 0.01  # s between two portions of reading or writing
PORTION = 0.05  # s that a portion takes
_WAIT = 0.02  # s between two looks without a window
Made = TypeVar("Made")
_LEVELS: tuple[Level, ...] = ("INFO", "WARNING", "ERROR")


def begun(job: Job) -> Source:
    """Return what a job's motion comes from: the preview, or a worker that simulates it. Raises WorkerError."""
    motion = preview.finished_motion(job)
    if motion is not None:
        return Simulated(motion)
    return preview.running_worker(job) or Worker.start(job, *worker_python(bpy.context))


def begun_company(company: Company) -> CompanySource:
    """Return what the motions of a company come from: a worker. Raises WorkerError."""
    return Worker.start(company, *worker_python(bpy.context))


class Bake(Following):
    """What operators share that simulate walks, several at a time, and then write them as one step of undo."""

    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}
    _queue: Queue
    _read: bool
    _known: dict[int, Run]
    _steps: Generator[float, None, None] | None
    _scene: int
    _made: dict[int, Written]

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the walks to bake, as the settings are now."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Simulate and bake to the end, without a window or from a script."""
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        tenths = -1
        self._prepare(context)
        try:
            queue = self._begin(context)
            while not queue.settled:
                queue.advance()
                manager.progress_update(queue.progress)
                if bpy.app.background and int(10 * queue.progress) > tenths:
                    tenths = int(10 * queue.progress)
                    print(f"Biped Locomotion: {10 * tenths} % of the walk simulated")
                if not queue.settled:
                    time.sleep(_WAIT)
            for _ in self._written(context, queue):
                pass
        finally:
            manager.progress_end()
            self._queue.stop()
        return self._told()

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the simulation and follow it while Blender stays responsive."""
        return self.execute(context) if bpy.app.background else self.follow(context)

    def follow(self, context: bpy.types.Context) -> set[str]:
        """Start the simulation; from then on Blender calls ``modal``, where the rest of a large scene is read."""
        self._prepare(context)
        if self._begun(context) and all(run.error for run in self._queue.runs):
            return self._told()
        return self._follow(context, self._queue, _LOOK if self._read else _WRITE)

    def _begun(self, context: bpy.types.Context) -> bool:
        """Read the scene, or a part of it, and start the simulation; return whether it was all of it."""
        try:
            with patient():
                self._begin(context)
        except UnfinishedError:
            return False
        self._queue.advance()
        return True

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at the simulation; write when it has ended, in portions between which Blender draws."""
        escaped = self._escaped(context, event)
        if escaped:
            self._queue.cancel()
        elif event.type != "TIMER":
            # Nothing may be changed or undone, and no frame be changed by playing, between two portions.
            return {"RUNNING_MODAL" if self._steps or not self._read else "PASS_THROUGH"}
        if self._queue.cancelled:
            return self._ended(context)
        try:
            if not self._read:
                if self._begun(context):
                    if all(run.error for run in self._queue.runs):
                        return self._ended(context)
                    status.begin(self._queue)
                    self._every(context, _LOOK)
            elif self._steps is None:
                self._queue.advance()
                if self._queue.settled:
                    self._steps = self._written(context, self._queue)
                    self._every(context, _WRITE)
            elif not _go_on(self._steps):
                return self._ended(context)
        except Exception as error:  # else the panel would go on saying that a walk is being computed
            self._stop(context)
            status.end(self._failed(error), "ERROR")
            if not self._made:
                raise
            traceback.print_exc()
            return {"FINISHED"}  # so that what is written can be undone
        return self._looked(escaped)

    def _failed(self, error: Exception) -> str:
        """Return what the user is told of an error that nobody has foreseen."""
        if not self._made:
            return f"The bake failed ({error}). What was there is unchanged; see the console."
        made, runs = len(self._made), len(self._queue.runs)
        return f"The bake failed ({error}) with {made} of {runs} walks baked; see the console."

    def _begin(self, context: bpy.types.Context) -> Queue:
        """Read the scene. Pointers to Blender's data would not outlive an undo meanwhile: numbers are kept."""
        self._queue = Queue(self.queued(context), begun, cores(), begun_company)
        self._read = True
        return self._queue

    def _prepare(self, context: bpy.types.Context) -> None:
        self._steps, self._timer, self._read, self._known, self._made = None, None, False, {}, {}
        self._scene = context.scene.session_uid
        self._queue = Queue((), begun)

    def _is_meant(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Return whether Esc is for the bake: over the sidebar, unless it stops playing; always while all input is."""
        return self._steps is not None or not self._read or super()._is_meant(context, event)

    def _stop(self, context: bpy.types.Context) -> None:
        """Leave no timer, no process, and nothing that is written by half."""
        super()._stop(context)
        if self._steps:
            self._steps.close()
        self._queue.stop()

    def _ended(self, context: bpy.types.Context) -> set[str]:
        """End, and tell what became of the walks."""
        self._stop(context)
        return self._told()

    def _written(self, context: bpy.types.Context, queue: Queue) -> Generator[float, None, None]:
        """Write all motions in portions; one that cannot be written does not stop the others."""
        for run in queue.runs:
            if run.motion is None or run.request is None:
                continue
            queue.writing, run.written = run, 0.0
            try:
                armature = find_armature(context, run.armature, self._scene)
                steps = write_steps(context, armature, run.request, run.motion)
                self._made[run.armature] = yield from followed(steps, run)
            except BipedError as error:
                run.error = str(error)
            except Exception as error:
                traceback.print_exc()
                run.error = f"The bake failed ({error}). What was there is unchanged; see the console."
        queue.writing = None

    def _told(self) -> set[str]:
        """Tell the user what became of the walks, in the status bar and in the panel."""
        runs = self._queue.runs
        said = [self._of(run) for run in runs]
        if self._queue.cancelled and not self._made:
            message = "The walks were cancelled; nothing was changed." if len(runs) > 1 else str(CancelledError())
            line, said = message, []
            level: Level = "INFO"
        elif len(runs) == 1:
            message, line, level = said[0].text, said[0].line, said[0].level
        else:
            line = f"{len(self._made)} of {len(runs)} walks baked."
            message = " ".join((line, *(f"{own.name}: {own.text}" for own in said)))
            level = max((own.level for own in said), key=_LEVELS.index)
            if level == "ERROR" and self._made:
                level = "WARNING"
        status.end(message, level, [run.armature for run in runs], said)
        # Blender shows an error whole, and a script gets it; all else has one line in the status bar.
        self.report({level}, translated(message) if level == "ERROR" else first_sentence(translated(line)))
        return {"FINISHED" if self._made else "CANCELLED"}

    def _of(self, run: Run) -> Said:
        """Return what became of a walk."""
        made = self._made.get(run.armature)
        if made:
            return Said(run.name, run.armature, made.message, made.line, made.level)
        if self._queue.cancelled and not run.error:
            return Said(run.name, run.armature, "It was cancelled.", "It was cancelled.", "INFO")
        return Said(run.name, run.armature, run.error, run.error, "INFO" if run.cancelled else "ERROR")


class BIPED_OT_bake_walk(Bake, bpy.types.Operator):
    """Simulates the walk and bakes it."""

    bl_idname = "biped.bake_walk"
    bl_label = "Bake Walk"
    bl_description = (
        "Simulate the walk along the path and key it. It replaces the walk that was baked last, unless "
        "Baking says otherwise; actions of your own stay. With Bump Into Each Other, all who bump are "
        "baked"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature and a path."""
        return bake_ready(cls, context)

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the walk of the character that the panel is about, and of those that it may bump into."""
        armature, scene = character_object(context), context.scene
        companions = companions_of(scene, armature)
        if not companions:
            return [read_run(context, armature)]
        runs = read_runs(context, companions, self._known)
        own = next(run for run in runs if run.armature == armature.session_uid)
        return runs if own.party else [own]


class BIPED_OT_bake_all(Bake, bpy.types.Operator):
    """Bakes the walks of all characters."""

    bl_idname = "biped.bake_all"
    bl_label = "Bake All"
    bl_description = (
        "Bake the walks of all characters of the scene that have a path, each with its own settings, as many at a time "
        "as the computer has cores"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character with a path."""
        if status.work:
            cls.poll_message_set("A walk is being computed")
        elif not characters(context.scene):
            cls.poll_message_set("No character of the scene has a path: choose a curve, or press New Path")
        else:
            return True
        return False

    def queued(self, context: bpy.types.Context) -> list[Run]:
        """Return the walks of all characters, those that cannot be baked with the reason."""
        return read_runs(context, characters(context.scene), self._known)


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
        show_frame(context.scene, result.action.biped.fell_frame)
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
        if not status.work:
            cls.poll_message_set("No walk is being computed")
        return status.work is not None

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """End the simulation; the running operator sees it at its next look."""
        if status.work:
            status.work.cancel()
        return {"FINISHED"}


def bake_ready(cls: Any, context: bpy.types.Context) -> bool:
    """Return whether the panel's character can be baked; else give Blender the reason."""
    if not armature_ready(cls, context):
        return False
    trouble = path_trouble(character_object(context), context.scene, context.view_layer)
    if trouble:
        cls.poll_message_set(trouble)
    return not trouble


def read_runs(context: bpy.types.Context, armatures: Sequence[Any], known: dict[int, Run]) -> list[Run]:
    """Return the walks of armatures, together those that bump into each other; see ``read_run``.

    known: those that are read already, by their armatures' session_uid; takes the others. Raises UnfinishedError.
    """
    for armature in armatures:
        if armature.session_uid not in known:
            with costly():
                known[armature.session_uid] = read_run(context, armature)
    runs = [known[armature.session_uid] for armature in armatures]
    joined(context.scene, runs)
    return runs


def read_run(
    context: bpy.types.Context, armature: Any, settings: Mapping[str, Any] = MappingProxyType({}), ahead: bool = False
) -> Run:
    """Return the walk of an armature as its settings are now, or why there is none. settings: that count instead.

    ahead: whether one without a path walks straight ahead.
    """
    run = Run(armature.name, armature.session_uid) if armature else Run("", 0)
    try:
        why = why_not_writable(armature, context.view_layer) if armature else ""
        if why:
            raise RigError(f"{why}.")
        forget_skins()
        with evaluated(armature) if armature else nullcontext():
            run.request = read_request(context, armature, settings, ahead)
            if armature:  # not only when the walk is simulated
                run.request = _movable(armature, run.request)
                check_rig(armature, run.request.job.character, travel_of(armature), armature.biped.limbs)
    except BipedError as error:
        run.error = str(error)
    return run


def _movable(armature: Any, request: Request) -> Request:
    """Return a request whose character's bones move by keys, by their controls where the mapping is new.

    Raises RigError for bones that do not move by keys.
    """
    job, found = request.job, request.found
    held = held_bones(armature, job.character, armature.biped.limbs)
    if held and found and all(held.values()):
        character, controls = with_controls(job.character, held)
        found = replace(found, controls={**found.controls, **controls})
        return replace(request, job=replace(job, character=character), found=found)
    check_free(armature, held)
    return request


def followed(steps: Generator[float, None, Made], run: Run) -> Generator[float, None, Made]:
    """Go through the steps of writing, and note how far they are with the run; return what they do."""
    while True:
        try:
            run.written = next(steps)
        except StopIteration as end:
            made: Made = end.value
            return made
        try:
            yield run.written
        except GeneratorExit:
            steps.close()
            raise


def _go_on(steps: Generator[float, None, None]) -> bool:
    """Do a portion of work; return whether there is more."""
    end = time.perf_counter() + PORTION
    while time.perf_counter() < end:
        try:
            next(steps)
        except StopIteration:
            return False
    return True
