"""Kimi Code; it asks questions through the Agent Client Protocol."""

from __future__ import annotations

from tests.hosts.clients import acp
from tests.hosts.drivers._driver import call
from tests.hosts.model import Call, Script
from tests.hosts.scene import FINAL, Scene, compaction, failing, subagent, touching


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
            call("Bash", command="echo", run_in_background=True, description="x"),
            driver.shell("sleep 3"),
            final=FINAL,
        ),
    ),
    Scene(
        "question",
        {"permission-request": []},
        touching("made"),
        instead=("acp",),
        through=acp.client("allow"),
    ),
)
UNREACHED: dict[str, str] = {
    "session-end": "neither `kimi -p` nor the editor's protocol fires it",
}
