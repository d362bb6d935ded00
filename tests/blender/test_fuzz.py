"""Strange armatures made in Blender: each is mapped or refused with a message, and the scene stays as it was."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_biped.simulate import simulate
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.base.reading import metres, read_armature, sole_height
from tests.blender.scenes import contents
from tests.character.strange import Draft, Rng
from tests.character.test_fuzz import body_of, faults, job_of, refusal_of

COUNT, CHUNK = 300, 25
FIRST = 10_000  # seed: none that is tried without Blender
WALKED = 2  # every second rig that is mapped is also simulated and baked
EXACT = (1.0, 0.1)  # mm and degrees; what is further off must be told

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def made(plan: Draft) -> Any:
    """Return an armature object of a plan in the scene, as near to it as Blender lets it be."""
    data = bpy.data.armatures.new(plan.name)
    armature = bpy.data.objects.new(plan.name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = []
    for part in plan.parts:
        bone = data.edit_bones.new(part.name)
        with np.errstate(all="ignore"):
            bone.head, bone.tail = part.head.astype(np.float32), part.tail.astype(np.float32)
            if np.isfinite(part.matrix).all():
                bone.align_roll(part.matrix[:, 2])
        bones.append(bone)
    for part, bone in zip(plan.parts, bones, strict=True):
        if 0 <= part.parent < len(bones) and bones[part.parent] is not bone:
            bone.parent = bones[part.parent]  # Blender itself refuses circles
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.matrix_basis = Matrix(np.clip(plan.world, -1e30, 1e30))  # leaves NaN as it is
    return armature


# --- what only Blender has -------------------------------------------------------------------------------------------


def constraints_in_a_circle(armature: Any, rng: Rng) -> None:
    bones = _some_bones(armature, rng, 6)
    for bone, target in zip(bones, [*bones[1:], *bones[:1]], strict=True):
        kinds = (
            "COPY_ROTATION",
            "COPY_LOCATION",
            "COPY_TRANSFORMS",
            "DAMPED_TRACK",
            "IK",
            "LIMIT_ROTATION",
            "CHILD_OF",
        )
        made = bone.constraints.new(kinds[int(rng.integers(len(kinds)))])
        if hasattr(made, "target") and rng.random() < 0.9:
            made.target, made.subtarget = armature, target.name


def broken_drivers(armature: Any, rng: Rng) -> None:
    for bone in _some_bones(armature, rng, 3):
        curve = bone.driver_add(("location", "scale")[int(rng.integers(2))], int(rng.integers(3)))
        curve.driver.expression = ("1 / 0", "no_such_name", "(", "frame * 0.01", "var")[int(rng.integers(5))]


def odd_settings(armature: Any, rng: Rng) -> None:
    for bone in armature.pose.bones:
        modes = ("QUATERNION", "AXIS_ANGLE", "XYZ", "ZYX")
        bone.rotation_mode = modes[int(rng.integers(4))]
        bone.lock_location = bone.lock_rotation = (bool(rng.integers(2)), True, False)
        bone.bone.use_inherit_rotation = bool(rng.integers(2))
        bone.bone.use_local_location = bool(rng.integers(2))
        bone.bone.inherit_scale = ("FULL", "NONE", "ALIGNED", "AVERAGE")[int(rng.integers(4))]


def wild_pose(armature: Any, rng: Rng) -> None:
    for bone in armature.pose.bones:
        bone.location, bone.scale = rng.normal(size=3), rng.choice((0.0, -1.0, 0.5, 1.0), 3)
        bone.rotation_quaternion = rng.normal(size=4)
    for bone in _some_bones(armature, rng, 1):
        bone.location.x = (math.nan, math.inf, 1e30)[int(rng.integers(3))]


def uneven_parent(armature: Any, rng: Rng) -> None:
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale = rng.choice((-1.0, 0.0, 0.5, 1.0, 2.0), 3)
    parent.rotation_euler = rng.normal(size=3)
    armature.parent = parent
    if rng.random() < 0.3:
        parent.location.y = math.nan


def no_number(armature: Any, rng: Rng) -> None:
    bad = (math.nan, math.inf, -math.inf)[int(rng.integers(3))]
    kind = ("location", "scale", "rotation_euler")[int(rng.integers(3))]
    getattr(armature, kind)[int(rng.integers(3))] = bad


def other_unit(armature: Any, rng: Rng) -> None:
    bpy.context.scene.unit_settings.scale_length = float(rng.choice((1e-6, 0.01, 0.1, 1000.0)))


def rest_position(armature: Any, rng: Rng) -> None:
    armature.data.pose_position = "REST"


def hidden(armature: Any, rng: Rng) -> None:
    armature.hide_viewport = True


def moving(armature: Any, rng: Rng) -> None:
    armature.location.x = 1.0
    armature.keyframe_insert("location", frame=1)
    for bone in _some_bones(armature, rng, 2):
        bone.keyframe_insert("rotation_quaternion", frame=5)
    if rng.random() < 0.5:
        data = armature.animation_data
        data.nla_tracks.new().strips.new("Old", 1, data.action)
        data.action = None


CHANGES: tuple[Callable[[Any, Rng], None], ...] = (
    constraints_in_a_circle, broken_drivers, odd_settings, wild_pose, uneven_parent, no_number, other_unit,
    rest_position, hidden, moving,
)  # fmt: skip


def _some_bones(armature: Any, rng: Rng, count: int) -> list[Any]:
    bones = list(armature.pose.bones)
    if not bones:
        return []
    return [bones[int(i)] for i in rng.choice(len(bones), min(count, len(bones)), replace=False)]


def _emptied() -> None:
    for blocks in (bpy.data.objects, bpy.data.armatures, bpy.data.actions):
        for block in list(blocks):
            blocks.remove(block)
    bpy.context.scene.unit_settings.scale_length = 1.0


# --- what is done with them ------------------------------------------------------------------------------------------


def pressed() -> None:
    """Press Map Bones. Fails when the operator ends with anything but a message."""
    try:
        bpy.ops.biped.map_bones()
    except RuntimeError as error:
        said = str(error)
        assert "Traceback" not in said, said
        assert len(said) > 30


@pytest.mark.parametrize(
    "first", [FIRST, *(pytest.param(k, marks=pytest.mark.long) for k in range(FIRST + CHUNK, FIRST + COUNT, CHUNK))]
)
def test_every_armature_is_mapped_or_refused_and_the_scene_stays(first: int) -> None:
    mapped: list[int] = []

    def tried(seed: int, plan: Draft) -> None:
        rng = np.random.default_rng(seed)
        try:
            armature = made(plan)
            for _ in range(int(rng.integers(0, 3))):
                change = CHANGES[int(rng.integers(len(CHANGES)))]
                plan.how.append(change.__name__)
                change(armature, rng)
            bpy.context.view_layer.objects.active = armature
            bpy.context.view_layer.update()
            before = repr(contents())  # as text: NaN equals nothing
            jobs: list[Any] = []

            def judged() -> None:
                rig = read_armature(armature, metres(bpy.context.scene))
                body = body_of(rig)
                assert math.isfinite(sole_height(rig, body))
                jobs.append(job_of(body))

            refused = refusal_of(judged)
            assert repr(contents()) == before
            pressed()
            assert repr(contents()) == before
            if refused is None:
                mapped.append(seed)
                if len(mapped) % WALKED == 0:
                    walked(armature, jobs[0])
        finally:
            _emptied()

    assert not (said := faults(range(first, first + CHUNK), tried)), said
    assert 0 < len(mapped) < CHUNK  # a fuzz that maps all or nothing tests nothing


def walked(armature: Any, job: Any) -> None:
    """Simulate and bake; what is baked is where it was simulated, or the user is told."""
    motion = simulate(job)
    before = repr(contents())
    baked: list[Any] = []
    if refusal_of(lambda: baked.append(bake(armature, motion))) is not None:
        assert repr(contents()) == before
        return
    (done,) = baked
    armature.hide_viewport = False  # what is hidden shows nothing
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert (far <= EXACT[0] and turned <= EXACT[1]) or done.notes, f"{far} mm, {turned} degrees off, and nothing said"
