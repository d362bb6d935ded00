"""What must be so before any test module is loaded, and what is said at the end."""

from __future__ import annotations

from collections import Counter

import pytest

from blender_biped.base.arithmetic import make_reproducible
from tests.shared import MISSING

make_reproducible()  # as the worker does

_WITHOUT = "without ../shared"  # as skipped tests are counted whose files are missing


def _missing(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the file that a skipped test wanted of ../shared, "" if that is not why it was skipped."""
    reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    return reason.partition(MISSING)[2]


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    """Count tests that want files of ../shared by themselves: no line for each of them."""
    return (_WITHOUT, "s", "SKIPPED") if _missing(report) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was left out for want of ../shared."""
    folders = Counter(_missing(report).partition("/")[0] for report in terminalreporter.getreports(_WITHOUT))
    if folders:
        parts = ", ".join(f"{folder} {count}" for folder, count in folders.most_common())
        terminalreporter.write_line(f"{folders.total()} tests need ../shared, which is not here: {parts}")
