"""All that is written: killed, or out of disk, at each single write, the old file is whole and what is read is one."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.files import write_whole
from blender_biped.character.mapping import RigMap, read_rig_map, write_rig_map
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.company import Companion, Company, read_work, write_work
from blender_biped.control import registry
from blender_biped.control.registry import own_style, preset, write_own_style
from blender_biped.job import Job, read_job, write_job
from blender_biped.motion.bvh import write_bvh
from blender_biped.motion.clip import read_bvh
from blender_biped.motion.motion import Motion, read_motion, read_part, write_motion, write_part
from blender_biped.preset import own
from blender_biped.preset.preset import Preset
from blender_biped.world.path import Path as Way
from tests.marks import long_but
from tests.motion.synthetic import Walk, walked
from tools.attack.disk import Disk, full, killed_at, writing_on

Writer = Callable[[Path], Any]
WAY = Way([[0.0, 0.0], [3.0, 0.0]])


@cache
def _motion() -> Motion:
    return walked(WAY, Walk(), standard_character())[0].part(0, 4)


@cache
def _style() -> Preset:
    return replace(preset("klaw", "stroll"), name="mine", label="Mine")


@cache
def _job() -> Job:
    return Job(_motion().character, WAY, preset("klaw", "stroll"))


@cache
def _rig_map() -> RigMap:
    return map_bones(standard_armature())


@cache
def _company() -> Company:
    return Company((Companion(replace(_job(), preset=preset("natural", "default"))),))


WRITERS: dict[str, tuple[Writer, Writer]] = {
    "style": (lambda file: write_own_style(file, _style()), own_style),
    "picture": (lambda file: write_whole(file, b"png" * 9000), Path.read_bytes),
    "mapping": (lambda file: write_rig_map(file, _rig_map()), read_rig_map),
    "job": (lambda file: write_job(_job(), file), read_job),
    "company": (lambda file: write_work(_company(), file), read_work),
    "motion": (lambda file: write_motion(_motion(), file), read_motion),
    "part": (lambda file: write_part(_motion(), file), lambda file: read_part(file, _motion().character)),
    "bvh": (lambda file: write_bvh(_motion(), file), read_bvh),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.json"


def _old(file: Path, what: str) -> bytes:
    WRITERS[what][0](file)
    return file.read_bytes()


@pytest.mark.parametrize("what", WRITERS)
def test_out_of_disk_at_each_write_the_old_file_is_whole(what: str, file: Path) -> None:
    before, write = _old(file, what), WRITERS[what][0]
    for at in range(1, 1000):
        with writing_on(Disk(at, full)) as disk:
            try:
                write(file)
            except (OSError, DataError) as error:
                assert os.strerror(errno.ENOSPC) in str(error)
        if disk.count < at:
            break
        if file.read_bytes() != before:  # the file is there; what failed comes after
            assert what in ("motion", "part") and WRITERS[what][1](file)  # their archives have the time in them
        assert list(file.parent.iterdir()) == [file]
    assert at > 5 and WRITERS[what][1](file)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that is killed at a place of one's own")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("what", long_but(list(WRITERS), "style", "picture", "mapping", "job", "company", "bvh"))
def test_killed_at_each_write_the_file_is_the_old_or_the_new_one(what: str, file: Path) -> None:
    before, (write, read) = _old(file, what), WRITERS[what]
    _motion()
    left: set[Path] = set()
    for at in range(1, 1000):
        if not killed_at(at, lambda: write(file)):
            break
        left |= {f for f in file.parent.iterdir() if f != file}
        if file.read_bytes() != before:  # an archive has the time in it
            assert what in ("motion", "part") and read(file)
    assert at > 5 and read(file)
    assert left and list(file.parent.iterdir()) == [file]  # who writes next removes what nobody holds any more


# --- what could not be read again is not written ---------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Styles of few bytes are all that is read."""
    most = 20_000
    monkeypatch.setattr(own, "MAX_FILE", most)
    monkeypatch.setattr(registry, "MAX_FILE", most)
    return most


def _keyed(count: int) -> Preset:
    track = tuple((k / 8.0, 0.125 + k % 7) for k in range(count))
    return replace(_style(), keyed={"attributes.theta2_des": track})


def test_a_style_with_many_keys_is_written_as_short_as_it_came(file: Path, small: int) -> None:
    """Its lines alone would make it twice as large, and then it could not be read any more."""
    data = _keyed(1000).as_json()
    file.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
    assert len(json.dumps(data, indent=1)) > small
    style = own_style(file)
    made = file.with_name("made.json")
    write_own_style(made, style)
    assert own_style(made).keyed == style.keyed and made.stat().st_size <= small


def test_a_style_that_could_not_be_read_again_is_not_written(file: Path, small: int) -> None:
    before = _old(file, "style")
    refused = {
        "MB as a file, and at most": _keyed(3000),
        "could not be read again": replace(_style(), values={**_style().values, "nothing": 1}),
        "no colon": replace(_style(), label="Hero: Walk"),
    }
    for why, style in refused.items():
        with pytest.raises(DataError, match=why):
            write_own_style(file, style)
        assert file.read_bytes() == before


def test_a_mapping_that_could_not_be_read_again_is_not_written(file: Path) -> None:
    before = _old(file, "mapping")
    rig_map = _rig_map()
    many = replace(rig_map, bones={**rig_map.bones, "pelvis": tuple(f"b{k}" for k in range(100_001))})
    for wrong in (many, replace(rig_map, bones={**rig_map.bones, "tentacle": ("a",)})):
        with pytest.raises(DataError):
            write_rig_map(file, wrong)
        assert file.read_bytes() == before
