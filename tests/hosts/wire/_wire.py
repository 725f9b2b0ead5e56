"""The interface of a model protocol, and helpers that all of them use."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tests.hosts.script import Step, strings

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer. It is complete in advance, so even a stream is sent in one piece."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


class Wire(Protocol):
    """A model protocol."""

    def matches(self, path: str) -> bool:
        """Return True if a POST to this path (without the query) is a model request."""

    def offered(self, body: Body) -> list[str]:
        """Return the names of the tools that the model may call."""

    def results(self, body: Body) -> list[str]:
        """Return the texts of all tool results in the conversation, in order."""

    def asked(self, body: Body) -> str:
        """Return the texts of the user's messages, including the host's additions."""

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        """Return the step in this protocol; `done` numbers the calls, so ids never repeat."""


def text_of(value: Any) -> str:
    """Return all text of a message or a tool result."""
    return "\n".join(strings(value))


def as_json(value: Any) -> Reply:
    return Reply(json.dumps(value).encode())


def sse(events: Iterable[tuple[str, Body | str]]) -> Reply:
    """Return a stream of server-sent events; an event without a name has data only."""
    lines = []
    for name, data in events:
        text = data if isinstance(data, str) else json.dumps(data)
        lines.append((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
    return Reply("".join(lines).encode(), "text/event-stream; charset=utf-8")


def arguments(call_arguments: Any) -> str:
    """Return arguments as the JSON text in OpenAI's and Anthropic's streams."""
    return call_arguments if isinstance(call_arguments, str) else json.dumps(call_arguments)
