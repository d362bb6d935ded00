"""How rigs name the bones of a person: Rigify's human under the names of many programs, games and tongues.

Written from what those programs export, not from the tables of the package.
"""

from __future__ import annotations

from collections.abc import Mapping

from blender_biped.character.model import SIDES

MIDDLE = ("spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.006")
"""Rigify's bones of pelvis, three of the trunk, neck and head."""
LIMBS = ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")

VARIANTS: Mapping[str, tuple[str, str, str, str]] = {
    # names of MIDDLE; names of LIMBS, {} for the side; left; right
    "Rigify": (
        "spine spine.001 spine.002 spine.003 spine.004 spine.006",
        "shoulder.{} upper_arm.{} forearm.{} hand.{} thigh.{} shin.{} foot.{} toe.{}", "L", "R",
    ),
    "Rigify, deform bones": (
        "DEF-spine DEF-spine.001 DEF-spine.002 DEF-spine.003 DEF-spine.004 DEF-spine.006",
        "DEF-shoulder.{} DEF-upper_arm.{} DEF-forearm.{} DEF-hand.{} DEF-thigh.{} DEF-shin.{} DEF-foot.{} DEF-toe.{}",
        "L", "R",
    ),
    "Mixamo": (
        "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
        "mixamorig:{}Shoulder mixamorig:{}Arm mixamorig:{}ForeArm mixamorig:{}Hand mixamorig:{}UpLeg mixamorig:{}Leg "
        "mixamorig:{}Foot mixamorig:{}ToeBase", "Left", "Right",
    ),
    "Mixamo, numbered": (
        "mixamorig9:Hips mixamorig9:Spine mixamorig9:Spine1 mixamorig9:Spine2 mixamorig9:Neck mixamorig9:Head",
        "mixamorig9:{}Shoulder mixamorig9:{}Arm mixamorig9:{}ForeArm mixamorig9:{}Hand mixamorig9:{}UpLeg "
        "mixamorig9:{}Leg mixamorig9:{}Foot mixamorig9:{}ToeBase", "Left", "Right",
    ),
    "Ready Player Me": (
        "Hips Spine Spine1 Spine2 Neck Head",
        "{}Shoulder {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot {}ToeBase", "Left", "Right",
    ),
    "HumanIK": (
        "Character1_Hips Character1_Spine Character1_Spine1 Character1_Spine2 Character1_Neck Character1_Head",
        "Character1_{}Shoulder Character1_{}Arm Character1_{}ForeArm Character1_{}Hand Character1_{}UpLeg "
        "Character1_{}Leg Character1_{}Foot Character1_{}ToeBase", "Left", "Right",
    ),
    "Unreal": (
        "pelvis spine_01 spine_02 spine_03 neck_01 head",
        "clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} foot_{} ball_{}", "l", "r",
    ),
    "Unity humanoid": (
        "Hips Spine Chest UpperChest Neck Head",
        "{}Shoulder {}UpperArm {}LowerArm {}Hand {}UpperLeg {}LowerLeg {}Foot {}Toes", "Left", "Right",
    ),
    "VRM 1.0": (
        "hips spine chest upperChest neck head",
        "{}Shoulder {}UpperArm {}LowerArm {}Hand {}UpperLeg {}LowerLeg {}Foot {}Toes", "left", "right",
    ),
    "VRoid": (
        "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head",
        "J_Bip_{}_Shoulder J_Bip_{}_UpperArm J_Bip_{}_LowerArm J_Bip_{}_Hand J_Bip_{}_UpperLeg J_Bip_{}_LowerLeg "
        "J_Bip_{}_Foot J_Bip_{}_ToeBase", "L", "R",
    ),
    "VRChat": (
        "Hips Spine Chest Upper_Chest Neck Head",
        "{}_shoulder {}_arm {}_elbow {}_wrist {}_leg {}_knee {}_ankle {}_toe", "Left", "Right",
    ),
    "3ds Max Biped": (
        "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Spine2 Bip01_Neck Bip01_Head",
        "Bip01_{}_Clavicle Bip01_{}_UpperArm Bip01_{}_Forearm Bip01_{}_Hand Bip01_{}_Thigh Bip01_{}_Calf "
        "Bip01_{}_Foot Bip01_{}_Toe0", "L", "R",
    ),
    "Source": (
        "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine1 ValveBiped.Bip01_Spine2 "
        "ValveBiped.Bip01_Neck1 ValveBiped.Bip01_Head1",
        "ValveBiped.Bip01_{}_Clavicle ValveBiped.Bip01_{}_UpperArm ValveBiped.Bip01_{}_Forearm "
        "ValveBiped.Bip01_{}_Hand ValveBiped.Bip01_{}_Thigh ValveBiped.Bip01_{}_Calf ValveBiped.Bip01_{}_Foot "
        "ValveBiped.Bip01_{}_Toe0", "L", "R",
    ),
    "Character Creator": (
        "CC_Base_Hip CC_Base_Waist CC_Base_Spine01 CC_Base_Spine02 CC_Base_NeckTwist01 CC_Base_Head",
        "CC_Base_{}_Clavicle CC_Base_{}_Upperarm CC_Base_{}_Forearm CC_Base_{}_Hand CC_Base_{}_Thigh CC_Base_{}_Calf "
        "CC_Base_{}_Foot CC_Base_{}_ToeBase", "L", "R",
    ),
    "Daz, Genesis 8": (
        "hip abdomenLower abdomenUpper chestLower neckLower head",
        "{}Collar {}ShldrBend {}ForearmBend {}Hand {}ThighBend {}Shin {}Foot {}Toe", "l", "r",
    ),
    "Daz, Genesis 9": (
        "hip spine1 spine2 spine3 neck1 head",
        "{}_shoulder {}_upperarm {}_forearm {}_hand {}_thigh {}_shin {}_foot {}_toes", "l", "r",
    ),
    "MakeHuman": (
        "root spine05 spine03 spine01 neck01 head",
        "clavicle.{} upperarm01.{} lowerarm01.{} wrist.{} upperleg01.{} lowerleg01.{} foot.{} toe1-1.{}", "L", "R",
    ),
    "SMPL": (
        "pelvis spine1 spine2 spine3 neck head",
        "{}_collar {}_shoulder {}_elbow {}_wrist {}_hip {}_knee {}_ankle {}_foot", "left", "right",
    ),
    "Auto-Rig Pro": (
        "root.x spine_01.x spine_02.x spine_03.x neck.x head.x",
        "shoulder.{} arm_stretch.{} forearm_stretch.{} hand.{} thigh_stretch.{} leg_stretch.{} foot.{} toes_01.{}",
        "l", "r",
    ),
    "Second Life": (
        "mPelvis mSpine1 mTorso mChest mNeck mHead",
        "mCollar{} mShoulder{} mElbow{} mWrist{} mHip{} mKnee{} mAnkle{} mFoot{}", "Left", "Right",
    ),
    "Roblox": (
        "LowerTorso Waist MiddleTorso UpperTorso Neck Head",
        "{}Collar {}UpperArm {}LowerArm {}Hand {}UpperLeg {}LowerLeg {}Foot {}Toes", "Left", "Right",
    ),
    "Quaternius": (
        "Hips Abdomen Torso Chest Neck Head",
        "Shoulder.{} UpperArm.{} LowerArm.{} Palm.{} UpperLeg.{} LowerLeg.{} Foot.{} Toes.{}", "L", "R",
    ),
    "KayKit": (
        "hips waist spine chest neck head",
        "shoulder.{} upperarm.{} lowerarm.{} hand.{} upperleg.{} lowerleg.{} foot.{} toes.{}", "l", "r",
    ),
    "words, sides in front": (
        "Pelvis Lower_Spine Middle_Spine Upper_Spine Neck Head",
        "{}_Clavicle {}_Upper_Arm {}_Lower_Arm {}_Hand {}_Upper_Leg {}_Lower_Leg {}_Foot {}_Toe", "L", "R",
    ),
    "capitals, sides behind": (
        "PELVIS SPINE_01 SPINE_02 CHEST NECK HEAD",
        "CLAVICLE_{} UPPERARM_{} FOREARM_{} HAND_{} THIGH_{} SHIN_{} FOOT_{} TOE_{}", "LEFT", "RIGHT",
    ),
    "legs by their parts, behind": (
        "hips spine_lower spine_mid spine_upper neck head",
        "collar.{} arm_upper.{} arm_lower.{} hand.{} leg_upper.{} leg_lower.{} foot.{} toe.{}", "L", "R",
    ),
    "MMD": (
        "下半身 上半身 上半身2 上半身3 首 頭",
        "{}肩 {}腕 {}ひじ {}手首 {}足 {}ひざ {}足首 {}つま先", "左", "右",
    ),
    "MMD, as Blender mirrors it": (
        "下半身 上半身 上半身２ 上半身３ 首 頭",
        "肩.{} 腕.{} ひじ.{} 手首.{} 足.{} ひざ.{} 足首.{} つま先.{}", "L", "R",
    ),
    "MMD, in English": (
        "LowerBody UpperBody UpperBody2 UpperBody3 Neck Head",
        "Shoulder_{} Arm_{} Elbow_{} Wrist_{} Leg_{} Knee_{} Ankle_{} Toe_{}", "L", "R",
    ),
    "Japanese": (
        "腰 背骨 背骨1 胸 首 頭",
        "{}肩 {}上腕 {}前腕 {}手 {}太もも {}すね {}足 {}つま先", "左", "右",
    ),
    "Chinese": (
        "骨盆 脊椎 脊椎1 胸 颈 头",
        "{}锁骨 {}上臂 {}前臂 {}手 {}大腿 {}小腿 {}脚 {}脚趾", "左", "右",
    ),
    "Chinese, sides behind": (
        "臀部 腹部 脊柱1 胸部 脖子 头部",
        "肩膀_{} 大臂_{} 小臂_{} 手掌_{} 大腿_{} 小腿_{} 脚掌_{} 脚尖_{}", "左", "右",
    ),
    "Chinese, traditional": (
        "骨盆 腰部 脊椎 胸部 頸部 頭部",
        "{}鎖骨 {}上臂 {}前臂 {}手腕 {}大腿 {}小腿 {}腳踝 {}腳趾", "左", "右",
    ),
    "German": (
        "Becken Bauch Wirbelsäule Brust Hals Kopf",
        "{}_Schulter {}_Oberarm {}_Unterarm {}_Hand {}_Oberschenkel {}_Unterschenkel {}_Fuß {}_Zehen",
        "links", "rechts",
    ),
    "Spanish": (
        "Pelvis Abdomen Columna Pecho Cuello Cabeza",
        "Clavícula_{} Brazo_{} Antebrazo_{} Mano_{} Muslo_{} Pantorrilla_{} Pie_{} Dedos_{}", "izq", "der",
    ),
}  # fmt: skip


def names_of(variant: str) -> dict[str, str]:
    """Return the names that Rigify's bones have in a variant; bones of face, fingers and heels are not among them."""
    middle, limbs, *words = VARIANTS[variant]
    names = dict(zip(MIDDLE, middle.split(), strict=True))
    for part, name in zip(LIMBS, limbs.split(), strict=True):
        names |= {f"{part}.{side}": name.format(word) for side, word in zip(SIDES, words, strict=True)}
    return names
