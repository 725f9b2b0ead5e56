"""Droid."""

from __future__ import annotations

from pathlib import Path

from tests.hosts.drivers import Driver
from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, touching


def _risky(command: str) -> Call:
    """A command that is above what the run may do by itself."""
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
)
UNREACHED: dict[str, str] = {
    "turn-start": "`droid exec` does not fire it, and the terminal and the editor's protocol want a login",
    "pre-compact": "`droid exec` does not compact, not even at five million tokens",
    "notification": "nobody is asked or waited for in `droid exec`; its other modes want a login",
    "subagent-stop": "subagents run in a daemon, which `droid exec` cannot reach without a login",
}
