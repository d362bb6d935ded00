"""The manifest of an export, and one that somebody has crafted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from blender_biped.base.errors import DataError
from blender_biped.batch.folder import pieces
from blender_biped.batch.manifest import Exported, read_manifest, write_export
from blender_biped.company import Companion, Company
from blender_biped.control.registry import preset
from tests.batch.jobs import klaw_job, motion_of


def exported(folder: Path, *characters: str) -> list[Exported]:
    return write_export(folder, [(klaw_job(2.0 + k), [Exported("", "", n)]) for k, n in enumerate(characters)])


def test_an_export_is_read_back_with_its_jobs(tmp_path: Path) -> None:
    one = replace(klaw_job(), preset=preset("generalized", "default"), duration=0.1)
    pair = Company((Companion(one), Companion(replace(one, seed=2))))
    made = write_export(
        tmp_path,
        [(klaw_job(), [Exported("", "", "A/B")]), (pair, [Exported("", "", "C", 0), Exported("", "", "D", 1)])],
    )
    assert read_manifest(tmp_path) == made and [own.job for own in made] == ["1-A_B", "2-company", "2-company"]
    assert [own.job_in(tmp_path).seed for own in made] == [0, 0, 2]
    with pytest.raises(DataError, match=r"has not come back: there is no 1-A_B\.npz"):
        made[0].motion_in(tmp_path)
    pieces(tmp_path)[0].files[0].write_bytes(motion_of(made[0].work))
    assert made[0].motion_in(tmp_path).duration > 1.0
    with pytest.raises(DataError, match="has no such companion"):
        replace(made[2], place=5).job_in(tmp_path)


def test_names_sort_as_the_characters_do(tmp_path: Path) -> None:
    made = exported(tmp_path, *"abcdefghijkl")
    assert [own.job for own in made] == sorted(own.job for own in made) and made[0].job == "01-a"


@pytest.mark.parametrize(
    "name", ["../out", "/etc/passwd", "a/b", "a\\b", "C:x", ".hidden", "", "a\0b", "x" * 300, "..", "a\n"]
)
def test_a_manifest_leads_out_of_no_folder(name: str, tmp_path: Path) -> None:
    exported(tmp_path, "Hero")
    file = tmp_path / "manifest.json"
    data = json.loads(file.read_text(encoding="ascii"))
    data["walks"][0]["job"] = name
    file.write_text(json.dumps(data), encoding="ascii")
    with pytest.raises(DataError, match="is no name of a file of this folder"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    "crafted",
    ["", "[]", "{}", '{"version": 9}', '{"version": 1, "walks": [1]}', '{"version": 1, "walks": [{"job": 3}]}'],
)
def test_a_manifest_that_is_none_is_refused(crafted: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(crafted, encoding="ascii")
    with pytest.raises(DataError):
        read_manifest(tmp_path)
    with pytest.raises(DataError, match="choose an empty folder"):
        exported(tmp_path, "Hero")
    assert [file.name for file in tmp_path.iterdir()] == ["manifest.json"]
