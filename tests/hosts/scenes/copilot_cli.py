"""GitHub Copilot CLI; without its approval flag it refuses every call that nobody has allowed."""

from __future__ import annotations

from pathlib import Path

from tests.hosts.drivers import Driver
from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, compaction, failing, subagent, touching


def _task(prompt: str) -> Call:
    return call("task", description="sub", prompt=prompt, agent_type="general-purpose", name="sub")


def _unreadable(driver: Driver, project: Path) -> Script:
    return Script.of(call("view", path=str(project / "missing")), final=FINAL)


SCENES = (
    Scene(
        "subagent",
        {"subagent-start": ["context"], "subagent-stop": ["keep-going"]},
        subagent(_task),
    ),
    Scene("changed-subagent", {"subagent-stop": ["modify-output"]}, subagent(_task)),
    Scene("compaction", {"pre-compact": []}, compaction(190_000)),
    Scene("failure", {"stop-failure": []}, failing),
    Scene("unreadable", {"post-tool-use-failure": ["context"]}, _unreadable),
    Scene(
        "unasked",
        {"pre-tool-use": ["allow"]},
        touching("allow-me", "unanswered"),
        approve=False,
    ),
    Scene("halted-permission", {"permission-request": ["halt"]}, touching("halt-me")),
)
UNREACHED: dict[str, str] = {
    "notification": "neither a finished shell, a finished agent nor a question brings it about without a terminal",
}
