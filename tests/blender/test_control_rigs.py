"""The bake onto control rigs: the controls get the keys, the body follows them, nothing else has changed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from blender_biped.base.errors import RigError
from blender_biped.character.body import build_character
from blender_biped.character.controls import controls_of
from blender_biped.character.mapping import RigMap
from blender_biped.character.model import ROLES, SIDES, Character
from blender_biped.character.roles import map_bones
from blender_biped.ui.bake import keyframes, probe
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import Root, bake
from blender_biped.ui.bake.rig import Limbs
from blender_biped.ui.base.reading import read_armature
from blender_biped.ui.job.mapping import found_mapping, has_controls, mapping
from blender_biped.ui.settings.kept_mapping import keep_rig_map
from tests.blender.scenes import character_of, contents, fcurves, gentle_motion, keys, make_rig, shared_rig, wild_motion
from tests.marks import long_but

MM, DEGREES = 0.05, 0.02  # as in test_bake
ROOTS = ("HIPS", "ROOT_BONE", "OBJECT")
PARTS = ("thigh", "shin", "foot", "upper_arm", "forearm", "hand")


GENERATE = """
import os, sys
import bpy, addon_utils
bpy.ops.wm.read_factory_settings(use_empty=True)
addon_utils.enable("rigify", default_set=True)
bpy.ops.object.armature_basic_human_metarig_add()
bpy.ops.pose.rigify_generate()
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
os._exit(0)
"""


@pytest.fixture(scope="module")
def rigify_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A .blend with the rig that Rigify generates from its basic human, in a process of its own."""
    file = tmp_path_factory.mktemp("rigify") / "rig.blend"
    subprocess.run([sys.executable, "-c", GENERATE, str(file)], check=False, timeout=120.0, capture_output=True)
    assert file.is_file()
    return file


def opened(file: Path, name: str = "") -> Any:
    """Open a file and return its armature object of that name, or its only one."""
    bpy.ops.wm.open_mainfile(filepath=str(file), load_ui=False, use_scripts=False)
    return next(o for o in bpy.context.scene.objects if o.type == "ARMATURE" and name in ("", o.name))


def told(armature: Any, bones: dict[str, tuple[str, ...]]) -> Character:
    """Return the character of an armature whose bones are told, with the controls that its names tell."""
    bpy.context.view_layer.update()
    ordered = {role: bones[role] for role in ROLES if role in bones}
    controls = controls_of(armature.data.bones.keys(), ordered)
    return build_character(read_armature(armature, 1.0), RigMap("told", ordered, {}, {}, (), controls=controls))


def rigify_character(armature: Any) -> Character:
    bones = {
        "pelvis": ("ORG-spine",), "abdomen": ("ORG-spine.001",),
        "chest": ("ORG-spine.002", "ORG-spine.003", "ORG-shoulder.L", "ORG-shoulder.R"),
        "head": tuple(n for n in ("ORG-spine.004", "ORG-spine.005", "ORG-spine.006") if n in armature.data.bones),
    }  # fmt: skip
    for side in SIDES:
        bones |= {f"{part}.{side}": (f"ORG-{part}.{side}",) for part in PARTS} | {f"toes.{side}": (f"ORG-toe.{side}",)}
    return told(armature, bones)


def mesh2motion_character(armature: Any) -> Character:
    bones = {
        "pelvis": ("pelvis",), "abdomen": ("spine_01",),
        "chest": ("spine_02", "spine_03", "clavicle_l", "clavicle_r"), "head": ("neck_01", "head"),
    }  # fmt: skip
    theirs = ("thigh", "calf", "foot", "upperarm", "lowerarm", "hand")
    for side, mark in zip(SIDES, "lr", strict=True):
        bones |= {f"{part}.{side}": (f"{own}_{mark}",) for part, own in zip(PARTS, theirs, strict=True)}
        bones[f"toes.{side}"] = (f"ball_{mark}",)
    return told(armature, bones)


def bone_names(action: Any) -> set[str]:
    """Return the bones that have keys of their own: what is held of constraints is not theirs."""
    return {
        c.data_path.split('"')[1] for c in fcurves(action) if '"' in c.data_path and ".constraints[" not in c.data_path
    }


def deform_error(armature: Any, frames: list[int]) -> float:
    """Return how far the heads of Rigify's deform bones are from those of the bones that make the body, mm."""
    names = [f"{p}.{s}" for s in SIDES for p in (*PARTS, "toe", "shoulder")] + ["spine", "spine.001", "spine.003"]
    far = 0.0
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        bones = armature.pose.bones
        far = max(far, *((bones[f"DEF-{n}"].head - bones[f"ORG-{n}"].head).length for n in names))
    return 1000.0 * far


# --- Rigify ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
def test_rigify_fk_is_exact_and_the_deform_bones_follow(rigify_file: Path, root: Root) -> None:
    armature = opened(rigify_file, "rig")
    motion = wild_motion(rigify_character(armature))
    done = bake(armature, motion, 1, root)
    frames = done.frames.tolist()
    far, turned = bake_error(armature, motion, frames)
    assert far <= MM and turned <= DEGREES
    assert deform_error(armature, frames[::6]) <= MM
    names = bone_names(done.action)
    assert not [n for n in names if n.startswith(("ORG-", "DEF-", "MCH-"))] and not {"hips", "chest"} & names
    assert {"torso", "spine_fk", "neck", "thigh_fk.L", "toe_fk.R", "hand_fk.L"} <= names
    assert ("root" in names) == (root == "ROOT_BONE")


def test_rigify_switches_are_keyed_once_and_stay(rigify_file: Path) -> None:
    armature = opened(rigify_file, "rig")
    done = bake(armature, gentle_motion(rigify_character(armature), 0.5), 5)
    switches = {k[0]: v for k, v in keys(done.action).items() if k[0].endswith('"]')}
    assert switches['pose.bones["thigh_parent.L"]["IK_FK"]'] == [(5.0, 1.0)]
    assert switches['pose.bones["torso"]["head_follow"]'] == [(5.0, 1.0)]
    kinds = {c.keyframe_points[0].interpolation for c in fcurves(done.action) if c.data_path in switches}
    assert kinds == {"CONSTANT"}
    assert any("locked" in note and "tweak_spine" in note for note in done.notes)


def test_rigify_ik_puts_the_joints_where_they_belong(rigify_file: Path) -> None:
    armature = opened(rigify_file, "rig")
    motion = gentle_motion(rigify_character(armature))
    done = bake(armature, motion, 1, "HIPS", limbs="IK")
    far, turned = bake_error(armature, motion, done.frames.tolist()[::4])
    assert far <= 1.0 and turned < 8.0  # the arms roll: their elbows' axes are not where the simulated ones are
    assert any("FK is exact" in note for note in done.notes)
    names = bone_names(done.action)
    assert {"foot_ik.L", "hand_ik.R", "thigh_ik_target.L", "upper_arm_ik_target.R", "toe_ik.L"} <= names
    assert not [n for n in names if "_fk." in n and not n.startswith("spine_fk")]
    legs = leg_error(armature, motion, done.frames.tolist()[::4])
    assert legs <= 0.1


@pytest.mark.parametrize("root", ROOTS)
def test_limbs_that_were_baked_by_fk_stay_in_place_when_they_are_switched_to_ik(rigify_file: Path, root: Root) -> None:
    armature = opened(rigify_file, "rig")
    motion = gentle_motion(rigify_character(armature))
    done = bake(armature, motion, 1, root)
    for curve in fcurves(done.action):
        if curve.data_path.endswith('["IK_FK"]'):
            curve.keyframe_points[0].co[1] = 0.0
    frames = done.frames.tolist()[::4]
    bpy.context.scene.frame_set(frames[-1])
    assert armature.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0
    far, turned = bake_error(armature, motion, frames)
    assert far <= 1.0 and turned < 8.0  # as by IK
    assert leg_error(armature, motion, frames) <= 0.1


def leg_error(armature: Any, motion: Any, frames: list[int]) -> float:
    """Return how far the directions of thighs and shins are from the links', degrees."""
    sampled = motion.sampled((np.array(frames) - 1.0) / 24.0)
    worst = 0.0
    for i, frame in enumerate(frames):
        bpy.context.scene.frame_set(frame)
        for side in SIDES:
            for upper, lower in (("thigh", "shin"), ("shin", "foot")):
                a, b = (motion.character.index(f"{part}.{side}") for part in (upper, lower))
                wanted = sampled.origins[i, b] - sampled.origins[i, a]
                bones = armature.pose.bones
                way = bones[f"ORG-{lower}.{side}"].head - bones[f"ORG-{upper}.{side}"].head
                shown = np.array(armature.matrix_world.to_3x3() @ way)
                cosine = wanted @ shown / np.linalg.norm(wanted) / np.linalg.norm(shown)
                worst = max(worst, float(np.degrees(np.arccos(min(cosine, 1.0)))))
    return worst


@pytest.mark.parametrize("how", long_but(["turned", "small", "mirrored", "uneven", "parent"], "mirrored", "uneven"))
def test_rigify_on_any_object(rigify_file: Path, how: str) -> None:
    armature = opened(rigify_file, "rig")
    armature.location, armature.rotation_euler = (1.0, -2.0, 0.5), (0.0, 0.0, 1.1)
    if how == "parent":
        carry_unevenly(armature)
    armature.scale = {
        "small": (0.1, 0.1, 0.1), "mirrored": (-1.0, 1.0, 1.0), "uneven": (1.2, 0.9, 1.1)
    }.get(how, (1.0, 1.0, 1.0))  # fmt: skip
    motion = gentle_motion(rigify_character(armature), 1.0)
    done = bake(armature, motion)
    far, turned = bake_error(armature, motion, done.frames.tolist()[::3])
    assert far <= 2.0 * MM and turned <= DEGREES


def carry_unevenly(armature: Any) -> None:
    carrier = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(carrier)
    carrier.scale, carrier.rotation_euler = (1.0, 1.2, 0.8), (0.0, 0.0, 0.6)
    armature.parent = carrier


@pytest.mark.parametrize("limbs", ["FK", "IK"])
@pytest.mark.parametrize("shown", ["POSE", "REST"])
def test_trying_the_controls_leaves_no_trace(
    rigify_file: Path, limbs: Limbs, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    armature = opened(rigify_file, "rig")
    bones = armature.pose.bones
    bones["hand_fk.L"].rotation_quaternion = Euler((0.4, 0.0, 0.0)).to_quaternion()
    bones["torso"].keyframe_insert("location", frame=3)
    bones["torso"].location = (0.1, 0.2, 0.3)  # not as it is keyed
    bones["hips"].scale = (1.1, 1.1, 1.1)
    bones["tweak_spine"].rotation_euler = (0.1, 0.2, 0.3)
    bones["thigh_parent.L"]["IK_FK"] = 0.25
    armature.data.pose_position = shown
    motion = gentle_motion(rigify_character(armature), 0.5)

    def everything() -> Any:
        properties = {b.name: {k: b[k] for k in b.keys() if isinstance(b[k], int | float)} for b in bones}  # noqa: SIM118
        held = {(b.name, c.name): (c.influence, getattr(c, "use_stretch", 0)) for b in bones for c in b.constraints}
        raw = {b.name: (*b.location, *b.rotation_euler, *b.rotation_quaternion, *b.scale) for b in bones}
        data = armature.animation_data
        slot = data.action_slot.identifier if hasattr(data, "action_slot") else ""
        return contents(), properties, held, raw, data.use_nla, slot, armature.data.pose_position

    before = everything()
    assert before[1]["thigh_parent.L"]["IK_FK"] == 0.25

    def refuse(*_: Any) -> None:
        raise RigError("no")

    monkeypatch.setattr(keyframes, "new_action", refuse)
    with pytest.raises(RigError, match="no"):
        bake(armature, motion, 1, "HIPS", limbs=limbs)
    assert everything() == before


def test_a_rig_that_is_hidden_is_tried_as_one_that_is_shown() -> None:
    armature = make_rig()
    copied("spreader.L", "COPY_LOCATION", None, "root", 1.0)(armature)
    motion = wild_motion(character_of(armature))
    armature.hide_viewport = True
    baked = bake(armature, motion)
    armature.hide_viewport = False
    far, turned = bake_error(armature, motion, baked.frames.tolist())
    assert far < 0.5 and turned < 0.05 and not any("off the simulated walk" in note for note in baked.notes)


def test_a_rig_that_blender_does_not_evaluate_cannot_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    armature = make_rig()
    copied("spreader.L", "COPY_LOCATION", None, "root", 1.0)(armature)
    motion = wild_motion(character_of(armature))
    monkeypatch.setattr(keyframes, "evaluated", lambda _armature: nullcontext())  # as in a linked scene
    armature.hide_viewport = True
    before = contents()
    with pytest.raises(RigError, match="is hidden, and its controls cannot be tried: show it"):
        bake(armature, motion)
    assert contents() == before


def test_ik_needs_hands_to_put_the_targets(rigify_file: Path) -> None:
    armature = opened(rigify_file, "rig")
    whole = rigify_character(armature)
    bones = {link.role: link.bones for link in whole.links if not link.role.startswith("hand")}
    motion = gentle_motion(told(armature, bones), 0.5)
    with pytest.raises(RigError, match=r"no bones mapped to its hands.* choose FK"):
        bake(armature, motion, 1, "HIPS", limbs="IK")
    bake(armature, motion)


# --- rigs that nobody here made --------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
def test_the_whole_rigify_human(root: Root) -> None:
    armature = opened(shared_rig("rigify_human_generated.blend"), "rig")
    motion = gentle_motion(rigify_character(armature), 1.0)
    frames = bake(armature, motion, 1, root).frames.tolist()
    far, turned = bake_error(armature, motion, frames[::3])
    assert far <= MM and turned <= DEGREES
    assert deform_error(armature, frames[::6]) <= MM


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
@pytest.mark.parametrize("limbs", long_but(["FK", "IK"], "FK"))
def test_mesh2motion(limbs: Limbs, root: Root) -> None:
    armature = opened(shared_rig("m2m_rig-human.blend"))
    motion = wild_motion(mesh2motion_character(armature))
    done = bake(armature, motion, 1, root, limbs=limbs)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES
    names = bone_names(done.action)
    assert {"CTRL_Hips", "CTRL_ILLEG_L"} <= names and "POLE_Leg_L" in names
    assert not {"pelvis", "thigh_l", "DRV_hips"} & names
    off = {k[0].split('"')[1] for k in keys(done.action) if k[0].endswith("influence")}
    assert ("DRV_shin_L" in off) == (limbs == "FK")


def test_deform_bones_that_copy_others_can_be_keyed_themselves() -> None:
    armature = opened(shared_rig("m2m_rig-human.blend"))
    character = mesh2motion_character(armature)
    bones = {link.role: link.bones for link in character.links}
    plain = build_character(read_armature(armature, 1.0), RigMap("told", bones, {}, {}, ()))
    motion = wild_motion(plain)
    done = bake(armature, motion)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES
    assert "pelvis" in bone_names(done.action) and "CTRL_Hips" not in bone_names(done.action)
    assert any("turns off" in note and "Copy Transforms on" in note for note in done.notes)


# --- what moves the parents of keyed bones ---------------------------------------------------------------------------


def copied(bone: str, kind: str, target: Any, subtarget: str, influence: float) -> Callable[[Any], None]:
    def add(armature: Any) -> None:
        made = armature.pose.bones[bone].constraints.new(kind)
        made.target, made.subtarget, made.influence = target or armature, subtarget, influence

    return add


@pytest.mark.parametrize(
    "kind, subtarget, influence, posed",
    [
        ("COPY_ROTATION", "spine.003", 1.0, False),  # turns with another link
        ("COPY_ROTATION", "twin", 0.4, False),  # turns between two
        ("COPY_LOCATION", "root", 1.0, False),  # stands still
        ("COPY_LOCATION", "hand.R", 0.3, True),  # is attached to nothing
    ],
)
def test_parents_that_constraints_move(
    kind: str, subtarget: str, influence: float, posed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def twin(bones: Any) -> None:
        made, own = bones.new("twin"), bones["spreader.L"]
        made.head, made.tail, made.roll, made.parent = own.head, own.tail, own.roll, bones["spine.003"]

    armature = make_rig(seed=5, edit=twin)
    copied("spreader.L", kind, None, subtarget, influence)(armature)
    counts = []
    seen = probe.seen_in

    def counted(*given: Any) -> Any:
        counts.append(len(given[2].turns))
        return seen(*given)

    monkeypatch.setattr(probe, "seen_in", counted)
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion)
    assert done.notes == ()
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES
    assert counts == ([1 + probe.TRIALS, len(done.frames)] if posed else [1 + probe.TRIALS])


@pytest.mark.parametrize("root", ["HIPS", "OBJECT"])
def test_a_bone_that_follows_an_object_that_moves(root: Root, scene: Any) -> None:
    leader = bpy.data.objects.new("Leader", None)
    scene.collection.objects.link(leader)
    for frame, place in ((1, (0.0, 0.0, 0.0)), (20, (0.5, 0.2, 0.1))):
        leader.location = place
        leader.keyframe_insert("location", frame=frame)
    armature = make_rig()
    made = armature.pose.bones["torso"].constraints.new("COPY_LOCATION")
    made.target, made.use_offset = leader, True
    scene.frame_set(7)
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, 1, root)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES and scene.frame_current == 7


def test_without_constraints_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "seen_in", None)
    armature = make_rig()
    bake(armature, wild_motion(character_of(armature)))


# --- what would move keyed bones -------------------------------------------------------------------------------------


def test_constraints_on_keyed_bones_are_off_in_the_action_only() -> None:
    armature = make_rig()
    solver = armature.pose.bones["shin.L"].constraints.new("IK")
    solver.target, solver.subtarget, solver.chain_count = armature, "root", 2
    muted = armature.pose.bones["hand.L"].constraints.new("LIMIT_ROTATION")
    muted.use_limit_x = muted.mute = True
    chain = armature.pose.bones["finger.R"].constraints.new("IK")  # on a bone without keys, through ones with
    chain.target, chain.subtarget, chain.chain_count = armature, "root", 3
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, 3)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES
    off = {k[0]: v for k, v in keys(done.action).items() if k[0].endswith("influence")}
    assert off == {
        'pose.bones["shin.L"].constraints["IK"].influence': [(3.0, 0.0)],
        'pose.bones["finger.R"].constraints["IK"].influence': [(3.0, 0.0)],
    }
    assert done.notes[0].startswith("The action turns off") and "IK on shin.L" in done.notes[0]


def test_drivers_are_respected_and_named() -> None:
    armature = make_rig()
    limit = armature.pose.bones["shin.L"].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    for curve in (limit.driver_add("influence"), armature.pose.bones["hand.R"].driver_add("rotation_quaternion", 2)):
        curve.driver.type, curve.driver.expression = "SCRIPTED", "1.0" if "influence" in curve.data_path else "0.3"
    done = bake(armature, wild_motion(character_of(armature)))
    assert any("Drivers hold constraints on keyed bones on: shin.L" in note for note in done.notes)
    assert any("Channels with drivers got no keys: hand.R" in note for note in done.notes)
    indices = {i for path, i in keys(done.action) if path == 'pose.bones["hand.R"].rotation_quaternion'}
    assert indices == {0, 1, 3}
    assert not [path for path, _ in keys(done.action) if "influence" in path]


def test_locked_channels_are_keyed_and_named() -> None:
    armature = make_rig()
    armature.pose.bones["thigh.L"].lock_rotation[0] = True
    armature.pose.bones["hand.L"].lock_location[0] = True  # gets no location
    done = bake(armature, wild_motion(character_of(armature)))
    assert done.notes == ("Channels that are locked against editing got keys too: thigh.L.",)


def test_strips_below_the_action_do_not_show_through() -> None:
    armature = make_rig()
    for frame, by in ((1, 0.0), (10, 0.2)):
        for name in ("root", "shin.L"):
            armature.pose.bones[name].location, armature.pose.bones[name].scale = (by, by, by), (1.0 + by, 1.0, 1.0)
            armature.pose.bones[name].keyframe_insert("location", frame=frame)
            armature.pose.bones[name].keyframe_insert("scale", frame=frame)
    data = armature.animation_data
    data.nla_tracks.new().strips.new("Old", 1, data.action)
    data.action = None
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES and done.notes == ()
    assert keys(done.action)['pose.bones["root"].location', 0] == [(1.0, 0.0)]
    assert keys(done.action)['pose.bones["shin.L"].scale', 0] == [(1.0, 1.0)]


def test_rest_matrix_of_the_pose_is_left_at_rest(rigify_file: Path) -> None:
    armature = opened(rigify_file, "rig")
    bake(armature, gentle_motion(rigify_character(armature), 0.5))
    assert armature.pose.bones["hips"].matrix_basis == Matrix.Identity(4)
    assert armature.pose.bones["tweak_spine.003"].matrix_basis == Matrix.Identity(4)


# --- the panel -------------------------------------------------------------------------------------------------------


def test_a_control_rig_is_mapped_with_its_controls_unless_told_otherwise(rigify_file: Path) -> None:
    armature = opened(rigify_file, "rig")
    assert not has_controls(armature)  # not mapped yet
    assert mapping(armature, 1.0).controls["foot.L"] == ("foot_fk.L",)
    keep_rig_map(armature, found_mapping(read_armature(armature, 1.0)))
    assert has_controls(armature)
    assert mapping(armature, 1.0).controls["foot.L"] == ("foot_fk.L",)
    bones = {link.role: link.bones for link in rigify_character(armature).links}
    keep_rig_map(armature, RigMap("told", bones, {}, {}, ()))
    assert not has_controls(armature) and not mapping(armature, 1.0).controls


def test_other_rigs_have_no_choice_of_limbs() -> None:
    armature = make_rig()
    keep_rig_map(armature, map_bones(read_armature(armature, 1.0)))
    assert not has_controls(armature) and not mapping(armature, 1.0).controls
    motion = wild_motion(character_of(armature))
    frames = bake(armature, motion, 1, "HIPS", limbs="IK").frames.tolist()  # left over from another mapping: no matter
    assert bake_error(armature, motion, frames)[0] <= MM
