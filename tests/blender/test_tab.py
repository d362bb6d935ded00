"""The tab as it is seen first: few controls, nothing cut off, no two numbers of one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from blender_biped.control.registry import kinds
from blender_biped.ui.base import language
from blender_biped.ui.base.status import Said, status
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.panels.fields_panel import BIPED_PT_fields
from tests.blender.drawn import Drawn
from tests.blender.measured import DefaultContext, Measured, controls, drawn_panels, tab_panels
from tests.blender.scenes import make_curve, make_rig

MOST_AT_FIRST = 12
MOST_SLIDERS = 30


@pytest.fixture
def walk(scene: Any) -> Iterator[Any]:
    """The walk of a new character with a path, mapped."""
    make_rig("Hero")
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    yield walk_of(bpy.context)


def test_few_controls_are_in_view_at_first(walk: Any) -> None:
    assert list(first := drawn_panels(opened=False)) == ["Walk"]
    assert controls(first) <= MOST_AT_FIRST


def test_all_is_two_clicks_away_at_most(walk: Any) -> None:
    """Opening a panel is a click, as what unfolds in it is; one that stands open in another costs none."""
    panels = {cls.__name__: cls for cls in tab_panels()}
    layouts = drawn_panels(opened=True)

    def clicks(cls: Any) -> int:
        own = "DEFAULT_CLOSED" in getattr(cls, "bl_options", ())
        above = panels.get(getattr(cls, "bl_parent_id", ""))
        return own + (clicks(above) if above else 0)

    far = {cls.bl_label: clicks(cls) + layouts[cls.bl_label].clicks for cls in tab_panels() if cls.bl_label in layouts}
    assert len(far) > 8 and max(far.values()) <= 2, far


@pytest.mark.parametrize("controller", [kind.name for kind in kinds()])
def test_adjust_style_shows_the_animators_numbers_first(walk: Any, controller: str) -> None:
    walk.controller = controller
    layout = Measured(opened=True)
    panel: Any = BIPED_PT_fields
    panel.draw(Drawn(panel, layout), DefaultContext())
    *looks, advanced = layout.parts[1::2]  # without their headers
    assert 0 < sum(len(list(group.leaves())) for group in looks) <= MOST_SLIDERS
    assert advanced.folded and len(list(advanced.leaves())) > 3


@pytest.mark.parametrize("locale", ["", "de_DE"])
@pytest.mark.parametrize("controller", [kind.name for kind in kinds()])
def test_no_number_has_the_name_of_another_one_in_view(
    walk: Any, controller: str, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "locale", lambda: locale)
    walk.controller = controller
    for keying in ("EVERY", "NEEDED"):
        bpy.context.object.biped.keying = keying
        leaves = [leaf for layout in drawn_panels(opened=True).values() for leaf in layout.leaves()]
        named = Counter(leaf.number for leaf in leaves if leaf.number)
        assert [name for name, count in named.items() if count > 1] == []


def test_what_is_said_before_a_bake_is_one_line_that_unfolds(walk: Any) -> None:
    walk.path = None
    status.end("The walk fell. It was walked by KLAW. Look at Result.", "WARNING", [bpy.context.object.session_uid])
    try:
        folded, unfolded = (list(drawn_panels(opened)["Walk"].leaves()) for opened in (False, True))
    finally:
        status.end("", "INFO")
    said = [leaf.text for leaf in folded if not leaf.control]
    assert "The walk fell" in said and not any("KLAW" in text for text in said)
    assert any("Look at Result" in leaf.text for leaf in unfolded)


def test_of_several_walks_each_other_one_is_a_line_with_a_button(walk: Any) -> None:
    hero, other = bpy.context.object, make_rig("Other")
    bpy.context.view_layer.objects.active = hero
    each = [
        Said(thing.name, thing.session_uid, f"{thing.name} is in the way. Move it.", "It is in the way.", "WARNING")
        for thing in (hero, other)
    ]
    status.end("Both are in the way.", "WARNING", [one.armature for one in each], each)
    try:
        leaves = list(drawn_panels(opened=False)["Walk"].leaves())
    finally:
        status.end("", "INFO")
    texts = [leaf.text for leaf in leaves]
    place = texts.index("Other: It is in the way")
    assert leaves[place + 1].control and "It is in the way" in texts
    assert bpy.ops.biped.show_character(character="Other") == {"FINISHED"}
    assert bpy.context.object == other


@pytest.mark.parametrize("locale", ["", "de_DE"])
@pytest.mark.parametrize("controller", [kind.name for kind in kinds()])
def test_no_text_is_cut_off_at_the_width_of_a_new_sidebar(
    walk: Any, controller: str, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk.controller = controller
    monkeypatch.setattr(language, "locale", lambda: locale)
    cut = {label: [*layout.cut()] for label, layout in drawn_panels(opened=True).items()}
    assert {label: texts for label, texts in cut.items() if texts} == {}


@pytest.mark.parametrize("locale", ["", "de_DE"])
def test_nothing_is_cut_off_of_what_happens_on_the_way(walk: Any, locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hero = bpy.context.object
    monkeypatch.setattr(language, "locale", lambda: locale)
    cut: dict[str, list[str]] = {}

    def look() -> None:
        for label, layout in drawn_panels(opened=True).items():
            cut[label] = [*cut.get(label, []), *layout.cut()]

    bpy.context.scene.biped.armature = hero
    for what in bpy.ops.biped.add_path_point.get_rna_type().properties["says"].enum_items:
        assert bpy.ops.biped.add_path_point(says=what.identifier) == {"FINISHED"}
        look()
    assert bpy.ops.biped.add_push() == {"FINISHED"}
    look()
    assert bpy.ops.biped.add_target() == {"FINISHED"}
    look()
    walk.mix_with = "sad"
    hero.biped.mass_from = "TYPED"
    look()
    assert {label: texts for label, texts in cut.items() if texts} == {}
