from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests with a window out unless they are asked for."""
    if "gui" not in config.getoption("markexpr"):
        for item in items:
            if item.get_closest_marker("gui"):
                item.add_marker(pytest.mark.skip(reason="needs a window; ask for it with -m gui"))
