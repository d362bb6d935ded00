# SPDX-License-Identifier: GPL-3.0-or-later
"""build.py test: every check runs, and each one counts."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from tools.commands import test as checks
from tools.setup import blenders

COMPILING = checks.compiling


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for tests that do not run."""
    monkeypatch.setattr(checks, "compiling", lambda arguments: nullcontext())


@pytest.mark.parametrize(
    ("style", "tested", "code", "said"),
    [(True, True, 0, ""), (False, True, 1, "FAILED: style"), (True, False, 1, "FAILED: tests")],
)
def test_a_failure_is_named_and_does_not_stop_the_rest(
    style: bool, tested: bool, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []

    def passes(name: str, command: Sequence[str]) -> bool:
        ran.append(name)
        return style

    monkeypatch.setattr(checks, "static_checks", lambda: {"style": ["ruff"]})
    monkeypatch.setattr(checks, "passes", passes)
    monkeypatch.setattr(checks, "run_tests", lambda arguments: checks.Tested(tested, f"{' '.join(arguments)} in 3 s"))
    assert checks.main(["-k", "path"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("-k path in 3 s, ") and lines[-1].endswith(" CPU minutes with the checks")
    assert [line for line in lines if line.startswith("FAILED")] == ([said] if said else [])
    assert ran == ["style"]


def test_a_check_shows_its_output_when_it_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert not checks.passes("style", [sys.executable, "-c", "print('line 3 is too long'); raise SystemExit(1)"])
    said = capsys.readouterr().out
    assert "line 3 is too long" in said
    assert "style: FAILED in" in said


def test_a_check_that_passes_is_brief(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.passes("style", [sys.executable, "-c", "print('fine')"])
    assert capsys.readouterr().out.startswith("style: passed in")


@pytest.mark.long
def test_tests_are_compiled_beside_the_checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "test_some.py"
    file.write_text("def test_some():\n    raise AssertionError\n")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path / "kept"))
    with COMPILING([str(file)]):
        pass
    assert list((tmp_path / "kept").rglob("test_some*.pyc"))


def test_everything_is_checked_somewhere() -> None:
    assert {"style", "format", "imports"} <= set(checks.static_checks())
    assert ("types" in checks.static_checks()) == (sys.version_info[:2] == (3, 11))


def test_programs_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = {command[0] for command in checks.static_checks().values()}
    assert all(shutil.which(one) == one for one in programs)
    monkeypatch.setattr(sys, "platform", "win32")
    assert checks.program("ruff") == str(Path(sys.executable).with_name("ruff.exe"))


def test_one_blender_s_tests_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[list[str]] = []

    def tested(arguments: Sequence[str]) -> int:
        taken.append(list(arguments))
        return 3

    monkeypatch.setattr(blenders, "main", tested)
    assert checks.main(["--blender", "4.2", "-k", "bake"]) == 3
    assert taken == [["4.2", *checks.SIDE_BY_SIDE, f"--durations={checks.SLOWEST}", "-k", "bake"]]


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        ([], True),
        (["--long"], False),
        (["--ignore", "tests/docs", "tests/control"], True),
        (["-k", "stairs"], False),
        (["tests/tools/commands/test_test.py"], False),
        (["tests/tools/commands/test_test.py::test_long_ones"], False),
    ],
)
def test_long_ones_are_left_out_where_none_are_picked(
    given: list[str], left_out: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken: list[str] = []

    def run_tests(arguments: Sequence[str]) -> checks.Tested:
        taken.extend(arguments)
        return checks.Tested(True, "3 passed")

    monkeypatch.setattr(checks, "static_checks", dict)
    monkeypatch.setattr(checks, "run_tests", run_tests)
    assert checks.main(given) == 0
    assert (taken[:2] == ["-m", "not long"]) == left_out
    assert taken[2 * left_out :] == [a for a in given if a != "--long"]
    assert ("--long runs them" in capsys.readouterr().out) == left_out


def test_it_ends_with_the_slowest_tests_and_the_processor_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "test_two.py").write_text(
        "import time\n\ndef test_slow():\n    end = time.process_time() + 1.0\n    while time.process_time() < end:\n"
        "        pass\n\ndef test_quick():\n    time.sleep(0.01)\n"
    )
    options = tmp_path / "pytest.ini"
    options.write_text("[pytest]\naddopts = -p no:cacheprovider")
    monkeypatch.setattr(checks, "static_checks", dict)
    monkeypatch.setattr(checks, "SIDE_BY_SIDE", ())
    before = checks.cpu_minutes()
    assert checks.main(["--rootdir", str(tmp_path), "-c", str(options), str(tmp_path / "test_two.py")]) == 0
    lines = capsys.readouterr().out.splitlines()
    (begin,) = (k for k, line in enumerate(lines) if "= slowest " in line)
    assert "test_slow" in lines[begin + 1] and lines.index(next(line for line in lines if "tests: " in line)) < begin
    assert "2 passed" in lines[-1]
    assert lines[-1].endswith(f", {checks.cpu_minutes():.1f} CPU minutes with the checks")
    if sys.platform != "win32":
        assert checks.cpu_minutes() - before > 1.0 / 60.0
