"""Fingerprints: the same in each process for what is the same, another one for whatever differs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blender_biped.base.fingerprint import counting, fingerprint, sources
from blender_biped.character.model import Character
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.registry import presets

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class One:
    number: float
    name: str = ""
    found: dict[str, int] = field(init=False, compare=False, default_factory=dict)


@dataclass(frozen=True)
class Other:
    number: float
    name: str = ""


DIFFERENT: list[Any] = [
    None, True, False, 0, 1, 0.0, -0.0, 1.0, 1.0 + 2.0**-52, "", "0", "1.0", b"", b"0", (), (0.0,), (0.0, 0.0),
    ((), ()),
    ((0.0,), 0.0), ("ab", "c"), ("a", "bc"), np.zeros(2), np.zeros(3), np.zeros((2, 1)), np.zeros(2, dtype=np.float32),
    np.array([0.0, -0.0]), One(1.0), One(1.0, "one"), One(2.0), Other(1.0), float("inf"), float("nan"),
]  # fmt: skip


def test_what_differs_has_another_fingerprint() -> None:
    found = [fingerprint(value) for value in DIFFERENT]
    assert len(set(found)) == len(DIFFERENT) and all(len(one) == 64 for one in found)


def test_what_is_the_same_has_the_same_one() -> None:
    one = One(1.0)
    one.found["left"] = 1  # no field of its value
    assert fingerprint(one) == fingerprint(One(1.0))
    assert fingerprint([1.0, 2.0]) == fingerprint((np.float64(1.0), 2.0))
    assert fingerprint(np.arange(6.0).reshape(2, 3)) == fingerprint(np.asfortranarray(np.arange(6.0).reshape(2, 3)))


@pytest.mark.parametrize("value", [{"a": 1}, object(), One, {1, 2}, np.array([None]), (1, object())])
def test_what_has_no_fingerprint_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="class"):
        fingerprint(value)


def test_each_process_finds_the_same() -> None:
    code = (
        "from blender_biped.base.fingerprint import fingerprint\n"
        "from blender_biped.character.standard import standard_character\n"
        "print(fingerprint(standard_character(), 'walk', 0.1, (1, None)))"
    )
    own = fingerprint(standard_character(), "walk", 0.1, (1, None))
    for _ in range(2):  # with other seeds of hash()
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == own


def test_a_body_is_known_by_all_that_is_declared() -> None:
    body = standard_character()
    first = body.links[3]
    others: list[Character] = [
        replace(body, stand_height=body.stand_height + 1e-15), replace(body, name="another"),
        replace(body, links=body.links[:-1]),
        replace(body, links=(*body.links[:3], replace(first, mass=first.mass + 1e-12), *body.links[4:])),
    ]  # fmt: skip
    assert len({fingerprint(one) for one in (body, *others)}) == 1 + len(others)
    assert fingerprint(replace(body)) == fingerprint(body)


def test_every_style_has_its_own() -> None:
    found = {style.name: read_settings(style.values) for style in presets("natural")}
    styles = {str(own.style): fingerprint(own.style) for own in found.values()}
    assert len(set(styles.values())) == len(styles) > 10


def test_sources_are_known_by_their_names_and_their_content(tmp_path: Path) -> None:
    (tmp_path / "room" / "inner").mkdir(parents=True)
    for file in ("room/one.py", "room/inner/two.py", "three.py", "room/notes.txt"):
        (tmp_path / file).write_text("x = 1\n", encoding="utf-8")
    rooms = ("room", "three.py")
    before = sources(tmp_path, rooms)
    assert sources(tmp_path, reversed(rooms)) == before
    (tmp_path / "room" / "notes.txt").write_text("other", encoding="utf-8")
    assert sources(tmp_path, rooms) == before
    (tmp_path / "room" / "inner" / "two.py").write_text("x = 2\n", encoding="utf-8")
    changed = sources(tmp_path, rooms)
    (tmp_path / "room" / "inner" / "two.py").rename(tmp_path / "room" / "two.py")
    assert len({before, changed, sources(tmp_path, rooms)}) == 3


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    for room in ("room", "gone", "gone.py"):
        with pytest.raises(OSError, match=r"room|gone"):
            sources(tmp_path, (room,))


def test_who_counts_otherwise_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    before = counting()
    assert counting() == before
    monkeypatch.setattr(np, "__version__", "0.0.1")
    assert counting() != before
    monkeypatch.undo()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Another")
    assert counting() != before
