"""Declare coding-agent hooks once in pyproject.toml, ship them in a wheel, run them in any agent.

Plugin authors import the outcomes and the event type from here::

    from hatch_agentplugin import Event, context, deny

The names are loaded on first use, so importing this package costs nearly nothing.
"""

from __future__ import annotations

__all__ = [
    "Event",
    "Outcome",
    "allow",
    "ask",
    "context",
    "deny",
    "halt",
    "keep_going",
    "message",
    "modify",
    "modify_output",
]

TYPE_CHECKING = False  # typing.TYPE_CHECKING without importing typing on the hook path
if TYPE_CHECKING:
    from hatch_agentplugin.fire.api import (
        Event,
        Outcome,
        allow,
        ask,
        context,
        deny,
        halt,
        keep_going,
        message,
        modify,
        modify_output,
    )


def __getattr__(name: str) -> object:
    if name in __all__:
        from hatch_agentplugin.fire import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
