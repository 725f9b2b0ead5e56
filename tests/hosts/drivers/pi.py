"""Pi: Chat Completions, a model file in the agent folder; there are no approvals."""

from __future__ import annotations

import json
from typing import Any

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import NODE, PROMPT, Driver, Npm, call

MODELS: dict[str, Any] = {
    "providers": {
        "mock": {
            "baseUrl": f"{URL}/v1",
            "apiKey": "dummy",
            "api": "openai-completions",
            "models": [
                {
                    "id": "mock",
                    "name": "mock",
                    "reasoning": False,
                    "input": ["text"],
                    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                    "contextWindow": 200_000,
                    "maxTokens": 8000,
                }
            ],
        }
    }
}
"""Provider and model; OMP, a fork, takes the same."""

DRIVER = Driver(
    id="pi",
    version="1.6.0",
    install=Npm(
        ("@earendil-works/pi-coding-agent@1.6.0",),
        "@earendil-works/pi-coding-agent/dist/bundle/cli.js",
        runner="node",
        node=NODE,
    ),
    args=("-p", "--model", "mock/mock", PROMPT),
    approve=(),
    trust=("--approve",),
    shell=lambda command: call("bash", command=command),
    write=lambda path, text: call("write", path=path, content=text),
    env={"PI_OFFLINE": "1"},
    files={".pi/agent/models.json": json.dumps(MODELS, indent=2)},
)
