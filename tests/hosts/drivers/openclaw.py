"""OpenClaw: Chat Completions, one turn of its agent without the gateway.

`agent exec`, the documented headless command, loads plugins without their hooks.
"""

from __future__ import annotations

import json

from tests.hosts.drivers._driver import NODE, PROMPT, Driver, Npm, call
from tests.hosts.drivers.pi import MODELS

CONFIG = {
    "models": {"mode": "replace", **MODELS},
    "agents": {"defaults": {"model": {"primary": "mock/mock"}}},
}

DRIVER = Driver(
    id="openclaw",
    version="2026.9.6",
    install=Npm(("openclaw@2026.9.6",), "openclaw/openclaw.mjs", runner="node", node=NODE),
    args=("agent", "--local", "--agent", "main", "--message", PROMPT),
    approve=(),
    shell=lambda command: call("exec", command=command),
    write=lambda path, text: call("write", path=path, content=text),
    files={".openclaw/openclaw.json": json.dumps(CONFIG, indent=2)},
    timeout=400,
)
