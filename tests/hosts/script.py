"""The script of the model: a list of steps, chosen by the progress of a conversation.

The number of tool results in a request selects the step, not the number of requests. A host also
asks the model for titles, summaries and quota checks, retries, and runs subagents. None of these
may use up a step.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

SIDE_TEXT = "ok"
TOKENS = 100
"""Input tokens of an ordinary answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of the model."""

    tool: str
    """The tool's name as the host offers it to the model."""
    arguments: Mapping[str, Any] | str
    """Its arguments; a plain string for the free-form tools of OpenAI Responses."""


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of the model."""

    calls: tuple[Call, ...] = ()
    text: str = ""
    """Text beside the calls. A step without calls ends the conversation."""
    status: int = 200
    """An HTTP status other than 200 makes the step an error of the service."""
    tokens: int = TOKENS
    """Input tokens to report, once; a large number provokes the host's compaction."""


@dataclass(frozen=True, slots=True)
class Script:
    """All answers of one conversation, in order; after them always `final`."""

    steps: tuple[Step, ...] = ()
    final: str = "done"
    branches: Mapping[str, Script] = field(default_factory=dict)
    """Scripts for subagents: the key is a text of their prompt that the main prompt has not."""
    pace: float = 0
    """Seconds that an answer takes, for a host that ends its hooks when the next answer is there."""

    @classmethod
    def of(cls, *calls: Call, final: str = "done") -> Script:
        """Make a script with one call per step."""
        return cls(tuple(Step((call,)) for call in calls), final)

    def answer(self, offered: Collection[str], done: int, asked: str) -> Step:
        """Return the step for a request with these tools, number of results and user messages."""
        for marker, script in self.branches.items():
            if marker in asked:
                return script._answer(offered, done)
        return self._answer(offered, done)

    def _answer(self, offered: Collection[str], done: int) -> Step:
        for step in self.steps:
            if step.calls and done >= len(step.calls):
                done -= len(step.calls)
                continue
            # A side request offers no tools, or other ones than the conversation does.
            wanted = {call.tool for call in step.calls}
            return step if offered and wanted <= set(offered) else Step(text=SIDE_TEXT)
        return Step(text=self.final) if offered or not self.steps else Step(text=SIDE_TEXT)

    def dumps(self) -> str:
        """Return it as JSON, for a server in another process."""
        return json.dumps(self._document())

    def _document(self) -> dict[str, Any]:
        return {
            "steps": [
                {
                    "calls": [[call.tool, call.arguments] for call in step.calls],
                    "text": step.text,
                    "status": step.status,
                    "tokens": step.tokens,
                }
                for step in self.steps
            ],
            "final": self.final,
            "pace": self.pace,
            "branches": {key: value._document() for key, value in self.branches.items()},
        }

    @classmethod
    def loads(cls, text: str) -> Script:
        """Read the result of `dumps`."""
        return cls._from(json.loads(text))

    @classmethod
    def _from(cls, document: Mapping[str, Any]) -> Script:
        steps = tuple(
            Step(
                tuple(Call(tool, arguments) for tool, arguments in step["calls"]),
                step["text"],
                step["status"],
                step["tokens"],
            )
            for step in document["steps"]
        )
        branches = {key: cls._from(value) for key, value in document["branches"].items()}
        return cls(steps, document["final"], branches, document["pace"])


def strings(value: Any) -> Iterator[str]:
    """Return all strings in a JSON value, at any depth, without keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
