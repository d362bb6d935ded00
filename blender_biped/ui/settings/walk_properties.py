"""How and where a character walks (``Object.biped.walk``)."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import math

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...control.registry import DEFAULT
from ...job import MAX_SEED, MAX_SPEED, MAX_STEP_WIDTH
from ..base.frames import MAX_FRAME
from ..base.status import redraw
from ..base.style_list import key_of
from .declaring import in_scene_units, noticed, overridable
from .edited_prints import BIPED_PG_edited_print
from .fields import FIRST, follow_mix, load_sliders
from .menus import (
    MISSING,
    NOTHING,
    controller_items,
    controller_menu,
    item_number,
    mix_items,
    name_of,
    preset_items,
    preset_menu,
    style_numbers,
    style_of_number,
    style_pictures,
    with_missing,
)
from .path_points import BIPED_PG_path_point
from .speed_rule import begin_style, rule_of


def _set_controller(self: "BIPED_PG_walk", number: int) -> None:
    name = name_of(controller_items(), number, self.controller_name)
    if name != self.controller_name:  # else the sliders would lose what is changed
        self.controller_name = name
        names = [item[0] for item in preset_items(name)]
        if names and self.preset_name not in names:
            self.preset_name = names[0]
        begin_style(self)


def _set_preset(self: "BIPED_PG_walk", number: int) -> None:
    name = name_of(preset_items(self.controller_name), number, self.preset_name)
    if name != self.preset_name:
        self.preset_name = name
        begin_style(self)


def choose_style(walk: "BIPED_PG_walk", key: str) -> None:
    """Choose a style by its key in the list of all controllers' styles, and its controller with it."""
    controller, _, name = key.partition("/")
    if (controller, name) != (walk.controller_name, walk.preset_name):  # else the sliders would lose what is changed
        walk.controller_name, walk.preset_name = controller, name
        begin_style(walk)


def chosen_key(walk: "BIPED_PG_walk") -> str:
    """Return the key of the chosen style in that list, be it installed or not."""
    return key_of(walk.controller_name, walk.preset_name)


def _set_mix_with(self: "BIPED_PG_walk", number: int) -> None:
    name = name_of(mix_items(self.controller_name), number, self.mix_with_name)
    self.mix_with_name = "" if name == NOTHING else name


def _another_controller(self: "BIPED_PG_walk", context: bpy.types.Context) -> None:
    self.mix_with_name = ""  # a style of the one before
    load_sliders(self, context)


def _point_active(self: "BIPED_PG_walk", _context: bpy.types.Context) -> None:
    """Show the active point: as Blender calls it after a handle, an operator or a script has made one active."""
    if self.active_row:
        self.active_row = ""
    redraw(views=True)


@noticed
@overridable
class BIPED_PG_walk(bpy.types.PropertyGroup):
    """How and where a character walks."""

    path: PointerProperty(
        name="Curve",
        description="The curve to walk along, from its first point to its last. Only its shape as seen from above "
        "counts, not its height",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "CURVE",
    )
    controller_name: StringProperty(name="Controller Name", default=DEFAULT.name, update=_another_controller)
    controller: EnumProperty(
        name="Method",
        description="The controller that makes the walk: each has styles of its own",
        items=lambda self, _context: with_missing(controller_menu(), self.controller_name),
        get=lambda self: item_number(controller_items(), self.controller_name),
        set=_set_controller,
    )
    preset_name: StringProperty(name="Preset Name", default="default", update=load_sliders)
    preset: EnumProperty(
        name="Style of It",
        description="The style of the walk, among those of this method",
        items=lambda self, _context: with_missing(preset_menu(self.controller_name), self.preset_name),
        get=lambda self: item_number(preset_items(self.controller_name), self.preset_name),
        set=_set_preset,
    )
    style: EnumProperty(
        name="Style",
        description="The style of the walk, chosen by its picture, and with it the method that walks it",
        items=lambda self, _context: with_missing(style_pictures(chosen_key(self)), chosen_key(self)),
        get=lambda self: style_numbers().get(chosen_key(self), MISSING),
        set=lambda self, number: choose_style(self, style_of_number(number, chosen_key(self))),
    )
    mix_with_name: StringProperty(name="Mix With Name", update=follow_mix)
    mix_with: EnumProperty(
        name="Mix With",
        description="Another style of this controller to go some way towards",
        items=lambda self, _context: with_missing(mix_items(self.controller_name), self.mix_with_name or NOTHING),
        get=lambda self: item_number(mix_items(self.controller_name), self.mix_with_name or NOTHING),
        set=_set_mix_with,
    )
    mix: FloatProperty(
        name="Mix",
        description="How much of the other style: at 0 the walk is the preset's, at 1 all numbers are the other's. "
        "Sliders that you have changed stay as they are. Keys let Natural Walking go from one style to the other",
        subtype="FACTOR",
        default=0.5,
        min=0.0,
        max=1.0,
        update=follow_mix,
    )
    speed_mps: FloatProperty(
        name="Speed in Metres per Second",
        description="Speed along the path that is kept: with a Pace that depends on size, that of an adult",
        default=1.2,
        min=0.1,
        max=MAX_SPEED,
    )

    @property
    def own_speed(self) -> float:
        """The character's own speed, m/s. Set, it stays within what the style can do."""
        return rule_of(self).shown(self.speed_mps)

    @own_speed.setter
    def own_speed(self, value: float) -> None:
        self.speed_mps = rule_of(self).kept(value)

    speed: FloatProperty(
        name="Speed",
        description="Speed along the path. It stays within the speeds that the style can have, given below",
        unit="VELOCITY",
        precision=2,
        **in_scene_units("own_speed", 1),
    )
    given: EnumProperty(
        name="Set By",
        description="Which of speed, step length and step frequency are set. Two of them determine the third; when "
        "only one is set, the others are what people choose with it",
        items=(
            ("SPEED", "Speed", "Steps are what people choose at this speed, or as in the preset"),
            ("SPEED_LENGTH", "Speed, Length", "Speed and step length are set, step frequency follows"),
            ("SPEED_FREQUENCY", "Speed, Frequency", "Speed and step frequency are set, step length follows"),
            ("LENGTH_FREQUENCY", "Length, Frequency", "Step length and frequency are set, speed follows"),
            ("LENGTH", "Step Length", "Speed and step frequency are what people choose with steps of this length"),
            ("FREQUENCY", "Step Frequency", "Speed and step length are what people choose at this frequency"),
        ),
    )
    step_length_m: FloatProperty(
        name="Step Length in Metres", description="Length of a step", default=0.7, min=0.01, max=100.0
    )
    step_length: FloatProperty(
        name="Step Length",
        description="Length of each step, from one foot to the other",
        unit="LENGTH",
        precision=2,
        **in_scene_units("step_length_m", 1),
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
        **in_scene_units("step_width_m", 1),
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
    prints: CollectionProperty(
        type=BIPED_PG_edited_print,
        name="Edited Footprints",
        description="Where feet are to be set down: footprints that were dragged in the 3D view",
    )
    active_print: IntProperty(
        name="Active Footprint", description="The edited footprint that Reset takes back", default=-1, options=set()
    )
    points: CollectionProperty(
        type=BIPED_PG_path_point, name="Points Along the Path", description="What happens at places of the path"
    )
    active_point: IntProperty(
        name="Active Point",
        description="The point along the path whose values are shown",
        min=0,
        options=set(),
        update=_point_active,
    )
    active_row: StringProperty(
        name="Active Row",
        description="What of On the Way is shown below the list: its kind, and which one. Empty for the active point",
        options=set(),
        update=lambda _self, _context: redraw(views=True),
    )
    stop: BoolProperty(
        name="Stop at the End",
        description="Come to rest at the end of the path; otherwise the action ends there, still walking",
        default=True,
    )
    fall_back: BoolProperty(
        name="Try Again If It Falls",
        description=(
            "A walk that falls, or does not arrive, is simulated again at 0.8 of the speed, then with wider "
            "steps. If that fails, KLAW walks it, which is not simulated and cannot fall. Result says which "
            "one it is"
        ),
        default=True,
    )
    ragdoll: BoolProperty(
        name="Fall as Ragdoll",
        description="Where a simulated walk falls, bake the fall to its end: the character goes limp, and is simulated "
        "until it lies still. Otherwise the walk is tried again, or ends with the fall",
    )
    take: IntProperty(
        name="Take Number",
        description="Which take of the walk is previewed and baked: with each number a simulated walk steps a little "
        "differently, and with the same number in the same way again. At 0 its steps differ only where the style says "
        "so. Keep sets it",
        min=0,
        soft_max=100,
        max=MAX_SEED - 1,
        options=set(),
    )
    frame_start: IntProperty(
        name="Start Frame", description="Frame at which the walk begins", default=1, min=-MAX_FRAME, max=MAX_FRAME
    )
    extend: BoolProperty(
        name="Extend Scene",
        description="Make the scene longer if the walk ends after its end frame",
        default=True,
    )
    footprints: BoolProperty(
        name="Footprints",
        description="Lay an outline of the sole on the ground wherever a foot stood, all in one object that is not "
        "rendered. The next bake of this character replaces them. Not for a walk in place",
    )
    decals: BoolProperty(
        name="Footprint Decals",
        description="Lay a rectangle with a UV map on the ground wherever a foot stood, in the object of the "
        "footprints, which is rendered then: for a picture of a print, the same for both feet. Not for a walk in place",
    )
    treadmill: BoolProperty(
        name="Treadmill",
        description="For a walk in place: add an empty that moves as the ground does under the walk. What is parented "
        "to it at the walk's first frame goes by as a background",
    )
    markers: BoolProperty(
        name="Foot Strike Markers",
        description="Mark in the new action the frames at which the left (L) and the right foot (R) strike the ground. "
        "The Action Editor shows them with Marker > Show Pose Markers; the scene's own markers stay as they are",
    )
