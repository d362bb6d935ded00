# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages as a site: README as its first page, docs/, a page a style, and the examples, built by MkDocs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from posixpath import dirname, normpath, relpath
from tempfile import TemporaryDirectory

from tools.docs import styles
from tools.docs.markdown import anchor, links, relinked

ROOT = Path(__file__).parents[2]
TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Pages of the root that the site has."""
EXAMPLES = "examples/index.md"
_EXAMPLES = {"py": "python", "js": "javascript", "yaml": "yaml"}  # what they end with, and their language
_ASSETS = Path(__file__).parent / "assets"
_FIRST = "---\nsearch:\n  boost: 3\n---\n\n"  # what people look for most


class SiteError(Exception):
    """The site cannot be made; the message says why."""


def build(out: Path, films: Path | None = None) -> None:
    """Make the site in the folder ``out``, in place of what is there. films: of the styles, see ``styles.pictures``.

    Raises SiteError for a page that is in no list, a link that leads nowhere, or what else MkDocs warns of.
    """
    with TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        assemble(pages, films)
        own = {
            "INHERIT": str(ROOT / "mkdocs.yml"), "docs_dir": str(pages), "site_dir": str(out.resolve()),
            "nav": navigation(),
        }  # fmt: skip
        settings = Path(folder) / "mkdocs.yml"
        settings.write_text(json.dumps(own), encoding="utf-8")  # JSON is YAML, too
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(settings)]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        )  # fmt: skip
    if done.returncode:
        raise SiteError(done.stdout.strip())


def assemble(pages: Path, films: Path | None = None) -> None:
    """Write what MkDocs reads into the folder ``pages``: the project's pages with links that hold there, pictures."""
    sources = _sources()
    texts = {_place(file): (file, (ROOT / file).read_text(encoding="utf-8")) for file in sources}
    copied: dict[str, Path] = styles.pictures(films)
    for place, (file, text) in texts.items():
        for link in links(text):
            target = _target(file, link)
            if target and target not in sources and (ROOT / target).is_file():
                copied[_place(target)] = ROOT / target
        made = relinked(text, partial(_moved, file, place))
        _write(pages / place, _said_of(place) + made)
    for place, text in {**styles.pages(copied), EXAMPLES: _examples()}.items():
        _write(pages / place, text)
    for place, picture in copied.items():
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, pages / place)
    shutil.copytree(_ASSETS, pages / "assets")


def navigation() -> list[object]:
    """Return the site's navigation as MkDocs has it: pages, and named lists of pages."""
    guide = (ROOT / "docs/guide/index.md").read_text(encoding="utf-8")
    tasks = [f"guide/{link}" for link in links(guide) if "/" not in link]
    natural = [f"controllers/{name}.md" for name in ("natural", "natural-runs", "natural-findings", "natural-fields")]
    others = [f"controllers/{name}.md" for name in ("generalized", "simbicon", "limit-cycle", "klaw")]
    return [
        {"Home": "index.md"},
        {"Guide": ["first-walk.md", "guide/index.md", *tasks, "troubleshooting.md"]},
        {"Styles": [*styles.navigation(), "styles.md"]},
        {"Controllers": [{"Natural walking": natural}, *others]},
        {"Reference": ["rigs.md", "scripting.md", "farm.md", EXAMPLES, "measures.md", "words.md"]},
        {"Development": ["architecture.md", "how-to-add.md", "CONTRIBUTING.md", "CHANGELOG.md"]},
    ]


def _said_of(place: str) -> str:
    """Return what is said to the search of a page, at its top."""
    return _FIRST if place.startswith(("guide/", "first-walk", "troubleshooting")) else ""


def _sources() -> set[str]:
    """Return the project's pages, from the root."""
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in TOP)]
    return {file.relative_to(ROOT).as_posix() for file in files}


def _place(file: str) -> str:
    """Return where a file of the project goes among the site's pages."""
    return "index.md" if file == "README.md" else file.removeprefix("docs/")


def _target(file: str, link: str) -> str:
    """Return the file, from the root, that a link of another one leads to; "" where it leads elsewhere."""
    name = link.partition("#")[0]
    return "" if ":" in name or not name else normpath(f"{dirname(file)}/{name}".lstrip("/"))


def _moved(file: str, place: str, link: str) -> str:
    """Return a link of a file as it is where that goes among the site's pages."""
    target, mark = _target(file, link), link.partition("#")[2]
    if not target:
        return link
    if target == "examples":
        target = EXAMPLES
    elif target.startswith("examples/"):
        target, mark = EXAMPLES, anchor(target.removeprefix("examples/"))
    else:
        target = _place(target)
    return relpath(target, dirname(place) or ".") + (f"#{mark}" if mark else "")


def _examples() -> str:
    """Return a page with what is in examples/: scripts, and what farms are told."""
    lines = ["# Examples", "", "Three scripts for Blender, four without it, and two files for farms.", ""]
    folder = ROOT / "examples"
    for kind, language in _EXAMPLES.items():
        for file in sorted(folder.rglob(f"*.{kind}")):
            name, text = file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8").strip()
            lines += [f"## {name}", "", f"```{language}", text, "```", ""]
    return "\n".join(lines)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
