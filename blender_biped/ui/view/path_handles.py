"""The points along the path in the 3D view: drawn on it, and dragged along it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import blf
import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ...base.spatial import Array
from ..base.changes import changed
from ..base.reading import ScenePath
from ..base.units import length_text
from ..job.mapping import character_object
from ..job.points_plan import point_text
from ..settings.path_points import too_many
from . import way

_RADIUS, _REACH = 6.0, 12.0  # pixels of a handle, and around its middle where the pointer takes it
_CORNERS = 20  # of a handle's circle
_SAMPLES = 600  # places of the path among which the one nearest to the pointer is looked for
_FAR = 0.25  # of the path: places farther from the last one are taken less readily, where a path crosses itself
_PLAIN, _ACTIVE, _RIM = (0.95, 0.75, 0.15, 1.0), (1.0, 1.0, 1.0, 1.0), (0.05, 0.05, 0.05, 0.9)
_TEXT = 11.0  # points
_handle: Any = None


@dataclass
class _Pointer:
    """Which point is under the pointer, and which one it drags; -1 for none."""

    over: int = -1
    dragged: int = -1


_pointer = _Pointer()


class BIPED_GT_path_points(bpy.types.Gizmo):
    """All handles of a path: one gizmo, that knows which of its points is under the pointer."""

    bl_idname = "BIPED_GT_path_points"
    __slots__ = ("before", "point")

    def setup(self) -> None:
        """Begin with no point."""
        self.point, self.before = -1, 0.0

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw nothing: ``draw_points`` does, whether gizmos are shown or not."""

    def test_select(self, context: bpy.types.Context, location: Sequence[float]) -> int:
        """Return 0 where the pointer is over a point, else -1."""
        over = point_at(context, location)
        if over != _pointer.over:
            _pointer.over = over
            context.region.tag_redraw()
        if over >= 0:
            self.point = over
        return 0 if over >= 0 else -1

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Take the point under the pointer."""
        walk = character_object(context).biped.walk
        if not 0 <= self.point < len(walk.points):
            return {"CANCELLED"}
        self.before = walk.points[self.point].place
        walk.active_point = _pointer.dragged = self.point
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
    """The handles of the points along the path of the panel's character."""

    bl_idname = "BIPED_GGT_path_points"
    bl_label = "Points Along the Path"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there are points to be dragged."""
        armature = character_object(context)
        return armature is not None and bool(armature.biped.walk.points) and armature.biped.walk.path is not None

    def setup(self, _context: bpy.types.Context) -> None:
        """Make the gizmo."""
        made = self.gizmos.new(BIPED_GT_path_points.bl_idname)
        made.use_draw_modal = True


def start() -> None:
    """Let Blender draw the points. Nothing without a window."""
    global _handle
    if _handle is None and not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw_points, (), "WINDOW", "POST_PIXEL")
    way.start()


def stop() -> None:
    """Draw no more."""
    global _handle, _pointer
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
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
    except ReferenceError:
        return


def _draw(context: bpy.types.Context, seen: dict[int, tuple[float, float]]) -> None:
    walk, scale = character_object(context).biped.walk, context.preferences.system.ui_scale
    for i, place in seen.items():
        big = 1.3 if i in (_pointer.over, _pointer.dragged) else 1.0
        _disc(place, (_RADIUS * big + 1.5) * scale, _RIM)
        _disc(place, _RADIUS * big * scale, _ACTIVE if i == walk.active_point else _PLAIN)
    blf.size(0, _TEXT * scale)
    blf.enable(0, blf.SHADOW)
    blf.shadow(0, 3, 0.0, 0.0, 0.0, 0.9)
    points = list(walk.points)
    for i, (x, y) in seen.items():
        blf.color(0, *(_ACTIVE if i == walk.active_point else _PLAIN))
        blf.position(0, x + 2.0 * _RADIUS * scale, y + _RADIUS * scale, 0.0)
        blf.draw(0, handle_text(points[i], context.scene, i == _pointer.dragged))
    blf.disable(0, blf.SHADOW)


def handle_text(point: Any, scene: bpy.types.Scene, dragged: bool) -> str:
    """Return what stands beside a point's handle; its place too, while it is dragged."""
    text = point_text(point, scene)
    place = length_text(point.place * scene.unit_settings.scale_length, scene.unit_settings)
    return f"{place}: {text}" if dragged else text


def _disc(place: tuple[float, float], radius: float, color: tuple[float, ...]) -> None:
    import gpu
    from gpu_extras.batch import batch_for_shader

    angles = np.linspace(0.0, 2.0 * math.pi, _CORNERS + 1)
    ring = np.column_stack((place[0] + radius * np.cos(angles), place[1] + radius * np.sin(angles), 0.0 * angles))
    middle = np.broadcast_to((*place, 0.0), (_CORNERS, 3))
    corners = np.stack((middle, ring[:-1], ring[1:]), axis=1).reshape(-1, 3).astype(np.float32)
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("color", color)
    batch_for_shader(shader, "TRIS", {"pos": corners}).draw(shader)
    gpu.state.blend_set("NONE")
