"""Claude Code: events triggered by its stream of JSON lines and by its own commands."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hosts.drivers import Driver
from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, compaction, failing, subagent, touching

_STREAM = ("--output-format", "stream-json", "--verbose")
_MUCH = 990_000


def _task(prompt: str) -> Call:
    return call(
        "Agent",
        description="sub",
        prompt=prompt,
        subagent_type="general-purpose",
        run_in_background=False,
    )


def _said(text: str) -> str:
    """Return a user's message as a line of the stream."""
    return json.dumps({"type": "user", "message": {"role": "user", "content": text}}) + "\n"


def _configuring(driver: Driver, project: Path) -> Script:
    """Change the settings while the host runs."""
    file = project / ".claude/settings.json"
    change = f"mkdir -p '{file.parent}'; echo '{{}}' > '{file}'; sleep 2"
    return Script.of(driver.shell(change), driver.shell("echo"), final=FINAL)


_TOLD = ("turn-start", "pre-tool-use", "post-tool-use", "turn-end")
SCENES = (
    Scene(
        "failure",
        {"stop-failure": []},
        failing,
        prompt="",
        args=("--input-format", "stream-json", *_STREAM),
        stdin=_said("please work") + _said("please go on"),
    ),
    Scene(
        "messages",
        {event: ["message"] for event in _TOLD},
        touching("made"),
        args=_STREAM,
        told=" says: {}",
    ),
    Scene(
        "subagent",
        {"subagent-start": ["context"], "subagent-stop": ["keep-going"]},
        subagent(_task),
    ),
    Scene("compaction", {"pre-compact": ["context"], "post-compact": []}, compaction(_MUCH)),
    Scene("no-compaction", {"pre-compact": ["deny"]}, compaction(_MUCH)),
    Scene("halted-prompt", {"turn-start": ["halt"]}),
    Scene("halted-tool", {"post-tool-use": ["halt"]}, touching("made")),
    Scene("halted-end", {"turn-end": ["halt"]}, rival="Stop"),
    Scene("halted-subagent", {"subagent-stop": ["halt"]}, subagent(_task), rival="SubagentStop"),
    Scene(
        "model",
        {"model-switch-before": [], "model-switch-after": []},
        lambda driver, project: Script.of(driver.shell("sleep 1"), final=FINAL),
        prompt="",
        args=("--input-format", "stream-json", *_STREAM),
        stdin=_said("/model sonnet") + _said("please work"),
    ),
    Scene("settings", {"config-change": []}, _configuring),
    Scene(
        "unasked",
        {"pre-tool-use": ["allow"]},
        touching("allow-me", "unanswered"),
        approve=False,
    ),
    Scene(
        "permission",
        {"permission-request": ["allow", "deny", "modify-input"]},
        touching("allow-me", "deny-me", "modify-input-me", "unanswered"),
        approve=False,
    ),
)
UNREACHED: dict[str, str] = {
    "session-start message": "without a terminal it is only in the log of hooks, not shown as a message",
    "notification": "comes from the terminal: a question, a finished agent, an idle prompt",
    "permission-denied": "comes from the vendor's own classifier in auto mode",
    "task-create": "the tool for tasks is not offered in `-p`",
    "task-complete": "the tool for tasks is not offered in `-p`",
    "agent-idle": "team mates exist only in the terminal",
}
