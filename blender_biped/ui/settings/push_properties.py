"""What an object keeps as a push (``Object.biped.push``): an arrow that hits a character at the frames of its keys."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, PointerProperty

from ...character.pushed import PARTS
from .declaring import noticed, overridable


@noticed
@overridable
class BIPED_PG_push(bpy.types.PropertyGroup):
    """A push."""

    active: BoolProperty(
        name="Push", description="Let this object push a character along its Z axis, at each frame with a key of Force"
    )
    force: FloatProperty(
        name="Force in Newtons",
        description="How hard it pushes. Each key is a push: press I over it at the frame at which the push begins. "
        "250 N for a fifth of a second is a hard shove",
        default=250.0,
        min=0.0,
        soft_max=1000.0,
        max=100000.0,
        precision=0,
    )
    length: FloatProperty(
        name="Length in Seconds",
        description="How long each push lasts",
        default=0.2,
        min=0.01,
        soft_max=1.0,
        max=60.0,
        precision=2,
    )
    part: EnumProperty(
        name="Body Part",
        description="What of the character it pushes",
        items=tuple((part.key, part.label, part.text) for part in PARTS),
        default="CHEST",
    )
    character: PointerProperty(
        name="Character",
        description="Whom it pushes; everybody where none is chosen",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "ARMATURE",
    )
