"""The protocols in which hosts talk to a model, one module each."""

from __future__ import annotations

from tests.hosts.wire import anthropic, augment, chat, gemini, responses
from tests.hosts.wire._wire import Body, Reply, Wire

__all__ = ["WIRES", "Body", "Reply", "Wire"]

WIRES: tuple[Wire, ...] = (
    anthropic.Messages(),
    chat.Completions(),
    responses.Responses(),
    gemini.Generate(),
    augment.ChatStream(),
)
