"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.hosts.script import Step
from tests.hosts.wire._wire import Body, Reply, arguments, as_json, sse, text_of


class Messages:
    """POST /v1/messages, streaming or not, and its count_tokens."""

    def matches(self, path: str) -> bool:
        return path.endswith(("/messages", "/messages/count_tokens"))

    def offered(self, body: Body) -> list[str]:
        return [tool["name"] for tool in body.get("tools") or []]

    def results(self, body: Body) -> list[str]:
        blocks = _user_blocks(body)
        return [text_of(b.get("content")) for b in blocks if b["type"] == "tool_result"]

    def asked(self, body: Body) -> str:
        return text_of([b["text"] for b in _user_blocks(body) if b["type"] == "text"])

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        if path.endswith("/count_tokens"):
            return as_json({"input_tokens": step.tokens})
        blocks: list[Body] = []
        if step.text or not step.calls:
            blocks.append({"type": "text", "text": step.text})
        for number, call in enumerate(step.calls, done + 1):
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": call.tool}
            blocks.append({**block, "input": call.arguments})
        message = {
            "id": f"msg_{done}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "mock"),
            "content": blocks,
            "stop_reason": "tool_use" if step.calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": step.tokens, "output_tokens": 10},
        }
        return sse(_events(message)) if body.get("stream") else as_json(message)


def _user_blocks(body: Body) -> Iterator[Body]:
    for message in body.get("messages", []):
        content = message["content"]
        if message["role"] != "user":
            continue
        if isinstance(content, str):
            yield {"type": "text", "text": content}
        else:
            yield from content


def _events(message: Body) -> Iterator[tuple[str, Body | str]]:
    def event(name: str, **data: Any) -> tuple[str, Body | str]:
        return name, {"type": name, **data}

    yield event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start: Body = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": arguments(block["input"])}
        yield event("content_block_start", index=index, content_block=start)
        yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=end, usage={"output_tokens": 10})
    yield event("message_stop")
