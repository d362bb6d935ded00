"""The interface in another language: what Blender is given, and what is translated where it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from blender_biped.motion.summary import Summary
from blender_biped.ui import registration
from blender_biped.ui.base import language
from blender_biped.ui.base.language import translated
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.view.preview_text import walk_text
from tests.blender.scenes import registered


@pytest.fixture(autouse=True, scope="module")
def scene(factory_settings: None) -> Iterator[Any]:
    """One scene for all of these tests: they change nothing in it."""
    yield from registered()


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Blender speak German: this module is built without languages."""
    monkeypatch.setattr(language, "locale", lambda: "de_DE")


def test_english_stays_as_it_is() -> None:
    assert translated("Frame 7: 'Jog' is no gait; did you mean 'Run'?").startswith("Frame 7: 'Jog' is no gait")


@pytest.mark.parametrize("locale", ["de_DE", "de"])
def test_messages_are_in_the_interfaces_language(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "locale", lambda: locale)
    message = "Armature 'Hero' is in Edit mode; leave it (Tab) first."
    assert translated(message) == "Skelett 'Hero' ist im Bearbeitungsmodus; ihn zuerst verlassen (Tab)."


def test_a_preview_and_what_stands_in_for_it_are_told_sentence_by_sentence(german: None, scene: Any) -> None:
    summary = Summary("arrived", 10.0, 1.0, None, None, 3.0, 1.2, 1.2, 0.02, 0.09, None, None, 17, 104.0)
    other = replace(
        summary, fallback="kinematic", fallback_style="Power Walk", set_fell_at=4.0, calmer_speed=0.8
    )  # fmt: skip
    told = translated(walk_text(other, 1, scene).text).replace(SPACE, " ")
    assert told == (
        "Ankunft bei Frame 241. 17 Schritte in 10.0 s, 1.2 m/s, höchstens 9 cm neben dem Pfad. So, wie er eingestellt "
        "ist, ist der Gang nach 4.0 s gestürzt. Mit dem 0.8-Fachen der Geschwindigkeit ist er auch misslungen. "
        "Dies ist KLAWs Gang, Sportliches Gehen: Er ist nicht simuliert."
    )


@pytest.mark.parametrize("locale", ["", "en_US", "fr_FR", "dz"])
def test_a_language_without_texts_leaves_english(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "locale", lambda: locale)
    assert translated("Bake Walk") == "Bake Walk"


@pytest.mark.parametrize("cls", registration.CLASSES, ids=lambda cls: cls.__name__)
def test_every_label_and_tooltip_is_known(cls: Any) -> None:
    table = language.translation("de_DE")
    labels = [getattr(cls, name, "") for name in ("bl_label", "bl_description")]
    texts = {text for text in (*language.texts_of(cls), *labels) if any(letter.islower() for letter in text)}
    assert [text for text in sorted(texts) if not table.knows(text)] == []


def test_blender_is_given_all_texts_for_labels_and_for_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(language, "bpy", SimpleNamespace(
        app=SimpleNamespace(translations=SimpleNamespace(register=lambda name, texts: given.update(texts))),
        types=bpy.types,
    ))  # fmt: skip
    language.start(())
    assert set(given) == {"de_DE", "de"}
    assert given["de"]["Operator", "Bake Walk"] == given["de_DE"]["*", "Bake Walk"] == "Gang backen"


def test_polls_are_in_the_interfaces_language(german: None, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    operator = SimpleNamespace(poll_message_set=said.append)
    monkeypatch.setattr(language, "bpy", SimpleNamespace(types=SimpleNamespace(Operator=operator)))
    with pytest.raises(RuntimeError, match="poll"):
        bpy.ops.biped.cancel()
    assert said == ["Es wird kein Gang berechnet"]
