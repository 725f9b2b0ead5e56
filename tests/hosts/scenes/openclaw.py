"""OpenClaw: only its gateway has subagents and ends a session."""

from __future__ import annotations

import json

from tests.hosts.clients import openclaw
from tests.hosts.drivers._driver import call
from tests.hosts.drivers.openclaw import CONFIG
from tests.hosts.model import Call
from tests.hosts.scene import Scene, subagent


def _task(prompt: str) -> Call:
    return call("tool_call", id="sessions_spawn", args={"task": prompt})


_GATEWAY = {**CONFIG, "gateway": {"mode": "local", "auth": {"mode": "none"}}}
SCENES = (
    # After a tool that may have changed something the host would not let itself be kept going.
    Scene("kept-going", {"turn-end": ["keep-going"]}),
    Scene(
        "gateway",
        {"subagent-start": [], "subagent-stop": [], "session-end": []},
        subagent(_task, lambda driver: driver.shell("sleep 5")),
        files={".openclaw/openclaw.json": json.dumps(_GATEWAY, indent=2)},
        instead=(openclaw.NOTHING,),
        through=openclaw.client("please work", "/new"),
    ),
)
UNREACHED: dict[str, str] = {
    "pre-compact": "a session of a few turns is too small for it, whatever tokens a model reports",
    "post-compact": "a session of a few turns is too small for it, whatever tokens a model reports",
}
