"""``disable`` and ``enable``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate import placed_list
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import Failure, say
from hatch_agentplugin.cli.views import for_all
from hatch_agentplugin.invocation import call
from hatch_agentplugin.words import EVENTS


def commands() -> tuple[Command, ...]:
    """The commands of this module."""
    options = (
        Option("plugin", metavar="PLUGIN"),
        Option("event", nargs="?", metavar="EVENT", help="(default: all)"),
    )
    what = "a plugin or one of its events, without touching an agent's file"
    return (
        Command("disable", f"switch off {what}", run_disable, options),
        Command("enable", f"switch on again {what}", run_enable, options),
    )


def run_disable(options: Any) -> int:
    """Switch off at the next call."""
    folder = _switches(options.plugin)
    name = _options.event(options.event) if options.event else "all"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600))
    say(f"{folder.parent.name}: {'every event' if name == 'all' else name} is off")
    return 0


def run_enable(options: Any) -> int:
    """Switch on at the next call; without an event, everything."""
    folder = _switches(options.plugin)
    names = [_options.event(options.event)] if options.event else ["all", *EVENTS]
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
        ids = [
            name
            for name in os.listdir(state.root)
            if (state.root / name / placed_list.FILE).is_file()
        ]
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
    return Path(state.plugin(plugin), "disabled")
