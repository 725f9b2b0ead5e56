"""Drives a host through the Agent Client Protocol, as an editor does: JSON-RPC lines on its stdio.

`python acp.py PROMPT ANSWER -- COMMAND...` runs one session with one prompt per line of PROMPT. If
the host asks for permission, the client sends ANSWER: `allow`, `reject`, or nothing. It prints
every message of the host. Standard library only, and no import of ours: it runs in the host's
minimal environment.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from typing import Any

Message = dict[str, Any]
SECONDS = 120
"""In which a host must have answered everything."""
QUIET = 2
"""Seconds of silence after which a turn is over."""


SILENT = "silent"


def client(answer: str, prompts: str = "{prompt}") -> tuple[str, ...]:
    """Return this program for `drivers.run`; the answer is `allow`, `reject` or `SILENT`."""
    return (__file__, prompts, answer, "--")


class Agent:
    """The host as a child process that speaks JSON-RPC."""

    def __init__(self, command: list[str], answer: str, deadline: float) -> None:
        self._answer = answer
        self._deadline = deadline
        self._count = 0
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._inbox: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._child.stdout or ():
            print(line, end="", flush=True)
            try:
                message = json.loads(line)
            except ValueError:
                continue  # a host may also print plain text
            if isinstance(message, dict):
                self._inbox.put(message)
        self._inbox.put(None)

    def request(self, method: str, **params: Any) -> Any:
        """Return the result; exit if the host answers with an error or not at all."""
        self._count += 1
        number = self._count
        self._send({"id": number, "method": method, "params": params})
        while True:
            left = self._deadline - time.monotonic()
            try:
                message = self._inbox.get(timeout=max(left, 0))
            except queue.Empty:
                sys.exit(f"no answer to {method} in time")
            if message is None:
                sys.exit(f"the host ended before it answered {method}")
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message.get("result")
            if "id" in message and "method" in message:
                self._serve(message)

    def _serve(self, message: Message) -> None:
        if message["method"] != "session/request_permission":
            error = {"code": -32601, "message": "not served here"}
            self._send({"id": message["id"], "error": error})
            return
        options = message["params"]["options"]
        chosen = [o["optionId"] for o in options if o["kind"] == f"{self._answer}_once"]
        if chosen:
            outcome = {"outcome": "selected", "optionId": chosen[0]}
            self._send({"id": message["id"], "result": {"outcome": outcome}})

    def _send(self, message: Message) -> None:
        assert self._child.stdin
        self._child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._child.stdin.flush()

    def drain(self) -> None:
        """Read messages that follow the turn, until the host is quiet for a while."""
        while True:
            try:
                message = self._inbox.get(timeout=QUIET)
            except queue.Empty:
                return
            if message is None:
                return
            if "id" in message and "method" in message:
                self._serve(message)

    def end(self) -> None:
        """Close the connection, as an editor that is closed, and give the host time to exit."""
        assert self._child.stdin
        self._child.stdin.close()
        try:
            self._child.wait(10)
        except subprocess.TimeoutExpired:
            self._child.terminate()
            try:
                self._child.wait(10)
            except subprocess.TimeoutExpired:
                self._child.kill()


def main() -> None:
    """Run one session."""
    prompts, answer, _, *command = sys.argv[1:]
    agent = Agent(command, answer, time.monotonic() + SECONDS)
    capabilities = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
    agent.request("initialize", protocolVersion=1, clientCapabilities=capabilities)
    session = agent.request("session/new", cwd=os.getcwd(), mcpServers=[])["sessionId"]
    for prompt in prompts.splitlines():
        text = [{"type": "text", "text": prompt}]
        agent.request("session/prompt", sessionId=session, prompt=text)
        agent.drain()
    agent.end()


if __name__ == "__main__":
    main()
