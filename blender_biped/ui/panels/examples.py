"""Example scenes, made of nothing that is not made here: a standard adult, a path, and what it meets."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...character.standard import standard_armature
from ...world.shapes import ground_path
from ..base.language import translated
from ..base.reading import metres
from .path_operators import path_curve

_A_POSE = math.radians(40.0)  # of the arms below the horizontal
_LINE, _LETTER, _BESIDE = 44, 0.16, 1.4  # of a note: characters, m, m beside where the walk begins
_BAR, _BAR_AT = (1.6, 0.06, 0.2), 2.8  # m: across, along and up; along the path
_STAIRS, _RISE, _TREAD, _STAIRS_AT = 4, 0.15, 0.35, 5.6  # of steps; m
_CRATE, _CRATE_AT, _DOWN_AT = (0.3, 0.24, 0.2), 3.4, 6.42  # m
_GAP = 0.9  # m between two who have met


@dataclass(frozen=True)
class ExamplePlace:
    """Where an example is made. collection: what gets it. origin: in the scene, Blender units. unit: m of one."""

    scene: Any
    collection: Any
    origin: Vector
    unit: float

    def at(self, x: float, y: float, z: float = 0.0) -> Vector:
        """Return a place, m from where the walk begins: to the left of its way, ahead, up."""
        return self.origin + Vector((x, -y, z)) / self.unit

    def link(self, thing: Any, collection: Any = None) -> Any:
        """Put an object into a collection, the example's by default; return it."""
        (collection or self.collection).objects.link(thing)
        return thing


@dataclass(frozen=True)
class Example:
    """One of the scenes. note: what to try, for people. make: makes it; returns its characters, the main one first."""

    name: str
    label: str
    description: str
    note: str
    make: Callable[[ExamplePlace], list[Any]]


def made(example: Example, context: bpy.types.Context) -> list[Any]:
    """Make an example at the 3D cursor, in a new collection of its own, and return its characters."""
    scene = context.scene
    own = bpy.data.collections.new(f"Biped Example {example.label}")
    scene.collection.children.link(own)
    place = ExamplePlace(scene, own, scene.cursor.location.copy(), metres(scene))
    found = example.make(place)
    _add_note(place, translated(example.label), translated(example.note))
    return found


def _s_curve(place: ExamplePlace) -> list[Any]:
    hero = _add_adult(place, "Walker")
    _add_path(place, hero, "S", 12.0)
    return [hero]


def _stairs(place: ExamplePlace) -> list[Any]:
    hero = _add_adult(place, "Climber")
    ground, obstacles = _listed(place, "ground", "Ground"), _listed(place, "obstacles", "Obstacles")
    end = _STAIRS_AT + _STAIRS * _TREAD + 2.0
    for k in range(_STAIRS):
        begin = _STAIRS_AT + k * _TREAD
        size = (1.6, end + 0.5 - begin, _RISE)
        _add_box(place, f"Step {k + 1}", place.at(0.0, begin + 0.5 * size[1], (k + 0.5) * _RISE), size, ground)
    _add_box(place, "Bar", place.at(0.0, _BAR_AT, 0.5 * _BAR[2]), _BAR, obstacles)
    _add_path(place, hero, "STRAIGHT", end)
    return [hero]


def _crate(place: ExamplePlace) -> list[Any]:
    hero = _add_adult(place, "Carrier")
    crate = _add_box(place, "Crate", place.at(0.0, _CRATE_AT, 0.5 * _CRATE[2]), _CRATE)
    down = place.link(bpy.data.objects.new("Set Down Here", None))
    down.empty_display_type, down.empty_display_size = "SPHERE", 0.1 / place.unit
    down.location = place.at(0.0, _DOWN_AT)
    for thing in (crate, down):
        thing.biped.target.active, thing.biped.target.character = True, hero
    down.biped.target.act = "SET_DOWN"
    _add_path(place, hero, "STRAIGHT", 6.0)
    return [hero]


def _meeting(place: ExamplePlace) -> list[Any]:
    far = 7.0
    first, second = _add_adult(place, "First"), _add_adult(place, "Second", far, math.pi)
    for hero, style in ((first, "happy"), (second, "default")):
        hero.biped.walk.preset = style
        _add_path(place, hero, "STRAIGHT", 0.5 * (far - _GAP))
    return [first, second]


def _loop(place: ExamplePlace) -> list[Any]:
    hero = _add_adult(place, "Player")
    _add_path(place, hero, "STRAIGHT", 10.0)
    hero.biped.one_stride = True
    return [hero]


EXAMPLES = (
    Example(
        "S", "Walk Along an S", "An adult and a curve: the simplest walk",
        "Press Bake Walk, and play. Then switch Preview on, and drag a point of the curve in Edit mode. Choose another "
        "style by its picture. Add a point in On the Way, and let the character wait there.",
        _s_curve,
    ),
    Example(
        "STAIRS", "Stairs and a Bar", "A bar to step over, and four steps to climb",
        "Press Bake Walk. Switch Draw in View on in Scene to see what the walk meets. Make the bar higher, until it is "
        "refused. Move the steps. Footprints, in Baking, shows where the feet stood.",
        _stairs,
    ),
    Example(
        "CRATE", "Carry a Crate", "A crate that is picked up, carried and set down",
        "Press Bake Walk: the crate gets keys, too. Move the crate, or the empty where it is set down. Choose Push It "
        "at the crate in On the Way. Put it onto a table.",
        _crate,
    ),
    Example(
        "MEET", "Two Who Meet", "Two adults who walk up to each other, and stop",
        "Press Bake All. Give one a later Start Frame. Lead both paths past each other, switch on Bump Into Each Other "
        "in Scene, and bake again.",
        _meeting,
    ),
    Example(
        "LOOP", "Loop for a Game", "One stride in place, which repeats",
        "Press Bake Walk: the action is one stride on the spot. Result says at which speed the game has to move it. "
        "Try another style, and Travel On in Baking with One Stride off.",
        _loop,
    ),
)  # fmt: skip


def _add_adult(place: ExamplePlace, name: str, ahead: float = 0.0, turn: float = 0.0) -> Any:
    """Add a standard adult who stands ``ahead`` m along the way, turned by ``turn`` rad about the vertical."""
    body = standard_armature(arm_angle=_A_POSE)
    hero = place.link(bpy.data.objects.new(name, bpy.data.armatures.new(name)))
    hero.matrix_world = Matrix.Translation(place.at(0.0, ahead)) @ Matrix.Rotation(turn, 4, "Z")
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = hero
    bpy.ops.object.mode_set(mode="EDIT")
    bones = hero.data.edit_bones
    for bone in body.bones:
        new = bones.new(bone.name)
        new.head, new.tail = (Vector(end) / place.unit for end in (bone.head, bone.tail))
        new.align_roll(bone.matrix[:, 2])
        if bone.parent >= 0:
            new.parent = bones[body.bones[bone.parent].name]
    bpy.ops.object.mode_set(mode="OBJECT")
    return hero


def _add_path(place: ExamplePlace, hero: Any, shape: str, length: float) -> None:
    """Give a character a new path of a length, m, from its feet to where it faces."""
    ahead = -np.array(hero.matrix_world.col[1][:2])
    spline = ground_path(shape, length / place.unit)
    curve = path_curve(spline, np.array(hero.matrix_world.translation), ahead)
    curve.name = f"{hero.name} Path"
    hero.biped.walk.path = place.link(curve)


def _add_box(
    place: ExamplePlace, name: str, middle: Vector, size: tuple[float, float, float], collection: Any = None
) -> Any:
    """Add a box of a size, m: across the way, along it, up."""
    corners = [Vector((x, y, z)) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    points = [tuple(own * length / place.unit for own, length in zip(corner, size, strict=True)) for corner in corners]
    mesh.from_pydata(points, [], faces)
    box = place.link(bpy.data.objects.new(name, mesh), collection)
    box.location = middle
    return box


def _listed(place: ExamplePlace, sort: str, label: str) -> Any:
    """Return the collection of the Scene panel of a sort: the scene's, or a new one inside the example's."""
    own = getattr(place.scene.biped, sort)
    if own is None:
        own = bpy.data.collections.new(label)
        place.collection.children.link(own)
        setattr(place.scene.biped, sort, own)
    return own


def _add_note(place: ExamplePlace, title: str, note: str) -> None:
    """Stand a text beside where the walk begins, to be read by who sees the character come."""
    data = bpy.data.curves.new("Note", "FONT")
    lines = (title, "", *textwrap.wrap(note, _LINE))
    data.body, data.size, data.fill_mode = "\n".join(lines), _LETTER / place.unit, "BOTH"
    text = place.link(bpy.data.objects.new("Note", data))
    text.location, text.hide_render = place.at(_BESIDE, 0.0, _LETTER * len(lines)), True
    text.rotation_euler.x = 0.5 * math.pi
