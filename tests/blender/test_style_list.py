"""One list of all controllers' styles: groups, a search, favourites, and a style that brings its controller along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.control.registry import kinds
from blender_biped.ui.base import language
from blender_biped.ui.base.favourites import favourites
from blender_biped.ui.base.style_list import groups, listed, of_group, searched
from blender_biped.ui.base.styles import styles
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.panels.style_list_panel import COLUMNS, GROUPS, WIDTH, BIPED_PT_style_list
from blender_biped.ui.settings import menus
from tests.blender.drawn import Drawn
from tests.blender.measured import DefaultContext, Measured, width_of
from tests.blender.scenes import make_rig

STAR = 20.0  # pixels that the star beside a name takes
UNIT = 20.0  # pixels of Blender's widget unit


@pytest.fixture
def walk(scene: Any) -> Any:
    make_rig("Hero")
    window().search = ""
    return walk_of(bpy.context)


def window() -> Any:
    return bpy.context.window_manager.biped


def names() -> list[str]:
    """Return what the list draws: its buttons' texts."""
    layout, panel = Measured(), BIPED_PT_style_list
    draw: Any = panel.draw
    draw(Drawn(panel, layout), DefaultContext())
    return [leaf.text for leaf in layout.leaves()]


def test_every_style_is_in_one_group() -> None:
    assert {own.key for group in groups() for own in of_group(group.name)} == set(listed())
    assert len(listed()) == sum(len(styles(kind.name)) for kind in kinds()) > 90


def test_klaws_styles_are_exact_and_what_runs_is_among_the_runs() -> None:
    assert {own.controller for own in of_group("exact")} == {"klaw"}
    assert {"natural/run", "simbicon/run"} <= {own.key for own in of_group("runs")}
    assert {"research"} == {own.group for own in listed().values() if own.controller == "planar"}


def test_a_style_of_another_controller_brings_it_along(walk: Any) -> None:
    walk.mix_with = "sad"
    assert bpy.ops.biped.choose_style(style="simbicon/hop") == {"FINISHED"}
    assert (walk.controller_name, walk.preset_name, walk.mix_with_name) == ("simbicon", "hop", "")
    assert walk.style == "simbicon/hop" and walk.fields_shown == "simbicon/hop"
    walk.style = "simbicon/jump"
    assert (walk.controller_name, walk.preset_name) == ("simbicon", "jump")
    with pytest.raises(RuntimeError, match="There is no style 'natural/nothing'"):
        bpy.ops.biped.choose_style(style="natural/nothing")


def test_the_pictures_are_those_of_the_chosen_styles_group(walk: Any) -> None:
    bpy.ops.biped.choose_style(style="natural/jog")
    assert walk.style == "natural/jog"
    found = [item[0] for item in menus.style_pictures("natural/jog")]
    assert found == [own.key for own in of_group("runs")]


def test_choosing_what_is_chosen_changes_no_slider(walk: Any) -> None:
    walk.fields_natural.manner_bounce = 0.5
    bpy.ops.biped.choose_style(style="natural/default")
    assert walk.fields_natural.manner_bounce == pytest.approx(0.5)


def test_a_search_is_over_all_groups_in_both_languages(walk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [own.key for own in searched("sneak")][:2] == ["natural/sneak", "klaw/sneak"]
    assert not searched("xyz") and len(searched("simbicon")) >= 22
    window().search = "drunk"
    assert {"Drunk", "Drunk, exact"} <= set(names())
    monkeypatch.setattr(language, "locale", lambda: "de_DE")
    assert searched("lauf")
    window().search = "xyz"
    assert "Kein Stil hat diese Wörter." in names()


def test_the_list_opens_at_the_group_of_the_chosen_style(walk: Any) -> None:
    bpy.ops.biped.choose_style(style="klaw/sad")
    assert bpy.ops.biped.show_styles() == {"FINISHED"}
    assert window().group == "exact" and "Sad" in names()


def test_favourites_are_kept_for_all_files(walk: Any, folder: Path) -> None:
    for style in ("natural/jog", "klaw/sad", "klaw/sad"):
        assert bpy.ops.biped.favourite_style(style=style) == {"FINISHED"}
    assert favourites() == {"natural/jog"}
    assert json.loads((folder / "favourites.json").read_text(encoding="utf-8"))["styles"] == ["natural/jog"]
    window().group = "starred"
    assert "Jog" in names() and "Run" not in names()
    (folder / "favourites.json").write_text("[", encoding="utf-8")
    menus.forget()
    assert favourites() == frozenset() and "No style has a star yet: click the star beside a name." in names()


@pytest.mark.parametrize("locale", ["", "de_DE"])
def test_no_name_is_cut_off_in_the_list(walk: Any, locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "locale", lambda: locale)
    side, whole = GROUPS * WIDTH * UNIT, WIDTH * UNIT
    cell = (whole - side) / COLUMNS - STAR - 10.0
    assert [name for own in listed().values() if width_of(name := language.translated(own.title)) > cell] == []
    assert [group.label for group in groups() if width_of(language.translated(group.label)) > side - 12.0] == []
