"""Cline CLI: Chat Completions; the provider's address is in a settings file."""

from __future__ import annotations

import json

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

_PROVIDER = {
    "provider": "openai-compatible",
    "apiKey": "dummy",
    "model": "mock",
    "baseUrl": f"{URL}/v1",
}
_PROVIDERS = {
    "version": 1,
    "lastUsedProvider": "openai-compatible",
    "modes": {},
    "providers": {
        "openai-compatible": {
            "settings": _PROVIDER,
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "tokenSource": "manual",
        }
    },
}

DRIVER = Driver(
    id="cline",
    version="3.0.65",
    install=Npm(("@cline/cli-linux-x64@3.0.65",), "@cline/cli-linux-x64/bin/cline"),
    args=("-P", "openai-compatible", "-m", "mock", PROMPT),
    approve=(),  # approval is off unless `--auto-approve false` is given
    shell=lambda command: call("run_commands", commands=[command]),
    write=lambda path, text: call("editor", path=path, new_text=text),
    files={".cline/data/settings/providers.json": json.dumps(_PROVIDERS, indent=2)},
)
