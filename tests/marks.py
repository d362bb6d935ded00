"""Marks of parameters: which of a test's cases are long tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def long_but(values: Iterable[Any], *plain: Any) -> list[Any]:
    """Return values for a parameter; all but those that are named as plain are long tests.

    values: tuples are for several parameters at once.
    """

    def marked(value: Any) -> Any:
        return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)

    return [value if value in plain else marked(value) for value in values]
