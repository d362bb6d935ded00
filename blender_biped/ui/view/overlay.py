"""The character's body drawn on its rig in the 3D view, so that a wrong mapping is seen before it is simulated."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ...base.errors import BipedError
from ...base.spatial import Array
from ...character.figure import Figure, figure, link_places
from ..base.reading import metres
from ..job.body import MappedRig, body_of
from ..job.mapping import character_object
from .batches import SIDE_COLORS, Batch, batch, draw

_HINGES = (1.0, 0.85, 0.1, 1.0)
_ARROW = (0.35, 0.9, 0.35, 1.0)
_FAINT, _LINE = 0.08, 0.9  # opacities
_THIN, _THICK = 1.2, 3.0  # pixels


@dataclass
class _Drawn:
    """What was drawn last, and what it was made from."""

    state: Hashable = None
    batches: list[Batch] = field(default_factory=list)


_drawn = _Drawn()
_handle: Any = None


def start() -> None:
    """Let Blender call the overlay whenever it draws a 3D view. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw_body, (), "WINDOW", "POST_VIEW")


def stop() -> None:
    """Draw no more."""
    global _handle
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
    _drawn.state, _drawn.batches = None, []


def is_hooked() -> bool:
    """Return whether Blender calls the overlay."""
    return _handle is not None


def figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Figure | None:
    """Return what is drawn of an armature in its present pose, in Blender units; None where it has no body.

    Raises RigError when its pose cannot be drawn.
    """
    body = body_of(armature, scene)
    if body is None or body.character is None:
        return None
    pose = _pose(armature, body)
    return _figure(body, np.array(armature.matrix_world, dtype=float), pose, metres(scene))


def _pose(armature: bpy.types.Object, body: MappedRig) -> dict[str, Array]:
    """Return the pose matrices (4, 4) of the bones that lead the links, as far as they are there."""
    names = [link.bones[0] for link in body.character.links if link.bones] if body.character else []
    bones = armature.pose.bones
    return {name: np.array(bones[name].matrix, dtype=float) for name in names if name in bones}


def _figure(body: MappedRig, world: Array, pose: dict[str, Array], unit: float) -> Figure:
    character, rig = body.character, body.rig
    assert character is not None and rig is not None
    rest = {name: rig.bones[rig.index[name]].matrix for name in pose if name in rig.index}
    metric = np.diag((unit, unit, unit, 1.0)) @ world
    whole = figure(character, *link_places(character, metric, pose, rest))
    return Figure(
        lines={group: ends / unit for group, ends in whole.lines.items()},
        faces={group: corners / unit for group, corners in whole.faces.items()},
        hinges=whole.hinges / unit,
        arrow=whole.arrow / unit,
    )


def draw_body() -> None:
    """Draw the body, as Blender's 3D views call it; an exception would come again with every view."""
    context = bpy.context
    try:
        if not context.scene.biped.show_body or not context.space_data.overlay.show_overlays:
            return
        armature = character_object(context)
        if armature is None or not armature.visible_get():
            return
        batches = _batches(armature, context.scene)
        if batches:
            draw(batches)
    except (BipedError, ReferenceError):  # the panel says why it cannot be drawn
        return


def _batches(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[Batch]:
    """Return what to draw, made again only when the body or the pose has changed."""
    body = body_of(armature, scene)
    if body is None or body.character is None:
        return []
    pose, world = _pose(armature, body), np.array(armature.matrix_world, dtype=float)
    state = (id(body), body.state, world.tobytes(), tuple((n, m.tobytes()) for n, m in pose.items()))
    if state != _drawn.state:
        _drawn.state, _drawn.batches = state, batches_of(_figure(body, world, pose, metres(scene)))
    return _drawn.batches


def batches_of(whole: Figure) -> list[Batch]:
    """Return what the GPU draws of a figure."""
    made: list[Batch] = []
    for group, color in SIDE_COLORS.items():
        if len(whole.lines[group]):
            made.append(batch(whole.faces[group], (*color, _FAINT)))
    for group, color in SIDE_COLORS.items():
        if len(whole.lines[group]):
            made.append(batch(whole.lines[group], (*color, _LINE), _THIN))
    if len(whole.hinges):
        made.append(batch(whole.hinges, _HINGES, _THICK))
    made.append(batch(whole.arrow, _ARROW, _THICK))
    return made
