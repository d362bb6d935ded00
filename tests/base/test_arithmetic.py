"""The same code of numpy on many processors: what is chosen, and where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tools
from blender_biped.base import arithmetic

ROOT = Path(tools.__file__).parents[1]
NAMES = (*arithmetic.THREADS, *arithmetic.AVX2)


@pytest.mark.parametrize(
    ("flags", "has"),
    [
        ("fpu sse2 fma avx avx2 avx512f", True),
        ("fpu sse2 fma avx avx2", True),
        ("fpu sse2 avx", False),
        ("fpu sse2 avx2_other fma", False),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows is asked in another way")
def test_the_processor_is_known_by_its_flags(
    flags: str, has: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t:\n", encoding="ascii")
    monkeypatch.setattr(arithmetic, "PROCESSORS", str(tmp_path / "cpuinfo"))
    assert arithmetic.has_avx2() is has


def test_windows_is_asked_for_what_the_processor_has(monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes

    asked: list[int] = []

    class Kernel:
        @staticmethod
        def IsProcessorFeaturePresent(number: int) -> int:  # noqa: N802 (Windows' own name)
            asked.append(number)
            return 1

    class Windows:
        kernel32 = Kernel

    monkeypatch.setattr(ctypes, "windll", Windows, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert arithmetic.has_avx2() is True
    assert asked == [40]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows is asked in another way")
@pytest.mark.parametrize("text", ["Features\t: fp asimd\n", None])
def test_other_processors_keep_their_own_code(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text is not None:
        (tmp_path / "cpuinfo").write_text(text, encoding="ascii")
    monkeypatch.setattr(arithmetic, "PROCESSORS", str(tmp_path / "cpuinfo"))
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    arithmetic.make_reproducible()
    assert [os.environ.get(name) for name in NAMES] == ["1", "1", "1", None, None]


CODE = """
import os, sys, warnings
{first}
assert "numpy" not in sys.modules
print([os.environ.get(name) for name in {names!r}])
import numpy
print(numpy.linalg.solve(numpy.eye(3) + 1.0, numpy.ones(3)).sum())
"""
FIRST = ("import tools", "from blender_biped.base.arithmetic import make_reproducible; make_reproducible()")


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("all_warnings", [False, True])
def test_it_is_chosen_before_numpy_and_nothing_is_said(first: str, all_warnings: bool) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, *(["-W", "default"] if all_warnings else []), "-c", CODE.format(first=first, names=NAMES)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    own = list(arithmetic.AVX2.values()) if arithmetic.has_avx2() else [None, None]
    assert done.stdout.splitlines() == [str(["1", "1", "1", *own]), "0.75"]
