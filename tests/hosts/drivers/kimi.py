"""Kimi Code, the TypeScript line: Chat Completions, all settings in one file with the hooks."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import NODE, PROMPT, Driver, Npm, call

_CONFIG = f"""\
default_model = "mock"
telemetry = false

[models.mock]
provider = "mock"
model = "mock"
max_context_size = 200000
capabilities = ["tool_use"]

[providers.mock]
type = "openai"
base_url = "{URL}/v1"
api_key = "dummy"
"""

DRIVER = Driver(
    id="kimi",
    version="2.1.0",
    install=Npm(
        ("@moonshot-ai/kimi-code@2.1.0",),
        "@moonshot-ai/kimi-code/dist/main.mjs",
        runner="node",
        node=NODE,
    ),
    args=("-p", PROMPT),
    approve=(),
    shell=lambda command: call("Bash", command=command),
    write=lambda path, text: call("Write", path=path, content=text),
    pace=0.5,
    files={".kimi-code/config.toml": _CONFIG},
)
