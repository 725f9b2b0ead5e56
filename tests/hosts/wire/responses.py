"""OpenAI Responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.hosts.script import Call, Step
from tests.hosts.wire._wire import Body, Reply, arguments, as_json, sse, text_of

_RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


class Responses:
    """POST …/responses, streaming or not."""

    def matches(self, path: str) -> bool:
        return path.endswith("/responses")

    def offered(self, body: Body) -> list[str]:
        return list(_names(body.get("tools") or []))

    def results(self, body: Body) -> list[str]:
        return [text_of(i.get("output")) for i in _input(body) if i.get("type") in _RESULTS]

    def asked(self, body: Body) -> str:
        return text_of([i.get("content") for i in _input(body) if i.get("role") == "user"])

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        homes = dict(_namespaces(body.get("tools") or []))
        items = [_call(call, n, homes) for n, call in enumerate(step.calls, done + 1)]
        if step.text or not items:
            content = [{"type": "output_text", "text": step.text, "annotations": []}]
            head: Body = {"type": "message", "id": f"msg_{done}", "role": "assistant"}
            items.insert(0, {**head, "status": "completed", "content": content})
        response = {
            "id": f"resp_{done}",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": body.get("model", "mock"),
            "output": items,
            "usage": {
                "input_tokens": step.tokens,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 10,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": step.tokens + 10,
            },
        }
        return sse(_events(response)) if body.get("stream") else as_json(response)


def _names(tools: Sequence[Body]) -> Iterator[str]:
    for tool in tools:
        if "name" in tool and "tools" not in tool:
            yield tool["name"]
        yield from _names(tool.get("tools") or [])


def _namespaces(tools: Sequence[Body]) -> Iterator[tuple[str, str]]:
    """Return tools that are offered in a group; a call must name the group."""
    for group in tools:
        if group.get("type") == "namespace":
            yield from ((tool["name"], group["name"]) for tool in group["tools"])


def _input(body: Body) -> list[Body]:
    value = body.get("input", [])
    return [{"role": "user", "content": value}] if isinstance(value, str) else value


def _call(call: Call, number: int, homes: Mapping[str, str]) -> Body:
    head = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": call.tool}
    if call.tool in homes:
        head["namespace"] = homes[call.tool]
    if isinstance(call.arguments, str):
        tail = {"type": "custom_tool_call", "input": call.arguments}
    else:
        tail = {"type": "function_call", "arguments": arguments(call.arguments)}
    return {**head, **tail, "status": "completed"}


def _events(response: Body) -> Iterator[tuple[str, Body | str]]:
    count = iter(range(10_000))

    def event(name: str, **data: Any) -> tuple[str, Body | str]:
        return name, {"type": name, "sequence_number": next(count), **data}

    yield event("response.created", response={**response, "status": "in_progress", "output": []})
    for index, item in enumerate(response["output"]):
        place: Body = {"output_index": index, "item_id": item["id"]}
        running = {**item, "status": "in_progress"}
        if item["type"] == "message":
            part = item["content"][0]
            yield event(
                "response.output_item.added", output_index=index, item={**running, "content": []}
            )
            place["content_index"] = 0
            yield event("response.content_part.added", **place, part={**part, "text": ""})
            yield event("response.output_text.delta", **place, delta=part["text"])
            yield event("response.output_text.done", **place, text=part["text"])
            yield event("response.content_part.done", **place, part=part)
        else:
            field = "input" if item["type"] == "custom_tool_call" else "arguments"
            kind = "custom_tool_call_input" if field == "input" else "function_call_arguments"
            yield event(
                "response.output_item.added", output_index=index, item={**running, field: ""}
            )
            yield event(f"response.{kind}.delta", **place, delta=item[field])
            yield event(f"response.{kind}.done", **place, **{field: item[field]})
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=response)
