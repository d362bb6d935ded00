"""Texts in another language: whole ones, and those put together at run time, by the patterns that made them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

_PLACE = re.compile(r"\{(\w+)\}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_FIGURE = re.compile("[-+]?\\d[^ ]*")  # a number and its unit, between which no line is broken
_IN_BRACKETS = re.compile(r"(.+) (\([^()]*\))")
_LITTLE = 12  # characters
_MAX_SENTENCES = 8  # that one text may have
_KEPT = 4096  # texts whose translation is remembered: panels draw the same ones again and again


@dataclass(frozen=True)
class Translation:
    """The texts of one language by the English ones.

    What is put together at run time has a named placeholder for each value on both sides: ``Frame {frame}: {doubt}``.
    Messages are made where nothing is known of languages, some in another process, and come as finished English.
    """

    texts: Mapping[str, str]

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """The texts with placeholders as patterns of what they become, those that say most first."""
        made = [(_literal(text), text) for text in self.texts if _PLACE.search(text)]
        return [(_pattern(text), self.texts[text]) for _, text in sorted(made, key=lambda pair: -pair[0])]

    @cached_property
    def _in_lower_case(self) -> Mapping[str, str]:
        """The names of things as they stand within sentences: left upper arm."""
        return {text.lower(): translated for text, translated in self.texts.items() if text.istitle()}

    def of(self, text: str) -> str:
        """Return a text in the language: as a whole, else sentence by sentence; what is not known stays English."""
        return self._remembered(text)

    @cached_property
    def _remembered(self) -> Callable[[str], str]:
        return lru_cache(_KEPT)(self._made)

    def _made(self, text: str) -> str:
        whole = self._whole(text)
        if whole is not None:
            return whole
        sentences = _SENTENCE.split(text)
        found: list[str] = []
        while sentences:
            for count in range(min(len(sentences), _MAX_SENTENCES), 0, -1):
                known = self._whole(" ".join(sentences[:count]))
                if known is not None or count == 1:
                    found.append(self._clauses(sentences[0]) if known is None else known)
                    del sentences[:count]
                    break
        return " ".join(found)

    def _clauses(self, text: str) -> str:
        """Return a sentence whose clauses are all known in the language, or figures, another one as it is."""
        clauses = [clause if _FIGURE.fullmatch(clause) else self._whole(clause) for clause in text.split(", ")]
        return text if None in clauses else ", ".join(filter(None, clauses))

    def knows(self, text: str) -> bool:
        """Return whether a text as a whole is one of the texts, or made by one of them."""
        return self._whole(text) is not None

    def _whole(self, text: str) -> str | None:
        """Return a text that is known, or that one pattern makes, in the language; else None."""
        bare = text.strip(" ")
        if not bare:
            return None
        known = self.texts.get(bare) or self._in_lower_case.get(bare)
        if known is not None:
            return text.replace(bare, known)
        stopped = bare.endswith(".")  # messages are sentences of what stands without a full stop elsewhere
        for pattern, translated in self._patterns:
            whole = pattern.fullmatch(bare)
            made = whole or (pattern.fullmatch(bare[:-1]) if stopped else None)
            if made:
                values = {name: self._value(value) for name, value in made.groupdict().items()}
                return text.replace(bare, filled(translated, values) + ("" if whole else "."))
        with_unit = _IN_BRACKETS.fullmatch(bare)
        if with_unit and with_unit[1] in self.texts:
            return text.replace(bare, f"{self.texts[with_unit[1]]} {with_unit[2]}")
        return None

    def _value(self, text: str) -> str:
        """Return what stands for a placeholder in the language: names and numbers as they are."""
        return text if text[:1] in ("'", '"') or not re.search(r"[A-Za-z]{2}", text) else self.of(text)


def placeholders(text: str) -> list[str]:
    """Return the names of a text's placeholders, in alphabetical order."""
    return sorted(_PLACE.findall(text))


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with values for its placeholders."""
    return _PLACE.sub(lambda place: values[place[1]], text)


def _literal(text: str) -> int:
    """Return how many characters of a text are not placeholders."""
    return len(_PLACE.sub("", text))


def _pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of what a text with placeholders becomes."""
    parts = _PLACE.split(text.strip(" "))
    # What says little, as "{number} of {total}", must not take whole lists for its values.
    value = "(?:(?!, ).)*?" if _literal(text) < _LITTLE and not re.search("[,:]", text) else ".*?"
    made = "".join(f"(?P<{part}>{value})" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    return re.compile(made, re.DOTALL)
