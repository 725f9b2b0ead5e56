"""OpenCode: Chat Completions, settings by environment, hooks by code plugins."""

from __future__ import annotations

import json

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

CONFIG = {
    "model": "mock/mock",
    "small_model": "mock/mock",
    "autoupdate": False,
    "share": "disabled",
    "provider": {
        "mock": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{URL}/v1", "apiKey": "dummy"},
            "models": {"mock": {"name": "mock", "limit": {"context": 200_000, "output": 8000}}},
        }
    },
}
"""Provider and model; Kilo, a fork, takes the same."""

DRIVER = Driver(
    id="opencode",
    version="1.18.33",
    install=Npm(("opencode-linux-x64@1.18.33",), "opencode-linux-x64/bin/opencode"),
    args=("run", PROMPT),
    approve=("--auto",),
    shell=lambda command: call("bash", command=command, description="run it"),
    write=lambda path, text: call("write", filePath=path, content=text),
    env={
        "OPENCODE_CONFIG_CONTENT": json.dumps(CONFIG),
        # As soon as a plugin exists the host fetches its plugin package first; offline that
        # takes over a minute of retries.
        "npm_config_fetch_retries": "0",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    },
)
