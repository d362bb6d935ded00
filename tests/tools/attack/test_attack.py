"""A thousand attacks: each is done, or refused in a message; and what an attack that fails leaves in the report."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.control.registry import presets
from tools.attack import kinds, run
from tools.attack.mutation import mutated, mutated_array, mutated_bytes, mutated_text
from tools.attack.run import Batch, batches
from tools.attack.verdict import FaultError, judged, note_reading
from tools.base.command_table import ATTACKS
from tools.commands import attack

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux' limits of processes")
FIRST = 50_000  # seed: none that the command tries unless it is told to
COUNTS = {
    "job": 180, "preset": 125, "mapping": 100, "motion": 200, "marker": 370, "worker": 6, "scene": 16, "mischief": 3,
    "places": 100, "crafted": 12, "preferences": 8, "world": 12, "reading": 6,
}  # fmt: skip
"""Fewer of those that walk than ``tools.attack.kinds.SHARES`` has: the command tries as many as it is told to."""
SLOW, LONG = {"job", "scene", "mischief", "crafted", "world", "reading"}, pytest.mark.long
FEW = 20  # attacks that may all be taken, or none
IN_BLENDER = ("scene", "mischief", "crafted", "preferences", "reading")
needs_bpy = {kind for kind in IN_BLENDER if importlib.util.find_spec("bpy") is None}


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=LONG) if kind in SLOW else kind for kind in COUNTS])
@pytest.mark.long
def test_every_attack_is_done_or_refused(kind: str) -> None:
    pytest.importorskip("pybullet")
    if kind in needs_bpy:
        pytest.skip("needs Blender as a module")
    found = run.attack([Batch(kind, FIRST, COUNTS[kind])], 1)
    own = found["kinds"][kind]
    assert not own["failures"], "\n".join(run.lines(found))
    assert own["count"] == COUNTS[kind]
    if own["count"] > FEW:  # attacks that are all taken, or none, attack nothing
        assert own["done"] > 0 and (own["refused"] > 0 or kind == "marker")


def test_a_thousand_are_tried() -> None:
    assert sum(COUNTS.values()) >= 1000 and list(COUNTS) == list(ATTACKS) == list(kinds.SHARES) == list(kinds.LIMITS)


# --- what goes wrong is noted ----------------------------------------------------------------------------------------


def outcome(attack: Any, tmp_path: Path) -> tuple[str, str]:
    found = judged("job", attack, 1, tmp_path)
    return found.verdict, found.what


def raising(error: BaseException) -> Any:
    def attack(_rng: Any, _folder: Path) -> str:
        raise error

    return attack


def test_verdicts(tmp_path: Path) -> None:
    assert outcome(lambda rng, folder: "walked", tmp_path) == ("done", "walked")
    said = "job.speed: 101 is out of range."
    assert outcome(raising(DataError(said)), tmp_path) == ("refused", said)
    assert outcome(raising(DataError("No.")), tmp_path)[0] == "failed"
    assert outcome(raising(FaultError("a process is left")), tmp_path) == ("failed", "a process is left")
    verdict, what = outcome(raising(KeyError("speed")), tmp_path)
    assert verdict == "failed" and what.startswith("KeyError (test_attack.py:")


def test_seconds_are_the_processors(tmp_path: Path) -> None:
    def waiting(_rng: Any, _folder: Path) -> str:
        time.sleep(0.2)
        note_reading(0.01)
        note_reading(0.25)
        return "waited"

    def working(_rng: Any, _folder: Path) -> str:
        until = time.process_time() + 0.05
        while time.process_time() < until:
            pass
        return "worked"

    waited, worked = (judged("job", attack, 1, tmp_path) for attack in (waiting, working))
    assert waited.seconds < 0.1 and waited.reading == 0.25
    assert 0.03 < worked.seconds < 0.2 and worked.reading == 0.0
    found = run.report([waited, worked], 0, 1.0)["kinds"]["job"]
    assert found["slowest_s"] == pytest.approx(worked.seconds, abs=0.01) and found["longest_reading_s"] == 0.25


CHILD = """
import json, os, signal, sys, time
kind, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for seed in range(first, first + count):
    print(json.dumps({"begins": seed}), flush=True)
    if seed == 3: os.kill(os.getpid(), signal.SIGSEGV)
    if seed == 5: time.sleep(60)
    if seed == 7: sys.exit("no more")
    ends = {"kind": kind, "seed": seed, "verdict": "refused", "what": "refused", "seconds": 0.1}
    print(json.dumps({"ends": ends, "memory": seed * 2**20}), flush=True)
"""


def test_a_crash_a_hang_and_an_end_are_noted_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tools" / "attack").mkdir(parents=True)
    for place in ("tools/__init__.py", "tools/attack/__init__.py"):
        (tmp_path / place).touch()
    (tmp_path / "tools" / "attack" / "batch.py").write_text(CHILD)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setitem(kinds.LIMITS, "job", 0.3)
    monkeypatch.setattr(run, "KEPT", -1.0)
    monkeypatch.setattr(run, "BUSY", 6.0)
    said: list[str] = []
    kept: list[dict[str, Any]] = []
    found = run.attack([Batch("job", 0, 6), Batch("job", 6, 4)], 2, said.append, kept.append)
    own = found["kinds"]["job"]
    assert (own["count"], own["refused"], own["failed"], found["memory_mb"]) == (10, 7, 3, 9)
    what = {one["seed"]: one["what"] for one in own["failures"]}
    assert what[3] == "the process was ended by SIGSEGV" and what[5].startswith("not done after")
    assert what[7] == "the process ended with code 1: no more"
    assert len(said) == 2 and kept[-1] == found and "3 FAILED" in "\n".join(run.lines(found))
    assert len(kept) == 11 and kept[0]["count"] < 10  # so that nothing is lost where it is stopped


def test_the_command_writes_a_report_and_fails_with_an_attack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attack.main(["--only", "marker", "--count", "5", "--seed", "7", "--jobs", "1", "--out", str(tmp_path)]) == 0
    written = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert written["count"] == 5 and written["kinds"]["marker"]["first_seed"] == 7 and written["failed"] == 0
    assert "5 attacks in" in capsys.readouterr().out
    monkeypatch.setattr(run, "attack", lambda *_: {**written, "failed": 1})
    assert attack.main(["--only", "marker", "--count", "5", "--out", str(tmp_path)]) == 1


def test_attacks_are_shared_out_by_their_shares() -> None:
    found = batches(["job", "motion"], 1000, 5)
    assert sum(b.count for b in found) == 1000 and found[0] == Batch("job", 5, 200)
    assert sum(b.count for b in found if b.kind == "motion") == round(1000 * 0.12 / 0.52)
    assert batches(["worker"], 1, 9) == [Batch("worker", 9, 1)]


# --- mutations -------------------------------------------------------------------------------------------------------


def test_a_seed_is_always_the_same_mutation_and_the_data_stay() -> None:
    data = presets("simbicon")[0].as_json()
    before = json.dumps(data)

    def made(seed: int) -> str:
        rng = np.random.default_rng(seed)
        text = repr(mutated(data, rng)) + repr(mutated_text("{1.5}", rng)) + repr(mutated_bytes(b"x" * 99, rng))
        return text + repr(mutated_array(np.ones((3, 2)), rng))

    texts = [made(seed) for seed in range(40)]
    assert texts == [made(seed) for seed in range(40)] and len(set(texts)) > 35
    assert json.dumps(data) == before


def test_another_system_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert attack.main(["--out", str(tmp_path / "out")]) == 2
    assert "needs Linux" in capsys.readouterr().err and not (tmp_path / "out").exists()
