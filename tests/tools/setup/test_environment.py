# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment's stamp, and what is said where a system library is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.setup import blenders, environment, wheels
from tools.setup.steps import SetupError, environment_python, run

PINS = ["bpy==4.5.15", "pybullet-arm64==3.2.8"]
# What the loader and ldd say, from a system without these libraries.
IMPORT_ERROR = "ImportError: libXi.so.6: cannot open shared object file: No such file or directory"
LDD = """
	libX11.so.6 => /lib/x86_64-linux-gnu/libX11.so.6 (0x00007f23009a1000)
	libXi.so.6 => not found
	libstdc++.so.6 => not found
	libodd-1.so.2 => not found
"""


@pytest.fixture
def complete(tmp_path: Path) -> tuple[Path, Path]:
    """Return the Python and the stamp of an environment that was completed."""
    python, stamp = environment_python(tmp_path), tmp_path / "installed.txt"
    python.parent.mkdir(parents=True)
    python.touch()
    stamp.write_text(environment.lines(PINS))
    return python, stamp


def test_a_complete_environment_is_used_again(complete: tuple[Path, Path]) -> None:
    assert environment.is_current(*complete, PINS)


def test_other_pins_make_it_again(complete: tuple[Path, Path]) -> None:
    assert not environment.is_current(*complete, ["bpy==4.5.16", "pybullet-arm64==3.2.8"])
    assert not environment.is_current(*complete, PINS[:1])


def test_a_half_made_one_is_made_again(complete: tuple[Path, Path]) -> None:
    python, stamp = complete
    stamp.unlink()
    assert not environment.is_current(python, stamp, PINS)


def test_one_whose_python_is_gone_is_made_again(complete: tuple[Path, Path]) -> None:
    python, stamp = complete
    python.unlink()
    python.symlink_to(python.parent / "removed")
    assert not environment.is_current(python, stamp, PINS)


def test_ready_stamps_only_what_was_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def make(folder: Path, pins: list[str]) -> None:
        made.append(folder)
        environment_python(folder).parent.mkdir(parents=True, exist_ok=True)
        environment_python(folder).touch()
        if len(made) == 1:
            raise SetupError("the power went")

    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["pybullet-arm64"]\n[dependency-groups]\ndev = ["bpy==4.5.15"]\n'
    )
    monkeypatch.setattr(environment, "make", make)
    monkeypatch.setattr(environment, "check_blender", lambda python: None)
    with pytest.raises(SetupError, match="power"):
        environment.ready(tmp_path)
    python = environment.ready(tmp_path)
    assert environment.ready(tmp_path) == python
    assert made == [tmp_path / ".venv" / "{}.{}".format(*sys.version_info[:2])] * 2


def test_a_missing_library_is_checked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is installed the command goes on, without making the environment again."""
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = []\n[dependency-groups]\ndev = ["bpy==4.5.15"]\n'
    )
    checks = iter([SetupError("libXi.so.6"), None])
    made: list[Path] = []

    def make(folder: Path, pins: list[str]) -> None:
        made.append(folder)
        environment_python(folder).parent.mkdir(parents=True)
        environment_python(folder).touch()

    def check(python: Path) -> None:
        wrong = next(checks)
        if wrong:
            raise wrong

    monkeypatch.setattr(environment, "make", make)
    monkeypatch.setattr(environment, "check_blender", check)
    with pytest.raises(SetupError, match="libXi"):
        environment.ready(tmp_path)
    environment.ready(tmp_path)
    environment.ready(tmp_path)
    assert len(made) == 1


def test_missing_libraries_are_read_from_the_loader_and_from_ldd() -> None:
    assert environment.missing_libraries(IMPORT_ERROR) == {"libXi.so.6"}
    assert environment.missing_libraries(LDD) == {"libXi.so.6", "libstdc++.so.6", "libodd-1.so.2"}
    assert environment.missing_libraries("ImportError: no module named bpy") == set()


def test_missing_libraries_come_with_their_packages() -> None:
    said = environment.missing_message(environment.missing_libraries(LDD))
    assert "libXi.so.6, libodd-1.so.2, libstdc++.so.6" in said
    assert "sudo apt install libxi6 libstdc++6\n" in said
    assert "sudo dnf install libXi libstdc++\n" in said
    assert "libodd-1.so.2: find its package" in said


def test_only_unknown_libraries_name_no_package() -> None:
    assert "apt install" not in environment.missing_message(["libodd.so.2"])


@pytest.mark.parametrize("blender", ["", *blenders.BLENDERS])
def test_every_library_that_bpy_takes_from_the_system_is_known(blender: str) -> None:
    python = Path(sys.executable)
    if blender:
        python = environment_python(environment.ROOT / ".venv" / f"blender-{blender}")
    said = environment.linked(python) if python.exists() else ""
    if not said:
        pytest.skip("no ldd, or no bpy in this environment")
    bundled = str(python.parents[1])
    outside = {line.split()[0] for line in said.splitlines() if "=>" in line and bundled not in line}
    basic = {"libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1", "libutil.so.1"}  # glibc
    inner = {"libGLX.so.0", "libGLdispatch.so.0", "libXau.so.6", "libXdmcp.so.6", "libbsd.so.0", "libmd.so.0"}
    assert outside - basic - inner <= set(environment.PACKAGES)  # inner: the packages of the others bring them


@pytest.mark.skipif(os.name != "posix", reason="needs a script as a program")
def test_a_blender_that_does_not_start_is_explained(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\necho '{IMPORT_ERROR}' >&2\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(SetupError, match=r"libXi\.so\.6\. Install them:\n  Debian, Ubuntu: sudo apt install libxi6"):
        environment.check_blender(python)


def test_a_failed_command_shows_the_end_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = "print('\\n'.join(map(str, range(100)))); raise SystemExit(3)"
    with pytest.raises(SetupError, match=r"(?s)Trying failed with exit code 3.*\n98\n99$") as error:
        run([sys.executable, "-c", script], log, "Trying")
    assert "\n50\n" not in str(error.value)
    assert "\n50\n" in log.read_text()


def test_a_long_command_shows_that_it_is_alive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run([sys.executable, "-c", "import time; time.sleep(0.3)"], tmp_path / "log", "Waiting", beat=0.1)
    assert capsys.readouterr().out.count("still running") >= 1


def test_an_interrupted_command_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupt(process: subprocess.Popen[bytes], began: float, beat: float) -> int:
        started.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr("tools.setup.steps.patient_exit_code", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path / "log", "Waiting")
    assert started[0].poll() is not None


def test_the_wheel_cache_is_out_of_the_repository() -> None:
    assert "/.cache/\n" in (environment.ROOT / ".gitignore").read_text()
    assert wheels.CACHE == environment.ROOT / ".cache" / "wheels"
