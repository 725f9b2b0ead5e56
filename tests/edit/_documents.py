"""Odd settings files in all formats, and the entries that plugins insert into them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from hatch_agentplugin.edit import (
    MISSING,
    Batch,
    Document,
    DocumentError,
    Entry,
    insert,
    read,
    rewrite,
)

KEYS = ["hooks", "Stop", "PreToolUse", "env", "mcpServers", "x", "é", "", "// no", 'q"\\']
SCALARS = [
    "1", "-0.0", "1e400", "1" * 40, "true", "false", "null", '""', '"a // b"', '"/* c */"',
    '"x, }"', '"\\u00e9\\/\\n"', '"—"', '"\\\\"', '"\\""', "12345678901234567890.5",
]  # fmt: skip


def examples(count: int) -> settings:
    """Return settings for `count` examples; the profile `ci` runs twenty times as many."""
    if os.environ.get("HYPOTHESIS_PROFILE") == "ci":
        count *= 20
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


class Writer:
    """Writes one odd JSON document."""

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
        """Return a comment with probability `chance`; no two are equal."""
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
        """Return white space and comments between two tokens; a depth allows a new line."""
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
        """Return members or elements with the text between and around them."""
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
        """Return an object; hooks and events mostly have the shape that hosts expect."""
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


def hook(name: str, event: str) -> dict[str, Any]:
    """Return an entry like those that hosts have for a hook."""
    command = f"/home/é/.agent-plugin/{name}/launch host {event}"
    return {"matcher": "*", "hooks": [{"type": "command", "command": command, "timeout": 10}]}


NAMES = ("acme", "beta", "gamma")
_JSON_PLACES: list[tuple[Any, tuple[str, ...]]] = [
    ("item", ("hooks", "Stop")),
    ("item", ("hooks", "PreToolUse")),
    ("item", ("plugin",)),
    ("key", ("mcpServers",)),
    ("key", ()),
    ("item", ("a", "b", "c")),
]


def json_entry(name: str, place: int) -> Entry:
    """Return the entry that plugin `name` inserts at a place."""
    op, path = _JSON_PLACES[place]
    if op == "key":
        path = (*path, name)
    return Entry(op, path, f"{name}-é" if path == ("plugin",) else hook(name, path[-1]))


TOML_PARTS = [
    "# note\n", "a = 1\n", 'b = "x" # c\n', "[f]\n", "[f]\nx = [ 1, 2 ]\n", "\n", "\n\n",
    "[[hooks]]\ne = 'A' # c\n", "[m.old]\nt = '''\n[[hooks]]\n'''\n", "[h.state]\nk = 1\n",
    "[[h.E]]\n\n[[h.E.hooks]]\nc = 1\n", "[ 'z z' . \"y\" ]\nd = 2026-01-01T00:00:00Z\n",
    "list = []\n", "list = [\n  'a', # c\n]\n", "f.x = 1\n", "q = { a = 1 }\n",
]  # fmt: skip
TOML_ENTRIES = [
    Entry("item", ("hooks",), {"event": "Stop"}),
    Entry("item", ("hooks",), {"event": "Start", "on": [1, 2]}),
    Entry("item", ("h", "E"), hook("acme", "E")),
    Entry("item", ("h", "E"), hook("beta", "E")),
    Entry("item", ("h", "F"), hook("acme", "F")),
    Entry("key", ("m", "new"), {"command": "é", "env": {"A": "b"}}),
    Entry("key", ("m", "other"), {"command": "é"}),
    Entry("key", ("f", "flag"), True),
    Entry("key", ("f", "list"), [1, 2]),
    Entry("key", ("top",), 1),
    Entry("key", ("top2",), 2),
    Entry("item", ("list",), "one"),
    Entry("item", ("list",), "two"),
    Entry("item", ("q", "r"), "two"),
    Entry("key", ("q", "s"), {"a": 1}),
    Entry("item", ("g", "h", "i"), "one"),
    Entry("item", ("g", "h", "i"), "two"),
    Entry("key", ("g", "h", "j"), "three"),
]
YAML_PARTS = [
    "# c\n", "a: 1\n", "hooks:\n  Stop:\n  - x: 1\n    y: 2 # c\n", "hooks:\n    Stop: []\n",
    "m: {}\n", "m: {a: 1, b: [1, 2]}\n", "t: |\n  x\n  y\n", "list:\n- 1\n", "list: [1]\n",
    "h:\n   E:\n\n   - a\n\n\n", "z: &a 1\n", "d: {}\n", "s: 'q'\n\n", 'o: "a\n  b"\n',
]  # fmt: skip
YAML_ENTRIES = [
    Entry("item", ("hooks", "Stop"), hook("acme", "Stop")),
    Entry("item", ("hooks", "Stop"), hook("beta", "Stop")),
    Entry("item", ("hooks", "Pre"), hook("beta", "Pre")),
    Entry("key", ("m", "x"), {"a": 1}),
    Entry("key", ("m", "y"), [1, 2]),
    Entry("item", ("m", "b"), 3),
    Entry("key", ("top",), 1),
    Entry("item", ("list",), "a"),
    Entry("item", ("list",), "b"),
    Entry("item", ("h", "E"), "b"),
    Entry("item", ("h", "F"), {"a": []}),
    Entry("key", ("d", "e", "f"), "a"),
    Entry("key", ("d", "e", "g"), {"a": []}),
]
TEXT_PARTS = ["# Mine\n", "\n", "é", "- one\n- two\n", " \n"]
TEXT_ENTRIES = [Entry("key", (name,), f"## {name}\n\nRun {name}.") for name in "abcdefgh"]


@st.composite
def _of_parts(draw: st.DrawFn, parts: list[str]) -> bytes:
    text = "".join(draw(st.lists(st.sampled_from(parts), max_size=5, unique=True)))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return (draw(st.sampled_from(["", "", "\ufeff"])) + text).encode()


documents = st.randoms(use_true_random=False).map(lambda rng: Writer(rng).document().encode())
"""Odd JSON documents: comments, trailing commas, equal keys, any line ends, any layout."""
json_entries = st.builds(json_entry, st.sampled_from(NAMES), st.integers(0, len(_JSON_PLACES) - 1))
DOCUMENTS = {
    "json": documents,
    "text": _of_parts(TEXT_PARTS),
    "toml": _of_parts(TOML_PARTS),
    "yaml": _of_parts(YAML_PARTS),
}
"""Odd documents by format."""
ENTRIES = {
    "json": json_entries,
    "text": st.sampled_from(TEXT_ENTRIES),
    "toml": st.sampled_from(TOML_ENTRIES),
    "yaml": st.sampled_from(YAML_ENTRIES),
}
"""Entries by format, which fit into most documents."""


def read_or_none(data: bytes, format: str) -> Document | None:
    """Return the document, or None if the parts do not make one."""
    try:
        return read(data, format)
    except DocumentError:
        return None


def insert_each(document: Document, entries: Iterable[Entry]) -> tuple[Document, list[Batch]]:
    """Insert entries one by one; leave out those that do not fit."""
    batches = []
    for entry in entries:
        try:
            document, batch = insert(document, [entry])
        except DocumentError:
            continue
        batches.append(batch)
    return document, batches


def entries_of(batches: Iterable[Batch]) -> list[Entry]:
    """Return the entries of all batches, in the order of insertion."""
    return [entry for batch in batches for entry in batch.entries]


def addresses(batches: Sequence[Batch]) -> list[tuple[int, int]]:
    """Return the addresses of all entries."""
    return [(i, j) for i, batch in enumerate(batches) for j in range(len(batch.entries))]


def take_out(document: Document, batches: Sequence[Batch], *which: int) -> Document:
    """Remove all entries of the batches at these positions; of all batches without any."""
    gone = [a for a in addresses(batches) if not which or a[0] in which]
    return rewrite(document, batches, dict.fromkeys(gone, MISSING)).document
