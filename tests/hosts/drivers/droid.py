"""Droid: Chat Completions, a custom model needs no login."""

from __future__ import annotations

import json

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

SETTINGS = {
    "customModels": [
        {
            "model": "mock",
            "displayName": "mock",
            "baseUrl": f"{URL}/v1",
            "apiKey": "dummy",
            "provider": "generic-chat-completion-api",
            "maxOutputTokens": 8000,
        }
    ]
}

DRIVER = Driver(
    id="droid",
    version="0.225.2",
    install=Npm(("@factory/cli-linux-x64@0.225.2",), "@factory/cli-linux-x64/bin/droid"),
    args=("exec", "-m", "custom:mock", PROMPT),
    approve=("--skip-permissions-unsafe",),
    shell=lambda command: call("Execute", command=command, summary="Run the one command"),
    write=lambda path, text: call("Create", file_path=path, content=text),
    files={".factory/settings.json": json.dumps(SETTINGS, indent=2)},
)
