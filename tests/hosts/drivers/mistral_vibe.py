"""Mistral Vibe: Chat Completions; hooks are in a file of their own."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, PyPI, call

_CONFIG = f"""\
active_model = "mock"
enable_telemetry = false
enable_update_checks = false
enable_auto_update = false

[[providers]]
name = "mock"
api_base = "{URL}/v1"
api_key_env_var = "MOCK_KEY"
api_style = "openai"
backend = "generic"

[[models]]
name = "mock"
provider = "mock"
alias = "mock"
"""

DRIVER = Driver(
    id="mistral-vibe",
    version="3.0.2",
    install=PyPI(("mistral-vibe==3.0.2",), "vibe", python="3.13"),
    args=("-p", PROMPT),
    approve=("--auto-approve",),
    trust=("--trust",),
    shell=lambda command: call("bash", command=command),
    write=lambda path, text: call("write_file", path=path, content=text),
    env={"MOCK_KEY": "dummy"},
    files={".vibe/config.toml": _CONFIG},
)
