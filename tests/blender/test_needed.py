"""Keys where the motion needs them: within what is allowed at every frame, at contacts, and far fewer."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.ui.bake.accuracy import Distances, distances
from blender_biped.ui.bake.choices import Choices, Tolerance, judged, shown
from blender_biped.ui.bake.keyframes import Baked, bake
from blender_biped.world.path import Path
from tests.blender.scenes import character_of, fcurves, gentle_motion, keys, make_rig, shared_rig, wild_motion
from tests.marks import long_but
from tests.motion.synthetic import Walk, walked

ALLOWED = Tolerance(0.002, math.radians(1.0))


def walk_of(armature: Any, length: float = 8.0) -> Motion:
    return walked(Path([(0.0, 0.0), (length, 0.0)]), Walk(), character_of(armature))[0]


def off(armature: Any, motion: Motion, frames: np.ndarray[Any, Any]) -> tuple[Distances, Distances]:
    """Return how far the bones are off at all frames, and halfway between them."""
    rate = bpy.context.scene.render.fps
    first, last = int(frames[0]), int(frames[-1])
    whole = np.arange(first, last + 1)
    both = [whole, whole[:-1] + 0.5]
    found = [distances(armature, motion, [(float(f), (f - first) / rate) for f in some]) for some in both]
    return found[0], found[1]


def allowed(found: Distances, tolerance: Tolerance, times: float = 1.05) -> bool:
    return bool(found.soles.max() <= times * tolerance.length and found.turns.max() <= times * tolerance.turn)


def count(done: Baked) -> int:
    return sum(len(c.keyframe_points) for c in fcurves(done.action))


@pytest.mark.parametrize(
    ("mode", "root"),
    long_but([("QUATERNION", "HIPS"), ("AXIS_ANGLE", "ROOT_BONE"), ("ZXY", "OBJECT")], ("AXIS_ANGLE", "ROOT_BONE")),
)
def test_at_every_frame_it_is_within_what_is_allowed(mode: str, root: Any, scene: Any) -> None:
    scene.render.fps = 60
    armature = make_rig(seed=1)
    armature.location = (2.0, -1.0, 0.5)
    armature.rotation_mode = mode
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    motion = gentle_motion(character_of(armature))
    done = bake(armature, motion, 11, root, Choices(needed=ALLOWED))
    assert done.notes == ()
    whole, between = off(armature, motion, done.frames)
    assert allowed(whole, ALLOWED) and allowed(between, ALLOWED)
    assert whole.soles.max() > 0.3 * ALLOWED.length  # what is allowed is used
    every = len(fcurves(done.action)) * len(range(11, int(done.frames[-1]) + 1))
    assert count(done) < 0.35 * every


@pytest.mark.parametrize("seed", long_but(range(3), 0))
def test_even_wild_motions(seed: int, scene: Any) -> None:
    scene.render.fps = 60
    armature = make_rig(seed=seed)
    motion = wild_motion(character_of(armature), seed)
    done = bake(armature, motion, 1, "HIPS", Choices(needed=ALLOWED))
    assert done.notes == ()
    whole, between = off(armature, motion, done.frames)
    assert allowed(whole, ALLOWED) and allowed(between, ALLOWED)


@pytest.mark.long
def test_what_is_allowed_decides_how_many_keys_there_are() -> None:
    armature = make_rig()
    motion = walk_of(armature)
    counts = []
    for millimetres, degrees in ((0.5, 0.25), (2.0, 1.0), (10.0, 4.0)):
        tolerance = Tolerance(0.001 * millimetres, math.radians(degrees))
        done = bake(armature, motion, 1, "HIPS", Choices(needed=tolerance))
        assert done.notes == () and allowed(off(armature, motion, done.frames)[0], tolerance)
        counts.append(count(done))
    assert counts[0] > 1.3 * counts[1] > 1.3 * 1.3 * counts[2]


def test_feet_are_exact_where_they_strike_and_lift(scene: Any) -> None:
    armature = make_rig()
    motion = walk_of(armature)
    done = bake(armature, motion, 1, "HIPS", Choices(needed=Tolerance(0.02, math.radians(5.0))))
    rate = scene.render.fps
    for side, name in enumerate("LR"):
        contacts = set()
        for stance in gait_events.stances(motion, side):
            contacts |= {1 + math.ceil(stance.start * rate), 1 + math.floor(stance.end * rate)}
        contacts = {f for f in contacts if 1 < f < done.frames[-1]}
        assert len(contacts) > 10
        for bone in ("spine", f"thigh.{name}", f"shin.{name}", f"foot.{name}"):
            path = f'pose.bones["{bone}"].rotation_quaternion'
            assert contacts <= {x for x, _ in keys(done.action)[path, 0]}
        at = [(float(f), (f - 1) / rate) for f in sorted(contacts)]
        leg = judged(motion, {b.name for b in armature.pose.bones if not b.name.endswith(f".{name}")})
        assert distances(armature, leg, at).soles.max() < 5e-5


def test_the_message_says_how_far_and_how_many() -> None:
    armature = make_rig()
    done = bake(armature, walk_of(armature), 1, "HIPS", Choices(needed=ALLOWED))
    assert done.facts[0].startswith("At frames the feet are up to ") and "between frames up to" in done.facts[0]
    found = count(done)
    every = len(fcurves(done.action)) * int(done.frames[-1])
    assert done.facts[1] == f"{found:,} keys in place of {every:,}."
    assert found < 0.6 * every


def test_what_moves_the_bones_besides_is_a_warning() -> None:
    armature = make_rig()
    driver = armature.pose.bones["shin.L"].driver_add("scale", 1).driver
    driver.type, driver.expression = "SCRIPTED", "1.5"
    notes = bake(armature, walk_of(armature), 1, "HIPS", Choices(needed=ALLOWED)).notes
    assert len(notes) == 1 and "more than allowed" in notes[0] and "drivers" in notes[0]


@pytest.mark.parametrize("mode", ["QUATERNION", "YZX"])
def test_a_stride_has_no_seam(mode: str) -> None:
    armature = make_rig(seed=2)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    motion, job = walked(Path([(0.0, 0.0), (8.0, 0.0)]), Walk(), character_of(armature))
    choices = Choices(in_place=True, cyclic=True, needed=ALLOWED)
    stride = shown(armature, motion, job, choices)
    done = bake(armature, stride.motion, 1, stride.root, choices)
    assert done.notes == ()
    curves = fcurves(done.action)
    assert curves and all([m.type for m in c.modifiers] == ["CYCLES"] for c in curves)
    for curve in curves:
        first, last = curve.keyframe_points[0], curve.keyframe_points[-1]
        assert first.co.y == last.co.y
        slopes = [(k.handle_right.y - k.co.y) / (k.handle_right.x - k.co.x) for k in (first, last)]
        assert slopes[0] == pytest.approx(slopes[1], abs=1e-4)
        assert slopes[0] == pytest.approx((last.co.y - last.handle_left.y) / (last.co.x - last.handle_left.x), abs=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("limbs", ["FK", "IK"])
def test_rigifys_controls(limbs: Any) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(shared_rig("rigify_human_generated.blend")), load_ui=False, use_scripts=False)
    from blender_biped.character.body import build_character
    from blender_biped.ui.base.reading import read_armature
    from blender_biped.ui.job.mapping import found_mapping

    armature = bpy.data.objects["rig"]
    armature.hide_set(False)
    bpy.context.view_layer.update()
    rig = read_armature(armature, 1.0)
    character = build_character(rig, found_mapping(rig))
    motion = gentle_motion(character, 1.0)
    done = bake(armature, motion, 1, "HIPS", Choices(needed=ALLOWED), limbs)
    whole, _ = off(armature, motion, done.frames)
    assert whole.soles.max() <= 1.05 * ALLOWED.length
    if limbs == "FK":
        assert whole.turns.max() <= 1.05 * ALLOWED.turn
