"""What a walk meets in the scene, drawn in the 3D view: read when it may have changed, outside of drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ...base.errors import BipedError
from ..job.mapping import character_object
from ..job.marked import Group, Marks, marks_of
from .batches import Batch, batch, draw
from .read_later import ReadLater

COLORS: dict[Group, tuple[float, float, float]] = {
    "beside": (0.65, 0.65, 0.65),
    "over": (0.35, 0.90, 0.35),
    "under": (0.65, 0.45, 1.00),
    "refused": (1.00, 0.15, 0.10),
    "prop": (1.00, 0.85, 0.10),
    "target": (0.15, 0.90, 0.80),
    "wind": (0.55, 0.80, 1.00),
    "push": (1.00, 0.30, 0.65),
}
"""As the setting's description names them."""

_LINE, _FAINT = 0.9, 0.08  # opacities
_WIDTH = 2.0  # pixels


@dataclass
class _DrawnMarks:
    """What is with the GPU, and what it was made of."""

    marks: Marks | None = None
    batches: list[Batch] | None = None


_met = ReadLater(marks_of, views=True)
_drawn = _DrawnMarks()
_handle: Any = None


def start() -> None:
    """Let Blender report changes and draw. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw_found, (), "WINDOW", "POST_VIEW")
        _met.start()


def stop() -> None:
    """Draw no more."""
    global _handle, _drawn
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
    _met.stop()
    _drawn = _DrawnMarks()


def is_hooked() -> bool:
    """Return whether Blender calls the overlay."""
    return _handle is not None


def shown_marks() -> Marks | None:
    """Return what is drawn, None where nothing was read."""
    return _met.found


def is_drawn() -> bool:
    """Return whether what was read last is with the GPU, to be drawn."""
    return _drawn.marks is not None and _drawn.marks is _met.found


def read_now(context: bpy.types.Context) -> None:
    """Read what the walk of the panel's character meets, if that is not known."""
    if context.scene.biped.show_found:
        _met.read_now(context)


def handlers() -> dict[str, Any]:
    """Return who is to be called after a change, an undo, a redo and a load, by Blender's names of these."""
    return _met.handlers


def draw_found() -> None:
    """Draw, as Blender's 3D views call it; an exception would come again with every view."""
    global _drawn
    context = bpy.context
    try:
        if not context.scene.biped.show_found or not context.space_data.overlay.show_overlays:
            return
        marks = _met.known(context) if character_object(context) is not None else None
        if marks is None:
            return
        if _drawn.marks is not marks:
            _drawn = _DrawnMarks(marks, batches_of(marks))
        if _drawn.batches:
            draw(_drawn.batches)
    except (BipedError, ReferenceError):
        return


def batches_of(marks: Marks) -> list[Batch]:
    """Return what the GPU draws of marks."""
    made = [batch(marks.faces[group], (*COLORS[group], _FAINT)) for group in COLORS if group in marks.faces]
    made += [batch(marks.lines[group], (*COLORS[group], _LINE), _WIDTH) for group in COLORS if group in marks.lines]
    return made
