"""The manual: pages that come with the extension, and which of them *Online Manual* opens for what is ours."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import bpy

_PAGES: Final = (
    ("bpy.ops.biped.map_bones*", "rigs.md"),
    ("bpy.ops.biped.*mapping*", "rigs.md"),
    ("bpy.ops.biped.*bone*", "rigs.md"),
    ("bpy.ops.biped.make_style*", "guide/style-from-an-action.md"),
    ("bpy.ops.biped.stabilise*", "guide/style-from-poses.md"),
    ("bpy.ops.biped.*style*", "guide/your-own-styles.md"),
    ("bpy.ops.biped.*fall*", "guide/when-it-falls.md"),
    ("bpy.ops.biped.bake_all*", "guide/companions.md"),
    ("bpy.ops.biped.export_footsteps*", "guide/footsteps.md"),
    ("bpy.ops.biped.copy_walk*", "guide/companions.md"),
    ("bpy.ops.biped.add_example*", "guide/examples.md"),
    ("bpy.ops.biped.bake*", "first-walk.md"),
    ("bpy.ops.biped.*preview*", "guide/preview.md"),
    ("bpy.ops.biped.*gait_marker*", "guide/gaits.md"),
    ("bpy.ops.biped.*path_point*", "guide/points.md"),
    ("bpy.ops.biped.reset_field*", "guide/adjust-a-style.md"),
    ("bpy.ops.biped.add_push*", "guide/pushes-and-falls.md"),
    ("bpy.ops.biped.*target*", "guide/carry.md"),
    ("bpy.ops.biped.take_object*", "guide/carry.md"),
    ("bpy.ops.biped.*_take*", "guide/takes.md"),
    ("bpy.ops.biped.choose_row*", "guide/on-the-way.md"),
    ("bpy.ops.biped.test_python*", "guide/install.md"),
    ("bpy.ops.biped.*", "guide/index.md"),
    ("bpy.types.biped_pg_pickers*", "rigs.md"),
    ("bpy.types.biped_pg_fields_klaw*", "controllers/klaw.md"),
    ("bpy.types.biped_pg_fields_simbicon*", "controllers/simbicon.md"),
    ("bpy.types.biped_pg_fields_planar*", "controllers/simbicon.md"),
    ("bpy.types.biped_pg_fields_limit_cycle*", "controllers/limit-cycle.md"),
    ("bpy.types.biped_pg_fields_generalized*", "controllers/generalized.md"),
    ("bpy.types.biped_pg_fields_natural*", "controllers/natural.md"),
    ("bpy.types.biped_pg_walk.preset*", "styles.md"),
    ("bpy.types.biped_pg_character.spread_turns*", "guide/spine-and-shoulders.md"),
    ("bpy.types.biped_pg_character.shoulders*", "guide/spine-and-shoulders.md"),
    ("bpy.types.biped_pg_path_point*", "guide/points.md"),
    ("bpy.types.biped_pg_target*", "guide/carry.md"),
    ("bpy.types.biped_pg_push*", "guide/pushes-and-falls.md"),
    ("bpy.types.biped_*_on_way*", "guide/on-the-way.md"),
    ("bpy.types.biped_pg_walk.take*", "guide/takes.md"),
    ("bpy.types.biped_pg_walk.decals*", "guide/footsteps.md"),
    ("bpy.types.biped_pg_walk.treadmill*", "guide/footsteps.md"),
    ("bpy.types.biped_pg_footstep*", "guide/footsteps.md"),
    ("bpy.types.biped_pg_scene.variations*", "guide/takes.md"),
    ("bpy.types.biped_pg_scene.others_as*", "guide/takes.md"),
    ("bpy.types.biped_pg_scene*", "guide/obstacles.md"),
    ("bpy.types.biped_ap*", "troubleshooting.md"),
    ("bpy.types.biped_*", "guide/index.md"),
)
"""Patterns of Blender's names, in lower case as it looks them up, with the page; the first that fits counts."""


def folder() -> Path:
    """Return the folder of the pages: inside the installed extension, else beside the package."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "docs"
    return inside if inside.is_dir() else package.parent / "docs"


def pages() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address that all pages begin with, and the patterns with their pages, as Blender calls for them."""
    return f"{folder().as_uri()}/", _PAGES


def start() -> None:
    """Let right-click > Online Manual find the pages."""
    bpy.utils.register_manual_map(pages)


def stop() -> None:
    """Let it find them no more."""
    bpy.utils.unregister_manual_map(pages)
