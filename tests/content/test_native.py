"""``[tool.agent-plugin.native.<host>]``: entries of the author's for events a host alone has."""

from __future__ import annotations

import json

import pytest

from hatch_agentplugin.adapter import Entries
from hatch_agentplugin.config import ConfigError
from hatch_agentplugin.config.servers import native_events
from hatch_agentplugin.plan import Item, OwnFile
from tests.content.rig import HOSTS, Rig, snapshot

NATIVE = """
[[tool.agent-plugin.native.claude-code.WorktreeCreate]]
matcher = "x"
hooks = [{ type = "command", command = "'${PLUGIN_ROOT}/scripts/server.sh' --dir ${HOME}", timeout = 3 }]
"""
FOREIGN = '{\n  "hooks": {"WorktreeCreate": [{"hooks": []}]} // mine\n}\n'


def test_entry_is_verbatim_but_for_the_plugin(rig: Rig) -> None:
    """Only the plugin's own placeholders are filled in; the file they name travels."""
    declaration = rig.declare(NATIVE)
    assert declaration.files == ("scripts/server.sh",)
    (placed,) = rig.compile(NATIVE).plan.hosts["claude-code"].scopes["user"]
    assert isinstance(placed, Item)
    assert placed.at == ("hooks", "WorktreeCreate")
    command = {"$text": "'${PLUGIN_ROOT}/scripts/server.sh' --dir ${HOME}"}
    assert placed.value == {
        "matcher": "x",
        "hooks": [{"type": "command", "command": command, "timeout": 3}],
    }


@pytest.mark.parametrize("foreign", [None, FOREIGN], ids=["empty", "foreign"])
def test_there_and_back(rig: Rig, foreign: str | None) -> None:
    if foreign:
        rig.write({".claude/settings.json": foreign}, rig.home)
    before = snapshot(rig.home)
    bundle = rig.install(NATIVE)
    rig.activate("claude-code")
    text = (rig.home / ".claude/settings.json").read_text().replace("// mine", "")
    entry = json.loads(text)["hooks"]["WorktreeCreate"][-1]
    assert entry["hooks"][0]["command"] == f"'{bundle}/scripts/server.sh' --dir ${{HOME}}"
    placed = snapshot(rig.home)
    rig.activate("claude-code")
    assert snapshot(rig.home) == placed
    rig.deactivate()
    assert snapshot(rig.home) == before


def test_not_in_a_project(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    """A path of this machine can't stand in a file that a team shares; the rest goes on."""
    rig.install(NATIVE + '[tool.agent-plugin.mcp.acme]\ncommand = "acme-mcp"\n')
    rows = rig.rows(
        capsys, "activate", "--yes", "--host", "claude-code", "--project", str(rig.work)
    )
    assert {row["state"] for row in rows} == {"skipped", "placed"}
    assert not (rig.work / ".claude").exists()
    assert (rig.work / ".mcp.json").is_file()


ENTRY = {"command": "'${PLUGIN_ROOT}/scripts/server.sh'", "of": "mine"}
WITH_DOCUMENT = [name for name, host in HOSTS.items() if isinstance(host.delivery, Entries)]


@pytest.mark.parametrize("host", WITH_DOCUMENT)
def test_every_host_with_a_document_takes_them(rig: Rig, host: str) -> None:
    """They are placed unchanged at the event's key, except in scopes that a team shares."""
    event = native_events(HOSTS[host])[-1]
    table = f'[[tool.agent-plugin.native.{host}."{event}"]]\n'
    bundle = rig.compile(table + "".join(f"{key} = {json.dumps(v)}\n" for key, v in ENTRY.items()))
    wanted = {**ENTRY, "command": {"$text": ENTRY["command"]}}
    delivery = HOSTS[host].delivery
    assert isinstance(delivery, Entries)
    assert list(bundle.plan.hosts[host].scopes) == list(delivery.files)
    for placements in bundle.plan.hosts[host].scopes.values():
        if delivery.own:
            own = next(one for one in placements if isinstance(one, OwnFile))
            assert json.dumps(wanted) in json.dumps(own.value)
            assert f'"{event}"' in json.dumps(own.value) or "$event" not in delivery.at
        else:
            (item,) = [one for one in placements if isinstance(one, Item)]
            assert (item.value, item.event) == (wanted, "")
            assert event in item.at or "$event" not in delivery.at


@pytest.mark.parametrize("host", [name for name in HOSTS if name not in WITH_DOCUMENT])
def test_other_hosts_have_no_place_for_them(rig: Rig, host: str) -> None:
    """The build names the table."""
    with pytest.raises(ConfigError, match=f"native.{host}.*takes no native entries"):
        rig.compile(f"[[tool.agent-plugin.native.{host}.Stop]]\ncommand = 'x'\n")
