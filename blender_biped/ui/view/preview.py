"""The walk that the settings describe, drawn in the 3D view while they are changed: KLAW answers in a blink.

Nothing of it is in the file but whether it is on: after whatever change (curve, settings, undo, another file) it is
made again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ...base.errors import BipedError, DataError
from ...base.garbage import no_garbage_collection
from ...base.spatial import Array
from ...character.figure import figure
from ...control.registry import PREVIEW
from ...job import Job
from ...klaw.preview import Preview, Previewer
from ...preset.preset import Preset
from ..base import changes
from ..base.reading import frame_rate, metres, stretch_of
from ..base.status import redraw
from ..base.styles import styles
from ..base.units import speed_text
from ..job.body import body_of
from ..job.mapping import character_object
from ..job.request import request_of
from .batches import LEFT, RIGHT, SIDE_COLORS, Batch, batch, draw

_WAY = (0.35, 0.9, 0.35, 0.9)
_FAINT, _LINE, _PRINT = 0.10, 0.55, 0.9  # opacities
_THIN, _THICK = 1.2, 2.5  # pixels
_ABOVE = 0.004  # of the leg: how high prints are drawn above the ground
_PATIENCE = 0.005  # s for new steps: with all the rest a walk of 10 s is there with the next picture of the screen
_HANDLERS = ("depsgraph_update_post", "undo_post", "redo_post", "load_post")


@dataclass
class _ShownPreview:
    """What is shown. made_from: all that it depends on. stretch (3, 3): from metres to the scene's world.

    text: about it, for the panel; wrong: whether that is why there is none. ground: batches that stay, body: those of
    the body at a place in time.
    """

    made_from: Hashable = None
    preview: Preview | None = None
    stretch: Array = field(default_factory=lambda: np.eye(3))
    text: str = ""
    wrong: bool = False
    ground: list[Batch] | None = None
    body: tuple[int, list[Batch]] | None = None


_shown = _ShownPreview()
_previewer = Previewer(_PATIENCE)
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
    """Show no more."""
    global _handle, _shown, _settings
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
        for name in _HANDLERS:
            getattr(bpy.app.handlers, name).remove(scene_changed)
    changes.listen_no_more(request_update)
    if bpy.app.timers.is_registered(_later):
        bpy.app.timers.unregister(_later)
    _shown, _settings = _ShownPreview(), None


def is_hooked() -> bool:
    """Return whether Blender calls the preview."""
    return _handle is not None


def message() -> tuple[str, bool]:
    """Return the panel's message about the preview, and whether it is why there is none."""
    return _shown.text, _shown.wrong


def shown() -> Preview | None:
    """Return the preview that is drawn now."""
    return _shown.preview


def request_update() -> None:
    """Have the preview made again soon: when Blender is not in the middle of a change."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_later):
        bpy.app.timers.register(_later, first_interval=0.0)


def update(context: bpy.types.Context) -> Preview | None:
    """Make the preview of what the scene describes, if that is another than the last one; None where there is none.

    When it is not whole (many new steps), the next call goes on.
    """
    global _shown
    scene = context.scene
    if not scene.biped.show_preview:
        _shown = _ShownPreview()
        return None
    try:
        with no_garbage_collection():
            armature = character_object(context)
            job = _job(context, armature)
            stretch = stretch_of(armature) / metres(scene)
            inputs = (*_inputs(job), stretch.tobytes())
            if inputs != _shown.made_from:
                preview = _previewer.preview(job, _style())
                _shown = _ShownPreview(
                    inputs if preview.whole else None,
                    preview,
                    stretch,
                    _text(preview, job, armature.biped.walk.frame_start, scene),
                )
    except BipedError as error:
        _shown = _ShownPreview(text=str(error), wrong=True)
    return _shown.preview


def _job(context: bpy.types.Context, armature: Any) -> Job:
    if armature is None:
        raise DataError("There is no character: select an armature.")
    body = body_of(armature, context.scene)
    if body is None:
        raise DataError("The bones are not mapped yet: press Map Bones in the Character panel.")
    if body.rig is None or body.character is None:
        raise DataError(body.error)
    return request_of(context, armature, body.rig, body.character).job


def _style() -> Any:
    found = styles(PREVIEW.name)
    if not found:
        raise DataError("The presets of KLAW, which previews walks, are missing: install the extension again.")
    return next(iter(found.values()))


def _inputs(job: Job) -> tuple[Hashable, ...]:
    """Return all of a job that a preview depends on."""
    cues = tuple((cue.time, cue.place, cue.speed, _of_style(cue.preset)) for cue in job.cues)
    path = (job.path.points.tobytes(), job.path.closed)
    return (id(job.character), path, _of_style(job.preset), job.speed, job.speeds,
            job.start, job.stop, job.ground, job.gravity, job.duration, cues, job.along)  # fmt: skip


def _of_style(style: Preset) -> tuple[Hashable, ...]:
    return style.controller, style.name, repr(style.values), repr(style.keyed)


def _text(preview: Preview, job: Job, start: int, scene: bpy.types.Scene) -> str:
    last = start + round(preview.duration * frame_rate(scene))
    slower = ""
    if preview.speed < 0.999 * job.speed:
        slower = f" Walked at {speed_text(preview.speed, scene.unit_settings)}, the fastest that people walk."
    return f"{preview.steps} steps in {preview.duration:.1f} s, to frame {last}.{slower}"


@persistent  # type: ignore[untyped-decorator]
def scene_changed(scene: Any, depsgraph: Any = None) -> None:
    """Request another preview after what it depends on has changed, or may have: as Blender calls it."""
    global _settings
    scene = bpy.context.scene
    if scene is None or not scene.biped.show_preview:
        return
    armature = character_object(bpy.context)
    settings = _settings_of(scene, armature)
    updates = getattr(depsgraph, "updates", None)
    if settings == _settings and updates is not None:
        path = armature and armature.biped.walk.path
        keys = armature and armature.animation_data and armature.animation_data.action
        own = {thing for thing in (path, path and path.data, armature, armature and armature.data, keys) if thing}
        if not any(entry.id.original in own for entry in updates):
            return
    _settings = settings
    request_update()


def _settings_of(scene: bpy.types.Scene, armature: Any) -> Hashable:
    """Return the settings that a character's walk depends on, and the markers."""
    own = armature.biped.walk if armature else None
    numbers = tuple(repr(getattr(own, name)) for name in type(own).__annotations__) if own else ()
    return (
        armature and armature.session_uid,
        numbers,
        tuple((m.frame, m.name) for m in scene.timeline_markers),
        scene.render.fps,
    )


def _later() -> float | None:
    """Make the preview and have it drawn: as a timer calls it. Soon again while it is not whole."""
    preview = update(bpy.context)
    redraw(views=True)
    return None if preview is None or preview.whole else 0.0


def _draw() -> None:
    """Draw, as Blender's 3D views call it; an exception would come again with every view."""
    context = bpy.context
    try:
        preview = _shown.preview
        if preview is None or not context.scene.biped.show_preview or not context.space_data.overlay.show_overlays:
            return
        if _shown.ground is None:
            _shown.ground = _ground_batches(preview, _shown.stretch)
        armature = character_object(context)
        start = armature.biped.walk.frame_start if armature else 0
        time = (context.scene.frame_current - start) / frame_rate(context.scene)
        place = round(time * 1000.0)
        if _shown.body is None or _shown.body[0] != place:
            _shown.body = (place, _body_batches(preview, time, _shown.stretch))
        draw(_shown.ground + _shown.body[1])
    except (BipedError, ReferenceError):
        return


def ground_lines(preview: Preview, stretch: Array) -> dict[str, Array]:
    """Return the ends (N, 2, 3) of what is drawn on the ground, in the scene's world: "way", "L" and "R" prints."""
    above = np.array([0.0, 0.0, _ABOVE * preview.character.leg_length])
    way = np.stack((preview.line[:-1], preview.line[1:]), axis=1)
    found = {"way": np.concatenate((way, preview.ticks))}
    for side, name in enumerate("LR"):
        rings = [np.array(list(pairwise([*ring, ring[0]]))) for ring, foot in preview.prints if foot == side]
        found[name] = np.concatenate(rings) if rings else np.zeros((0, 2, 3))
    return {name: (ends + above) @ stretch.T for name, ends in found.items()}


def _ground_batches(preview: Preview, stretch: Array) -> list[Batch]:
    lines = ground_lines(preview, stretch)
    colors = {"way": _WAY, "L": (*LEFT, _PRINT), "R": (*RIGHT, _PRINT)}
    return [batch(lines[name], colors[name], _THICK) for name in colors if len(lines[name])]


def _body_batches(preview: Preview, time: float, stretch: Array) -> list[Batch]:
    whole = figure(preview.character, *preview.place(time))
    made = []
    for group, color in SIDE_COLORS.items():
        if len(whole.lines[group]):
            made.append(batch(whole.faces[group] @ stretch.T, (*color, _FAINT)))
            made.append(batch(whole.lines[group] @ stretch.T, (*color, _LINE), _THIN))
    return made
