"""The extension's settings (``Object.biped``, ``Scene.biped``)."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import math
from collections.abc import Callable

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
from ...control.registry import DEFAULT
from ...job import MAX_SPEED, MAX_STEP_WIDTH
from ..base.changes import changed
from ..base.fcurves import SLOTTED
from ..base.frames import MAX_FRAME
from ..base.status import redraw
from .fields import FIRST, load_sliders
from .menus import controller_items, item_number, name_of, preset_items, with_missing
from .picking import BIPED_PG_pickers

AUTO = "AUTO"
"""Among the axes: let it be found."""


def _in_scene_units(name: str, power: int) -> dict[str, Callable[..., object]]:
    """Return get and set of a property with a unit whose value is kept in SI units as ``name``.

    Blender shows such a number times the scene's unit scale to the ``power`` of lengths in its unit. Kept as
    it is, the same walk would have another speed and mass in a scene that is modelled in centimetres.
    """

    def scale() -> float:
        return bpy.context.scene.unit_settings.scale_length**power

    return {
        "get": lambda self: getattr(self, name) / scale(),
        "set": lambda self, value: setattr(self, name, value * scale()),
    }


def _set_controller(self: "BIPED_PG_walk", number: int) -> None:
    self.controller_name = name_of(controller_items(), number, self.controller_name)
    names = [item[0] for item in preset_items(self.controller_name)]
    if names and self.preset_name not in names:
        self.preset_name = names[0]


def _set_preset(self: "BIPED_PG_walk", number: int) -> None:
    self.preset_name = name_of(preset_items(self.controller_name), number, self.preset_name)


def _overridable(group: type[bpy.types.PropertyGroup]) -> type[bpy.types.PropertyGroup]:
    """Let a library override keep its own values of a group's properties, and its own items in its collections."""
    for deferred in group.__annotations__.values():
        keywords = deferred.keywords
        if "get" not in keywords and keywords.get("type") is not BIPED_PG_pickers:  # these keep nothing
            insertion = {"USE_INSERTION"} if deferred.function is CollectionProperty else set()
            keywords["override"] = {"LIBRARY_OVERRIDABLE", *insertion}
    return group


class BIPED_PG_bone(bpy.types.PropertyGroup):
    """A bone, by its name (the group's own ``name``)."""


@_overridable
class BIPED_PG_part(bpy.types.PropertyGroup):
    """The bones of one body part; ``name`` is its role."""

    bones: CollectionProperty(type=BIPED_PG_bone, name="Bones", description="The bones that move with this part")
    own: StringProperty(
        name="Own Bones",
        description="The bones in place of those, one a line, where a library override cannot take those away",
    )
    reason: StringProperty(name="Reason", description="Why these bones are this part")
    picked: BoolProperty(name="Picked by Hand", description="Whether these bones were picked by hand")


@_overridable
class BIPED_PG_doubt(bpy.types.PropertyGroup):
    """A sentence about what in a mapping could be wrong."""

    text: StringProperty(name="Doubt", description="What in the mapping could be wrong")


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


@_overridable
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
        update=lambda _self, _context: redraw(views=True),
    )
    up: EnumProperty(
        name="Up",
        description="Which of the armature's own axes the character stands along in its rest pose",
        items=_axis_items("up"),
        update=lambda _self, _context: redraw(views=True),
    )
    pace: EnumProperty(
        name="Pace",
        description="How speed and step frequency depend on the size of the character",
        items=(
            (
                "BY_SIZE",
                "By Size",
                "The speed set is that of an adult with legs of 0.9 m; the character's own speed grows with the square "
                "root of its leg length. A giant takes longer, slower steps, a dwarf shorter, quicker ones; very "
                "wide hips and tails slow it down",
            ),
            ("EXACT", "Exact Speed", "The character has exactly the speed set, which may mean that a dwarf runs"),
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
        **{**_in_scene_units("mass_kg", 3), "set": _set_mass},
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
        description="Bake a single stride as a loop, in place, from one strike of the left foot to the next. It is cut "
        "from the straightest steady part of the walk, with matching ends and a whole number of frames. The report "
        "says how far it is from the simulated stride, and how fast to move the object",
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
        **_in_scene_units("key_error_m", 1),
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
    is_footprints: BoolProperty(
        name="Is Footprints", description="Whether this object has the footprints of a character, made by a bake"
    )


class BIPED_PG_walk(bpy.types.PropertyGroup):
    """One walk in a scene."""

    armature: PointerProperty(
        name="Armature",
        description="The character that walks. When empty, the active armature is taken",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "ARMATURE",
    )
    show_body: BoolProperty(
        name="Show Body",
        description="Draw the character's body parts on its rig in the 3D view: left orange, right blue, the hinges of "
        "knees, ankles and elbows yellow, and an arrow on the ground to where it faces",
        update=lambda _self, _context: redraw(views=True),
    )
    show_preview: BoolProperty(
        name="Preview",
        description="Draw the walk in the 3D view while the curve and the settings change: the body at this frame, "
        "the footprints, and a mark for each second. It is KLAW's walk, whichever controller is chosen",
        update=changed,
    )
    path: PointerProperty(
        name="Curve",
        description="The curve to walk along, from its first point to its last. Only its shape seen from above counts, "
        "not its height",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "CURVE",
    )
    controller_name: StringProperty(name="Controller Name", default=DEFAULT.name, update=load_sliders)
    controller: EnumProperty(
        name="Controller",
        description="The method that makes the walk",
        items=lambda self, _context: with_missing(controller_items(), self.controller_name),
        get=lambda self: item_number(controller_items(), self.controller_name),
        set=_set_controller,
    )
    preset_name: StringProperty(name="Preset Name", default="default", update=load_sliders)
    preset: EnumProperty(
        name="Preset",
        description="The style of the walk",
        items=lambda self, _context: with_missing(preset_items(self.controller_name), self.preset_name),
        get=lambda self: item_number(preset_items(self.controller_name), self.preset_name),
        set=_set_preset,
    )
    speed_mps: FloatProperty(
        name="Speed in Metres per Second", description="Speed along the path", default=1.2, min=0.1, max=MAX_SPEED
    )
    speed: FloatProperty(
        name="Speed",
        description="Speed along the path",
        unit="VELOCITY",
        precision=2,
        **_in_scene_units("speed_mps", 1),
    )
    given: EnumProperty(
        name="Set By",
        description="Which of speed, step length and step frequency are set. Two of them determine the third; when "
        "only one is set, the others are what people choose with it",
        items=(
            ("SPEED", "Speed", "Steps are what people choose at this speed, or as in the preset"),
            ("SPEED_LENGTH", "Speed and Step Length", "Step frequency follows"),
            ("SPEED_FREQUENCY", "Speed and Step Frequency", "Step length follows"),
            ("LENGTH_FREQUENCY", "Step Length and Frequency", "Speed follows"),
            ("LENGTH", "Step Length", "Speed and step frequency are what people choose with steps of this length"),
            ("FREQUENCY", "Step Frequency", "Speed and step length are what people choose at this frequency"),
        ),
        update=changed,
    )
    step_length_m: FloatProperty(
        name="Step Length in Metres", description="Length of a step", default=0.7, min=0.01, max=100.0
    )
    step_length: FloatProperty(
        name="Step Length",
        description="Length of each step, from one foot to the other",
        unit="LENGTH",
        precision=2,
        **_in_scene_units("step_length_m", 1),
    )
    step_frequency: FloatProperty(
        name="Step Frequency",
        description="Steps a minute",
        default=110.0,
        min=1.0,
        soft_max=200.0,
        max=10000.0,
        precision=1,
    )
    fields_shown: StringProperty(
        name="Fields Shown",
        description="Controller and preset whose numbers the sliders were filled with",
        default=FIRST,
    )
    facing: FloatProperty(
        name="Facing",
        description="Angle from the walking direction to where the character faces, positive to the left: at 90 "
        "degrees it walks sideways, to its right, at 180 degrees backwards",
        subtype="ANGLE",
        min=-math.pi,
        max=math.pi,
    )
    step_width_m: FloatProperty(
        name="Step Width in Metres",
        description="Length that is added to the distance between the feet",
        min=-MAX_STEP_WIDTH,
        max=MAX_STEP_WIDTH,
    )
    step_width: FloatProperty(
        name="Step Width",
        description="Added to the lateral distance between the steps of the left and the right foot. Negative values "
        "bring them closer together",
        unit="LENGTH",
        **_in_scene_units("step_width_m", 1),
    )
    start: FloatProperty(
        name="Start Offset",
        description="Distance along the path from its first point to where the walk begins",
        unit="LENGTH",
        min=0.0,
    )
    reverse: BoolProperty(name="Reverse", description="Walk the path from its last point to its first")
    laps: IntProperty(
        name="Laps", description="How many times to walk round a closed path", default=1, min=1, soft_max=10, max=1000
    )
    stop: BoolProperty(
        name="Stop at the End",
        description="Come to rest at the end of the path; otherwise the action ends there, still walking",
        default=True,
    )
    frame_start: IntProperty(
        name="Start Frame", description="Frame at which the walk begins", default=1, min=-MAX_FRAME, max=MAX_FRAME
    )
    extend: BoolProperty(
        name="Extend Scene",
        description="Move the scene's end frame back if the walk ends after it",
        default=True,
    )
    footprints: BoolProperty(
        name="Footprints",
        description="Lay an outline of the sole on the ground wherever a foot stood, all in one object that is not "
        "rendered. The next bake of this character replaces them. Not for a walk in place",
    )
    markers: BoolProperty(
        name="Foot Strike Markers",
        description="Mark in the new action the frames at which the left (L) and the right foot (R) strike the ground. "
        "The Action Editor shows them with Marker > Show Pose Markers; the scene's own markers stay as they are",
    )
