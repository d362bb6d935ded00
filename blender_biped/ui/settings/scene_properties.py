"""What a scene keeps (``Scene.biped``): which character the panel is about, and what is drawn."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import bpy
from bpy.props import BoolProperty, IntProperty, PointerProperty

from ..base.changes import changed
from ..base.status import redraw


class BIPED_PG_scene(bpy.types.PropertyGroup):
    """What the panel and the 3D view show in a scene."""

    armature: PointerProperty(
        name="Armature",
        description="The character that the panel shows while no armature is active",
        type=bpy.types.Object,
        poll=lambda _self, candidate: candidate.type == "ARMATURE",
    )
    end_extended: IntProperty(
        name="Extended End", description="The end frame that the last bake gave the scene, where it moved that back"
    )
    end_before: IntProperty(name="End Before", description="The scene's end frame without that")
    ground: PointerProperty(
        name="Ground",
        description="The collection whose meshes are the ground, seen from above, in place of the flat one at the "
        "height of the character's soles, which stays where they have nothing under the path. It may be uneven, and "
        "have slopes and stairs",
        type=bpy.types.Collection,
        update=changed,
    )
    obstacles: PointerProperty(
        name="Obstacles",
        description="The collection whose objects stand in the way of simulated walks, and do not move. What is to be "
        "walked on belongs to the ground",
        type=bpy.types.Collection,
        update=changed,
    )
    props: PointerProperty(
        name="Props",
        description="The collection whose objects lie about and are pushed by simulated walks: their motion is baked "
        "with the walk. Their Rigid Body settings say mass, friction and shape",
        type=bpy.types.Collection,
        update=changed,
    )
    bump: BoolProperty(
        name="Bump Into Each Other",
        description="Simulate the walks of all characters that have a path in one world, in which their bodies touch "
        "and push each other: Bake Walk, too, then bakes all of them. Nobody makes way, and who falls lies there as a "
        "ragdoll, and is not tried again. Each stands where its walk begins until its own start frame, and all walks "
        "last until the last one is over. Walks by KLAW and in a plane bump into nobody",
    )
    show_found: BoolProperty(
        name="Draw in View",
        description="Draw what the walk meets in the 3D view. Obstacles are boxes: green what it steps over, violet "
        "what it ducks under, red what it cannot pass, grey what it passes. Props are yellow; targets are turquoise, "
        "with the feet where it stands for them. Pushes (pink) and winds (light blue) are arrows, the longer the "
        "harder they are",
        update=lambda _self, _context: redraw(views=True),
    )
    show_body: BoolProperty(
        name="Show Body",
        description="Draw the character's body parts on its rig in the 3D view: left orange, right blue, the hinges of "
        "knees, ankles and elbows yellow, and an arrow on the ground to where it faces",
        update=lambda _self, _context: redraw(views=True),
    )
    show_preview: BoolProperty(
        name="Preview",
        description="Simulate the walk while the curve and the settings change, and draw it in the 3D view: the body "
        "at this frame, the footprints, and a mark for each second. Until it is simulated KLAW's steps are drawn",
        update=changed,
    )
