"""Gemini generateContent, at the addresses of the Gemini API and of Vertex AI."""

from __future__ import annotations

from tests.hosts.script import Step
from tests.hosts.wire._wire import Body, Reply, as_json, sse, text_of

_METHODS = (":generateContent", ":streamGenerateContent", ":countTokens")


class Generate:
    """POST …/models/MODEL:METHOD; the path before `models` differs and does not matter."""

    def matches(self, path: str) -> bool:
        return path.endswith(_METHODS)

    def offered(self, body: Body) -> list[str]:
        return [
            declaration["name"]
            for tool in body.get("tools") or []
            for declaration in tool.get("functionDeclarations", [])
        ]

    def results(self, body: Body) -> list[str]:
        return [
            text_of(part["functionResponse"].get("response"))
            for content in body.get("contents", [])
            for part in content.get("parts", [])
            if "functionResponse" in part
        ]

    def asked(self, body: Body) -> str:
        contents = [c for c in body.get("contents", []) if c.get("role") == "user"]
        return text_of([p["text"] for c in contents for p in c["parts"] if "text" in p])

    def reply(self, step: Step, body: Body, path: str, done: int) -> Reply:
        if path.endswith(":countTokens"):
            return as_json({"totalTokens": step.tokens})
        parts: list[Body] = [{"text": step.text}] if step.text or not step.calls else []
        for call in step.calls:
            # Newer models refuse a call without its signature in the history; hosts carry it.
            signature = {"thoughtSignature": "c2lnbmF0dXJl"}
            parts.append({"functionCall": {"name": call.tool, "args": call.arguments}, **signature})
        content = {"role": "model", "parts": parts}
        response = {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": step.tokens,
                "candidatesTokenCount": 10,
                "totalTokenCount": step.tokens + 10,
            },
            "modelVersion": "mock",
        }
        return sse([("", response)]) if "stream" in path.rpartition(":")[2] else as_json(response)
