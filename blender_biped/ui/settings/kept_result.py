"""What is kept of a baked walk on its action (``Action.biped``): how it went, and the stride that it may repeat."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...character.clearance import Sunk
from ...character.skin import Torn
from ...klaw.nearest import LOOKS
from ...motion.cycle import Cycle
from ...motion.summary import Summary

COURSE_EVERY = 0.5
"""s between two places of a walk that are kept."""

_FINE = 10_000
_OUTCOMES = (
    ("arrived", "Arrived", "It stands at the end of the path"),
    ("passed", "Passed", "It reached the end of the path and was not set to stop there"),
    ("unfinished", "Unfinished", "It did not reach the end of the path"),
    ("fell", "Fell", "It fell"),
    ("stuck", "Stuck", "It stepped on the spot before it reached the end of the path"),
)
_ASTRAY = (
    ("end", "From the End", "It stands far from the path's end"),
    ("path", "From the Path", "It strayed far from the path"),
)
_SUNK = (("tail", "Tail", "Its tail"), ("head", "Head", "Its head"))
_FALLBACKS = (
    ("calmer", "Calmer", "The same walk at a lower speed"),
    ("kinematic", "Not Simulated", "KLAW's walk"),
    ("another", "Another Controller", "The walk of a simpler controller that is simulated, too"),
)


class BIPED_PG_stride(bpy.types.PropertyGroup):
    """One stride that repeats: the fields of a KeptStride. There is none where ``frames`` is 0."""

    frames: IntProperty(name="Frames", description="Its length, frames; 0 where the action is no stride")
    duration: FloatProperty(name="Duration", description="Its length, seconds")
    travel: FloatProperty(name="Travel", description="Distance travelled in each repetition, metres")
    turn: FloatProperty(name="Turn", description="Turn removed from it, radians", subtype="ANGLE")
    stretch: FloatProperty(name="Stretch", description="Its duration over that of the simulated stride")
    blend: FloatProperty(name="Blend", description="Largest distance by which matching its ends moves a joint, metres")
    blend_turn: FloatProperty(
        name="Blend Turn",
        description="Largest angle by which matching its ends turns a body part, radians",
        subtype="ANGLE",
    )


class BIPED_PG_footstep(bpy.types.PropertyGroup):
    """A footstep of a baked walk."""

    frame: FloatProperty(name="Frame", description="The action's frame at which the foot strikes the ground")
    time: FloatProperty(name="Time", description="From the start of the walk, seconds", unit="TIME_ABSOLUTE")
    side: StringProperty(name="Side", description="L for the left foot, R for the right one")
    strength: FloatProperty(
        name="Strength", description="Largest load on the foot while it takes the weight, in weights of the body"
    )
    place: FloatVectorProperty(
        name="Place", description="Where the ball of the foot stands in the scene; none in place", subtype="XYZ"
    )
    stepped_on: StringProperty(name="Stepped On", description="Name of the object that the foot stands on, if any")


class BIPED_PG_result(bpy.types.PropertyGroup):
    """How a baked walk went, on its action: the fields of a Summary, and the frame of a fall.

    A figure that does not apply is not set. The action has no result where ``outcome`` is not set.
    """

    outcome: EnumProperty(
        name="Outcome",
        description="How the walk ended",
        items=tuple((name, label, text, "NONE", i) for i, (name, label, text) in enumerate(_OUTCOMES)),
    )
    duration: FloatProperty(name="Duration", description="Length of the walk, seconds")
    cpu: FloatProperty(name="Computing Time", description="CPU time that the simulation took, seconds")
    fell_at: FloatProperty(name="Fell At", description="When it fell, seconds from the start of the walk")
    fell_frame: IntProperty(name="Fall Frame", description="The action's frame at which it fell")
    upright_frame: IntProperty(
        name="Upright Frame", description="The action's frame at which the last whole step before the fall ends"
    )
    looks: FloatVectorProperty(
        name="Looks",
        description="How it looks before the fall: heights of hips and knees in legs, lean of the trunk, radians",
        size=LOOKS,
    )
    fall_settled: BoolProperty(
        name="Fall Settled", description="Whether the walk is kept although it fell, or was trimmed before the fall"
    )
    fallback: EnumProperty(
        name="In Its Place",
        description="What was baked where the walk that was set fell or did not arrive",
        items=tuple((name, label, text, "NONE", i) for i, (name, label, text) in enumerate(_FALLBACKS)),
    )
    fallback_style: StringProperty(name="Style in Its Place", description="The style of what was baked instead")
    set_fell_at: FloatProperty(
        name="Fell As Set",
        description="When the walk that was set fell, where another one was baked instead, seconds; 0 if it did not "
        "fall and did not arrive",
    )
    calmer_speed: FloatProperty(name="Calmer Speed", description="Share of the speed at which the walk was tried again")
    wider: BoolProperty(name="Wider", description="Whether its steps are wider than those that were set")
    lies: BoolProperty(
        name="Lies", description="Whether the body lies still at the end, of a walk that falls as a ragdoll"
    )
    astray: EnumProperty(
        name="Astray",
        description="Where a walk that reached the end of the path was more than a third of a leg away",
        items=tuple((name, label, text, "NONE", i) for i, (name, label, text) in enumerate(_ASTRAY)),
    )
    end_distance: FloatProperty(
        name="Distance from the End", description="From the hips to the path's end when standing, metres"
    )
    left: FloatProperty(name="Left", description="Length of the path that was not walked, metres")
    gaits: StringProperty(name="Gaits", description="The gaits that were set, in order")
    desired_speed: FloatProperty(name="Desired Speed", description="Speed that was set, metres per second")
    speed: FloatProperty(name="Speed", description="Speed along the path while it walks steadily, metres per second")
    deviation_mean: FloatProperty(
        name="Off the Path", description="Mean distance from the hips, averaged over a stride, to the path, metres"
    )
    deviation_worst: FloatProperty(
        name="Off the Path at Worst",
        description="Largest distance from the hips, averaged over a stride, to the path, metres",
    )
    slip_median: FloatProperty(
        name="Foot Slip", description="How far a foot slides in stance, in a typical step, metres"
    )
    slip_worst: FloatProperty(
        name="Foot Slip at Worst", description="How far a foot slides in stance, in the worst step, metres"
    )
    torn_edges: IntProperty(
        name="Torn Edges", description="How many edges of the skin are stretched to over three times their length"
    )
    torn_gap: FloatProperty(name="Torn by", description="By how much the worst of these edges is longer, metres")
    torn_plain: BoolProperty(name="Plainly Torn", description="Whether a part of the skin was left behind")
    sunk_part: EnumProperty(
        name="In the Ground",
        description="What of the body goes deepest into the ground",
        items=tuple((name, label, text, "NONE", i) for i, (name, label, text) in enumerate(_SUNK)),
    )
    sunk_depth: FloatProperty(name="Depth in the Ground", description="How deep that goes into the ground, metres")
    sunk_frame: IntProperty(name="Deepest At", description="The action's frame at which it is deepest")
    steps: IntProperty(name="Steps", description="How often a foot strikes the ground")
    cadence: FloatProperty(name="Cadence", description="Steps per minute while it walks steadily")
    course: StringProperty(
        name="Course",
        description="How far along the path the walk is, each half second, in ten-thousandths of its length",
    )
    footsteps: CollectionProperty(
        type=BIPED_PG_footstep, name="Footsteps", description="The footsteps of the walk, in the order of time"
    )
    written: StringProperty(
        name="Written", description="The data paths of the curves that the last bake to this action wrote, one a line"
    )
    slot: StringProperty(name="Slot", description="The identifier of the slot that it wrote them for")
    digest: StringProperty(name="Digest", description="Of these curves as they were written: whether they were changed")
    stride: PointerProperty(name="Stride", description="What is known of one stride that repeats", type=BIPED_PG_stride)


@dataclass(frozen=True)
class KeptStride:
    """A Cycle in figures; see there."""

    frames: int
    duration: float
    travel: float
    turn: float
    stretch: float
    blend: float
    blend_turn: float

    @classmethod
    def of(cls, cycle: Cycle) -> "KeptStride":
        """Return the figures of a cycle."""
        return cls(**{f.name: getattr(cycle, f.name) for f in fields(cls)})

    @property
    def speed(self) -> float:
        """Speed at which the object has to move, m/s."""
        return self.travel / self.duration


def keep_stride(action: bpy.types.Action, stride: KeptStride | None) -> None:
    """Keep the figures of a stride on its action, or that it has the whole walk."""
    if stride is None:
        action.biped.property_unset("stride")
        return
    for name, value in asdict(stride).items():
        setattr(action.biped.stride, name, value)


def stride_of(action: bpy.types.Action) -> KeptStride | None:
    """Return the figures of the stride that an action repeats, or None when it is none."""
    kept = action.biped.stride
    walks = kept.frames > 0 and kept.duration > 0.0  # a file may say anything
    return KeptStride(**{f.name: getattr(kept, f.name) for f in fields(KeptStride)}) if walks else None


def keep_summary(action: bpy.types.Action, summary: Summary, fell_frame: int | None, gaits: str = "") -> None:
    """Keep how a walk went on its action.

    fell_frame: the action's frame at which it fell, None if it did not. gaits: their names, where they change.
    """
    for name, value in {**asdict(summary), "fell_frame": fell_frame, "gaits": gaits or None}.items():
        if value is None:
            action.biped.property_unset(name)
        else:
            setattr(action.biped, name, value)


def keep_course(action: bpy.types.Action, shares: Sequence[float]) -> None:
    """Keep on an action where its walk is: shares of the path's length, 0..1, each ``COURSE_EVERY`` s."""
    action.biped.course = " ".join(str(round(_FINE * share)) for share in shares)


def course_of(armature: bpy.types.Object) -> list[float]:
    """Return where a character's baked walk is, as ``keep_course`` has it; nothing where that is not known."""
    for action in baked_actions(armature):
        if action.biped.is_property_set("outcome"):
            found = action.biped.course.split()
            return [int(own) / _FINE for own in found] if all(own.isdecimal() for own in found) else []
    return []


def baked_actions(armature: bpy.types.Object) -> list[bpy.types.Action]:
    """Return the actions that an armature may have a walk in: the active one, then those of the topmost strips."""
    data = armature.animation_data
    if not data:
        return []
    strips = [strip.action for track in reversed(data.nla_tracks) for strip in track.strips]
    return [action for action in (data.action, *strips) if action]


def keep_torn(action: bpy.types.Action, torn: Torn | None) -> None:
    """Keep on an action how much of the skin is torn, or that this is not known."""
    for name, value in (("edges", torn and torn.edges), ("gap", torn and torn.gap), ("plain", torn and torn.plain)):
        if value is None:
            action.biped.property_unset(f"torn_{name}")
        else:
            setattr(action.biped, f"torn_{name}", value)


def torn_of(action: bpy.types.Action) -> Torn | None:
    """Return how much of the skin is torn, None where that is not known."""
    kept = action.biped
    return Torn(kept.torn_edges, kept.torn_gap, kept.torn_plain) if kept.is_property_set("torn_edges") else None


def keep_sunk(action: bpy.types.Action, sunk: Sunk | None) -> None:
    """Keep on an action what of the body goes into the ground, or that nothing does."""
    for name, value in (("part", sunk and sunk.part), ("depth", sunk and sunk.depth), ("frame", sunk and sunk.frame)):
        if value is None:
            action.biped.property_unset(f"sunk_{name}")
        else:
            setattr(action.biped, f"sunk_{name}", value)


def sunk_of(action: bpy.types.Action) -> Sunk | None:
    """Return what of the body goes into the ground, None for nothing."""
    kept = action.biped
    return Sunk(kept.sunk_part, kept.sunk_depth, kept.sunk_frame) if kept.is_property_set("sunk_part") else None


def keep_fall(action: bpy.types.Action, upright_frame: int | None, looks: Sequence[float] = ()) -> None:
    """Keep what is needed to do something about a fall: what, is open. Without any it forgets that of an earlier walk.

    upright_frame: the action's frame at which the last whole step before it ends. looks: see ``klaw.nearest``.
    """
    for name, value in (("fall_settled", None), ("upright_frame", upright_frame), ("looks", tuple(looks) or None)):
        if value is None:
            action.biped.property_unset(name)
        else:
            setattr(action.biped, name, value)


def summary_of(action: bpy.types.Action) -> Summary | None:
    """Return how the walk of an action went, or None where nothing is kept."""
    kept = action.biped
    if not kept.is_property_set("outcome"):
        return None
    found: dict[str, Any] = {
        f.name: getattr(kept, f.name) if kept.is_property_set(f.name) else None for f in fields(Summary)
    }
    return Summary(**found)
