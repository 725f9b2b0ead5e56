"""The example plugin refuses dangerous calls and lets everything else through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from example_plugin.hooks import GREETING, greet, guard_files, guard_shell

from hatch_agentplugin import Event


def event(value: Any) -> Event:
    return Event(event="pre-tool-use", host="some-host", input=value)


DESTRUCTIVE = [
    "rm -rf /",
    "rm -fr /*",
    "rm -r -f ~",
    "rm -rf ~/",
    "rm -rf $HOME",
    'rm -rf "$HOME"/*',
    "rm -Rf ${HOME}/",
    "rm --recursive --force /",
    "rm / -rf",
    "rm -rf -- /",
    "rm -rf //",
    "rm -rf /.",
    "rm -rf /usr/..",
    "rm -rf /etc",
    "rm -rf ./build /",
    "sudo rm -fr --no-preserve-root /",
    "sudo -u root rm -rf /",
    "FORCE=1 rm -rf /",
    "/bin/rm -rf /",
    "\\rm -rf /",
    "cd / && rm -rf /*",
    "make; rm -rf ~",
    "true\nrm -rf /",
    "echo $(rm -rf /)",
    'echo "$(rm -rf ~)"',
    "(rm -rf /)",
    "bash -c 'rm -rf /'",
    'sudo sh -c "cd /tmp && rm -rf /"',
    "if true; then rm -rf /; fi",
    "rm -rf '/'",
    "find . | xargs rm -rf /",
]

HARMLESS = [
    "ls -l",
    "rm -rf ./build",
    "rm -rf build/ dist/",
    "rm -rf /tmp/work",
    "rm -rf ~/project/build",
    "rm -rf $HOME/.cache/acme",
    "rm -rf /home/me/project/node_modules",
    "rm /",
    "rm -f /etc/motd",
    "rm -rf *",
    "echo 'rm -rf /'",
    'git commit -m "never rm -rf / again"',
    "grep -r 'rm -rf ~' docs",
    "rmdir /",
    "npm run rm -- -rf",
    "confirm -rf /",
    "",
]


@pytest.mark.parametrize("command", DESTRUCTIVE)
def test_destructive_command_is_refused(command: str) -> None:
    outcome = guard_shell(event({"command": command}))
    assert outcome is not None
    assert outcome["decision"] == "deny"
    assert "refuses to delete" in outcome["reason"]


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless_command_runs(command: str) -> None:
    assert guard_shell(event({"command": command})) is None


@pytest.mark.parametrize(
    "value",
    [
        "rm -rf /",
        {"cmd": "rm -rf /"},
        {"commands": ["ls", "rm -rf /"]},
        {"commands": json.dumps(["rm -rf /"])},
        {"command": ["bash", "-lc", "rm -rf /"]},
        {"command": ["rm", "-rf", "/"]},
        {"unknown": "rm -rf /"},
    ],
    ids=["text", "cmd", "list", "json-text", "shell-words", "words", "other-name"],
)
def test_every_form_of_input_is_read(value: Any) -> None:
    """Agents use different names and types for the parameter."""
    outcome = guard_shell(event(value))
    assert outcome is not None
    assert outcome["decision"] == "deny"


def test_home_by_its_path_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert guard_shell(event({"command": "rm -rf /home/me/"})) is not None


def test_description_is_no_command() -> None:
    value = {"command": "ls", "description": "do not rm -rf /"}
    assert guard_shell(event(value)) is None


@pytest.mark.parametrize(
    "command", ["echo A=1 > .env", "echo A=1 >>./.env", "cat x | tee -a app/.env", "a >| .env"]
)
def test_shell_does_not_write_env(command: str) -> None:
    outcome = guard_shell(event({"command": command}))
    assert outcome is not None
    assert ".env" in outcome["reason"]


@pytest.mark.parametrize("command", ["cat .env", "echo '> .env'", "make > log 2>&1", "a > b.env"])
def test_shell_may_read_env(command: str) -> None:
    assert guard_shell(event({"command": command})) is None


@pytest.mark.parametrize(
    "path",
    [".env", "./.env", "/srv/app/.env", "app/../.env", "C:\\app\\.env", ".ENV", ".env.local",
     "file:///srv/app/%2Eenv", "~/.env", ".env/", ".env ", "app//.env", ".env::$DATA"],
)  # fmt: skip
@pytest.mark.parametrize("key", ["file_path", "path", "filePath", "target_file", "uri"])
def test_env_is_not_written(key: str, path: str) -> None:
    outcome = guard_files(event({key: path, "content": "A=1"}))
    assert outcome is not None
    assert outcome["decision"] == "deny"


@pytest.mark.parametrize(
    "path", ["a.py", "env", ".envrc", "x.env", ".env.example", ".env/notes.txt", "dotenv.py", ""]
)
def test_other_files_are_written(path: str) -> None:
    value = {"file_path": path, "content": "open('.env')\n# see .env\n"}
    assert guard_files(event(value)) is None


PATCHES = {
    "begin-patch": "*** Begin Patch\n*** Update File: ./app/.env\n@@\n-A=1\n+A=2\n*** End Patch\n",
    "add": "*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch\n",
    "move": "*** Begin Patch\n*** Update File: a\n*** Move to: .env\n*** End Patch\n",
    "unified": "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=1\n+A=2\n",
    "git-rename": "diff --git a/x b/.env\nrename from x\nrename to .env\n",
}


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize("key", ["input", "patch", "patchText"])
def test_patch_of_env_is_refused(key: str, patch: str) -> None:
    assert guard_files(event({key: patch})) is not None
    assert guard_files(event(patch)) is not None


def test_patch_through_the_shell_is_refused() -> None:
    command = f"apply_patch <<'EOF'\n{PATCHES['add']}EOF\n"
    assert guard_shell(event({"command": command})) is not None


def test_patch_that_mentions_env_is_applied() -> None:
    patch = "*** Begin Patch\n*** Update File: README.md\n@@\n+copy .env.example to .env\n"
    assert guard_files(event({"input": patch})) is None


def test_file_that_holds_a_patch_is_written() -> None:
    value = {"file_path": "tests/data.py", "content": f"PATCH = '''\n{PATCHES['add']}'''\n"}
    assert guard_files(event(value)) is None


def test_several_edits_are_all_read() -> None:
    value = {"edits": [{"path": "a.py"}, {"path": ".env"}]}
    assert guard_files(event(value)) is not None


@pytest.mark.parametrize("value", [None, 5, [], {}, [[]], {"command": None}])
def test_odd_input_is_let_through(value: Any) -> None:
    assert guard_shell(event(value)) is None
    assert guard_files(event(value)) is None


def test_greeting_is_context() -> None:
    assert greet(event(None)) == {"context": GREETING}
