"""Bugs that other installers had do not occur: the public commands, run for the real hosts."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.cases._machine import CONFIGS, DECLARED, Box, install, snapshot, write

CLAUDE = ".claude/settings.json"
OURS = ".agent-plugin/acme/launch"
HOOKS = DECLARED.partition("[tool.agent-plugin.mcp")[0]


def entries(document: Any) -> list[tuple[str, Any]]:
    """Return (event, entry) for every entry in a document of hooks."""
    return [(event, one) for event, rows in document["hooks"].items() for one in rows]


def ours(document: Any) -> list[tuple[str, Any]]:
    return [row for row in entries(document) if OURS in json.dumps(row)]


# --- settings of the user and of other tools


def test_every_event_is_merged_and_unknown_ones_stay(box: Box) -> None:
    """Handlers of other tools and undocumented events keep their text and order."""
    foreign = {
        "model": "x",
        "statusLine": {"type": "command", "command": "line"},
        "hooks": {
            event: [{"matcher": "compact", "hooks": [{"type": "command", "command": f"x {event}"}]}]
            for event in ("SessionStart", "PreToolUse", "Stop", "SomethingOfTheHosts")
        },
    }
    file = box.put(CLAUDE, json.dumps(foreign, indent=3))
    box.install("claude-code", declared=HOOKS)
    box.activate("--host", "claude-code")
    now = box.read(CLAUDE)
    assert len(ours(now)) == 3
    for event, rows in foreign["hooks"].items():  # type: ignore[attr-defined]
        assert now["hooks"][event][: len(rows)] == rows
    assert {key: now[key] for key in foreign if key != "hooks"} == {
        key: foreign[key] for key in foreign if key != "hooks"
    }
    box.deactivate()
    assert file.read_bytes() == json.dumps(foreign, indent=3).encode()


def test_project_scope_leaves_the_home_alone(box: Box) -> None:
    """Only our own folder is created there. The default is the user scope."""
    box.install("claude-code", "codex", declared=HOOKS)
    box.put(CLAUDE, "{}")
    box.put(".codex/config.toml", "")
    before = snapshot(box.home, times=True)
    box.activate("--host", "claude-code,codex", "--scope", "project")
    after = snapshot(box.home, times=True)
    assert {key: row for key, row in after.items() if not key.startswith(".agent-plugin")} == before
    assert (box.project / CLAUDE).is_file()
    assert str(box.home) not in (box.project / CLAUDE).read_text()
    box.deactivate("acme")
    assert snapshot(box.project) == {}

    rows = box.activate("--host", "claude-code").rows
    assert {row["scope"] for row in rows} == {"user"}
    assert snapshot(box.project) == {}


@pytest.mark.parametrize("replaced", [False, True])
def test_handler_that_the_user_put_into_our_group_stays(box: Box, replaced: bool) -> None:
    """Only our handler is removed from the group, with its matcher."""
    box.install("claude-code", declared=HOOKS)
    box.activate("--host", "claude-code")
    document = box.read(CLAUDE)
    mine = {"type": "command", "command": "mine"}
    for _, entry in ours(document):
        entry["hooks"].append(mine)
    box.put(CLAUDE, json.dumps(document))
    box.activate("--host", "claude-code")
    assert all(mine in entry["hooks"] for _, entry in ours(box.read(CLAUDE)))
    if replaced:
        box.activate("--host", "claude-code", "--replace")
        assert len(entries(box.read(CLAUDE))) == 6
    rows = box.deactivate("acme").rows
    assert replaced or {row["note"] for row in rows} == {"your additions to it stay"}
    left = box.read(CLAUDE)
    assert OURS not in json.dumps(left)
    assert {event: [row["hooks"] for row in rows] for event, rows in left["hooks"].items()} == {
        event: [[mine]] for event in document["hooks"]
    }
    assert (
        left["hooks"]["PreToolUse"][0]["matcher"] == document["hooks"]["PreToolUse"][0]["matcher"]
    )


def test_nothing_is_left_empty_or_null(box: Box) -> None:
    """An empty container is removed if we created it, and stays if the user did."""
    text = '{"hooks": {"Stop": [], "PreToolUse": []}, "x": null}'
    file = box.put(CLAUDE, text)
    box.install("claude-code", declared=HOOKS)
    box.activate("--host", "claude-code")
    box.deactivate()
    assert file.read_text() == text


# --- duplicates


def test_upgrades_and_rewritten_files_make_no_duplicates(box: Box) -> None:
    """Three versions, and a host that rewrites its file with other escapes and key order."""
    box.install("claude-code", declared=HOOKS)
    box.activate("--host", "claude-code")
    for version in ("1.1", "2.0"):
        box.install("claude-code", declared=HOOKS.replace("20", version[0] + "5"), version=version)
        text = json.dumps(box.read(CLAUDE), sort_keys=True, indent=1).replace("/", "\\/")
        box.put(CLAUDE, text)
        box.activate("--host", "claude-code")
        assert len(ours(box.read(CLAUDE))) == 3
        assert version not in (box.home / CLAUDE).read_text()
    (stop,) = box.read(CLAUDE)["hooks"]["Stop"]
    assert stop["hooks"][0]["timeout"] == 25 + 5  # the host waits a little longer than we do
    box.deactivate()
    assert ours({"hooks": {}, **(box.read(CLAUDE) if (box.home / CLAUDE).exists() else {})}) == []


def test_one_deactivate_for_all_hosts_without_the_package(box: Box) -> None:
    """It names every host, and works although the plugin is no longer installed."""
    before = snapshot(box.home)
    hosts = ("claude-code", "codex", "cursor", "copilot-cli", "gemini-cli", "grok", "opencode")
    box.install(*hosts)
    box.activate("--host", ",".join(hosts))
    for entry in list(box.site.iterdir()):
        subprocess.run(["rm", "-r", str(entry)], check=True)
    rows = box.run("prune", "--yes", "--json").rows
    assert {row["host"] for row in rows} == set(hosts)
    assert snapshot(box.home) == before


# --- formats


@pytest.mark.parametrize("text", ["null", "[]", '"x"', "{", '{"hooks": null}'])
def test_document_of_another_shape_is_not_written(box: Box, text: str) -> None:
    """The error names the file, and nothing is changed."""
    file = box.put(CLAUDE, text)
    box.install("claude-code", declared=HOOKS)
    before = snapshot(box.home)
    done = box.run("activate", "--yes", "--host", "claude-code", status=1)
    assert str(file) in done.err
    assert snapshot(box.home) == before


def test_the_file_that_the_host_reads_is_the_one_that_is_edited(box: Box) -> None:
    """If a .jsonc file exists, no .json file is created."""
    box.put(
        ".config/opencode/opencode.jsonc",
        (CONFIGS / "opencode/01-trailing-commas.jsonc").read_bytes(),
    )
    box.install("opencode")
    box.activate("--host", "opencode")
    names = sorted(path.name for path in (box.home / ".config/opencode").iterdir())
    assert names == ["opencode.jsonc", "plugin"]
    assert [path.name for path in (box.home / ".config/opencode/plugin").iterdir()] == ["acme.js"]


@pytest.mark.parametrize(
    ("host", "path"), [("codex", ".codex/config.toml"), ("grok", ".grok/config.toml")]
)
def test_host_that_rewrites_its_toml(box: Box, host: str, path: str) -> None:
    """Comments and layout are gone: our table is found, and no second one is added."""
    box.put(path, '# mine\nmodel = "o"\n')
    box.install(host)
    box.activate("--host", host)
    file = box.home / path
    assert b"acme-server" in file.read_bytes()
    file.write_text('model = "o"\nnew = true\n\n[mcp_servers.acme]\ncommand = "acme-server"\n'
                    + ("args = []\n" if b"args" in file.read_bytes() else ""), "utf-8")  # fmt: skip
    box.activate("--host", host, status=None)
    assert file.read_bytes().count(b"mcp_servers.acme") == 1
    box.deactivate("acme", status=None)
    assert b"acme" not in file.read_bytes()
    assert b"new = true" in file.read_bytes()


def test_new_files_are_plain_utf8(box: Box) -> None:
    """They have no byte order mark and no CRLF, whatever the locale is."""
    hosts = "claude-code,codex,cursor,copilot-cli,gemini-cli,kimi,cline,goose"
    box.install(*hosts.split(","))
    box.environ["LC_ALL"] = "C"
    box.activate("--host", hosts)
    for path, row in snapshot(box.home).items():
        if isinstance(row[1], bytes):
            assert not row[1].startswith(b"\xef\xbb\xbf"), path
            assert b"\r" not in row[1], path
            row[1].decode()


# --- what a host accepts


def test_entries_have_only_the_fields_of_the_host(box: Box) -> None:
    """A closed schema drops an entry, or the whole file, because of one unknown field."""
    box.install("claude-code", "codex", "cursor", "gemini-cli", "kimi", declared=HOOKS)
    box.activate("--host", "claude-code,codex,cursor,gemini-cli,kimi")
    for path in (CLAUDE, ".codex/hooks.json", ".gemini/settings.json"):
        document = box.read(path)
        assert set(document) == {"hooks"}
        assert len(entries(document)) == 3
        for event, entry in entries(document):
            assert set(entry) == ({"matcher", "hooks"} if "Tool" in event else {"hooks"})
            (handler,) = entry["hooks"]
            assert set(handler) - {"name"} == {"type", "command", "timeout"}
            assert isinstance(handler["command"], str)
            assert isinstance(handler["timeout"], int)
            assert (handler["timeout"] > 1000) is path.startswith(".gemini")
    cursor = box.read(".cursor/hooks.json")
    assert cursor["version"] == 1
    for _, entry in entries(cursor):
        assert set(entry) <= {"command", "matcher", "timeout"}
    kimi = (box.home / ".kimi-code/config.toml").read_text("utf-8")
    keys = {line.split(" = ")[0] for line in kimi.splitlines() if " = " in line}
    assert keys <= {"event", "matcher", "command", "timeout"}


def test_variables_that_move_a_hosts_folder_are_followed(box: Box) -> None:
    """Every command follows them, and the default folder is not created."""
    moved = box.root / "moved"
    box.environ = {"CLAUDE_CONFIG_DIR": f"{moved}/c", "CODEX_HOME": f"{moved}/x"}
    for name in ("c", "x"):
        (moved / name).mkdir(parents=True)
    box.install("claude-code", "codex", declared=HOOKS)
    before = snapshot(box.root)
    box.activate()
    assert (moved / "c/settings.json").is_file()
    assert (moved / "x/hooks.json").is_file()
    assert [path.name for path in box.home.iterdir()] == [".agent-plugin"]
    assert str(moved) in box.run("status", "--json").out
    box.deactivate()
    assert snapshot(box.root) == before


@pytest.mark.parametrize(
    ("host", "path", "text", "said"),
    [
        ("claude-code", CLAUDE, '{"disableAllHooks": true}', "disableAllHooks"),
        ("gemini-cli", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}',
         "hooksConfig.enabled"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks"),
    ],
)  # fmt: skip
def test_switch_that_keeps_hooks_from_running(
    box: Box, host: str, path: str, text: str, said: str
) -> None:
    """`status` names the switch; it is never changed, whether on or off."""
    file = box.put(path, text)
    box.install(host, declared=HOOKS)
    box.activate("--host", host)
    assert said in box.run("status").out
    assert text.strip("{}\n") in file.read_text()
    if host == "codex":
        assert file.read_text() == text
        file.write_bytes(
            (CONFIGS / "codex/03-config-both-flags-array-tables-crlf.toml").read_bytes()
        )
        box.activate("--host", host)
        assert "features." not in box.run("status").out


@pytest.mark.parametrize(
    ("host", "folder", "file", "text"),
    [
        ("claude-code", "/etc/claude-code", "managed-settings.json",
         '{"allowManagedHooksOnly": true}'),
        ("codex", "/etc/codex", "requirements.toml", "allow_managed_hooks_only = true\n"),
    ],
)  # fmt: skip
def test_policy_of_the_machine(box: Box, host: str, folder: str, file: str, text: str) -> None:
    """`status` says that the user's hooks will not run; the policy is not changed."""
    plan = box.install(host, declared=HOOKS) / "plan.json"
    box.activate("--host", host)
    assert "policy" not in box.run("status").out
    elsewhere = box.root / "etc"
    assert folder in plan.read_text("utf-8")
    plan.write_text(plan.read_text("utf-8").replace(folder, str(elsewhere)), "utf-8")
    policy = write(elsewhere / file, text)
    assert f"in {policy}" in box.run("status").out
    assert policy.read_text() == text


# --- commands


def test_commands_need_nothing_of_the_environment(box: Box) -> None:
    """They run without PATH and variables, as in a host that was started from a desktop."""
    hosts = ("claude-code", "codex", "cursor", "gemini-cli")
    box.install(*hosts, declared=HOOKS)
    rows = box.activate("--host", ",".join(hosts)).rows
    out = box.home / ".agent-plugin/acme/data/out"
    lines = [command for row in rows for command in row["commands"] if "turn-end" in command]
    assert len(lines) == len(hosts)
    for line in lines:
        assert "python" not in line
        done = subprocess.run(
            ["/bin/sh", "-c", line], env={"PATH": "/nowhere"}, cwd=box.project, input=b"{}",
            capture_output=True, check=True,
        )  # fmt: skip
        assert done.stderr == b""
    assert sorted(out.read_text().split()) == sorted(hosts)


def test_disabled_plugin_stays_disabled(box: Box) -> None:
    """It survives another activate and an upgrade."""
    box.install("claude-code", declared=HOOKS)
    box.activate("--host", "claude-code")
    box.run("disable", "acme")
    box.install("claude-code", declared=HOOKS, version="2.0")
    box.activate("--host", "claude-code")
    assert "disabled" in box.run("status").out
    line = box.read(CLAUDE)["hooks"]["Stop"][0]["hooks"][0]["command"]
    subprocess.run(["/bin/sh", "-c", line], input=b"{}", env={"PATH": "/usr/bin:/bin"}, check=True)
    assert not (box.home / ".agent-plugin/acme/data/out").exists()


def test_restore_lists_and_restores_a_backup(box: Box) -> None:
    """The backup contains the bytes from before our first change."""
    text = (CONFIGS / "claude/01-many-tools-groups.json").read_bytes()
    file = box.put(CLAUDE, text)
    box.install("claude-code", declared=HOOKS)
    box.activate("--host", "claude-code")
    file.write_text("ruined")
    assert str(file) in box.run("restore").out
    box.run("restore", "--yes", str(file))
    assert file.read_bytes() == text


SECRET = "sk-canary-5f2b8c"
CARELESS = """
import os
from hatch_agentplugin import context

def careless(event):
    if event.prompt:
        raise RuntimeError(f"cannot use {os.environ['API_KEY']} for {event.prompt}")
    return context("fine")
"""


def test_no_secret_is_written_anywhere(box: Box) -> None:
    """Neither variables nor prompts, even if a handler fails with them in its message."""
    box.environ = {"API_KEY": SECRET, f"NAME_{SECRET}": "x"}
    declared = '[tool.agent-plugin.hooks]\nturn-start = [{ handler = "careless:careless" }]\n'
    install(box.site, declared=declared, modules={"careless.py": CARELESS})
    box.activate("--host", "*")
    (group,) = box.read(CLAUDE)["hooks"]["UserPromptSubmit"]
    fired = subprocess.run(
        ["/bin/sh", "-c", group["hooks"][0]["command"]],
        input=json.dumps({"prompt": f"log in with {SECRET}", "session_id": "s"}),
        env={"HOME": str(box.home), "PATH": "/usr/bin:/bin", **box.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (fired.returncode, fired.stdout) == (0, "")
    log = (box.home / ".agent-plugin/acme/log").read_text()
    assert "RuntimeError" in log
    box.run("doctor", "--json", status=None)
    box.run("status")
    written = snapshot(box.home)
    assert len(written) > 20
    leaks = [name for name, entry in written.items() if SECRET in f"{name}{entry}"]
    assert leaks == []
