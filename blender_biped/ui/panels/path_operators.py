"""What gives a character its path: a curve that is selected, or a new one under its feet; and the menus they are in."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty
from mathutils import Vector

from ...base.errors import BipedError, RigError
from ...base.spatial import Array
from ...character.body import build_character
from ...character.reference import REFERENCE_LEG
from ...world.shapes import SHAPES, Spline, ground_path
from ..base.changes import changed
from ..base.language import translated
from ..base.reading import metres, read_armature, sole_height, standing_place, stretch_of
from ..base.status import redraw
from ..job.body import walking_body
from ..job.far_path import way_to_path, why_held
from ..job.mapping import character_object, mapping, offered_path
from ..job.request import bare_job
from .mapping_operators import walk_ready

_LEGS = 11.0  # of the character: how long a new path is


class BIPED_OT_use_path(bpy.types.Operator):
    """Takes the selected curve as the path."""

    bl_idname = "biped.use_path"
    bl_label = "Use Selected Curve as Path"
    bl_description = "Let the character walk along the curve that is selected"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether a curve is selected that is not the character's path already."""
        if not walk_ready(cls, context):
            return False
        if offered_path(context, character_object(context)) is None:
            cls.poll_message_set("Select the character and one curve")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take it."""
        armature = character_object(context)
        armature.biped.walk.path = offered_path(context, armature)
        context.scene.biped.armature = armature
        redraw()
        return {"FINISHED"}


class BIPED_OT_add_path(bpy.types.Operator):
    """Adds a curve to walk along."""

    bl_idname = "biped.add_path"
    bl_label = "Ground Path"
    bl_description = (
        "Add a curve on the ground that begins at the character's feet and goes where it faces, as the path of its walk"
    )
    bl_options = {"REGISTER", "UNDO"}

    shape: EnumProperty(name="Shape", description="The way that the path takes", items=SHAPES, default="S")
    length: FloatProperty(
        name="Length",
        description="Length of the path, all the way round where it is closed",
        unit="LENGTH",
        subtype="DISTANCE",
        min=0.01,
        soft_max=100.0,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether objects can be added to the scene."""
        if context.scene.library or (context.collection and context.collection.library):
            cls.poll_message_set("The scene or the active collection is linked from another file: choose another one")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add it, and make it the path of the character where there is one."""
        armature = character_object(context)
        context.view_layer.update()
        unit = metres(context.scene)
        place, along, leg = _beginning(context, armature)
        if not self.properties.is_property_set("length"):
            self.length = _LEGS * leg / unit
        curve = path_curve(ground_path(self.shape, self.length), place, along)
        context.collection.objects.link(curve)
        if context.mode == "OBJECT":  # as all that is added
            for other in context.view_layer.objects.selected[:]:
                other.select_set(False)
            curve.select_set(True)
            context.view_layer.objects.active = curve
        if armature is None:
            self.report({"INFO"}, "Select an armature and this curve to walk along it.")
        elif armature.library:
            self.report(
                {"WARNING"},
                translated(f"{armature.name!r} is linked from another file, so the path is not given to it."),
            )
        else:
            armature.biped.walk.path = curve
            context.scene.biped.armature = armature
        redraw()
        return {"FINISHED"}


class BIPED_OT_bring_together(bpy.types.Operator):
    """Moves the character to where its path begins, or the path to where the character stands."""

    bl_idname = "biped.bring_together"
    bl_label = "Move to Path"
    bl_description = "Move the armature object to where its path begins. It is not turned"
    bl_options = {"REGISTER", "UNDO"}

    moved: EnumProperty(
        name="Move",
        description="What is moved, level and without a turn",
        items=(
            ("CHARACTER", "Character", "The character goes to where its path begins"),
            ("PATH", "Path", "The path goes to where the character stands"),
        ),
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip, in the interface's language."""
        if properties.moved == "PATH":
            return translated("Move the curve so that it begins where the character stands")
        return translated(cls.bl_description)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature whose walk can be set."""
        return walk_ready(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move it."""
        armature = character_object(context)
        context.view_layer.update()
        thing = armature.biped.walk.path if self.moved == "PATH" else armature
        try:
            way = _way_to_path(context, armature)
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        held = why_held(thing)
        if held:
            self.report({"ERROR"}, translated(held))
            return {"CANCELLED"}
        placed = thing.matrix_world.copy()
        placed.translation.xy += Vector(-way if self.moved == "PATH" else way)
        thing.matrix_world = placed
        context.view_layer.update()
        changed()
        redraw(views=True)
        return {"FINISHED"}


def _way_to_path(context: bpy.types.Context, armature: Any) -> Array:
    """Return the way (2,), Blender units, from where a character stands to where its walk begins. Raises BipedError."""
    body = walking_body(armature, context.scene)
    if body.rig is None or body.character is None:
        raise RigError(body.error)
    job = bare_job(context, armature, body.rig, body.character)[0]
    stretch = stretch_of(armature)[:2, :2]
    return np.asarray(stretch @ way_to_path(body.rig, body.character, job) / metres(context.scene))


def _beginning(context: bpy.types.Context, armature: Any) -> tuple[Array, Array, float]:
    """Return where a path begins (3,), its direction (2,), Blender units, and the length of the leg, m.

    Without a character that is at the 3D cursor, to where armatures usually face.
    """
    if armature is None:
        return np.array(context.scene.cursor.location), np.array((0.0, -1.0)), REFERENCE_LEG
    unit = metres(context.scene)
    try:
        rig = read_armature(armature, unit)
        character = build_character(rig, mapping(armature, unit))
        place, heading = standing_place(rig, character)
        stretch = stretch_of(armature)[:2, :2]
        feet = (*(stretch @ place / unit), sole_height(rig, character) / unit)
        return np.array(feet), stretch @ (np.cos(heading), np.sin(heading)), character.leg_length
    except (BipedError, RigError):  # bones that nobody knows yet: it stands at its object's origin
        forward = -np.array(armature.matrix_world.col[1][:2])
        norm = float(np.linalg.norm(forward))
        ahead = forward / norm if norm > 0.0 else np.array((0.0, -1.0))
        return np.array(armature.matrix_world.translation), ahead, REFERENCE_LEG


def path_curve(spline: Spline, place: Array, along: Array) -> bpy.types.Object:
    """Return a new curve object that begins at a place (3,) and goes along a direction (2,)."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    own = data.splines.new("BEZIER")
    own.bezier_points.add(len(spline.points) - 1)
    own.use_cyclic_u = spline.closed
    for point, co, before, after in zip(own.bezier_points, spline.points, spline.before, spline.after, strict=True):
        point.handle_left_type = point.handle_right_type = "FREE"
        point.co, point.handle_left, point.handle_right = (*co, 0.0), (*before, 0.0), (*after, 0.0)
        point.handle_left_type = point.handle_right_type = "ALIGNED"
    curve = bpy.data.objects.new("Path", data)
    curve.location = place
    curve.rotation_euler.z = float(np.arctan2(along[1], along[0]))
    return curve


def draw_add_path(menu: Any, _context: bpy.types.Context) -> None:
    """Draw the item in Add > Curve."""
    menu.layout.separator()
    menu.layout.operator("biped.add_path", icon="CURVE_PATH")


def draw_bake(menu: Any, _context: bpy.types.Context) -> None:
    """Draw the items in Object > Animation."""
    layout = menu.layout
    layout.separator()
    layout.operator_context = "INVOKE_REGION_WIN"  # else Blender would wait for the bake
    layout.operator("biped.bake_walk", icon="ACTION")
    layout.operator("biped.bake_all")
    layout.operator("biped.map_bones")
