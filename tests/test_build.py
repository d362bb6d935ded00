# SPDX-License-Identifier: GPL-3.0-or-later
"""build.py: what it understands, and which Python it goes on with. Nothing is installed here."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import build
from tools.base import command_table
from tools.base.command_line import Subcommand
from tools.base.command_table import COMMANDS
from tools.bench import parts as bench_parts
from tools.commands import trials
from tools.demo.walk import SPEED
from tools.measure import selection
from tools.scene.files import ARMATURE_FILES
from tools.scene.paths import SHAPES
from tools.setup import blenders, environment, interpreters
from tools.setup.interpreters import Interpreter

ROOT = Path(build.__file__).resolve().parent


def test_actions_of_workflows_are_pinned_by_their_commits() -> None:
    """A tag can be moved to other code."""
    files = sorted((ROOT / ".github").rglob("*.y*ml"))
    used = [line for file in files for line in file.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert used and not [
        line for line in used if not re.search(r"uses: [\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line)
    ]


def test_demo_hands_its_options_on() -> None:
    command, python, rest = build.understood(["--python", "3.13", "demo", "--speed", "0.9", "--out", "a b"])
    assert (command.name, python, rest) == ("demo", "3.13", ["--speed", "0.9", "--out", "a b"])


def test_measure_hands_on_flags_and_what_is_given_again() -> None:
    given = ["--push", "--only", "path=turn", "--quick", "--only", "speed=1", "--jobs", "2"]
    rest = build.understood(["measure", *given])[2]
    assert rest == given
    assert build.understood(["measure"])[2] == []


def test_the_python_may_follow_the_command() -> None:
    assert build.understood(["test", "--python", "3.11"])[1:] == ("3.11", [])


def test_options_of_pytest_pass_through() -> None:
    rest = build.understood(["test", "-k", "path and not bvh", "-x", "tests/world", "--pdb"])[2]
    assert rest == ["-k", "path and not bvh", "-x", "tests/world", "--pdb"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["walk"], "invalid choice: 'walk'"),
        (["demo", "--sped", "1"], "demo does not know --sped 1"),
        (["measure", "--quick", "fast"], "measure does not know fast"),
        (["measure", "--only"], "expected one argument"),
        (["package", "extra"], "package does not know extra"),
        (["demo", "--sped", "1"], "Did you mean --speed?"),
        (["bench", "--compar=old.json"], "Did you mean --compare?"),
        (["demo", "--speed", "fast"], "invalid float value: 'fast'"),
        (["measure", "--jobs", "0"], "give a number from 1 to 10000"),
        (["bench", "--only", "walks"], "there is no 'walks'; choose of split, length"),
        (["package", "--platform", "windows"], "there is no 'windows'; choose of windows-x64, macos-arm64"),
        (["author"], "GAIT"),
        (["--quick", "measure"], "COMMAND"),
        (["test", "--python", "3.12"], "3.13"),
    ],
)
def test_what_is_not_understood_is_named(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        build.understood(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_says_the_same_by_itself(command: Subcommand, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"tools.commands.{command.name}")
    for arguments in (["--help"], ["--out"]):
        said = []
        for run in (build.main, module.main):
            before = [command.name] if run is build.main else []
            if arguments == ["--out"] and (not command.options or command.rest):
                continue
            with pytest.raises(SystemExit):
                run([*before, *arguments])
            said.append("".join(capsys.readouterr()))
        assert len(set(said)) <= 1
        assert all(f"usage: build.py {command.name}" in text for text in said)


def test_a_command_is_a_module_and_a_module_a_command() -> None:
    modules = {file.stem for file in (ROOT / "tools" / "commands").glob("*.py")} - {"__init__"}
    assert modules == {command.name for command in COMMANDS}


def test_the_help_names_all_that_there_is() -> None:
    assert set(command_table.BENCH_PARTS) == set(bench_parts.PARTS)
    assert list(command_table.BLENDERS) == list(blenders.BLENDERS)
    assert set(command_table.TRIAL_PARTS) == set(trials.SOURCES)
    for command, flag, names in (
        ("demo", "--armature", ARMATURE_FILES),
        ("demo", "--path", SHAPES),
        ("demo", "--speed", [f"{SPEED:g}"]),
        ("measure", "--only", selection.KEYS),
        ("bench", "--only", bench_parts.PARTS),
        ("trials", "--only", trials.SOURCES),
    ):
        options = next(c for c in COMMANDS if c.name == command).options
        explained = next(option for option in options if option.flag == flag).explained
        assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", explained)] == []


def test_a_command_line_needs_nothing_but_python(tmp_path: Path) -> None:
    for arguments, code in ((["bench", "--help"], 0), (["demo", "--sped", "1"], 2)):
        done = subprocess.run(
            [sys.executable, "-I", "-S", ROOT / "build.py", *arguments], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == code, done.stderr
        assert "usage: build.py" in done.stdout + done.stderr


def test_every_command_has_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        build.understood(["--help"])
    assert end.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    for command in COMMANDS:
        assert f"{command.name} {command.what}" in said


def test_a_command_speaks_utf_8_wherever_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, str] = {}

    def call(_: object, env: dict[str, str]) -> int:
        given.update(env)
        return 3

    monkeypatch.setattr(environment, "ready", lambda: Path("python"))
    monkeypatch.setattr(subprocess, "call", call)
    assert build.main(["bench"]) == 3
    assert given["PYTHONUTF8"] == "1" and given["PYTHONPATH"].split(os.pathsep)[0] == str(ROOT)


@pytest.mark.parametrize(("chosen", "running"), [("", "3.11"), ("", "3.13"), ("3.13", "3.13")])
def test_a_fitting_python_goes_on_itself(chosen: str, running: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "find", lambda version: pytest.fail("nothing to look for"))
    assert build.fitting_python(chosen, running) == ""


@pytest.mark.parametrize(
    ("chosen", "running", "there", "taken"),
    [
        ("", "3.8", {"3.11": "a", "3.13": "b"}, "a"),
        ("", "3.12", {"3.13": "b"}, "b"),
        ("3.13", "3.11", {"3.11": "a", "3.13": "b"}, "b"),
    ],
)
def test_another_python_is_found(
    chosen: str, running: str, there: dict[str, str], taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreters, "find", there.get)
    assert build.fitting_python(chosen, running) == taken


@pytest.mark.parametrize(("chosen", "named"), [("", "Python 3.11 or 3.13"), ("3.13", "Python 3.13 and")])
def test_no_python_says_which_to_install(chosen: str, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "find", lambda version: None)
    with pytest.raises(SystemExit, match=named) as end:
        build.fitting_python(chosen, "3.8")
    assert "This is Python 3.8." in str(end.value.code)


def test_each_lane_has_its_blender() -> None:
    pins = environment.requirements(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    for python in build.LANES:
        assert len([pin for pin in pins if pin.startswith("bpy==") and f"python_version == '{python}'" in pin]) == 1


@pytest.mark.parametrize("python", build.LANES)
def test_all_that_is_installed_for_development_is_locked_by_its_hashes(python: str) -> None:
    pins = environment.requirements(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    locked = (ROOT / "tools" / "setup" / f"locked-{python}.txt").read_text(encoding="utf-8")
    assert not environment.unlocked(pins, locked, python) and "://" not in locked
    blocks = re.split(r"(?m)^(?=[^\s#])", locked)[1:]
    assert len(blocks) > 40
    assert all(re.match(r"[\w.-]+==\S+ ", block) and "--hash=sha256:" in block for block in blocks)


def test_a_pin_that_is_not_locked_is_named() -> None:
    locked = "# pytest==9.2.0\npytest==9.2.0 \\\n    --hash=sha256:00\n"
    pins = ["pytest==9.2.0", "numpy", "ruff==1.0; python_version == '3.11'", "bpy==5; python_version == '3.13'"]
    assert environment.unlocked(pins, locked, "3.11") == ["ruff==1.0"]
    assert environment.unlocked(["pytest==9.3.0"], locked, "3.11") == ["pytest==9.3.0"]


def old_pythons() -> list[str]:
    found = (interpreters.find(version) for version in ("3.7", "3.8", "3.9", "3.10"))
    return [path for path in found if path]


def test_an_old_python_gets_as_far_as_the_help(tmp_path: Path) -> None:
    olds = old_pythons()
    if not olds:
        pytest.skip("no Python older than 3.11 here")
    for python in olds:
        done = subprocess.run([python, ROOT / "build.py", "--help"], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "demo" in done.stdout


def test_an_old_python_without_a_fitting_one_says_so(tmp_path: Path) -> None:
    olds = old_pythons()
    if not olds:
        pytest.skip("no Python older than 3.11 here")
    done = subprocess.run(
        [olds[0], ROOT / "build.py", "test"],
        capture_output=True, text=True, env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1
    assert "Install Python 3.11 or 3.13" in done.stderr


# --- interpreters ------------------------------------------------------------------------------------------------


def made(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).touch()
    return str(folder / name)


def test_a_shim_that_fails_is_passed_over(tmp_path: Path) -> None:
    name = "python3.13.exe" if os.name == "nt" else "python3.13"
    shim, real = made(tmp_path / "shims", name), made(tmp_path / "bin", name)
    path = os.pathsep.join((str(tmp_path / "shims"), str(tmp_path / "bin")))
    answers = {shim: None, real: Interpreter("3.13", "the real one")}
    found = interpreters.find("3.13", {"PATH": path}, tmp_path, lambda command: answers[command[0]])
    assert found == "the real one"


def test_a_python_of_another_version_is_passed_over(tmp_path: Path) -> None:
    made(tmp_path, "python3")
    assert interpreters.find("3.13", {"PATH": str(tmp_path)}, tmp_path, lambda c: Interpreter("3.12", c[0])) is None


def test_pyenv_is_looked_into(tmp_path: Path) -> None:
    python = made(tmp_path / ".pyenv/versions/3.13.0/bin", "python3.13")
    assert list(interpreters.candidates("3.13", {"PATH": ""}, tmp_path, windows=False)) == [[python]]


def test_windows_has_a_launcher(tmp_path: Path) -> None:
    assert ["py", "-3.11"] in list(interpreters.candidates("3.11", {}, tmp_path, windows=True))


def test_a_python_is_asked_for_its_version() -> None:
    found = interpreters.probe([sys.executable])
    assert found
    assert found.version == "{}.{}".format(*sys.version_info[:2])
    assert Path(found.path).samefile(sys.executable)


def test_what_does_not_run_is_no_python(tmp_path: Path) -> None:
    assert interpreters.probe([str(tmp_path / "nothing")]) is None
    false = shutil.which("false")
    if false:
        assert interpreters.probe([false]) is None
