"""``disable``: switch off a plugin or one of its events."""

from __future__ import annotations

import os

from hatch_agentplugin.cli.arguments import Options, Subparsers
from hatch_agentplugin.cli.lookup import event_name
from hatch_agentplugin.cli.switches import ALL, add_switch, switch_folder
from hatch_agentplugin.cli.terminal import say


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "disable",
        help="switch off a plugin or one of its events, without changing any agent's files",
    )
    add_switch(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status. It takes effect at the next event."""
    folder = switch_folder(options.plugin)
    name = event_name(options.event) if options.event else ALL
    folder.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600))
    say(f"{folder.parent.name}: {'every event' if name == ALL else name} is off")
    return 0
