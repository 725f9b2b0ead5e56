"""Runs a rendered code module in node, with a fake host and a fake launcher."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import Host, Module
from hatch_agentplugin.compiler.code_modules import render
from hatch_agentplugin.plan import LAUNCHER_TEXT

HERE = Path(__file__).parent
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")

#: Records its call in calls.jsonl and answers from replies.json, by slot.
LAUNCHER = """\
#!{python} -IS
import json, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
replies = json.load(open(os.path.join(here, "replies.json"), encoding="utf-8"))
reply = replies.get(sys.argv[2], {{}})
if reply.get("deaf"):
    sys.exit(3)
text = sys.stdin.buffer.read().decode("utf-8")
with open(os.path.join(here, "calls.jsonl"), "a", encoding="utf-8") as log:
    log.write(json.dumps([sys.argv[1:], json.loads(text), os.getcwd()]) + "\\n")
if "sleep" in reply:
    time.sleep(reply["sleep"])
    open(os.path.join(here, "slept"), "w").close()
sys.stdout.write(reply.get("text") or json.dumps(reply.get("json", {{}})))
sys.exit(reply.get("status", 0))
"""


def slots(host: Host, *events: str, **changes: Any) -> dict[str, dict[str, Any]]:
    """Return the slots that a template gets for these events."""
    return {
        event: {
            "event": event,
            "native": host.natives(event)[0].name,
            "tools": None,
            "timeout_ms": 9000,
            "deadline_ms": 8000,
            **changes,
        }
        for event in events
    }


def rendered(
    host: Host,
    scope: str,
    rows: Mapping[str, Any],
    template: str | None = None,
    plugin: str = "acme",
) -> str:
    """Return the text of the host's code module."""
    assert isinstance(host.delivery, Module)
    context = {
        "plugin": plugin,
        "host": host.id,
        "scope": scope,
        "slots": rows,
        "params": dict(host.delivery.params),
    }
    return render(host.delivery.package, template or host.delivery.templates[0], context)


@dataclass
class Fake:
    """A fake host process with one module and one launcher."""

    folder: Path
    host: Host
    script: str
    """Name of the ``.mjs`` beside this file."""
    replies: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """A folder whose name has spaces, quotes and non-ASCII letters."""
        home = self.folder / "a \"quoted\" $HOME `x` 'ä'"
        home.mkdir(exist_ok=True)
        return home

    @property
    def launcher(self) -> Path:
        return self.home / "launch"

    def module(
        self,
        *events: str,
        scope: str = "user",
        name: str = "acme.mjs",
        template: str | None = None,
        **changes: Any,
    ) -> Path:
        """Render the module, and place the fake launcher with it."""
        self.launcher.write_text(LAUNCHER.format(python=sys.executable), encoding="utf-8")
        self.launcher.chmod(0o755)
        (self.home / "replies.json").write_text(json.dumps(self.replies), encoding="utf-8")
        text = rendered(self.host, scope, slots(self.host, *events, **changes), template)
        path = self.folder / name
        literal = json.dumps(str(self.launcher), ensure_ascii=False)
        path.write_text(text.replace(LAUNCHER_TEXT, literal), encoding="utf-8")
        return path

    def run(
        self, *steps: Mapping[str, Any], env: Mapping[str, str] | None = None, timeout: float = 60
    ) -> dict[str, Any]:
        """Run the steps. Return the result of each and what else the host saw."""
        assert NODE
        done = subprocess.run(
            [NODE, str(HERE / self.script)],
            input=json.dumps(steps),
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def slots_called(self) -> list[str]:
        """Return the slots of the calls, in order."""
        return [argv[1] for argv, _, _ in self.calls()]

    def calls(self) -> Sequence[tuple[list[str], dict[str, Any], str]]:
        """Return arguments, payload and working directory of each call of the launcher."""
        log = self.home / "calls.jsonl"
        if not log.exists():
            return []
        return [tuple(json.loads(line)) for line in log.read_text(encoding="utf-8").splitlines()]
