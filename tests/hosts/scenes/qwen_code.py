"""Qwen Code; the Agent Client Protocol brings questions and the end of a session."""

from __future__ import annotations

from pathlib import Path

from tests.hosts.clients import acp
from tests.hosts.drivers import Driver
from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script, Step
from tests.hosts.scene import FINAL, Scene, subagent, touching

_BY_ACP = ("--acp", "--auth-type", "openai")


def _task(prompt: str) -> Call:
    return call("agent", description="sub", prompt=prompt, subagent_type="general-purpose")


def _compacting(driver: Driver, project: Path) -> Script:
    """Say that the summary costs fewer tokens than the conversation it replaces."""
    summary = "<state_snapshot>All was done, and one command was run.</state_snapshot>"
    return Script(
        (Step((driver.shell("echo much"),), tokens=172_000),),
        final=FINAL,
        branches={"tool execution is disabled": Script((Step(text=summary, tokens=172_001),))},
    )


_SUBAGENT = subagent(_task, lambda driver: driver.shell("sleep 3"))
SCENES = (
    Scene(
        "subagent",
        {"subagent-start": [], "subagent-stop": ["keep-going"]},
        _SUBAGENT,
    ),
    Scene("halted-subagent", {"subagent-stop": ["halt"]}, _SUBAGENT, rival="SubagentStop"),
    Scene("compaction", {"pre-compact": [], "post-compact": []}, _compacting),
    Scene("halted-prompt", {"turn-start": ["halt"]}),
    Scene("halted-end", {"turn-end": ["halt"]}, rival="Stop"),
    Scene(
        "questions",
        {
            "permission-request": ["allow", "deny", "modify-input"],
            "notification": [],
            "session-end": [],
        },
        touching("allow-me", "deny-me", "modify-input-me", "unanswered"),
        instead=_BY_ACP,
        through=acp.client("reject"),
    ),
    Scene(
        "loop",
        {"stop-failure": []},
        lambda driver, project: Script.of(*[driver.shell("echo same")] * 9, final=FINAL),
    ),
)
UNREACHED: dict[str, str] = {
    "permission-denied": "comes from the classifier of auto mode, whose second stage a script can't tell from its first",
    "task-create": "the tool for the list is not offered headless",
    "task-complete": "the tool for the list is not offered headless",
}
