"""Thumbnails of styles of one's own: simulated by the worker and drawn while Blender goes on, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy

from ...base.errors import BipedError
from ...character.standard import standard_character
from ...motion.strip import png, shown_job, thumbnail
from ...preset.own import file_of, write_file
from ...preset.preset import Preset
from ...worker import Worker
from ..base.status import redraw, status
from ..base.styles import own_folder, styles, without_picture
from ..settings import menus
from ..settings.preferences import worker_python

_TICK = 0.2  # s between two looks at the worker
_BUSY = 2.0  # s while a walk is baked, which shall not wait for a picture


@dataclass
class _PictureQueue:
    """queue: the styles to be drawn. running: the one that is simulated. tried: those that were, for good or bad."""

    queue: list[Preset] = field(default_factory=list)
    running: tuple[Worker, Preset] | None = None
    tried: list[Preset] = field(default_factory=list)


_drawing = _PictureQueue()


def request(controller: str) -> None:
    """Have the thumbnails drawn that styles of one's own do not have yet. Cheap enough for a panel's draw."""
    missing = [style for style in without_picture(controller) if style not in _drawing.tried]
    if missing:
        _drawing.tried += missing
        _drawing.queue += missing
        if not bpy.app.timers.is_registered(step):
            bpy.app.timers.register(step, first_interval=_TICK)


def stop() -> None:
    """Draw no more."""
    if bpy.app.timers.is_registered(step):
        bpy.app.timers.unregister(step)
    if _drawing.running:
        _drawing.running[0].cancel()
    _drawing.running = None
    _drawing.queue.clear()
    _drawing.tried.clear()


def step() -> float | None:
    """Go on drawing: as a timer calls it. Return the seconds to the next call, None when all are drawn."""
    try:
        if _drawing.running is None and _drawing.queue:
            if status.work:
                return _BUSY
            style = _drawing.queue.pop(0)
            job = shown_job(style, standard_character())
            _drawing.running = Worker.start(job, *worker_python(bpy.context)), style
        elif _drawing.running and _drawing.running[0].poll().state != "running":
            worker, style = _drawing.running
            _drawing.running = None
            _keep(style, png(thumbnail(worker.result())))
    except BipedError as error:  # then it keeps its neutral icon
        print(f"Biped Locomotion: no picture of a style: {error}")
    return _TICK if _drawing.queue or _drawing.running else None


def _keep(style: Preset, picture: bytes) -> None:
    """Write a thumbnail, if the style is still there and as it was."""
    folder = own_folder()
    if folder is not None and styles(style.controller).get(style.name) == style:
        write_file(file_of(folder, style, ".png"), picture)
        menus.forget_pictures()
        redraw()
