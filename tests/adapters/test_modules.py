"""Every code module loads in node, subscribes, and is harmless without the launcher."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import Module
from tests.adapters._node import Fake, needs_node
from tests.adapters.test_tables import HOSTS

pytestmark = needs_node

#: Template of the code -> fake host of its dialect.
FAKES = {
    "opencode.js.j2": "opencode.mjs",
    "pi.js.j2": "emitter.mjs",
    "amp.ts.j2": "emitter.mjs",
    "openclaw.mjs.j2": "emitter.mjs",
}
MODULES = [
    (host.id, scope)
    for host in HOSTS.values()
    if isinstance(host.delivery, Module)
    for scope in host.delivery.files
]


def test_every_template_has_a_fake_host() -> None:
    """A new template needs a fake host that runs it."""
    used = {
        host.delivery.templates[-1] for host in HOSTS.values() if isinstance(host.delivery, Module)
    }
    assert used == set(FAKES)


@pytest.mark.parametrize(("host_id", "scope"), MODULES, ids=[f"{h}-{s}" for h, s in MODULES])
def test_module_loads_and_is_harmless_without_the_launcher(
    tmp_path: Path, host_id: str, scope: str
) -> None:
    """It subscribes to something, throws nothing, and does not touch a tool call."""
    host = HOSTS[host_id]
    assert isinstance(host.delivery, Module)
    template = host.delivery.templates[-1]
    fake = Fake(tmp_path, host, FAKES[template])
    module = fake.module(*host.events, scope=scope, template=template)
    fake.launcher.unlink()
    load = {"load": str(module), "directory": str(tmp_path)}
    ran = fake.run(load, *calls(template, host_id))
    first, *rest = ran["results"]
    assert first.get("members") or first.get("names"), first
    assert all("error" not in result for result in rest), rest
    assert ran["uncaught"] == []
    assert fake.calls() == []
    refused = [one for one in rest if "deny" in str(one) or "reject" in str(one)]
    assert refused == []


def calls(template: str, host_id: str) -> list[dict[str, Any]]:
    """Return a tool call as hosts of this dialect make it."""
    if template == "opencode.js.j2":
        call = {"tool": "bash", "sessionID": "s1", "callID": "c1"}
        args = {"args": {"command": "ls"}}
        return [{"member": "tool.execute.before", "input": call, "output": args}]
    names = {"amp": "tool.call", "openclaw": "before_tool_call"}
    event = {
        "toolName": "bash", "tool": "Bash", "toolCallId": "c1", "toolUseID": "c1",
        "input": {"command": "ls"}, "params": {"command": "ls"}, "thread": {"id": "T-1"},
    }  # fmt: skip
    return [{"emit": names.get(host_id, "tool_call"), "event": event, "run": "r1", "cwd": "/"}]
