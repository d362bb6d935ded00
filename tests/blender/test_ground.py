"""Ground of a scene that is not flat: read, refused where nobody could walk, walked on, and the walk baked on it."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.registry import kind_of
from blender_biped.ui.bake.result import result_of
from blender_biped.ui.base import solids
from blender_biped.ui.job import ground
from blender_biped.ui.job.found import found_lines
from blender_biped.ui.job.ground import near_any
from blender_biped.ui.job.request import read_request
from blender_biped.world import terrain
from tests.blender.scenes import contents, make_curve, make_rig


@pytest.fixture
def hero(scene: Any) -> Any:
    """A character that walks 4 m along -Y, without other tries, on a collection that is the ground."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -4.0, 0.0)])
    rig.biped.walk.fall_back = False
    scene.biped.ground = bpy.data.collections.new("Ground")
    scene.collection.children.link(scene.biped.ground)
    bpy.context.view_layer.objects.active = rig
    return rig


def add_mesh(name: str, points: Any, faces: Any) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(point) for point in points], [], [tuple(face) for face in faces])
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.biped.ground.objects.link(made)
    bpy.context.view_layer.update()
    return made


def add_floor(height: Any, cuts: int = 60, size: float = 12.0) -> Any:
    """Return a square grid about the origin with heights of (x, y)."""
    axis = np.linspace(-0.5 * size, 0.5 * size, cuts + 1)
    points = [(x, y, height(x, y)) for y in axis for x in axis]
    row = cuts + 1
    firsts = [k * row + i for k in range(cuts) for i in range(cuts)]
    faces = [(a, a + 1, a + row + 1, a + row) for a in firsts]
    return add_mesh("Floor", points, faces)


def ramp(degrees: float) -> Any:
    """Return heights that rise along the path from its second metre on."""
    return lambda _x, y: math.tan(math.radians(degrees)) * max(-y - 1.0, 0.0)


def test_modifiers_place_and_flipped_faces_count(hero: Any) -> None:
    floor = add_mesh("Floor", [(-5, -9, 0), (5, -9, 0), (5, 9, 0), (-5, 9, 0)], [(3, 2, 1, 0)])
    floor.location.z, floor.rotation_euler.y = 0.2, 0.02
    floor.modifiers.new("Thick", "SOLIDIFY").thickness = 0.1  # to below its face's front: above
    bpy.context.view_layer.update()
    ground = read_request(bpy.context, hero).job.world.ground
    assert ground is not None
    assert ground.height(0.5, -2.0) == pytest.approx(0.3 - 0.5 * math.tan(0.02), abs=2e-3)
    assert [line.text for line in found_lines(bpy.context, hero)] == ["Ground of 1 mesh"]


def test_natural_walking_takes_slopes_itself(hero: Any) -> None:
    add_floor(ramp(5.0))
    request = read_request(bpy.context, hero)
    assert hero.biped.walk.controller == "natural" and request.job.preset.controller == "natural"
    assert not any("ground of the scene" in note for note in request.notes)


def test_who_cannot_walk_on_the_ground_leaves_it_to_who_can(hero: Any) -> None:
    edge = -0.7  # nearer to the start than natural walking comes up to a step
    for first, last, z in ((9.0, edge, 0.0), (edge, -9.0, 0.05)):
        add_mesh("Floor", [(-2, first, z), (2, first, z), (2, last, z), (-2, last, z)], [(0, 1, 2, 3)])
    request = read_request(bpy.context, hero)
    assert hero.biped.walk.controller == "natural" and request.job.preset.controller == "generalized"
    note = "Natural Walking cannot walk on the ground of the scene: Generalized Walking walks on it."
    assert note in request.notes
    bpy.context.scene.biped.ground = None
    flat = read_request(bpy.context, hero)
    assert flat.job.preset.controller == "natural" and not any("ground of the scene" in note for note in flat.notes)


@pytest.mark.parametrize(
    ("height", "message"),
    [
        (ramp(25.0), "slopes 25 degrees up"),
        (ramp(-25.0), "slopes 25 degrees down"),
        (lambda x, _y: 0.5 * x, "slopes 26.6 degrees across"),
        (lambda _x, y: 0.3 if y < -2.05 else 0.0, "degrees up|steps of 0.3 m up"),
    ],
)
def test_what_nobody_can_walk_on_is_refused_with_the_place(hero: Any, height: Any, message: str) -> None:
    add_floor(height)
    before = contents()
    with pytest.raises(DataError, match=message + r".* m along the path|" + message):
        read_request(bpy.context, hero)
    with pytest.raises(RuntimeError, match="Natural Walking"):
        bpy.ops.biped.bake_walk()
    assert contents() == before


def add_stairs(rise: float) -> Any:
    """Add seven steps along the path, 0.3 m deep, from 1.3 m on."""
    points: list[tuple[float, float, float]] = []
    faces = []
    for k in range(8):
        y0, y1, z = (9.0 if k == 0 else -1.0 - 0.3 * k), (-9.0 if k == 7 else -1.3 - 0.3 * k), rise * k
        first = len(points)
        points += [(-2, y0, z), (2, y0, z), (2, y1, z), (-2, y1, z)]
        faces.append((first, first + 1, first + 2, first + 3))
    return add_mesh("Stairs", points, faces)


def test_natural_walking_climbs_stairs_and_what_is_too_high_is_refused(hero: Any) -> None:
    stairs = add_stairs(0.15)
    request = read_request(bpy.context, hero)
    assert request.job.preset.controller == "natural" and not any("stairs" in note for note in request.notes)
    stairs.scale.z = 1.8
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=r"an edge of 0\.27 m up, 1\.3 m along the path; Natural Walking steps"):
        read_request(bpy.context, hero)
    stairs.scale.z = 1.0
    hero.biped.walk.controller_name, hero.biped.walk.preset_name = "generalized", "default"
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=r"steps of 0\.\d+ m up within 1\.0 m"):
        read_request(bpy.context, hero)


def test_a_hole_has_a_floor_at_the_height_of_the_soles(hero: Any) -> None:
    floor = add_floor(lambda _x, _y: 0.0, 12)
    polygons = [tuple(p.vertices) for p in floor.data.polygons if not (p.center.x > 0.0 > p.center.x - 1.0 and
                -3.0 < p.center.y < -2.0)]  # fmt: skip
    points = [tuple(v.co) for v in floor.data.vertices]
    floor.data.clear_geometry()
    floor.data.from_pydata(points, [], polygons)
    bpy.context.view_layer.update()
    request = read_request(bpy.context, hero)
    assert request.job.world.ground is not None and request.job.floor.height(0.1, -2.5) == pytest.approx(0.0)
    assert "Where the ground 'Ground' has no mesh, there is a flat floor at the height of the soles." in request.notes
    floor.location.z = 0.4  # the floor is now too deep below it
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match=r"0\.4 m up within 1\.0 m, 2\.0 m along the path"):
        read_request(bpy.context, hero)


def test_stairs_alone_are_a_ground(hero: Any) -> None:
    for k in range(3):
        y0, z = -1.6 - 0.3 * k, 0.15 * (k + 1)
        add_mesh(f"Step {k}", [(-1, y0, z), (1, y0, z), (1, -4.5, z), (-1, -4.5, z)], [(0, 1, 2, 3)])
    job = read_request(bpy.context, hero).job
    assert job.preset.controller == "natural"
    heights = [job.floor.height(0.0, -place) for place in (0.5, 1.5, 1.7, 2.0, 3.9)]
    assert heights == pytest.approx([0.0, 0.0, 0.15, 0.3, 0.45], abs=1e-6)


def test_a_ground_that_is_no_manifold_and_turned_inside_out_here_and_there_is_walked_on(hero: Any) -> None:
    """Faces twice, loose edges, a fin that stands on it, every third face upside down: heights are the same."""
    floor = add_floor(ramp(4.0), 12)
    flat = read_request(bpy.context, hero).job.world.ground
    assert flat is not None
    polygons = [tuple(p.vertices) for p in floor.data.polygons]
    points = [tuple(v.co) for v in floor.data.vertices]
    spoilt = [face[::-1] if k % 3 == 0 else face for k, face in enumerate(polygons)]
    more = [*points, (1.5, -2.0, 0.0), (1.5, -2.5, 0.0), (1.5, -2.5, -0.5), (9.0, 9.0, 9.0)]
    floor.data.clear_geometry()
    fin = tuple(range(len(points), len(points) + 3))
    floor.data.from_pydata(more, [(0, len(points) + 3)], [*spoilt, *polygons[:5], fin])
    bpy.context.view_layer.update()
    ground = read_request(bpy.context, hero).job.world.ground
    assert ground is not None
    for y in np.linspace(0.3, -3.9, 9):
        assert ground.height(0.1, y) == pytest.approx(flat.height(0.1, y), abs=1e-9)


def test_a_ground_that_is_elsewhere_leaves_a_flat_floor_and_an_upright_one_is_refused(hero: Any) -> None:
    wall = add_mesh("Wall", [(-5, -2, 0), (5, -2, 0), (5, -2, 9), (-5, -2, 9)], [(0, 1, 2, 3)])
    with pytest.raises(DataError, match="no face to stand on"):
        read_request(bpy.context, hero)
    wall.location.x = 99.0
    bpy.context.view_layer.update()
    request = read_request(bpy.context, hero)
    assert request.job.floor.flat and any("no mesh within 3 m of the path" in note for note in request.notes)


def test_of_many_triangles_only_those_near_the_path_count(hero: Any) -> None:
    floor = add_floor(lambda _x, _y: 0.0, 224, 60.0)  # 100,352 triangles
    ground = read_request(bpy.context, hero).job.world.ground
    assert len(floor.data.polygons) > 50_000 and ground is not None and len(ground.faces) < 4_000
    floor.scale = (0.1, 0.1, 1.0)
    bpy.context.view_layer.update()
    with pytest.raises(DataError, match="make its mesh simpler"):
        read_request(bpy.context, hero)


def test_other_controllers_say_that_they_need_flat_ground(hero: Any) -> None:
    add_floor(ramp(5.0))
    hero.biped.walk.controller_name, hero.biped.walk.preset_name = "simbicon", "walk"
    with pytest.raises(DataError, match="SIMBICON needs flat ground"):
        read_request(bpy.context, hero)


def test_klaw_walks_on_the_ground_along_its_path(hero: Any) -> None:
    add_floor(ramp(-5.0))
    hero.biped.walk.controller_name, hero.biped.walk.preset_name = "klaw", "walk"
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    result = result_of(hero)
    assert result is not None and result.summary.outcome == "arrived"
    bpy.context.scene.frame_set(int(result.action.frame_range[1]))
    hips = hero.matrix_world @ hero.pose.bones["spine"].head
    assert hips.z == pytest.approx(0.93 - 3.0 * math.tan(math.radians(5.0)), abs=0.06)


@pytest.mark.long
def test_a_walk_up_a_slope_is_baked_on_it(hero: Any) -> None:
    """From the path's start, or else from two others: walks are chaotic."""
    limits = kind_of("generalized").terrain
    assert limits is not None
    add_floor(ramp(limits.up))
    hero.biped.walk.footprints = True

    def arrives(start: float) -> bool:
        hero.biped.walk.start = start
        assert bpy.ops.biped.bake_walk() == {"FINISHED"}
        result = result_of(hero)
        assert result is not None
        if result.summary.outcome != "arrived":
            return False
        assert result.summary.slip_median is not None and result.summary.slip_median < 0.01
        bpy.context.scene.frame_set(int(result.action.frame_range[1]))
        hips = hero.matrix_world @ hero.pose.bones["spine"].head
        level = ramp(limits.up)(0.0, hips.y)
        assert hips.z - level == pytest.approx(0.93, abs=0.08)
        prints = hero.biped.footprints.data.vertices
        assert all(v.co.z == pytest.approx(ramp(limits.up)(0.0, v.co.y), abs=0.03) for v in prints)
        return True

    assert arrives(0.0) or (arrives(0.05) and arrives(0.1))


def test_what_is_near_of_a_large_mesh_is_found_by_halving_and_read_alone(
    hero: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same triangles as a look at each of them at each place of the path gives."""
    add_floor(lambda x, y: 0.01 * x * y, cuts=150, size=90.0)
    found = read_request(bpy.context).job.world.ground
    assert found is not None
    near = np.abs(found.vertices[found.faces][..., :2]).min(axis=1)
    assert len(found.faces) < 2000 and near[:, 0].max() <= 3.0 + 0.6
    monkeypatch.setattr(solids, "_SOME", 10**9)  # all are read, and looked at
    assert read_request(bpy.context).job.world.ground == found


def test_far_too_many_triangles_are_refused_before_they_are_looked_at_one_by_one(
    hero: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terrain, "MOST_TRIANGLES", 100)
    monkeypatch.setattr(ground, "_near", None)
    add_floor(lambda x, y: 0.0)
    with pytest.raises(DataError, match="triangles near the path; at most 100 can be walked on"):
        read_request(bpy.context)


def test_bounds_near_a_path_are_those_with_a_place_in_them() -> None:
    rng = np.random.default_rng(1)
    places = np.cumsum(rng.normal(scale=0.4, size=(400, 2)), axis=0)
    low = rng.uniform(-9.0, 9.0, (2, 3000))
    high = low + rng.uniform(0.0, 0.5, (2, 3000))
    within = (low.T[:, None] <= places) & (places <= high.T[:, None])
    assert np.array_equal(near_any(low, high, places), within.all(axis=2).any(axis=1))
    assert not near_any(low[:, :0], high[:, :0], places).size
