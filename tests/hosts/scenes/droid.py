"""Droid; it asks questions through the Agent Client Protocol."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hosts.clients import acp
from tests.hosts.drivers import Driver
from tests.hosts.drivers._driver import call
from tests.hosts.drivers.droid import SETTINGS
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, touching


def _risky(command: str) -> Call:
    """Return a command that needs more autonomy than the run has."""
    return call(
        "Execute", command=command, summary="Run it", riskLevelReason="it is", riskLevel="high"
    )


def _unasked(driver: Driver, project: Path) -> Script:
    names = ("allow-me", "unanswered")
    return Script.of(*(_risky(f"touch '{project}/{name}'") for name in names), final=FINAL)


SCENES = (
    Scene("halted-tool", {"post-tool-use": ["halt"]}, touching("made")),
    Scene(
        "unasked",
        {"pre-tool-use": ["allow"]},
        _unasked,
        approve=False,
        args=("--auto", "low"),
    ),
    Scene(
        "question",
        {"notification": []},
        lambda driver, project: Script.of(_risky(f"touch '{project}/made'"), final=FINAL),
        instead=("exec", "--output-format", "acp"),
        env={"FACTORY_API_KEY": "fk-dummy"},  # looked at only by the service
        files={".factory/settings.json": json.dumps({**SETTINGS, "model": "custom:mock"})},
        through=acp.client("allow"),
    ),
)
UNREACHED: dict[str, str] = {
    "turn-start": "neither `droid exec` nor the editor's protocol fires it",
    "pre-compact": "neither compacts, whatever tokens a model reports, and `/compact` is only text",
    "subagent-stop": "subagents run in a daemon, which is not there headless",
}
