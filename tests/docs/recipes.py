"""The recipes of docs/how-to-add.md as edits: which blocks of code go into which files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"^`(?P<file>[^`\n]+)`, (?P<how>new|after|before|in place of)(?: `(?P<line>[^`\n]+)`)?:\n\n"
    r"```\w*\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Edit:
    """A block of code and where it goes: a new file, or a place beside or instead of one line of a file."""

    file: str
    how: str
    line: str
    code: str

    def apply(self, root: Path) -> None:
        """Make the edit in the tree at ``root``. The line must be there exactly once, apart from its indentation."""
        path = root / self.file
        if self.how == "new":
            assert not path.exists(), f"{self.file} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.code, encoding="utf-8")
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [i for i, line in enumerate(lines) if line.strip() == self.line]
        assert len(places) == 1, f"{self.file} has the line {self.line!r} {len(places)} times"
        start = places[0] + (self.how == "after")
        end = places[0] + (self.how != "before")
        path.write_text("".join([*lines[:start], self.code, *lines[end:]]), encoding="utf-8")


def recipes(text: str) -> dict[str, list[Edit]]:
    """Return the edits of each recipe, by its heading; those without any are left out."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        edits = [Edit(m["file"], m["how"], m["line"] or "", m["code"]) for m in _BLOCK.finditer(body)]
        if edits:
            found[title] = edits
    return found
