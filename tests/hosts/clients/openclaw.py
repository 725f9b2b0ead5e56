"""Drives OpenClaw through its gateway: starts it, sends it each message, and stops it.

`python openclaw.py MESSAGES COMMAND... .` sends one message per line of MESSAGES. Only the gateway
has subagents and ends a session. Standard library only, and no import of ours: it runs in the
host's minimal environment.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time

PORT = 18789
"""The one that the host's commands look for."""
SECONDS = 200
"""In which the gateway must be up, and every message answered."""
NOTHING = "."
"""Stands where the host's arguments would: they differ by command."""


def client(*messages: str) -> tuple[str, ...]:
    """Return this program for `drivers.run`, with `instead=(NOTHING,)`."""
    return (__file__, "\n".join(messages))


def main() -> None:
    """Run one gateway and send it all messages."""
    messages, *command, _ = sys.argv[1:]
    deadline = time.monotonic() + SECONDS
    local = ("--auth", "none", "--bind", "loopback", "--port", str(PORT))
    gateway = subprocess.Popen([*command, "gateway", "run", "--allow-unconfigured", *local])
    while not _is_up():
        if gateway.poll() is not None or time.monotonic() > deadline:
            sys.exit("the gateway does not come up")
        time.sleep(0.3)
    failed = 0
    for message in messages.splitlines():
        said = [*command, "agent", "--agent", "main", "--message", message]
        failed |= subprocess.run(said, timeout=SECONDS, check=False).returncode
    gateway.terminate()
    gateway.wait(30)
    sys.exit(failed)


def _is_up() -> bool:
    try:
        socket.create_connection(("127.0.0.1", PORT), 1).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
