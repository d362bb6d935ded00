"""What adds something to the scene that a walk answers to: a push, a target."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import math
from collections.abc import Sequence
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, StringProperty
from mathutils import Euler, Vector

from ...base.errors import BipedError, RigError
from ...character.pushed import PARTS, pushed_at
from ..base.language import translated
from ..base.reading import metres
from ..base.solids import MESHES
from ..base.status import redraw
from ..job.body import body_of, walking_body
from ..job.mapping import character_object
from ..job.on_way.targets import HandTargets
from ..job.request import bare_job
from ..job.unlisted import sorted_visible
from ..settings.target_properties import ACTS
from .bake_operators import bake_ready
from .on_way_operators import Offered, choose

SORTS = (
    ("ground", "Ground", "It is walked on"),
    ("obstacles", "Obstacle", "It stands in the way, and stays"),
    ("props", "Prop", "It is pushed about"),
)
_LENGTH = 0.5  # of the arrow, m
_SIZE = 0.05  # of a target, m
_HEIGHT = 0.8  # of its height, where the character has no body yet: about its shoulders


class BIPED_OT_add_push(bpy.types.Operator):
    """Adds an arrow that pushes the character at the current frame."""

    bl_idname = "biped.add_push"
    bl_label = "Add Push"
    bl_description = (
        "Add an arrow that pushes the character at the current frame. Turn it to where it shall push; move its key of "
        "Force in the timeline, or add more of them, to push at other frames"
    )
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(
        name="Direction",
        description="Where it pushes, as seen from the character",
        items=(
            ("AHEAD", "Ahead", "From behind"),
            ("BACK", "Back", "From ahead"),
            ("LEFT", "To the Left", "From its right"),
            ("RIGHT", "To the Right", "From its left"),
        ),
        default="BACK",
    )
    part: EnumProperty(
        name="Body Part",
        description="What of the character it pushes",
        items=tuple((part.key, part.label, part.text) for part in PARTS),
        default="CHEST",
    )
    force: FloatProperty(
        name="Force in Newtons", description="How hard it pushes", default=250.0, min=0.0, soft_max=1000.0,
        max=100000.0, precision=0,
    )  # fmt: skip

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is somebody to push, and objects can be added."""
        return can_add(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add it where the character is now, with a key at the current frame."""
        armature = character_object(context)
        place, heading = _place(context, armature, self.part)
        turn = {"AHEAD": 0.0, "BACK": math.pi, "LEFT": 0.5 * math.pi, "RIGHT": -0.5 * math.pi}[self.direction]
        arrow = bpy.data.objects.new("Push", None)
        arrow.empty_display_type = "SINGLE_ARROW"
        arrow.empty_display_size = _LENGTH / metres(context.scene)
        arrow.rotation_euler = Euler((0.0, 0.5 * math.pi, heading + turn))
        arrow.location = place - arrow.rotation_euler.to_matrix() @ Vector((0.0, 0.0, arrow.empty_display_size))
        context.collection.objects.link(arrow)
        push = arrow.biped.push
        push.active, push.part, push.force, push.character = True, self.part, self.force, armature
        arrow.keyframe_insert("biped.push.force", frame=context.scene.frame_current)
        _select(context, arrow, armature)
        redraw(views=True)
        return {"FINISHED"}


class BIPED_OT_add_target(Offered, bpy.types.Operator):
    """Adds an empty that the walk reaches, or sets down at what it carries or pushes."""

    bl_idname = "biped.add_target"
    bl_label = "Add Target"
    bl_description = (
        "Add an empty at the 3D cursor that the walk stops before: it reaches it, or sets down what it carries, "
        "or leaves what it pushes or pulls"
    )
    bl_options = {"REGISTER", "UNDO"}

    act: EnumProperty(name="What", description="What the walk does at this place", items=ACTS, default="SET_DOWN")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is somebody with hands, and objects can be added."""
        return can_add(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add it at the 3D cursor."""
        armature = character_object(context)
        empty = bpy.data.objects.new("Target", None)
        empty.empty_display_type = "SPHERE"
        empty.empty_display_size = _SIZE / metres(context.scene)
        empty.location = context.scene.cursor.location
        context.collection.objects.link(empty)
        target = empty.biped.target
        target.active, target.act, target.character = True, self.act, armature
        _select(context, empty, armature)
        choose(armature, f"{HandTargets.name} {empty.name}")
        redraw(views=True)
        return {"FINISHED"}


class _Listing:
    """What both operators share that put meshes into the collection that their ``sort`` names."""

    def listed(self: Any, context: bpy.types.Context, things: Sequence[bpy.types.Object]) -> set[str]:
        """Link meshes to the collection, too, or say why not; return what ``execute`` does."""
        wrong = listed_in(context.scene, self.sort, things)
        if wrong:
            self.report({"ERROR"}, translated(wrong))
        return {"CANCELLED"} if wrong else {"FINISHED"}


class BIPED_OT_list_mesh(_Listing, bpy.types.Operator):
    """Puts a mesh into a collection of the Scene panel."""

    bl_idname = "biped.list_mesh"
    bl_label = "Add to the Scene Panel"
    bl_description = "Add this mesh to the collection of the Scene panel, which is made where there is none yet"
    bl_options = {"REGISTER", "UNDO"}

    object_name: StringProperty(name="Mesh", description="The object to add", options={"HIDDEN", "SKIP_SAVE"})
    sort: EnumProperty(name="As", description="What it is to a walk", items=SORTS, options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the scene can be changed."""
        return can_add(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Link it to the collection, too."""
        thing = context.view_layer.objects.get(self.object_name)
        if thing is None:
            self.report({"ERROR"}, translated(f"There is no object {self.object_name!r} any more."))
            return {"CANCELLED"}
        return self.listed(context, [thing])


class BIPED_OT_list_selected(_Listing, bpy.types.Operator):
    """Puts the selected meshes into a collection of the Scene panel."""

    bl_idname = "biped.list_selected"
    bl_label = "Add Selected Meshes"
    bl_description = (
        "Add the selected meshes to this collection of the Scene panel, which is made where there is none yet"
    )
    bl_options = {"REGISTER", "UNDO"}

    sort: EnumProperty(name="As", description="What they are to a walk", items=SORTS, options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether meshes are selected that are not the character's own."""
        if not can_add(cls, context):
            return False
        if not _chosen(context):
            cls.poll_message_set("Select the meshes first: not a character's own skin")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Link them to the collection, too."""
        return self.listed(context, _chosen(context))


def _chosen(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected meshes that no armature moves."""
    selected = context.view_layer.objects.selected
    return [thing for thing in selected if thing.type in MESHES and thing.find_armature() is None]


class BIPED_OT_list_visible(bpy.types.Operator):
    """Puts all visible meshes near the path into the collections of the Scene panel."""

    bl_idname = "biped.list_visible"
    bl_label = "Everything Visible"
    bl_description = (
        "Add all visible meshes near the path to Ground or Obstacles, by their shapes: what can be walked on, and what "
        "stands in the way. Characters, ceilings and the walls of a room around the path stay out"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a path and the scene can be changed."""
        return can_add(cls, context) and bake_ready(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Sort them."""
        armature = character_object(context)
        body = walking_body(armature, context.scene)
        try:
            if body.rig is None or body.character is None:
                raise RigError(body.error)
            job, _ = bare_job(context, armature, body.rig, body.character)
            found = sorted_visible(context, job)
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        wrong = [listed_in(context.scene, sort, things) for sort, things in found.items() if things]
        ground, obstacles = len(found["ground"]), len(found["obstacles"])
        said = next(filter(None, wrong), "") or f"Added to Ground: {ground}. Added to Obstacles: {obstacles}."
        self.report({"ERROR" if any(wrong) else "INFO"}, translated(said))
        return {"CANCELLED"} if any(wrong) else {"FINISHED"}


def listed_in(scene: bpy.types.Scene, sort: str, things: Sequence[bpy.types.Object]) -> str:
    """Link objects to a collection of the Scene panel, made where there is none; return why not, "" if it is done."""
    own = getattr(scene.biped, sort)
    if own is None:
        own = bpy.data.collections.new({"ground": "Ground", "obstacles": "Obstacles", "props": "Props"}[sort])
        scene.collection.children.link(own)
        setattr(scene.biped, sort, own)
    if own.library or own.override_library:
        return f"The collection {own.name!r} is linked from another file: choose another one in the Scene panel."
    for thing in things:
        if thing.name not in own.objects:
            own.objects.link(thing)
    return ""


def can_add(operator: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Return whether there is a character, and objects can be added; let an operator say why not."""
    if character_object(context) is None:
        operator.poll_message_set("Select an armature")
    elif context.mode != "OBJECT" and context.mode != "POSE":
        operator.poll_message_set("Leave Edit mode first")
    elif context.scene.library or (context.collection and context.collection.library):
        operator.poll_message_set("The scene or the active collection is linked from another file: choose another one")
    else:
        return True
    return False


def _select(context: bpy.types.Context, added: bpy.types.Object, armature: bpy.types.Object) -> None:
    """Make an object the active one, as all that is added, where that leaves no mode."""
    if context.mode == "OBJECT":
        for other in context.view_layer.objects.selected[:]:
            other.select_set(False)
        added.select_set(True)
        context.view_layer.objects.active = added
        context.scene.biped.armature = armature


def _place(context: bpy.types.Context, armature: bpy.types.Object, part: str) -> tuple[Vector, float]:
    """Return where a part of a character is now, in the scene, and the heading of its hips there, rad."""
    body = body_of(armature, context.scene)
    where = pushed_at(body.character, part) if body and body.character else None
    if body is None or body.character is None or where is None:
        top = max((bone.tail_local.z for bone in armature.data.bones), default=1.0)
        return armature.matrix_world @ Vector((0.0, 0.0, _HEIGHT * top)), math.atan2(*_ahead(armature))
    link, hips = body.character.links[body.character.index(where[0])], body.character.links[0]
    bone, pelvis = (armature.pose.bones[own.bones[0]] for own in (link, hips))
    place = armature.matrix_world @ (bone.head if where[1] is None else bone.tail)
    rest = armature.data.bones[pelvis.name].matrix_local.to_quaternion()
    w, x, y, z = hips.rest
    ahead = Vector((1.0, 0.0, 0.0))
    ahead.rotate(type(rest)((w, x, y, z)))  # in the armature's space at rest
    moved = pelvis.matrix.to_quaternion() @ rest.inverted() @ ahead
    world = armature.matrix_world.to_3x3() @ moved
    return place, math.atan2(world.y, world.x)


def _ahead(armature: bpy.types.Object) -> tuple[float, float]:
    """Return y and x of where armatures usually face: along their -Y axis."""
    ahead = -armature.matrix_world.to_3x3().col[1]
    return ahead.y, ahead.x
