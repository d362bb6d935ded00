"""Walks as NLA strips: above what was there, in its place or added to it, and nothing is lost."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion

from blender_biped.base.errors import RigError
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.choices import Choices
from blender_biped.ui.bake.keyframes import bake
from tests.blender.scenes import character_of, contents, fcurves, keys, make_rig, wild_motion

STRIP, ADDITIVE = Choices(onto="STRIP"), Choices(onto="ADDITIVE")


def animated(armature: Any) -> Any:
    """Give hips, a hand and a finger an action from frame -10 to 60; return it."""
    for name in ("spine", "hand.L", "finger.R"):
        bone = armature.pose.bones[name]
        for frame, angle in ((-10, 0.1), (25, 0.8), (60, -0.5)):
            bone.rotation_quaternion = Euler((angle, -angle, 0.3)).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            if name != "hand.L":  # the walk keys no location of hands
                bone.location = (0.2 * angle, 0.0, 0.1)
                bone.keyframe_insert("location", frame=frame)
    action = armature.animation_data.action
    action.name = "Base"
    bpy.context.scene.frame_set(1)
    return action


def bases(armature: Any, frames: Any) -> dict[int, dict[str, Matrix]]:
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found[frame] = {b.name: b.matrix_basis.copy() for b in armature.pose.bones}
    return found


def near(a: Matrix, b: Matrix) -> bool:
    return bool(np.abs(np.array(a) - np.array(b)).max() < 1e-5)


def test_a_strip_replaces_what_it_has_keys_for() -> None:
    armature = make_rig()
    base = animated(armature)
    old, motion = keys(base), wild_motion(character_of(armature))
    before = bases(armature, range(-5, 60))
    done = bake(armature, motion, 11, "HIPS", STRIP)
    data = armature.animation_data
    assert done.notes == () and data.action is None
    assert [[s.action for s in track.strips] for track in data.nla_tracks] == [[base], [done.action]]
    assert [t.name for t in data.nla_tracks] == ["Base", "Rig Walk"]
    lower, upper = (t.strips[0] for t in data.nla_tracks)
    assert (lower.frame_start, lower.frame_end, upper.frame_start, upper.frame_end) == (-10.0, 60.0, 11.0, 35.0)
    assert upper.blend_type == "REPLACE"
    assert keys(base) == old
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far < 0.05 and turned < 0.02
    after = bases(armature, range(-5, 60))
    for frame in range(-5, 60):
        assert near(after[frame]["finger.R"], before[frame]["finger.R"])
        if frame < 11:  # the walk has not begun
            assert all(near(after[frame][name], before[frame][name]) for name in before[frame])
    assert all(near(after[59][name], after[35][name]) for name in ("spine", "thigh.L"))  # it stays where it stopped


def test_an_additive_strip_is_the_base_followed_by_the_walk() -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    bake(armature, motion, 11)
    walk = bases(armature, range(11, 36))
    armature.animation_data.action = None
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix.Identity(4)
    base = animated(armature)
    below = bases(armature, range(11, 36))
    done = bake(armature, motion, 11, "HIPS", ADDITIVE)
    assert done.notes == ()
    assert armature.animation_data.nla_tracks[-1].strips[0].blend_type == "COMBINE"
    both = bases(armature, range(11, 36))
    for frame in range(11, 36):
        for name, matrix in both[frame].items():
            (p, q, _), (r, s, _) = below[frame][name].decompose(), walk[frame][name].decompose()
            assert near(matrix, Matrix.LocRotScale(p + r, q @ s, None)), (frame, name)
    assert keys(base)


def test_tracks_that_were_there_stay_below() -> None:
    armature = make_rig()
    first = animated(armature)
    data = armature.animation_data
    data.action = None
    track = data.nla_tracks.new()
    track.name = "Mine"
    track.strips.new("Mine", 3, first).scale = 2.0
    second = bpy.data.actions.new("Second")
    data.action = second
    armature.pose.bones["finger.L"].keyframe_insert("rotation_quaternion", frame=2)
    armature.pose.bones["finger.L"].keyframe_insert("rotation_quaternion", frame=8)
    data.action_blend_type, data.action_extrapolation, data.action_influence = "ADD", "NOTHING", 0.5
    before = bases(armature, range(1, 10))
    bake(armature, wild_motion(character_of(armature)), 20, "HIPS", STRIP)
    assert [t.strips[0].action.name for t in data.nla_tracks] == ["Base", "Second", "Rig Walk"]
    mine, pushed = data.nla_tracks[0].strips[0], data.nla_tracks[1].strips[0]
    assert (data.nla_tracks[0].name, mine.scale, mine.frame_start) == ("Mine", 2.0, 3.0)
    assert (pushed.blend_type, pushed.extrapolation, pushed.influence) == ("ADD", "NOTHING", 0.5)
    after = bases(armature, range(1, 10))
    assert all(near(after[f][n], before[f][n]) for f in before for n in ("finger.L", "hand.L", "spine"))


def test_an_action_that_begins_between_frames_does_not_shift() -> None:
    armature = make_rig()
    bone = armature.pose.bones["finger.L"]
    for frame, angle in ((0.5, 0.1), (20.75, 1.0)):
        bone.rotation_quaternion = Euler((angle, 0.0, 0.0)).to_quaternion()
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    before = bases(armature, range(1, 20))
    bake(armature, wild_motion(character_of(armature)), 1, "HIPS", STRIP)
    after = bases(armature, range(1, 20))
    assert all(near(after[f]["finger.L"], before[f]["finger.L"]) for f in before)


@pytest.mark.skipif(bpy.app.version < (4, 4, 0), reason="actions have no slots")
def test_slots_stay_as_they_were() -> None:
    armature, other = make_rig(), make_rig("Other")
    for rig in (armature, other):
        rig.animation_data_create().action = bpy.data.actions.get("Both") or bpy.data.actions.new("Both")
        rig.animation_data.action_slot = rig.animation_data.action.slots.new(id_type="OBJECT", name=rig.name)
        rig.keyframe_insert("location", frame=1)
    motion = wild_motion(character_of(other))
    bake(other, motion, 1, "HIPS", STRIP)
    assert other.animation_data.nla_tracks[0].strips[0].action_slot.name_display == "Other"
    armature.animation_data.action_slot = None
    bake(armature, motion, 1, "HIPS", STRIP)
    idle, walk = (track.strips[0] for track in armature.animation_data.nla_tracks)
    assert idle.action.name == "Both" and idle.action_slot is None
    assert walk.action_slot == walk.action.slots[0]


def test_kept_arms_play_from_below_a_strip() -> None:
    armature = make_rig()
    animated(armature)
    before = bases(armature, range(1, 26))
    done = bake(
        armature, wild_motion(character_of(armature)), 1, "HIPS", Choices(onto="STRIP", parts=frozenset(("LEGS",)))
    )
    assert done.notes == () and not [c for c in fcurves(done.action) if "hand" in c.data_path]
    after = bases(armature, range(1, 26))
    assert all(near(after[f]["hand.L"], before[f]["hand.L"]) for f in before)


def test_a_strip_without_anything_below() -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    for choices in (STRIP, ADDITIVE):
        done = bake(armature, motion, 1, "HIPS", choices)
        for track in list(armature.animation_data.nla_tracks)[:-1]:
            armature.animation_data.nla_tracks.remove(track)
        far, turned = bake_error(armature, motion, done.frames.tolist())
        assert done.notes == () and far < 0.05 and turned < 0.02


def test_a_strip_of_one_stride_repeats_to_the_scenes_end(scene: Any) -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))  # as if its ends were equal
    scene.frame_end = 97
    bake(armature, motion, 1, "HIPS", Choices(onto="STRIP", cyclic=True))
    strip = armature.animation_data.nla_tracks[-1].strips[0]
    assert strip.repeat == pytest.approx(4.0) and strip.frame_end == pytest.approx(97.0)


@pytest.mark.parametrize("spoil, message", [("use_nla", "switched off"), ("solo", "set to solo")])
def test_what_keeps_a_strip_from_playing_is_told(spoil: str, message: str) -> None:
    armature = make_rig()
    animated(armature)
    bake(armature, wild_motion(character_of(armature)), 1, "HIPS", STRIP)
    if spoil == "solo":
        armature.animation_data.nla_tracks[0].is_solo = True
    else:
        armature.animation_data.use_nla = False
    assert any(message in n for n in bake(armature, wild_motion(character_of(armature)), 1, "HIPS", STRIP).notes)


def test_the_objects_own_travel_is_not_added_to_itself() -> None:
    armature = make_rig()
    animated(armature)
    motion, before = wild_motion(character_of(armature)), contents()
    with pytest.raises(RigError, match="choose another Travel On, or NLA Strip"):
        bake(armature, motion, 1, "OBJECT", ADDITIVE)
    assert contents() == before


def test_tweak_mode_is_refused() -> None:
    armature = make_rig()
    animated(armature)
    motion = wild_motion(character_of(armature))
    bake(armature, motion, 1, "HIPS", STRIP)
    data = armature.animation_data
    data.nla_tracks.active = data.nla_tracks[0]
    data.nla_tracks[0].select = data.nla_tracks[0].strips[0].select = True
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    with pytest.raises(RigError, match="leave tweak mode"):
        bake(armature, motion, 1, "HIPS", STRIP)


@pytest.mark.parametrize(
    "choices", [STRIP, ADDITIVE, Choices(parts=frozenset(("LEGS",)))], ids=["strip", "additive", "legs alone"]
)
def test_undo_brings_everything_back(choices: Choices) -> None:
    armature = make_rig()
    animated(armature)
    motion = wild_motion(character_of(armature))
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    bake(armature, motion, 1, "HIPS", choices)
    bpy.ops.ed.undo_push(message="Bake Walk")
    assert contents() != before
    bpy.ops.ed.undo()
    assert contents() == before
    assert Quaternion(bpy.data.objects["Rig"].pose.bones["hand.L"].rotation_quaternion).magnitude > 0.9
