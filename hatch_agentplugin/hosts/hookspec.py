"""The entry-point group of adapters and the marker for their hook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

#: The entry-point group, and the pluggy project name.
ENTRY_POINT_GROUP = "agent_plugin.adapters"
PROJECT_NAME = "agent_plugin"

F = TypeVar("F", bound=Callable[..., Any])


def hookimpl(function: F) -> F:
    """Mark a function as the implementation of a hook of this project (pluggy's marker)."""
    try:
        from pluggy import HookimplMarker
    except ImportError:  # reading the tables does not need pluggy, only the build does
        return function
    marked: F = HookimplMarker(PROJECT_NAME)(function)
    return marked
