"""A mapping as JSON, and whether it fits an armature."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from blender_biped.base.errors import DataError, RigError
from blender_biped.character.mapping import check_rig_map, read_rig_map, rig_map_from_json
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature


def test_a_mapping_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    found = replace(map_bones(standard_armature()), controls={"thigh.L": ("thigh_fk.L",)}, forward="-Y", up="Z")
    (tmp_path / "rig.json").write_text(json.dumps(found.as_json()))
    read = read_rig_map(tmp_path / "rig.json")
    assert (read.bones, read.heels, read.controls) == (found.bones, found.heels, found.controls)
    assert (read.forward, read.up, read.convention, read.confidence) == ("-Y", "Z", found.convention, 1.0)


def damaged(change: Callable[[Any], object]) -> Any:
    data = map_bones(standard_armature()).as_json()
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version=7), "version is 7"),
        (lambda d: d.pop("bones"), "mapping.bones is missing"),
        (lambda d: d.update(bones=["spine"]), "mapping.bones: expected an object"),
        (lambda d: d["bones"].update(tail=["tail"]), "mapping.bones: 'tail' is unknown"),
        (lambda d: d["bones"].update(head="head"), "mapping.bones.head: expected a list"),
        (lambda d: d["bones"].update(head=[1]), "expected a list of bone names"),
        (lambda d: d["bones"].update(head=[""]), "expected a list of bone names"),
        (lambda d: d["heels"].update(M=["heel"]), "mapping.heels: 'M' is unknown"),
        (lambda d: d.update(forward="north"), "mapping.forward: 'north' is unknown"),
    ],
)
def test_damaged_files_are_refused_by_the_field(change: Callable[[Any], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        rig_map_from_json(damaged(change))


@pytest.mark.parametrize("text", ["", "[" * 100_000, "\x00\xff", "{", "null", "[]", '{"version": 1e999}'])
def test_files_that_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError, match=r"bad\.json"):
        read_rig_map(tmp_path / "bad.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Cannot read"):
        read_rig_map(tmp_path / "none.json")


def test_what_does_not_fit_is_told() -> None:
    rig = standard_armature()
    found = map_bones(rig)
    check_rig_map(found, rig)
    for bones, message in (
        ({**found.bones, "thigh.L": ()}, r"no bones are mapped to thigh\.L"),
        ({**found.bones, "thigh.L": ("femur",)}, r"no bone 'femur' \(thigh\.L\)"),
        ({**found.bones, "thigh.L": found.bones["shin.L"]}, r"'shin.L' is mapped to .* and to"),
    ):
        with pytest.raises(RigError, match=message):
            check_rig_map(replace(found, bones=bones), rig)
    with pytest.raises(RigError, match="no bone 'ctrl'"):
        check_rig_map(replace(found, controls={"head": ("ctrl",)}), rig)
