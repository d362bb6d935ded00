"""How large classes and functions may be: a part that outgrows this is two parts, and one of them has no name yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "blender_biped"

MOST_LINES, MOST_METHODS, MOST_ATTRIBUTES = 250, 20, 20  # of a class
MOST_BRANCHES = 15  # ways through a function: its cyclomatic complexity
MOST_PARAMETERS = 8  # of a function, without self
MOST_ASKING = 10  # places of the default walk's rooms that ask whether something is None

CLASSES_IN = ("blender_biped/control/",)
BRANCHES_IN = ("blender_biped/control/", "blender_biped/physics/")
PARAMETERS_IN = ("blender_biped/",)

MANY_FIELDS = {
    # What there is to know of a controller, each field with a default: a new controller states what it can, no more.
    "blender_biped/control/kind.py": {"Kind"},
}
"""Data classes that may have more attributes than others, for the reason that stands with each."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)


class Measured(NamedTuple):
    """A class or a function of a file, and the class, if any, that a function stands in."""

    node: ast.ClassDef | Function
    name: str
    inside: ast.ClassDef | None


def measured(tree: ast.AST, name: str = "", inside: ast.ClassDef | None = None) -> Iterator[Measured]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield Measured(node, f"{name}{node.name}", None)
            yield from measured(node, f"{name}{node.name}.", node)
        elif isinstance(node, Function):
            yield Measured(node, f"{name}{node.name}", inside)
            yield from measured(node, f"{name}{node.name}.")
        else:
            yield from measured(node, name, inside)


def lines(node: ast.ClassDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def methods(node: ast.ClassDef) -> set[str]:
    """Return the names of a class's methods; a property with its setter is one."""
    return {own.name for own in node.body if isinstance(own, Function)}


def attributes(node: ast.ClassDef) -> set[str]:
    """Return the names that a class declares as fields, and that its methods assign to ``self``."""
    fields = {own.target.id for own in node.body if isinstance(own, ast.AnnAssign) and isinstance(own.target, ast.Name)}
    assigned = {
        part.attr
        for own in node.body if isinstance(own, Function)
        for part in ast.walk(own)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name) and part.value.id == "self"
    }  # fmt: skip
    return fields | assigned


def branches(node: Function) -> int:
    """Return McCabe's number of ways through a function, with those that conditions and comprehensions have."""
    found = 1
    for part in ast.walk(node):
        if isinstance(part, BRANCHES):
            found += 1
        elif isinstance(part, ast.BoolOp):
            found += len(part.values) - 1
        elif isinstance(part, ast.comprehension):
            found += 1 + len(part.ifs)
    return found


def parameters(node: Function, inside: ast.ClassDef | None) -> int:
    static = any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in node.decorator_list)
    own = node.args
    named = len(own.posonlyargs) + len(own.args) + len(own.kwonlyargs)
    return named - (inside is not None and not static)


def faults(source: str, path: str) -> list[str]:
    """Return what of a file is larger than it may be. path: from the project's root, which says what limits it has."""
    found: list[str] = []

    def check(what: str, is_: int, most: int, unit: str) -> None:
        if is_ > most:
            found.append(f"{path}: {what} has {is_} {unit}, at most {most}")

    for node, name, inside in measured(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            if path.startswith(CLASSES_IN):
                check(name, lines(node), MOST_LINES, "lines")
                check(name, len(methods(node)), MOST_METHODS, "methods")
                if name not in MANY_FIELDS.get(path, ()):
                    check(name, len(attributes(node)), MOST_ATTRIBUTES, "attributes")
        else:
            if path.startswith(BRANCHES_IN):
                check(name, branches(node), MOST_BRANCHES, "branches")
            if path.startswith(PARAMETERS_IN):
                check(name, parameters(node, inside), MOST_PARAMETERS, "parameters")
    return found


def test_no_class_and_no_function_is_too_large() -> None:
    files = [file.relative_to(ROOT).as_posix() for file in sorted((ROOT / PACKAGE).rglob("*.py"))]
    assert len(files) > 100
    found = [fault for path in files for fault in faults((ROOT / path).read_text(encoding="utf-8"), path)]
    assert not found, "\n".join(["", *found])


def test_the_default_walk_asks_nobody_whether_he_is_there() -> None:
    """What has nothing to do on a walk is an object that does nothing."""
    room = ROOT / PACKAGE / "control" / "natural"
    asking = [
        f"{file.relative_to(ROOT)}:{part.lineno}"
        for file in sorted(room.rglob("*.py"))
        for part in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(part, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in part.ops)
        and any(isinstance(one, ast.Constant) and one.value is None for one in part.comparators)
    ]  # fmt: skip
    assert len(asking) < MOST_ASKING, "\n".join(["", *asking])


def test_what_may_be_larger_is_there_and_needs_it() -> None:
    for path, names in MANY_FIELDS.items():
        own = {each.name: each.node for each in measured(ast.parse((ROOT / path).read_text(encoding="utf-8")))}
        for name in names:
            node = own[name]
            assert isinstance(node, ast.ClassDef) and len(attributes(node)) > MOST_ATTRIBUTES, f"{path}: {name}"


CONTROL, PHYSICS, ELSEWHERE = (f"{PACKAGE}/{room}/made_up.py" for room in ("control", "physics", "motion"))
FIELDS = "\n".join(f"    a{i}: int" for i in range(21))
ASSIGNED = "\n".join(f"        self.a{i}, b = 0, 0" for i in range(21))
METHODS = "\n".join(f"    def m{i}(self): ..." for i in range(21))
CONDITIONS = "\n".join(f"    if a == {i}: pass" for i in range(15))
LETTERS = "a, b, c, d, e, f, g"


@pytest.mark.parametrize(
    ("source", "path", "said"),
    [
        ("class A:\n    pass\n" + "    # more\n" * 248 + "    a = 1", CONTROL, "A has 251 lines"),
        (f"class A:\n{METHODS}", CONTROL, "A has 21 methods"),
        (f"class A:\n{FIELDS}", CONTROL, "A has 21 attributes"),
        (f"class A:\n    def m(self):\n{ASSIGNED}", CONTROL, "A has 21 attributes"),
        (f"def f(a):\n{CONDITIONS}", CONTROL, "f has 16 branches"),
        (f"def f(a):\n{CONDITIONS}", PHYSICS, "f has 16 branches"),
        ("def f(a):\n    return " + " or ".join(f"a == {i}" for i in range(16)), PHYSICS, "f has 16 branches"),
        (f"def f({LETTERS}, h, i): ...", ELSEWHERE, "f has 9 parameters"),
        (f"def f({LETTERS}, *, h, i): ...", ELSEWHERE, "f has 9 parameters"),
        (f"class A:\n    def f(self, {LETTERS}, h, i): ...", ELSEWHERE, "A.f has 9 parameters"),
        (f"class A:\n    @staticmethod\n    def f({LETTERS}, h, i): ...", ELSEWHERE, "A.f has 9 parameters"),
        (f"class A:\n    def f(self, {LETTERS}, h): ...", CONTROL, ""),
        (f"class A:\n{METHODS}", PHYSICS, ""),
        (f"def f(a):\n{CONDITIONS}", ELSEWHERE, ""),
    ],
)
def test_what_is_too_large_is_named(source: str, path: str, said: str) -> None:
    found = faults(source, path)
    assert [fault.partition(": ")[2].partition(",")[0] for fault in found] == ([said] if said else [])
