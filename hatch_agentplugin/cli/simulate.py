"""``simulate``: fire an event as an agent would."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from shlex import quote
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.cli.arguments import Options, Subparsers, add_hosts, add_json
from hatch_agentplugin.cli.errors import CommandError, UsageError
from hatch_agentplugin.cli.lookup import event_name, host_names
from hatch_agentplugin.cli.plugins import find_plugin
from hatch_agentplugin.cli.terminal import out, out_json, paint, say, say_error
from hatch_agentplugin.simulate import Bundle, CannotSimulate, HookFailed, Result, simulate

_COLOURS = {"deny": "red", "halt": "red", "ask": "yellow", "none": "dim"}


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser("simulate", help="fire an event as an agent would")
    parser.add_argument("plugin", metavar="PLUGIN")
    add_hosts(parser, "every agent that has the event")
    parser.add_argument("--event", required=True, metavar="EVENT", help="an event, in any spelling")
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--payload", metavar="FILE", help="the agent's input to the hook; '-' reads stdin"
    )
    group.add_argument("--tool", help="a tool selector, or the agent's own name of a tool")
    parser.add_argument("--input", metavar="JSON", help="the input of the tool")
    parser.add_argument("--prompt", help="the user's prompt")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Fire on each host. Returns the exit status: 1 if a hook has failed or nothing fires."""
    _, bundle = find_plugin(options.plugin)
    event = event_name(options.event)
    hosts = host_names(options.host, bundle.hosts) or list(bundle.hosts)
    launcher = _placed_launcher(bundle)
    values = _values(options)
    results: list[Result] = []
    errors = 0
    for host in hosts:
        try:
            result = simulate(bundle, host, event, launcher=launcher, **values)
        except CannotSimulate as error:
            if options.host:
                say_error(str(error))
                errors += 1
            continue
        except HookFailed as error:
            say_error(str(error))
            errors += 1
            continue
        results.append(result)
        if not options.json:
            _show(result)
        errors += _report_failure(result)
    if not results and not errors:
        raise CommandError(f"{event} fires on no agent")
    if options.json:
        out_json([_to_json(result) for result in results])
    return 1 if errors else 0


def _report_failure(result: Result) -> int:
    """Report a failed hook. Returns the number of errors."""
    try:
        result.check()
    except HookFailed as error:
        say_error(str(error))
        return 1
    return 0


def _placed_launcher(bundle: Bundle) -> Path | None:
    """Return the launcher that agents run, None if it runs another bundle or does not exist."""
    launcher = Path(Context.here().launcher(bundle.plan.plugin.id))
    try:
        text = os.fsdecode(launcher.read_bytes())
    except OSError:
        return None
    folder = str(bundle.folder)
    return launcher if quote(folder) in text or f'={folder}"' in text else None


def _values(options: Options) -> dict[str, Any]:
    """Return the values for the payload. Raises UsageError and OSError."""
    values: dict[str, Any] = {"tool": options.tool, "prompt": options.prompt}
    if options.payload:
        from_stdin = options.payload == "-"
        values["payload"] = (
            sys.stdin.buffer.read() if from_stdin else Path(options.payload).read_bytes()
        )
    if options.input is not None:
        try:
            values["input"] = json.loads(options.input)
        except ValueError as error:
            raise UsageError(f"--input is not JSON: {error}") from None
    return {key: value for key, value in values.items() if value is not None}


def _show(result: Result) -> None:
    """Print one host's result."""
    outcome = paint(result.outcome, _COLOURS.get(result.outcome, "green"))
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
            out(f"  {hook['key']}: {', '.join(hook['did']) or 'no answer'}")
    if result.note:
        out(f"  {result.note}")
    out(f"  reply: {_indented(result.reply.rstrip()) or 'empty'}")
    if result.stderr:
        say(f"  stderr: {_indented(result.stderr.rstrip())}")


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _to_json(result: Result) -> dict[str, Any]:
    names = (
        *("host", "event", "native", "outcome", "outcomes", "said", "degraded", "hooks"),
        *("reply", "stderr", "status", "seconds", "note"),
    )
    row = {name: getattr(result, name) for name in names}
    payload = result.payload
    row["payload"] = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else payload
    return row
