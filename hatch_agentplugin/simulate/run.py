"""Start the launcher as the host would, and read the dispatcher's trace of the call."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatch_agentplugin.fire.text import first, like
from hatch_agentplugin.hosts import payloads as recorded
from hatch_agentplugin.invocation import call
from hatch_agentplugin.scripts import launcher
from hatch_agentplugin.simulate import payloads
from hatch_agentplugin.simulate.bundle import Bundle
from hatch_agentplugin.simulate.result import HookFailed, Result

#: Environment variable that names the trace file for the dispatcher.
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
    """Fire an event and return what the host would see.

    ``payload`` is sent unchanged. By default one is made in the host's form, with ``values`` in it:
    tool, input, prompt, output, ...; see :func:`hatch_agentplugin.simulate.payloads.payload`.
    ``launcher`` is the plugin's launcher in the user's home. Without it a temporary one is used,
    and no file of the user's changes. ``timeout`` is in seconds.

    Raises CannotSimulate if the event does not fire on the host, and HookFailed if the launcher
    runs into the timeout. For other failures of hooks see :meth:`Result.check`.
    """
    slot, table = bundle.slot(host, event, values.get("tool"))
    folder = Path(cwd or os.getcwd())
    sent: Any = payload
    if sent is None:
        known = recorded.cases(host)
        sent = payloads.payload(table, cwd=str(folder), slot=slot, known=known, **values)
    if table.get("environment"):
        sent, data = _parsed(sent), b""
    else:
        data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    note = _why_not_called(table, sent)
    if note:
        return Result(host, event, table["native"], sent, {}, {}, (), (), "", "", 0, 0.0, note)
    with tempfile.TemporaryDirectory(prefix="agent-plugin-", ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        trace = scratch / "trace"
        variables = payloads.environment(table, sent, os.environ, scratch)
        variables |= {**(env or {}), TRACE: str(trace)}
        variables.pop("AGENT_PLUGIN_FIRING", None)
        with launcher_for(bundle, launcher, scratch, host, event) as program:
            began = time.perf_counter()
            done = _run([str(program), host, slot], data, folder, variables, timeout, event)
            seconds = time.perf_counter() - began
        record = _read_record(trace, table)
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


def _run(
    command: list[str],
    data: bytes,
    folder: Path,
    variables: Mapping[str, str],
    timeout: float,
    event: str,
) -> subprocess.CompletedProcess[bytes]:
    """Start the launcher as the host would. Raises HookFailed at the timeout."""
    try:
        return subprocess.run(
            command,
            input=data,
            capture_output=True,
            cwd=folder,
            env=variables,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        why = f"{event} on {command[1]} did not end within {timeout:g} s"
        raise HookFailed(why) from None


def _parsed(sent: Any) -> Any:
    """Return a payload given as bytes as a value, for a host that sends it in variables."""
    try:
        return json.loads(sent) if isinstance(sent, bytes) else sent
    except ValueError:
        return sent


def _read_record(trace: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dispatcher's record of the call, or an empty dict if no dispatcher ran.

    A detached dispatcher goes on after the launcher has returned, so this waits for it.
    """
    timeout = table["deadline"] + 1 if table["detached"] and _has_handlers(table) else 0
    end = time.monotonic() + timeout
    text = _text(trace)
    while not text.endswith("\n") and time.monotonic() < end:
        time.sleep(0.01)
        text = _text(trace)
    lines = text.split("\n")[:-1]  # not splitlines(): JSON may hold Unicode line ends
    record: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    return record


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _has_handlers(table: Mapping[str, Any]) -> bool:
    return any("handler" in hook for hook in table["hooks"])


def _why_untraced(table: Mapping[str, Any], launcher: Path | None) -> str:
    """Return why no dispatcher has run."""
    if launcher is not None:
        switches = launcher.parent / "disabled"
        if any((switches / name).exists() for name in ("all", table["event"])):
            return f"switched off; {call('enable', table['plugin'])} switches it on"
    if _has_handlers(table):
        return "no hook runs for this payload; the slot script decided this without Python"
    return "portable commands only, run without Python"


def _why_not_called(table: Mapping[str, Any], sent: Any) -> str:
    """Return why the host's own matcher would not let this payload through, or an empty string."""
    filters = [hook.get("tools") for hook in table["hooks"]]
    if not table["exact"] or None in filters or not isinstance(sent, Mapping):
        return ""
    tool = first(dict(sent), table["fields"].get("tool") or [])
    names = list(dict.fromkeys(name for names in filters for name in names or ()))
    if not names or any(like(str(tool), name) for name in names):
        return ""
    return f"not called for {tool}: the host's matcher only lets {', '.join(names)} through"


@contextmanager
def launcher_for(
    bundle: Bundle, existing: Path | None, scratch: Path, host: str, event: str
) -> Iterator[Path]:
    """Yield the launcher to start: ``existing``, or a temporary one below ``scratch``.

    An existing launcher's fired stamp for the event is restored afterwards.
    """
    if existing is None:
        yield temporary_launcher(bundle, scratch)
        return
    stamp = existing.parent / "fired" / f"{host}.{event}"
    before = stamp.stat() if stamp.exists() else None
    try:
        yield existing
    finally:
        if before is None:
            stamp.unlink(missing_ok=True)
        elif stamp.exists():
            os.utime(stamp, ns=(before.st_atime_ns, before.st_mtime_ns))


def temporary_launcher(bundle: Bundle, scratch: Path) -> Path:
    """Write a launcher, and a state folder for it, below ``scratch``. Return the launcher's path."""
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
        runtime=str(Path(__file__).resolve().parents[2]),
    )
    program.write_bytes(os.fsencode(text))
    program.chmod(0o700)
    return program
