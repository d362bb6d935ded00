"""Files that operators are given: beside the open file, links, read-only ones; nothing is said done that is not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.blender.scenes import make_rig
from tests.blender.scripted import styles_in
from tools.base.quiet import quiet

WRITE = {"export_style": "Wrote the style", "save_mapping": "Mapping written"}
READ = {"export_style": "import_style", "save_mapping": "load_mapping"}


@pytest.fixture
def rig(scene: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    styles_in(tmp_path / "own", monkeypatch)
    armature = make_rig("Hero")
    bpy.ops.biped.map_bones()
    armature.biped.walk.controller_name, armature.biped.walk.preset_name = "klaw", "march"
    return armature


def refusal(press: Callable[[], object]) -> str:
    with pytest.raises(RuntimeError) as caught:
        press()
    return str(caught.value)


@pytest.mark.parametrize("name", WRITE)
def test_a_path_beside_the_open_file_is_one(rig: Any, tmp_path: Path, name: str) -> None:
    write, read = getattr(bpy.ops.biped, name), getattr(bpy.ops.biped, READ[name])
    for button in (write, read):
        assert "that file was never saved" in refusal(lambda: button(filepath="//own.json"))  # noqa: B023
        assert "No file was chosen" in refusal(lambda: button(filepath=""))  # noqa: B023
    with quiet():
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"), check_existing=False)
    assert write(filepath="//own.json") == {"FINISHED"} and (tmp_path / "own.json").is_file()
    assert read(filepath="//own.json") == {"FINISHED"}
    assert not Path("/own.json").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
@pytest.mark.parametrize("name", WRITE)
def test_what_lies_there_stays_where_it_is_no_plain_file(rig: Any, tmp_path: Path, name: str) -> None:
    write, read = getattr(bpy.ops.biped, name), getattr(bpy.ops.biped, READ[name])
    target, link, pipe, shut = (tmp_path / f"{n}.json" for n in ("target", "link", "pipe", "shut"))
    for file in (target, shut):
        file.write_text("precious", encoding="utf-8")
    shut.chmod(0o400)
    link.symlink_to(target)
    os.mkfifo(pipe)
    for file, why in ((link, "is a link"), (pipe, "is a device or a pipe"), (shut, "is read-only")):
        assert why in refusal(lambda: write(filepath=str(file)))  # noqa: B023
    assert "is a device or a pipe" in refusal(lambda: read(filepath=str(pipe)))
    assert link.is_symlink() and target.read_text() == shut.read_text() == "precious"
    assert write(filepath=str(target)) == {"FINISHED"} and json.loads(target.read_text())["version"] == 1


def test_imported_is_said_of_what_can_be_read_again_only(
    rig: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.json"
    bpy.ops.biped.export_style(filepath=str(file))
    monkeypatch.setattr("blender_biped.preset.own.MAX_FILE", 500)
    assert "MB as a file, and at most" in refusal(lambda: bpy.ops.biped.import_style(filepath=str(file)))
    assert not list(tmp_path.glob("own/klaw/*"))
