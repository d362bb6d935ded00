"""Bone names of the usual rigs, as data: for each convention the canonical names of each body part.

A canonical name (see ``naming.canonical``) is without namespace, side, case, separators and leading
zeros: "mixamorig:LeftUpLeg" is "upleg" on side L, "spine_01" is "spine1". Parts in the middle of the
body are ordered from the pelvis up, limb parts from the joint outwards; the first bone that is there
is the one that defines the link, the others move rigidly with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Names = tuple[str, ...]


@dataclass(frozen=True)
class Convention:
    """Canonical bone names of one way to name a rig.

    pelvis, trunk, head: without a side. spreader (between pelvis and thigh, rigid with the pelvis),
    clavicle (rigid with the chest), heel (marks the back of the sole) and the limb parts: one a side.
    numbered_spine: trunk and neck have one name and running numbers, so the arms tell where the neck begins.
    prefix: what all names begin with.
    """

    name: str
    pelvis: Names
    trunk: Names
    head: Names
    thigh: Names
    shin: Names
    foot: Names
    toes: Names
    clavicle: Names
    upper_arm: Names
    forearm: Names
    hand: Names
    spreader: Names = ()
    heel: Names = ("heel2", "heel")
    numbered_spine: bool = False
    prefix: str = ""


_METARIG = Convention(
    "Rigify metarig",
    pelvis=("spine",),
    trunk=("spine1", "spine2", "spine3"),
    head=("spine4", "spine5", "spine6", "spine7", "spine8", "spine9", "neck", "head"),
    thigh=("thigh",), shin=("shin",), foot=("foot",), toes=("toe",),
    clavicle=("shoulder",), upper_arm=("upperarm",), forearm=("forearm",), hand=("hand",),
    numbered_spine=True,
)  # fmt: skip

# Centre, groove and waist carry both halves of the body: what hangs on them must go with them.
_MMD = Convention(
    "MMD",
    pelvis=("センター", "グルーブ", "腰", "下半身"),
    trunk=("上半身", "上半身2", "上半身3"),
    head=("首", "頭"),
    thigh=("足",), shin=("ひざ", "膝"), foot=("足首",), toes=("つま先",),
    clavicle=("肩",), upper_arm=("腕",), forearm=("ひじ", "肘"), hand=("手首",),
    heel=("かかと",),
)  # fmt: skip

_CLOUDRIG = Convention(
    "CloudRig metarig",
    pelvis=("spine",),
    trunk=("ribcage", "chest"),
    head=("neck", "head"),
    thigh=("thigh",), shin=("knee",), foot=("foot",), toes=("toes",),
    clavicle=("shoulder",), upper_arm=("upperarm",), forearm=("forearm",), hand=("wrist",),
    heel=("heelpivot",),
)  # fmt: skip

CONVENTIONS = (
    _METARIG,
    _CLOUDRIG,
    # Each ORG bone of its spine hangs on the control of the one before: the neck's moves with the chest.
    replace(
        _CLOUDRIG, name="CloudRig (generated rig)", prefix="org", trunk=(*_CLOUDRIG.trunk, "neck"), head=("head",)
    ),
    # A generated rig's own skeleton; its deform bones are twisted pieces of it.
    replace(_METARIG, name="Rigify (generated rig)", prefix="org"),
    replace(
        _METARIG, name="Rigify deform bones", prefix="def", thigh=("thigh", "thigh1"), shin=("shin", "shin1"),
        upper_arm=("upperarm", "upperarm1"), forearm=("forearm", "forearm1"),
    ),
    Convention(
        "Mixamo / MotionBuilder / CMU",
        pelvis=("hips",),
        trunk=("lowerback", "spine", "spine1", "spine2", "spine3"),
        head=("neck", "neck1", "head"),
        thigh=("upleg",), shin=("leg",), foot=("foot",), toes=("toebase",),
        clavicle=("shoulder",), upper_arm=("arm",), forearm=("forearm",), hand=("hand",),
        spreader=("hipjoint",),
    ),
    Convention(
        "Unreal Engine",
        pelvis=("pelvis",),
        trunk=("spine1", "spine2", "spine3", "spine4", "spine5"),
        head=("neck1", "neck2", "head"),
        thigh=("thigh",), shin=("calf",), foot=("foot",), toes=("ball",),
        clavicle=("clavicle",), upper_arm=("upperarm",), forearm=("lowerarm",), hand=("hand",),
    ),
    Convention(
        "MakeHuman / MPFB default",
        pelvis=("root",),
        trunk=("spine5", "spine4", "spine3", "spine2", "spine1"),
        head=("neck1", "neck2", "neck3", "head"),
        thigh=("upperleg1", "upperleg2"), shin=("lowerleg1", "lowerleg2"), foot=("foot",),
        toes=("toe1.1", "toe2.1", "toe3.1", "toe4.1", "toe5.1"),
        clavicle=("clavicle", "shoulder1"), upper_arm=("upperarm1", "upperarm2"),
        forearm=("lowerarm1", "lowerarm2"), hand=("wrist",), spreader=("pelvis",),
    ),
    Convention(
        "VRM / Unity humanoid",
        pelvis=("hips",),
        trunk=("spine", "chest", "upperchest"),
        head=("neck", "head"),
        thigh=("upperleg",), shin=("lowerleg",), foot=("foot",), toes=("toes", "toebase"),
        clavicle=("shoulder",), upper_arm=("upperarm",), forearm=("lowerarm",), hand=("hand",),
    ),
    Convention(
        "Poser / Daz",
        pelvis=("hip", "pelvis"),
        trunk=("abdomen", "abdomenlower", "abdomenupper", "chest", "chestlower", "chestupper"),
        head=("neck", "necklower", "neckupper", "head"),
        thigh=("thigh", "thighbend", "thightwist"), shin=("shin",), foot=("foot", "metatarsals"), toes=("toe",),
        clavicle=("collar",), upper_arm=("shldr", "shldrbend", "shldrtwist"),
        forearm=("forearm", "forearmbend", "forearmtwist"), hand=("hand",),
    ),
    Convention(
        "3ds Max Biped / Valve",
        pelvis=("pelvis",),
        trunk=("spine", "spine1", "spine2", "spine3", "spine4"),
        head=("neck", "neck1", "head", "head1"),
        thigh=("thigh",), shin=("calf",), foot=("foot",), toes=("toe0",),
        clavicle=("clavicle",), upper_arm=("upperarm",), forearm=("forearm",), hand=("hand",),
    ),
    Convention(
        "Character Creator",
        pelvis=("hip", "pelvis"),
        trunk=("waist", "spine1", "spine2"),
        head=("necktwist1", "necktwist2", "head"),
        thigh=("thigh",), shin=("calf",), foot=("foot",), toes=("toebase",),
        clavicle=("clavicle",), upper_arm=("upperarm",), forearm=("forearm",), hand=("hand",),
    ),
    Convention(
        "VRChat",
        pelvis=("hips",),
        trunk=("spine", "chest", "upperchest"),
        head=("neck", "head"),
        thigh=("leg",), shin=("knee",), foot=("ankle",), toes=("toe",),
        clavicle=("shoulder",), upper_arm=("arm",), forearm=("elbow",), hand=("wrist",),
    ),
    Convention(
        "SMPL",
        pelvis=("pelvis",),
        trunk=("spine1", "spine2", "spine3"),
        head=("neck", "head"),
        thigh=("hip",), shin=("knee",), foot=("ankle",), toes=("foot",),
        clavicle=("collar",), upper_arm=("shoulder",), forearm=("elbow",), hand=("wrist",),
    ),
    Convention(
        "Auto-Rig Pro",
        pelvis=("rootx",),
        trunk=("spine1x", "spine2x", "spine3x", "spine4x", "spine5x"),
        head=("neckx", "headx"),
        thigh=("thighstretch", "thightwist"), shin=("legstretch", "legtwist"), foot=("foot",), toes=("toes1",),
        clavicle=("shoulder",), upper_arm=("armstretch", "armtwist", "carmtwistoffset"),
        forearm=("forearmstretch", "forearmtwist"), hand=("hand",),
    ),
    Convention(
        "Second Life",  # its other bones, as L_UPPER_LEG, are volumes that hang on these
        prefix="m",
        pelvis=("pelvis",),
        trunk=("spine1", "spine2", "torso", "spine3", "spine4", "chest"),
        head=("neck", "head", "skull"),
        thigh=("hip",), shin=("knee",), foot=("ankle",), toes=("foot", "toe"),
        clavicle=("collar",), upper_arm=("shoulder",), forearm=("elbow",), hand=("wrist",),
    ),
    _MMD,
    replace(
        _MMD, name="MMD, English names",
        pelvis=("center", "groove", "waist", "lowerbody"), trunk=("upperbody", "upperbody2", "upperbody3"),
        head=("neck", "head"), thigh=("leg",), shin=("knee",), foot=("ankle",), toes=("toe",),
        clavicle=("shoulder",), upper_arm=("arm",), forearm=("elbow",), hand=("wrist",),
    ),
    Convention(
        "Japanese names",
        pelvis=("腰", "骨盤"),
        trunk=("腹", "背骨", "背骨1", "背骨2", "脊椎", "脊椎1", "脊椎2", "胴", "胸"),
        head=("首", "頭"),
        thigh=("太もも", "大腿", "もも"), shin=("すね", "脛", "下腿", "ふくらはぎ"), foot=("足首", "足"),
        toes=("つま先", "つまさき", "足先", "爪先"),
        clavicle=("鎖骨", "肩"), upper_arm=("上腕", "二の腕"), forearm=("前腕", "下腕"), hand=("手首", "手"),
    ),
    Convention(
        "Chinese names",
        pelvis=("骨盆", "盆骨", "髋部", "髖部", "臀部", "臀"),
        trunk=("腰", "腰部", "腹", "腹部", "脊椎", "脊椎1", "脊椎2", "脊椎3", "脊柱", "脊柱1", "脊柱2", "脊柱3",
               "胸", "胸部", "上胸"),
        head=("脖子", "颈", "颈部", "頸", "頸部", "头", "头部", "頭", "頭部"),
        thigh=("大腿",), shin=("小腿",), foot=("脚踝", "腳踝", "脚", "腳", "足", "脚掌"),
        toes=("脚趾", "腳趾", "脚尖", "足尖", "脚指"),
        clavicle=("锁骨", "鎖骨", "肩", "肩膀", "肩部"), upper_arm=("上臂", "大臂"),
        forearm=("前臂", "小臂", "下臂"), hand=("手腕", "手", "手掌"),
    ),
    Convention(
        "German names",
        pelvis=("becken", "hufte", "huefte", "huften", "hueften"),
        trunk=("bauch", "taille", "wirbelsaule", "wirbelsaeule", "wirbelsaule1", "wirbelsaule2", "wirbelsaule3",
               "wirbelsaeule1", "wirbelsaeule2", "wirbelsaeule3", "rucken", "ruecken", "brust", "brustkorb"),
        head=("hals", "nacken", "kopf"),
        thigh=("oberschenkel",), shin=("unterschenkel",), foot=("fuss",), toes=("zehen", "zehe", "zeh"),
        clavicle=("schlusselbein", "schluesselbein", "schulter"), upper_arm=("oberarm",), forearm=("unterarm",),
        hand=("hand",), heel=("ferse",),
    ),
    Convention(
        "Spanish names",
        pelvis=("pelvis", "cadera", "caderas"),
        trunk=("cintura", "abdomen", "columna", "columna1", "columna2", "columna3", "espalda", "torso", "torax",
               "pecho"),
        head=("cuello", "cabeza"),
        thigh=("muslo",), shin=("pantorrilla", "espinilla", "pierna"), foot=("pie",),
        toes=("dedospie", "dedos", "puntapie"),
        clavicle=("clavicula", "hombro"), upper_arm=("brazo",), forearm=("antebrazo",), hand=("mano",), heel=("talon",),
    ),
    Convention(
        "plain names",
        pelvis=("hips", "hip", "pelvis"),
        trunk=("abdomen", "waist", "spine", "spine1", "spine2", "spine3", "spine4", "torso", "chest", "upperchest",
               "bodylower", "bodyupper"),
        head=("neck", "neck1", "head"),
        thigh=("thigh", "upperleg", "legupper"), shin=("shin", "calf", "lowerleg", "leglower"), foot=("foot",),
        toes=("toe", "toes", "toe1", "ball"),
        clavicle=("shoulder", "clavicle", "collar"), upper_arm=("upperarm", "armupper"),
        forearm=("forearm", "lowerarm", "armlower"),
        hand=("hand", "palm", "palm1", "palm2", "palm3", "fist"),
    ),
)  # fmt: skip
"""The special ones first: of two that fit equally well the first is taken."""
