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
        description=(
            "The collection whose meshes are walked on: uneven ground, slopes, stairs. Where none lies under "
            "the path there is a flat floor, at the height of the character's soles"
        ),
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
        description=(
            "Simulate all characters that have a path in one world, where they touch and push each other. "
            "Bake Walk then bakes all of them. Nobody makes way, and who falls stays down. KLAW and 2D walks "
            "bump into nobody"
        ),
    )
    show_found: BoolProperty(
        name="Draw in View",
        description=(
            "Draw what the walk meets. Obstacles: green is stepped over, violet ducked under, grey passed, "
            "and red cannot be passed. Props are yellow, targets turquoise, pushes pink arrows, winds light "
            "blue ones"
        ),
        update=lambda _self, _context: redraw(views=True),
    )
    show_body: BoolProperty(
        name="Show Body",
        description="Draw the character's body parts on its rig in the 3D view: left orange, right blue, the hinges of "
        "knees, ankles and elbows yellow, and an arrow on the ground to where it faces",
        update=lambda _self, _context: redraw(views=True),
    )
    variations: IntProperty(
        name="Variations",
        description="How many takes of the walk there are to choose from, with those that are locked",
        default=4,
        min=2,
        max=8,
    )
    others_as_strips: BoolProperty(
        name="Others as Muted Strips",
        description="Keep also bakes the other takes, each as an NLA strip in a muted track of its own",
    )
    edit_prints: BoolProperty(
        name="Edit Footprints",
        description="Show a handle on each footprint of the preview or the baked walk in the 3D view: drag it, and the "
        "next simulation sets the foot down there. Green prints are held, red ones are not, yellow ones are new",
        update=lambda _self, _context: redraw(views=True),
    )
    show_preview: BoolProperty(
        name="Preview",
        description="Simulate the walk while the curve and the settings change, and draw it in the 3D view: the body "
        "at this frame, the footprints, and a mark for each second. Until it is simulated KLAW's steps are drawn",
        update=changed,
    )
