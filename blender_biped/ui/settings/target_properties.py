"""What an object keeps as a target (``Object.biped.target``): reached, picked up, pushed, pulled, or set down at."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty

from .declaring import noticed, overridable

HANDS = (
    ("AUTO", "As Needed", "The nearer one; both for what is wide or heavy"),
    ("LEFT", "Left Hand", "The left one alone"),
    ("RIGHT", "Right Hand", "The right one alone"),
    ("BOTH", "Both Hands", "Both at once"),
)
TAKINGS = (
    ("PICK_UP", "Pick It Up", "It is picked up and carried on"),
    ("PUSH", "Push It", "It is pushed straight ahead over the ground, leaned against with both hands"),
    (
        "PULL",
        "Pull It",
        "It is pulled straight on over the ground, by one hand behind the body, from where the walk begins",
    ),
)
ACTS = (
    ("REACH", "Reach It", "A hand touches the place, as a switch or a handle"),
    (
        "SET_DOWN",
        "Set Down Here",
        "What is carried is set down here, and what is pushed or pulled is left, with the middle of its underside at "
        "this place",
    ),
)


@noticed
@overridable
class BIPED_PG_target(bpy.types.PropertyGroup):
    """A target."""

    active: BoolProperty(
        name="Biped Target",
        description="Let the walk stop before this object and do something with it: a mesh is picked up and carried "
        "on, pushed or pulled, an empty is reached, or what is carried, pushed or pulled is set down at it",
    )
    act: EnumProperty(name="What", description="What the walk does at this place", items=ACTS, default="REACH")
    taking: EnumProperty(
        name="What", description="What the walk does with this object", items=TAKINGS, default="PICK_UP"
    )
    hands: EnumProperty(name="Hands", description="With which hands", items=HANDS, default="AUTO")
    character: PointerProperty(
        name="Character",
        description="Whose target it is; everybody's where none is chosen",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "ARMATURE",
    )
