"""Keys, choices and properties as crafted files have them: refused with the name of what has them, in one line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import pytest

from blender_biped.base.errors import DataError
from blender_biped.ui.base.fcurves import SLOTTED, copy_curve, curve_holder, curves_of, frame_range
from blender_biped.ui.job.captured import action_motion, pose_frames, posed_motion
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.settings.older_files import brought_up_to_date
from tests.blender.scenes import make_curve, make_rig
from tests.blender.test_operators import refusal
from tests.marks import long_but

NONE = (math.nan, math.inf, -math.inf)


@pytest.fixture
def rig(scene: Any) -> Any:
    armature = make_rig("Hero")
    bpy.ops.biped.map_bones()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    armature.biped.walk.controller = "klaw"
    return armature


def key(rig: Any, frame: float, value: float) -> Any:
    """Key a bone at frames 1, 30 and at another one."""
    bone = rig.pose.bones["thigh.L"]
    for at in (1, 30, 60):
        bone.keyframe_insert("location", index=0, frame=at)
    (curve,) = curves_of(rig, "pose.bones").values()
    curve.keyframe_points[2].co = frame, value
    return curve


def copied(rig: Any, spoil: Callable[[Any], None]) -> Any:
    """Return the keys of a copy of a curve with keys at frames 1, 30 and 60, of which ``spoil`` gets the second."""
    curve = key(rig, 60.0, 0.0)
    spoil(curve.keyframe_points[1])
    data = rig.animation_data
    copy_curve(curve, curve_holder(data.action, data.action_slot if SLOTTED else None), "location")
    return curves_of(rig, "location")["location"].keyframe_points


@pytest.mark.parametrize("place", [(math.nan, 1.0), (30.0, math.nan)])
def test_keys_that_are_no_numbers_are_not_copied(rig: Any, place: tuple[float, float]) -> None:
    keys = copied(rig, lambda own: setattr(own, "co", place))
    assert [tuple(own.co) for own in keys] == [(1.0, 0.0), (60.0, 0.0)]


def test_a_handle_that_is_no_number_is_copied_to_its_key(rig: Any) -> None:
    keys = copied(rig, lambda own: setattr(own, "handle_left", (math.nan, 2.0)))
    assert [tuple(own.co) for own in keys] == [(1.0, 0.0), (30.0, 0.0), (60.0, 0.0)]
    assert all(map(math.isfinite, keys[1].handle_left))


def test_a_bones_key_that_is_no_number_is_named(rig: Any) -> None:
    key(rig, 60.0, math.nan)  # infinite ones are Blender's largest number
    for read in (action_motion, posed_motion):
        with pytest.raises(DataError, match="has places or turns that are not finite numbers"):
            read(bpy.context, rig)


@pytest.mark.parametrize("frame", long_but([*NONE, 1e30, -1e30], math.inf, -math.inf))
def test_a_bones_key_at_no_frame_is_named_and_no_button_or_panel_fails(rig: Any, frame: float) -> None:
    key(rig, frame, 0.0)
    if frame < 0.0:  # Blender itself leaves out what is behind its last frame
        with pytest.raises(DataError, match="has a key at no frame"):
            action_motion(bpy.context, rig)
    else:
        action_motion(bpy.context, rig)
    assert pose_frames(rig) == [1, 30]
    assert all(math.isfinite(at) for at in frame_range(rig.animation_data.action))
    posed_motion(bpy.context, rig)


def arrow(**numbers: Any) -> Any:
    """A push with a key."""
    thing = bpy.data.objects.new("Arrow", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.biped.push.active = True
    thing.biped.push.keyframe_insert("force", frame=10)
    for name, number in numbers.items():
        thing.biped.push[name] = number
    return thing


def fan(**numbers: Any) -> Any:
    """A wind."""
    bpy.ops.object.effector_add(type="WIND")
    thing = bpy.context.object
    thing.name = "Fan"
    for name, number in numbers.items():
        setattr(thing.field, name, number)
    return thing


def _only_key(thing: Any, frame: float, value: float) -> None:
    (curve,) = curves_of(thing, "").values()
    curve.keyframe_points[-1].co = frame, value


@pytest.mark.parametrize("frame", NONE)
def test_a_pushs_key_at_no_frame_is_named(rig: Any, frame: float) -> None:
    _only_key(arrow(), frame, 250.0)
    said = walked(rig)
    assert "A key of biped.push.force is" in said and "delete it in the Graph Editor" in said


@pytest.mark.parametrize("frame", [*NONE, 1e9])
def test_a_fields_key_at_no_frame_is_named(rig: Any, frame: float) -> None:
    thing = fan()
    for at in (1, 20):
        thing.field.keyframe_insert("strength", frame=at)
    _only_key(thing, frame, 3.0)
    said = walked(rig)
    assert "A key of field.strength is" in said and "delete it in the Graph Editor" in said


def walked(rig: Any) -> str:
    """Return why a bake is refused."""
    bpy.context.view_layer.objects.active = rig
    walk_of(bpy.context).controller = "generalized"
    return refusal()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: arrow(length=math.nan), "Length in Seconds of 'Arrow' is not a finite number"),
        (lambda: arrow(part=99), "Body Part of 'Arrow' has a value that is no choice here"),
        (lambda: fan(strength=math.nan), "Strength of 'Fan' is not a finite number"),
        (lambda: fan(falloff_power=math.nan), "of 'Fan' is not a finite number"),
    ],
)
def test_a_number_or_a_choice_that_is_none_is_named_with_its_object(
    rig: Any, make: Callable[[], Any], why: str
) -> None:
    thing = make()
    field = thing.field
    if field and field.type != "NONE" and all(math.isfinite(n) for n in (field.strength, field.falloff_power)):
        pytest.skip("Blender holds it within its range")
    assert why in walked(rig)


@pytest.mark.parametrize("name", ["act", "hands"])
def test_a_targets_choice_that_is_none_is_named(rig: Any, name: str) -> None:
    thing = bpy.data.objects.new("Switch", None)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = 2.0, 0.0, 1.0
    thing.biped.target.active = True
    thing.biped.target[name] = 99
    assert "of 'Switch' has a value that is no choice here: choose another one" in walked(rig)


@pytest.mark.parametrize("own", [5, 2.5, "text", [1.0, 2.0], {"walk": 5}, {"walk": {"points": 3}}, {"speed": "x"}])
def test_what_is_no_group_where_settings_are_kept_is_passed_over(rig: Any, own: Any) -> None:
    scene, armature = bpy.data.scenes.new("Crafted"), bpy.data.objects.new("Crafted", rig.data)
    scene.collection.objects.link(armature)
    scene["biped"] = own  # before anything has asked for it
    armature["biped"] = own
    brought_up_to_date()
    assert scene["biped"] is not None and armature.biped.walk.points is not None


def test_too_many_pushes_are_refused_with_a_cure(rig: Any) -> None:
    for _ in range(2):
        thing = arrow()
        (curve,) = curves_of(thing, "biped.push").values()
        curve.keyframe_points.add(700)
        places = [float(n) for k in range(701) for n in (10 + k, 250.0)]
        curve.keyframe_points.foreach_set("co", places)
    assert "There are 1402 pushes in all; at most 1000 are walked with: take keys of Force away" in walked(rig)
