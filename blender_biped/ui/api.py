"""For scripts: what the panel does, as functions of an armature. docs/scripting.md has them with examples.

from bl_ext.user_default.biped_locomotion.ui import api

api.map_bones(armature)
api.set_path(armature, curve)
action = api.bake(armature, speed=1.1)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import bpy

from ..base.errors import BipedError, DataError, RigError
from .job.mapping import characters
from .settings.fields import group_name, kind_chosen, preset_numbers, slider_name
from .settings.picking import bones_of

_PREFIX = re.compile(r"(Error: )?(Operator bpy\.ops\.\S+\.poll\(\) )?")  # before what an operator reports
_ASSIGNING = re.compile(r"^bpy_struct: item\.attr ?= ?val: ")  # before what Blender says of a value


def map_bones(armature: bpy.types.Object) -> dict[str, tuple[str, ...]]:
    """Find the body parts among an armature's bones and keep them on it; return the bones of each part.

    Raises BipedError with what is missing, as Map Bones reports it.
    """
    with _shown(armature):
        _done(bpy.ops.biped.map_bones)
    return bones_of(armature)


def doubts(armature: bpy.types.Object) -> tuple[str, ...]:
    """Return what in an armature's mapping could be wrong, sentences, as the panel shows them; none for a sure one.

    ``armature.biped.confidence`` is how sure it is, 0 to 1.
    """
    return tuple(doubt.text for doubt in armature.biped.doubts if doubt.text)


def set_path(
    armature: bpy.types.Object, curve: bpy.types.Object, start: float = 0.0, reverse: bool = False, laps: int = 1
) -> None:
    """Let an armature walk along a curve object.

    start: where on it the walk begins, in the scene's units from its first point; ``reverse``: from its last one.
    laps: how often a closed one is walked round. Raises DataError when the object is no curve.
    """
    if curve.type != "CURVE":
        raise DataError(f"{curve.name!r} is no curve: choose one to walk along.")
    for name, value in (("path", curve), ("start", start), ("reverse", reverse), ("laps", laps)):
        _set(armature.biped.walk, name, value)


def set_style(
    armature: bpy.types.Object, controller: str, preset: str, numbers: Mapping[str, float] | None = None
) -> None:
    """Choose a controller and a preset by their names, as the folders and files of ``presets/`` are named.

    numbers: of sliders, by their paths in the preset, such as ``{"gait.width": 0.2}``; angles in radians. Raises
    DataError for a name that there is not.
    """
    walk = armature.biped.walk
    try:
        walk.controller, walk.preset = controller, preset
    except TypeError as error:
        raise DataError(f"There is no style {controller}/{preset}: {error}") from None
    for path, value in (numbers or {}).items():
        _set(_sliders(walk), _slider(walk, path), value, path)


def key_number(armature: bpy.types.Object, path: str, keys: Mapping[float, float]) -> None:
    """Key a slider of the chosen controller along the walk.

    path: in the preset, such as ``gait.width``. keys: the value at each frame; angles in radians. Raises DataError for
    one that there is not, or that cannot change along a walk.
    """
    walk = armature.biped.walk
    group, name = _sliders(walk), _slider(walk, path)
    for frame, value in keys.items():
        _set(group, name, value, path)
        try:
            group.keyframe_insert(name, frame=frame)
        except TypeError as error:
            raise DataError(f"{path} cannot be keyed: {error}") from None


def bake(armature: bpy.types.Object, speed: float | None = None, **settings: Any) -> bpy.types.Action:
    """Simulate an armature's walk and bake it; return the action that has it.

    speed: along the path, m/s; None leaves it. settings: other properties of ``armature.biped.walk``, such as
    ``frame_start=1``, or of ``armature.biped``, such as ``onto="ACTION"``, by their names. Its bones are mapped first
    where that was not done. Raises BipedError with the message that the panel would show, and changes nothing then but
    the settings.
    """
    own, walk = armature.biped, armature.biped.walk
    if speed is not None:
        _set(walk, "speed_mps", speed)
    for name, value in settings.items():
        holder = next((group for group in (walk, own) if name in type(group).__annotations__), None)
        if holder is None:
            raise DataError(f"There is no setting {name!r}; docs/scripting.md has them.")
        _set(holder, name, value)
    if not bones_of(armature):
        map_bones(armature)
    with _shown(armature):
        _done(bpy.ops.biped.bake_walk)
    return _baked(armature)


def bake_all(scene: bpy.types.Scene | None = None) -> dict[str, bpy.types.Action]:
    """Bake every character of the current scene that has a path, several at a time; return each one's action by name.

    Raises BipedError with the message that the panel would show.
    """
    _done(bpy.ops.biped.bake_all)
    return {armature.name: _baked(armature) for armature in characters(scene or bpy.context.scene)}


def _set(group: Any, name: str, value: Any, called: str = "") -> None:
    """Give a property a value. called: its name for people, where it has another one.

    Raises DataError for a value that it cannot have.
    """
    try:
        setattr(group, name, value)
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        said = _ASSIGNING.sub("", str(error).replace("\n", " "))
        raise DataError(f"{called or name} cannot be {value!r}: {said}") from None


def _baked(armature: bpy.types.Object) -> bpy.types.Action:
    """Return the action that has an armature's last walk: its own, or the one of its topmost strip with one."""
    data = armature.animation_data
    strips = [strip.action for track in reversed(data.nla_tracks) for strip in track.strips]
    return next(action for action in filter(None, (data.action, *strips)) if action.biped.duration > 0.0)


def _sliders(walk: Any) -> Any:
    """Return the sliders of the chosen controller. Raises DataError where it is not installed."""
    kind = kind_chosen(walk)
    if kind is None:
        raise DataError(f"The controller {walk.controller_name!r} is not installed here; choose another.")
    return getattr(walk, group_name(kind))


def _slider(walk: Any, path: str) -> str:
    """Return the name of a slider by its path. Raises DataError for one that there is not."""
    kind, usual = kind_chosen(walk), preset_numbers(walk)
    slider = next((own for own in kind.sliders if own.path == path), None) if kind else None
    if slider is None:
        raise DataError(f"There is no number {path!r} in the presets of {walk.controller_name}.")
    if usual is not None and path not in usual:
        raise DataError(f"The style {walk.preset_name!r} has no number {path!r}; choose one that has.")
    return slider_name(slider)


@contextmanager
def _shown(armature: bpy.types.Object) -> Iterator[None]:
    """Let the panel be about an armature for a while. Raises RigError for one that is not in the view layer."""
    layer = bpy.context.view_layer
    objects, before = layer.objects, layer.objects.active
    if armature not in objects.values():
        raise RigError(f"Armature {armature.name!r} is not in the view layer {layer.name!r}: include its collection.")
    objects.active = armature
    try:
        yield
    finally:
        objects.active = before


def _done(operator: Any) -> None:
    """Call an operator. Raises BipedError with what it reports as an error."""
    try:
        operator()
    except RuntimeError as error:
        raise BipedError(_PREFIX.sub("", str(error).strip(), count=1)) from None
