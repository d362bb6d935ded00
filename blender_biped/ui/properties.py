"""The extension's settings (``Object.biped``, ``Scene.biped``), and the figures of baked walks (``Action.biped``)."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import zlib
from collections.abc import Callable
from dataclasses import asdict, fields
from functools import cache
from typing import Any

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

from ..character.mapping import RigMap
from ..character.model import ROLES
from ..job import MAX_SPEED
from ..motion.summary import Summary
from ..preset import controllers, presets

Item = tuple[str, str, str, str, int]

_OUTCOMES = (
    ("arrived", "Arrived", "It stands at the path's end"),
    ("passed", "Passed", "It still walked at the path's end, as it was asked to"),
    ("unfinished", "Unfinished", "It did not get to the path's end"),
    ("fell", "Fell", "It fell"),
)


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


def _number(name: str) -> int:
    """Return a number for a name that does not change when other names come or go; 0 is for missing ones."""
    return (zlib.crc32(name.encode()) & 0x7FFFFFFF) or 1


@cache  # also keeps the strings alive, which Blender itself does not
def _controller_items() -> tuple[Item, ...]:
    try:
        names = controllers()
    except OSError:
        return ()
    return tuple((n, n.replace("_", " ").title(), f"The {n} controller", "NONE", _number(n)) for n in names)


@cache
def _preset_items(controller: str) -> tuple[Item, ...]:
    if controller not in [item[0] for item in _controller_items()]:
        return ()
    return tuple((p.name, p.label, p.description, "NONE", _number(p.name)) for p in presets(controller))


@cache
def _with_missing(items: tuple[Item, ...], stored: str) -> list[Item]:
    """Return the items and, when the stored name is not among them, one that says so."""
    known = any(item[0] == stored for item in items)
    missing = (stored, f"{stored} (missing)", "Not installed here; choose another", "ERROR", 0)
    return list(items) if known else [*items, missing]


def _chosen(items: tuple[Item, ...], stored: str) -> int:
    return next((item[4] for item in items if item[0] == stored), 0)


def _named(items: tuple[Item, ...], number: int, stored: str) -> str:
    return next((item[0] for item in items if item[4] == number), stored)


def _set_controller(self: "BIPED_PG_walk", number: int) -> None:
    self.controller_name = _named(_controller_items(), number, self.controller_name)
    names = [item[0] for item in _preset_items(self.controller_name)]
    if names and self.preset_name not in names:
        self.preset_name = names[0]


def _set_preset(self: "BIPED_PG_walk", number: int) -> None:
    self.preset_name = _named(_preset_items(self.controller_name), number, self.preset_name)


class BIPED_PG_bone(bpy.types.PropertyGroup):
    """A bone, by its name (the group's own ``name``)."""


class BIPED_PG_part(bpy.types.PropertyGroup):
    """The bones of one body part; ``name`` is its role."""

    bones: CollectionProperty(type=BIPED_PG_bone, name="Bones", description="The bones that move with this part")
    reason: StringProperty(name="Reason", description="Why these bones are this part")


class BIPED_PG_character(bpy.types.PropertyGroup):
    """An armature as a character."""

    convention: StringProperty(name="Convention", description="The naming convention that the bones follow")
    parts: CollectionProperty(type=BIPED_PG_part, name="Parts", description="The bones of each body part")
    heels: CollectionProperty(type=BIPED_PG_part, name="Heels", description="Bones that mark the back of each sole")
    mass_kg: FloatProperty(name="Mass in Kilograms", description="0 for the usual mass of a body of its size", min=0.0)
    mass: FloatProperty(
        name="Mass",
        description="Mass of the whole character, shared out among the body parts. 0 takes what is usual for its size",
        unit="MASS",
        min=0.0,
        soft_max=200.0,
        **_in_scene_units("mass_kg", 3),
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
        ),
        default="HIPS",
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
    path: PointerProperty(
        name="Curve",
        description="The curve to walk along, from its first point to its last. Its place seen from above counts, "
        "its height does not",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "CURVE",
    )
    controller_name: StringProperty(name="Controller Name", default="generalized")
    controller: EnumProperty(
        name="Controller",
        description="The method that makes the walk",
        items=lambda self, _context: _with_missing(_controller_items(), self.controller_name),
        get=lambda self: _chosen(_controller_items(), self.controller_name),
        set=_set_controller,
    )
    preset_name: StringProperty(name="Preset Name", default="default")
    preset: EnumProperty(
        name="Preset",
        description="The style of the walk",
        items=lambda self, _context: _with_missing(_preset_items(self.controller_name), self.preset_name),
        get=lambda self: _chosen(_preset_items(self.controller_name), self.preset_name),
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
    start: FloatProperty(
        name="Start Offset",
        description="Distance along the path from its first point to where the walk begins",
        unit="LENGTH",
        min=0.0,
    )
    reverse: BoolProperty(name="Reverse", description="Walk the path from its last point to its first")
    laps: IntProperty(
        name="Laps", description="How many times a closed path is walked round", default=1, min=1, soft_max=10, max=1000
    )
    stop: BoolProperty(
        name="Stop at the End",
        description="Come to rest at the end of the path; otherwise the action ends there in mid-walk",
        default=True,
    )
    frame_start: IntProperty(name="Start Frame", description="Frame at which the walk begins", default=1)
    extend: BoolProperty(
        name="Extend Scene",
        description="Move the scene's end frame back if the walk ends after it",
        default=True,
    )
    footprints: BoolProperty(
        name="Footprints",
        description="Lay an outline of the sole on the ground wherever a foot stood, all in one object that is not "
        "rendered. The next bake of this character replaces them",
    )
    markers: BoolProperty(
        name="Foot Strike Markers",
        description="Mark in the new action the frames at which the left (L) and the right foot (R) strike the ground. "
        "The Action Editor shows them with Marker > Show Pose Markers; the scene's own markers stay as they are",
    )


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
    end_distance: FloatProperty(
        name="Distance from the End", description="From the hips to the path's end when standing, metres"
    )
    left: FloatProperty(name="Left", description="Length of the path that was not walked, metres")
    wished_speed: FloatProperty(name="Wished Speed", description="Speed that was asked for, metres per second")
    speed: FloatProperty(name="Speed", description="Speed along the path while it walks steadily, metres per second")
    deviation_mean: FloatProperty(
        name="Off the Path", description="From the hips, averaged over a stride, to the path, on average, metres"
    )
    deviation_worst: FloatProperty(
        name="Off the Path at Worst", description="From the hips, averaged over a stride, to the path, at worst, metres"
    )
    slip_median: FloatProperty(
        name="Foot Slip", description="How far a foot slides while it stands, in a typical step, metres"
    )
    slip_worst: FloatProperty(
        name="Foot Slip at Worst", description="How far a foot slides while it stands, in the worst step, metres"
    )
    steps: IntProperty(name="Steps", description="How often a foot strikes the ground")
    cadence: FloatProperty(name="Cadence", description="Steps per minute while it walks steadily")


def keep_summary(action: bpy.types.Action, summary: Summary, fell_frame: int | None) -> None:
    """Keep how a walk went on its action. fell_frame: the action's frame at which it fell, None if it did not."""
    for name, value in {**asdict(summary), "fell_frame": fell_frame}.items():
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


def keep_rig_map(armature: bpy.types.Object, rig_map: RigMap) -> None:
    """Keep a mapping on its armature."""
    kept = armature.biped
    kept.convention = rig_map.convention
    kept.parts.clear()
    kept.heels.clear()
    for role, bones in rig_map.bones.items():
        part = kept.parts.add()
        part.name, part.reason = role, rig_map.reasons.get(role, "")
        for bone in bones:
            part.bones.add().name = bone
    for side, bones in rig_map.heels.items():
        heel = kept.heels.add()
        heel.name = side
        for bone in bones:
            heel.bones.add().name = bone


def rig_map_of(armature: bpy.types.Object) -> RigMap | None:
    """Return the mapping that is kept on an armature, or None."""
    kept = armature.biped
    if not kept.parts:
        return None
    bones = {part.name: tuple(bone.name for bone in part.bones) for part in kept.parts}
    return RigMap(
        convention=kept.convention,
        bones=bones,
        heels={heel.name: tuple(bone.name for bone in heel.bones) for heel in kept.heels},
        reasons={part.name: part.reason for part in kept.parts},
        missing=tuple(role for role in ROLES if role not in bones),
    )
