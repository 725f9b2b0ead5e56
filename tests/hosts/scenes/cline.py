"""Cline."""

from __future__ import annotations

from tests.hosts.scene import Scene, failing, touching

SCENES = (
    Scene("halted-tool", {"post-tool-use": ["halt"]}, touching("made", "halt-me")),
    Scene("failure", {"stop-failure": []}, failing),
)
UNREACHED: dict[str, str] = {
    "turn-start": "a run without a terminal never starts the hook, no matter who placed it",
    "pre-compact": "the program maps the event to nothing",
    "notification": "a run without a terminal notifies of nothing",
}
