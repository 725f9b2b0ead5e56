"""Talks to a host in lines on its stdio: sends one, waits for the answer, sends the next.

`python talk.py JSON -- COMMAND...`: the JSON is a list of pairs of a line to send and a regular
expression to wait for. If the expression has a group NAME, the matched text replaces `<NAME>` in
later lines. The host's output is printed. Standard library only, and no import of ours: it runs in
the host's minimal environment.
"""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import threading
import time

SECONDS = 120
"""In which a host must have answered everything."""


def client(*turns: tuple[object, str]) -> tuple[str, ...]:
    """Return this program for `drivers.run`; the lines are sent as JSON."""
    said = [[json.dumps(line), pattern] for line, pattern in turns]
    return (__file__, json.dumps(said), "--")


def main() -> None:
    """Send everything, then close the connection."""
    turns, _, *command = sys.argv[1:]
    deadline = time.monotonic() + SECONDS
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                             encoding="utf-8")  # fmt: skip
    heard: queue.Queue[str] = queue.Queue()

    def listen() -> None:
        for line in child.stdout or ():
            print(line, end="", flush=True)
            heard.put(line)

    threading.Thread(target=listen, daemon=True).start()
    assert child.stdin
    known: dict[str, str] = {}
    for line, pattern in json.loads(turns):
        for name, value in known.items():
            line = line.replace(f"<{name}>", value)
        child.stdin.write(line + "\n")
        child.stdin.flush()
        found = None
        while pattern and not found:
            try:
                found = re.search(pattern, heard.get(timeout=max(0, deadline - time.monotonic())))
            except queue.Empty:
                sys.exit(f"no answer like {pattern} to {line}")
        known.update(found.groupdict() if found else {})
    child.stdin.close()
    try:
        child.wait(20)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    main()
