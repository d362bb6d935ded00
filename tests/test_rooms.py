"""Who imports whom, within functions too: the contracts in pyproject.toml say in what order the rooms stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("blender_biped", "tools")

Imports = dict[str, set[str]]


def module_name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(root: Path, packages: tuple[str, ...] = PACKAGES) -> Imports:
    """Return the modules below ``root`` that each module imports, at its top or wherever."""
    files = {module_name(f, root): f for name in packages for f in sorted((root / name).rglob("*.py"))}
    return {name: set(imported(name, file, files)) - {name} for name, file in files.items()}


def imported(name: str, file: Path, known: Mapping[str, Path]) -> Iterator[str]:
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
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
    circle = circle_in(imports_of(ROOT, (package,)))
    assert not circle, " -> ".join([*circle, circle[0]])


def test_the_package_does_not_import_the_tools() -> None:
    found = imports_of(ROOT)
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
    found = imports_of(tmp_path, ("room",))
    assert sorted(circle_in(found)) == ["room.a.one", "room.b.two"]
    (tmp_path / "room" / "a" / "one.py").write_text("import os")
    assert circle_in(imports_of(tmp_path, ("room",))) == []
