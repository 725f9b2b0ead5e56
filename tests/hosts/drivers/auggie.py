"""Auggie: it talks only to its own service, which a fake replaces; a dummy session is enough."""

from __future__ import annotations

import json

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

_SESSION = {"accessToken": "dummy", "tenantURL": f"{URL}/", "scopes": ["email"]}

DRIVER = Driver(
    id="auggie",
    version="0.36.0",
    install=Npm(("@augmentcode/auggie@0.36.0",), "@augmentcode/auggie/augment.mjs", runner="node"),
    args=("--print", PROMPT),
    approve=(),
    shell=lambda command: call(
        "launch-process", command=command, wait=True, max_wait_seconds=30, cwd="."
    ),
    write=lambda path, text: call(
        "save-file", path=path, file_content=text, add_last_line_newline=False
    ),
    service="tests.hosts.wire.augment:serve",
    env={"AUGMENT_SESSION_AUTH": json.dumps(_SESSION)},
)
