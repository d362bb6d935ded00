"""Texts in another language, also those that were put together before they are translated."""

from __future__ import annotations

import pytest

from blender_biped.base.translation import Translation, placeholders

GERMAN = Translation({
    "Bake Walk": "Gang backen",
    "Left Foot": "Linker Fuß",
    "How far it goes": "Wie weit es geht",
    "Armature {name} has no bones; map them.": "Skelett {name} hat keine Knochen; sie zuordnen.",
    "Frame {frame}: {doubt}": "Frame {frame}: {doubt}",
    "{text}, but: {error}": "{text}, aber: {error}",
    "{number} of {desired}": "{number} von {desired}",
    "{convention}: {bones} of {all} parts found": "{convention}: {bones} von {all} Teilen gefunden",
    "The bone that is the {role}. With Mirror, the other side follows": "Der Knochen für: {role}",
    "It walks in place.": "Die Figur geht auf der Stelle.",
    "Keys every {step} frames.": "Keys alle {step} Frames.",
    "missing are {absent}": "es fehlen {absent}",
})  # fmt: skip


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Bake Walk", "Gang backen"),
        ("Nothing of ours", "Nothing von ours"),  # a short pattern takes what nothing else knows
        ("Unknown", "Unknown"),
        ("", ""),
        ("Armature 'Bake Walk' has no bones; map them.", "Skelett 'Bake Walk' hat keine Knochen; sie zuordnen."),
        ("Frame 7: missing are thigh.L", "Frame 7: es fehlen thigh.L"),
        ("It walks in place. Keys every 2 frames.", "Die Figur geht auf der Stelle. Keys alle 2 Frames."),
        (
            "It walks in place. Unknown. Keys every 2 frames.",
            "Die Figur geht auf der Stelle. Unknown. Keys alle 2 Frames.",
        ),
        ("Rigify: 18 of 18 parts found.", "Rigify: 18 von 18 Teilen gefunden."),
        ("2 of 3, It walks in place.", "2 von 3, Die Figur geht auf der Stelle."),
        ("How far it goes (m)", "Wie weit es geht (m)"),
        (" Keys every 2 frames.", " Keys alle 2 Frames."),
        (
            "The bone that is the left foot. With Mirror, the other side follows",
            "Der Knochen für: Linker Fuß",
        ),
        (
            "Bake Walk, but: Armature 'A. B' has no bones; map them.",
            "Gang backen, aber: Skelett 'A. B' hat keine Knochen; sie zuordnen.",
        ),
    ],
)
def test_texts_are_translated_whole_by_pattern_or_by_sentence(english: str, german: str) -> None:
    assert GERMAN.of(english) == german


def test_values_may_have_what_patterns_are_made_of() -> None:
    text = "Armature '{name} (.*)' has no bones; map them."
    assert GERMAN.of(text) == "Skelett '{name} (.*)' hat keine Knochen; sie zuordnen."


def test_placeholders_are_listed_by_name() -> None:
    assert placeholders("{b} of {a}, {b}") == ["a", "b", "b"]
