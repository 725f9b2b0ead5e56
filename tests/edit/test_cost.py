"""What an edit costs: a document is parsed a fixed number of times, whatever the entries."""

from __future__ import annotations

import time
from typing import Any

import pytest

from hatch_agentplugin.edit import MISSING, Batch, Entry, formats, insert, read, rewrite

from ._documents import hook

DOCUMENTS = {
    "json": b'{\n  "model": "x", // mine\n  "hooks": {\n    "Stop": [{"a": 1}]\n  }\n}\n',
    "text": b"# mine\n",
    "toml": b'model = "x"\n\n[[hooks.Stop]]\na = 1\n',
    "yaml": b"model: x\nhooks:\n  Stop:\n    - a: 1\n",
}


def entries(format: str, count: int) -> list[Entry]:
    if format == "text":
        return [Entry("key", (f"p{n}",), f"# p{n}\nrun p{n}") for n in range(count)]
    events = ["Stop", "PreToolUse", "SessionStart"]
    items = [Entry("item", ("hooks", events[n % 3]), hook(f"p{n}", "x")) for n in range(count)]
    return [*items, *(Entry("key", ("servers", f"p{n}"), {"command": "x"}) for n in range(count))]


@pytest.mark.parametrize("format", sorted(DOCUMENTS))
def test_parses_do_not_grow_with_the_entries(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One to read, one to check; a removal needs one more for the text between."""
    parses = 0
    kind: Any = formats._DOCUMENTS[format]
    parse = kind.parse

    def counted(text: str) -> Any:
        nonlocal parses
        parses += 1
        return parse(text)

    monkeypatch.setattr(kind, "parse", staticmethod(counted))
    document = read(DOCUMENTS[format], format)
    after, batch = insert(document, entries(format, 20))
    assert parses == 2
    for gone in ([(0, 0)], [(0, n) for n in range(len(batch.entries))]):
        parses = 0
        rewrite(after, [batch], dict.fromkeys(gone, MISSING), entries(format, 1) * (len(gone) > 1))
        assert parses == 2
    batches = list[Batch]()
    for entry in entries(format, 5):
        document, one = insert(document, [entry])
        batches.append(one)
    parses = 0
    rewrite(document, batches, {(0, 0): MISSING})
    assert parses == 2


@pytest.mark.parametrize("format", sorted(DOCUMENTS))
def test_the_time_grows_with_the_entries_and_not_with_their_square(format: str) -> None:
    """Ten times as many entries take about ten times as long; a hundred times would fail."""

    def seconds(count: int) -> float:
        def once() -> float:
            start = time.process_time()
            after, batch = insert(read(DOCUMENTS[format], format), entries(format, count))
            rewrite(after, [batch], {(0, 0): MISSING})
            return time.process_time() - start

        return min(once() for _ in range(3))

    assert seconds(400) < 30 * seconds(40)
