"""Kimi CLI, the archived line."""

from __future__ import annotations

from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, compaction, failing, subagent


def _task(prompt: str) -> Call:
    return call("Agent", description="sub", prompt=prompt)


SCENES = (
    Scene("subagent", {"subagent-start": [], "subagent-stop": []}, subagent(_task)),
    Scene("compaction", {"pre-compact": [], "post-compact": []}, compaction(190_000)),
    Scene("failure", {"stop-failure": []}, failing),
    Scene(
        "background",
        {"notification": []},
        lambda driver, project: Script.of(
            call("Shell", command="echo", run_in_background=True, description="x", timeout=20),
            driver.shell("sleep 3"),
            final=FINAL,
        ),
    ),
)
UNREACHED: dict[str, str] = {
    "post-tool-use-failure": "only an exception inside a tool brings it about, and its own tools catch theirs",
}
