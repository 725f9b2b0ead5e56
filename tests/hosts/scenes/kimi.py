"""Kimi Code."""

from __future__ import annotations

from tests.hosts.drivers._driver import call
from tests.hosts.model import Call
from tests.hosts.scene import Scene, compaction, failing, subagent


def _task(prompt: str) -> Call:
    return call("Agent", description="sub", prompt=prompt)


SCENES = (
    Scene("subagent", {"subagent-start": [], "subagent-stop": []}, subagent(_task)),
    Scene("compaction", {"pre-compact": [], "post-compact": []}, compaction(190_000)),
    Scene("failure", {"stop-failure": []}, failing),
)
UNREACHED: dict[str, str] = {
    "session-end": "not in `kimi -p`, and the editor's protocol wants a login",
    "notification": "`kimi -p` waits for no background task, of whose end the host notifies",
    "permission-request": "`kimi -p` asks nothing, and the editor's protocol wants a login",
}
