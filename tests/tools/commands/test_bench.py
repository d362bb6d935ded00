"""The bench's command: what it understands, writes and refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.bench.parts import PARTS
from tools.bench.section import Section
from tools.commands import bench


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return which parts were measured, none of them in earnest."""
    done: list[str] = []

    def part(name: str) -> Section:
        done.append(name)
        return Section([{"figure": 1.5}], {f"{name}: cost": 2.0}, [f"figures of {name}"])

    parts = {name: (what, lambda name=name: part(name)) for name, (what, _) in PARTS.items()}
    monkeypatch.setattr(bench, "PARTS", parts)
    return done


def result(folder: Path) -> Mapping[str, object]:
    found: Mapping[str, object] = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    return found


def test_all_parts_are_measured_and_written(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(["--out", str(tmp_path / "a b")]) == 0
    assert measured == ["split", "length", "characters", "worker", "bake", "preview", "report", "world"]
    assert "figures of bake" in capsys.readouterr().out
    written = result(tmp_path / "a b")
    assert written["version"] == 1 and written["split"] == [{"figure": 1.5}]
    assert written["ratios"] == {f"{name}: cost": 2.0 for name in PARTS if name != "batch"}  # it is on request
    assert bench.main(["--only", "batch", "--out", str(tmp_path)]) == 0 and measured[-1] == "batch"


def test_only_some_parts(measured: list[str], tmp_path: Path) -> None:
    assert bench.main(["--only", "bake,split,bake", "--out", str(tmp_path)]) == 0
    assert measured == ["bake", "split"]
    assert "length" not in result(tmp_path)


def test_an_unknown_part_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        bench.main(["--only", "split,sped"])
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert "'sped'" in said and all(part in said for part in PARTS)


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


def test_a_folder_that_cannot_be_written_is_named(
    measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    assert bench.main(["--only", "bake", "--out", str(tmp_path / "taken")]) == 2
    assert "taken" in capsys.readouterr().err


@pytest.mark.long
def test_what_the_worker_costs_is_measured(tmp_path: Path) -> None:
    assert bench.main(["--only", "worker", "--out", str(tmp_path)]) == 0
    ratios = result(tmp_path)["ratios"]
    assert isinstance(ratios, dict) and ratios and all(ratio > 0.0 for ratio in ratios.values())
