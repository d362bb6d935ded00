"""The bench: that its parts are the whole, that its limit is the same walk, and what it understands. Never a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from blender_biped import simulate as simulation
from blender_biped.base.errors import DataError
from blender_biped.control.generalized.walk import GeneralizedWalk
from blender_biped.control.registry import kinds
from blender_biped.control.shared.clock import CONTROL_STEP
from blender_biped.control.shared.steering import Steering
from blender_biped.job import Job
from blender_biped.motion.motion import RATE
from blender_biped.motion.similarity import similarity
from blender_biped.physics.engine import Engine
from tools.commands import bench

STEPS = round(1.0 / RATE / CONTROL_STEP)  # of control, to a sample of motion
PATCHED = (Engine, GeneralizedWalk, Steering, simulation._Recorder)


def methods() -> list[dict[str, object]]:
    """Return what the patched classes have now."""
    return [dict(owner.__dict__) for owner in PATCHED]


@pytest.fixture(scope="module")
def job() -> Job:
    return bench._job(1.5)  # the first step, with a foot in the air


@pytest.fixture(scope="module")
def recording(job: Job) -> bench.Recording:
    return bench.recorded(job)


def is_in(engine: Engine, recording: bench.Recording, sample: int) -> bool:
    """Return whether an engine's body is exactly where a motion has it, whose rotations have their signs made even."""
    engine.state()
    root, rotations = engine.pose()
    motion = recording.motion
    root = root * similarity(recording.job).length
    wanted = motion.rotations[sample]
    signs = np.sign((rotations * wanted).sum(axis=1))[:, None]
    return np.array_equal(root, motion.root[sample]) and np.array_equal(signs * rotations, wanted)


# --- what is measured --------------------------------------------------------------------------------------------


def test_parts_add_up_to_the_whole(job: Job) -> None:
    before = methods()
    split = bench.split_of(replace(job, duration=0.3), repeats=1)
    assert methods() == before
    assert set(split.parts) == {*bench.TIMED, bench.REST}
    assert sum(split.parts.values()) == pytest.approx(split.whole)
    assert all(value >= 0.0 for value in split.parts.values())
    assert split.simulated_s == pytest.approx(0.3, abs=0.01)
    assert split.steps == round(split.simulated_s / CONTROL_STEP)  # three to a sample, as for the reference body


def test_every_controller_can_be_taken_apart() -> None:
    assert set(bench.CONTROLLERS) == {kind.name for kind in kinds() if kind.controller}  # which steps no physics


def test_a_recorded_walk_is_the_walk_itself(job: Job, recording: bench.Recording) -> None:
    plain = simulation.simulate(job)
    assert np.array_equal(plain.root, recording.motion.root)
    assert np.array_equal(plain.rotations, recording.motion.rotations)


def test_replayed_torques_give_the_same_motion_bit_for_bit(job: Job, recording: bench.Recording) -> None:
    motion, seen = recording.motion, 0
    assert motion.loads.min() == 0.0  # it steps
    with recording.engine() as engine:
        for count in bench.replayed(engine, recording):
            if count % (30 * STEPS) == 0:
                assert is_in(engine, recording, count // STEPS)
                seen += 1
    assert seen == 6


def test_a_replay_that_reads_nothing_ends_in_the_same_state(job: Job, recording: bench.Recording) -> None:
    with recording.engine() as engine:
        *_, last = bench.replayed(engine, recording)
        assert last == STEPS * (len(recording.motion.times) - 1)
        assert is_in(engine, recording, -1)


def test_patches_are_undone_when_the_walk_fails(job: Job) -> None:
    before = methods()
    broken = replace(job, preset=replace(job.preset, values={}))
    with pytest.raises(DataError):
        bench.recorded(broken)
    with pytest.raises(DataError):
        bench._clocked(broken, bench.ClockCost(0.0, 0.0))
    with pytest.raises(KeyError), bench.patched([(Engine, "step", lambda m: None), (Engine, "nothing", lambda m: m)]):
        pytest.fail("there is nothing to patch")
    assert methods() == before


def test_a_timed_function_within_another_belongs_to_that() -> None:
    clocks = bench.Clocks()
    inner = clocks.on("reading")(lambda x: 2 * x)
    outer = clocks.on("control")(lambda x: inner(x) + 1)
    assert outer(3) == 7 and inner(4) == 8
    assert (clocks.calls["control"], clocks.calls["reading"]) == (1, 1)


def test_walks_one_after_another_are_summed(job: Job) -> None:
    short = replace(job, duration=0.1)
    found = bench.walks_of([short, replace(short, seed=1)])
    assert found.outcomes == ("time", "time") and found.simulated_s == pytest.approx(0.2)
    assert found.memory_mb is None or found.memory_mb > 1.0


@pytest.mark.parametrize("count", [18, 20, 40])
def test_bones_are_mapped_to_what_they_hang_on(job: Job, count: int) -> None:
    links = job.character.links
    parents = {k.bones[0]: links[k.parent].bones[0] if k.parent >= 0 else "" for k in links}
    parents |= {f"finger {i}": "hand.L" if i == 0 else f"finger {i - 1}" for i in range(count - len(links))}
    found = bench.with_bones(job.character, parents, count)
    assert sum(len(k.bones) for k in found.links) == count
    hand = found.links[found.index("hand.L")].bones
    assert hand == ("hand.L", *(f"finger {i}" for i in range(count - len(links))))
    with pytest.raises(ValueError, match="cannot be mapped"):
        bench.with_bones(job.character, parents, count + 1)


def test_bakes_are_measured_by_bones_and_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    bpy = pytest.importorskip("bpy")
    monkeypatch.setattr(bench, "_RIG_WALK", 0.2)
    costs = bench.bake_costs((20, 30), (40,), repeats=1)
    assert [(c.bones, c.frames) for c in costs] == [(20, 40), (30, 40)]
    assert costs[0].keys >= 20 * 4 * 40 and costs[1].keys > costs[0].keys
    assert not bpy.data.actions
    bpy.ops.wm.read_factory_settings(use_empty=True)


# --- the command -------------------------------------------------------------------------------------------------


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return which parts were measured, none of them in earnest."""
    done: list[str] = []

    def part(name: str) -> bench.Section:
        done.append(name)
        return bench.Section([{"figure": 1.5}], {f"{name}: cost": 2.0}, [f"figures of {name}"])

    parts = {name: (what, lambda name=name: part(name)) for name, (what, _) in bench.PARTS.items()}
    monkeypatch.setattr(bench, "PARTS", parts)
    return done


def result(folder: Path) -> Mapping[str, object]:
    found: Mapping[str, object] = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    return found


def test_all_parts_are_measured_and_written(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(["--out", str(tmp_path / "a b")]) == 0
    assert measured == ["split", "length", "characters", "worker", "bake", "preview"]
    assert "figures of bake" in capsys.readouterr().out
    written = result(tmp_path / "a b")
    assert written["version"] == 1 and written["split"] == [{"figure": 1.5}]
    assert written["ratios"] == {f"{name}: cost": 2.0 for name in bench.PARTS}


def test_only_some_parts(measured: list[str], tmp_path: Path) -> None:
    assert bench.main(["--only", "bake,split,bake", "--out", str(tmp_path)]) == 0
    assert measured == ["bake", "split"]
    assert "length" not in result(tmp_path)


def test_an_unknown_part_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        bench.main(["--only", "split,sped"])
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert "'sped'" in said and all(part in said for part in bench.PARTS)


def test_an_older_result_is_compared_by_ratios(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.json"
    old.write_text(json.dumps({"version": 1, "ratios": {"split: cost": 1.6, "gone: cost": 1.0}}))
    assert bench.main(["--only", "split,bake", "--out", str(tmp_path), "--compare", str(old)]) == 0
    said = capsys.readouterr().out
    assert "+25 %" in said and "gone" not in said and "bake: cost" not in said


@pytest.mark.parametrize("text", ["{", '{"version": 2, "ratios": {}}', '{"version": 1, "ratios": {"a": "b"}}'])
def test_a_file_that_cannot_be_compared_with_is_refused_before_anything_is_measured(
    text: str, measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.json"
    old.write_text(text)
    assert bench.main(["--out", str(tmp_path), "--compare", str(old)]) == 2
    assert "old.json" in capsys.readouterr().err and not measured


def test_a_folder_that_cannot_be_written_is_told(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    assert bench.main(["--only", "bake", "--out", str(tmp_path / "taken")]) == 2
    assert "taken" in capsys.readouterr().err
