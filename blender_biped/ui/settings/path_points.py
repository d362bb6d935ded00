"""The points along a walk's path (``Object.biped.walk.points``)."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty

from ...base.limits import MAX_EVENTS
from ...job import MAX_SPEED
from ...world.path_points import LONGEST_WAIT
from ..base.frames import MAX_FRAME
from .declaring import in_scene_units, noticed, overridable
from .menus import Item, item_number, name_of, preset_items, with_missing
from .speed_rule import rule_of

SAME = "SAME"
"""Among the styles of a point: the one before."""

_SAME_ITEM: Item = (SAME, "As Before", "The style that is walked before this point", "NONE", 0)


def _style_items(self: "BIPED_PG_path_point", _context: Any = None) -> list[Item]:
    items = preset_items(_controller(self))
    return [_SAME_ITEM, *(with_missing(items, self.style_name) if self.style_name else items)]


def _controller(self: "BIPED_PG_path_point") -> str:
    """Return the controller of the walk that the point is of."""
    return str(self.id_data.biped.walk.controller_name)


def _set_style(self: "BIPED_PG_path_point", number: int) -> None:
    name = "" if number == 0 else name_of(preset_items(_controller(self)), number, self.style_name)
    if name != self.style_name:
        give_style(self, name)


def give_style(point: "BIPED_PG_path_point", name: str) -> None:
    """Let a point say a style, "" for the one before, at the style's usual speed where it has one.

    At a speed of another style it may fall, and a run walks. A frame that the point says stays.
    """
    point.style_name = name
    usual = rule_of(point.id_data.biped.walk, name).usual if name else None
    if usual is not None and point.timing != "FRAME":
        point.timing, point.speed_mps = "SPEED", usual


@noticed
@overridable
class BIPED_PG_path_point(bpy.types.PropertyGroup):
    """What is desired at a place of the path."""

    place: FloatProperty(
        name="Place",
        description="Distance along the path from its first point, in the direction that it is walked",
        unit="LENGTH",
        min=0.0,
        precision=4,  # at 2 Blender shows whole units from 10 on
        options=set(),
    )
    timing: EnumProperty(
        name="Timing",
        description="What the point says of the speed",
        items=(
            ("SAME", "As Before", "The speed stays as it is before the point"),
            ("SPEED", "Speed", "From the point on the walk has this speed"),
            (
                "FRAME",
                "Frame",
                "The walk is at the point at this frame: the speeds up to there follow from distance and time",
            ),
        ),
        default="SPEED",
        options=set(),
    )
    speed_mps: FloatProperty(
        name="Speed in Metres per Second",
        description="Speed from the point on that is kept: with a Pace that depends on size, that of an adult",
        default=1.2,
        min=0.05,
        max=MAX_SPEED,
        options=set(),
    )

    @property
    def own_speed(self) -> float:
        """The character's own speed, m/s, as the panel has it."""
        return rule_of(self.id_data.biped.walk).factor * float(self.speed_mps)

    @own_speed.setter
    def own_speed(self, value: float) -> None:
        self.speed_mps = value / rule_of(self.id_data.biped.walk).factor

    speed: FloatProperty(
        name="Speed",
        description="Speed from the point on. It is held within what the style can do",
        unit="VELOCITY",
        precision=2,
        options=set(),
        **in_scene_units("own_speed", 1),
    )
    ease: FloatProperty(
        name="Ease",
        description="Length of the path, from the point on, over which the speed changes, softly at both ends",
        unit="LENGTH",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        precision=2,
        options=set(),
    )
    change_over: FloatProperty(
        name="Change Over",
        description="Length of the path, from the point on, over which the walk goes over to the style little by "
        "little. At 0 the next step does",
        unit="LENGTH",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        precision=2,
        options=set(),
    )
    frame: IntProperty(
        name="Frame",
        description="Frame at which the walk is at the point",
        default=100,
        min=-MAX_FRAME,
        max=MAX_FRAME,
        options=set(),
    )
    wait: FloatProperty(
        name="Wait",
        description="How long the character stands at the point before it walks on, in seconds",
        unit="TIME_ABSOLUTE",
        min=0.0,
        soft_max=10.0,
        max=LONGEST_WAIT,
        precision=1,
        options=set(),
    )
    style_name: StringProperty(
        name="Style Name", description="The preset from the point on; empty for the one before", options=set()
    )
    style: EnumProperty(
        name="Style",
        description="The preset that the walk goes over to at the point",
        items=_style_items,
        get=lambda self: item_number(preset_items(_controller(self)), self.style_name) if self.style_name else 0,
        set=_set_style,
        options=set(),
    )


def in_order(points: Any) -> list[int]:
    """Return the indices of a walk's points in the order of their places."""
    places = np.empty(len(points), dtype=np.float32)
    points.foreach_get("place", places)  # a point by its index is found by going through those before it
    return [int(i) for i in np.argsort(places, kind="stable")]


def too_many(points: Any) -> str:
    """Return that a walk has more points than can be walked, and what to do; "" where it has not."""
    if len(points) <= MAX_EVENTS:
        return ""
    return f"The path has {len(points)} points along it; at most {MAX_EVENTS} can be walked: remove some."
