"""Does one of the scripts that lie beside it, in this Blender: ``blender --python in_blender.py -- NAME OUT MODULE``.

A script is a module ``in_NAME`` with ``steps``, and ``result``, which goes into OUT. MODULE: the extension's name here.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
name = sys.argv[-3]
script = importlib.import_module(f"in_{name}")
importlib.import_module("in_hands").drive(script.steps(), script.result, name)
