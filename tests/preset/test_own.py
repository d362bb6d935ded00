"""Styles of one's own: names of files, whole files or none, and lists that a broken file does not empty."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.registry import all_styles, kinds, own_style, preset, presets, write_own_style
from blender_biped.preset import own, transitions
from blender_biped.preset.cue import Cue
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import RESEARCH, Preset

STROLL = preset("klaw", "stroll")


def mine(label: str = "Müder Gang", **more: object) -> Preset:
    style = replace(STROLL, label=label, name=own.name_of(label, ()), origin="stroll")
    return replace(style, values=with_values(style.values, {"attributes.theta2_des": 12.0}), **more)  # type: ignore[arg-type]


def saved(folder: Path, style: Preset) -> Path:
    file = own.file_of(folder, style)
    write_own_style(file, style)
    return file


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Müder Gang", "muder_gang"),
        ("Walk 2", "walk_2"),
        ("走る", "style_"),
        ("Bird 走る", "bird_"),
        ("con", "con_"),
        ("Lpt1", "lpt1_"),
        ("../../etc/passwd", "etc_passwd"),
        ("C:\\Windows\\x", "c_windows_x"),
        ("a" * 48, "a" * 31 + "_"),
        ("--", "style_"),
    ],
)
def test_a_name_is_a_file_on_every_system(label: str, name: str) -> None:
    found = own.name_of(label, ())
    assert found == name or (name.endswith("_") and re.fullmatch(re.escape(name) + "[0-9a-f]{8}", found))
    assert re.fullmatch("[a-z0-9_]{1,40}", found) and found == own.name_of(label, ())


def test_labels_with_the_same_letters_left_have_names_of_their_own() -> None:
    assert len({own.name_of(label, ()) for label in ("走る", "歩く", "Bird 走る", "Bird 歩く", "Bird")}) == 5
    assert own.name_of("Walk", ["walk"]) != "walk"


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("  ", "needs a name"), ("!?", "needs a name"), ("Hero: Walk", "no colon"), ("歩" * 17, "too long"),
        ("a\x00b", "no text"),
    ],
)  # fmt: skip
def test_a_label_that_cannot_be_is_refused(label: str, why: str) -> None:
    with pytest.raises(DataError, match=why):
        own.checked_label(label)


def test_a_label_is_kept_without_blanks_around_it_and_composed() -> None:
    assert own.checked_label("  Mu\u0308der \n Gang ") == "Müder Gang"


def test_a_label_that_another_style_has_gets_a_number() -> None:
    styles = presets("klaw")
    assert own.taken("STROLL", styles) == STROLL and own.taken("Saunter", styles) is None
    assert own.free_label("Stroll", styles) == "Stroll 2"
    assert own.free_label("Stroll", [*styles, mine("Stroll 2")]) == "Stroll 3"
    long = mine("x" * own.MAX_LABEL)
    assert own.free_label(long.label, [long]) == "x" * (own.MAX_LABEL - 2) + " 2"


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("controller", [kind.name for kind in kinds()])
def test_what_is_saved_is_read_back(controller: str, tmp_path: Path) -> None:
    first = presets(controller)[0]
    style = replace(first, name="own", label="走る", description="Über", origin=first.name, shelf=RESEARCH)
    saved(tmp_path, style)
    found = all_styles(controller, tmp_path)
    assert found.own == {"own"} and not found.broken
    (read,) = (s for s in found.styles if s.name == "own")
    assert read == replace(style, shelf="")  # it is for use, wherever it comes from
    assert [s.name for s in found.styles] == [*(s.name for s in presets(controller)), "own"]  # the first stays first


def test_without_a_folder_there_are_the_shipped_ones(tmp_path: Path) -> None:
    for folder in (None, tmp_path / "missing"):
        found = all_styles("klaw", folder)
        assert list(found.styles) == presets("klaw") and not found.own and not found.broken


BROKEN = {
    "no JSON": "{",
    "not an object": "[]",
    "no label": json.dumps({"version": 1, "controller": "klaw", "values": {}}),
    "unknown version": json.dumps({**mine().as_json(), "version": 9}),
    "another controller": json.dumps({**mine().as_json(), "controller": "simbicon"}),
    "an unknown number": json.dumps({**mine().as_json(), "values": {"attributes": {"lean": 3}}}),
    "out of range": json.dumps({**mine().as_json(), "values": {"attributes": {"theta2_des": 1e9}}}),
    "not finite": json.dumps({**mine().as_json(), "values": {"usual": float("nan"), "speeds": [0, 1]}}),
    "a colon": json.dumps({**mine().as_json(), "label": "Hero: Gang"}),
    "keyed what cannot be": json.dumps({**mine().as_json(), "keyed": {"constants.k_w": [[0, 1], [1, 2]]}}),
    "too large": " " * (own.MAX_FILE + 1),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_left_out_and_named(what: str, tmp_path: Path) -> None:
    saved(tmp_path, mine())
    (tmp_path / "klaw" / "odd.json").write_text(BROKEN[what], encoding="utf-8")
    (tmp_path / "klaw" / "._odd.json").write_bytes(b"\x00\x05")  # what a Mac leaves on other disks is no style
    found = all_styles("klaw", tmp_path)
    assert found.own == {"muder_gang"} and len(found.styles) == len(presets("klaw")) + 1
    (message,) = found.broken
    assert "odd" in message


def test_a_broken_shipped_style_does_not_empty_the_list_either(tmp_path: Path) -> None:
    (tmp_path / "klaw").mkdir()
    (tmp_path / "klaw" / "good.json").write_text(json.dumps(STROLL.as_json()), encoding="utf-8")
    (tmp_path / "klaw" / "odd.json").write_text("{", encoding="utf-8")
    found = all_styles("klaw", root=tmp_path)
    assert [style.name for style in found.styles] == ["good"] and "odd.json" in found.broken[0]


def test_a_file_with_the_name_of_a_shipped_style_does_not_take_its_place(tmp_path: Path) -> None:
    saved(tmp_path, replace(mine(), name="stroll"))
    found = all_styles("klaw", tmp_path)
    assert not found.own and "stroll.json: there is a style of that name already" in found.broken[0]
    assert list(found.styles) == presets("klaw")


def test_a_file_of_ones_own_may_be_like_a_shipped_style(tmp_path: Path) -> None:
    data = {
        "version": 1,
        "controller": "klaw",
        "label": "Lean",
        "like": "stroll",
        "values": {"attributes": {"theta2_des": 9}},
    }
    file = tmp_path / "lean.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    values = own_style(file).values
    assert values["attributes"] == {**STROLL.values["attributes"], "theta2_des": 9}


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(tmp_path, mine())
    before = file.read_bytes()

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match=r"Cannot write .*muder_gang\.json: No space left on device"):
        write_own_style(file, mine(description="another"))
    assert file.read_bytes() == before and list(file.parent.iterdir()) == [file]


def test_text_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written as text"):
        write_own_style(tmp_path / "x.json", mine(description="\ud800"))
    assert not list(tmp_path.iterdir())


def test_a_style_is_deleted_with_its_thumbnail(tmp_path: Path) -> None:
    file = saved(tmp_path, mine())
    own.write_file(own.file_of(tmp_path, mine(), ".png"), b"png")
    own.remove_style(tmp_path, mine())
    assert file.parent.is_dir() and not list(file.parent.iterdir())
    own.remove_style(tmp_path, mine())  # it is gone already


# --- shelves and changes ---------------------------------------------------------------------------------------------


def test_research_stands_below_the_others() -> None:
    for kind in kinds():
        shelves = [style.shelf for style in presets(kind.name)]
        assert shelves == sorted(shelves)
    assert [s.name for s in presets("klaw") if s.shelf] == ["thesis"]
    assert {s.name for s in presets("limit_cycle") if s.shelf} == {"thesis", "robo_bird"}
    assert [kind.name for kind in kinds() if kind.shelf == RESEARCH] == ["planar"]


def test_descriptions_are_one_plain_line() -> None:
    for kind in kinds():
        for style in presets(kind.name):
            text = style.description
            assert 20 <= len(text) <= 110 and not text.endswith(".") and "Appendix" not in text and "figure" not in text


@pytest.mark.parametrize(("controller", "first", "origin"), [("limit_cycle", "bent_knee", "ducking")])
def test_a_style_of_ones_own_changes_as_the_one_that_it_was_made_from(controller: str, first: str, origin: str) -> None:
    styles = {s.name: s for s in presets(controller)}
    table = transitions.read_transitions(controller)
    mine = replace(styles[origin], name="mine", label="Mine", origin=origin)
    gaits = {**styles, "mine": mine}
    for a, b in ((first, "mine"), ("mine", first)):
        found = transitions.expanded(gaits[a], [Cue(3.0, gaits[b])], table, gaits)
        own = {"mine": origin}
        known = transitions.expanded(styles[own.get(a, a)], [Cue(3.0, styles[own.get(b, b)])], table, styles)
        assert [c.preset.name for c in found[:-1]] == [c.preset.name for c in known[:-1]]
        assert found[-1].preset == gaits[b]
    assert transitions.expanded(styles[first], [Cue(3.0, mine)], table, gaits)[0].preset.name == "default"


def test_a_style_of_ones_own_comes_to_rest_as_the_one_that_it_was_made_from() -> None:
    styles = {s.name: s for s in presets("simbicon")}
    run = replace(styles["fast_run"], name="mine", origin="fast_run")
    table = transitions.read_transitions("simbicon")
    own, known = (transitions.ending(style, table, {**styles, "mine": run}) for style in (run, styles["fast_run"]))
    assert own == known != ()
