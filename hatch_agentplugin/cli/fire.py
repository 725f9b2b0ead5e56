"""``simulate``, ``inspect``, ``disable`` and ``enable``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from shlex import quote
from typing import Any

from hatch_agentplugin.cli import _options
from hatch_agentplugin.cli._ui import Failure, UsageFailure, out, out_json, paint, say, say_error
from hatch_agentplugin.cli._ui import table as columns
from hatch_agentplugin.cli._views import for_all
from hatch_agentplugin.events import EVENTS, canonical_event, nearest_event
from hatch_agentplugin.place import marks, store
from hatch_agentplugin.place.context import Context
from hatch_agentplugin.place.discover import Installed, discover
from hatch_agentplugin.place.ledger import load
from hatch_agentplugin.place.program import call
from hatch_agentplugin.place.status import installed_by
from hatch_agentplugin.plan import PlanError
from hatch_agentplugin.simulate import Bundle, CannotSimulate, HookFailed, Result, simulate


def register(subparsers: Any) -> None:
    """Add the commands of this module."""
    parser = subparsers.add_parser("simulate", help="fire an event as an agent would")
    parser.add_argument("plugin", metavar="PLUGIN")
    _options.add_hosts(parser, "all on which it fires")
    parser.add_argument("--event", required=True, metavar="EVENT", help="any spelling will do")
    payload = parser.add_mutually_exclusive_group()
    payload.add_argument("--payload", metavar="FILE", help="what the agent sends; '-' is stdin")
    payload.add_argument("--tool", help="a selector or the agent's own name for a tool")
    parser.add_argument("--input", metavar="JSON", help="the tool's input")
    parser.add_argument("--prompt", help="what the user has typed")
    _options.add_json(parser)
    parser.set_defaults(run=run_simulate)

    parser = subparsers.add_parser("inspect", help="show what would be placed, and why")
    parser.add_argument("plugin", metavar="PLUGIN")
    _options.add_hosts(parser, "all")
    _options.add_json(parser)
    parser.set_defaults(run=run_inspect)

    for name, does in (("disable", "switch off"), ("enable", "switch on again")):
        text = f"{does} a plugin or one of its events, without touching an agent's file"
        parser = subparsers.add_parser(name, help=text)
        parser.add_argument("plugin", metavar="PLUGIN")
        parser.add_argument("event", nargs="?", metavar="EVENT", help="(default: all)")
        parser.set_defaults(run=run_disable if name == "disable" else run_enable)


# --- simulate ---


def run_simulate(options: argparse.Namespace) -> int:
    """Fire on each host. Returns 1 where a hook has failed or nothing fires."""
    _, bundle = _plugin(options.plugin)
    event = _event(options.event)
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
    launcher = Context.here().launcher(bundle.plan.plugin.id)
    try:
        text = os.fsdecode(launcher.read_bytes())
    except OSError:
        return None
    folder = str(bundle.folder)
    return launcher if quote(folder) in text or f'={folder}"' in text else None


def _values(options: argparse.Namespace) -> dict[str, Any]:
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


# --- inspect ---


def run_inspect(options: argparse.Namespace) -> int:
    """Show the build's report, the hooks of each slot and the files that would hold the entries."""
    installed, bundle = _plugin(options.plugin)
    known = {cell.host for cell in bundle.plan.report} | set(bundle.plan.hosts)
    hosts = _options.host_names(options.host, known) or sorted(known)
    rows = [_inspect(bundle, host) for host in hosts]
    if options.json:
        out_json({"plugin": installed.id, "version": installed.version, "hosts": rows})
        return 0
    out(f"{paint(installed.name, 'bold')} {installed.version}  {bundle.folder}")
    for row in rows:
        out()
        out(paint(row["host"], "bold"))
        cells = [
            (f"  {cell['event']}", cell["native"] or "-", cell["state"], cell["reason"])
            for cell in row["events"]
        ]
        if cells:
            out(columns(cells))
        for slot in row["slots"]:
            for hook in slot["hooks"]:
                out(f"  {slot['slot']}: {hook}")
        for file in row["files"]:
            out(f"  {file['scope']}: {file['path']}")
    return 0


def _inspect(bundle: Bundle, host: str) -> dict[str, Any]:
    plan = bundle.plan.hosts.get(host)
    cells = bundle.cells(host)
    slots = []
    for slot in plan.slots if plan else ():
        table = bundle.table(host, slot)
        hooks = [_hook_line(hook, table) for hook in table["hooks"]]
        slots.append({"slot": slot, "native": table["native"], "hooks": hooks,
                      "exact": table["exact"], "answers": table["answers"]})  # fmt: skip
    return {
        "host": host,
        "events": [
            {"event": c.event, "native": c.native, "state": c.state, "reason": c.reason}
            for c in cells
        ],
        "slots": slots,
        "files": [
            {"scope": scope, "path": path}
            for scope, placements in (plan.scopes if plan else {}).items()
            for path in dict.fromkeys(_path(file) for p in placements for file in p.files[:1])
        ],
    }


def _path(target: Any) -> str:
    """A target as its folder's default has it; variables may move it."""
    parts = [target.dir.default, target.dir.inside, target.path]
    return "/".join(part for part in parts if part)


def _hook_line(hook: dict[str, Any], table: dict[str, Any]) -> str:
    what = hook.get("handler") or " ".join([hook["command"], *hook["args"]])
    tools = hook.get("tools")
    parts = [hook["key"], what, f"{hook['timeout']:g} s"]
    if tools is not None:
        parts.append(
            f"tools {', '.join(tools)}" + ("" if table["exact"] else " (filtered at run time)")
        )
    if hook.get("when"):
        parts.append(f"when {hook['when']} exists")
    if hook.get("on_error") == "deny":
        parts.append("refuses on error")
    return "  ".join(parts)


# --- disable and enable ---


def run_disable(options: argparse.Namespace) -> int:
    """Switch off at the next call."""
    folder = _switches(options.plugin)
    name = _event(options.event) if options.event else "all"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600))
    say(f"{folder.parent.name}: {'every event' if name == 'all' else name} is off")
    return 0


def run_enable(options: argparse.Namespace) -> int:
    """Switch on at the next call; without an event, everything."""
    folder = _switches(options.plugin)
    names = [_event(options.event)] if options.event else ["all", *EVENTS]
    for name in names:
        (folder / name).unlink(missing_ok=True)
    plugin = folder.parent.name
    if options.event and (folder / "all").exists():
        say(f"{plugin}: {names[0]} is on, but the plugin as a whole is off")
        return 0
    say(f"{plugin}: {names[0] if options.event else 'every event'} is on")
    return 0


def _switches(name: str) -> Path:
    """The folder of a plugin's switches. Raises Failure for a plugin that is not active."""
    state = Context.here().state
    try:
        ids = [entry.name for entry in state.root.iterdir() if (entry / marks.FILE).is_file()]
    except OSError:
        ids = []
    known = [plugin.id for plugin in discover()[0]]
    plugin = _options.plugin_id(name, {*ids, *known})
    if plugin not in ids:
        if any(plugin in view.ledger.plugins for view in for_all(Context.here())):
            raise Failure(
                f"the administrator of this machine has placed {plugin} for all users, and he alone "
                f"can take it back: {call('deactivate', '--scope', 'managed')}"
            )
        raise Failure(f"{plugin} is not active; {call('activate', plugin)} places it")
    return state.plugin(plugin) / "disabled"


# --- what is named ---


def _plugin(name: str) -> tuple[Installed, Bundle]:
    """An installed or activated plugin by its name. Raises UsageFailure or Failure."""
    installed = {plugin.id: plugin for plugin in discover()[0]}
    state = Context.here().state
    for active, row in load(state)[0].plugins.items():
        if store.has(state, row.bundle):  # activated from a folder or an archive
            installed.setdefault(active, installed_by(row, active))
    plugin = installed[_options.plugin_id(name, list(installed))]
    try:
        return plugin, Bundle(plugin.bundle, plugin.plan())
    except PlanError as error:
        raise Failure(f"{plugin.name}: its plan cannot be used: {error}") from None


def _event(name: str) -> str:
    """A canonical event by any spelling. Raises UsageFailure."""
    event = canonical_event(name)
    if event is None:
        near = nearest_event(name)
        hint = f'; did you mean "{near}"?' if near else f"; there are: {', '.join(EVENTS)}"
        raise UsageFailure(f'there is no event "{name}"{hint}')
    return event
