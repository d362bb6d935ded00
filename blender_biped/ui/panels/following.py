"""What operators share that follow work in other processes while Blender stays responsive."""

from __future__ import annotations

from typing import Any

import bpy

from ..base.status import BakeWork, status
from .layout import Sidebar


class Following:
    """An operator that looks at its work each time its timer calls it, until that has ended or Esc ends it."""

    report: Any
    _timer: Any
    _window: Any

    def _follow(self, context: bpy.types.Context, work: BakeWork, seconds: float) -> set[str]:
        """Begin to look at work, each ``seconds``."""
        self._window = context.window
        status.begin(work)
        self._every(context, seconds)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def _every(self, context: bpy.types.Context, seconds: float) -> None:
        """Have Blender call every so many seconds."""
        if self._timer:
            context.window_manager.event_timer_remove(self._timer)
        self._timer = context.window_manager.event_timer_add(seconds, window=self._window)

    def _escaped(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Return whether an event is an Esc that is meant for this."""
        return event.type == "ESC" and event.value == "PRESS" and self._is_meant(context, event)

    def _is_meant(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Return whether Esc is for this: over the sidebar, unless it stops playing."""
        return not context.screen.is_animation_playing and over_sidebar(context, event.mouse_x, event.mouse_y)

    def _looked(self, escaped: bool) -> set[str]:
        """Show how far it is; return what Blender is to do with the event."""
        status.advance()
        return {"RUNNING_MODAL" if escaped else "PASS_THROUGH"}

    def _stop(self, context: bpy.types.Context) -> None:
        """Leave no timer."""
        if self._timer:
            context.window_manager.event_timer_remove(self._timer)
        self._timer = None

    def cancel(self, context: bpy.types.Context) -> None:
        """End the work when Blender ends the operator, as when another file is opened."""
        self._stop(context)
        status.end("", "INFO")


def over_sidebar(context: bpy.types.Context, x: int, y: int) -> bool:
    """Return whether a place in the window is over the extension's tab in the sidebar of a 3D view."""
    for area in context.screen.areas:
        for region in area.regions if area.type == "VIEW_3D" else ():
            inside = region.x <= x < region.x + region.width and region.y <= y < region.y + region.height
            if region.type == "UI" and inside and region.width > 1:
                return getattr(region, "active_panel_category", Sidebar.bl_category) == Sidebar.bl_category
    return False
