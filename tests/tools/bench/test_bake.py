"""The bench's bakes: which bones are mapped, and what is measured."""

from __future__ import annotations

import pytest

from blender_biped.character.standard import standard_character
from tools.bench import bake


@pytest.mark.parametrize("count", [18, 20, 40])
def test_bones_are_mapped_to_what_they_hang_on(count: int) -> None:
    body = standard_character()
    links = body.links
    parents = {k.bones[0]: links[k.parent].bones[0] if k.parent >= 0 else "" for k in links}
    parents |= {f"finger {i}": "hand.L" if i == 0 else f"finger {i - 1}" for i in range(count - len(links))}
    found = bake.with_bones(body, parents, count)
    assert sum(len(k.bones) for k in found.links) == count
    hand = found.links[found.index("hand.L")].bones
    assert hand == ("hand.L", *(f"finger {i}" for i in range(count - len(links))))
    with pytest.raises(ValueError, match="cannot be mapped"):
        bake.with_bones(body, parents, count + 1)


def test_bakes_are_measured_by_bones_and_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    bpy = pytest.importorskip("bpy")
    monkeypatch.setattr(bake, "RIG_WALK", 0.2)
    costs = bake.bake_costs((20, 30), (40,), repeats=1)
    assert [(c.bones, c.frames) for c in costs] == [(20, 40), (30, 40)]
    assert costs[0].keys >= 20 * 4 * 40 and costs[1].keys > costs[0].keys
    assert not bpy.data.actions
    bpy.ops.wm.read_factory_settings(use_empty=True)
