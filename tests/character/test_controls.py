"""The tables of control rigs: which bones get the keys, and which properties let them."""

from __future__ import annotations

import pytest

from blender_biped.character.controls import control_rig, controls_of
from blender_biped.character.model import ROLES, SIDES

LIMBS = ("thigh", "shin", "foot", "upper_arm", "forearm", "hand")


def rigify(toe: str = "toe_fk") -> list[str]:
    """Return the names that matter of a rig that Rigify generates."""
    middle = ["root", "torso", "hips", "chest", "neck", "head"]
    spine = [f"{kind}{n}" for kind in ("spine_fk", "tweak_spine", "ORG-spine") for n in ("", ".001", ".002", ".003")]
    sides = [f"{part}.{s}" for s in SIDES for part in ("shoulder", "thigh_parent", "upper_arm_parent", toe, "toe_ik")]
    limbs = [f"{part}_fk.{s}" for s in SIDES for part in LIMBS] + [f"ORG-{part}.{s}" for s in SIDES for part in LIMBS]
    ends = [f"{n}.{s}" for s in SIDES for n in ("foot_ik", "hand_ik", "thigh_ik_target", "upper_arm_ik_target")]
    return middle + spine + sides + limbs + ends


def body(prefix: str = "ORG-") -> dict[str, tuple[str, ...]]:
    found = {
        "pelvis": (f"{prefix}spine",),
        "abdomen": (f"{prefix}spine.001",),
        "chest": (f"{prefix}spine.002", f"{prefix}spine.003"),
    }
    return found | {f"{part}.{s}": (f"{prefix}{part}.{s}",) for s in SIDES for part in LIMBS}


@pytest.mark.parametrize("prefix", ["ORG-", "DEF-", ""])
def test_rigify_controls_follow_the_parts_that_their_own_bones_are_of(prefix: str) -> None:
    found = controls_of(rigify(), body(prefix))
    assert list(found) == [role for role in ROLES if role in found]
    assert found["pelvis"] == ("spine_fk", "tweak_spine")
    assert found["abdomen"] == ("torso", "spine_fk.001", "tweak_spine.001")
    assert found["chest"][:4] == ("spine_fk.002", "spine_fk.003", "tweak_spine.002", "tweak_spine.003")
    assert found["head"] == ("neck", "head")
    assert found["thigh.L"] == ("thigh_fk.L",) and found["toes.R"] == ("toe_fk.R",)
    assert not {"hips", "chest"} & {name for names in found.values() for name in names}  # they stay for the animator


def test_a_rigify_trunk_of_two_parts_hangs_on_the_torso_too() -> None:
    parts = body() | {"pelvis": ("ORG-spine", "ORG-spine.001")}
    del parts["abdomen"]
    assert controls_of(rigify(), parts)["pelvis"][:3] == ("torso", "spine_fk", "spine_fk.001")


def test_rigify_had_another_toe_control() -> None:
    assert controls_of(rigify("toe"), body())["toes.L"] == ("toe.L",)


def test_rigify_switches_differ_by_what_sets_the_limbs() -> None:
    rig = control_rig(rigify(), body())
    assert rig and rig.name == "Rigify" and rig.root == "root"
    fk, ik = ({(s.bone, s.name): s.value for s in switches} for switches in (rig.switches, rig.ik_switches))
    assert fk["thigh_parent.L", "IK_FK"] == 1.0 and ik["thigh_parent.L", "IK_FK"] == 0.0
    assert ik["upper_arm_parent.R", "pole_vector"] == 1.0 and ("upper_arm_parent.R", "pole_vector") not in fk
    assert rig.ik["foot.L"] == ("foot_ik.L",) and rig.ik["thigh.L"] == () and rig.ik["toes.L"] == ("toe_ik.L",)
    assert rig.poles == {
        "thigh.L": "thigh_ik_target.L", "upper_arm.L": "upper_arm_ik_target.L",
        "thigh.R": "thigh_ik_target.R", "upper_arm.R": "upper_arm_ik_target.R",
    }  # fmt: skip


def test_auto_rig_pro() -> None:
    names = ["c_traj", "c_root_master.x", "c_root.x", "c_spine_01.x", "c_spine_02.x", "c_neck.x", "c_head.x"]
    for mark in "lr":
        names += [f"c_{part}_fk.{mark}" for part in ("thigh", "leg", "foot", "toes", "arm", "forearm", "hand")]
        names += [f"c_{part}.{mark}" for part in ("shoulder", "foot_ik", "hand_ik", "toes_ik", "leg_pole", "arms_pole")]
    rig = control_rig(names, {"pelvis": ("root.x",), "abdomen": ("spine_01.x",), "chest": ("spine_02.x",)})
    assert rig and rig.name == "Auto-Rig Pro" and rig.root == "c_traj"
    assert rig.controls["abdomen"] == ("c_spine_01.x",)
    assert rig.controls["chest"] == ("c_spine_02.x", "c_shoulder.l", "c_shoulder.r")
    assert rig.controls["shin.R"] == ("c_leg_fk.r",) and rig.ik["shin.R"] == ()
    assert {s.value for s in rig.switches} == {1.0} and {s.value for s in rig.ik_switches} == {0.0}
    assert rig.poles["upper_arm.L"] == "c_arms_pole.l"


@pytest.mark.parametrize("names", [[], ["spine", "thigh.L", "torso"], ["mixamorig:Hips"]], ids=str)
def test_other_rigs_have_no_controls(names: list[str]) -> None:
    assert control_rig(names, {}) is None
    assert controls_of(names, {}) == {}
