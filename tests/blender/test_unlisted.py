"""Meshes across the path that are in no collection of the Scene panel: found, sorted, and added by a button."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_biped.ui.job import unlisted
from blender_biped.ui.job.outlook import outlook
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.walk_panels import BIPED_PT_walk
from blender_biped.ui.view import walk_shown
from tests.blender.drawn import shown
from tests.blender.scenes import contents, make_curve, make_rig


@pytest.fixture
def hero(scene: Any) -> Any:
    """A character that walks 8 m along X."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (8.0, 0.0, 0.0)])
    bpy.context.view_layer.update()
    return rig


def box(name: str, size: tuple[float, float, float], place: tuple[float, float, float]) -> Any:
    """Add a box by its size and the middle of its underside, m."""
    hero = bpy.context.view_layer.objects.active
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(place[0], place[1], place[2] + 0.5 * size[2]))
    made = bpy.context.object
    made.name, made.scale = name, size
    bpy.context.view_layer.objects.active = hero
    bpy.context.view_layer.update()
    return made


def across(hero: Any) -> list[tuple[str, float, str]]:
    return [(one.name, round(one.place, 1), one.sort) for one in outlook(bpy.context, hero).across]


def test_what_is_across_is_found_with_its_place_and_what_it_is(hero: Any) -> None:
    box("Bar", (0.08, 1.2, 0.3), (2.0, 0.0, 0.0))
    box("Beam", (0.1, 1.5, 0.1), (3.0, 0.0, 1.4))
    box("Step", (1.0, 2.0, 0.15), (5.0, 0.0, 0.0))
    box("Wall", (0.2, 3.0, 2.6), (7.0, 0.0, 0.0))
    assert across(hero) == [
        ("Bar", 2.0, "obstacles"), ("Beam", 3.0, "obstacles"), ("Step", 4.5, "ground"), ("Wall", 6.9, "obstacles"),
    ]  # fmt: skip


def test_what_is_beside_above_below_or_of_a_character_is_not(hero: Any) -> None:
    box("Beside", (1.0, 1.0, 1.0), (2.0, 1.5, 0.0))
    box("Ceiling", (20.0, 20.0, 0.2), (2.0, 0.0, 2.6))
    box("Floor", (20.0, 20.0, 0.2), (2.0, 0.0, -0.2))
    box("Hidden", (0.1, 1.0, 0.3), (3.0, 0.0, 0.0)).hide_set(True)
    box("Guide", (0.1, 1.0, 0.3), (3.0, 0.0, 0.0)).display_type = "WIRE"
    box("Hat", (0.1, 1.0, 0.3), (3.0, 0.0, 0.0)).parent = hero
    box("Skin", (0.5, 0.5, 1.7), (0.2, 0.0, 0.0)).modifiers.new("Rig", "ARMATURE").object = hero
    box("Taken", (0.3, 0.3, 0.3), (4.0, 0.0, 0.0)).biped.target.active = True
    bpy.context.view_layer.update()
    assert across(hero) == []


def test_the_button_adds_it_and_makes_the_collection(hero: Any, scene: Any) -> None:
    bar = box("Bar", (0.08, 1.2, 0.3), (4.0, 0.0, 0.0))
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    assert bpy.ops.biped.list_mesh(object_name="Bar", sort="obstacles") == {"FINISHED"}
    assert scene.biped.obstacles.name == "Obstacles" and len(bar.users_collection) == 2
    assert across(hero) == [] and [thing.name for thing in read_request(bpy.context, hero).job.world.things] == ["Bar"]
    bpy.ops.ed.undo_push(message="Add")
    bpy.ops.ed.undo()
    assert contents() == before
    with pytest.raises(RuntimeError, match="no object 'Gone'"):
        bpy.ops.biped.list_mesh(object_name="Gone", sort="obstacles")


def test_everything_visible_is_sorted(hero: Any, scene: Any) -> None:
    for k in range(3):
        box(f"Step {k}", (5.0 - 0.3 * k, 2.0, 0.15 * (k + 1)), (5.5 + 0.15 * k, 0.0, 0.0))
    box("Bar", (0.08, 1.2, 0.3), (1.9, 0.0, 0.0))
    box("Cupboard", (0.5, 0.5, 1.8), (4.0, 1.6, 0.0))
    box("Roof", (20.0, 20.0, 0.2), (4.0, 0.0, 3.0))
    assert bpy.ops.biped.list_visible() == {"FINISHED"}
    kept = scene.biped
    assert sorted(thing.name for thing in kept.ground.objects) == ["Step 0", "Step 1", "Step 2"]
    assert sorted(thing.name for thing in kept.obstacles.objects) == ["Bar", "Cupboard"]


def test_klaw_meets_ground_alone(hero: Any) -> None:
    box("Bar", (0.08, 1.2, 0.3), (2.0, 0.0, 0.0))
    box("Step", (1.0, 2.0, 0.15), (5.0, 0.0, 0.0))
    hero.biped.walk.controller = "klaw"
    assert [name for name, _, _ in across(hero)] == ["Step"]


def test_the_panel_names_them_above_the_button(hero: Any) -> None:
    box("Bar", (0.08, 1.2, 0.3), (2.0, 0.0, 0.0))
    assert "[Add to the Scene Panel]" not in shown(BIPED_PT_walk)
    walk_shown.foreseen.read_now(bpy.context)
    said = shown(BIPED_PT_walk)
    assert said.index("[Add to the Scene Panel]") < said.index("[Bake Walk]") and "[Everything Visible]" not in said
    assert any(text.startswith("8 m, about") for text in said)


def test_meshes_of_many_vertices_are_not_looked_at_while_the_panel_is_drawn(hero: Any, monkeypatch: Any) -> None:
    box("Bar", (0.08, 1.2, 0.3), (2.0, 0.0, 0.0))
    box("Other", (0.08, 1.2, 0.3), (4.0, 0.0, 0.0))
    monkeypatch.setattr(unlisted, "MOST_VERTICES", 12)  # of a box: 8
    assert [name for name, _, _ in across(hero)] == ["Bar"]


def test_where_another_style_stands_in_is_said_above_the_bake(hero: Any) -> None:
    hero.biped.walk.controller, hero.biped.walk.preset = "natural", "backward"
    box("Bar", (0.08, 1.2, 0.2), (4.0, 0.0, 0.0))
    assert not outlook(bpy.context, hero).stands
    assert bpy.ops.biped.list_mesh(object_name="Bar", sort="obstacles") == {"FINISHED"}
    bpy.context.view_layer.update()
    said = outlook(bpy.context, hero).stands
    assert len(said) == 1 and said[0].startswith("Backward does not go ahead: Natural stands in from ")
    walk_shown.foreseen.read_now(bpy.context)
    assert any("stands in from" in text for text in shown(BIPED_PT_walk))
    assert read_request(bpy.context).job.preset.name == "backward"
