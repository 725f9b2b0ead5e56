"""Removing content restores every byte of the user's files, in every format."""

from __future__ import annotations

import json

import pytest

from tests.content.rig import EVERYTHING, Rig, program, snapshot

#: Path below HOME -> the user's own text.
FOREIGN: dict[str, str] = {
    ".claude.json": '{\n  "numStartups": 12345678901234567890,\n  "mcpServers": {\n'
    '    "mine": {"command": "x"}\n  },\n  "projects": {}\n}',
    ".claude/CLAUDE.md": "# Mine\r\n\r\nNo jokes.\r\n",
    ".codex/config.toml": '# mine\nmodel = "o"  # kept\n\n[mcp_servers.mine]\ncommand = "x"\n'
    "\n[tui]\nnotifications = true\n",
    ".codex/AGENTS.md": "one line, no end",
    ".config/opencode/opencode.jsonc": '{\n  // mine\n  "mcp": {\n    "mine": { "type": "local", '
    '"command": ["x"], },\n  },\n}\n',
    ".config/zed/settings.json": '// Zed settings\n{\n  "theme": "One", // kept\n}\n',
    ".config/goose/config.yaml": "GOOSE_MODEL: x   # mine\nextensions:\n  mine:\n    cmd: x\n"
    "    type: stdio\n",
    ".hermes/config.yaml": "model: x\n",
    ".vibe/config.toml": '[[mcp_servers]]\nname = "mine"\ntransport = "stdio"\ncommand = "x"\n',
    ".gemini/settings.json": '\ufeff{"mcpServers":{},"ui":{"theme":"x"}}\n',
    ".config/amp/settings.json": '{"amp.mcpServers": {"mine": {"command": "x"}}}',
    ".mux/mcp.jsonc": '{"servers": {"mine": "x --y"}}\n',
    ".openclaw/openclaw.json": '{\n\t"mcp": {"servers": {}}, "agents": {}\n}\n',
    ".claude/skills/mine/SKILL.md": "---\nname: mine\n---\n",
    ".agents/skills/mine/SKILL.md": "---\nname: mine\n---\n",
}
HOSTS = (
    "claude-code", "codex", "opencode", "zed", "goose", "hermes", "mistral-vibe", "gemini-cli",
    "amp", "mux", "openclaw", "pi", "omp", "warp", "cursor", "kiro", "codebuff", "copilot-cli",
    "vscode-copilot",
)  # fmt: skip


@pytest.fixture(params=[False, True], ids=["empty", "foreign"])
def machine(request: pytest.FixtureRequest, rig: Rig) -> Rig:
    """A home folder without settings, and one with foreign settings."""
    if request.param:
        rig.write(FOREIGN, rig.home)
    return rig


@pytest.mark.parametrize("host", HOSTS)
def test_every_byte_comes_back(machine: Rig, host: str) -> None:
    """There is one host for every dialect."""
    before = snapshot(machine.home)
    machine.install(EVERYTHING)
    machine.activate(host)
    between = snapshot(machine.home)
    assert between != before
    assert before.keys() <= between.keys()
    machine.activate(host)
    assert snapshot(machine.home) == between
    machine.deactivate()
    assert snapshot(machine.home) == before


@pytest.mark.parametrize("scope", ["user", "project"])
def test_every_host_at_once(machine: Rig, scope: str) -> None:
    """All hosts together, shared files and documents included."""
    machine.write({"AGENTS.md": "# Mine\n", ".mcp.json": '{"mcpServers": {}}'}, machine.work)
    before = snapshot(machine.home), snapshot(machine.work)
    machine.install(EVERYTHING)
    machine.activate(scope=scope)
    between = snapshot(machine.home), snapshot(machine.work)
    machine.activate(scope=scope)
    assert (snapshot(machine.home), snapshot(machine.work)) == between
    machine.deactivate()
    assert (snapshot(machine.home), snapshot(machine.work)) == before


def test_what_stands_there(rig: Rig) -> None:
    """The entry has the program's path, because a host starts without the environment's PATH."""
    bundle = rig.install(EVERYTHING)
    rig.activate("claude-code")
    servers = json.loads((rig.home / ".claude.json").read_bytes())["mcpServers"]
    data = rig.home / ".agent-plugin/acme/data"
    assert servers["acme"] == {
        "type": "stdio",
        "command": program(),
        "args": ["-m", "acme.server", "--data", f"{data}/db"],
        "env": {"ACME_ROOT": f"{bundle}/data"},
    }
    assert servers["remote"] == {"type": "http", "url": "https://acme.dev/mcp"}
    assert data.is_dir()
    skill = rig.home / ".claude/skills/greet"
    assert (skill / "SKILL.md").read_bytes() == (rig.project / "skills/greet/SKILL.md").read_bytes()
    assert (skill / "scripts/run.sh").stat().st_mode & 0o100
    assert (rig.home / ".claude/commands/acme-check.md").is_file()
    assert (rig.home / ".claude/CLAUDE.md").read_text() == "# Acme\n\nSpeak plainly.\n"
