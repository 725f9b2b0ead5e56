"""``status``: show which hooks are placed, are accepted by their agent, and have fired."""

from __future__ import annotations

import time

from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.cli.arguments import (
    Options,
    Subparsers,
    add_json,
    add_ledger_scope,
    add_plugins,
)
from hatch_agentplugin.cli.ledgers import ledger_views
from hatch_agentplugin.cli.lookup import plugin_id
from hatch_agentplugin.cli.terminal import out, out_json, paint, safe, say, short_path, table
from hatch_agentplugin.inspect.status import PluginStatus, status


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "status", help="show which hooks are placed, accepted by the agent, and have fired"
    )
    add_plugins(parser, "all active or installed plugins")
    add_ledger_scope(parser, "both")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    views = ledger_views(options)
    for note in (note for view in views for note in view.notes):
        say(f"note: {safe(note)}")
    ids = {plugin.id for plugin in discover()[0]}
    ids.update(*(view.ledger.plugins for view in views))
    names = tuple(plugin_id(name, ids) for name in options.plugins)
    plugins = [one for view in views for one in status(view.context, view.ledger, names)]
    active = {one.id for one in plugins if one.active}
    plugins = [one for one in plugins if one.active or one.id not in active]
    if options.json:
        out_json({"plugins": [plugin.to_json() for plugin in plugins]})
        return 0
    context = views[0].context
    if not plugins and context.state.shared:
        say("no plugin is active for all users")
    elif not plugins:
        say(f"no plugin is active, and none is installed in {context.environment}")
    for plugin in plugins:
        _show(plugin, context.machine.home)
    return 0


def _show(plugin: PluginStatus, home: str) -> None:
    out(f"{paint(safe(plugin.id), 'bold')} {safe(plugin.version)}  {safe(plugin.environment)}")
    for problem in plugin.problems:
        out(f"  {paint('!', 'yellow')} {safe(problem)}")
    for note in plugin.notes:
        out(f"  note: {safe(note)}")
    rows = [
        (f"  {line.host}", line.scope, line.event, line.placed, line.accepted, ago(line.fired),
         short_path(line.path, home))
        for line in plugin.lines
    ]  # fmt: skip
    if rows:
        out(table(rows, ("  agent", "scope", "event", "placed", "accepted", "fired", "file")))
    for why in dict.fromkeys(f"{line.host}: {line.why}" for line in plugin.lines if line.why):
        out(f"  {paint('!', 'yellow')} {safe(why)}")


def ago(when: float | None, now: float | None = None) -> str:
    """Return how long ago a moment was, in one unit. Times are in seconds since 1970."""
    if when is None:
        return "never"
    seconds = max(0.0, (time.time() if now is None else now) - when)
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return f"{int(seconds)} s ago"
