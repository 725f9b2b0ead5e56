"""``simulate``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from shlex import quote
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.cli import command, plugin
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import (
    Failure,
    UsageFailure,
    out,
    out_json,
    paint,
    say,
    say_error,
)
from hatch_agentplugin.simulate import Bundle, CannotSimulate, HookFailed, Result, simulate


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    return (
        Command(
            "simulate",
            "fire an event as an agent would",
            run_simulate,
            (
                Option("plugin", metavar="PLUGIN"),
                command.hosts("all on which it fires"),
                Option("--event", required=True, metavar="EVENT", help="any spelling will do"),
                (
                    Option("--payload", metavar="FILE", help="what the agent sends; '-' is stdin"),
                    Option("--tool", help="a selector or the agent's own name for a tool"),
                ),
                Option("--input", metavar="JSON", help="the tool's input"),
                Option("--prompt", help="what the user has typed"),
                command.JSON,
            ),
        ),
    )


def run_simulate(options: Any) -> int:
    """Fire on each host. Returns 1 where a hook has failed or nothing fires."""
    _, bundle = plugin.find(options.plugin)
    event = _options.event(options.event)
    hosts = _options.host_names(options.host, bundle.hosts) or list(bundle.hosts)
    launcher = _placed(bundle)
    values = _values(options)
    results, bad = [], False
    for host in hosts:
        try:
            result = simulate(bundle, host, event, launcher=launcher, **values)
        except (CannotSimulate, HookFailed) as error:
            if options.host or isinstance(error, HookFailed):
                say_error(str(error))
                bad = True
            continue
        results.append(result)
        if not options.json:
            _show(result)
        try:
            result.check()
        except HookFailed as error:
            say_error(str(error))
            bad = True
    if options.json:
        out_json([_as_json(result) for result in results])
    if not results and not bad:
        raise Failure(f"{event} fires on no agent")
    return int(bad)


def _placed(bundle: Bundle) -> Path | None:
    """The launcher that the agents run, where it is this environment's."""
    launcher = Path(Context.here().launcher(bundle.plan.plugin.id))
    try:
        text = os.fsdecode(launcher.read_bytes())
    except OSError:
        return None
    folder = str(bundle.folder)
    return launcher if quote(folder) in text or f'={folder}"' in text else None


def _values(options: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"tool": options.tool, "prompt": options.prompt}
    if options.payload:
        try:
            stdin = options.payload == "-"
            values["payload"] = (
                sys.stdin.buffer.read() if stdin else Path(options.payload).read_bytes()
            )
        except OSError as error:
            raise Failure(f"{options.payload}: {error.strerror}") from None
    if options.input is not None:
        try:
            values["input"] = json.loads(options.input)
        except ValueError as error:
            raise UsageFailure(f"--input is not JSON: {error}") from None
    return {key: value for key, value in values.items() if value is not None}


def _show(result: Result) -> None:
    """One host's result as text."""
    colour = {"deny": "red", "halt": "red", "ask": "yellow", "none": "dim"}
    outcome = paint(result.outcome, colour.get(result.outcome, "green"))
    timing = f"exit {result.status}, {result.seconds * 1000:.0f} ms"
    out(f"{paint(result.host, 'bold')}  {result.native}  {outcome}  ({timing})")
    for name, value in result.outcomes.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        out(f"  {name}: {_indented(text)}")
    for note in result.degraded:
        became = f"becomes {note['as']}" if note["as"] else "is dropped"
        out(f"  {note['outcome']} {became}: {note['why']}")
    for hook in result.hooks:
        if "failed" not in hook:
            out(f"  {hook['key']}: {', '.join(hook['did']) or 'nothing to say'}")
    if result.note:
        out(f"  {result.note}")
    out(f"  reply: {_indented(result.reply.rstrip()) or 'silence'}")
    if result.stderr:
        say(f"  stderr: {_indented(result.stderr.rstrip())}")


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _as_json(result: Result) -> dict[str, Any]:
    names = (
        *("host", "event", "native", "outcome", "outcomes", "said", "degraded", "hooks"),
        *("reply", "stderr", "status", "seconds", "note"),
    )
    row = {name: getattr(result, name) for name in names}
    payload = result.payload
    row["payload"] = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else payload
    return row
