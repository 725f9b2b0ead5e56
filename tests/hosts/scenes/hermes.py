"""Hermes: its chat command ends a session, the one-shot run does not."""

from __future__ import annotations

from tests.hosts.drivers._driver import PROMPT, call
from tests.hosts.drivers.hermes import CONFIG
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, subagent


def _task(prompt: str) -> Call:
    return call("delegate_task", goal=prompt, context="none")


_ASKING = f"{CONFIG}approvals:\n  timeout: 2\n"
SCENES = (
    Scene(
        "question",
        {"permission-request": []},
        lambda driver, project: Script.of(driver.shell("chmod -R 777 ./none"), final=FINAL),
        instead=("--accept-hooks", "chat", "-q", PROMPT),
        env={"HERMES_INTERACTIVE": "1"},
        files={".hermes/config.yaml": _ASKING},
    ),
    Scene(
        "chat",
        {"subagent-start": [], "subagent-stop": [], "session-end": []},
        subagent(_task),
        instead=("--accept-hooks", "--yolo", "chat", "-q", PROMPT),
    ),
)
UNREACHED: dict[str, str] = {}
