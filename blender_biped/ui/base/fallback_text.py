"""What people are told of a walk that is not the one that was set, because that one fell or did not arrive."""

from __future__ import annotations

from ...motion.summary import Summary
from .units import SPACE

_SAME = 0.99  # of the speed: it is no other one


def fallback_text(summary: Summary) -> str:
    """Return how the walk that was set ended, and what this one is in its place; "" for the one that was set."""
    if summary.fallback is None:
        return ""
    share = "" if (summary.calmer_speed or 1.0) > _SAME else f"{summary.calmer_speed:.2g}"
    texts = {
        "calmer": _calmer(share, bool(summary.wider)),
        "another": _another(share, summary),
        "kinematic": _kinematic(share, summary),
    }
    return f"{_set(summary.set_fell_at or 0.0)} {texts[summary.fallback]}"


def _set(fell_at: float) -> str:
    """Return how the walk that was set ended. fell_at: s, 0 for one that did not fall."""
    if fell_at > 0.0:
        return f"The walk fell after {fell_at:.1f}{SPACE}s as it was set."
    return "The walk did not reach the end of the path as it was set."


def _calmer(share: str, wider: bool) -> str:
    """Return what a calmer walk is. share: of the speed, "" for all of it."""
    if share and wider:
        return f"This is the same walk at {share} of the speed, with wider steps."
    return f"This is the same walk at {share} of the speed." if share else "This is the same walk with wider steps."


def _another(share: str, summary: Summary) -> str:
    """Return which controller walks in its place. share: of the speed, "" for all of it."""
    if share:
        return f"This is {summary.fallback_style} in its place, at {share} of the speed."
    return f"This is {summary.fallback_style} in its place."


def _kinematic(share: str, summary: Summary) -> str:
    """Return that a walk is not simulated, and that calmer ones failed where these were tried."""
    own = f"This is KLAW's walk, {summary.fallback_style}: it is not simulated."
    if summary.calmer_speed is None:
        return own
    too = f"At {share} of the speed it failed, too." if share else "With wider steps it failed, too."
    return f"{too} {own}"
