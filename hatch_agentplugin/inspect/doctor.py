"""Doctor: run every installed hook command as its agent would, and check the result.

The payload says that it comes from doctor, and has no tool and no prompt. The launcher's fired
stamp keeps its time, because no event of the agent has happened.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import is_gone
from hatch_agentplugin.inspect.status import installed_by
from hatch_agentplugin.invocation import quoted
from hatch_agentplugin.plan import PlanError
from hatch_agentplugin.transaction.ledger import Ledger, LedgerEntry

#: Seconds after which a command counts as hanging.
TIMEOUT = 60.0
#: Number of lines of a plugin's log to show.
LOG_LINES = 10
#: Failures in the log that an event without tool and prompt may cause in a correct hook.
_EXPECTED_FAILURES = ("raised", "exited", "returned", "payload", "turn limit")


@dataclass(frozen=True)
class CommandResult:
    """The result of a command."""

    status: int | None
    """Exit status; None if it was killed after the timeout."""
    out: bytes
    """Standard output."""
    err: bytes
    """Standard error."""
    seconds: float
    """How long it ran."""


@dataclass(frozen=True)
class Check:
    """One command that was run, and the problem with its result."""

    plugin: str
    host: str
    scope: str
    slot: str
    command: str
    """As the host runs it."""
    result: CommandResult
    problem: str = ""
    """The problem; empty if there is none."""

    def to_json(self) -> dict[str, Any]:
        """Return the check as a JSON object."""
        return {
            "plugin": self.plugin,
            "host": self.host,
            "scope": self.scope,
            "slot": self.slot,
            "command": self.command,
            "status": self.result.status,
            "seconds": round(self.result.seconds, 3),
            "problem": self.problem or None,
        }


def check_commands(context: Context, ledger: Ledger) -> list[Check]:
    """Run and check every command of the plugins whose package is still installed."""
    return [
        _check(context, placed, slot, command, row.bundle)
        for placed, slot, command in _commands(context, ledger)
        if (row := ledger.plugins.get(placed.plugin)) is not None and not is_gone(row.bundle)
    ]


def _commands(context: Context, ledger: Ledger) -> Iterator[tuple[LedgerEntry, str, str]]:
    """Yield every command that starts a launcher, with its ledger entry and slot.

    A shim is run itself. A code module can't run without its host, so its launcher is started
    instead.
    """
    for placed in ledger.entries:
        runs = placed.commands
        for slot, command in runs.items():
            yield placed, slot, quoted(placed.path) if placed.kind == "shim" else command
        if placed.kind == "file" and not runs and placed.events:
            launcher = quoted(str(context.launcher(placed.plugin)))
            for slot in _slots(ledger, placed):
                yield placed, slot, f"{launcher} {placed.host} {slot}"


def _slots(ledger: Ledger, placed: LedgerEntry) -> tuple[str, ...]:
    """Return the slots of a plugin in a host; none if its plan can't be read."""
    row = ledger.plugins.get(placed.plugin)
    if row is None:
        return ()
    try:
        return installed_by(row, placed.plugin).plan().hosts[placed.host].slots
    except (PlanError, KeyError):
        return ()


def _check(context: Context, placed: LedgerEntry, slot: str, command: str, bundle: str) -> Check:
    plugin, host = placed.plugin, placed.host
    stamp = context.fired(plugin) / f"{host}.{slot.partition('.')[0]}"
    log = context.own(plugin) / "log"
    size = _size(log)
    with _unchanged_time(stamp):
        result = run_command(context, command, _payload(slot, placed), placed.project or "")
    problem = find_problem(result, _may_be_text(bundle, host, slot)) or _logged_failure(log, size)
    return Check(plugin, host, placed.scope, slot, command, result, problem)


def _payload(slot: str, placed: LedgerEntry) -> bytes:
    event = slot.partition(".")[0]
    value = {"agent_plugin_doctor": True, "session_id": "agent-plugin-doctor", "event": event}
    if placed.project:
        value["cwd"] = placed.project
    return json.dumps(value).encode()


def run_command(context: Context, command: str, payload: bytes, project: str) -> CommandResult:
    """Run a command as hosts do: in the system's shell, in the project, with all variables.

    The variable AGENT_PLUGIN_DOCTOR tells portable commands, which get no payload, that this is a
    check.
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
            out, err = process.communicate(payload, TIMEOUT)
        except subprocess.TimeoutExpired:
            _kill(process)
            return CommandResult(None, b"", b"", time.monotonic() - started)
    return CommandResult(process.returncode, out, err, time.monotonic() - started)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a command and its child processes."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def find_problem(result: CommandResult, may_be_text: bool = False) -> str:
    """Return the problem with a command's result; an empty string if there is none.

    With `may_be_text` the output need not be JSON.
    """
    if result.status is None:
        return f"did not end within {TIMEOUT:g} s"
    if result.status not in (0, 2):
        text = result.err.decode("utf-8", "replace").strip().splitlines()
        return f"ended with status {result.status}" + (f": {text[-1][:200]}" if text else "")
    if result.out.strip() and not may_be_text:
        try:
            json.loads(result.out)
        except ValueError:
            return "printed something that is not one JSON document"
    return ""


def _may_be_text(bundle: str, host: str, slot: str) -> bool:
    """Return True if the host accepts plain text from this slot."""
    try:
        table = json.loads(Path(bundle, "fire", host, f"{slot}.json").read_bytes())
        return any("$stdout" in (row.get("reply") or {}) for row in table["answers"].values())
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False


def _size(log: Path) -> int:
    try:
        return os.stat(log).st_size
    except OSError:
        return 0


def _logged_failure(log: Path, size: int) -> str:
    """Return a failure that a hook has logged since the log had `size` bytes; else "".

    Such a failure does not show in the result: the launcher gives the hook's ``on-error`` answer.
    """
    try:
        data = log.read_bytes()
    except OSError:
        return ""
    new = data[size:] if len(data) >= size else data  # A shorter log has been restarted.
    for line in new.decode("utf-8", "replace").splitlines():
        fields = line.split("\t")
        if len(fields) >= 6 and fields[4] not in _EXPECTED_FAILURES:
            return ": ".join(fields[3:6])
    return ""


def log_tail(context: Context, plugin: str) -> list[str]:
    """Return the last lines of a plugin's log of failures."""
    try:
        data = (context.own(plugin) / "log").read_bytes()
    except OSError:
        return []
    return data.decode("utf-8", "replace").splitlines()[-LOG_LINES:]


@contextmanager
def _unchanged_time(stamp: Path) -> Iterator[None]:
    """Restore the times of a fired stamp at the end, or remove it if it did not exist."""
    try:
        status = os.stat(stamp)
        before = (status.st_atime_ns, status.st_mtime_ns)
    except OSError:
        before = None
    try:
        yield
    finally:
        with suppress(OSError):
            if before is None:
                os.unlink(stamp)
            else:
                os.utime(stamp, ns=before)
