"""Kilo CLI: a fork of OpenCode with other names and a service to leave alone."""

from __future__ import annotations

import json

from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call
from tests.hosts.drivers.opencode import CONFIG

DRIVER = Driver(
    id="kilo-cli",
    version="7.7.7",
    install=Npm(("@kilocode/cli-linux-x64@7.7.7",), "@kilocode/cli-linux-x64/bin/kilo"),
    args=("run", PROMPT),
    approve=("--auto",),
    shell=lambda command: call("bash", command=command, description="run it"),
    write=lambda path, text: call("write", filePath=path, content=text),
    env={
        "KILO_CONFIG_CONTENT": json.dumps(CONFIG),
        "npm_config_fetch_retries": "0",
        "KILO_DISABLE_AUTOUPDATE": "1",
        "KILO_DISABLE_MODELS_FETCH": "1",
        # Offline each of these waits for its time-out before or after the turn.
        "KILO_TELEMETRY_LEVEL": "off",
        "KILO_DISABLE_SESSION_INGEST": "1",
        "KILO_DISABLE_PRESENCE": "1",
        "KILO_DISABLE_CODEBASE_INDEXING": "1",
        "KILO_NO_DAEMON": "1",
    },
)
