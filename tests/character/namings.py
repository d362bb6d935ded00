"""How programs name the bones of a person: the standard adult's bones under the names of each convention."""

from __future__ import annotations

from collections.abc import Mapping

from blender_biped.character.model import SIDES

PARTS = {
    "spine": "pelvis", "spine.001": "low", "spine.002": "middle", "spine.003": "upper", "spine.004": "head",
    "shoulder": "clavicle", "upper_arm": "upper_arm", "forearm": "forearm", "hand": "hand",
    "thigh": "thigh", "shin": "shin", "foot": "foot", "toe": "toes",
}  # fmt: skip

NAMINGS: Mapping[str, tuple[str, str, str, str]] = {
    # convention: names in the order of PARTS, {} for the side; the words for left and right; a prefix
    "Mixamo / MotionBuilder / CMU": (
        "Hips Spine Spine1 Spine2 Head {}Shoulder {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot {}ToeBase",
        "Left", "Right", "mixamorig:",
    ),
    "Unreal Engine": (
        "pelvis spine_01 spine_02 spine_03 head clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} "
        "foot_{} ball_{}",
        "l", "r", "",
    ),
    "VRM / Unity humanoid": (
        "C_Hips C_Spine C_Chest C_UpperChest C_Head {}_Shoulder {}_UpperArm {}_LowerArm {}_Hand {}_UpperLeg "
        "{}_LowerLeg {}_Foot {}_ToeBase",
        "L", "R", "J_Bip_",
    ),
    "MakeHuman / MPFB default": (
        "root spine05 spine03 spine01 head clavicle.{} upperarm01.{} lowerarm01.{} wrist.{} upperleg01.{} "
        "lowerleg01.{} foot.{} toe1-1.{}",
        "L", "R", "",
    ),
    "Poser / Daz": (
        "hip abdomenLower abdomenUpper chestLower head {}Collar {}ShldrBend {}ForearmBend {}Hand {}ThighBend "
        "{}Shin {}Foot {}Toe",
        "l", "r", "",
    ),
    "3ds Max Biped / Valve": (
        "Pelvis Spine Spine1 Spine2 Head {}_Clavicle {}_UpperArm {}_Forearm {}_Hand {}_Thigh {}_Calf {}_Foot {}_Toe0",
        "L", "R", "Bip001_",
    ),
    "Character Creator": (
        "Hip Waist Spine01 Spine02 Head {}_Clavicle {}_Upperarm {}_Forearm {}_Hand {}_Thigh {}_Calf {}_Foot {}_ToeBase",
        "L", "R", "CC_Base_",
    ),
    "VRChat": (
        "Hips Spine Chest UpperChest Head {}_shoulder {}_arm {}_elbow {}_wrist {}_leg {}_knee {}_ankle {}_toe",
        "Left", "Right", "",
    ),
    "SMPL": (
        "pelvis spine1 spine2 spine3 head {}_collar {}_shoulder {}_elbow {}_wrist {}_hip {}_knee {}_ankle {}_foot",
        "left", "right", "",
    ),
    "Auto-Rig Pro": (
        "root.x spine_01.x spine_02.x spine_03.x head.x shoulder.{} arm_stretch.{} forearm_stretch.{} hand.{} "
        "thigh_stretch.{} leg_stretch.{} foot.{} toes_01.{}",
        "l", "r", "",
    ),
    "plain names": (
        "Pelvis Abdomen Torso Chest Head Collar.{} UpperArm.{} LowerArm.{} Hand.{} UpperLeg.{} LowerLeg.{} Foot.{} "
        "Toes.{}",
        "L", "R", "",
    ),
}  # fmt: skip


def named(convention: str, bone: str) -> str:
    """Return a convention's name of a bone of the standard adult."""
    words, left, right, prefix = NAMINGS[convention]
    if bone.startswith("heel"):
        return f"unknown {bone}"
    own = dict(zip(PARTS, words.split(" "), strict=True))
    stem, side = (bone[:-2], bone[-1]) if bone[-1] in SIDES else (bone, "")
    return prefix + own[stem].format({"L": left, "R": right}.get(side))
