"""GitHub Copilot CLI: Chat Completions, by its own offline mode."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call

DRIVER = Driver(
    id="copilot-cli",
    version="1.0.102",
    install=Npm(("@github/copilot-linux-x64@1.0.102",), "@github/copilot-linux-x64/copilot"),
    args=("-p", PROMPT, "--no-auto-update"),
    approve=("--allow-all-tools",),
    trust=("--trust-folder",),
    shell=lambda command: call("bash", command=command, description="run it"),
    write=lambda path, text: call("create", path=path, file_text=text),
    env={
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{URL}/v1",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": "mock",
        "COPILOT_AUTO_UPDATE": "false",
    },
)
