"""The README's table of what each controller can do is what the registry says."""

from __future__ import annotations

from dataclasses import replace

from blender_biped.control.generalized.kind import GENERALIZED
from blender_biped.control.registry import kinds, registered
from tests.docs.pages import ROOT
from tools.docs.abilities import ABILITIES, filled, table
from tools.docs.markdown import rows


def test_the_readme_has_the_table() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert filled(text) == text, "run: python -m tools.docs.abilities"
    assert table() in text


def test_every_ability_of_every_controller_is_there() -> None:
    found = rows(table())
    assert [row[""] for row in found] == list(ABILITIES)
    assert all(list(row)[1:] == [kind.label for kind in kinds()] and all(row.values()) for row in found)


def test_it_follows_what_a_controller_declares() -> None:
    can = replace(GENERALIZED.can, change=True, wait=False)
    other = replace(GENERALIZED, name="other", label="Other", can=can, terrain=None, passing=None, ducks=None)
    with registered(other):
        found = {row[""]: (row["Generalized Walking"], row["Other"]) for row in rows(table())}
    assert found["changes style on the way"] == ("no", "yes")
    assert found["waits on the way"] == ("yes", "no")
    assert found["slopes up, down, across"] == ("12, 8, 5 degrees", "no")
    assert found["steps over"] == ("35 cm", "no") and found["ducks"] == ("yes", "no")
    assert found["is simulated: feels pushes and wind"] == ("yes", "yes")
