"""A bake again: it takes the place of what the last one wrote, and of nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.ui.bake import keyframes
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.choices import Choices
from blender_biped.ui.bake.keyframes import Baked, Root, bake, bake_steps
from blender_biped.ui.base.fcurves import SLOTTED, curve_holder
from tests.blender.scenes import character_of, contents, fcurves, keys, make_rig, wild_motion
from tests.marks import long_but

REPLACE = Choices(onto="REPLACE")
slotted = pytest.mark.skipif(not SLOTTED, reason="actions have no slots before Blender 4.4")


def walk(
    armature: Any, seed: int = 0, start: int = 1, root: Root = "HIPS", duration: float = 1.0, **more: Any
) -> Baked:
    """Bake a wild motion in place of the last walk, or as ``more`` says, and check where the bones are."""
    motion = wild_motion(character_of(armature), seed, duration)
    done = bake(armature, motion, start, root, Choices(**{"onto": "REPLACE", **more}))
    assert done.notes == ()
    if more.get("onto") != "ADDITIVE":
        far, turned = bake_error(armature, motion, done.frames.tolist())
        assert far <= 0.05 and turned <= 0.02
    return done


def names() -> list[str]:
    return sorted(action.name for action in bpy.data.actions)


# --- what is replaced ------------------------------------------------------------------------------------------------


def test_the_first_walk_gets_a_new_action() -> None:
    armature = make_rig()
    armature.keyframe_insert("location", frame=1)
    armature.animation_data.action.name = "Mine"
    before = keys(bpy.data.actions["Mine"])
    done = walk(armature)
    assert done.facts == () and names() == ["Mine", "Rig Walk"]
    assert armature.animation_data.action == done.action
    assert keys(bpy.data.actions["Mine"]) == before and bpy.data.actions["Mine"].use_fake_user


def test_a_walk_takes_the_place_of_the_last_one() -> None:
    armature = make_rig()
    first = keys(walk(armature).action)
    done = walk(armature, seed=1, start=5, duration=0.5)
    assert names() == ["Rig Walk"] and armature.animation_data.action.name == "Rig Walk"
    assert tuple(done.action.frame_range) == (5.0, 17.0)
    assert keys(done.action).keys() == first.keys() and keys(done.action) != first
    assert done.facts == ("It replaces the last walk.",)
    assert not done.action.use_fake_user


@slotted
def test_a_walk_from_before_actions_had_slots_is_replaced() -> None:
    """Blender gives its action a slot when it opens the file."""
    armature = make_rig()
    walk(armature).action.biped.slot = ""
    assert walk(armature, seed=1).facts == ("It replaces the last walk.",)
    assert names() == ["Rig Walk"]


def test_the_name_the_fake_user_and_what_else_is_in_it_stay() -> None:
    armature = make_rig()
    action = walk(armature).action
    action.name, action.use_fake_user = "Stroll", True
    for frame, x in ((1, 0.0), (9, 0.3)):
        armature.pose.bones["finger.L"].location.x = x
        armature.pose.bones["finger.L"].keyframe_insert("location", frame=frame)
    action.pose_markers.new("Look").frame = 7
    own = {k: v for k, v in keys(action).items() if "finger" in k[0]}
    assert len(own) == 3
    done = walk(armature, seed=1)
    assert names() == ["Stroll"] and done.action.use_fake_user
    assert {k: v for k, v in keys(done.action).items() if "finger" in k[0]} == own
    assert [(m.name, m.frame) for m in done.action.pose_markers] == [("Look", 7)]


def test_what_the_last_walk_alone_needed_goes() -> None:
    armature = make_rig()
    walk(armature, root="OBJECT")
    done = walk(armature, root="HIPS")
    assert all('"' in path for path, _ in keys(done.action))
    assert "Object Transforms" not in [g.name for g in curve_holder(done.action, armature_slot(armature)).groups]


def armature_slot(armature: Any) -> Any:
    return armature.animation_data.action_slot if SLOTTED else None


def test_other_users_go_on_with_the_new_keys() -> None:
    armature = make_rig()
    done = walk(armature)
    track = armature.animation_data.nla_tracks.new()
    strip = track.strips.new("Again", 200, done.action)
    done = walk(armature, seed=1)
    assert strip.action == done.action == armature.animation_data.action
    if SLOTTED:
        assert strip.action_slot == armature.animation_data.action_slot == done.action.slots[0]


def test_a_strip_of_a_walk_gets_the_new_keys_and_length() -> None:
    armature = make_rig()
    armature.keyframe_insert("location", frame=1)
    base = armature.animation_data.action
    walk(armature, onto="STRIP")
    data = armature.animation_data
    done = walk(armature, seed=1, start=11, duration=2.0)
    assert data.action is None and len(data.nla_tracks) == 2
    strip = data.nla_tracks[1].strips[0]
    assert strip.action == done.action and data.nla_tracks[0].strips[0].action == base
    assert (strip.frame_start, strip.frame_end) == (11.0, 59.0)
    assert (strip.action_frame_start, strip.action_frame_end) == (11.0, 59.0)
    walk(armature, seed=2, start=3, duration=0.5)
    assert (strip.frame_start, strip.frame_end) == (3.0, 15.0)


def stride(armature: Any, onto: Any = "REPLACE", start: int = 1, duration: float = 1.0) -> None:
    """Bake a wild motion as if its end were its begin."""
    motion = wild_motion(character_of(armature), 1, duration)
    bake(armature, motion, start, "HIPS", Choices(onto=onto, cyclic=True))


def test_a_walk_in_place_of_a_stride_plays_once(scene: Any) -> None:
    armature = make_rig()
    scene.frame_end = 97
    stride(armature, "STRIP")
    strip = armature.animation_data.nla_tracks[-1].strips[0]
    assert (strip.repeat, strip.frame_end) == (pytest.approx(4.0), pytest.approx(97.0))
    stride(armature, duration=2.0)  # another stride lasts as long
    assert (strip.repeat, strip.frame_end) == (pytest.approx(2.0), pytest.approx(97.0))
    walk(armature, seed=2, duration=2.0)
    assert (strip.repeat, strip.frame_start, strip.frame_end) == (1.0, 1.0, 49.0)
    strip.repeat = 3.0  # as the user has it
    bake(armature, wild_motion(character_of(armature), 3), 1, "HIPS", REPLACE)
    assert (strip.repeat, strip.frame_end) == (3.0, pytest.approx(73.0))
    stride(armature, start=13)
    assert (strip.frame_start, strip.frame_end) == (13.0, pytest.approx(97.0))


def test_what_goes_wrong_leaves_a_strip_its_repeats(monkeypatch: Any) -> None:
    armature = make_rig()
    stride(armature, "STRIP")
    kept = everything(armature)

    def late(*_: Any) -> None:
        raise LateError

    monkeypatch.setattr(keyframes, "stretching", late)
    with pytest.raises(LateError):
        bake(armature, wild_motion(character_of(armature), 1), 1, "HIPS", REPLACE)
    assert everything(armature) == kept


def test_an_additive_strip_stays_one() -> None:
    armature = make_rig()
    walk(armature, onto="ADDITIVE")
    strip = armature.animation_data.nla_tracks[-1].strips[0]
    done = bake(armature, wild_motion(character_of(armature), 1), 1, "HIPS", REPLACE)
    assert strip.action == done.action and strip.blend_type == "COMBINE" and names() == ["Rig Walk"]


def test_keys_of_the_walks_settings_stay() -> None:
    armature = make_rig()
    done = walk(armature)
    holder = curve_holder(done.action, armature_slot(armature))
    curve = holder.fcurves.new("biped.walk.speed_mps")
    curve.keyframe_points.insert(1.0, 0.8)
    curve.keyframe_points.insert(20.0, 1.6)
    for onto in ("REPLACE", "ACTION", *(["SLOT"] if SLOTTED else [])):
        done = walk(armature, onto=onto)
        slot = armature_slot(armature)
        kept = [c for c in curve_holder(done.action, slot).fcurves if c.data_path == "biped.walk.speed_mps"]
        assert len(kept) == 1, onto
        assert [tuple(k.co) for k in kept[0].keyframe_points] == [(1.0, pytest.approx(0.8)), (20.0, pytest.approx(1.6))]


# --- what is not -----------------------------------------------------------------------------------------------------


def change_key(armature: Any, action: Any) -> None:
    fcurves(action)[7].keyframe_points[4].co.y += 0.01


def change_handle(armature: Any, action: Any) -> None:
    point = fcurves(action)[7].keyframe_points[4]
    point.handle_right_type = "FREE"
    point.handle_right.y += 0.1


def remove_key(armature: Any, action: Any) -> None:
    curve = fcurves(action)[7]
    curve.keyframe_points.remove(curve.keyframe_points[4])


def remove_curve(armature: Any, action: Any) -> None:
    holder = curve_holder(action, armature_slot(armature))
    holder.fcurves.remove(holder.fcurves[7])


def add_noise(armature: Any, action: Any) -> None:
    fcurves(action)[7].modifiers.new("NOISE")


def share(armature: Any, action: Any) -> None:
    other = make_rig("Other")
    other.animation_data_create().action = action


def mark_as_asset(armature: Any, action: Any) -> None:
    action.asset_mark()


@pytest.mark.parametrize(
    "spoil, why",
    [
        (change_key, "its keys were changed"), (change_handle, "its keys were changed"),
        (remove_key, "its keys were changed"), (remove_curve, "its keys were changed"),
        (add_noise, "its keys were changed"), (share, "'Other' uses it too"), (mark_as_asset, "it is an asset"),
    ],
)  # fmt: skip
def test_what_was_changed_since_stays(spoil: Any, why: str) -> None:
    armature = make_rig()
    action = walk(armature).action
    spoil(armature, action)
    before = keys(action)
    done = walk(armature, seed=1)
    assert names() == ["Rig Walk", "Rig Walk.001"] and done.action.name == "Rig Walk.001"
    assert keys(bpy.data.actions["Rig Walk"]) == before
    assert done.facts[0].startswith("'Rig Walk' stays as it is because") and why in done.facts[0]
    again = walk(armature, seed=2)
    assert names() == ["Rig Walk", "Rig Walk.001"] and again.action.name == "Rig Walk.001"


def test_keys_of_ones_own_are_not_overwritten() -> None:
    armature = make_rig()
    walk(armature)
    armature.location = (3.0, 2.0, 1.0)
    armature.keyframe_insert("location", frame=1)
    before = keys(armature.animation_data.action)
    done = walk(armature, root="OBJECT")
    assert done.action.name == "Rig Walk.001" and "keys of your own" in done.facts[0]
    assert keys(bpy.data.actions["Rig Walk"]) == before


def test_new_action_makes_a_new_action() -> None:
    armature = make_rig()
    first = walk(armature).action
    before = keys(first)
    assert walk(armature, seed=1, onto="ACTION").action.name == "Rig Walk.001"
    assert keys(bpy.data.actions["Rig Walk"]) == before


def test_a_saved_file_knows_its_walk(tmp_path: Path) -> None:
    walk(make_rig())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    walk(bpy.data.objects["Rig"], seed=1)
    assert names() == ["Rig Walk"]


# --- slots -----------------------------------------------------------------------------------------------------------


@slotted
def test_a_new_slot_leaves_the_others() -> None:
    armature = make_rig()
    first = walk(armature).action
    before = keys_of(first, first.slots[0])
    done = walk(armature, seed=1, onto="SLOT")
    assert done.action == first and names() == ["Rig Walk"] and len(first.slots) == 2
    assert armature.animation_data.action_slot == first.slots[1]
    assert keys_of(first, first.slots[0]) == before != keys_of(first, first.slots[1])
    second = keys_of(first, first.slots[1])
    done = walk(armature, seed=2)  # the new slot's is the last walk
    assert names() == ["Rig Walk"] and len(done.action.slots) == 2
    assert armature.animation_data.action_slot == done.action.slots[1]
    assert keys_of(done.action, done.action.slots[0]) == before
    assert keys_of(done.action, done.action.slots[1]) != second


@slotted
def test_a_new_slot_where_there_is_no_action() -> None:
    armature = make_rig()
    done = walk(armature, onto="SLOT")
    assert names() == ["Rig Walk"] and len(done.action.slots) == 1


@slotted
def test_another_slot_is_not_the_last_walks() -> None:
    armature = make_rig()
    action = walk(armature).action
    armature.animation_data.action_slot = action.slots.new("OBJECT", "Mine")
    assert walk(armature, seed=1).action.name == "Rig Walk.001"


def keys_of(action: Any, slot: Any) -> dict[tuple[str, int], list[tuple[float, float]]]:
    return {
        (c.data_path, c.array_index): [tuple(k.co) for k in c.keyframe_points]
        for c in curve_holder(action, slot).fcurves
    }


def test_the_numbers_of_the_choices_are_those_of_older_files() -> None:
    items = make_rig().biped.bl_rna.properties["onto"].enum_items
    assert {i.identifier: i.value for i in items} == {
        "ACTION": 0, "STRIP": 1, "ADDITIVE": 2, "REPLACE": 3, **({"SLOT": 4} if SLOTTED else {}),
    }  # fmt: skip


# --- in portions -----------------------------------------------------------------------------------------------------


CASES = ["REPLACE", "ACTION", "STRIP", "ADDITIVE", *(["SLOT"] if SLOTTED else [])]


@pytest.mark.parametrize("onto", long_but(CASES, "REPLACE"))
def test_a_bake_that_is_given_up_leaves_nothing(onto: Any) -> None:
    armature = make_rig()
    walk(armature, onto="ACTION")
    armature.pose.bones["finger.L"].location = (0.1, 0.0, 0.0)
    before = slots_and_contents()
    motion = wild_motion(character_of(armature), 1)
    count = len(list(bake_steps(armature, motion, 1, "HIPS", Choices(onto=onto))))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert count > 15
    for stop in (0, 1, count // 2, count - 1):
        armature = make_rig()
        walk(armature, onto="ACTION")
        armature.pose.bones["finger.L"].location = (0.1, 0.0, 0.0)
        before = slots_and_contents()
        work = bake_steps(armature, motion, 1, "HIPS", Choices(onto=onto))
        for _ in range(stop):
            next(work)
        work.close()
        assert slots_and_contents() == before, stop
        bpy.data.objects.remove(armature)
        bpy.data.actions.remove(bpy.data.actions["Rig Walk"])


def slots_and_contents() -> Any:
    return contents(), [len(a.slots) for a in bpy.data.actions] if SLOTTED else []


def test_the_shares_rise_to_one() -> None:
    armature = make_rig()
    shares = list(bake_steps(armature, wild_motion(character_of(armature)), 1, "HIPS", REPLACE))
    assert shares == sorted(shares) and shares[0] >= 0.0 and shares[-1] == 1.0


def test_one_undo_brings_the_last_walk_back() -> None:
    armature = make_rig()
    walk(armature)
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    walk(armature, seed=1)
    assert contents() != before
    bpy.ops.ed.undo_push(message="Bake Walk")
    bpy.ops.ed.undo()
    assert contents() == before
    walk(bpy.data.objects["Rig"], seed=2)  # it is known again
    assert names() == ["Rig Walk"]


def test_a_stride_gives_its_place_to_a_walk() -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    cycle = bake(armature, motion, 1, "HIPS", Choices(onto="REPLACE", cyclic=True)).action
    assert cycle.use_cyclic and all(c.modifiers for c in fcurves(cycle))
    done = walk(armature)
    assert not done.action.use_cyclic and not done.action.use_frame_range
    assert not any(c.modifiers for c in fcurves(done.action)) and names() == ["Rig Walk"]


def test_arms_that_are_kept_stay_when_the_walk_is_replaced() -> None:
    armature = make_rig()
    before = keys(walk(armature).action)
    motion = wild_motion(character_of(armature), 1)
    done = bake(armature, motion, 1, "HIPS", Choices(onto="REPLACE", parts=frozenset(("LEGS", "TRUNK"))))
    after = keys(done.action)
    assert names() == ["Rig Walk"] and after.keys() == before.keys()
    changed = {path for path, index in after if after[path, index] != before[path, index]}
    assert any("thigh" in path for path in changed) and not any("arm" in path or "hand" in path for path in changed)
    walk(armature, seed=2)  # all of it is still ours
    assert names() == ["Rig Walk"]


# --- what goes wrong when the keys already play ----------------------------------------------------------------------


class LateError(Exception):
    """Nobody has foreseen it."""


@pytest.mark.parametrize("onto", long_but(CASES, "REPLACE"))
@pytest.mark.parametrize("before", long_but(["nothing", "walk"], "walk"))
def test_whatever_goes_wrong_with_keys_that_play_leaves_everything(onto: Any, before: str, monkeypatch: Any) -> None:
    armature = make_rig()
    armature["held"] = 0.25
    if before == "walk":
        for made in ("STRIP", "ACTION"):
            bake(armature, wild_motion(character_of(armature), 0, 0.2), 1, "HIPS", Choices(onto=made))
        armature.animation_data.action.name, armature.animation_data.action_influence = 63 * "W", 0.5
        armature.animation_data.action.use_fake_user = True
    motion = wild_motion(character_of(armature), 1, 0.2)
    armature.pose.bones["finger.L"].location = (0.1, 0.0, 0.0)
    armature.pose.bones["spine"].rotation_quaternion = (-0.6, 0.8, 0.0, 0.0)  # not as it is keyed
    kept, plays = everything(armature), []

    def late(*_: Any) -> None:
        data = armature.animation_data
        plays.append((data.action or data.nla_tracks[-1].strips[0].action).name)
        raise LateError

    monkeypatch.setattr(keyframes, "stretching", late)
    with pytest.raises(LateError):
        bake(armature, motion, 5, "HIPS", Choices(onto=onto))
    assert plays and everything(armature) == kept


def everything(armature: Any) -> Any:
    """Return what is in the file, and how an armature is animated and posed, number by number."""
    data = armature.animation_data
    numbers = [(*b.location, *b.rotation_quaternion, *b.rotation_euler, *b.scale) for b in armature.pose.bones]
    if data is None:
        return slots_and_contents(), numbers
    strips = [
        (s.action.name, s.repeat, s.frame_start, s.frame_end, s.action_frame_start, s.action_frame_end)
        for track in data.nla_tracks for s in track.strips
    ]  # fmt: skip
    plays = data.action_influence, data.action_blend_type, data.action_extrapolation
    slot = data.action_slot.identifier if SLOTTED and data.action else ""
    return slots_and_contents(), numbers, strips, plays, slot


@slotted
def test_what_the_keys_turned_off_is_on_again(monkeypatch: Any) -> None:
    armature = make_rig()
    bone = armature.pose.bones["forearm.L"]
    made = bone.constraints.new("COPY_ROTATION")
    made.target, made.subtarget, made.influence = armature, "thigh.R", 0.75
    bone["held"] = 0.25
    seen = []

    def late(*_: Any) -> None:
        seen.append(made.influence)
        raise LateError

    monkeypatch.setattr(keyframes, "off_notes", late)
    with pytest.raises(LateError):
        bake(armature, wild_motion(character_of(armature), 0, 0.2))
    assert seen == [0.0] and made.influence == 0.75 and armature.animation_data is None
