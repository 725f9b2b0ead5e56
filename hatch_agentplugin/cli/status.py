"""``status``."""

from __future__ import annotations

import time
from typing import Any

from hatch_agentplugin.cli import _options
from hatch_agentplugin.cli._show import short
from hatch_agentplugin.cli._ui import out, out_json, paint, safe, say, table
from hatch_agentplugin.place.discover import discover
from hatch_agentplugin.place.status import PluginStatus, status
from hatch_agentplugin.place.transaction import settle


def register(subparsers: Any) -> None:
    """Add the commands of this module."""
    parser = subparsers.add_parser(
        "status", help="show what is placed, accepted by the agents, and has fired"
    )
    _options.add_plugins(parser, "all that are active or installed")
    _options.add_json(parser)
    parser.set_defaults(run=run_status)


def run_status(options: Any) -> int:
    """Run the command. Returns the exit status."""
    context = _options.context()
    ledger, notes = settle(context.state)
    for note in notes:
        say(f"note: {safe(note)}")
    ids = {*ledger.plugins, *(plugin.id for plugin in discover()[0])}
    names = tuple(_options.plugin_id(name, ids) for name in options.plugins)
    plugins = status(context, ledger, names)
    if options.json:
        out_json({"plugins": [plugin.to_json() for plugin in plugins]})
        return 0
    if not plugins:
        say(f"no plugin is active, and none is installed in {context.environment}")
    for plugin in plugins:
        _show(plugin, context.machine.home)
    return 0


def _show(plugin: PluginStatus, home: str) -> None:
    out(f"{paint(safe(plugin.id), 'bold')} {safe(plugin.version)}  {safe(plugin.environment)}")
    for problem in plugin.problems:
        out(f"  {paint('!', 'yellow')} {safe(problem)}")
    rows = [
        (f"  {line.host}", line.scope, line.event, line.placed, line.accepted, ago(line.fired),
         short(line.path, home))
        for line in plugin.lines
    ]  # fmt: skip
    if rows:
        out(table(rows, ("  agent", "scope", "event", "placed", "accepted", "fired", "file")))
    for why in dict.fromkeys(f"{line.host}: {line.why}" for line in plugin.lines if line.why):
        out(f"  {paint('!', 'yellow')} {safe(why)}")


def ago(when: float | None, now: float | None = None) -> str:
    """How long ago a moment was, in one unit."""
    if when is None:
        return "never"
    seconds = max(0.0, (time.time() if now is None else now) - when)
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return f"{int(seconds)} s ago"
