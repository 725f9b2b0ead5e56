"""Codex CLI: OpenAI Responses; the provider by arguments, so config.toml stays the user's."""

from __future__ import annotations

from tests.hosts._sandbox import URL
from tests.hosts.drivers._driver import PROMPT, Driver, Npm, call
from tests.hosts.model import Call

_PROVIDER = f'{{name="mock", base_url="{URL}/v1", wire_api="responses", env_key="MOCK_KEY"}}'

PROVIDER = (
    *("-c", 'model_provider="mock"'),
    *("-c", 'model="gpt-5.5"'),
    *("-c", f"model_providers.mock={_PROVIDER}"),
)


def _write(path: str, text: str) -> Call:
    added = "".join(f"+{line}\n" for line in text.splitlines())
    return Call("apply_patch", f"*** Begin Patch\n*** Add File: {path}\n{added}*** End Patch\n")


DRIVER = Driver(
    id="codex",
    version="0.171.0",
    install=Npm(
        ("@openai/codex@0.171.0-linux-x64",),
        "@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex",
    ),
    args=(
        "exec",
        "--skip-git-repo-check",
        *PROVIDER,
        # Hooks run only when trusted, and trust is given by hand; a test of trust leaves this out.
        "--dangerously-bypass-hook-trust",
        PROMPT,
    ),
    approve=("--dangerously-bypass-approvals-and-sandbox",),
    trust=("--trust",),
    shell=lambda command: call("exec_command", cmd=command),
    write=_write,
    env={"MOCK_KEY": "dummy"},
)
