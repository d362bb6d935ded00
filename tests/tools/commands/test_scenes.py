"""Trials in random scenes: the same by their seeds, refused with a reason or walked, a case for each walk."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.trials import scenes

FOUND: list[dict[str, Any]] = [
    {"group": "slope", "seed": 1, "refused": "The ground slopes.", "walks": []},
    {
        "group": "props", "seed": 2, "refused": "",
        "walks": [
            {"name": "props-2-0", "fell": False, "outcome": "arrived"},
            {"name": "props-2-1", "fell": True, "outcome": "fell"},
            {"name": "props-2-2", "fell": False, "outcome": "unfinished"},
        ],
    },
]  # fmt: skip


def test_there_are_sixty_scenes_of_all_kinds() -> None:
    trials = scenes.PARTS["scenes"]()
    assert len(trials) == len({trial.seed for trial in trials}) == 60
    assert {trial.group for trial in trials} == set(scenes.KINDS)
    assert scenes.PARTS["some-scenes"]() == trials[:12]


def test_the_file_has_a_case_for_each_walk_and_each_refusal(tmp_path: Path) -> None:
    scenes.finish(FOUND, tmp_path)
    written = json.loads((tmp_path / "scenes.json").read_text(encoding="utf-8"))
    assert written["version"] == 1
    assert [(case["name"], case["fell"]) for case in written["cases"]] == [
        ("props-2-0", False), ("props-2-1", True), ("props-2-2", False), ("slope-1", None),
    ]  # fmt: skip
    lines = "\n".join(scenes.report_lines("scenes", FOUND))
    assert "1 of 3 walks fell: props-2-1; late: props-2-2" in lines and "refused: The ground slopes." in lines


@pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="needs Blender as a module")
@pytest.mark.long
def test_a_scene_is_the_same_by_its_seed_and_refused_with_a_reason(tmp_path: Path) -> None:
    code = (
        "import json, sys; from pathlib import Path; from tools.trials import scenes; scenes.SEEDS = ();"
        "trials = scenes.PARTS['scenes']();"
        "found = [scenes.run(trial, Path(sys.argv[1])) for trial in (*trials[:12], *trials[:12])];"
        "print('FOUND' + json.dumps(found))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.partition("FOUND")[2].splitlines()[0])
    assert found[:12] == found[12:]
    assert 0 < sum(bool(one["refused"]) for one in found[:12]) < 12
