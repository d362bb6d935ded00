# ruff: noqa: RUF001  (letters and digits of full width, as rigs have them)
"""Names that are not English, and skeletons whose names or twists lead to the wrong limbs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.armature import Armature, Bone
from blender_biped.character.body import build_character
from blender_biped.character.model import ROLES, SIDES
from blender_biped.character.naming import canonical, is_helper
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import character, moved_bone, renamed

NAMINGS: Mapping[str, tuple[str, str, str]] = {
    # names of pelvis, three of the trunk, head, clavicle to hand, thigh to toes, {} for the side; left and right
    "MMD": (
        "下半身 上半身 上半身2 上半身3 頭 {}肩 {}腕 {}ひじ {}手首 {}足 {}ひざ {}足首 {}つま先", "左", "右",
    ),
    "MMD, sides behind": (
        "下半身 上半身 上半身２ 上半身３ 頭 肩.{} 腕.{} ひじ.{} 手首.{} 足.{} ひざ.{} 足首.{} つま先.{}", "L", "R",
    ),
    "MMD, English names": (
        "LowerBody UpperBody UpperBody2 UpperBody3 Head Shoulder_{} Arm_{} Elbow_{} Wrist_{} Leg_{} Knee_{} Ankle_{} "
        "Toe_{}", "L", "R",
    ),
    "Japanese names": (
        "腰 背骨 背骨1 胸 頭 {}肩 {}上腕 {}前腕 {}手 {}太もも {}すね {}足 {}つま先", "左", "右",
    ),
    "Chinese names": (
        "骨盆 脊椎 脊椎1 胸 头 {}肩 {}上臂 {}前臂 {}手 {}大腿 {}小腿 {}脚 {}脚趾", "左", "右",
    ),
    "Chinese names, sides behind": (
        "骨盆 腰 腹部 胸部 头部 锁骨_{} 大臂_{} 小臂_{} 手掌_{} 大腿_{} 小腿_{} 脚掌_{} 脚尖_{}", "左", "右",
    ),
    "German names": (
        "Hüfte Bauch Rücken Brust Kopf Schlüsselbein.{} Oberarm.{} Unterarm.{} Hand.{} Oberschenkel.{} "
        "Unterschenkel.{} Fuß.{} Zehen.{}", "L", "R",
    ),
    "German names, sides as words": (
        "Becken Bauch Wirbelsäule Brust Kopf {}_Schulter {}_Oberarm {}_Unterarm {}_Hand {}_Oberschenkel "
        "{}_Unterschenkel {}_Fuss {}_Zehen", "links", "rechts",
    ),
    "Spanish names": (
        "Cadera Abdomen Columna Pecho Cabeza Clavícula_{} Brazo_{} Antebrazo_{} Mano_{} Muslo_{} Pantorrilla_{} "
        "Pie_{} Dedos_{}", "izq", "der",
    ),
}  # fmt: skip
PARTS = ("spine", "spine.001", "spine.002", "spine.003", "spine.004", "shoulder", "upper_arm", "forearm", "hand",
         "thigh", "shin", "foot", "toe")  # fmt: skip


def in_other_words(naming: str) -> dict[str, str]:
    """Return the standard adult's bones -> their names in a naming."""
    words, left, right = NAMINGS[naming]
    names: dict[str, str] = {}
    for part, name in zip(PARTS, words.split(), strict=True):
        if "{}" in name:
            names |= {f"{part}.{side}": name.format(word) for side, word in zip(SIDES, (left, right), strict=True)}
        else:
            names[part] = name
    return names


@pytest.mark.parametrize("naming", NAMINGS)
def test_names_in_other_tongues_are_mapped_in_full(naming: str) -> None:
    names = in_other_words(naming)
    found = map_bones(renamed(standard_armature(), lambda name: names.get(name, f"unknown {name}")))
    assert found.convention == naming.partition(", side")[0]
    assert tuple(found.bones) == ROLES
    assert not found.doubts
    for role in ROLES:
        part, _, side = role.partition(".")
        if side:
            assert found.bones[role] == (names[f"{'toe' if part == 'toes' else part}.{side}"],), role
    assert found.bones["pelvis"] == (names["spine"],)
    assert found.bones["abdomen"] == (names["spine.001"], names["spine.002"])
    assert found.bones["chest"] == tuple(names[n] for n in ("spine.003", "shoulder.L", "shoulder.R"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("右足", ("足", "R")), ("左足首", ("足首", "L")), ("足.L", ("足", "L")), ("大腿_右", ("大腿", "R")),
        ("上半身２", ("上半身2", "")), ("\uff54\uff48\uff49\uff47\uff48.L", ("thigh", "L")), ("Hüfte", ("hufte", "")),
        ("Fuß.R", ("fuss", "R")), ("muñeca_izq", ("muneca", "L")), ("linker Oberarm", ("oberarm", "L")),
        ("センター", ("センター", "")), ("がく", ("がく", "")),
    ],
)  # fmt: skip
def test_other_scripts_keep_their_letters(name: str, expected: tuple[str, str]) -> None:
    assert canonical(name) == expected


@pytest.mark.parametrize("name", ["左足ＩＫ", "右つま先ＩＫ", "左足IK親"])
def test_targets_in_letters_of_full_width_are_helpers(name: str) -> None:
    assert is_helper(name)
    assert not is_helper("左足")


def with_bones(rig: Armature, bones: Iterable[tuple[str, str, tuple[float, float, float]]]) -> Armature:
    """Return an armature with further bones: name, parent's name or "", head."""
    made = list(rig.bones)
    for name, parent, head in bones:
        above = next((i for i, bone in enumerate(made) if bone.name == parent), -1)
        made.append(Bone(name, above, np.array(head), np.add(head, (0.0, 0.0, 0.05)), np.eye(3)))
    return replace(rig, bones=tuple(made))


def rehung(rig: Armature, parents: Mapping[str, str]) -> Armature:
    """Return an armature with other parents: bone -> parent."""
    bones = (replace(b, parent=rig.index[parents[b.name]]) if b.name in parents else b for b in rig.bones)
    return replace(rig, bones=tuple(bones))


def mmd() -> Armature:
    """Return a model as MikuMikuDance has them: a centre that carries both halves, IK targets, hair, a skirt."""
    rig = renamed(standard_armature(), in_other_words("MMD"))
    hip = rig.bones[rig.index["下半身"]].head[2]
    more = [("全ての親", "", (0.0, 0.0, 0.0)), ("センター", "全ての親", (0.0, 0.0, 0.8 * hip)),
            ("グルーブ", "センター", (0.0, 0.0, 0.82 * hip))]  # fmt: skip
    for sign, word in ((1.0, "左"), (-1.0, "右")):
        more += [(f"{word}足ＩＫ", "全ての親", (0.1 * sign, 0.0, 0.08)),
                 (f"{word}つま先ＩＫ", f"{word}足ＩＫ", (0.1 * sign, -0.13, 0.0))]  # fmt: skip
        above = "頭"
        for k, digit in enumerate("１２３４５６"):
            more.append((f"{word}髪{digit}", above, (0.12 * sign, 0.1, 1.6 - 0.3 * k)))
            above = more[-1][0]
        above = "下半身"
        for k in range(4):
            more.append((f"{word}スカート{k}", above, (0.2 * sign, 0.0, hip - 0.22 * k)))
            above = more[-1][0]
    return rehung(with_bones(rig, more), {"下半身": "グルーブ", "上半身": "グルーブ"})


def test_an_mmd_model_walks_on_its_legs_and_not_on_its_hair() -> None:
    rig = mmd()
    found = map_bones(rig)
    assert found.convention == "MMD"
    assert found.missing == ()
    assert found.bones["pelvis"] == ("センター", "グルーブ", "下半身")
    for side, word in zip(SIDES, "左右", strict=True):
        legs = [found.bones[f"{part}.{side}"] for part in ("thigh", "shin", "foot", "toes")]
        assert legs == [(f"{word}足",), (f"{word}ひざ",), (f"{word}足首",), (f"{word}つま先",)]
    assert found.confidence > 0.9
    body, plain = character(rig), character(standard_armature())
    assert body.leg_length == pytest.approx(plain.leg_length)


def test_hair_and_skirt_are_no_legs_where_names_do_not_tell_the_others() -> None:
    rig = mmd()
    words = in_other_words("MMD")
    nameless = {name: f"b{k}" for k, name in enumerate(words.values())}
    found = map_bones(renamed(rig, nameless))
    assert found.bones["thigh.L"] == (nameless["左足"],)
    assert found.bones["shin.R"] == (nameless["右ひざ"],)


def test_a_twist_bone_that_carries_the_thigh_is_at_the_hip() -> None:
    """As Auto-Rig Pro exports it: thigh_twist, the upper half, is the parent of thigh_stretch, the lower."""
    names = {"spine": "root.x", "spine.001": "spine_01.x", "spine.002": "spine_02.x", "spine.003": "spine_03.x",
             "spine.004": "head.x"}  # fmt: skip
    for side, mark in zip(SIDES, "lr", strict=True):
        names |= {
            f"{part}.{side}": f"{own}.{mark}" for part, own in (
                ("shoulder", "shoulder"), ("upper_arm", "arm_stretch"), ("forearm", "forearm_stretch"),
                ("hand", "hand"), ("thigh", "thigh_twist"), ("shin", "leg_stretch"), ("foot", "foot"),
                ("toe", "toes_01"),
            )
        }  # fmt: skip
    rig = renamed(standard_armature(), names)
    bones = {bone.name: bone for bone in rig.bones}
    middle = {m: 0.5 * (bones[f"thigh_twist.{m}"].head + bones[f"leg_stretch.{m}"].head) for m in "lr"}
    rig = with_bones(rig, [(f"thigh_stretch.{m}", f"thigh_twist.{m}", tuple(middle[m])) for m in "lr"])
    rig = rehung(rig, {f"leg_stretch.{m}": f"thigh_stretch.{m}" for m in "lr"})
    found = map_bones(rig)
    assert found.convention == "Auto-Rig Pro"
    assert found.bones["thigh.L"] == ("thigh_twist.l", "thigh_stretch.l")
    assert not found.doubts
    plain = standard_armature()
    expected = build_character(plain, map_bones(plain), 70.0)
    assert character(rig).leg_length == pytest.approx(expected.leg_length)


def second_life() -> Armature:
    """Return Second Life's skeleton: bones named m..., and on each a volume that carries nothing."""
    names = {"spine": "mPelvis", "spine.001": "mSpine1", "spine.002": "mTorso", "spine.003": "mChest",
             "spine.004": "mHead"}  # fmt: skip
    volumes = [("PELVIS", "mPelvis"), ("BELLY", "mTorso"), ("CHEST", "mChest"), ("HEAD", "mHead")]
    for side, word in zip(SIDES, ("Left", "Right"), strict=True):
        for part, own, volume in (
            ("shoulder", "Collar", "CLAVICLE"), ("upper_arm", "Shoulder", "UPPER_ARM"),
            ("forearm", "Elbow", "LOWER_ARM"), ("hand", "Wrist", "HAND"), ("thigh", "Hip", "UPPER_LEG"),
            ("shin", "Knee", "LOWER_LEG"), ("foot", "Ankle", "FOOT"), ("toe", "Foot", "TOE"),
        ):  # fmt: skip
            names[f"{part}.{side}"] = f"m{own}{word}"
            volumes.append((f"{side}_{volume}", f"m{own}{word}"))
    rig = renamed(standard_armature(), names)
    heads = {bone.name: bone.head for bone in rig.bones}
    return with_bones(rig, [(name, on, tuple(np.add(heads[on], (0.0, 0.02, -0.05)))) for name, on in volumes])


@pytest.mark.parametrize("toes", [True, False])
def test_volumes_that_hang_on_a_leg_are_not_its_bones(toes: bool) -> None:
    rig = second_life()
    if not toes:  # there are then as many volumes as bones
        rig = renamed(rig, lambda name: f"unknown {name}" if name in ("mFootLeft", "mFootRight", "mSpine1") else name)
    found = map_bones(rig)
    assert found.convention == "Second Life"
    for side, word in zip(SIDES, ("Left", "Right"), strict=True):
        legs = [found.bones[f"{part}.{side}"][0] for part in ("thigh", "shin", "foot", "upper_arm", "hand")]
        assert legs == [f"m{own}{word}" for own in ("Hip", "Knee", "Ankle", "Shoulder", "Wrist")]


PLAIN = {"spine.001": "Waist", "spine.002": "Torso", "spine.003": "Chest", "spine.004": "Head"}


def plain_with(pelvis: str, thigh: str, shin: str) -> dict[str, str]:
    """Return plain names of the standard adult's bones, with others for the pelvis and for the parts of the legs."""
    legs = {f"{part}.{s}": f"{own}.{s}" for part, own in (("thigh", thigh), ("shin", shin)) for s in SIDES}
    return {"spine": pelvis, **PLAIN, **legs}


def test_the_bone_that_carries_both_legs_is_the_pelvis_whatever_its_name() -> None:
    found = map_bones(renamed(standard_armature(), plain_with("Body", "UpperLeg", "LowerLeg")))
    assert found.convention == "plain names"
    assert found.bones["pelvis"] == ("Body",)
    assert found.reasons["pelvis"] == "it carries both legs"
    assert found.reasons["head"] == "plain names"


def test_upper_and_lower_may_stand_behind() -> None:
    found = map_bones(renamed(standard_armature(), plain_with("Hips", "leg_upper", "leg_lower")))
    assert found.convention == "plain names"
    assert found.bones["thigh.L"] == ("leg_upper.L",)
    assert found.reasons["pelvis"] == "plain names"


SIDE_WORDS = {
    "Korean": ("왼쪽 {}", "오른쪽 {}"), "Korean, in one": ("왼쪽{}", "오른쪽{}"),
    "Portuguese": ("{} esquerda", "{} direita"),
    "French": ("{}_gauche", "{}_droite"), "Italian": ("{}_sx", "{}_dx"), "Polish": ("{} lewa", "{} prawa"),
    "Turkish": ("Sol {}", "Sağ {}"), "Russian": ("{} левая", "{} правая"), "Swedish": ("{} vänster", "{} höger"),
    "a tongue that is not known": ("{} vasak", "{} parem"),
}  # fmt: skip


@pytest.mark.parametrize("tongue", SIDE_WORDS)
@pytest.mark.parametrize("beside", [0.0, 0.01])
def test_sides_are_found_whatever_their_words(tongue: str, beside: float) -> None:
    """Clavicles that begin at the breastbone have their sides by what hangs on them."""
    rig = standard_armature()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        rig = moved_bone(rig, f"shoulder.{side}", head=(sign * beside, 0.0, 1.43))
    numbers = {name: f"{chr(0xAE40 + i)}" for i, name in enumerate(PARTS)}  # names that say nothing of the part

    def name(own: str) -> str:
        stem, side = (own[:-2], own[-1]) if own[-1] in SIDES else (own, "")
        stem = numbers.get(stem, stem)
        return SIDE_WORDS[tongue][SIDES.index(side)].format(stem) if side else stem

    found = map_bones(renamed(rig, name))
    assert tuple(found.bones) == ROLES
    assert set(found.bones["chest"][1:]) == {name("shoulder.L"), name("shoulder.R")}
    assert found.bones["head"] == (name("spine.004"),)
    for part in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand"):
        for side in SIDES:
            assert found.bones[f"{part}.{side}"][0] == name(f"{part}.{side}")
    assert found.doubts == ()
    if "not known" not in tongue:
        assert [canonical(name(f"thigh.{side}"))[1] for side in SIDES] == ["L", "R"]


def test_the_names_of_a_game_with_short_forms_behind_them() -> None:
    """Skyrim has them: 3ds Max's names, each with a short form in brackets."""
    parts = {
        "shoulder": "Clavicle", "upper_arm": "UpperArm", "forearm": "Forearm", "hand": "Hand", "thigh": "Thigh",
        "shin": "Calf", "foot": "Foot", "toe": "Toe0",
    }  # fmt: skip
    names = {"spine": "NPC Pelvis [Pelv]", "spine.001": "NPC Spine [Spn0]", "spine.002": "NPC Spine1 [Spn1]",
             "spine.003": "NPC Spine2 [Spn2]", "spine.004": "NPC Head [Head]"}  # fmt: skip
    names |= {f"{own}.{s}": f"NPC {s} {part} [{s}{part[:2]} ]" for own, part in parts.items() for s in SIDES}
    found = map_bones(renamed(standard_armature(), names))
    assert found.convention == "3ds Max Biped / Valve"
    assert tuple(found.bones) == ROLES
    assert found.doubts == ()
