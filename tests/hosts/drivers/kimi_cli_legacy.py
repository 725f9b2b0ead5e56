"""Kimi CLI, the archived Python line: Chat Completions, all settings in one file with the hooks."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, PyPI, call

_CONFIG = f"""\
default_model = "mock"
telemetry = false

[models.mock]
provider = "mock"
model = "mock"
max_context_size = 200000

[providers.mock]
type = "openai_legacy"
base_url = "{URL}/v1"
api_key = "dummy"
"""

DRIVER = Driver(
    id="kimi-cli-legacy",
    version="1.51.0",
    install=PyPI(("kimi-cli==1.51.0",), "kimi", python="3.13"),
    args=("--print", "-p", PROMPT),
    approve=("--yolo",),
    shell=lambda command: call("Shell", command=command),
    write=lambda path, text: call("WriteFile", path=path, content=text),
    files={".kimi/config.toml": _CONFIG},
)
