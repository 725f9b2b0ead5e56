"""Measures insertions into a settings file of 10 MB, as a ratio to `json.loads` of the same file.

``--quick`` uses a file of 1 MB.
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

from hatch_agentplugin.edit import Record, editor

SIZE = 10_000_000
MANY = 13
AT = ("hooks", "Stop")
VALUE = {"hooks": [{"type": "command", "command": "/home/me/.agent-plugin/acme/launch stop"}]}


def settings(size: int, comment: str) -> bytes:
    """Return settings of about ``size`` bytes, with `comment` on every hundredth project."""
    project = {"allowed": ["Bash(ls:*)", "Read"], "history": ["ask me", "thanks"], "cost": 0.25}
    text = json.dumps(project, indent=2)
    count = size // (len(text) + 30)
    projects = ",\n".join(
        f'"/home/me/project-{i}": {text}{comment if i % 100 == 0 else ""}' for i in range(count)
    )
    return f'{{\n  "projects": {{{projects}}},\n  "hooks": {{"Stop": []}}\n}}\n'.encode()


def insert_many(data: bytes) -> tuple[bytes, list[Record]]:
    """Insert an entry for each of many events, as activating a plugin does."""
    editing = editor("jsonc")  # knows no document yet, as at the start of a run
    records = []
    for number in range(MANY):
        edit = editing.insert_item(data, ("hooks", f"Event{number}"), VALUE)
        data = edit.data
        records.append(edit.record)
    return data, records


def there_and_back(data: bytes) -> None:
    """Insert them and remove them again."""
    editing = editor("jsonc")
    after, records = insert_many(data)
    for record in reversed(records):
        after = editing.remove(after, record)
    assert after == data


def seconds(task: Callable[[], object]) -> float:
    """Return the shortest of three runs, in CPU seconds."""
    times = []
    for _ in range(3):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print one line per kind of file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smaller file")
    size = SIZE // 10 if parser.parse_args().quick else SIZE
    plain = settings(size, "")
    base = seconds(lambda: json.loads(plain))
    print(f"json.loads of {len(plain) / 1e6:.1f} MB: {base:.2f} s")
    for name, data in [("plain", plain), ("with comments", settings(size, " /* mine */"))]:
        editing = editor("jsonc")
        edit = editing.insert_item(data, AT, VALUE)
        tasks = {
            "insert": partial(editing.insert_item, data, AT, VALUE),
            f"insert {MANY}": partial(insert_many, data),
            f"insert and take out {MANY}": partial(there_and_back, data),
            "remove": partial(editing.remove, edit.data, edit.record),
            "find": partial(editing.find, edit.data, edit.record),
        }
        for task, run in tasks.items():
            spent = seconds(run)
            print(f"{task}, {name}: {spent:.2f} s, {spent / base:.1f} times json.loads")


if __name__ == "__main__":
    main()
