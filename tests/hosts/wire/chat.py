"""OpenAI Chat Completions."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hosts.script import Step
from tests.hosts.wire._wire import Body, Reply, arguments, as_json, sse, text_of


class Completions:
    """POST …/chat/completions, streaming or not."""

    def matches(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def offered(self, body: Body) -> list[str]:
        return [t["function"]["name"] for t in body.get("tools") or [] if "function" in t]

    def results(self, body: Body) -> list[str]:
        return [text_of(m.get("content")) for m in body["messages"] if m["role"] == "tool"]

    def asked(self, body: Body) -> str:
        return text_of([m.get("content") for m in body["messages"] if m["role"] == "user"])

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        message: Body = {"role": "assistant", "content": step.text or None}
        if step.calls:
            message["tool_calls"] = [
                {
                    "index": index,
                    "id": f"call_{done + index + 1}",
                    "type": "function",
                    "function": {"name": call.tool, "arguments": arguments(call.arguments)},
                }
                for index, call in enumerate(step.calls)
            ]
        finish = "tool_calls" if step.calls else "stop"
        usage = {
            "prompt_tokens": step.tokens,
            "completion_tokens": 10,
            "total_tokens": step.tokens + 10,
        }
        head = {"id": f"chatcmpl-{done}", "created": 1, "model": body.get("model", "mock")}
        if body.get("stream"):
            return sse(_events(head, message, finish, usage))
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return as_json({**head, "object": "chat.completion", "choices": [choice], "usage": usage})


def _events(
    head: Body, message: Body, finish: str, usage: Body
) -> Iterator[tuple[str, Body | str]]:
    def chunk(choices: list[Body]) -> Body:
        return {**head, "object": "chat.completion.chunk", "choices": choices}

    yield "", chunk([{"index": 0, "delta": message, "finish_reason": None}])
    yield "", chunk([{"index": 0, "delta": {}, "finish_reason": finish}])
    yield "", {**chunk([]), "usage": usage}
    yield "", "[DONE]"
