"""What the list On the Way does: choose a row, let an object be taken, let one be no target any more."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...base.errors import BipedError
from ..base.changes import changed
from ..base.language import translated
from ..base.reading import metres
from ..base.solids import MESHES
from ..base.status import redraw
from ..job.mapping import character_object
from ..job.on_way.points import Points
from ..job.on_way.rows import tooltip
from ..job.on_way.targets import HandTargets
from ..job.things import assumed_mass
from ..settings.target_properties import TAKINGS
from ..view.walk_shown import shown_walk


class Offered:
    """What operators share that the menu of the list offers: their tooltips say why they cannot be used."""

    @classmethod
    def description(cls: Any, context: bpy.types.Context, properties: Any) -> str:
        """Return what is added, and why it cannot be, as Blender asks for it."""
        said = tooltip(shown_walk(context, foresee=False), cls.bl_idname, properties)
        return translated(said or cls.bl_description)


class BIPED_OT_choose_row(bpy.types.Operator):
    """Makes a row the active one."""

    bl_idname = "biped.choose_row"
    bl_label = "Choose Row"
    bl_description = "Show the settings of this row below the list"
    bl_options = {"UNDO", "INTERNAL"}

    row: StringProperty(name="Row", description="Its kind, and which one of that, with a space between")
    about: StringProperty(name="Text", description="All that the row says", options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """Return what the row says, which may be more than its button has room for, and what a click does."""
        return ". ".join(filter(None, (properties.about, translated(cls.bl_description))))

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the character keeps what is chosen."""
        armature = character_object(context)
        if armature is None:
            cls.poll_message_set("There is no character: select an armature")
        elif not armature.is_editable:
            cls.poll_message_set("The armature is linked from another file: make a library override of it first")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Choose it; a point along the path is the active point, too."""
        choose(character_object(context), self.row)
        return {"FINISHED"}


def choose(armature: Any, row: str) -> None:
    """Make a row the active one, where the armature can keep that. row: as ``Row.called`` has it."""
    if not armature.is_editable:
        return
    kind, _, key = row.partition(" ")
    if kind == Points.name and key.isdecimal():
        armature.biped.walk.active_point = int(key)
        armature.biped.walk.active_row = ""
    else:
        armature.biped.walk.active_row = row
    redraw(views=True)


class BIPED_OT_take_object(Offered, bpy.types.Operator):
    """Lets a mesh be picked up, pushed or pulled."""

    bl_idname = "biped.take_object"
    bl_label = "Take Object"
    bl_description = "Let the walk stop before the selected mesh, and pick it up, push it or pull it"
    bl_options = {"REGISTER", "UNDO"}

    taking: EnumProperty(name="What", description="What the walk does with it", items=TAKINGS, default="PICK_UP")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is somebody with hands, and something for them."""
        armature = character_object(context)
        if armature is None:
            cls.poll_message_set("There is no character: select an armature")
        elif _selected(context, armature) is None:
            cls.poll_message_set("Select the mesh that is to be taken: not the character's own skin")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make it a target of the panel's character."""
        armature = character_object(context)
        thing = _selected(context, armature)
        target = thing.biped.target
        target.active, target.taking, target.character = True, self.taking, armature
        context.scene.biped.armature = armature
        choose(armature, f"{HandTargets.name} {thing.name}")
        changed()
        return {"FINISHED"}


class BIPED_OT_give_mass(bpy.types.Operator):
    """Gives an object Rigid Body settings, with the mass that it is taken to have."""

    bl_idname = "biped.give_mass"
    bl_label = "Give It a Mass"
    bl_description = (
        "Add Rigid Body settings to this object, so that its mass and friction can be set here. It "
        "begins with 300 kg a cubic metre, what it is taken to weigh without them"
    )
    bl_options = {"REGISTER", "UNDO"}

    object_name: StringProperty(name="Object", description="The object that gets them", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add them where there are none."""
        thing = context.view_layer.objects.get(self.object_name)
        if thing is None or thing.type not in MESHES or not thing.is_editable:
            self.report({"ERROR"}, translated(f"There is no object {self.object_name!r} that can be changed."))
            return {"CANCELLED"}
        if thing.rigid_body is None:
            try:
                mass = assumed_mass(thing, metres(context.scene))
                with context.temp_override(object=thing, active_object=thing, selected_objects=[thing]):
                    bpy.ops.rigidbody.object_add(type="ACTIVE")
            except (BipedError, RuntimeError) as error:
                self.report({"ERROR"}, translated(str(error)))
                return {"CANCELLED"}
            made: Any = thing.rigid_body
            made.mass = mass
        changed()
        return {"FINISHED"}


class BIPED_OT_remove_target(bpy.types.Operator):
    """Lets an object be no target any more."""

    bl_idname = "biped.remove_target"
    bl_label = "Remove Target"
    bl_description = "Let the walk do nothing with this object any more. The object stays"
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Target", description="The name of the object")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch it off."""
        thing = context.view_layer.objects.get(self.target)
        if thing is None or not thing.biped.target.active:
            self.report({"WARNING"}, translated(f"There is no target {self.target!r} any more."))
            return {"CANCELLED"}
        if not thing.is_editable:
            self.report({"ERROR"}, "The target is linked from another file: make a library override of it first.")
            return {"CANCELLED"}
        thing.biped.target.active = False
        redraw(views=True)
        return {"FINISHED"}


def _selected(context: bpy.types.Context, armature: Any) -> Any:
    """Return the mesh that is meant: the active object, else one that is selected; None for none."""
    active, objects = context.view_layer.objects.active, context.view_layer.objects.selected
    for thing in (active, *objects):
        if thing is not None and thing.type in MESHES and thing.is_editable and not _is_own(thing, armature):
            return thing
    return None


def _is_own(thing: Any, armature: Any) -> bool:
    """Return whether a mesh is the skin of a character, or its footprints."""
    return thing.find_armature() is not None or armature.biped.footprints == thing
