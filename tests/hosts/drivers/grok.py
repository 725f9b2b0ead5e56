"""Grok: Chat Completions, the model by its own config; the npm package packs the program."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

_CONFIG = f"""\
[model.mock]
model = "mock"
base_url = "{URL}/v1"
name = "mock"
api_key = "dummy"
context_window = 200000
"""

DRIVER = Driver(
    id="grok",
    version="1.0.41",
    install=Npm(
        ("@xai-official/grok-linux-x64@1.0.41",),
        "@xai-official/grok-linux-x64/bin/grok",
        brotli="@xai-official/grok-linux-x64/bin/grok.br",
    ),
    args=("-p", PROMPT, "-m", "mock"),
    approve=("--always-approve",),
    trust=("--trust",),
    shell=lambda command: call("run_terminal_command", command=command, description="run it"),
    write=lambda path, text: call("write", file_path=path, content=text),
    files={".grok/config.toml": _CONFIG},
)
