"""Who imports whom, within functions too: the contracts in pyproject.toml say in what order the rooms stand.

And that tests ask for what modules and classes offer, not for what they keep to themselves.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tools.commands.test import program

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("blender_biped", "tools")
REACHED = 10
"""Places of the tests that may reach into private names are fewer than this: a test proves what others can see."""

CONTROL = ROOT / "blender_biped" / "control"
CONTROLLERS = sorted(file.parent.name for file in CONTROL.glob("*/kind.py"))

Imports = dict[str, set[str]]


def module_name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Sources(NamedTuple):
    """What is read of sources: the modules that each module imports, at its top or wherever; their private names."""

    imports: Imports
    private: set[str]


def sources_of(root: Path, packages: tuple[str, ...] = PACKAGES) -> Sources:
    files = {module_name(f, root): f for name in packages for f in sorted((root / name).rglob("*.py"))}
    found = Sources({}, set())
    for name, file in files.items():
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
        found.imports[name] = set(imported(nodes, package, files)) - {name}
        found.private.update(defined_private_names(nodes))
    return found


@cache
def project() -> Sources:
    """Return what is read of the project's sources, once."""
    return sources_of(ROOT)


def imported(nodes: Iterable[ast.AST], package: list[str], known: Mapping[str, Path]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            whole = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:  # a name in a module, or a module in a package
                inner = f"{whole}.{alias.name}"
                yield from [inner] if inner in known else [whole] if whole in known else []


def circle_in(graph: Imports) -> list[str]:
    """Return modules of which each imports the next and the last one the first; none where there is no circle."""
    left = {name: set(others) for name, others in graph.items()}
    while free := [name for name, others in left.items() if not others]:
        for name in free:
            del left[name]
        for others in left.values():
            others.difference_update(free)
    if not left:
        return []
    way = [min(left)]  # all that is left imports something that is left
    while (following := min(left[way[-1]])) not in way:
        way.append(following)
    return way[way.index(following) :]


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_imports_in_a_circle(package: str) -> None:
    own = {name: others for name, others in project().imports.items() if name.partition(".")[0] == package}
    assert len(own) > 50  # it has seen the package
    circle = circle_in({name: others & own.keys() for name, others in own.items()})
    assert not circle, " -> ".join([*circle, circle[0]])


def test_the_package_does_not_import_the_tools() -> None:
    found = project().imports
    assert len(found) > 100 and sum(map(len, found.values())) > 300  # it has seen the imports
    package = {name: others for name, others in found.items() if name.startswith("blender_biped")}
    assert not [name for name, others in package.items() if any(other.startswith("tools") for other in others)]


@pytest.mark.parametrize(
    "importing",
    [
        "from ..b.two import x",
        "from ..b import two",
        "import room.b.two",
        "def f():\n    from room.b import two",
        "class A:\n    def f(self):\n        if True:\n            from ..b.two import x",
    ],
)
def test_a_circle_is_found_however_it_is_imported(tmp_path: Path, importing: str) -> None:
    for name, text in {
        "__init__": "", "a/__init__": "", "b/__init__": "", "a/one": importing, "b/two": "from ..a.one import y",
        "b/three": "from ..a import one",
    }.items():  # fmt: skip
        file = tmp_path / "room" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    found = sources_of(tmp_path, ("room",)).imports
    assert sorted(circle_in(found)) == ["room.a.one", "room.b.two"]
    (tmp_path / "room" / "a" / "one.py").write_text("import os")
    assert circle_in(sources_of(tmp_path, ("room",)).imports) == []


def contract(name: str) -> dict[str, Any]:
    """Return an import contract of the project by its id."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (found,) = (own for own in content["tool"]["importlinter"]["contracts"] if own["id"] == name)
    return found


def test_each_controller_is_in_the_contracts_that_keep_controllers_apart() -> None:
    rooms = {folder.name for folder in CONTROL.iterdir() if (folder / "__init__.py").exists()}
    assert set(CONTROLLERS) == rooms - {"shared"} and len(CONTROLLERS) > 3
    known = {name.removeprefix("blender_biped.control.") for name in contract("controllers")["forbidden_modules"]}
    (beside,) = (layer.split(" | ") for layer in contract("control-shared")["layers"] if "|" in layer)
    assert set(CONTROLLERS) <= known and set(CONTROLLERS) <= set(beside)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all sources and of their contracts."""
    folder = tmp_path_factory.mktemp("sources")
    for name in PACKAGES:
        for file in (ROOT / name).rglob("*.py"):
            copy = folder / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def linted(folder: Path, *contracts: str) -> tuple[int, str]:
    """Return how import-linter ends on a copy of the sources, and what it says, without its line breaks."""
    chosen = [option for name in contracts for option in ("--contract", name)]
    command = [program("lint-imports"), "--no-logo", *chosen]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


PLANTED = {
    "control-shared": (
        "control/natural/walk/walk.py",
        "from ...generalized import walk",
        "blender_biped.control.natural.walk.walk -> blender_biped.control.generalized.walk",
    ),
    "controllers": (
        "walking.py",
        "from .control.natural import walk",
        "blender_biped.walking -> blender_biped.control.natural.walk",
    ),
}
"""By its contract: a file, an import that breaks it there, and what is said of it."""


def test_an_import_planted_in_a_room_of_control_breaks_its_contract(copied: Path) -> None:
    kept, output = linted(copied, *PLANTED)
    assert kept == 0, output
    for file, planted, _ in PLANTED.values():
        with (copied / "blender_biped" / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{planted}\n")
    broken, output = linted(copied, *PLANTED)
    assert broken == 1
    for name, (_, _, said) in PLANTED.items():
        assert f"{contract(name)['name']} BROKEN" in output and said in output, output


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def defined_private_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the private names that a file defines: functions, classes, variables, attributes."""
    found = set[str]()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
    return {name for name in found if is_private(name)}


def reached(text: str, names: set[str]) -> list[tuple[int, str]]:
    """Return where a test reaches into private names: line and name. That of itself or its class is its own affair."""
    if names.isdisjoint(re.findall(r"\b_\w+", text)):
        return []  # most tests name none, and need not be read
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                found.append((node.lineno, node.attr))
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.Call):  # setattr, monkeypatch.setattr and their like
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if called in ("setattr", "getattr", "delattr", "hasattr"):
                found += [(node.lineno, text.rpartition(".")[2]) for text in texts]
    return sorted((line, name) for line, name in found if is_private(name) and name in names)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("from a.b import _one, two, _other", [1]),
        ("x = 1\nx._one()", [2]),
        ("f(x)._one = 2", [1]),
        ("monkeypatch.setattr(x, '_one', 3)\nmonkeypatch.setattr('a.b._one', 3)", [1, 2]),
        ("getattr(x, '_one')", [1]),
        ("self._one + cls._one + x.__one__ + _one", []),
        ("a = 'says _one'", []),
    ],
)
def test_reaching_into_a_private_name_is_found(text: str, lines: list[int]) -> None:
    assert [line for line, _ in reached(text, {"_one"})] == lines


def test_tests_hardly_reach_into_private_names() -> None:
    names = project().private
    assert len(names) > 500  # it has seen the project
    found = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for line, name in reached(file.read_text(encoding="utf-8"), names)
    ]
    assert len(found) < REACHED, "\n".join(found)
