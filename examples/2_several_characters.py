# SPDX-License-Identifier: GPL-3.0-or-later
"""Several characters: each with a controller, a style, a speed and a path of its own, baked at the same time.

blender --background --python examples/2_several_characters.py
"""

import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parents[1]))  # the package, from a clone

import blender_biped
from blender_biped.ui import api

STYLES = [("generalized", "default", 1.0), ("simbicon", "walk", 1.0), ("klaw", "stroll", 0.8)]

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
blender_biped.register()

for i, (controller, preset, speed) in enumerate(STYLES):
    bpy.ops.object.armature_human_metarig_add()
    human = bpy.context.object
    human.location.x = 2.0 * i
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    data.splines.new("POLY").points.add(1)
    data.splines[0].points[1].co = (0, -3, 0, 1)
    way = bpy.data.objects.new("Way", data)
    way.location.x = 2.0 * i
    bpy.context.scene.collection.objects.link(way)
    api.map_bones(human)
    api.set_path(human, way)
    api.set_style(human, controller, preset)
    human.biped.walk.speed_mps = speed

for name, action in api.bake_all().items():
    print(f"{name}: {action.name}, {action.biped.outcome} after {action.biped.duration:.1f} s")
