"""OpenCode and its fork: an editor keeps the server alive, so questions and kept-going turns show.

A message of the plugin to the user comes back as the host's own toast event.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.hosts.clients import acp
from tests.hosts.drivers import Driver
from tests.hosts.drivers._driver import call
from tests.hosts.drivers.opencode import CONFIG
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, compaction, failing, subagent

_ASKING = json.dumps({**CONFIG, "permission": {"bash": "ask"}})
_TOLD = ("session-start", "turn-start", "pre-tool-use", "post-tool-use")


def _task(prompt: str) -> Call:
    return call("task", description="sub", prompt=prompt, subagent_type="general")


def _editor(driver: Driver, project: Path) -> Script:
    """Return a file, a command that is allowed, and one that is refused, which ends the turn."""
    return Script.of(
        driver.write(str(project / "new.txt"), "text\n"),
        driver.shell(f"touch '{project}/allow-me'"),
        driver.shell(f"touch '{project}/deny-me'"),
        final=FINAL,
    )


def scenes(config: str) -> tuple[Scene, ...]:
    """Return the scenes of OpenCode or a fork; `config` is the variable with its settings."""
    return (
        Scene(
            "editor",
            {
                **{event: ["message"] for event in _TOLD},
                "turn-end": ["keep-going", "message"],
                "permission-request": ["allow", "deny"],
                "permission-denied": [],
                "notification": [],
                "file-change": [],
                "session-end": [],
            },
            _editor,
            instead=("acp",),
            env={config: _ASKING},
            through=acp.client(acp.SILENT),
            mute=True,
        ),
        Scene("subagent", {"subagent-start": [], "subagent-stop": []}, subagent(_task)),
        Scene(
            "compaction",
            {"pre-compact": ["context"], "post-compact": []},
            compaction(199_000),
        ),
        Scene("failure", {"stop-failure": []}, failing),
    )


SCENES = scenes("OPENCODE_CONFIG_CONTENT")
UNREACHED: dict[str, str] = {}
