"""Gemini CLI: it writes messages to standard error."""

from __future__ import annotations

from tests.hosts.scene import Scene, touching

_TOLD = ("session-start", "turn-start", "pre-tool-use", "post-tool-use", "turn-end")
SCENES = (
    Scene(
        "messages",
        {**{event: ["message"] for event in _TOLD}, "pre-compact": []},
        touching("made"),
        told="Hook system message: {}",
    ),
    Scene("halted-prompt", {"turn-start": ["halt"]}),
    Scene("halted-tool", {"post-tool-use": ["halt"]}, touching("made")),
    Scene("halted-end", {"turn-end": ["halt"]}, rival="AfterAgent"),
)
UNREACHED: dict[str, str] = {
    "notification": "comes from a question to the user, which stops an unattended run for good",
}
