"""The pages of the project, and the commands that they have."""

from __future__ import annotations

import re
from pathlib import Path

from tools.docs.markdown import FENCE, spans

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])


def title(page: Path) -> str:
    """Return a page's path from the root."""
    return page.relative_to(ROOT).as_posix()


def commands(text: str) -> list[str]:
    """Return what follows "build.py" wherever a page has it as code: a command and its options."""
    code = [*FENCE.findall(text), *spans(text)]
    return [m.strip() for part in code for m in re.findall(r"build\.py +([a-z][^\n#`]*)", part)]
