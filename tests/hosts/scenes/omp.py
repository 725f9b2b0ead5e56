"""OMP: its RPC mode plays the user."""

from __future__ import annotations

import json

from tests.hosts.clients import talk
from tests.hosts.scene import Scene, compaction, touching
from tests.hosts.scenes import pi

_END = '"type":"agent_end"'
_TALK = talk.client((pi.PROMPT, _END))
#: JSON is YAML.
_ASKING = {".omp/agent/config.yml": json.dumps({"tools": {"approvalMode": "always-ask"}})}
#: Of itself it hands the work over to a new session, where context for a summary has no place.
_COMPACT = talk.client((pi.PROMPT, _END), ({"type": "compact"}, '"command":"compact"'))
_SHORT = {".omp/agent/config.yml": json.dumps({"compaction": {"keepRecentTokens": 1}})}
SCENES = (
    Scene(
        "messages",
        {event: ["message"] for event in (*pi.TOLD, "turn-end")},
        pi.working,
        instead=pi.RPC,
        through=_TALK,
        told='"method":"notify","message":"{}"',
    ),
    Scene(
        "compaction",
        {"pre-compact": ["context", "message"], "post-compact": []},
        compaction(pi.MUCH),
        instead=pi.RPC,
        files=_SHORT,
        through=_COMPACT,
        told='"method":"notify","message":"{}"',
    ),
    Scene("no-compaction", {"pre-compact": ["deny"]}, compaction(pi.MUCH)),
    Scene("question", {"permission-request": []}, touching("made"), files=_ASKING),
)
UNREACHED: dict[str, str] = {
    "subagent-start": "came with 18.3, whose packages name a version that does not exist",
    "turn-start deny": "only the terminal asks before it sends a prompt: `omp -p` and the RPC mode do not",
}
