"""Run the launcher as the host would, and read what the dispatcher has noted."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire.text import first, like
from hatch_agentplugin.hosts import payloads as recorded
from hatch_agentplugin.invocation import call
from hatch_agentplugin.simulate import payloads
from hatch_agentplugin.simulate.compiled import Bundle
from hatch_agentplugin.simulate.launch import launching
from hatch_agentplugin.simulate.result import HookFailed, Result

TRACE = "AGENT_PLUGIN_TRACE"


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
    output, ...; see :func:`hatch_agentplugin.simulate.payloads.payload`) are set. ``launcher`` is one that is
    placed; without it a temporary one is made, and nothing of the user's is touched. Raises
    :class:`CannotSimulate`, and HookFailed where the launcher does not end within ``timeout``
    seconds; otherwise a failed hook raises nothing here, see :meth:`Result.check`.
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
        with launching(bundle, launcher, Path(scratch), f"{host}.{event}") as program:
            trace = Path(scratch) / "trace"
            given = payloads.environment(table, sent, os.environ, Path(scratch))
            given |= {**(env or {}), TRACE: str(trace)}
            given.pop("AGENT_PLUGIN_FIRING", None)
            began = time.perf_counter()
            try:
                done = subprocess.run(
                    [str(program), host, slot],
                    input=data,
                    capture_output=True,
                    cwd=folder,
                    env=given,
                    timeout=timeout,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                why = f"{event} on {host} did not end within {timeout:g} s"
                raise HookFailed(why) from None
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
    lines = text.split("\n")[:-1]  # No other line end counts: JSON may hold any.
    record: dict[str, Any] = json.loads(lines[-1]) if lines else {}
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
    tool = first(dict(sent), table["fields"].get("tool") or [])
    names = list(dict.fromkeys(name for names in filters for name in names or ()))
    if not names or any(like(str(tool), name) for name in names):
        return ""
    return f"not called for {tool}: the host's matcher lets {', '.join(names)} through"
