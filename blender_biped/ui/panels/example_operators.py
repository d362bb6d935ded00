"""Add > Biped Example: scenes to begin with, made in the open file."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
from bpy.props import EnumProperty

from ..base.language import translated
from ..base.status import redraw
from .examples import EXAMPLES, made

_LISTS = ("ground", "obstacles")


class BIPED_OT_add_example(bpy.types.Operator):
    """Adds an example scene."""

    bl_idname = "biped.add_example"
    bl_label = "Add Biped Example"
    bl_description = (
        "Add a character with a walk that is ready to bake, at the 3D cursor, in a new collection. What is in the "
        "scene stays as it is. A text beside it says what to try"
    )
    bl_options = {"REGISTER", "UNDO"}

    example: EnumProperty(
        name="Example", description="What is added", items=[(own.name, own.label, own.description) for own in EXAMPLES]
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether objects can be added."""
        lists = [getattr(context.scene.biped, name) for name in _LISTS]
        if context.mode != "OBJECT":
            cls.poll_message_set("Switch to Object mode first")
        elif context.scene.library:
            cls.poll_message_set("The scene is linked from another file: choose another one")
        elif any(own and (own.library or own.override_library) for own in lists):
            cls.poll_message_set("Ground or Obstacles of the Scene panel are linked from another file: choose others")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make it; its character is the active one."""
        example = next(own for own in EXAMPLES if own.name == self.example)
        for thing in context.view_layer.objects.selected[:]:
            thing.select_set(False)
        characters = made(example, context)
        for hero in characters:
            hero.select_set(hero == characters[0])
        context.view_layer.objects.active = context.scene.biped.armature = characters[0]
        context.view_layer.update()
        redraw(views=True)
        said = "Press Bake All, in the Biped tab" if len(characters) > 1 else "Press Bake Walk, in the Biped tab"
        self.report({"INFO"}, translated(said))
        return {"FINISHED"}


class BIPED_MT_examples(bpy.types.Menu):
    """The examples."""

    bl_label = "Biped Example"
    bl_description = "Scenes to begin with: each has a character that is ready to walk, and a note of what to try"

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw an item for each."""
        for own in EXAMPLES:
            self.layout.operator("biped.add_example", text=own.label).example = own.name


def draw_examples(menu: Any, _context: bpy.types.Context) -> None:
    """Draw the menu in Add."""
    menu.layout.separator()
    menu.layout.menu("BIPED_MT_examples", icon="ARMATURE_DATA")
