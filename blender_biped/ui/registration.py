"""What the extension adds to Blender, all of it."""

from __future__ import annotations

import atexit
from typing import Any, Final

import bpy

from . import manual
from .base import changes, language
from .base.status import forget_message, status
from .job import estimate, own_speed, pictures
from .panels import (
    bake_operators,
    bake_panels,
    capture_operators,
    character_operators,
    character_panels,
    copy_operators,
    example_operators,
    fall_operators,
    farm_command,
    farm_operators,
    fields_panel,
    footsteps_panel,
    gait_operators,
    mapping_operators,
    on_way_operators,
    on_way_panel,
    path_operators,
    path_points_operators,
    preferences_panel,
    preview_operators,
    print_operators,
    scene_operators,
    scene_panel,
    status_bar,
    style_list_panel,
    style_operators,
    style_panel,
    takes_operators,
    takes_panel,
    try_operators,
    walk_panels,
)
from .settings import (
    edited_prints,
    fields,
    kept_override,
    kept_result,
    menus,
    mix_shown,
    older_files,
    path_points,
    picking,
    properties,
    push_properties,
    scene_properties,
    target_properties,
    thumbnails,
    walk_properties,
    window_properties,
)
from .view import found_overlay, overlay, path_handles, preview, print_handles, takes_view, walk_shown

CLASSES: Final[tuple[Any, ...]] = (
    properties.BIPED_PG_bone,
    properties.BIPED_PG_part,
    properties.BIPED_PG_doubt,
    picking.BIPED_PG_pickers,
    path_points.BIPED_PG_path_point,
    edited_prints.BIPED_PG_edited_print,
    walk_properties.BIPED_PG_walk,
    push_properties.BIPED_PG_push,
    target_properties.BIPED_PG_target,
    properties.BIPED_PG_character,
    scene_properties.BIPED_PG_scene,
    window_properties.BIPED_PG_window,
    kept_result.BIPED_PG_stride,
    kept_result.BIPED_PG_footstep,
    kept_result.BIPED_PG_result,
    preferences_panel.BIPED_OT_test_python,
    preferences_panel.BIPED_AP_preferences,
    mapping_operators.BIPED_OT_map_bones,
    mapping_operators.BIPED_OT_assign_active_bone,
    mapping_operators.BIPED_OT_clear_bones,
    mapping_operators.BIPED_OT_save_mapping,
    mapping_operators.BIPED_OT_load_mapping,
    bake_operators.BIPED_OT_bake_walk,
    bake_operators.BIPED_OT_bake_all,
    bake_operators.BIPED_OT_cancel,
    character_operators.BIPED_OT_show_character,
    bake_operators.BIPED_OT_go_to_fall,
    preview_operators.BIPED_OT_accept_preview,
    preview_operators.BIPED_OT_discard_preview,
    fall_operators.BIPED_OT_try_calmer,
    fall_operators.BIPED_OT_use_klaw,
    fall_operators.BIPED_OT_bake_as_set,
    fall_operators.BIPED_OT_trim_fall,
    fall_operators.BIPED_OT_keep_fall,
    try_operators.BIPED_OT_try_strides,
    farm_operators.BIPED_OT_export_jobs,
    farm_operators.BIPED_OT_import_motions,
    farm_operators.BIPED_MT_farm,
    takes_operators.BIPED_OT_make_takes,
    takes_operators.BIPED_OT_show_take,
    takes_operators.BIPED_OT_lock_take,
    takes_operators.BIPED_OT_keep_take,
    gait_operators.BIPED_OT_add_gait_marker,
    gait_operators.BIPED_OT_remove_gait_marker,
    path_operators.BIPED_OT_use_path,
    path_operators.BIPED_OT_bring_together,
    copy_operators.BIPED_OT_copy_walk,
    example_operators.BIPED_OT_add_example,
    example_operators.BIPED_MT_examples,
    path_operators.BIPED_OT_add_path,
    path_points_operators.BIPED_OT_add_path_point,
    path_points_operators.BIPED_OT_remove_path_point,
    path_points_operators.BIPED_OT_move_path_point,
    print_operators.BIPED_OT_reset_prints,
    scene_operators.BIPED_OT_add_push,
    scene_operators.BIPED_OT_add_target,
    scene_operators.BIPED_OT_list_mesh,
    scene_operators.BIPED_OT_list_selected,
    scene_operators.BIPED_OT_list_visible,
    on_way_operators.BIPED_OT_choose_row,
    on_way_operators.BIPED_OT_take_object,
    on_way_operators.BIPED_OT_give_mass,
    on_way_operators.BIPED_OT_remove_target,
    fields_panel.BIPED_OT_reset_field,
    fields_panel.BIPED_OT_reset_fields,
    capture_operators.BIPED_OT_make_style,
    capture_operators.BIPED_OT_stabilise,
    style_operators.BIPED_OT_save_style,
    style_operators.BIPED_OT_save_style_as,
    style_operators.BIPED_OT_delete_style,
    style_operators.BIPED_OT_import_style,
    style_operators.BIPED_OT_export_style,
    style_operators.BIPED_MT_style,
    style_list_panel.BIPED_OT_show_styles,
    style_list_panel.BIPED_OT_choose_style,
    style_list_panel.BIPED_OT_favourite_style,
    style_list_panel.BIPED_PT_style_list,
    walk_panels.BIPED_PT_walk,
    style_panel.BIPED_PT_style,
    fields_panel.BIPED_PT_fields,
    walk_panels.BIPED_PT_path,
    takes_panel.BIPED_PT_takes,
    on_way_panel.BIPED_MT_on_way,
    on_way_panel.BIPED_PT_on_way,
    scene_panel.BIPED_MT_scene_add,
    scene_panel.BIPED_PT_scene,
    bake_panels.BIPED_PT_bake,
    bake_panels.BIPED_PT_result,
    character_panels.BIPED_PT_character,
    character_panels.BIPED_PT_parts,
    character_panels.BIPED_PT_controls,
    character_panels.BIPED_PT_body,
    footsteps_panel.BIPED_OT_export_footsteps,
    footsteps_panel.BIPED_PT_footsteps,
)

MENUS: Final[tuple[tuple[str, Any], ...]] = (
    ("VIEW3D_MT_add", example_operators.draw_examples),
    ("VIEW3D_MT_curve_add", path_operators.draw_add_path),
    ("VIEW3D_MT_object_animation", path_operators.draw_bake),
    ("VIEW3D_MT_object_animation", farm_operators.draw_farm),
    ("VIEW3D_MT_make_links", copy_operators.draw_copy),
)
"""Blender's own menus, and what draws what is added to them: what stands in a menu is found by its search, too."""

GIZMOS: Final[tuple[Any, ...]] = (
    path_handles.BIPED_GT_path_points,
    path_handles.BIPED_GGT_path_points,
    print_handles.BIPED_GT_prints,
    print_handles.BIPED_GGT_prints,
)

_groups: dict[str, type[Any]] = {}
"""The sliders of each controller that was known when all this was registered, by the property that has them."""


def register() -> None:
    """Add the classes, and ``biped`` to objects, scenes and actions, and start what goes on beside them.

    They are removed at exit at the latest: Blender 4.5 as a Python module hangs there when a property's
    callback is left.
    """
    atexit.register(unregister)
    menus.forget()
    window_properties.forget()
    _groups.update(fields.slider_groups())
    for name, group in _groups.items():
        bpy.utils.register_class(group)
        walk_properties.BIPED_PG_walk.__annotations__[name] = bpy.props.PointerProperty(
            type=group, name="Fields", description=group.__doc__, override={"LIBRARY_OVERRIDABLE"}
        )
    for cls in (*CLASSES, *GIZMOS):
        bpy.utils.register_class(cls)
    bpy.types.Object.biped = bpy.props.PointerProperty(
        type=properties.BIPED_PG_character, name="Biped", override={"LIBRARY_OVERRIDABLE"}
    )
    setattr(
        bpy.types.Object,
        kept_override.TEXT,
        bpy.props.StringProperty(options={"HIDDEN"}, override={"LIBRARY_OVERRIDABLE"}),
    )
    bpy.types.Scene.biped = bpy.props.PointerProperty(type=scene_properties.BIPED_PG_scene, name="Biped")
    bpy.types.WindowManager.biped = bpy.props.PointerProperty(type=window_properties.BIPED_PG_window, name="Biped")
    bpy.types.Action.biped = bpy.props.PointerProperty(type=kept_result.BIPED_PG_result, name="Biped")
    start()


def unregister() -> None:
    """Remove everything again; a walk that is being computed ends."""
    atexit.unregister(unregister)
    stop()
    del bpy.types.Action.biped
    del bpy.types.WindowManager.biped
    del bpy.types.Scene.biped
    delattr(bpy.types.Object, kept_override.TEXT)
    del bpy.types.Object.biped
    for cls in reversed((*CLASSES, *GIZMOS)):
        bpy.utils.unregister_class(cls)
    while _groups:
        name, group = _groups.popitem()
        del walk_properties.BIPED_PG_walk.__annotations__[name]
        bpy.utils.unregister_class(group)


def start() -> None:
    """Start what goes on beside the classes: handlers, timers, what is drawn, and items of Blender's own menus."""
    bpy.app.handlers.load_post.append(menus.look_again)
    bpy.app.handlers.save_pre.append(kept_override.keep)
    bpy.app.handlers.load_post.append(kept_override.give_back)
    bpy.app.handlers.load_post.append(older_files.brought_up_to_date)
    for handlers in _forgetting():
        handlers.append(forget_message)
    changes.listen(status.doubt)
    status_bar.start()
    farm_command.start()
    for menu, items in MENUS:
        getattr(bpy.types, menu).append(items)
    own_speed.start()
    manual.start()
    language.start((*CLASSES, *_groups.values()))
    overlay.start()
    found_overlay.start()
    path_handles.start()
    print_handles.start()
    preview.start()
    walk_shown.start()
    takes_view.start()


def stop() -> None:
    """Stop what ``start`` started, and forget what was found meanwhile."""
    takes_view.stop()
    walk_shown.stop()
    preview.stop()
    preferences_panel.trial.forget()
    print_handles.stop()
    path_handles.stop()
    found_overlay.stop()
    overlay.stop()
    pictures.stop()
    estimate.stop()
    mix_shown.stop()
    thumbnails.free()
    bpy.app.handlers.load_post.remove(menus.look_again)
    farm_command.stop()
    status_bar.stop()
    changes.listen_no_more(status.doubt)
    own_speed.stop()
    for menu, items in MENUS:
        getattr(bpy.types, menu).remove(items)
    for handlers in _forgetting():
        handlers.remove(forget_message)
    manual.stop()
    language.stop((*CLASSES, *_groups.values()))
    bpy.app.handlers.load_post.remove(older_files.brought_up_to_date)
    bpy.app.handlers.load_post.remove(kept_override.give_back)
    bpy.app.handlers.save_pre.remove(kept_override.keep)
    status.end("", "INFO")


def _forgetting() -> tuple[list[Any], ...]:
    """Return Blender's handlers after which messages are about something that is no longer so."""
    return bpy.app.handlers.undo_post, bpy.app.handlers.redo_post, bpy.app.handlers.load_post
