"""Fire one event of one host as the host would, and see what comes of it.

Runs the launcher, real shell and real interpreter, with a payload in the host's form::

    bundle = Bundle(folder)
    result = simulate(bundle, "claude-code", "pre-tool-use", tool="shell")
    assert result.outcome == "deny"
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hatch_agentplugin import payloads, recorded
from hatch_agentplugin.fire.text import like
from hatch_agentplugin.place.program import call
from hatch_agentplugin.plan import Cell, Plan

TRACE = "AGENT_PLUGIN_TRACE"
#: Decisions, then the other outcomes, the most telling first.
_TELLING = (
    *("halt", "deny", "ask", "keep-going", "allow"),
    *("modify-input", "modify-output", "context", "message"),
)


class CannotSimulate(Exception):
    """The event does not fire on this host at all; the text says why."""


class HookFailed(Exception):
    """A hook did not do as its event demands; the text names hook, event and what was wrong."""


@dataclass(frozen=True)
class Result:
    """What the host sees, and what led to it."""

    host: str
    event: str
    native: str
    """The host's own name of the event."""
    payload: Any
    """What was sent."""
    outcomes: Mapping[str, Any]
    """Outcome -> text or value, as it reaches the host."""
    said: Mapping[str, Any]
    """The same before anything was degraded."""
    degraded: Sequence[Mapping[str, str]]
    """What the host can't express: ``outcome``, what it became (``as``; empty: dropped), ``why``."""
    hooks: Sequence[Mapping[str, Any]]
    """Hooks that ran in Python: ``key``, and ``did`` or ``failed`` with ``what`` and ``traceback``."""
    reply: str
    """Standard output."""
    stderr: str
    """Standard error: what handlers print, and reasons for hosts that read it there."""
    status: int
    """Exit status."""
    seconds: float
    """Wall time of the whole call."""
    note: str = ""
    """Why nothing was called, or that no Python was needed."""

    @property
    def outcome(self) -> str:
        """The most telling outcome: a decision if there is one; ``none`` where nothing was said."""
        return next((name for name in _TELLING if name in self.outcomes), "none")

    @property
    def reason(self) -> str | None:
        """The text that goes with :attr:`outcome`."""
        found = self.outcomes.get(self.outcome)
        return found if isinstance(found, str) else None

    @property
    def context(self) -> str | None:
        """Text for the model."""
        return self.outcomes.get("context")

    @property
    def message(self) -> str | None:
        """Text for the user."""
        return self.outcomes.get("message")

    @property
    def input(self) -> Any:
        """The changed input."""
        return self.outcomes.get("modify-input")

    @property
    def output(self) -> Any:
        """The changed output."""
        return self.outcomes.get("modify-output")

    @property
    def document(self) -> Any:
        """The reply as JSON; None where it is silence or plain text."""
        try:
            return json.loads(self.reply)
        except ValueError:
            return None

    def check(self) -> None:
        """Raise :class:`HookFailed` if a hook has failed."""
        for hook in self.hooks:
            if "failed" in hook:
                where = f"{hook['key']}: {self.event} on {self.host}"
                detail = hook.get("traceback") or hook.get("what", "")
                raise HookFailed(f"{where}: {hook['failed']}: {detail}".rstrip())


@dataclass(frozen=True)
class Bundle:
    """A compiled plugin."""

    folder: Path
    plan: Plan = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> Bundle:
        """Read a bundle folder. Raises PlanError or OSError."""
        return cls(folder, Plan.read(folder))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts on which anything fires."""
        return tuple(name for name, host in self.plan.hosts.items() if host.slots)

    def events(self, host: str) -> tuple[str, ...]:
        """The events that fire on a host."""
        slots = self.plan.hosts[host].slots if host in self.plan.hosts else ()
        return tuple(dict.fromkeys(slot.partition(".")[0] for slot in slots))

    def cells(self, host: str, event: str | None = None) -> list[Cell]:
        """What the build has reported about a host."""
        cells = [cell for cell in self.plan.report if cell.host == host]
        return [cell for cell in cells if event in (None, cell.event)]

    def table(self, host: str, slot: str) -> dict[str, Any]:
        """A fire table."""
        text = (self.folder / "fire" / host / f"{slot}.json").read_text("utf-8")
        table: dict[str, Any] = json.loads(text)
        return table

    def slot(self, host: str, event: str, tool: str | None = None) -> tuple[str, dict[str, Any]]:
        """The slot that a host calls for an event and a tool (selector or native name), with its
        table. Raises :class:`CannotSimulate`."""
        named = self.plan.hosts[host].slots if host in self.plan.hosts else ()
        slots = [slot for slot in named if slot.partition(".")[0] == event]
        if not slots:
            why = next(
                (cell.reason for cell in self.cells(host, event)), "nothing is declared for it"
            )
            raise CannotSimulate(f"{event} does not fire on {host}: {why}")
        tables = [(slot, self.table(host, slot)) for slot in slots]
        for slot, table in tables:
            if tool is not None and any(_is_for(tool, *row) for row in table["tools"]):
                return slot, table
        return tables[0]


def _is_for(tool: str, pattern: str, selector: str) -> bool:
    return tool == selector or like(tool, pattern)


def simulate(
    bundle: Bundle,
    host: str,
    event: str,
    *,
    payload: bytes | Mapping[str, Any] | None = None,
    launcher: Path | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    **values: Any,
) -> Result:
    """Fire an event.

    ``payload`` is sent as it is; without it one is made, in which ``values`` (tool, input, prompt,
    output, ...; see :func:`hatch_agentplugin.payloads.payload`) are set. ``launcher`` is one that is
    placed; without it a temporary one is made, and nothing of the user's is touched. Raises
    :class:`CannotSimulate`; a failed hook raises nothing here, see :meth:`Result.check`.
    """
    slot, table = bundle.slot(host, event, values.get("tool"))
    folder = Path(cwd or os.getcwd())
    sent: Any = payload
    if sent is None:
        known = recorded.cases(host)
        sent = payloads.payload(table, cwd=str(folder), slot=slot, known=known, **values)
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    if table.get("environment"):
        sent, data = _parsed(sent), b""
    missed = _missed(table, sent)
    if missed:
        return Result(host, event, table["native"], sent, {}, {}, (), (), "", "", 0, 0.0, missed)
    with tempfile.TemporaryDirectory(prefix="agent-plugin-", ignore_cleanup_errors=True) as scratch:
        with _launcher(bundle, launcher, Path(scratch), f"{host}.{event}") as program:
            trace = Path(scratch) / "trace"
            given = payloads.environment(table, sent, os.environ, Path(scratch))
            given |= {**(env or {}), TRACE: str(trace)}
            given.pop("AGENT_PLUGIN_FIRING", None)
            began = time.perf_counter()
            done = subprocess.run(
                [str(program), host, slot],
                input=data,
                capture_output=True,
                cwd=folder,
                env=given,
                timeout=timeout,
                check=False,
            )
            seconds = time.perf_counter() - began
        record = _record(trace, table)
    return Result(
        host=record.get("host", host),
        event=event,
        native=record.get("native", table["native"]),
        payload=sent,
        outcomes=record.get("outcome", {}),
        said=record.get("said", {}),
        degraded=record.get("degraded", ()),
        hooks=record.get("hooks", ()),
        reply=done.stdout.decode("utf-8", "replace"),
        stderr=done.stderr.decode("utf-8", "replace"),
        status=done.returncode,
        seconds=seconds,
        note="" if record else _why_untraced(table, launcher),
    )


def _parsed(sent: Any) -> Any:
    """What was given as bytes, for a host that gets it in pieces."""
    try:
        return json.loads(sent) if isinstance(sent, bytes) else sent
    except ValueError:
        return sent


def _record(trace: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """What the dispatcher has written down; empty where none has run.

    A detached one goes on after the launcher has returned, so it is waited for.
    """
    patience = table["deadline"] + 1 if table["detached"] and _has_handlers(table) else 0
    end = time.monotonic() + patience
    text = _text(trace)
    while not text.endswith("\n") and time.monotonic() < end:
        time.sleep(0.01)
        text = _text(trace)
    record: dict[str, Any] = json.loads(text.splitlines()[-1]) if text else {}
    return record


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _has_handlers(table: Mapping[str, Any]) -> bool:
    return any("handler" in hook for hook in table["hooks"])


def _why_untraced(table: Mapping[str, Any], placed: Path | None) -> str:
    if placed is not None:
        switches = placed.parent / "disabled"
        if any((switches / name).exists() for name in ("all", table["event"])):
            return f"switched off; {call('enable', table['plugin'])} switches it on"
    if _has_handlers(table):
        return "nothing fires for this payload, and no Python was needed to see it"
    return "portable commands only, run without Python"


def _missed(table: Mapping[str, Any], sent: Any) -> str:
    """Why the host would not call us: its own matcher lets other tools through only."""
    filters = [hook.get("tools") for hook in table["hooks"]]
    if not table["exact"] or None in filters or not isinstance(sent, Mapping):
        return ""
    from hatch_agentplugin.fire.text import first

    tool = first(dict(sent), table["fields"].get("tool") or [])
    names = list(dict.fromkeys(name for names in filters for name in names or ()))
    if not names or any(like(str(tool), name) for name in names):
        return ""
    return f"not called for {tool}: the host's matcher lets {', '.join(names)} through"


@contextmanager
def _launcher(bundle: Bundle, placed: Path | None, scratch: Path, mark: str) -> Iterator[Path]:
    """The launcher to run. A placed one's record of the last call is put back afterwards."""
    if placed is None:
        yield _temporary(bundle, scratch)
        return
    path = placed.parent / "fired" / mark
    before = path.stat() if path.exists() else None
    try:
        yield placed
    finally:
        if before is None:
            path.unlink(missing_ok=True)
        elif path.exists():
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _temporary(bundle: Bundle, scratch: Path) -> Path:
    from hatch_agentplugin.place import launcher

    windows = sys.platform == "win32"
    render = launcher.render_windows if windows else launcher.render
    state = scratch / "state"
    for name in ("fired", "data"):
        (state / name).mkdir(parents=True, mode=0o700)
    program = state / ("launch.cmd" if windows else "launch")
    text = render(
        plugin=bundle.plan.plugin.id,
        state=str(state),
        bundle=str(bundle.folder.resolve()),
        python=sys.executable,
        runtime=str(Path(__file__).resolve().parents[1]),
    )
    program.write_bytes(os.fsencode(text))
    program.chmod(0o700)
    return program
