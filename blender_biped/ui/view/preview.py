"""The walk that the settings describe, drawn in the 3D view while they are changed.

KLAW answers in a blink with a ghost; as soon as nothing changes for a moment the walk is simulated in the worker, and
its body, way and footprints take the ghost's place as they come: what is seen at the end is what the bake writes.

Nothing of it is in the file but whether it is on: after whatever change (curve, settings, undo, another file) it is
made again.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ...base.errors import BipedError, DataError
from ...base.garbage import no_garbage_collection
from ...base.patience import UnfinishedError, patient
from ...base.spatial import Array
from ...control.registry import PREVIEW
from ...job import Job
from ...klaw.preview import Preview, Previewer
from ...motion.motion import Motion
from ...motion.summary import Summary, summarised
from ...motion.trail import MotionTrail, trail_of
from ...worker import Worker
from ..base import changes
from ..base.frames import stretching
from ..base.reading import frame_rate, metres, stretch_of
from ..base.status import redraw
from ..base.styles import styles
from ..job.body import walking_body
from ..job.found import answered
from ..job.mapping import character_object
from ..job.request import request_of
from ..settings.preferences import worker_python
from .batches import Batch, draw
from .planned import PlannedPrint, planned_prints, to_come, without_planned
from .preview_text import Message, begun_text, ghost_text, walk_text
from .simulation import Simulation
from .walk_batches import body_batches, ground_batches

_PATIENCE = 0.005  # s for new steps: with all the rest a walk of 10 s is there with the next picture of the screen
_TICK = 0.05  # s between two looks at the simulation
_SHARE = 5.0  # pictures of a walk that comes take at most one of so many seconds
_THINNED = 3  # samples of such a walk to one that is looked at for its picture
_MET = (bpy.types.Object, bpy.types.Mesh, bpy.types.Curve, bpy.types.MetaBall, bpy.types.Action)  # what things are of
_HANDLERS = ("depsgraph_update_post", "undo_post", "redo_post", "load_post")


@dataclass
class ShownPreview:
    """What is shown. job, and stretch (3, 3) from metres to the scene's world: what it is made from.

    ghost: KLAW's answer; wrong: why there is none. walk: the simulated one, so far as it has come; summary: of all of
    it. planned: the prints that are known before it is simulated, None while they are not looked for. ground: batches
    that stay, body: those of the body at a place in time. old: whether the scene is another, and is being read.
    """

    job: Job | None = None
    stretch: Array = field(default_factory=lambda: np.eye(3))
    ghost: Preview | None = None
    wrong: str = ""
    walk: MotionTrail | None = None
    summary: Summary | None = None
    planned: tuple[PlannedPrint, ...] | None = None
    ground: list[Batch] | None = None
    body: tuple[int, list[Batch]] | None = None
    old: bool = False


_shown = ShownPreview()
_previewer = Previewer(_PATIENCE)
_simulation = Simulation()
_next_picture = 0.0  # on the clock of time.monotonic
_settings: Hashable = None
_handle: Any = None


def start() -> None:
    """Let Blender report changes and draw the preview. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")
        for name in _HANDLERS:
            getattr(bpy.app.handlers, name).append(scene_changed)
        changes.listen(request_update)


def stop() -> None:
    """Show no more; a simulation ends."""
    global _handle, _shown, _settings
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
        for name in _HANDLERS:
            getattr(bpy.app.handlers, name).remove(scene_changed)
    changes.listen_no_more(request_update)
    for timer in (_later, _look):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    _simulation.stop()
    _shown, _settings = ShownPreview(), None


def is_hooked() -> bool:
    """Return whether Blender calls the preview."""
    return _handle is not None


def message(context: bpy.types.Context) -> Message:
    """Return the panel's message about the preview."""
    armature = character_object(context)
    start = armature.biped.walk.frame_start if armature else 0
    if _simulation.state == "failed":
        return Message(_simulation.error, "ERROR")
    if _shown.summary:
        return walk_text(_shown.summary, start, context.scene)
    if _shown.walk:
        return begun_text(_shown.walk, start, context.scene)
    if _shown.ghost and _shown.job:
        return ghost_text(_shown.ghost, _shown.job, start, context.scene)
    return Message(_shown.wrong, "ERROR")


def progress() -> float | None:
    """Return how far the simulation of the preview is, 0..1; None where there is none, or it has ended."""
    return _simulation.progress if _simulation.busy else None


def is_whole() -> bool:
    """Return whether a walk is shown that is simulated to its end."""
    return _shown.summary is not None


def shown() -> Preview | MotionTrail | None:
    """Return what is drawn now."""
    return _shown.walk or _shown.ghost


def state() -> ShownPreview:
    """Return what is shown with all that is known of it. It changes as the simulation goes on."""
    return _shown


def drawn_on_ground(walk: Preview | MotionTrail) -> tuple[Preview | MotionTrail, Sequence[PlannedPrint]]:
    """Return a shown walk with the prints of it that are drawn, and the planned ones that are.

    Those take the place of the ghost's, and go as the simulated ones come.
    """
    planned, job = _shown.planned or (), _shown.job
    if not planned or job is None or _shown.summary:
        return walk, ()
    if _shown.walk:
        return walk, to_come(planned, walk, job.path)
    return replace(walk, prints=without_planned(walk, planned, job.path)), planned


def finished_motion(job: Job) -> Motion | None:
    """Return the motion of a job where the preview has simulated that and shows it, else None."""
    return _simulation.finished(job)


def running_worker(job: Job) -> Worker | None:
    """Return the worker that simulates a job for the preview if one does, else None. Who asks may cancel it."""
    return _simulation.running(job)


def request_update() -> None:
    """Have the preview made again soon: when Blender is not in the middle of a change."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_later):
        bpy.app.timers.register(_later, first_interval=0.0)


def update(context: bpy.types.Context) -> Preview | None:
    """Make KLAW's ghost of what the scene describes, if that is another than the last one; None where there is none.

    When it is not whole (many new steps), or the scene is not read to its end, the next call goes on.
    """
    global _shown
    if not context.scene.biped.show_preview:
        _shown = ShownPreview()
        return None
    with no_garbage_collection():
        try:
            armature = character_object(context)
            with patient():
                job, stretch = _job(context, armature), stretch_of(armature) / metres(context.scene)
        except UnfinishedError:
            _shown.old = True
            return _shown.ghost
        except BipedError as error:
            _shown = ShownPreview(wrong=str(error))
            return None
        _shown.old = False
        if job != _shown.job or not np.array_equal(stretch, _shown.stretch):
            _shown = ShownPreview(job, stretch)
        if not _shown.wrong and not (_shown.ghost and _shown.ghost.whole):
            try:
                _shown.ghost = _previewer.preview(job, _style())
            except BipedError as error:
                _shown.wrong = str(error)
            if not _shown.walk:
                _shown.ground = _shown.body = None
    return _shown.ghost


def simulate(context: bpy.types.Context) -> None:
    """Have the walk that ``update`` has found simulated as soon as nothing changes for a moment."""
    if _shown.job is None or _shown.old:
        _simulation.stop()
        return
    _simulation.desire(_shown.job, worker_python(context))
    _take_what_came()


def advance() -> bool:
    """Take what has come of the simulation; return whether there is more to come.

    What is planned is looked for when it begins: that takes longer than a drag may stop for.
    """
    new = _simulation.advance()
    if new and _shown.job and _shown.planned is None:
        _shown.planned, _shown.ground = planned_prints(_shown.job), None
        redraw(views=True)
    if new:
        redraw(views=_take_what_came())
    return _simulation.busy


def _take_what_came() -> bool:
    """Draw so much of the simulated walk as has come: all of it at once, parts of it not too often.

    Return whether that is something new.
    """
    global _next_picture
    job, whole, now = _shown.job, _simulation.state == "done", time.monotonic()
    if job is None or job != _simulation.job or _shown.summary or (not whole and now < _next_picture):
        return False
    motion = _simulation.motion
    if motion is None or (_shown.walk and motion is _shown.walk.motion):
        return False
    _shown.walk = trail_of(motion, job.floor, 1 if whole else _THINNED)
    _shown.ground = _shown.body = None
    if whole:
        _shown.summary = summarised(motion, job)
    _next_picture = now + _SHARE * (time.monotonic() - now)
    return True


def _job(context: bpy.types.Context, armature: Any) -> Job:
    if not _is_in(context.scene, armature):  # the scene keeps one that was deleted
        raise DataError("There is no character: select an armature.")
    body = walking_body(armature, context.scene)
    if body.rig is None or body.character is None:
        raise DataError(body.error)
    return request_of(context, armature, body.rig, body.character).job


def _is_in(scene: bpy.types.Scene, armature: Any) -> bool:
    return armature is not None and scene.objects.get(armature.name) == armature


def _style() -> Any:
    found = styles(PREVIEW.name)
    if not found:
        raise DataError("The presets of KLAW, which previews walks, are missing: install the extension again.")
    return next(iter(found.values()))


@persistent  # type: ignore[untyped-decorator]
def scene_changed(scene: Any, depsgraph: Any = None) -> None:
    """Request another preview after what it depends on has changed, or may have: as Blender calls it."""
    global _settings
    scene = bpy.context.scene
    if scene is None or not scene.biped.show_preview:
        if _shown.job:
            request_update()
        return
    armature = character_object(bpy.context)
    settings = settings_of(scene, armature)
    updates = getattr(depsgraph, "updates", None)
    if settings == _settings and updates is not None:
        path = armature and armature.biped.walk.path
        keys = armature and armature.animation_data and armature.animation_data.action
        own = {thing for thing in (path, path and path.data, armature, armature and armature.data, keys) if thing}
        if not any(entry.id.original in own for entry in updates) and not _meets_any(updates, armature):
            return
    _settings = settings
    request_update()


def _meets_any(updates: Any, armature: Any) -> bool:
    """Return whether something has changed that stands, lies, pushes or blows on the way of a character's walk."""
    changed = {entry.id.original for entry in updates if isinstance(entry.id.original, _MET)}
    if not changed or armature is None:
        return False
    there = answered(bpy.context.scene, bpy.context.view_layer, armature)
    actions = [thing.animation_data.action for thing in there if thing.animation_data]
    return not changed.isdisjoint([*there, *(thing.data for thing in there if thing.data), *filter(None, actions)])


def settings_of(scene: bpy.types.Scene, armature: Any) -> Hashable:
    """Return the settings that a character's walk depends on, and the markers."""
    own = armature.biped.walk if armature else None
    numbers = tuple(repr(getattr(own, name)) for name in type(own).__annotations__) if own else ()
    markers = tuple((m.frame, m.name) for m in scene.timeline_markers)
    own_place = armature and armature.session_uid, _is_in(scene, armature)
    return *own_place, numbers, markers, scene.render.fps


def _later() -> float | None:
    """Make the preview and have it drawn: as a timer calls it. Soon again while it is not whole."""
    preview = update(bpy.context)
    simulate(bpy.context)
    if _simulation.busy and not bpy.app.timers.is_registered(_look):
        bpy.app.timers.register(_look, first_interval=_TICK)
    redraw(views=True)
    return 0.0 if _shown.old or not (preview is None or preview.whole) else None


def _look() -> float | None:
    """Look at the simulation: as a timer calls it, while there is something to come."""
    return _TICK if advance() else None


def _draw() -> None:
    """Draw, as Blender's 3D views call it; an exception would come again with every view."""
    context = bpy.context
    try:
        walk = shown()
        if walk is None or not context.scene.biped.show_preview or not context.space_data.overlay.show_overlays:
            return
        if _shown.ground is None:
            walk, planned = drawn_on_ground(walk)
            _shown.ground = ground_batches(walk, _shown.stretch, planned)
        time = time_shown(context)
        place = round(time * 1000.0)
        if _shown.body is None or _shown.body[0] != place:
            _shown.body = (place, body_batches(walk, time, _shown.stretch))
        draw(_shown.ground + _shown.body[1])
    except (BipedError, ReferenceError):
        return


def time_shown(context: bpy.types.Context) -> float:
    """Return the time of the walk, s, at which the scene's frame shows it."""
    armature, scene = character_object(context), context.scene
    start = armature.biped.walk.frame_start if armature else 0
    return float((scene.frame_current / stretching(scene) - start) / frame_rate(scene))
