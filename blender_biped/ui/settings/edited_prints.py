"""The footprints of a walk that are edited (``Object.biped.walk.prints``)."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty, StringProperty

from ...base.limits import MAX_EVENTS
from .declaring import noticed, overridable

FARTHEST = 0.15
"""m, of a body with legs of 0.9 m, that a print is moved by at most."""

STATES = (
    ("NEW", "New", "The walk has not been simulated since it was moved"),
    ("HELD", "Held", "The foot stands there"),
    ("OFF", "Off", "The foot could not be set down there"),
    ("GONE", "Gone", "No step of the walk comes near it"),
)


@noticed
@overridable
class BIPED_PG_edited_print(bpy.types.PropertyGroup):
    """Where a foot is to be set down."""

    side: StringProperty(name="Side", description="L for the left foot, R for the right one", options=set())
    place: FloatVectorProperty(
        name="Place", description="Where the ball of the foot is to stand in the scene", subtype="XYZ", options=set()
    )
    was: FloatVectorProperty(name="Was", description="Where it stood before it was moved", subtype="XYZ", options=set())
    along: FloatProperty(
        name="Along", description="About where along the path that is, in metres from its first point", options=set()
    )
    state: EnumProperty(
        name="State", description="What became of it in the walk that was baked last", items=STATES, options=set()
    )
    off: FloatProperty(
        name="Off", description="How far from there the foot stood in that walk, in metres", options=set()
    )


def too_many_prints(prints: Any) -> str:
    """Return that a walk has more edited footprints than can be walked, and what to do; "" where it has not."""
    if len(prints) <= MAX_EVENTS:
        return ""
    return f"The walk has {len(prints)} edited footprints; at most {MAX_EVENTS} can be walked: reset some."
