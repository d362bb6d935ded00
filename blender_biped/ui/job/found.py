"""What of the scene a walk answers to, in words for the panel. Cheap: nothing is evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from .companions import bumps, companions_of
from .forces import blowing, push_keys, pushing
from .targets import aimed_at
from .things import loose_objects, members


@dataclass(frozen=True)
class Found:
    """One line: what was found."""

    text: str
    icon: str = "CHECKMARK"


def _bumps(scene: bpy.types.Scene, armature: bpy.types.Object) -> Found:
    """Return who is simulated in one world with a character."""
    others = [own.name for own in companions_of(scene, armature) if own is not armature]
    if others:
        shown = ", ".join(others[:3]) + (", ..." if len(others) > 3 else "")
        return Found(f"Bumps into {shown}", "COMMUNITY")
    if bumps(armature):
        return Found("Bumps into nobody: no other simulated character has a path", "INFO")
    return Found("Bumps into nobody: its method is not simulated in space", "INFO")


def answered(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, armature: Any) -> list[Any]:
    """Return the objects of the scene that a character's walk answers to."""
    kept = scene.biped
    things = [*members(kept.ground, view_layer), *members(kept.obstacles, view_layer)]
    forces = [*pushing(view_layer, armature), *blowing(view_layer)]
    return [*things, *loose_objects(scene, view_layer), *forces, *aimed_at(view_layer, armature)]


def found_lines(context: bpy.types.Context, armature: bpy.types.Object) -> list[Found]:
    """Return what was found in the scene for a character's walk."""
    layer, found = context.view_layer, []
    pushes = pushing(layer, armature)
    if pushes:
        frames = sorted({round(frame) for thing in pushes for frame, force in push_keys(thing) if force})
        if frames:
            shown = ", ".join(str(frame) for frame in frames[:6]) + (", ..." if len(frames) > 6 else "")
            found.append(Found(f"Pushes at frames {shown}", "EMPTY_SINGLE_ARROW"))
        for thing in pushes:
            if not push_keys(thing):
                found.append(Found(f"{thing.name}: its force has no key, so it does nothing", "ERROR"))
    for thing in blowing(layer):
        kind = "Wind" if thing.field.type == "WIND" else "Force"
        found.append(Found(f"{kind} {thing.name}: {thing.field.strength:.3g} N at this frame", "FORCE_WIND"))
    kept = context.scene.biped
    obstacles = members(kept.obstacles, layer)
    props = loose_objects(context.scene, layer)
    ground = members(kept.ground, layer)
    if ground:
        found.append(Found("Ground of 1 mesh" if len(ground) == 1 else f"Ground of {len(ground)} meshes", "MESH_GRID"))
    if obstacles:
        found.append(Found("1 obstacle" if len(obstacles) == 1 else f"{len(obstacles)} obstacles", "MESH_CUBE"))
    if props:
        found.append(Found("1 prop" if len(props) == 1 else f"{len(props)} props", "PHYSICS"))
    targets = aimed_at(layer, armature)
    if targets:
        found.append(Found("1 target" if len(targets) == 1 else f"{len(targets)} targets", "VIEW_PAN"))
    if context.scene.biped.bump:
        found.append(_bumps(context.scene, armature))
    if not found:
        found.append(Found("Nothing but the flat ground", "INFO"))
    return found
