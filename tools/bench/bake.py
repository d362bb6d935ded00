# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake costs, by bones and frames. Needs bpy."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from blender_biped import simulate as simulation
from blender_biped.character.model import Character
from blender_biped.motion.motion import RATE, Motion
from tools.base.children import in_child
from tools.bench.section import Section, table_lines
from tools.bench.walks import REPEATS, straight_job
from tools.scene.actions import FRAME_RATE, key_count, plain_keys_time
from tools.scene.files import chosen_armature

BAKE_BONES, BAKE_FRAMES = (20, 60, 120), (250, 1000)
RIG_WALK = 3.0  # s that are simulated for the bake, and played slower for more frames


@dataclass(frozen=True)
class BakeCost:
    """What a bake costs. write_s: seconds on the clock that writing the keys took; whole_s: CPU seconds of all of it.

    limit_s: seconds on the clock for as many keys without curves, groups and handles.
    """

    bones: int
    frames: int
    keys: int
    write_s: float
    whole_s: float
    limit_s: float


def measure_bake() -> Section:
    """Return what baking costs by bones and frames, on Rigify's human with as many of its bones mapped."""
    costs = in_child(bake_costs, BAKE_BONES, BAKE_FRAMES)
    rows = [
        [str(c.bones), str(c.frames), str(c.keys), f"{c.write_s:.3f}", f"{1e6 * c.write_s / c.keys:.2f}",
         f"{c.write_s / c.limit_s:.2f}", f"{c.whole_s:.3f}"]
        for c in costs
    ]  # fmt: skip
    head = ["bones", "frames", "keys", "writing s", "us a key", "times plain keys", "whole bake CPU s"]
    ratios = {f"bake: {c.bones} bones, {c.frames} frames": c.write_s / c.limit_s for c in costs}
    return Section([asdict(c) for c in costs], ratios, table_lines(head, rows))


def bake_costs(bones: Sequence[int], frames: Sequence[int], repeats: int = REPEATS) -> list[BakeCost]:
    """Return what bakes of each number of bones and frames cost. Replaces the scene of this process' Blender."""
    import bpy

    import blender_biped
    from blender_biped.character.body import build_character
    from blender_biped.character.roles import map_bones
    from blender_biped.ui.base.reading import metres, read_armature

    blender_biped.register()  # a bake keeps on its action what it wrote
    try:
        armature = chosen_armature("", print)
        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = FRAME_RATE, 1.0
        rig = read_armature(armature, metres(scene))
        character = build_character(rig, map_bones(rig))
        parents = {bone.name: bone.parent.name if bone.parent else "" for bone in armature.data.bones}
        motion = simulation.simulate(replace(straight_job(RIG_WALK), character=character))
        found = []
        for count in bones:
            mapped = with_bones(character, parents, count)
            for length in frames:
                slow = replace(_slowed(motion, (length - 1) / FRAME_RATE), character=mapped)
                runs = [_bake_cost(armature, slow, count) for _ in range(repeats)]
                least = {name: min(getattr(r, name) for r in runs) for name in ("write_s", "whole_s", "limit_s")}
                found.append(replace(runs[0], **least))
        return found
    finally:
        blender_biped.unregister()


def with_bones(character: Character, parents: Mapping[str, str], count: int) -> Character:
    """Return the character with ``count`` bones mapped: the first of each link, then others, each to what it hangs on.

    parents: by name, those of all bones of its armature, parents first. Raises ValueError when it has too few.
    """
    links = {link.bones[0]: [link.bones[0]] for link in character.links}
    above = {name: name for name in links}
    left = count - len(links)
    for name, parent in parents.items():
        if left > 0 and name not in above and parent in above:
            above[name] = above[parent]
            links[above[name]].append(name)
            left -= 1
    if left:
        raise ValueError(f"{count} bones cannot be mapped in an armature of {len(parents)}.")
    return replace(character, links=tuple(replace(k, bones=tuple(links[k.bones[0]])) for k in character.links))


def _slowed(motion: Motion, duration: float) -> Motion:
    """Return the motion played in ``duration`` s."""
    count = round(duration * RATE) + 1
    return replace(motion.sampled(np.linspace(0.0, motion.duration, count)), times=np.arange(count) / RATE)


def _bake_cost(armature: Any, motion: Motion, bones: int) -> BakeCost:
    import bpy

    from blender_biped.ui.bake.keyframes import bake

    began = time.process_time()
    baked = bake(armature, motion)
    whole = time.process_time() - began
    count = key_count(baked.action)
    limit = plain_keys_time(baked.action)
    bpy.data.actions.remove(baked.action)
    return BakeCost(bones, len(baked.frames), count, baked.write_s, whole, limit)
