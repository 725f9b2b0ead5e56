"""``status``."""

from __future__ import annotations

import time
from typing import Any

from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.cli import command
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command
from hatch_agentplugin.cli.show import short
from hatch_agentplugin.cli.ui import (
    out,
    out_json,
    paint,
    safe,
    say,
    table,
)
from hatch_agentplugin.cli.views import views
from hatch_agentplugin.inspect.status import PluginStatus, status


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    return (
        Command(
            "status",
            "show what is placed, accepted by the agents, and has fired",
            run_status,
            (
                command.plugins("all that are active or installed"),
                *command.whose("both"),
                command.JSON,
            ),
        ),
    )


def run_status(options: Any) -> int:
    """Run the command. Returns the exit status."""
    found = views(options)
    for note in (note for view in found for note in view.notes):
        say(f"note: {safe(note)}")
    ids = {*(plugin.id for plugin in discover()[0])}
    ids.update(*(view.ledger.plugins for view in found))
    names = tuple(_options.plugin_id(name, ids) for name in options.plugins)
    plugins = [one for view in found for one in status(view.context, view.ledger, names)]
    active = {one.id for one in plugins if one.active}
    plugins = [one for one in plugins if one.active or one.id not in active]
    if options.json:
        out_json({"plugins": [plugin.to_json() for plugin in plugins]})
        return 0
    context = found[0].context
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
