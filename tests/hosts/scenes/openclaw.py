"""OpenClaw."""

from __future__ import annotations

from tests.hosts.scene import Scene

SCENES: tuple[Scene, ...] = ()
UNREACHED: dict[str, str] = {
    "turn-end keep-going": "not after a tool that may have changed something",
    "session-end": "comes from the gateway, when a session is replaced",
    "pre-compact": "the local agent does not compact by the tokens that a model reports",
    "post-compact": "the local agent does not compact by the tokens that a model reports",
    "subagent-start": "subagents run in the gateway",
    "subagent-stop": "subagents run in the gateway",
}
