"""Footprints in the 3D view that are dragged to where a foot is to be set down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d

from ...base.errors import BipedError
from ...base.limits import MAX_EVENTS
from ..base.changes import changed
from ..base.language import translated
from ..base.reading import metres
from ..base.units import length_text
from ..job.mapping import character_object
from . import shown_prints
from .path_handles import caption, disc, projected
from .shown_prints import ShownPrint, free_prints, reach, states

_RADIUS, _REACH = 6.0, 12.0  # pixels of a handle, and around its middle where the pointer takes it
_SNAPS = 0.01  # m: with Ctrl prints are moved by whole ones of these
_LEVEL = 1e-3  # of a view's direction: flatter it sees the ground from the side, and nothing is dragged over it
_PLAIN, _RIM = (0.85, 0.85, 0.85, 1.0), (0.05, 0.05, 0.05, 0.9)
COLORS = {
    "NEW": (0.95, 0.75, 0.15, 1.0),
    "HELD": (0.30, 0.85, 0.35, 1.0),
    "OFF": (0.95, 0.22, 0.18, 1.0),
    "GONE": (0.95, 0.22, 0.18, 1.0),
}
"""Of edited prints, by what became of them."""
_handle: Any = None


@dataclass(frozen=True)
class Handle:
    """A print that can be dragged. edited: its place among the edited ones, -1 for one that is not. state, off: of it.

    place: in the scene. was: where it was before it was moved. seen: pixels of the region.
    """

    side: str
    place: tuple[float, float, float]
    was: tuple[float, float, float]
    along: float
    edited: int
    state: str
    off: float
    seen: tuple[float, float]


_over: Handle | None = None


class BIPED_GT_prints(bpy.types.Gizmo):
    """All handles of prints: one gizmo that knows which of them is under the pointer."""

    bl_idname = "BIPED_GT_prints"
    __slots__ = ("before", "dragged", "made", "offset")

    def setup(self) -> None:
        """Begin with none."""
        self.dragged, self.made, self.offset = -1, False, (0.0, 0.0)
        self.before: tuple[Any, ...] = ()

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw nothing: ``draw_prints`` does, whether gizmos are shown or not."""

    def test_select(self, context: bpy.types.Context, location: Sequence[float]) -> int:
        """Return 0 where the pointer is over a print, else -1."""
        global _over
        before, _over = _over, handle_at(context, location)
        if _over != before:
            context.region.tag_redraw()
        return -1 if _over is None else 0

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take the print under the pointer; one that is not edited yet is from now on."""
        armature, taken = character_object(context), _over
        walk = armature.biped.walk if armature else None
        if walk is None or taken is None or not armature.is_editable:
            return {"CANCELLED"}
        at = on_plane(context, (event.mouse_region_x, event.mouse_region_y), taken.place[2])
        self.made = taken.edited < 0
        if at is None or (self.made and len(walk.prints) >= MAX_EVENTS):
            return {"CANCELLED"}
        self.dragged = edit(walk, taken) if self.made else taken.edited
        own = walk.prints[self.dragged]
        self.before = (tuple(own.place), own.state, own.off)
        self.offset = (own.place[0] - at[0], own.place[1] - at[1])
        walk.active_print = self.dragged
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: set[str]) -> set[str]:
        """Move it over the ground, no farther than a foot is set down elsewhere; with Ctrl by whole centimetres."""
        armature = character_object(context)
        if armature is None or not 0 <= self.dragged < len(armature.biped.walk.prints):
            return {"CANCELLED"}
        own = armature.biped.walk.prints[self.dragged]
        at = on_plane(context, (event.mouse_region_x, event.mouse_region_y), own.place[2])
        if at is not None:
            place = (at[0] + self.offset[0], at[1] + self.offset[1])
            snap = _SNAPS / float(metres(context.scene)) if "SNAP" in tweak else 0.0
            move(own, place, reach(context, armature), snap)
        context.area.header_text_set(translated(f"Moved by {moved_text(own, context)}"))
        context.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool) -> None:
        """Leave it where it is, as one step of undo, or put it back."""
        context.area.header_text_set(None)
        armature, at = character_object(context), self.dragged
        self.dragged = -1
        if armature is None or not 0 <= at < len(armature.biped.walk.prints):
            return
        walk = armature.biped.walk
        own = walk.prints[at]
        still = tuple(own.place) == self.before[0]
        if self.made and (cancel or still):
            walk.prints.remove(at)
            walk.active_print = -1
        elif cancel or still:
            own.place, own.state, own.off = self.before
        else:
            bpy.ops.ed.undo_push(message="Move Footprint")
        changed()


class BIPED_GGT_prints(bpy.types.GizmoGroup):
    """The handles of the footprints of the panel's character."""

    bl_idname = "BIPED_GGT_prints"
    bl_label = "Footprints"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether footprints are edited."""
        armature = character_object(context)
        return bool(context.scene.biped.edit_prints and armature is not None and armature.biped.walk.path is not None)

    def setup(self, _context: bpy.types.Context) -> None:
        """Make the gizmo."""
        made = self.gizmos.new(BIPED_GT_prints.bl_idname)
        made.use_draw_modal = True


def start() -> None:
    """Let Blender draw the handles. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw_prints, (), "WINDOW", "POST_PIXEL")


def stop() -> None:
    """Draw no more."""
    global _handle, _over
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
    _over = None
    shown_prints.forget()


def edit(walk: Any, taken: Handle | ShownPrint) -> int:
    """Add a print to the edited ones of a walk, where it is; return its place among them."""
    made = walk.prints.add()
    made.side, made.place, made.was, made.along = taken.side, taken.place, taken.place, taken.along
    return len(walk.prints) - 1


def move(own: Any, place: Sequence[float], most: float, snap: float = 0.0) -> None:
    """Move an edited print to a place, in Blender units.

    most: how far from where it was. snap: of which it is moved by whole ones; 0 for any way.
    """
    x, y = place[0] - own.was[0], place[1] - own.was[1]
    if snap > 0.0:
        x, y = snap * round(x / snap), snap * round(y / snap)
    far = math.hypot(x, y)
    share = min(most / far, 1.0) if far > 0.0 else 1.0
    own.place = (own.was[0] + share * x, own.was[1] + share * y, own.was[2])
    own.state, own.off = "NEW", 0.0


def moved_text(own: Any, context: bpy.types.Context) -> str:
    """Return how far an edited print is moved."""
    return length_text(math.dist(own.place, own.was) * float(metres(context.scene)), context.scene.unit_settings)


def on_plane(context: bpy.types.Context, mouse: Sequence[float], height: float) -> tuple[float, float] | None:
    """Return where on a level plane the pointer is, in the scene; None where it does not meet that."""
    origin = region_2d_to_origin_3d(context.region, context.region_data, mouse)
    way = region_2d_to_vector_3d(context.region, context.region_data, mouse)
    if abs(way.z) < _LEVEL:
        return None
    far = (height - origin.z) / way.z
    return (
        None if far < 0.0 and context.region_data.is_perspective else (origin.x + far * way.x, origin.y + far * way.y)
    )


def handles(context: bpy.types.Context) -> list[Handle]:
    """Return the handles of the prints that are in view."""
    armature = character_object(context)
    if armature is None or not context.scene.biped.edit_prints:
        return []
    edited = list(armature.biped.walk.prints)
    rows: list[tuple[Any, ...]] = [
        (own.side, tuple(own.place), tuple(own.was), own.along, i, *state)
        for i, (own, state) in enumerate(zip(edited, states(context, armature), strict=True))
    ]
    rows += [(own.side, own.place, own.place, own.along, -1, "", 0.0) for own in free_prints(context, armature)]
    if not rows:
        return []
    seen = projected(context, np.array([row[1] for row in rows]))
    return [Handle(*(*row, at)) for row, at in zip(rows, seen, strict=True) if at is not None]


def handle_at(context: bpy.types.Context, location: Sequence[float]) -> Handle | None:
    """Return the handle at a place of the region, pixels; the nearest one."""
    within = _REACH * context.preferences.system.ui_scale
    near = [(math.dist(own.seen, location[:2]), i, own) for i, own in enumerate(handles(context))]
    away, _, own = min(near, key=lambda one: one[:2], default=(math.inf, 0, None))
    return own if away <= within else None


def handle_text(own: Handle, context: bpy.types.Context) -> str:
    """Return what stands beside a print that is edited or under the pointer."""
    units, unit = context.scene.unit_settings, float(metres(context.scene))
    foot = translated("Left foot" if own.side == "L" else "Right foot")
    if own.edited < 0:
        return translated(f"{foot}: drag to move")
    by = length_text(math.dist(own.place, own.was) * unit, units)
    said = {
        "HELD": "the foot stands there",
        "NEW": "not simulated yet",
        "OFF": f"not held, off by {length_text(own.off, units)}",
        "GONE": "no step comes near",
    }[own.state]
    return translated(f"{foot}, moved by {by}: {translated(said)}")


def draw_prints() -> None:
    """Draw the handles, as Blender's 3D views call it; an exception would come again with every view."""
    context = bpy.context
    try:
        if context.space_data.overlay.show_overlays:
            _draw(context, handles(context))
    except (BipedError, ReferenceError):
        return


def _draw(context: bpy.types.Context, shown: Sequence[Handle]) -> None:
    scale, over = context.preferences.system.ui_scale, _over
    for own in shown:
        here = over is not None and (own.edited, own.place) == (over.edited, over.place)
        radius = _RADIUS * (1.3 if here else 1.0) * (1.0 if own.edited >= 0 else 0.7) * scale
        disc(own.seen, radius + 1.5 * scale, _RIM)
        disc(own.seen, radius, COLORS.get(own.state, _PLAIN))
        if here or own.state in ("OFF", "GONE"):
            caption(own.seen, handle_text(own, context), COLORS.get(own.state, _PLAIN), scale)
