"""What happens on the way in the 3D view: points along the path, dragged along it, and where all else is met."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import blf
import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ...base.errors import BipedError
from ...base.spatial import Array
from ..base.changes import changed
from ..base.reading import ScenePath
from ..base.units import length_text
from ..job.mapping import character_object
from ..job.on_way.row import Row, ShownWalk
from ..job.on_way.rows import kinds
from ..job.on_way.targets import HandTargets
from ..job.points_plan import point_text
from ..job.targets import aimed_at
from ..settings.path_points import too_many
from . import way
from .read_later import ReadLater
from .walk_shown import shown_walk

_RADIUS, _REACH = 6.0, 12.0  # pixels of a handle, and around its middle where the pointer takes it
_CORNERS, _SIDES = 20, 4  # of a handle's circle, and of the mark of what cannot be dragged
_SAMPLES = 600  # places of the path among which the one nearest to the pointer is looked for
_FAR = 0.25  # of the path: places farther from the last one are taken less readily, where a path crosses itself
_PLAIN, _ACTIVE, _RIM = (0.95, 0.75, 0.15, 1.0), (1.0, 1.0, 1.0, 1.0), (0.05, 0.05, 0.05, 0.9)
_TEXT = 11.0  # points
_handle: Any = None

aimed: ReadLater[bool] = ReadLater(lambda context, armature: bool(aimed_at(context.view_layer, armature)), views=True)
"""Whether hands have any targets."""


@dataclass
class _Pointer:
    """Which point is under the pointer, and which one it drags, -1 for none; and which other row, "" for none."""

    over: int = -1
    dragged: int = -1
    row: str = ""


_pointer = _Pointer()


class BIPED_GT_path_points(bpy.types.Gizmo):
    """All handles of a path: one gizmo, that knows which of its points is under the pointer, or which other row.

    Where a point is is its own; where all else is follows from its object or its frame: it can be chosen, no more.
    """

    bl_idname = "BIPED_GT_path_points"
    __slots__ = ("before", "point", "row")

    def setup(self) -> None:
        """Begin with no point."""
        self.point, self.before, self.row = -1, 0.0, ""

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw nothing: ``draw_points`` does, whether gizmos are shown or not."""

    def test_select(self, context: bpy.types.Context, location: Sequence[float]) -> int:
        """Return 0 where the pointer is over a point, else -1."""
        over = point_at(context, location)
        row = "" if over >= 0 else row_at(context, location)
        if (over, row) != (_pointer.over, _pointer.row):
            _pointer.over, _pointer.row = over, row
            context.region.tag_redraw()
        if over < 0 and not row:
            return -1
        self.point, self.row = over, row
        return 0

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Take the point under the pointer."""
        walk = character_object(context).biped.walk
        if self.row:
            if walk.id_data.is_editable:
                walk.active_row = self.row
                bpy.ops.ed.undo_push(message="Choose Row")
            return {"FINISHED"}
        if not 0 <= self.point < len(walk.points):
            return {"CANCELLED"}
        self.before = walk.points[self.point].place
        _pointer.dragged = self.point
        walk.active_point = self.point
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: set[str]) -> set[str]:
        """Move it to where the path is nearest to the pointer; with Ctrl to whole tenths."""
        shown, armature = way.shown_way(context), character_object(context)
        if shown is None or armature is None or self.point >= len(armature.biped.walk.points):
            return {"CANCELLED"}
        point, unit = armature.biped.walk.points[self.point], context.scene.unit_settings.scale_length
        mouse = (event.mouse_region_x, event.mouse_region_y)
        place = nearest_place(context, shown, mouse, point.place * unit)
        if place is not None:
            place /= unit
            point.place = min(round(place, 1), shown.path.length / unit) if "SNAP" in tweak else place
        context.area.header_text_set(f"Place: {length_text(point.place * unit, context.scene.unit_settings)}")
        context.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool) -> None:
        """Leave it where it is, as one step of undo, or put it back."""
        context.area.header_text_set(None)
        _pointer.dragged = -1
        armature = character_object(context)
        if armature is None or not 0 <= self.point < len(armature.biped.walk.points):
            return
        point = armature.biped.walk.points[self.point]
        if cancel:
            point.place = self.before
        elif point.place != self.before:
            bpy.ops.ed.undo_push(message="Move Path Point")
        changed()


class BIPED_GGT_path_points(bpy.types.GizmoGroup):
    """The handles of what happens on the way of the panel's character."""

    bl_idname = "BIPED_GGT_path_points"
    bl_label = "On the Way"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a path to have handles on."""
        armature = character_object(context)
        return armature is not None and armature.biped.walk.path is not None

    def setup(self, _context: bpy.types.Context) -> None:
        """Make the gizmo."""
        made = self.gizmos.new(BIPED_GT_path_points.bl_idname)
        made.use_draw_modal = True


def start() -> None:
    """Let Blender draw the points. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw_points, (), "WINDOW", "POST_PIXEL")
        aimed.start()
    way.start()


def stop() -> None:
    """Draw no more."""
    global _handle, _pointer
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
    aimed.stop()
    way.stop()
    _pointer = _Pointer()


def point_at(context: bpy.types.Context, location: Sequence[float]) -> int:
    """Return the index of the point whose handle is at a place of the region, pixels; -1 for none."""
    reach = _REACH * context.preferences.system.ui_scale
    near = [
        (math.dist(place, location[:2]), i) for i, place in on_screen(context).items()
        if math.dist(place, location[:2]) <= reach
    ]  # fmt: skip
    return min(near)[1] if near else -1


def row_at(context: bpy.types.Context, location: Sequence[float]) -> str:
    """Return which other row has its mark at a place of the region, pixels, as walks keep it; "" for none."""
    reach = _REACH * context.preferences.system.ui_scale
    near = [
        (math.dist(place, location[:2]), row.called) for row, place in others_on_screen(context)
        if math.dist(place, location[:2]) <= reach
    ]  # fmt: skip
    return min(near)[1] if near else ""


def others(shown: ShownWalk, targets: bool) -> list[Row]:
    """Return the rows beside the points that have a known place on the path. targets: whether there are any of hands.

    Those are looked for among all objects: not in each drawing.
    """
    if shown.way is None:
        return []
    some = [kind for kind in kinds() if kind.handles and (targets or not isinstance(kind, HandTargets))]
    length = shown.way.path.length
    return [row for kind in some for row in kind.rows(shown) if row.place is not None and row.place <= length]


def others_on_screen(context: Any) -> list[tuple[Row, tuple[float, float]]]:
    """Return these rows with where they are in the region, pixels; without those behind the view."""
    shown = shown_walk(context, foresee=False)
    rows = others(shown, bool(aimed.known(context))) if shown else []
    if not rows or shown is None or shown.way is None:
        return []
    seen = projected(context, shown.way.places(np.array([row.place for row in rows])))
    return [(row, place) for row, place in zip(rows, seen, strict=True) if place is not None]


def on_screen(context: bpy.types.Context) -> dict[int, tuple[float, float]]:
    """Return where the points are in the region, pixels, by their indices; without those behind the view."""
    shown, armature = way.shown_way(context), character_object(context)
    if shown is None or armature is None:
        return {}
    unit = context.scene.unit_settings.scale_length
    if too_many(armature.biped.walk.points):
        return {}
    places = [point.place * unit for point in armature.biped.walk.points]
    found = {}
    for i, place in enumerate(projected(context, shown.places(np.minimum(places, shown.path.length)))):
        if place is not None and places[i] <= shown.path.length:
            found[i] = place
    return found


def nearest_place(context: bpy.types.Context, shown: ScenePath, mouse: Sequence[float], last: float) -> float | None:
    """Return the place of the path, m, that is seen nearest to the pointer; None where nothing of it is in view.

    mouse: pixels of the region. last: the place before, m: where a path crosses itself, it does not jump over.
    """
    arcs = np.linspace(0.0, shown.path.length, _SAMPLES)
    best, found = math.inf, None
    for _ in range(2):  # the second time finely about what was found
        for arc, seen in zip(arcs.tolist(), projected(context, shown.places(arcs)), strict=True):
            if seen is None:
                continue
            far = math.dist(seen, mouse) * (1.0 + max(abs(arc - last) / shown.path.length - _FAR, 0.0))
            if far < best:
                best, found = far, arc
        if found is None:
            return None
        apart = arcs[1] - arcs[0]
        arcs = np.linspace(max(found - apart, 0.0), min(found + apart, shown.path.length), 21)
    return found


def projected(context: bpy.types.Context, places: Array) -> list[tuple[float, float] | None]:
    """Return where places (N, 3) of the scene are in the region, pixels; None for those behind the view."""
    found = []
    for place in places.tolist():
        seen = location_3d_to_region_2d(context.region, context.region_data, place)
        found.append(None if seen is None else (float(seen.x), float(seen.y)))
    return found


def draw_points() -> None:
    """Draw the points, as Blender's 3D views call it; an exception would come again with every view."""
    context = bpy.context
    try:
        if not context.space_data.overlay.show_overlays:
            return
        seen = on_screen(context)
        if seen:
            _draw(context, seen)
        if character_object(context) is not None:
            _draw_others(context, others_on_screen(context))
    except (BipedError, ReferenceError):
        return


def _draw(context: bpy.types.Context, seen: dict[int, tuple[float, float]]) -> None:
    walk, scale = character_object(context).biped.walk, context.preferences.system.ui_scale
    active = -1 if walk.active_row else walk.active_point
    for i, place in seen.items():
        big = 1.3 if i in (_pointer.over, _pointer.dragged) else 1.0
        disc(place, (_RADIUS * big + 1.5) * scale, _RIM)
        disc(place, _RADIUS * big * scale, _ACTIVE if i == active else _PLAIN)
    points = list(walk.points)
    for i, place in seen.items():
        text = handle_text(points[i], context.scene, i == _pointer.dragged)
        caption(place, text, _ACTIVE if i == active else _PLAIN, scale)


def _draw_others(context: bpy.types.Context, seen: Sequence[tuple[Row, tuple[float, float]]]) -> None:
    """Draw a lozenge for each row, which cannot be dragged, and what happens there."""
    shown, scale = shown_walk(context, foresee=False), context.preferences.system.ui_scale
    if shown is None:
        return
    blf.size(0, _TEXT * scale)
    for row, (x, y) in seen:
        color = _ACTIVE if row.called == shown.walk.active_row else (*row.kind.color, 1.0)
        big = 1.3 if row.called == _pointer.row else 1.0
        disc((x, y), (_RADIUS * big + 1.5) * scale, _RIM, _SIDES)
        disc((x, y), _RADIUS * big * scale, color, _SIDES)
        blf.color(0, *color)
        blf.position(0, x + 2.0 * _RADIUS * scale, y - 2.5 * _RADIUS * scale, 0.0)
        blf.draw(0, row.kind.text(shown, row))


def handle_text(point: Any, scene: bpy.types.Scene, dragged: bool) -> str:
    """Return what stands beside a point's handle; its place too, while it is dragged."""
    text = point_text(point, scene)
    place = length_text(point.place * scene.unit_settings.scale_length, scene.unit_settings)
    return f"{place}: {text}" if dragged else text


def caption(place: Sequence[float], text: str, color: Sequence[float], scale: float) -> None:
    """Write beside a handle at a place of the region, pixels. scale: of the user interface."""
    blf.size(0, _TEXT * scale)
    blf.enable(0, blf.SHADOW)
    blf.shadow(0, 3, 0.0, 0.0, 0.0, 0.9)
    blf.color(0, *color)
    blf.position(0, place[0] + 2.0 * _RADIUS * scale, place[1] + _RADIUS * scale, 0.0)
    blf.draw(0, text)
    blf.disable(0, blf.SHADOW)


def disc(place: tuple[float, float], radius: float, color: tuple[float, ...], corners: int = _CORNERS) -> None:
    """Draw a disc, or what has so many corners, about a place of the region, pixels."""
    import gpu
    from gpu_extras.batch import batch_for_shader

    angles = np.linspace(0.0, 2.0 * math.pi, corners + 1)
    ring = np.column_stack((place[0] + radius * np.cos(angles), place[1] + radius * np.sin(angles), 0.0 * angles))
    middle = np.broadcast_to((*place, 0.0), (corners, 3))
    corners = np.stack((middle, ring[:-1], ring[1:]), axis=1).reshape(-1, 3).astype(np.float32)
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("color", color)
    batch_for_shader(shader, "TRIS", {"pos": corners}).draw(shader)
    gpu.state.blend_set("NONE")
