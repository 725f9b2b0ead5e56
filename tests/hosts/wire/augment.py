"""Augment's own service, as far as one headless turn of Auggie needs it.

The conversation is a stream of JSON lines; text and calls are numbered nodes. The model list also
contains the tenant's feature flags, one of which enables hooks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.hosts.script import Step
from tests.hosts.wire._wire import Body, Reply, arguments, as_json, text_of

_TEXT, _TOOL_RESULT, _TOOL_USE = 0, 1, 5
_END_TURN, _TOOL_USE_REQUESTED = 1, 3
_MODEL = {
    "name": "mock",
    "suggested_prefix_char_count": 1000,
    "suggested_suffix_char_count": 1000,
}
_ANSWERS: dict[str, Body] = {
    "/get-models": {
        "default_model": "mock",
        "models": [_MODEL],
        "languages": [],
        "feature_flags": {"enable_hooks": True},
    },
    "/settings/get-mcp-tenant-configs": {"mcp_configs": []},
    "/settings/get-mcp-user-configs": {"mcp_configs": []},
    "/agents/list-remote-tools": {"tools": []},
}


def serve(path: str, body: Body) -> Reply | None:
    """Answer the rest of the service; an unknown request gets an empty answer."""
    if path == "/chat-stream":
        return None
    return as_json(_ANSWERS.get(path, {}))


class ChatStream:
    """POST /chat-stream."""

    def matches(self, path: str) -> bool:
        return path.endswith("/chat-stream")

    def offered(self, body: Body) -> list[str]:
        return [tool["name"] for tool in body.get("tool_definitions") or []]

    def results(self, body: Body) -> list[str]:
        return [
            text_of(node["tool_result_node"].get("content"))
            for node in _nodes(body)
            if node["type"] == _TOOL_RESULT
        ]

    def asked(self, body: Body) -> str:
        return text_of([n["text_node"] for n in _nodes(body) if "text_node" in n])

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        nodes: list[Body] = [
            {
                "id": number,
                "type": _TOOL_USE,
                "content": "",
                "tool_use": {
                    "tool_use_id": f"toolu_{number}",
                    "tool_name": call.tool,
                    "input_json": arguments(call.arguments),
                },
            }
            for number, call in enumerate(step.calls, done + 1)
        ]
        if step.text or not nodes:
            nodes.insert(0, {"id": 0, "type": _TEXT, "content": step.text})
        stop = _TOOL_USE_REQUESTED if step.calls else _END_TURN
        lines: list[Body] = [{"text": step.text, "nodes": nodes}, {"text": "", "stop_reason": stop}]
        return Reply("".join(json.dumps(line) + "\n" for line in lines).encode())


def _nodes(body: Body) -> Iterator[Body]:
    for exchange in body.get("chat_history") or []:
        yield from exchange.get("request_nodes") or []
    yield from body.get("nodes") or []
