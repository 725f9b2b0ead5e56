"""Grok; a summary must have some length to count."""

from __future__ import annotations

from tests.hosts.drivers._driver import call
from tests.hosts.model import Call
from tests.hosts.scene import FINAL, Scene, compaction, failing, subagent, touching


def _task(prompt: str) -> Call:
    return call("spawn_subagent", description="sub", prompt=prompt, subagent_type="general-purpose")


_SUMMARY = f"{FINAL}. " + "The user asked for work, and one shell command was run. " * 20
_SUBAGENT = subagent(_task, lambda driver: driver.shell("sleep 3"))
SCENES = (
    Scene("subagent", {"subagent-start": [], "subagent-stop": ["keep-going"]}, _SUBAGENT),
    Scene("halted-subagent", {"subagent-stop": ["halt"]}, _SUBAGENT, rival="SubagentStop"),
    Scene("compaction", {"pre-compact": [], "post-compact": []}, compaction(190_000, _SUMMARY)),
    Scene("failure", {"stop-failure": [], "notification": []}, failing),
    Scene(
        "refused",
        {"permission-denied": []},
        touching("made"),
        args=("--deny", "Bash(touch*)"),
    ),
    Scene("halted-end", {"turn-end": ["halt"]}, rival="Stop"),
)
UNREACHED: dict[str, str] = {
    "post-tool-use-failure": "a tool that fails, a command that fails and a broken call all count as success",
}
