"""What an armature keeps as a character (``Object.biped``)."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import math

import bpy
from bpy.props import (
    BoolProperty,
    BoolVectorProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...character.mapping import AXES
from ...character.model import ROLES
from ...character.segments import DENSITY
from ..base.changes import changed
from ..base.fcurves import SLOTTED
from ..base.status import redraw
from .declaring import in_scene_units, noticed, overridable
from .picking import BIPED_PG_pickers
from .push_properties import BIPED_PG_push
from .target_properties import BIPED_PG_target
from .walk_properties import BIPED_PG_walk

AUTO = "AUTO"
"""Among the axes: let it be found."""


class BIPED_PG_bone(bpy.types.PropertyGroup):
    """A bone, by its name (the group's own ``name``)."""


@overridable
class BIPED_PG_part(bpy.types.PropertyGroup):
    """The bones of one body part; ``name`` is its role."""

    bones: CollectionProperty(type=BIPED_PG_bone, name="Bones", description="The bones that move with this part")
    own: StringProperty(
        name="Own Bones",
        description="The bones in place of those, one a line, where a library override cannot take those away",
    )
    reason: StringProperty(name="Reason", description="Why these bones are this part")
    picked: BoolProperty(name="Picked by Hand", description="Whether these bones were picked by hand")


@overridable
class BIPED_PG_doubt(bpy.types.PropertyGroup):
    """A sentence about what in a mapping could be wrong."""

    text: StringProperty(name="Doubt", description="What in the mapping could be wrong")


def _changed_and_drawn(_self: "BIPED_PG_character", _context: bpy.types.Context) -> None:
    changed()
    redraw(views=True)


def _axis_items(what: str) -> list[tuple[str, str, str]]:
    found = [(AUTO, "Automatic", f"Find where {what} is from the bones")]
    return found + [(axis, axis, f"{what.capitalize()} is the armature's own {axis} axis") for axis in AXES if axis]


def _set_mass(self: "BIPED_PG_character", value: float) -> None:
    self.mass_kg = value * bpy.context.scene.unit_settings.scale_length**3
    if self.mass_from == "SIZE" and value > 0.0:  # by a script: the panel shows it for a typed mass only
        self.mass_from = "TYPED"


_TARGETS = (
    (
        "REPLACE",
        "Replace Last Walk",
        "The keys of this character's last walk are replaced, in its action or NLA strip. Where there is none, or its "
        "keys were changed since, the walk gets a new action, and the present one stays in the file",
        3,
    ),
    ("ACTION", "New Action", "A new action takes the place of the present one, which stays in the file", 0),
    (
        "SLOT",
        "New Slot",
        "The walk gets a new slot of the present action, beside what that has",
        4,
    ),
    (
        "STRIP",
        "NLA Strip",
        "The present action is pushed down to a track of its own; the walk is a strip above it and replaces "
        "what it has keys for",
        1,
    ),
    (
        "ADDITIVE",
        "Additive NLA Strip",
        "The present action is pushed down to a track of its own; the walk is a strip above it and adds to "
        "it, bone by bone, what differs from the rest pose. Euler angles add number by number",
        2,
    ),
)
_ONTO = tuple(  # files keep the numbers
    (name, label, text, "NONE", number) for name, label, text, number in _TARGETS if SLOTTED or name != "SLOT"
)


@noticed
@overridable
class BIPED_PG_character(bpy.types.PropertyGroup):
    """An armature as a character."""

    convention: StringProperty(name="Convention", description="The naming convention that the bones follow")
    parts: CollectionProperty(type=BIPED_PG_part, name="Parts", description="The bones of each body part")
    heels: CollectionProperty(type=BIPED_PG_part, name="Heels", description="Bones that mark the back of each sole")
    controls: CollectionProperty(
        type=BIPED_PG_part, name="Controls", description="The bones to be keyed in place of a part's own"
    )
    confidence: FloatProperty(
        name="Confidence", description="How sure the mapping is, as Map Bones found it", default=1.0, min=0.0, max=1.0
    )
    doubts: CollectionProperty(type=BIPED_PG_doubt, name="Doubts", description="What in the mapping could be wrong")
    pickers: PointerProperty(type=BIPED_PG_pickers, name="Pickers", description="The cells of the role table")
    mirror: BoolProperty(
        name="Mirror",
        description="What is picked or cleared on one side is also picked or cleared on the other: the bone with the "
        "same name and the other side, else the one at the mirrored place",
        default=True,
    )
    keep_picked: BoolProperty(
        name="Keep Hand-Picked",
        description="Let Map Bones leave the bones that were picked by hand or loaded as they are",
        default=True,
    )
    details: BoolVectorProperty(
        name="Details", description="Show the reason and the further bones of this part", size=len(ROLES)
    )
    forward: EnumProperty(
        name="Facing",
        description="Which of the armature's own axes the character faces in its rest pose",
        items=_axis_items("forward"),
        update=_changed_and_drawn,
    )
    up: EnumProperty(
        name="Up",
        description="Which of the armature's own axes the character stands along in its rest pose",
        items=_axis_items("up"),
        update=_changed_and_drawn,
    )
    pace: EnumProperty(
        name="Pace",
        description="How speed and step frequency depend on the size of the character",
        items=(
            (
                "BY_SIZE",
                "By Size",
                "Speeds grow with the square root of leg length: a giant takes longer, slower steps, a dwarf shorter, "
                "quicker ones; very wide hips and tails slow it down. Speeds of markers are those of an adult with "
                "legs of 0.9 m",
            ),
            (
                "EXACT",
                "Exact Speed",
                "Speeds, also those of markers, are the same for any size: a dwarf may have to run",
            ),
            (
                "ADULT",
                "Like an Adult",
                "Step frequency is that of an adult at the speed set, whatever the size, as in a film of a scale "
                "model: gravity and speed are scaled by leg length",
            ),
        ),
    )
    mass_from: EnumProperty(
        name="Mass From",
        description="Where the mass of the whole character comes from. It is shared out among the body parts",
        items=(
            ("SIZE", "By Size", "What is usual for a body of its size: 70 kg at 1.75 m"),
            ("TYPED", "Typed Mass", "The mass below"),
            ("MESH", "Mesh Volume", "The volume of the visible meshes that the armature deforms, times the density"),
        ),
    )
    density: FloatProperty(
        name="Density in Kilograms per Cubic Metre",
        description="Mass of a cubic metre of the mesh's volume, kg/m³; living bodies have about 1050",
        default=DENSITY,
        min=1.0,
        soft_max=3000.0,
        max=25000.0,
        precision=0,
    )
    mass_kg: FloatProperty(name="Mass in Kilograms", description="0 for the usual mass of a body of its size", min=0.0)
    mass: FloatProperty(
        name="Mass",
        description="Mass of the whole character, shared out among the body parts. 0 takes what is usual for its size",
        unit="MASS",
        min=0.0,
        soft_max=200.0,
        **{**in_scene_units("mass_kg", 3), "set": _set_mass},
    )
    root: EnumProperty(
        name="Travel On",
        description="What carries the character along the path in the baked action",
        items=(
            ("HIPS", "Hips", "The hips bone carries everything; the armature object stays where it is"),
            (
                "ROOT_BONE",
                "Root Bone",
                "The topmost bone above the hips carries place and heading, smoothed over a stride; "
                "the hips move about it",
            ),
            (
                "OBJECT",
                "Object",
                "The armature object carries place and heading, smoothed over a stride; the hips move about it",
            ),
            (
                "IN_PLACE",
                "In Place",
                "Nothing travels or turns: it walks where it stands, the hips keep their height, sway and bob",
            ),
        ),
        default="HIPS",
    )
    one_stride: BoolProperty(
        name="One Stride",
        description=(
            "Bake one stride as a loop, in place, cut from the straightest steady part of the walk. Its ends "
            "match, and it has a whole number of frames. Result says how fast to move the object"
        ),
    )
    body_parts: EnumProperty(
        name="Body Parts",
        description="What gets keys, besides the hips. The other bones keep their pose and their animation, and "
        "follow what they hang on. Shift-click for several",
        items=(
            ("LEGS", "Legs", "Thighs, shins, feet and toes"),
            ("TRUNK", "Trunk", "Spine, neck and head"),
            ("ARMS", "Arms", "Shoulders, arms and hands"),
        ),
        options={"ENUM_FLAG"},
        default={"LEGS", "TRUNK", "ARMS"},
    )
    keying: EnumProperty(
        name="Keys",
        description="Which frames get keys",
        items=(
            ("EVERY", "Every N Frames", "Key every Nth frame, and the last one"),
            (
                "NEEDED",
                "Where Needed",
                "As few keys, at whole frames, as keep the feet and the joints within the errors below at every frame. "
                "The feet's strikes and lift-offs always have keys",
            ),
        ),
    )
    key_step: IntProperty(
        name="Every N Frames",
        description="Key every Nth frame, and the last one. Between keys the curves are smooth; only at the keys is "
        "the walk exact",
        default=1,
        min=1,
        max=10,
    )
    key_error_m: FloatProperty(
        name="Error in Metres", description="How far the feet may be off", default=0.002, min=0.0001, max=1.0
    )
    key_error: FloatProperty(
        name="Error of Feet",
        description="How far the feet may be off the simulated walk at any frame",
        unit="LENGTH",
        precision=4,
        **in_scene_units("key_error_m", 1),
    )
    key_turn: FloatProperty(
        name="Error of Joints",
        description="How far the body parts may be turned off the simulated walk at any frame",
        subtype="ANGLE",
        default=math.radians(1.0),
        min=math.radians(0.01),
        max=math.radians(45.0),
    )
    relax_hands: BoolProperty(
        name="Relax Hands",
        description="Curl the fingers a little, as in a hand that hangs at rest, in place of the rest pose. Fingers "
        "that have a pose or an animation of their own keep it",
        default=True,
    )
    spread_turns: BoolProperty(
        name="Spread Turns",
        description="Let all bones of spine and neck share the turns between hips, chest and head. Chest and head stay "
        "where they are simulated. Off, the trunk turns at the joints of its simulated parts alone",
        default=True,
    )
    shoulders: FloatProperty(
        name="Shoulders",
        description=(
            "How much the clavicles move with the arms: 1 as a person's do, 0 not at all. Arms and hands "
            "move with them, and the message says how far. They stay still in walks in which hands have "
            "something to do"
        ),
        default=1.0,
        min=0.0,
        max=1.5,
    )
    onto: EnumProperty(
        name="Bake To",
        description="Where the keys go",
        items=_ONTO,
        default="REPLACE",
    )
    limbs: EnumProperty(
        name="Limbs",
        description="Which controls of the control rig get the keys of arms and legs",
        items=(
            ("FK", "FK", "The control of each bone. Exact"),
            ("IK", "IK", "Hands and feet, and the targets that elbows and knees point at"),
        ),
        default="FK",
    )
    footprints: PointerProperty(
        name="Footprints",
        description="The object that has the footprints of this character's last bake",
        type=bpy.types.Object,
    )
    treadmill: PointerProperty(
        name="Treadmill",
        description="The empty that carries the travel of this character's walk in place",
        type=bpy.types.Object,
    )
    is_footprints: BoolProperty(
        name="Is Footprints", description="Whether this object has the footprints of a character, made by a bake"
    )
    show_result: BoolProperty(
        name="Show Result",
        description="Unfold how the walk went. A bake that goes wrong unfolds it",
        options=set(),
        update=lambda _self, _context: redraw(),
    )
    walk: PointerProperty(type=BIPED_PG_walk, name="Walk", description="How and where the character walks")
    push: PointerProperty(type=BIPED_PG_push, name="Push", description="How the object pushes characters")
    target: PointerProperty(
        type=BIPED_PG_target, name="Target", description="What characters do with their hands at the object"
    )
