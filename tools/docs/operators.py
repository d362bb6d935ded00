# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of operators on the page about scripting, as they are registered. Needs Blender's Python module.

python -m tools.docs.operators
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "scripting.md"
_PLACE = re.compile(r"(<!-- operators -->\n).*?(<!-- end -->)", re.DOTALL)
_OF_FILE_DIALOGS = {"check_existing", "filter_glob", "filter_folder", "hide_props_region"}


def filled(page: str, classes: tuple[Any, ...]) -> str:
    """Return the text of the page with the table of the operators among classes, which are registered."""
    return _PLACE.sub(lambda place: "\n".join((place[1].rstrip(), *_rows(classes), place[2])), page)


def _rows(classes: tuple[Any, ...]) -> Iterator[str]:
    yield "| operator | what it does | arguments |"
    yield "|---|---|---|"
    for cls in sorted((c for c in classes if "_OT_" in c.__name__), key=lambda cls: str(cls.bl_idname)):
        own = [p for p in cls.bl_rna.properties if p.identifier in getattr(cls, "__annotations__", {})]
        named = [f"`{p.identifier}`: {p.description}" for p in own if p.identifier not in _OF_FILE_DIALOGS]
        yield f"| `bpy.ops.{cls.bl_idname}` | {cls.bl_description} | {'; '.join(named)} |".replace("|  |", "| |")


def main() -> int:
    """Fill the table; return the exit code."""
    import blender_biped
    from blender_biped.ui import registration

    blender_biped.register()
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), registration.CLASSES), encoding="utf-8")
    blender_biped.unregister()
    return 0


if __name__ == "__main__":
    sys.exit(main())
