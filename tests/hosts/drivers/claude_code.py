"""Claude Code: Anthropic Messages, a native program that needs no Node."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

DRIVER = Driver(
    id="claude-code",
    version="2.1.332",
    install=Npm(
        ("@anthropic-ai/claude-code-linux-x64@2.1.332",),
        "@anthropic-ai/claude-code-linux-x64/claude",
    ),
    args=("-p", PROMPT),
    approve=("--dangerously-skip-permissions",),
    shell=lambda command: call("Bash", command=command, description="run it"),
    write=lambda path, text: call("Write", file_path=path, content=text),
    env={
        "ANTHROPIC_BASE_URL": URL,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "IS_SANDBOX": "1",  # root may not skip permissions otherwise
    },
)
