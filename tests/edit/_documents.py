"""Makes odd settings files, and the edits that plugins make in them."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from random import Random
from typing import Any, TypeAlias

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from hatch_agentplugin.edit import DocumentError, Editor, Record

Step: TypeAlias = "tuple[str, tuple[str, ...], Any]"
"""One insertion: operation, path, value."""

KEYS = ["hooks", "Stop", "PreToolUse", "env", "mcpServers", "x", "é", "", "// no", 'q"\\']
SCALARS = [
    "1", "-0.0", "1e400", "1" * 40, "true", "false", "null", '""', '"a // b"', '"/* c */"',
    '"x, }"', '"\\u00e9\\/\\n"', '"—"', '"\\\\"', '"\\""', "12345678901234567890.5",
]  # fmt: skip


def examples(count: int) -> settings:
    """Return settings for `count` examples, twenty times as many in the profile `ci`."""
    if os.environ.get("HYPOTHESIS_PROFILE") == "ci":
        count *= 20
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


class Writer:
    """Writes one odd document."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.comments = 0
        self.newline = rng.choice(["\n", "\n", "\r\n", "\r"])
        self.unit = rng.choice(["  ", "    ", "\t", " "])
        self.layout = rng.choice(["pretty", "pretty", "one line", "tight", "chaos"])
        self.noise = rng.choice([0.0, 0.0, 0.1, 0.5])
        self.trailing = rng.choice([0.0, 0.0, 0.5, 1.0])

    def document(self) -> str:
        """Return a whole document."""
        if self.rng.random() < 0.08:
            body = self.rng.choice(["", " \t", self.newline * 2]) + self.comment(0.3)
        else:
            body = self.comment(0.2) + self.object(0, root=True) + self.comment(0.2)
        end = self.rng.choice(["", self.newline])
        return self.rng.choice(["", "", "", "\ufeff"]) + body + end

    def comment(self, chance: float) -> str:
        """Return a comment now and then; each is unlike all others."""
        if self.rng.random() >= chance:
            return ""
        self.comments += 1
        if self.layout in ("one line", "tight") or self.rng.random() < 0.5:
            inner = self.rng.choice(['"', "'", "{", ",", "//", "*", "a" + self.newline + "b"])
            if self.layout in ("one line", "tight"):
                inner = "c"
            return f"/* {self.comments} {inner} */"
        return f"// {self.comments} {self.rng.choice(['', ',', ']', '/*', chr(34)])}{self.newline}"

    def gap(self, depth: int | None) -> str:
        """Return what stands between two tokens; with a depth, where a line may begin."""
        if self.layout == "tight":
            space = ""
        elif self.layout == "one line":
            space = "" if depth is None else self.rng.choice(["", " "])
        elif self.layout == "chaos":
            space = self.rng.choice(["", " ", "\t", self.newline, "\n", self.newline + "   "])
        else:
            space = "" if depth is None else self.newline + self.unit * depth
        return self.comment(self.noise) + space + self.comment(self.noise / 2)

    def list(self, parts: list[str], depth: int) -> str:
        """Return members or elements with what stands between and around them."""
        if not parts:
            return (
                self.comment(self.noise)
                if self.layout != "pretty"
                else self.rng.choice(["", self.gap(depth - 1)])
            )
        text = ""
        for index, part in enumerate(parts):
            text += self.gap(depth) + part
            if index < len(parts) - 1 or self.rng.random() < self.trailing:
                text += self.comment(self.noise / 2) + ","
        return text + self.gap(depth - 1)

    def value(self, depth: int) -> str:
        """Return any value."""
        choice = self.rng.random()
        if depth > 3 or choice < 0.5:
            return self.rng.choice(SCALARS)
        return self.object(depth) if choice < 0.75 else self.array(depth)

    def array(self, depth: int) -> str:
        """Return an array."""
        parts = [self.value(depth + 1) for _ in range(self.rng.choice([0, 1, 1, 2, 3]))]
        return "[" + self.list(parts, depth + 1) + "]"

    def object(self, depth: int, root: bool = False) -> str:
        """Return an object; hooks and events mostly have the shape that hosts want."""
        parts = []
        for _ in range(self.rng.choice([0, 1, 2, 3, 4])):
            key = self.rng.choice(KEYS)
            if key in ("hooks", "mcpServers") and root and self.rng.random() < 0.9:
                value = self.object(depth + 1)
            elif key in ("Stop", "PreToolUse") and self.rng.random() < 0.9:
                value = self.array(depth + 1)
            else:
                value = self.value(depth + 1)
            colon = self.gap(None) + ":" + (self.gap(None) if self.layout != "pretty" else " ")
            parts.append(json.dumps(key, ensure_ascii=False) + colon + value)
        return "{" + self.list(parts, depth + 1) + "}"


documents = st.randoms(use_true_random=False).map(lambda rng: Writer(rng).document().encode())
"""Odd documents: comments, trailing commas, equal keys, any line ends, any layout."""


def hook(name: str, event: str) -> dict[str, Any]:
    """Return the kind of entry that hosts have for a hook."""
    command = f"/home/é/.agent-plugin/{name}/launch host {event}"
    return {"matcher": "*", "hooks": [{"type": "command", "command": command, "timeout": 10}]}


_PLACES: list[tuple[str, tuple[str, ...]]] = [
    ("item", ("hooks", "Stop")),
    ("item", ("hooks", "PreToolUse")),
    ("item", ("plugin",)),
    ("key", ("mcpServers",)),
    ("key", ()),
    ("item", ("a", "b", "c")),
]


def step_for(name: str, place: int) -> Step:
    """Return the insertion that plugin `name` makes at a place."""
    op, path = _PLACES[place]
    if op == "key":
        path = (*path, name)
    value: Any = f"{name}-é" if path == ("plugin",) else hook(name, path[-1])
    return op, path, value


steps = st.builds(step_for, st.sampled_from(["acme", "beta", "gamma"]), st.integers(0, 5))


def written(editor: Editor, wanted: Any, newline: str) -> tuple[bytes, list[Record]]:
    """What an editor makes of a blank document; newlines of other kinds come from the blank.

    ``wanted`` are insertions as ``((op, path), value)``; one that is refused is left out.
    """
    data, records = newline.encode(), []
    for (op, path), value in wanted:
        with suppress(DocumentError):
            edit = (editor.insert_item if op == "item" else editor.insert_key)(data, path, value)
            data = edit.data
            records.append(edit.record)
    return data, records
