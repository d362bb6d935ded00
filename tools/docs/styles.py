# SPDX-License-Identifier: GPL-3.0-or-later
"""A page for each shipped style, and one that shows them all, as the presets and the pages of figures have them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from blender_biped.control.kind import Kind
from blender_biped.control.registry import kinds, presets
from blender_biped.preset.declared import Slider
from blender_biped.preset.preset import RESEARCH, Preset, preset_root, speeds_of
from tools.docs.markdown import rows

FOLDER = "styles"
PAGES = Path(__file__).parents[2] / "docs"
SHOWN_WITH = {"planar": "simbicon"}
"""Controllers whose page is another one's."""
_FIGURES = {"natural": "controllers/natural-findings.md", "klaw": "controllers/klaw.md", "simbicon": "styles.md"}
"""The pages that have a table of figures of a controller's styles."""
_NAMED = ("style", "gait")
"""What such a table calls its first column."""


def controller_page(kind: Kind) -> str:
    """Return the page of a controller, below docs/."""
    return f"controllers/{SHOWN_WITH.get(kind.name, kind.name).replace('_', '-')}.md"


def pictures(films: Path | None = None) -> dict[str, Path]:
    """Return the pictures of the styles, and their films where there are any, by where they go among the pages.

    films: a folder with CONTROLLER/NAME.webp, None for none.
    """
    found = {}
    for kind in kinds():
        for style in presets(kind.name):
            for folder, ending in ((preset_root(), "png"), (films, "webp")):
                file = folder / kind.name / f"{style.name}.{ending}" if folder else None
                if file and file.is_file():
                    found[f"{FOLDER}/{kind.name}/{style.name}.{ending}"] = file
    return found


def pages(shown: Mapping[str, Path]) -> dict[str, str]:
    """Return the pages by where they go: an index, and one for each style. shown: what ``pictures`` returns."""
    found = {f"{FOLDER}/index.md": _index(shown)}
    for kind in kinds():
        first, *others = presets(kind.name)
        figures, usual = _figures(kind), kind.numbers(first.values)
        for style in (first, *others):
            lines = [*_page(kind, style, figures, shown), *_sliders(kind, style, first.label, usual)]
            found[f"{FOLDER}/{kind.name}/{style.name}.md"] = "\n".join(lines)
    return found


def navigation() -> list[object]:
    """Return the styles as a part of the site's navigation: the index, and the pages of each controller."""
    return [
        f"{FOLDER}/index.md",
        *({kind.label: [f"{FOLDER}/{kind.name}/{style.name}.md" for style in presets(kind.name)]} for kind in kinds()),
    ]


def _index(shown: Mapping[str, Path]) -> str:
    lines = [
        "# All styles",
        "",
        "A stride of each; all but KLAW's are simulated. [Styles](../styles.md) says more.",
        "",
    ]
    for kind in kinds():
        lines += [f"## {kind.label}", "", f"{kind.description}.", "", '<div class="gallery" markdown>', ""]
        for style in presets(kind.name):
            file = f"{FOLDER}/{kind.name}/{style.name}.png"
            picture = f'<img src="{kind.name}/{style.name}.png" alt="">' if file in shown else ""
            lines += [f"[{picture}{style.label}]({kind.name}/{style.name}.md)", ""]
        lines += ["</div>", ""]
    return "\n".join(lines)


def _page(kind: Kind, style: Preset, figures: Mapping[str, Mapping[str, str]], shown: Mapping[str, Path]) -> list[str]:
    lines = [f"# {style.label}", "", f"{style.description}.".replace("..", "."), ""]
    name = f"{FOLDER}/{kind.name}/{style.name}"
    kept = [ending for ending in ("webp", "png") if f"{name}.{ending}" in shown]
    said = {"webp": f"A stride of {style.label}, as a film", "png": f"A stride of {style.label}, from the side"}
    lines += [f"![{said[ending]}]({style.name}.{ending})" for ending in kept]
    lines += ["", "| | |", "|---|---|", f"| controller | [{kind.label}](../../{controller_page(kind)}) |"]
    speeds = speeds_of(style) or kind.speeds
    if speeds is not None:
        lines += [f"| usual speed | {speeds.usual:g} m/s |"]
        lines += [f"| speeds | {speeds.slowest:g} to {speeds.fastest:g} m/s, for legs of 0.9 m |"]
    if RESEARCH in (kind.shelf, style.shelf):
        lines += ["| shelf | shows a method or a paper |"]
    lines += [f"| file | `presets/{kind.name}/{style.name}.json` |"]
    lines += ["", "```sh", f"python3 build.py demo --controller {kind.name} --preset {style.name}", "```", ""]
    if style.label.lower() in figures:
        lines += ["## Figures", "", "| | |", "|---|---|"]
        lines += [f"| {what} | {value} |" for what, value in figures[style.label.lower()].items()]
        lines += ["", f"How they were measured stands [here](../../{_FIGURES[kind.name]}).", ""]
    return lines


def _sliders(kind: Kind, style: Preset, first: str, usual: Mapping[str, float]) -> list[str]:
    """Return the section of what a style has otherwise than its controller's first one: its label and its numbers."""
    own = kind.numbers(style.values)
    groups = list(dict.fromkeys(slider.number.group for slider in kind.sliders))
    both = own.keys() & usual.keys()
    other = [slider for slider in kind.sliders if slider.path in both and own[slider.path] != usual[slider.path]]
    other.sort(key=lambda slider: groups.index(slider.number.group))
    if not other:
        return []
    lines = ["## Sliders", "", f"What it has otherwise than *{first}*:", ""]
    lines += [f"| group | slider | {style.label} | {first} |", "|---|---|---|---|"]
    return [*lines, *(_slider(slider, own[slider.path], usual[slider.path]) for slider in other), ""]


def _slider(slider: Slider, own: float, usual: float) -> str:
    number = slider.number
    return f"| {number.group} | {number.label} | {own:g} {number.unit} | {usual:g} {number.unit} |".replace("  ", " ")


def _figures(kind: Kind) -> dict[str, dict[str, str]]:
    """Return the figures of a controller's styles, as its page has them, by their labels in small letters."""
    if kind.name not in _FIGURES:
        return {}
    table = rows((PAGES / _FIGURES[kind.name]).read_text(encoding="utf-8"))
    return {
        row[name].lower(): {what: value for what, value in row.items() if what != name}
        for row in table
        for name in _NAMED
        if name in row
    }
