"""OMP, a fork of Pi that runs under bun."""

from __future__ import annotations

import json

from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call
from tests.hosts.drivers.pi import MODELS

DRIVER = Driver(
    id="omp",
    version="18.2.3",
    install=Npm(
        (
            "@oh-my-pi/pi-coding-agent@18.2.3",
            "@oh-my-pi/pi-natives-linux-x64@18.2.3",
            "@oven/bun-linux-x64@1.4.5",
        ),
        "@oh-my-pi/pi-coding-agent/dist/cli.js",
        runner="bun",
    ),
    args=("-p", "--model", "mock/mock", PROMPT),
    approve=(),
    shell=lambda command: call("bash", command=command),
    write=lambda path, text: call("write", path=path, content=text),
    env={"PI_OFFLINE": "1"},
    files={".omp/agent/models.yml": json.dumps(MODELS, indent=2)},  # JSON is YAML
)
