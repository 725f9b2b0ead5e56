"""Gemini CLI: Vertex AI's addresses, the only headless way without a login."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

DRIVER = Driver(
    id="gemini-cli",
    version="0.61.0",
    install=Npm(
        ("@google/gemini-cli@0.61.0",), "@google/gemini-cli/bundle/gemini.js", runner="node"
    ),
    args=("-p", PROMPT, "-m", "gemini-2.5-pro"),
    # Without it the shell tool is not even offered to the model.
    approve=("--yolo",),
    shell=lambda command: call("run_shell_command", command=command),
    write=lambda path, text: call("write_file", file_path=path, content=text),
    env={
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_API_KEY": "dummy",
        "GOOGLE_VERTEX_BASE_URL": URL,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",  # else it does not start, or drops project hooks
        "GEMINI_TELEMETRY_ENABLED": "false",
    },
)
