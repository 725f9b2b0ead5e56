"""Names of the adapters' plugin system, and the decorator for their hook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

#: The entry-point group of adapters, and the name of the pluggy project.
ENTRY_POINT_GROUP = "agent_plugin.adapters"
PROJECT_NAME = "agent_plugin"

F = TypeVar("F", bound=Callable[..., Any])


def hookimpl(function: F) -> F:
    """Decorate a function as an implementation of a hook; without pluggy return it unchanged."""
    try:
        from pluggy import HookimplMarker
    except ImportError:  # only the build has pluggy; other commands read the tables without it
        return function
    marked: F = HookimplMarker(PROJECT_NAME)(function)
    return marked
