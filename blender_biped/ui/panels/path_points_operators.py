"""What the buttons beside the list of points along the path do: add one, remove one, move it among the others."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from itertools import pairwise
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty

from ...base.errors import BipedError
from ...base.limits import MAX_EVENTS
from ..base.changes import changed
from ..base.language import translated
from ..base.reading import metres, read_path
from ..base.status import redraw
from ..job.mapping import character_object
from ..job.on_way.points import SAYS, say, why_not
from ..settings.path_points import in_order
from ..view.walk_shown import shown_walk
from .on_way_operators import Offered


class _OfPoints:
    """What the buttons share."""

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        """Return whether the panel's character has a path."""
        armature = character_object(context)
        if armature is None:
            cls.poll_message_set("There is no character: select an armature")
        elif armature.biped.walk.path is None:
            cls.poll_message_set("Choose a curve to walk along, or press New Path")
        elif not armature.is_editable:
            cls.poll_message_set("The armature is linked from another file: make a library override of it first")
        else:
            return True
        return False


class _OfActivePoint(_OfPoints):
    """What the buttons share that are about the active point."""

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        """Return whether there is an active point."""
        if not super().poll(context):
            return False
        walk = character_object(context).biped.walk
        if not 0 <= walk.active_point < len(walk.points):
            cls.poll_message_set("There is no point: add one first")
            return False
        return True


class BIPED_OT_add_path_point(_OfPoints, Offered, bpy.types.Operator):
    """Adds a point along the path."""

    bl_idname = "biped.add_path_point"
    bl_label = "Add Path Point"
    bl_description = (
        "Add a point along the path, in the middle of the longest stretch without one. At a point the speed or the "
        "style changes, or the character waits; drag it along the path in the 3D view"
    )
    bl_options = {"REGISTER", "UNDO"}

    place: FloatProperty(
        name="Place",
        description="Distance along the path from its first point; less than 0 for the middle of the longest stretch "
        "without a point",
        unit="LENGTH",
        default=-1.0,
        min=-1.0,
        options={"SKIP_SAVE"},
    )
    says: EnumProperty(
        name="What", description="What happens at the point", items=[item[:3] for item in SAYS], default="SPEED"
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add it, with the walk's speed."""
        shown = shown_walk(context, foresee=False)
        if shown is not None and (why := why_not(shown, self.says)):
            self.report({"ERROR"}, translated(why))
            return {"CANCELLED"}
        walk, unit = character_object(context).biped.walk, metres(context.scene)
        try:
            path, _ = read_path(walk.path, context.evaluated_depsgraph_get(), unit, walk.reverse, walk.laps)
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        if len(walk.points) >= MAX_EVENTS:
            self.report({"ERROR"}, "The path has as many points as it can have: remove one first.")
            return {"CANCELLED"}
        length = path.length / unit
        place = min(self.place, length) if self.place >= 0.0 else _emptiest(walk, length)
        point = walk.points.add()
        point.place, point.speed_mps = place, walk.speed_mps
        if shown is not None:
            say(shown, point, self.says)
        walk.active_point = len(walk.points) - 1
        changed()
        redraw(views=True)
        return {"FINISHED"}


class BIPED_OT_remove_path_point(_OfActivePoint, bpy.types.Operator):
    """Removes the active point."""

    bl_idname = "biped.remove_path_point"
    bl_label = "Remove Path Point"
    bl_description = "Remove the active point"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it; the next one along the path becomes the active one."""
        walk = character_object(context).biped.walk
        order, index, count = in_order(walk.points), walk.active_point, len(walk.points)
        at = order.index(index)
        following = [*order[at + 1 :], *reversed(order[:at])]
        walk.points.remove(index)
        if len(walk.points) == count:
            self.report({"ERROR"}, "The point is from the linked file: a library override cannot take it away.")
            return {"CANCELLED"}
        walk.active_point = following[0] - (following[0] > index) if following else 0
        changed()
        redraw(views=True)
        return {"FINISHED"}


class BIPED_OT_move_path_point(_OfActivePoint, bpy.types.Operator):
    """Moves the active point past its neighbour."""

    bl_idname = "biped.move_path_point"
    bl_label = "Move Path Point"
    bl_description = "Let the active point change places with its neighbour along the path"
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(
        name="Direction",
        description="Which neighbour it changes places with",
        items=(("UP", "Up", "The one before it"), ("DOWN", "Down", "The one after it")),
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Exchange their places."""
        walk = character_object(context).biped.walk
        order = in_order(walk.points)
        at = order.index(walk.active_point)
        other = at + (-1 if self.direction == "UP" else 1)
        if not 0 <= other < len(order):
            return {"CANCELLED"}
        a, b = walk.points[order[at]], walk.points[order[other]]
        a.place, b.place = b.place, a.place
        changed()
        redraw(views=True)
        return {"FINISHED"}


def _emptiest(walk: Any, length: float) -> float:
    """Return the middle of the longest stretch of a path without a point. length: the path's, in Blender units."""
    places = sorted({min(walk.start, length), length, *(min(point.place, length) for point in walk.points)})
    begin, end = max(pairwise(places), key=lambda pair: pair[1] - pair[0], default=(length, length))
    return 0.5 * (begin + end)
