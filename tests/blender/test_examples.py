"""Add > Biped Example: each scene is ready to bake, leaves what is there, and its jobs arrive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import pytest

from blender_biped.motion.cycle import one_stride
from blender_biped.motion.measures import before_fall
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.examples import EXAMPLES
from tests.blender.scenes import contents, make_curve
from tests.marks import long_but
from tests.walks import enough, seeded

NAMES = [own.name for own in EXAMPLES]


def added(name: str) -> list[Any]:
    """Add an example; return its characters."""
    before = set(bpy.data.objects)
    assert bpy.ops.biped.add_example(example=name) == {"FINISHED"}
    return [own for own in bpy.data.objects if own not in before and own.type == "ARMATURE"]


def jobs(name: str) -> list[Any]:
    return [read_request(bpy.context, own).job for own in added(name)]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_in_a_collection_of_its_own_with_a_note_and_ready(scene: Any, name: str) -> None:
    there = make_curve([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], name="Mine")
    collections, before = set(bpy.data.collections), set(bpy.data.objects)
    characters = added(name)
    (own,) = [found for found in scene.collection.children if found not in collections]
    new = set(bpy.data.objects) - before
    assert new == set(own.all_objects) and there.users_collection[:] == (scene.collection,)
    assert [text.data.body.splitlines()[0] for text in new if text.type == "FONT"] == [
        found.label for found in EXAMPLES if found.name == name
    ]
    (note,) = [text for text in new if text.type == "FONT"]
    assert note.hide_render and len(note.to_mesh().polygons) > 100  # filled letters
    assert bpy.context.active_object == characters[0] and bpy.context.mode == "OBJECT"
    assert bpy.ops.biped.bake_walk.poll() and len(characters) == (2 if name == "MEET" else 1)
    for armature in characters:
        request = read_request(bpy.context, armature)
        assert not request.warnings and request.job.fall_back


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("unit", "place"), [(1.0, (5.0, -3.0, 0.5)), (0.01, (0.0, 0.0, 0.0))])
def test_it_is_the_same_anywhere_and_in_centimetres(scene: Any, name: str, unit: float, place: Any) -> None:
    scene.cursor.location, scene.unit_settings.scale_length = place, unit
    (job, *_) = jobs(name)
    assert job.character.leg_length == pytest.approx(0.87, abs=0.06)
    assert job.ground == pytest.approx(unit * place[2], abs=0.02)
    assert job.path.length == pytest.approx(
        {"S": 12.0, "STAIRS": 9.0, "CRATE": 6.0, "MEET": 3.05, "LOOP": 10.0}[name], abs=0.05
    )
    assert len(job.world.targets) == (2 if name == "CRATE" else 0)


def test_lists_of_the_scene_take_what_is_added_to_them(scene: Any) -> None:
    own = bpy.data.collections.new("My Ground")
    scene.collection.children.link(own)
    scene.biped.ground = own
    added("STAIRS")
    assert scene.biped.ground == own and {thing.name for thing in own.objects} == {f"Step {k}" for k in range(1, 5)}
    assert scene.biped.obstacles.name == "Obstacles"


def test_twice_is_twice(scene: Any) -> None:
    added("S")
    scene.cursor.location = (4.0, 0.0, 0.0)
    before = contents()
    (second,) = added("S")
    assert second.biped.walk.path.name != "Walker Path" and contents() != before


@pytest.mark.parametrize("name", long_but(NAMES, "LOOP"))
def test_its_walks_arrive(scene: Any, name: str) -> None:
    pytest.importorskip("pybullet")
    for job in jobs(name):
        for motion, own in enough(seeded(replace(job, fall_back=False), 3), 2):
            if name == "LOOP":
                assert one_stride(before_fall(motion, own), own, 24.0).frames > 15
            if name == "CRATE":
                assert motion.things[-1, :2] == pytest.approx((0.0, -6.42), abs=0.15)
