# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text that a user can see, in one list: labels, tooltips, menu items, messages, presets.

    python -m tools.docs.strings

Writes out/strings.md, and brings the file of each language up to date: what it lacks is added with an empty text, which
is to be filled in and until then is shown in English; what nobody sees any more is taken away. The texts are found in
the source, so none has to be entered anywhere: what is put together at run time (an f-string) stands there with a named
placeholder for each of its values.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from blender_biped.character.model import ROLES, role_words

ROOT = Path(__file__).parents[2]
SPACE = "\N{NO-BREAK SPACE}"
PACKAGE, PRESETS, PAGE = ROOT / "blender_biped", ROOT / "presets", ROOT / "out" / "strings.md"
LANGUAGES = PACKAGE / "ui" / "translations"

_SILENT = {"print", "compile", "match", "fullmatch", "search", "findall", "sub", "RuntimeWarning", "filterwarnings"}
"""Calls whose texts nobody sees in Blender."""

_SHOWN = {"name", "description", "text", "label", "group", "convention", "heading", "title", "undo", "placeholder"}
"""Keywords and names whose texts people see, be they a single word."""

_WORDS = {"how", "_SURE"}
"""Names of what has words that stand in a text by turns."""

_OF_PRESET = ("label", "description")

_DECLARING = {"number", "angle", "integer", "flag", "choice", "vector", "part", "parts", "item", "Line"}
"""Calls whose texts are all for people, from the first that has a capital."""

_SHOWING = {"report", "poll_message_set", "translated"}

_NOT_SHOWN = {
    "__main__.py", "base/arithmetic.py", "batch/cluster.py", "batch/command.py", "batch/remote.py", "batch/run.py",
    "batch/told.py", "motion/bvh.py",
}  # fmt: skip
"""Files whose texts nobody sees in Blender."""

_PROSE = re.compile(
    r"[A-Za-z]{2,}[,;:]? .*[A-Za-z]{2,}|\{\w+\}[^/.]* [a-z]{2,}|[A-Za-z]{2,}:? [^/]*\{\w+\}|\{\w+\} [A-Z][a-z]+$"
)
_WORD = re.compile(r"[A-Z][\w'/&-]*|[A-Z].* .*")
_CODE = re.compile(r"^[\w.*\[\]=-]+$")


def texts() -> Mapping[str, list[str]]:
    """Return the texts by the file, from the root, in which they are first, in the order of the files and lines."""
    found: dict[str, list[str]] = {}
    known: set[str] = set()
    modules = [m for m in sorted(PACKAGE.rglob("*.py")) if m.relative_to(PACKAGE).as_posix() not in _NOT_SHOWN]
    sources = [(module, in_source) for module in modules]
    sources += [(preset, in_preset) for preset in sorted(PRESETS.rglob("*.json"))]
    for file, read in sources:
        new = [t for t in dict.fromkeys(read(file.read_text(encoding="utf-8"))) if t not in known]
        known.update(new)
        if new:
            found[file.relative_to(ROOT).as_posix()] = new
    found["The parts of the body"] = [words for words in map(role_words, ROLES) if words not in known]
    return found


def in_source(source: str) -> list[str]:
    """Return the texts of a module of Python."""
    return [text for text, _ in sorted(_Reader().read(ast.parse(source)).items(), key=lambda entry: entry[1])]


def in_preset(source: str) -> list[str]:
    """Return the texts of a preset, its label and its description; of the list of styles its groups' and its titles."""
    content = json.loads(source)
    own = [entry[key] for entry in (content, *content.get("groups", ())) for key in _OF_PRESET if entry.get(key)]
    return [*own, *content.get("titles", {}).values()]


class _Reader:
    """Finds texts with the places, line and column, at which they are."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[int, int]] = {}
        self._headings: dict[str, ast.Constant] = {}  # by the names that groups of fields have

    def read(self, tree: ast.Module) -> dict[str, tuple[int, int]]:
        """Return the texts of a module."""
        for node in (own for own in tree.body if isinstance(own, ast.Assign)):
            for name, value in (pair for target in node.targets for pair in _assigned(target, node.value)):
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                    self._headings[name.id] = value
        self._within(tree)
        return self.found

    def _within(self, node: ast.AST, shown: bool = False) -> None:
        """Go through a node. shown: whether a single word is a text, too."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Constant | ast.JoinedStr):
            self._keep(node, shown)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            if node.value is not None and not names & {"bl_idname", "__all__"}:
                self._within(node.value, bool(names & (_SHOWN | _BL)))
            if node.value is not None and names & _WORDS:
                self._keep_words(*ast.walk(node.value))
            if isinstance(node, ast.AnnAssign):
                self._within(node.annotation)  # Blender's properties are there
        elif isinstance(node, ast.Tuple) and _is_item(node):
            for shown_part in node.elts[1:3]:
                self._within(shown_part, shown=True)
        elif isinstance(node, ast.Dict):
            for key in filter(None, node.keys):
                self._within(key)
            for value in node.values:
                self._within(value, shown)
        elif isinstance(node, ast.Compare):
            return
        elif isinstance(node, ast.IfExp | ast.BoolOp | ast.BinOp | ast.Tuple | ast.List):
            for part in ast.iter_child_nodes(node):
                self._within(part, shown)
        else:
            for part in ast.iter_child_nodes(node):
                self._within(part)

    def _call(self, node: ast.Call) -> None:
        name = _identifier(node.func)
        if name in _SILENT:
            return
        self._within(node.func)
        for part in node.args:
            self._within(part, name in _SHOWING or name in _DECLARING)
            if name in _DECLARING and isinstance(part, ast.Name) and part.id in self._headings:
                self._keep(self._headings[part.id], shown=True)
        for keyword in node.keywords:
            self._within(keyword.value, keyword.arg in _SHOWN)

    def _keep(self, node: ast.Constant | ast.JoinedStr, shown: bool) -> None:
        if isinstance(node, ast.JoinedStr):
            text = template(node)
            for value in (part.value for part in node.values if isinstance(part, ast.FormattedValue)):
                self._within(value, shown=True)
                if isinstance(value, ast.IfExp):
                    self._keep_words(value.body, value.orelse)
        elif isinstance(node.value, str):
            text = numbered(node.value)
        else:
            return
        text = text.strip(" ")
        if is_text(text, shown):
            self.found.setdefault(text, (node.lineno, node.col_offset))

    def _keep_words(self, *nodes: ast.AST) -> None:
        """Keep single words that stand in a text by turns."""
        for word in nodes:
            if isinstance(word, ast.Constant) and re.fullmatch(r"[a-z]{2,}", str(word.value)):
                self.found.setdefault(str(word.value), (word.lineno, word.col_offset))


_BL = {"bl_label", "bl_description", "bl_category", "bl_undo_group"}


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Give each name of an assignment with its value, or the heading that this is made of."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for own, its in zip(target.elts, value.elts, strict=False):
            yield from _assigned(own, its)
    elif isinstance(value, ast.Call) and _identifier(value.func) == "Advanced":
        yield target, value.args[0]
    else:
        yield target, value


def is_text(text: str, shown: bool) -> bool:
    """Return whether people see a text. shown: whether it stands where what they see does."""
    if "\n" in text.strip() or not re.search(r"[A-Za-z]{2}", text):
        return False
    bare = re.sub(r"\{\w+\}", "", text)
    if shown and _WORD.fullmatch(text) and not text.isupper():
        return True
    return bool(_PROSE.search(text)) and not _CODE.fullmatch(text) and bool(re.search(r"[A-Za-z][a-z]", bare))


def template(node: ast.JoinedStr) -> str:
    """Return an f-string with a named placeholder for each value."""
    parts: list[str] = []
    used: dict[str, int] = {}
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value).replace("{", "{{").replace("}", "}}"))
        elif isinstance(part, ast.FormattedValue):
            name = _identifier(part.value) or "value"
            if name == "SPACE":
                parts.append(SPACE)
                continue
            used[name] = used.get(name, 0) + 1
            parts.append(f"{{{name}{used[name] if used[name] > 1 else ''}}}")
    return "".join(parts)


def numbered(text: str) -> str:
    """Return a text for ``str.format`` with a name for each placeholder that has none."""
    first, *rest = text.split("{}")
    return first + "".join(f"{{value{i if i > 1 else ''}}}{part}" for i, part in enumerate(rest, 1))


def _identifier(node: ast.AST) -> str:
    """Return the last name of an expression, "" for none."""
    if isinstance(node, ast.Name):
        return node.id.lstrip("_")
    if isinstance(node, ast.Attribute):
        return node.attr.lstrip("_")
    if isinstance(node, ast.Call):
        inner = [_identifier(argument) for argument in node.args]
        return next(filter(None, inner), _identifier(node.func))
    if isinstance(node, ast.Subscript | ast.Starred | ast.UnaryOp):
        return next(filter(None, map(_identifier, ast.iter_child_nodes(node))), "")
    if isinstance(node, ast.BinOp):
        return _identifier(node.right) or _identifier(node.left)
    return ""


def _is_item(node: ast.Tuple) -> bool:
    """Return whether a tuple is an item of a menu: identifier, label, tooltip."""
    first = node.elts[0] if node.elts else None
    rest = node.elts[1:3]
    named = isinstance(first, ast.Name) or (
        isinstance(first, ast.Constant) and isinstance(first.value, str) and _CODE.fullmatch(first.value) is not None
    )
    return len(node.elts) >= 3 and named and all(isinstance(part, ast.Constant | ast.JoinedStr) for part in rest)


def page(found: Mapping[str, Sequence[str]]) -> str:
    """Return the list as a page."""
    return "\n".join(_page_lines(found)) + "\n"


def _page_lines(found: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield "# Texts"
    yield ""
    yield "Every text that a user can see, by the file that has it. Made by `python -m tools.docs.strings`."
    for file, own in found.items():
        yield ""
        yield f"## {file}"
        yield ""
        for text in own:
            yield f"    {text}"


def lacking(known: Iterable[str], own: Mapping[str, str]) -> list[str]:
    """Return those of the known texts that a language has none for. own: its texts by the English ones."""
    return [text for text in known if not own.get(text)]


def up_to_date(known: Sequence[str], own: Mapping[str, str]) -> dict[str, str]:
    """Return a language's texts by the known English ones: in its order, new ones last and empty, others left out."""
    every = set(known)
    return {text: other for text, other in own.items() if text in every} | dict.fromkeys(lacking(known, own), "")


def read_language(file: Path) -> dict[str, str]:
    """Return the texts of a language by the English ones."""
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


def write_language(own: Mapping[str, str], file: Path) -> None:
    """Write the texts of a language, a line each."""
    file.write_text(json.dumps(own, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Write the page and the languages' files, and say what these lack; return the exit code."""
    lists = texts()
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(lists), encoding="utf-8")
    known = [text for own in lists.values() for text in own]
    for file in sorted(LANGUAGES.glob("*.json")):
        own = up_to_date(known, read_language(file))
        write_language(own, file)
        for text in lacking(known, own):
            print(f"{file.relative_to(ROOT).as_posix()} lacks: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
