"""Real hosts list the MCP servers that we have placed, and most start them; offline."""

from __future__ import annotations

import os

import pytest

from tests.content.rig import EVERYTHING, Rig
from tests.hosts import _sandbox
from tests.hosts.drivers import DRIVERS, Driver
from tests.hosts.model import Script

pytestmark = pytest.mark.hosts

#: A server of one tool, in a few lines.
SERVER = """\
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if "id" not in call:
        continue
    result = {}
    if call["method"] == "initialize":
        version = call["params"]["protocolVersion"]
        about = {"name": "acme", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    elif call["method"] == "tools/list":
        tool = {"name": "hello", "description": "x", "inputSchema": {"type": "object"}}
        result = {"tools": [tool]}
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
"""
#: Host -> arguments that make it list its servers, and what it says of ours.
LISTS: dict[str, tuple[tuple[str, ...], str]] = {
    "claude-code": (("mcp", "list"), "Connected"),
    "qwen-code": (("mcp", "list"), "Connected"),
    "opencode": (("mcp", "list"), "connected"),
    "kilo-cli": (("mcp", "list"), "connected"),
    "pi": (("mcp", "list"), "tools: hello"),
    "droid": (("mcp", "list"), "connected"),
    "codex": (("mcp", "list"), "enabled"),
    "gemini-cli": (("mcp", "list"), "(stdio)"),
    "grok": (("mcp", "list"), "server.py"),
    "hermes": (("mcp", "list"), "enabled"),
    "kimi-cli-legacy": (("mcp", "list"), "server.py"),
    "auggie": (("mcp", "list"), "stdio"),
    "copilot-cli": (("mcp", "list"), "(local)"),
    "cline": (("config", "mcp"), "[stdio]"),
    "openclaw": (("mcp", "list"), "acme"),
}

#: Files that the hosts themselves rewrite when they start.
SETTINGS = {
    "claude-code": (".claude.json",),
    "opencode": (".config/opencode/opencode.json",),
    "kilo-cli": (".config/kilo/kilo.json",),
}


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.id)
def test_host_has_the_server(rig: Rig, driver: Driver) -> None:
    if driver.id not in LISTS:
        pytest.skip("has no command that lists servers")
    if driver.skip_reason():
        pytest.skip(driver.skip_reason())
    words, said = LISTS[driver.id]
    rig.write({"data/server.py": SERVER})
    args = 'args = ["-m", "acme.server", "--data", "${PLUGIN_DATA}/db"]'
    rig.install(EVERYTHING.replace(args, 'args = ["${PLUGIN_ROOT}/data/server.py"]'))
    driver.prepare(rig.home, rig.work)
    rig.activate(driver.id)
    folders = [*driver.install.path(), _sandbox.environment(rig.home, {})["PATH"]]
    run = _sandbox.run(
        [*driver.install.command(), *words],
        home=rig.home,
        cwd=rig.work,
        script=Script(),
        scratch=rig.root / "run",
        env={**driver.env, "PATH": os.pathsep.join(folders)},
        timeout=driver.timeout,
        service=driver.service,
    )
    lines = [line for line in (run.out + run.err).splitlines() if "acme" in line or said in line]
    assert any("acme" in line for line in lines), run.out + run.err
    assert any(said in line for line in lines), run.out + run.err
    rig.deactivate()
    # The host may have rewritten its file: ours goes all the same.
    for name in SETTINGS.get(driver.id, ()):
        assert "server.py" not in (rig.home / name).read_text("utf-8")
