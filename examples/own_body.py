# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a body of your own: bones with heads and tails, mapped by their names, become a character that walks.

In Blender the panel does this with an armature. Run it with ``python examples/own_body.py``.
"""

import os
import sys
from pathlib import Path as FilePath

sys.path.insert(0, str(FilePath(__file__).parents[1]))  # the package, from a clone
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: quicker here

import numpy as np

from blender_biped.character.armature import Armature, Bone, bone_matrix
from blender_biped.character.body import build_character
from blender_biped.character.roles import map_bones
from blender_biped.job import Job
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

# Name, parent's number (-1: none), head, tail: m, z up, facing -y, its left at +x. Arms and toes may be missing.
rows = [("Pelvis", -1, (0, 0, 1.0), (0, 0, 1.1)), ("Spine", 0, (0, 0, 1.1), (0, 0, 1.5))]
rows += [("Head", 1, (0, 0, 1.5), (0, 0, 1.8))]
for side, x in (("L", 0.1), ("R", -0.1)):
    thigh = len(rows)
    rows += [(f"Thigh.{side}", 0, (x, 0, 1.0), (x, 0, 0.53)), (f"Shin.{side}", thigh, (x, 0, 0.53), (x, 0, 0.08))]
    rows += [(f"Foot.{side}", thigh + 1, (x, 0, 0.08), (x, -0.19, 0.0))]
across = (1.0, 0.0, 0.0)  # a bone's x axis; what it is does not matter for the walk
bones = [Bone(n, up, np.array(a), np.array(b), bone_matrix(np.array(a), np.array(b), across)) for n, up, a, b in rows]
rig = Armature("my body", tuple(bones), world=np.eye(4))
found = map_bones(rig)
print(f"{len(found.bones)} parts, missing: {', '.join(found.missing) or 'none'}")
body = build_character(rig, found, mass=60.0)  # kg
motion = simulate(Job(body, Path([(0, 0), (2, 0)]), preset("generalized", "default"), speed=0.9))
print(f"legs of {body.leg_length:.2f} m: {motion.outcome} after {motion.duration:.1f} s")
