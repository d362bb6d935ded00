"""Measuring a folder of rigs: what is found in it, what becomes of a case, the table, the summary and the sheets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import image

from blender_biped.base.errors import DataError
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.motion import measures
from blender_biped.world.path import Path as Route
from tests.motion.synthetic import walked
from tools.base.controllers import USUAL
from tools.commands import measure
from tools.rigs import folder, run, sheet, table
from tools.rigs.folder import RigFile

README = """# Rigs

| file | kind | what |
|---|---|---|
| one.blend | biped | a man |
| `two.glb` | negative | a fox |

| other | table |
|---|---|
| three.blend | nothing |
"""


def case(name: str, **figures: Any) -> dict[str, Any]:
    """Return the report of a rig that walked well, but for some figures."""
    good = {
        "armature": "Rig", "stage": "done", "convention": "Rigify metarig", "confidence": 1.0,
        "roles": {"pelvis": ["spine"]}, "missing": [], "doubts": [], "notes": [], "map_s": 0.01, "outcome": "arrived",
        "path_deviation_mean_m": 0.02, "foot_slip_median_mm": 2.0, "bake_error_mm": 0.01, "bake_error_deg": 0.001,
    }  # fmt: skip
    return run.whole(RigFile(Path(name), "", figures.pop("kind", "biped"), None), good | figures)


REFUSED = {"stage": "map", "refusal": "Armature 'Fox' has four legs.", "roles": None, "convention": None,
           "outcome": None}  # fmt: skip


def test_kinds_are_read_from_the_table_of_the_folder(tmp_path: Path) -> None:
    assert folder.kinds(tmp_path) == {}
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    found = folder.kinds(tmp_path)
    assert (found["one.blend"], found["two.glb"]) == ("biped", "negative")
    assert "three.blend" not in found


def test_only_characters_are_taken(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no characters"):
        folder.files(tmp_path)
    for name in ("b.GLB", "a.blend", "notes.txt", "c.vrm"):
        (tmp_path / name).touch()
    assert [p.name for p in folder.files(tmp_path)] == ["a.blend", "b.GLB", "c.vrm"]
    with pytest.raises(DataError, match="cannot be read"):
        folder.files(tmp_path / "nowhere")


def test_a_mapping_file_belongs_to_one_armature(tmp_path: Path) -> None:
    for name in ("man.json", "man.rig.json"):
        (tmp_path / name).touch()
    file = Path("man.blend")
    assert folder.mapping_file(tmp_path, file, "") == tmp_path / "man.json"
    assert folder.mapping_file(tmp_path, file, "rig") == tmp_path / "man.rig.json"
    assert folder.mapping_file(tmp_path, file, "other") is None
    assert folder.mapping_file(None, file, "") is None


def test_every_report_has_all_names(tmp_path: Path) -> None:
    found = case("fox.glb", **REFUSED)
    motion, job = walked(Route([[0.0, 0.0], [3.0, 0.0]]))
    assert set(measures.report(motion, job)) <= set(found)
    assert found["path"] is None
    json.dumps(found, allow_nan=False)


def test_the_summary_counts_what_must_be_shown() -> None:
    cases = [
        case("good.blend"),
        case("slips.blend", foot_slip_median_mm=6.0, skin_torn=True),
        case("fell.blend", outcome="fell"),
        case("off.blend", kind="hard", bake_error_deg=0.2),
        case("broken.blend", kind="rigify", stage="walk", outcome=None, error="Traceback\nKeyError: 'toes.L'"),
        case(
            "unbaked.blend", stage="bake", error="Traceback\nIndexError: gone", bake_error_mm=None, bake_error_deg=None
        ),
        case("gone.blend", stage=None, outcome="crashed", error="ended by SIGSEGV"),
        case("fox.glb", kind="negative", **REFUSED),
        case("wolf.glb", kind="negative"),
        case("kaiju.glb", kind="ambiguous", **REFUSED),
    ]
    lines = table.summary(cases)
    shares = [" ".join(line.split()) for line in lines]
    assert shares[0].startswith("two-legged rigs that are mapped 6 of 7 86 % not: gone.blend")
    assert shares[1].startswith("... and arrive 4 of 7")
    assert "4 of 5" in shares[2]
    assert shares[3].endswith("3 of 5 60 % not: slips.blend, fell.blend")
    assert shares[4].endswith("3 of 5 60 % not: off.blend, unbaked.blend")
    assert shares[5].endswith("with the skin whole 3 of 5 60 % not: slips.blend, fell.blend")
    assert shares[6].endswith("1 of 2 50 % not: wolf.glb")
    assert shares[7] == "unhandled errors 3"
    rows = table.table(cases)
    assert len([line for line in rows if line.startswith(("good", "fox"))]) >= 2
    assert "fox.glb: refused: Armature 'Fox' has four legs." in rows
    assert any(line.startswith("broken.blend: ERROR at walk: KeyError") for line in rows)
    assert table.stories(cases)[:2] == ["broken.blend:", "Traceback\nKeyError: 'toes.L'"]
    colors = {f["rig"]: table.color(f) for f in cases}
    assert colors["good.blend"] == colors["fox.glb"] == colors["kaiju.glb"] != colors["off.blend"]
    assert (
        colors["fell.blend"]
        == colors["broken.blend"]
        == colors["wolf.glb"]
        not in (
            colors["good.blend"],
            colors["off.blend"],
        )
    )


def test_arrivals_are_counted_by_path_and_controller() -> None:
    def walks(controller: str, straight: str, bends: str) -> list[dict[str, Any]]:
        """Walks that arrive, fall, are unfinished; c, o, k: a calmer one, another controller, KLAW in their place."""
        words = {"a": "arrived", "f": "fell", "u": "unfinished", "c": "fell", "k": "fell", "o": "fell"}
        others = {"c": "calmer", "k": "kinematic", "o": "another"}
        return [
            {
                "controller": controller, "path": path, "seed": k, "outcome": words[letter], "fell_at_s": None,
                "fallback": others.get(letter), "baked_outcome": "arrived" if letter in others else words[letter],
            }
            for path, own in (("straight", straight), ("s-curve", bends)) for k, letter in enumerate(own)
        ]  # fmt: skip

    cases = [
        case("good.blend", walks=[*walks(USUAL, "aaa", "aaa"), *walks("klaw", "aaa", "aaa")]),
        case("bends.blend", walks=[*walks(USUAL, "aaa", "afu"), *walks("klaw", "aaa", "aaa")]),
        case("other.blend", walks=[*walks(USUAL, "akk", "oca"), *walks("klaw", "aaa", "aaa")]),
        case("fox.glb", kind="negative", **REFUSED),
    ]
    assert table.arrivals(cases[1], "s-curve") == (1, 3) and table.arrivals(cases[3], "straight") == (0, 0)
    shares = [" ".join(line.split()) for line in table.summary(cases)]
    assert f"... straight, every start ({USUAL}) 2 of 3 67 % not: other.blend" in shares
    assert f"... S-curve, every start ({USUAL}) 1 of 3 33 % not: bends.blend, other.blend" in shares
    assert "... both, every start (klaw) 3 of 3 100 %" in shares
    assert f"... with what the bake falls back on ({USUAL}) 2 of 3 67 % not: bends.blend" in shares
    rows = {line.split(".")[0]: line.split() for line in table.table(cases)}
    assert rows["bends"][8:13] == ["3/3", "1/3", "0", "0", "0"]
    assert rows["other"][8:13] == ["1/3", "1/3", "1", "1", "2"]


def test_large_figures_keep_their_column() -> None:
    (row,) = [line for line in table.table([case("off.blend", bake_error_mm=1.23456e7)]) if line.startswith("off")]
    assert "1.23e+07" in row


def test_the_rest_pose_has_the_links_where_the_bones_are() -> None:
    rig, body = standard_armature(), standard_character()
    origins, rotations = sheet.rest_pose(rig, body)
    for i, link in enumerate(body.links[1:], start=1):
        np.testing.assert_allclose(origins[i], rig.bones[rig.index[link.bones[0]]].head, atol=1e-9)
    np.testing.assert_allclose(origins[0, :2], 0.0, atol=1e-9)  # the mid-hip
    np.testing.assert_allclose(rotations[0, :, 0], (0.0, -1.0, 0.0), atol=1e-9)  # it faces -y


@pytest.mark.long
def test_a_strip_is_drawn_of_what_there_is(tmp_path: Path) -> None:
    rig, (motion, job) = standard_armature(), walked(Route([[0.0, 0.0], [3.0, 0.0]]))
    whole, bones = tmp_path / "whole.png", tmp_path / "bones.png"
    sheet.strip(rig, map_bones(rig), motion.character, motion, job, whole)
    sheet.strip(rig, None, None, None, None, bones)
    seen, less = image.imread(whole), image.imread(bones)
    assert seen.shape[:2] == less.shape[:2] == (sheet.HEIGHT, sheet.WIDTH)
    right = slice(sheet.WIDTH // 2, None)
    assert less[:, right, :3].min() == 1.0  # white where there is no walk
    assert seen[:, right, :3].min() < 0.5
    pages = sheet.sheets([("a", "black", whole), ("b", "red", None), ("c", "black", bones)], tmp_path, "all", 2)
    assert [p.name for p in pages] == ["all-1.png", "all-2.png"]
    assert image.imread(pages[0]).shape[:2] == (2 * sheet.HEIGHT, sheet.WIDTH)


@pytest.mark.long
def test_a_folder_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bpy = pytest.importorskip("bpy")
    from tests.blender.scenes import make_rig

    rigs, out = tmp_path / "rigs", tmp_path / "out"
    rigs.mkdir()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    make_rig("Man")
    lone = bpy.data.objects.new("Stick", bpy.data.armatures.new("Stick"))
    bpy.context.scene.collection.objects.link(lone)
    bpy.ops.wm.save_as_mainfile(filepath=str(rigs / "man.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    (rigs / "broken.glb").write_text("no model", encoding="utf-8")
    (rigs / "README.md").write_text("| file | kind |\n|---|---|\n| broken.glb | negative |\n", encoding="utf-8")
    before = {p: p.read_bytes() for p in rigs.iterdir()}
    assert measure.main(["--rigs", str(rigs), "--out", str(out), "--jobs", "1", "--seeds", "1"]) == 0
    report = json.loads((out / "rigs.json").read_text(encoding="utf-8"))
    broken, man, stick = report["cases"]
    assert report["version"] == 1
    assert (man["armature"], man["outcome"], man["stage"]) == ("Man", "arrived", "done")
    assert man["bake_error_mm"] < 0.1
    assert len(man["roles"]) == 18
    assert [(w["path"], w["seed"]) for w in man["walks"]] == [(p, k) for p in ("straight", "s-curve") for k in (0, 1)]
    assert all(walk["outcome"] == walk["baked_outcome"] == "arrived" for walk in man["walks"])
    assert man["torn_edges"] is None and man["bends_lowest_skin_mm"] is None  # it has no skin
    assert (broken["kind"], broken["stage"]) == ("negative", "open")
    assert "cannot read" in broken["refusal"]
    assert stick["armature"] == "Stick"
    assert "no bones" in stick["refusal"]
    assert (out / "rigs-1.png").is_file()
    assert {p: p.read_bytes() for p in rigs.iterdir()} == before
    said = capsys.readouterr().out
    assert "unhandled errors" in said
    assert "man.blend.Stick: refused" in said
    # Nothing is done again.
    assert measure.main(["--rigs", str(rigs), "--out", str(out), "--jobs", "1", "--seeds", "1"]) == 0
    assert "2 of 2 files are taken over from before" in capsys.readouterr().out
