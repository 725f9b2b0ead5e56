"""Measures edits of a settings file of 10 MB, as a ratio to `json.loads` of the same file.

Every task reads the file once, as a command does. ``--quick`` uses a file of 1 MB.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from hatch_agentplugin.edit import MISSING, Batch, Entry, insert, read, rewrite

SIZE = 10_000_000
MANY = 13
VALUE = {"hooks": [{"type": "command", "command": "/home/me/.agent-plugin/acme/launch stop"}]}
ENTRIES = [Entry("item", ("hooks", f"Event{number}"), VALUE) for number in range(MANY)]


def settings(size: int, comment: str) -> bytes:
    """Return settings of about ``size`` bytes, with `comment` on every hundredth project."""
    project = {"allowed": ["Bash(ls:*)", "Read"], "history": ["ask me", "thanks"], "cost": 0.25}
    text = json.dumps(project, indent=2)
    count = size // (len(text) + 30)
    projects = ",\n".join(
        f'"/home/me/project-{i}": {text}{comment if i % 100 == 0 else ""}' for i in range(count)
    )
    return f'{{\n  "projects": {{{projects}}},\n  "hooks": {{"Stop": []}}\n}}\n'.encode()


def insert_entries(data: bytes, count: int) -> tuple[bytes, Batch]:
    """Insert entries for some events, as activating a plugin does."""
    document, batch = insert(read(data, "jsonc"), ENTRIES[:count])
    return document.text.encode(), batch


def remove_entries(data: bytes, batch: Batch, before: bytes) -> None:
    """Remove all entries of a batch, as deactivating a plugin does."""
    changes = {(0, number): MISSING for number in range(len(batch.entries))}
    rest = rewrite(read(data, "jsonc"), [batch], changes)
    assert rest.document.text.encode() == before


def seconds(task: Callable[[], object]) -> float:
    """Return the shortest of three runs, in CPU seconds."""
    times = []
    for _ in range(3):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print one line per task and kind of file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smaller file")
    size = SIZE // 10 if parser.parse_args().quick else SIZE
    plain = settings(size, "")
    base = seconds(lambda: json.loads(plain))
    print(f"json.loads of {len(plain) / 1e6:.1f} MB: {base:.3f} s")
    for name, data in [("plain", plain), ("with comments", settings(size, " /* mine */"))]:
        tasks: dict[str, Callable[[], object]] = {"read": partial(read, data, "jsonc")}
        for count in (1, MANY):
            after, batch = insert_entries(data, count)
            tasks[f"insert {count}"] = partial(insert_entries, data, count)
            tasks[f"remove {count}"] = partial(remove_entries, after, batch, data)
        for task, run in tasks.items():
            spent = seconds(run)
            print(f"{task}, {name}: {spent:.3f} s, {spent / base:.1f} times json.loads")


if __name__ == "__main__":
    main()
