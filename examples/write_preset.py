# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a preset: a style is data, a file that says what it is like and what it changes.

    python examples/write_preset.py [FOLDER]

Writes generalized/narrow.json to the folder (out/examples). In ``presets/generalized/`` of a clone the panel, the demo
and the measuring grid would offer it.
"""

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the package, from a clone

from blender_biped.preset.preset import preset, preset_root

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples") / "generalized"
folder.mkdir(parents=True, exist_ok=True)

narrow = {
    "version": 1,
    "controller": "generalized",
    "label": "Narrow",  # for the menu
    "description": "The natural walk, its feet set down nearer to one line",
    "like": "default",  # it has that one's values
    "values": {"gait": {"width": 0.11}},  # and its own over them
}
(folder / "narrow.json").write_text(json.dumps(narrow, indent=1), encoding="utf-8")
shutil.copy(preset_root() / "generalized" / "default.json", folder)  # "like" looks beside the file

style = preset("generalized", "narrow", folder.parent)  # a mistake in the file is named here
print(f"{style.label}: width {style.values['gait']['width']}, of {len(style.values['gait'])} values of its gait")
