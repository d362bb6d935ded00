"""What of the scene is drawn in the 3D view: each obstacle by how it is met, targets, pushes and winds."""

from __future__ import annotations

import math
from typing import Any, get_args

import bpy
import numpy as np
import pytest

from blender_biped.ui.job import marked
from blender_biped.ui.job.marked import Marks, marks_of
from blender_biped.ui.panels.scene_panel import BIPED_PT_scene
from blender_biped.ui.view import found_overlay
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve
from tests.blender.test_props import add
from tests.blender.test_props import hero as hero
from tests.blender.test_scene import add_field, add_push


@pytest.fixture
def walker(hero: Any) -> Any:
    """A character that walks 8 m along -Y by generalized walking, and the collections of the panel."""
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -8.0, 0.0)])
    hero.biped.walk.controller = "generalized"
    return hero


def bar(name: str, y: float, low: float, high: float, x: float = 0.0) -> Any:
    made = add("cube", "obstacles", (x, y, 0.5 * (low + high)), name, size=1.0)
    made.scale = (1.2, 0.1, high - low)
    bpy.context.view_layer.update()
    return made


def boxes(marks: Marks) -> dict[str, list[float]]:
    """Return where along the way the boxes of each group are."""
    return {
        group: sorted(round(-float(y), 2) for y in faces.reshape(-1, 12, 3, 3)[..., 1].mean(axis=(1, 2)))
        for group, faces in marks.faces.items()
    }


def test_each_obstacle_is_drawn_by_how_it_is_met(walker: Any) -> None:
    bar("Low", -2.5, 0.0, 0.2)
    bar("Beam", -5.0, 1.45, 1.55)
    bar("Aside", -3.0, 0.0, 0.8, x=2.0)
    add("cube", "props", (0.6, -4.0, 0.1), "Crate", size=0.2)
    marks = marks_of(bpy.context, walker)
    assert boxes(marks) == {"over": [2.5], "under": [5.0], "beside": [3.0], "prop": [4.0]}
    low = marks.lines["over"].reshape(-1, 3)
    assert np.ptp(low, axis=0) == pytest.approx((1.2, 0.1, 0.2), abs=1e-5)
    bar("Wall", -7.0, 0.0, 1.2)
    assert boxes(marks_of(bpy.context, walker))["refused"] == [7.0]


def test_who_only_walks_round_is_refused_by_all_on_its_way(walker: Any) -> None:
    walker.biped.walk.controller = "simbicon"
    bar("Low", -2.5, 0.0, 0.2)
    bar("Aside", -3.0, 0.0, 0.8, x=2.0)
    assert boxes(marks_of(bpy.context, walker)) == {"refused": [2.5], "beside": [3.0]}


def test_who_has_no_body_in_the_world_meets_nothing(walker: Any) -> None:
    bar("Low", -2.5, 0.0, 0.2)
    add_push(49)
    walker.biped.walk.controller_name, walker.biped.walk.preset_name = "klaw", "walk"
    marks = marks_of(bpy.context, walker)
    assert not marks.lines and not marks.faces


def test_without_a_path_things_are_drawn_all_the_same(walker: Any) -> None:
    bar("Low", -2.5, 0.0, 0.2)
    flat = bar("Flat", -3.5, 0.0, 0.2)
    flat.scale = (0.0, 0.0, 0.0)
    walker.biped.walk.path = None
    add("cube", "props", (0.6, -4.0, 0.1), "Crate", size=0.2)
    assert boxes(marks_of(bpy.context, walker)) == {"beside": [2.5], "prop": [4.0]}


def test_pushes_and_winds_are_arrows_by_their_force(walker: Any) -> None:
    arrow = add_push(73, "LEFT")
    add_push(20, "BACK").animation_data_clear()
    wind = add_field("WIND", 30.0, (math.pi / 2, 0.0, 0.0))
    bpy.context.view_layer.objects.active = walker
    bpy.context.view_layer.update()
    marks = marks_of(bpy.context, walker)
    (push,) = marks.lines["push"].reshape(-1, 5, 2, 3)  # the other one has no key
    assert push[0, 0] == pytest.approx(arrow.matrix_world.translation, abs=1e-5)
    way = push[0, 1] - push[0, 0]
    assert way[0] > 0.0 and way[1:] == pytest.approx((0.0, 0.0), abs=1e-5)
    winds = marks.lines["wind"].reshape(-1, 5, 2, 3)
    assert len(winds) > 5 and np.ptp(winds[:, 0, 0, 1]) == pytest.approx(8.0)
    blows = winds[:, 0, 1] - winds[:, 0, 0]
    assert np.allclose(blows / np.linalg.norm(blows[0]), wind.matrix_world.col[2][:3], atol=1e-6)
    assert np.linalg.norm(way) / np.linalg.norm(blows[0]) == pytest.approx(math.sqrt(250.0 / 30.0))


def test_the_units_of_the_scene_do_not_matter(walker: Any) -> None:
    bar("Low", -2.5, 0.0, 0.2)
    bpy.context.scene.unit_settings.system = "METRIC"
    bpy.context.scene.unit_settings.scale_length = 0.5
    assert marks_of(bpy.context, walker).lines["over"].reshape(-1, 3)[:, 1].mean() == pytest.approx(-2.5, abs=1e-5)


def test_targets_have_their_place_and_the_feet_that_stand_for_them(hero: Any) -> None:
    hero.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -6.0, 0.0)])
    crate = add("cube", "props", (0.0, -3.4, 0.1), "Crate", 5.0, "BOX", size=0.2)
    crate.biped.target.active = True
    bpy.context.scene.cursor.location = (0.0, -6.42, 0.0)
    bpy.ops.biped.add_target(act="SET_DOWN")
    bpy.context.view_layer.objects.active = hero
    bpy.context.view_layer.update()
    marks = marks_of(bpy.context, hero)
    assert boxes(marks)["target"] == [3.4] and "prop" not in marks.faces
    lines = marks.lines["target"]
    middle = lines[12:15].mean(axis=(0, 1))
    assert middle == pytest.approx((0.0, -6.42, 0.0), abs=1e-5)
    feet = lines[15:].reshape(2, 2, -1, 2, 3)  # stop, side
    assert np.allclose(feet[..., 2], 0.0, atol=1e-6)
    assert (feet[:, 0, ..., 0] > 0.0).all() and (feet[:, 1, ..., 0] < 0.0).all()  # left and right of the path
    ankles = -feet[..., 1].mean(axis=(1, 2, 3))
    assert 2.85 < ankles[0] < 3.3 and 5.85 < ankles[1] < 6.3  # before what is taken, and before where it is put
    crate.location.z = 9.0  # out of reach: it says so when it is baked
    bpy.context.view_layer.update()
    drawn = marks_of(bpy.context, hero).lines
    assert (len(drawn["target"]), len(drawn["refused"])) == (3, 12)


# --- drawing ---------------------------------------------------------------------------------------------------------


class _InAView:
    """Blender as the overlay's handler sees it while a 3D view is drawn."""

    class _Context:
        space_data = type("Space", (), {"overlay": type("Overlay", (), {"show_overlays": True})})
        scene = property(lambda _self: bpy.context.scene)
        view_layer = property(lambda _self: bpy.context.view_layer)

    context, app, types = _Context(), bpy.app, bpy.types


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Marks]:
    """Return the list that gets the marks each time when batches are made of them."""
    made: list[Marks] = []

    def noted(marks: Marks) -> list[Any]:
        made.append(marks)
        return []  # nothing that would need a GPU

    monkeypatch.setattr(found_overlay, "batches_of", noted)
    monkeypatch.setattr(found_overlay, "bpy", _InAView())
    return made


def view_drawn() -> None:
    """Draw a view: what it asks to be read is read, and drawn at the next time."""
    found_overlay.draw_found()
    found_overlay.read_now(bpy.context)
    found_overlay.draw_found()


def test_it_is_read_only_when_something_has_changed_and_only_while_it_is_on(walker: Any, drawn: list[Marks]) -> None:
    low = bar("Low", -2.5, 0.0, 0.2)
    view_drawn()
    assert drawn == []
    bpy.context.scene.biped.show_found = True
    bpy.app.handlers.depsgraph_update_post.append(found_overlay.handlers()["depsgraph_update_post"])
    try:
        view_drawn()
        view_drawn()
        assert len(drawn) == 1
        low.location.y = -3.0
        bpy.context.view_layer.update()
        view_drawn()
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(found_overlay.handlers()["depsgraph_update_post"])
    assert [boxes(marks)["over"] for marks in drawn] == [[2.5], [3.0]]
    bpy.context.scene.biped.show_found = False
    found_overlay.handlers()["undo_post"]()
    view_drawn()
    assert len(drawn) == 2


def test_what_cannot_be_read_and_who_is_gone_is_not_drawn(
    walker: Any, drawn: list[Marks], monkeypatch: pytest.MonkeyPatch
) -> None:
    bpy.context.scene.biped.show_found = True
    bar("Low", -2.5, 0.0, 0.2).location.x = math.nan
    bpy.context.view_layer.update()
    view_drawn()
    assert [marks.lines for marks in drawn] == [{}]
    bpy.data.objects.remove(walker)
    view_drawn()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    view_drawn()
    assert len(drawn) == 1


def test_each_group_has_a_colour_and_the_panel_the_setting(walker: Any) -> None:
    assert set(found_overlay.COLORS) == set(get_args(marked.Group))
    assert "<Draw in View>" in shown(BIPED_PT_scene)


def test_without_a_window_nothing_is_hooked_into_blender() -> None:
    assert bpy.app.background and not found_overlay.is_hooked()
    found_overlay.start()
    found_overlay.stop()
    assert not found_overlay.is_hooked()
