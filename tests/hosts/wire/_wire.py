"""What a dialect has to say about a request, and helpers that all of them use."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tests.hosts.script import Step, strings

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer. The whole answer is known, so also a stream is sent in one piece."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


class Wire(Protocol):
    """A dialect."""

    def matches(self, path: str) -> bool:
        """Whether a POST to this path (without the query) is a model request."""

    def offered(self, body: Body) -> list[str]:
        """Names of the tools the model may call."""

    def results(self, body: Body) -> list[str]:
        """The texts of all tool results in the conversation, in order."""

    def asked(self, body: Body) -> str:
        """The texts of the user's messages, the host's own additions among them."""

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        """The step in this dialect; `done` numbers the calls, so ids never repeat."""


def text_of(value: Any) -> str:
    """All text of a message or a tool result."""
    return "\n".join(strings(value))


def as_json(value: Any) -> Reply:
    return Reply(json.dumps(value).encode())


def sse(events: Iterable[tuple[str, Body | str]]) -> Reply:
    """A stream of server-sent events; an event without a name carries data only."""
    lines = []
    for name, data in events:
        text = data if isinstance(data, str) else json.dumps(data)
        lines.append((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
    return Reply("".join(lines).encode(), "text/event-stream; charset=utf-8")


def arguments(call_arguments: Any) -> str:
    """Arguments as the JSON text that OpenAI's and Anthropic's streams carry."""
    return call_arguments if isinstance(call_arguments, str) else json.dumps(call_arguments)
