"""Pi: its RPC mode plays the user, and small limits make it compact."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from tests.hosts.clients import talk
from tests.hosts.drivers import Driver
from tests.hosts.drivers.pi import MODELS
from tests.hosts.model import Script
from tests.hosts.scene import FINAL, Scene, compaction

MUCH = 195_000
RPC = ("--mode", "rpc", "--model", "mock/mock")
PROMPT = {"type": "prompt", "message": "please work"}
#: Events in which both Pi and its fork show a message.
TOLD = ("session-start", "turn-start", "pre-tool-use", "post-tool-use", "post-tool-use-failure")
_CONFIRM = r'"id":"(?P<id>[^"]+)","method":"confirm"'


def working(driver: Driver, project: Path) -> Script:
    """Return a command that succeeds and one that fails."""
    return Script.of(driver.shell("echo fine"), driver.shell("exit 3"), final=FINAL)


def _two_models() -> str:
    models = copy.deepcopy(MODELS)
    mock = models["providers"]["mock"]
    mock["models"].append({**mock["models"][0], "id": "other", "name": "other"})
    return json.dumps(models)


def _asked(driver: Driver, project: Path) -> Script:
    return Script.of(driver.shell(f"touch '{project}/ask-me'"), final=FINAL)


_SHORT = {
    ".pi/agent/settings.json": json.dumps({"compaction": {"enabled": True, "keepRecentTokens": 1}})
}
SCENES = (
    Scene(
        "messages",
        {event: ["message"] for event in (*TOLD, "turn-end")},
        working,
        instead=RPC,
        through=talk.client((PROMPT, '"agent_settled"')),
        told='"method":"notify","message":"{}"',
    ),
    Scene(
        "question",
        {"notification": [], "pre-tool-use": ["ask"]},
        _asked,
        instead=RPC,
        through=talk.client(
            (PROMPT, _CONFIRM),
            (
                {"type": "extension_ui_response", "id": "<id>", "confirmed": True},
                '"agent_settled"',
            ),
        ),
    ),
    Scene(
        "model",
        {"model-switch-after": []},
        files={".pi/agent/models.json": _two_models()},
        instead=RPC,
        through=talk.client(
            ({"type": "set_model", "provider": "mock", "modelId": "other"}, '"response"'),
            (PROMPT, '"agent_settled"'),
        ),
    ),
    Scene(
        "compaction",
        {"pre-compact": ["message"], "post-compact": []},
        compaction(MUCH),
        instead=RPC,
        files=_SHORT,
        through=talk.client((PROMPT, '"agent_settled"')),
        told='"method":"notify","message":"{}"',
    ),
    Scene("no-compaction", {"pre-compact": ["deny"]}, compaction(MUCH), files=_SHORT),
)
UNREACHED: dict[str, str] = {}
