"""The user's content stays; shared content is placed once and removed with the last host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.content.rig import EVERYTHING, Rig, program, snapshot, states

SERVER = '[tool.agent-plugin.mcp.acme]\ncommand = "acme-mcp"\n'
SKILLS = '[tool.agent-plugin]\nskills = "skills"\n'
RULES = '[tool.agent-plugin]\nrules = "RULES.md"\n'

Capture = pytest.CaptureFixture[str]


def activate(rig: Rig, capsys: Capture, *hosts: str) -> list[dict[str, object]]:
    return rig.rows(capsys, "activate", "--yes", "--host", ",".join(hosts))


@pytest.mark.parametrize(
    ("host", "path", "text"),
    [
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"acme": {"command": "mine"}}}'),
        ("opencode", ".config/opencode/opencode.json", '{"mcp": {"acme": null}}\n'),
        ("codex", ".codex/config.toml", '[mcp_servers.acme]\ncommand = "mine"\n'),
        ("hermes", ".hermes/config.yaml", "mcp_servers:\n  acme:\n    command: mine\n"),
        ("mistral-vibe", ".vibe/config.toml", '[[mcp_servers]]\nname = "acme"\ncommand = "m"\n'),
    ],
)
def test_server_of_the_users_stays(
    rig: Rig, capsys: Capture, host: str, path: str, text: str
) -> None:
    """A key of the same name is a conflict: it is reported, and everything else is placed."""
    rig.write({path: text}, rig.home)
    rig.install(SKILLS + SERVER)
    rows = activate(rig, capsys, host)
    assert states(rows, "mcp:acme") == {"failed"}
    assert "nothing was changed" in str(rows)
    assert (rig.home / path).read_text() == text
    rig.deactivate()
    assert snapshot(rig.home).keys() >= {path}
    assert (rig.home / path).read_text() == text


def test_other_file_of_the_host_has_the_server(rig: Rig, capsys: Capture) -> None:
    """If the host merges two files, a server of the same name in the other file is a conflict."""
    folder = rig.home / ".config/opencode"
    rig.write({"opencode.json": "{}", "opencode.jsonc": '{"mcp": {"acme": {}}}'}, folder)
    rig.install(SERVER)
    assert states(activate(rig, capsys, "opencode"), "mcp:acme") == {"failed"}
    assert (folder / "opencode.json").read_text() == "{}"


def test_same_server_is_the_users(rig: Rig, capsys: Capture) -> None:
    """An equal entry of the user is not ours, so it stays when the plugin is deactivated."""
    text = '{"mcpServers": {"acme": {"command": "acme-mcp", "args": []}}}'
    rig.write({".cursor/mcp.json": text}, rig.home)
    rig.install(SERVER)
    assert states(activate(rig, capsys, "cursor"), "mcp:acme") == {"skipped"}
    rig.deactivate()
    assert (rig.home / ".cursor/mcp.json").read_text() == text


def test_skill_of_the_users_stays_whole(rig: Rig, capsys: Capture) -> None:
    """No file of ours is written into a user's skill of the same name; other skills are placed."""
    rig.write({".claude/skills/greet/SKILL.md": "mine"}, rig.home)
    before = snapshot(rig.home)
    rig.install(SKILLS)
    rows = activate(rig, capsys, "claude-code")
    assert states(rows, "skills") == {"failed", "placed"}
    folder = rig.home / ".claude/skills"
    assert [path.name for path in (folder / "greet").iterdir()] == ["SKILL.md"]
    assert (folder / "tidy-up/SKILL.md").is_file()
    rig.deactivate()
    assert snapshot(rig.home) == before


def test_two_hosts_share_a_skill(rig: Rig, capsys: Capture) -> None:
    """Several hosts read ~/.agents/skills: one file, removed with the last of them."""
    rig.install(SKILLS)
    rows = activate(rig, capsys, "codex", "zed")
    assert "shared with codex" in str(rows)
    skill = rig.home / ".agents/skills/greet/SKILL.md"
    rig.deactivate("--host", "codex")
    assert skill.is_file()
    rig.deactivate("--host", "zed")
    assert not (rig.home / ".agents").exists()


def test_upgrade_of_a_shared_skill(rig: Rig) -> None:
    """After activating one host again, the ledger has the new content for both."""
    rig.install(SKILLS)
    rig.activate("codex", "zed")
    text = "---\nname: greet\ndescription: New.\n---\n"
    rig.write({"skills/greet/SKILL.md": text})
    rig.install(SKILLS)
    rig.activate("zed")
    skill = rig.home / ".agents/skills/greet/SKILL.md"
    assert skill.read_text() == text
    rig.deactivate("--host", "zed")
    assert skill.read_text() == text
    rig.deactivate()
    assert not (rig.home / ".agents").exists()


def test_edited_skill_is_kept(rig: Rig, capsys: Capture) -> None:
    rig.install(SKILLS)
    rig.activate("codex", "zed")
    skill = rig.home / ".agents/skills/greet/SKILL.md"
    skill.write_text("mine now")
    assert "kept" in states(activate(rig, capsys, "codex"), "skills")
    rig.deactivate()
    assert skill.read_text() == "mine now"


def test_hosts_share_a_block_of_rules(rig: Rig, capsys: Capture) -> None:
    """One block in the project's AGENTS.md for all hosts that read it."""
    rig.write({"AGENTS.md": "# Mine\n"}, rig.work)
    rig.install(RULES)
    rig.activate("warp", "zed", "cursor", scope="project")
    text = (rig.work / "AGENTS.md").read_text()
    assert text == "# Mine\n\n# Acme\n\nSpeak plainly.\n"
    rig.deactivate("--host", "warp")
    rig.deactivate("--host", "cursor")
    assert (rig.work / "AGENTS.md").read_text() == text
    rig.deactivate()
    assert (rig.work / "AGENTS.md").read_text() == "# Mine\n"


def test_blocks_of_two_plugins(rig: Rig) -> None:
    """Each plugin has its own block, in any order, even if both have the same text."""
    rig.install(RULES)
    rig.install(RULES, plugin="other")
    before = snapshot(rig.home)
    rig.activate("claude-code")
    assert (rig.home / ".claude/CLAUDE.md").read_text().count("Speak plainly.") == 2
    rig.deactivate("acme")
    assert (rig.home / ".claude/CLAUDE.md").read_text() == "# Acme\n\nSpeak plainly.\n"
    rig.deactivate("other")
    assert snapshot(rig.home) == before


def test_two_plugins_with_one_name(rig: Rig, capsys: Capture) -> None:
    """The same server is shared; a different one of that name is refused to the second."""
    rig.install(SERVER)
    rig.install(SERVER, plugin="other")
    rig.install('[tool.agent-plugin.mcp.acme]\ncommand = "else"\n', plugin="third")
    rows = activate(rig, capsys, "cursor")
    found = {str(row["plugin"]): row["state"] for row in rows}
    assert found == {"acme": "placed", "other": "placed", "third": "failed"}
    rig.deactivate("acme")
    servers = json.loads((rig.home / ".cursor/mcp.json").read_bytes())["mcpServers"]
    assert servers == {"acme": {"command": "acme-mcp", "args": []}}
    rig.deactivate()
    assert not (rig.home / ".cursor").exists()


def test_project_gets_no_path_of_this_machine(rig: Rig, capsys: Capture) -> None:
    """Files that a team shares name programs, not paths; a server that needs a path is left out."""
    rig.install(EVERYTHING)
    rows = rig.rows(
        capsys, "activate", "--yes", "--host", "claude-code", "--project", str(rig.work)
    )
    assert states(rows, "mcp:acme") == {"skipped"}
    assert "can't be shared in a project" in str(rows)
    text = (rig.work / ".mcp.json").read_text()
    assert json.loads(text)["mcpServers"].keys() == {"plain", "remote"}
    for path in rig.work.rglob("*"):
        assert path.is_dir() or str(rig.root) not in path.read_text("utf-8")


def test_host_that_lists_the_servers_of_others(rig: Rig, capsys: Capture) -> None:
    rig.install(SERVER)
    rig.activate("omp", "cursor")
    assert "omp also lists the MCP servers of cursor" in capsys.readouterr().err


def test_consent_shows_what_agents_will_run(rig: Rig, capsys: Capture) -> None:
    rig.install(EVERYTHING)
    rows = activate(rig, capsys, "goose", "opencode")
    commands = {str(row["host"]): row["commands"] for row in rows if "mcp:acme" in row["events"]}  # type: ignore[operator]
    data = rig.home / ".agent-plugin/acme/data/db"
    line = f"{program()} -m acme.server --data {data}"
    assert commands == {"goose": [line], "opencode": [line]}
    assert ["https://acme.dev/mcp"] in [row["commands"] for row in rows]


def test_status_of_content(rig: Rig, capsys: Capture) -> None:
    """The state is placed or edited; it is unknown whether the host uses it."""
    rig.install(EVERYTHING)
    rig.activate("claude-code")
    (rig.home / ".claude/CLAUDE.md").write_text("# Acme\n\nSpeak loudly.\n")
    capsys.readouterr()
    rig.cli("status", "--json")
    plugins = json.loads(capsys.readouterr().out)["plugins"]
    lines = {line["event"]: line for line in plugins[0]["hooks"]}
    assert lines["rules"]["placed"] == "edited"
    assert (lines["mcp:acme"]["placed"], lines["mcp:acme"]["accepted"]) == ("placed", "unknown")


def test_environment_that_moved_is_followed(rig: Rig) -> None:
    """The entry contains the bundle's path, so activating again updates it."""
    rig.install(EVERYTHING)
    rig.activate("cursor")
    file: Path = rig.home / ".cursor/mcp.json"
    before = file.read_text()
    rig.install(EVERYTHING.replace("acme.server", "acme.serve"))
    rig.activate("cursor")
    assert file.read_text() == before.replace("acme.server", "acme.serve")


@pytest.mark.parametrize("format", ["json", "toml", "yaml"])
def test_edited_server_is_kept_until_replaced(rig: Rig, capsys: Capture, format: str) -> None:
    """The user's edit wins; ``--replace`` restores our entry for all hosts that share it."""
    hosts, path = {
        "json": (("kiro", "kiro-cli-legacy"), ".kiro/settings/mcp.json"),
        "toml": (("codex",), ".codex/config.toml"),
        "yaml": (("hermes",), ".hermes/config.yaml"),
    }[format]
    rig.write({path: {"json": '{"x": 1}', "toml": "x = 1\n", "yaml": "x: 1\n"}[format]}, rig.home)
    before = snapshot(rig.home)
    rig.install(SERVER)
    rig.activate(*hosts)
    file = rig.home / path
    placed = file.read_text()
    edited = placed.replace("acme-mcp", "other-mcp")
    file.write_text(edited)
    assert states(activate(rig, capsys, *hosts), "mcp:acme") == {"kept"}
    assert file.read_text() == edited
    rig.cli("activate", "--yes", "--replace", "--host", ",".join(hosts))
    assert json.loads(file.read_text()) == json.loads(placed) if format == "json" else True
    assert "other-mcp" not in file.read_text()
    rig.deactivate()
    assert snapshot(rig.home) == before


def test_edited_rules_are_kept(rig: Rig, capsys: Capture) -> None:
    rig.install(RULES)
    rig.activate("claude-code")
    file = rig.home / ".claude/CLAUDE.md"
    file.write_text("# Acme\n\nSpeak loudly.\n")
    assert states(activate(rig, capsys, "claude-code"), "rules") == {"kept"}
    rig.deactivate()
    assert file.read_text() == "# Acme\n\nSpeak loudly.\n"
