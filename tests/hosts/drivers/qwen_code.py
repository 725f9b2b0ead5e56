"""Qwen Code: Chat Completions; the newest release needs a newer Node than npm installs it under."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import NODE, PROMPT, Driver, Npm, call

DRIVER = Driver(
    id="qwen-code",
    version="0.24.4",
    install=Npm(
        ("@qwen-code/qwen-code@0.24.4",),
        "@qwen-code/qwen-code/cli-entry.js",
        runner="node",
        node=NODE,
    ),
    args=("-p", PROMPT, "--auth-type", "openai"),
    # Without it the shell tool is not even offered to the model.
    approve=("--yolo",),
    shell=lambda command: call("run_shell_command", command=command, is_background=False),
    write=lambda path, text: call("write_file", file_path=path, content=text),
    env={"OPENAI_BASE_URL": f"{URL}/v1", "OPENAI_API_KEY": "dummy", "OPENAI_MODEL": "mock"},
)
