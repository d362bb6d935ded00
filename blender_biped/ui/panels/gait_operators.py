"""What the buttons below the list of gaits do: add a timeline marker that names a gait, remove one."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...job import MAX_SPEED
from ..base.language import translated
from ..base.status import redraw
from ..base.styles import can, gait_items, styles
from ..job.gait_plan import timeline_of
from ..job.mapping import character_object, walk_of
from ..job.on_way.markers import Markers
from .on_way_operators import choose

_LONGEST = 63  # bytes of a marker's name


class _OfMarkers:
    """What both buttons share."""

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        """Return whether the scene can have gait markers."""
        walk = walk_of(context)
        if walk is None:
            cls.poll_message_set("Select an armature")
        elif not can(walk.controller_name).change:
            cls.poll_message_set("This method cannot change styles on the way: choose a style of another one")
        elif context.scene.library:
            cls.poll_message_set("The scene is linked from another file: make a library override of it first")
        else:
            return True
        return False


def _gait_items(_self: Any, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    walk = walk_of(context) if context else None
    return gait_items(walk.controller_name if walk else "")


class BIPED_OT_add_gait_marker(_OfMarkers, bpy.types.Operator):
    """Adds a marker that names a gait."""

    bl_idname = "biped.add_gait_marker"
    bl_label = "Add Gait Marker"
    bl_description = (
        "Add a timeline marker at the current frame: from there on the character walks with this gait. You can move or "
        "rename the marker; its name is the gait, optionally followed by a speed"
    )
    bl_options = {"REGISTER", "UNDO"}

    gait: EnumProperty(
        name="Gait",
        description="The gait from this frame on",
        items=_gait_items,
    )
    speed: FloatProperty(
        name="Speed",
        description="Speed from this frame on, as in the Walk panel, in metres per second. 0 for the usual one",
        min=0.0,
        max=MAX_SPEED,
        soft_max=5.0,
        precision=2,
    )
    own: BoolProperty(
        name="Only This Character",
        description="Put the character's name before the gait, so that the marker does not count for others",
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the marker, in place of the one that is there for the same characters."""
        scene, armature = context.scene, character_object(context)
        gaits = styles(walk_of(context).controller_name)
        if self.gait not in gaits:
            self.report({"ERROR"}, translated(f"There is no gait {self.gait!r}: choose one of {', '.join(gaits)}."))
            return {"CANCELLED"}
        address = f"{armature.name}: " if self.own else ""
        speed = f" {self.speed:.4g} m/s" if self.speed else ""
        name = f"{address}{gaits[self.gait].label}{speed}"
        if len(name.encode()) > _LONGEST:
            self.report(
                {"ERROR"}, translated(f"{name!r} is too long for a marker's name: give the armature a shorter one.")
            )
            return {"CANCELLED"}
        for there in timeline_of(scene, armature, gaits.values()).changes:
            if there.frame == scene.frame_current and (":" in there.marker) == self.own:
                _remove(scene, there.frame, there.marker)
        scene.timeline_markers.new(name, frame=scene.frame_current)
        choose(armature, f"{Markers.name} {len(scene.timeline_markers) - 1}")
        redraw()
        return {"FINISHED"}


class BIPED_OT_remove_gait_marker(_OfMarkers, bpy.types.Operator):
    """Removes a marker that names a gait."""

    bl_idname = "biped.remove_gait_marker"
    bl_label = "Remove Gait Marker"
    bl_description = "Remove this marker from the timeline"
    bl_options = {"UNDO", "INTERNAL"}

    frame: IntProperty(name="Frame", description="The marker's frame")
    marker: StringProperty(name="Marker", description="The marker's name")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        if not _remove(context.scene, self.frame, self.marker):
            self.report({"WARNING"}, translated(f"There is no marker {self.marker!r} at frame {self.frame} any more."))
            return {"CANCELLED"}
        redraw()
        return {"FINISHED"}


def _remove(scene: bpy.types.Scene, frame: int, name: str) -> bool:
    """Remove the markers of a name at a frame; return whether there was one."""
    found = [mark for mark in scene.timeline_markers if (mark.frame, mark.name) == (frame, name)]
    for mark in found:
        scene.timeline_markers.remove(mark)
    return bool(found)
