"""Mux runs a script per event and passes the payload in variables and files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from agentplugin_adapters import mux

from tests.adapters._probe import install

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Mux's scripts are for a POSIX shell")


def run(
    tmp_path: Path, answers: dict[str, Any], name: str, **files: Any
) -> subprocess.CompletedProcess[str]:
    """Activate the plugin, and run the script as Mux does."""
    world = install(tmp_path, mux.HOST, answers)
    variables = {"MUX_TOOL": "bash", "MUX_WORKSPACE_ID": "w1"}
    for key, value in files.items():
        path = tmp_path / f"{key}.json"
        path.write_text(json.dumps(value) if not isinstance(value, str) else value)
        variables[f"MUX_TOOL_{key.upper()}_PATH"] = str(path)
    return subprocess.run(
        [world.home / ".mux" / name],
        env={"HOME": str(world.home), "PATH": os.defpath, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=world.project,
        check=False,
    )


def test_refusal_is_an_exit_status(tmp_path: Path) -> None:
    answers = {"pre-tool-use": {"decision": "deny", "reason": "probe-refuses"}}
    done = run(tmp_path, answers, "tool_pre", input={"script": "rm -rf /"})
    assert (done.returncode, done.stdout, done.stderr.strip()) == (2, "", "probe-refuses")


def test_event_has_tool_and_input(tmp_path: Path) -> None:
    done = run(tmp_path, {}, "tool_pre", input={"script": "ls"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    [seen] = (tmp_path / "env/site-packages/seen.jsonl").read_text().splitlines()
    event = json.loads(seen)
    assert (event["tool"], event["selector"]) == ("bash", "shell")
    assert (event["session_id"], event["input"]) == ("w1", {"script": "ls"})


def test_context_is_plain_text(tmp_path: Path) -> None:
    """The script's output after a tool goes to the model."""
    answers = {"post-tool-use": {"context": "look at the tests"}}
    done = run(tmp_path, answers, "tool_post", input={"script": "ls"}, result="not json")
    assert (done.returncode, done.stdout.strip()) == (0, "look at the tests")
