# SPDX-License-Identifier: GPL-3.0-or-later
"""The hash of a motion's file: two files of one walk have the same, whatever computing it has cost."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

OF_A_RUN = ("cpu",)
"""What of a motion's header is of the run, not of the walk."""


def motion_hash(file: Path) -> str:
    """Return the hash of all that a motion file says of a walk: arrays, contacts, outcome, character."""
    digest = hashlib.sha256()
    with np.load(file, allow_pickle=False) as arrays:
        for name in sorted(arrays.files):
            if name == "header":
                header = json.loads(str(arrays[name]))
                text = json.dumps({key: value for key, value in header.items() if key not in OF_A_RUN}, sort_keys=True)
                digest.update(text.encode())
            else:
                array = np.ascontiguousarray(arrays[name])
                digest.update(f"{name} {array.dtype} {array.shape}".encode())
                digest.update(array.tobytes())
    return digest.hexdigest()
