"""A file of the oldest Blender with its walks: here it shows the same, and is baked again."""

from __future__ import annotations

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_biped
from blender_biped.ui.base.fcurves import SLOTTED
from blender_biped.ui.base.status import status
from tests.blender.in_oldest import PATHS, seen
from tools.base.command_table import BLENDERS, ROOT
from tools.setup.steps import environment_python

OLDEST = BLENDERS[0]
MM = 0.1  # that a bone may be elsewhere, as keys are single numbers of 32 bits


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a file that the oldest Blender has baked walks into, and what is to be seen there."""
    python = environment_python(ROOT / ".venv" / f"blender-{OLDEST}")
    if not python.exists():
        pytest.skip(f"needs Blender {OLDEST}: 'python3 build.py test --blender {OLDEST}' sets it up")
    folder = tmp_path_factory.mktemp("oldest")
    blend, out = folder / "walks.blend", folder / "seen.json"
    own = os.pathsep.join((str(Path(blender_biped.__file__).parents[1]), str(ROOT)))
    script = Path(__file__).with_name("in_oldest.py")
    done = subprocess.run(
        [str(python), "-P", str(script), str(blend), str(out)], env={**os.environ, "PYTHONPATH": own},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert ".".join(str(part) for part in found["blender"][:2]) == OLDEST
    return blend, found


def test_walks_that_the_oldest_blender_baked_are_the_same_here(baked: tuple[Path, dict[str, Any]]) -> None:
    blend, there = baked
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    for name in PATHS:
        here = json.loads(json.dumps(seen(name)))
        assert here["bones"] == there[name]["bones"] and here["lines"] == there[name]["lines"]
        assert len(here["places"]) > 10 and here["places"].keys() == there[name]["places"].keys()
        for frame, places in here["places"].items():
            far = [math.dist(own, old) for own, old in zip(places, there[name]["places"][frame], strict=True)]
            assert 1000.0 * max(far) <= MM
        first, *_, last = there[name]["places"].values()
        assert math.dist(first[-1], last[-1]) > 1.0  # it walks
    hero, twin = (bpy.data.objects[name].animation_data for name in PATHS)
    assert hero.action.name == "Hero Walk" and not twin.action and len(twin.nla_tracks) == 1
    if SLOTTED:
        assert hero.action_slot and twin.nla_tracks[0].strips[0].action_slot


def test_a_walk_of_the_oldest_blender_is_baked_again_in_its_place(baked: tuple[Path, dict[str, Any]]) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(baked[0]))
    actions = sorted(action.name for action in bpy.data.actions)
    for name in PATHS:
        armature = bpy.data.objects[name]
        bpy.context.view_layer.objects.active = armature
        armature.biped.onto = "REPLACE"
        assert bpy.ops.biped.bake_walk() == {"FINISHED"}
        assert "It replaces the last walk" in status.message
    assert sorted(action.name for action in bpy.data.actions) == actions
    assert len(bpy.data.objects["Twin"].animation_data.nla_tracks) == 1
