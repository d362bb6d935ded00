"""A scene with much in it: read in portions between which Blender goes on, and refused before where it is too much."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.patience import UnfinishedError, patient
from blender_biped.base.spatial import Array
from blender_biped.job import Job
from blender_biped.ui.base import solids
from blender_biped.ui.base.status import status
from blender_biped.ui.job import ground, surroundings, things
from blender_biped.ui.job.marked import marks_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.view import preview
from blender_biped.ui.view.simulation import Simulation
from blender_biped.world import beside
from tests.blender.scenes import contents, make_curve, make_rig
from tests.blender.test_runs import driven, event
from tools.attack import reading
from tools.attack.verdict import FaultError

LEAST = 1e-9
"""s of patience: one part is done each time."""


@pytest.fixture
def hero(scene: Any) -> Any:
    """A character that walks 6 m along x, with the collections of the panel."""
    rig = make_rig()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (6.0, 0.0, 0.0)])
    for name in ("obstacles", "props", "ground"):
        own = bpy.data.collections.new(name.title())
        scene.collection.children.link(own)
        if name != "ground":
            setattr(scene.biped, name, own)
    bpy.context.view_layer.objects.active = rig
    reading.forget()
    return rig


def lump(into: str, x: float, y: float, points: int = 12, size: float = 0.2) -> Any:
    """Add an object of so many points about a ball; each another one."""
    rng = np.random.default_rng(len(bpy.data.meshes))
    places = rng.normal(size=(points, 3))
    made = reading.mesh_of(size * places / np.linalg.norm(places, axis=1)[:, None], np.arange(6).reshape(-1, 3))
    made.location = (x, y, size)
    getattr(bpy.context.scene.biped, into).objects.link(made)
    return made


def props(hero: Any) -> None:
    for k in range(2):
        lump("props", 2.0 + k, 1.5, 20 + 150 * k)


def obstacles(hero: Any) -> None:
    for k in range(2):
        lump("obstacles", 2.0 + k, 1.0)


def targets(hero: Any) -> None:
    hero.biped.walk.controller = "natural"
    empty = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location, empty.biped.target.active = (3.0, 0.3, 1.0), True


def treads(hero: Any) -> None:
    hero.biped.walk.controller = "natural"
    bpy.context.scene.biped.ground = bpy.data.collections["Ground"]
    bpy.ops.mesh.primitive_plane_add(size=30.0)
    plane = bpy.context.object
    bpy.context.scene.collection.objects.unlink(plane)
    bpy.data.collections["Ground"].objects.link(plane)
    bpy.context.view_layer.objects.active = hero


def relief(hero: Any) -> None:
    treads(hero)
    hero.biped.walk.controller = "klaw"


def in_portions(read: Callable[[], Any]) -> tuple[Any, int]:
    """Return what is read, and in how many portions."""
    for count in range(1, 500):
        try:
            with patient(LEAST):
                return read(), count
        except UnfinishedError:
            continue
    raise AssertionError("it is never read to its end")


def job_of() -> Job:
    return read_request(bpy.context).job


@pytest.mark.parametrize(("much", "least"), [(props, 4), (obstacles, 4), (targets, 2), (treads, 5), (relief, 2)])
def test_what_is_read_in_portions_is_what_is_read_at_once(
    hero: Any, monkeypatch: pytest.MonkeyPatch, much: Callable[[Any], None], least: int
) -> None:
    monkeypatch.setattr(beside, "PART", 300)
    much(hero)
    bpy.context.view_layer.update()
    found, count = in_portions(job_of)
    assert count >= least
    assert in_portions(job_of) == (found, 1) and job_of() is found  # nothing of it is looked for again
    assert in_portions(lambda: marks_of(bpy.context, hero))[1] <= 2
    reading.forget()
    assert job_of() == found


def test_after_a_change_only_what_has_changed_is_looked_for(hero: Any) -> None:
    props(hero)
    bpy.context.view_layer.update()
    _, first = in_portions(job_of)
    lump("props", 4.0, -1.5)
    bpy.context.view_layer.update()
    found, again = in_portions(job_of)
    assert again < first and len(found.world.things) == 3


@contextmanager
def little() -> Iterator[None]:
    with patient(LEAST):
        yield


def test_a_bake_reads_while_blender_goes_on_and_takes_no_other_input(
    hero: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    props(hero)
    bpy.context.view_layer.update()
    monkeypatch.setattr(bake_operators, "patient", little)
    bake, context, workers = driven(monkeypatch, hero)
    while not workers:
        assert status.text == "Reading the Scene: 0%" and status.work and status.work.exclusive
        assert bake.modal(context, event("A")) == {"RUNNING_MODAL"}
        assert bake.modal(context, event("TIMER")) == {"PASS_THROUGH"}
        assert len(context.window_manager.timers) == 1
    assert len(workers[0].job.world.loose) == 2 and status.text.startswith("Simulating ")
    assert bake.modal(context, event("A")) == {"PASS_THROUGH"}
    assert bake.modal(context, event("ESC", 900)) == {"CANCELLED"} and workers[0].cancelled


@pytest.mark.parametrize("button", [False, True])
def test_esc_and_cancel_end_a_reading(hero: Any, monkeypatch: pytest.MonkeyPatch, button: bool) -> None:
    props(hero)
    bpy.context.view_layer.update()
    before = contents()
    monkeypatch.setattr(bake_operators, "patient", little)
    bake, context, workers = driven(monkeypatch, hero)
    bake.modal(context, event("TIMER"))
    if button:
        bpy.ops.biped.cancel()
    assert bake.modal(context, event("TIMER" if button else "ESC", 100)) == {"CANCELLED"}
    assert not workers and contents() == before and status.work is None and not context.window_manager.timers
    assert status.message == "The walk was cancelled; nothing was changed."


def test_what_cannot_be_walked_is_told_after_the_last_portion(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    props(hero)
    lump("props", 5.0, 1.5).constraints.new("LIMIT_LOCATION")
    bpy.context.view_layer.update()
    monkeypatch.setattr(bake_operators, "patient", little)
    bake, context, workers = driven(monkeypatch, hero)
    while bake.modal(context, event("TIMER")) == {"PASS_THROUGH"}:
        pass
    assert not workers and status.work is None and "has constraints" in status.message
    assert not context.window_manager.timers


def test_several_characters_are_read_one_after_the_other(hero: Any) -> None:
    other = make_rig("Other")
    other.biped.walk.path = make_curve([(0.0, 3.0, 0.0), (6.0, 3.0, 0.0)])
    bpy.context.view_layer.update()
    known: dict[int, Any] = {}
    runs, count = in_portions(lambda: bake_operators.read_runs(bpy.context, [hero, other], known))
    assert count == 2 and [run.name for run in runs] == [hero.name, other.name] and not any(run.error for run in runs)


def test_the_preview_stays_until_the_scene_is_read(hero: Any, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hero.biped.walk.controller = "generalized"
    bpy.ops.biped.map_bones()
    scene.biped.show_preview = True
    bpy.context.view_layer.update()
    before = preview.update(bpy.context)
    assert before is not None and not preview.state().old
    props(hero)
    bpy.context.view_layer.update()
    monkeypatch.setattr(preview, "patient", little)
    shown: list[Any] = []
    desired: list[Job] = []
    monkeypatch.setattr(Simulation, "desire", lambda _, job, *__: desired.append(job))
    while not shown or preview.state().old:
        shown.append(preview.update(bpy.context))
        preview.simulate(bpy.context)
        assert bool(desired) == (not preview.state().old)
    assert len(shown) > 3 and all(one is before for one in shown[:-1])
    assert len(desired[0].world.loose) == 2
    preview.stop()


# --- hulls of many points --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ball", "grid", "far away", "twice", "flat"])
def test_a_hull_has_the_corners_that_full_precision_finds(kind: str) -> None:
    rng = np.random.default_rng(3)
    points: Array = rng.normal(size=(2_500, 3))
    points /= np.linalg.norm(points, axis=1)[:, None] * (1.0 if kind == "ball" else rng.uniform(1.0, 2.0))
    points = {
        "ball": points, "grid": np.round(3.0 * points), "far away": points + 1_000.0,
        "twice": np.concatenate((points, points)), "flat": points * (5.0, 1.0, 0.01),
    }[kind]  # fmt: skip
    ways = solids.all_round()
    exact = [int((points[:, 0] * x + points[:, 1] * y + points[:, 2] * z).argmax()) for x, y, z in ways.tolist()]
    assert solids.outermost(points).tolist() == sorted(set(exact))
    normals, levels = ways[:40], rng.uniform(0.2, 0.9, 40) * np.abs(points @ ways[:40].T).max()
    far = sum(np.multiply.outer(points[:, k], normals[:, k]) for k in range(3)) - levels
    least = float(np.sort(far.max(axis=1))[-50])  # one of them is outside by as much
    assert solids.outside(points, normals, levels, least).tolist() == np.flatnonzero(far.max(axis=1) > least).tolist()


# --- what is too much ------------------------------------------------------------------------------------------------


def test_more_things_than_are_read_are_refused_before(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(things, "MOST_IN_SCENE", 1)
    props(hero)
    bpy.context.view_layer.update()
    monkeypatch.setattr(things, "read_triangles", None)
    with pytest.raises(DataError, match="There are 2 obstacles and props; at most 1 may be: take those out"):
        job_of()


def test_more_triangles_than_are_read_are_refused_before(hero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    treads(hero)
    bpy.ops.object.select_all(action="DESELECT")
    plane = bpy.data.collections["Ground"].objects[0]
    bpy.context.view_layer.update()
    monkeypatch.setattr(ground, "MOST_READ", 2)
    job_of()
    plane.modifiers.new("Finer", "SUBSURF").subdivision_type = "SIMPLE"
    bpy.context.view_layer.update()
    monkeypatch.setattr(ground, "read_triangles", None)
    with pytest.raises(DataError, match="The meshes of the ground have 8 triangles; at most 2 can be read: make them"):
        job_of()


def test_a_way_that_is_far_too_long_is_refused_before_anything_beside_it_is_read(
    hero: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    relief(hero)
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (2000.0, 0.0, 0.0), (0.0, 2000.0, 0.0)])
    hero.biped.walk.path.data.splines[0].use_cyclic_u = True
    hero.biped.walk.laps = 10
    monkeypatch.setattr(surroundings, "read_ground", None)
    monkeypatch.setattr(surroundings, "read_things", None)
    with pytest.raises(DataError, match=r"hours at .* m/s, and an hour is walked at a time: take fewer laps"):
        job_of()


# --- the attack ------------------------------------------------------------------------------------------------------


def test_a_slow_reading_fails_unless_it_is_fast_when_it_is_tried_again(
    hero: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    @contextmanager
    def here(_: Any) -> Iterator[Any]:
        yield hero

    def slow(took: list[float]) -> Callable[[Any], Any]:
        return lambda _: reading.ReadOnce(took.pop(0), None)

    monkeypatch.setattr(reading, "opened", here)
    monkeypatch.setattr(reading, "CHANGES", (lambda *_: None, lambda *_: None))
    rng = np.random.default_rng(0)
    monkeypatch.setattr(reading, "read_once", slow([0.1, 0.6, 0.6, 0.1, 0.2, 0.3]))
    assert reading.attack_reading(rng, tmp_path) == "read"
    monkeypatch.setattr(reading, "read_once", slow([0.1, 0.6, 0.6, 0.1, 0.2, 0.55]))
    with pytest.raises(FaultError, match=r"a reading took 0\.55 s"):
        reading.attack_reading(rng, tmp_path)
