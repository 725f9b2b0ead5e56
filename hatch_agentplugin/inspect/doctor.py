"""Doctor: fire every placed command as its host would, and look at what comes back.

The payload says that it is from us and names no tool and no prompt. What the host would see of an
event being fired, the launcher's mark, is put back as it was.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import is_gone
from hatch_agentplugin.inspect.status import installed_by
from hatch_agentplugin.invocation import quoted
from hatch_agentplugin.plan import PlanError
from hatch_agentplugin.transaction.ledger import Ledger, Placed

#: Seconds after which a command counts as hanging.
LIMIT = 60.0
#: Lines of a plugin's log that are shown.
LOG_LINES = 10
#: Kinds of failure in the log that an event without tool and prompt may bring about by itself.
_BY_THE_EVENT = ("raised", "exited", "returned", "payload", "turn limit")


@dataclass(frozen=True)
class Answer:
    """What a command gave back."""

    status: int | None
    """Exit status; None where it had to be ended."""
    out: bytes
    err: bytes
    seconds: float


@dataclass(frozen=True)
class Shot:
    """One command, fired."""

    plugin: str
    host: str
    scope: str
    slot: str
    command: str
    answer: Answer
    problem: str = ""
    """What is wrong with the answer; empty when nothing is."""

    def to_json(self) -> dict[str, Any]:
        """The shot as a JSON object."""
        return {
            "plugin": self.plugin,
            "host": self.host,
            "scope": self.scope,
            "slot": self.slot,
            "command": self.command,
            "status": self.answer.status,
            "seconds": round(self.answer.seconds, 3),
            "problem": self.problem or None,
        }


Fire = Callable[[Context, str, bytes, str], Answer]


def commands(context: Context, ledger: Ledger) -> Iterator[tuple[Placed, str, str]]:
    """Every placed command that starts a launcher, with its placement and slot.

    A code module cannot be run without its host: there the launcher is started as it would. A
    script of ours is run itself.
    """
    for placed in ledger.entries:
        runs = placed.placement.get("runs") or {}
        for slot, command in runs.items():
            yield placed, slot, quoted(placed.path) if placed.kind == "shim" else command
        if placed.kind == "file" and not runs and placed.placement.get("events"):
            launcher = quoted(str(context.launcher(placed.plugin)))
            for slot in _slots(ledger, placed):
                yield placed, slot, f"{launcher} {placed.host} {slot}"


def fire_all(context: Context, ledger: Ledger, fire: Fire | None = None) -> list[Shot]:
    """Fire every placed command of the plugins that are installed."""
    shots = []
    for placed, slot, command in commands(context, ledger):
        row = ledger.plugins.get(placed.plugin)
        if row is None or is_gone(row.bundle):
            continue
        payload = _payload(slot, placed)
        mark = context.fired(placed.plugin)
        log = context.own(placed.plugin) / "log"
        before = _size(log)
        with _as_it_was(mark / f"{placed.host}.{slot.partition('.')[0]}"):
            answer = (fire or run)(context, command, payload, placed.project or "")
        problem = judge(answer, _may_be_text(row.bundle, placed.host, slot))
        problem = problem or _failure(log, before)
        shots.append(Shot(placed.plugin, placed.host, placed.scope, slot, command, answer, problem))
    return shots


def _may_be_text(bundle: str, host: str, slot: str) -> bool:
    """Whether the host takes plain text as an answer of this slot."""
    try:
        table = json.loads(Path(bundle, "fire", host, f"{slot}.json").read_bytes())
        return any("$stdout" in (row.get("reply") or {}) for row in table["answers"].values())
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False


def judge(answer: Answer, may_be_text: bool = False) -> str:
    """What is wrong with an answer, in words; empty when nothing is."""
    if answer.status is None:
        return f"did not end within {LIMIT:g} s"
    if answer.status not in (0, 2):
        text = answer.err.decode("utf-8", "replace").strip().splitlines()
        return f"ended with status {answer.status}" + (f": {text[-1][:200]}" if text else "")
    if answer.out.strip() and not may_be_text:
        try:
            json.loads(answer.out)
        except ValueError:
            return "printed something that is not one JSON document"
    return ""


def _size(log: Path) -> int:
    try:
        return os.stat(log).st_size
    except OSError:
        return 0


def _failure(log: Path, before: int) -> str:
    """What a hook has noted as its failure since the log had that size; empty for nothing.

    The agent would get the hook's ``on-error`` answer, as if all were well.
    """
    try:
        data = log.read_bytes()
    except OSError:
        return ""
    new = data[before:] if len(data) >= before else data  # else a new log was begun
    for line in new.decode("utf-8", "replace").splitlines():
        fields = line.split("\t")
        if len(fields) >= 6 and fields[4] not in _BY_THE_EVENT:
            return ": ".join(fields[3:6])
    return ""


def run(context: Context, command: str, payload: bytes, project: str) -> Answer:
    """Run a line as hosts do: by the system's shell, in the project, with the whole environment.

    AGENT_PLUGIN_DOCTOR tells portable commands, which see no payload, that it is a check.
    """
    environ = {k: v for k, v in context.machine.environ.items() if k != "AGENT_PLUGIN_FIRING"}
    environ["AGENT_PLUGIN_DOCTOR"] = "1"
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as empty:
        process = subprocess.Popen(
            command,
            shell=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            cwd=project if os.path.isdir(project) else empty,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(payload, LIMIT)
        except subprocess.TimeoutExpired:
            _end(process)
            return Answer(None, b"", b"", time.monotonic() - started)
    return Answer(process.returncode, out, err, time.monotonic() - started)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and all that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def log_tail(context: Context, plugin: str) -> list[str]:
    """The last lines of a plugin's log of failures."""
    try:
        data = (context.own(plugin) / "log").read_bytes()
    except OSError:
        return []
    return data.decode("utf-8", "replace").splitlines()[-LOG_LINES:]


def _payload(slot: str, placed: Placed) -> bytes:
    event = slot.partition(".")[0]
    value = {"agent_plugin_doctor": True, "session_id": "agent-plugin-doctor", "event": event}
    if placed.project:
        value["cwd"] = placed.project
    return json.dumps(value).encode()


def _slots(ledger: Ledger, placed: Placed) -> tuple[str, ...]:
    row = ledger.plugins.get(placed.plugin)
    if row is None:
        return ()
    try:
        return installed_by(row, placed.plugin).plan().hosts[placed.host].slots
    except (PlanError, KeyError):
        return ()


@contextmanager
def _as_it_was(mark: Path) -> Iterator[None]:
    """Put the mark of the last firing back: what doctor fires is no event of the host."""
    try:
        status = os.stat(mark)
        before = (status.st_atime_ns, status.st_mtime_ns)
    except OSError:
        before = None
    try:
        yield
    finally:
        with suppress(OSError):
            if before is None:
                os.unlink(mark)
            else:
                os.utime(mark, ns=before)
