"""Codex CLI."""

from __future__ import annotations

from tests.hosts.clients import talk
from tests.hosts.drivers._driver import call
from tests.hosts.drivers.codex import PROVIDER
from tests.hosts.model import Call
from tests.hosts.scene import Scene, compaction, subagent, touching

#: An older model is offered the tool for subagents by itself.
_OLDER = ("-c", 'model="gpt-5"')
_MUCH = 990_000


def _task(prompt: str) -> Call:
    return call("spawn_agent", message=prompt)


#: What an editor says to it: a thread, and one turn in it.
_EDITOR = talk.client(
    (
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "t", "version": "1"}}},
        '"id":1',
    ),
    ({"method": "initialized"}, ""),
    (
        {
            "id": 2,
            "method": "thread/start",
            "params": {
                "approvalPolicy": "never",
                "sandbox": "danger-full-access",
                "config": {"bypass_hook_trust": True},
            },
        },
        r'"id":2.*?"thread":{"id":"(?P<thread>[^"]+)"',
    ),
    (
        {
            "id": 3,
            "method": "turn/start",
            "params": {
                "threadId": "<thread>",
                "input": [{"type": "text", "text": "please work"}],
            },
        },
        "turn/completed",
    ),
)
_TOLD = ("session-start", "turn-start", "pre-tool-use", "post-tool-use")
_SUBAGENT = subagent(_task, lambda driver: driver.shell("sleep 4"))
SCENES = (
    Scene(
        "messages",
        {event: ["message"] for event in _TOLD},
        touching("made"),
        instead=(*PROVIDER, "app-server"),
        through=_EDITOR,
        told='"entries":[{{"kind":"warning","text":"{}"}}]',
    ),
    Scene(
        "subagent",
        {"subagent-start": ["context"], "subagent-stop": ["keep-going"]},
        _SUBAGENT,
        args=_OLDER,
    ),
    Scene(
        "halted-subagent",
        {"subagent-stop": ["halt"]},
        _SUBAGENT,
        args=_OLDER,
        rival="SubagentStop",
    ),
    Scene("compaction", {"pre-compact": [], "post-compact": []}, compaction(_MUCH)),
    Scene("no-compaction", {"pre-compact": ["halt"]}, compaction(_MUCH)),
    Scene("halted-compaction", {"post-compact": ["halt"]}, compaction(_MUCH)),
    Scene("halted-session", {"session-start": ["halt"]}),
    Scene("halted-prompt", {"turn-start": ["halt"]}),
    Scene("halted-end", {"turn-end": ["halt"]}, rival="Stop"),
)
UNREACHED: dict[str, str] = {}
